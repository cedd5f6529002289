"""Ten implementations that are wrong where worked examples do not look, and the right one behind them.

Each agrees with its definition on ordinary sentences. `WRONG` names each with the law that it breaks.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from conformance.adapter import Adapter
from conformance.suite import load

Tokens = Sequence[str]
Answer = dict[str, Any]
Metric = Callable[[Sequence[Tokens], Sequence[Sequence[Tokens]]], Answer]

ORDERS = range(1, 5)


def grams(tokens: Tokens, order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def clipped(hypothesis: Tokens, references: Sequence[Tokens], order: int) -> int:
    """Matches, each n-gram clipped by the reference in which it is most frequent."""
    counts = [grams(reference, order) for reference in references]
    return sum(min(n, max(each[gram] for each in counts)) for gram, n in grams(hypothesis, order).items())


def clipped_below_three(hypothesis: Tokens, references: Sequence[Tokens], order: int) -> int:
    """Wrong: an n-gram that occurs three times and more is only looked up, not clipped."""
    counts = [grams(reference, order) for reference in references]
    return sum(
        (n if any(gram in each for each in counts) else 0) if n >= 3 else min(n, max(each[gram] for each in counts))
        for gram, n in grams(hypothesis, order).items()
    )


def closest(hypothesis: Tokens, references: Sequence[Tokens]) -> int:
    """The length of the closest reference, the shorter one of two equally close ones."""
    return min(map(len, references), key=lambda length: (abs(length - len(hypothesis)), length))


def closest_listed(hypothesis: Tokens, references: Sequence[Tokens]) -> int:
    """Wrong: of two equally close references the one listed first."""
    return min(map(len, references), key=lambda length: abs(length - len(hypothesis)))


def bleu_of(matching: Any = clipped, length: Any = closest, most: Callable[[int], int] = lambda count: count) -> Metric:
    """Unsmoothed BLEU of orders 1 to 4 with its counts; `most` says how many segments are looked at."""

    def bleu(hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> Answer:
        pairs = list(zip(hypotheses, references, strict=True))[: most(len(hypotheses))]
        matches = [sum(matching(h, several, n) for h, several in pairs) for n in ORDERS]
        totals = [sum(max(len(h) - n + 1, 0) for h, _ in pairs) for n in ORDERS]
        size, reference = sum(len(h) for h, _ in pairs), sum(length(h, several) for h, several in pairs)
        penalty = 0.0 if not size else min(1.0, math.exp(1 - reference / size))
        score = 0.0
        if all(matches):
            score = penalty * math.exp(sum(math.log(m / t) for m, t in zip(matches, totals, strict=True)) / 4)
        return {
            "score": score,
            "precisions": [m / t if t else math.nan for m, t in zip(matches, totals, strict=True)],
            "brevity_penalty": penalty,
            "matches": matches,
            "totals": totals,
            "hypothesis_length": size,
            "reference_length": reference,
        }

    return bleu


def distance(h: Tokens, r: Tokens) -> int:
    """Levenshtein distance."""
    row = list(range(len(r) + 1))
    for i, a in enumerate(h, start=1):
        above, row = row, [i]
        for j, b in enumerate(r, start=1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b)))
    return row[-1]


def banded(h: Tokens, r: Tokens) -> int:
    """Wrong: never further from the diagonal than the lengths differ, and one place more."""
    band, far = abs(len(h) - len(r)) + 1, len(h) + len(r)
    row = [j if j <= band else far for j in range(len(r) + 1)]
    for i, a in enumerate(h, start=1):
        above, row = row, [i if i <= band else far]
        for j, b in enumerate(r, start=1):
            inside = abs(i - j) <= band
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b)) if inside else far)
    return row[-1]


def levenshtein_of(between: Callable[[Tokens, Tokens], int]) -> Metric:
    def levenshtein(hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> Answer:
        return {"distance": between(hypotheses[0], references[0][0])}

    return levenshtein


def remembering() -> Callable[[Tokens, Tokens], int]:
    """Wrong: a cache that knows a hypothesis by itself, whatever it is compared with."""
    known: dict[tuple[str, ...], int] = {}

    def between(h: Tokens, r: Tokens) -> int:
        return known.setdefault(tuple(h), distance(h, r))

    return between


def edits(h: Tokens, r: Tokens) -> tuple[int, int, int]:
    """Substitutions, deletions and insertions of a minimum alignment."""
    row = [(j, 0, j, 0) for j in range(len(r) + 1)]
    for i, a in enumerate(h, start=1):
        above, row = row, [(i, 0, 0, i)]
        for j, b in enumerate(r, start=1):
            (e0, s0, d0, i0), (e1, s1, d1, i1), (e2, s2, d2, i2) = above[j - 1], row[j - 1], above[j]
            hit = (e0, s0, d0, i0) if a == b else (e0 + 1, s0 + 1, d0, i0)
            row.append(min(hit, (e1 + 1, s1, d1 + 1, i1), (e2 + 1, s2, d2, i2 + 1)))
    return row[-1][1:]


def wer_of(kept: Callable[[list[tuple[Tokens, Tokens]]], list[tuple[Tokens, Tokens]]]) -> Metric:
    """Pooled word error rate against one reference a segment, over the segments that are kept."""

    def wer(hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> Answer:
        pairs = kept([(h, several[0]) for h, several in zip(hypotheses, references, strict=True)])
        substitutions, deletions, insertions = (
            sum(each) for each in zip(*(edits(h, r) for h, r in pairs), strict=True)
        )
        errors, length = substitutions + deletions + insertions, sum(len(r) for _, r in pairs)
        return {
            "rate": errors / length if length else math.nan,
            "substitutions": substitutions,
            "deletions": deletions,
            "insertions": insertions,
            "errors": errors,
            "reference_length": length,
        }

    return wer


def every(pairs: list[tuple[Tokens, Tokens]]) -> list[tuple[Tokens, Tokens]]:
    return pairs


def distinct(pairs: list[tuple[Tokens, Tokens]]) -> list[tuple[Tokens, Tokens]]:
    """Wrong: identical segments count once."""
    return list({(tuple(h), tuple(r)): (h, r) for h, r in pairs}.values())


def shared(h: Tokens, r: Tokens) -> int:
    return sum((Counter(h) & Counter(r)).values())


def jaccard_of(leading: bool) -> Metric:
    """Multiset Jaccard; wrong where `leading`: a first token that returns last is left out of the union."""

    def jaccard(hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> Answer:
        h, r = hypotheses[0], references[0][0]
        union = len(h) + len(r) - shared(h, r)
        if leading and h[:1] == r[:1] and len(h) == len(r) + 1 and h[-1] == h[0]:
            union -= 1
        return {"score": shared(h, r) / union if union else math.nan}

    return jaccard


def dice_of(limit: float) -> Metric:
    """Multiset Dice; wrong where a side is longer than `limit`: as sets."""

    def dice(hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> Answer:
        h, r = list(hypotheses[0]), list(references[0][0])
        if max(len(h), len(r)) > limit:
            h, r = list(set(h)), list(set(r))
        return {"score": 2 * shared(h, r) / (len(h) + len(r)) if h or r else math.nan}

    return dice


def overlap_of(arithmetic: bool) -> Metric:
    """Token precision, recall and F1; wrong where `arithmetic`: F1 is their mean where P is 2R."""

    def overlap(hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> Answer:
        h, r = hypotheses[0], references[0][0]
        matches = shared(h, r)
        precision = matches / len(h) if h else math.nan
        recall = matches / len(r) if r else math.nan
        f1 = 2 * matches / (len(h) + len(r)) if h or r else math.nan
        if arithmetic and precision == 2 * recall:
            f1 = (precision + recall) / 2
        return {
            "precision": precision,
            "recall": recall,
            "f1": f1,
            "matches": matches,
            "hypothesis_length": len(h),
            "reference_length": len(r),
        }

    return overlap


def subsequence(h: Tokens, r: Tokens) -> int:
    row = [0] * (len(r) + 1)
    for a in h:
        above, row = row, [0]
        for j, b in enumerate(r, start=1):
            row.append(above[j - 1] + 1 if a == b else max(above[j], row[j - 1]))
    return row[-1]


def greedy(h: Tokens, r: Tokens) -> int:
    """Wrong: each token of the hypothesis takes the next place in the reference where it stands."""
    found, place = 0, 0
    for token in h:
        if token in r[place:]:
            place = list(r).index(token, place) + 1
            found += 1
    return found


def lcs_of(longest: Callable[[Tokens, Tokens], int]) -> Metric:
    def lcs(hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> Answer:
        return {"length": longest(hypotheses[0], references[0][0])}

    return lcs


SINGLE: dict[str, Any] = {"corpus": False, "references": "one"}
TOKENS: dict[str, Any] = {"unit": "token"}
PLUG: dict[str, dict[str, Any]] = {
    "bleu": {},
    "wer": {"references": "one"},
    "levenshtein": {**SINGLE, "components": ["distance"]},
    "lcs-length": SINGLE,
    "jaccard": SINGLE,
    "dice": SINGLE,
    "token-overlap": {
        **SINGLE,
        "components": ["precision", "recall", "f1", "matches", "hypothesis_length", "reference_length"],
    },
}
RIGHT: dict[str, Metric] = {
    "bleu": bleu_of(),
    "wer": wer_of(every),
    "levenshtein": levenshtein_of(distance),
    "lcs-length": lcs_of(subsequence),
    "jaccard": jaccard_of(False),
    "dice": dice_of(math.inf),
    "token-overlap": overlap_of(False),
}


@lru_cache
def declared(metric: str) -> dict[str, Any]:
    """The definition's own profile, over tokens."""
    defaults = load().metrics[metric].defaults()
    return {**defaults, **{key: value for key, value in TOKENS.items() if key in defaults}}


