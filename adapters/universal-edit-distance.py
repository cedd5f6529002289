# /// script
# requires-python = ">=3.10"
# dependencies = ["universal-edit-distance==0.4.3"]
# ///
"""universal-edit-distance (https://gitlab.com/prebens-phd-adventures/universal-error-rate): WER, CER and distances in Rust."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import universal_edit_distance as ued

from conformance import Adapter
from conformance.adapter import single

adapter = Adapter(
    "universal-edit-distance",
    version=version("universal-edit-distance"),
    homepage="https://gitlab.com/prebens-phd-adventures/universal-error-rate",
    licence="MIT",
)


@adapter.metric(
    "wer",
    references="one",
    components=["rate"],
    fixes={
        "tokenizer": "space",
        "transforms": [],
        "alignment": "unit",
        "aggregation": "pooled",
        "multi_reference": "lowest-rate",
        "empty_reference": "infinity",
    },
)
def wer(hypotheses: list[str], references: Sequence[Sequence[str]]) -> float:
    return ued.word_error_rate(hypotheses, single(references))


@adapter.metric(
    "cer",
    references="one",
    components=["rate"],
    fixes={
        "unit": "code-point",
        "unicode_form": "none",
        "spaces": "counted",
        "strip": False,
        "transforms": [],
        "aggregation": "pooled",
        "multi_reference": "lowest-rate",
        "empty_reference": "infinity",
    },
)
def cer(hypotheses: list[str], references: Sequence[Sequence[str]]) -> float:
    return ued.character_error_rate(hypotheses, single(references))


@adapter.metric(
    "levenshtein",
    components=["distance"],
    references="one",
    accepts={"unit": {"character", "token"}},
    defaults={"unit": "character"},
    fixes={"substitution_cost": 1},
)
def levenshtein(hypotheses: list[str], references: Sequence[Sequence[str]], unit: str = "character") -> int:
    if unit == "token":
        pairs = [each.split() for each in hypotheses], [each.split() for each in single(references)]
        return sum(ued.universal_edit_distance(*pairs))
    return sum(ued.character_edit_distance_array(hypotheses, single(references)))
