"""Corrections of a family of p-values: Holm's for the family-wise error, Benjamini and Hochberg's for false discoveries."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from conformance.reference.shape import choice

NEAR = 1e-12
"""A corrected p-value this close to alpha, relatively, is equal to it: what is left is rounding."""


def _checked(p_values: Any, alpha: Any, at_alpha: Any, monotone: Any, cap: Any, empty: Any) -> None:
    if isinstance(p_values, (str, bytes)) or not isinstance(p_values, Sequence):
        raise TypeError(f"p_values: expected a list of numbers, found {p_values!r:.60}")
    for value in (*p_values, alpha):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"expected numbers from 0 to 1, found {value!r:.60}")
        if not 0 <= value <= 1:
            raise ValueError(f"expected numbers from 0 to 1, found {value}")
    choice("at_alpha", at_alpha, ("rejected", "kept"))
    choice("monotone", monotone, ("enforced", "raw"))
    choice("cap", cap, ("one", "none"))
    choice("empty", empty, ("empty", "error"))
    if not p_values and empty == "error":
        raise ValueError("expected at least one p-value, found none")


def _decided(
    p_values: Sequence[float], corrected: Sequence[float], order: Sequence[int], alpha: float, at_alpha: str, cap: str
) -> dict[str, Any]:
    """The corrected p-values back in the order of the input, and which hypotheses they reject."""
    adjusted = [0.0] * len(p_values)
    for place, value in zip(order, corrected, strict=True):
        adjusted[place] = float(min(value, 1)) if cap == "one" else float(value)
    near = at_alpha == "rejected"
    rejected = [near if math.isclose(each, alpha, rel_tol=NEAR, abs_tol=0.0) else each < alpha for each in adjusted]
    return {"adjusted": adjusted, "rejected": rejected, "rejections": sum(rejected)}


def holm(
    p_values: Sequence[float],
    *,
    alpha: float = 0.05,
    at_alpha: str = "rejected",
    monotone: str = "enforced",
    cap: str = "one",
    empty: str = "empty",
) -> dict[str, Any]:
    """Holm's step-down correction: the i-th smallest of m p-values times m - i + 1, and never less than one before it.

    A hypothesis is rejected where its corrected p-value is at most alpha. Returns the corrected values in the order of
    the input, 0 to 1, and which are rejected. Raises TypeError and ValueError. Source: Holm 1979.
    """
    _checked(p_values, alpha, at_alpha, monotone, cap, empty)
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    raw = [p_values[place] * (len(order) - step) for step, place in enumerate(order)]
    return _decided(p_values, _running(raw, max, monotone), order, alpha, at_alpha, cap)


def benjamini_hochberg(
    p_values: Sequence[float],
    *,
    alpha: float = 0.05,
    at_alpha: str = "rejected",
    monotone: str = "enforced",
    cap: str = "one",
    empty: str = "empty",
) -> dict[str, Any]:
    """Benjamini and Hochberg's step-up correction: the i-th smallest of m times m / i, and never more than one after it.

    Input, answer and errors as in `holm`. Source: Benjamini and Hochberg 1995.
    """
    _checked(p_values, alpha, at_alpha, monotone, cap, empty)
    order = sorted(range(len(p_values)), key=p_values.__getitem__, reverse=True)
    raw = [p_values[place] * len(order) / (len(order) - step) for step, place in enumerate(order)]
    return _decided(p_values, _running(raw, min, monotone), order, alpha, at_alpha, cap)


def _running(raw: Sequence[float], extreme: Callable[..., float], monotone: str) -> list[float]:
    return list(accumulate(raw, extreme)) if monotone == "enforced" else list(raw)
