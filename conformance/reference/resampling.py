"""Bootstrap, paired bootstrap and paired approximate randomization of any score whose statistics add up.

Sources: Efron and Tibshirani 1993; Koehn 2004 (paired bootstrap); Noreen 1989 and Riezler and Maxwell 2005
(approximate randomization); Davison and Hinkley 1997 (one added to both counts); sacreBLEU 2.6.0; SciPy 1.17.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from conformance.reference.generators import DRAWS, bits
from conformance.reference.shape import choice, flag, whole
from conformance.reference.tokenizers import Text
from conformance.reference.units import Units, exchanged, real, units_of

MOST = 50_000
"""The most resamples of one test."""
GENERATORS = (*DRAWS, "exact")
INTERVALS = ("order-statistics", "linear", "basic", "mean-and-half-width")
CENTRINGS = ("mean", "observed", "none", "absolute")
ALTERNATIVES = ("two-sided", "greater", "less")
DIFFERENCES = ("system-minus-baseline", "baseline-minus-system")
NEAR = 1e-12
"""Differences closer than this share of the scores are equal: what is left is rounding."""

Row = Sequence[int]


def _rows(name: str, rows: Any) -> list[Row]:
    """Given rows of whole numbers. Raises TypeError and ValueError."""
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Sequence) or not rows:
        raise TypeError(f"{name}: expected a list of rows, found {rows!r:.60}")
    for row in rows:
        if isinstance(row, (str, bytes)) or not isinstance(row, Sequence) or not row:
            raise TypeError(f"{name}: expected rows of whole numbers, found {row!r:.60}")
        if not all(type(each) is int for each in row):
            raise TypeError(f"{name}: expected whole numbers, found {row!r:.60}")
    if len(rows) > MOST:
        raise ValueError(f"{name}: expected at most {MOST:,} rows, found {len(rows):,}")
    return list(rows)


def _enumerated(options: int, places: int) -> Iterator[Row]:
    """Every row of so many places. Raises ValueError where they are too many."""
    if options**places > MOST:
        raise ValueError(f"{options}^{places} resamples are more than {MOST:,}; draw some of them with a generator")
    return product(range(options), repeat=places)


def drawn(units: int, indices: Any, resampling: str, samples: int, seed: int) -> Iterable[Row]:
    """The rows of unit indices: those given, every one there is, or as many as asked for from a generator."""
    choice("resampling", resampling, GENERATORS)
    whole("samples", samples, 1, MOST)
    whole("seed", seed, 0, 2**128 - 1)
    if indices is not None:
        rows = _rows("indices", indices)
        if any(not 0 <= each < units for row in rows for each in row):
            raise ValueError(f"indices: expected 0 to {units - 1}, one of {units} units")
        return rows
    if resampling == "exact":
        return _enumerated(units, units)
    stream = DRAWS[resampling](seed, units)
    return (list(islice(stream, units)) for _ in range(samples))


def swapped(units: int, swaps: Any, resampling: str, samples: int, seed: int) -> Iterable[Row]:
    """The rows of swaps, 1 where a unit changes sides: given, every one there is, or drawn."""
    choice("resampling", resampling, GENERATORS)
    whole("samples", samples, 1, MOST)
    whole("seed", seed, 0, 2**128 - 1)
    if swaps is not None:
        rows = _rows("swaps", swaps)
        if any(len(row) != units or set(row) - {0, 1} for row in rows):
            raise ValueError(f"swaps: expected rows of 0 and 1, one for each of {units} units")
        return rows
    if resampling == "exact":
        return _enumerated(2, units)
    stream = bits(resampling, seed)
    return (list(islice(stream, units)) for _ in range(samples))


# Intervals


def quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile of sorted values, with linear interpolation between neighbours (Hyndman and Fan's type 7)."""
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def interval_of(values: Sequence[float], observed: float, rule: str, level: float) -> tuple[float, float]:
    """The lower and the upper end of an interval from resampled values."""
    ordered, tail = sorted(values), (1 - level) / 2
    if rule in ("linear", "basic"):
        low, high = quantile(ordered, tail), quantile(ordered, 1 - tail)
        return (low, high) if rule == "linear" else (2 * observed - high, 2 * observed - low)
    cut = math.floor(round(len(ordered) * tail, 9))
    low, high = ordered[cut], ordered[len(ordered) - cut - 1]
    if rule == "order-statistics":
        return low, high
    mean, half = math.fsum(values) / len(values), (high - low) / 2
    return mean - half, mean + half


def _checked_interval(interval: Any, level: Any) -> None:
    choice("interval", interval, INTERVALS)
    if not 0 < real("level", level) < 1:
        raise ValueError(f"level: expected a number between 0 and 1, found {level}")


