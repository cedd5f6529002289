"""TER, with every choice that TERCOM and sacreBLEU make. Source: Snover et al. 2006; see the modules ter_*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from conformance.reference import ter_alignment, ter_text
from conformance.reference.error_rates import rate
from conformance.reference.shape import choice, flag, segments, whole
from conformance.reference.ter_optimum import optimum
from conformance.reference.ter_search import BEAMS, Found, Limits, bag_distance, greedy
from conformance.reference.tokenizers import Text

MULTI_REFERENCE = ("mean-length", "selected-length", "lowest-rate")
EMPTY_REFERENCE = ("undefined", "one", "infinity")
DIRECTIONS = ("hypothesis-to-reference", "reference-to-hypothesis")


@dataclass(frozen=True, slots=True)
class Segment:
    """One segment: what was found for the reference that counts, which one that is, and the length that divides."""

    found: Found
    chosen: int
    length: Fraction | int


@dataclass(frozen=True, slots=True)
class Rules:
    """The checked parameters that act on one segment; `limits` is None for the exhaustive search."""

    limits: Limits | None
    multi_reference: str
    empty_reference: str

    def search(self, hypothesis: Sequence[str], reference: Sequence[str]) -> Found:
        """The shifts and edits from a hypothesis to a reference."""
        return optimum(hypothesis, reference) if self.limits is None else greedy(hypothesis, reference, self.limits)

    def segment(self, hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> Segment:
        """The reference that counts, the first of equally good ones, and the length."""
        lengths = [len(each) for each in references]
        if self.multi_reference == "lowest-rate":
            every = [self.search(hypothesis, each) for each in references]
            weighed = [self._weight(found.edits, length) for found, length in zip(every, lengths, strict=True)]
            chosen = min(range(len(references)), key=weighed.__getitem__)
            return Segment(every[chosen], chosen, lengths[chosen])
        best, chosen = self.search(hypothesis, references[0]), 0
        for place, reference in enumerate(references[1:], start=1):
            if bag_distance(hypothesis, reference) < best.edits:
                found = self.search(hypothesis, reference)
                if found.edits < best.edits:
                    best, chosen = found, place
        if self.multi_reference == "selected-length" or len(references) == 1:
            return Segment(best, chosen, lengths[chosen])
        return Segment(best, chosen, Fraction(sum(lengths), len(lengths)))

    @staticmethod
    def _weight(edits: int, length: int) -> tuple[bool, Fraction, int]:
        """An order of rates in which an empty reference goes last, unless there is nothing to edit."""
        return (not length and edits > 0, Fraction(edits, length) if length else Fraction(0), edits)

    def rate(self, edits: int, length: Fraction | int) -> float:
        """Edits over length, or what the convention says where there is no reference word."""
        return rate(edits, float(length), edits, self.empty_reference)


def ter(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text | None]],
    *,
    search: str = "greedy",
    max_shift_size: int = 10,
    max_shift_distance: int = 50,
    shift_distance: str = "alignment",
    overlapping_shift: str = "aligned",
    candidate_limit: str = "none",
    beam: str = "none",
    beam_width: int = 20,
    direction: str = "hypothesis-to-reference",
    aggregation: str = "pooled",
    multi_reference: str = "mean-length",
    empty_reference: str = "undefined",
    tokenizer: str = "whitespace",
    lowercase: bool = True,
    normalization: str = "none",
    no_punctuation: bool = False,
    asian_support: bool = False,
) -> dict[str, Any]:
    """Translation edit rate: shifts, insertions, deletions and substitutions over the mean reference length; 0 and up.

    A shift moves a phrase of the hypothesis and costs one. The reference with the fewest edits counts, and edits and
    mean lengths are summed over the segments. hypotheses: one a segment; references: a list for each, None for a
    missing one (left out, unlike an empty one). Each search is named in the module ter_search; the exhaustive one
    (ter_optimum) raises ValueError for segments that are too long. Raises TypeError and ValueError.
    Source: Snover et al. 2006; TERCOM 0.10.0; sacreBLEU 2.6.0.
    """
    rules = rules_of(
        search=search,
        max_shift_size=max_shift_size,
        max_shift_distance=max_shift_distance,
        shift_distance=shift_distance,
        overlapping_shift=overlapping_shift,
        candidate_limit=candidate_limit,
        beam=beam,
        beam_width=beam_width,
        multi_reference=multi_reference,
        empty_reference=empty_reference,
    )
    choice("direction", direction, DIRECTIONS)
    choice("aggregation", aggregation, ("pooled", "mean"))
    pairs = split(hypotheses, references, tokenizer, lowercase, normalization, no_punctuation, asian_support)
    parts = [rules.segment(hypothesis, several) for hypothesis, several in pairs]
    steps = "".join(each.found.steps for each in parts)
    surplus, missing = steps.count(ter_alignment.SURPLUS), steps.count(ter_alignment.MISSING)
    insertions, deletions = (missing, surplus) if direction == DIRECTIONS[0] else (surplus, missing)
    edits, length = sum(each.found.edits for each in parts), sum(each.length for each in parts)
    if aggregation == "mean" and parts:
        value = sum(rules.rate(each.found.edits, each.length) for each in parts) / len(parts)
    else:
        value = rules.rate(edits, length)
    return {
        "rate": value,
        "edits": edits,
        "insertions": insertions,
        "deletions": deletions,
        "substitutions": steps.count(ter_alignment.SUBSTITUTION),
        "shifts": sum(len(each.found.shifts) for each in parts),
        "reference_length": int(length) if length.denominator == 1 else float(length),
    }


Pair = tuple[list[str], list[list[str]]]


def split(
    hypotheses: Any,
    references: Any,
    tokenizer: str = "whitespace",
    lowercase: bool = True,
    normalization: str = "none",
    no_punctuation: bool = False,
    asian_support: bool = False,
) -> list[Pair]:
    """The words of each hypothesis and of the references that are there. Raises TypeError and ValueError."""
    segments(hypotheses, references, missing=True, needed=True)
    choice("tokenizer", tokenizer, ter_text.TOKENIZERS)
    flag("lowercase", lowercase)
    choice("normalization", normalization, ter_text.NORMALIZATIONS)
    flag("no_punctuation", no_punctuation)
    flag("asian_support", asian_support)

    def words(text: Text) -> list[str]:
        return ter_text.words(text, tokenizer, lowercase, normalization, no_punctuation, asian_support)

    return [
        (words(hypothesis), [words(each) for each in several if each is not None])
        for hypothesis, several in zip(hypotheses, references, strict=True)
    ]


def rules_of(
    *,
    search: Any = "greedy",
    max_shift_size: Any = 10,
    max_shift_distance: Any = 50,
    shift_distance: Any = "alignment",
    overlapping_shift: Any = "aligned",
    candidate_limit: Any = "none",
    beam: Any = "none",
    beam_width: Any = 20,
    multi_reference: Any = "mean-length",
    empty_reference: Any = "undefined",
    **_others: Any,
) -> Rules:
    """The rules that these parameters of `ter` give, checked. Raises TypeError and ValueError."""
    choice("search", search, ("greedy", "exhaustive"))
    choice("shift_distance", shift_distance, ("alignment", "position"))
    choice("overlapping_shift", overlapping_shift, ("aligned", "one-too-far"))
    choice("candidate_limit", candidate_limit, ("none", "thousand"))
    choice("multi_reference", multi_reference, MULTI_REFERENCE)
    choice("empty_reference", empty_reference, EMPTY_REFERENCE)
    limits = Limits(
        size=whole("max_shift_size", max_shift_size, 1, 1000),
        distance=whole("max_shift_distance", max_shift_distance, 0, 10_000),
        from_position=shift_distance == "position",
        one_too_far=overlapping_shift == "one-too-far",
        stop_at_thousand=candidate_limit == "thousand",
        beam=choice("beam", beam, BEAMS),
        width=whole("beam_width", beam_width, 0, 10_000),
    )
    return Rules(limits if search == "greedy" else None, multi_reference, empty_reference)
