# /// script
# requires-python = ">=3.10"
# dependencies = ["transformers==4.57.1"]
# ///
"""Transformers' SQuAD metrics (transformers.data.metrics.squad_metrics): the code of the SQuAD 2.0 script as a library."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.metadata import version
from statistics import fmean
from types import SimpleNamespace

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")  # it advises to install PyTorch, which no metric here needs

from transformers.data.metrics.squad_metrics import get_raw_scores, normalize_answer

from conformance import Adapter

adapter = Adapter(
    "transformers",
    version=version("transformers"),
    homepage="https://github.com/huggingface/transformers",
    licence="Apache-2.0",
)


def scores(hypotheses: Sequence[str | None], references: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Exact match and F1, each a mean over questions; the answers are a question's references. None is no prediction."""
    examples = [
        SimpleNamespace(qas_id=str(place), answers=[{"text": each} for each in several])
        for place, several in enumerate(references)
    ]
    predictions = {str(place): each for place, each in enumerate(hypotheses) if each is not None}
    exact, f1 = get_raw_scores(examples, predictions)
    return fmean(exact.values()), fmean(f1.values())


@adapter.metric("exact-match", fixes={"normalizer": "squad", "multi_reference": "any", "no_references": "empty-text"})
def exact_match(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return scores(hypotheses, references)[0]


@adapter.metric(
    "token-overlap",
    components=["f1"],
    fixes={
        "normalizer": "squad",
        "counting": "multiset",
        "order": 1,
        "tokenizer": "whitespace",
        "multi_reference": "best",
        "aggregation": "mean",
        "empty": "one-if-both",
        "no_match_f": "zero",
    },
)
def token_overlap(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
    return {"f1": scores(hypotheses, references)[1]}


@adapter.metric("squad-normalize")
def squad_normalize(text: str) -> str:
    normalized: str = normalize_answer(text)
    return normalized
