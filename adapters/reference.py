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
from conformance.reference import (
    bleu,
    chrf,
    cider,
    correlation,
    edit,
    error_rates,
    gec_gleu,
    google_gleu,
    meteor,
    multiple_testing,
    nist,
    overlap,
    paired_tests,
    perplexity,
    porter,
    resampling,
    ribes,
    rouge_l,
    rouge_n,
    rouge_skip,
    rouge_w,
    ter,
    text,
    transforms,
)
from conformance.reference.derivations import bleu as show_bleu
from conformance.reference.derivations import chrf as show_chrf
from conformance.reference.derivations import cider as show_cider
from conformance.reference.derivations import edit as show_edit
from conformance.reference.derivations import error_rates as show_error_rates
from conformance.reference.derivations import gec_gleu as show_gec_gleu
from conformance.reference.derivations import google_gleu as show_google_gleu
from conformance.reference.derivations import meteor as show_meteor
from conformance.reference.derivations import nist as show_nist
from conformance.reference.derivations import overlap as show_overlap
from conformance.reference.derivations import perplexity as show_perplexity
from conformance.reference.derivations import ribes as show_ribes
from conformance.reference.derivations import rouge_l as show_rouge_l
from conformance.reference.derivations import rouge_n as show_rouge_n
from conformance.reference.derivations import statistics as show_statistics
from conformance.reference.derivations import ter as show_ter
from conformance.reference.derivations import transforms as show_transforms
from conformance.reference.derivations.lines import Lines

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
    "gec-gleu": gec_gleu.gec_gleu,
    "perplexity": perplexity.perplexity,
    "sliding-windows": perplexity.sliding_windows,
    "bootstrap": resampling.bootstrap,
    "paired-bootstrap": paired_tests.paired_bootstrap,
    "approximate-randomization": paired_tests.approximate_randomization,
    "holm": multiple_testing.holm,
    "benjamini-hochberg": multiple_testing.benjamini_hochberg,
    "correlation": correlation.correlation,
    "porter-stem": porter.porter_stem,
    "ter": ter.ter,
    "meteor": meteor.meteor,
    "rouge-n": rouge_n.rouge_n,
    "rouge-s": rouge_skip.rouge_s,
    "rouge-su": rouge_skip.rouge_su,
    "rouge-l": rouge_l.rouge_l,
    "rouge-lsum": rouge_l.rouge_lsum,
    "rouge-w": rouge_w.rouge_w,
    "chrf": chrf.chrf,
    "google-gleu": google_gleu.google_gleu,
    "nist": nist.nist,
    "ribes": ribes.ribes,
    "cider": cider.cider,
    "cider-d": cider.cider_d,
    "tf-idf": cider.tf_idf,
    "squad-normalize": text.squad_normalize,
    "tokenize": transforms.tokenize,
    "unicode-form": transforms.unicode_form,
    "ngrams": text.ngrams,
}

DERIVATIONS: dict[str, Callable[..., Lines]] = {
    "exact-match": show_overlap.exact_match,
    "token-overlap": show_overlap.token_overlap,
    "jaccard": show_overlap.jaccard,
    "dice": show_overlap.dice,
    "levenshtein": show_edit.levenshtein,
    "damerau-levenshtein": show_edit.damerau_levenshtein,
    "lcs-length": show_edit.lcs_length,
    "wer": show_error_rates.wer,
    "cer": show_error_rates.cer,
    "mer": show_error_rates.mer,
    "wil": show_error_rates.wil,
    "wip": show_error_rates.wip,
    "bleu": show_bleu.bleu,
    "gec-gleu": show_gec_gleu.gec_gleu,
    "perplexity": show_perplexity.perplexity,
    "bootstrap": show_statistics.bootstrap,
    "paired-bootstrap": show_statistics.paired_bootstrap,
    "approximate-randomization": show_statistics.approximate_randomization,
    "holm": show_statistics.holm,
    "benjamini-hochberg": show_statistics.benjamini_hochberg,
    "correlation": show_statistics.correlation,
    "ter": show_ter.ter,
    "meteor": show_meteor.meteor,
    "rouge-l": show_rouge_l.rouge_l,
    "rouge-lsum": show_rouge_l.rouge_lsum,
    "rouge-w": show_rouge_l.rouge_w,
    "rouge-n": show_rouge_n.rouge_n,
    "rouge-s": show_rouge_n.rouge_s,
    "rouge-su": show_rouge_n.rouge_su,
    "chrf": show_chrf.chrf,
    "google-gleu": show_google_gleu.google_gleu,
    "nist": show_nist.nist,
    "ribes": show_ribes.ribes,
    "cider": show_cider.cider,
    "cider-d": show_cider.cider_d,
    "tf-idf": show_cider.tf_idf,
    "squad-normalize": show_transforms.squad_normalize,
    "porter-stem": show_transforms.porter_stem,
    "tokenize": show_transforms.tokenize,
    "unicode-form": show_transforms.unicode_form,
}


GIVEN: dict[str, tuple[str, ...]] = {
    "perplexity": ("probabilities", "log_probabilities", "logits", "labels"),
    "bootstrap": ("system", "hypotheses", "references", "indices", "clusters"),
    "paired-bootstrap": (
        "baseline",
        "system",
        "hypotheses",
        "baseline_hypotheses",
        "references",
        "indices",
        "baseline_indices",
        "clusters",
    ),
    "approximate-randomization": (
        "baseline",
        "system",
        "hypotheses",
        "baseline_hypotheses",
        "references",
        "swaps",
        "clusters",
    ),
    "meteor": ("synonyms", "stems", "function_words"),
    "nist": ("reference_corpus",),
    "cider": ("other_images",),
    "cider-d": ("other_images",),
}
"""The optional fields of the input that a metric takes, by keyword."""


def settable(name: str, function: Callable[..., Any]) -> dict[str, None]:
    """The function's parameters, each with any value: all its keyword arguments but fields of the input."""
    parameters = inspect.signature(function).parameters.values()
    fields = GIVEN.get(name, ())
    return {each.name: None for each in parameters if each.kind is each.KEYWORD_ONLY and each.name not in fields}


def as_steps(function: Callable[..., Lines]) -> Callable[..., list[Step]]:
    """A derivation as the adapter's steps."""

    def steps(*arguments: Any, **parameters: Any) -> list[Step]:
        return [Step(*line) for line in function(*arguments, **parameters)]

    return steps


for name, function in METRICS.items():
    adapter.metric(name, input="either", accepts=settable(name, function), given=GIVEN.get(name, ()))(function)
for name, shown in DERIVATIONS.items():
    adapter.derivation(name)(as_steps(shown))
