"""GEC GLEU+, the score of corrected text beside its source. Source: Napoles et al. 2015 and 2016."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.reference.shape import choice, flag, segments, text_or_tokens, whole
from conformance.reference.text import grams
from conformance.reference.tokenizers import Text, tokens_of

SEED_STEP = 101
"""Iteration j, from 0, is drawn after seeding with j times this."""
AUTHORS_ORDER = 4


@dataclass(frozen=True, slots=True)
class Statistics:
    """Lengths, and by order: matches, what is subtracted from them, their floored difference, and totals."""

    length: int
    reference_length: int
    matches: tuple[int, ...]
    penalties: tuple[int, ...]
    numerators: tuple[int, ...]
    totals: tuple[int, ...]


def counts(tokens: Sequence[str], order: int) -> list[Counter[Any]]:
    """The n-grams of a text, counted, for orders 1 to `order`."""
    return [Counter(grams(tokens, n)) for n in range(1, order + 1)]


def matched(own: Counter[Any], reference: Counter[Any]) -> int:
    """How many n-grams two texts share, each as often as it occurs in both."""
    return sum(min(count, reference[gram]) for gram, count in own.items() if gram in reference)


def subtracted(own: Counter[Any], source: Counter[Any], reference: Counter[Any], penalty: str) -> int:
    """How many n-grams the output kept from the source against the reference.

    occurrences: each n-gram as often as output and source share it beyond what output and reference share.
    types: n-grams that the reference lacks altogether, as often as output and source share them.
    """
    total = 0
    for gram, count in own.items():
        if gram not in source:
            continue
        kept, wanted = min(count, source[gram]), min(count, reference.get(gram, 0))
        if penalty == "occurrences":
            total += max(kept - wanted, 0)
        elif not wanted:
            total += kept
    return total


def brevity_penalty(length: float, reference_length: float, rule: str = "short") -> float:
    """exp(1 - r/c) for c < r, else 1; 0 to 1. rule exchanged: with both lengths exchanged, so long output pays."""
    if rule == "exchanged":
        length, reference_length = reference_length, length
    if length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / length) if length else 0.0


@dataclass(frozen=True, slots=True)
class Formula:
    """The last step: a score from the statistics of a corpus and one reference a segment."""

    root: int
    brevity: str
    ones: bool

    def score(self, length: int, reference_length: int, numerators: Sequence[int], totals: Sequence[int]) -> float:
        """BP times the geometric mean of the precisions; 0 where any statistic is 0 (or, with ones, that counts 1)."""
        seen = [length, reference_length, *numerators, *totals]
        if self.ones:
            seen = [each or 1 for each in seen]
        elif not all(seen):
            return 0.0
        c, r, *rest = seen
        tops, bottoms = rest[: len(totals)], rest[len(totals) :]
        logs = math.fsum(math.log(top / bottom) for top, bottom in zip(tops, bottoms, strict=True))
        return brevity_penalty(c, r, self.brevity) * math.exp(logs / self.root)


def python_2(draw: random.Random, count: int) -> int:
    """One of so many places, as Python 2's randint draws it."""
    return int(draw.random() * count)


def python_3(draw: random.Random, count: int) -> int:
    """One of so many places, as Python 3's randint draws it: enough bits, again while they are too large."""
    bits = count.bit_length()
    found = draw.getrandbits(bits)
    while found >= count:
        found = draw.getrandbits(bits)
    return found


DRAWS: dict[str, Callable[[random.Random, int], int]] = {"sampled": python_2, "sampled-python-3": python_3}


def samples(sizes: Sequence[int], iterations: int, multi_reference: str) -> list[list[int]]:
    """The place of the reference of each segment, for each corpus score that is averaged."""
    most = max(sizes)
    if most == 1:
        return [[0] * len(sizes)]
    if multi_reference == "each-in-turn":
        return [[place] * len(sizes) for place in range(most)]
    one = DRAWS[multi_reference]
    drawn = []
    for iteration in range(iterations):
        draw = random.Random(iteration * SEED_STEP)
        drawn.append([one(draw, size) for size in sizes])
    return drawn


