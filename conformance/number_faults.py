"""Ways in which a right number leaves an adapter wrong: its scale, its rounding, its direction."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

Change = Callable[[float], float]


def _times(factor: float) -> Change:
    return lambda value: value * factor


def _rounded(digits: int) -> Change:
    return lambda value: round(value, digits)


def _cut(digits: int) -> Change:
    return lambda value: math.trunc(value * 10**digits) / 10**digits


def number_faults() -> Iterator[tuple[str, Change]]:
    """Each fault in words, with what it makes of a right value."""
    for factor, words in ((100, "100 times too large"), (0.01, "100 times too small"), (10, "10 times too large")):
        yield f"a value {words} (declare scale={factor:g})", _times(factor)
    yield "one minus the value (a distance for a similarity, or the reverse)", _complement
    for digits in range(1, 7):
        yield f"a value rounded to {digits} decimals (declare decimals={digits})", _rounded(digits)
        yield f"a value cut after {digits} decimals", _cut(digits)


def _complement(value: float) -> float:
    return 1 - value
