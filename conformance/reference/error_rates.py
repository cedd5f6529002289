"""Error rates of transcription: WER and CER, and the match error rate, information lost and preserved."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.reference import edit
from conformance.reference.shape import choice, flag, segments
from conformance.reference import text as texts
from conformance.reference.text import Text, graphemes, tokens_of, transformed


@dataclass(frozen=True, slots=True)
class Counts:
    """Operations of a minimum-cost alignment of a reference with a hypothesis."""

    hits: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions

    @property
    def reference(self) -> int:
        return self.hits + self.substitutions + self.deletions

    @property
    def hypothesis(self) -> int:
        return self.hits + self.substitutions + self.insertions

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.hits + other.hits, self.substitutions + other.substitutions,
            self.deletions + other.deletions, self.insertions + other.insertions,
        )


def count(reference: Sequence[Hashable], hypothesis: Sequence[Hashable], costs: str = "unit") -> Counts:
    """The operations of a minimum-cost alignment: unit costs, or sclite's 4 for a substitution and 3 for a gap."""
    start, m, n = 0, len(reference), len(hypothesis)
    while start < m and start < n and reference[start] == hypothesis[start]:
        start += 1
    while m > start and n > start and reference[m - 1] == hypothesis[n - 1]:
        m, n = m - 1, n - 1
    hits = start + len(reference) - m
    inner, outer = reference[start:m], hypothesis[start:n]
    if not inner or not outer:
        return Counts(hits, 0, len(inner), len(outer))
    substitution, gap = (1, 1) if costs == "unit" else (4, 3)
    made = [operation for operation, _, _ in edit.alignment(inner, outer, substitution=substitution, gap=gap)]
    return Counts(
        hits + made.count("hit"), made.count("substitution"), made.count("deletion"), made.count("insertion")
    )


EMPTY_REFERENCE = ("undefined", "insertion-count", "zero", "one", "infinity")


def rate(errors: float, length: float, insertions: float, empty_reference: str) -> float:
    """errors / length; without any reference unit by the named convention."""
    if length:
        return errors / length
    if empty_reference == "undefined":
        return math.nan
    if empty_reference == "insertion-count":
        return insertions
    if empty_reference == "zero" or (empty_reference == "one" and not insertions):
        return 0.0
    if empty_reference == "one":
        return 1.0
    return math.inf if insertions else math.nan


Pair = tuple[list[str], list[list[str]]]


def _error_rate(
    pairs: Sequence[Pair], alignment_: str, aggregation: str, multi_reference: str, empty_reference: str
) -> dict[str, Any]:
    choice("aggregation", aggregation, ("pooled", "mean"))
    choice("multi_reference", multi_reference, ("lowest-rate", "fewest-errors", "mean", "mean-length"))
    choice("empty_reference", empty_reference, EMPTY_REFERENCE)
    total, length, rates = Counts(), 0.0, []
    errors: float = 0
    for hypothesis, several in pairs:
        if not several:
            raise ValueError("a segment without a reference")
        found = [count(reference, hypothesis, alignment_) for reference in several]

        def one(each: Counts) -> float:
            return rate(each.errors, each.reference, each.insertions, empty_reference)

        if multi_reference == "lowest-rate":
            chosen = min(found, key=lambda each: (math.inf if math.isnan(one(each)) else one(each), each.errors))
        else:
            chosen = min(found, key=lambda each: each.errors)
        words: float = chosen.reference
        mistakes: float = chosen.errors
        if multi_reference == "mean-length":
            words = sum(each.reference for each in found) / len(found)
        elif multi_reference == "mean":
            words = sum(each.reference for each in found) / len(found)
            mistakes = sum(one(each) for each in found) / len(found) * words
        total, length, errors = total + chosen, length + words, errors + mistakes
        rates.append(rate(mistakes, words, chosen.insertions, empty_reference))
    if aggregation == "mean" and rates:
        value = sum(rates) / len(rates)
    else:
        value = rate(errors, length, total.insertions, empty_reference)
    return {
        "rate": value, "substitutions": total.substitutions, "deletions": total.deletions,
        "insertions": total.insertions, "errors": total.errors, "reference_length": length,
    }


def _words(text: Text, tokenizer: str, transforms: Sequence[str]) -> list[str]:
    return tokens_of(transformed(text, transforms), tokenizer)


def _word_pairs(hypotheses: Any, references: Any, tokenizer: str, transforms: Any) -> list[Pair]:
    segments(hypotheses, references)
    if isinstance(transforms, str) or not isinstance(transforms, Sequence):
        raise TypeError(f"transforms: expected a list of names, found {transforms!r:.60}")
    return [
        (_words(hypothesis, tokenizer, transforms), [_words(each, tokenizer, transforms) for each in several])
        for hypothesis, several in zip(hypotheses, references, strict=True)
    ]


