"""A library in an environment of its own, at its pinned or another version: made once, kept in the user's cache.

An adapter file's inline metadata (PEP 723) names what goes in. Two more things may stand there:

    # [tool.conformance]
    # environment = "torch"
    # installer = "pip"

Adapters that name the same environment share one, with the dependencies of all of them, for their pinned
versions: what is large is installed once. The installer is uv; or pip, which takes the wheels and indexes
that the machine's pip is set up with, such as a build of a library for machines without a GPU.
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
from collections.abc import Callable, Iterator
from pathlib import Path

from conformance.suite import PACKAGE, cache_folder, home
from conformance.transport import TargetError

TIME_LIMIT = 600.0
PINNED = "pinned"
"""What stands for the version that the adapter itself names."""
_METADATA = re.compile(r"(?m)^# /// script$\s(?P<content>(^#(| .*)$\s)+)^# ///$")


def _metadata(source: str) -> str:
    """An adapter file's inline metadata (PEP 723); empty where it has none."""
    found = _METADATA.search(source)
    if found is None:
        return ""
    return "".join(
        line[2:] if line.startswith("# ") else line[1:] for line in found["content"].splitlines(keepends=True)
    )


def dependencies(source: str) -> list[str]:
    """The dependencies of an adapter file's inline metadata."""
    listed = re.search(r"dependencies\s*=\s*\[(.*?)\]\s*(?:#.*)?$", _metadata(source), re.DOTALL | re.MULTILINE)
    quoted = re.findall(r""""([^"]+)"|'([^']+)'""", listed[1]) if listed else []
    return [double or single for double, single in quoted]


def setting(source: str, name: str) -> str | None:
    """A value of the table [tool.conformance] of an adapter file's inline metadata."""
    _, _, table = _metadata(source).partition("[tool.conformance]\n")
    found = re.search(rf"^{name}\s*=\s*[\"']([^\"']+)[\"']", table.partition("\n[")[0], re.MULTILINE)
    return found[1] if found else None


def shared(environment: str, folder: Path) -> list[str]:
    """The dependencies of all adapters in a folder that name the same environment."""
    sources = (path.read_text("utf-8") for path in sorted(folder.glob("*.py")))
    return sorted(
        {each for text in sources if setting(text, "environment") == environment for each in dependencies(text)}
    )


def requirements(name: str, version: str, source: str) -> list[str]:
    """The adapter's dependencies with the library's own pin replaced by the wanted version. Raises TargetError."""
    if version == PINNED:
        return dependencies(source)
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
    if not re.fullmatch(r"v?[0-9][A-Za-z0-9.!+_-]*", version):
        raise TargetError(f"{label}: {version!r} is no version")


def python_for(name: str, version: str, source: str) -> str:
    """The interpreter of an environment with that version, made where it does not exist yet. Raises TargetError."""
    label = f"{name}@{version}"
    installer = setting(source, "installer") or "uv"
    if version != PINNED:
        version_named(label, version)
    wanted, called = requirements(name, version, source), name
    environment = setting(source, "environment")
    if environment is not None and version == PINNED:
        wanted, called = shared(environment, home() / "adapters"), environment
    key = hashlib.sha256(f"{sys.version_info[:2]}{sys.executable}{installer}{wanted}".encode()).hexdigest()[:12]
    folder = cache_folder() / "environments" / f"{called}-{version}-{key}"
    if not _interpreter(folder).exists():
        print(f"conformance: making an environment for {called} {version} ...", file=sys.stderr)

        def fill(made: Path) -> None:
            for command in _steps(installer, made, wanted, label):
                run_installer(installer, command, label)

        put_in_place(folder, _interpreter(folder), label, fill)
    return str(_interpreter(folder))


def _interpreter(folder: Path) -> Path:
    return folder / "bin" / "python"


def _steps(installer: str, made: Path, wanted: list[str], label: str) -> list[list[str]]:
    """The commands that make an environment. Raises TargetError."""
    python = str(_interpreter(made))
    if installer == "pip":
        return [[sys.executable, "-m", "venv", str(made)], [python, "-m", "pip", "install", "--quiet", *wanted]]
    if installer == "uv":
        program = uv()
        return [
            [program, "venv", "--quiet", "--relocatable", "--python", sys.executable, str(made)],
            [program, "pip", "install", "--quiet", "--python", python, *wanted],
        ]
    raise TargetError(f"{label}: the adapter's installer is uv or pip, not {installer!r}")


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
        why = " ".join(filter(None, lines))[-400:] or "no message"
        raise TargetError(f"{label}: {program} cannot make the environment: {why}")


_BOOTSTRAP = """
import importlib.util, sys
folder, target = sys.argv[1:]
start = folder + "/__init__.py"
spec = importlib.util.spec_from_file_location("conformance", start, submodule_search_locations=[folder])
package = sys.modules["conformance"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(package)
from conformance.serve import serve_target
sys.exit(serve_target(target))
"""


def serve_command(python: str, target: str) -> list[str]:
    """The command by which another interpreter serves an adapter of ours with this very package.

    The package is loaded from its folder: with the folder above it on the path, the libraries that are
    installed beside it would come before those of the environment.
    """
    return [python, "-I", "-c", _BOOTSTRAP, str(PACKAGE), target]
