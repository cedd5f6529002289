"""The shape of a metric's input and parameters, checked once: each function names what it expected."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def segments(hypotheses: Any, references: Any, *, missing: bool = False, needed: bool = False) -> None:
    """Check the input of a metric.

    hypotheses: one text (or token list) a segment; references: a list of them for each segment, where
    `missing` allows None, and `needed` asks for at least one. Raises TypeError for another shape,
    ValueError for lists of different length or a segment without a reference.
    """
    for name, value in (("hypotheses", hypotheses), ("references", references)):
        if not _is_list(value):
            raise TypeError(f"{name}: expected a list with one entry a segment, found {value!r:.60}")
    if len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses, but references for {len(references)} segments")
    for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
        if not isinstance(hypothesis, str):
            text_or_tokens(f"hypothesis {place}", hypothesis)
        if not _is_list(several):
            raise TypeError(f"segment {place}: expected a list of references, found {several!r:.60}")
        present = 0
        for reference in several:
            if not isinstance(reference, str):
                if reference is None and missing:
                    continue
                text_or_tokens(f"a reference of segment {place}", reference)
            present += 1
        if needed and not present:
            raise ValueError(f"segment {place}: expected at least one reference, found none")


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def text_or_tokens(name: str, value: Any) -> None:
    """Check that a value is text or a list of tokens. Raises TypeError."""
    if isinstance(value, str):
        return
    if not _is_list(value) or not all(isinstance(token, str) for token in value):
        raise TypeError(f"{name}: expected text or a list of tokens, found {value!r:.60}")


def whole(name: str, value: Any, minimum: int, maximum: int) -> int:
    """A parameter that must be an integer in a range; true is not 1. Raises TypeError and ValueError."""
    if type(value) is not int:
        raise TypeError(f"{name}: expected an integer from {minimum} to {maximum}, found {value!r:.60}")
    if not minimum <= value <= maximum:
        raise ValueError(f"{name}: expected an integer from {minimum} to {maximum}, found {value}")
    return value


def number(name: str, value: Any) -> float:
    """A parameter that must be a finite number from 0; true is not 1. Raises TypeError and ValueError."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name}: expected a number from 0, found {value!r:.60}")
    if not math.isfinite(value) or value < 0:
        raise ValueError(f"{name}: expected a finite number from 0, found {value}")
    return value


def flag(name: str, value: Any) -> bool:
    """A parameter that must be true or false. Raises TypeError."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}: expected true or false, found {value!r:.60}")
    return value


def choice(name: str, value: Any, allowed: Sequence[str]) -> str:
    """A parameter that must be one of some names. Raises ValueError."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name}: expected one of {', '.join(allowed)}, found {value!r:.60}")
    return value


def choices(name: str, value: Any, allowed: Sequence[str]) -> tuple[str, ...]:
    """A parameter that must be a list of such names. Raises TypeError and ValueError."""
    if not _is_list(value):
        raise TypeError(f"{name}: expected a list of names, found {value!r:.60}")
    return tuple(choice(name, each, allowed) for each in value)