def bootstrap(
    *,
    system: Sequence[Any] | None = None,
    hypotheses: Sequence[Text] | None = None,
    references: Sequence[Sequence[Text | None]] | None = None,
    indices: Sequence[Sequence[int]] | None = None,
    clusters: Sequence[str] | None = None,
    metric: str = "none",
    aggregation: str = "mean",
    unit: str = "case",
    cluster_weights: str = "by-size",
    resampling: str = "numpy",
    samples: int = 1000,
    seed: int = 12345,
    interval: str = "order-statistics",
    level: float = 0.95,
) -> dict[str, Any]:
    """The bootstrap of one score: resampled with replacement, recomputed each time by its own formula.

    system: a score, or [numerator, denominator], for each unit; or hypotheses with references, and a metric.
    indices: the rows of unit indices; without them they are drawn (`resampling`, `samples`, `seed`), or all n^n
    are taken (exact). clusters: a label for each case, where the cluster is the unit. low and high hold `level` of the
    resampled scores; mean, median and variance (divided by the number of resamples) are theirs. values and shares are
    the distinct scores, rising, and how often each came; scores has them one by one, and is empty where all were
    taken. Raises TypeError and ValueError.
    Source: Efron and Tibshirani 1993.
    """
    _checked_interval(interval, level)
    units = units_of(
        "system",
        system,
        hypotheses,
        references,
        clusters,
        metric=metric,
        aggregation=aggregation,
        unit=unit,
        cluster_weights=cluster_weights,
    )
    scores = [units.score(row) for row in drawn(len(units), indices, resampling, samples, seed)]
    observed = units.score()
    low, high = interval_of(scores, observed, interval, level)
    mean = math.fsum(scores) / len(scores)
    values, shares = distribution(scores, NEAR * max(map(abs, scores)))
    return {
        "score": observed,
        "low": low,
        "high": high,
        "mean": mean,
        "median": quantile(sorted(scores), 1 / 2),
        "variance": math.fsum((each - mean) ** 2 for each in scores) / len(scores),
        "resamples": len(scores),
        "scores": [] if indices is None and resampling == "exact" else scores,
        "values": values,
        "shares": shares,
    }


def distribution(scores: Sequence[float], slack: float) -> tuple[list[float], list[float]]:
    """The values that are distinct by more than the slack, rising, and the share of each."""
    values: list[float] = []
    counts: list[int] = []
    for score in sorted(scores):
        if values and score - values[-1] <= slack:
            counts[-1] += 1
        else:
            values.append(score)
            counts.append(1)
    return values, [count / len(scores) for count in counts]


# Tests


@dataclass(frozen=True, slots=True)
class Rule:
    """How a p-value comes from resampled differences and the observed one."""

    ties: bool
    plus_one: bool
    alternative: str

    def reached(self, value: float, bound: float, slack: float) -> bool:
        """Whether a value is at least as extreme as the bound, by the alternative."""
        if self.alternative == "two-sided":
            value, bound = abs(value), abs(bound)
        elif self.alternative == "less":
            value, bound = -value, -bound
        return value >= bound - slack if self.ties else value > bound + slack

    def p(self, count: int, size: int) -> float:
        """The share, with one added to both counts where the rule says so."""
        return (count + self.plus_one) / (size + self.plus_one)


def _rule(ties: Any, plus_one: Any, alternative: Any) -> Rule:
    choice("ties", ties, ("counted", "dropped"))
    flag("plus_one", plus_one)
    choice("alternative", alternative, ALTERNATIVES)
    return Rule(ties == "counted", plus_one, alternative)


def _pair(
    baseline: Any,
    system: Any,
    hypotheses: Any,
    baseline_hypotheses: Any,
    references: Any,
    clusters: Any,
    **choices_: Any,
) -> tuple[Units, Units]:
    """The units of system and baseline. Raises TypeError and ValueError."""
    ours = units_of("system", system, hypotheses, references, clusters, **choices_)
    theirs = units_of("baseline", baseline, baseline_hypotheses, references, clusters, **choices_)
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} units of the system, but {len(theirs)} of the baseline")
    return ours, theirs


