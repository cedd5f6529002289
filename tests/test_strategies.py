"""The hard inputs: what they contain, and what they shrink to."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

hypothesis = pytest.importorskip("hypothesis", reason="pip install 'text-metric-conformance[properties]'")

from hypothesis import HealthCheck, Phase, find, given, seed, settings  # noqa: E402

from conformance.laws import Corpus, spaced  # noqa: E402
from conformance.strategies import (  # noqa: E402
    AWKWARD,
    PLAIN,
    PROBABILITIES,
    SEPARATORS,
    corpus,
    edited,
    examples,
    shifted,
    spelled,
    tied,
    twice,
)

QUIET = settings(
    max_examples=300,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate, Phase.shrink],
)
Found = Callable[[dict[str, Any]], bool]


def smallest(names: set[str], condition: Found) -> dict[str, Any]:
    """The smallest example that meets the condition."""
    return find(examples(names), condition, settings=QUIET, random=Random(0))


def drawn(names: set[str], count: int, references: int = 2) -> list[dict[str, Any]]:
    """So many examples."""
    seen: list[dict[str, Any]] = []

    @seed(0)
    @settings(QUIET, max_examples=count, phases=[Phase.generate])
    @given(examples(names, references))
    def collect(example: dict[str, Any]) -> None:
        seen.append(example)

    collect()
    return seen


def test_only_the_named_variables_are_drawn() -> None:
    assert all(set(each) == {"h", "n"} for each in drawn({"h", "n", "length", "distance"}, 20))
    assert all(set(each) == {"r", "separators"} for each in drawn({"r", "spaced"}, 20))


def test_texts_are_short_long_and_empty_over_tiny_alphabets() -> None:
    seen = drawn({"h", "r", "t"}, 400)
    lengths = {len(each["h"]) for each in seen}
    assert {0, 1, 2, 3, 4, 8, 12} <= lengths
    assert all(len({*each["h"], *each["r"], *each["t"]}) <= 3 for each in seen)
    assert any(len(each["h"]) >= 3 and len(set(each["h"])) == 1 for each in seen)
    assert any(set(each["h"]) & set(AWKWARD) for each in seen)


def test_two_references_tie_in_length() -> None:
    ties = [
        each
        for each in drawn({"h", "r", "t"}, 300)
        if each["h"] and {len(each["r"]) - len(each["h"]), len(each["t"]) - len(each["h"])} == {-1, 1}
    ]
    assert any(len(each["r"]) > len(each["t"]) for each in ties)
    assert any(len(each["r"]) < len(each["t"]) for each in ties)


def test_a_corpus_has_two_to_four_segments_and_some_twice() -> None:
    corpora = [each["corpus"] for each in drawn({"corpus"}, 200)]
    assert {len(each.segments) for each in corpora} == {2, 3, 4}
    assert {len(references) for each in corpora for _, references in each.segments} == {1, 2}
    assert any(a == b and a[0] for each in corpora for a, b in zip(each.segments, each.segments[1:], strict=False))
    single = [each["corpus"] for each in drawn({"corpus"}, 50, references=1)]
    assert {len(references) for each in single for _, references in each.segments} == {1}


def test_tokens_hold_no_white_space_and_separators_nothing_else() -> None:
    assert all(token.split() == [token] for token in PLAIN + AWKWARD)
    assert not any(separator.split() for separator in SEPARATORS)
    assert not any("\ud800" <= character <= "\udfff" for token in AWKWARD for character in token)
    for each in drawn({"h", "spaced"}, 100):
        assert spaced(each["h"], each["separators"]).split() == each["h"]


def test_examples_shrink_to_few_plain_tokens() -> None:
    assert smallest({"h"}, lambda e: len(e["h"]) >= 2) == {"h": ["a", "a"]}
    unequal = smallest({"h", "r"}, lambda e: bool(e["h"]) and bool(e["r"]) and e["h"] != e["r"])
    assert sorted(map(len, unequal.values())) in ([1, 1], [1, 2])
    found = smallest({"corpus"}, lambda e: bool(e["corpus"].segments[0][0]))["corpus"]
    assert found == Corpus(((["a"], ([],)), ([], ([],))))


def test_the_parts_of_examples() -> None:
    assert edited([0, 1, 2, 0], (1, 2, [2])) == [0, 2, 0]
    assert edited([0], (9, 2, [1])) == [0, 1]
    assert tied([0, 0], [1, 2], [2], False) == ([1], [2, 2, 2])
    assert tied([0, 0], [1, 2], [2], True) == ([2, 2, 2], [1])
    assert tied([], [], [], False) == ([], [0, 0])
    assert shifted([0, 1, 2], [1], 2) == ([0, 1, 2], [2], [2, 1, 1])
    assert twice([0, 1], [2]) == ([0, 1], [0, 1, 2, 2])
    assert spelled([0, 1, 2], ["a", "b"]) == ["a", "b", "a"]
    again = corpus([(True, ([0], [1])), (True, ([1], [1]))], ["a", "b"])
    assert again == Corpus(((["a"], (["b"],)),) * 2)


def test_probabilities_are_few_exact_and_often_equal() -> None:
    """Each is above zero and at most one; one alone and the same several times over are among them."""
    seen = [each["p"] for each in drawn({"p", "perplexity"}, 200)]
    assert all(0 < number <= 1 for numbers in seen for number in numbers)
    assert {1, 2, 12} <= {len(each) for each in seen}
    assert any(len(each) > len(set(each)) for each in seen)
    assert smallest({"p", "q"}, lambda each: len(each["p"]) > 1)["p"] == [PROBABILITIES[0]] * 2
