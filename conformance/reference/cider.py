"""CIDEr and CIDEr-D: cosines of tf-idf vectors of n-grams, averaged over references, orders and images.

Sources: Vedantam, Zitnick and Parikh 2015 (arXiv v2); the caption evaluation code (coco-caption 3a9afb2), which
its authors wrote and which takes counts for term frequencies.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.reference.shape import choice, flag, number, segments, text_or_tokens, whole
from conformance.reference.text import grams, shown
from conformance.reference.tokenizers import TOKENIZERS, Text, tokens_of

Images = Sequence[Sequence[Text | None]]
"""The references of images: a list for each, None for a missing one."""

TERM_FREQUENCIES = ("normalized", "counts")
UNSEEN = ("one-image", "ignored", "undefined")


@dataclass(frozen=True, slots=True)
class Counted:
    """A text in n-grams: how often each occurs, one bag an order, and how many tokens the text has."""

    bags: list[Counter[Any]]
    length: int


@dataclass(frozen=True, slots=True)
class Documents:
    """The images as documents: how many they are, and in how many of them each n-gram occurs."""

    images: int
    frequencies: Counter[Any]

    def idf(self, gram: Any, unseen: str) -> float:
        """log(N/df); of an n-gram that no image holds, what `unseen` says."""
        frequency = self.frequencies[gram]
        return math.log(self.images / frequency) if frequency else unseen_idf(self.images, unseen)


def unseen_idf(images: int, unseen: str) -> float:
    """The idf of an n-gram that no image holds: log N as if one did, zero, or not a number."""
    return {"one-image": math.log(images), "ignored": 0.0, "undefined": math.nan}[unseen]


def counted(tokens: Sequence[str], orders: int) -> Counted:
    """A text in n-grams of orders 1 to `orders`; without orders that it is too short for."""
    longest = min(orders, len(tokens))
    return Counted([Counter(grams(tokens, order)) for order in range(1, longest + 1)], len(tokens))


def documents(images: Iterable[Sequence[Counted]]) -> Documents:
    """Document frequencies: an n-gram counts once an image, in however many of its references it occurs."""
    frequencies: Counter[Any] = Counter()
    number_of_images = 0
    for references in images:
        number_of_images += 1
        frequencies.update(set().union(*(bag for each in references for bag in each.bags)))
    return Documents(number_of_images, frequencies)


@dataclass(frozen=True, slots=True)
class Weights:
    """The square of an n-gram's idf, which is all that a cosine needs, by its document frequency; 0 is unseen."""

    frequencies: Mapping[Any, int]
    squares: Mapping[int, float]

    def squared_norm(self, bag: Counter[Any]) -> float:
        """The square of the length of a bag's vector, with counts as term frequencies."""
        frequency, square = self.frequencies.get, self.squares
        return sum([count * count * square[frequency(gram, 0)] for gram, count in bag.items()])

    def product(self, own: Counter[Any], other: Counter[Any]) -> float:
        """The scalar product of two vectors."""
        frequency, square = self.frequencies, self.squares
        return sum([own[gram] * other[gram] * square[frequency[gram]] for gram in own.keys() & other.keys()])

    def clipped_product(self, own: Counter[Any], other: Counter[Any], ratio: float) -> float:
        """The product of min(own, other) with other, where other's counts are worth `ratio` times own's."""
        frequency, square = self.frequencies, self.squares
        return sum(
            [
                min(own[gram], other[gram] * ratio) * other[gram] * square[frequency[gram]]
                for gram in own.keys() & other.keys()
            ]
        )


def weights_of(found: Documents, unseen: str) -> Weights:
    """The weights of all n-grams."""
    squares = {df: math.log(found.images / df) ** 2 for df in set(found.frequencies.values())}
    return Weights(found.frequencies, {**squares, 0: unseen_idf(found.images, unseen) ** 2})


@dataclass(frozen=True, slots=True)
class Similarity:
    """How a caption is compared with one reference: plain CIDEr's cosine, or CIDEr-D's where sigma is given.

    A term frequency that is divided by the n-grams of its text is a count times a constant: it cancels in a
    cosine, and in the clipped one all that is left of it is the ratio of both numbers of n-grams.
    """

    max_order: int
    normalized: bool
    zero_norm: float
    sigma: float | None = None

    def of(self, caption: Counted, norms: Sequence[float], reference: Counted, weights: Weights) -> list[float]:
        """One similarity an order, where `norms` are the squared norms of the caption."""
        found = []
        gap = caption.length - reference.length
        penalty = 1.0 if self.sigma is None else math.exp(-(gap**2) / (2 * self.sigma**2))
        for place in range(self.max_order):
            if place >= len(caption.bags) or place >= len(reference.bags):
                found.append(self.zero_norm)
                continue
            own, other = caption.bags[place], reference.bags[place]
            norm = math.sqrt(norms[place] * weights.squared_norm(other))
            if not norm:
                found.append(self.zero_norm)
            elif self.sigma is None:
                found.append(weights.product(own, other) / norm)
            else:
                ratio = (caption.length - place) / (reference.length - place) if self.normalized else 1
                found.append(penalty * weights.clipped_product(own, other, ratio) / norm)
        return found


