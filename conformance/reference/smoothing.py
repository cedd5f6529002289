"""BLEU's smoothings: from clipped matches and totals to the precisions that enter the mean.

Sources: Chen and Cherry 2014 (methods 1 to 7), Lin and Och 2004 (add-one), Post 2018 and sacreBLEU 2.6.0
(floor, add-k, exp), mteval-v13a; as quirks NLTK 3.10.0 and the caption evaluation code.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

K = 5
"""The constant of method 4."""

ALPHA = 5
"""The pseudo-counts of method 6."""

GUARD_MATCHES, GUARD_TOTALS = 1e-15, 1e-9
"""What the caption evaluation code adds to matches and hypothesis length, to totals and reference length."""

NLTK_ABOVE = 5
"""The order that NLTK's methods 5 and 7 take for the one above the longest, whichever that is."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a smoothing may look at: pooled matches and totals by order, and the last segment.

    `max_order` orders are scored; `needed_orders` says how many are counted. `length` is the number of
    hypothesis tokens; `value` is smoothing_value, None for the method's own.
    """

    max_order: int
    matches: Sequence[int]
    totals: Sequence[int]
    length: int
    last_matches: Sequence[int]
    last_length: int
    value: float | None = None

    @property
    def orders(self) -> range:
        """The orders that are scored, counted from zero."""
        return range(self.max_order)


Precisions = list[float]


def ratio(part: float, whole: float) -> float:
    """part / whole, and zero where there is nothing to divide by."""
    return part / whole if whole else 0.0


def none(seen: Evidence) -> Precisions:
    """The plain precisions."""
    return [ratio(seen.matches[n], seen.totals[n]) for n in seen.orders]


def floor(seen: Evidence) -> Precisions:
    """Zero matches become a small value, 0.1 unless another is given (also method 1)."""
    value = 0.1 if seen.value is None else seen.value
    return [ratio(seen.matches[n] or value, seen.totals[n]) for n in seen.orders]


def add_k(seen: Evidence) -> Precisions:
    """A value, 1 unless another is given, is added to matches and totals of every order above the first."""
    value = 1 if seen.value is None else seen.value
    added = [0 if n == 0 else value for n in seen.orders]
    return [ratio(seen.matches[n] + added[n], seen.totals[n] + added[n]) for n in seen.orders]


def add_one(seen: Evidence) -> Precisions:
    """Method 2: one is added to matches and totals of orders 2 and above."""
    return [ratio(seen.matches[n] + (n > 0), seen.totals[n] + (n > 0)) for n in seen.orders]


def add_one_to_all(seen: Evidence) -> Precisions:
    """One is added to matches and totals of every order, also the first and those without n-grams."""
    return [(seen.matches[n] + 1) / (seen.totals[n] + 1) for n in seen.orders]


def exp(seen: Evidence) -> Precisions:
    """The k-th order without a match, among those with n-grams, counts 1/2^k matches (also method 3)."""
    found, k = [], 0
    for n in seen.orders:
        if seen.totals[n] and not seen.matches[n]:
            k += 1
            found.append(1 / (2**k * seen.totals[n]))
        else:
            found.append(ratio(seen.matches[n], seen.totals[n]))
    return found


def mteval(seen: Evidence) -> Precisions:
    """As exp; an order without any n-gram has precision 1."""
    return [p if seen.totals[n] else 1.0 for n, p in zip(seen.orders, exp(seen), strict=True)]


def shrunk(seen: Evidence) -> list[float]:
    """Method 4's matches: the k-th zero becomes (ln c / 5)^k for c hypothesis tokens; NaN for one token."""
    step = math.log(seen.length) / K if seen.length > 1 else math.nan
    found: list[float] = []
    k = 0
    for n in seen.orders:
        if seen.matches[n]:
            found.append(seen.matches[n])
        else:
            k += 1
            found.append(step**k)
    return found


def method_4(seen: Evidence) -> Precisions:
    """Method 4: as 3, with each halving replaced by ln c / 5; undefined for one token."""
    return _over_totals(shrunk(seen), seen)


def _over_totals(counts: Sequence[float], seen: Evidence) -> Precisions:
    """Smoothed counts over totals; what is undefined stays so, also without n-grams."""
    return [m if math.isnan(m) else ratio(m, seen.totals[n]) for n, m in enumerate(counts)]


def averaged(matches: Sequence[float], above: float) -> list[float]:
    """Each count averaged with the smoothed one below and the plain one above; order 0 counts m1 + 1."""
    found: list[float] = []
    below = matches[0] + 1
    for n, value in enumerate(matches):
        following = matches[n + 1] if n + 1 < len(matches) else above
        below = (below + value + following) / 3
        found.append(below)
    return found


