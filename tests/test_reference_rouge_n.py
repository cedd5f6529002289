"""ROUGE-N, ROUGE-S and ROUGE-SU of the reference, against counts by hand and against plain enumeration."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.reference.derivations import rouge_n as shown
from conformance.reference.rouge_n import rouge_n
from conformance.reference.rouge_skip import rouge_s, rouge_su

WORDS = st.lists(st.sampled_from("abc"), max_size=7)
CHECKED = settings(max_examples=150, deadline=None, derandomize=True)


def same(found: float, expected: float | Fraction) -> bool:
    return math.isclose(found, float(expected), rel_tol=1e-12)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "order", "matches", "own", "other"),
    [
        ("police kill the gunman", "police killed the gunman", 1, 3, 4, 4),
        ("police kill the gunman", "police killed the gunman", 2, 1, 3, 3),
        ("a a a a", "a b", 1, 1, 4, 2),
        ("a a a", "a a b", 2, 1, 2, 2),
        ("a b c d", "a b c x", 3, 1, 2, 2),
        ("x y", "a b", 1, 0, 2, 2),
        ("the the the the", "the the", 1, 2, 4, 2),
        ("b1 b2 a1 a2", "a1 a2 b1 b2", 2, 2, 3, 3),
    ],
)
def test_ngrams_are_clipped_and_counted(
    hypothesis: str, reference: str, order: int, matches: int, own: int, other: int
) -> None:
    found = rouge_n([hypothesis], [[reference]], order=order)
    assert (found["matches"], found["hypothesis_total"], found["reference_total"]) == (matches, own, other)
    assert same(found["recall"], Fraction(matches, other))
    assert same(found["precision"], Fraction(matches, own))
    assert same(found["f1"], Fraction(2 * matches, own + other))
    assert found["f_beta"] == found["f1"]


def test_a_set_has_each_ngram_once() -> None:
    """row and your of row row your against row your boat: both different words of two, two of three."""
    found = rouge_n(["row row your"], [["row your boat"]], counting="set")
    assert (found["matches"], found["hypothesis_total"], found["reference_total"]) == (2, 2, 3)
    assert (found["precision"], found["recall"]) == (1, 2 / 3)
    assert rouge_n(["row row your"], [["row your boat"]])["precision"] == 2 / 3


@pytest.mark.parametrize(
    ("hypothesis", "expected"),
    [
        # Lin's sentences, each with six pairs: three match (and one does), one, two, none.
        ("police kill the gunman", Fraction(1, 2)),
        ("the gunman kill police", Fraction(1, 6)),
        ("the gunman police killed", Fraction(1, 3)),
        ("gunman the killed police", 0),
    ],
)
def test_skip_bigrams_see_order_at_any_distance(hypothesis: str, expected: Fraction) -> None:
    found = rouge_s([hypothesis], [["police killed the gunman"]])
    assert same(found["f1"], expected)
    assert found["hypothesis_total"] == found["reference_total"] == 6


@pytest.mark.parametrize(
    ("max_gap", "expected"), [(0, Fraction(1, 3)), (1, Fraction(2, 5)), (2, Fraction(1, 2)), (9, Fraction(1, 2))]
)
def test_the_gap_counts_the_words_between(max_gap: int, expected: Fraction) -> None:
    assert same(rouge_s(["police kill the gunman"], [["police killed the gunman"]], max_gap=max_gap)["f1"], expected)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "given", "expected"),
    [
        ("police kill the gunman", "police killed the gunman", {}, Fraction(3, 5)),
        ("police kill the gunman", "police killed the gunman", {"unigrams": "all-but-last"}, Fraction(5, 9)),
        ("gunman the killed police", "police killed the gunman", {"unigrams": "all-but-last"}, Fraction(2, 9)),
        ("police", "police", {}, 1),
        ("police", "police", {"unigrams": "marker"}, 1),
        # Seven words have 20 pairs within a gap of four, 15 of them shared; with the marker 25, 19 of them.
        ("a b c d e f g", "g a b c d e f", {"max_gap": 4}, Fraction(22, 27)),
        ("a b c d e f g", "g a b c d e f", {"max_gap": 4, "unigrams": "marker"}, Fraction(19, 25)),
        ("a b c d e f g", "g a b c d e f", {"max_gap": 4, "unigrams": "all-but-last"}, Fraction(20, 26)),
    ],
)
def test_words_beside_pairs(hypothesis: str, reference: str, given: dict[str, Any], expected: Fraction) -> None:
    assert same(rouge_su([hypothesis], [[reference]], **given)["f1"], expected)


def test_without_a_unit_the_ratios_are_by_convention() -> None:
    assert math.isnan(rouge_n(["a"], [["a"]], order=2)["recall"])
    assert math.isnan(rouge_s(["a"], [["a"]])["f1"])
    assert rouge_su(["a"], [["a"]], unigrams="all-but-last", empty="zero")["f1"] == 0
    found = rouge_n(["a b"], [["a b c"]], order=3, empty="zero")
    assert (found["recall"], found["precision"], found["reference_total"]) == (0, 0, 1)


def test_words_are_made_by_the_named_tokenizer_and_stemmer() -> None:
    assert rouge_n(["The DOGS!"], [["the dogs"]], tokenizer="rouge-score")["f1"] == 1
    assert rouge_n(["the dogs ran"], [["the dog ran"]])["matches"] == 2
    assert rouge_s(["the dogs ran"], [["the dog ran"]], stemming="porter-nltk")["recall"] == 1


def pairs(words: list[str], max_gap: int) -> list[tuple[str, str]]:
    """Skip-bigrams as defined, position by position."""
    places = range(len(words))
    return [(words[i], words[j]) for i in places for j in places if i < j <= i + max_gap + 1]


def common(left: list[Any], right: list[Any]) -> int:
    """Matches as a person strikes them out: each unit of the one side takes one equal unit of the other."""
    open_ = list(right)
    struck = 0
    for unit in left:
        if unit in open_:
            open_.remove(unit)
            struck += 1
    return struck


@CHECKED
@given(WORDS, WORDS, st.integers(0, 8))
def test_skip_bigrams_are_those_of_the_definition(own: list[str], other: list[str], max_gap: int) -> None:
    left, right = pairs(own, max_gap), pairs(other, max_gap)
    found = rouge_s([own], [[other]], max_gap=max_gap)
    assert (found["matches"], found["hypothesis_total"], found["reference_total"]) == (
        common(left, right),
        len(left),
        len(right),
    )
    added = rouge_su([own], [[other]], max_gap=max_gap)
    assert added["matches"] == found["matches"] + rouge_n([own], [[other]])["matches"]


@CHECKED
@given(WORDS, WORDS)
def test_a_gap_of_zero_is_rouge_2(own: list[str], other: list[str]) -> None:
    assert rouge_s([own], [[other]], max_gap=0, empty="zero") == rouge_n([own], [[other]], order=2, empty="zero")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"order": 0}, ValueError),
        ({"order": 1.0}, TypeError),
        ({"order": True}, TypeError),
        ({"tokenizer": "13a"}, ValueError),
        ({"multi_reference": "worst"}, ValueError),
    ],
)
def test_rouge_n_refuses_other_parameters(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        rouge_n(["a"], [["a"]], **arguments)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [({"max_gap": -1}, ValueError), ({"max_gap": "none"}, TypeError), ({"unigrams": "first"}, ValueError)],
)
def test_rouge_su_refuses_other_parameters(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        rouge_su(["a"], [["a"]], **arguments)


@pytest.mark.parametrize("metric", [rouge_n, rouge_s, rouge_su])
def test_input_of_another_shape_is_refused(metric: Any) -> None:
    for hypotheses, references, error in (
        ("a", [["a"]], TypeError),
        (["a"], ["a"], TypeError),
        (["a"], [["a"], ["b"]], ValueError),
        (["a"], [[]], ValueError),
        ([], [], ValueError),
    ):
        with pytest.raises(error):
            metric(hypotheses, references)


def test_it_is_worked_out_as_on_paper() -> None:
    lines = shown.rouge_n(["the cat the cat sat"], [["the cat sat down", "the cat"]], order=2)
    assert [line[:2] for line in lines] == [
        ("hypothesis", "the cat x2, cat the, cat sat"),
        ("reference 1", "the cat, cat sat, sat down"),
        ("matches 1", "the cat, cat sat"),
        ("reference 2", "the cat"),
        ("matches 2", "the cat"),
        ("references", "matches and units summed over the references"),
        ("recall", "3/4"),
        ("precision", "3/8"),
        ("f1", "2*3/(8 + 4)"),
    ]
    marked = shown.rouge_su(["a b"], [["b a"]], unigrams="marker")
    assert marked[0] == ("hypothesis", "^ a, ^ b, a b", 3)
    assert marked[2] == ("matches", "^ a, ^ b", 2)
    assert shown.rouge_s(["a b c"], [["a c"]], max_gap=1, beta=2)[-1][:2] == ("f_beta", "F with beta 2")


def test_a_corpus_is_shown_by_its_segments() -> None:
    averaged = shown.rouge_n(["a", "a x"], [["a"], ["a b"]])
    assert averaged[1][:2] == ("segment 2", "recall 0.5, precision 0.5")
    assert averaged[3] == ("recall", "mean", 0.75)
    pooled = shown.rouge_n(["a", "a x"], [["a"], ["a b"]], aggregation="pooled")
    assert [line[:2] for line in pooled[:2]] == [("segments", "matches and units summed over them"), ("recall", "2/3")]
