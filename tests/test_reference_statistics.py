"""Statistics that compare systems: values worked out by hand, small cases taken in full, streams of other libraries."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, islice, permutations, product
from math import comb, isnan, sqrt
from typing import Any

import pytest

from conformance.reference import generators
from conformance.reference.bleu import bleu
from conformance.reference.chrf import chrf
from conformance.reference.correlation import correlation, pairs, ranks
from conformance.reference.derivations import statistics as derived
from conformance.reference.error_rates import wer
from conformance.reference.multiple_testing import benjamini_hochberg, holm
from conformance.reference.paired_tests import approximate_randomization, paired_bootstrap
from conformance.reference.resampling import bootstrap, interval_of, quantile
from conformance.reference.ter import ter

BASELINE = ["the cat sat on a mat today", "we went to market by bus", "rain is likely later this evening"]
SYSTEM = ["the cat sat on the mat today", "we went to the market by train", "rain is expected later this evening"]
REFERENCES = [
    ["the cat sat on the mat today"],
    ["we went to the market by bus"],
    ["rain is expected later this evening"],
]


# --- generators ---


def test_the_first_draws_of_numpys_documentation() -> None:
    """default_rng(12345).integers(0, 10, size=3) is 6, 2, 7 in NumPy's own manual."""
    assert list(islice(generators.numpy_draws(12345, 10), 3)) == [6, 2, 7]


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**32 - 1, 2**70 + 1])
def test_the_stream_of_numpys_default_generator(seed: int) -> None:
    numpy = pytest.importorskip("numpy")
    for bound in (1, 2, 3, 6, 1000, 2**31 - 1, 3 * 2**30):
        wanted = numpy.random.default_rng(seed).choice(bound, size=(20, 5), replace=True).ravel().tolist()
        assert list(islice(generators.numpy_draws(seed, bound), 100)) == wanted
    wanted = numpy.random.default_rng(seed).integers(2, size=(20, 5), dtype=bool).ravel().tolist()
    assert list(islice(generators.numpy_bits(seed), 100)) == wanted


@pytest.mark.parametrize("seed", [0, 7, 2**32 - 1])
def test_the_stream_of_numpys_global_generator(seed: int) -> None:
    numpy = pytest.importorskip("numpy")
    for bound in (1, 2, 5, 6, 1000):
        numpy.random.seed(seed)
        wanted = [int(each) for _ in range(10) for each in numpy.random.choice(numpy.arange(bound), size=5)]
        assert list(islice(generators.global_draws(seed, bound), 50)) == wanted


def test_the_stream_of_pythons_choices() -> None:
    random.seed(7)
    assert list(islice(generators.python_draws(7, 9), 50)) == random.choices(range(9), k=50)
    assert set(islice(generators.bits("python", 1), 50)) == {0, 1}


# --- the bootstrap ---


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_one_right_case_of_n_is_binomial(size: int) -> None:
    """Resamples that hold it k times: C(n, k) (n - 1)^(n - k) of n^n."""
    found = bootstrap(system=[1] + [0] * (size - 1), resampling="exact")
    counts = {k: comb(size, k) * (size - 1) ** (size - k) for k in range(size + 1)}
    expected = [(k / size, count / size**size) for k, count in counts.items() if count]
    assert found["values"] == pytest.approx([value for value, _ in expected])
    assert found["shares"] == pytest.approx([share for _, share in expected])
    assert found["variance"] == pytest.approx((1 / size) * (1 - 1 / size) / size)
    assert found["scores"] == []


def test_every_resample_is_scored_as_the_corpus_that_it_is() -> None:
    """The summed statistics give what the metric gives for the drawn segments written out."""
    metrics = {
        "bleu": lambda h, r: bleu(h, r)["score"],
        "bleu-sacrebleu": lambda h, r: bleu(h, r, smoothing="exp", tokenizer="13a", zero_before_smoothing=True)[
            "score"
        ],
        "chrf": lambda h, r: chrf(h, r)["score"],
        "wer": lambda h, r: wer(h, r)["rate"],
        "ter": lambda h, r: ter(h, r)["rate"],
    }
    rows = list(product(range(3), repeat=3))
    for metric, score in metrics.items():
        found = bootstrap(hypotheses=BASELINE, references=REFERENCES, metric=metric, indices=rows)
        wanted = [score([BASELINE[place] for place in row], [REFERENCES[place] for place in row]) for row in rows]
        assert found["scores"] == pytest.approx(wanted), metric


