# /// script
# requires-python = ">=3.10"
# dependencies = ["pytorch-ignite==0.5.5", "torch==2.13.0"]
#
# [tool.conformance]
# environment = "torch"
# installer = "pip"
# ///
"""PyTorch-Ignite (https://github.com/pytorch/ignite): BLEU and ROUGE over tokens.

Precisions of BLEU are in single precision, so it is held to six decimals.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from ignite.metrics.nlp import Bleu
from ignite.metrics.nlp.rouge import RougeL, RougeN

from conformance import Adapter

SMOOTHING = {"none": "no_smooth", "chen-cherry-1": "smooth1", "chen-cherry-2": "smooth2"}

adapter = Adapter(
    "pytorch-ignite",
    version=version("pytorch-ignite"),
    homepage="https://github.com/pytorch/ignite",
    licence="BSD-3-Clause",
)


def present(references: Sequence[Any]) -> list[Any]:
    """The references of each segment without those that are missing; what is no list is handed on as it stands."""
    return [
        [each for each in several if each is not None] if isinstance(several, list) else several
        for several in references
    ]


@adapter.metric(
    "bleu",
    input="tokens",
    components=["score"],
    decimals=6,
    accepts={"max_order": None, "smoothing": set(SMOOTHING), "aggregation": {"mean", "corpus"}},
    defaults={"max_order": 4, "smoothing": "none", "aggregation": "mean"},
    fixes={
        "weights": [],
        "smoothing_value": "standard",
        "effective_order": False,
        "zero_before_smoothing": True,
        "reference_length": "closest",
        "reference_length_tie": "shorter",
        "denominator_floor": "none",
        "empty_hypothesis": "zero",
        "no_cases": "error",
    },
)
def bleu(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str] | None]], **parameters: Any
) -> float:
    arguments: dict[str, Any] = {}
    if "max_order" in parameters:
        arguments["ngram"] = parameters["max_order"]
    if "smoothing" in parameters:
        arguments["smooth"] = SMOOTHING.get(parameters["smoothing"], parameters["smoothing"])
    if "aggregation" in parameters:
        arguments["average"] = "macro" if parameters["aggregation"] == "mean" else "micro"
    measure = Bleu(**arguments)
    measure.update((hypotheses, present(references)))
    return float(measure.compute())


def scored(
    kind: Any, hypotheses: Sequence[Any], references: Sequence[Any], parameters: dict[str, Any]
) -> dict[str, float]:
    """Recall, precision and F: with the beta of the request as its alpha, which is recall alone by default; and F1."""
    arguments: dict[str, Any] = {}
    if "multi_reference" in parameters:
        arguments["multiref"] = "best" if parameters["multi_reference"] == "best-recall" else "average"
    weight = {"alpha": 1 / (1 + parameters["beta"] ** 2)} if "beta" in parameters else {}
    answers = []
    for each in (weight, {"alpha": 0.5}):
        measure = kind(**arguments, **each)
        measure.update((hypotheses, present(references)))
        answers.append({name[-1]: value for name, value in measure.compute().items()})
    own, even = answers
    return {"recall": own["R"], "precision": own["P"], "f_beta": own["F"], "f1": even["F"]}


SCORES = ["f1", "recall", "precision", "f_beta"]
WAYS: dict[str, Any] = {"beta": None, "multi_reference": {"pooled", "best-recall"}}
FIXED: dict[str, Any] = {"aggregation": "mean", "empty": "zero", "stemming": "none"}


@adapter.metric(
    "rouge-n",
    input="tokens",
    components=SCORES,
    accepts={"order": None, **WAYS},
    defaults={"order": 4, "multi_reference": "pooled"},
    fixes=FIXED,
)
def rouge_n(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Any], order: int | None = None, **parameters: Any
) -> dict[str, float]:
    def kind(**arguments: Any) -> RougeN:
        return RougeN(**arguments) if order is None else RougeN(ngram=order, **arguments)

    return scored(kind, hypotheses, references, parameters)


@adapter.metric(
    "rouge-l",
    input="tokens",
    components=SCORES,
    accepts={**WAYS, "beta_rule": {"given", "infinite"}},
    defaults={"multi_reference": "pooled", "beta_rule": "infinite"},
    fixes=FIXED,
)
def rouge_l(hypotheses: Sequence[Sequence[str]], references: Sequence[Any], **parameters: Any) -> dict[str, float]:
    if parameters.pop("beta_rule", "infinite") == "infinite":
        parameters.pop("beta", None)
    else:
        parameters.setdefault("beta", 1)
    return scored(RougeL, hypotheses, references, parameters)
