"""A library in an environment of its own, at its pinned or another version: made with uv once, kept in the user's cache."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from conformance.suite import PACKAGE, cache_folder
from conformance.transport import TargetError

TIME_LIMIT = 600.0
PINNED = "pinned"
"""What stands for the version that the adapter itself names."""
_METADATA = re.compile(r"(?m)^# /// script$\s(?P<content>(^#(| .*)$\s)+)^# ///$")


def dependencies(source: str) -> list[str]:
    """The dependencies of an adapter file's inline metadata (PEP 723)."""
    found = _METADATA.search(source)
    if found is None:
        return []
    text = "".join(
        line[2:] if line.startswith("# ") else line[1:] for line in found["content"].splitlines(keepends=True)
    )
    listed = re.search(r"dependencies\s*=\s*\[(.*?)\]\s*(?:#.*)?$", text, re.DOTALL | re.MULTILINE)
    return re.findall(r"[\"']([^\"']+)[\"']", listed[1]) if listed else []


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


def python_for(name: str, version: str, source: str) -> str:
    """The interpreter of an environment with that version, made where it does not exist yet. Raises TargetError."""
    label = f"{name}@{version}"
    if version != PINNED and not re.fullmatch(r"v?[0-9][A-Za-z0-9.!+_-]*", version):
        raise TargetError(f"{label}: {version!r} is no version")
    wanted = requirements(name, version, source)
    key = hashlib.sha256(f"{sys.version_info[:2]}{sys.executable}{wanted}".encode()).hexdigest()[:12]
    folder = cache_folder() / "environments" / f"{name}-{version}-{key}"
    if not _interpreter(folder).exists():
        print(f"conformance: making an environment for {name} {version} ...", file=sys.stderr)
        _make(folder, wanted, label)
    return str(_interpreter(folder))


def _interpreter(folder: Path) -> Path:
    return folder / "bin" / "python"


def _make(folder: Path, wanted: list[str], label: str) -> None:
    """Make the environment beside its place and move it there whole, so that a half-made one is never used."""
    program = uv()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".making-", dir=folder.parent))
    except OSError as error:
        raise TargetError(f"{label}: {folder.parent} cannot be written: {error.strerror}") from error
    made = work / "environment"
    try:
        _called([program, "venv", "--quiet", "--relocatable", "--python", sys.executable, str(made)], label)
        _called([program, "pip", "install", "--quiet", "--python", str(_interpreter(made)), *wanted], label)
        with contextlib.suppress(OSError):  # another process has put the same environment there meanwhile
            made.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if not _interpreter(folder).exists():
        raise TargetError(f"{label}: the environment {folder} cannot be put in place; remove that folder")


def _called(command: list[str], label: str) -> None:
    env = {**os.environ, "UV_PYTHON_DOWNLOADS": "never"}
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired as error:
        raise TargetError(f"{label}: uv took longer than {TIME_LIMIT:g} s") from error
    except OSError as error:
        raise TargetError(f"{label}: uv cannot be started: {error.strerror}") from error
    if done.returncode:
        lines = [line.strip(" \t\u00d7\u2570\u2500\u25b6\u251c\u2502") for line in done.stderr.splitlines()]
        why = " ".join(filter(None, lines))[-400:] or "no message"
        raise TargetError(f"{label}: uv cannot make the environment: {why}")


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
