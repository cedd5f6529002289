"""What a run says of implementations: right ones, wrong ones, and ones that made another choice."""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from typing import Any

import pytest

from conformance.adapter import Adapter
from conformance.model import GOOD, Ask, Check, Outcome, Suite
from conformance.plan import Selection
from conformance.profiles import Oracle
from conformance.reference import bleu as reference_bleu
from conformance.reference import error_rates
from conformance.reference import perplexity as reference_perplexity
from conformance.reference import ribes as reference_ribes
from conformance.run import run
from conformance.transport import InProcess

DECLARED: dict[str, Any] = {
    "smoothing": "none",
    "tokenizer": "whitespace",
    "reference_length": "closest",
    "reference_length_tie": "shorter",
    "aggregation": "corpus",
    "effective_order": False,
    "lowercase": False,
    "denominator_floor": "none",
    "zero_before_smoothing": False,
    "weights": [],
    "smoothing_value": "standard",
}


def bleu_adapter(function: Any) -> Adapter:
    adapter = Adapter("mine", version="1")
    adapter.metric("bleu", accepts={"max_order": range(1, 20)}, fixes=DECLARED, components=["score"])(function)
    return adapter


def test_a_right_adapter_fails_nothing(held) -> None:
    adapter = bleu_adapter(lambda h, r, **p: reference_bleu.bleu(h, r, **p)["score"])
    rows = held(adapter)
    assert [row.check for row in rows.values() if row.outcome not in GOOD] == []
    assert sum(row.outcome is Outcome.PASS for row in rows.values()) > 100


def ngrams(tokens: list[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))


def unclipped(hypotheses: list[str], references: list[list[str]], max_order: int = 4) -> float:
    """BLEU with every occurrence of a known n-gram as a match."""
    logs, c, r = 0.0, 0, 0
    for h, refs in zip(hypotheses, references, strict=True):
        c += len(h.split())
        r += min((len(each.split()) for each in refs), key=lambda n: (abs(n - len(h.split())), n))
    for order in range(1, max_order + 1):
        matches = total = 0
        for h, refs in zip(hypotheses, references, strict=True):
            known = set().union(*(ngrams(each.split(), order) for each in refs))
            own = ngrams(h.split(), order)
            matches += sum(count for gram, count in own.items() if gram in known)
            total += sum(own.values())
        if not matches:
            return 0.0
        logs += math.log(matches / total) / max_order
    return math.exp(logs) * (1 if c >= r else math.exp(1 - r / c))


def test_missing_clipping_is_named_by_its_clause(held) -> None:
    rows = held(bleu_adapter(unclipped))
    failed = [row for row in rows.values() if row.outcome is Outcome.FAIL]
    assert "bleu.clipping" in {row.clause for row in failed}


def test_longer_ties_fail_and_the_cause_is_named(held) -> None:
    rows = held(bleu_adapter(lambda h, r, **p: reference_bleu.bleu(h, r, reference_length_tie="longer", **p)["score"]))
    failed = [row for row in rows.values() if row.outcome is Outcome.FAIL]
    assert "bleu.reference-length" in {row.clause for row in failed}
    assert Counter(row.cause for row in failed).most_common(1)[0][0] == "reference_length_tie = longer"


def test_the_smallest_float_is_no_zero(held) -> None:
    rows = held(bleu_adapter(lambda h, r, **p: reference_bleu.bleu(h, r, smoothing="smallest-float", **p)["score"]))
    failed = [row for row in rows.values() if row.outcome is Outcome.FAIL]
    assert failed
    assert {row.cause for row in failed} == {"smoothing = smallest-float (a quirk)"}
    assert all(
        0 < row.observed["score"] < 1e-12
        for row in failed
        if row.kind == "value" and row.expected_value == {"score": 0}
    )
    assert sys.float_info.min > 0


def test_exchanged_arguments_fail(held) -> None:
    def swapped(hypotheses: list[str], references: list[list[str]]) -> float:
        return error_rates.wer([each[0] for each in references], [[each] for each in hypotheses])["rate"]

    adapter = Adapter("mine", version="1")
    adapter.metric("wer", references="one")(swapped)
    failed = {row.clause for row in held(adapter).values() if row.outcome is Outcome.FAIL}
    assert failed & {"wer.reference-denominator", "wer.direction", None}


