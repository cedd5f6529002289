"""The suite's own files: its lock, its trace to the documents' claims, its compiled form, its size."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from conformance import lock
from conformance.lint import lint
from conformance.model import Outcome, Suite
from conformance.profiles import Oracle
from conformance.suite import KEPT, cache_folder, compile_suite, from_json, load, to_json

ROOT = Path(__file__).resolve().parent.parent


def trace() -> list[tuple[str, str, str]]:
    """The lines of traceability.tsv: claim, check or -, the rest."""
    lines = (ROOT / "tests" / "traceability.tsv").read_text("utf-8").splitlines()
    return [(claim, check, " ".join(rest)) for claim, check, *rest in (line.split("\t") for line in lines)]


def test_every_traced_check_exists(suite: Suite) -> None:
    known = {check.id for check in suite.checks}
    assert [line for line in trace() if line[1] != "-" and line[1] not in known] == []


def test_every_excuse_has_a_reason_and_no_check(suite: Suite) -> None:
    excused = {claim: reason for claim, check, reason in trace() if check == "-"}
    assert all(len(reason) > 20 for reason in excused.values())
    assert not excused.keys() & {claim for claim, check, _ in trace() if check != "-"}
    assert 10 * len(excused) < len({claim for claim, _, _ in trace()})


def test_no_claim_has_lost_its_trace() -> None:
    assert len({claim for claim, _, _ in trace()}) >= 1314


def test_the_lock_holds_and_the_rules_are_kept(suite: Suite) -> None:
    assert lint(ROOT, suite).problems == ()


def test_the_reference_fails_nothing_on_twelve_hundred_checks(suite: Suite, oracle: Oracle) -> None:
    from conformance.plan import Selection
    from conformance.run import run
    from conformance.target import connect

    with connect("reference") as connection:
        rows = run(suite, connection, oracle, Selection())
    outcomes = Counter(row.outcome for row in rows)
    assert outcomes[Outcome.PASS] + outcomes[Outcome.CONVENTION] == len(rows)
    assert len(rows) >= 1200


def test_each_convention_of_an_open_question_is_what_the_reference_gives_under_it(suite: Suite, oracle: Oracle) -> None:
    from conformance.judge import PASSED, judge
    from conformance.yamlfile import Plain, core

    capability = oracle.adapter.capabilities
    for check in suite.checks:
        if check.kind != "open":
            continue
        for name, expected in check.conventions.items():
            metric = suite.metrics[check.metric]
            value = core(Plain(name)) if metric.parameters[str(check.parameter)].type == "boolean" else name
            parameters = {**metric.defaults(), **check.ask.parameters, str(check.parameter): value}
            answer = oracle.answer(check.metric, parameters, check.ask.input, suite.inputs[check.ask.input])
            if expected.kind == "raises":
                assert answer.kind == "error", (check.id, name)
            else:
                assert judge(expected, answer, metric, capability[check.metric]) == PASSED, (check.id, name, answer)


def test_an_erratum_prints_another_number(suite: Suite) -> None:
    assert [check.id for check in suite.checks if check.erratum] != []


def test_old_compiled_suites_leave_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache_folder().mkdir()
    for number in range(KEPT + 3):
        old = cache_folder() / f"suite-{number}.json"
        old.write_text("{}", "utf-8")
        os.utime(old, (number, number))
    load()
    left = {each.name for each in cache_folder().iterdir()}
    assert len(left) == KEPT
    assert f"suite-{KEPT + 2}.json" in left
    assert "suite-0.json" not in left


def test_the_compiled_form_reads_back_the_same(suite: Suite) -> None:
    compiled = compile_suite(ROOT)
    again = from_json(json.loads(json.dumps(to_json(compiled))))
    assert list(again.checks) == list(compiled.checks)
    assert again.metrics == compiled.metrics
    assert again.scenarios == compiled.scenarios


def test_a_changed_meaning_and_a_reused_id_are_noticed(suite: Suite, tmp_path: Path) -> None:
    path = tmp_path / "cases.lock"
    lock.write(path, suite, {"gone/bleu/A": "0123456789abcdef"})
    locked = lock.read(path)
    assert locked["gone/bleu/A"] == lock.RETIRED
    assert lock.compare(suite, locked) == lock.Difference()
    first = suite.checks[0]
    changed = replace(
        suite, checks=[replace(first, relative=0.01), *suite.checks[1:], replace(first, id="gone/bleu/A")]
    )
    difference = lock.compare(changed, locked)
    assert difference.changed == (first.id,)
    assert difference.reused == ("gone/bleu/A",)


def test_no_file_of_the_tests_reads_outside_the_project() -> None:
    word = "sha" + "red/"
    for path in [*(ROOT / "tests").glob("*.py"), *(ROOT / "conformance").rglob("*.py")]:
        assert f"../{word}" not in path.read_text("utf-8"), path


@pytest.mark.parametrize("character", ["\u00a0", "e\u0301", "\u200b", "\uff21", "\u0430"])
def test_lint_names_a_character_that_cannot_be_seen(tmp_path: Path, character: str) -> None:
    from conformance.lint import characters

    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "x.yaml").write_text(f"- scenario: x\n  why: a {character} b\n", "utf-8")
    (problem,) = characters(tmp_path)
    assert problem.startswith("cases/x.yaml:2: column")
