"""Edit distances and alignments of the reference, against their definitions and RapidFuzz."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA, DamerauLevenshtein, LCSseq, Levenshtein

from conformance.reference import edit
from conformance.reference.edit import damerau_levenshtein, lcs_length, levenshtein

SEQUENCES = st.one_of(
    st.lists(st.sampled_from("ab"), max_size=12),
    st.lists(st.sampled_from("abcdef"), max_size=40),
    st.lists(st.sampled_from("ab"), min_size=60, max_size=80),
)
SHORT = st.lists(st.sampled_from("abc"), max_size=7)
CHECKED = settings(max_examples=250, deadline=None, derandomize=True)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "unit", "distance"),
    [
        ("kitten", "sitting", "character", 3),
        ("saturday", "sunday", "character", 3),
        ("ab", "ba", "character", 2),
        ("ab", "aab", "character", 1),
        ("", "abc", "character", 3),
        ("abc", "", "character", 3),
        ("", "", "character", 0),
        ("a x", "a b c", "token", 2),
        ("a b c", "a x c d", "token", 2),
        (["we", "ship", "today"], ["today", "we", "ship"], "token", 2),
        ("refunds within thirty", "refunds within thirty days", "character", 5),
        ("refunds within sixty days", "refunds within thirty days", "character", 3),
        (["alpha", "beta", "beta", "beta"], ["alpha", "beta"], "character", 10),
        ("e\u0301", "\u00e9", "character", 2),
        ("e\u0301", "\u00e9", "grapheme", 1),
        ("\U0001f433", "z", "character", 1),
        ("\U0001f433", "z", "utf-16", 2),
        ("\U0001f433", "\U0001f434", "utf-16", 1),
        ("\U00010000", "\U0010ffff", "utf-16", 2),
        ("a\u00e9", "\u00e9", "utf-16", 1),
    ],
)
def test_levenshtein(hypothesis: Any, reference: Any, unit: str, distance: int) -> None:
    assert levenshtein([hypothesis], [[reference]], unit=unit)["distance"] == distance


def test_the_dynamic_program_is_part_of_the_answer() -> None:
    found = levenshtein(["ab"], [["acb"]])
    assert found["table"] == [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 1, 1]]
    assert levenshtein(["ab"], [["ac"]], substitution_cost=2)["table"][-1][-1] == 2
    assert levenshtein(["a" * 30], [["b" * 30]])["table"] == []


@pytest.mark.parametrize(
    ("rule", "value"), [("reference", Fraction(3, 6)), ("longer", Fraction(3, 7)), ("sum", Fraction(3, 13))]
)
def test_normalized_distance(rule: str, value: Fraction) -> None:
    found = levenshtein(["sitting"], [["kitten"]], normalization=rule)
    assert math.isclose(found["normalized"], value, rel_tol=1e-15)


def test_normalized_distance_of_empty_sides_and_several_references() -> None:
    assert math.isnan(levenshtein([""], [[""]])["normalized"])
    assert levenshtein([""], [[""]], normalized_empty="zero")["normalized"] == 0
    assert levenshtein(["ab"], [["xyz", "ac"]])["distance"] == 1
    assert levenshtein(["ab"], [["xyz", "ac"]], multi_reference="mean")["distance"] == 2
    assert levenshtein(["ab", "c"], [["ac"], ["d"]])["distance"] == 2


@pytest.mark.parametrize(
    ("x", "y", "variant", "distance"),
    [
        ("ab", "ba", "unrestricted", 1),
        ("ca", "abc", "restricted", 3),
        ("ca", "abc", "unrestricted", 2),
        ("abcd", "badc", "unrestricted", 2),
        ("", "ab", "restricted", 2),
    ],
)
def test_damerau_levenshtein(x: str, y: str, variant: str, distance: int) -> None:
    assert damerau_levenshtein([x], [[y]], variant=variant) == {"distance": distance}


def test_damerau_levenshtein_of_grapheme_clusters() -> None:
    """A letter and its accent are one cluster, which its neighbour changes places with; composed it is another."""
    assert damerau_levenshtein(["e\u0301a"], [["a\u00e9"]], unit="grapheme") == {"distance": 2}
    assert damerau_levenshtein(["e\u0301a"], [["ae\u0301"]], unit="grapheme") == {"distance": 1}


def test_lcs_length() -> None:
    assert lcs_length(["a c b d"], [["a b c d"]]) == {"length": 3}
    assert lcs_length(["abcbdab"], [["bdcaba"]], unit="character") == {"length": 4}
    assert lcs_length([""], [["a"]]) == {"length": 0}
    assert lcs_length(["a b", "c"], [["b", "a b"], ["c d"]]) == {"length": 3}


def plain_distance(x: list[str], y: list[str]) -> int:
    """The recursive definition."""
    if not x or not y:
        return len(x) + len(y)
    if x[-1] == y[-1]:
        return plain_distance(x[:-1], y[:-1])
    return 1 + min(plain_distance(x[:-1], y), plain_distance(x, y[:-1]), plain_distance(x[:-1], y[:-1]))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from("abc"), max_size=5), st.lists(st.sampled_from("abc"), max_size=5))
def test_distance_is_the_recursive_definition(x: list[str], y: list[str]) -> None:
    assert edit.distance(x, y) == plain_distance(x, y)


@CHECKED
@given(SEQUENCES, SEQUENCES)
def test_distances_are_rapidfuzzs(x: list[str], y: list[str]) -> None:
    assert edit.distance(x, y) == edit.table(x, y)[-1][-1] == Levenshtein.distance(x, y)
    assert edit.lcs(x, y) == LCSseq.similarity(x, y)
    assert edit.table(x, y, substitution=2)[-1][-1] == len(x) + len(y) - 2 * edit.lcs(x, y)


@CHECKED
@given(SHORT, SHORT)
def test_distances_with_exchanges_are_rapidfuzzs(x: list[str], y: list[str]) -> None:
    assert edit.damerau(x, y) == DamerauLevenshtein.distance(x, y)
    assert edit.restricted_damerau(x, y) == OSA.distance(x, y)
    assert edit.damerau(x, y) <= edit.restricted_damerau(x, y) <= edit.distance(x, y)


@CHECKED
@given(SHORT, SHORT, SHORT)
def test_laws_of_a_metric(x: list[str], y: list[str], z: list[str]) -> None:
    for measure in (edit.distance, edit.damerau):
        assert measure(x, y) == measure(y, x)
        assert (measure(x, y) == 0) == (x == y)
        assert measure(x, z) <= measure(x, y) + measure(y, z)
    edits, common = edit.distance(x, y), edit.lcs(x, y)
    assert abs(len(x) - len(y)) <= edits <= max(len(x), len(y))
    assert max(len(x), len(y)) - common <= edits <= len(x) + len(y) - 2 * common
    assert common <= edit.lcs(x, [*y, "a"]) <= common + 1


COSTS = {"unit": {"substitution": 1, "gap": 1}, "sclite": {"substitution": 4, "gap": 3}}


@CHECKED
@given(SEQUENCES, SEQUENCES, st.sampled_from(sorted(COSTS)))
def test_alignments_spell_both_sides_at_minimum_cost(x: list[str], y: list[str], costs: str) -> None:
    steps = edit.alignment(x, y, costs=costs)
    assert [left for _, left, _ in steps if left is not None] == x
    assert [right for _, _, right in steps if right is not None] == y
    price = {
        "hit": 0,
        "substitution": COSTS[costs]["substitution"],
        "deletion": COSTS[costs]["gap"],
        "insertion": COSTS[costs]["gap"],
    }
    assert sum(price[operation] for operation, _, _ in steps) == edit.table(x, y, **COSTS[costs])[-1][-1]
    for operation, left, right in steps:
        if left is None:
            assert operation == "insertion"
        elif right is None:
            assert operation == "deletion"
        else:
            assert operation == ("hit" if left == right else "substitution")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"unit": "word"}, "unit: expected one of character, utf-16, grapheme, token"),
        ({"substitution_cost": 3}, "substitution_cost: expected an integer from 1 to 2, found 3"),
        ({"normalization": "none"}, "normalization: expected one of"),
        ({"multi_reference": "best"}, "multi_reference: expected one of"),
    ],
)
def test_bad_parameters_are_refused(parameters: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        levenshtein(["a"], [["b"]], **parameters)


def test_bad_input_is_refused() -> None:
    with pytest.raises(TypeError, match="substitution_cost"):
        levenshtein(["a"], [["b"]], substitution_cost=True)
    with pytest.raises(ValueError, match="at least one reference"):
        lcs_length(["a"], [[]])
    with pytest.raises(ValueError, match="variant: expected one of unrestricted, restricted"):
        damerau_levenshtein(["a"], [["b"]], variant="osa")
