"""Edit distance and word error rate against NLTK, RapidFuzz and JiWER, and their growth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jiwer
import nltk
from rapidfuzz.distance import Levenshtein

from benchmarks.corpora import WORDS, corpus
from conformance.reference import edit, error_rates

Call = Callable[[], Any]


def rows() -> list[tuple[str, Call, dict[str, Call]]]:
    """Each metric's name, the reference's call, and those of its peers, on the same 2,000 segments."""
    hypotheses, references = corpus(2000, 1)
    first = [each[0] for each in references]
    pairs = [(h.split(), r.split()) for h, r in zip(hypotheses, first, strict=True)]
    return [
        (
            "WER",
            lambda: error_rates.wer(hypotheses, references),
            {"JiWER (C++ core)": lambda: jiwer.wer(first, hypotheses)},
        ),
        (
            "edit distance",
            lambda: [edit.distance(h, r) for h, r in pairs],
            {
                "NLTK (Python)": lambda: [nltk.edit_distance(h, r) for h, r in pairs],
                "RapidFuzz (C++)": lambda: [Levenshtein.distance(h, r) for h, r in pairs],
            },
        ),
    ]


def growth() -> dict[str, Callable[[int], Call]]:
    """Each metric's call on texts of n tokens."""

    def of(tokens: int) -> Call:
        text = [WORDS[place * 7 % len(WORDS)] for place in range(tokens)]
        return lambda: edit.distance(text, text[::-1])

    return {"edit distance": of}
