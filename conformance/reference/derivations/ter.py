"""TER worked out on paper: each shift, the alignment that is left, the edits by kind, the ratio."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.reference import ter as ters
from conformance.reference import ter_alignment as aligned
from conformance.reference.derivations.lines import ALIGNED, SEGMENTS, Hypotheses, Lines, References, cut
from conformance.reference.ter_search import Shift, moved

TEXT = ("tokenizer", "lowercase", "normalization", "no_punctuation", "asian_support")
"""The parameters that act on the text."""


def ter(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """TER: each shift, the alignment that is left, the edits by kind, the ratio."""
    answer = ters.ter(hypotheses, references, **parameters)
    pairs = ters.split(hypotheses, references, **{name: parameters[name] for name in TEXT if name in parameters})
    rules = ters.rules_of(**parameters)
    lines: Lines = []
    for place, (hypothesis, several) in enumerate(pairs, start=1):
        segment = rules.segment(hypothesis, several)
        if len(pairs) == 1:
            lines += _segment(hypothesis, several, segment)
        elif place <= SEGMENTS:
            working = f"edits against its best reference, over {_number(segment.length)} words"
            lines.append((f"segment {place}", working, segment.found.edits))
    names = ("insertions", "deletions", "substitutions", "shifts")
    i, d, s, moves = (answer[name] for name in names)
    edits, length = answer["edits"], answer["reference_length"]
    lines.append(("edits", f"I {i} + D {d} + S {s} + shifts {moves}", edits))
    lines.append(("reference length", _length(pairs, parameters), length))
    if parameters.get("aggregation") == "mean":
        working = f"mean over {len(pairs)} segments"
    elif length:
        working = f"{edits}/{_number(length)}"
    else:
        working = f"no reference word: {parameters.get('empty_reference', 'undefined')}"
    return [*lines, ("TER", working, answer["rate"])]


def _number(length: Any) -> str:
    return f"{float(length):g}"


def _length(pairs: Sequence[ters.Pair], parameters: dict[str, Any]) -> str:
    """How the length that divides comes about."""
    if len(pairs) != 1:
        return f"summed over {len(pairs)} segments"
    if parameters.get("multi_reference", "mean-length") != "mean-length":
        return "words of the reference that counts"
    lengths = [str(len(each)) for each in pairs[0][1]]
    return f"({cut(lengths, 8, ' + ')})/{len(lengths)}" if len(lengths) > 1 else "words of the reference"


def _segment(hypothesis: Sequence[str], references: Sequence[Sequence[str]], segment: ters.Segment) -> Lines:
    """The words of one segment, its shifts one by one, and the alignment after them."""
    lines: Lines = [("hypothesis", cut(hypothesis), len(hypothesis))]
    for place, each in enumerate(references, start=1):
        number = f" {place}" if len(references) > 1 else ""
        counts = " (fewest edits)" if number and place - 1 == segment.chosen else ""
        lines.append((f"reference{number}", cut(each) + counts, len(each)))
    words = list(hypothesis)
    for place, shift in enumerate(segment.found.shifts, start=1):
        phrase, words = cut(words[shift.start : shift.start + shift.length], 10), moved(words, shift)
        if place <= SEGMENTS:
            lines.append((f"shift {place}", f"{phrase}: {_to(words, shift)}, which gives {cut(words)}", None))
    if len(segment.found.steps) <= ALIGNED:
        lines += _alignment(words, references[segment.chosen], segment.found.steps)
    return lines


def _to(words: Sequence[str], shift: Shift) -> str:
    """Where a phrase went, in words."""
    return f"behind {words[shift.place - 1]}" if shift.place else "to the front"


def _alignment(hypothesis: Sequence[str], reference: Sequence[str], steps: str) -> Lines:
    """Each step: a hypothesis word, an arrow, the reference word that it has to become."""
    names = {aligned.HIT: "hit", aligned.SUBSTITUTION: "substitution", aligned.SURPLUS: "surplus word"}
    lines: Lines = []
    i = j = 0
    for step in steps:
        left = right = "(none)"
        if step != aligned.MISSING:
            left, j = hypothesis[j], j + 1
        if step != aligned.SURPLUS:
            right, i = reference[i], i + 1
        lines.append((names.get(step, "missing word"), f"{left} -> {right}", None))
    return lines