def test_sacrebleus_choices_of_chrf_and_ter_are_scored_too() -> None:
    """An empty reference has no n-grams to drop from, and no word to divide by."""
    found = bootstrap(hypotheses=["a", ""], references=[[""], [""]], metric="ter-sacrebleu", indices=[[0, 0], [1, 1]])
    assert found["scores"] == [1, 0]
    long = bootstrap(
        hypotheses=["abcdef", "ab"], references=[["abcdef"], ["a"]], metric="chrf-sacrebleu", indices=[[0, 1]]
    )
    kept = bootstrap(hypotheses=["abcdef", "ab"], references=[["abcdef"], ["a"]], metric="chrf", indices=[[0, 1]])
    assert long["scores"][0] > kept["scores"][0]


def test_intervals_by_all_rules() -> None:
    """0 to 40: the 95 % interval leaves one at each end; quantiles stand at 1 and 39; 2 * 10 less them turns them round."""
    values = [float(each) for each in range(41)]
    assert interval_of(values, 10, "order-statistics", 0.95) == (1, 39)
    assert interval_of(values, 10, "linear", 0.95) == pytest.approx((1, 39))
    assert interval_of(values, 10, "basic", 0.95) == pytest.approx((-19, 19))
    assert interval_of([0.0] * 39 + [40.0], 1, "mean-and-half-width", 0.5) == pytest.approx((1, 1))
    assert interval_of(values, 10, "order-statistics", 0.9) == (2, 38)
    assert quantile([1.0, 2.0, 4.0], 3 / 4) == pytest.approx(3)


def test_equal_resamples_have_no_variance_at_all() -> None:
    """Twenty times 1/3 is not exactly 20/3 in binary; the variance of equal scores is zero all the same."""
    found = bootstrap(system=[1 / 3], samples=20)
    assert (found["variance"], found["mean"]) == (0, 1 / 3)


def test_the_same_seed_draws_the_same_lines_for_one_system_and_for_two() -> None:
    alone = bootstrap(system=[1, 2, 4, 8], samples=50)
    paired = paired_bootstrap(system=[1, 2, 4, 8], baseline=[0, 0, 0, 0], samples=50)
    assert alone["scores"] == paired["system_scores"] == paired["deltas"]
    assert bootstrap(system=[1, 2, 4, 8], samples=50, seed=7)["scores"] != alone["scores"]


def test_resamples_of_many_units_are_scored_one_by_one() -> None:
    """Beyond sixteen units nothing is remembered, and the scores are those of the same rows given."""
    system = [place % 7 for place in range(40)]
    row = list(islice(generators.numpy_draws(12345, 40), 40))
    wanted = sum(system[place] for place in row) / 40
    assert (
        bootstrap(system=system, samples=1)["scores"] == bootstrap(system=system, indices=[row])["scores"] == [wanted]
    )


# --- tests of a difference ---


def brute_force(system: list[int], baseline: list[int]) -> Fraction:
    """The exact two-sided p-value over all exchanges, in fractions."""
    observed = abs(sum(system) - sum(baseline))
    reached = 0
    for swaps in product((0, 1), repeat=len(system)):
        delta = sum((a - b) * (-1 if swap else 1) for a, b, swap in zip(system, baseline, swaps, strict=True))
        reached += abs(delta) >= observed
    return Fraction(reached, 2 ** len(system))


def test_randomization_against_all_exchanges_in_fractions() -> None:
    draws = random.Random(5)
    for _ in range(60):
        size = draws.randint(1, 6)
        system, baseline = ([draws.randint(0, 3) for _ in range(size)] for _ in range(2))
        found = approximate_randomization(system=system, baseline=baseline, resampling="exact")
        assert found["p"] == pytest.approx(float(brute_force(system, baseline)))


def test_ties_are_equal_within_rounding() -> None:
    """0.1 + 0.2 against 0.3 is no difference, though the floats differ; every exchange ties."""
    found = approximate_randomization(system=[0.1, 0.2], baseline=[0.3, 0.0], resampling="exact")
    assert found["p"] == 1
    dropped = approximate_randomization(system=[0.1, 0.2], baseline=[0.3, 0.0], resampling="exact", ties="dropped")
    assert dropped["extreme"] == 2


def test_randomization_of_texts_exchanges_whole_lines() -> None:
    """TER of 20 words: the system has 0, 1 and 0 edits, the baseline 1 a line; 2 of 4 exchanges of the lines that differ count."""
    found = approximate_randomization(
        hypotheses=SYSTEM, baseline_hypotheses=BASELINE, references=REFERENCES, metric="ter", resampling="exact"
    )
    assert (found["system"], found["baseline"]) == (pytest.approx(1 / 20), pytest.approx(3 / 20))
    assert (found["extreme"], found["resamples"]) == (4, 8)


