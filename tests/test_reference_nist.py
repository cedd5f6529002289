"""NIST of the reference, against values worked out by hand and against its definition."""

from __future__ import annotations

import math
from collections import Counter
from math import log2
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.reference.derivations.nist import nist as worked_out
from conformance.reference.nist import length_penalty, nist

TEXT = st.lists(st.sampled_from("abc0"), max_size=7)
FILLED = st.lists(st.sampled_from("abc0"), min_size=1, max_size=7)
CORPUS = st.lists(st.tuples(TEXT, st.lists(FILLED, min_size=2, max_size=2)), min_size=1, max_size=3)
CHECKED = settings(max_examples=150, deadline=None, derandomize=True)


def score(hypothesis: str, *references: str, **parameters: Any) -> float:
    found: float = nist([hypothesis], [list(references)], **parameters)["score"]
    return found


@pytest.mark.parametrize(
    ("hypothesis", "references", "value"),
    [
        ("a a b", ["a a b"], (2 * log2(3 / 2) + log2(3)) / 3 + 2 / 2),
        ("a b c", ["a b c"], log2(3)),
        ("a c", ["a b c"], log2(3) / 2),
        ("refunds within sixty days", ["refunds within thirty days"], 3 / 2),
        ("man bites dog", ["dog bites man"], log2(3)),
        ("alpha beta beta beta", ["alpha beta"], 1 / 2),
        ("a b c", ["a b x", "y b c"], (2 * log2(6) + log2(3)) / 3 + 1 / 2),
        ("a x y", ["a"], 0),
        ("a b c d e f g h", ["a b c d e f g h"], 3),
        ("", ["a b"], 0),
        ("x", ["a"], 0),
        ("0 x", ["0 x"], 1),
    ],
)
def test_scores(hypothesis: str, references: list[str], value: float) -> None:
    assert score(hypothesis, *references) == pytest.approx(value, rel=1e-12, abs=0)


def test_the_penalty_is_one_half_at_two_thirds() -> None:
    assert length_penalty(2, 3) == pytest.approx(1 / 2, rel=1e-12)
    assert length_penalty(9, 10) == pytest.approx(2 ** -((math.log(10 / 9) / math.log(3 / 2)) ** 2))
    assert (length_penalty(5, 3), length_penalty(0, 3), length_penalty(0, 0)) == (1, 0, 1)


def test_several_references_together_or_the_best_for_each_order() -> None:
    pair = ("a b", "a b", "a a a")
    bits = (log2(5 / 4) + log2(5)) / 2 + log2(4)
    assert score(*pair) == pytest.approx(bits * 2 ** -((math.log(5 / 4) / math.log(3 / 2)) ** 2))
    assert score(*pair, multi_reference="best-per-order", max_order=2) == pytest.approx(bits)


def test_the_word_zero_is_no_word_to_the_script() -> None:
    assert score("0 x", "0 x", zero_prefix="no-word") == 2
    assert score("x 0", "x 0", zero_prefix="no-word") == 1


def test_weights_from_a_corpus_of_their_own() -> None:
    corpus = [["the the the cat"], ["dog"]]
    bits = (log2(5 / 3) + log2(5)) / 2 + log2(3)
    assert nist(["the cat"], [["the cat"]], reference_corpus=corpus)["score"] == pytest.approx(bits)
    assert nist(["the fox"], [["the fox"]], reference_corpus=corpus)["score"] == pytest.approx(log2(5 / 3) / 2)
    with pytest.raises(ValueError, match="the reference corpus has no n-gram 'fox'"):
        nist(["the fox"], [["the fox"]], reference_corpus=corpus, unknown_ngram="error")


