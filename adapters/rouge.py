# /// script
# requires-python = ">=3.10"
# dependencies = ["rouge==1.0.1"]
# ///
"""rouge (https://github.com/pltrdy/rouge): ROUGE-N and ROUGE-L of sets of words and n-grams."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from rouge import Rouge

from conformance import Adapter, Unsupported

adapter = Adapter("rouge", version=version("rouge"), homepage="https://github.com/pltrdy/rouge", licence="Apache-2.0")

COMPONENTS = ["f1", "f_beta", "recall", "precision"]


def scored(kind: str, hypotheses: Sequence[str], references: Sequence[Sequence[str]], **how: Any) -> dict[str, float]:
    """The means of recall, precision and F over the pairs."""
    if any(isinstance(several, str) or len(several) != 1 for several in references):
        raise Unsupported("rouge takes one reference for each segment")
    pairs = list(hypotheses), [several[0] for several in references]
    found = Rouge(metrics=[kind], **how).get_scores(*pairs, avg=True)[kind]
    return {"f1": found["f"], "f_beta": found["f"], "recall": found["r"], "precision": found["p"]}


@adapter.metric(
    "rouge-n",
    references="one",
    components=COMPONENTS,
    accepts={"order": range(1, 6), "counting": {"set", "multiset"}},
    defaults={"order": 1, "counting": "set"},
    fixes={"beta": 1, "aggregation": "mean", "multi_reference": "best-f1", "empty": "error", "stemming": "none"},
)
def rouge_n(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], order: int = 1, counting: str | None = None
) -> dict[str, float]:
    how = {} if counting is None else {"exclusive": counting == "set"}
    return scored(f"rouge-{order}", hypotheses, references, **how)


@adapter.metric(
    "rouge-l",
    references="one",
    components=COMPONENTS,
    fixes={
        "beta": 1,
        "beta_rule": "given",
        "aggregation": "mean",
        "multi_reference": "best-f1",
        "empty": "error",
        "stemming": "none",
    },
)
def rouge_l(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
    return scored("rouge-l", hypotheses, references)
