"""Identity and bag overlap: exact match, token precision, recall and F, Jaccard and Dice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from conformance.reference.shape import choice, segments, whole
from conformance.reference import text as texts
from conformance.reference.text import Text, squad_normalize, tokens_of


NAN = math.nan


def _normalized(text: Text, normalizer: str) -> Text:
    if normalizer == "none":
        return text
    choice("normalizer", normalizer, ("none", "squad"))
    joined = text if isinstance(text, str) else " ".join(text)
    return str(squad_normalize(joined)["text"])


def exact_match(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    normalizer: str = "none",
    multi_reference: str = "any",
    no_references: str = "error",
) -> dict[str, Any]:
    """Share of segments whose text equals a reference after normalization; 0 to 1.

    EM = mean over segments of max over references of [T(h) = T(r)]. Raises TypeError, and ValueError for no
    segment at all and, by `no_references`, for a segment without a reference. Source: SQuAD (Rajpurkar et al. 2016).
    """
    segments(hypotheses, references)
    choice("multi_reference", multi_reference, ("any", "mean"))
    choice("no_references", no_references, ("error", "empty-text"))
    if not hypotheses:
        raise ValueError("no segments")
    total = Fraction(0)
    for hypothesis, several in zip(hypotheses, references, strict=True):
        if not several and no_references == "error":
            raise ValueError("a segment without a reference")
        own = _comparable(_normalized(hypothesis, normalizer))
        hits = [own == _comparable(_normalized(each, normalizer)) for each in several or [""]]
        total += any(hits) if multi_reference == "any" else Fraction(sum(hits), len(hits))
    return {"score": float(total / len(hypotheses))}


def _comparable(text: Text) -> str:
    return text if isinstance(text, str) else " ".join(text)


def grams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    """The n-grams of a token sequence with their counts."""
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def ngrams(text: Text, *, order: int = 1) -> dict[str, Any]:
    """The n-grams of a text in order of first occurrence, with their counts.

    Raises ValueError and TypeError for an order that is not a positive integer. Source: text-metrics lesson.
    """
    whole("order", order, 1, 1000)
    counts = grams(tokens_of(text, "whitespace"), order)
    return {"ngrams": [" ".join(gram) for gram in counts], "counts": list(counts.values())}


Counts = tuple[int, int, int]


def _overlap(left: Counter[Any], right: Counter[Any], counting: str) -> Counts:
    """Matches and both sizes, as multisets or as sets."""
    if counting == "set":
        return len(left.keys() & right.keys()), len(left), len(right)
    return sum((left & right).values()), sum(left.values()), sum(right.values())


def _combined(several: Sequence[Counter[Any]]) -> Counter[Any]:
    total: Counter[Any] = Counter()
    for each in several:
        total.update(each)
    return total



def f_beta(precision: float, recall: float, beta: float) -> float:
    """(1 + beta^2) P R / (beta^2 P + R): the weighted harmonic mean of precision and recall; 0 to 1.

    Raises ZeroDivisionError where both are zero. Source: van Rijsbergen 1979.
    """
    if math.isinf(beta):
        return recall
    return (1 + beta * beta) * precision * recall / (beta * beta * precision + recall)


def _scores(counts: Counts, beta: float, empty: str, no_match_f: str) -> dict[str, float]:
    matches, own, other = counts
    both = not own and not other
    filler = {"undefined": NAN, "zero": 0.0, "one-if-both": 1.0 if both else 0.0}[empty]
    precision = matches / own if own else filler
    recall = matches / other if other else filler
    if not own or not other:
        if both:
            f1 = weighted = filler
        else:
            f1 = weighted = 0.0
    elif not matches:
        f1 = weighted = 0.0 if no_match_f == "zero" else NAN
    else:
        f1 = 2 * matches / (own + other)
        weighted = f1 if beta == 1 else f_beta(precision, recall, beta)
    return {"precision": precision, "recall": recall, "f1": f1, "f_beta": weighted}


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
    NaN, zero, or one where both sides are empty. Returns also matches and lengths, summed over segments.
    Raises TypeError and ValueError. Source: SQuAD evaluation (Rajpurkar et al. 2016, 2018).
    """
    segments(hypotheses, references)
    whole("order", order, 1, 100)
    choice("counting", counting, ("multiset", "set"))
    choice("multi_reference", multi_reference, ("best", "mean", "combined", "pooled"))
    choice("aggregation", aggregation, ("mean", "pooled"))
    choice("empty", empty, ("undefined", "zero", "one-if-both"))
    choice("no_match_f", no_match_f, ("zero", "undefined"))
    if isinstance(beta, bool) or not isinstance(beta, (int, float)) or not beta >= 0:
        raise ValueError(f"beta: expected a number from 0, found {beta!r:.60}")
    if not hypotheses:
        raise ValueError("no segments")

    def bag(text: Text) -> Counter[Any]:
        return grams(tokens_of(_normalized(text, normalizer), tokenizer), order)

    totals = [0, 0, 0]
    sums = dict.fromkeys(("precision", "recall", "f1", "f_beta"), 0.0)
    for hypothesis, several in zip(hypotheses, references, strict=True):
        if not several:
            raise ValueError("a segment without a reference")
        own, bags = bag(hypothesis), [bag(each) for each in several]
        if multi_reference == "combined":
            bags = [_combined(bags)]
        counts = [_overlap(own, each, counting) for each in bags]
        if multi_reference == "pooled":
            counts = [(sum(c[0] for c in counts), sum(c[1] for c in counts), sum(c[2] for c in counts))]
        found = [_scores(each, beta, empty, no_match_f) for each in counts]
        best = max(range(len(found)), key=lambda at: -1.0 if math.isnan(found[at]["f1"]) else found[at]["f1"])
        for place, each in enumerate(counts[best]):
            totals[place] += each
        for name in sums:
            if multi_reference == "mean":
                sums[name] += sum(each[name] for each in found) / len(found)
            else:
                sums[name] += found[best][name]
    if aggregation == "pooled":
        scores = _scores((totals[0], totals[1], totals[2]), beta, empty, no_match_f)
    else:
        scores = {name: value / len(hypotheses) for name, value in sums.items()}
    return {**scores, "matches": totals[0], "hypothesis_length": totals[1], "reference_length": totals[2]}