def method_5(seen: Evidence) -> Precisions:
    """Method 5: counts averaged with those of the neighbouring orders."""
    return _over_totals(averaged(seen.matches[: seen.max_order], seen.matches[seen.max_order]), seen)


def method_6(seen: Evidence) -> Precisions:
    """Method 6: orders above 2 interpolated with the prior p(n-1)^2 / p(n-2), weighing five pseudo-counts."""
    found: Precisions = []
    for n in seen.orders:
        if n < 2:
            found.append(ratio(seen.matches[n], seen.totals[n]))
            continue
        prior = found[n - 1] ** 2 / found[n - 2] if found[n - 2] else 0.0
        found.append((seen.matches[n] + ALPHA * prior) / (seen.totals[n] + ALPHA))
    return found


def method_7(seen: Evidence) -> Precisions:
    """Method 7: method 4's counts, then method 5's averaging."""
    return _over_totals(averaged(shrunk(seen), seen.matches[seen.max_order]), seen)


def nltk_4(seen: Evidence) -> Precisions:
    """NLTK's method 4: the k-th zero becomes ln c / (5 * 2^k), for more than one token."""
    found, k = [], 1
    for n in seen.orders:
        value: float = seen.matches[n]
        if not value and seen.length > 1:
            value = math.log(seen.length) / (2**k * K)
            k += 1
        found.append(ratio(value, seen.totals[n]))
    return found


def _nltk_averaged(precisions: Precisions, seen: Evidence) -> Precisions:
    above = seen.last_matches[NLTK_ABOVE - 1] / max(1, seen.last_length - NLTK_ABOVE + 1)
    return averaged(precisions, above)


def nltk_5(seen: Evidence) -> Precisions:
    """NLTK's method 5: precisions averaged, not counts; the last one with the last segment's 5-grams."""
    return _nltk_averaged(none(seen), seen)


def nltk_6(seen: Evidence) -> Precisions:
    """NLTK's method 6: asserts a trigram match, and takes totals above order 2 from the last segment.

    Raises AssertionError without a trigram match, IndexError with fewer than three orders, as NLTK does.
    """
    found = none(seen)
    if not found[2]:
        raise AssertionError("NLTK's method 6 needs a trigram match")
    for n in range(2, len(found)):
        prior = found[n - 1] ** 2 / found[n - 2] if found[n - 2] else 0.0
        found[n] = (seen.matches[n] + ALPHA * prior) / (max(seen.last_length - n, 0) + ALPHA)
    return found


def nltk_7(seen: Evidence) -> Precisions:
    """NLTK's method 7: its methods 4 and 5 in turn."""
    return _nltk_averaged(nltk_4(seen), seen)


def smallest_float(seen: Evidence) -> Precisions:
    """NLTK without smoothing: a zero precision becomes the smallest normal double."""
    return [p or sys.float_info.min for p in none(seen)]


def guarded(seen: Evidence) -> Precisions:
    """The caption evaluation code's guards: 1e-15 is added to matches and 1e-9 to totals."""
    return [(seen.matches[n] + GUARD_MATCHES) / (seen.totals[n] + GUARD_TOTALS) for n in seen.orders]


SMOOTHINGS: Mapping[str, Callable[[Evidence], Precisions]] = {
    "none": none,
    "floor": floor,
    "add-k": add_k,
    "add-one-all": add_one_to_all,
    "exp": exp,
    "mteval": mteval,
    "chen-cherry-1": floor,
    "chen-cherry-2": add_one,
    "chen-cherry-3": exp,
    "chen-cherry-4": method_4,
    "chen-cherry-5": method_5,
    "chen-cherry-6": method_6,
    "chen-cherry-7": method_7,
    "nltk-4": nltk_4,
    "nltk-5": nltk_5,
    "nltk-6": nltk_6,
    "nltk-7": nltk_7,
    "smallest-float": smallest_float,
    "caption-guards": guarded,
}

NLTK = frozenset({"nltk-4", "nltk-5", "nltk-6", "nltk-7", "smallest-float"})
"""NLTK's own: without a unigram match the score is zero, and a zero precision is left out of the mean."""


def needed_orders(smoothing: str, max_order: int) -> int:
    """How many orders have to be counted."""
    if smoothing in ("chen-cherry-5", "chen-cherry-7"):
        return max_order + 1
    return max(max_order, NLTK_ABOVE) if smoothing in ("nltk-5", "nltk-7") else max_order
