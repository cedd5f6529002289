"""BLEU, with every choice that its implementations make. Source: Papineni et al. 2002; see smoothing.py."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from conformance.reference.shape import choice, flag, segments, whole
from conformance.reference.smoothing import GUARD_MATCHES, GUARD_TOTALS, LOOKS_ABOVE, NLTK, SMOOTHINGS, Evidence
from conformance.reference.text import TOKENIZERS, Text, tokens_of

Counts = list[int]
RULES = ("closest", "shortest", "longest", "average")
TIES = ("shorter", "longer", "first")


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of one segment or a corpus by order, with hypothesis and effective reference length."""

    matches: Counts
    totals: Counts
    length: int
    reference_length: Fraction


def grams(tokens: Sequence[str], order: int) -> Counter[Any]:
    """The n-grams of one order with their counts."""
    if order == 1:
        return Counter(tokens)
    return Counter(zip(*[tokens[start:] for start in range(order)]))


def reference_length(length: int, lengths: Sequence[int], rule: str, tie: str) -> Fraction:
    """The effective reference length of one segment: by the rule, and where two are equally close by the tie."""
    if rule == "shortest":
        return Fraction(min(lengths))
    if rule == "longest":
        return Fraction(max(lengths))
    if rule == "average":
        return Fraction(sum(lengths), len(lengths))
    sign = {"shorter": 1, "longer": -1, "first": 0}[tie]
    return Fraction(min(lengths, key=lambda each: (abs(each - length), sign * each)))


def statistics(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], orders: int, rule: str, tie: str, floor: bool
) -> Statistics:
    """Clipped matches and totals of one segment: each n-gram counts at most as often as in any one reference."""
    matches, totals = [], []
    for order in range(1, orders + 1):
        total = max(len(hypothesis) - order + 1, 0)
        totals.append(max(total, 1) if floor else total)
        if not total or (order > 1 and not matches[-1]):  # without a shorter match there is no longer one
            matches.append(0)
            continue
        own, tables = grams(hypothesis, order), [grams(each, order) for each in references]
        if len(tables) == 1:
            lookup = tables[0].get
            matches.append(sum([min(count, lookup(gram, 0)) for gram, count in own.items()]))
        else:
            gets = [table.get for table in tables]
            matches.append(sum([min(count, max([get(gram, 0) for get in gets])) for gram, count in own.items()]))
    length = reference_length(len(hypothesis), [len(each) for each in references], rule, tie)
    return Statistics(matches, totals, len(hypothesis), length)


def pooled(parts: Sequence[Statistics]) -> Statistics:
    """Counts and lengths summed over segments."""
    return Statistics(
        [sum(column) for column in zip(*(each.matches for each in parts), strict=True)],
        [sum(column) for column in zip(*(each.totals for each in parts), strict=True)],
        sum(each.length for each in parts),
        sum((each.reference_length for each in parts), Fraction(0)),
    )


def brevity_penalty(length: int, reference_length: Fraction | int, *, guarded: bool = False) -> float:
    """1 where the hypothesis is at least as long as the reference, else exp(1 - r/c); 0 for c = 0 < r. Range 0 to 1."""
    if guarded:
        share = (length + GUARD_MATCHES) / (float(reference_length) + GUARD_TOTALS)
        return math.exp(1 - 1 / share) if share < 1 else 1.0
    if length >= reference_length:
        return 1.0
    return math.exp(1 - float(reference_length / length)) if length else 0.0


@dataclass(frozen=True, slots=True)
class Formula:
    """The last step of BLEU, from statistics to a score; the same for a corpus and for one segment."""

    max_order: int
    weights: tuple[float, ...]
    smoothing: str
    value: float | None
    effective_order: bool
    zero_before_smoothing: bool
    empty_hypothesis: str

    def apply(self, seen: Statistics, last: Statistics) -> tuple[float, list[float], float]:
        """Score, precisions and brevity penalty. Raises ValueError for an empty hypothesis where that is an error."""
        penalty = brevity_penalty(seen.length, seen.reference_length, guarded=self.smoothing == "caption-guards")
        nothing = not any(seen.matches[: self.max_order])
        if not seen.length:
            if self.empty_hypothesis == "error":
                raise ValueError("the hypothesis is empty")
            return 0.0, [0.0] * self.max_order, penalty
        if nothing and self.zero_before_smoothing:
            return 0.0, [0.0] * self.max_order, penalty
        if self.smoothing in NLTK and not seen.matches[0]:
            return 0.0, [0.0] * self.max_order, penalty
        evidence = Evidence(
            self.max_order, seen.matches, seen.totals, last.matches, last.totals, seen.length, self.value
        )
        precisions = SMOOTHINGS[self.smoothing](evidence)
        return penalty * self.mean(precisions, seen), precisions, penalty

    def mean(self, precisions: Sequence[float], seen: Statistics) -> float:
        """The weighted geometric mean of the precisions; zero where one that counts is zero."""
        kept = list(range(self.max_order))
        if self.effective_order:
            kept = [n for n in kept if seen.totals[n] or precisions[n]]
        weights = self.weights or (1 / len(kept),) * self.max_order
        if self.weights and self.effective_order:
            whole_ = sum(weights[n] for n in kept)
            weights = tuple(weight / whole_ for weight in weights) if whole_ else weights
        total = 0.0
        for n in kept:
            if not weights[n]:
                continue
            if precisions[n] <= 0:
                if self.smoothing in NLTK:
                    continue
                return 0.0
            total += weights[n] * math.log(precisions[n])
        return math.exp(total)


