"""RIBES, with every choice that its implementations make.

Sources: Isozaki et al. 2010; Hirao et al. 2014; the releases 1.01 to 1.03.1 of NTT's RIBES.py; as quirks NLTK 3.10.0.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from conformance.reference.shape import choice, flag, number, segments
from conformance.reference.tokenizers import Text, tokens_of

TOKENIZERS = ("whitespace", "char")


@dataclass(frozen=True, slots=True)
class Search:
    """How a word is looked up that is not unique: by an n-gram around it that occurs once on each side.

    longest: how many further words the n-gram may have, for the place of the word and the number of words;
    next_first: whether the words after it are tried before those that precede it; disjoint: whether occurrences
    that overlap count once.
    """

    longest: Callable[[int, int], int]
    next_first: bool = False
    disjoint: bool = False


ALIGNMENTS: Mapping[str, Search] = {
    "context": Search(lambda place, length: length),
    "bigram": Search(lambda place, length: 1, next_first=True),
    "disjoint-context": Search(lambda place, length: max(place, length - place) - 1, disjoint=True),
    "nltk-context": Search(lambda place, length: max(place - 1, length - place), next_first=True),
}


def aligned_places(hypothesis: Sequence[str], reference: Sequence[str], alignment: str) -> dict[int, int]:
    """Places of hypothesis words, in order, each with the place of the reference word that it stands for."""
    own, other = Counter(hypothesis), Counter(reference)
    where = first_places(reference)
    found: dict[int, int] = {}
    ambiguous: list[int] = []
    for place, word in enumerate(hypothesis):
        if word in other:
            if own[word] == 1 == other[word]:
                found[place] = where[word]
            else:
                ambiguous.append(place)
    if not ambiguous:
        return found
    found.update(aligned_by_context(hypothesis, reference, ambiguous, ALIGNMENTS[alignment]))
    return dict(sorted(found.items()))


def aligned_by_context(
    hypothesis: Sequence[str], reference: Sequence[str], places: Sequence[int], search: Search
) -> dict[int, int]:
    """The places among these whose word is settled by the smallest n-gram around it that is unique on both sides.

    The n-grams of each size get a name from those one word shorter, so that the cost is quadratic at most.
    """
    found: dict[int, int] = {}
    own: Sequence[Hashable] = hypothesis
    other: Sequence[Hashable] = reference
    window = 0
    while places:
        window += 1
        names: dict[tuple[Hashable, str], int] = {}
        own = [names.setdefault(pair, len(names)) for pair in zip(own, hypothesis[window:], strict=False)]
        other = [names.setdefault(pair, len(names)) for pair in zip(other, reference[window:], strict=False)]
        count = disjoint_counts if search.disjoint else every_count
        own_counts, other_counts = count(own, window + 1), count(other, window + 1)
        where = first_places(other)
        undecided = []
        for place in places:
            if window > search.longest(place, len(hypothesis)):
                continue
            shared = False
            for start in (place, place - window) if search.next_first else (place - window, place):
                if not 0 <= start < len(own) or own[start] not in other_counts:
                    continue
                if own_counts[own[start]] == 1 == other_counts[own[start]]:
                    found[place] = where[own[start]] + place - start
                    break
                shared = True
            else:
                if shared:  # an n-gram that the reference lacks has no longer one there
                    undecided.append(place)
        places = undecided
    return found


def first_places(names: Sequence[Hashable]) -> dict[Hashable, int]:
    """Where each word or n-gram occurs first."""
    return dict(zip(reversed(names), range(len(names) - 1, -1, -1), strict=True))


def every_count(names: Sequence[Hashable], size: int) -> Mapping[Hashable, int]:
    """How often each n-gram occurs."""
    return Counter(names)


def disjoint_counts(names: Sequence[Hashable], size: int) -> Mapping[Hashable, int]:
    """How often each n-gram occurs, counted from the left without overlap."""
    counts: Counter[Hashable] = Counter()
    free: dict[Hashable, int] = {}
    for place, name in enumerate(names):
        if place >= free.get(name, 0):
            counts[name] += 1
            free[name] = place + size
    return counts


def kendall(ranks: Sequence[int]) -> float:
    """Normalized tau: the share of pairs that ascend, among all pairs of at least two ranks; 0 to 1."""
    ascending = 0
    seen: list[int] = []
    for rank in ranks:
        ascending += bisect_left(seen, rank)
        insort(seen, rank)
    return ascending / math.comb(len(ranks), 2)


def spearman(ranks: Sequence[int]) -> float:
    """Normalized rho, (1 + rho)/2 with rho = 1 - sum of d^2 over C(n+1, 3), of at least two ranks; 0 to 1.

    d is how far a word's rank among the aligned ones is from its place among them; equal ranks share their mean.
    """
    ordered = sorted(ranks)
    distance = 0.0
    for place, rank in enumerate(ranks):
        mean = (bisect_left(ordered, rank) + bisect_right(ordered, rank) - 1) / 2
        distance += (mean - place) ** 2
    return 1 - distance / math.comb(len(ranks) + 1, 3) / 2


def runs(ranks: Sequence[int]) -> float:
    """NLTK's tau: only pairs inside runs of ranks that rise by one each count as ascending; 0 to 1."""
    ascending, length = 0, 1
    for before, after in pairwise(ranks):
        length = length + 1 if after == before + 1 else 1
        ascending += length - 1
    return ascending / math.comb(len(ranks), 2)


