"""What the ROUGE measures share: several references, segments, F and empty sides, by hand; and their words."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from conformance.reference.rouge import Counts, Rules, Scores, f_measure
from conformance.reference.rouge_text import check, words

# The unigrams of `a b c d` against `a b c d e f g h`, `a b e` and `x y z`: recalls 1/2, 2/3, 0, precisions 1, 1/2, 0,
# F1s 2/3, 4/7, 0.
THREE = [Counts(4, 4, 8), Counts(2, 4, 3), Counts(0, 4, 3)]


def rules(multi_reference: str = "pooled", **given: Any) -> Rules:
    return Rules(
        **{"beta": 1, "aggregation": "mean", "empty": "undefined", **given, "multi_reference": multi_reference}
    )


def same(found: float, expected: float | Fraction) -> bool:
    return math.isclose(found, float(expected), rel_tol=1e-12)


@pytest.mark.parametrize(
    ("rule", "counts", "recall", "precision", "f1"),
    [
        ("pooled", (6, 12, 14), Fraction(3, 7), Fraction(1, 2), Fraction(6, 13)),
        ("best-recall", (2, 4, 3), Fraction(2, 3), Fraction(1, 2), Fraction(4, 7)),
        ("best-f1", (4, 4, 8), Fraction(1, 2), 1, Fraction(2, 3)),
        ("best-each", (6, 12, 14), Fraction(2, 3), 1, Fraction(4, 5)),
        ("mean", (6, 12, 14), Fraction(7, 18), Fraction(1, 2), Fraction(26, 63)),
        # Leaving out the first or the third leaves the second the best, leaving that out the first.
        ("jackknife", (6, 12, 14), Fraction(11, 18), Fraction(2, 3), Fraction(38, 63)),
    ],
)
def test_each_rule_for_several_references(rule: str, counts: Any, recall: Any, precision: Any, f1: Any) -> None:
    found, scores = rules(rule).segment(THREE)
    assert found == counts
    assert same(scores.recall, recall)
    assert same(scores.precision, precision)
    assert same(scores.f1, f1)


def test_a_tie_goes_to_the_first_reference() -> None:
    tied = [Counts(2, 2, 4), Counts(1, 2, 1)]
    assert rules("best-f1").segment(tied)[1] == rules().pair(tied[0])
    assert rules("best-f1").segment(tied[::-1])[1] == rules().pair(tied[1])


@pytest.mark.parametrize("rule", ["pooled", "best-recall", "best-f1", "best-each", "mean"])
def test_a_single_reference_leaves_nothing_to_choose(rule: str) -> None:
    assert rules(rule).segment([Counts(2, 2, 3)])[1] == Scores(2 / 3, 1.0, 0.8, 0.8)


def test_the_jackknife_of_one_reference_is_undefined_and_of_two_the_mean() -> None:
    assert all(math.isnan(each) for each in rules("jackknife").segment([Counts(2, 2, 3)])[1])
    two = [Counts(2, 2, 4), Counts(2, 2, 2)]
    assert same(rules("jackknife").segment(two)[1].recall, Fraction(3, 4))
    assert rules("jackknife").segment(two)[1] == rules("mean").segment(two)[1]


def test_a_corpus_is_the_mean_of_its_segments_or_their_pooled_counts() -> None:
    segments = [[Counts(1, 1, 1)], [Counts(1, 4, 2)]]
    averaged = rules().corpus(segments)
    assert (averaged["recall"], averaged["precision"]) == (0.75, 0.625)
    assert (averaged["matches"], averaged["hypothesis_total"], averaged["reference_total"]) == (2, 5, 3)
    pooled = rules(aggregation="pooled").corpus(segments)
    assert (pooled["recall"], pooled["precision"], pooled["f1"]) == (2 / 3, 0.4, 0.5)
    with pytest.raises(ValueError, match="at least one segment"):
        rules().corpus([])


def test_f_weighs_recall_by_beta_and_alpha_is_the_same_by_another_name() -> None:
    assert f_measure(0.5, 1, 1) == f_measure(1, 0.5, 1) == 2 / 3
    assert same(f_measure(0.5, 1, 2), Fraction(5, 9))
    assert f_measure(0, 0, 1) == 0
    assert f_measure(0.3, 0.9, 0) == pytest.approx(0.9)
    # alpha = 0.9 with P = 1 and R = 3/5: P R / ((1 - alpha) P + alpha R) = 15/16, and beta is 1/3.
    assert same(rules(beta=1 / 3).pair(Counts(3, 3, 5)).f_beta, Fraction(15, 16))


NAN = math.nan


@pytest.mark.parametrize(
    ("empty", "both", "no_hypothesis", "no_reference"),
    [
        ("undefined", (NAN, NAN, NAN), (0, NAN, 0), (NAN, 0, 0)),
        ("zero", (0, 0, 0), (0, 0, 0), (0, 0, 0)),
        ("one-if-both", (1, 1, 1), (0, 0, 0), (0, 0, 0)),
    ],
)
def test_empty_sides(empty: str, both: Any, no_hypothesis: Any, no_reference: Any) -> None:
    for counts, expected in (((0, 0, 0), both), ((0, 0, 2), no_hypothesis), ((0, 2, 0), no_reference)):
        assert rules(empty=empty).pair(Counts(*counts))[:3] == pytest.approx(expected, nan_ok=True)


def test_an_empty_side_can_be_an_error() -> None:
    with pytest.raises(ValueError, match="units on both sides"):
        rules(empty="error").pair(Counts(0, 2, 0))


def test_a_share_of_counts_may_be_another_than_their_ratio() -> None:
    root = rules(share=lambda part, whole: math.sqrt(part / whole))
    assert root.pair(Counts(4, 16, 4))[:2] == (1.0, 0.5)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"multi_reference": "worst"}, ValueError),
        ({"beta": -1}, ValueError),
        ({"beta": True}, TypeError),
        ({"beta": "large"}, TypeError),
        ({"aggregation": "sum"}, ValueError),
        ({"empty": "one"}, ValueError),
        ({"multi_reference": "jackknife", "aggregation": "pooled"}, ValueError),
    ],
)
def test_other_parameters_are_refused(given: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        rules(**given)


@pytest.mark.parametrize(
    ("tokenizer", "stemming", "found"),
    [
        ("whitespace", "none", ["The", "Running-dogs,", "42%", "caf\u00e9", "\u212a"]),
        # The Kelvin sign becomes k where Unicode is lower-cased, and nothing where only ASCII is.
        ("rouge-score", "none", ["the", "running", "dogs", "42", "caf", "k"]),
        ("rouge-1.5.5", "none", ["the", "running", "dogs", "42", "caf"]),
        ("rouge-score", "porter-nltk", ["the", "run", "dog", "42", "caf", "k"]),
    ],
)
def test_words(tokenizer: str, stemming: str, found: list[str]) -> None:
    assert words("The Running-dogs, 42% caf\u00e9 \u212a", tokenizer, stemming) == found


def test_words_of_three_characters_and_explicit_tokens() -> None:
    assert words("was ties flies", stemming="porter-martin") == ["was", "ti", "fli"]
    assert words(["The cat", "sat"], "rouge-score") == ["The cat", "sat"]
    for wrong in (("13a", "none"), ("whitespace", "snowball")):
        with pytest.raises(ValueError, match="expected one of"):
            check(*wrong)