def test_the_components() -> None:
    assert nist(["a b", "a"], [["a b"], ["a c"]], max_order=2) == {
        "score": pytest.approx((4 / 3 + 1) * 2 ** -((math.log(4 / 3) / math.log(3 / 2)) ** 2)),
        "information": [4, 1],
        "totals": [3, 1],
        "brevity_penalty": pytest.approx(2 ** -((math.log(4 / 3) / math.log(3 / 2)) ** 2)),
        "hypothesis_length": 3,
        "reference_length": 4,
    }


def defined(corpus: list[tuple[list[str], list[list[str]]]], orders: int) -> float:
    """NIST by its formula, with n-grams as tuples in one bag."""

    def bag(text: list[str], order: int) -> Counter[tuple[str, ...]]:
        return Counter(tuple(text[at : at + order]) for at in range(len(text) - order + 1))

    seen: Counter[tuple[str, ...]] = Counter()
    for _, references in corpus:
        for each in references:
            seen[()] += len(each)
            for order in range(1, orders + 1):
                seen.update(bag(each, order))
    total = 0.0
    for order in range(1, orders + 1):
        bits = grams = 0.0
        for hypothesis, references in corpus:
            for gram, count in bag(hypothesis, order).items():
                grams += count
                most = max(bag(each, order)[gram] for each in references)
                bits += min(count, most) * (log2(seen[gram[:-1]] / seen[gram]) if most else 0)
        total += bits / grams if grams else 0
    c = sum(len(hypothesis) for hypothesis, _ in corpus)
    r = sum(sum(map(len, references)) / len(references) for _, references in corpus)
    if c >= r:
        return total
    return total * 2 ** -((math.log(c / r) / math.log(2 / 3)) ** 2) if c else 0.0


@CHECKED
@given(CORPUS, st.integers(1, 5))
def test_it_is_what_the_formula_says(corpus: list[tuple[list[str], list[list[str]]]], orders: int) -> None:
    found = nist([h for h, _ in corpus], [several for _, several in corpus], max_order=orders)["score"]
    assert found == pytest.approx(defined(corpus, orders), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("references", "parameters", "kind", "message"),
    [
        ([["a"], ["b"]], {}, ValueError, "1 hypotheses, but references for 2 segments"),
        ([[""]], {}, ValueError, "at least one reference word"),
        ([["a"]], {"missing_order": "error"}, ValueError, "no n-gram of order 2"),
        ([["a"]], {"max_order": 0}, ValueError, "max_order: expected an integer from 1"),
        ([["a"]], {"max_order": True}, TypeError, "max_order: expected an integer"),
        ([["a"]], {"zero_prefix": "x"}, ValueError, "zero_prefix: expected one of"),
        ([["a"]], {"reference_corpus": ["a b"]}, TypeError, "expected a list of references"),
        ([["a"]], {"reference_corpus": "a b"}, TypeError, "expected a list with one entry a segment"),
    ],
)
def test_bad_input_is_refused(references: Any, parameters: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        nist(["a"], references, **parameters)


def test_nothing_to_count_is_by_convention() -> None:
    assert score("a", "", empty_reference="zero") == 0
    assert nist([], [], empty_reference="zero")["score"] == 0
    assert score("a b c d e", "a b c d e", missing_order="error") == pytest.approx(log2(5))


def test_it_is_worked_out_as_on_paper() -> None:
    lines = {name: working for name, working, _ in worked_out(["a a b c"], [["a a b d e"]], max_order=2)}
    assert lines["1-gram information"] == "a: 2 * log2(5/2); b: log2(5/1)"
    assert lines["2-gram information"] == "a a: log2(2/1); a b: log2(2/1)"
    assert lines["length penalty"] == "exp(log(1/2) * (log(4/5)/log(3/2))^2)"
    assert lines["NIST"].endswith("* (4.96578/4 + 2/3)")
    own = {name: working for name, working, _ in worked_out(["x"], [["x"]], reference_corpus=[["x y"]], max_order=1)}
    assert own["reference words"] == "all words of the reference corpus"
    assert own["1-gram information"] == "x: log2(2/1)"