def test_three_p_values_of_given_resamples() -> None:
    """Differences 2, 0, -2 and 4 with the mean 1 and the observed 1: centred 1, -1, -3, 3, of which all reach 1."""
    given: dict[str, Any] = {"system": [2, 0, -2, 4], "baseline": [0] * 4, "indices": [[0], [1], [2], [3]]}
    assert paired_bootstrap(**given)["p"] == 4 / 4
    assert paired_bootstrap(**given, centring="observed")["p"] == 4 / 4
    assert paired_bootstrap(**given, centring="none")["p"] == 2 / 4
    assert paired_bootstrap(**given, centring="none", ties="dropped")["p"] == 1 / 4
    assert paired_bootstrap(**given, centring="none", alternative="less")["p"] == 3 / 4
    assert paired_bootstrap(**given, alternative="greater")["p"] == 2 / 4
    assert paired_bootstrap(**given, alternative="less")["p"] == 3 / 4
    assert paired_bootstrap(**given, centring="absolute")["p"] == 1 / 4  # 0, -2, 0 and 2 against 1
    assert paired_bootstrap(**given, centring="absolute", plus_one=True)["p"] == 2 / 5


def test_a_system_equal_to_its_baseline() -> None:
    for centring in ("mean", "observed", "none", "absolute"):
        assert paired_bootstrap(system=[1, 2], baseline=[1, 2], centring=centring, samples=20)["p"] == 1
    assert paired_bootstrap(system=[1], baseline=[1], ties="dropped", plus_one=True, samples=20)["p"] == 1 / 21


def test_each_side_has_an_interval_of_its_own() -> None:
    given: dict[str, Any] = {"system": [1, 3], "baseline": [0, 8], "indices": [[0, 0], [0, 1], [1, 1]]}
    found = paired_bootstrap(**given)  # the system scores 1, 2 and 3 on the rows, the baseline 0, 4 and 8
    assert [found[f"system_{part}"] for part in ("mean", "low", "high")] == [2, 1, 3]
    assert [found[f"baseline_{part}"] for part in ("mean", "low", "high")] == [4, 0, 8]
    halved = paired_bootstrap(**given, interval="mean-and-half-width", level=0.2)  # one left out at each end
    assert halved["system_low"] == halved["system_high"] == 2


def test_clusters_are_drawn_and_exchanged_whole() -> None:
    given: dict[str, Any] = {"system": [1, 1, 0], "baseline": [0, 0, 0], "clusters": ["a", "a", "b"], "unit": "cluster"}
    assert approximate_randomization(**given, resampling="exact")["resamples"] == 4
    found = paired_bootstrap(**given, indices=[[0, 0], [0, 1], [1, 1]])
    assert found["deltas"] == pytest.approx([1, 2 / 3, 0])
    equal = paired_bootstrap(**given, indices=[[0, 0], [0, 1], [1, 1]], cluster_weights="equal")
    assert equal["deltas"] == pytest.approx([1, 1 / 2, 0])


