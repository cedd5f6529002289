"""Transforms against the libraries whose they are, on 2,000 texts that no cache has seen."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import pyunormalize
from rouge_score.tokenizers import DefaultTokenizer
from sacrebleu.metrics import BLEU
from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.ter import TER
from uniseg.graphemecluster import grapheme_clusters

from benchmarks.corpora import WORDS, corpus
from conformance.reference.text import graphemes
from conformance.reference.transforms import tokenize, unicode_form

Row = tuple[str, Callable[[], Any], dict[str, Callable[[], Any]]]

FRESH = itertools.count()
"""A number in each text makes it a new one: sacreBLEU and the reference remember tokens of texts."""
ACCENTS = " \u00e9a\u0301\ufb01\uac00 (it's), 1,000.5."


def each(call: Callable[[str], Any], tail: str = ACCENTS) -> Callable[[], None]:
    """A call for each of 2,000 texts, made new by a number."""
    texts, _ = corpus(2000, 1)

    def run() -> None:
        number = next(FRESH)
        for text in texts:
            call(f"{text}{tail} x{number}")

    return run


def split_by(metric: Metric) -> Callable[[str], list[str]]:
    """A segment's tokens as sacreBLEU's metric has them, which puts spaces between them."""
    return lambda text: metric._preprocess_segment(text).split()


def rows() -> list[Row]:
    """Tokenizers and Unicode forms: ours, and each library's."""
    found: list[Row] = []
    for name in ("13a", "intl", "zh"):
        theirs = split_by(BLEU(tokenize=name, force=True))
        found.append(
            (f"tokenizer {name}", each(partial(tokenize, tokenizer=name)), {"sacreBLEU (Python)": each(theirs)})
        )
    words = split_by(TER(normalized=True))
    ours = partial(tokenize, tokenizer="sacrebleu-ter", lowercase=True, tercom_options=["normalized"])
    found.append(("words of sacreBLEU's TER", each(ours), {"sacreBLEU (Python)": each(words)}))
    for stemming in ("none", "porter-nltk"):
        ours = partial(tokenize, tokenizer="rouge-score", stemming=stemming)
        rouge = DefaultTokenizer(use_stemmer=stemming != "none").tokenize
        found.append((f"rouge-score, stemming {stemming}", each(ours), {"rouge-score (Python)": each(rouge)}))
    for form in ("NFC", "NFKD"):
        peer = {"pyunormalize (Python)": each(partial(pyunormalize.normalize, form))}
        found.append((f"Unicode form {form}", each(partial(unicode_form, form=form)), peer))
    clusters = {"uniseg (Python)": each(lambda text: list(grapheme_clusters(text)))}
    found.append(("grapheme clusters", each(graphemes), clusters))
    return found


def growth() -> dict[str, Callable[[int], Callable[[], Any]]]:
    """Each transform's call on a text of n words; the cost grows with the length."""

    def of(transform: Callable[[str], Any]) -> Callable[[int], Callable[[], Any]]:
        def call(length: int) -> Callable[[], Any]:
            text = " ".join(itertools.islice(itertools.cycle(WORDS), length)) + ACCENTS
            return lambda: transform(f"{text} x{next(FRESH)}")

        return call

    return {"tokenizer 13a": of(partial(tokenize, tokenizer="13a")), "Unicode form NFC": of(unicode_form)}
