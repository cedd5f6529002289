"""A bare function as an adapter: what it takes is read from the names of its parameters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from conformance.adapter import Adapter, Form, Unsupported
from conformance.model import Field, Metric
from conformance.transport import TargetError

HYPOTHESIS = ("hypothesis", "hyp", "prediction", "pred", "candidate", "cand", "output", "system", "h")
REFERENCE = ("reference", "ref", "target", "gold", "truth", "ground_truth", "expected", "answer", "r")
HYPOTHESES = ("hypotheses", "hyps", "predictions", "preds", "candidates", "outputs", "systems")
REFERENCES = ("references", "refs", "targets", "golds", "truths", "ground_truths", "answers")
PAIRS = (
    ("a", "b"),
    ("s1", "s2"),
    ("x", "y"),
    ("left", "right"),
    ("s", "t"),
    ("str1", "str2"),
    ("seq1", "seq2"),
)
"""Names of symmetric pairs, taken as hypothesis and reference."""

TEXTS = ("hypotheses", "references", "text")

_SEQUENCE = r"(?:typing\.|collections\.abc\.)?(?:list|List|Sequence|Iterable|tuple|Tuple)"
_TOKENS = re.compile(rf"{_SEQUENCE}(?:\[str(?:, \.\.\.)?\])?")
_TOKEN_LISTS = re.compile(rf"{_SEQUENCE}\[{_SEQUENCE}\[str(?:, \.\.\.)?\](?:, \.\.\.)?\]")


def adapter_of(
    function: Callable[..., Any],
    name: str,
    spec: Metric,
    form: str | None,
) -> Adapter:
    """An adapter around a function. Raises TargetError where its parameters do not say what they are.

    One hypothesis and one reference: it is asked a pair at a time. One hypothesis and its references: a segment
    at a time. Hypotheses and references: a corpus, the references by segment. A transform has one parameter.
    Further fields of the metric's input are parameters of the same name, such as sources, or source for one. A
    parameter with a default that is named as one of the metric's can be set, and its default is the function's choice.
    """
    metric, fields = spec.name, spec.input
    parameters = _parameters(function)
    adapter = Adapter(name, version="")
    needed = {each.name for each in parameters if each.default is each.empty}
    if spec.kind == "transform" and tuple(spec.required) == ("text",):
        if not parameters or len(needed) > 1:
            raise TargetError(f"{name}: a transform is a function of one text; its parameters are {_shown(parameters)}")
        adapter.metric(metric, input=_form(parameters[0], form))(lambda text: function(text))
        return adapter
    rest = {each: field for each, field in fields.items() if each not in TEXTS}
    if len(rest) == len(fields):
        return _of_fields(adapter, function, name, metric, parameters, rest)
    others = {each: _among(parameters, (each, each.removesuffix("s"))) for each in rest if not rest[each].optional}
    one, several = _among(parameters, HYPOTHESIS), _among(parameters, HYPOTHESES)
    reference, references = _among(parameters, REFERENCE), _among(parameters, REFERENCES)
    if not (one or several or reference or references) and tuple(each.name.lower() for each in parameters[:2]) in PAIRS:
        one, reference = parameters[:2]
    own, other = one or several, reference or references
    known = {each.name for each in (own, other, *others.values()) if each is not None}
    if own is None or other is None or None in others.values() or needed - known or (several and not references):
        raise TargetError(_unclear(name, metric, parameters, list(others)))
    ask = _caller(function, own, other, parameters)
    names = [each.name for each in others.values() if each is not None]

    def whole(h: Any, r: Any, *more: Any, **settings: Any) -> Any:
        return ask(h, r, **dict(zip(names, more, strict=True)), **settings)

    def single(h: Any, r: Any, *more: Any, **settings: Any) -> Any:
        given = {name: each[0] for name, each in zip(names, more, strict=True)}
        return ask(h[0], r[0] if reference is None else r[0][0], **given, **settings)

    accepts, defaults = _settings(parameters, spec)
    told: dict[str, Any] = {"accepts": accepts, "defaults": defaults}
    if one is None:
        adapter.metric(metric, input=_form(own, form, _TOKEN_LISTS), **told)(whole)
    elif reference is None:
        adapter.metric(metric, input=_form(own, form), corpus=False, **told)(single)
    else:
        adapter.metric(metric, input=_form(own, form), corpus=False, references="one", **told)(single)
    return adapter


def _settings(parameters: list[inspect.Parameter], spec: Metric) -> tuple[dict[str, None], dict[str, Any]]:
    """What can be set, and the function's own choices: its parameters that are named as the metric's.

    A choice among conventions is only told, not set: which of them the function knows cannot be seen.
    """
    accepts: dict[str, None] = {}
    defaults: dict[str, Any] = {}
    for each in parameters:
        known = spec.parameters.get(each.name)
        if known is None or each.default is each.empty or known.misfit(each.default):
            continue
        defaults[each.name] = each.default
        if known.type in ("integer", "number", "boolean"):
            accepts[each.name] = None
    return accepts, defaults


def _of_fields(
    adapter: Adapter,
    function: Callable[..., Any],
    name: str,
    metric: str,
    parameters: list[inspect.Parameter],
    fields: Mapping[str, Field],
) -> Adapter:
    """A function of fields that are no texts: its parameters have their names; it is asked what it takes."""
    taken = {each.name: each for each in parameters if each.name in fields}
    unknown = [each.name for each in parameters if each.name not in fields and each.default is each.empty]
    missing = [each for each, field in fields.items() if not field.optional and each not in taken]
    if unknown or missing or not taken:
        raise TargetError(
            f"{name}: its parameters ({_shown(parameters)}) have to be named for fields of {metric}: {', '.join(fields)}"
        )
    needed = [each for each, field in fields.items() if not field.optional]
    given = [each for each in taken if fields[each].optional]

    def ask(*values: Any, **optional: Any) -> Any:
        absent = [each.name for each in taken.values() if each.default is each.empty and each.name in given]
        if any(each not in optional for each in absent):
            raise Unsupported(f"the function needs {', '.join(absent)}")
        return function(**dict(zip(needed, values, strict=True)), **optional)

    adapter.metric(metric, given=given)(ask)
    return adapter


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """What can be given one by one; nothing where a compiled function does not tell."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [each for each in found if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]