def wer(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    tokenizer: str = "whitespace",
    transforms: Sequence[str] = (),
    alignment: str = "unit",
    aggregation: str = "pooled",
    multi_reference: str = "lowest-rate",
    empty_reference: str = "undefined",
) -> dict[str, Any]:
    """Word error rate (S + D + I) / N for N reference words; 0 and up, over 1 where much is inserted.

    S, D and I come from a minimum-cost alignment; where several are equally cheap their split is not defined.
    A corpus without any reference word is by `empty_reference`. Raises TypeError and ValueError.
    Source: surface-metrics 4.2; JiWER; NIST SCTK sclite for the 4/3/3 costs.
    """
    pairs = _word_pairs(hypotheses, references, tokenizer, transforms)
    choice("alignment", alignment, ("unit", "sclite"))
    return _error_rate(pairs, alignment, aggregation, multi_reference, empty_reference)


def cer(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    unit: str = "code-point",
    unicode_form: str = "none",
    spaces: str = "counted",
    strip: bool = False,
    transforms: Sequence[str] = (),
    aggregation: str = "pooled",
    multi_reference: str = "lowest-rate",
    empty_reference: str = "undefined",
) -> dict[str, Any]:
    """Character error rate (S + D + I) / N for N reference characters, spaces included; 0 and up.

    Explicit tokens are joined by spaces. Raises TypeError and ValueError. Source: surface-metrics 4.2; JiWER.
    """
    segments(hypotheses, references)
    choice("unit", unit, ("code-point", "grapheme"))
    choice("spaces", spaces, ("counted", "removed"))
    flag("strip", strip)

    def characters(text: Text) -> list[str]:
        return _characters(text, unit, unicode_form, spaces, strip, transforms)

    pairs = [
        (characters(hypothesis), [characters(each) for each in several])
        for hypothesis, several in zip(hypotheses, references, strict=True)
    ]
    return _error_rate(pairs, "unit", aggregation, multi_reference, empty_reference)


def _characters(
    text: Text, unit: str, form: str, spaces: str, strip: bool, transforms: Sequence[str]
) -> list[str]:
    joined = text if isinstance(text, str) else " ".join(text)
    changed = texts.unicode_form(str(transformed(joined, transforms)), form)
    if spaces == "removed":
        changed = "".join(changed.split())
    if strip:
        changed = changed.strip()
    return graphemes(changed) if unit == "grapheme" else list(changed)


def _totals(hypotheses: Any, references: Any, tokenizer: str, transforms: Any) -> Counts:
    total = Counts()
    for hypothesis, several in _word_pairs(hypotheses, references, tokenizer, transforms):
        if not several:
            raise ValueError("a segment without a reference")
        total += min((count(reference, hypothesis) for reference in several), key=lambda each: each.errors)
    return total


def mer(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    tokenizer: str = "whitespace",
    transforms: Sequence[str] = (),
    empty: str = "undefined",
) -> dict[str, Any]:
    """Match error rate (S + D + I) / (H + S + D + I); 0 to 1. Source: Morris et al. 2004."""
    choice("empty", empty, ("undefined", "complete"))
    total = _totals(hypotheses, references, tokenizer, transforms)
    whole_ = total.hits + total.errors
    if not whole_:
        return {"rate": math.nan if empty == "undefined" else 0.0}
    return {"rate": total.errors / whole_}


def wip(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    tokenizer: str = "whitespace",
    transforms: Sequence[str] = (),
    empty: str = "undefined",
) -> dict[str, Any]:
    """Word information preserved H/N * H/P for H hits, N reference and P hypothesis words; 0 to 1. Source: Morris et al. 2004."""
    choice("empty", empty, ("undefined", "complete"))
    total = _totals(hypotheses, references, tokenizer, transforms)
    if not total.reference or not total.hypothesis:
        both = not total.reference and not total.hypothesis
        return {"rate": math.nan if empty == "undefined" else float(both)}
    return {"rate": total.hits / total.reference * (total.hits / total.hypothesis)}


def wil(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    tokenizer: str = "whitespace",
    transforms: Sequence[str] = (),
    empty: str = "undefined",
) -> dict[str, Any]:
    """Word information lost, 1 - WIP; 0 to 1. Source: Morris et al. 2004."""
    preserved = wip(hypotheses, references, tokenizer=tokenizer, transforms=transforms, empty=empty)
    return {"rate": 1 - preserved["rate"]}
