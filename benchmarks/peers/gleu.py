"""GEC GLEU+, Porter's stemmer and perplexity against what else computes them, and their growth.

The authors' GLEU is asked where GEC_RANKING names a checkout (adapters/gec-ranking.py); it runs in Python 2.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from nltk.lm import Vocabulary
from nltk.lm.api import LanguageModel
from nltk.stem.porter import PorterStemmer

from benchmarks.corpora import WORDS, corpus
from conformance.reference.gec_gleu import gec_gleu
from conformance.reference.perplexity import perplexity, sliding_windows
from conformance.reference.porter import stem

Call = Callable[[], Any]
ENDINGS = ("", "s", "ed", "ing", "ational", "iveness", "ization", "fully", "ability", "logy")


class Given(LanguageModel):
    """A language model whose words are the probabilities that it gives them."""

    def unmasked_score(self, word: str, context: Any = None) -> float:
        return float(word)


def rows() -> list[tuple[str, Call, dict[str, Call]]]:
    """Each metric's name, the reference's call, and those of its peers, on the same 2,000 segments."""
    hypotheses, references = corpus(2000, 2)
    sources = [each[0] for each in references]
    words = [f"{chr(97 + place % 26)}o{chr(97 + place // 26 % 26)}{end}" for place in range(676) for end in ENDINGS]
    porter = PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM)
    probabilities = [1 / (2 + place % 50) for place in range(50_000)]
    model = Given(1, Vocabulary({str(each) for each in probabilities}, unk_cutoff=1))
    authors: dict[str, Call] = {}
    if "GEC_RANKING" in os.environ:
        from conformance.target import load_shipped

        asked = {"hypotheses": hypotheses, "references": references, "sources": sources}
        adapter = load_shipped("gec-ranking")
        authors["the authors' (Python 2, a process)"] = lambda: adapter.call("gec-gleu", asked, {})

    def stemmed() -> list[str]:
        stem.cache_clear()
        return [stem(word) for word in words]

    return [
        ("GEC GLEU+, 500 draws", lambda: gec_gleu(hypotheses, references, sources), authors),
        (
            "Porter's stemmer, different words",
            stemmed,
            {"NLTK (Python)": lambda: [porter.stem(word) for word in words]},
        ),
        (
            "perplexity",
            lambda: perplexity(probabilities=probabilities),
            {"NLTK (Python)": lambda: model.perplexity([(str(each),) for each in probabilities])},
        ),
    ]


def growth() -> dict[str, Callable[[int], Call]]:
    """Each metric's call on texts of n tokens."""

    def gleu(tokens: int) -> Call:
        text = [WORDS[place * 7 % len(WORDS)] for place in range(tokens)]
        return lambda: gec_gleu([text], [[text[::-1]]], [text])

    def perplexities(tokens: int) -> Call:
        probabilities = [1 / (2 + place % 50) for place in range(tokens)]
        return lambda: perplexity(probabilities=probabilities)

    def windows(tokens: int) -> Call:
        text = [WORDS[place * 7 % len(WORDS)] for place in range(tokens)]
        return lambda: sliding_windows(text, window=64, stride=32)

    return {"GEC GLEU+": gleu, "perplexity": perplexities, "sliding windows": windows}
