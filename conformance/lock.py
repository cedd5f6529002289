"""The lock: a check's id never changes its meaning, and a retired id is never used again.

`cases.lock` has one line a check, its digest and its id, in the order of the ids; a retired id stays with
the word `retired`. The digest covers the resolved input, metric, parameters and expectation, not the why.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from conformance.model import Check, Suite
from conformance.yamlfile import BadFile

RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class Difference:
    """What the suite and its lock disagree on: new, changed, missing or reused ids."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    reused: tuple[str, ...] = ()


def meaning(check: Check) -> str:
    """The digest of what a check means."""
    parts = {
        "kind": check.kind,
        "metric": check.metric,
        "terms": {name: asdict(ask) for name, ask in check.terms.items()},
        "expected": asdict(check.expected) if check.expected else None,
        "conventions": {name: asdict(each) for name, each in check.conventions.items()},
        "parameter": check.parameter,
        "relation": check.relation,
        "variables": dict(check.variables),
        "implementation": check.implementation,
        "relative": check.relative,
    }
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def read(path: Path) -> dict[str, str]:
    """Ids and their digests. Raises BadFile."""
    if not path.exists():
        return {}
    entries: dict[str, str] = {}
    for place, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        digest, _, identifier = line.partition(" ")
        if not identifier:
            raise BadFile(f"{path.name}:{place}: expected a digest, a space and a check id")
        entries[identifier] = digest
    return entries


def compare(suite: Suite, locked: Mapping[str, str]) -> Difference:
    """Hold the suite against its lock."""
    now = {check.id: meaning(check) for check in suite.checks}
    return Difference(
        new=tuple(each for each in now if each not in locked),
        changed=tuple(each for each, digest in now.items() if locked.get(each, digest) not in (digest, RETIRED)),
        missing=tuple(each for each, digest in locked.items() if each not in now and digest != RETIRED),
        reused=tuple(each for each in now if locked.get(each) == RETIRED),
    )


def write(path: Path, suite: Suite, locked: Mapping[str, str]) -> None:
    """Add new checks to the lock and mark missing ones as retired; changed meanings are left as they are."""
    entries = {check.id: meaning(check) for check in suite.checks}
    merged = {**entries, **{each: digest for each, digest in locked.items() if each in entries}}
    merged.update({each: RETIRED for each in locked if each not in entries})
    lines = [f"{digest} {identifier}\n" for identifier, digest in sorted(merged.items())]
    path.write_text("".join(lines), "utf-8")
