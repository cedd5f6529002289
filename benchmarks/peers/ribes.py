"""RIBES, NIST and Google GLEU against NLTK, on the same 2,000 segments."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from nltk.translate.gleu_score import corpus_gleu
from nltk.translate.nist_score import corpus_nist
from nltk.translate.ribes_score import corpus_ribes

from benchmarks.bench import WORDS, corpus
from conformance.reference.google_gleu import google_gleu
from conformance.reference.nist import nist
from conformance.reference.ribes import ribes

Row = tuple[str, Callable[[], Any], dict[str, Callable[[], Any]]]


def rows() -> list[Row]:
    """Each metric with one reference a segment and with four: ours, and NLTK's."""
    found: list[Row] = []
    for count in (1, 4):
        hypotheses, references = corpus(2000, count)
        tokens = [each.split() for each in hypotheses]
        several = [[one.split() for one in each] for each in references]
        found += [
            (
                f"RIBES, references: {count}",
                lambda h=hypotheses, r=references: ribes(h, r),
                {"NLTK (Python)": lambda h=tokens, r=several: corpus_ribes(r, h)},
            ),
            (
                f"NIST, references: {count}",
                lambda h=hypotheses, r=references: nist(h, r),
                {"NLTK (Python)": lambda h=tokens, r=several: corpus_nist(r, h)},
            ),
            (
                f"Google GLEU, references: {count}",
                lambda h=hypotheses, r=references: google_gleu(h, r),
                {"NLTK (Python)": lambda h=tokens, r=several: corpus_gleu(r, h)},
            ),
        ]
    return found


def growth() -> dict[str, Callable[[int], Callable[[], Any]]]:
    """One segment of n tokens: of words that repeat as in text, and of one word alone, the worst for an alignment."""

    def text(length: int) -> tuple[list[list[str]], list[list[list[str]]]]:
        draw = random.Random(length)
        base = [draw.choice(WORDS) for _ in range(length)]
        return [[word if draw.random() > 0.2 else draw.choice(WORDS) for word in base]], [[base]]

    def same(length: int) -> tuple[list[list[str]], list[list[list[str]]]]:
        return [["a"] * length], [[["a"] * length]]

    def of(metric: Callable[..., Any], texts: Callable[[int], tuple[Any, Any]]) -> Callable[[int], Callable[[], Any]]:
        def call(length: int) -> Callable[[], Any]:
            hypotheses, references = texts(length)
            return lambda: metric(hypotheses, references)

        return call

    return {
        "RIBES": of(ribes, text),
        "RIBES of equal words (quadratic)": of(ribes, same),
        "NIST": of(nist, text),
        "Google GLEU": of(google_gleu, text),
    }
