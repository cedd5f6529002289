"""What changed between two records: checks added, retired, fixed, broken, and values that are others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from conformance.console import EXIT_OK, EXIT_UNEXPECTED, Usage
from conformance.explore import number, visible
from conformance.expressions import close
from conformance.model import GOOD, Outcome, Row
from conformance.record import Block, read, strict

FORMAT = 1
SHOWN = 20
"""How many checks of a kind the terminal shows in full."""


class Kind(Enum):
    """What happened to a check, worst first."""

    BROKEN = "broken"
    FIXED = "fixed"
    CHANGED = "changed"
    ADDED = "added"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class Change:
    """One check that is not as it was; what was not asked has no row."""

    kind: Kind
    old: Row | None
    new: Row | None

    @property
    def row(self) -> Row:
        """The later of its rows."""
        found = self.new or self.old
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class Difference:
    """Two runs of a target, and what changed between them."""

    old: Block
    new: Block
    changes: tuple[Change, ...]


def difference(old: Block, new: Block) -> Difference:
    """The changes between two blocks, by kind and then in the order of the later record.

    An unsupported check was not asked: it is added when it is asked at last, and retired when it is no longer.
    """
    before, after = _asked(old), _asked(new)
    names = [*after, *(name for name in before if name not in after)]
    found = [change for name in names if (change := _change(before.get(name), after.get(name))) is not None]
    order = list(Kind)
    return Difference(old, new, tuple(sorted(found, key=lambda change: order.index(change.kind))))


def _asked(block: Block) -> dict[str, Row]:
    return {row.check: row for row in block.rows if row.outcome is not Outcome.UNSUPPORTED}


def _change(old: Row | None, new: Row | None) -> Change | None:
    if old is None or new is None:
        return Change(Kind.ADDED if old is None else Kind.RETIRED, old, new)
    was, is_now = old.outcome in GOOD, new.outcome in GOOD
    if was != is_now:
        return Change(Kind.FIXED if is_now else Kind.BROKEN, old, new)
    same = old.outcome is new.outcome and old.convention == new.convention and alike(old.observed, new.observed)
    return None if same else Change(Kind.CHANGED, old, new)


def alike(left: Any, right: Any) -> bool:
    """Whether two observed values agree; numbers do within rounding, zero is exact."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(alike(left[name], right[name]) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(alike, left, right))
    if _is_number(left) and _is_number(right):
        return close(left, right)
    return type(left) is type(right) and bool(left == right)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def pairs(old: Path, new: Path) -> list[tuple[Block, Block]]:
    """The blocks of two records that belong together: those of one target, or the only ones. Raises Usage and BadFile."""
    before, after = read(old), read(new)
    for path, blocks in ((old, before), (new, after)):
        if not blocks:
            raise Usage(f"{path}: the record is empty")
        for block in blocks:
            if block.end is None:
                raise Usage(f"{path}: the run of {visible(block.header.target)} was cut short; run it again")
    if len(before) == len(after) == 1:
        return [(before[0], after[0])]
    same_targets = {each.header.target for each in before} == {each.header.target for each in after}
    left, right = (_by_name(path, blocks, same_targets) for path, blocks in ((old, before), (new, after)))
    lonely = [*(f"{name} is in {old} alone" for name in left if name not in right)]
    lonely += [f"{name} is in {new} alone" for name in right if name not in left]
    if lonely:
        raise Usage(f"expected runs of the same targets in both records; {'; '.join(lonely)}")
    return [(left[name], right[name]) for name in right]


def _by_name(path: Path, blocks: Sequence[Block], as_called: bool) -> dict[str, Block]:
    """By the names of the targets where both records have the same, else by the implementations'."""
    names = [visible(each.header.target if as_called else each.header.implementation["name"]) for each in blocks]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise Usage(f"{path}: expected one run of each target, found more of {', '.join(twice)}")
    return dict(zip(names, blocks, strict=True))


