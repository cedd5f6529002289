"""RIBES worked out on paper: which words are aligned, their ranks, the ascending pairs, and the three factors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from conformance.reference import ribes as scores
from conformance.reference.derivations.lines import SEGMENTS, Hypotheses, Lines, References, cut
from conformance.reference.tokenizers import tokens_of

REFERENCES = 4
"""So many references of a segment are worked out one by one."""


def ribes(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """RIBES: alignment, ranks, pairs and factors of one segment; the segments' scores and the mean of a corpus."""
    answer = scores.ribes(hypotheses, references, **parameters)
    if len(hypotheses) == 1:
        return [
            *_segment(hypotheses[0], references[0], parameters),
            ("RIBES", "of the best reference", answer["score"]),
        ]
    lines: Lines = []
    for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
        if place > SEGMENTS:
            break
        if parameters.get("empty_reference") == "skipped" and not any(_words(each, parameters) for each in several):
            lines.append((f"segment {place}", "left out, as it has no reference", None))
        else:
            one = scores.ribes([hypothesis], [several], **parameters)
            lines.append((f"segment {place}", "RIBES of the segment alone", one["score"]))
    return [*lines, ("RIBES", f"mean over {len(hypotheses)} segments", answer["score"])]


def _words(text: Any, parameters: dict[str, Any]) -> list[str]:
    return tokens_of(text, parameters.get("tokenizer", "whitespace"), parameters.get("lowercase", False))


def _segment(hypothesis: Any, references: Sequence[Any], parameters: dict[str, Any]) -> Lines:
    """Each reference of one segment."""
    own = _words(hypothesis, parameters)
    lines: Lines = [("hypothesis", cut(own), len(own))]
    for place, each in enumerate(references[:REFERENCES], start=1):
        name = f" {place}" if len(references) > 1 else ""
        other = _words(each, parameters)
        lines.append((f"reference{name}", cut(other), len(other)))
        if other or parameters.get("empty_reference") == "zero":
            one = scores.ribes([hypothesis], [[each]], **parameters)
            lines += [(f"{line}{name}", working, value) for line, working, value in _pair(own, other, one, parameters)]
    return lines


def _pair(own: list[str], other: list[str], found: dict[str, Any], parameters: dict[str, Any]) -> Lines:
    """One hypothesis against one reference: ranks counted from 1, the correlation, precision, penalty, product."""
    places = scores.aligned_places(own, other, parameters.get("alignment", "context"))
    lost = [word for place, word in enumerate(own) if place not in places]
    alpha, beta = parameters.get("alpha", 0.25), parameters.get("beta", 0.10)
    k, p, b = found["kendall"], found["precision"], found["brevity_penalty"]
    c, r = len(own), len(other)
    lines: Lines = [("ranks", cut([f"{own[i]}:{rank + 1}" for i, rank in places.items()]), len(places))]
    if lost:
        lines.append(("not aligned", cut(lost), len(lost)))
    lines.append(_correlation(list(places.values()), parameters.get("correlation", "kendall"), k))
    lines.append(("precision", f"{len(places)}/{c}" if c else "0, as the hypothesis is empty", p))
    if c >= r and c:
        lines.append(("brevity penalty", "1, as c >= r", b))
    else:
        lines.append(("brevity penalty", f"exp(1 - {r}/{c})" if c else "0, as c = 0", b))
    return [*lines, ("score", f"{k:.6g} * {p:.6g}^{alpha:g} * {b:.6g}^{beta:g}", found["score"])]


def _correlation(ranks: list[int], correlation: str, value: float) -> tuple[str, str, Any]:
    """The rank correlation as pairs or as distances of ranks."""
    n = len(ranks)
    if n < 2:
        return correlation, f"by the rule for {n} aligned words", value
    if correlation == "spearman":
        distance = (1 - value) * 2 * math.comb(n + 1, 3)
        return correlation, f"1 - {distance:g}/{math.comb(n + 1, 3)}/2, from the squared distances of ranks", value
    pairs = math.comb(n, 2)
    kind = "ascending pairs" if correlation == "kendall" else "pairs inside runs"
    return correlation, f"{round(value * pairs)}/{pairs} {kind}", value