def consensus(
    captions: Sequence[Counted], references: Sequence[Sequence[Counted]], weights: Weights, similarity: Similarity
) -> list[list[float]]:
    """For each image one number an order: the mean similarity of its caption to its references."""
    rows = []
    for caption, several in zip(captions, references, strict=True):
        norms = [weights.squared_norm(bag) for bag in caption.bags]
        found = [similarity.of(caption, norms, each, weights) for each in several]
        rows.append([math.fsum(column) / len(several) for column in zip(*found, strict=True)])
    return rows


def cider(
    hypotheses: Sequence[Text],
    references: Images,
    *,
    other_images: Images | None = None,
    max_order: int = 4,
    weights: Sequence[float] = (),
    term_frequency: str = "normalized",
    unseen_ngram: str = "one-image",
    zero_norm: str = "zero",
    empty_corpus: str = "zero",
    no_cases: str = "error",
    tokenizer: str = "whitespace",
    lowercase: bool = False,
) -> dict[str, Any]:
    """CIDEr: the mean over images of sum over n of w_n / K * sum over references of cos(g_n(c), g_n(s)); 0 to 1.

    g_n(s) holds tf * log(N/df) of each n-gram of order n; N images, of which df have the n-gram in some reference.
    hypotheses: one caption an image; references: a list for each, None for a missing one; other_images: the
    references of further images, which count as documents alone. Without weights each order has 1/max_order.
    Gives score, order_scores (means over images) and image_scores. No stemming: give stems as tokens.
    `term_frequency` divides by a constant of the text, which cancels here.
    Raises TypeError and ValueError. Source: Vedantam et al. 2015.
    """
    settings = _settings(max_order, weights, term_frequency, unseen_ngram, zero_norm, empty_corpus, no_cases)
    return _scored(hypotheses, references, other_images, settings, tokenizer, lowercase)


def cider_d(
    hypotheses: Sequence[Text],
    references: Images,
    *,
    other_images: Images | None = None,
    max_order: int = 4,
    weights: Sequence[float] = (),
    sigma: float = 6,
    term_frequency: str = "normalized",
    unseen_ngram: str = "one-image",
    zero_norm: str = "zero",
    empty_corpus: str = "zero",
    no_cases: str = "error",
    tokenizer: str = "whitespace",
    lowercase: bool = False,
) -> dict[str, Any]:
    """CIDEr-D: as CIDEr, with min(g_n(c), g_n(s)) for g_n(c) in the product, times exp(-d^2/(2 sigma^2)), times 10.

    d is the difference in length, in tokens. 0 to 10. `term_frequency` is a count over the n-grams of the text, or
    the count itself as in the caption evaluation code; that code takes lengths in bigrams, whose difference is
    the same wherever both vectors have a component. Everything else as for `cider`.
    Raises TypeError and ValueError, also for a sigma of zero. Source: Vedantam et al. 2015.
    """
    settings = _settings(max_order, weights, term_frequency, unseen_ngram, zero_norm, empty_corpus, no_cases)
    if not number("sigma", sigma):
        raise ValueError("sigma: expected a number above 0, found 0")
    return _scored(hypotheses, references, other_images, settings, tokenizer, lowercase, float(sigma))


def tf_idf(
    text: Text,
    images: Images,
    *,
    order: int = 1,
    term_frequency: str = "normalized",
    unseen_ngram: str = "one-image",
    tokenizer: str = "whitespace",
    lowercase: bool = False,
) -> dict[str, Any]:
    """The vector g_n of a text: tf * idf of each of its n-grams, in order of first occurrence.

    images: the references of each image. Gives weights, ngrams, term_frequencies, document_frequencies and idf,
    a list each. Raises TypeError and ValueError. Source: Vedantam et al. 2015, equation 1.
    """
    text_or_tokens("text", text)
    _images("images", images)
    if not images:
        raise ValueError("images: expected at least one image, found none")
    whole("order", order, 1, 100)
    choice("term_frequency", term_frequency, TERM_FREQUENCIES)
    choice("unseen_ngram", unseen_ngram, UNSEEN)
    choice("tokenizer", tokenizer, tuple(TOKENIZERS))
    flag("lowercase", lowercase)
    found = documents(_counted(each, order, tokenizer, lowercase) for each in images)
    bag = Counter(grams(tokens_of(text, tokenizer, lowercase), order))
    total = sum(bag.values()) if term_frequency == "normalized" else 1
    term_frequencies = [count / total for count in bag.values()]
    idf = [found.idf(gram, unseen_ngram) for gram in bag]
    return {
        "weights": [tf * each for tf, each in zip(term_frequencies, idf, strict=True)],
        "ngrams": [shown(gram) for gram in bag],
        "term_frequencies": term_frequencies,
        "document_frequencies": [found.frequencies[gram] for gram in bag],
        "idf": idf,
    }


