"""BLEU against sacreBLEU and NLTK, and its growth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sacrebleu
from nltk.translate.bleu_score import corpus_bleu

from benchmarks.corpora import WORDS, corpus
from conformance.reference.bleu import bleu

Call = Callable[[], Any]


def rows() -> list[tuple[str, Call, dict[str, Call]]]:
    """Each metric's name, the reference's call, and those of its peers, on the same 2,000 segments."""
    hypotheses, references = corpus(2000, 4)
    streams = [list(each) for each in zip(*references, strict=True)]
    tokens = [each.split() for each in hypotheses]
    reference_tokens = [[one.split() for one in each] for each in references]
    peers: dict[str, Call] = {
        "sacreBLEU (Python)": lambda: sacrebleu.corpus_bleu(hypotheses, streams, tokenize="none"),
        "NLTK (Python)": lambda: corpus_bleu(reference_tokens, tokens),
    }
    return [("BLEU", lambda: bleu(hypotheses, references), peers)]


def growth() -> dict[str, Callable[[int], Call]]:
    """Each metric's call on texts of n tokens."""

    def of(tokens: int) -> Call:
        text = [WORDS[place * 7 % len(WORDS)] for place in range(tokens)]
        return lambda: bleu([text], [[text[::-1]]])

    return {"BLEU": of}
