"""Edit distances and the longest common subsequence, worked out on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.reference import edit
from conformance.reference import text as texts
from conformance.reference.derivations.lines import TABLE_SIDE, Hypotheses, Lines, References, cut


def _table(rows: list[list[int]], x: Sequence[Any], y: Sequence[Any]) -> Lines:
    """The dynamic program, a line for each row."""
    width = max(len(str(each)) for each in (*x, *y, 10))
    lines: Lines = [("table", " ".join(f"{each!s:>{width}}" for each in ("", "", *y)), None)]
    for label, row in zip(("", *x), rows, strict=True):
        lines.append(("", " ".join(f"{each!s:>{width}}" for each in (label, *row)), None))
    return lines


def levenshtein(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Levenshtein: the dynamic program of the first pair, the distance and its normalized form."""
    answer = edit.levenshtein(hypotheses, references, **parameters)
    lines: Lines = []
    single = len(hypotheses) == 1 and len(references[0]) == 1
    if single:
        unit = parameters.get("unit", "character")
        x, y = texts.elements(hypotheses[0], unit), texts.elements(references[0][0], unit)
        if max(len(x), len(y)) <= TABLE_SIDE:
            lines += _table(edit.table(x, y, substitution=parameters.get("substitution_cost", 1)), x, y)
    over = {"reference": "reference length", "longer": "longer length", "sum": "sum of both lengths"}
    by = over[parameters.get("normalization", "reference")]
    working = "last cell of the table" if lines else "minimum over all edit scripts, summed over segments"
    return [
        *lines,
        ("distance", working, answer["distance"]),
        ("normalized", f"distance over the {by}", answer["normalized"]),
    ]


def damerau_levenshtein(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Damerau-Levenshtein beside the distance without exchanges."""
    answer = edit.damerau_levenshtein(hypotheses, references, **parameters)
    plain = edit.levenshtein(hypotheses, references, unit=parameters.get("unit", "character"))
    variant = parameters.get("variant", "unrestricted")
    return [
        ("without exchanges", "Levenshtein distance", plain["distance"]),
        ("distance", f"{variant}; an exchange of two neighbours costs one", answer["distance"]),
    ]


def lcs_length(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """LCS: both sequences and the length."""
    answer = edit.lcs_length(hypotheses, references, **parameters)
    lines: Lines = []
    if len(hypotheses) == 1:
        unit = parameters.get("unit", "token")
        x = texts.elements(hypotheses[0], unit)
        lines.append(("hypothesis", cut(x), len(x)))
        for each in references[0]:
            y = texts.elements(each, unit)
            lines.append(("reference", cut(y), len(y)))
    return [*lines, ("length", "most elements that both have in the same order", answer["length"])]
