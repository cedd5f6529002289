"""Error rates worked out on paper: the alignment, the counts, the ratio."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.reference import edit, error_rates
from conformance.reference.derivations.lines import ALIGNED, Hypotheses, Lines, References


def _aligned(reference: Sequence[Any], hypothesis: Sequence[Any], costs: str = "unit") -> Lines:
    """Each step of the alignment: a reference element, an arrow, a hypothesis element."""
    steps = edit.alignment(reference, hypothesis, costs=costs)
    if len(steps) > ALIGNED:
        return []
    return [
        (operation, f"{'(none)' if left is None else left} -> {'(none)' if right is None else right}", None)
        for operation, left, right in steps
    ]


def _rate(answer: dict[str, Any], parameters: dict[str, Any]) -> Lines:
    s, d, i, n = (answer[name] for name in ("substitutions", "deletions", "insertions", "reference_length"))
    if not n:
        working = f"no reference unit: {parameters.get('empty_reference', 'undefined')}"
    elif answer["rate"] == answer["errors"] / n:
        working = f"{answer['errors']}/{n:g}"
    else:
        working = "mean"
    return [("errors", f"S {s} + D {d} + I {i}", answer["errors"]), ("rate", working, answer["rate"])]


def wer(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """WER: the alignment, the counts, the ratio."""
    answer = error_rates.wer(hypotheses, references, **parameters)
    lines = _word_alignment(hypotheses, references, parameters)
    return [*lines, *_rate(answer, parameters)]


def _word_alignment(hypotheses: Hypotheses, references: References, parameters: dict[str, Any]) -> Lines:
    if len(hypotheses) != 1 or len(references[0]) != 1:
        return []
    tokenizer, transforms = parameters.get("tokenizer", "whitespace"), parameters.get("transforms", ())
    one, other = (error_rates.words(each, tokenizer, transforms) for each in (references[0][0], hypotheses[0]))
    return _aligned(one, other, parameters.get("alignment", "unit"))


def cer(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """CER: the alignment, the counts, the ratio."""
    answer = error_rates.cer(hypotheses, references, **parameters)
    lines: Lines = []
    if len(hypotheses) == 1 and len(references[0]) == 1:
        one, other = (
            error_rates.characters(
                each,
                parameters.get("unit", "code-point"),
                parameters.get("unicode_form", "none"),
                parameters.get("spaces", "counted"),
                parameters.get("strip", False),
                parameters.get("transforms", ()),
            )
            for each in (references[0][0], hypotheses[0])
        )
        lines = _aligned(one, other)
    return [*lines, *_rate(answer, parameters)]


def _morris(hypotheses: Hypotheses, references: References, parameters: dict[str, Any]) -> tuple[Lines, Any]:
    """The alignment, and the counts of hits, edits and words."""
    tokenizer, transforms = parameters.get("tokenizer", "whitespace"), parameters.get("transforms", ())
    total = error_rates.totals(hypotheses, references, tokenizer, transforms)
    lines = _word_alignment(hypotheses, references, parameters)
    s, d, i = total.substitutions, total.deletions, total.insertions
    lines.append(("hits", "words that the alignment keeps", total.hits))
    lines.append(("errors", f"S {s} + D {d} + I {i}", total.errors))
    return lines, total


def mer(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """MER: the alignment, the counts, the ratio."""
    lines, total = _morris(hypotheses, references, parameters)
    working = f"{total.errors}/({total.hits} + {total.errors})"
    return [*lines, ("rate", working, error_rates.mer(hypotheses, references, **parameters)["rate"])]


def wip(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """WIP: the alignment, the counts, the product."""
    lines, total = _morris(hypotheses, references, parameters)
    working = f"{total.hits}/{total.reference} * {total.hits}/{total.hypothesis}"
    return [*lines, ("rate", working, error_rates.wip(hypotheses, references, **parameters)["rate"])]


def wil(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """WIL: the alignment, the counts, one minus the product."""
    lines, total = _morris(hypotheses, references, parameters)
    working = f"1 - {total.hits}/{total.reference} * {total.hits}/{total.hypothesis}"
    return [*lines, ("rate", working, error_rates.wil(hypotheses, references, **parameters)["rate"])]
