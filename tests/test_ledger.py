"""The ledger of known deviations: how rows stand against it, what is stale of it, and how it is edited."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from conformance.ledger import Ledger, accept, satisfies
from conformance.model import Outcome, Row, Standing
from conformance.yamlfile import BadFile, parse

FULL = """\
# What mine does otherwise.
ledger: 1
target: mine
deviations:
  - reason: Zero counts become the smallest float.  # known for long
    kind: bug
    issue: https://example.org/1
    versions: ">=3.9"
    metric: bleu
    checks:
      # the lowest of all
      "apart/bleu-4/A": {score: 1.0e-77}
      "apart/bleu-4/B": 0.25
      "short/*": fail
  - reason: It takes no empty text.
    kind: limit
    checks: {"empty/bleu/A": error, "empty/bleu/B": null}
# the counts
unsupported: {bleu: 2}  # smoothing
"""


def ledger(text: str = FULL) -> Ledger:
    return Ledger.of(parse(text, "mine.yaml"))


def one(checks: str, reason: str = "as it happens") -> str:
    """The text of a ledger with one entry."""
    return f"ledger: 1\ntarget: mine\ndeviations:\n  - reason: {reason}\n    kind: bug\n    checks: {checks}\n"


def row(check: str, outcome: str = "fail", observed: Any = None, **more: Any) -> Row:
    return Row(check, more.pop("metric", "bleu"), None, "value", Outcome(outcome), observed=observed, **more)


@pytest.mark.parametrize(
    ("standing", "given"),
    [
        ("as-expected", row("other/bleu/A", "pass")),
        ("as-expected", row("other/bleu/A", "convention")),
        ("as-expected", row("other/bleu/A", "unsupported")),
        ("new", row("other/bleu/A")),
        ("new", row("other/bleu/A", "crash")),
        ("as-expected", row("apart/bleu-4/A", observed={"score": 1.0e-77})),
        ("as-expected", row("apart/bleu-4/A", observed={"score": 1.0000001e-77, "precisions": [1.0]})),
        ("changed", row("apart/bleu-4/A", observed={"score": 1.1e-77})),
        ("changed", row("apart/bleu-4/A", observed={"score": 0.0})),
        ("changed", row("apart/bleu-4/A", "error")),
        ("fixed", row("apart/bleu-4/A", "pass", {"score": 0.0})),
        ("fixed", row("apart/bleu-4/A", "convention", {"score": 0.0})),
        ("as-expected", row("apart/bleu-4/A", "unsupported")),
        ("as-expected", row("apart/bleu-4/B", observed={"score": 0.25, "brevity_penalty": 1.0})),
        ("as-expected", row("short/bleu/C")),
        ("as-expected", row("short/bleu/C", "pass")),
        ("changed", row("short/bleu/C", "timeout")),
        ("new", row("short/wer/C", metric="wer")),
        ("as-expected", row("empty/bleu/B", "crash")),
    ],
)
def test_a_row_stands_by_its_outcome_and_what_is_observed(standing: str, given: Row) -> None:
    assert ledger().stand(given, "3.10").value == standing


def test_an_entry_is_about_its_versions_alone() -> None:
    assert ledger().stand(row("short/bleu/C"), "3.8.2") is Standing.NEW


@pytest.mark.parametrize(
    ("known", "observed"),
    [
        (".nan", math.nan),
        ("nan", math.nan),
        ("-inf", -math.inf),
        (".inf", math.inf),
        ("[1, 0.5]", [1.0, 0.5]),
        ("[a, b]", ["a", "b"]),
        ("some text", "some text"),
        ("1" * 400, 10**400 // 9),
        ("true", True),
    ],
)
def test_a_value_of_any_type_is_recognised(known: str, observed: Any) -> None:
    text = one(f'{{"a/b/c": {{score: {known}}}}}')
    assert ledger(text).stand(row("a/b/c", observed={"score": observed}), "1") is Standing.AS_EXPECTED


def test_numbers_that_no_float_holds_differ_without_an_error() -> None:
    text = one('{"a/b/c": 0.5}')
    assert ledger(text).stand(row("a/b/c", observed={"score": 10**400}), "1") is Standing.CHANGED


def test_the_id_wins_over_a_glob() -> None:
    text = one('{"a/*": fail}') + '  - reason: but for this one\n    kind: bug\n    checks: {"a/b/c": error}\n'
    assert ledger(text).reason(row("a/b/c", "error"), "1") == "but for this one"


def test_brackets_of_an_id_are_no_glob() -> None:
    text = one('{"f/*[q=10,n=2]": null}')
    assert ledger(text).stand(row("f/bleu/A[q=10,n=2]"), "1") is Standing.AS_EXPECTED
    assert ledger(text).stand(row("f/bleu/Aq"), "1") is Standing.NEW


@pytest.mark.parametrize(
    ("holds", "version", "wanted"),
    [
        (True, "3.9", ">=3.9"),
        (True, "3.10.0", ">=3.9"),
        (False, "3.8.9", ">=3.9"),
        (True, "2.0.0", "==2"),
        (False, "2.0.1", "==2"),
        (True, "2.5", ">=2, <3"),
        (False, "3.0", ">=2,<3"),
        (True, "1.1", "!=1.0"),
        (True, "4.0.0rc1", "<=4"),
        (True, "1.2+local.7", "==1.2"),
        (False, "", ">0"),
        (True, "1.03.1-python2", "==1.03.1-python2"),
        (False, "1.03.1", "==1.03.1-python2"),
        (True, "1.03.1-python2", "==1.03.1"),
        (True, "e96ea86", "!=e96ea86-python2"),
        (False, "50b5032", "==4f57590"),
    ],
)
def test_versions_compare_by_their_numbers(holds: bool, version: str, wanted: str) -> None:
    assert satisfies(version, wanted) is holds


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        ("mine.yaml:15: deviations.1: the field 'kind' is missing", "    kind: limit\n", ""),
        (
            "mine.yaml:15: deviations.1: unknown field 'why'; known are",
            "kind: limit\n",
            "kind: limit\n    why: x\n",
        ),
        ("mine.yaml:6: deviations.0.kind: expected one of bug, choice, limit, found", "kind: bug", "kind: oops"),
        ("mine.yaml:8: deviations.0.versions: expected such as '>=3.9,<4', found '3.9'", '">=3.9"', '"3.9"'),
        (
            "mine.yaml:7: deviations.0.expires: expected a date such as 2027-12-31",
            "issue:",
            "expires: soon #",
        ),
        ("mine.yaml:13: deviations.0.checks.apart/bleu-4/A: the key stands twice", "bleu-4/B", "bleu-4/A"),
        ("mine.yaml:3: target: expected text", "target: mine", "target: [mine]"),
        ('mine.yaml:19: unsupported.bleu: expected a whole number, found "few"', "bleu: 2", "bleu: few"),
    ],
)
def test_a_fault_names_file_line_and_field(message: str, old: str, new: str) -> None:
    with pytest.raises(BadFile) as caught:
        ledger(FULL.replace(old, new))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def as_known() -> list[Row]:
    """Rows of a full run that are all as the ledger has them."""
    return [
        row("apart/bleu-4/A", observed={"score": 1.0e-77}),
        row("apart/bleu-4/B", observed={"score": 0.25}),
        row("short/bleu/C"),
        row("empty/bleu/A", "error"),
        row("empty/bleu/B", "timeout"),
        row("x/bleu/A", "unsupported"),
        row("x/bleu/B", "unsupported"),
    ]


def review(rows: list[Row], full: bool = True, text: str = FULL) -> list[str]:
    return [problem.text for problem in ledger(text).review(rows, full, "3.10")]


def with_row(given: Row) -> list[Row]:
    return [given if each.check == given.check else each for each in as_known()]


def test_a_ledger_that_holds_has_no_problem() -> None:
    assert review(as_known()) == []


def test_a_changed_value_names_the_line_and_what_to_write() -> None:
    found = review(with_row(row("apart/bleu-4/B", observed={"score": 1 / 3}, expected_value={"score": 0.5})))
    assert found == ['mine.yaml:13: changed from 0.25; write `"apart/bleu-4/B": {"score": 0.333333333}`']


def test_a_fixed_check_names_the_line_to_remove() -> None:
    assert review(with_row(row("apart/bleu-4/A", "pass"))) == [
        "mine.yaml:12: fixed: the check no longer deviates; remove the line, or let `conformance accept` do it"
    ]


def test_a_glob_is_stale_where_nothing_under_it_deviates() -> None:
    assert review(with_row(row("short/bleu/C", "pass"))) == [
        "mine.yaml:14: stale: no check that matches 'short/*' deviates; remove the line"
    ]


def test_a_glob_is_needed_while_one_check_under_it_deviates() -> None:
    assert review([*as_known(), row("short/bleu/D", "pass")]) == []


def test_a_glob_is_not_stale_where_nothing_was_judged() -> None:
    assert review(with_row(row("short/bleu/C", "unsupported")), text=FULL.replace("bleu: 2", "bleu: 3")) == []


def test_an_id_that_is_gone_is_stale() -> None:
    assert review(as_known()[1:]) == ["mine.yaml:12: stale: there is no check 'apart/bleu-4/A'; remove the line"]


def test_a_part_of_the_suite_shows_nothing_stale() -> None:
    assert review(as_known()[:1], full=False) == []


def test_more_unsupported_checks_than_recorded_are_a_problem() -> None:
    assert review([*as_known(), row("x/bleu/C", "unsupported"), row("x/wer/A", "unsupported", metric="wer")]) == [
        "mine.yaml:19: unsupported grew from 2 to 3 checks of bleu; write `bleu: 3`",
        "mine.yaml:19: unsupported grew from 0 to 1 checks of wer; write `wer: 1`",
    ]


def test_fewer_unsupported_checks_are_no_problem() -> None:
    assert review(as_known()[:-1]) == []


@pytest.mark.parametrize(("count", "day"), [(1, "2001-01-31"), (0, "9999-12-31")])
def test_an_entry_ends_with_its_day(count: int, day: str) -> None:
    found = review(as_known(), full=False, text=FULL.replace("issue: https://example.org/1", f"expires: {day}"))
    assert [text.split(":")[:2] for text in found] == [["mine.yaml", "5"]] * count


REASON = "It rounds to two decimals."


def accepted(path: Path, *rows: Row, full: bool = False, reason: str = REASON, **more: Any) -> str:
    return accept(path, rows, target="mine", reason=reason, kind="choice", issue=None, full=full, **more)


def new(check: str, outcome: str = "fail", observed: Any = None, **more: Any) -> Row:
    return row(check, outcome, observed, standing=Standing.NEW, **more)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger that exists."""
    made = tmp_path / "deviations.yaml"
    made.write_text(FULL, "utf-8")
    return made