def bleu(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text | None]],
    *,
    max_order: int = 4,
    weights: Sequence[float] = (),
    smoothing: str = "none",
    smoothing_value: float | str = "standard",
    effective_order: bool = False,
    zero_before_smoothing: bool = False,
    reference_length: str = "closest",
    reference_length_tie: str = "shorter",
    denominator_floor: str = "none",
    aggregation: str = "corpus",
    tokenizer: str = "whitespace",
    lowercase: bool = False,
    empty_hypothesis: str = "zero",
    no_cases: str = "error",
) -> dict[str, Any]:
    """BLEU = BP * exp(sum of w_n log p_n) for orders 1 to max_order; 0 to 1.

    p_n are the clipped matches over the hypothesis n-grams of order n, pooled over the corpus; BP is
    exp(1 - r/c) for c < r, else 1. hypotheses: one a segment; references: a list for each, None for a missing
    one (left out, unlike an empty one). `aggregation` mean averages the segments' scores, precisions and
    penalties. Raises TypeError and ValueError. Source: Papineni et al. 2002; Post 2018.
    """
    segments(hypotheses, references, missing=True)
    formula = _formula(max_order, weights, smoothing, smoothing_value, effective_order, zero_before_smoothing, empty_hypothesis)
    choice("reference_length", reference_length, RULES)
    choice("reference_length_tie", reference_length_tie, TIES)
    choice("denominator_floor", denominator_floor, ("none", "one-per-segment"))
    choice("aggregation", aggregation, ("corpus", "mean"))
    choice("tokenizer", tokenizer, tuple(TOKENIZERS))
    choice("no_cases", no_cases, ("error", "zero"))
    flag("lowercase", lowercase)
    floor = denominator_floor == "one-per-segment"
    orders = max_order + (smoothing in LOOKS_ABOVE)
    parts = []
    for hypothesis, several in zip(hypotheses, references, strict=True):
        own = tokens_of(hypothesis, tokenizer, lowercase)
        others = [tokens_of(each, tokenizer, lowercase) for each in several if each is not None]
        if not others:
            raise ValueError("a segment without a reference")
        parts.append(statistics(own, others, orders, reference_length, reference_length_tie, floor))
    if not parts:
        if no_cases == "error":
            raise ValueError("no segments")
        return _answer(0.0, [0.0] * max_order, 1.0, Statistics([0] * max_order, [0] * max_order, 0, Fraction(0)))
    total = pooled(parts)
    if aggregation == "corpus":
        return _answer(*formula.apply(total, parts[-1]), total)
    found = [formula.apply(each, each) for each in parts]
    count = len(found)
    precisions = [sum(each[1][n] for each in found) / count for n in range(max_order)]
    return _answer(sum(each[0] for each in found) / count, precisions, sum(each[2] for each in found) / count, total)


def _formula(
    max_order: Any, weights: Any, smoothing: Any, value: Any, effective_order: Any, zero_first: Any, empty: Any
) -> Formula:
    """The checked parameters of the last step. Raises TypeError and ValueError."""
    whole("max_order", max_order, 1, 100)
    choice("smoothing", smoothing, tuple(SMOOTHINGS))
    choice("empty_hypothesis", empty, ("zero", "error"))
    flag("effective_order", effective_order)
    flag("zero_before_smoothing", zero_first)
    if isinstance(weights, str) or not isinstance(weights, Sequence):
        raise TypeError(f"weights: expected a list of numbers, found {weights!r:.60}")
    if weights and len(weights) != max_order:
        raise ValueError(f"weights: expected {max_order} numbers, found {len(weights)}")
    if value != "standard" and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise TypeError(f"smoothing_value: expected a number or 'standard', found {value!r:.60}")
    number = None if value == "standard" else float(value)
    return Formula(max_order, tuple(map(float, weights)), smoothing, number, effective_order, zero_first, empty)


def _answer(score: float, precisions: list[float], penalty: float, seen: Statistics) -> dict[str, Any]:
    length = seen.reference_length
    return {
        "score": score, "precisions": precisions, "brevity_penalty": penalty,
        "matches": seen.matches[: len(precisions)], "totals": seen.totals[: len(precisions)], "hypothesis_length": seen.length,
        "reference_length": int(length) if length.denominator == 1 else float(length),
    }
