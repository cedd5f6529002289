"""Every target that ships, each by the name by which this machine can best have it: what `conformance run all` runs."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from conformance import javascript
from conformance.console import Usage
from conformance.environment import PINNED
from conformance.metadata import also, dependencies, setting, without_dependencies
from conformance.suite import PACKAGE, home
from conformance.target import RECORDED, shipped_names
from conformance.userfile import variable

ALL = "all"
"""The name that stands for all of them."""
BASELINE = "null"
"""Every report names what a constant answer would pass, so it is no row of its own."""


def everything(metrics: Sequence[str] = ()) -> list[str]:
    """The reference first, then by name; with metrics only those that may have one of them.

    A library runs in process where the pinned release is installed beside the suite, else in an environment of its
    own, and so do the other releases that claims are about; a system that is a file of one's own runs where its
    variable names that file, or a package of Debian has put it in its place, else by its recording. All other
    recordings (older versions, other platforms) follow their system.
    """
    root = home()
    recorded = {path.stem for path in (root / "recordings").glob("*.jsonl")}
    adapters = set(shipped_names()) - {BASELINE}
    if metrics:
        recorded = {name for name in recorded if _mentions(_header(root / "recordings" / f"{name}.jsonl"), metrics)}
        adapters = {name for name in adapters if name == "reference" or _mentions(_with_helpers(root, name), metrics)}
    found = {name: _ways(root, name, name in recorded) for name in adapters}
    found |= {name: [f"{name}@{RECORDED}"] for name in recorded - adapters}
    return [way for name in sorted(found, key=lambda name: (name != "reference", name)) for way in found[name]]


def chosen(targets: Sequence[str], metrics: Sequence[str] = (), *, recordings: bool = True) -> list[str]:
    """The targets that a person names, `all` among them. Raises Usage."""
    if ALL not in targets:
        return list(targets)
    if len(targets) > 1:
        raise Usage(f"{ALL} stands alone: it is every target that this machine can have")
    return everything(metrics) if recordings else callable_here(metrics)


def callable_here(metrics: Sequence[str] = ()) -> list[str]:
    """All but the recordings: those that can be asked anything."""
    return [name for name in everything(metrics) if not name.endswith(f"@{RECORDED}")]


def _source(root: Path, name: str) -> str:
    script = root / "adapters" / f"{name}.py"
    return (script if script.exists() else script.with_suffix(".mjs")).read_text("utf-8")


def _with_helpers(root: Path, name: str) -> str:
    """An adapter's source and that of our modules that it imports, for one of them may plug in metrics."""
    source = _source(root, name)
    helpers = (PACKAGE / f"{each}.py" for each in re.findall(r"^from conformance\.(\w+) import", source, re.MULTILINE))
    return "\n".join([source, *(path.read_text("utf-8") for path in helpers)])


def _header(path: Path) -> str:
    with path.open(encoding="utf-8") as lines:
        return lines.readline()


def _mentions(text: str, metrics: Sequence[str]) -> bool:
    """Whether a text names one of the metrics; an adapter that does not cannot have it, and needs no environment."""
    return any(re.search(rf"(?<![\w-]){re.escape(metric)}(?![\w-])", text) for metric in metrics)


def _ways(root: Path, name: str, recorded: bool) -> list[str]:
    """The names by which an adapter's system is had."""
    if name in javascript.adapters() or os.environ.get(variable(name)):
        return [name]
    source = _source(root, name)
    pins = pinned([*dependencies(source), *without_dependencies(source)])
    if pins:
        beside = all(installed(each) in releases for each, releases in pins.items())
        return [name if beside else f"{name}@{PINNED}", *(f"{name}@{release}" for release in also(source))]
    own = setting(source, "file")
    live = [name] if not recorded or (own and Path(own).exists()) else []
    return [*live, f"{name}@{RECORDED}"] if recorded else live


def pinned(requirements: Sequence[str]) -> dict[str, set[str]]:
    """The releases that requirements name by `==`, by library; for other Pythons it can be another one."""
    found: dict[str, set[str]] = {}
    for each in requirements:
        match = re.match(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^;,\s]+)", each)
        if match:
            found.setdefault(match[1], set()).add(match[2])
    return found


def installed(library: str) -> str | None:
    """The release of a library that is installed beside the suite, if it is."""
    try:
        return version(library)
    except PackageNotFoundError:
        return None
