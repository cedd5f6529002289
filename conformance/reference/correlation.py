"""Correlation of a metric with human judgments, over segments or over systems: Pearson, Spearman and Kendall."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from conformance.reference.shape import choice
from conformance.reference.units import real

LEVELS = ("pooled", "system-means", "mean-of-systems")
CONSTANT = ("undefined", "error", "zero")
Series = Sequence[float]


class Constant(ValueError):
    """One side does not vary, so that the coefficient is 0 / 0."""


def pearson(x: Series, y: Series) -> float:
    """Covariance over the root of the product of the variances; -1 to 1. Raises Constant."""
    if min(x) == max(x) or min(y) == max(y):
        raise Constant("one side is constant")
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    left, right = [each - mean_x for each in x], [each - mean_y for each in y]
    scale_x, scale_y = math.hypot(*left), math.hypot(*right)
    return bounded(math.fsum((a / scale_x) * (b / scale_y) for a, b in zip(left, right, strict=True)))


def bounded(value: float) -> float:
    """A coefficient without the rounding that leads out of -1 to 1."""
    return max(-1.0, min(1.0, value))


def ranks(values: Series) -> list[float]:
    """Ranks from 1, the mean rank for equal values."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found, before = [0.0] * len(values), 0
    for _, group in groupby(order, key=values.__getitem__):
        equal = list(group)
        for place in equal:
            found[place] = before + (len(equal) + 1) / 2
        before += len(equal)
    return found


def spearman(x: Series, y: Series) -> float:
    """Pearson's coefficient of the ranks. Raises Constant."""
    return pearson(ranks(x), ranks(y))


def pairs(x: Series, y: Series) -> tuple[int, int, int, int]:
    """Of all pairs of observations: concordant minus discordant, those not tied in x, those not tied in y, and all.

    By sorting: discordant pairs are the inversions of y where x rises (Knight 1966), n log n.
    """
    size = len(x)
    every = size * (size - 1) // 2
    order = sorted(range(size), key=lambda place: (x[place], y[place]))
    ties_x, ties_y = _tied(sorted(x)), _tied(sorted(y))
    ties_both = _tied([(x[place], y[place]) for place in order])
    discordant = _inversions([y[place] for place in order])
    concordant = every - ties_x - ties_y + ties_both - discordant
    return concordant - discordant, every - ties_x, every - ties_y, every


def _tied(ordered: Sequence[Any]) -> int:
    """The pairs of equal neighbours in a sorted list."""
    sizes = [len(list(group)) for _, group in groupby(ordered)]
    return sum(size * (size - 1) // 2 for size in sizes)


def _inversions(values: list[float]) -> int:
    """The pairs that stand in falling order, counted by merging sorted halves."""
    if len(values) < 2:
        return 0
    middle = len(values) // 2
    left, right = values[:middle], values[middle:]
    found = _inversions(left) + _inversions(right)
    left.sort()
    right.sort()
    place = 0
    for value in right:
        while place < len(left) and left[place] <= value:
            place += 1
        found += len(left) - place
    return found


def tau_a(x: Series, y: Series) -> float:
    """Concordant minus discordant pairs over all pairs; ties lower it. Raises Constant for fewer than two."""
    balance, _, _, every = pairs(x, y)
    if not every:
        raise Constant("there is no pair")
    return balance / every


def tau_b(x: Series, y: Series) -> float:
    """The same over the geometric mean of the pairs not tied in x and those not tied in y. Raises Constant."""
    balance, free_x, free_y, _ = pairs(x, y)
    if not free_x or not free_y:
        raise Constant("one side is constant")
    return bounded(balance / math.sqrt(free_x * free_y))


def tau_c(x: Series, y: Series) -> float:
    """Stuart's: 2 m (C - D) / (n^2 (m - 1)) for m, the smaller number of distinct values. Raises Constant."""
    balance, _, _, _ = pairs(x, y)
    distinct = min(len(set(x)), len(set(y)))
    if distinct < 2:
        raise Constant("one side is constant")
    return 2 * balance * distinct / (len(x) ** 2 * (distinct - 1))


COEFFICIENTS: dict[str, Callable[[Series, Series], float]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall-tau-a": tau_a,
    "kendall-tau-b": tau_b,
    "kendall-tau-c": tau_c,
}


def _systems(name: str, values: Any) -> dict[Any, list[float]]:
    """The series of each system: a table, a list of lists, or one list as a single system."""
    if isinstance(values, Mapping):
        table = dict(values)
    elif isinstance(values, (str, bytes)) or not isinstance(values, Sequence):
        raise TypeError(f"{name}: expected lists of numbers, found {values!r:.60}")
    else:
        several = bool(values) and isinstance(values[0], Sequence) and not isinstance(values[0], (str, bytes))
        table = dict(enumerate(values)) if several else {0: values}
    found = {}
    for key, series in table.items():
        if isinstance(series, (str, bytes)) or not isinstance(series, Sequence):
            raise TypeError(f"{name}: expected a list of numbers, found {series!r:.60}")
        found[key] = [real(name, each) for each in series]
    return found


def correlation(
    x: Sequence[Any] | Mapping[str, Sequence[Any]],
    y: Sequence[Any] | Mapping[str, Sequence[Any]],
    *,
    coefficient: str = "pearson",
    level: str = "pooled",
    constant: str = "undefined",
) -> dict[str, Any]:
    """A coefficient of correlation between two series; -1 to 1.

    x, y: a list of numbers; or several systems, as a table or a list of lists, whose observations are pooled
    (segment level), averaged first (system level: one observation a system), or correlated within each system, the
    coefficients averaged. observations counts the points that are correlated, for the mean over systems the
    systems. Raises TypeError and ValueError. Source: Pearson 1896, Spearman 1904, Kendall 1945.
    """
    choice("coefficient", coefficient, tuple(COEFFICIENTS))
    choice("level", level, LEVELS)
    choice("constant", constant, CONSTANT)
    left, right = _systems("x", x), _systems("y", y)
    if left.keys() != right.keys():
        raise ValueError(f"systems {', '.join(map(str, left))} on one side, {', '.join(map(str, right))} on the other")
    groups = [(left[key], right[key]) for key in left]
    for one, other in groups:
        if len(one) != len(other):
            raise ValueError(f"{len(one)} numbers on one side, {len(other)} on the other")
        if level != "pooled" and not one:
            raise ValueError("a system without observations")
    if level == "system-means":
        groups = [
            (
                [math.fsum(one) / len(one) for one, _ in groups],
                [math.fsum(other) / len(other) for _, other in groups],
            )
        ]
    elif level == "pooled":
        groups = [([each for one, _ in groups for each in one], [each for _, other in groups for each in other])]
    if not groups or not all(one for one, _ in groups):
        raise ValueError("expected at least one observation, found none")
    try:
        found = [COEFFICIENTS[coefficient](one, other) for one, other in groups]
    except Constant as reason:
        if constant == "error":
            raise ValueError(str(reason)) from reason
        return {"coefficient": 0.0 if constant == "zero" else math.nan, "observations": _size(groups)}
    return {"coefficient": math.fsum(found) / len(found), "observations": _size(groups)}


def _size(groups: Sequence[tuple[Series, Series]]) -> int:
    return len(groups) if len(groups) > 1 else len(groups[0][0])
