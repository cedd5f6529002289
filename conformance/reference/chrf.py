"""chrF and chrF++: F over character n-grams, and over word n-grams too, with every choice that implementations make.

Sources: Popovic 2015 (chrF), 2016 (beta), 2017 (chrF++) and her script chrF++.py; sacreBLEU 2.6.0; NLTK 3.10.0.
"""

from __future__ import annotations

import math
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import starmap
from operator import add
from typing import Any

from conformance.reference.shape import choice, flag, number, segments, whole
from conformance.reference.text import FORMS, graphemes, joined, unicode_form
from conformance.reference.tokenizers import Text

EPSILON = 1e-16
"""What stands for a ratio with a zero denominator in chrF++.py, sacreBLEU's eps_smoothing, Moses and NLTK."""

AVERAGES = ("precision-and-recall", "f")
MISSING = ("left-out", "left-out-if-both", "zero", "epsilon", "epsilon-per-order")
UNITS = ("code-point", "grapheme", "byte")
WHITESPACE = ("removed", "spaces-removed", "kept")
WORDS = ("one-mark-apart", "whitespace")

Counts = tuple[int, int, int]
"""The n-grams of one order: matches, all of the hypothesis, all of the reference."""
Scores = tuple[float, float, float]
"""F, precision, recall."""


@dataclass(frozen=True, slots=True)
class Formula:
    """The last step of chrF, from the counts of the orders to a score; the same for a corpus and for one pair."""

    beta: float = 2
    average: str = "precision-and-recall"
    missing_orders: str = "left-out"
    both_empty: str = "no-match"

    @property
    def filler(self) -> float:
        """What a ratio with a zero denominator is."""
        return EPSILON if self.missing_orders.startswith("epsilon") else 0.0

    def f(self, precision: float, recall: float) -> float:
        """(1 + beta^2) P R / (beta^2 P + R); 0 to 1."""
        weight = self.beta * self.beta
        below = weight * precision + recall
        return (1 + weight) * precision * recall / below if below else self.filler

    def order(self, matches: int, own: int, other: int) -> Scores | None:
        """F, precision and recall of one order; None where it is left out."""
        if (self.missing_orders == "left-out" and not (own and other)) or (
            self.missing_orders == "left-out-if-both" and not (own or other)
        ):
            return None
        if self.missing_orders == "epsilon-per-order" and not matches:
            return self.filler, self.filler, self.filler
        precision = matches / own if own else self.filler
        recall = matches / other if other else self.filler
        return self.f(precision, recall), precision, recall

    def apply(self, counts: Sequence[Counts]) -> Scores:
        """F, mean precision and mean recall of the orders that count."""
        if self.both_empty != "no-match" and not any(own or other for _, own, other in counts):
            value = 1.0 if self.both_empty == "one" else math.nan
            return value, value, value
        found = [each for each in starmap(self.order, counts) if each]
        if not found:
            return 0.0, 0.0, 0.0
        score, precision, recall = mean(found)
        return score if self.average == "f" else self.f(precision, recall), precision, recall


def mean(several: Sequence[Scores]) -> Scores:
    """The arithmetic means of F, precision and recall."""
    score, precision, recall = (math.fsum(column) / len(several) for column in zip(*several, strict=True))
    return score, precision, recall


def characters(text: str, unit: str = "code-point", whitespace: str = "removed") -> Sequence[Any]:
    """The characters of a text, as units that `runs` can join; Unicode white space is removed, or U+0020, or none."""
    if whitespace == "removed":
        text = "".join(text.split())
    elif whitespace == "spaces-removed":
        text = text.strip().replace(" ", "")
    if unit == "grapheme":
        return [(cluster,) for cluster in graphemes(text)]
    return text.encode("utf-8", "surrogatepass").decode("latin-1") if unit == "byte" else text


def words(text: str, rule: str = "one-mark-apart") -> list[str]:
    """The words at white space; by `one-mark-apart` an ASCII mark at the end is a word of its own, else one in front."""
    if rule == "whitespace":
        return text.split()
    found = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            found += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return found


def runs(units: Sequence[Any], shortest: int, longest: int) -> list[list[Any]]:
    """The contiguous runs of `shortest` to `longest` units, by length; each joins one unit to a run of the length before."""
    found = [list(units)]
    for order in range(1, longest):
        found.append(list(map(add, found[-1], units[order:])))
    return found[shortest - 1 :]


@dataclass(frozen=True, slots=True)
class Orders:
    """Which n-grams are counted: the preparation of a text, and the orders of characters and of words."""

    char_order: int = 6
    min_char_order: int = 1
    word_order: int = 0
    lowercase: bool = False
    unit: str = "code-point"
    unicode_form: str = "none"
    whitespace: str = "removed"
    word_tokenizer: str = "one-mark-apart"

    def ngrams(self, text: Text) -> list[list[Any]]:
        """The n-grams of a text, order by order, those of words last; tokens are joined by spaces first."""
        plain = unicode_form(joined(text), self.unicode_form)
        if self.lowercase:
            plain = plain.lower()
        found = runs(characters(plain, self.unit, self.whitespace), self.min_char_order, self.char_order)
        if self.word_order:
            found += runs([(word,) for word in words(plain, self.word_tokenizer)], 1, self.word_order)
        return found

    def names(self) -> list[str]:
        """The orders in words: character 1-grams, ..., word 1-grams, ..."""
        found = [f"character {order}-grams" for order in range(self.min_char_order, self.char_order + 1)]
        return found + [f"word {order}-grams" for order in range(1, self.word_order + 1)]


