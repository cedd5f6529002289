"""The record of a run: JSON Lines, a header, a line a check, an end. Everything that shows results is made from it."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from conformance.model import GOOD, Outcome, Row, Standing
from conformance.yamlfile import BadFile, schema

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Header:
    """What was run: target, implementation, suite, platform, seed, time, and of each metric its declared profile and more.

    `capabilities` says what the target could be asked; its scales are taken out, as they are of what was observed.
    """

    target: str
    implementation: Mapping[str, Any]
    suite: Mapping[str, str]
    platform: str
    seed: int
    started: str
    profile: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    capabilities: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


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
    """The sums of some rows.

    A clause is met when one of its checks passed as the document has it, or named a convention, and none failed. Claims are left out
    there: they say what an implementation does, not what the definition asks.
    """
    asked: dict[str, list[Row]] = {}
    for row in rows:
        if row.clause and row.kind != "claim" and row.outcome is not Outcome.UNSUPPORTED:
            asked.setdefault(row.clause, []).append(row)
    return End(
        counts={outcome.value: sum(row.outcome is outcome for row in rows) for outcome in Outcome},
        standings={standing.value: sum(row.standing is standing for row in rows) for standing in Standing},
        unexpected=sum(row.standing is not Standing.AS_EXPECTED for row in rows) + problems,
        clauses={"met": sum(map(_met, asked.values())), "asked": len(asked)},
        baseline=dict(baseline),
        documented=sum(row.outcome not in GOOD and row.standing is Standing.AS_EXPECTED for row in rows),
        by_profile=sum(row.by_profile and row.outcome is Outcome.PASS for row in rows),
        conventions=dict(Counter(row.convention for row in rows if row.convention)),
        seconds=round(seconds, 3),
    )


def _met(rows: Sequence[Row]) -> bool:
    judged = any(row.outcome in (Outcome.PASS, Outcome.CONVENTION) and not row.by_profile for row in rows)
    return judged and all(row.outcome in GOOD for row in rows)


def without_times(block: Block) -> Block:
    """A block without what differs from run to run: when it started and how long it took."""
    return Block(
        replace(block.header, started=""),
        tuple(replace(row, seconds=0.0) for row in block.rows),
        None if block.end is None else replace(block.end, seconds=0.0),
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
HEADER_FIELDS = ("target", "implementation", "suite", "platform", "seed", "started", "profile", "capabilities")
END_FIELDS = tuple(End.__dataclass_fields__)


def row_json(row: Row) -> dict[str, Any]:
    """One check's line."""
    data = {name: getattr(row, name) for name in ROW_FIELDS}
    data["outcome"], data["standing"] = row.outcome.value, row.standing.value
    data["seconds"] = round(row.seconds, 6)
    return {name: strict(value) for name, value in data.items()}


def header_json(header: Header) -> dict[str, Any]:
    """A block's first line."""
    fields = {name: strict(getattr(header, name)) for name in HEADER_FIELDS}
    return {"record": FORMAT, **fields, "target": portable(header.target)}


def portable(target: str) -> str:
    """A target's name without the folders of this machine: `ntt-ribes@/home/me/RIBES.py` is `ntt-ribes@RIBES.py`."""
    base, at, path = target.partition("@")
    return f"{base}@{Path(path).name}" if at and "/" in path and ":" not in base else target


def end_json(end: End) -> dict[str, Any]:
    """A block's last line."""
    return {"end": FORMAT, **{name: strict(getattr(end, name)) for name in END_FIELDS}}


class Writer:
    """Writes a block line by line, each flushed, so that what a run has found outlives it."""

    def __init__(self, stream: TextIO, header: Header) -> None:
        self._stream = stream
        self._line(header_json(header))

    def row(self, row: Row) -> None:
        """Write one check."""
        self._line(row_json(row))

    def end(self, end: End) -> None:
        """Write the sums; nothing follows them."""
        self._line(end_json(end))

    def _line(self, data: Mapping[str, Any]) -> None:
        self._stream.write(json.dumps(data, ensure_ascii=True, allow_nan=False) + "\n")
        self._stream.flush()


def write(block: Block, stream: TextIO) -> None:
    """Write a block as JSON Lines."""
    writer = Writer(stream, block.header)
    for row in block.rows:
        writer.row(row)
    if block.end is not None:
        writer.end(block.end)


def as_document(blocks: Sequence[Block]) -> str:
    """All blocks as one JSON document: a list of header, checks and end."""
    found = [
        {
            "header": header_json(block.header),
            "checks": [row_json(row) for row in block.rows],
            "end": None if block.end is None else end_json(block.end),
        }
        for block in blocks
    ]
    return json.dumps(found, ensure_ascii=True, allow_nan=False, indent=1)


MOST_BYTES = 512 << 20


def read(path: Path) -> list[Block]:
    """The blocks of a record. One that was cut short has no end. Raises BadFile."""
    try:
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise BadFile(f"{path}: more than {MOST_BYTES >> 20} MiB are no record")
        text = raw.decode("utf-8")
    except OSError as error:
        raise BadFile(f"{path}: the record cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path}: not UTF-8 at byte {error.start}") from error
    blocks: list[Block] = []
    header: Header | None = None
    rows: list[Row] = []
    for place, data in _parts(text, path):
        if "record" in data:
            if header is not None:
                blocks.append(Block(header, tuple(rows), None))
            header, rows = Header(**{name: data[name] for name in HEADER_FIELDS}), []
        elif header is None:
            raise BadFile(f"{path}:{place}: expected a header first")
        elif "end" in data:
            blocks.append(Block(header, tuple(rows), End(**{name: data[name] for name in END_FIELDS})))
            header = None
        else:
            rows.append(_row(data))
    if header is not None:
        blocks.append(Block(header, tuple(rows), None))
    return blocks


def _parts(text: str, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines that are headers, checks and ends, with their numbers. Half a last line is left out."""
    validators = {name: _validator(definition) for name, definition in KINDS.items()}
    *whole, last = text.split("\n")
    for place, line in enumerate([*whole, last] if last else whole, start=1):
        try:
            data = json.loads(line, parse_constant=_refused)
        except (ValueError, RecursionError) as error:
            if place > len(whole):
                return  # the run was cut short while it wrote
            raise BadFile(f"{path}:{place}: not strict JSON: {error}") from error
        kind = next((name for name in KINDS if isinstance(data, dict) and name in data), None)
        if kind is None:
            raise BadFile(f"{path}:{place}: expected a header, a check or an end")
        fault = next(validators[kind].iter_errors(data), None)
        if fault is not None:
            field = ".".join(map(str, fault.absolute_path)) or kind
            raise BadFile(f"{path}:{place}: {field}: {str(fault.message)[:200]}")
        yield place, data


KINDS = {"record": "header", "check": "check", "end": "end"}
"""The field that tells a kind of line, and the schema's definition of that kind."""


def _validator(definition: str) -> Any:
    import jsonschema

    definitions = schema("record")["$defs"]
    return jsonschema.Draft202012Validator({**definitions[definition], "$defs": definitions})


def _refused(word: str) -> Any:
    raise ValueError(f"{word} is no JSON number")


def _row(data: Mapping[str, Any]) -> Row:
    fields = {name: data[name] for name in ROW_FIELDS}
    return Row(**{**fields, "outcome": Outcome(data["outcome"]), "standing": Standing(data["standing"])})
