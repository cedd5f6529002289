"""Tests of the difference between two systems: the paired bootstrap and paired approximate randomization.

Sources: Koehn 2004 and Efron and Tibshirani 1993 (paired bootstrap); Noreen 1989 and Riezler and Maxwell 2005
(approximate randomization); Davison and Hinkley 1997 (one added to both counts); sacreBLEU 2.6.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from conformance.reference.resampling import (
    NEAR,
    checked_interval,
    distribution,
    drawn,
    interval_of,
    mean_of,
    remembered,
    resampled,
    swapped,
)
from conformance.reference.shape import choice, flag
from conformance.reference.tokenizers import Text
from conformance.reference.units import Units, exchanged, units_of

CENTRINGS = ("mean", "observed", "none", "absolute")
ALTERNATIVES = ("two-sided", "greater", "less")
DIFFERENCES = ("system-minus-baseline", "baseline-minus-system")


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
    high hold `level` of the resampled differences, and values and shares are their distribution; system_low and the
    like are the same of each side's own scores. The lists of single resamples are empty where all were taken. Raises
    TypeError and ValueError.
    Source: Koehn 2004; Efron and Tibshirani 1993.
    """
    checked_interval(interval, level)
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
    scores, below = resampled(ours, rows), resampled(theirs, others)
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
        **own("system", scores, one, interval, level),
        **own("baseline", below, other, interval, level),
        "deltas": deltas[taken],
        "system_scores": scores[taken],
        "baseline_scores": below[taken],
        "values": values,
        "shares": shares,
    }


def own(name: str, scores: Sequence[float], score: float, interval: str, level: float) -> dict[str, float]:
    """Mean and interval of one side's resampled scores."""
    low, high = interval_of(scores, score, interval, level)
    return {f"{name}_mean": mean_of(scores), f"{name}_low": low, f"{name}_high": high}


def extreme(deltas: Sequence[float], delta: float, centring: str, rule: Rule, slack: float) -> int:
    """How many resampled differences speak against the observed one."""
    if centring == "none":
        if rule.alternative == "two-sided" and abs(delta) <= slack:
            return len(deltas)  # nobody wins
        winner = 1 if rule.alternative == "greater" or (rule.alternative == "two-sided" and delta > 0) else -1
        lost = Rule(rule.ties, rule.plus_one, "less")
        return sum(lost.reached(winner * each, 0, slack) for each in deltas)
    values = list(map(abs, deltas)) if centring == "absolute" else list(deltas)
    centre = delta if centring == "observed" else mean_of(values)
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
    pairs = remembered(len(ours), rows, lambda row: exchanged(ours, theirs, row), ordered=True)
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
