"""The record of a run: JSON Lines, a header, a line a check, an end. Everything that shows results is made from it."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from conformance.model import GOOD, Outcome, Row, Standing
from conformance.yamlfile import BadFile

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Header:
    """What was run: target, implementation, suite, platform, seed, time, and the declared profile of each metric."""

    target: str
    implementation: Mapping[str, str]
    suite: Mapping[str, str]
    platform: str
    seed: int
    started: str
    profile: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class End:
    """The sums of a run; without it a record was cut short."""

    counts: Mapping[str, int]
    standings: Mapping[str, int]
    unexpected: int
    clauses: Mapping[str, int]
    baseline: Mapping[str, int]
    documented: int
    by_profile: int
    conventions: Mapping[str, int]
    seconds: float


@dataclass(frozen=True, slots=True)
class Block:
    """One target's part of a record."""

    header: Header
    rows: tuple[Row, ...]
    end: End | None


def end_of(rows: Sequence[Row], baseline: Mapping[str, int], problems: int, seconds: float) -> End:
    """The sums of some rows. A clause is met when one of its checks passed as the document has it and none failed."""
    asked: dict[str, list[Row]] = {}
    for row in rows:
        if row.clause and row.outcome is not Outcome.UNSUPPORTED:
            asked.setdefault(row.clause, []).append(row)
    met = sum(
        any(row.outcome is Outcome.PASS and not row.by_profile for row in group) and all(row.outcome in GOOD for row in group)
        for group in asked.values()
    )
    return End(
        counts={outcome.value: sum(row.outcome is outcome for row in rows) for outcome in Outcome},
        standings={standing.value: sum(row.standing is standing for row in rows) for standing in Standing},
        unexpected=sum(row.standing is not Standing.AS_EXPECTED for row in rows) + problems,
        clauses={"met": met, "asked": len(asked)},
        baseline=dict(baseline),
        documented=sum(row.outcome not in GOOD and row.standing is Standing.AS_EXPECTED for row in rows),
        by_profile=sum(row.by_profile and row.outcome is Outcome.PASS for row in rows),
        conventions=dict(Counter(row.convention for row in rows if row.convention)),
        seconds=round(seconds, 3),
    )


def strict(value: Any) -> Any:
    """A value as strict JSON: NaN and infinities as words."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    if isinstance(value, Mapping):
        return {str(key): strict(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [strict(each) for each in value]
    return value


ROW_FIELDS = tuple(Row.__dataclass_fields__)
HEADER_FIELDS = ("target", "implementation", "suite", "platform", "seed", "started", "profile")
END_FIELDS = tuple(End.__dataclass_fields__)


def row_json(row: Row) -> dict[str, Any]:
    """One check's line."""
    data = {name: getattr(row, name) for name in ROW_FIELDS}
    data["outcome"], data["standing"] = row.outcome.value, row.standing.value
    data["seconds"] = round(row.seconds, 6)
    return {name: strict(value) for name, value in data.items()}


def lines(block: Block) -> Iterable[dict[str, Any]]:
    """The lines of a block, as objects."""
    header = {name: getattr(block.header, name) for name in HEADER_FIELDS}
    yield {"record": FORMAT, **{name: strict(value) for name, value in header.items()}}
    for row in block.rows:
        yield row_json(row)
    if block.end is not None:
        yield {"end": FORMAT, **{name: strict(getattr(block.end, name)) for name in END_FIELDS}}


def write(block: Block, stream: TextIO) -> None:
    """Write a block as JSON Lines."""
    for line in lines(block):
        stream.write(json.dumps(line, ensure_ascii=True, allow_nan=False) + "\n")
    stream.flush()


def as_document(blocks: Sequence[Block]) -> str:
    """All blocks as one JSON document: a list of header, checks and end."""
    found = []
    for block in blocks:
        header, *rows = lines(block)
        end = rows.pop() if block.end is not None else None
        found.append({"header": header, "checks": rows, "end": end})
    return json.dumps(found, ensure_ascii=True, allow_nan=False, indent=1)


def read(path: Path) -> list[Block]:
    """The blocks of a record. One that was cut short has no end. Raises BadFile."""
    blocks: list[Block] = []
    header: Header | None = None
    rows: list[Row] = []
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path}: the record cannot be read: {error}") from error
    written = text.splitlines()
    for place, line in enumerate(written, start=1):
        try:
            data = json.loads(line)
        except ValueError as error:
            if place == len(written) and not text.endswith("\n"):
                break  # half a last line: the run was cut short
            raise BadFile(f"{path}:{place}: not JSON: {error}") from error
        try:
            if "record" in data:
                if header is not None:
                    blocks.append(Block(header, tuple(rows), None))
                header, rows = Header(**{name: data[name] for name in HEADER_FIELDS}), []
            elif "end" in data and header is not None:
                blocks.append(Block(header, tuple(rows), End(**{name: data[name] for name in END_FIELDS})))
                header, rows = None, []
            elif "check" in data and header is not None:
                rows.append(_row(data))
            else:
                raise BadFile(f"{path}:{place}: expected a header, a check or an end")
        except (KeyError, TypeError, ValueError) as error:
            raise BadFile(f"{path}:{place}: a line that is no part of a record: {error}") from error
    if header is not None:
        blocks.append(Block(header, tuple(rows), None))
    return blocks


def _row(data: Mapping[str, Any]) -> Row:
    fields = {name: data[name] for name in ROW_FIELDS if name in data}
    fields["outcome"], fields["standing"] = Outcome(data["outcome"]), Standing(data["standing"])
    return Row(**fields)
