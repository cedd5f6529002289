"""Reports: each is made from a record alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from conformance.ledger import Problem
from conformance.record import Block


def exit_code(blocks: Sequence[Block], problems: Mapping[str, Sequence[Problem]] | None = None) -> int:
    """0 where all is as expected; 1 where a block has something unexpected or is cut short, or a ledger is wrong."""
    bad = any(block.end is None or block.end.unexpected for block in blocks)
    return 1 if bad or any((problems or {}).values()) else 0
