"""What TER aligns: a hypothesis and a reference as bits, their edit distance and one minimum-cost alignment.

A hypothesis word is the set of the reference positions that hold it, as the bits of an integer, so a column of the
dynamic program is two integers and costs a few operations. Of equally cheap alignments all of TERCOM and sacreBLEU
take the same one: read from the right, a hit or a substitution goes first, then a surplus hypothesis word, then a
missing reference word. Sources: Myers 1999 and Hyyro 2003 for the bits; TERCOM 0.10.0 and sacreBLEU 2.6.0 for the
order and the beams.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

HIT, SUBSTITUTION, SURPLUS, MISSING = " ", "S", "I", "D"
"""The steps of an alignment; surplus is a hypothesis word, missing a reference word. The letters are TERCOM's."""

Word = int
"""A hypothesis word: bit i is set where it equals reference word i."""
State = tuple[int, int]
"""A column of the dynamic program: where a cell is one more, and where one less, than the one above it."""


def as_bits(hypothesis: Sequence[str], reference: Sequence[str]) -> list[Word]:
    """Each hypothesis word as the set of its positions in the reference."""
    places: dict[str, int] = {}
    for place, word in enumerate(reference):
        places[word] = places.get(word, 0) | 1 << place
    return [places.get(word, 0) for word in hypothesis]


def start_state(length: int) -> State:
    """The column before the first hypothesis word, for a reference of `length` words."""
    return (1 << length) - 1, 0


def advance(state: State, words: Sequence[Word], mask: int) -> State:
    """The column after some more hypothesis words; `mask` has a bit for each reference word."""
    more, less = state
    for equal in words:
        zero = (((equal & more) + more) ^ more) | equal | less
        right_more = (less | ~(zero | more)) << 1 | 1
        more, less = ((more & zero) << 1 | ~(zero | right_more)) & mask, right_more & zero & mask
    return more, less


def columns(state: State, words: Sequence[Word], mask: int) -> list[State]:
    """A column, and those after 1, 2, ... more hypothesis words."""
    found = [state]
    more, less = state
    for equal in words:  # as in advance, which is too slow to call for every word
        zero = (((equal & more) + more) ^ more) | equal | less
        right_more = (less | ~(zero | more)) << 1 | 1
        more, less = ((more & zero) << 1 | ~(zero | right_more)) & mask, right_more & zero & mask
        found.append((more, less))
    return found


def cost(state: State, count: int) -> int:
    """The edit distance of the whole reference and the `count` hypothesis words that led to a column."""
    return count + state[0].bit_count() - state[1].bit_count()


def straight(words: Sequence[Word], length: int) -> str:
    """The alignment of each word with the one in its place; empty where the lengths differ.

    Where it is a cheapest one it is the one that `steps` gives, since there hits and substitutions go first.
    """
    if len(words) != length:
        return ""
    return "".join([HIT if word >> place & 1 else SUBSTITUTION for place, word in enumerate(words)])


def steps(words: Sequence[Word], length: int, states: Sequence[State]) -> str:
    """The alignment that the columns hold, a letter for each step."""
    path = []
    i, j = length, len(words)
    here = cost(states[j], j)
    bit = 1 << length >> 1
    while i and j:
        step = HIT
        if not words[j - 1] & bit:
            more, less = states[j - 1]
            above = bit - 1  # the cell to the upper left is one below this one, if a substitution is cheapest
            here -= 1
            if j - 1 + (more & above).bit_count() - (less & above).bit_count() == here:
                step = SUBSTITUTION
            elif j - 1 + (more & (above | bit)).bit_count() - (less & (above | bit)).bit_count() == here:
                step = SURPLUS
            else:
                step = MISSING
        path.append(step)
        if step != MISSING:
            j -= 1
        if step != SURPLUS:
            i -= 1
            bit >>= 1
    path.append(MISSING * i + SURPLUS * j)
    return "".join(reversed(path))