def paired_bootstrap(
    *,
    baseline: Sequence[Any] | None = None,
    system: Sequence[Any] | None = None,
    hypotheses: Sequence[Text] | None = None,
    baseline_hypotheses: Sequence[Text] | None = None,
    references: Sequence[Sequence[Text | None]] | None = None,
    indices: Sequence[Sequence[int]] | None = None,
    baseline_indices: Sequence[Sequence[int]] | None = None,
    clusters: Sequence[str] | None = None,
    metric: str = "none",
    aggregation: str = "mean",
    unit: str = "case",
    cluster_weights: str = "by-size",
    resampling: str = "numpy",
    samples: int = 1000,
    seed: int = 12345,
    difference: str = "system-minus-baseline",
    centring: str = "mean",
    ties: str = "counted",
    plus_one: bool = False,
    alternative: str = "two-sided",
    interval: str = "order-statistics",
    level: float = 0.95,
) -> dict[str, Any]:
    """The paired bootstrap: both systems on the same resampled units, and the difference of their scores each time.

    Input as in `bootstrap`, twice; `baseline_indices` draws the baseline apart, which breaks the pairing. p is
    the share of resamples whose difference, after `centring`, is at least as extreme as the observed one; without
    centring it is the share that the observed winner does not win (or the side that `alternative` names). low and
    high hold `level` of the resampled differences, and values and shares are their distribution. The lists of single
    resamples are empty where all were taken. Raises TypeError and ValueError.
    Source: Koehn 2004; Efron and Tibshirani 1993.
    """
    _checked_interval(interval, level)
    choice("centring", centring, CENTRINGS)
    choice("difference", difference, DIFFERENCES)
    rule = _rule(ties, plus_one, alternative)
    ours, theirs = _pair(
        baseline,
        system,
        hypotheses,
        baseline_hypotheses,
        references,
        clusters,
        metric=metric,
        aggregation=aggregation,
        unit=unit,
        cluster_weights=cluster_weights,
    )
    rows = list(drawn(len(ours), indices, resampling, samples, seed))
    others = rows if baseline_indices is None else list(drawn(len(theirs), baseline_indices, resampling, samples, seed))
    if len(rows) != len(others):
        raise ValueError(f"{len(rows)} rows of indices, but {len(others)} of baseline_indices")
    sign = 1 if difference == DIFFERENCES[0] else -1
    scores, below = [ours.score(row) for row in rows], [theirs.score(row) for row in others]
    deltas = [sign * (one - other) for one, other in zip(scores, below, strict=True)]
    one, other = ours.score(), theirs.score()
    delta = sign * (one - other)
    slack = NEAR * max(abs(one), abs(other))
    count = extreme(deltas, delta, centring, rule, slack)
    low, high = interval_of(deltas, delta, interval, level)
    values, shares = distribution(deltas, slack)
    taken = slice(0 if indices is None and resampling == "exact" else None)
    return {
        "p": rule.p(count, len(deltas)),
        "delta": delta,
        "low": low,
        "high": high,
        "extreme": count,
        "resamples": len(deltas),
        "system": one,
        "baseline": other,
        "deltas": deltas[taken],
        "system_scores": scores[taken],
        "baseline_scores": below[taken],
        "values": values,
        "shares": shares,
    }


def extreme(deltas: Sequence[float], delta: float, centring: str, rule: Rule, slack: float) -> int:
    """How many resampled differences speak against the observed one."""
    if centring == "none":
        if rule.alternative == "two-sided" and abs(delta) <= slack:
            return len(deltas)  # nobody wins
        winner = 1 if rule.alternative == "greater" or (rule.alternative == "two-sided" and delta > 0) else -1
        lost = Rule(rule.ties, rule.plus_one, "less")
        return sum(lost.reached(winner * each, 0, slack) for each in deltas)
    values = list(map(abs, deltas)) if centring == "absolute" else list(deltas)
    centre = delta if centring == "observed" else math.fsum(values) / len(values)
    if centring == "absolute":
        rule = Rule(rule.ties, rule.plus_one, "greater")
        return sum(rule.reached(each - centre, abs(delta), slack) for each in values)
    return sum(rule.reached(each - centre, delta, slack) for each in values)


def approximate_randomization(
    *,
    baseline: Sequence[Any] | None = None,
    system: Sequence[Any] | None = None,
    hypotheses: Sequence[Text] | None = None,
    baseline_hypotheses: Sequence[Text] | None = None,
    references: Sequence[Sequence[Text | None]] | None = None,
    swaps: Sequence[Sequence[int]] | None = None,
    clusters: Sequence[str] | None = None,
    metric: str = "none",
    aggregation: str = "mean",
    unit: str = "case",
    cluster_weights: str = "by-size",
    resampling: str = "numpy",
    samples: int = 10000,
    seed: int = 12345,
    difference: str = "system-minus-baseline",
    ties: str = "counted",
    plus_one: bool = False,
    alternative: str = "two-sided",
) -> dict[str, Any]:
    """Paired approximate randomization: the outputs of each unit change sides or not, and both scores are recomputed.

    Input as in `paired_bootstrap`. p is the share of swaps whose difference is at least as extreme as the observed
    one, over the swaps given, drawn, or all 2^n of them (exact); values and shares are the distribution of the
    differences, and deltas, empty where all were taken, has them one by one. Raises TypeError and ValueError.
    Source: Noreen 1989; Riezler and Maxwell 2005.
    """
    choice("difference", difference, DIFFERENCES)
    rule = _rule(ties, plus_one, alternative)
    ours, theirs = _pair(
        baseline,
        system,
        hypotheses,
        baseline_hypotheses,
        references,
        clusters,
        metric=metric,
        aggregation=aggregation,
        unit=unit,
        cluster_weights=cluster_weights,
    )
    rows = swapped(len(ours), swaps, resampling, samples, seed)
    sign = 1 if difference == DIFFERENCES[0] else -1
    pairs = [exchanged(ours, theirs, row) for row in rows]
    deltas = [sign * (one - other) for one, other in pairs]
    one, other = ours.score(), theirs.score()
    delta, slack = sign * (one - other), NEAR * max(abs(one), abs(other))
    count = sum(rule.reached(each, delta, slack) for each in deltas)
    values, shares = distribution(deltas, slack)
    return {
        "p": rule.p(count, len(deltas)),
        "delta": delta,
        "extreme": count,
        "resamples": len(deltas),
        "system": one,
        "baseline": other,
        "deltas": [] if swaps is None and resampling == "exact" else deltas,
        "values": values,
        "shares": shares,
    }
