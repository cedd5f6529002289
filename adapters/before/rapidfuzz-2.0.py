# /// script
# requires-python = ">=3.10"
# dependencies = ["rapidfuzz==1.9.1"]
# ///
"""RapidFuzz before 2.0: Levenshtein's distance of two strings, with its costs."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from rapidfuzz.string_metric import levenshtein as distance

from conformance import Adapter, Unsupported

adapter = Adapter(
    "rapidfuzz", version=version("rapidfuzz"), homepage="https://github.com/rapidfuzz/RapidFuzz", licence="MIT"
)


# Its normalized distance is a similarity in percent, rounded on the way, and no component of ours.
@adapter.metric(
    "levenshtein",
    components=["distance"],
    corpus=False,
    references="one",
    accepts={"substitution_cost": {1, 2}},
    defaults={"substitution_cost": 1},
    fixes={"unit": "character"},
)
def levenshtein(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], substitution_cost: int | None = None
) -> int:
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("RapidFuzz compares one pair of sequences")
    costs = {} if substitution_cost is None else {"weights": (1, 1, substitution_cost)}
    found: int = distance(references[0][0], hypotheses[0], **costs)
    return found
