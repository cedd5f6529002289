# /// script
# requires-python = ">=3.11"
# dependencies = ["jellyfish==1.3.0"]
# ///
"""jellyfish (https://codeberg.org/jpt/jellyfish): distances of grapheme clusters, and Jaccard similarity of sets."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import jellyfish

from conformance import Adapter, Unsupported

adapter = Adapter(
    "jellyfish", version=version("jellyfish"), homepage="https://codeberg.org/jpt/jellyfish", licence="MIT"
)


def pair(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[str, str]:
    """The one reference and its one hypothesis."""
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("jellyfish compares one pair of texts")
    return references[0][0], hypotheses[0]


@adapter.metric(
    "levenshtein",
    components=["distance"],
    corpus=False,
    references="one",
    fixes={"unit": "grapheme", "substitution_cost": 1},
)
def levenshtein(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> int:
    return jellyfish.levenshtein_distance(*pair(hypotheses, references))


@adapter.metric(
    "damerau-levenshtein",
    corpus=False,
    references="one",
    fixes={"unit": "grapheme", "variant": "unrestricted"},
)
def damerau_levenshtein(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> int:
    return jellyfish.damerau_levenshtein_distance(*pair(hypotheses, references))


@adapter.metric(
    "jaccard",
    corpus=False,
    references="one",
    accepts={"elements": {"tokens", "characters"}},
    defaults={"elements": "tokens"},
    fixes={"counting": "set", "both_empty": "zero"},
)
def jaccard(hypotheses: Sequence[str], references: Sequence[Sequence[str]], elements: str = "tokens") -> float:
    sizes: dict[str, Any] = {"ngram_size": 1} if elements == "characters" else {}
    return jellyfish.jaccard_similarity(*pair(hypotheses, references), **sizes)
