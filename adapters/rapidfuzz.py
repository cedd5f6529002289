# /// script
# requires-python = ">=3.10"
# dependencies = [
#     "rapidfuzz==3.14.6; python_version >= '3.11'",
#     "rapidfuzz==3.14.5; python_version < '3.11'",
# ]
# ///
"""RapidFuzz (https://github.com/rapidfuzz/RapidFuzz): edit distances and the longest common subsequence."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from rapidfuzz.distance import OSA, DamerauLevenshtein, LCSseq, Levenshtein

from conformance import Adapter, Unsupported

adapter = Adapter(
    "rapidfuzz", version=version("rapidfuzz"), homepage="https://github.com/rapidfuzz/RapidFuzz", licence="MIT"
)

UNITS = {"character", "token"}


def pair(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str
) -> tuple[Sequence[str], Sequence[str]]:
    """The one reference and its one hypothesis, as strings or as lists of tokens."""
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("RapidFuzz compares one pair of sequences")
    reference, hypothesis = references[0][0], hypotheses[0]
    return (reference.split(), hypothesis.split()) if unit == "token" else (reference, hypothesis)


@adapter.metric(
    "levenshtein",
    components=["distance", "normalized"],
    corpus=False,
    references="one",
    accepts={"unit": UNITS, "substitution_cost": {1, 2}},
    defaults={"unit": "character", "substitution_cost": 1},
    fixes={"normalization": "longer", "normalized_empty": "zero"},
)
def levenshtein(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    unit: str = "character",
    substitution_cost: int | None = None,
) -> dict[str, Any]:
    reference, hypothesis = pair(hypotheses, references, unit)
    if substitution_cost == 2:
        # The normalized distance then divides by the sum of both lengths, not by the longer.
        return {"distance": Levenshtein.distance(reference, hypothesis, weights=(1, 1, 2))}
    return {
        "distance": Levenshtein.distance(reference, hypothesis),
        "normalized": Levenshtein.normalized_distance(reference, hypothesis),
    }


@adapter.metric(
    "damerau-levenshtein",
    corpus=False,
    references="one",
    accepts={"unit": UNITS, "variant": {"unrestricted", "restricted"}},
    defaults={"unit": "character", "variant": "unrestricted"},
)
def damerau_levenshtein(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    unit: str = "character",
    variant: str = "unrestricted",
) -> int:
    reference, hypothesis = pair(hypotheses, references, unit)
    distance = OSA.distance if variant == "restricted" else DamerauLevenshtein.distance
    return distance(reference, hypothesis)


@adapter.metric(
    "lcs-length",
    corpus=False,
    references="one",
    accepts={"unit": UNITS},
    defaults={"unit": "character"},
)
def lcs_length(hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str = "character") -> int:
    reference, hypothesis = pair(hypotheses, references, unit)
    return LCSseq.similarity(reference, hypothesis)
