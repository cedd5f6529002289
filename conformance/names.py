"""What to suggest where a person names a metric that there is not."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from conformance.model import Metric


def unknown_metric(name: str, metrics: Mapping[str, Metric]) -> str:
    """One sentence with the nearest metrics, by their names, aliases and parts of them."""
    asked = name.lower().replace("_", "-")
    known = {alias.lower(): metric for metric in metrics.values() for alias in (metric.name, *metric.aliases)}
    exact = [metric.name for metric in metrics.values() if asked in (each.lower() for each in metric.aliases)]
    parts = [metric.name for alias, metric in known.items() if asked and (asked in alias or alias in asked)]
    alike = [known[each].name for each in get_close_matches(asked, known, 3)]
    near = list(dict.fromkeys([*exact, *alike, *parts]))[:4]
    return f"no metric {name!r}; " + (f"did you mean {', '.join(near)}?" if near else f"there are {', '.join(metrics)}")
