# /// script
# requires-python = ">=3.10"
# dependencies = ["sacrebleu==1.4.0"]
# ///
"""sacreBLEU before 2.0: functions of a corpus, without TER and without paired tests."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Sequence
from importlib.metadata import version
from statistics import fmean
from typing import Any

import sacrebleu

from conformance import Adapter, Unsupported

logging.getLogger("sacrebleu").setLevel(logging.ERROR)

RELEASE = version("sacrebleu")
adapter = Adapter("sacrebleu", version=RELEASE, homepage="https://github.com/mjpost/sacrebleu", licence="Apache-2.0")

SET = set(inspect.signature(sacrebleu.corpus_bleu).parameters)
TOKENIZERS = {"whitespace": "none", "13a": "13a", "intl": "intl", "zh": "zh"}
ARGUMENTS = {
    "smoothing": "smooth_method",
    "smoothing_value": "smooth_value",
    "effective_order": "use_effective_order",
    "tokenizer": "tokenize",
    "lowercase": "lowercase",
}
ACCEPTS: dict[str, Any] = {
    "smoothing": {"none", "floor", "add-k", "exp"},
    "smoothing_value": None,
    "effective_order": {True, False},
    "tokenizer": set(TOKENIZERS),
    "lowercase": {True, False},
}


def streams(references: Sequence[Sequence[str | None]]) -> list[list[str]]:
    """References by stream: every segment has as many."""
    if any(isinstance(segment, str) for segment in references):
        return references  # type: ignore[return-value]
    if len({len(segment) for segment in references}) > 1 or any(each is None for row in references for each in row):
        raise Unsupported("before 2.0 every segment has the same number of references")
    return [list(stream) for stream in zip(*references, strict=True)]  # type: ignore[arg-type]


@adapter.metric(
    "bleu",
    scale={"score": 100, "precisions": 100},
    accepts={
        **{name: values for name, values in ACCEPTS.items() if ARGUMENTS[name] in SET},
        "aggregation": {"corpus", "mean"},
    },
    defaults={
        "smoothing": "exp",
        "effective_order": False,
        "tokenizer": "13a",
        "lowercase": False,
        "aggregation": "corpus",
    },
    fixes={
        "max_order": 4,
        "weights": [],
        "reference_length": "closest",
        "reference_length_tie": "shorter",
        "denominator_floor": "none",
        "empty_hypothesis": "zero",
    },
)
def bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    aggregation: str = "corpus",
    **parameters: Any,
) -> dict[str, Any]:
    if parameters.get("smoothing_value") == "standard":
        del parameters["smoothing_value"]
    arguments = {ARGUMENTS[name]: value for name, value in parameters.items()}
    if "tokenize" in arguments:
        arguments["tokenize"] = TOKENIZERS[arguments["tokenize"]]
    if aggregation == "mean":
        scores = [
            sacrebleu.corpus_bleu([h], streams([r]), force=True, **arguments).score
            for h, r in zip(hypotheses, references, strict=True)
        ]
        return {"score": fmean(scores)}
    result = sacrebleu.corpus_bleu(hypotheses, streams(references), force=True, **arguments)
    return {
        "score": result.score,
        "precisions": result.precisions,
        "brevity_penalty": result.bp,
        "matches": result.counts,
        "totals": result.totals,
        "hypothesis_length": result.sys_len,
        "reference_length": result.ref_len,
    }


if hasattr(sacrebleu, "TOKENIZERS"):  # one module, until 1.4.2: its tokenizers are a table, chrF is a number

    @adapter.metric(
        "chrf",
        components=["score"],
        references="one",
        accepts={"char_order": None, "beta": None, "whitespace": {"removed", "kept"}},
        defaults={"char_order": 6, "beta": 2, "whitespace": "removed"},
        fixes={
            "min_char_order": 1,
            "word_order": 0,
            "average": "precision-and-recall",
            "missing_orders": "left-out",
            "both_empty": "no-match",
            "lowercase": False,
            "unit": "code-point",
            "unicode_form": "none",
            "aggregation": "corpus",
        },
    )
    def chrf(hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], **parameters: Any) -> float:
        names = {"char_order": "order", "beta": "beta", "whitespace": "remove_whitespace"}
        arguments = {names[name]: value for name, value in parameters.items()}
        if "remove_whitespace" in arguments:
            arguments["remove_whitespace"] = arguments["remove_whitespace"] == "removed"
        if any(isinstance(segment, str) for segment in references):
            raise Unsupported("before 2.0 the references of chrF are strings")
        score: float = sacrebleu.corpus_chrf(hypotheses, streams(references)[0], **arguments)
        return score

    @adapter.metric("tokenize", accepts={"tokenizer": set(TOKENIZERS)}, defaults={"tokenizer": "13a"})
    def tokenize(text: str, tokenizer: str = "13a") -> list[str]:
        words: str = sacrebleu.TOKENIZERS[TOKENIZERS[tokenizer]](text.rstrip())  # as corpus_bleu does
        return words.split()
