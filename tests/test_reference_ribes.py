"""RIBES of the reference, against values worked out by hand and against a search through every n-gram."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.reference.derivations.ribes import ribes as worked_out
from conformance.reference.ribes import aligned_places, kendall, ribes, runs, spearman

WORDS = st.lists(st.sampled_from("abcd"), max_size=9)
FILLED = st.lists(st.sampled_from("abcd"), min_size=1, max_size=9)
CHECKED = settings(max_examples=200, deadline=None, derandomize=True)


def score(hypothesis: str, *references: str, **parameters: Any) -> float:
    found: float = ribes([hypothesis], [list(references)], **parameters)["score"]
    return found


@pytest.mark.parametrize(
    ("hypothesis", "reference", "value"),
    [
        ("b a x y", "a b x y z w", 5 / 6 * math.exp(-1 / 20)),
        ("b a c", "a b c", 2 / 3),
        ("a x b y", "a b", (1 / 2) ** 0.25),
        ("a b", "a b c d", math.exp(-1 / 10)),
        ("a b x y z w", "a b", (1 / 3) ** 0.25),
        ("a c", "a b c", math.exp(-1 / 20)),
        ("c b a", "a b c", 0),
        ("d e f a b c", "a b c d e f", 6 / 15),
        ("a", "a", 1),
        ("a b", "a", (1 / 2) ** 0.25),
        ("a", "a b", 0),
        ("x", "a b", 0),
        ("", "a b", 0),
        ("a a", "a", 0),
        ("a a", "a a", 1),
        ("a a a", "a a a", (2 / 3) ** 0.25),
        ("a b x b", "a b c b", (1 / 2) ** 0.25),
        ("a x b c d", "a b c d a", (3 / 5) ** 0.25),
        ("x a y a z", "x a z", 5 / 6 * (4 / 5) ** 0.25),
    ],
)
def test_scores(hypothesis: str, reference: str, value: float) -> None:
    assert score(hypothesis, reference) == pytest.approx(value, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "alignment", "places"),
    [
        # The word before a settles it, or the word after it.
        ("z x a y", "a y z x a", "context", {0: 2, 1: 3, 2: 4, 3: 1}),
        ("z x a y", "a y z x a", "bigram", {0: 2, 1: 3, 2: 0, 3: 1}),
        # "b c" stands twice on both sides; three words settle the first c, and nothing the second b and c.
        ("a b c d b c", "b c a b c", "context", {0: 2, 1: 3, 2: 4}),
        ("a b c d b c", "b c a b c", "bigram", {0: 2, 1: 3}),
        ("a a", "a a", "disjoint-context", {0: 0}),
        ("a a a", "a a a", "disjoint-context", {0: 0, 1: 1, 2: 1}),
        ("a a a", "a a a", "nltk-context", {0: 0}),
        ("a a a", "a a a", "context", {0: 0, 2: 2}),
    ],
)
def test_alignments(hypothesis: str, reference: str, alignment: str, places: dict[int, int]) -> None:
    assert aligned_places(hypothesis.split(), reference.split(), alignment) == places


def occurrences(part: Sequence[str], whole: Sequence[str]) -> list[int]:
    return [at for at in range(len(whole) - len(part) + 1) if whole[at : at + len(part)] == part]


def searched(hypothesis: list[str], reference: list[str]) -> dict[int, int]:
    """The alignment by its definition: each n-gram around each word, from the smallest on, the words before first."""
    found = {}
    for place in range(len(hypothesis)):
        for size in range(1, len(hypothesis) + 1):
            starts = [place - size + 1, place] if size > 1 else [place]
            for start in starts:
                part = hypothesis[start : start + size]
                if start < 0 or len(part) < size:
                    continue
                there = occurrences(part, reference)
                if len(there) == 1 and len(occurrences(part, hypothesis)) == 1:
                    found.setdefault(place, there[0] + place - start)
    return found


@CHECKED
@given(WORDS, WORDS)
def test_the_alignment_is_what_a_search_through_all_contexts_finds(hypothesis: list[str], reference: list[str]) -> None:
    assert aligned_places(hypothesis, reference, "context") == searched(hypothesis, reference)


@CHECKED
@given(st.lists(st.integers(0, 9), min_size=2, max_size=9))
def test_kendall_counts_the_ascending_pairs(ranks: list[int]) -> None:
    ascending = sum(a < b for a, b in combinations(ranks, 2))
    assert kendall(ranks) == ascending / math.comb(len(ranks), 2)
    assert runs(ranks) <= kendall(ranks)


def test_correlations() -> None:
    ranks = [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]
    assert kendall(ranks) == runs(ranks) == 21 / 55
    assert spearman(ranks) == pytest.approx(9 / 44)
    assert spearman([2, 0, 3]) == pytest.approx(3 / 4)  # ranks 2 1 3, squared distances 1 + 1 of C(4, 3) = 4
    assert spearman([5, 5]) == pytest.approx(3 / 4)  # both at 1.5, squared distances 1/4 + 1/4 of C(3, 3) = 1
    assert (spearman([0, 1, 2]), spearman([2, 1, 0])) == (1, 0)
    assert (kendall([0, 2]), runs([0, 2])) == (1, 0)


def test_exponents_and_the_form_of_2010() -> None:
    assert score("b a x y", "a b x y z w", alpha=1, beta=1) == pytest.approx(5 / 6 * math.exp(-1 / 2))
    assert score("a b", "a b c d", beta=0) == 1
    assert score("a x b y", "a b", alpha=0) == 1
    assert score("A b c", "a b c", lowercase=True) == 1
    assert score("ac", "abc", tokenizer="char", beta=0) == 1


def test_the_best_reference_and_the_mean_of_segments() -> None:
    assert score("c d", "d c", "c d") == 1
    assert ribes(["a b", "c d e f"], [["b a"], ["c d e f"]]) == {
        "score": 1 / 2,
        "kendall": 1 / 2,
        "precision": 1,
        "brevity_penalty": 1,
        "aligned": 6,
    }
    assert ribes(["a b", "c d"], [["a b", "b a"], ["d c", "c d"]])["score"] == 1


def test_empty_references_are_by_convention() -> None:
    two: tuple[list[str], list[list[str]]] = (["a b", "c d"], [[""], ["c d"]])
    with pytest.raises(ValueError, match="segment 1: expected references with words"):
        ribes(*two)
    assert ribes(*two, empty_reference="skipped")["score"] == 1
    assert ribes(*two, empty_reference="zero")["score"] == 1 / 2
    assert score("a b", "", "a b", empty_reference="skipped") == 1
    with pytest.raises(ValueError, match="at least one segment with a reference"):
        ribes(["a"], [[""]], empty_reference="skipped", no_cases="zero")
    with pytest.raises(ValueError, match="at least one segment with a reference"):
        ribes([], [])
    assert ribes([], [], no_cases="zero")["score"] == 0
    assert score("a", "a", single_word="zero") == 0


@CHECKED
@given(FILLED, FILLED)
def test_tokens_and_text_score_alike(hypothesis: list[str], reference: list[str]) -> None:
    assert ribes([hypothesis], [[reference]]) == ribes([" ".join(hypothesis)], [[" ".join(reference)]])


@pytest.mark.parametrize(
    ("references", "parameters", "kind", "message"),
    [
        ([["a"], ["b"]], {}, ValueError, "1 hypotheses, but references for 2 segments"),
        (["a"], {}, TypeError, "segment 1: expected a list of references"),
        ([[]], {}, ValueError, "segment 1: expected at least one reference"),
        ([["a"]], {"alpha": -1}, ValueError, "alpha: expected a finite number from 0"),
        ([["a"]], {"beta": True}, TypeError, "beta: expected a number"),
        ([["a"]], {"alignment": "x"}, ValueError, "alignment: expected one of context, bigram"),
        ([["a"]], {"correlation": "pearson"}, ValueError, "correlation: expected one of kendall"),
        ([["a"]], {"lowercase": 1}, TypeError, "lowercase: expected true or false"),
    ],
)
def test_bad_input_is_refused(references: Any, parameters: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        ribes(["a"], references, **parameters)


def test_it_is_worked_out_as_on_paper() -> None:
    lines = {name: working for name, working, _ in worked_out(["b a x y q"], [["a b x y z w"]])}
    assert lines["ranks"] == "b:2 a:1 x:3 y:4"
    assert lines["not aligned"] == "q"
    assert lines["kendall"] == "5/6 ascending pairs"
    assert lines["precision"] == "4/5"
    assert lines["brevity penalty"] == "exp(1 - 6/5)"
    assert lines["score"] == "0.833333 * 0.8^0.25 * 0.818731^0.1"
    several = [name for name, _, _ in worked_out(["a b"], [["b a", "a b"]])]
    assert several.count("ranks 1") == several.count("ranks 2") == 1
    left_out = worked_out(["a b", "c d"], [[""], ["c d"]], empty_reference="skipped")
    assert left_out[0][:2] == ("segment 1", "left out, as it has no reference")
