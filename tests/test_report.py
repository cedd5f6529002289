"""Reports from hand-made blocks: what the terminal shows, the JUnit document, and the exit status."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from conformance.ledger import Problem
from conformance.model import Outcome, Row, Standing, Suite
from conformance.record import Block, Header, end_of
from conformance.report import exit_code, junit, terminal
from conformance.report.details import Explainer
from conformance.report.terminal import Details

HEADER = Header(
    target="mine",
    implementation={"name": "mine", "version": "1.0", "language": "python"},
    suite={"version": "0.1.0", "digest": "abc"},
    platform="Linux",
    seed=0,
    started="2026-01-31T12:00:00+00:00",
)


def row(check: str = "apart/bleu/A", outcome: str = "pass", standing: str = "as-expected", **more: Any) -> Row:
    metric, clause, kind = more.pop("metric", "bleu"), more.pop("clause", None), more.pop("kind", "value")
    return Row(check, metric, clause, kind, Outcome(outcome), Standing(standing), **more)


def block(*rows: Row, problems: int = 0, **header: Any) -> Block:
    return Block(replace(HEADER, **header), rows, end_of(rows, {"zero": 1, "one": 2}, problems, 0.94))


def details(row: Row, target: str) -> Details:
    return Details(
        input="hypothesis: a; reference: a b",
        settings="order = 1",
        why="A dropped word.",
        source="some-document, 8.1",
        clause_text="An n-gram counts once.",
        level={"bleu.errors": "should"}.get(row.clause or "", "must"),
        command=f"conformance run {target} --select {row.check}",
    )


def shown(*blocks: Block, **more: Any) -> list[str]:
    return terminal.render(blocks, details, **more).splitlines()


def line(lines: list[str], word: str) -> str:
    """The rest of the one line that begins with a word."""
    (found,) = [each.strip().removeprefix(word).strip() for each in lines if each.strip().startswith(word + " ")]
    return found


def test_the_headline_says_what_was_run_and_how_it_stands() -> None:
    rows = [
        row(clause="bleu.clipping"),
        row("b", by_profile=True),
        row("c", "convention", convention="empty_reference = zero"),
        row("d", "fail"),
        row("e", "unsupported"),
    ]
    assert shown(block(*rows), ledgers={"mine": "/home/x/adapters/mine.deviations.yaml"}) == [
        "mine 1.0 (python)  (suite 0.1.0, 5 checks, 0.9 s)",
        "  clauses      1 of 1 met",
        "  passes       1 (1 more by its own profile)",
        "  conventions  empty_reference = zero (1)",
        "  documented   1 known deviation (adapters/mine.deviations.yaml)",
        "  NEW          0",
        "  unsupported  1",
        "  null         always 0 would pass 1, always 1 would pass 2",
    ]


def test_a_target_reached_in_another_way_is_named_too() -> None:
    assert shown(block(row(), target="cmd:./mine"))[0].startswith("mine 1.0 (python) as cmd:./mine  (")


def test_changed_and_fixed_stand_beside_new() -> None:
    rows = [row("a", "fail", "new"), row("b", "fail", "changed"), row("c", "pass", "fixed")]
    assert line(shown(block(*rows)), "NEW") == "1, 1 changed, 1 fixed"


def test_no_percentage_stands_anywhere() -> None:
    assert "%" not in terminal.render([block(row(), row("b", "fail", "new")), block(row())], details)


def test_stray_output_is_counted() -> None:
    assert line(shown(block(row(stray="x"), row("b"))), "printed") == "stray output came with 1 answer"


def test_the_conventions_named_first_are_the_most_frequent() -> None:
    rows = [
        row(f"{number}/{again}", "convention", convention=f"p = {number}")
        for number in range(14)
        for again in range(number + 1)
    ]
    found = line(shown(block(*rows)), "conventions")
    assert found.startswith("p = 13 (14), p = 12 (13), ")
    assert found.endswith("p = 2 (3) and 2 more")


def test_a_record_that_is_cut_short_is_called_so() -> None:
    assert shown(replace(block(row()), end=None)) == [
        "mine 1.0 (python)  (suite 0.1.0, 1 check)",
        "  the record is cut short: the run did not come to its end",
    ]


FAILED = row(
    outcome="fail",
    standing="new",
    clause="bleu.clipping",
    expected={"score": "exp(1 - 4/3)"},
    expected_value={"score": 0.7165313105737893},
    observed={"score": 0.75},
    message="too high",
    cause="smoothing = exp",
    stray="warning",
)


def test_a_failure_shows_all_that_a_person_needs() -> None:
    assert terminal.failure(FAILED, details(FAILED, "mine"), False, "mine.yaml:3: write it") == [
        "  fail  apart/bleu/A",
        "    clause    bleu.clipping: An n-gram counts once.",
        "    input     hypothesis: a; reference: a b",
        "    with      order = 1",
        "    expected  score = exp(1 - 4/3) = 0.7165313106",
        "    got       score = 0.75",
        "    message   too high",
        "    cause     smoothing = exp",
        "    printed   warning",
        "    why       A dropped word.",
        "    source    some-document, 8.1",
        "    ledger    mine.yaml:3: write it",
        "    repeat    conformance run mine --select apart/bleu/A",
    ]


@pytest.mark.parametrize(
    ("wanted", "fields"),
    [
        ("score = 3/4 = 0.75", {"expected": {"score": "3/4"}, "expected_value": {"score": 0.75}}),
        ("score = 1", {"expected": {"score": "1"}, "expected_value": {"score": 1}}),
        ("A < B", {"expected": "A < B", "kind": "relation"}),
        ("raises = input", {"expected": {"raises": "input"}}),
        ("nan", {"expected": "nan"}),
        (
            "score = 3/4 = 0.75 (by its own profile: smoothing = exp, lowercase = true)",
            {
                "expected": {"score": "3/4"},
                "expected_value": {"score": 0.75},
                "by_profile": True,
                "profile": {"smoothing": "exp", "lowercase": True},
            },
        ),
    ],
)
def test_an_expectation_is_an_expression_and_its_value(wanted: str, fields: dict[str, Any]) -> None:
    assert line(shown(block(row(outcome="fail", standing="new", **fields))), "expected") == wanted


@pytest.mark.parametrize(("wanted", "observed"), [("nothing", {}), ("null", None), ("score = nan", {"score": "nan"})])
def test_what_was_got_is_always_said(wanted: str, observed: Any) -> None:
    assert line(shown(block(row(outcome="fail", standing="new", observed=observed))), "got") == wanted


def test_the_worst_comes_first() -> None:
    outcomes = ["fail", "invalid", "error", "timeout", "crash"]
    rows = [row("fixed", "pass", "fixed"), *(row(outcome, outcome, "new") for outcome in outcomes)]
    found = [
        each.split()[-1]
        for each in shown(block(*rows))
        if each.startswith("  ") and each[2:].split("  ")[0] in {*outcomes, "fixed (pass)"}
    ]
    assert found == ["crash", "timeout", "error", "invalid", "fail", "fixed"]


def test_what_must_be_comes_before_what_should_and_each_clause_before_more_of_one() -> None:
    rows = [
        row("a", "error", "new", clause="bleu.errors"),
        row("b", "fail", "new", clause="bleu.clipping"),
        row("c", "fail", "new", clause="bleu.clipping"),
        row("d", "fail", "new", clause="bleu.brevity-penalty"),
    ]
    lines = shown(block(*rows))
    assert [each.split()[-1] for each in lines if each.startswith(("  fail  ", "  error  "))] == ["b", "d", "c", "a"]
    assert "  by clause: bleu.clipping (2), bleu.brevity-penalty (1), bleu.errors (1)" in lines


def test_of_two_that_disagree_the_choices_that_do_it_are_counted() -> None:
    against = {"outcome": "fail", "standing": "new", "kind": "against", "expected": "as other"}
    rows = [
        row("a", cause="x = 1 in other, 2 here", expected_value={"score": 0.5}, observed={"score": 1}, **against),
        row("b", cause="x = 1 in other, 2 here", **against),
        row("c", **against),
    ]
    lines = shown(block(*rows))
    assert "  they differ by: x = 1 in other, 2 here (2); 1 by none of their known choices" in lines
    assert "    expected  as other: score = 0.5" in lines
    assert not any("conformance accept" in each for each in lines)


def test_twenty_are_shown_and_the_rest_is_counted() -> None:
    rows = [row(f"c{number}", "fail", "new") for number in range(23)]
    lines = shown(block(*rows))
    assert sum(each.startswith("  fail  c") for each in lines) == 20
    assert "  and 3 more (3 fail): --format json shows all" in lines


def test_a_known_deviation_is_not_shown_again() -> None:
    assert not any("apart/bleu/A" in each for each in shown(block(row(outcome="fail"))))


@pytest.mark.parametrize(
    ("wanted", "causes"),
    [
        ("the failure is what x = 1 gives", ["x = 1"]),
        ("all 2 failures are what x = 1 gives", ["x = 1", "x = 1"]),
        ("partly: 2 of 3 failures are what x = 1 gives", ["x = 1", None, "x = 1"]),
    ],
)
def test_the_commonest_cause_is_named(wanted: str, causes: list[str | None]) -> None:
    rows = [row(f"c{place}", "fail", "new", cause=cause) for place, cause in enumerate(causes)]
    assert line(shown(block(*rows)), "likely cause:") == wanted


def test_what_is_new_comes_with_the_command_that_accepts_it() -> None:
    found = shown(block(row(outcome="fail", standing="new"), target="cmd:./mine --fast"))
    assert "conformance accept 'cmd:./mine --fast' --reason '...'" in found[-1]


def test_a_changed_check_shows_the_line_of_the_ledger() -> None:
    problems = {"mine": [Problem("mine.yaml:4: changed from 0.5", "apart/bleu/A")]}
    found = shown(block(row(outcome="fail", standing="changed")), problems=problems)
    assert line(found, "ledger") == "mine.yaml:4: changed from 0.5"


def test_a_stale_line_of_the_ledger_is_shown() -> None:
    found = shown(block(row()), problems={"mine": [Problem("mine.yaml:4: stale: there is no check 'x'")]})
    assert line(found, "ledger") == "mine.yaml:4: stale: there is no check 'x'"


EVIL = "\x1b[2J\u202e\x00\r\n\x9b\ud800"


@pytest.mark.parametrize("kind", ["value", "property"])
def test_what_an_implementation_says_cannot_reach_the_terminal(kind: str) -> None:
    given = row(
        outcome="fail", standing="new", kind=kind, message=EVIL, stray=EVIL, observed={"score": EVIL, "tokens": [EVIL]},
        convention=EVIL, cause=EVIL,
    )  # fmt: skip
    names = {"name": EVIL, "version": EVIL, "language": EVIL}
    first = block(given, target=EVIL, implementation=names, suite={"version": EVIL, "digest": ""})
    text = terminal.render([first, replace(first, end=None)], details, {EVIL: [Problem(EVIL)]}, {EVIL: EVIL})
    assert {character for character in text if not character.isprintable()} == {"\n"}


@pytest.mark.parametrize("kind", ["value", "property"])
def test_long_answers_are_shortened(kind: str) -> None:
    given = row(outcome="fail", standing="new", kind=kind, message="m" * 9999, observed={"text": "t" * 9999})
    assert max(map(len, shown(block(given)))) < 420


def test_colour_comes_only_when_asked() -> None:
    given = block(row(outcome="fail", standing="new"))
    assert "\x1b" not in terminal.render([given], details)
    assert "\x1b[31mfail\x1b[0m" in terminal.render([given], details, colour=True)


def test_several_targets_stand_side_by_side_at_the_end() -> None:
    other = replace(block(row("b", "unsupported"), target="other"), end=None)
    assert shown(block(row(clause="bleu.clipping")), other)[-3:] == [
        "target  version  clauses    passes  conventions  documented  new  unsupported",
        "mine    1.0      1 of 1     1       0            0           0    0",
        "other   1.0      cut short",
    ]


def suite_of(*rows: Row, **more: Any) -> ElementTree.Element:
    (suite,) = ElementTree.fromstring(junit.render([block(*rows)], **more))
    return suite


def test_of_one_metric_the_table_says_which_variant_each_is(suite: Suite) -> None:
    row_ = row(metric="wer", outcome="convention", convention="empty_reference = zero")
    profile = {"wer": {"tokenizer": "jiwer", "aggregation": "pooled"}}
    blocks = [block(row_, profile=profile), block(row(metric="wer"))]
    lines = shown(*blocks, choices=Explainer(suite).choices)
    assert lines[-3].endswith("choices that are not the definition's")
    assert lines[-2].endswith("tokenizer = jiwer, empty_reference = zero")
    several = shown(*blocks, block(row(metric="cer")), choices=Explainer(suite).choices)
    assert not any("tokenizer = jiwer, " in each for each in several)


def test_a_suite_a_target_and_a_case_a_check() -> None:
    suite = suite_of(row(seconds=0.25))
    (case,) = suite
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("mine", "1", "0")
    assert (case.get("classname"), case.get("name"), case.get("time")) == ("mine.bleu", "apart/bleu/A", "0.250000")
    assert list(case) == []


@pytest.mark.parametrize(
    ("tag", "message", "given"),
    [
        ("failure", "too high", row(outcome="fail", standing="new", message="too high")),
        ("failure", "fail", row(outcome="fail", standing="changed")),
        ("failure", "invalid", row(outcome="invalid", standing="new")),
        ("failure", "a known deviation is gone: take its line out of the ledger", row(standing="fixed")),
        ("error", "crash", row(outcome="crash", standing="new")),
        ("error", "timeout", row(outcome="timeout", standing="new")),
        ("skipped", "known deviation: too high", row(outcome="fail", message="too high")),
        ("skipped", "unsupported: no tokenizer", row(outcome="unsupported", message="no tokenizer")),
    ],
)
def test_a_case_that_did_not_simply_pass_says_so(tag: str, message: str, given: Row) -> None:
    suite = suite_of(given)
    ((found,),) = suite
    assert (found.tag, found.get("message")) == (tag, message)
    assert suite.get({"failure": "failures", "error": "errors"}.get(tag, tag)) == "1"


def test_a_known_deviation_is_skipped_with_its_reason() -> None:
    ((found,),) = suite_of(row(outcome="fail"), reason=lambda row, target: f"{target} rounds")
    assert found.get("message") == "known deviation: mine rounds"


def test_a_failure_holds_its_line_of_the_record() -> None:
    ((found,),) = suite_of(row(outcome="fail", standing="new", observed={"score": 0.5}))
    assert '"score": 0.5' in (found.text or "")


def test_what_a_ledger_has_wrong_is_a_failure_once() -> None:
    problems = {"mine": [Problem("mine.yaml:4: stale"), Problem("mine.yaml:5: changed", "apart/bleu/A")]}
    suite = suite_of(row(outcome="fail", standing="changed"), problems=problems)
    assert [case.get("classname") for case in suite] == ["mine.bleu", "mine.ledger"]
    assert suite.get("failures") == "2"


def test_a_record_that_is_cut_short_is_an_error() -> None:
    (suite,) = ElementTree.fromstring(junit.render([replace(block(row()), end=None)]))
    assert suite.get("errors") == "1"


def test_no_character_breaks_the_document() -> None:
    given = row(EVIL, "fail", "new", message=EVIL, metric=EVIL, observed={"text": EVIL})
    (suite,) = ElementTree.fromstring(junit.render([block(given, target=EVIL, started=EVIL)]))
    assert suite[0].get("name") == "\\x1b[2J\u202e\\x00\r\n\x9b\\ud800"


@pytest.mark.parametrize(
    ("status", "blocks", "problems"),
    [
        (0, [block(row(), row("b", "fail"), row("c", "unsupported"))], {"mine": []}),
        (0, [], None),
        (1, [block(row(outcome="fail", standing="new"))], None),
        (1, [block(row(outcome="fail", standing="changed"))], None),
        (1, [block(row(standing="fixed"))], None),
        (1, [block(row()), block(row(), problems=1)], None),
        (1, [block(row())], {"mine": [Problem("stale")]}),
        (1, [replace(block(row()), end=None)], None),
    ],
)
def test_the_status_is_never_a_count(status: int, blocks: list[Block], problems: Any) -> None:
    assert exit_code(blocks, problems) == status
