# /// script
# requires-python = ">=3.10"
# dependencies = ["fastwer==0.2.0"]
# ///
"""fastwer (https://github.com/kahne/fastwer): WER and CER in C++, in percent to four decimals."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import fastwer

from conformance import Adapter
from conformance.adapter import single

adapter = Adapter("fastwer", version=version("fastwer"), homepage="https://github.com/kahne/fastwer", licence="MIT")


@adapter.metric(
    "wer",
    scale=100,
    decimals=4,
    references="one",
    components=["rate"],
    fixes={
        "tokenizer": "each-space",
        "transforms": [],
        "alignment": "unit",
        "aggregation": "pooled",
        "multi_reference": "lowest-rate",
        "empty_reference": "undefined",
    },
)
def wer(hypotheses: list[str], references: Sequence[Sequence[str]]) -> float:
    rate: float = fastwer.score(hypotheses, single(references))
    return rate


@adapter.metric(
    "cer",
    scale=100,
    decimals=4,
    references="one",
    components=["rate"],
    fixes={
        "unit": "code-point",
        "unicode_form": "none",
        "spaces": "counted",
        "strip": False,
        "transforms": [],
        "aggregation": "pooled",
        "multi_reference": "lowest-rate",
        "empty_reference": "undefined",
    },
)
def cer(hypotheses: list[str], references: Sequence[Sequence[str]]) -> float:
    rate: float = fastwer.score(hypotheses, single(references), char_level=True)
    return rate
