# /// script
# requires-python = ">=3.10"
# dependencies = ["editdistance==0.8.1"]
# ///
"""editdistance (https://github.com/roy-ht/editdistance): Levenshtein distance in C++."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import editdistance

from conformance import Adapter, Unsupported

adapter = Adapter(
    "editdistance",
    version=version("editdistance"),
    homepage="https://github.com/roy-ht/editdistance",
    licence="MIT",
)


def pair(hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str) -> tuple[Any, Any]:
    """The one reference and its one hypothesis, as strings or as lists of tokens."""
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("editdistance compares one pair of sequences")
    reference, hypothesis = references[0][0], hypotheses[0]
    return (reference.split(), hypothesis.split()) if unit == "token" else (reference, hypothesis)


@adapter.metric(
    "levenshtein",
    components=["distance"],
    corpus=False,
    references="one",
    accepts={"unit": {"character", "token"}},
    defaults={"unit": "character"},
    fixes={"substitution_cost": 1},
)
def levenshtein(hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str = "character") -> int:
    distance: int = editdistance.eval(*pair(hypotheses, references, unit))
    return distance