def matches(own: Sequence[Any], other: Sequence[Any]) -> int:
    """How many n-grams match, each at most as often as it occurs on the other side.

    Where one side repeats none, the distinct ones that both have are the matches.
    """
    distinct, others = set(own), set(other)
    common = distinct & others
    if len(distinct) == len(own) or len(others) == len(other):
        return len(common)
    left, right = Counter(own), Counter(other)
    return sum(map(min, map(left.__getitem__, common), map(right.__getitem__, common)))


def compared(own: Sequence[Sequence[Any]], other: Sequence[Sequence[Any]], *, dropped: bool = False) -> list[Counts]:
    """The counts of every order; `dropped` leaves out hypothesis n-grams of an order that the reference lacks."""
    return [(matches(x, y), len(x) if y or not dropped else 0, len(y)) for x, y in zip(own, other, strict=True)]


def best(counts: Sequence[Sequence[Counts]], scores: Sequence[Scores], tie: str) -> int:
    """The place of the reference with the highest score, the first or the last of equal ones."""
    values = [-1.0 if math.isnan(score) else score for score, _, _ in scores]
    if tie == "first":
        return values.index(max(values))
    return len(values) - 1 - values[::-1].index(max(values))


def chrf(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text | None]],
    *,
    char_order: int = 6,
    min_char_order: int = 1,
    word_order: int = 0,
    beta: float = 2,
    average: str = "precision-and-recall",
    missing_orders: str = "left-out",
    both_empty: str = "no-match",
    whitespace: str = "removed",
    word_tokenizer: str = "one-mark-apart",
    lowercase: bool = False,
    unit: str = "code-point",
    unicode_form: str = "none",
    reference_tie: str = "first",
    aggregation: str = "corpus",
    orders_without_reference: str = "counted",
    unmatched_segment: str = "counted",
    no_cases: str = "error",
) -> dict[str, Any]:
    """chrF = (1 + beta^2) P R / (beta^2 P + R), P and R averaged over the orders of n-grams; 0 to 1.

    P_n and R_n are the matches over the n-grams of the hypothesis and of the reference, of characters for orders
    min_char_order to char_order and of words for orders 1 to word_order (chrF++: 2). A segment is held to its
    best reference, and its counts enter the corpus. hypotheses: one a segment; references: a list for each,
    None for a missing one (left out, unlike an empty one). `average` f takes F at each order and averages
    that; `aggregation` mean averages the segments' scores, precisions and recalls. Returns also the counts by
    order, those of words last, summed over segments. Raises TypeError, and ValueError, for `unmatched_segment`
    previous-again also where the first segment has no match. Source: Popovic 2015, 2017.
    """
    segments(hypotheses, references, missing=True, needed=True)
    whole("char_order", char_order, 1, 100)
    whole("min_char_order", min_char_order, 1, char_order)
    whole("word_order", word_order, 0, 100)
    number("beta", beta)
    choice("average", average, AVERAGES)
    choice("missing_orders", missing_orders, MISSING)
    choice("both_empty", both_empty, ("no-match", "one", "undefined"))
    choice("whitespace", whitespace, WHITESPACE)
    choice("word_tokenizer", word_tokenizer, WORDS)
    flag("lowercase", lowercase)
    choice("unit", unit, UNITS)
    choice("unicode_form", unicode_form, FORMS)
    choice("reference_tie", reference_tie, ("first", "last"))
    choice("aggregation", aggregation, ("corpus", "mean"))
    choice("orders_without_reference", orders_without_reference, ("counted", "dropped"))
    choice("unmatched_segment", unmatched_segment, ("counted", "previous-again"))
    choice("no_cases", no_cases, ("error", "zero"))
    formula = Formula(beta, average, missing_orders, both_empty)
    orders = Orders(char_order, min_char_order, word_order, lowercase, unit, unicode_form, whitespace, word_tokenizer)
    if not hypotheses and no_cases == "error":
        raise ValueError("expected at least one segment, found none")
    parts: list[list[Counts]] = []
    scores: list[Scores] = []
    for hypothesis, several in zip(hypotheses, references, strict=True):
        own = orders.ngrams(hypothesis)
        counts = [
            compared(own, orders.ngrams(each), dropped=orders_without_reference == "dropped")
            for each in several
            if each is not None
        ]
        found = [formula.apply(each) for each in counts]
        chosen = best(counts, found, reference_tie)
        scores.append(found[chosen])
        unmatched = not any(matched for each in counts for matched, _, _ in each)
        parts.append(again(parts) if unmatched and unmatched_segment == "previous-again" else counts[chosen])
    total = pooled(parts, len(orders.names()))
    score, precision, recall = mean(scores) if scores and aggregation == "mean" else formula.apply(total)
    return {
        "score": score if scores else 0.0,
        "precision": precision if scores else 0.0,
        "recall": recall if scores else 0.0,
        "matches": [each[0] for each in total],
        "hypothesis_totals": [each[1] for each in total],
        "reference_totals": [each[2] for each in total],
    }


def again(parts: Sequence[list[Counts]]) -> list[Counts]:
    """The counts of the segment before, as chrF++.py has them left over. Raises ValueError where there is none."""
    if not parts:
        raise ValueError("the first segment has no match, and no segment before it to take counts from")
    return parts[-1]


def pooled(parts: Sequence[Sequence[Counts]], orders: int) -> list[Counts]:
    """Counts summed over segments, order by order."""
    if not parts:
        return [(0, 0, 0)] * orders
    return [
        (sum(each[0] for each in column), sum(each[1] for each in column), sum(each[2] for each in column))
        for column in zip(*parts, strict=True)
    ]
