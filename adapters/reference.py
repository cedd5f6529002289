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
from conformance.reference import bleu, derivations, edit, error_rates, overlap, text

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
    "tokenize": text.tokenize,
    "ngrams": overlap.ngrams,
}


def _derived(function: Callable[..., derivations.Lines]) -> Callable[..., list[Step]]:
    def steps(*arguments: Any, **parameters: Any) -> list[Step]:
        return [Step(*line) for line in function(*arguments, **parameters)]

    return steps


for name, function in METRICS.items():
    settable = [each.name for each in inspect.signature(function).parameters.values() if each.kind is each.KEYWORD_ONLY]
    adapter.metric(name, input="either", accepts=dict.fromkeys(settable))(function)
    shown = getattr(derivations, name.replace("-", "_"), None)
    if shown is not None:
        adapter.derivation(name)(_derived(shown))
