"""WER, CER, MER, WIL and WIP of the reference, against their definitions and JiWER."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.reference.error_rates import cer, count, mer, wer, wil, wip

CHECKED = settings(max_examples=200, deadline=None, derandomize=True)


def same(found: float, expected: float | Fraction) -> bool:
    return math.isclose(found, float(expected), rel_tol=1e-12, abs_tol=1e-15)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "counts", "rate"),
    [
        ("a x c e f", "a b c d e", None, Fraction(3, 5)),
        ("a x c", "a b c", (1, 0, 0), Fraction(1, 3)),
        ("a c", "a b c", (0, 1, 0), Fraction(1, 3)),
        ("a b x c", "a b c", (0, 0, 1), Fraction(1, 3)),
        ("a x y", "a", (0, 0, 2), 2),
        ("a", "a x y", (0, 2, 0), Fraction(2, 3)),
        ("", "a b", (0, 2, 0), 1),
        ("a b", "a b", (0, 0, 0), 0),
        ("a b c d e", "a d e x", (0, 1, 2), Fraction(3, 4)),
        ("man bites dog", "dog bites man", (2, 0, 0), Fraction(2, 3)),
        ("red blue blue", "red red blue", (1, 0, 0), Fraction(1, 3)),
        ("refunds within thirty", "refunds within thirty days", (0, 1, 0), Fraction(1, 4)),
        ("refunds within sixty days", "refunds within thirty days", (1, 0, 0), Fraction(1, 4)),
        ("a x b y c", "a b c", (0, 0, 2), Fraction(2, 3)),
    ],
)
def test_wer(hypothesis: str, reference: str, counts: tuple[int, int, int] | None, rate: Fraction) -> None:
    found = wer([hypothesis], [[reference]])
    assert same(found["rate"], rate)
    assert found["errors"] == rate * len(reference.split())
    if counts:
        assert (found["substitutions"], found["deletions"], found["insertions"]) == counts


def test_where_two_alignments_are_equally_cheap_the_count_is_one_of_both() -> None:
    found = wer(["b c"], [["a b"]])
    assert (found["substitutions"], found["deletions"], found["insertions"]) in {(2, 0, 0), (0, 1, 1)}
    assert found["errors"] == 2


def test_sclites_costs_prefer_two_gaps_to_two_substitutions() -> None:
    # three deletions and three insertions cost 18, five substitutions 20
    found = wer(["a b s t u"], [["p q r a b"]], alignment="sclite")
    assert (found["substitutions"], found["deletions"], found["insertions"]) == (0, 3, 3)
    assert same(found["rate"], Fraction(6, 5))
    assert wer(["a b s t u"], [["p q r a b"]])["rate"] == 1


@pytest.mark.parametrize(
    ("hypothesis", "reference", "parameters", "rate"),
    [
        ("1230", "1280", {}, Fraction(1, 4)),
        ("axcd", "abc", {}, Fraction(2, 3)),
        ("axyz", "a", {}, 3),
        ("a x y", "a", {}, 4),
        ("a x y", "a", {"spaces": "removed"}, 2),
        (" ab ", "ab", {}, 1),
        (" ab ", "ab", {"strip": True}, 0),
        (["a", "b"], ["a b"], {}, 0),
        ("e\u0301", "\u00e9", {}, 2),
        ("e\u0301", "\u00e9", {"unit": "grapheme"}, 1),
        ("e\u0301x", "\u00e9y", {"unit": "grapheme", "unicode_form": "NFC"}, Fraction(1, 2)),
        ("AB", "ab", {"transforms": ["lowercase"]}, 0),
        ("refunds within thirty", "refunds within thirty days", {}, Fraction(5, 26)),
        ("b1 b2 a1 a2", "a1 a2 b1 b2", {}, Fraction(4, 11)),
    ],
)
def test_cer(hypothesis: Any, reference: Any, parameters: Any, rate: Fraction) -> None:
    assert same(cer([hypothesis], [[reference]], **parameters)["rate"], rate)


@pytest.mark.parametrize(
    ("convention", "two", "none"),
    [
        ("undefined", math.nan, math.nan),
        ("insertion-count", 2, 0),
        ("zero", 0, 0),
        ("one", 1, 0),
        ("infinity", math.inf, math.nan),
    ],
)
def test_empty_references_are_by_convention(convention: str, two: float, none: float) -> None:
    inserted = wer(["x y"], [[""]], empty_reference=convention)
    assert inserted["rate"] == pytest.approx(two, nan_ok=True)
    assert (inserted["insertions"], inserted["reference_length"]) == (2, 0)
    assert wer([""], [[""]], empty_reference=convention)["rate"] == pytest.approx(none, nan_ok=True)
    assert cer(["xy"], [[""]], empty_reference=convention)["rate"] == pytest.approx(two, nan_ok=True)


def test_an_empty_reference_beside_another_adds_its_insertions() -> None:
    assert wer(["a", "x"], [[""], ["x"]])["rate"] == 1
    assert wer(["x y", "a"], [[""], ["a"]])["rate"] == 2


@pytest.mark.parametrize(("rule", "rate"), [("pooled", Fraction(1, 5)), ("mean", Fraction(1, 2))])
def test_corpus(rule: str, rate: Fraction) -> None:
    assert same(wer(["x", "b c d e"], [["a"], ["b c d e"]], aggregation=rule)["rate"], rate)
    assert same(cer(["x", "bcde"], [["a"], ["bcde"]], aggregation=rule)["rate"], rate)


def test_segments_joined_before_they_are_aligned() -> None:
    """One deletion and one insertion line by line; joined the words are the same."""
    broken = (["a", "b c d"], [["a b"], ["c d"]])
    assert wer(*broken)["rate"] == 1 / 2
    assert wer(*broken, aggregation="joined")["errors"] == 0
    assert wer(["a", "b"], [["a", "x"], ["c", "y"]], aggregation="joined")["rate"] == 1 / 2
    assert wer([], [], aggregation="joined", empty_reference="zero")["rate"] == 0
    with pytest.raises(ValueError, match="unlike numbers of references"):
        wer(["a", "b"], [["a"], ["b", "c"]], aggregation="joined")


@pytest.mark.parametrize(
    ("rule", "rate"),
    [
        ("lowest-rate", Fraction(3, 5)),
        ("fewest-errors", 2),
        ("mean", Fraction(13, 10)),
        ("mean-length", Fraction(2, 3)),
    ],
)
def test_several_references(rule: str, rate: Fraction) -> None:
    # against "a b c d e" three deletions, against "x" one substitution and one insertion
    assert same(wer(["a b"], [["a b c d e", "x"]], multi_reference=rule)["rate"], rate)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "error", "preserved"),
    [
        ("a b", "a b", 0, 1),
        ("a x c", "a b c d", Fraction(2, 4), Fraction(2, 4) * Fraction(2, 3)),
        ("x y", "a", 1, 0),
        ("a x x", "a", Fraction(2, 3), Fraction(1, 3)),
    ],
)
def test_mer_wil_and_wip(hypothesis: str, reference: str, error: Fraction, preserved: Fraction) -> None:
    assert same(mer([hypothesis], [[reference]])["rate"], error)
    assert same(wip([hypothesis], [[reference]])["rate"], preserved)
    assert same(wil([hypothesis], [[reference]])["rate"], 1 - preserved)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "error", "preserved"), [("", "", 0, 1), ("x", "", 1, 0), ("", "x", 1, 0)]
)
def test_mer_and_wip_of_empty_sides(hypothesis: str, reference: str, error: int, preserved: int) -> None:
    both = not hypothesis and not reference
    assert mer([hypothesis], [[reference]], empty="complete")["rate"] == error
    assert wip([hypothesis], [[reference]], empty="complete")["rate"] == preserved
    assert wil([hypothesis], [[reference]], empty="complete")["rate"] == 1 - preserved
    assert math.isnan(mer([hypothesis], [[reference]])["rate"]) == both
    assert math.isnan(wip([hypothesis], [[reference]])["rate"])
    for metric, value in ((mer, error), (wip, preserved), (wil, 1 - preserved)):
        if reference:
            assert metric([hypothesis], [[reference]], empty="reference-needed")["rate"] == value
        else:
            with pytest.raises(ValueError, match="references: expected a word, found none"):
                metric([hypothesis], [[reference]], empty="reference-needed")


LINES = st.lists(st.sampled_from(["a", "b", "c", " ", "  ", "\t", "\n"]), max_size=14).map("".join)
CORPORA = st.lists(st.tuples(LINES, LINES), min_size=1, max_size=3)


@CHECKED
@given(CORPORA)
def test_rates_and_counts_are_jiwers(pairs: list[tuple[str, str]]) -> None:
    hypotheses, single = [each[0] for each in pairs], [each[1] for each in pairs]
    references = [[each] for each in single]
    theirs = jiwer.process_words(single, hypotheses)
    ours = wer(hypotheses, references, tokenizer="jiwer", empty_reference="insertion-count")
    assert same(ours["rate"], theirs.wer)
    assert (ours["substitutions"], ours["deletions"], ours["insertions"]) == (
        theirs.substitutions,
        theirs.deletions,
        theirs.insertions,
    )
    for metric, value in ((mer, theirs.mer), (wil, theirs.wil), (wip, theirs.wip)):
        assert same(metric(hypotheses, references, tokenizer="jiwer", empty="complete")["rate"], value)
    characters = jiwer.process_characters(single, hypotheses)
    found = cer(hypotheses, references, strip=True, empty_reference="insertion-count")
    assert same(found["rate"], characters.cer)
    assert (found["substitutions"], found["deletions"]) == (characters.substitutions, characters.deletions)


@CHECKED
@given(st.lists(st.sampled_from("abc"), max_size=9), st.lists(st.sampled_from("abc"), max_size=9))
def test_laws_of_the_counts(reference: list[str], hypothesis: list[str]) -> None:
    for costs in ("unit", "sclite"):
        found = count(reference, hypothesis, costs)
        assert found.reference == len(reference)
        assert found.hypothesis == len(hypothesis)
        assert found.errors >= count(reference, hypothesis).errors
    swapped = count(hypothesis, reference)
    assert swapped.errors == count(reference, hypothesis).errors


@pytest.mark.parametrize(
    ("references", "parameters", "kind", "message"),
    [
        (["a"], {}, TypeError, "segment 1: expected a list of references"),
        ([["a"], ["b"]], {}, ValueError, "1 hypotheses, but references for 2 segments"),
        ([[]], {}, ValueError, "segment 1: expected at least one reference"),
        ([["a"]], {"transforms": "lowercase"}, TypeError, "transforms: expected a list of names"),
        ([["a"]], {"transforms": ["stem"]}, ValueError, "transforms: expected one of lowercase"),
        ([["a"]], {"tokenizer": "13a"}, ValueError, "tokenizer: expected one of whitespace, jiwer"),
        ([["a"]], {"alignment": "none"}, ValueError, "alignment: expected one of unit, sclite"),
        ([["a"]], {"empty_reference": "nan"}, ValueError, "empty_reference: expected one of undefined"),
        ([["a"]], {"multi_reference": "best"}, ValueError, "multi_reference: expected one of lowest-rate"),
    ],
)
def test_bad_input_is_refused(references: Any, parameters: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        wer(["a"], references, **parameters)
