"""Error rates of transcription: WER and CER, and the match error rate, information lost and preserved."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.reference import edit
from conformance.reference.shape import choice, choices, flag, segments
from conformance.reference.text import FORMS, TRANSFORMS, elements, joined, transformed, unicode_form
from conformance.reference.tokenizers import Text, tokens_of


@dataclass(frozen=True, slots=True)
class Counts:
    """Operations of a minimum-cost alignment of a reference with a hypothesis."""

    hits: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0

    @property
    def errors(self) -> int:
        """All operations but the hits."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def reference(self) -> int:
        """The number of reference units."""
        return self.hits + self.substitutions + self.deletions

    @property
    def hypothesis(self) -> int:
        """The number of hypothesis units."""
        return self.hits + self.substitutions + self.insertions

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.hits + other.hits,
            self.substitutions + other.substitutions,
            self.deletions + other.deletions,
            self.insertions + other.insertions,
        )


def count(reference: Sequence[Hashable], hypothesis: Sequence[Hashable], costs: str = "unit") -> Counts:
    """The operations of the minimum-cost alignment that `edit.alignment` gives."""
    made = Counter([step[0] for step in edit.alignment(reference, hypothesis, costs=costs)])
    return Counts(made["hit"], made["substitution"], made["deletion"], made["insertion"])


TOKENIZERS = ("whitespace", "jiwer", "space", "each-space")
MULTI_REFERENCE = ("lowest-rate", "fewest-errors", "mean", "mean-length")
EMPTY_REFERENCE = ("undefined", "insertion-count", "zero", "one", "infinity")


def rate(errors: float, length: float, insertions: float, empty_reference: str) -> float:
    """errors / length; where there is no reference unit, what the named convention says."""
    if length:
        return errors / length
    if empty_reference == "insertion-count":
        return insertions
    if empty_reference == "zero":
        return 0.0
    if empty_reference == "one":
        return 1.0 if insertions else 0.0
    return math.inf if insertions and empty_reference == "infinity" else math.nan


@dataclass(frozen=True, slots=True)
class Segment:
    """What one segment adds: the counts against the chosen reference, and the length and rate by the rule."""

    counts: Counts
    length: float
    rate: float


def _segment(found: Sequence[Counts], multi_reference: str, empty_reference: str) -> Segment:
    """The counts against each reference, made one by the named rule."""
    rates = [rate(each.errors, each.reference, each.insertions, empty_reference) for each in found]
    if multi_reference == "lowest-rate":
        place = min(range(len(found)), key=lambda at: (_or_above(rates[at]), found[at].errors))
    else:
        place = min(range(len(found)), key=lambda at: found[at].errors)
    chosen = found[place]
    if multi_reference in ("lowest-rate", "fewest-errors"):
        return Segment(chosen, chosen.reference, rates[place])
    length = sum(each.reference for each in found) / len(found)
    if multi_reference == "mean":
        return Segment(chosen, length, sum(rates) / len(rates))
    return Segment(chosen, length, rate(chosen.errors, length, chosen.insertions, empty_reference))


def _or_above(value: float) -> float:
    """The value for a minimum: what is not a number is above every rate."""
    return math.inf if math.isnan(value) else value


Pair = tuple[list[str], list[list[str]]]


def _error_rate(
    pairs: Sequence[Pair], costs: str, aggregation: str, multi_reference: str, empty_reference: str
) -> dict[str, Any]:
    choice("aggregation", aggregation, ("pooled", "mean"))
    choice("multi_reference", multi_reference, MULTI_REFERENCE)
    choice("empty_reference", empty_reference, EMPTY_REFERENCE)
    parts = [
        _segment([count(each, hypothesis, costs) for each in several], multi_reference, empty_reference)
        for hypothesis, several in pairs
    ]
    total = sum((each.counts for each in parts), Counts())
    length = sum(each.length for each in parts)
    if aggregation == "mean" and parts:
        value = sum(each.rate for each in parts) / len(parts)
    elif multi_reference == "mean" and length:
        value = sum(each.rate * each.length for each in parts) / length
    else:
        value = rate(total.errors, length, total.insertions, empty_reference)
    return {
        "rate": value,
        "substitutions": total.substitutions,
        "deletions": total.deletions,
        "insertions": total.insertions,
        "errors": total.errors,
        "reference_length": int(length) if length == int(length) else length,
    }


def words(text: Text, tokenizer: str, transforms: Sequence[str]) -> list[str]:
    """The words of a text after the transforms; explicit tokens are words already."""
    return tokens_of(transformed(text, transforms), tokenizer)


def _word_pairs(hypotheses: Any, references: Any, tokenizer: str, transforms: Any) -> list[Pair]:
    segments(hypotheses, references, needed=True)
    choice("tokenizer", tokenizer, TOKENIZERS)
    steps = choices("transforms", transforms, tuple(TRANSFORMS))
    return [
        (words(hypothesis, tokenizer, steps), [words(each, tokenizer, steps) for each in several])
        for hypothesis, several in zip(hypotheses, references, strict=True)
    ]


