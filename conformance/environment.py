"""Another version of a library, in an environment of its own: made with uv once, kept in the user's cache."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from conformance.suite import PACKAGE, cache_folder
from conformance.transport import TargetError

TIME_LIMIT = 600.0
_METADATA = re.compile(r"(?m)^# /// script$\s(?P<content>(^#(| .*)$\s)+)^# ///$")


def dependencies(source: str) -> list[str]:
    """The dependencies of an adapter file's inline metadata (PEP 723)."""
    found = _METADATA.search(source)
    if found is None:
        return []
    text = "".join(line[2:] if line.startswith("# ") else line[1:] for line in found["content"].splitlines(keepends=True))
    listed = re.search(r"dependencies\s*=\s*\[(.*?)\]\s*(?:#.*)?$", text, re.DOTALL | re.MULTILINE)
    return re.findall(r"[\"']([^\"']+)[\"']", listed[1]) if listed else []


def requirements(name: str, version: str, source: str) -> list[str]:
    """The adapter's dependencies with the library's own pin replaced by the wanted version. Raises TargetError."""
    pinned, found = [], False
    for each in dependencies(source):
        match = re.match(r"([A-Za-z0-9._-]+)(\[[^\]]*\])?", each)
        if match and match[1].lower().replace("_", "-") == name.lower().replace("_", "-"):
            pinned.append(f"{match[1]}{match[2] or ''}=={version}")
            found = True
        else:
            pinned.append(each)
    if not found:
        raise TargetError(f"{name}@{version}: the adapter {name} depends on no package of that name, so it has no other version")
    return pinned


def uv() -> str:
    """The uv program. Raises TargetError where there is none."""
    beside = Path(sys.executable).parent / "uv"
    found = str(beside) if beside.exists() else shutil.which("uv")
    if found is None:
        raise TargetError("uv is needed for NAME@VERSION: pip install 'text-metric-conformance[environments]'")
    return found


def python_for(name: str, version: str, source: str) -> str:
    """The interpreter of an environment with that version, made where it does not exist yet. Raises TargetError."""
    wanted = requirements(name, version, source)
    key = hashlib.sha256(f"{sys.version_info[:2]}{wanted}".encode()).hexdigest()[:12]
    folder = cache_folder() / "environments" / f"{name}-{version}-{key}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = folder / "ready"
    if ready.exists() and python.exists():
        return str(python)
    print(f"conformance: making an environment for {name} {version} ...", file=sys.stderr)
    program = uv()
    shutil.rmtree(folder, ignore_errors=True)
    _called([program, "venv", "--quiet", "--python", sys.executable, str(folder)], f"{name}@{version}")
    _called([program, "pip", "install", "--quiet", "--python", str(python), *wanted], f"{name}@{version}")
    ready.write_text("\n".join(wanted), "utf-8")
    return str(python)


def _called(command: list[str], label: str) -> None:
    env = {**os.environ, "UV_PYTHON_DOWNLOADS": "never"}
    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired as error:
        raise TargetError(f"{label}: uv took longer than {TIME_LIMIT:g} s") from error
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        why = " ".join(lines[-3:])[:400] or "no message"
        raise TargetError(f"{label}: uv cannot make the environment: {why}")


def search_path() -> dict[str, str]:
    """The environment variables by which a child finds this very package."""
    return {"PYTHONPATH": str(PACKAGE.parent), "PYTHONUNBUFFERED": "1", "PYTHONNOUSERSITE": "1"}
