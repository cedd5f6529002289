"""Edit distances, the longest common subsequence, and the alignments that error rates count."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from conformance.reference.shape import choice, segments, whole
from conformance.reference.text import Text, elements

Sequence_ = Sequence[Hashable]


def distance(x: Sequence_, y: Sequence_) -> int:
    """Levenshtein distance of two sequences: the least number of insertions, deletions and substitutions.

    Myers' bit-parallel recurrence: one integer holds the vertical differences of a whole column.
    Source: Levenshtein 1966; Myers 1999; Hyyro 2003.
    """
    start, end = 0, min(len(x), len(y))
    while start < end and x[start] == y[start]:
        start += 1
    m, n = len(x), len(y)
    while m > start and n > start and x[m - 1] == y[n - 1]:
        m -= 1
        n -= 1
    x, y = x[start:m], y[start:n]
    if not x or not y:
        return len(x) + len(y)
    places: dict[Hashable, int] = {}
    for place, element in enumerate(x):
        places[element] = places.get(element, 0) | 1 << place
    last, mask = 1 << (len(x) - 1), (1 << len(x)) - 1
    rising, falling, score = mask, 0, len(x)
    for element in y:
        equal = places.get(element, 0)
        diagonal = ((equal & rising) + rising ^ rising) | equal | falling
        up = falling | ~(diagonal | rising) & mask
        down = rising & diagonal
        if up & last:
            score += 1
        if down & last:
            score -= 1
        up = up << 1 | 1
        rising = (down << 1 | ~(diagonal | up)) & mask
        falling = up & diagonal
    return score


def lcs(x: Sequence_, y: Sequence_) -> int:
    """Length of the longest common subsequence, bit-parallel over the positions of x (Hyyro 2004)."""
    if not x or not y:
        return 0
    places: dict[Hashable, int] = {}
    for place, element in enumerate(x):
        places[element] = places.get(element, 0) | 1 << place
    mask = (1 << len(x)) - 1
    free = mask
    for element in y:
        matched = free & places.get(element, 0)
        free = (free + matched | free - matched) & mask
    return len(x) - free.bit_count() if hasattr(int, "bit_count") else len(x) - bin(free).count("1")


def table(x: Sequence_, y: Sequence_, substitution_cost: int = 1) -> list[list[int]]:
    """The dynamic program: row i, column j holds the distance of the first i elements of x and j of y."""
    rows = [list(range(len(y) + 1))]
    for i, left in enumerate(x, start=1):
        above, row = rows[-1], [i]
        for j, right in enumerate(y, start=1):
            step = 0 if left == right else substitution_cost
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + step))
        rows.append(row)
    return rows


Alignment = list[tuple[str, Any, Any]]


def alignment(reference: Sequence_, hypothesis: Sequence_, *, substitution: int = 1, gap: int = 1) -> Alignment:
    """A minimum-cost alignment as (operation, reference element, hypothesis element) from left to right.

    Operations: hit, substitution, deletion (of a reference element), insertion (of a hypothesis element).
    Among equally cheap ones the diagonal step is preferred, then the deletion, looking back from the end.
    """
    costs = [[j * gap for j in range(len(hypothesis) + 1)]]
    for i, left in enumerate(reference, start=1):
        above, row = costs[-1], [i * gap]
        for j, right in enumerate(hypothesis, start=1):
            step = 0 if left == right else substitution
            row.append(min(above[j] + gap, row[-1] + gap, above[j - 1] + step))
        costs.append(row)
    path: Alignment = []
    i, j = len(reference), len(hypothesis)
    while i or j:
        here = costs[i][j]
        if i and j:
            equal = reference[i - 1] == hypothesis[j - 1]
            if here == costs[i - 1][j - 1] + (0 if equal else substitution):
                i, j = i - 1, j - 1
                path.append(("hit" if equal else "substitution", reference[i], hypothesis[j]))
                continue
        if i and here == costs[i - 1][j] + gap:
            i -= 1
            path.append(("deletion", reference[i], None))
        else:
            j -= 1
            path.append(("insertion", None, hypothesis[j]))
    return path[::-1]


def damerau(x: Sequence_, y: Sequence_, *, restricted: bool = False) -> int:
    """Damerau-Levenshtein distance; `restricted` forbids editing a substring again (optimal string alignment).

    Source: Damerau 1964; Lowrance and Wagner 1975 for the unrestricted form.
    """
    if restricted:
        rows = [list(range(len(y) + 1))]
        for i, left in enumerate(x, start=1):
            row = [i]
            for j, right in enumerate(y, start=1):
                best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (left != right))
                if i > 1 and j > 1 and left == y[j - 2] and x[i - 2] == right:
                    best = min(best, rows[-2][j - 2] + 1)
                row.append(best)
            rows.append(row)
        return rows[-1][-1]
    far = len(x) + len(y)
    last_row: dict[Hashable, int] = {}
    cost = [[far] * (len(y) + 2) for _ in range(len(x) + 2)]
    for i in range(len(x) + 1):
        cost[i + 1][1] = i
    for j in range(len(y) + 1):
        cost[1][j + 1] = j
    for i, left in enumerate(x, start=1):
        last_column = 0
        for j, right in enumerate(y, start=1):
            row, column = last_row.get(right, 0), last_column
            if left == right:
                last_column = j
            cost[i + 1][j + 1] = min(
                cost[i][j] + (left != right),
                cost[i + 1][j] + 1,
                cost[i][j + 1] + 1,
                cost[row][column] + (i - row - 1) + 1 + (j - column - 1),
            )
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
    """Levenshtein distance, summed over segments; and over a length, by the rule that `normalization` names.

    With substitution_cost 2 it is |x| + |y| - 2 LCS. Range: 0 and up. Raises TypeError and ValueError.
    """
    segments(hypotheses, references)
    whole("substitution_cost", substitution_cost, 1, 2)
    choice("normalization", normalization, ("reference", "longer", "sum"))
    choice("normalized_empty", normalized_empty, ("undefined", "zero"))
    choice("multi_reference", multi_reference, ("minimum", "mean"))
    total: float = 0
    length: float = 0
    for hypothesis, several in zip(hypotheses, references, strict=True):
        if not several:
            raise ValueError("a segment without a reference")
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
    if length:
        normalized = total / length
    else:
        normalized = 0.0 if normalized_empty == "zero" else float("nan")
    first: list[list[int]] = []
    if len(hypotheses) == 1:
        x, y = elements(hypotheses[0], unit), elements(references[0][0], unit)
        if len(x) * len(y) <= 400:
            first = table(x, y, substitution_cost)
    return {"distance": total, "normalized": normalized, "table": first}


def damerau_levenshtein(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    unit: str = "character",
    variant: str = "unrestricted",
) -> dict[str, Any]:
    """Damerau-Levenshtein distance to the nearest reference, summed over segments. Raises TypeError and ValueError."""
    segments(hypotheses, references)
    choice("variant", variant, ("unrestricted", "restricted"))
    total = 0
    for hypothesis, several in zip(hypotheses, references, strict=True):
        if not several:
            raise ValueError("a segment without a reference")
        x = elements(hypothesis, unit)
        total += min(damerau(x, elements(each, unit), restricted=variant == "restricted") for each in several)
    return {"distance": total}


def lcs_length(
    hypotheses: Sequence[Text], references: Sequence[Sequence[Text]], *, unit: str = "token"
) -> dict[str, Any]:
    """Length of the longest common subsequence with the best reference, summed over segments."""
    segments(hypotheses, references)
    total = 0
    for hypothesis, several in zip(hypotheses, references, strict=True):
        if not several:
            raise ValueError("a segment without a reference")
        x = elements(hypothesis, unit)
        total += max(lcs(x, elements(each, unit)) for each in several)
    return {"length": total}
