# /// script
# requires-python = ">=3.10"
# dependencies = ["pyter3==0.3"]
# ///
"""pyter3 (https://github.com/BramVanroy/pyter): TER of one pair."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import pyter

from conformance import Adapter, Unsupported

adapter = Adapter("pyter3", version=version("pyter3"), homepage="https://github.com/BramVanroy/pyter", licence="MIT")


@adapter.metric(
    "ter",
    input="tokens",
    corpus=False,
    references="one",
    components=["rate"],
    fixes={
        "search": "greedy",
        "max_shift_size": 1000,
        "max_shift_distance": 10000,
        "beam": "none",
        "candidate_limit": "none",
        "empty_reference": "undefined",
    },
)
def ter(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]]) -> float:
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("pyter compares one pair of texts")
    rate: float = pyter.ter(hypotheses[0], references[0][0])
    return rate
