"""CIDEr and CIDEr-D worked out on paper: vectors, cosines, the length penalty, the means."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.reference import cider as ciders
from conformance.reference import text as texts
from conformance.reference.derivations.lines import SEGMENTS, Hypotheses, Lines, References, cut
from conformance.reference.tokenizers import tokens_of

SHOWN_REFERENCES = 3
"""So many references of the first image are compared with its caption one by one."""
SHOWN_ORDERS = 4
SHOWN_GRAMS = 6


@dataclass(frozen=True, slots=True)
class _Paper:
    """What stays the same on the sheet: the documents, and how a text becomes a vector."""

    found: ciders.Documents
    normalized: bool
    unseen: str

    def idf_text(self, gram: Any) -> str:
        """An idf as it is written down."""
        frequency = self.found.frequencies[gram]
        if frequency:
            return f"log({self.found.images}/{frequency})"
        how = {"one-image": f"log({self.found.images}/1)", "ignored": "0", "undefined": "undefined"}[self.unseen]
        return f"{how} as no reference has it"

    def vector(self, bag: Counter[Any]) -> dict[Any, float]:
        """tf * idf of every n-gram."""
        total = sum(bag.values()) if self.normalized else 1
        return {gram: count / total * self.found.idf(gram, self.unseen) for gram, count in bag.items()}

    def written(self, bag: Counter[Any]) -> str:
        """The vector as it is written down."""
        over = f"/{sum(bag.values())}" if self.normalized else ""
        parts = [f"{texts.shown(gram)}: {count}{over} * {self.idf_text(gram)}" for gram, count in bag.items()]
        return cut(parts, SHOWN_GRAMS, "; ")


def cider(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """CIDEr: vectors and cosines of the first image, and the mean over images."""
    return _derived(ciders.cider, hypotheses, references, parameters, None)


def cider_d(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """CIDEr-D: vectors, clipped cosines and length penalties of the first image, and the mean over images."""
    return _derived(ciders.cider_d, hypotheses, references, parameters, float(parameters.get("sigma", 6)))


def tf_idf(text: Any, images: References, **parameters: Any) -> Lines:
    """The vector of a text: each n-gram's term frequency, idf and weight."""
    answer = ciders.tf_idf(text, images, **parameters)
    lines: Lines = [("images", "documents", len(images))]
    columns = zip(
        answer["ngrams"], answer["document_frequencies"], answer["term_frequencies"], answer["idf"], strict=True
    )
    for gram, frequency, tf, idf in list(columns)[:SEGMENTS]:
        lines.append((gram, f"tf {tf:.6g} * idf {idf:.6g}, in {frequency} of {len(images)} images", tf * idf))
    return [*lines, ("weights", "tf * idf of each n-gram", answer["weights"])]


def _derived(
    metric: Callable[..., dict[str, Any]],
    hypotheses: Hypotheses,
    references: References,
    parameters: dict[str, Any],
    sigma: float | None,
) -> Lines:
    answer = metric(hypotheses, references, **parameters)
    others = parameters.get("other_images") or []
    orders = parameters.get("max_order", 4)

    def read(text: Any) -> ciders.Counted:
        tokens = tokens_of(text, parameters.get("tokenizer", "whitespace"), parameters.get("lowercase", False))
        return ciders.counted(tokens, orders)

    images = [[read(each) for each in several if each is not None] for several in [*references, *others]]
    paper = _Paper(
        ciders.documents(images),
        parameters.get("term_frequency", "normalized") == "normalized",
        parameters.get("unseen_ngram", "one-image"),
    )
    captioned = f"{len(hypotheses)} with a caption, {len(others)} others"
    lines: Lines = [("images", f"documents of the idf: {captioned}", len(images))]
    if hypotheses:
        lines += _first_image(read(hypotheses[0]), images[0], paper, min(orders, SHOWN_ORDERS), sigma)
    for place, score in enumerate(answer["image_scores"][:SEGMENTS], start=1):
        row = _means(read(hypotheses[place - 1]), images[place - 1], paper, parameters, sigma)
        lines.append((f"image {place}", _summed(row, parameters.get("weights", ()), sigma is not None), score))
    return [*lines, ("score", f"mean over {len(hypotheses)} images", answer["score"])]


def _means(
    caption: ciders.Counted,
    references: Sequence[ciders.Counted],
    paper: _Paper,
    parameters: dict[str, Any],
    sigma: float | None,
) -> list[float]:
    """The mean similarity of one caption to its references, one an order."""
    zero_norm = math.nan if parameters.get("zero_norm") == "undefined" else 0.0
    similarity = ciders.Similarity(parameters.get("max_order", 4), paper.normalized, zero_norm, sigma)
    (row,) = ciders.consensus([caption], [references], ciders.weights_of(paper.found, paper.unseen), similarity)
    return row


def _summed(row: Sequence[float], weights: Sequence[float], clipped: bool) -> str:
    """How the orders of one image become its score."""
    means = [f"{each:.5g}" for each in row]
    if weights:
        parts = [f"{weight:g} * {mean}" for weight, mean in zip(weights, means, strict=True)]
        return ("10 * " if clipped else "") + f"({cut(parts, 8, ' + ')})"
    return f"{10 if clipped else 1}/{len(row)} * ({cut(means, 8, ' + ')})"


def _first_image(
    caption: ciders.Counted, references: Sequence[ciders.Counted], paper: _Paper, orders: int, sigma: float | None
) -> Lines:
    """The comparison of one caption with its first references."""
    shown = references[:SHOWN_REFERENCES]
    penalties = [1.0 if sigma is None else _penalty(caption.length, each.length, sigma) for each in shown]
    lines: Lines = []
    if sigma is not None:
        for place, (each, penalty) in enumerate(zip(shown, penalties, strict=True), start=1):
            gap = f"exp(-({caption.length} - {each.length})^2 / (2 * {sigma:g}^2))"
            lines.append((f"length penalty, reference {place}", gap, penalty))
    for order in range(1, orders + 1):
        own = _bag(caption, order)
        lines.append((f"g{order} of the caption", paper.written(own), None))
        for place, (each, penalty) in enumerate(zip(shown, penalties, strict=True), start=1):
            other = _bag(each, order)
            lines.append((f"g{order} of reference {place}", paper.written(other), None))
            lines.append(_cosine(f"cosine {order}, reference {place}", paper, own, other, penalty, sigma is not None))
    return lines


def _bag(text: ciders.Counted, order: int) -> Counter[Any]:
    return text.bags[order - 1] if order <= len(text.bags) else Counter()


def _penalty(length: int, other: int, sigma: float) -> float:
    return math.exp(-((length - other) ** 2) / (2 * sigma**2))


def _cosine(
    name: str, paper: _Paper, own: Counter[Any], other: Counter[Any], penalty: float, clipped: bool
) -> tuple[str, str, Any]:
    """The product of two vectors over their lengths, with the length penalty."""
    x, y = paper.vector(own), paper.vector(other)
    product = math.fsum((min(x[gram], y[gram]) if clipped else x[gram]) * y[gram] for gram in x if gram in y)
    norms = [math.sqrt(math.fsum(weight**2 for weight in vector.values())) for vector in (x, y)]
    if not norms[0] * norms[1]:
        return (name, "a vector of length zero", None)
    what = "clipped product" if clipped else "product"
    working = f"{what} {product:.6g} / ({norms[0]:.6g} * {norms[1]:.6g})"
    if clipped:
        working += f" * {penalty:.6g}"
    return (name, working, penalty * product / (norms[0] * norms[1]))
