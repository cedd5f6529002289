"""A port held to its original: what differs, and by which declared choice."""

from __future__ import annotations

from typing import Any

from conformance.adapter import Adapter
from conformance.against import run_against
from conformance.model import Outcome, Row, Suite
from conformance.plan import Selection
from conformance.profiles import Oracle
from conformance.reference import bleu as reference_bleu
from conformance.transport import InProcess


def adapter(name: str, wrong: float = 0, **choices: Any) -> Adapter:
    """BLEU of a single segment by the reference, with some choices, and with something added to it."""
    made = Adapter(name, "1")

    @made.metric("bleu", accepts={"max_order": None}, fixes={"tokenizer": "whitespace", **choices})
    def bleu(hypotheses: list[str], references: list[list[str]], **parameters: Any) -> dict[str, Any]:
        found = dict(reference_bleu.bleu(hypotheses, references, **choices, **parameters))
        return {"score": found["score"] + wrong, "hypothesis_length": found["hypothesis_length"]}

    return made


def held(suite: Suite, oracle: Oracle, port: Adapter, original: Adapter) -> dict[str, Row]:
    """The rows of single questions that were asked of both."""
    selection = Selection(metrics=("bleu",))
    found = run_against(suite, InProcess(port), InProcess(original), oracle, selection, "first@2")
    asked = (row for row in found if row.outcome is not Outcome.UNSUPPORTED)
    return {row.check: row for row in asked if isinstance(row.observed, dict) and "score" in row.observed}


def test_a_choice_that_makes_the_difference_is_named(suite: Suite, oracle: Oracle) -> None:
    rows = held(suite, oracle, adapter("mine"), adapter("other", reference_length="longest"))
    failed = [row for row in rows.values() if row.outcome is Outcome.FAIL]
    assert failed
    assert len(failed) < len(rows)
    assert {row.cause for row in failed} == {"reference_length = longest in first@2, closest here"}
    assert {row.expected for row in failed} == {"as first@2"}
    assert all("differs from first@2 in score" in str(row.message) for row in failed)


def test_what_no_choice_gives_has_no_cause(suite: Suite, oracle: Oracle) -> None:
    rows = held(suite, oracle, adapter("mine"), adapter("other", wrong=0.1, reference_length="longest"))
    failed = [row for row in rows.values() if row.outcome is Outcome.FAIL]
    assert failed
    assert {row.cause for row in failed} == {None}
