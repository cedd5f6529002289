# /// script
# requires-python = ">=3.10"
# dependencies = ["rouge-rust==0.1.12"]
# ///
"""rouge-rust (https://github.com/kyle-mirich/rouge-rust): ROUGE-1, ROUGE-2 and ROUGE-L in Rust."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from fast_rouge import score

from conformance import Adapter, Unsupported

adapter = Adapter(
    "rouge-rust", version=version("rouge-rust"), homepage="https://github.com/kyle-mirich/rouge-rust", licence="MIT"
)

ONE_PAIR: dict[str, Any] = {
    "corpus": False,
    "references": "one",
    "components": ["f1", "f_beta", "recall", "precision"],
}
FIXED = {"beta": 1, "multi_reference": "best-f1", "empty": "zero", "tokenizer": "rouge-score", "stemming": "none"}


def scored(kind: str, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """Recall, precision and F1 of the one pair."""
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("rouge-rust compares one pair of texts")
    found = score(references[0][0], hypotheses[0])[kind]
    return {"f1": found.fmeasure, "f_beta": found.fmeasure, "recall": found.recall, "precision": found.precision}


@adapter.metric(
    "rouge-n", **ONE_PAIR, accepts={"order": {1, 2}}, defaults={"order": 1}, fixes={"counting": "multiset", **FIXED}
)
def rouge_n(hypotheses: Sequence[str], references: Sequence[Sequence[str]], order: int = 1) -> dict[str, float]:
    return scored(f"rouge{order}", hypotheses, references)


@adapter.metric("rouge-l", **ONE_PAIR, fixes={"beta_rule": "given", **FIXED})
def rouge_l(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
    return scored("rougeL", hypotheses, references)
