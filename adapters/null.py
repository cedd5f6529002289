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
from conformance.model import Metric
from conformance.suite import load

NOTHING: dict[str, Any] = {"text": "", "tokens": [], "numbers": [], "flags": []}
"""The answer that holds nothing, by the type of a component."""


def answer_for(metric: Metric, number: int) -> Any:
    """The number for a metric whose main component is one, else components that hold nothing."""
    if metric.components[metric.main].type in ("number", "integer"):
        return number
    return {name: NOTHING.get(each.type, number) for name, each in metric.components.items()}


def always(answer: Any) -> Callable[..., Any]:
    """A metric's function that gives the same answer to every request."""

    def function(*fields: Any, **parameters: Any) -> Any:
        return answer

    return function


def constant(name: str, number: int) -> Adapter:
    """An adapter that has every metric, takes every field and value, and answers the number."""
    adapter = Adapter(name, version=conformance.__version__)
    for metric in load().metrics.values():
        optional = [field for field in metric.input if field not in metric.required]
        accepts = dict.fromkeys(metric.parameters)
        adapter.metric(metric.name, input="either", accepts=accepts, given=optional)(always(answer_for(metric, number)))
    return adapter


zero = constant("null-zero", 0)
one = constant("null-one", 1)
adapter = zero
