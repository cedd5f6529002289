"""Identity and bag overlap: exact match, token precision, recall and F, Jaccard and Dice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from conformance.reference import text as texts
from conformance.reference.shape import choice, number, segments, whole
from conformance.reference.text import NORMALIZERS, grams, normalized
from conformance.reference.tokenizers import Text, tokens_of

Bag = Counter[Any]
Counts = tuple[int, int, int]
"""Matches, hypothesis size, reference size."""


def exact_match(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    normalizer: str = "none",
    multi_reference: str = "any",
    no_references: str = "error",
) -> dict[str, Any]:
    """Share of segments whose text equals a reference after normalization; 0 to 1.

    EM = mean over segments of [T(h) = T(r) for any r]. Raises TypeError, and ValueError for no segment at all
    and, by `no_references`, for a segment without a reference. Source: Rajpurkar et al. 2016 (SQuAD).
    """
    segments(hypotheses, references, needed=no_references == "error")
    choice("normalizer", normalizer, NORMALIZERS)
    choice("multi_reference", multi_reference, ("any", "mean"))
    choice("no_references", no_references, ("error", "empty-text"))
    total = Fraction(0)
    for hypothesis, several in _pairs(hypotheses, references):
        own = normalized(hypothesis, normalizer)
        hits = [own == normalized(each, normalizer) for each in several or [""]]
        total += any(hits) if multi_reference == "any" else Fraction(sum(hits), len(hits))
    return {"score": float(total / len(hypotheses))}


def _pairs(hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> list[tuple[Text, Sequence[Text]]]:
    """Each hypothesis with its references. Raises ValueError where there is none, as a mean needs one."""
    if not hypotheses:
        raise ValueError("expected at least one segment, found none")
    return list(zip(hypotheses, references, strict=True))


def overlap(left: Bag, right: Bag, counting: str) -> Counts:
    """Matches and both sizes, of bags as multisets or as sets."""
    if counting == "set":
        return len(left.keys() & right.keys()), len(left), len(right)
    return sum((left & right).values()), sum(left.values()), sum(right.values())


def combined(bags: Sequence[Bag]) -> Bag:
    """All bags in one."""
    total: Bag = Counter()
    for each in bags:
        total.update(each)
    return total


def f_beta(counts: Counts, beta: float) -> float:
    """(1 + beta^2) P R / (beta^2 P + R), as (1 + beta^2) M / (beta^2 |r| + |h|) for M > 0; 0 to 1.

    Source: van Rijsbergen 1979.
    """
    matches, own, other = counts
    return (1 + beta * beta) * matches / (beta * beta * other + own)


def ratios(counts: Counts, beta: float, empty: str, no_match_f: str) -> dict[str, float]:
    """Precision, recall, F1 and F-beta of one pair; `empty` gives those whose denominator is zero."""
    matches, own, other = counts
    both_empty = not own and not other
    filler = {"undefined": math.nan, "zero": 0.0, "one-if-both": float(both_empty)}[empty]
    found = {"precision": matches / own if own else filler, "recall": matches / other if other else filler}
    if matches:
        return {**found, "f1": f_beta(counts, 1), "f_beta": f_beta(counts, beta)}
    if not both_empty:
        filler = 0.0 if no_match_f == "zero" else math.nan
    return {**found, "f1": filler, "f_beta": filler}


def token_overlap(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    counting: str = "multiset",
    order: int = 1,
    beta: float = 1,
    normalizer: str = "none",
    tokenizer: str = "whitespace",
    multi_reference: str = "best",
    aggregation: str = "mean",
    empty: str = "undefined",
    no_match_f: str = "zero",
) -> dict[str, Any]:
    """Token precision M/|h|, recall M/|r|, F1 = 2M/(|h|+|r|) and F-beta of hypothesis and reference; 0 to 1.

    M is the size of the intersection of both bags (or sets). A ratio with a zero denominator is by `empty`:
    NaN, zero, or one where both sides are empty. Returns also matches and lengths against the chosen
    reference (the one with the highest F1, also where the ratios are a mean), summed over segments. Raises
    TypeError and ValueError. Source: Rajpurkar et al. 2016, 2018 (SQuAD).
    """
    segments(hypotheses, references, needed=True)
    whole("order", order, 1, 100)
    number("beta", beta)
    choice("counting", counting, ("multiset", "set"))
    choice("normalizer", normalizer, NORMALIZERS)
    choice("tokenizer", tokenizer, ("whitespace", "char"))
    choice("multi_reference", multi_reference, ("best", "mean", "combined", "pooled"))
    choice("aggregation", aggregation, ("mean", "pooled"))
    choice("empty", empty, ("undefined", "zero", "one-if-both"))
    choice("no_match_f", no_match_f, ("zero", "undefined"))

    def bag(text: Text) -> Bag:
        return Counter(grams(units(text, normalizer, tokenizer), order))

    totals = (0, 0, 0)
    scores = []
    for hypothesis, several in _pairs(hypotheses, references):
        own, bags = bag(hypothesis), [bag(each) for each in several]
        counts = [overlap(own, each, counting) for each in _merged(bags, multi_reference)]
        if multi_reference == "pooled":
            counts = [_sum(counts)]
        found = [ratios(each, beta, empty, no_match_f) for each in counts]
        best = max(range(len(found)), key=lambda place: _or_below(found[place]["f1"]))
        totals = _sum([totals, counts[best]])
        scores.append(_mean(found) if multi_reference == "mean" else found[best])
    score = _mean(scores) if aggregation == "mean" else ratios(totals, beta, empty, no_match_f)
    return {**score, "matches": totals[0], "hypothesis_length": totals[1], "reference_length": totals[2]}


def units(text: Text, normalizer: str, tokenizer: str) -> list[str]:
    """The tokens that are counted; explicit tokens are joined only for a normalizer."""
    return tokens_of(text if normalizer == "none" else normalized(text, normalizer), tokenizer)


def _merged(bags: list[Bag], multi_reference: str) -> list[Bag]:
    return [combined(bags)] if multi_reference == "combined" else bags


def _sum(counts: Sequence[Counts]) -> Counts:
    return sum(c[0] for c in counts), sum(c[1] for c in counts), sum(c[2] for c in counts)


def _mean(several: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: math.fsum(each[name] for each in several) / len(several) for name in several[0]}


def _or_below(value: float) -> float:
    """The value for a maximum: what is not a number is below every score."""
    return -1.0 if math.isnan(value) else value


def similarity(counts: Counts, *, dice: bool) -> Fraction | None:
    """2M / (|h| + |r|) or M / (|h| + |r| - M); None for two empty sides."""
    matches, own, other = counts
    if not own and not other:
        return None
    return Fraction(2 * matches, own + other) if dice else Fraction(matches, own + other - matches)


def _similarity(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    counting: str,
    elements: str,
    multi_reference: str,
    both_empty: str,
    dice: bool,
) -> dict[str, Any]:
    segments(hypotheses, references, needed=True)
    choice("counting", counting, ("multiset", "set"))
    choice("elements", elements, ("tokens", "characters"))
    choice("multi_reference", multi_reference, ("best", "mean", "combined"))
    choice("both_empty", both_empty, ("undefined", "one", "zero"))
    filler = {"undefined": math.nan, "one": 1.0, "zero": 0.0}[both_empty]
    scores = []
    for hypothesis, several in _pairs(hypotheses, references):
        own = Counter(texts.elements(hypothesis, elements))
        bags = _merged([Counter(texts.elements(each, elements)) for each in several], multi_reference)
        found = []
        for each in bags:
            value = similarity(overlap(own, each, counting), dice=dice)
            found.append(filler if value is None else float(value))
        best = max(found, key=_or_below)
        scores.append(math.fsum(found) / len(found) if multi_reference == "mean" else best)
    return {"score": math.fsum(scores) / len(scores)}


def jaccard(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    counting: str = "multiset",
    elements: str = "tokens",
    multi_reference: str = "best",
    both_empty: str = "undefined",
) -> dict[str, Any]:
    """Jaccard similarity M / (|h| + |r| - M) of two bags or sets; 0 to 1, the mean over segments.

    Two empty sides are by `both_empty`. Raises TypeError and ValueError. Source: Jaccard 1901.
    """
    return _similarity(hypotheses, references, counting, elements, multi_reference, both_empty, dice=False)


def dice(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    counting: str = "multiset",
    elements: str = "tokens",
    multi_reference: str = "best",
    both_empty: str = "undefined",
) -> dict[str, Any]:
    """Sorensen-Dice coefficient 2M / (|h| + |r|) of two bags or sets; 0 to 1, the mean over segments.

    Two empty sides are by `both_empty`. Raises TypeError and ValueError. Source: Dice 1945, Sorensen 1948.
    """
    return _similarity(hypotheses, references, counting, elements, multi_reference, both_empty, dice=True)
