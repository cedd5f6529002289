"""Edit distances, the longest common subsequence, and the alignments that error rates count."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from conformance.reference.shape import choice, segments, whole
from conformance.reference.text import elements
from conformance.reference.tokenizers import Text

Elements = Sequence[Hashable]
Step = tuple[str, Any, Any]

TABLE_CELLS = 400
"""A dynamic program with more cells than this is not part of an answer."""


def common_ends(x: Elements, y: Elements) -> tuple[int, int]:
    """How many elements two sequences share at their start, and how many of the rest at their end."""
    shorter = min(len(x), len(y))
    start = end = 0
    while start < shorter and x[start] == y[start]:
        start += 1
    while end < shorter - start and x[-1 - end] == y[-1 - end]:
        end += 1
    return start, end


def positions(x: Elements) -> dict[Hashable, int]:
    """Each element with the set of its positions, as the bits of an integer."""
    found: dict[Hashable, int] = {}
    bit = 1
    for element in x:
        if element in found:
            found[element] |= bit
        else:
            found[element] = bit
        bit += bit
    return found


def differences(x: Elements, y: Elements) -> Iterator[tuple[int, int]]:
    """The columns of the dynamic program of x and y, one for each element of y, as differences.

    Bit i of the first integer says that a cell is one more than the cell above it, for x[i]; bit i of the
    second, that it is one less. Source: Myers 1999; Hyyro 2003.
    """
    equals = positions(x)
    mask = (1 << len(x)) - 1
    more, less = mask, 0
    for element in y:
        equal = equals.get(element, 0)
        zero = (((equal & more) + more) ^ more) | equal | less
        right_more = (less | ~(zero | more)) << 1 | 1
        more, less = ((more & zero) << 1 | ~(zero | right_more)) & mask, right_more & zero & mask
        yield more, less


def distance(x: Elements, y: Elements) -> int:
    """Levenshtein distance of two sequences: the least number of insertions, deletions and substitutions.

    Range: from the difference of the lengths to the longer length. Source: Levenshtein 1966.
    """
    start, end = common_ends(x, y)
    x, y = x[start : len(x) - end], y[start : len(y) - end]
    if not x or not y:
        return len(x) + len(y)
    more, less = deque(differences(x, y), maxlen=1).pop()
    return len(y) + more.bit_count() - less.bit_count()


def lcs(x: Elements, y: Elements) -> int:
    """Length of the longest common subsequence of two sequences. Source: Hyyro 2004."""
    equals = positions(x)
    mask = (1 << len(x)) - 1
    free = mask
    for element in y:
        if element in equals:
            matched = free & equals[element]
            free = (free + matched | free - matched) & mask
    return len(x) - free.bit_count()


def table(x: Elements, y: Elements, *, substitution: int = 1, gap: int = 1) -> list[list[int]]:
    """The dynamic program: row i, column j holds the cost of the first i elements of x against j of y."""
    rows = [[gap * j for j in range(len(y) + 1)]]
    for i, left in enumerate(x, start=1):
        above, row = rows[-1], [gap * i]
        for j, right in enumerate(y, start=1):
            step = 0 if left == right else substitution
            row.append(min(above[j] + gap, row[-1] + gap, above[j - 1] + step))
        rows.append(row)
    return rows


def alignment(reference: Elements, hypothesis: Elements, *, costs: str = "unit") -> list[Step]:
    """A minimum-cost alignment: (operation, reference element, hypothesis element) from left to right.

    Operations: hit, substitution, deletion (of a reference element), insertion (of a hypothesis element).
    costs: unit, or sclite (4 for a substitution, 3 for a deletion or insertion). Several alignments can be
    equally cheap; equal ends are hits, and the rest is read from the right by a fixed rule. With unit costs
    a deletion goes first; then an insertion, where the cell to its left is cheaper than the cell above
    that one; then the diagonal step (so read, the counts are JiWER's). With sclite's costs the diagonal
    step goes first, then the deletion.
    """
    start, end = common_ends(reference, hypothesis)
    x, y = reference[start : len(reference) - end], hypothesis[start : len(hypothesis) - end]
    moves = _unit_moves(x, y) if costs == "unit" else _sclite_moves(x, y)
    path: list[Step] = [("hit", each, each) for each in reference[:start]]
    i = j = 0
    for down, right in moves:
        if down and right:
            path.append(("hit" if x[i] == y[j] else "substitution", x[i], y[j]))
        elif down:
            path.append(("deletion", x[i], None))
        else:
            path.append(("insertion", None, y[j]))
        i, j = i + down, j + right
    path += [("hit", each, each) for each in reference[len(reference) - end :]]
    return path


DIAGONAL, DOWN, RIGHT = (1, 1), (1, 0), (0, 1)
Moves = list[tuple[int, int]]


def _unit_moves(x: Elements, y: Elements) -> Moves:
    """The way through the dynamic program of x (down) and y (right) at unit costs, by its differences."""
    columns = list(differences(x, y))
    moves: Moves = []
    i, j = len(x), len(y)
    while i and j:
        if columns[j - 1][0] >> (i - 1) & 1:
            move = DOWN
        elif j > 1 and columns[j - 2][1] >> (i - 1) & 1:
            move = RIGHT
        else:
            move = DIAGONAL
        moves.append(move)
        i, j = i - move[0], j - move[1]
    moves += [DOWN] * i + [RIGHT] * j
    return moves[::-1]


def _sclite_moves(x: Elements, y: Elements) -> Moves:
    """The way through the dynamic program of x (down) and y (right) at 4 a substitution and 3 a gap."""
    rows = table(x, y, substitution=4, gap=3)
    moves: Moves = []
    i, j = len(x), len(y)
    while i or j:
        step = 0 if i and j and x[i - 1] == y[j - 1] else 4
        if i and j and rows[i][j] == rows[i - 1][j - 1] + step:
            move = DIAGONAL
        elif i and rows[i][j] == rows[i - 1][j] + 3:
            move = DOWN
        else:
            move = RIGHT
        moves.append(move)
        i, j = i - move[0], j - move[1]
    return moves[::-1]


def restricted_damerau(x: Elements, y: Elements) -> int:
    """Optimal string alignment: Levenshtein's edits and exchanges of neighbours, each place edited once.

    Source: Damerau 1964.
    """
    before: list[int] = []
    above = list(range(len(y) + 1))
    for i, left in enumerate(x, start=1):
        row = [i]
        for j, right in enumerate(y, start=1):
            best = min(above[j] + 1, row[-1] + 1, above[j - 1] + (left != right))
            if i > 1 and j > 1 and left == y[j - 2] and x[i - 2] == right:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, above = above, row
    return above[-1]


def damerau(x: Elements, y: Elements) -> int:
    """Damerau-Levenshtein distance: Levenshtein's edits and exchanges of neighbours; a metric.

    Row and column 0 of `cost` are a border that no cheapest path enters. Source: Lowrance and Wagner 1975.
    """
    border = len(x) + len(y)
    cost = [[border] * (len(y) + 2) for _ in range(len(x) + 2)]
    cost[1][1:] = range(len(y) + 1)
    last_row: dict[Hashable, int] = {}
    for i, left in enumerate(x, start=1):
        cost[i + 1][1] = i
        last_column = 0
        for j, right in enumerate(y, start=1):
            row, column = last_row.get(right, 0), last_column
            exchanged = cost[row][column] + (i - row - 1) + 1 + (j - column - 1)
            if left == right:
                last_column = j
            cost[i + 1][j + 1] = min(cost[i][j] + (left != right), cost[i + 1][j] + 1, cost[i][j + 1] + 1, exchanged)
        last_row[left] = i
    return cost[-1][-1]


def levenshtein(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    unit: str = "character",
    substitution_cost: int = 1,
    normalization: str = "reference",
    normalized_empty: str = "undefined",
    multi_reference: str = "minimum",
) -> dict[str, Any]:
    """Levenshtein distance, summed over segments; and over the length that `normalization` names.

    With substitution_cost 2 it is |x| + |y| - 2 LCS. Range: 0 and up. `table` is the dynamic program of the
    first pair, empty beyond 400 cells. Raises TypeError and ValueError. Source: Levenshtein 1966.
    """
    segments(hypotheses, references, needed=True)
    whole("substitution_cost", substitution_cost, 1, 2)
    choice("unit", unit, ("character", "utf-16", "grapheme", "token"))
    choice("normalization", normalization, ("reference", "longer", "sum"))
    choice("normalized_empty", normalized_empty, ("undefined", "zero"))
    choice("multi_reference", multi_reference, ("minimum", "mean"))
    total: float = 0
    length: float = 0
    for hypothesis, several in zip(hypotheses, references, strict=True):
        x = elements(hypothesis, unit)
        found = []
        for reference in several:
            y = elements(reference, unit)
            edits = distance(x, y) if substitution_cost == 1 else len(x) + len(y) - 2 * lcs(x, y)
            over = {"reference": len(y), "longer": max(len(x), len(y)), "sum": len(x) + len(y)}[normalization]
            found.append((edits, over))
        if multi_reference == "minimum":
            edits, over = min(found, key=lambda each: each[0])
            total, length = total + edits, length + over
        else:
            total += sum(each[0] for each in found) / len(found)
            length += sum(each[1] for each in found) / len(found)
    without_length = 0.0 if normalized_empty == "zero" else float("nan")
    normalized = total / length if length else without_length
    first: list[list[int]] = []
    if hypotheses:
        x, y = elements(hypotheses[0], unit), elements(references[0][0], unit)
        if (len(x) + 1) * (len(y) + 1) <= TABLE_CELLS:
            first = table(x, y, substitution=substitution_cost)
    return {"distance": total, "normalized": normalized, "table": first}


def damerau_levenshtein(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    unit: str = "character",
    variant: str = "unrestricted",
) -> dict[str, Any]:
    """Damerau-Levenshtein distance to the nearest reference, summed over segments; 0 and up.

    Raises TypeError and ValueError. Source: Damerau 1964; Lowrance and Wagner 1975.
    """
    segments(hypotheses, references, needed=True)
    choice("unit", unit, ("character", "grapheme", "token", "utf-16"))
    choice("variant", variant, ("unrestricted", "restricted"))
    measure = damerau if variant == "unrestricted" else restricted_damerau
    total = 0
    for hypothesis, several in zip(hypotheses, references, strict=True):
        x = elements(hypothesis, unit)
        total += min(measure(x, elements(each, unit)) for each in several)
    return {"distance": total}


def lcs_length(
    hypotheses: Sequence[Text], references: Sequence[Sequence[Text]], *, unit: str = "token"
) -> dict[str, Any]:
    """Length of the longest common subsequence with the best reference, summed over segments; 0 and up.

    Raises TypeError and ValueError.
    """
    segments(hypotheses, references, needed=True)
    choice("unit", unit, ("token", "character", "utf-16"))
    total = 0
    for hypothesis, several in zip(hypotheses, references, strict=True):
        x = elements(hypothesis, unit)
        total += max(lcs(x, elements(each, unit)) for each in several)
    return {"length": total}