@dataclass(frozen=True, slots=True)
class _Settings:
    """The checked parameters that CIDEr and CIDEr-D share."""

    weights: tuple[float, ...]
    term_frequency: str
    unseen_ngram: str
    zero_norm: float
    empty_corpus: str
    no_cases: str


def _settings(
    max_order: Any, weights: Any, term_frequency: Any, unseen: Any, zero_norm: Any, empty_corpus: Any, no_cases: Any
) -> _Settings:
    """The checked parameters, with a weight for every order. Raises TypeError and ValueError."""
    whole("max_order", max_order, 1, 100)
    if isinstance(weights, (str, bytes)) or not isinstance(weights, Sequence):
        raise TypeError(f"weights: expected a list of numbers, found {weights!r:.60}")
    if weights and len(weights) != max_order:
        raise ValueError(f"weights: expected {max_order} numbers, one an order, found {len(weights)}")
    numbers = tuple(float(number("weights", each)) for each in weights) or (1 / max_order,) * max_order
    choice("term_frequency", term_frequency, TERM_FREQUENCIES)
    choice("unseen_ngram", unseen, UNSEEN)
    choice("zero_norm", zero_norm, ("zero", "undefined"))
    choice("empty_corpus", empty_corpus, ("zero", "error"))
    choice("no_cases", no_cases, ("error", "zero"))
    cosine = 0.0 if zero_norm == "zero" else math.nan
    return _Settings(numbers, term_frequency, unseen, cosine, empty_corpus, no_cases)


def _images(name: str, images: Any) -> None:
    """Check the references of images that have no caption. Raises TypeError and ValueError."""
    if isinstance(images, (str, bytes)) or not isinstance(images, Sequence):
        raise TypeError(f"{name}: expected a list with the references of each image, found {images!r:.60}")
    for place, several in enumerate(images, start=1):
        if isinstance(several, (str, bytes)) or not isinstance(several, Sequence):
            raise TypeError(f"{name}, image {place}: expected a list of references, found {several!r:.60}")
        present = [each for each in several if each is not None]
        if not present:
            raise ValueError(f"{name}, image {place}: expected at least one reference, found none")
        for each in present:
            text_or_tokens(f"{name}, a reference of image {place}", each)


def _counted(several: Sequence[Text | None], orders: int, tokenizer: str, lowercase: bool) -> list[Counted]:
    """The references of one image in n-grams; missing ones are left out."""
    return [counted(tokens_of(each, tokenizer, lowercase), orders) for each in several if each is not None]


def _scored(
    hypotheses: Any,
    references: Any,
    other_images: Any,
    settings: _Settings,
    tokenizer: Any,
    lowercase: Any,
    sigma: float | None = None,
) -> dict[str, Any]:
    segments(hypotheses, references, missing=True, needed=True)
    others = [] if other_images is None else other_images
    _images("other_images", others)
    choice("tokenizer", tokenizer, tuple(TOKENIZERS))
    flag("lowercase", lowercase)
    orders = len(settings.weights)
    if not hypotheses:
        if settings.no_cases == "error":
            raise ValueError("expected at least one segment, found none")
        return {"score": 0.0, "order_scores": [0.0] * orders, "image_scores": []}
    captions = [counted(tokens_of(each, tokenizer, lowercase), orders) for each in hypotheses]
    own = [_counted(each, orders, tokenizer, lowercase) for each in references]
    found = documents([*own, *(_counted(each, orders, tokenizer, lowercase) for each in others)])
    if not found.frequencies and settings.empty_corpus == "error":
        raise ValueError("expected at least one n-gram in the references, found none")
    similarity = Similarity(orders, settings.term_frequency == "normalized", settings.zero_norm, sigma)
    rows = consensus(captions, own, weights_of(found, settings.unseen_ngram), similarity)
    factor = 1 if sigma is None else 10
    images = [factor * math.fsum(w * each for w, each in zip(settings.weights, row, strict=True) if w) for row in rows]
    return {
        "score": math.fsum(images) / len(images),
        "order_scores": [factor * math.fsum(column) / len(rows) for column in zip(*rows, strict=True)],
        "image_scores": images,
    }
