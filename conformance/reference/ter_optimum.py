"""The fewest edits that TER's operations allow: every way to move phrases, of any length, to any place.

Levels of one, two, ... shifts are searched as long as another shift could pay. What the greedy search finds is the
first bound, and it is often proved at once: one shift and the distance of the two bags cannot be undercut by shifts.
The number of orders grows as the factorial of the length, so the search is for short segments. Source: Shapira and
Storer 2002 (edit distance with moves is NP-hard); Snover et al. 2006.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conformance.reference import ter_alignment as aligned
from conformance.reference.ter_search import Found, Limits, Shift, bag_distance, greedy

ORDERS = 50_000
"""The search gives up where shifts reach more orders of the hypothesis words; eight words have at most 40,320."""

Order = tuple[aligned.Word, ...]


def shifted(order: Order) -> Iterator[tuple[Order, Shift]]:
    """Every order that one shift makes; a phrase that moves left is its left neighbours moving right."""
    for start in range(len(order) - 1):
        for end in range(start + 1, len(order)):
            for stop in range(end + 1, len(order) + 1):
                changed = order[:start] + order[end:stop] + order[start:end] + order[stop:]
                yield changed, Shift(start, end - start, start + stop - end)


def optimum(hypothesis: Sequence[str], reference: Sequence[str]) -> Found:
    """The fewest edits over all sequences of shifts, and shifts that lead there.

    Raises ValueError where more than `ORDERS` orders would have to be weighed.
    """
    best = greedy(
        hypothesis, reference, Limits(size=max(len(hypothesis), 1), distance=len(hypothesis) + len(reference))
    )
    least = bag_distance(hypothesis, reference)
    first = tuple(aligned.as_bits(hypothesis, reference))
    start, mask = aligned.start_state(len(reference)), (1 << len(reference)) - 1
    ways: dict[Order, tuple[Shift, ...]] = {first: ()}
    level = [first]
    count = 0
    while level and count + 1 + least < best.edits:
        count += 1
        reached: list[Order] = []
        for order in level:
            for changed, shift in shifted(order):
                if changed in ways:
                    continue
                if len(ways) == ORDERS:
                    raise ValueError(
                        f"search exhaustive: {len(hypothesis)} words are too many here, as shifts reach more than "
                        f"{ORDERS:,} orders of them; it is for segments of up to eight words"
                    )
                ways[changed] = (*ways[order], shift)
                reached.append(changed)
                if count + aligned.cost(aligned.advance(start, changed, mask), len(changed)) < best.edits:
                    columns = aligned.columns(start, changed, mask)
                    left = aligned.cost(columns[-1], len(changed))
                    best = Found(ways[changed], left, aligned.steps(changed, len(reference), columns))
        level = reached
    return best
