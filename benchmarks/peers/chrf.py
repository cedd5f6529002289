"""chrF against sacreBLEU and NLTK, and its growth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nltk.translate.chrf_score import corpus_chrf
from sacrebleu.metrics.chrf import CHRF

from benchmarks.corpora import WORDS, corpus
from conformance.reference.chrf import chrf

Call = Callable[[], Any]

NLTK = {"beta": 3, "average": "f", "missing_orders": "epsilon-per-order", "aggregation": "mean"}


def rows() -> list[tuple[str, Call, dict[str, Call]]]:
    """Each metric's name, the reference's call, and those of its peers, on the same 2,000 segments."""
    hypotheses, references = corpus(2000, 4)
    streams = [list(each) for each in zip(*references, strict=True)]
    first = [each[0] for each in references]
    single = [[each] for each in first]
    return [
        (
            "chrF, 4 references",
            lambda: chrf(hypotheses, references),
            {"sacreBLEU (Python)": lambda: CHRF().corpus_score(hypotheses, streams)},
        ),
        (
            "chrF++, 4 references",
            lambda: chrf(hypotheses, references, word_order=2),
            {"sacreBLEU (Python)": lambda: CHRF(word_order=2).corpus_score(hypotheses, streams)},
        ),
        (
            "chrF, 1 reference",
            lambda: chrf(hypotheses, single),
            {"sacreBLEU (Python)": lambda: CHRF().corpus_score(hypotheses, [first])},
        ),
        (
            "chrF as NLTK defines it",
            lambda: chrf(hypotheses, single, **NLTK),
            {"NLTK (Python)": lambda: corpus_chrf(first, hypotheses)},
        ),
    ]


def growth() -> dict[str, Callable[[int], Call]]:
    """Each metric's call on texts of n tokens."""

    def of(tokens: int, **parameters: Any) -> Call:
        text = [WORDS[place * 7 % len(WORDS)] for place in range(tokens)]
        hypotheses, references = [" ".join(text)], [[" ".join(text[::-1])]]
        return lambda: chrf(hypotheses, references, **parameters)

    return {"chrF": of, "chrF++": lambda tokens: of(tokens, word_order=2)}
