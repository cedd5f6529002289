"""GEC GLEU+: values worked out by hand, every small text against the formula spelled out, draws, errors."""

from __future__ import annotations

from itertools import product
from math import exp, inf, log
from typing import Any

import pytest

from conformance.reference.derivations.gec_gleu import gec_gleu as derived
from conformance.reference.gec_gleu import brevity_penalty, gec_gleu, samples


def one(hypothesis: str, reference: str, source: str, **parameters: Any) -> dict[str, Any]:
    return gec_gleu([hypothesis], [[reference]], [source], **parameters)


def test_an_error_that_is_kept_costs_twice() -> None:
    """7 words, 6 match; the seventh is the source's, so it is subtracted in each order: 5/7, 4/6, 3/5, 2/4."""
    kept = one("a b c d e f x", "a b c d e f g", "a b c d e f x")
    assert kept["matches"] == [6, 5, 4, 3]
    assert kept["penalties"] == [1, 1, 1, 1]
    assert kept["precisions"] == pytest.approx([5 / 7, 4 / 6, 3 / 5, 2 / 4])
    assert kept["score"] == pytest.approx((1 / 7) ** (1 / 4))
    assert one("a b c d e f x", "a b c d e f g", "y")["score"] == pytest.approx((3 / 7) ** (1 / 4))


def test_occurrences_beyond_the_references_are_subtracted_or_only_types_that_it_lacks() -> None:
    """Output and source say a three times, the reference once: two occurrences, or none."""
    assert one("a a a", "a b c", "a a a", max_order=1)["penalties"] == [2]
    assert one("a a a", "a b c", "a a a", max_order=1, penalty="types")["penalties"] == [0]
    assert one("a a a", "b b c", "a a a", max_order=1, penalty="types")["penalties"] == [3]


def spelled_out(h: tuple[str, ...], r: tuple[str, ...], s: tuple[str, ...], order: int) -> tuple[int, int]:
    """The numerator's two sums for one order, by the paper's Equation 1, with lists alone."""

    def grams(text: tuple[str, ...]) -> list[tuple[str, ...]]:
        return [text[place : place + order] for place in range(len(text) - order + 1)]

    own, other, original = grams(h), grams(r), grams(s)
    common = {gram: min(own.count(gram), other.count(gram)) for gram in set(own) & set(other)}
    kept = {gram: min(own.count(gram), original.count(gram)) for gram in set(own) & set(original)}
    return sum(common.values()), sum(max(0, count - common.get(gram, 0)) for gram, count in kept.items())


def test_every_small_text_against_the_formula_spelled_out() -> None:
    """All outputs, references and sources of one to three of two words."""
    texts = [text for size in (1, 2, 3) for text in product("ab", repeat=size)]
    for h, r, s in product(texts, repeat=3):
        found = gec_gleu([list(h)], [[list(r)]], [list(s)], max_order=2)
        sums = [spelled_out(h, r, s, order) for order in (1, 2)]
        assert found["matches"] == [each[0] for each in sums]
        assert found["penalties"] == [each[1] for each in sums]
        numerators = [max(a - b, 0) for a, b in sums]
        expected = 0.0
        if all(numerators) and len(h) > 1:
            precisions = numerators[0] / len(h) * numerators[1] / (len(h) - 1)
            expected = precisions**0.5 * min(1, exp(1 - len(r) / len(h)))
        assert found["score"] == pytest.approx(expected)


def test_the_penalty_of_short_output_and_with_lengths_exchanged() -> None:
    """exp(1 - r/c) below the reference's length, and by the old code above it."""
    assert brevity_penalty(5, 6) == pytest.approx(exp(-1 / 5))
    assert brevity_penalty(6, 5) == 1
    assert brevity_penalty(6, 5, "exchanged") == pytest.approx(exp(1 - 6 / 5))
    assert brevity_penalty(0, 3) == 0
    assert brevity_penalty(0, 0) == 1


def test_a_numerator_is_floored_in_its_segment_or_in_the_sum() -> None:
    """0 - 2 and 3 - 0 are 3 or 1, of 5 words."""
    corpus = (["x y", "c d e"], [["a b"], ["c d e"]], ["x y", "z"])
    assert gec_gleu(*corpus, max_order=1)["score"] == pytest.approx(3 / 5)
    assert gec_gleu(*corpus, max_order=1, numerator_floor="corpus")["score"] == pytest.approx(1 / 5)


def test_orders_and_roots() -> None:
    """With the fourth root orders above four do not enter, and fewer are still under it."""
    texts = ("a b c d e f x", "a b c d e f g", "y")
    assert one(*texts, max_order=2)["score"] == pytest.approx((5 / 7) ** (1 / 2))
    assert one(*texts, max_order=2, root="fourth")["score"] == pytest.approx((5 / 7) ** (1 / 4))
    assert one(*texts, max_order=9, root="fourth")["score"] == pytest.approx((3 / 7) ** (1 / 4))
    assert one(*texts, max_order=7)["score"] == 0


