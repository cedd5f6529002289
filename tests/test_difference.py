"""`conformance diff`: what changed between two records."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from conformance.cli import main
from conformance.difference import Kind, alike, difference
from conformance.model import Outcome, Row
from conformance.record import Block, Header, end_of, write
from conformance.yamlfile import schema

HEADER = Header(
    "mine", {"name": "mine", "version": "1", "language": "python"}, {"version": "1", "digest": "d" * 16}, "", 0, ""
)


def row(check: str, outcome: str = "pass", **fields: Any) -> Row:
    return Row(check, "wer", "wer.pooling", "value", Outcome(outcome), **fields)


def block(*rows: Row, version: str = "1") -> Block:
    header = replace(HEADER, implementation={**HEADER.implementation, "version": version})
    return Block(header, rows, end_of(rows, {"zero": 0, "one": 0}, 0, 1.0))


OLD = block(
    row("a/same", observed={"rate": 0.1}),
    row("a/worse", observed={"rate": 0.5}),
    row("a/better", "fail", observed={"rate": 1}),
    row("a/still-wrong", "fail", observed={"rate": 1.0}),
    row("a/taken-out"),
    row("a/not-asked-now"),
    row("a/not-asked-then", "unsupported"),
    row("a/other-name", "convention", convention="empty = zero"),
)
NEW = block(
    row("a/same", observed={"rate": 0.1 + 1e-12}),
    row("a/worse", "fail", observed={"rate": 0.25}),
    row("a/better", observed={"rate": 0.5}),
    row("a/still-wrong", "fail", observed={"rate": 2.0}),
    row("a/not-asked-now", "unsupported"),
    row("a/not-asked-then"),
    row("a/other-name", "convention", convention="empty = one"),
    row("a/unheard-of"),
    version="2",
)


def test_each_change_has_its_kind() -> None:
    found = {change.row.check: change.kind for change in difference(OLD, NEW).changes}
    assert found == {
        "a/worse": Kind.BROKEN,
        "a/better": Kind.FIXED,
        "a/still-wrong": Kind.CHANGED,
        "a/other-name": Kind.CHANGED,
        "a/not-asked-then": Kind.ADDED,
        "a/unheard-of": Kind.ADDED,
        "a/taken-out": Kind.RETIRED,
        "a/not-asked-now": Kind.RETIRED,
    }


def test_nothing_changes_between_a_record_and_itself() -> None:
    assert difference(OLD, OLD).changes == ()


@pytest.mark.parametrize(
    ("left", "right", "agree"),
    [
        (0.1, 0.1 + 1e-12, True),
        (0.0, 1e-300, False),
        (1, 1.0, True),
        (True, 1, False),
        ("nan", "nan", True),
        ([1.0, 2.0], [1.0], False),
        ({"rate": 1}, {"rate": 1, "errors": 1}, False),
        (None, None, True),
    ],
)
def test_values_agree_within_rounding_only(left: Any, right: Any, agree: bool) -> None:
    assert alike(left, right) is agree


def saved(folder: Path, name: str, *blocks: Block) -> str:
    path = folder / name
    with path.open("w", encoding="utf-8") as stream:
        for each in blocks:
            write(each, stream)
    return str(path)


def test_the_report_names_clauses_and_both_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", saved(tmp_path, "old", OLD), saved(tmp_path, "new", NEW)]) == 1
    text = capsys.readouterr().out
    assert text.startswith("mine 1 -> mine 2\n")
    assert "broken     1: wer.pooling (1)" in text
    assert "  broken  a/worse  [wer.pooling]\n    old      pass: rate = 0.5\n    new      fail: rate = 0.25" in text
    assert "convention (empty = one)" in text


def test_json_is_what_its_schema_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", saved(tmp_path, "old", OLD), saved(tmp_path, "new", NEW), "--format", "json"]) == 1
    (found,) = data = json.loads(capsys.readouterr().out)
    jsonschema.validate(data, schema("diff"))
    assert found["counts"] == {"broken": 1, "fixed": 1, "changed": 2, "added": 2, "retired": 2}


def test_two_releases_in_one_record_are_told_apart_by_their_targets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    older = replace(OLD, header=replace(HEADER, target="mine@0"))
    both = saved(tmp_path, "both", OLD, older)
    assert main(["diff", both, both]) == 0
    assert capsys.readouterr().out.count("broken     0") == 2


def test_faults_of_the_records_are_one_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    implementation = {**HEADER.implementation, "name": "other"}
    other = replace(OLD, header=replace(HEADER, target="other", implementation=implementation))
    one, two, both = (
        saved(tmp_path, name, *each) for name, each in (("1", [OLD]), ("2", [OLD, OLD]), ("3", [OLD, other]))
    )
    short = saved(tmp_path, "short", replace(OLD, end=None))
    for arguments, message in (
        ((one, two), "found more of mine"),
        ((one, both), f"other is in {both} alone"),
        ((one, short), "was cut short; run it again"),
        ((one, str(tmp_path / "none")), "the record cannot be read"),
    ):
        assert main(["diff", *arguments]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1
