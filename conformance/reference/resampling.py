"""The bootstrap of any score whose statistics add up: resamples, their scores, and intervals.

Sources: Efron and Tibshirani 1993; sacreBLEU 2.6.0 and rouge-score 0.1.2 for their intervals and generators.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product
from typing import Any, TypeVar

from conformance.reference.generators import DRAWS, bits
from conformance.reference.shape import choice, whole
from conformance.reference.tokenizers import Text
from conformance.reference.units import Units, real, units_of

MOST = 50_000
"""The most resamples where all are taken."""
MOST_DRAWN = 10_000
"""The most that are given or drawn; each of them is part of the answer."""
GENERATORS = (*DRAWS, "exact")
INTERVALS = ("order-statistics", "linear", "basic", "mean-and-half-width")
NEAR = 1e-12
"""Differences closer than this share of the scores are equal: what is left is rounding."""

Row = Sequence[int]
Result = TypeVar("Result")


def _rows(name: str, rows: Any) -> list[Row]:
    """Given rows of whole numbers. Raises TypeError and ValueError."""
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Sequence) or not rows:
        raise TypeError(f"{name}: expected a list of rows, found {rows!r:.60}")
    for row in rows:
        if isinstance(row, (str, bytes)) or not isinstance(row, Sequence) or not row:
            raise TypeError(f"{name}: expected rows of whole numbers, found {row!r:.60}")
        if not all(type(each) is int for each in row):
            raise TypeError(f"{name}: expected whole numbers, found {row!r:.60}")
    if len(rows) > MOST_DRAWN:
        raise ValueError(f"{name}: expected at most {MOST_DRAWN:,} rows, found {len(rows):,}")
    return list(rows)


def _enumerated(options: int, places: int) -> Iterator[Row]:
    """Every row of so many places. Raises ValueError where they are too many."""
    if options**places > MOST:
        raise ValueError(f"{options}^{places} resamples are more than {MOST:,}; draw some of them with a generator")
    return product(range(options), repeat=places)


def drawn(units: int, indices: Any, resampling: str, samples: int, seed: int) -> Iterable[Row]:
    """The rows of unit indices: those given, every one there is, or as many as asked for from a generator."""
    choice("resampling", resampling, GENERATORS)
    whole("samples", samples, 1, MOST_DRAWN)
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
    whole("samples", samples, 1, MOST_DRAWN)
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


FEW = 16
"""Up to so many units the same resample comes again and again, and is scored once."""


def remembered(units: int, rows: Iterable[Row], score: Callable[[Row], Result], *, ordered: bool) -> list[Result]:
    """The score of each row; the order of the entries counts or does not."""
    if units > FEW:
        return [score(row) for row in rows]
    known: dict[Row, Result] = {}
    found = []
    for row in rows:
        key = tuple(row) if ordered else tuple(sorted(row))
        if key not in known:
            known[key] = score(key)
        found.append(known[key])
    return found


def resampled(units: Units, rows: Iterable[Row]) -> list[float]:
    """The score of each resample."""
    return remembered(len(units), rows, units.score, ordered=False)


# Intervals


def mean_of(values: Sequence[float]) -> float:
    """The mean, which of equal values is exactly that value: what differs from the first is averaged."""
    first = values[0]
    return first + math.fsum(each - first for each in values) / len(values)


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
    mean, half = mean_of(values), (high - low) / 2
    return mean - half, mean + half


def checked_interval(interval: Any, level: Any) -> None:
    """Check how an interval is to be made. Raises TypeError and ValueError."""
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
    checked_interval(interval, level)
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
    scores = resampled(units, drawn(len(units), indices, resampling, samples, seed))
    observed = units.score()
    low, high = interval_of(scores, observed, interval, level)
    mean = mean_of(scores)
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