def test_ones_in_place_of_zeros() -> None:
    """Two right words: 2/2, 1/1, and 1/1 twice where there is no n-gram; an empty output has length one."""
    assert one("a b", "a b", "z", smoothing="ones")["score"] == 1
    assert one("", "a b", "z", smoothing="ones")["score"] == pytest.approx(exp(1 - 2))


def test_one_reference_is_taken_without_a_draw() -> None:
    assert samples([1, 1], 500, "sampled") == [[0, 0]]
    assert samples([2, 2], 500, "each-in-turn") == [[0, 0], [1, 1]]


def test_a_draw_is_made_for_every_segment_after_the_seed() -> None:
    """Seed 0 gives Python 2's randint the second of two first; Mersenne Twister's first number is 0.844..."""
    assert samples([2], 1, "sampled") == [[1]]
    assert samples([10], 1, "sampled") == [[8]]
    assert len(samples([3, 3, 3], 500, "sampled-python-3")) == 500
    assert all(0 <= place < 3 for row in samples([3, 3, 3], 500, "sampled-python-3") for place in row)


def test_python_3_draws_as_its_own_randint() -> None:
    import random

    for iteration, row in enumerate(samples([3, 5, 2], 20, "sampled-python-3")):
        random.seed(iteration * 101)
        assert row == [random.randint(0, size - 1) for size in (3, 5, 2)]


def test_the_mean_and_the_deviation_over_draws() -> None:
    """Of 500 draws 242 score 1 and 258 score (1/3)^(1/4): so many first references 101 j draws."""
    found = gec_gleu(["a b c d e f"], [["a b c d e f", "a b c d e x"]], ["z"])
    low = exp(log(1 / 3) / 4)
    assert found["score"] == pytest.approx((242 + 258 * low) / 500)
    assert found["deviation"] == pytest.approx((242 * 258) ** 0.5 / 500 * (1 - low))
    assert found["precisions"][0] == pytest.approx((242 + 258 * 5 / 6) / 500)


def test_segments_may_have_different_numbers_of_references() -> None:
    found = gec_gleu(["a b c d", "e f g h"], [["a b c d"], ["e f g h", "e f g h"]], ["z", "z"])
    assert found["score"] == pytest.approx(1)
    assert found["deviation"] == pytest.approx(0)


def test_the_mean_of_segments() -> None:
    """One sentence scores 1 and the other, without a 4-gram, 0."""
    corpus = (["a b c d", "e f g"], [["a b c d"], ["e f g"]], ["z", "z"])
    assert gec_gleu(*corpus)["score"] == 1
    assert gec_gleu(*corpus, aggregation="mean")["score"] == 1 / 2


@pytest.mark.parametrize(
    ("arguments", "parameters", "error", "message"),
    [
        ((["a"], [["a"]], "a"), {}, TypeError, "sources: expected a list"),
        ((["a"], [["a"]], [3]), {}, TypeError, "source 1"),
        ((["a"], [["a"]], ["a", "b"]), {}, ValueError, "1 hypotheses, but 2 sources"),
        ((["a"], [[]], ["a"]), {}, ValueError, "at least one reference"),
        (([], [], []), {}, ValueError, "at least one segment"),
        ((["a"], [["a"]], ["a"]), {"max_order": 0}, ValueError, "max_order"),
        ((["a"], [["a"]], ["a"]), {"iterations": True}, TypeError, "iterations"),
        ((["a"], [["a"]], ["a"]), {"penalty": "some"}, ValueError, "penalty"),
        (
            (["a", "b"], [["a"], ["b", "c"]], ["a", "b"]),
            {"multi_reference": "each-in-turn"},
            ValueError,
            "equally many",
        ),
    ],
)
def test_errors(arguments: Any, parameters: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gec_gleu(*arguments, **parameters)


def test_no_segments_can_score_zero() -> None:
    found = gec_gleu([], [], [], no_cases="zero")
    assert (found["score"], found["totals"], found["deviation"]) == (0, [0, 0, 0, 0], 0)
    assert found["deviation"] < inf


def test_it_is_worked_out_as_on_paper() -> None:
    """What matches, what was kept, and how often each choice of references was drawn."""
    lines = {name: (working, value) for name, working, value in derived(["a a b"], [["a b"]], ["a a c"], max_order=1)}
    assert lines["1-gram matches"] == ("a: 1; b: 1", 2)
    assert lines["1-grams kept"] == ("a: 2 - 1", 1)
    assert lines["p1"][0] == "max(2 - 1, 0)/3"
    drawn = derived(["a b c d"], [["a b c d", "x"]], ["z"], iterations=1)
    assert drawn[-2][:2] == ("1 of 1", "references 2")
