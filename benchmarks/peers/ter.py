"""TER against sacreBLEU's, on segments with changed words and on segments with moved phrases, and its growth."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from sacrebleu.metrics.ter import TER

from benchmarks.corpora import corpus
from conformance.reference.ter import ter

Call = Callable[[], Any]


def moved(hypotheses: list[str], seed: int = 2) -> list[str]:
    """The hypotheses with two phrases of up to eight words in other places."""
    draw = random.Random(seed)
    found = []
    for hypothesis in hypotheses:
        words = hypothesis.split()
        for _ in range(2):
            start, to = draw.randrange(len(words)), draw.randrange(len(words))
            phrase = words[start : start + draw.randint(1, 8)]
            del words[start : start + len(phrase)]
            words[to:to] = phrase
        found.append(" ".join(words))
    return found


def row(label: str, hypotheses: list[str], references: list[list[str]]) -> tuple[str, Call, dict[str, Call]]:
    """The reference and sacreBLEU on the same corpus."""
    stream = [each[0] for each in references]
    scorer = TER()
    peers: dict[str, Call] = {"sacreBLEU (Python)": lambda: scorer.corpus_score(hypotheses, [stream])}
    return label, lambda: ter(hypotheses, references), peers


def rows() -> list[tuple[str, Call, dict[str, Call]]]:
    """Each label, the reference's call, and sacreBLEU's, on the same 2,000 segments."""
    hypotheses, references = corpus(2000, 1)
    return [
        row("TER, changed words", hypotheses, references),
        row("TER, moved phrases", moved(hypotheses), references),
    ]


def growth() -> dict[str, Callable[[int], Call]]:
    """Label -> the call for texts of n tokens: every fifth word is another, or six words stand behind six others."""

    def texts(n: int) -> tuple[list[str], str]:
        words = [f"w{place}" for place in range(n)]
        return words, " ".join(words)

    def changed(n: int) -> Call:
        words, reference = texts(n)
        hypothesis = " ".join(word if place % 5 else "x" for place, word in enumerate(words))
        return lambda: ter([hypothesis], [[reference]])

    def shifted(n: int) -> Call:
        words, reference = texts(n)
        start = max(n // 2 - 6, 0)
        words[start : start + 12] = [*words[start + 6 : start + 12], *words[start : start + 6]]
        return lambda: ter([" ".join(words)], [[reference]])

    return {"TER, changed words": changed, "TER, one phrase moved": shifted}
