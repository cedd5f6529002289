"""RIBES, NIST and Google GLEU against NLTK, on the same 2,000 segments."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from nltk.translate.gleu_score import corpus_gleu
from nltk.translate.nist_score import corpus_nist
from nltk.translate.ribes_score import corpus_ribes

from benchmarks.corpora import WORDS, corpus
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
    """Each metric's call on a text of n tokens, some of them changed, whose words repeat as in a corpus."""

    def of(metric: Callable[..., Any]) -> Callable[[int], Callable[[], Any]]:
        def call(length: int) -> Callable[[], Any]:
            draw = random.Random(length)
            base = [draw.choice(WORDS) for _ in range(length)]
            hypotheses = [[word if draw.random() > 0.2 else draw.choice(WORDS) for word in base]]
            return lambda: metric(hypotheses, [[base]])

        return call

    return {"RIBES": of(ribes), "NIST": of(nist), "Google GLEU": of(google_gleu)}
