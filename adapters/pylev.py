# /// script
# requires-python = ">=3.10"
# dependencies = ["pylev==1.4.0"]
# ///
"""pylev (https://github.com/toastdriven/pylev): Levenshtein and Damerau distances in Python."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import pylev

from conformance import Adapter, Unsupported

adapter = Adapter(
    "pylev", version=version("pylev"), homepage="https://github.com/toastdriven/pylev", licence="BSD-3-Clause"
)


def pair(hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str) -> tuple[Any, Any]:
    """The one reference and its one hypothesis, as strings or as lists of tokens."""
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("pylev compares one pair of sequences")
    reference, hypothesis = references[0][0], hypotheses[0]
    return (reference.split(), hypothesis.split()) if unit == "token" else (reference, hypothesis)


ONE_PAIR: dict[str, Any] = {"components": ["distance"], "corpus": False, "references": "one"}
UNIT: dict[str, Any] = {"accepts": {"unit": {"character", "token"}}, "defaults": {"unit": "character"}}


@adapter.metric("levenshtein", **ONE_PAIR, **UNIT, fixes={"substitution_cost": 1})
def levenshtein(hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str = "character") -> int:
    distance: int = pylev.levenshtein(*pair(hypotheses, references, unit))
    return distance


@adapter.metric("damerau-levenshtein", **ONE_PAIR, **UNIT, fixes={"variant": "restricted"})
def damerau_levenshtein(hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str = "character") -> int:
    distance: int = pylev.damerau_levenshtein(*pair(hypotheses, references, unit))
    return distance
