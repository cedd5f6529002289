"""METEOR against NLTK, and its growth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nltk.translate.meteor_score import meteor_score

from benchmarks.corpora import WORDS, corpus
from conformance.reference.meteor import meteor

Call = Callable[[], Any]


class NoSynonyms:
    """A thesaurus without entries, in WordNet's place: both sides then do the same work."""

    def synsets(self, word: str) -> list[Any]:
        return []


def rows() -> list[tuple[str, Call, dict[str, Call]]]:
    """Each metric's name, the reference's call, and those of its peers, on the same 2,000 segments."""
    hypotheses, references = corpus(2000, 1)
    tokens = [each.split() for each in hypotheses]
    reference_tokens = [[one.split() for one in each] for each in references]
    nothing = NoSynonyms()

    def nltk() -> list[float]:
        pairs = zip(reference_tokens, tokens, strict=True)
        return [meteor_score(several, own, wordnet=nothing) for several, own in pairs]

    return [
        ("METEOR", lambda: meteor(hypotheses, references), {"NLTK (Python)": nltk}),
        ("METEOR, fewest chunks", lambda: meteor(hypotheses, references, alignment="fewest-chunks"), {}),
    ]


def growth() -> dict[str, Callable[[int], Call]]:
    """Each metric's call on texts of n tokens."""

    def of(tokens: int) -> Call:
        text = [f"{WORDS[place * 7 % len(WORDS)]}-{place}" for place in range(tokens)]
        return lambda: meteor([text], [[text[::-1]]])

    return {"METEOR": of}
