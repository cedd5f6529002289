"""A library in an environment of its own, at its pinned or another version: made once, kept in the user's cache.

An adapter file's inline metadata names what goes in. Adapters that name the same environment share one, with
the dependencies of all of them, for their pinned versions: what is large is installed once. The installer is uv;
or pip, which takes the wheels and indexes that the machine's pip is set up with, such as a build of a library
for machines without a GPU.

A pinned version runs on the first interpreter that its `requires-python` allows, this one before the others
that are present. Another release is tried on each until it installs and imports.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance import interpreters
from conformance.metadata import dependencies, requires_python, setting, without_dependencies
from conformance.suite import PACKAGE, cache_folder, home
from conformance.transport import TargetError

TIME_LIMIT = 600.0
RELEASE = re.compile(r"v?[0-9][A-Za-z0-9.!+_-]{0,100}")
PINNED = "pinned"
"""What stands for the version that the adapter itself names."""
REASON = 200
"""How many characters of each failure are told."""
NOWHERE = re.compile(
    r"no version of|not found in the package registry|is needed for|installer is|cannot be started|took longer than"
)
"""What another interpreter would not change."""
BUILT = ("--only-binary", ":all:")
"""Options of both installers: nothing is built here."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What goes into an environment: packages, packages without what they depend on, and the oldest Python."""

    packages: list[str]
    alone: list[str]
    oldest: tuple[int, int]


def contents(name: str, version: str, source: str) -> Contents:
    """What goes into the environment of an adapter for a version. Raises TargetError."""
    label = f"{name}@{version}"
    sources = [source]
    environment = setting(source, "environment")
    if version != PINNED:
        packages = requirements(name, version, source)
        # What `requires-python` says is true of the pinned version.
        return Contents(packages, without_dependencies(source), interpreters.OLDEST)
    if environment is not None:
        sources = sharing(environment, home() / "adapters")
        packages = sorted({each for text in sources for each in dependencies(text)})
    else:
        packages = dependencies(source)
    alone = sorted({each for text in sources for each in without_dependencies(text)})
    return Contents(packages, alone, max((oldest_python(text, label) for text in sources), default=interpreters.OLDEST))


def sharing(environment: str, folder: Path) -> list[str]:
    """The adapters in a folder that name the same environment."""
    sources = (path.read_text("utf-8") for path in sorted(folder.glob("*.py")))
    return [text for text in sources if setting(text, "environment") == environment]


def oldest_python(source: str, label: str) -> tuple[int, int]:
    """The oldest Python that an adapter's `requires-python` allows. Raises TargetError."""
    wanted = requires_python(source)
    if wanted is None:
        return interpreters.OLDEST
    found = re.fullmatch(r"\s*>=\s*(\d+)\.(\d+)\s*", wanted)
    if found is None:
        raise TargetError(f"{label}: requires-python: expected the form '>=3.11', found {wanted!r}")
    return int(found[1]), int(found[2])


def requirements(name: str, version: str, source: str) -> list[str]:
    """The adapter's dependencies with the library's own pin replaced by the wanted version. Raises TargetError."""
    pinned, found = [], False
    for each in dependencies(source):
        match = re.match(r"([A-Za-z0-9._-]+)(\[[^\]]*\])?", each)
        if match and _plain(match[1]) == _plain(name):
            pinned.append(f"{match[1]}{match[2] or ''}=={version}")
            found = True
        else:
            pinned.append(each)
    if not found:
        raise TargetError(
            f"{name}@{version}: the adapter depends on no package of that name, so it has no other version"
        )
    return pinned


