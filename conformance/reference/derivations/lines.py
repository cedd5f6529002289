"""What the derivations share: lines of (name, working, value), and how long parts are cut short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from conformance.reference import text as texts
from conformance.reference.tokenizers import Text

Lines = list[tuple[str, str, Any]]
Hypotheses = Sequence[Text]
References = Sequence[Sequence[Any]]

TABLE_SIDE = 12
"""A dynamic program with a longer side is not shown."""
ALIGNED = 40
"""An alignment with more steps is not shown."""
SEGMENTS = 12
"""So many segments of a corpus are shown one by one."""


def cut(parts: Sequence[Any], limit: int = 14, between: str = " ") -> str:
    """The first parts as text, with an ellipsis where there are more."""
    shown = between.join(str(each) for each in parts[:limit])
    return (shown or "(nothing)") + (" ..." if len(parts) > limit else "")


def quoted(text: str, limit: int = 60) -> str:
    """A text in quotes, with an ellipsis where it is longer."""
    return repr(text) if len(text) <= limit else f"{text[:limit]!r} ..."


def counted(bag: Counter[Any]) -> str:
    """A bag as text: each element, with its count where that is not one."""
    parts = [texts.shown(each) + (f" x{count}" if count != 1 else "") for each, count in bag.items()]
    return cut(parts, 10, ", ")