def test_a_hang_is_charged_to_its_check_alone(held) -> None:
    def hangs(hypotheses: list[str], references: list[list[str]]) -> float:
        while "dog" in hypotheses[0].split():
            time.sleep(0.01)
        return error_rates.wer(hypotheses, references)["rate"]

    adapter = Adapter("mine", version="1")
    adapter.metric("wer", references="one")(hangs)
    outcomes = Counter(row.outcome for row in held(adapter, timeout=1.0).values())
    assert outcomes[Outcome.TIMEOUT] >= 1
    assert outcomes[Outcome.PASS] > 10


def test_an_undeclared_choice_is_a_convention(held) -> None:
    adapter = Adapter("mine", version="1")
    adapter.metric("bleu", accepts={"max_order": range(1, 20)}, components=["score"])(
        lambda h, r, **p: reference_bleu.bleu(h, r, reference_length_tie="longer", **p)["score"]
    )
    rows = held(adapter)
    named = {row.convention for row in rows.values() if row.outcome is Outcome.CONVENTION}
    assert "reference_length_tie = longer" in named
    assert not [row for row in rows.values() if row.outcome is Outcome.FAIL and "raises" not in str(row.expected)]


def test_a_quirk_that_changes_nothing_here_is_held_to_what_the_check_sets(held) -> None:
    """Also where another choice of the target is not the definition's, and the quirk is not its default."""
    choices = {"alignment": "nltk-context", "single_word": "zero"}
    adapter = Adapter("mine", version="1")
    adapter.metric("ribes", input="tokens", fixes=choices, components=["score"])(
        lambda h, r: reference_ribes.ribes(h, r, **choices)["score"]
    )
    row = held(adapter)["which-neighbour-comes-first/bigram/turned"]
    assert (row.outcome, row.by_profile) == (Outcome.PASS, False)


def test_two_conventions_of_one_parameter_fail(held) -> None:
    calls = []

    def moody(hypotheses: list[str], references: list[list[str]], **parameters: Any) -> float:
        calls.append(1)
        rule = "longest" if len(calls) % 2 else "shortest"
        return reference_bleu.bleu(hypotheses, references, reference_length=rule, **parameters)["score"]

    adapter = Adapter("mine", version="1")
    adapter.metric("bleu", accepts={"max_order": range(1, 20)}, components=["score"])(moody)
    messages = [row.message or "" for row in held(adapter).values() if row.outcome is Outcome.FAIL]
    assert any("mixes conventions of reference_length" in message for message in messages)


def test_a_declared_choice_gives_passes_by_profile(held) -> None:
    adapter = Adapter("mine", version="1")
    adapter.metric(
        "wer", fixes={"aggregation": "mean", "tokenizer": "whitespace"}, references="one", components=["rate"]
    )(lambda h, r: error_rates.wer(h, r, aggregation="mean")["rate"])
    rows = held(adapter)
    assert not [row.check for row in rows.values() if row.outcome is Outcome.FAIL]
    assert any(row.by_profile for row in rows.values())


def test_an_open_question_is_answered_beside_the_targets_other_choices(held) -> None:
    """Where logits score the label of their own position, one position has a target, whatever none would score."""
    choices = {"alignment": "same", "no_targets": "nan"}
    adapter = Adapter("mine", version="1")
    adapter.metric("perplexity", fixes=choices, given=["logits", "labels"], components=["perplexity"])(
        lambda **fields: reference_perplexity.perplexity(**fields, **choices)["perplexity"]
    )
    row = held(adapter)["no-target-to-score/perplexity/length-one"]
    assert (row.outcome, row.observed, row.convention) == (Outcome.PASS, {"perplexity": 6}, "no_targets = nan")
    choices["alignment"] = "next"
    row = held(adapter)["no-target-to-score/perplexity/length-one"]
    assert (row.outcome, row.message) == (
        Outcome.FAIL,
        "no_targets = nan is declared, but it gives no convention's value",
    )


