"""BLEU, with every choice that its implementations make. Source: Papineni et al. 2002; see smoothing.py."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

from conformance.reference.shape import choice, flag, number, segments, whole
from conformance.reference.smoothing import (
    GUARD_MATCHES,
    GUARD_TOTALS,
    NLTK,
    SMOOTHINGS,
    Evidence,
    needed_orders,
)
from conformance.reference.text import grams
from conformance.reference.tokenizers import TOKENIZERS, Text, tokens_of

RULES = ("closest", "shortest", "longest", "average")
TIES = ("shorter", "longer", "first")


@dataclass(frozen=True, slots=True)
class Statistics:
    """Matches and totals of a segment or a corpus by order; hypothesis and effective reference length."""

    matches: list[int]
    totals: list[int]
    length: int
    reference_length: Fraction | int


def effective_length(length: int, lengths: Sequence[int], rule: str, tie: str) -> Fraction | int:
    """The reference length of one segment, by the rule, and by the tie where two are equally close."""
    if rule == "shortest":
        return min(lengths)
    if rule == "longest":
        return max(lengths)
    if rule == "average":
        return Fraction(sum(lengths), len(lengths))
    sign = {"shorter": 1, "longer": -1, "first": 0}[tie]
    return min(lengths, key=lambda each: (abs(each - length), sign * each))


def clipped_matches(own: Sequence[Any], references: Sequence[Sequence[Any]]) -> int:
    """How many n-grams match, each at most as often as it occurs in any single reference.

    One that occurs once matches where any reference has it, so only repeated ones are counted.
    """
    distinct = set(own)
    matched = distinct.intersection(chain.from_iterable(references))
    matches = len(matched)
    if len(distinct) < len(own):
        for gram, count in Counter(own).items():
            if count > 1 and gram in matched:
                matches += min(count, max(each.count(gram) for each in references)) - 1
    return matches


def statistics(
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    orders: int,
    floor: bool,
    rule: str,
    tie: str,
) -> Statistics:
    """The statistics of one segment for orders 1 to `orders`; `floor` makes every total at least one."""
    matches: list[int] = []
    totals: list[int] = []
    for order in range(1, orders + 1):
        total = max(len(hypothesis) - order + 1, 0)
        totals.append(max(total, 1) if floor else total)
        if total and (order == 1 or matches[-1]):  # without a shorter match there is no longer one
            others = [grams(each, order) for each in references]
            matches.append(clipped_matches(grams(hypothesis, order), others))
        else:
            matches.append(0)
    length = effective_length(len(hypothesis), [len(each) for each in references], rule, tie)
    return Statistics(matches, totals, len(hypothesis), length)


def pooled(parts: Sequence[Statistics]) -> Statistics:
    """Counts and lengths summed over segments."""
    return Statistics(
        [sum(column) for column in zip(*(each.matches for each in parts), strict=True)],
        [sum(column) for column in zip(*(each.totals for each in parts), strict=True)],
        sum(each.length for each in parts),
        sum(each.reference_length for each in parts),
    )


def brevity_penalty(length: int, reference_length: Fraction | int, *, guarded: bool = False) -> float:
    """1 for c >= r, else exp(1 - r/c), 0 for c = 0 < r; 0 to 1. `guarded` adds the caption code's guards."""
    if guarded:
        share = (length + GUARD_MATCHES) / (float(reference_length) + GUARD_TOTALS)
        return math.exp(1 - 1 / share) if share < 1 else 1.0
    if length >= reference_length:
        return 1.0
    return math.exp(1 - float(Fraction(reference_length) / length)) if length else 0.0