CORRELATIONS: Mapping[str, Callable[[Sequence[int]], float]] = {"kendall": kendall, "spearman": spearman, "runs": runs}


@dataclass(frozen=True, slots=True)
class Scored:
    """A hypothesis against one reference."""

    score: float
    correlation: float
    precision: float
    penalty: float
    aligned: int


@dataclass(frozen=True, slots=True)
class Formula:
    """The checked choices by which a hypothesis is scored against one reference."""

    alpha: float
    beta: float
    alignment: str
    correlation: str
    single_word: str

    def against(self, hypothesis: Sequence[str], reference: Sequence[str]) -> Scored:
        """Correlation * precision^alpha * penalty^beta; all zero for an empty hypothesis."""
        if not hypothesis:
            return Scored(0.0, 0.0, 0.0, 0.0, 0)
        ranks = list(aligned_places(hypothesis, reference, self.alignment).values())
        if len(ranks) >= 2:
            correlation = CORRELATIONS[self.correlation](ranks)
        else:
            perfect = len(ranks) == 1 == len(reference) and self.single_word == "one-word-reference"
            correlation = float(perfect)
        precision = len(ranks) / len(hypothesis)
        penalty = min(1.0, math.exp(1 - len(reference) / len(hypothesis)))
        score = correlation * precision**self.alpha * penalty**self.beta
        return Scored(score, correlation, precision, penalty, len(ranks))


def ribes(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    alpha: float = 0.25,
    beta: float = 0.10,
    alignment: str = "context",
    correlation: str = "kendall",
    single_word: str = "one-word-reference",
    empty_reference: str = "error",
    no_cases: str = "error",
    tokenizer: str = "whitespace",
    lowercase: bool = False,
) -> dict[str, Any]:
    """RIBES = K * P^alpha * BP^beta against the best reference, averaged over segments; 0 to 1.

    K is the normalized rank correlation of the aligned words, P their share of the hypothesis, BP is
    min(1, exp(1 - r/c)). A word that is unique on both sides is aligned; another one by the smallest n-gram around
    it that is. Of equally good references the first counts; the components are means over segments of what it
    gives, `aligned` is a sum. Raises TypeError and ValueError, the latter also for an empty reference, a corpus
    without segments, and where `skipped` leaves no segment. Sources: Isozaki et al. 2010, Hirao et al. 2014,
    RIBES.py 1.03.1.
    """
    segments(hypotheses, references, needed=True)
    formula = checked(alpha, beta, alignment, correlation, single_word)
    choice("empty_reference", empty_reference, ("error", "skipped", "zero"))
    choice("no_cases", no_cases, ("error", "zero"))
    choice("tokenizer", tokenizer, TOKENIZERS)
    flag("lowercase", lowercase)
    found: list[Scored] = []
    for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
        own = tokens_of(hypothesis, tokenizer, lowercase)
        others = [tokens_of(each, tokenizer, lowercase) for each in several]
        if empty_reference == "error" and not all(others):
            raise ValueError(f"segment {place}: expected references with words, found an empty one")
        if empty_reference == "skipped":
            others = [each for each in others if each]
        if others:
            found.append(max((formula.against(own, each) for each in others), key=lambda each: each.score))
    if not found and (hypotheses or no_cases == "error"):
        raise ValueError("expected at least one segment with a reference, found none")
    count = max(len(found), 1)
    return {
        "score": math.fsum(each.score for each in found) / count,
        "kendall": math.fsum(each.correlation for each in found) / count,
        "precision": math.fsum(each.precision for each in found) / count,
        "brevity_penalty": math.fsum(each.penalty for each in found) / count,
        "aligned": sum(each.aligned for each in found),
    }


def checked(alpha: Any, beta: Any, alignment: Any, correlation: Any, single_word: Any) -> Formula:
    """The formula of these choices. Raises TypeError and ValueError."""
    choice("alignment", alignment, tuple(ALIGNMENTS))
    choice("correlation", correlation, tuple(CORRELATIONS))
    choice("single_word", single_word, ("one-word-reference", "zero"))
    return Formula(number("alpha", alpha), number("beta", beta), alignment, correlation, single_word)
