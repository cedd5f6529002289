# /// script
# requires-python = ">=3.10"
# dependencies = ["bleuscore==0.2.0"]
# ///
"""bleuscore (https://github.com/shenxiangzhuang/bleuscore): BLEU in Rust, made after the one of `evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import bleuscore

from conformance import Adapter, Unsupported

adapter = Adapter(
    "bleuscore",
    version=version("bleuscore"),
    homepage="https://github.com/shenxiangzhuang/bleuscore",
    licence="MIT",
)


SMOOTHINGS = {"none": False, "add-one-all": True}


@adapter.metric(
    "bleu",
    components=["score", "precisions", "brevity_penalty", "hypothesis_length", "reference_length"],
    accepts={
        "max_order": range(1, 101),
        "smoothing": set(SMOOTHINGS),
        "reference_length": {"shortest", "closest"},
    },
    defaults={"max_order": 4, "smoothing": "none", "reference_length": "shortest"},
    fixes={
        "effective_order": False,
        "reference_length_tie": "shorter",
        "aggregation": "corpus",
        "tokenizer": "13a",
        "lowercase": False,
    },
)
def bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smoothing: str | None = None,
    reference_length: str | None = None,
    **orders: int,
) -> dict[str, Any]:
    chosen: dict[str, Any] = dict(orders)
    if smoothing is not None:
        if smoothing not in SMOOTHINGS:
            raise Unsupported(f"bleuscore has no smoothing {smoothing!r}")
        chosen["smooth"] = SMOOTHINGS[smoothing]
    if reference_length is not None:
        chosen["ref_len_method"] = reference_length
    found = bleuscore.compute(references, hypotheses, **chosen)
    return {
        "score": found["bleu"],
        "precisions": found["precisions"],
        "brevity_penalty": found["brevity_penalty"],
        "hypothesis_length": found["translation_length"],
        "reference_length": found["reference_length"],
    }


@adapter.metric("tokenize", accepts={"tokenizer": {"13a"}}, defaults={"tokenizer": "13a"}, fixes={"lowercase": False})
def tokenize(text: str, **parameters: Any) -> list[str]:
    return bleuscore.tokenizer_13a(text)
