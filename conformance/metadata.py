"""What an adapter file says of its environment, in its inline metadata (PEP 723).

    # /// script
    # requires-python = ">=3.11"
    # dependencies = ["some-library==2.0"]
    #
    # [tool.conformance]
    # environment = "torch"
    # installer = "pip"
    # without-dependencies = ["a-large-one==1.0"]
    # also = ["1.9"]
    # debian = ["a-program"]
    # file = "/usr/lib/a-program/bin/a-program"
    # ///

`debian` names the packages of Debian that bring what it needs, for whoever sets up a machine; `file` is where one of them
puts a program that is otherwise a file of one's own.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from conformance.transport import TargetError

_BLOCK = re.compile(r"(?m)^# /// script$\s(?P<content>(^#(| .*)$\s)+)^# ///$")


def _content(source: str) -> dict[str, Any]:
    """The inline metadata of a file; empty where it has none. Raises TargetError.

    The reader of TOML is imported here, for an environment of its own in which an adapter is served lacks tomli.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    found = _BLOCK.search(source)
    if found is None:
        return {}
    lines = found["content"].splitlines(keepends=True)
    try:
        return tomllib.loads("".join(line[2:] if line.startswith("# ") else line[1:] for line in lines))
    except tomllib.TOMLDecodeError as error:
        raise TargetError(f"the adapter's inline metadata (between # /// lines) is no TOML: {error}") from error


def _strings(table: Any, name: str) -> list[str]:
    several = table.get(name, []) if isinstance(table, dict) else []
    return [str(each) for each in several] if isinstance(several, list) else []


def _own_table(source: str) -> dict[str, Any]:
    """The table [tool.conformance]."""
    table = _content(source).get("tool", {})
    own = table.get("conformance", {}) if isinstance(table, dict) else {}
    return own if isinstance(own, dict) else {}


def dependencies(source: str) -> list[str]:
    """The packages that an adapter needs."""
    return _strings(_content(source), "dependencies")


def requires_python(source: str) -> str | None:
    """The Pythons on which they can be had, as the file says it."""
    found = _content(source).get("requires-python")
    return str(found) if found is not None else None


def without_dependencies(source: str) -> list[str]:
    """The packages of which only what they carry themselves is needed."""
    return _strings(_own_table(source), "without-dependencies")


def also(source: str) -> list[str]:
    """Other releases of the library that claims are about, or that a ledger knows."""
    return _strings(_own_table(source), "also")


def setting(source: str, name: str) -> str | None:
    """A text of the table [tool.conformance]."""
    found = _own_table(source).get(name)
    return str(found) if found is not None else None
