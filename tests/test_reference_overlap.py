"""Exact match, token overlap, Jaccard and Dice of the reference, against their definitions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.reference.overlap import dice, exact_match, jaccard, token_overlap

WORDS = st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join)
FILLED = st.lists(st.sampled_from("abcd"), min_size=1, max_size=7).map(" ".join)
CHECKED = settings(max_examples=150, deadline=None, derandomize=True)


def same(found: float, expected: float | Fraction) -> bool:
    return math.isclose(found, float(expected), rel_tol=1e-12, abs_tol=1e-15)


@pytest.mark.parametrize(
    ("hypothesis", "references", "parameters", "score"),
    [
        ("42", ["42"], {}, 1),
        ("42.0", ["42"], {}, 0),
        ("a", ["a b"], {}, 0),
        ("cat", ["dog", "cat"], {}, 1),
        ("cat", ["dog", "cat"], {"multi_reference": "mean"}, Fraction(1, 2)),
        ("the cat", ["cat"], {"normalizer": "squad"}, 1),
        ("a", ["the"], {"normalizer": "squad"}, 1),
        ("", [], {"no_references": "empty-text"}, 1),
        ("x", [], {"no_references": "empty-text"}, 0),
        (["a", "b"], ["a b"], {}, 1),
    ],
)
def test_exact_match(hypothesis: Any, references: list[Any], parameters: Any, score: Fraction) -> None:
    assert exact_match([hypothesis], [references], **parameters) == {"score": float(score)}


def test_exact_match_of_a_corpus_gives_each_segment_the_same_weight() -> None:
    outputs, references = ["x", "y", "b c d e f"], [["x"], ["z"], ["b c d e f"]]
    assert same(exact_match(outputs, references)["score"], Fraction(2, 3))


@pytest.mark.parametrize(
    ("hypothesis", "reference", "matches", "precision", "recall", "f1"),
    [
        ("a x", "a b c", 1, Fraction(1, 2), Fraction(1, 3), Fraction(2, 5)),
        ("a a b c", "a b b d", 2, Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)),
        ("the " * 10, "the cat", 1, Fraction(1, 10), Fraction(1, 2), Fraction(1, 6)),
        ("a b x y", "a b c", 2, Fraction(2, 4), Fraction(2, 3), Fraction(4, 7)),
        ("big red red dog", "red dog", 2, Fraction(2, 4), 1, Fraction(2, 3)),
        ("man bites dog", "dog bites man", 3, 1, 1, 1),
        ("alpha beta beta beta", "alpha beta", 2, Fraction(1, 2), 1, Fraction(2, 3)),
        ("x", "q", 0, 0, 0, 0),
    ],
)
def test_token_overlap(
    hypothesis: str, reference: str, matches: int, precision: Fraction, recall: Fraction, f1: Fraction
) -> None:
    found = token_overlap([hypothesis], [[reference]])
    assert found["matches"] == matches
    assert same(found["precision"], precision)
    assert same(found["recall"], recall)
    assert same(found["f1"], f1)
    assert same(found["f_beta"], f1)


def test_token_overlap_counts_sets_and_longer_units() -> None:
    assert same(token_overlap(["big red red dog"], [["red dog"]], counting="set")["f1"], Fraction(4, 5))
    found = token_overlap(["a b a b"], [["a b c a b"]], order=2)
    assert (found["matches"], found["hypothesis_length"], found["reference_length"]) == (2, 3, 4)
    assert token_overlap(["ab c"], [["bac"]], tokenizer="char")["matches"] == 3


@pytest.mark.parametrize(("beta", "value"), [(2, Fraction(5, 9)), (0.5, Fraction(5, 6)), (0, 1), (1, Fraction(2, 3))])
def test_f_beta_at_precision_one_and_recall_a_half(beta: float, value: Fraction) -> None:
    assert same(token_overlap(["a"], [["a b"]], beta=beta)["f_beta"], value)


@pytest.mark.parametrize(
    ("rule", "f1"),
    [("best", Fraction(4, 7)), ("mean", Fraction(15, 28)), ("combined", Fraction(6, 8)), ("pooled", Fraction(6, 11))],
)
def test_token_overlap_with_two_references(rule: str, f1: Fraction) -> None:
    # pooled: (2 + 1) matches over (3 + 3) hypothesis and (4 + 1) reference tokens
    assert same(token_overlap(["a b c"], [["a b x y", "c"]], multi_reference=rule)["f1"], f1)


@pytest.mark.parametrize(("rule", "f1"), [("pooled", Fraction(6, 11)), ("mean", Fraction(7, 12))])
def test_token_overlap_of_a_corpus(rule: str, f1: Fraction) -> None:
    assert same(token_overlap(["q", "b c d e"], [["q r"], ["b c x y"]], aggregation=rule)["f1"], f1)


NAN = math.nan


@pytest.mark.parametrize(
    ("hypothesis", "reference", "empty", "values"),
    [
        ("", "", "undefined", (NAN, NAN, NAN)),
        ("", "a", "undefined", (NAN, 0, 0)),
        ("a", "", "undefined", (0, NAN, 0)),
        ("", "", "zero", (0, 0, 0)),
        ("", "a", "zero", (0, 0, 0)),
        ("", "", "one-if-both", (1, 1, 1)),
        ("", "a", "one-if-both", (0, 0, 0)),
        ("a", "", "one-if-both", (0, 0, 0)),
    ],
)
def test_token_overlap_of_empty_sides(
    hypothesis: str, reference: str, empty: str, values: tuple[float, float, float]
) -> None:
    found = token_overlap([hypothesis], [[reference]], empty=empty)
    assert [found[name] for name in ("precision", "recall", "f1")] == pytest.approx(values, nan_ok=True)


def test_f_without_a_match() -> None:
    assert token_overlap(["x"], [["a"]])["f1"] == 0
    assert math.isnan(token_overlap(["x"], [["a"]], no_match_f="undefined")["f1"])


def test_squad_scores_after_normalization() -> None:
    assert token_overlap(["The U.S. Army!"], [["US army"]], normalizer="squad", empty="one-if-both")["f1"] == 1
    assert token_overlap(["a"], [["the"]], normalizer="squad", empty="one-if-both")["f1"] == 1
    assert token_overlap(["a"], [["the"]], normalizer="squad", empty="zero")["f1"] == 0
    assert same(token_overlap(["a x b y c"], [["a b c"]], normalizer="squad")["f1"], Fraction(2, 3))


@pytest.mark.parametrize(
    ("hypothesis", "reference", "counting", "jaccard_score", "dice_score"),
    [
        ("x x y z", "x y y", "multiset", Fraction(2, 5), Fraction(4, 7)),
        ("x x y z", "x y y", "set", Fraction(2, 3), Fraction(4, 5)),
        ("a a b", "a b b", "multiset", Fraction(2, 4), Fraction(4, 6)),
        ("a a b", "a b b", "set", 1, 1),
        ("a b c", "b c d", "multiset", Fraction(2, 4), Fraction(2, 3)),
        ("a x y", "a", "multiset", Fraction(1, 3), Fraction(1, 2)),
        ("", "a", "multiset", 0, 0),
    ],
)
def test_jaccard_and_dice(
    hypothesis: str, reference: str, counting: str, jaccard_score: Fraction, dice_score: Fraction
) -> None:
    assert same(jaccard([hypothesis], [[reference]], counting=counting)["score"], jaccard_score)
    assert same(dice([hypothesis], [[reference]], counting=counting)["score"], dice_score)


def test_jaccard_and_dice_of_characters_and_several_references() -> None:
    assert same(jaccard(["ab"], [["abc"]], elements="characters")["score"], Fraction(2, 3))
    both: list[Sequence[str]] = [["a b", "c"]]
    assert same(jaccard(["a c"], both)["score"], Fraction(1, 2))
    assert same(jaccard(["a c"], both, multi_reference="mean")["score"], Fraction(5, 12))
    assert same(jaccard(["a c"], both, multi_reference="combined")["score"], Fraction(2, 3))


@pytest.mark.parametrize(("convention", "value"), [("undefined", NAN), ("one", 1), ("zero", 0)])
def test_two_empty_sides_are_by_convention(convention: str, value: float) -> None:
    for metric in (jaccard, dice):
        assert metric([""], [[""]], both_empty=convention)["score"] == pytest.approx(value, nan_ok=True)


@CHECKED
@given(FILLED, FILLED)
def test_laws_of_one_pair(a: str, b: str) -> None:
    one, other = token_overlap([a], [[b]]), token_overlap([b], [[a]])
    assert one["precision"] == other["recall"]
    assert one["f1"] == other["f1"]
    assert min(one["precision"], one["recall"]) <= one["f1"] + 1e-12
    assert one["f1"] <= max(one["precision"], one["recall"]) + 1e-12
    assert same(dice([a], [[b]])["score"], one["f1"])
    ratio = jaccard([a], [[b]])["score"]
    assert ratio == jaccard([b], [[a]])["score"]
    assert same(dice([a], [[b]])["score"], 2 * ratio / (1 + ratio))
    assert token_overlap([" ".join(sorted(a.split()))], [[b]]) == one
    assert exact_match([a], [[b]])["score"] == float(a == b)


@CHECKED
@given(WORDS, WORDS, FILLED)
def test_repeating_a_token_adds_no_match_beyond_the_reference(a: str, more: str, b: str) -> None:
    longer = token_overlap([f"{a} {more}"], [[b]])
    assert token_overlap([a], [[b]])["matches"] <= longer["matches"] <= len(b.split())


@pytest.mark.parametrize(
    ("hypotheses", "references", "parameters", "kind", "message"),
    [
        ("a", [["a"]], {}, TypeError, "hypotheses: expected a list"),
        (["a"], ["a"], {}, TypeError, "segment 1: expected a list of references"),
        (["a"], [["a"], ["b"]], {}, ValueError, "1 hypotheses, but references for 2 segments"),
        ([1], [["a"]], {}, TypeError, "hypothesis 1: expected text or a list of tokens"),
        (["a"], [[None]], {}, TypeError, "a reference of segment 1"),
        (["a"], [[]], {}, ValueError, "segment 1: expected at least one reference"),
        ([], [], {}, ValueError, "at least one segment"),
        (["a"], [["a"]], {"order": 0}, ValueError, "order: expected an integer from 1 to 100, found 0"),
        (["a"], [["a"]], {"order": True}, TypeError, "order: expected an integer"),
        (["a"], [["a"]], {"order": "2"}, TypeError, "order: expected an integer"),
        (["a"], [["a"]], {"beta": -1}, ValueError, "beta: expected a finite number from 0"),
        (["a"], [["a"]], {"counting": "bag"}, ValueError, "counting: expected one of multiset, set"),
        (["a"], [["a"]], {"normalizer": "x"}, ValueError, "normalizer: expected one of none, squad"),
    ],
)
def test_bad_input_is_refused(
    hypotheses: Any, references: Any, parameters: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        token_overlap(hypotheses, references, **parameters)
