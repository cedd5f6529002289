"""Google's GLEU: the smaller of n-gram precision and recall. Sources: Wu et al. 2016; NLTK 3.10.0."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from conformance.reference.shape import choice, flag, segments, whole
from conformance.reference.text import grams
from conformance.reference.tokenizers import Text, tokens_of

TOKENIZERS = ("whitespace", "char")
TIES = {"first": 0, "longer": 1, "shorter": -1}


@dataclass(frozen=True, slots=True)
class Counts:
    """Matches, n-grams of the hypothesis, n-grams of the reference, and the larger of both, summed over segments."""

    matches: int
    own: int
    other: int
    larger: int

    @property
    def ratio(self) -> float:
        """Matches over the larger number of n-grams; below every score where there are none at all."""
        return self.matches / self.larger if self.larger else -1.0


def bag(text: Text, orders: range, tokenizer: str, lowercase: bool) -> Counter[Any]:
    """All n-grams of these orders in one bag."""
    tokens = tokens_of(text, tokenizer, lowercase)
    return Counter(chain.from_iterable(grams(tokens, order) for order in orders))


def against(own: Counter[Any], other: Counter[Any]) -> Counts:
    """The counts of one hypothesis and one reference."""
    matches = sum(min(own[gram], other[gram]) for gram in own.keys() & other.keys())
    own_size, other_size = own.total(), other.total()
    return Counts(matches, own_size, other_size, max(own_size, other_size))


def best(found: Sequence[Counts], tie: str) -> Counts:
    """The counts with the highest ratio, and of equal ones by the tie."""
    return max(found, key=lambda each: (each.ratio, TIES[tie] * each.larger))


def pooled(parts: Sequence[Counts]) -> Counts:
    """Counts summed over segments."""
    return Counts(
        sum(each.matches for each in parts),
        sum(each.own for each in parts),
        sum(each.other for each in parts),
        sum(each.larger for each in parts),
    )


def google_gleu(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    min_order: int = 1,
    max_order: int = 4,
    aggregation: str = "pooled",
    tie: str = "first",
    empty: str = "undefined",
    no_cases: str = "error",
    tokenizer: str = "whitespace",
    lowercase: bool = False,
) -> dict[str, Any]:
    """GLEU = min(M/|H|, M/|R|) = M / max(|H|, |R|) over the n-grams of orders min_order to max_order in one bag; 0 to 1.

    M is the size of the intersection of both bags. Of several references the one with the highest GLEU counts.
    `aggregation` pooled divides the summed M by the summed maxima; mean averages the scores of the segments.
    Precision and recall are those of the pooled counts. `empty` is for a ratio whose denominator is zero. Raises
    TypeError and ValueError. Sources: Wu et al. 2016; for corpora NLTK 3.10.0.
    """
    segments(hypotheses, references, needed=True)
    orders = range(whole("min_order", min_order, 1, 100), whole("max_order", max_order, 1, 100) + 1)
    if not orders:
        raise ValueError(f"min_order: expected at most max_order = {max_order}, found {min_order}")
    choice("aggregation", aggregation, ("pooled", "mean"))
    choice("tie", tie, tuple(TIES))
    choice("empty", empty, ("undefined", "zero"))
    choice("no_cases", no_cases, ("error", "zero"))
    choice("tokenizer", tokenizer, TOKENIZERS)
    flag("lowercase", lowercase)
    parts = []
    for hypothesis, several in zip(hypotheses, references, strict=True):
        own = bag(hypothesis, orders, tokenizer, lowercase)
        parts.append(best([against(own, bag(each, orders, tokenizer, lowercase)) for each in several], tie))
    if not parts and no_cases == "error":
        raise ValueError("expected at least one segment, found none")
    filler = math.nan if empty == "undefined" and parts else 0.0
    total = pooled(parts)

    def ratio(count: int) -> float:
        return total.matches / count if count else filler

    score = ratio(total.larger)
    if aggregation == "mean" and parts:
        score = math.fsum(each.ratio if each.larger else filler for each in parts) / len(parts)
    return {
        "score": score,
        "precision": ratio(total.own),
        "recall": ratio(total.other),
        "matches": total.matches,
        "larger": total.larger,
    }
