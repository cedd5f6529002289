# /// script
# requires-python = ">=3.10"
# dependencies = ["regex>=2023.10.3"]
# ///
"""The suite's own executable definitions, plugged in like any other implementation."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import conformance
from conformance import Adapter
from conformance.adapter import Step
from conformance.reference import bleu, derivations, edit, error_rates, overlap, text, tokenizers

adapter = Adapter("reference", version=conformance.__version__, licence="MIT")

METRICS: dict[str, Callable[..., dict[str, Any]]] = {
    "exact-match": overlap.exact_match,
    "token-overlap": overlap.token_overlap,
    "jaccard": overlap.jaccard,
    "dice": overlap.dice,
    "levenshtein": edit.levenshtein,
    "damerau-levenshtein": edit.damerau_levenshtein,
    "lcs-length": edit.lcs_length,
    "wer": error_rates.wer,
    "cer": error_rates.cer,
    "mer": error_rates.mer,
    "wil": error_rates.wil,
    "wip": error_rates.wip,
    "bleu": bleu.bleu,
    "squad-normalize": text.squad_normalize,
    "tokenize": tokenizers.tokenize,
    "ngrams": text.ngrams,
}

DERIVATIONS: dict[str, Callable[..., derivations.Lines]] = {
    "exact-match": derivations.exact_match,
    "token-overlap": derivations.token_overlap,
    "jaccard": derivations.jaccard,
    "dice": derivations.dice,
    "levenshtein": derivations.levenshtein,
    "damerau-levenshtein": derivations.damerau_levenshtein,
    "lcs-length": derivations.lcs_length,
    "wer": derivations.wer,
    "cer": derivations.cer,
    "mer": derivations.mer,
    "wil": derivations.wil,
    "wip": derivations.wip,
    "bleu": derivations.bleu,
}


def settable(function: Callable[..., Any]) -> dict[str, None]:
    """The function's parameters, each with any value: all its keyword arguments."""
    parameters = inspect.signature(function).parameters.values()
    return {each.name: None for each in parameters if each.kind is each.KEYWORD_ONLY}


def as_steps(function: Callable[..., derivations.Lines]) -> Callable[..., list[Step]]:
    """A derivation as the adapter's steps."""

    def steps(*arguments: Any, **parameters: Any) -> list[Step]:
        return [Step(*line) for line in function(*arguments, **parameters)]

    return steps


for name, function in METRICS.items():
    adapter.metric(name, input="either", accepts=settable(function))(function)
for name, shown in DERIVATIONS.items():
    adapter.derivation(name)(as_steps(shown))
