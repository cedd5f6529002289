# /// script
# requires-python = ">=3.10"
# dependencies = ["strsimpy==0.2.1"]
# ///
"""strsimpy (https://github.com/luozhouyang/python-string-similarity): distances and similarities in Python."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from strsimpy.damerau import Damerau
from strsimpy.jaccard import Jaccard
from strsimpy.levenshtein import Levenshtein
from strsimpy.longest_common_subsequence import LongestCommonSubsequence
from strsimpy.normalized_levenshtein import NormalizedLevenshtein
from strsimpy.optimal_string_alignment import OptimalStringAlignment
from strsimpy.sorensen_dice import SorensenDice

from conformance import Adapter, Unsupported

adapter = Adapter(
    "strsimpy",
    version=version("strsimpy"),
    homepage="https://github.com/luozhouyang/python-string-similarity",
    licence="MIT",
)


def pair(hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str) -> tuple[Any, Any]:
    """The one reference and its one hypothesis, as strings or as lists of tokens."""
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("strsimpy compares one pair of sequences")
    reference, hypothesis = references[0][0], hypotheses[0]
    return (reference.split(), hypothesis.split()) if unit == "token" else (reference, hypothesis)


ONE_PAIR: dict[str, Any] = {"corpus": False, "references": "one"}
UNITS = {"character", "token"}


@adapter.metric(
    "levenshtein",
    components=["distance", "normalized"],
    **ONE_PAIR,
    accepts={"unit": UNITS},
    defaults={"unit": "character"},
    fixes={"substitution_cost": 1, "normalization": "longer", "normalized_empty": "zero"},
)
def levenshtein(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str = "character"
) -> dict[str, float]:
    both = pair(hypotheses, references, unit)
    return {"distance": Levenshtein().distance(*both), "normalized": NormalizedLevenshtein().distance(*both)}


@adapter.metric(
    "damerau-levenshtein",
    **ONE_PAIR,
    accepts={"unit": UNITS, "variant": {"unrestricted", "restricted"}},
    defaults={"unit": "character", "variant": "unrestricted"},
)
def damerau_levenshtein(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    unit: str = "character",
    variant: str = "unrestricted",
) -> float:
    measure = OptimalStringAlignment() if variant == "restricted" else Damerau()
    distance: float = measure.distance(*pair(hypotheses, references, unit))
    return distance


@adapter.metric("lcs-length", **ONE_PAIR, accepts={"unit": UNITS}, defaults={"unit": "character"})
def lcs_length(hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str = "character") -> int:
    length: int = LongestCommonSubsequence().length(*pair(hypotheses, references, unit))
    return length


SHINGLES: dict[str, Any] = {"counting": "set", "elements": "characters", "both_empty": "one"}
"""Of shingles of one character each; its own default is of three."""


@adapter.metric("jaccard", **ONE_PAIR, fixes=SHINGLES)
def jaccard(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    score: float = Jaccard(1).similarity(*pair(hypotheses, references, "character"))
    return score


@adapter.metric("dice", **ONE_PAIR, fixes=SHINGLES)
def dice(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    score: float = SorensenDice(1).similarity(*pair(hypotheses, references, "character"))
    return score