def _similarity(
    hypotheses: Sequence[Text], references: Sequence[Sequence[Text]], counting: str, units: str, multi_reference: str,
    both_empty: str, dice_: bool,
) -> dict[str, Any]:
    segments(hypotheses, references)
    choice("counting", counting, ("multiset", "set"))
    choice("multi_reference", multi_reference, ("best", "mean", "combined"))
    choice("both_empty", both_empty, ("undefined", "one", "zero"))
    if not hypotheses:
        raise ValueError("no segments")
    filler = {"undefined": NAN, "one": 1.0, "zero": 0.0}[both_empty]
    total = 0.0
    for hypothesis, several in zip(hypotheses, references, strict=True):
        if not several:
            raise ValueError("a segment without a reference")
        own = Counter(texts.elements(hypothesis, units))
        bags = [Counter(texts.elements(each, units)) for each in several]
        if multi_reference == "combined":
            bags = [_combined(bags)]
        found = []
        for bag in bags:
            matches, left, right = _overlap(own, bag, counting)
            whole_ = left + right if dice_ else left + right - matches
            found.append((2 * matches if dice_ else matches) / whole_ if whole_ else filler)
        total += sum(found) / len(found) if multi_reference == "mean" else max(found)
    return {"score": total / len(hypotheses)}


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
    return _similarity(hypotheses, references, counting, elements, multi_reference, both_empty, False)


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
    return _similarity(hypotheses, references, counting, elements, multi_reference, both_empty, True)
