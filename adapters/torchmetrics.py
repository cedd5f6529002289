# /// script
# requires-python = ">=3.11"
# dependencies = ["torchmetrics==1.9.0", "torch==2.13.0", "nltk==3.10.0", "regex==2026.11.19", "mecab-python3==1.0.12", "ipadic==1.0.0"]
#
# [tool.conformance]
# environment = "torch"
# installer = "pip"
# ///
"""TorchMetrics (https://github.com/Lightning-AI/torchmetrics): its text metrics that need no model.

It answers in single precision, so its values are held to six decimals. ROUGE-Lsum needs NLTK's punkt_tab.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import nltk
import torch
from torchmetrics.functional import text as functional
from torchmetrics.functional.text.squad import squad
from torchmetrics.text import Perplexity

from conformance import Adapter, Unsupported
from conformance.adapter import single

SINGLE = 6
"""How many decimals single precision keeps of a value up to one."""
TOKENIZERS = {
    "whitespace": "none",
    "13a": "13a",
    "intl": "intl",
    "char": "char",
    "zh": "zh",
    "ja-mecab": "ja-mecab",
}

adapter = Adapter(
    "torchmetrics",
    version=version("torchmetrics"),
    homepage="https://github.com/Lightning-AI/torchmetrics",
    licence="Apache-2.0",
)


def present(references: Sequence[Any]) -> list[Any]:
    """The references of each segment without those that are missing; what is no list is handed on as it stands."""
    return [
        [each for each in several if each is not None] if isinstance(several, list) else several
        for several in references
    ]


@adapter.metric(
    "bleu",
    components=["score"],
    decimals=SINGLE,
    accepts={
        "max_order": None,
        "weights": None,
        "smoothing": {"none", "chen-cherry-2"},
        "tokenizer": set(TOKENIZERS),
        "lowercase": {True, False},
    },
    defaults={"max_order": 4, "weights": [], "smoothing": "none", "tokenizer": "whitespace", "lowercase": False},
    fixes={
        "smoothing_value": "standard",
        "effective_order": False,
        "zero_before_smoothing": True,
        "reference_length": "closest",
        "reference_length_tie": "first",
        "denominator_floor": "none",
        "aggregation": "corpus",
        "empty_hypothesis": "zero",
        "no_cases": "zero",
    },
)
def bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], **parameters: Any) -> float:
    """Its BLEUScore; and its SacreBLEUScore, the same formula, as soon as a tokenizer or the case is set."""
    arguments: dict[str, Any] = {}
    if "max_order" in parameters:
        arguments["n_gram"] = parameters["max_order"]
    if parameters.get("weights"):
        arguments["weights"] = parameters["weights"]
        arguments.setdefault("n_gram", len(parameters["weights"]))
    if "smoothing" in parameters:
        if parameters["smoothing"] not in ("none", "chen-cherry-2"):
            raise Unsupported("its smoothing is on or off")
        arguments["smooth"] = parameters["smoothing"] != "none"
    if "tokenizer" not in parameters and "lowercase" not in parameters:
        return functional.bleu_score(hypotheses, present(references), **arguments).item()
    tokenizer = TOKENIZERS[parameters.get("tokenizer", "whitespace")]
    lowercase = parameters.get("lowercase", False)
    return functional.sacre_bleu_score(
        hypotheses, present(references), tokenize=tokenizer, lowercase=lowercase, **arguments
    ).item()


@adapter.metric(
    "chrf",
    components=["score"],
    decimals=SINGLE,
    accepts={
        "char_order": None,
        "word_order": None,
        "beta": None,
        "lowercase": {True, False},
        "whitespace": {"spaces-removed", "kept"},
    },
    defaults={"char_order": 6, "word_order": 2, "beta": 2, "lowercase": False, "whitespace": "spaces-removed"},
    fixes={
        "min_char_order": 1,
        "average": "f",
        "missing_orders": "zero",
        "both_empty": "no-match",
        "word_tokenizer": "one-mark-apart",
        "unit": "code-point",
        "unicode_form": "none",
        "reference_tie": "first",
        "aggregation": "corpus",
        "orders_without_reference": "counted",
        "no_cases": "zero",
    },
)
def chrf(hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], **parameters: Any) -> float:
    names = {"char_order": "n_char_order", "word_order": "n_word_order"}
    arguments = {names.get(name, name): value for name, value in parameters.items()}
    if "whitespace" in arguments:
        arguments["whitespace"] = arguments["whitespace"] == "kept"
    return functional.chrf_score(hypotheses, present(references), **arguments).item()


@adapter.metric(
    "ter",
    components=["rate"],
    decimals=SINGLE,
    accepts={
        "lowercase": {True, False},
        "normalization": {"none", "tercom"},
        "no_punctuation": {True, False},
        "asian_support": {True, False},
    },
    defaults={"lowercase": True, "normalization": "none", "no_punctuation": False, "asian_support": False},
    fixes={
        "search": "greedy",
        "max_shift_size": 9,
        "max_shift_distance": 50,
        "shift_distance": "position",
        "overlapping_shift": "one-too-far",
        "candidate_limit": "thousand",
        "beam": "diagonal",
        "beam_width": 25,
        "aggregation": "pooled",
        "multi_reference": "mean-length",
        "empty_reference": "one",
        "tokenizer": "whitespace",
    },
)
def ter(hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], **parameters: Any) -> float:
    if "normalization" in parameters:
        parameters["normalize"] = parameters.pop("normalization") != "none"
    return functional.translation_edit_rate(hypotheses, present(references), **parameters).item()


RATE: dict[str, Any] = {"components": ["rate"], "references": "one", "decimals": SINGLE}
POOLED = {"tokenizer": "whitespace", "transforms": []}


@adapter.metric(
    "wer",
    **RATE,
    fixes={"alignment": "unit", "aggregation": "pooled", "empty_reference": "infinity", **POOLED},
)
def wer(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return functional.word_error_rate(hypotheses, single(references)).item()


@adapter.metric(
    "cer",
    **RATE,
    fixes={
        "unit": "code-point",
        "unicode_form": "none",
        "spaces": "counted",
        "strip": False,
        "transforms": [],
        "aggregation": "pooled",
        "empty_reference": "infinity",
    },
)
def cer(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return functional.char_error_rate(hypotheses, single(references)).item()


@adapter.metric("mer", **RATE, fixes={"empty": "undefined", **POOLED})
def mer(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return functional.match_error_rate(hypotheses, single(references)).item()


@adapter.metric("wil", **RATE, fixes={"empty": "undefined", **POOLED})
def wil(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return functional.word_information_lost(hypotheses, single(references)).item()


@adapter.metric("wip", **RATE, fixes={"empty": "undefined", **POOLED})
def wip(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return functional.word_information_preserved(hypotheses, single(references)).item()


@adapter.metric(
    "levenshtein",
    components=["distance"],
    corpus=False,
    references="one",
    accepts={"substitution_cost": {1, 2}},
    defaults={"substitution_cost": 1},
    fixes={"unit": "character"},
)
def levenshtein(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: int) -> int:
    return functional.edit_distance(hypotheses, single(references), reduction="sum", **parameters).item()


WORDS: dict[str, Any] = {
    "tokenizer": {"rouge-score", "whitespace"},
    "stemming": {"none", "porter-nltk"},
    "multi_reference": {"best-f1", "mean"},
}
DEFAULTS = {"tokenizer": "rouge-score", "stemming": "none", "multi_reference": "best-f1"}
FIXED: dict[str, Any] = {"beta": 1, "aggregation": "mean", "empty": "zero"}
SCORES = ["f1", "recall", "precision", "f_beta"]


def rouge(
    kind: str, hypotheses: Sequence[str], references: Sequence[Sequence[str]], parameters: dict[str, Any]
) -> dict[str, float]:
    """Recall, precision and F1, and F1 once more under the name that it has where beta is one."""
    arguments: dict[str, Any] = {}
    if parameters.get("tokenizer") == "whitespace":
        arguments |= {"normalizer": str, "tokenizer": str.split}
    if "stemming" in parameters:
        arguments["use_stemmer"] = parameters["stemming"] != "none"
    if "multi_reference" in parameters:
        arguments["accumulate"] = "avg" if parameters["multi_reference"] == "mean" else "best"
    found = functional.rouge_score(hypotheses, present(references), rouge_keys=kind, **arguments)
    f1 = found[f"{kind}_fmeasure"].item()
    return {
        "f1": f1,
        "f_beta": f1,
        "recall": found[f"{kind}_recall"].item(),
        "precision": found[f"{kind}_precision"].item(),
    }


@adapter.metric(
    "rouge-n",
    components=SCORES,
    decimals=SINGLE,
    accepts={"order": None, **WORDS},
    defaults={"order": 1, **DEFAULTS},
    fixes=FIXED,
)
def rouge_n(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], order: int = 1, **parameters: Any
) -> dict[str, float]:
    return rouge(f"rouge{order}", hypotheses, references, parameters)


@adapter.metric(
    "rouge-l",
    components=SCORES,
    decimals=SINGLE,
    accepts=WORDS,
    defaults=DEFAULTS,
    fixes={"beta_rule": "given", **FIXED},
)
def rouge_l(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, float]:
    return rouge("rougeL", hypotheses, references, parameters)


@adapter.metric(
    "rouge-lsum",
    components=SCORES,
    decimals=SINGLE,
    accepts=WORDS,
    defaults=DEFAULTS,
    fixes={
        "beta_rule": "given",
        "clipping": "hypothesis",
        "tie": "drop-reference",
        "sentences": "punkt",
        **FIXED,
    },
)
def rouge_lsum(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, float]:
    try:
        nltk.data.find("tokenizers/punkt_tab")
    except LookupError as error:  # TorchMetrics would try to download it for each text
        raise Unsupported("NLTK's punkt_tab is not installed: python -m nltk.downloader punkt_tab") from error
    return rouge("rougeLsum", hypotheses, references, parameters)


def answers(hypotheses: Sequence[str | None], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """Exact match and F1 as its SQuAD gives them, both in percent; None is no prediction."""
    predictions = [
        {"id": str(place), "prediction_text": each} for place, each in enumerate(hypotheses) if each is not None
    ]
    targets = [{"id": str(place), "answers": {"text": several}} for place, several in enumerate(references)]
    return {name: value.item() for name, value in squad(predictions, targets).items()}


@adapter.metric(
    "exact-match",
    scale=100,
    decimals=SINGLE - 2,
    fixes={"normalizer": "squad", "multi_reference": "any", "no_references": "error"},
)
def exact_match(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return answers(hypotheses, references)["exact_match"]


@adapter.metric(
    "token-overlap",
    components=["f1"],
    scale={"f1": 100},
    decimals=SINGLE - 2,
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
    return {"f1": answers(hypotheses, references)["f1"]}


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
    measure = Perplexity(ignore_index=ignored_label).set_dtype(torch.float64)
    for scores, wanted in zip(logits, labels, strict=True) if several else [(logits, labels)]:
        measure.update(torch.tensor(scores, dtype=torch.float64), torch.tensor(wanted))
    return measure.compute().item()