def by_score(words: Sequence[Word], length: int, width: int) -> tuple[int, str]:
    """Distance and alignment under TERCOM's beam.

    A cell that costs more than `width` above the cheapest diagonal step into its column is not followed, save in the
    last column. A distance up to `width` is never affected: no cell of a cheapest path costs more.
    """
    unset = -1
    costs = [[unset] * (length + 1) for _ in range(len(words) + 1)]
    made = [[MISSING] * (length + 1) for _ in range(len(words) + 1)]
    costs[0][0] = 0
    cheapest: float = math.inf
    next_first = next_last = 0
    for j in range(len(words) + 1):
        last_column = j == len(words)
        limit, cheapest = cheapest + width, math.inf
        first, next_first = next_first, unset
        last, next_last = next_last, unset
        here = costs[j]
        for i in range(first, length + 1):
            if i > last:
                break
            score = here[i]
            if score == unset or (not last_column and score > limit):
                continue
            if next_first == unset:
                next_first = i
            if not last_column:
                right = costs[j + 1]
                if i < length:
                    hit = words[j] >> i & 1
                    right[i + 1] = score + 1 - hit
                    made[j + 1][i + 1] = HIT if hit else SUBSTITUTION
                    cheapest = min(cheapest, right[i + 1])
                if right[i] == unset or right[i] > score + 1:
                    right[i], made[j + 1][i] = score + 1, SURPLUS
            next_last = i + 1
            if i < length and (here[i + 1] == unset or here[i + 1] > score + 1):
                here[i + 1], made[j][i + 1] = score + 1, MISSING
                last = max(last, i + 1)
    return costs[-1][-1], _read(made, length)


def by_diagonal(words: Sequence[Word], length: int, width: int) -> tuple[int, str]:
    """Distance and alignment under sacreBLEU's beam: only cells near the diagonal count; see `band`."""
    ends = band(len(words), length, width)
    unset: float = math.inf
    above: list[float] = list(range(length + 1))
    made = [[MISSING] * (length + 1)]
    for i, word in enumerate(words, start=1):
        first, end = ends[i - 1]
        row = [unset] * (length + 1)
        how = [MISSING] * (length + 1)
        for j in range(first, end):
            if j == 0:
                row[0], how[0] = above[0] + 1, SURPLUS
                continue
            hit = word >> (j - 1) & 1
            best, step = above[j - 1] + 1 - hit, HIT if hit else SUBSTITUTION
            if above[j] + 1 < best:
                best, step = above[j] + 1, SURPLUS
            if row[j - 1] + 1 < best:
                best, step = row[j - 1] + 1, MISSING
            row[j], how[j] = best, step
        above = row
        made.append(how)
    return int(above[-1]), _read(made, length)


def _read(made: Sequence[Sequence[str]], length: int) -> str:
    """The way back through a table of steps, one row for each hypothesis word and one before them."""
    path = []
    i, j = length, len(made) - 1
    while i or j:
        step = made[j][i]
        path.append(step)
        i -= step != SURPLUS
        j -= step != MISSING
    return "".join(reversed(path))


@lru_cache(maxsize=4096)
def band(count: int, length: int, width: int) -> tuple[tuple[int, int], ...]:
    """The cells that sacreBLEU's beam keeps, first and end, for each of `count` hypothesis words."""
    ratio = length / count if count else 1.0
    if width < ratio / 2:
        width = math.ceil(ratio / 2 + width)
    found = []
    for i in range(1, count + 1):
        middle = math.floor(i * ratio)
        end = length + 1 if i == count else min(length + 1, middle + width)
        found.append((max(0, middle - width), end))
    return tuple(found)


@lru_cache(maxsize=4096)
def safe_distance(count: int, length: int, width: int) -> float:
    """A distance below this is not affected by sacreBLEU's beam: a path that leaves it costs at least as much.

    A path through the cell (i, j) has at least |i - j| edits before it and |(count - i) - (length - j)| after it.
    """
    least = math.inf
    for i, (first, end) in enumerate(band(count, length, width), start=1):
        for j in (first - 1, end):
            if 0 <= j <= length:
                least = min(least, abs(i - j) + abs((count - i) - (length - j)))
    return least
