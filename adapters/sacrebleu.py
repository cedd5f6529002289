# /// script
# requires-python = ">=3.10"
# dependencies = ["sacrebleu[ja]==2.6.0"]
# ///
"""sacreBLEU (https://github.com/mjpost/sacrebleu): BLEU, TER, and the tokenizers of machine translation evaluation."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from importlib.metadata import version
from itertools import zip_longest
from typing import Any

from sacrebleu.metrics.base import Metric, Score
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.ter import TER

from conformance import Adapter

# sacreBLEU advises on every single segment that is scored without effective order; that is no answer.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)

TOKENIZERS = {
    "whitespace": "none",
    "13a": "13a",
    "intl": "intl",
    "char": "char",
    "zh": "zh",
    "ja-mecab": "ja-mecab",
}
ARGUMENTS = {
    "max_order": "max_ngram_order",
    "smoothing": "smooth_method",
    "smoothing_value": "smooth_value",
    "effective_order": "effective_order",
    "tokenizer": "tokenize",
    "lowercase": "lowercase",
}
VALUES: dict[str, dict[Any, Any]] = {"tokenizer": TOKENIZERS, "smoothing_value": {"standard": None}}

adapter = Adapter(
    "sacrebleu", version=version("sacrebleu"), homepage="https://github.com/mjpost/sacrebleu", licence="Apache-2.0"
)


def configured(parameters: dict[str, Any]) -> BLEU:
    """A BLEU object with the given parameters and its own defaults for all others."""
    arguments = {ARGUMENTS[name]: VALUES.get(name, {}).get(value, value) for name, value in parameters.items()}
    return BLEU(force=True, **arguments)


def scored(metric: Metric, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> Any:
    """The score of a corpus whose references are listed by segment; sacreBLEU takes them by stream.

    Strings in place of lists of references are handed on as they stand.
    """
    score: Score
    if len(hypotheses) == len(references) == 1:
        score = metric.sentence_score(hypotheses[0], references[0])  # type: ignore[arg-type]
    elif any(isinstance(segment, str) for segment in references):
        score = metric.corpus_score(hypotheses, references)  # type: ignore[arg-type]
    else:
        streams = [list(stream) for stream in zip_longest(*references)]
        score = metric.corpus_score(hypotheses, streams)  # type: ignore[arg-type]
    return score


@adapter.metric(
    "bleu",
    scale={"score": 100, "precisions": 100},
    accepts={
        "max_order": None,
        "smoothing": {"none", "floor", "add-k", "exp"},
        "smoothing_value": None,
        "effective_order": {True, False},
        "tokenizer": set(TOKENIZERS),
        "lowercase": {True, False},
    },
    defaults={
        "max_order": 4,
        "smoothing": "exp",
        "smoothing_value": "standard",
        "effective_order": False,
        "tokenizer": "13a",
        "lowercase": False,
    },
    fixes={
        "weights": [],
        "zero_before_smoothing": True,
        "reference_length": "closest",
        "reference_length_tie": "shorter",
        "denominator_floor": "none",
        "aggregation": "corpus",
        "empty_hypothesis": "zero",
        "no_cases": "error",
    },
)
def bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], **parameters: Any) -> dict[str, Any]:
    result = scored(configured(parameters), hypotheses, references)
    return {
        "score": result.score,
        "precisions": result.precisions,
        "brevity_penalty": result.bp,
        "matches": result.counts,
        "totals": result.totals,
        "hypothesis_length": result.sys_len,
        "reference_length": result.ref_len,
    }


@adapter.metric(
    "ter",
    scale={"rate": 100},
    components=["rate", "edits", "reference_length"],
    accepts={
        "lowercase": {True, False},
        "normalization": {"none", "tercom"},
        "no_punctuation": {True, False},
        "asian_support": {True, False},
    },
    defaults={"lowercase": True, "normalization": "none", "no_punctuation": False, "asian_support": False},
    fixes={
        "search": "greedy",
        "max_shift_size": 10,
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
def ter(hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], **parameters: Any) -> dict[str, Any]:
    arguments = {name: value for name, value in parameters.items() if name in ("no_punctuation", "asian_support")}
    if "no_punctuation" in arguments:
        arguments["no_punct"] = arguments.pop("no_punctuation")
    if "lowercase" in parameters:
        arguments["case_sensitive"] = not parameters["lowercase"]
    if "normalization" in parameters:
        arguments["normalized"] = parameters["normalization"] != "none"
    result = scored(TER(**arguments), hypotheses, references)
    return {"rate": result.score, "edits": result.num_edits, "reference_length": result.ref_length}


@adapter.metric(
    "tokenize",
    accepts={"tokenizer": set(TOKENIZERS), "lowercase": {True, False}},
    defaults={"tokenizer": "13a", "lowercase": False},
)
def tokenize(text: str, **parameters: Any) -> list[str]:
    # BLEU lower-cases and tokenizes a segment in this one method; no public one gives the tokens.
    return configured(parameters)._preprocess_segment(text).split()