@dataclass(frozen=True, slots=True)
class Formula:
    """The last step of BLEU, from statistics to a score; the same for a corpus and for one segment."""

    max_order: int
    weights: tuple[float, ...]
    smoothing: str
    value: float | None
    effective_order: bool
    zero_before_smoothing: bool

    def apply(self, seen: Statistics, last: Statistics) -> tuple[float, list[float], float]:
        """Score, precisions and brevity penalty, where `last` is the last segment."""
        guarded = self.smoothing == "caption-guards"
        penalty = brevity_penalty(seen.length, seen.reference_length, guarded=guarded)
        unmatched = not any(seen.matches[: self.max_order])
        if not seen.length or (unmatched and (self.zero_before_smoothing or self.smoothing in NLTK)):
            return 0.0, [0.0] * self.max_order, penalty
        precisions = SMOOTHINGS[self.smoothing](
            Evidence(self.max_order, seen.matches, seen.totals, seen.length, last.matches, last.length, self.value)
        )
        return penalty * self.mean(precisions, seen), precisions, penalty

    def mean(self, precisions: Sequence[float], seen: Statistics) -> float:
        """The weighted geometric mean of the precisions; zero where one that counts is zero."""
        kept = [n for n in range(self.max_order) if not self.effective_order or seen.totals[n] or precisions[n]]
        if self.weights:
            share = sum(self.weights[n] for n in kept)
            scale = sum(self.weights) / share if share else 1.0
            weights = {n: self.weights[n] * scale for n in kept}
        else:
            weights = dict.fromkeys(kept, 1 / len(kept))
        total = 0.0
        for n, weight in weights.items():
            if not weight or (self.smoothing in NLTK and not precisions[n]):
                continue
            if not precisions[n]:
                return 0.0
            total += weight * math.log(precisions[n])
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
    penalties; counts and lengths are sums all the same. An order without n-grams has precision 0.
    Raises TypeError and ValueError. Source: Papineni et al. 2002; Post 2018.
    """
    segments(hypotheses, references, missing=True, needed=True)
    formula = _formula(max_order, weights, smoothing, smoothing_value, effective_order, zero_before_smoothing)
    choice("reference_length", reference_length, RULES)
    choice("reference_length_tie", reference_length_tie, TIES)
    choice("denominator_floor", denominator_floor, ("none", "one-per-segment"))
    choice("aggregation", aggregation, ("corpus", "mean"))
    choice("tokenizer", tokenizer, tuple(TOKENIZERS))
    flag("lowercase", lowercase)
    choice("empty_hypothesis", empty_hypothesis, ("zero", "error"))
    choice("no_cases", no_cases, ("error", "zero"))
    orders, floor = needed_orders(smoothing, max_order), denominator_floor == "one-per-segment"
    parts = []
    for hypothesis, several in zip(hypotheses, references, strict=True):
        own = tokens_of(hypothesis, tokenizer, lowercase)
        others = [tokens_of(each, tokenizer, lowercase) for each in several if each is not None]
        parts.append(statistics(own, others, orders, floor, reference_length, reference_length_tie))
    if not parts:
        if no_cases == "error":
            raise ValueError("expected at least one segment, found none")
        nothing = Statistics([0] * max_order, [0] * max_order, 0, 0)
        return _answer((0.0, [0.0] * max_order, brevity_penalty(0, 0)), nothing)
    total = pooled(parts)
    if not total.length and empty_hypothesis == "error":
        raise ValueError("expected at least one hypothesis token, found none")
    if aggregation == "corpus":
        return _answer(formula.apply(total, parts[-1]), total)
    found = [formula.apply(each, each) for each in parts]
    score = math.fsum(each[0] for each in found) / len(found)
    penalty = math.fsum(each[2] for each in found) / len(found)
    precisions = [math.fsum(each[1][n] for each in found) / len(found) for n in range(max_order)]
    return _answer((score, precisions, penalty), total)


def _formula(
    max_order: Any, weights: Any, smoothing: Any, value: Any, effective_order: Any, zero_before_smoothing: Any
) -> Formula:
    """The checked parameters of the last step. Raises TypeError and ValueError."""
    whole("max_order", max_order, 1, 100)
    choice("smoothing", smoothing, tuple(SMOOTHINGS))
    flag("effective_order", effective_order)
    flag("zero_before_smoothing", zero_before_smoothing)
    if isinstance(weights, (str, bytes)) or not isinstance(weights, Sequence):
        raise TypeError(f"weights: expected a list of numbers, found {weights!r:.60}")
    if weights and len(weights) != max_order:
        raise ValueError(f"weights: expected {max_order} numbers, one an order, found {len(weights)}")
    numbers = tuple(float(number("weights", each)) for each in weights)
    chosen = None if value == "standard" else float(number("smoothing_value", value))
    return Formula(max_order, numbers, smoothing, chosen, effective_order, zero_before_smoothing)


def _answer(found: tuple[float, list[float], float], seen: Statistics) -> dict[str, Any]:
    score, precisions, penalty = found
    length = seen.reference_length
    return {
        "score": score,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "matches": seen.matches[: len(precisions)],
        "totals": seen.totals[: len(precisions)],
        "hypothesis_length": seen.length,
        "reference_length": int(length) if length.denominator == 1 else float(length),
    }