REFUSED: list[tuple[Any, dict[str, Any]]] = [
    (bootstrap, {}),
    (bootstrap, {"system": []}),
    (bootstrap, {"system": "12"}),
    (bootstrap, {"system": [True]}),
    (bootstrap, {"system": [1, float("nan")]}),
    (bootstrap, {"system": [[1, 2, 3]]}),
    (bootstrap, {"system": [[1, 0]]}),
    (bootstrap, {"system": [1], "aggregation": "ratio-of-sums"}),
    (bootstrap, {"system": [1], "hypotheses": ["a"]}),
    (bootstrap, {"hypotheses": ["a"], "references": [["a"]]}),
    (bootstrap, {"hypotheses": [], "references": [], "metric": "wer"}),
    (bootstrap, {"hypotheses": ["a"], "references": [[""]], "metric": "wer"}),
    (bootstrap, {"system": [1], "indices": []}),
    (bootstrap, {"system": [1], "indices": [[]]}),
    (bootstrap, {"system": [1], "indices": [[1]]}),
    (bootstrap, {"system": [1], "indices": [[-1]]}),
    (bootstrap, {"system": [1], "indices": [[0.0]]}),
    (bootstrap, {"system": [1], "indices": [[0]] * 10_001}),
    (bootstrap, {"system": [1], "unit": "cluster"}),
    (bootstrap, {"system": [1], "unit": "cluster", "clusters": ["a", "b"]}),
    (bootstrap, {"system": [0] * 9, "resampling": "exact"}),
    (bootstrap, {"system": [1], "samples": 0}),
    (bootstrap, {"system": [1], "seed": -1}),
    (bootstrap, {"system": [1], "level": 1}),
    (bootstrap, {"system": [1], "interval": "none"}),
    (paired_bootstrap, {"system": [1]}),
    (paired_bootstrap, {"system": [1], "baseline": [1, 2]}),
    (paired_bootstrap, {"system": [1], "baseline": [1], "indices": [[0]], "baseline_indices": [[0], [0]]}),
    (paired_bootstrap, {"system": [1], "baseline": [1], "ties": "some"}),
    (paired_bootstrap, {"system": [1], "baseline": [1], "plus_one": 1}),
    (approximate_randomization, {"system": [1], "baseline": [1], "swaps": [[0, 1]]}),
    (approximate_randomization, {"system": [1], "baseline": [1], "swaps": [[2]]}),
    (approximate_randomization, {"system": [1] * 17, "baseline": [1] * 17, "resampling": "exact"}),
    (holm, {"p_values": "1"}),
    (holm, {"p_values": [1.1]}),
    (holm, {"p_values": [-0.1]}),
    (holm, {"p_values": [None]}),
    (holm, {"p_values": [0.1], "alpha": 2}),
    (benjamini_hochberg, {"p_values": [], "empty": "error"}),
    (correlation, {"x": [1], "y": [1, 2]}),
    (correlation, {"x": "12", "y": [1, 2]}),
    (correlation, {"x": [], "y": []}),
    (correlation, {"x": {"A": [1]}, "y": {"B": [1]}}),
    (correlation, {"x": {"A": []}, "y": {"A": []}, "level": "system-means"}),
    (correlation, {"x": {"A": 1}, "y": {"A": 1}}),
    (correlation, {"x": [1, 1], "y": [1, 2], "constant": "error"}),
]


