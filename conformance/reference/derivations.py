"""How each metric's value comes about, step by step, as a person would work it out on paper.

Each function takes what its metric takes and returns (name, working, value) lines.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from conformance.reference import bleu as bleus
from conformance.reference import edit, error_rates, overlap
from conformance.reference import text as texts

Lines = list[tuple[str, str, Any]]
WIDE = 12
"""Sequences longer than this are shown without their table or alignment."""


def _words(sequence: Sequence[Any], limit: int = 14) -> str:
    shown = " ".join(str(each) for each in sequence[:limit])
    return (shown or "(nothing)") + (" ..." if len(sequence) > limit else "")


def _grams(counts: Counter[Any], limit: int = 8) -> str:
    parts = []
    for gram, count in list(counts.items())[:limit]:
        name = gram if isinstance(gram, str) else " ".join(gram)
        parts.append(name if count == 1 else f"{name} x{count}")
    return ", ".join(parts) + (", ..." if len(counts) > limit else "") if counts else "(none)"


def bleu(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], **parameters: Any) -> Lines:
    """BLEU: n-grams, clipping, precisions, lengths, penalty, mean."""
    answer = bleus.bleu(hypotheses, references, **parameters)
    tokenizer, lowercase = parameters.get("tokenizer", "whitespace"), parameters.get("lowercase", False)
    lines: Lines = []
    if len(hypotheses) == 1:
        own = texts.tokens_of(hypotheses[0], tokenizer, lowercase)
        others = [texts.tokens_of(each, tokenizer, lowercase) for each in references[0] if each is not None]
        lines.append(("hypothesis", _words(own), len(own)))
        lines += [(f"reference {place}", _words(each), len(each)) for place, each in enumerate(others, start=1)]
        for order in range(1, min(parameters.get("max_order", 4), 4) + 1):
            counts = bleus.grams(own, order)
            ceilings = Counter({gram: max(bleus.grams(each, order)[gram] for each in others) for gram in counts})
            clipped = Counter({g: min(c, ceilings[g]) for g, c in counts.items() if ceilings[g]})
            lines.append((f"{order}-grams", f"{_grams(counts)}; clipped: {_grams(clipped)}", sum(clipped.values())))
    for n, (matches, total, precision) in enumerate(
        zip(answer["matches"], answer["totals"], answer["precisions"], strict=True), start=1
    ):
        plain = matches / total if total else 0.0
        note = "" if math.isclose(plain, precision, abs_tol=1e-15) else ", smoothed" if not math.isnan(precision) else ", undefined"
        lines.append((f"p{n}", f"{matches}/{total}{note}", precision))
    length, reference = answer["hypothesis_length"], answer["reference_length"]
    rule = parameters.get("reference_length", "closest")
    lines.append(("lengths", f"c = {length}, r = {reference} ({rule})", None))
    working = "1, as c >= r" if length >= reference else f"exp(1 - {reference}/{length})" if length else "c is 0"
    lines.append(("brevity penalty", working, answer["brevity_penalty"]))
    how = "mean over segments" if parameters.get("aggregation") == "mean" else "penalty times the geometric mean of the precisions"
    lines.append(("BLEU", how, answer["score"]))
    return lines


def token_overlap(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], **parameters: Any) -> Lines:
    """Token overlap: both bags, the matches, the ratios."""
    lines: Lines = []
    tokenizer = parameters.get("tokenizer", "whitespace")
    order = parameters.get("order", 1)
    if len(hypotheses) == 1:
        own = overlap.grams(texts.tokens_of(hypotheses[0], tokenizer), order)
        lines.append(("hypothesis", _grams(own), sum(own.values())))
        for place, each in enumerate(references[0], start=1):
            other = overlap.grams(texts.tokens_of(each, tokenizer), order)
            lines.append((f"reference {place}", _grams(other), sum(other.values())))
            lines.append((f"matches {place}", _grams(own & other), sum((own & other).values())))
    answer = overlap.token_overlap(hypotheses, references, **parameters)
    matches, own_length, other_length = answer["matches"], answer["hypothesis_length"], answer["reference_length"]
    lines.append(("precision", f"{matches}/{own_length}", answer["precision"]))
    lines.append(("recall", f"{matches}/{other_length}", answer["recall"]))
    lines.append(("F1", f"2*{matches}/({own_length} + {other_length})", answer["f1"]))
    return lines


def _bags(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], parameters: dict[str, Any], dice: bool) -> Lines:
    lines: Lines = []
    if len(hypotheses) == 1 and len(references[0]) == 1:
        units, sets = parameters.get("elements", "tokens"), parameters.get("counting") == "set"
        own = Counter(texts.elements(hypotheses[0], units))
        other = Counter(texts.elements(references[0][0], units))
        if sets:
            own, other = Counter(own.keys()), Counter(other.keys())
        both, left, right = sum((own & other).values()), sum(own.values()), sum(other.values())
        lines.append(("hypothesis", _grams(own), left))
        lines.append(("reference", _grams(other), right))
        lines.append(("matches", _grams(own & other), both))
        lines.append(("ratio", f"2*{both}/({left} + {right})" if dice else f"{both}/({left} + {right} - {both})", None))
    answer = (overlap.dice if dice else overlap.jaccard)(hypotheses, references, **parameters)
    return [*lines, ("score", "the ratio" if lines else "over references and segments", answer["score"])]


def jaccard(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], **parameters: Any) -> Lines:
    """Jaccard: both bags, the matches, the ratio."""
    return _bags(hypotheses, references, parameters, False)


def dice(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], **parameters: Any) -> Lines:
    """Dice: both bags, the matches, the ratio."""
    return _bags(hypotheses, references, parameters, True)


def exact_match(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], **parameters: Any) -> Lines:
    """Exact match: each segment's verdict, and their mean."""
    lines: Lines = []
    for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
        if place <= WIDE:
            one = overlap.exact_match([hypothesis], [several], **parameters)["score"]
            lines.append((f"segment {place}", "equal to a reference" if one == 1 else "not equal to each reference", one))
    return [*lines, ("score", "mean over segments", overlap.exact_match(hypotheses, references, **parameters)["score"])]


