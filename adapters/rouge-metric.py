# /// script
# requires-python = ">=3.10"
# dependencies = ["rouge-metric==1.0.1"]
# ///
"""rouge-metric (https://github.com/li-plus/rouge-metric): its own Python code, made to give ROUGE-1.5.5's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from rouge_metric import PyRouge

from conformance import Adapter

adapter = Adapter(
    "rouge-metric", version=version("rouge-metric"), homepage="https://github.com/li-plus/rouge-metric", licence="MIT"
)

COMPONENTS = ["f1", "f_beta", "recall", "precision"]
MODES = {"pooled": "average", "best-recall": "best"}
ACCEPTS: dict[str, Any] = {"beta": None, "multi_reference": set(MODES)}
DEFAULTS: dict[str, Any] = {"beta": 1, "multi_reference": "pooled"}
FIXED: dict[str, Any] = {"aggregation": "mean", "empty": "zero", "stemming": "none"}
RULES: dict[str, Any] = {
    "accepts": {"beta_rule": {"given", "infinite"}, **ACCEPTS},
    "defaults": {"beta_rule": "given", **DEFAULTS},
}

Texts = Sequence[str]
References = Sequence[Sequence[str]]


def whole(text: str) -> list[str]:
    """A text as one sentence, whatever its lines."""
    return [text]


def scored(
    hypotheses: Texts, references: References, wanted: dict[str, Any], parameters: dict[str, Any], **how: Any
) -> dict[str, float]:
    """The one measure that is wanted; F twice where it is to be weighed, for a scorer has one alpha."""
    if "multi_reference" in parameters:
        wanted = {**wanted, "multi_ref_mode": MODES[parameters["multi_reference"]]}
    none: dict[str, Any] = {"rouge_n": (), "rouge_l": False}

    def asked(**weight: float) -> dict[str, float]:
        (found,) = PyRouge(**{**none, **wanted, **weight}).evaluate(hypotheses, references, **how).values()
        return dict(found)

    plain = weighed = asked()
    if parameters.get("beta_rule") == "infinite":
        weighed = asked(alpha=0)
    elif "beta" in parameters:
        weighed = asked(alpha=1 / (1 + parameters["beta"] ** 2))
    return {"f1": plain["f"], "f_beta": weighed["f"], "recall": plain["r"], "precision": plain["p"]}


@adapter.metric(
    "rouge-n",
    components=COMPONENTS,
    accepts={"order": None, **ACCEPTS},
    defaults={"order": 1, **DEFAULTS},
    fixes={"counting": "multiset", **FIXED},
)
def rouge_n(hypotheses: Texts, references: References, order: int = 1, **parameters: Any) -> dict[str, float]:
    return scored(hypotheses, references, {"rouge_n": [order]}, parameters)


@adapter.metric("rouge-l", components=COMPONENTS, **RULES, fixes=FIXED)
def rouge_l(hypotheses: Texts, references: References, **parameters: Any) -> dict[str, float]:
    return scored(hypotheses, references, {"rouge_l": True}, parameters, sentencizer=whole)


@adapter.metric(
    "rouge-lsum",
    components=COMPONENTS,
    **RULES,
    fixes={"sentences": "newline", "clipping": "hypothesis", "tie": "drop-reference", **FIXED},
)
def rouge_lsum(hypotheses: Texts, references: References, **parameters: Any) -> dict[str, float]:
    return scored(hypotheses, references, {"rouge_l": True}, parameters)


@adapter.metric(
    "rouge-w",
    components=COMPONENTS,
    accepts={"weight": None, **RULES["accepts"]},
    defaults={"weight": 1.2, **RULES["defaults"]},
    fixes={"runs": "reference-only", "reference_total": "twice", **FIXED},
)
def rouge_w(
    hypotheses: Texts, references: References, weight: float | None = None, **parameters: Any
) -> dict[str, float]:
    wanted = {"rouge_w": True} if weight is None else {"rouge_w": True, "rouge_w_weight": weight}
    return scored(hypotheses, references, wanted, parameters)


def gap(max_gap: float | str | None) -> dict[str, Any]:
    """The words between the two of a pair; none given is any number of them."""
    return {} if max_gap is None else {"skip_gap": None if max_gap in ("unlimited", float("inf")) else int(max_gap)}


@adapter.metric(
    "rouge-s",
    components=COMPONENTS,
    accepts={"max_gap": None, **ACCEPTS},
    defaults={"max_gap": "unlimited", **DEFAULTS},
    fixes=FIXED,
)
def rouge_s(
    hypotheses: Texts, references: References, max_gap: float | str | None = None, **parameters: Any
) -> dict[str, float]:
    return scored(hypotheses, references, {"rouge_s": True, **gap(max_gap)}, parameters)


@adapter.metric(
    "rouge-su",
    components=COMPONENTS,
    accepts={"max_gap": None, **ACCEPTS},
    defaults={"max_gap": "unlimited", **DEFAULTS},
    fixes={"unigrams": "all-but-last", **FIXED},
)
def rouge_su(
    hypotheses: Texts, references: References, max_gap: float | str | None = None, **parameters: Any
) -> dict[str, float]:
    return scored(hypotheses, references, {"rouge_su": True, **gap(max_gap)}, parameters)