def _one_pair(pairs: Sequence[Pair]) -> list[Pair]:
    """The segments put together as one, each place in their references a reference of it."""
    if len({len(several) for _, several in pairs}) > 1:
        raise ValueError("segments with unlike numbers of references cannot be joined")
    if not pairs:
        return []
    joint = [
        [word for each in streams for word in each] for streams in zip(*(several for _, several in pairs), strict=True)
    ]
    return [([word for hypothesis, _ in pairs for word in hypothesis], joint)]


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

    S, D and I come from a minimum-cost alignment; among equally cheap ones `edit.alignment` names the one
    that is taken. A corpus without any reference word is by `empty_reference`; several references are by
    `multi_reference`, where a pooled mean weighs each segment by its mean length. `aggregation` joined aligns
    the words of all segments as those of one, the first references with each other and so on. Raises TypeError
    and ValueError. Source: surface-metrics §4.2; JiWER; NIST SCTK's sclite for the costs 4, 3 and 3.
    """
    pairs = _word_pairs(hypotheses, references, tokenizer, transforms)
    choice("alignment", alignment, ("unit", "sclite"))
    if aggregation == "joined":
        pairs, aggregation = _one_pair(pairs), "pooled"
    else:
        choice("aggregation", aggregation, ("pooled", "mean", "joined"))
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

    Explicit tokens are joined by single spaces. Empty and several references are as in `wer`. Raises
    TypeError and ValueError. Source: surface-metrics §4.2; JiWER.
    """
    segments(hypotheses, references, needed=True)
    choice("unit", unit, ("code-point", "grapheme"))
    choice("unicode_form", unicode_form, FORMS)
    choice("spaces", spaces, ("counted", "removed"))
    flag("strip", strip)
    steps = choices("transforms", transforms, tuple(TRANSFORMS))

    def units(text: Text) -> list[str]:
        return characters(text, unit, unicode_form, spaces, strip, steps)

    pairs = [
        (units(hypothesis), [units(each) for each in several])
        for hypothesis, several in zip(hypotheses, references, strict=True)
    ]
    return _error_rate(pairs, "unit", aggregation, multi_reference, empty_reference)


def characters(text: Text, unit: str, form: str, spaces: str, strip: bool, transforms: Sequence[str]) -> list[str]:
    """The characters of a text: transforms, Unicode form, spaces and strip in this order, then the unit."""
    changed = unicode_form(joined(transformed(text, transforms)), form)
    if spaces == "removed":
        changed = "".join(changed.split())
    if strip:
        changed = changed.strip()
    return elements(changed, unit)


def totals(hypotheses: Any, references: Any, tokenizer: str, transforms: Any) -> Counts:
    """The counts of a corpus, each segment against the reference with the fewest errors."""
    total = Counts()
    for hypothesis, several in _word_pairs(hypotheses, references, tokenizer, transforms):
        total += min((count(each, hypothesis) for each in several), key=lambda each: each.errors)
    return total


def _totals_with(
    empty: str,
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    tokenizer: str,
    transforms: Sequence[str],
) -> Counts:
    """The counts of a corpus, which may be refused for its reference."""
    choice("empty", empty, ("undefined", "complete", "reference-needed"))
    total = totals(hypotheses, references, tokenizer, transforms)
    if empty == "reference-needed" and not total.reference:
        raise ValueError("references: expected a word, found none")
    return total


def mer(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    tokenizer: str = "whitespace",
    transforms: Sequence[str] = (),
    empty: str = "undefined",
) -> dict[str, Any]:
    """Match error rate (S + D + I) / (H + S + D + I); 0 to 1.

    Of several references the one with the fewest errors counts. Raises TypeError and ValueError.
    Source: Morris et al. 2004.
    """
    total = _totals_with(empty, hypotheses, references, tokenizer, transforms)
    steps = total.hits + total.errors
    if not steps:
        return {"rate": math.nan if empty == "undefined" else 0.0}
    return {"rate": total.errors / steps}


def wip(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    tokenizer: str = "whitespace",
    transforms: Sequence[str] = (),
    empty: str = "undefined",
) -> dict[str, Any]:
    """Word information preserved H/N * H/P for H hits, N reference and P hypothesis words; 0 to 1.

    Of several references the one with the fewest errors counts. Raises TypeError and ValueError.
    Source: Morris et al. 2004.
    """
    total = _totals_with(empty, hypotheses, references, tokenizer, transforms)
    if not total.reference or not total.hypothesis:
        if empty == "undefined":
            return {"rate": math.nan}
        return {"rate": 0.0 if total.reference or total.hypothesis else 1.0}
    return {"rate": total.hits**2 / (total.reference * total.hypothesis)}


def wil(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    tokenizer: str = "whitespace",
    transforms: Sequence[str] = (),
    empty: str = "undefined",
) -> dict[str, Any]:
    """Word information lost, one minus the information preserved; 0 to 1. Source: Morris et al. 2004."""
    preserved = wip(hypotheses, references, tokenizer=tokenizer, transforms=transforms, empty=empty)
    return {"rate": 1 - preserved["rate"]}
