# /// script
# requires-python = ">=3.10"
# dependencies = ["werx==0.3.1"]
# ///
"""werx (https://github.com/analyticsinmotion/werx): WER in Rust, with its counts."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import werx

from conformance import Adapter
from conformance.adapter import single

adapter = Adapter(
    "werx", version=version("werx"), homepage="https://github.com/analyticsinmotion/werx", licence="Apache-2.0"
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
        "empty_reference": "insertion-count",
    },
)
def wer(hypotheses: list[str], references: Sequence[Sequence[str]]) -> dict[str, Any]:
    rate = werx.wer(single(references), hypotheses)
    lines = werx.analysis(single(references), hypotheses)
    return {
        "rate": rate,
        "substitutions": sum(line.substitutions for line in lines),
        "deletions": sum(line.deletions for line in lines),
        "insertions": sum(line.insertions for line in lines),
        "errors": sum(line.ld for line in lines),
        "reference_length": sum(line.n_ref for line in lines),
    }
