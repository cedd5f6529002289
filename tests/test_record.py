"""The record: what its lines hold, that it reads back, and what is said of one that is cut short or no record."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from conformance.model import Outcome, Row, Standing
from conformance.record import Block, Header, Writer, as_document, end_of, read, without_times, write
from conformance.yamlfile import BadFile, schema

HEADER = Header(
    target="mine",
    implementation={"name": "mine", "version": "1.0", "language": "python"},
    suite={"version": "0.1.0", "digest": "abc"},
    platform="Linux",
    seed=0,
    started="2026-01-31T12:00:00+00:00",
    profile={"bleu": {"smoothing": "exp", "weights": [0.5, 0.5]}},
)


def row(check: str = "a/bleu/A", outcome: str = "pass", clause: str | None = "bleu.clipping", **more: Any) -> Row:
    return Row(check, "bleu", clause, more.pop("kind", "value"), Outcome(outcome), **more)


def block(*rows: Row) -> Block:
    return Block(HEADER, rows, end_of(rows, {"zero": 1, "one": 0}, 0, 1.23456))


def written(given: Block) -> str:
    stream = io.StringIO()
    write(given, stream)
    return stream.getvalue()


def lines(given: Block) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written(given).splitlines()]


def back(path: Path, text: str) -> list[Block]:
    path.write_text(text, "utf-8")
    return read(path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.jsonl"


def test_a_header_a_line_a_check_and_an_end() -> None:
    found = lines(block(row(), row("a/bleu/B")))
    assert [next(iter(line)) for line in found] == ["record", "check", "check", "end"]
    assert found[0]["record"] == found[-1]["end"] == 1


def test_every_line_is_as_the_schema_has_it() -> None:
    validator = jsonschema.Draft202012Validator(schema("record"))
    given = block(row(observed={"score": 0.5}), row("a/bleu/B", "convention", convention="smoothing = exp"))
    assert [error.message for line in lines(given) for error in validator.iter_errors(line)] == []


def test_what_no_json_number_is_stands_as_a_word() -> None:
    given = row(observed={"score": math.nan, "precisions": [math.inf, -math.inf]}, expected_value={"score": 0.0})
    assert lines(block(given))[1]["observed"] == {"score": "nan", "precisions": ["inf", "-inf"]}


def test_a_record_is_plain_ascii() -> None:
    assert written(block(row(message="\ud800 \u2028 \x1b é"))).isascii()


def test_a_record_reads_back(path: Path) -> None:
    given = block(row(observed={"score": 0.1}, stray="\u2028\x00", profile={"max_order": 4}), row("a/bleu/B", "crash"))
    assert back(path, written(given)) == [given]


def test_several_targets_are_several_blocks(path: Path) -> None:
    other = replace(block(row()), header=replace(HEADER, target="other"))
    assert back(path, written(block(row())) + written(other)) == [block(row()), other]


def test_what_was_found_is_written_at_once() -> None:
    stream = io.StringIO()
    writer = Writer(stream, HEADER)
    writer.row(row())
    assert [next(iter(json.loads(line))) for line in stream.getvalue().splitlines()] == ["record", "check"]


def test_a_record_without_an_end_is_cut_short(path: Path) -> None:
    whole = written(block(row(), row("a/bleu/B")))
    (found,) = back(path, "".join(whole.splitlines(keepends=True)[:-1]))
    assert (len(found.rows), found.end) == (2, None)


def test_half_a_last_line_is_left_out(path: Path) -> None:
    whole = written(block(row(), row("a/bleu/B")))
    (found,) = back(path, whole[: whole.index("a/bleu/B") + 3])
    assert ([each.check for each in found.rows], found.end) == (["a/bleu/A"], None)


def test_a_block_that_another_follows_can_be_cut_short(path: Path) -> None:
    first = written(replace(block(row()), end=None))
    assert [each.end is None for each in back(path, first + written(block(row())))] == [True, False]


def test_an_empty_record_has_no_block(path: Path) -> None:
    assert back(path, "") == []


HEAD, CHECK, END = written(block(row())).splitlines()


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (":1: not strict JSON", f"oops\n{HEAD}\n"),
        (":2: not strict JSON", f"{HEAD}\noops\n{CHECK}\n"),
        (":2: not strict JSON: NaN is no JSON number", f"{HEAD}\n{CHECK.replace('null', 'NaN', 1)}\n"),
        (":1: expected a header first", f"{CHECK}\n"),
        (":4: expected a header first", f"{HEAD}\n{CHECK}\n{END}\n{CHECK}\n"),
        (":2: expected a header, a check or an end", f'{HEAD}\n{{"other": 1}}\n'),
        (":2: expected a header, a check or an end", f"{HEAD}\n[1]\n"),
        (":1: record: 1 was expected", HEAD.replace('"record": 1', '"record": 2') + "\n"),
        (":1: seed: '0' is not of type 'integer'", HEAD.replace('"seed": 0', '"seed": "0"') + "\n"),
        (":2: outcome: 'passed' is not one of", f"{HEAD}\n{CHECK.replace('pass', 'passed', 1)}\n"),
        (":2: check: 'cause' is a required property", f"{HEAD}\n" + CHECK.replace('"cause": null, ', "")),
        (":3: unexpected: -1 is less than the minimum", f"{HEAD}\n{CHECK}\n" + END.replace('ected": 0', 'ected": -1')),
        (": the record cannot be read: No such file", None),
        (": not UTF-8 at byte 0", b"\xff\xfe"),
    ],
)
def test_a_fault_is_one_line_that_names_file_and_line(path: Path, message: str, text: str | bytes | None) -> None:
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadFile) as caught:
        read(path)
    assert f"record.jsonl{message}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_times_two_runs_are_equal() -> None:
    later = replace(HEADER, started="2026-02-01T12:00:00+00:00")
    slower = Block(later, (row(seconds=2.0),), end_of([row()], {"zero": 1, "one": 0}, 0, 9.0))
    assert without_times(slower) == without_times(block(row(seconds=1.0)))


def test_one_document_holds_all_blocks() -> None:
    (found,) = json.loads(as_document([replace(block(row()), end=None)]))
    assert (found["header"]["target"], len(found["checks"]), found["end"]) == ("mine", 1, None)


@pytest.mark.parametrize(
    ("met", "asked", "rows"),
    [
        (1, 1, [row()]),
        (1, 1, [row(), row("b", "convention"), row("c", "unsupported"), row("d", by_profile=True)]),
        (0, 1, [row(by_profile=True)]),
        (1, 1, [row(outcome="convention")]),
        (0, 0, [row(outcome="unsupported"), row("b", clause=None)]),
        (0, 1, [row(), row("b", "fail")]),
        (0, 1, [row(), row("b", "fail", standing=Standing.AS_EXPECTED)]),
        (0, 1, [row(), row("b", "timeout")]),
        (0, 0, [row(kind="claim")]),
        (1, 2, [row(), row("b", "fail", "bleu.brevity-penalty")]),
    ],
)
def test_a_clause_is_met_by_a_literal_pass_or_a_named_convention_and_no_failure(
    met: int, asked: int, rows: list[Row]
) -> None:
    assert end_of(rows, {"zero": 0, "one": 0}, 0, 0.0).clauses == {"met": met, "asked": asked}


def test_the_end_sums_the_rows() -> None:
    rows = [
        row(),
        row("b", by_profile=True),
        row("c", "fail"),
        row("d", "error", standing=Standing.NEW),
        row("e", standing=Standing.FIXED),
        row("f", "convention", convention="smoothing = exp"),
        row("g", "convention", convention="smoothing = exp"),
    ]
    end = end_of(rows, {"zero": 3, "one": 4}, 2, 1.23456)
    assert end.counts == {
        "pass": 3, "fail": 1, "convention": 2, "unsupported": 0, "error": 1, "timeout": 0, "crash": 0, "invalid": 0,
    }  # fmt: skip
    assert end.standings == {"as-expected": 5, "new": 1, "changed": 0, "fixed": 1}
    assert (end.unexpected, end.documented, end.by_profile) == (2 + 2, 1, 1)
    assert (end.conventions, end.baseline, end.seconds) == ({"smoothing = exp": 2}, {"zero": 3, "one": 4}, 1.235)
