# /// script
# requires-python = ">=3.10"
# dependencies = ["py-rouge==1.1", "nltk==3.10.0", "setuptools==75.8.0"]
#
# [tool.conformance]
# without-dependencies = ["llama-index-core==0.14.25"]  # carries NLTK's punkt_tab
# ///
"""py-rouge (https://github.com/Diego999/py-rouge): ROUGE-N, ROUGE-L and ROUGE-W, made to give ROUGE-1.5.5's numbers."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import nltk

from conformance import Adapter, Missing
from conformance.carried import nltk_data

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # pkg_resources, by which it finds its list of exceptions, is deprecated
    from rouge import Rouge

nltk.data.path += nltk_data()
try:
    nltk.data.find("tokenizers/punkt_tab/english")
except LookupError:
    raise Missing(
        "it needs NLTK's punkt_tab: conformance run py-rouge@pinned, or python -m nltk.downloader punkt_tab"
    ) from None

adapter = Adapter(
    "py-rouge", version=version("py-rouge"), homepage="https://github.com/Diego999/py-rouge", licence="Apache-2.0"
)

COMPONENTS = ["f1", "f_beta", "recall", "precision"]
ACCEPTS: dict[str, Any] = {
    "beta": None,
    "multi_reference": {"pooled", "best-recall"},
    "stemming": {"none", "porter"},
}
DEFAULTS: dict[str, Any] = {"beta": 1, "multi_reference": "pooled", "stemming": "porter"}
RULES: dict[str, Any] = {
    "accepts": {"beta_rule": {"given", "infinite"}, **ACCEPTS},
    "defaults": {"beta_rule": "given", **DEFAULTS},
}
FIXED = {"aggregation": "mean", "empty": "zero", "tokenizer": "rouge-score"}

Texts = Sequence[str]
References = Sequence[Sequence[str]]


def scored(
    kind: str, hypotheses: Texts, references: References, parameters: dict[str, Any], **how: Any
) -> dict[str, float]:
    """One measure; F twice where it is to be weighed. Texts are cut at 665 characters, for so is its default."""
    if "multi_reference" in parameters:
        best = parameters["multi_reference"] == "best-recall"
        how.update(apply_avg=not best, apply_best=best)
    if "stemming" in parameters:
        how["stemming"] = parameters["stemming"] == "porter"

    def asked(**weight: float) -> dict[str, float]:
        metrics = ["rouge-n" if kind[-1].isdigit() else kind]
        found: dict[str, float] = Rouge(metrics=metrics, **how, **weight).get_scores(hypotheses, references)[kind]
        return found

    plain = weighed = asked()
    if parameters.get("beta_rule") == "infinite":
        weighed = asked(alpha=0)
    elif "beta" in parameters:
        weighed = asked(alpha=1 / (1 + parameters["beta"] ** 2))
    return {"f1": plain["f"], "f_beta": weighed["f"], "recall": plain["r"], "precision": plain["p"]}


@adapter.metric(
    "rouge-n",
    components=COMPONENTS,
    accepts={"order": range(1, 101), **ACCEPTS},
    defaults={"order": 1, **DEFAULTS},
    fixes={"counting": "multiset", **FIXED},
)
def rouge_n(hypotheses: Texts, references: References, order: int = 1, **parameters: Any) -> dict[str, float]:
    return scored(f"rouge-{order}", hypotheses, references, parameters, max_n=order)


@adapter.metric(
    "rouge-lsum",
    components=COMPONENTS,
    **RULES,
    fixes={"sentences": "newline", "clipping": "hypothesis", "tie": "drop-reference", **FIXED},
)
def rouge_lsum(hypotheses: Texts, references: References, **parameters: Any) -> dict[str, float]:
    return scored("rouge-l", hypotheses, references, parameters)


@adapter.metric("rouge-l", components=COMPONENTS, **RULES, fixes=FIXED)
def rouge_l(hypotheses: Texts, references: References, **parameters: Any) -> dict[str, float]:
    """It parts sentences at line ends alone, so that a text without them is one sequence."""
    lines = [" ".join(each.split("\n")) for each in hypotheses]
    several = [[" ".join(each.split("\n")) for each in segment] for segment in references]
    return scored("rouge-l", lines, several, parameters)


@adapter.metric(
    "rouge-w",
    components=COMPONENTS,
    accepts={"weight": None, **RULES["accepts"]},
    defaults={"weight": 1, **RULES["defaults"]},
    fixes={"runs": "reference-only", "reference_total": "twice", **FIXED},
)
def rouge_w(
    hypotheses: Texts, references: References, weight: float | None = None, **parameters: Any
) -> dict[str, float]:
    how = {} if weight is None else {"weight_factor": float(weight)}
    return scored("rouge-w", hypotheses, references, parameters, **how)
