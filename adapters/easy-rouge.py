# /// script
# requires-python = ">=3.10"
# dependencies = ["easy-rouge==0.2.2"]
# ///
"""easy-rouge (https://pypi.org/project/easy-rouge/): ROUGE-N, ROUGE-L and ROUGE-W of given words."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import rouge

from conformance import Adapter, Unsupported

adapter = Adapter(
    "easy-rouge", version=version("easy-rouge"), homepage="https://pypi.org/project/easy-rouge/", licence="MIT"
)

COMPONENTS = ["f1", "f_beta", "recall", "precision"]
ONE_PAIR: dict[str, Any] = {"corpus": False, "references": "one", "components": COMPONENTS}
FIXED: dict[str, Any] = {"multi_reference": "best-f1", "empty": "zero", "stemming": "none"}
BETA: dict[str, Any] = {
    "accepts": {"beta": None, "beta_rule": {"given", "infinite"}},
    "defaults": {"beta": 1, "beta_rule": "given"},
}

Words = Sequence[str]


def pair(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]]) -> tuple[Any, Any]:
    """The one hypothesis and its one reference."""
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("easy-rouge compares one pair of texts")
    return hypotheses[0], references[0][0]


def scored(function: Any, *arguments: Any, beta: float | None = None, beta_rule: str = "given") -> dict[str, float]:
    """Recall, precision and F1, and F by the weight alpha = 1 / (1 + beta^2) where one is asked for."""
    plain = weighed = function(*arguments)
    if beta_rule == "infinite":
        weighed = function(*arguments, alpha=0)
    elif beta is not None:
        weighed = function(*arguments, alpha=1 / (1 + beta**2))
    scores = {"f1": plain.f1_measure, "f_beta": weighed.f1_measure}
    return {**scores, "recall": plain.recall, "precision": plain.precision}


@adapter.metric(
    "rouge-n",
    input="tokens",
    **ONE_PAIR,
    accepts={"order": None, "beta": None},
    defaults={"order": 1, "beta": 1},
    fixes={"counting": "multiset", **FIXED},
)
def rouge_n(
    hypotheses: Sequence[Words], references: Sequence[Sequence[Words]], order: int = 1, **parameters: Any
) -> dict[str, float]:
    return scored(rouge.rouge_n_sentence_level, *pair(hypotheses, references), order, **parameters)


@adapter.metric("rouge-l", input="tokens", **ONE_PAIR, **BETA, fixes=FIXED)
def rouge_l(hypotheses: Sequence[Words], references: Sequence[Sequence[Words]], **parameters: Any) -> dict[str, float]:
    return scored(rouge.rouge_l_sentence_level, *pair(hypotheses, references), **parameters)


@adapter.metric(
    "rouge-lsum",
    **ONE_PAIR,
    **BETA,
    fixes={
        "sentences": "newline",
        "clipping": "hypothesis",
        "tie": "drop-reference",
        "tokenizer": "whitespace",
        **FIXED,
    },
)
def rouge_lsum(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, float]:
    both = [[line.split() for line in text.split("\n")] for text in pair(hypotheses, references)]
    return scored(rouge.rouge_l_summary_level, *both, **parameters)


@adapter.metric(
    "rouge-w",
    **ONE_PAIR,
    accepts={"weight": None, **BETA["accepts"]},
    defaults={"weight": 1.2, **BETA["defaults"]},
    fixes={"runs": "reference-only", "reference_total": "twice", "tokenizer": "whitespace", **FIXED},
)
def rouge_w(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    weight: float | None = None,
    **parameters: Any,
) -> dict[str, float]:
    both = [[line.split() for line in text.split("\n")] for text in pair(hypotheses, references)]
    return scored(rouge.rouge_w_summary_level, *both, weight, **parameters)
