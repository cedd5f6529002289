"""NIST, with every choice that its implementations make.

Sources: Doddington 2002; mteval-v13a; as a quirk NLTK 3.10.0's choice of a reference for each order.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from conformance.reference.shape import choice, flag, segments, whole
from conformance.reference.text import grams
from conformance.reference.tokenizers import Text, tokens_of

TOKENIZERS = ("whitespace", "13a", "intl")
Matched = Mapping[Any, int]
"""N-grams of one order with their clipped matches."""


class Information:
    """The information of n-grams, from their counts in a reference corpus."""

    def __init__(self, max_order: int, zero_prefix: str = "word", unknown_ngram: str = "zero") -> None:
        self.counts: list[Counter[Any]] = [Counter() for _ in range(max_order)]
        self.words = 0
        self.zero_prefix, self.unknown_ngram = zero_prefix, unknown_ngram

    def add(self, tokens: Sequence[str]) -> list[list[Any]]:
        """Count the n-grams of one reference; returns them by order."""
        self.words += len(tokens)
        found = []
        for order, counts in enumerate(self.counts, start=1):
            found.append(grams(tokens, order))
            counts.update(found[-1])
        return found

    def ratio(self, gram: Any, order: int) -> tuple[int, int]:
        """Occurrences of the n-gram without its last word, and of the n-gram.

        Of one word the first is the number of all words. Raises ValueError for an n-gram that the corpus
        lacks, where those are an error.
        """
        count = self.counts[order - 1][gram]
        if not count:
            if self.unknown_ngram == "error":
                raise ValueError(f"the reference corpus has no n-gram {gram!r:.60}")
            return 1, 1
        if order == 1 or (order == 2 and gram[0] == "0" and self.zero_prefix == "no-word"):
            return self.words, count
        return self.counts[order - 2][gram[0] if order == 2 else gram[:-1]], count

    def of(self, gram: Any, order: int) -> float:
        """log2 of that ratio, in bits."""
        above, below = self.ratio(gram, order)
        return math.log2(above / below)

    def total(self, matched: Matched, order: int) -> float:
        """The information of all matches of one order."""
        return math.fsum(count * self.of(gram, order) for gram, count in matched.items())


@dataclass(frozen=True, slots=True)
class Segment:
    """One hypothesis: its n-grams by order, its matches by order with each view of its references, and lengths.

    A view is all references together, or one alone; each has a length.
    """

    totals: list[int]
    views: list[list[Matched]]
    lengths: list[Fraction | int]


@dataclass(frozen=True, slots=True)
class Sums:
    """What the formula needs, pooled over segments: matches and n-grams by order, and both lengths."""

    matched: list[Matched]
    totals: list[int]
    length: int
    reference_length: Fraction | int


def clipped(own: Counter[Any], references: Sequence[Sequence[Any]]) -> Matched:
    """The matching n-grams, each at most as often as it occurs in any single reference."""
    present = set().union(*references)
    return {
        gram: min(count, max(each.count(gram) for each in references)) if count > 1 else 1
        for gram, count in own.items()
        if gram in present
    }


def observed(hypothesis: Sequence[str], references: Sequence[list[list[Any]]], together: bool) -> Segment:
    """A segment from its hypothesis and the n-grams of its references by order."""
    groups = [references] if together else [[each] for each in references]
    totals: list[int] = []
    views: list[list[Matched]] = []
    for order in range(1, len(references[0]) + 1):
        totals.append(max(len(hypothesis) - order + 1, 0))
        shorter = views[-1] if views else [{"": 1}] * len(groups)
        own = Counter(grams(hypothesis, order)) if any(shorter) else Counter()
        others = [[each[order - 1] for each in group] for group in groups]
        views.append([clipped(own, each) if some else {} for each, some in zip(others, shorter, strict=True)])
    return Segment(totals, views, [mean([len(each[0]) for each in group]) for group in groups])


def mean(lengths: Sequence[int]) -> Fraction | int:
    """The mean, exactly."""
    return lengths[0] if len(lengths) == 1 else Fraction(sum(lengths), len(lengths))


def pooled(parts: Sequence[Segment], information: Information, max_order: int) -> Sums:
    """The sums over segments; of several views each order takes the most informative one, and its length."""
    matched: list[Counter[Any]] = [Counter() for _ in range(max_order)]
    totals = [sum(part.totals[place] for part in parts) for place in range(max_order)]
    length: Fraction | int = 0
    for part in parts:
        for place, views in enumerate(part.views):
            best = 0
            if len(views) > 1:
                gains = [information.total(each, place + 1) for each in views]
                best = max(range(len(views)), key=lambda view: (gains[view], part.lengths[view]))
            for gram, count in views[best].items():
                matched[place][gram] += count
            length += part.lengths[best]
    return Sums(list(matched), totals, totals[0], Fraction(length, max_order))


def length_penalty(length: int, reference_length: Fraction | int) -> float:
    """exp(beta log^2(c/r)) for c < r, else 1, with beta such that it is 1/2 at c/r = 2/3; 0 for c = 0; 0 to 1."""
    if length >= reference_length:
        return 1.0
    if not length:
        return 0.0
    return math.exp(math.log(0.5) * (math.log(float(length / reference_length)) / math.log(1.5)) ** 2)


def nist(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    reference_corpus: Sequence[Sequence[Text]] | None = None,
    max_order: int = 5,
    multi_reference: str = "together",
    missing_order: str = "zero",
    unknown_ngram: str = "zero",
    zero_prefix: str = "word",
    empty_reference: str = "error",
    tokenizer: str = "whitespace",
    lowercase: bool = False,
) -> dict[str, Any]:
    """NIST = penalty * sum over orders of (information of the matching n-grams / hypothesis n-grams); from 0.

    Info(w1..wn) = log2(count of w1..wn-1 / count of w1..wn) in all references, or in `reference_corpus`, with the
    number of all words above for n = 1. The penalty is exp(log(1/2) (log(c/r) / log(3/2))^2) for c < r, else 1,
    where r sums the mean length of the references over segments. Counts are pooled. With `multi_reference`
    best-per-order one reference is taken for each segment and order, and r is the mean over orders of its length.
    Raises TypeError and ValueError, by choice also for an order without n-grams or a corpus without a reference
    word. Sources: Doddington 2002, mteval-v13a.
    """
    segments(hypotheses, references, needed=True)
    whole("max_order", max_order, 1, 100)
    choice("multi_reference", multi_reference, ("together", "best-per-order"))
    choice("missing_order", missing_order, ("zero", "error"))
    choice("unknown_ngram", unknown_ngram, ("zero", "error"))
    choice("zero_prefix", zero_prefix, ("word", "no-word"))
    choice("empty_reference", empty_reference, ("error", "zero"))
    choice("tokenizer", tokenizer, TOKENIZERS)
    flag("lowercase", lowercase)
    parts, information = evidence(
        hypotheses,
        references,
        reference_corpus,
        max_order=max_order,
        multi_reference=multi_reference,
        unknown_ngram=unknown_ngram,
        zero_prefix=zero_prefix,
        tokenizer=tokenizer,
        lowercase=lowercase,
    )
    return answer(pooled(parts, information, max_order), information, missing_order, empty_reference)


def evidence(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    reference_corpus: Sequence[Sequence[Text]] | None,
    *,
    max_order: int,
    multi_reference: str,
    unknown_ngram: str,
    zero_prefix: str,
    tokenizer: str,
    lowercase: bool,
) -> tuple[list[Segment], Information]:
    """The segments and the information of n-grams, from the references or from a corpus of its own."""
    information = Information(max_order, zero_prefix, unknown_ngram)
    parts = []
    for hypothesis, several in zip(hypotheses, references, strict=True):
        others = [information.add(tokens_of(each, tokenizer, lowercase)) for each in several]
        parts.append(observed(tokens_of(hypothesis, tokenizer, lowercase), others, multi_reference == "together"))
    if reference_corpus is None:
        return parts, information
    information = Information(max_order, zero_prefix, unknown_ngram)
    segments([[]] * len(reference_corpus), reference_corpus)
    for several in reference_corpus:
        for each in several:
            information.add(tokens_of(each, tokenizer, lowercase))
    return parts, information


def answer(sums: Sums, information: Information, missing_order: str, empty_reference: str) -> dict[str, Any]:
    """The formula applied to the sums. Raises ValueError where a choice says so."""
    if not sums.reference_length and empty_reference == "error":
        raise ValueError("expected at least one reference word, found none")
    if missing_order == "error" and not all(sums.totals):
        raise ValueError(f"the hypotheses have no n-gram of order {sums.totals.index(0) + 1}")
    penalty = length_penalty(sums.length, sums.reference_length)
    gained = [information.total(each, order) for order, each in enumerate(sums.matched, start=1)]
    shares = [each / total if total else 0.0 for each, total in zip(gained, sums.totals, strict=True)]
    length = sums.reference_length
    return {
        "score": penalty * math.fsum(shares),
        "information": gained,
        "totals": sums.totals,
        "brevity_penalty": penalty,
        "hypothesis_length": sums.length,
        "reference_length": int(length) if length.denominator == 1 else float(length),
    }