def test_a_first_ledger_holds_what_is_new(tmp_path: Path) -> None:
    rows = [
        new("a/wer/A", observed={"rate": 0.33, "hits": 2}, expected_value={"rate": 1 / 3}, metric="wer"),
        new("a/wer/B", "error", {"raises": "ValueError"}, metric="wer"),
        row("a/wer/C", "unsupported", metric="wer"),
    ]
    assert accepted(tmp_path / "new.yaml", *rows, full=True) == (
        f'ledger: 1\ntarget: "mine"\ndeviations:\n  - reason: "{REASON}"\n    kind: choice\n    checks:\n'
        '      "a/wer/A": {"rate": 0.33}\n      "a/wer/B": error\nunsupported: {wer: 1}\n'
    )


def test_without_deviations_a_first_ledger_is_still_one(tmp_path: Path) -> None:
    assert accepted(tmp_path / "new.yaml", row("a/wer/A", "pass")) == 'ledger: 1\ntarget: "mine"\n'


@pytest.mark.parametrize(
    ("outcome", "observed"),
    [
        ("fail", {"score": math.nan}),
        ("fail", {"score": -math.inf}),
        ("fail", {"score": 5e-324}),
        ("fail", {"score": 2 / 3}),
        ("fail", {"score": 10**400}),
        ("fail", {"A": 0.1, "A.f1": 0.2}),
        ("fail", {"text": 'a "b"\n\x1b[0m\u202e\U0001f600\u2028: #'}),
        ("fail", {"text": "\ud800"}),
        ("fail", {"tokens": ["a", "no"]}),
        ("fail", None),
        ("crash", None),
        ("invalid", "text"),
    ],
)
def test_what_is_accepted_is_as_expected_the_next_time(tmp_path: Path, outcome: str, observed: Any) -> None:
    path = tmp_path / "new.yaml"
    given = new("a/b/c", outcome, observed)
    path.write_text(accepted(path, given), "utf-8")
    assert Ledger.load(path).stand(given, "1") is Standing.AS_EXPECTED


