"""What the ROUGE measures share: from the counts of a pair to scores, over references, over segments.

Each measure counts its units (n-grams, skip-bigrams, words of a common subsequence) in pairs of a hypothesis
and a reference; all the rest is here. Sources: Lin 2004 (Equation 1, the maximum of section 2.1 and its
jackknife), ROUGE-1.5.5 (-f A, -f B, -p, -t), rouge-score 0.1.2, the caption evaluation code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import truediv
from typing import Any, NamedTuple

from conformance.reference.shape import choice, number

MULTI_REFERENCE = ("pooled", "best-recall", "best-f1", "best-each", "mean", "jackknife")
UNPOOLED = ("best-each", "mean", "jackknife")
"""Rules that combine scores, and so leave no counts that a corpus could sum."""
AGGREGATION = ("mean", "pooled")
EMPTY = ("undefined", "zero", "one-if-both", "error")


class Counts(NamedTuple):
    """Units that match, and all units of the hypothesis and of the reference; ROUGE-W's are weighed."""

    matches: float
    hypothesis: float
    reference: float


class Scores(NamedTuple):
    """The scores of a pair, a segment or a corpus, each from 0 to 1."""

    recall: float
    precision: float
    f1: float
    f_beta: float


UNDEFINED = Scores(math.nan, math.nan, math.nan, math.nan)


def f_measure(recall: float, precision: float, beta: float) -> float:
    """(1 + beta^2) P R / (beta^2 P + R), zero for P = R = 0; recall itself for an infinite beta.

    ROUGE-1.5.5's alpha is 1 / (1 + beta^2). Source: van Rijsbergen 1979.
    """
    if math.isinf(beta):
        return recall
    below = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / below if below else 0.0


@dataclass(frozen=True, slots=True)
class Rules:
    """The parameters that every ROUGE measure has, checked, and what follows from them.

    `beta` is a number from 0, `infinity`, or `ratio`: P/R, which Lin derives. `multi_reference` says how several
    references enter: `pooled` sums matches and totals over them (Equation 1; the hypothesis counts once for
    each), `best-recall` and `best-f1` take all scores from the best one, the first of equal ones, `best-each`
    the largest recall and the largest precision, `mean` the mean of each score, `jackknife` the mean of
    `best-recall` over the sets that leave one reference out, undefined for a single one. `aggregation` says
    whether segments enter by their scores or by their counts, `empty` what a ratio is whose denominator is
    zero. `share` makes a ratio of two counts. Raises TypeError and ValueError.
    """

    beta: float | str
    multi_reference: str
    aggregation: str
    empty: str
    share: Callable[[float, float], float] = truediv

    def __post_init__(self) -> None:
        if self.beta not in ("infinity", "ratio"):
            number("beta", self.beta)
        choice("multi_reference", self.multi_reference, MULTI_REFERENCE)
        choice("aggregation", self.aggregation, AGGREGATION)
        choice("empty", self.empty, EMPTY)
        if self.aggregation == "pooled" and self.multi_reference in UNPOOLED:
            raise ValueError(f"aggregation: {self.multi_reference} combines scores, which leaves no counts to pool")

    def pair(self, counts: Counts) -> Scores:
        """Recall M/|r|, precision M/|h| and their F. Raises ValueError by `empty`."""
        matches, own, other = counts
        if own and other:
            return self._scores(self.share(matches, other), self.share(matches, own))
        if self.empty == "error":
            raise ValueError("expected units on both sides, found none on one")
        filler = {"undefined": math.nan, "zero": 0.0, "one-if-both": float(not own and not other)}[self.empty]
        f = 0.0 if own or other else filler
        return Scores(0.0 if other else filler, 0.0 if own else filler, f, f)

    def _scores(self, recall: float, precision: float) -> Scores:
        f1 = f_measure(recall, precision, 1)
        if self.beta == 1 or not f1:
            return Scores(recall, precision, f1, f1)
        f_beta = f_measure(recall, precision, precision / recall if self.beta == "ratio" else float(self.beta))
        return Scores(recall, precision, f1, f_beta)

    def segment(self, pairs: Sequence[Counts]) -> tuple[Counts, Scores]:
        """The counts and scores of one segment from those of its pairs, one a reference.

        The counts are those of the chosen reference, or summed where none is chosen.
        """
        if len(pairs) == 1 and self.multi_reference != "jackknife":
            return pairs[0], self.pair(pairs[0])
        if self.multi_reference == "pooled":
            total = summed(pairs)
            return total, self.pair(total)
        scores = [self.pair(each) for each in pairs]
        if self.multi_reference in ("best-recall", "best-f1"):
            place = best(scores, "recall" if self.multi_reference == "best-recall" else "f1")
            return pairs[place], scores[place]
        return summed(pairs), self._combined(scores)

    def _combined(self, scores: Sequence[Scores]) -> Scores:
        """The scores by a rule that chooses no reference."""
        if self.multi_reference == "mean":
            return mean(scores)
        if self.multi_reference == "best-each":
            recall = scores[best(scores, "recall")].recall
            return self._scores(recall, scores[best(scores, "precision")].precision)
        if len(scores) == 1:
            return UNDEFINED
        kept = [[*scores[:left_out], *scores[left_out + 1 :]] for left_out in range(len(scores))]
        return mean([each[best(each, "recall")] for each in kept])

    def corpus(self, segments: Iterable[Sequence[Counts]]) -> dict[str, Any]:
        """The components of a corpus from the counts of its pairs. Raises ValueError without a segment."""
        found = [self.segment(pairs) for pairs in segments]
        if not found:
            raise ValueError("expected at least one segment, found none")
        total = summed([counts for counts, _ in found])
        scores = self.pair(total) if self.aggregation == "pooled" else mean([each for _, each in found])
        return {
            **scores._asdict(),
            "matches": total.matches,
            "hypothesis_total": total.hypothesis,
            "reference_total": total.reference,
        }


def summed(several: Sequence[Counts]) -> Counts:
    """Counts added up."""
    return Counts(*map(sum, zip(*several, strict=True)))


def mean(several: Sequence[Scores]) -> Scores:
    """The mean of each score."""
    return Scores(*(math.fsum(each) / len(several) for each in zip(*several, strict=True)))


def best(scores: Sequence[Scores], component: str) -> int:
    """The place of the highest score, the first of equal ones; what is not a number is below all."""
    values = [getattr(each, component) for each in scores]
    return max(range(len(values)), key=lambda place: -1.0 if math.isnan(values[place]) else values[place])