def test_a_percentage_is_taken_back_to_the_definitions_scale(held) -> None:
    adapter = Adapter("mine", version="1")
    adapter.metric("wer", scale=100, references="one", components=["rate"])(
        lambda h, r: 100 * error_rates.wer(h, r)["rate"]
    )
    assert not [row.check for row in held(adapter).values() if row.outcome is Outcome.FAIL]


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (lambda value: 100 * value, "a value 100 times too large (declare scale=100)"),
        (lambda value: 1 - value, "one minus the value (a distance for a similarity, or the reverse)"),
        (lambda value: round(value, 3), "a value rounded to 3 decimals (declare decimals=3)"),
    ],
)
def test_a_number_that_is_changed_in_one_way_has_that_as_its_cause(held, change, cause) -> None:
    adapter = bleu_adapter(lambda h, r, **p: change(reference_bleu.bleu(h, r, **p)["score"]))
    failed = [row for row in held(adapter).values() if row.outcome is Outcome.FAIL and row.kind == "value"]
    assert sum(row.cause == cause for row in failed) > 0.9 * len(failed)


def test_two_wrong_values_are_too_few_for_a_scale(held) -> None:
    adapter = bleu_adapter(lambda h, r, **p: 100 * reference_bleu.bleu(h, r, **p)["score"])
    rows = held(adapter, "one-token-apart/bleu-1/*")
    assert len(rows) == 2
    assert {row.cause for row in rows.values()} == {None}


def test_printed_decimals_widen_by_half_a_unit(held) -> None:
    adapter = Adapter("mine", version="1")
    adapter.metric("wer", decimals=2, references="one", components=["rate"])(
        lambda h, r: round(error_rates.wer(h, r)["rate"], 2)
    )
    assert not [row.check for row in held(adapter).values() if row.outcome is Outcome.FAIL and row.kind == "value"]


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (float("nan"), Outcome.INVALID),
        (None, Outcome.INVALID),
        ("0.5", Outcome.INVALID),
        ([1], Outcome.INVALID),
        ({"score": 1}, Outcome.INVALID),
    ],
)
def test_what_is_no_number_is_invalid(held, answer, outcome) -> None:
    adapter = Adapter("mine", version="1")
    adapter.metric("wer", references="one")(lambda h, r: answer)
    assert outcome in {row.outcome for row in held(adapter).values()}
    assert Outcome.PASS not in {
        row.outcome for row in held(adapter).values() if row.kind == "value" and row.expected_value
    }


def test_a_run_twice_is_equal_but_for_times(held) -> None:
    from dataclasses import replace

    adapter = bleu_adapter(unclipped)
    first, second = ({key: replace(row, seconds=0) for key, row in held(adapter).items()} for _ in range(2))
    assert first == second


def test_a_relation_between_other_components_is_not_excused_by_an_equal_score(suite: Suite, oracle: Oracle) -> None:
    """An undeclared convention explains a relation only if it gives every component that the relation names."""
    adapter = Adapter("forgetful", "1")
    wrong = {"score": 0.0, "matches": [0, 0, 0, 0], "penalties": [0, 0, 0, 0]}
    adapter.metric("gec-gleu")(lambda hypotheses, references, sources: wrong)
    fields = {"hypotheses": ["a"], "references": [["b"]], "sources": ["a"]}
    check = Check(
        "own/relation",
        "own",
        "relation",
        "gec-gleu",
        None,
        {"A": Ask("gec-gleu", {}, "own")},
        relation="A.penalties[1] == 1 - A.matches[1]",
    )
    own = Suite(suite.metrics, {}, [check], {"own": fields}, "", "")
    (row,) = run(own, InProcess(adapter), oracle, Selection())
    assert row.outcome is Outcome.FAIL


@pytest.mark.parametrize(("decimals", "outcome"), [(6, Outcome.PASS), (None, Outcome.FAIL)])
def test_a_relation_allows_for_what_a_target_rounds(held, decimals: int | None, outcome: Outcome) -> None:
    """Half a unit of the last decimal that it prints; who declares none is held to all of them."""
    adapter = Adapter("printed", "1")
    adapter.metric("ribes", components=["score"], decimals=decimals)(
        lambda h, r: round(reference_ribes.ribes(h, r)["score"], 6)
    )
    (row,) = held(adapter, "short-against-long-and-long-against-short/exchanged").values()
    assert row.outcome is outcome