def _among(parameters: list[inspect.Parameter], names: tuple[str, ...]) -> inspect.Parameter | None:
    return next((each for each in parameters if each.name.lower() in names), None)


def _caller(
    function: Callable[..., Any],
    own: inspect.Parameter,
    other: inspect.Parameter,
    parameters: list[inspect.Parameter],
) -> Callable[..., Any]:
    """The function of hypothesis and reference in this order, whatever its own order is."""
    if own.POSITIONAL_ONLY not in (own.kind, other.kind):
        return lambda hypothesis, reference, **more: function(**{own.name: hypothesis, other.name: reference}, **more)
    if parameters.index(own) < parameters.index(other):
        return lambda hypothesis, reference, **more: function(hypothesis, reference, **more)
    return lambda hypothesis, reference, **more: function(reference, hypothesis, **more)


def _form(parameter: inspect.Parameter, form: str | None, tokens: re.Pattern[str] = _TOKENS) -> Form:
    """Text, unless --input or an annotation such as list[str] says tokens."""
    if form in ("text", "tokens"):
        return form  # type: ignore[return-value]
    annotation = parameter.annotation
    text = annotation if isinstance(annotation, str) else str(annotation)
    return "tokens" if tokens.fullmatch(text.strip("'\"")) else "text"


def _shown(parameters: list[inspect.Parameter]) -> str:
    return ", ".join(each.name for each in parameters) or "unreadable"


def _unclear(name: str, metric: str, parameters: list[inspect.Parameter], others: list[str]) -> str:
    function = metric.replace("-", "_")
    called = name.rpartition(":")[2] or "my_function"
    fields = ", ".join(["hypotheses", "references", *others])
    also = f" {metric} also takes {', '.join(others)}." if others else ""
    return (
        f"{name}: its parameters ({_shown(parameters)}) do not say which is the hypothesis and which the reference. "
        f"Understood are hypothesis or {', '.join(HYPOTHESIS[1:-1])}; reference or {', '.join(REFERENCE[1:-1])}; their "
        f"plurals for a corpus; and {', '.join('/'.join(pair) for pair in PAIRS[:4])}.{also} Three lines mend it:\n"
        f"    adapter = Adapter({called!r}, version='1')\n"
        f"    @adapter.metric({metric!r})\n"
        f"    def {function}({fields}): return {called}(...)"
    )
