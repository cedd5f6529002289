# /// script
# requires-python = ">=3.10"
# dependencies = ["kaldialign==0.12.0"]
# ///
"""kaldialign (https://github.com/pzelasko/kaldialign): Kaldi's alignment, with the counts of its operations."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import kaldialign

from conformance import Adapter
from conformance.adapter import single

adapter = Adapter(
    "kaldialign",
    version=version("kaldialign"),
    homepage="https://github.com/pzelasko/kaldialign",
    licence="Apache-2.0",
)


def counted(hypotheses: Sequence[Any], references: Sequence[Sequence[Any]], **how: Any) -> dict[str, Any]:
    """The rate and the counts of a corpus."""
    found = kaldialign.batch_error_rate(single(references), hypotheses, **how)
    return {
        "rate": found["err_rate"],
        "substitutions": found["sub"],
        "deletions": found["del"],
        "insertions": found["ins"],
        "errors": found["total"],
        "reference_length": found["ref_len"],
    }


@adapter.metric(
    "wer",
    input="tokens",
    references="one",
    accepts={"alignment": {"unit", "sclite"}},
    defaults={"alignment": "unit"},
    fixes={"aggregation": "pooled", "multi_reference": "lowest-rate", "empty_reference": "infinity"},
)
def wer(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    alignment: str | None = None,
) -> dict[str, Any]:
    return counted(hypotheses, references, **({} if alignment is None else {"sclite_mode": alignment == "sclite"}))


@adapter.metric(
    "cer",
    references="one",
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
def cer(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, Any]:
    return counted(hypotheses, references)


@adapter.metric(
    "levenshtein",
    components=["distance"],
    references="one",
    accepts={"unit": {"character", "token"}},
    defaults={"unit": "character"},
    fixes={"substitution_cost": 1},
)
def levenshtein(hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str = "character") -> int:
    if unit == "token":
        hypotheses, references = (
            [each.split() for each in hypotheses],
            [[each.split() for each in s] for s in references],
        )
    errors: int = counted(hypotheses, references)["errors"]
    return errors
