# /// script
# requires-python = ">=3.10"
# dependencies = ["pywer==0.1.1", "editdistance==0.8.1"]
# ///
"""pywer (https://github.com/jumon/pywer): WER and CER in percent."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import pywer

from conformance import Adapter
from conformance.adapter import single

adapter = Adapter("pywer", version=version("pywer"), homepage="https://github.com/jumon/pywer", licence="MIT")


@adapter.metric(
    "wer",
    scale=100,
    references="one",
    components=["rate"],
    fixes={
        "tokenizer": "whitespace",
        "transforms": [],
        "alignment": "unit",
        "aggregation": "pooled",
        "multi_reference": "lowest-rate",
        "empty_reference": "zero",
    },
)
def wer(hypotheses: list[str], references: Sequence[Sequence[str]]) -> float:
    rate: float = pywer.wer(single(references), hypotheses)
    return rate


@adapter.metric(
    "cer",
    scale=100,
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
        "empty_reference": "zero",
    },
)
def cer(hypotheses: list[str], references: Sequence[Sequence[str]]) -> float:
    rate: float = pywer.cer(single(references), hypotheses)
    return rate
