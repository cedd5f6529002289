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

Text = str | Sequence[str]


def split(text: Text) -> list[str]:
    """The words of a text, or the tokens that a check gives."""
    return text.split() if isinstance(text, str) else list(text)


@adapter.metric(
    "ter",
    input="either",
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
        "tokenizer": "whitespace",
        "lowercase": False,
        "normalization": "none",
        "no_punctuation": False,
    },
)
def ter(hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> float:
    """It takes words; a text is split at white space."""
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("pyter compares one pair of texts")
    rate: float = pyter.ter(*(split(text) for text in (hypotheses[0], references[0][0])))
    return rate