def test_what_stood_there_stays_and_the_entry_is_added(path: Path) -> None:
    entry = '  - reason: "It rounds to two decimals."\n    kind: choice\n    checks:\n      "a/b/c": fail\n'
    assert accepted(path, new("a/b/c")) == FULL.replace("# the counts\n", f"{entry}# the counts\n")


def test_a_changed_check_moves_to_the_new_entry(path: Path) -> None:
    given = row("apart/bleu-4/B", observed={"score": 0.5}, standing=Standing.CHANGED)
    text = accepted(path, given)
    assert '      "apart/bleu-4/B": 0.25\n' not in text
    assert '      "apart/bleu-4/B": {"score": 0.5}\n' in text


def test_another_release_is_not_held_to_the_counts_nor_told_to_remove_lines() -> None:
    rows = [row("empty/bleu/A", "pass", standing=Standing.FIXED), *(row(f"u{n}", "unsupported") for n in range(3))]
    rows.append(row("empty/bleu/B"))
    texts = [problem.text for problem in ledger().review(rows, True, "3.2.5", other=True)]
    assert texts == ["mine.yaml:17: not so in 3.2.5; give the entry `versions` that leave it out"]
    assert any("unsupported grew" in problem.text for problem in ledger().review(rows, True, "3.2.5"))


