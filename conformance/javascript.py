"""JavaScript libraries: their adapters are modules that a program of ours serves, with packages that npm installs once.

`adapters/NAME.mjs` is an adapter; `adapters/javascript/serve.mjs` serves it over the protocol, as any port would
be. The packages are pinned and locked in `adapters/javascript/` and lie in the user's cache.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from pathlib import Path

from conformance.environment import PINNED, put_in_place, run_installer, version_named
from conformance.suite import cache_folder, home
from conformance.transport import TargetError

INSTALL = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


def adapters() -> list[str]:
    """The JavaScript libraries that have an adapter of ours."""
    return [path.stem for path in (home() / "adapters").glob("*.mjs")]


def serve_command(name: str, version: str = PINNED) -> list[str]:
    """The command by which Node.js serves an adapter, with its library installed. Raises TargetError."""
    label = name if version == PINNED else f"{name}@{version}"
    program, folder = _program("node", label), home() / "adapters"
    return [
        program,
        str(folder / "javascript" / "serve.mjs"),
        str(packages(name, version)),
        str(folder / f"{name}.mjs"),
    ]


def library(name: str) -> str:
    """The package that an adapter runs: the one it is named like, unless it names another."""
    text = (home() / "adapters" / f"{name}.mjs").read_text("utf-8")
    found = re.search(r"""^export const library = ["']([^"']+)["']""", text, re.MULTILINE)
    return found[1] if found else name


def packages(name: str, version: str) -> Path:
    """The folder whose node_modules has the library: all of ours as locked, or one at another version. Raises TargetError."""
    label = f"{name}@{version}"
    pinned = home() / "adapters" / "javascript" / "package.json"
    if version == PINNED:
        files = {each.name: each.read_text("utf-8") for each in (pinned, pinned.with_name("package-lock.json"))}
        called, command = "javascript-pinned", "ci"
    else:
        version_named(label, version)
        wanted = {"private": True, "dependencies": {library(name): version}}
        files, called, command = {"package.json": json.dumps(wanted)}, f"{name}-{version}", "install"
    key = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:12]
    folder = cache_folder() / "environments" / f"{called}-{key}"
    if not (folder / "node_modules").exists():
        program = _program("npm", label)
        print(f"conformance: installing JavaScript packages for {called} ...", file=sys.stderr)

        def fill(made: Path) -> None:
            made.mkdir()
            for file, text in files.items():
                (made / file).write_text(text, "utf-8")
            run_installer("npm", [program, command, *INSTALL], label, made)

        put_in_place(folder, folder / "node_modules", label, fill)
    return folder


def _program(name: str, label: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise TargetError(f"{label}: it is a JavaScript library, and there is no {name}: install Node.js 18 or later")
    return found
