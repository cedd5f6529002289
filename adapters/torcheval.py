# /// script
# requires-python = ">=3.10"
# dependencies = ["torcheval==0.0.7", "torch==2.13.0"]
#
# [tool.conformance]
# environment = "torch"
# installer = "pip"
# ///
"""TorchEval (https://github.com/meta-pytorch/torcheval): BLEU, word error rate and information, perplexity.

BLEU is in single precision, so it is held to six decimals; the rest is in double precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import torch
from torcheval.metrics import Perplexity, functional

from conformance import Adapter, Unsupported
from conformance.adapter import single

adapter = Adapter(
    "torcheval",
    version=version("torcheval"),
    homepage="https://github.com/meta-pytorch/torcheval",
    licence="BSD-3-Clause",
)


@adapter.metric(
    "bleu",
    components=["score"],
    decimals=6,
    accepts={"max_order": range(1, 5), "weights": None},
    defaults={"max_order": 4, "weights": []},
    fixes={
        "smoothing": "none",
        "smoothing_value": "standard",
        "effective_order": False,
        "reference_length": "shortest",
        "denominator_floor": "none",
        "aggregation": "corpus",
        "empty_hypothesis": "error",
        "no_cases": "error",
        "tokenizer": "whitespace",
        "lowercase": False,
    },
)
def bleu(hypotheses: Sequence[str], references: Sequence[Any], **parameters: Any) -> float:
    present = [
        [each for each in several if each is not None] if isinstance(several, list) else several
        for several in references
    ]
    arguments: dict[str, Any] = {}
    if parameters.get("weights"):
        arguments = {"weights": torch.tensor(parameters["weights"]), "n_gram": len(parameters["weights"])}
    if "max_order" in parameters:
        arguments["n_gram"] = parameters["max_order"]
    return functional.bleu_score(hypotheses, present, **arguments).item()


WORDS = {"tokenizer": "whitespace", "transforms": []}


@adapter.metric(
    "wer",
    components=["rate"],
    references="one",
    fixes={"alignment": "unit", "aggregation": "pooled", "empty_reference": "infinity", **WORDS},
)
def wer(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return functional.word_error_rate(hypotheses, single(references)).item()


@adapter.metric("wil", references="one", fixes={"empty": "undefined", **WORDS})
def wil(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return functional.word_information_lost(hypotheses, single(references)).item()


@adapter.metric("wip", references="one", fixes={"empty": "undefined", **WORDS})
def wip(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return functional.word_information_preserved(hypotheses, single(references)).item()


@adapter.metric(
    "perplexity",
    components=["perplexity"],
    given=["logits", "labels"],
    accepts={"ignored_label": None},
    fixes={
        "logarithm": "natural",
        "exponential": "same",
        "aggregation": "pooled",
        "alignment": "same",
        "no_targets": "nan",
    },
)
def perplexity(logits: Any = None, labels: Any = None, ignored_label: int | None = None) -> float:
    """Logits in double precision, which it keeps; several batches are several updates."""
    if logits is None or labels is None:
        raise Unsupported("it takes logits and labels")
    several = isinstance(logits[0][0][0], list)
    measure = Perplexity(ignore_index=ignored_label)
    for scores, wanted in zip(logits, labels, strict=True) if several else [(logits, labels)]:
        measure.update(torch.tensor(scores, dtype=torch.float64), torch.tensor(wanted))
    return measure.compute().item()
