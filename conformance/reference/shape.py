"""The shape of a metric's input, checked once: a list of hypotheses, and a list of references for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def segments(hypotheses: Any, references: Any, *, missing: bool = False) -> None:
    """Check the input of a metric.

    hypotheses: one text (or token list) a segment; references: a list of them for each segment, where
    `missing` allows None. Raises TypeError for another shape, ValueError for lists of different length.
    """
    for name, value in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise TypeError(f"{name}: expected a list with one entry a segment, found {value!r:.60}")
    if len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses, but references for {len(references)} segments")
    for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
        _text(hypothesis, f"hypothesis {place}")
        if isinstance(several, str) or not isinstance(several, Sequence):
            raise TypeError(f"segment {place}: expected a list of references, found {several!r:.60}")
        for reference in several:
            if reference is None and missing:
                continue
            _text(reference, f"a reference of segment {place}")


def _text(value: Any, name: str) -> None:
    if isinstance(value, str):
        return
    if not isinstance(value, Sequence) or not all(isinstance(token, str) for token in value):
        raise TypeError(f"{name}: expected text or a list of tokens, found {value!r:.60}")


def whole(name: str, value: Any, minimum: int, maximum: int) -> int:
    """A parameter that must be an integer in a range; true is not 1. Raises TypeError and ValueError."""
    if type(value) is not int:
        raise TypeError(f"{name}: expected an integer from {minimum} to {maximum}, found {value!r:.60}")
    if not minimum <= value <= maximum:
        raise ValueError(f"{name}: expected an integer from {minimum} to {maximum}, found {value}")
    return value


def flag(name: str, value: Any) -> bool:
    """A parameter that must be true or false. Raises TypeError."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}: expected true or false, found {value!r:.60}")
    return value


def choice(name: str, value: Any, allowed: Sequence[str]) -> str:
    """A parameter that must be one of some names. Raises ValueError."""
    if value not in allowed or not isinstance(value, str):
        raise ValueError(f"{name}: expected one of {', '.join(allowed)}, found {value!r:.60}")
    return value
