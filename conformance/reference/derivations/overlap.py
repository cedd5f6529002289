"""Exact match and the overlap of bags and sets, worked out on paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from conformance.reference import overlap
from conformance.reference import text as texts
from conformance.reference.derivations.lines import SEGMENTS, Hypotheses, Lines, References, counted, cut, quoted
from conformance.reference.tokenizers import Text


def token_overlap(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Token overlap: both bags, the matches, the ratios."""
    lines: Lines = []
    sets = parameters.get("counting") == "set"
    normalizer, order = parameters.get("normalizer", "none"), parameters.get("order", 1)
    answer = overlap.token_overlap(hypotheses, references, **parameters)
    if len(hypotheses) == 1:

        def bag(text: Text) -> Counter[Any]:
            units = overlap.units(text, normalizer, parameters.get("tokenizer", "whitespace"))
            return Counter(texts.grams(units, order))

        lines += _bags(bag(hypotheses[0]), [bag(each) for each in references[0]], sets)
    elif parameters.get("aggregation") != "pooled":
        lines.append(("segments", "each ratio is a mean over them", len(hypotheses)))
    m, h, r = answer["matches"], answer["hypothesis_length"], answer["reference_length"]
    if len(lines) != 1 and not (parameters.get("multi_reference") == "mean" and len(references[0]) > 1):
        beta = parameters.get("beta", 1)
        workings = [f"{m}/{h}", f"{m}/{r}", f"2*{m}/({h} + {r})", f"F with beta {beta}"]
    else:
        workings = ["mean"] * 4
    names = ("precision", "recall", "f1", "f_beta")
    return [*lines, *((name, working, answer[name]) for name, working in zip(names, workings, strict=True))]


def _bags(own: Counter[Any], others: Sequence[Counter[Any]], sets: bool) -> Lines:
    """Both sides of one pair, and what they share."""
    if sets:
        own, others = Counter(own.keys()), [Counter(each.keys()) for each in others]
    lines: Lines = [("hypothesis", counted(own), sum(own.values()))]
    for place, each in enumerate(others, start=1):
        number = f" {place}" if len(others) > 1 else ""
        lines.append((f"reference{number}", counted(each), sum(each.values())))
        lines.append((f"matches{number}", counted(own & each), sum((own & each).values())))
    return lines


def _similarity(hypotheses: Hypotheses, references: References, parameters: dict[str, Any], dice: bool) -> Lines:
    answer = (overlap.dice if dice else overlap.jaccard)(hypotheses, references, **parameters)
    if len(hypotheses) != 1:
        return [("score", f"mean over {len(hypotheses)} segments", answer["score"])]
    elements, rule = parameters.get("elements", "tokens"), parameters.get("multi_reference", "best")
    own = Counter(texts.elements(hypotheses[0], elements))
    others = [Counter(texts.elements(each, elements)) for each in references[0]]
    if rule == "combined":
        others = [overlap.combined(others)]
    lines = _bags(own, others, parameters.get("counting") == "set")
    if len(others) > 1:
        return [*lines, ("score", f"{rule} over {len(others)} references", answer["score"])]
    h, r, m = (lines[place][2] for place in range(3))
    return [*lines, ("score", f"2*{m}/({h} + {r})" if dice else f"{m}/({h} + {r} - {m})", answer["score"])]


def jaccard(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Jaccard: both bags, the matches, the ratio."""
    return _similarity(hypotheses, references, parameters, dice=False)


def dice(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Dice: both bags, the matches, the ratio."""
    return _similarity(hypotheses, references, parameters, dice=True)


def exact_match(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Exact match: each segment's texts and verdict, and the mean."""
    answer = overlap.exact_match(hypotheses, references, **parameters)
    normalizer = parameters.get("normalizer", "none")
    lines: Lines = []
    for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
        if place <= SEGMENTS:
            own = quoted(texts.normalized(hypothesis, normalizer))
            others = cut([quoted(texts.normalized(each, normalizer)) for each in several or [""]], 4, ", ")
            one = overlap.exact_match([hypothesis], [several], **parameters)["score"]
            lines.append((f"segment {place}", f"{own} against {others}", one))
    return [*lines, ("score", f"mean over {len(hypotheses)} segments", answer["score"])]
