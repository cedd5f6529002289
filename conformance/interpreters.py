"""The Python interpreters of a machine: an old release may need an older one than runs the suite."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLDEST = (3, 10)
"""The oldest that the suite supports, for what serves an adapter there is the suite itself."""
_ASK = "import sys; print(sys.implementation.name, *sys.version_info[:2])"


def present() -> Iterator[tuple[tuple[int, int], str]]:
    """Version and path of the interpreters: this one, then one of each other version, newest first."""
    own = sys.version_info[:2]
    yield own, sys.executable
    found: dict[tuple[int, int], str] = {}
    for path in _places():
        version = _version(path)
        if version is not None and version >= OLDEST and version != own:
            found.setdefault(version, path)
    for version in sorted(found, reverse=True):
        yield version, found[version]


def _places() -> Iterator[str]:
    """Where interpreters lie: on the search path, and where pyenv and uv put them."""
    for folder in os.get_exec_path():
        yield from map(str, sorted(Path(folder).glob("python3.[0-9]*[0-9]")))
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    for versions in (pyenv / "versions", data / "uv" / "python"):
        yield from map(str, sorted(versions.glob("*/bin/python3"), reverse=True))


def _version(path: str) -> tuple[int, int] | None:
    """Its version; None for what does not run, as a shim of pyenv may not, and for other Pythons than CPython."""
    try:
        done = subprocess.run([path, "-I", "-c", _ASK], capture_output=True, text=True, timeout=20, check=True)
        name, major, minor = done.stdout.split()
        return (int(major), int(minor)) if name == "cpython" else None
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
