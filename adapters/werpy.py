# /// script
# requires-python = ">=3.11"
# dependencies = ["werpy==3.5.0"]
# ///
"""werpy (https://github.com/analyticsinmotion/werpy): WER with its counts; what it refuses, it prints and answers None."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import werpy

from conformance import Adapter
from conformance.adapter import single

adapter = Adapter(
    "werpy",
    version=version("werpy"),
    homepage="https://github.com/analyticsinmotion/werpy",
    licence="BSD-3-Clause",
)


@adapter.metric(
    "wer",
    references="one",
    fixes={
        "tokenizer": "whitespace",
        "transforms": [],
        "alignment": "unit",
        "aggregation": "pooled",
        "multi_reference": "lowest-rate",
        "empty_reference": "undefined",
    },
)
def wer(hypotheses: list[str], references: Sequence[Sequence[str]]) -> dict[str, Any] | None:
    rate = werpy.wer(single(references), hypotheses)
    if rate is None:
        return None
    lines = werpy.summary(single(references), hypotheses)
    return {
        "rate": rate,
        "substitutions": int(lines["substitutions"].sum()),
        "deletions": int(lines["deletions"].sum()),
        "insertions": int(lines["insertions"].sum()),
        "errors": int(lines["ld"].sum()),
        "reference_length": int(lines["m"].sum()),
    }