def lines_of(found: Difference) -> Iterator[str]:
    """The report: the two runs, how many checks of each kind, then by kind and clause each check."""
    yield f"{_run(found.old)} -> {_run(found.new)}"
    suites = [block.header.suite for block in (found.old, found.new)]
    if suites[0] != suites[1]:
        versions = " and ".join(f"{visible(each['version'])} ({visible(each['digest'][:8])})" for each in suites)
        yield f"  suites     not the same: {versions}; some changes can be the suite's"
    counts = Counter(change.kind for change in found.changes)
    for kind in Kind:
        yield f"  {kind.value:10} {counts[kind]}{_clauses(found.changes, kind)}"
    for kind in Kind:
        chosen = [change for change in found.changes if change.kind is kind]
        if chosen and kind not in (Kind.ADDED, Kind.RETIRED):
            yield ""
            for change in chosen[:SHOWN]:
                yield from _lines(change)
            if len(chosen) > SHOWN:
                yield f"  and {len(chosen) - SHOWN} more {kind.value}: --format json shows all"


def _run(block: Block) -> str:
    identity = block.header.implementation
    return f"{visible(identity['name'])} {visible(identity['version'])}".strip()


def _clauses(changes: Sequence[Change], kind: Kind) -> str:
    counts = Counter(change.row.clause or change.row.metric for change in changes if change.kind is kind)
    named = ", ".join(f"{visible(name)} ({count})" for name, count in counts.most_common())
    return f": {named}" if named else ""


def _lines(change: Change) -> Iterator[str]:
    row = change.row
    yield f"  {change.kind.value}  {visible(row.check)}" + (f"  [{visible(row.clause)}]" if row.clause else "")
    for name, each in (("old", change.old), ("new", change.new)):
        if each is not None:
            yield f"    {name:8} {visible(_result(each))}"
    if change.old is not None and change.old.expected_value != row.expected_value:
        yield f"    expected  was {visible(_value(change.old.expected_value))}, is {visible(_value(row.expected_value))}"


def _result(row: Row) -> str:
    word = f"{row.outcome.value} ({row.convention})" if row.convention else row.outcome.value
    got = "" if row.observed is None else _value(row.observed)
    told = row.message or "" if row.outcome not in GOOD and not got else ""
    return ": ".join(part for part in (word, got or told) if part)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {_value(each)}" for name, each in value.items())
    return number(value) if isinstance(value, (float, list)) else str(value)


def document(found: Sequence[Difference]) -> list[dict[str, Any]]:
    """All differences as JSON; `conformance schema diff` has the schema."""
    return [
        {
            "diff": FORMAT,
            "old": _side(each.old),
            "new": _side(each.new),
            "counts": {kind.value: sum(change.kind is kind for change in each.changes) for kind in Kind},
            "changes": [
                {
                    "kind": change.kind.value,
                    "check": change.row.check,
                    "metric": change.row.metric,
                    "clause": change.row.clause,
                    "old": _row(change.old),
                    "new": _row(change.new),
                }
                for change in each.changes
            ],
        }
        for each in found
    ]


def _side(block: Block) -> dict[str, Any]:
    return {"implementation": strict(block.header.implementation), "suite": strict(block.header.suite)}


def _row(row: Row | None) -> dict[str, Any] | None:
    if row is None:
        return None
    names = ("observed", "expected_value", "convention", "message")
    return {"outcome": row.outcome.value, **{name: strict(getattr(row, name)) for name in names}}


def diff(old: str, new: str, form: str) -> tuple[str, int]:
    """The work of `conformance diff`: what to print, and the exit status: 1 where a check broke or a value changed."""
    found = [difference(*pair) for pair in pairs(Path(old), Path(new))]
    other = any(change.kind in (Kind.BROKEN, Kind.CHANGED) for each in found for change in each.changes)
    if form == "json":
        text = json.dumps(document(found), ensure_ascii=True, allow_nan=False, indent=1)
    else:
        text = "\n\n".join("\n".join(lines_of(each)) for each in found)
    return text, EXIT_UNEXPECTED if other else EXIT_OK
