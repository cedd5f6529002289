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
    "damerau-levenshtein": "unit variant",
    "dice": "counting elements multi_reference both_empty",
    "exact-match": "normalizer multi_reference no_references",
    "jaccard": "counting elements multi_reference both_empty",
    "lcs-length": "unit",
    "levenshtein": "unit substitution_cost normalization normalized_empty multi_reference",
    "mer": "tokenizer transforms empty",
    "ter": (
        "search max_shift_size max_shift_distance shift_distance overlapping_shift candidate_limit beam beam_width "
        "direction aggregation multi_reference empty_reference tokenizer lowercase normalization no_punctuation "
        "asian_support"
    ),
    "token-overlap": ("counting order beta normalizer tokenizer multi_reference aggregation empty no_match_f"),
    "wer": "tokenizer transforms alignment aggregation multi_reference empty_reference",
    "wil": "tokenizer transforms empty",
    "wip": "tokenizer transforms empty",
}
"""The metrics with numbers as answers, and the names of their parameters: any value is accepted."""

TRANSFORMS: dict[str, tuple[str, Any]] = {
    "ngrams": ("order", {"ngrams": [], "counts": []}),
    "squad-normalize": ("", ""),
    "tokenize": ("tokenizer lowercase", []),
}
"""The transforms, the names of their parameters, and the answer that holds nothing."""


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
        adapter.metric(metric, input="either", accepts=dict.fromkeys(names.split()))(always(answer))
    return adapter


zero = constant("null-zero", 0)
one = constant("null-one", 1)
adapter = zero
