"""TER against sacreBLEU's, on segments with changed words and on segments with moved phrases."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from bench import corpus
from sacrebleu.metrics import TER

from conformance.reference.ter import ter

SEGMENTS = 2000
Row = tuple[str, Callable[[], Any], dict[str, Callable[[], Any]]]


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


def row(label: str, hypotheses: list[str], references: list[list[str]]) -> Row:
    """The reference and sacreBLEU on the same corpus."""
    streams = [list(each) for each in zip(*references, strict=True)]
    scorer = TER()
    peers = {"sacreBLEU (Python)": lambda: scorer.corpus_score(hypotheses, streams)}
    return (f"TER, {label}", lambda: ter(hypotheses, references), peers)


def rows() -> list[Row]:
    """(label, the reference, peers) on 2,000 segments of about 25 words."""
    hypotheses, references = corpus(SEGMENTS, 1)
    four = corpus(SEGMENTS // 10, 4)
    return [
        row("changed words", hypotheses, references),
        row("moved phrases", moved(hypotheses), references),
        row("moved phrases, four references, 200 segments", moved(four[0]), four[1]),
    ]


def growth() -> dict[str, Callable[[int], Callable[[], Any]]]:
    """Label -> the call for a pair of n tokens: an alignment, and a search for shifts that finds some."""

    def aligned(n: int) -> Callable[[], Any]:
        hypotheses, references = corpus(1, 1, length=n)
        return lambda: ter(hypotheses, references)

    def shifted(n: int) -> Callable[[], Any]:
        words = [f"w{place}" for place in range(n)]
        start = n // 2 - 6
        words[start : start + 12] = [*words[start + 6 : start + 12], *words[start : start + 6]]
        return lambda: ter([" ".join(words)], [[" ".join(f"w{place}" for place in range(n))]])

    return {"TER, changed words": aligned, "TER, six words behind six others": shifted}