def _plain(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def uv() -> str:
    """The uv program. Raises TargetError where there is none."""
    beside = Path(sys.executable).parent / "uv"
    found = str(beside) if beside.exists() else shutil.which("uv")
    if found is None:
        raise TargetError("uv is needed for NAME@VERSION: pip install 'text-metric-conformance[environments]'")
    return found


def version_named(label: str, version: str) -> None:
    """Raises TargetError for what is no version, such as an option of the installer."""
    if RELEASE.fullmatch(version) is None:
        raise TargetError(f"{label}: {version!r} is no version")


def python_for(name: str, version: str, adapter: Path) -> str:
    """The interpreter of an environment with that version, made where it does not exist yet. Raises TargetError."""
    label, source = f"{name}@{version}", adapter.read_text("utf-8")
    installer = setting(source, "installer") or "uv"
    if version != PINNED:
        version_named(label, version)
    wanted, called = contents(name, version, source), name
    if version == PINNED:
        called = setting(source, "environment") or name
    python, interpreter = _first(wanted.oldest, label)
    key = _key(python, interpreter, installer, wanted)
    folder = cache_folder() / "environments" / f"{called}-{version}-{key}"
    if not _interpreter(folder).exists():
        if installer == "uv":
            uv()
        print(f"conformance: making an environment for {called} {version} ...", file=sys.stderr)

        def fill(made: Path) -> None:
            if version == PINNED:
                _install(installer, made, interpreter, wanted, label)
            else:
                _made_somewhere(adapter, installer, made, wanted, label)

        put_in_place(folder, _interpreter(folder), label, fill)
    return str(_interpreter(folder))


def _first(oldest: tuple[int, int], label: str) -> tuple[tuple[int, int], str]:
    """The first interpreter present that is new enough. Raises TargetError."""
    found: list[str] = []
    for version, interpreter in interpreters.present():
        if version >= oldest:
            return version, interpreter
        found.append(_dotted(version))
    needed = _dotted(oldest)
    raise TargetError(
        f"{label}: it needs Python {needed} or later, and there is only {', '.join(found)}: "
        f"put python{needed} on PATH, or install it with uv or pyenv"
    )


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def _key(python: tuple[int, int], interpreter: str, installer: str, wanted: Contents) -> str:
    """What tells environments apart."""
    text = f"{python}{interpreter}{installer}{wanted.packages}{wanted.alone or ''}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _interpreter(folder: Path) -> Path:
    return folder / "bin" / "python"


def _install(
    installer: str, made: Path, interpreter: str, wanted: Contents, label: str, options: Sequence[str] = ()
) -> None:
    """Make an environment with these packages. Raises TargetError."""
    python = str(_interpreter(made))
    if installer == "pip":
        start = [interpreter, "-m", "venv", str(made)]
        install = [python, "-m", "pip", "install", "--quiet", *options]
    elif installer == "uv":
        program = uv()
        start = [program, "venv", "--quiet", "--relocatable", "--python", interpreter, str(made)]
        install = [program, "pip", "install", "--quiet", "--python", python, *options]
    else:
        raise TargetError(f"{label}: the adapter's installer is uv or pip, not {installer!r}")
    commands = [start, [*install, *wanted.packages]]
    if wanted.alone:
        # uv links files to those of its cache, and NLTK refuses data in files that have other names.
        copied = ["--link-mode", "copy"] if installer == "uv" else []
        commands.append([*install, "--no-deps", *copied, *wanted.alone])
    for command in commands:
        run_installer(installer, command, label)


def _made_somewhere(adapter: Path, installer: str, made: Path, wanted: Contents, label: str) -> None:
    """Make an environment in which the adapter is served, on the first interpreter where that can be.

    Built packages are looked for on all of them before one is built, which can take long.
    Raises TargetError, with what was tried.
    """
    failures: dict[str, list[str]] = {}
    for options in (BUILT, ()):
        failures.clear()
        for version, interpreter in interpreters.present():
            try:
                _install(installer, made, interpreter, wanted, label, options)
                _serves(_interpreter(made), adapter, label)
            except TargetError as error:
                why = str(error).removeprefix(f"{label}: ")
                if NOWHERE.search(why):
                    raise
                failures.setdefault(_end(why), []).append(_dotted(version))
                shutil.rmtree(made, ignore_errors=True)
            else:
                if failures:
                    print(f"conformance: {label} runs on Python {_dotted(version)}; {_told(failures)}", file=sys.stderr)
                return
    advice = f"put another Python from {_dotted(interpreters.OLDEST)} on on PATH, or name another release"
    raise TargetError(f"{label}: it cannot be had here; {advice}. {_told(failures)}")


def _end(text: str) -> str:
    """The last words of a long explanation."""
    return text if len(text) <= REASON else f"... {text[-REASON:].partition(' ')[2]}"


def _told(failures: dict[str, list[str]]) -> str:
    """What was tried, and why it failed."""
    return "; ".join(f"on Python {', '.join(each)}: {why}" for why, each in failures.items())


def _serves(python: Path, adapter: Path, label: str) -> None:
    """Whether the adapter and its library can be imported there. Raises TargetError."""
    from conformance.child import Child

    Child(serve_command(str(python), adapter), label=label).close()


def put_in_place(folder: Path, proof: Path, label: str, fill: Callable[[Path], None]) -> None:
    """Fill a folder beside its place and move it there whole, so that a half-made one is never used.

    `proof` is what lies in a whole one. Raises TargetError.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".making-", dir=folder.parent))
    except OSError as error:
        raise TargetError(f"{label}: {folder.parent} cannot be written: {error.strerror}") from error
    try:
        with _alone(folder):
            if not proof.exists():
                fill(work / "environment")
                with contextlib.suppress(OSError):  # what lies there is not whole: said below
                    (work / "environment").rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if not proof.exists():
        raise TargetError(f"{label}: the environment {folder} cannot be put in place; remove that folder")


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time makes an environment; the others wait, and find it made."""
    with folder.with_name(f".{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def run_installer(program: str, command: list[str], label: str, folder: Path | None = None) -> None:
    """Run one step of an installer, in a folder. Raises TargetError with the installer's own words."""
    env = {**os.environ, "UV_PYTHON_DOWNLOADS": "never", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    try:
        done = subprocess.run(
            command, env=env, cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise TargetError(f"{label}: {program} took longer than {TIME_LIMIT:g} s") from error
    except OSError as error:
        raise TargetError(f"{label}: {program} cannot be started: {error.strerror}") from error
    if done.returncode:
        text = done.stderr or done.stdout  # venv explains on standard output
        lines = [line.strip(" \t\u00d7\u2570\u2500\u25b6\u251c\u2502") for line in text.splitlines()]
        errors = [line for line in lines if line.startswith("ERROR: ")]  # of pip, the last of which says it all
        why = (errors[-1] if errors else " ".join(filter(None, lines)))[:400] or "no message"
        raise TargetError(f"{label}: {program} cannot make the environment: {why}")


_BOOTSTRAP = """
import importlib.util, sys
folder, target = sys.argv[1:]
start = folder + "/__init__.py"
spec = importlib.util.spec_from_file_location("conformance", start, submodule_search_locations=[folder])
package = sys.modules["conformance"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(package)
from conformance.serve import serve_target
from conformance.target import load_adapter
sys.exit(serve_target(lambda: load_adapter(target)))
"""


def serve_command(python: str, adapter: Path) -> list[str]:
    """The command by which another interpreter serves an adapter of ours with this very package.

    The package is loaded from its folder: with the folder above it on the path, the libraries that are
    installed beside it would come before those of the environment. For that reason too an adapter of ours
    goes by its name, which puts no folder on the path.
    """
    target = adapter.stem if adapter.parent == home() / "adapters" else str(adapter)
    return [python, "-I", "-c", _BOOTSTRAP, str(PACKAGE), target]
