# /// script
# requires-python = ">=3.11"
# dependencies = ["scipy==1.17.1"]
# ///
"""SciPy (https://scipy.org): bootstrap, permutation test, correlation, and control of the false discovery rate."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
from scipy import stats

from conformance import Adapter, Unsupported

adapter = Adapter("scipy", version=version("scipy"), homepage="https://scipy.org", licence="BSD-3-Clause")

Statistic = Callable[[Any], Any]
"""The score of the units at some places."""


def score_of(values: Sequence[Any], aggregation: str) -> Statistic:
    """A statistic over indices of units, for SciPy resamples what it is given: the mean, or the ratio of sums."""
    table = np.array(values, dtype=float)
    if table.ndim == 1:
        if aggregation != "mean":
            raise Unsupported("a ratio of sums needs pairs")
        return lambda places: np.mean(table[places])
    if aggregation == "mean":
        return lambda places: np.mean(table[places, 0] / table[places, 1])
    return lambda places: np.sum(table[places, 0]) / np.sum(table[places, 1])


METHODS = {"linear": "percentile", "basic": "basic"}
SEED = 12345
"""Where none is asked for: SciPy draws without a seed, and no two runs would be the same."""


@adapter.metric(
    "bootstrap",
    components=["score", "low", "high", "variance", "scores"],
    given=["system"],
    accepts={
        "aggregation": {"mean", "ratio-of-sums"},
        "samples": None,
        "seed": None,
        "interval": set(METHODS),
        "level": None,
    },
    defaults={"aggregation": "mean", "samples": 9999, "seed": SEED, "interval": "linear", "level": 0.95},
    fixes={"metric": "none", "unit": "case", "resampling": "numpy"},
)
def bootstrap(
    *,
    system: Sequence[Any],
    aggregation: str = "mean",
    samples: int = 9999,
    seed: int = SEED,
    interval: str = "linear",
    level: float = 0.95,
) -> dict[str, Any]:
    statistic = score_of(system, aggregation)
    places = np.arange(len(system))
    found = stats.bootstrap(
        (places,),
        statistic,
        vectorized=False,
        n_resamples=samples,
        confidence_level=level,
        method=METHODS[interval],
        rng=np.random.default_rng(seed),
    )
    scores = found.bootstrap_distribution
    return {
        "score": statistic(places),
        "low": found.confidence_interval.low,
        "high": found.confidence_interval.high,
        "variance": found.standard_error**2 * (len(scores) - 1) / len(scores),
        "scores": scores,
    }


@adapter.metric(
    "paired-bootstrap",
    components=["delta", "low", "high", "deltas"],
    given=["baseline", "system"],
    accepts={
        "aggregation": {"mean", "ratio-of-sums"},
        "samples": None,
        "seed": None,
        "interval": set(METHODS),
        "level": None,
    },
    defaults={"aggregation": "mean", "samples": 9999, "seed": SEED, "interval": "linear", "level": 0.95},
    fixes={"metric": "none", "unit": "case", "resampling": "numpy", "difference": "system-minus-baseline"},
)
def paired_bootstrap(
    *,
    baseline: Sequence[Any],
    system: Sequence[Any],
    aggregation: str = "mean",
    samples: int = 9999,
    seed: int = SEED,
    interval: str = "linear",
    level: float = 0.95,
) -> dict[str, Any]:
    if len(baseline) != len(system):
        raise ValueError("the systems have different units")
    ours, theirs = score_of(system, aggregation), score_of(baseline, aggregation)
    places = np.arange(len(system))

    def difference(drawn: Any) -> Any:
        return ours(drawn) - theirs(drawn)

    found = stats.bootstrap(
        (places,),
        difference,
        vectorized=False,
        n_resamples=samples,
        confidence_level=level,
        method=METHODS[interval],
        rng=np.random.default_rng(seed),
    )
    return {
        "delta": difference(places),
        "low": found.confidence_interval.low,
        "high": found.confidence_interval.high,
        "deltas": found.bootstrap_distribution,
    }


@adapter.metric(
    "approximate-randomization",
    components=["p", "delta", "resamples"],
    given=["baseline", "system"],
    accepts={"aggregation": {"mean", "ratio-of-sums"}, "alternative": {"two-sided", "greater", "less"}},
    defaults={"aggregation": "mean", "alternative": "two-sided"},
    fixes={
        "metric": "none",
        "unit": "case",
        "resampling": "exact",
        "difference": "system-minus-baseline",
        "ties": "counted",
        "plus_one": False,
    },
)
def approximate_randomization(
    *, baseline: Sequence[Any], system: Sequence[Any], aggregation: str = "mean", alternative: str = "two-sided"
) -> dict[str, Any]:
    if len(baseline) != len(system):
        raise ValueError("the systems have different units")
    size = len(system)
    score = score_of([*system, *baseline], aggregation)
    # SciPy refuses a single pair, and exchanges the two samples of each pair otherwise.
    found = stats.permutation_test(
        (np.arange(size), np.arange(size) + size),
        lambda one, other: score(one) - score(other),
        permutation_type="samples",
        vectorized=False,
        n_resamples=math.inf,
        alternative=alternative,
    )
    return {"p": found.pvalue, "delta": found.statistic, "resamples": len(found.null_distribution)}


@adapter.metric("benjamini-hochberg", components=["adjusted"], fixes={"monotone": "enforced", "cap": "one"})
def benjamini_hochberg(p_values: Sequence[float]) -> dict[str, Any]:
    return {"adjusted": stats.false_discovery_control(p_values, method="bh")}


COEFFICIENTS: dict[str, Callable[[Any, Any], Any]] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall-tau-b": lambda x, y: stats.kendalltau(x, y, variant="b"),
    "kendall-tau-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}


@adapter.metric(
    "correlation",
    components=["coefficient"],
    accepts={"coefficient": set(COEFFICIENTS)},
    defaults={"coefficient": "pearson"},
    fixes={"level": "pooled", "constant": "undefined"},
)
def correlation(x: Any, y: Any, coefficient: str = "pearson") -> float:
    if not all(isinstance(side, list) and not any(isinstance(each, list) for each in side) for side in (x, y)):
        raise Unsupported("SciPy correlates two lists of numbers")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of constant input, whose coefficient is nan
        return float(COEFFICIENTS[coefficient](x, y).statistic)
