"""METEOR worked out on paper: the links of each stage, chunks, precision and recall, mean and penalty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.reference import meteor as meteors
from conformance.reference.derivations.lines import ALIGNED, SEGMENTS, Hypotheses, Lines, References, cut
from conformance.reference.meteor_alignment import Link


def meteor(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """METEOR: the links of each stage, chunks, precision and recall, mean and penalty."""
    answer = meteors.meteor(hypotheses, references, **parameters)
    lines: Lines = []
    if len(hypotheses) > 1:
        for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
            if place <= SEGMENTS:
                one = meteors.meteor([hypothesis], [several], **parameters)
                lines.append((f"segment {place}", _sums(one), one["score"]))
        if parameters.get("aggregation") == "mean":
            return [*lines, ("METEOR", f"mean over {len(hypotheses)} segments", answer["score"])]
    else:
        if len(references[0]) > 1:
            for place, each in enumerate(references[0], start=1):
                one = meteors.meteor(hypotheses, [[each]], **parameters)
                lines.append((f"reference {place}", _sums(one), one["score"]))
        lines += _alignment(hypotheses, references, parameters)
    return [*lines, *_formula(answer, parameters)]


def _sums(answer: dict[str, Any]) -> str:
    """The counts of one pair in a line."""
    lengths = f"{answer['hypothesis_length']} and {answer['reference_length']} words"
    return f"{answer['matches']} matches in {answer['chunks']} chunks, {lengths}"


def _alignment(hypotheses: Hypotheses, references: References, parameters: dict[str, Any]) -> Lines:
    """The links of each stage and the chunks, against the reference that counts."""
    pair = meteors.best_alignment(hypotheses[0], references[0], **parameters)
    own, other, links = pair.own, pair.other, pair.links
    lines: Lines = [("hypothesis", cut(own), len(own)), ("reference", cut(other), len(other))]
    for number, module in enumerate(parameters.get("modules", meteors.MODULES)):
        several = [link for link in links if link[2] == number]
        shown = [f"{own[a]} {a + 1}-{b + 1}" + ("" if own[a] == other[b] else f" {other[b]}") for a, b, _ in several]
        lines.append((f"{module} links", cut(shown, 12, ", "), len(several)))
    if len(links) <= ALIGNED:
        lines.append(("chunks", cut(_chunks(own, links), 12, " | "), None))
    return lines


def _chunks(words: Sequence[str], links: Sequence[Link]) -> list[str]:
    """The words of each chunk."""
    chunks: list[list[str]] = []
    before = (-2, -2)
    for own, other, _ in links:
        if (own - 1, other - 1) != before:
            chunks.append([])
        chunks[-1].append(words[own])
        before = (own, other)
    return [" ".join(chunk) for chunk in chunks]


def _formula(answer: dict[str, Any], parameters: dict[str, Any]) -> Lines:
    """Precision, recall, mean, penalty and score."""
    m, h, r, chunks = (answer[name] for name in ("matches", "hypothesis_length", "reference_length", "chunks"))
    p, q, alpha = answer["precision"], answer["recall"], parameters.get("alpha", 0.9)
    plain = bool(h and r) and (p, q) == (m / h, m / r)
    mean = f"P R / ({alpha:g} P + {1 - alpha:.6g} R)" if m else f"no match: {parameters.get('no_match', 'zero')}"
    gamma, beta = parameters.get("gamma", 0.5), parameters.get("beta", 3)
    return [
        ("P", f"{m}/{h}" if plain else f"weighted matches over {h} weighted words", p),
        ("R", f"{m}/{r}" if plain else f"weighted matches over {r} weighted words", q),
        ("mean", mean, answer["f_mean"]),
        ("penalty", f"{gamma:g} * ({chunks}/{m})^{beta:g}" if chunks else "no chunk counts", answer["penalty"]),
        ("METEOR", f"{answer['f_mean']:.6g} * (1 - {answer['penalty']:.6g})", answer["score"]),
    ]