def test_what_is_accepted_of_another_release_is_about_that_one_only(path: Path) -> None:
    """What the pinned release does stays, and the entry of one release comes before that of all."""
    changed = row("empty/bleu/A", observed={"score": 0.5}, standing=Standing.CHANGED)
    fixed = row("empty/bleu/B", "pass", standing=Standing.FIXED)
    path.write_text(accepted(path, changed, fixed, full=True, version="3.2.5", only=True), "utf-8")
    text = path.read_text("utf-8")
    assert 'versions: "==3.2.5"' in text
    assert 'checks: {"empty/bleu/A": error, "empty/bleu/B": null}' in text
    assert "unsupported: {bleu: 2}" in text
    after = Ledger.load(path)
    assert after.stand(changed, "3.2.5") is Standing.AS_EXPECTED
    assert after.stand(changed, "3.10") is Standing.CHANGED


def test_a_fixed_check_loses_its_line_alone(path: Path) -> None:
    given = row("apart/bleu-4/A", "pass", standing=Standing.FIXED)
    assert accepted(path, given) == FULL.replace('      "apart/bleu-4/A": {score: 1.0e-77}\n', "")


def test_a_fixed_check_leaves_a_mapping_in_braces(path: Path) -> None:
    given = row("empty/bleu/A", "pass", standing=Standing.FIXED)
    assert accepted(path, given) == FULL.replace('"empty/bleu/A": error, ', "")


def test_an_entry_goes_with_its_last_check(path: Path) -> None:
    rows = [row(f"empty/bleu/{name}", "pass", standing=Standing.FIXED) for name in "AB"]
    start, end = FULL.index("  - reason: It takes"), FULL.index("# the counts")
    assert accepted(path, *rows) == FULL[:start] + FULL[end:]


def test_a_ledger_without_entries_left_is_still_one(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(one("\n      a/b/c: fail").replace("deviations:", "deviations:  # all"), "utf-8")
    given = row("a/b/c", "pass", standing=Standing.FIXED)
    assert accepted(path, given) == "ledger: 1\ntarget: mine\ndeviations: []  # all\n"


def test_a_ledger_without_entries_takes_one(tmp_path: Path) -> None:
    path = tmp_path / "none.yaml"
    path.write_text("ledger: 1\ntarget: mine\ndeviations: []  # none yet\nunsupported: {}\n", "utf-8")
    text = accepted(path, new("a/b/c"))
    assert text.startswith("ledger: 1\ntarget: mine\ndeviations:  # none yet\n  - reason:")
    assert text.endswith('"a/b/c": fail\nunsupported: {}\n')


def test_an_entry_is_indented_as_the_others_are(tmp_path: Path) -> None:
    path = tmp_path / "flat.yaml"
    text = (
        "ledger: 1\ntarget: mine\ndeviations:\n- kind: bug\n  checks: {a/b/c: fail}\n  reason: >\n    it is\n    long"
    )
    path.write_text(text, "utf-8")
    assert accepted(path, new("a/b/d")).startswith(text + "\n- reason:")


def test_a_glob_stays_where_one_check_of_it_changed(path: Path) -> None:
    text = accepted(path, row("short/bleu/C", "error", standing=Standing.CHANGED))
    assert '"short/*": fail\n' in text
    assert '"short/bleu/C": error\n' in text


def test_an_entry_about_another_version_stays(path: Path) -> None:
    given = row("apart/bleu-4/A", "pass", standing=Standing.FIXED)
    assert accepted(path, given, version="3.8") == FULL


@pytest.mark.parametrize("block", ["{bleu: 2}", "\n  bleu: 2"])
def test_counts_are_renewed_after_a_full_run(path: Path, block: str) -> None:
    path.write_text(FULL.replace("{bleu: 2}", block), "utf-8")
    text = accepted(path, row("x/wer/A", "unsupported", metric="wer"), full=True)
    assert text == FULL.replace("{bleu: 2}", block.replace("{bleu: 2}", "bleu: 2").replace("bleu: 2", "{wer: 1}"))


def test_counts_stay_after_a_part_of_a_run(path: Path) -> None:
    assert accepted(path, row("x/wer/A", "unsupported", metric="wer")) == FULL


def test_a_reason_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"new.yaml:4: deviations.0.reason: at least 10 expected"):
        accepted(tmp_path / "new.yaml", new("a/b/c"), reason="x")


def test_a_list_in_brackets_is_left_to_a_person(tmp_path: Path) -> None:
    path = tmp_path / "flow.yaml"
    entry = "{reason: in one line, kind: bug, checks: {a/b/c: fail}}"
    path.write_text(f"ledger: 1\ntarget: mine\ndeviations: [{entry}]\n", "utf-8")
    with pytest.raises(BadFile, match=r"flow.yaml:3: deviations: expected a line for each entry"):
        accepted(path, new("a/b/d"))
