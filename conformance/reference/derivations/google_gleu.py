"""Google GLEU worked out on paper: matches and sizes of the two bags by order, and the ratio."""

from __future__ import annotations

from collections import Counter
from typing import Any

from conformance.reference import google_gleu as scores
from conformance.reference import text as texts
from conformance.reference.derivations.lines import SEGMENTS, Hypotheses, Lines, References, counted
from conformance.reference.tokenizers import tokens_of

REFERENCES = 4
"""So many references of a segment are worked out one by one."""


def google_gleu(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Google GLEU: matching n-grams by order, the sizes of both bags, and matches over the larger one."""
    found = scores.google_gleu(hypotheses, references, **parameters)
    if len(hypotheses) == 1:
        lines = _segment(hypotheses[0], references[0], parameters)
    else:
        lines = []
        for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
            if place <= SEGMENTS:
                one = scores.google_gleu([hypothesis], [several], **parameters)
                lines.append((f"segment {place}", f"{one['matches']}/{one['larger']}", one["score"]))
        if parameters.get("aggregation") == "mean":
            return [*lines, ("GLEU", f"mean over {len(hypotheses)} segments", found["score"])]
    lines.append(("precision", "matches over hypothesis n-grams", found["precision"]))
    lines.append(("recall", "matches over reference n-grams", found["recall"]))
    return [*lines, ("GLEU", f"{found['matches']}/{found['larger']}", found["score"])]


def _segment(hypothesis: Any, references: Any, parameters: dict[str, Any]) -> Lines:
    """The bags of one segment by order, for each reference."""

    def words(text: Any) -> list[str]:
        return tokens_of(text, parameters.get("tokenizer", "whitespace"), parameters.get("lowercase", False))

    own = words(hypothesis)
    orders = range(parameters.get("min_order", 1), min(parameters.get("max_order", 4), 6) + 1)
    lines: Lines = []
    for place, each in enumerate(references[:REFERENCES], start=1):
        other = words(each)
        name = f", reference {place}" if len(references) > 1 else ""
        for order in orders:
            common = Counter(texts.grams(own, order)) & Counter(texts.grams(other, order))
            sizes = f"{max(len(own) - order + 1, 0)} and {max(len(other) - order + 1, 0)}"
            lines.append((f"{order}-gram matches{name}", f"{counted(common)}; of {sizes}", common.total()))
        one = scores.google_gleu([hypothesis], [[each]], **parameters)
        lines.append((f"ratio{name}", f"{one['matches']}/{one['larger']}", one["score"]))
    return lines