def _table(x: Sequence[Any], y: Sequence[Any], cost: int = 1) -> Lines:
    if len(x) > WIDE or len(y) > WIDE:
        return []
    width = max((len(str(each)) for each in (*x, *y, 10)), default=2)
    rows = edit.table(x, y, cost)
    lines: Lines = [("table", " ".join(f"{each!s:>{width}}" for each in ("", "", *y)), None)]
    for label, row in zip(("", *x), rows, strict=True):
        lines.append(("", " ".join(f"{each!s:>{width}}" for each in (label, *row)), None))
    return lines


def levenshtein(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], **parameters: Any) -> Lines:
    """Levenshtein: the table, and its last cell."""
    answer = edit.levenshtein(hypotheses, references, **parameters)
    unit = parameters.get("unit", "character")
    lines: Lines = []
    if len(hypotheses) == 1:
        x, y = texts.elements(hypotheses[0], unit), texts.elements(references[0][0], unit)
        lines += _table(x, y, parameters.get("substitution_cost", 1))
    lines.append(("distance", "the last cell", answer["distance"]))
    lines.append(("normalized", f"over the {parameters.get('normalization', 'reference')} length", answer["normalized"]))
    return lines


def damerau_levenshtein(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], **parameters: Any) -> Lines:
    """Damerau-Levenshtein beside the plain distance."""
    answer = edit.damerau_levenshtein(hypotheses, references, **parameters)
    plain = edit.levenshtein(hypotheses, references, unit=parameters.get("unit", "character"))
    return [
        ("without exchanges", "Levenshtein", plain["distance"]),
        ("distance", f"{parameters.get('variant', 'unrestricted')}, an exchange of neighbours costs one", answer["distance"]),
    ]


def lcs_length(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], **parameters: Any) -> Lines:
    """LCS: both sequences and the length."""
    answer = edit.lcs_length(hypotheses, references, **parameters)
    unit = parameters.get("unit", "token")
    lines: Lines = []
    if len(hypotheses) == 1:
        lines = [("hypothesis", _words(texts.elements(hypotheses[0], unit)), None),
                 ("reference", _words(texts.elements(references[0][0], unit)), None)]
    return [*lines, ("length", "elements kept in order", answer["length"])]


def _aligned(reference: Sequence[Any], hypothesis: Sequence[Any], costs: str) -> Lines:
    if len(reference) > 3 * WIDE or len(hypothesis) > 3 * WIDE:
        return []
    substitution, gap = (4, 3) if costs == "sclite" else (1, 1)
    lines: Lines = []
    for operation, left, right in edit.alignment(reference, hypothesis, substitution=substitution, gap=gap):
        working = f"{left if left is not None else '-'} -> {right if right is not None else '-'}"
        lines.append((operation, working, None))
    return lines


def _rates(answer: dict[str, Any]) -> Lines:
    s, d, i = answer["substitutions"], answer["deletions"], answer["insertions"]
    return [
        ("errors", f"S {s} + D {d} + I {i}", answer["errors"]),
        ("rate", f"{answer['errors']}/{Fraction(answer['reference_length']).limit_denominator(10_000)}", answer["rate"]),
    ]


def wer(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], **parameters: Any) -> Lines:
    """WER: the alignment, the counts, the ratio."""
    answer = error_rates.wer(hypotheses, references, **parameters)
    lines: Lines = []
    if len(hypotheses) == 1 and references[0]:
        tokenizer, transforms = parameters.get("tokenizer", "whitespace"), parameters.get("transforms", ())
        one, other = (
            texts.tokens_of(texts.transformed(each, transforms), tokenizer) for each in (references[0][0], hypotheses[0])
        )
        lines = _aligned(one, other, parameters.get("alignment", "unit"))
    return [*lines, *_rates(answer)]


def cer(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], **parameters: Any) -> Lines:
    """CER: the alignment, the counts, the ratio."""
    answer = error_rates.cer(hypotheses, references, **parameters)
    lines: Lines = []
    if len(hypotheses) == 1 and references[0]:
        unit = "grapheme" if parameters.get("unit") == "grapheme" else "character"
        lines = _aligned(texts.elements(references[0][0], unit), texts.elements(hypotheses[0], unit), "unit")
    return [*lines, *_rates(answer)]
