"""chrF of the reference, against counts that were worked out by hand and against counting without shortcuts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.reference.chrf import chrf, matches, runs, words
from conformance.reference.derivations import chrf as shown

TEXTS = st.text("ab .", max_size=9)
FILLED = st.text("ab.", min_size=1, max_size=9)
CHECKED = settings(max_examples=150, deadline=None, derandomize=True)
PER_ORDER = {"average": "f", "missing_orders": "zero"}


def same(found: float, expected: float | Fraction) -> bool:
    return math.isclose(found, float(expected), rel_tol=1e-12, abs_tol=1e-17)


def score(hypothesis: Any, *references: Any, **parameters: Any) -> float:
    return float(chrf([hypothesis], [list(references)], **parameters)["score"])


def test_the_parts_of_a_score() -> None:
    """abcd against ab: 2 of 4 characters and 1 of 3 pairs are right, and nothing is missing."""
    found = chrf(["abcd"], [["ab"]], char_order=2)
    assert found["matches"] == [2, 1]
    assert found["hypothesis_totals"] == [4, 3]
    assert found["reference_totals"] == [2, 1]
    assert same(found["precision"], Fraction(5, 12))
    assert found["recall"] == 1
    assert same(found["score"], Fraction(25, 32))


@pytest.mark.parametrize(
    ("hypothesis", "reference", "order", "mean_first", "f_first"),
    [
        ("abcd", "ab", 2, Fraction(25, 32), (Fraction(5, 6) + Fraction(5, 7)) / 2),
        ("ab", "abcd", 2, Fraction(25, 53), (Fraction(5, 9) + Fraction(5, 13)) / 2),
        ("abxd", "abcd", 2, Fraction(13, 24), Fraction(13, 24)),
        ("xyz", "abc", 3, 0, 0),
        ("abc", "abc", 3, 1, 1),
    ],
)
def test_f_of_means_and_mean_of_f(
    hypothesis: str, reference: str, order: int, mean_first: Fraction, f_first: Fraction
) -> None:
    assert same(score(hypothesis, reference, char_order=order), mean_first)
    assert same(score(hypothesis, reference, char_order=order, average="f"), f_first)


@pytest.mark.parametrize(
    ("beta", "value"), [(0, Fraction(5, 12)), (0.5, Fraction(25, 53)), (1, Fraction(10, 17)), (3, Fraction(50, 57))]
)
def test_beta_at_precision_five_twelfths_and_recall_one(beta: float, value: Fraction) -> None:
    assert same(score("abcd", "ab", char_order=2, beta=beta), value)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "value"),
    [
        ("the cat sat", "the dog sat", (Fraction(6, 9) + Fraction(4, 8) + Fraction(2, 7) + Fraction(2, 3)) / 8),
        ("therapist", "the rapist", Fraction(6, 7)),
        ("ab", "ab", 1),
    ],
)
def test_words_are_further_orders(hypothesis: str, reference: str, value: Fraction) -> None:
    assert same(score(hypothesis, reference, word_order=2), value)


def test_only_the_longer_orders() -> None:
    """Pairs 2 of 3 and 2 of 4, triples 1 of 2 and 1 of 3; single characters are left out."""
    found = chrf(["abcx"], [["abcde"]], min_char_order=2, char_order=3)
    assert found["matches"] == [2, 1]
    assert same(found["precision"], Fraction(7, 12))
    assert same(found["recall"], Fraction(5, 12))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("hi.", ["hi", "."]),
        ('"hi', ['"', "hi"]),
        ("(hi)", ["(hi", ")"]),
        ("hi...", ["hi..", "."]),
        (". don't", [".", "don't"]),
        ("\u00abhi\u00bb", ["\u00abhi\u00bb"]),
        (" a\tb\n", ["a", "b"]),
        ("", []),
    ],
)
def test_one_mark_leaves_its_word(text: str, parts: list[str]) -> None:
    assert words(text) == parts
    assert words(text, "whitespace") == text.split()


@pytest.mark.parametrize(
    ("convention", "equal", "longer"),
    [
        ("left-out", 1, Fraction(25, 32)),
        ("left-out-if-both", 1, Fraction(25, 64)),
        ("zero", Fraction(1, 3), Fraction(25, 96)),
        ("epsilon", Fraction(1, 3), Fraction(25, 96)),
        ("epsilon-per-order", Fraction(1, 3), Fraction(25, 96)),
    ],
)
def test_orders_that_a_side_lacks(convention: str, equal: Fraction, longer: Fraction) -> None:
    """ab has two of six orders, abcd four; P is (1/2 + 1/3)/k and R 2/k for k orders that count."""
    assert same(score("ab", "ab", missing_orders=convention), equal)
    assert math.isclose(score("abcd", "ab", missing_orders=convention), longer, rel_tol=1e-12)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "epsilons", "nltk"),
    [("", "", 6, 6), ("", "abc", 3, 6), ("abc", "", 3, 6), ("ab", "cd", 6, 6)],
)
def test_epsilons(hypothesis: str, reference: str, epsilons: int, nltk: int) -> None:
    """So many of six orders are 1e-16; those where one ratio is a true zero are zero by `epsilon`."""
    assert same(score(hypothesis, reference, average="f", missing_orders="epsilon"), epsilons * 1e-16 / 6)
    assert same(score(hypothesis, reference, average="f", missing_orders="epsilon-per-order"), nltk * 1e-16 / 6)
    assert score(hypothesis, reference) == 0


@pytest.mark.parametrize(("convention", "value"), [("no-match", 0), ("one", 1), ("undefined", math.nan)])
def test_two_texts_without_ngrams(convention: str, value: float) -> None:
    assert score("", " ", both_empty=convention) == pytest.approx(value, nan_ok=True)
    assert score("", "a", both_empty=convention) == 0
    assert score("a", "", "a", both_empty=convention) == 1


def test_white_space() -> None:
    half = Fraction(5, 11)  # all of ab, none of its pair: P (2/3 + 0)/2, R (1 + 0)/2
    for character in "\t\n\u00a0\u3000":
        assert score(f"a{character}b", "ab", char_order=2) == 1
        assert same(score(f"a{character}b", "ab", char_order=2, whitespace="spaces-removed"), half)
    assert same(score("a b", "ab", char_order=2, whitespace="kept"), half)
    assert score("a b", "ab", char_order=2, whitespace="spaces-removed") == 1
    assert score("\tab\u3000", "ab", char_order=2, whitespace="spaces-removed") == 1
    assert same(score("a\u200bb", "ab", char_order=2), half)


def test_what_a_character_is() -> None:
    assert same(score("a\u672c", "a\u6728", char_order=1), Fraction(1, 2))
    assert same(score("a\u672c", "a\u6728", char_order=1, unit="byte"), Fraction(3, 4))
    assert same(score("e\u0301", "e", char_order=1), Fraction(5, 6))
    assert score("e\u0301", "e", char_order=1, unit="grapheme") == 0
    assert score("e\u0301", "\u00e9", unicode_form="NFC") == 1
    assert score("AB", "ab") == 0
    assert score("AB", "ab", lowercase=True) == 1
    assert score("\ud800", "\ud800", unit="byte") == 1


def test_tokens_are_joined_by_spaces() -> None:
    assert chrf([["ab", "c."]], [[["ab c", "."]]], word_order=2, whitespace="kept") == chrf(
        ["ab c."], [["ab c ."]], word_order=2, whitespace="kept"
    )


def test_the_best_reference_counts_whole() -> None:
    assert same(score("a b c", "a b x", "y b c"), Fraction(7, 18))
    assert score("ab", "ax", "ab", "cd") == 1
    assert score("ab", None, "ab") == 1
    assert score("ab", "") == 0


@pytest.mark.parametrize(
    ("references", "first", "last"),
    [(["a", "abx"], Fraction(5, 14), Fraction(5, 12)), (["abx", "a"], Fraction(5, 12), Fraction(5, 14))],
)
def test_a_tie_changes_the_pooled_counts(references: list[str], first: Fraction, last: Fraction) -> None:
    """Both give abcd 5/8, with 1 match of 1 and 2 of 3; zzzz adds 1 match and 4 characters on either side."""
    for tie, value in (("first", first), ("last", last)):
        found = chrf(["abcd", "zzzz"], [references, ["zyyy"]], char_order=1, reference_tie=tie)
        assert same(found["score"], value)


def test_segments_are_pooled_or_averaged() -> None:
    """abcd is right; x against yz shares nothing, has one character and no pair."""
    hypotheses, references = ["abcd", "x"], [["abcd"], ["yz"]]
    pooled = chrf(hypotheses, references)
    assert pooled["matches"] == [4, 3, 2, 1, 0, 0]
    assert pooled["hypothesis_totals"] == [5, 3, 2, 1, 0, 0]
    assert pooled["reference_totals"] == [6, 4, 2, 1, 0, 0]
    assert same(pooled["score"], Fraction(3895, 4468))
    averaged = chrf(hypotheses, references, aggregation="mean")
    assert averaged["score"] == 1 / 2
    assert averaged["matches"] == pooled["matches"]


def test_ngrams_of_orders_that_the_reference_lacks() -> None:
    hypotheses, references = ["abcd", "abc"], [["ab"], ["abc"]]
    assert same(chrf(hypotheses, references, char_order=3)["score"], Fraction(865, 1007))
    dropped = chrf(hypotheses, references, char_order=3, orders_without_reference="dropped")
    assert dropped["hypothesis_totals"] == [7, 5, 1]
    assert same(dropped["score"], Fraction(135, 143))


def test_the_counts_of_the_line_before() -> None:
    """The second line shares nothing; the first is counted again, as the script of 2017 does."""
    hypotheses, references = ["ab", "xy"], [["ab"], ["zw"]]
    assert same(chrf(hypotheses, references, **PER_ORDER)["score"], Fraction(1, 6))
    again = {**PER_ORDER, "unmatched_segment": "previous-again"}
    assert same(chrf(hypotheses, references, **again)["score"], Fraction(1, 3))
    assert same(chrf(hypotheses, references, aggregation="mean", **again)["score"], Fraction(1, 6))
    with pytest.raises(ValueError, match="the first segment has no match"):
        chrf(hypotheses[::-1], references[::-1], **again)


def test_a_corpus_without_segments() -> None:
    with pytest.raises(ValueError, match="at least one segment"):
        chrf([], [])
    for aggregation in ("corpus", "mean"):
        found = chrf([], [], no_cases="zero", aggregation=aggregation)
        assert found["score"] == found["precision"] == 0
        assert found["matches"] == [0] * 6


def test_runs_are_contiguous() -> None:
    assert runs("abcd", 2, 3) == [["ab", "bc", "cd"], ["abc", "bcd"]]
    assert runs("a", 1, 3) == [["a"], [], []]
    assert runs([("a",), ("b",)], 1, 2) == [[("a",), ("b",)], [("a", "b")]]


@pytest.mark.parametrize(
    ("own", "other", "count"), [("aab", "abb", 2), ("aaa", "aa", 2), ("abc", "cab", 3), ("", "a", 0), ("aa", "b", 0)]
)
def test_matches_are_the_smaller_counts(own: str, other: str, count: int) -> None:
    assert matches(own, other) == matches(other, own) == count


def slowly(hypothesis: str, reference: str, char_order: int, word_order: int, beta: int) -> tuple[Fraction, Fraction]:
    """F of means over the orders that both sides have, and the mean of F over all orders, counted one by one."""
    characters = ["".join(text.split()) for text in (hypothesis, reference)]
    sides: list[Sequence[Any]] = [*characters, words(hypothesis), words(reference)]
    factor, both, f_total = beta * beta, [], Fraction(0)
    for left, right, longest in ((*sides[:2], char_order), (*sides[2:], word_order)):
        for n in range(1, longest + 1):
            own = [tuple(left[i : i + n]) for i in range(len(left) - n + 1)]
            other = [tuple(right[i : i + n]) for i in range(len(right) - n + 1)]
            count = sum((Counter(own) & Counter(other)).values())
            if own and other:
                both.append((Fraction(count, len(own)), Fraction(count, len(other))))
            if count:
                f_total += Fraction((1 + factor) * count, factor * len(other) + len(own))
    if not any(p for p, _ in both):
        return Fraction(0), f_total
    p, r = (sum(column) / len(both) for column in zip(*both, strict=True))
    return (1 + factor) * p * r / (factor * p + r), f_total / (char_order + word_order)


@CHECKED
@given(TEXTS, TEXTS, st.integers(1, 6), st.integers(0, 2), st.integers(1, 3))
def test_against_counting_one_by_one(hypothesis: str, reference: str, nc: int, nw: int, beta: int) -> None:
    mean_first, f_first = slowly(hypothesis, reference, nc, nw, beta)
    orders = {"char_order": nc, "word_order": nw, "beta": beta}
    assert same(score(hypothesis, reference, **orders), mean_first)
    assert same(score(hypothesis, reference, **orders, **PER_ORDER), f_first)


@CHECKED
@given(FILLED, FILLED)
def test_laws_of_one_pair(a: str, b: str) -> None:
    one, other = chrf([a], [[b]]), chrf([b], [[a]])
    assert one["precision"] == other["recall"]
    assert score(a, b, beta=1) == score(b, a, beta=1)
    assert score(a, a) == score(a, b, a) == 1
    low, high = sorted((one["precision"], one["recall"]))
    assert low - 1e-12 <= one["score"] <= high + 1e-12
    assert score(a, b, average="f") <= one["score"] + 1e-12  # F is concave in the two ratios


@pytest.mark.parametrize(
    ("hypotheses", "references", "parameters", "kind", "message"),
    [
        ("a", [["a"]], {}, TypeError, "hypotheses: expected a list"),
        (["a"], ["a"], {}, TypeError, "segment 1: expected a list of references"),
        (["a"], [["a"], ["b"]], {}, ValueError, "1 hypotheses, but references for 2 segments"),
        (["a"], [[]], {}, ValueError, "segment 1: expected at least one reference"),
        (["a"], [[None]], {}, ValueError, "segment 1: expected at least one reference"),
        (["a"], [["a"]], {"char_order": 0}, ValueError, "char_order: expected an integer from 1 to 100, found 0"),
        (["a"], [["a"]], {"char_order": True}, TypeError, "char_order: expected an integer"),
        (["a"], [["a"]], {"char_order": 2, "min_char_order": 3}, ValueError, "min_char_order: .* from 1 to 2"),
        (["a"], [["a"]], {"word_order": -1}, ValueError, "word_order: expected an integer from 0 to 100"),
        (["a"], [["a"]], {"beta": -1}, ValueError, "beta: expected a finite number from 0"),
        (["a"], [["a"]], {"average": "mean"}, ValueError, "average: expected one of precision-and-recall, f"),
        (["a"], [["a"]], {"lowercase": 1}, TypeError, "lowercase: expected true or false"),
    ],
)
def test_bad_input_is_refused(
    hypotheses: Any, references: Any, parameters: Any, kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        chrf(hypotheses, references, **parameters)


def test_chrf_is_worked_out_as_on_paper() -> None:
    lines = shown.chrf(["abcd"], [["ab"]], char_order=3)
    assert [line[:2] for line in lines] == [
        ("hypothesis", "a b c d"),
        ("reference", "a b"),
        ("shared", "a b"),
        ("character 1-grams", "P = 2/4, R = 2/2; F"),
        ("character 2-grams", "P = 1/3, R = 1/1; F"),
        ("character 3-grams", "P = 0/2, R = 0/0: left out"),
        ("Precision", "mean over the orders that count"),
        ("Recall", "mean over the orders that count"),
        ("chrF", "(1 + 2^2) * 0.416667 * 1 / (2^2 * 0.416667 + 1)"),
    ]
    assert [line[2] for line in lines[3:6]] == [pytest.approx(5 / 6), pytest.approx(5 / 7), None]


def test_the_paper_shows_which_reference_was_taken() -> None:
    found = {name: (working, value) for name, working, value in shown.chrf(["ab"], [["ax", "ab"]], char_order=1)}
    assert found["chrF 1"] == ("against reference 1 alone", pytest.approx(1 / 2))
    assert found["chrF 2"] == ("against reference 2 alone", 1)
    assert found["character 1-grams"] == ("P = 2/2, R = 2/2; F", 1)


def test_the_paper_shows_the_segments_of_a_mean() -> None:
    lines = shown.chrf(["ab", "xy"], [["ab"], ["zw"]], aggregation="mean")
    assert lines == [
        ("segment 1", "chrF of the segment alone", 1),
        ("segment 2", "chrF of the segment alone", 0),
        ("chrF", "mean of the segments", 1 / 2),
    ]