def plugged(name: str, metrics: dict[str, Metric]) -> Adapter:
    """An adapter of these metrics that declares the definitions' defaults; every text reaches them as tokens."""
    adapter = Adapter(name, "1")
    for metric, function in metrics.items():
        adapter.metric(metric, input="tokens", fixes=declared(metric), **PLUG[metric])(function)
    return adapter


def right() -> Adapter:
    return plugged("right", RIGHT)


WRONG: dict[str, tuple[str, dict[str, Callable[[], Metric]]]] = {
    "bleu-clips-below-three": ("bleu/clipped", {"bleu": lambda: bleu_of(matching=clipped_below_three)}),
    "bleu-tie-by-listing": ("bleu/length-order-free", {"bleu": lambda: bleu_of(length=closest_listed)}),
    "bleu-forgets-a-segment": (
        "bleu/matches-pooled",
        {"bleu": lambda: bleu_of(most=lambda count: count - (count > 2))},
    ),
    "levenshtein-in-a-band": ("levenshtein/triangle", {"levenshtein": lambda: levenshtein_of(banded)}),
    "levenshtein-remembers": ("levenshtein/bounded", {"levenshtein": lambda: levenshtein_of(remembering())}),
    "wer-drops-duplicates": ("wer/errors-pooled", {"wer": lambda: wer_of(distinct)}),
    "jaccard-leans": ("jaccard/symmetric", {"jaccard": lambda: jaccard_of(True)}),
    "dice-turns-to-sets": (
        "dice/dice-is-f1",
        {"dice": lambda: dice_of(5), "token-overlap": lambda: overlap_of(False)},
    ),
    "f1-arithmetic-at-twice": ("token-overlap/harmonic-mean", {"token-overlap": lambda: overlap_of(True)}),
    "lcs-greedy": ("lcs-length/symmetric", {"lcs-length": lambda: lcs_of(greedy)}),
}
"""The wrong implementations by name: the law that each breaks, and its metrics."""


def wrong(name: str) -> Adapter:
    return plugged(name, {metric: made() for metric, made in WRONG[name][1].items()})
