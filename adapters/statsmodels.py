# /// script
# requires-python = ">=3.10"
# dependencies = ["statsmodels==0.15.0"]
# ///
"""statsmodels (https://www.statsmodels.org): corrections of several p-values."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from statsmodels.stats.multitest import multipletests

from conformance import Adapter

adapter = Adapter(
    "statsmodels", version=version("statsmodels"), homepage="https://www.statsmodels.org", licence="BSD-3-Clause"
)

FIXED = {"at_alpha": "rejected", "monotone": "enforced", "cap": "one"}


def corrected(p_values: Sequence[float], method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Corrected p-values and rejections by a method of statsmodels."""
    rejected, adjusted, *_ = multipletests(p_values, method=method, **parameters)
    return {"adjusted": adjusted, "rejected": rejected, "rejections": int(rejected.sum())}


@adapter.metric("holm", accepts={"alpha": None}, defaults={"alpha": 0.05}, fixes=FIXED)
def holm(p_values: Sequence[float], **parameters: Any) -> dict[str, Any]:
    return corrected(p_values, "holm", parameters)


@adapter.metric("benjamini-hochberg", accepts={"alpha": None}, defaults={"alpha": 0.05}, fixes=FIXED)
def benjamini_hochberg(p_values: Sequence[float], **parameters: Any) -> dict[str, Any]:
    return corrected(p_values, "fdr_bh", parameters)