def gec_gleu(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    sources: Sequence[Text],
    *,
    max_order: int = 4,
    penalty: str = "occurrences",
    numerator_floor: str = "segment",
    brevity: str = "short",
    root: str = "order",
    smoothing: str = "none",
    multi_reference: str = "sampled",
    iterations: int = 500,
    aggregation: str = "corpus",
    tokenizer: str = "whitespace",
    lowercase: bool = False,
    no_cases: str = "error",
) -> dict[str, Any]:
    """GLEU+ = BP * exp(mean of log p_n) for orders 1 to max_order; 0 to 1.

    p_n = max(matches - penalties, 0) / totals: n-grams that output and reference share, less those that output
    and source share beyond that, over the n-grams of the output; pooled over the corpus with one reference a
    segment. With several references the score is the mean over `iterations` such corpus scores, each with
    references drawn anew; deviation is their standard deviation, and the other components are their means.
    hypotheses, sources: one a segment; references: a list for each.
    Raises TypeError and ValueError. Source: Napoles et al. 2016, Equation 1 (without the weights of 2015).
    """
    _checked(hypotheses, references, sources)
    whole("max_order", max_order, 1, 100)
    whole("iterations", iterations, 1, 100_000)
    choice("penalty", penalty, ("occurrences", "types"))
    choice("numerator_floor", numerator_floor, ("segment", "corpus"))
    choice("brevity", brevity, ("short", "exchanged"))
    choice("root", root, ("order", "fourth"))
    choice("smoothing", smoothing, ("none", "ones"))
    choice("multi_reference", multi_reference, (*DRAWS, "each-in-turn"))
    choice("aggregation", aggregation, ("corpus", "mean"))
    choice("no_cases", no_cases, ("error", "zero"))
    flag("lowercase", lowercase)
    sizes = [len(several) for several in references]
    if multi_reference == "each-in-turn" and len(set(sizes)) > 1:
        raise ValueError("references in turn: expected equally many for each segment")
    if not hypotheses and no_cases == "error":
        raise ValueError("expected at least one segment, found none")
    orders = min(max_order, AUTHORS_ORDER) if root == "fourth" else max_order
    formula = Formula(AUTHORS_ORDER if root == "fourth" else max_order, brevity, smoothing == "ones")
    parts = []
    for hypothesis, several, source in zip(hypotheses, references, sources, strict=True):
        own, others, original = (
            tokens_of(hypothesis, tokenizer, lowercase),
            [tokens_of(each, tokenizer, lowercase) for each in several],
            tokens_of(source, tokenizer, lowercase),
        )
        parts.append(statistics(own, others, original, orders, penalty, numerator_floor == "segment"))
    drawn = samples(sizes, iterations, multi_reference) if sizes else [[]]
    found = pooled(parts, drawn, orders, formula)
    if aggregation == "mean" and parts:
        alone = [
            pooled([part], samples([size], iterations, multi_reference), orders, formula)
            for part, size in zip(parts, sizes, strict=True)
        ]
        found["score"] = math.fsum(each["score"] for each in alone) / len(alone)
    return found


def _checked(hypotheses: Any, references: Any, sources: Any) -> None:
    """Check the input. Raises TypeError and ValueError."""
    segments(hypotheses, references, needed=True)
    if isinstance(sources, (str, bytes)) or not isinstance(sources, Sequence):
        raise TypeError(f"sources: expected a list with one entry a segment, found {sources!r:.60}")
    if len(sources) != len(hypotheses):
        raise ValueError(f"{len(hypotheses)} hypotheses, but {len(sources)} sources")
    for place, source in enumerate(sources, start=1):
        text_or_tokens(f"source {place}", source)


def statistics(
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    source: Sequence[str],
    orders: int,
    penalty: str = "occurrences",
    floor: bool = True,
) -> list[Statistics]:
    """The statistics of one segment with each of its references; `floor` keeps its numerators from 0."""
    own, original = counts(hypothesis, orders), counts(source, orders)
    totals = tuple(max(len(hypothesis) - order, 0) for order in range(orders))
    found = []
    for reference in references:
        other = counts(reference, orders)
        matches = tuple(map(matched, own, other))
        penalties = tuple(subtracted(*each, penalty) for each in zip(own, original, other, strict=True))
        numerators = tuple(a - b for a, b in zip(matches, penalties, strict=True))
        if floor:
            numerators = tuple(max(each, 0) for each in numerators)
        found.append(Statistics(len(hypothesis), len(reference), matches, penalties, numerators, totals))
    return found


def pooled(
    parts: Sequence[Sequence[Statistics]], drawn: Sequence[Sequence[int]], orders: int, formula: Formula
) -> dict[str, Any]:
    """The mean of the corpus scores under each choice of references, with the means of what they are made of."""
    rows = [
        [(each.reference_length, *each.numerators, *each.matches, *each.penalties) for each in part] for part in parts
    ]
    length = sum(part[0].length for part in parts)
    totals = [sum(part[0].totals[n] for part in parts) for n in range(orders)]
    scores, penalties, columns = [], [], []
    for places in drawn:
        chosen = (row[place] for row, place in zip(rows, places, strict=True))
        sums = [sum(column) for column in zip(*chosen, strict=True)] or [0] * (3 * orders + 1)
        numerators = [max(each, 0) for each in sums[1 : orders + 1]]
        sums[1 : orders + 1] = numerators
        columns.append(sums)
        scores.append(formula.score(length, sums[0], numerators, totals))
        penalties.append(brevity_penalty(length, sums[0], formula.brevity))
    mean = math.fsum(scores) / len(scores)
    average = [sum(column) / len(drawn) for column in zip(*columns, strict=True)]
    return {
        "score": mean,
        "precisions": [top / total if total else 0.0 for top, total in zip(average[1:], totals, strict=False)],
        "brevity_penalty": math.fsum(penalties) / len(penalties),
        "matches": average[orders + 1 : 2 * orders + 1],
        "penalties": average[2 * orders + 1 :],
        "totals": totals,
        "hypothesis_length": length,
        "reference_length": average[0],
        "deviation": math.sqrt(math.fsum((each - mean) ** 2 for each in scores) / len(scores)),
    }
