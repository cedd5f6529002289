# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///
"""Two implementations that look at nothing: one always answers 0, the other always 1.

What they get right by chance stands beside every headline.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import conformance
from conformance import Adapter

PARAMETERS = {
    "bleu": (
        "max_order weights smoothing smoothing_value effective_order zero_before_smoothing reference_length "
        "reference_length_tie denominator_floor aggregation tokenizer lowercase empty_hypothesis no_cases"
    ),
    "cer": "unit unicode_form spaces strip transforms aggregation multi_reference empty_reference",
    "chrf": (
        "char_order min_char_order word_order beta average missing_orders both_empty whitespace word_tokenizer lowercase "
        "unit unicode_form reference_tie aggregation orders_without_reference unmatched_segment no_cases"
    ),
    "damerau-levenshtein": "unit variant",
    "dice": "counting elements multi_reference both_empty",
    "exact-match": "normalizer multi_reference no_references",
    "gec-gleu": (
        "max_order penalty numerator_floor brevity root smoothing multi_reference iterations aggregation tokenizer "
        "lowercase no_cases"
    ),
    "google-gleu": "min_order max_order aggregation tie empty no_cases tokenizer lowercase",
    "jaccard": "counting elements multi_reference both_empty",
    "lcs-length": "unit",
    "levenshtein": "unit substitution_cost normalization normalized_empty multi_reference",
    "mer": "tokenizer transforms empty",
    "nist": "max_order multi_reference missing_order unknown_ngram zero_prefix empty_reference tokenizer lowercase",
    "perplexity": "logarithm exponential aggregation alignment ignored_label no_targets",
    "ribes": "alpha beta alignment correlation single_word empty_reference no_cases tokenizer lowercase",
    "token-overlap": ("counting order beta normalizer tokenizer multi_reference aggregation empty no_match_f"),
    "wer": "tokenizer transforms alignment aggregation multi_reference empty_reference",
    "wil": "tokenizer transforms empty",
    "wip": "tokenizer transforms empty",
}
"""The metrics with numbers as answers, and the names of their parameters: any value is accepted."""

TRANSFORMS: dict[str, tuple[str, Any]] = {
    "ngrams": ("order", {"ngrams": [], "counts": []}),
    "porter-stem": ("variant", ""),
    "sliding-windows": ("window stride bos first_target", {"targets": 0, "passes": 0, "windows": [], "scored": []}),
    "squad-normalize": ("", ""),
    "tokenize": ("tokenizer lowercase", []),
}
"""The transforms, the names of their parameters, and the answer that holds nothing."""

GIVEN = {"perplexity": ("probabilities", "log_probabilities", "logits", "labels")}
"""The optional fields of their inputs."""


def always(answer: Any) -> Callable[..., Any]:
    """A metric's function that gives the same answer to every request."""

    def function(*fields: Any, **parameters: Any) -> Any:
        return answer

    return function


def constant(name: str, number: int) -> Adapter:
    """An adapter that answers the number for every metric, and nothing for every transform."""
    adapter = Adapter(name, version=conformance.__version__)
    answers = {metric: (names, number) for metric, names in PARAMETERS.items()}
    for metric, (names, answer) in {**answers, **TRANSFORMS}.items():
        adapter.metric(metric, input="either", accepts=dict.fromkeys(names.split()), given=GIVEN.get(metric, ()))(
            always(answer)
        )
    return adapter


zero = constant("null-zero", 0)
one = constant("null-one", 1)
adapter = zero
