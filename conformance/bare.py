"""A bare function as an adapter: what it takes is read from the names of its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from conformance.adapter import Adapter
from conformance.transport import TargetError

HYPOTHESIS = ("hypothesis", "hyp", "prediction", "pred", "candidate", "cand", "output", "system", "h")
REFERENCE = ("reference", "ref", "target", "gold", "truth", "answer", "r")
HYPOTHESES = ("hypotheses", "hyps", "predictions", "preds", "candidates", "outputs", "systems")
REFERENCES = ("references", "refs", "targets", "golds", "truths", "answers")
PAIRS = (("a", "b"), ("s1", "s2"), ("x", "y"), ("left", "right"), ("s", "t"), ("str1", "str2"), ("seq1", "seq2"))
"""Names of symmetric pairs, taken as hypothesis and reference."""


def adapter_of(function: Callable[..., Any], name: str, metric: str, form: str | None, transform: bool) -> Adapter:
    """An adapter around a function. Raises TargetError where its parameters do not say what they are."""
    try:
        parameters = [
            each for each in inspect.signature(function).parameters.values()
            if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
        ]
    except (TypeError, ValueError):
        parameters = []
    adapter = Adapter(name, version="")
    names = [each.name.lower() for each in parameters]
    needed = [each.name.lower() for each in parameters if each.default is each.empty]
    if transform:
        adapter.metric(metric, input=_form(parameters[:1], form))(lambda text: function(text))
        return adapter
    hypothesis = next((each for each in names if each in HYPOTHESIS), None)
    reference = next((each for each in names if each in REFERENCE), None)
    hypotheses = next((each for each in names if each in HYPOTHESES), None)
    references = next((each for each in names if each in REFERENCES), None)
    if hypothesis is None and hypotheses is None and reference is None and references is None:
        found = next((pair for pair in PAIRS if pair == tuple(names[:2])), None)
        if found is not None:
            hypothesis, reference = found
    own, other = hypothesis or hypotheses, reference or references
    if own is None or other is None or set(needed) - {own, other}:
        raise TargetError(_unclear(name, metric, parameters))
    actual = {each.name.lower(): each for each in parameters}
    first, second = actual[own], actual[other]

    def call(left: Any, right: Any) -> Any:
        if second.kind is second.POSITIONAL_ONLY or first.kind is first.POSITIONAL_ONLY:
            ordered = (left, right) if names.index(own) < names.index(other) else (right, left)
            return function(*ordered)
        return function(**{first.name: left, second.name: right})

    if hypotheses is not None:
        many = references is not None
        shape = _form([], form)
        adapter.metric(metric, input=shape, references="many" if many else "one")(call)
        return adapter
    if references is not None:
        adapter.metric(metric, input=_form([first], form), corpus=False)(lambda h, r: call(h[0], r[0]))
        return adapter
    adapter.metric(metric, input=_form([first, second], form), corpus=False, references="one")(lambda h, r: call(h[0], r[0][0]))
    return adapter


def _form(parameters: list[inspect.Parameter], form: str | None) -> Any:
    """Text, unless --input or an annotation such as list[str] says tokens."""
    if form is not None:
        return form
    for each in parameters:
        annotation = str(each.annotation)
        if any(word in annotation.lower() for word in ("list[", "sequence[", "iterable[", "tuple[")):
            return "tokens"
    return "text"


def _unclear(name: str, metric: str, parameters: list[inspect.Parameter]) -> str:
    shown = ", ".join(each.name for each in parameters) or "unreadable"
    return (
        f"{name}: its parameters ({shown}) do not say which is the hypothesis and which the reference; name them "
        f"hypothesis and reference (or hypotheses and references), or wrap it: def {metric.replace('-', '_')}(hypothesis, reference): ..."
    )