@pytest.mark.parametrize(("statistic", "fields"), REFUSED)
def test_what_is_no_input_is_refused(statistic: Any, fields: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        statistic(**fields)


# --- corrections ---


def rejected_by_steps(p_values: list[Fraction], alpha: Fraction) -> tuple[int, int]:
    """The two procedures as their papers state them: step down until one fails; the largest i with p <= i alpha / m."""
    ordered, size = sorted(p_values), len(p_values)
    down = next((i for i, p in enumerate(ordered) if p > alpha / (size - i)), size)
    up = max((i for i in range(1, size + 1) if ordered[i - 1] <= alpha * i / size), default=0)
    return down, up


def test_corrected_values_reject_what_the_procedures_reject() -> None:
    draws = random.Random(1)
    for _ in range(300):
        p_values = [Fraction(draws.randint(0, 200), 1000) for _ in range(draws.randint(1, 8))]
        down, up = rejected_by_steps(p_values, Fraction(1, 20))
        floats = list(map(float, p_values))
        assert (holm(floats)["rejections"], benjamini_hochberg(floats)["rejections"]) == (down, up), p_values


def test_equality_with_alpha_is_a_choice() -> None:
    """3 * 0.05 / 3 is above 0.05 in binary, and equal to it all the same."""
    assert benjamini_hochberg([0.05, 0.05, 0.05])["rejections"] == 3
    assert benjamini_hochberg([0.05, 0.05, 0.05], at_alpha="kept")["rejections"] == 0
    assert holm([0.01, 0.02], alpha=0.02)["rejected"] == [True, True]


# --- correlation ---


def test_pairs_are_those_that_are_counted_one_by_one() -> None:
    draws = random.Random(3)
    for _ in range(100):
        size = draws.randint(2, 9)
        x, y = ([draws.randint(0, 4) for _ in range(size)] for _ in range(2))
        signs = Counter((x[i] - x[j]) * (y[i] - y[j]) for i, j in combinations(range(size), 2))
        balance = sum(count * (1 if product_ > 0 else -1) for product_, count in signs.items() if product_)
        free_x = sum(x[i] != x[j] for i, j in combinations(range(size), 2))
        free_y = sum(y[i] != y[j] for i, j in combinations(range(size), 2))
        assert pairs(x, y) == (balance, free_x, free_y, comb(size, 2))


def test_spearman_without_ties_by_its_other_formula() -> None:
    """1 - 6 sum d^2 / (n (n^2 - 1))."""
    for order in permutations(range(4)):
        squares = sum((one - other) ** 2 for one, other in enumerate(order))
        found = correlation([0, 1, 2, 3], list(order), coefficient="spearman")["coefficient"]
        assert found == pytest.approx(1 - 6 * squares / (4 * 15))


def test_ranks_share_their_places() -> None:
    assert ranks([10, 20, 20, 5]) == [2, 3.5, 3.5, 1]


def test_coefficients_with_ties() -> None:
    """1 2 2 3 against 1 2 3 3: 4 concordant of 6, 5 free on each side, 3 distinct values."""
    x, y = [1, 2, 2, 3], [1, 2, 3, 3]
    values = {
        "kendall-tau-a": 4 / 6,
        "kendall-tau-b": 4 / 5,
        "kendall-tau-c": 2 * 4 * 3 / (16 * 2),
        "spearman": (4.5 - 0.75) / 4.5,
        "pearson": 2 / sqrt(2 * 2.75),
    }
    for name, value in values.items():
        assert correlation(x, y, coefficient=name)["coefficient"] == pytest.approx(value)


def test_what_does_not_vary_has_no_coefficient() -> None:
    for name in ("pearson", "spearman", "kendall-tau-b", "kendall-tau-c"):
        assert isnan(correlation([1, 1], [1, 2], coefficient=name)["coefficient"])
        assert correlation([1, 1], [1, 2], coefficient=name, constant="zero")["coefficient"] == 0
    assert isnan(correlation([1], [1], coefficient="kendall-tau-a")["coefficient"])


def test_large_numbers_do_not_overflow() -> None:
    assert correlation([1e200, 2e200, 3e200], [1e-200, 2e-200, 3e-200])["coefficient"] == pytest.approx(1)


# --- on paper ---

SHOWN: list[tuple[Any, Any, str, dict[str, Any]]] = [
    (derived.bootstrap, bootstrap, "score", {"system": [0, 1], "resampling": "exact"}),
    (derived.bootstrap, bootstrap, "score", {"system": [0, 1], "indices": [[0, 1], [1, 1]]}),
    (derived.paired_bootstrap, paired_bootstrap, "p", {"system": [0, 1], "baseline": [1, 1], "samples": 30}),
    (derived.paired_bootstrap, paired_bootstrap, "p", {"system": [0], "baseline": [1], "centring": "none"}),
    (
        derived.approximate_randomization,
        approximate_randomization,
        "p",
        {"system": [1], "baseline": [0], "plus_one": True},
    ),
    (
        derived.approximate_randomization,
        approximate_randomization,
        "p",
        {"system": [1], "baseline": [0], "swaps": [[1]]},
    ),
    (
        derived.approximate_randomization,
        approximate_randomization,
        "p",
        {"system": [1], "baseline": [0], "resampling": "exact", "ties": "dropped"},
    ),
    (derived.holm, holm, "adjusted", {"p_values": [0.01, 0.04, 0.03, 0.005]}),
    (derived.benjamini_hochberg, benjamini_hochberg, "adjusted", {"p_values": [0.02, 0.034, 0.05]}),
    (derived.correlation, correlation, "coefficient", {"x": [1, 2], "y": [2, 1]}),
    (derived.correlation, correlation, "coefficient", {"x": [1, 2], "y": [2, 1], "coefficient": "spearman"}),
    (derived.correlation, correlation, "coefficient", {"x": [1, 2], "y": [2, 1], "coefficient": "kendall-tau-a"}),
    (derived.correlation, correlation, "coefficient", {"x": {"A": [1, 2]}, "y": {"A": [2, 1]}}),
]


@pytest.mark.parametrize(("show", "statistic", "main", "fields"), SHOWN)
def test_a_derivation_ends_in_the_answer(show: Any, statistic: Any, main: str, fields: dict[str, Any]) -> None:
    lines = show(**fields)
    assert lines[-1][2] == statistic(**fields)[main]
    assert len(lines) <= 20
    assert all(len(working) < 200 for _, working, _ in lines)


def test_each_p_value_is_shown_with_its_factor() -> None:
    """From the smallest: 0.005 times 4, 0.01 times 3, 0.03 times 2, and 0.04 held at 0.06."""
    lines = derived.holm([0.01, 0.04, 0.03, 0.005])
    assert [working for _, working, _ in lines[:4]] == ["0.005*4", "0.01*3", "0.03*2", "0.04*1, held at 0.06"]
    assert [value for _, _, value in lines[:4]] == pytest.approx([0.02, 0.03, 0.06, 0.06])
