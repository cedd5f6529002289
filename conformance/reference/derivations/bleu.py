"""BLEU worked out on paper: n-grams and clipping, precisions, lengths and penalty, the mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from conformance.reference import bleu as bleus
from conformance.reference import text as texts
from conformance.reference.derivations.lines import SEGMENTS, Hypotheses, Lines, References, cut
from conformance.reference.tokenizers import Text, tokens_of


def bleu(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """BLEU: n-grams and clipping, precisions, lengths and penalty, the mean."""
    answer = bleus.bleu(hypotheses, references, **parameters)
    if parameters.get("aggregation") == "mean":
        lines: Lines = []
        for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
            if place <= SEGMENTS:
                one = bleus.bleu([hypothesis], [several], **parameters)
                lines.append((f"segment {place}", "BLEU of the segment alone", one["score"]))
        return [*lines, ("BLEU", f"mean over {len(hypotheses)} segments", answer["score"])]
    lines = _clipping(hypotheses[0], references[0], parameters) if len(hypotheses) == 1 else []
    smoothing = parameters.get("smoothing", "none")
    factors = []
    for order, (matches, total, precision) in enumerate(
        zip(answer["matches"], answer["totals"], answer["precisions"], strict=True), start=1
    ):
        plain = bool(total) and precision == matches / total
        factors.append(f"{matches}/{total}" if plain else f"{precision:.6g}")
        smoothed = "" if plain or smoothing == "none" else f", by smoothing {smoothing}"
        working = f"{matches}/{total}" if total else "no n-gram"
        lines.append((f"p{order}", working + smoothed, precision))
    c, r, penalty = answer["hypothesis_length"], answer["reference_length"], answer["brevity_penalty"]
    lines.append(("c", "hypothesis tokens", c))
    lines.append(("r", f"reference tokens, {_length_rule(hypotheses, references, parameters)}", r))
    if penalty == 1:
        lines.append(("brevity penalty", "1, as c >= r", penalty))
    else:
        lines.append(("brevity penalty", f"exp(1 - {r}/{c})" if c else "0, as c = 0", penalty))
    root = _exponents(factors, parameters)
    return [*lines, ("BLEU", f"{penalty:.6g} * {root}", answer["score"])]


def _exponents(factors: list[str], parameters: dict[str, Any]) -> str:
    """The weighted geometric mean as text."""
    weights = parameters.get("weights", ())
    if weights:
        return cut([f"({each})^{weight}" for each, weight in zip(factors, weights, strict=True)], 8, " * ")
    if parameters.get("effective_order", False):
        return f"the geometric mean of {cut(factors, 8, ', ')} without the orders that have no n-gram"
    return f"({cut(factors, 8, ' * ')})^(1/{len(factors)})"


def _length_rule(hypotheses: Hypotheses, references: References, parameters: dict[str, Any]) -> str:
    rule = parameters.get("reference_length", "closest")
    if rule == "closest":
        rule += f" ({parameters.get('reference_length_tie', 'shorter')} on a tie)"
    if len(hypotheses) != 1:
        return f"{rule}, summed over {len(hypotheses)} segments"
    lengths = [len(_tokens(each, parameters)) for each in references[0] if each is not None]
    return f"{rule} of {cut(lengths, 8, ', ')}"


def _tokens(text: Text, parameters: dict[str, Any]) -> list[str]:
    return tokens_of(text, parameters.get("tokenizer", "whitespace"), parameters.get("lowercase", False))


def _clipping(hypothesis: Text, references: Sequence[Any], parameters: dict[str, Any]) -> Lines:
    """The n-grams of one segment: min(occurrences in the hypothesis, most occurrences in one reference)."""
    own = _tokens(hypothesis, parameters)
    others = [_tokens(each, parameters) for each in references if each is not None]
    lines: Lines = [("hypothesis", cut(own), len(own))]
    lines += [(f"reference {place}", cut(each), len(each)) for place, each in enumerate(others, start=1)]
    for order in range(1, min(parameters.get("max_order", 4), 4) + 1):
        bags = [Counter(texts.grams(each, order)) for each in others]
        parts, total = [], 0
        for gram, count in Counter(texts.grams(own, order)).items():
            most = max(bag[gram] for bag in bags)
            total += min(count, most)
            parts.append(f"{texts.shown(gram)}: min({count}, {most})")
        lines.append((f"{order}-gram matches", cut(parts, 10, "; "), total))
    return lines
