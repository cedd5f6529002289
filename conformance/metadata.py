"""What an adapter file says of its environment, in its inline metadata (PEP 723).

    # /// script
    # requires-python = ">=3.11"
    # dependencies = ["some-library==2.0"]
    #
    # [tool.conformance]
    # environment = "torch"
    # installer = "pip"
    # without-dependencies = ["a-large-one==1.0"]
    # ///

It is read by patterns, for Python 3.10 has no reader of TOML.
"""

from __future__ import annotations

import re

_BLOCK = re.compile(r"(?m)^# /// script$\s(?P<content>(^#(| .*)$\s)+)^# ///$")
_TOOL = "[tool.conformance]\n"


def _content(source: str) -> str:
    """The inline metadata of a file; empty where it has none."""
    found = _BLOCK.search(source)
    if found is None:
        return ""
    return "".join(
        line[2:] if line.startswith("# ") else line[1:] for line in found["content"].splitlines(keepends=True)
    )


def _own(source: str) -> str:
    """What stands before the tables of tools."""
    return _content(source).partition("\n[")[0]


def _table(source: str) -> str:
    """The table [tool.conformance]."""
    return _content(source).partition(_TOOL)[2].partition("\n[")[0]


def _strings(text: str, name: str) -> list[str]:
    listed = re.search(rf"^{name}\s*=\s*\[(.*?)\]\s*(?:#.*)?$", text, re.DOTALL | re.MULTILINE)
    quoted = re.findall(r""""([^"]+)"|'([^']+)'""", listed[1]) if listed else []
    return [double or single for double, single in quoted]


def _string(text: str, name: str) -> str | None:
    found = re.search(rf"^{name}\s*=\s*[\"']([^\"']+)[\"']", text, re.MULTILINE)
    return found[1] if found else None


def dependencies(source: str) -> list[str]:
    """The packages that an adapter needs."""
    return _strings(_own(source), "dependencies")


def requires_python(source: str) -> str | None:
    """The Pythons on which they can be had, as the file says it."""
    return _string(_own(source), "requires-python")


def without_dependencies(source: str) -> list[str]:
    """The packages of which only what they carry themselves is needed."""
    return _strings(_table(source), "without-dependencies")


def setting(source: str, name: str) -> str | None:
    """A text of the table [tool.conformance]."""
    return _string(_table(source), name)
