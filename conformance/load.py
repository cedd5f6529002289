"""Specifications: a YAML file a metric becomes a `Metric`; errors name file, line, field and what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conformance.expressions import ExpressionError, number, parse_relation
from conformance.inputs import Reader
from conformance.model import Clause, Component, Convention, Field, Law, Metric, Parameter
from conformance.yamlfile import BadFile, Document, Plain, core, read, validated


def load_metric(path: Path, name: str | None = None) -> Metric:
    """One specification. Raises BadFile."""
    document = read(path, name)
    data = validated(document, "spec")
    if path.stem != data["metric"]:
        raise document.fault(("metric",), f"the file is named {path.name}; expected {path.stem}")
    parameters = {key: _parameter(key, value, document) for key, value in data.get("parameters", {}).items()}
    clauses = {
        key: Clause(key, value["level"], str(value["text"]), str(value["source"]))
        for key, value in data["clauses"].items()
    }
    inputs = {key: _field(key, value, parameters, document) for key, value in data["input"].items()}
    return Metric(
        name=str(data["metric"]),
        title=str(data["title"]),
        kind=data["kind"],
        definition=" ".join(data["definition"].split()),
        input=inputs,
        components={key: _component(key, value, document) for key, value in data["components"].items()},
        clauses=clauses,
        parameters=parameters,
        profiles={
            key: {
                each: setting(parameters, each, value, document, ("profiles", key, each))
                for each, value in settings.items()
            }
            for key, settings in data.get("profiles", {}).items()
        },
        invariants={
            key: _law(key, value, parameters, clauses, document) for key, value in data.get("invariants", {}).items()
        },
        faults=data.get("faults", {}),
        sources=tuple(map(str, data["sources"])),
        aliases=tuple(map(str, data.get("aliases", ()))),
        edges={key: _edge(key, table, inputs, document) for key, table in data.get("edges", {}).items()},
    )


def _field(name: str, data: Any, parameters: Mapping[str, Parameter], document: Document) -> Field:
    if name in parameters:
        raise document.fault(("input", name), f"the metric has a parameter {name!r} as well")
    return Field(str(data)) if isinstance(data, str) else Field(str(data["type"]), data["optional"])


def _edge(name: str, table: Mapping[str, Any], inputs: Mapping[str, Field], document: Document) -> dict[str, Any]:
    for key in table:
        if key not in inputs:
            raise document.fault(("edges", name, key), f"the metric has no field {key!r}; it has {', '.join(inputs)}")
    return Reader(table, inputs, {}, document, ("edges",)).given(table, name)


def _component(name: str, data: Mapping[str, Any], document: Document) -> Component:
    ends: list[float | None] = [None, None]
    for place, text in enumerate(data.get("range", ())):
        try:
            ends[place] = float(number(str(text)))
        except ExpressionError as error:
            raise document.fault(("components", name, "range"), str(error)) from error
    return Component(name, data.get("type", "number"), ends[0], ends[1], data.get("better"), str(data.get("text", "")))


def _parameter(name: str, data: Mapping[str, Any], document: Document) -> Parameter:
    where = ("parameters", name)
    kind = data.get("type", "choice")
    conventions = {
        key: Convention(key, str(value))
        if isinstance(value, str)
        else Convention(key, str(value["text"]), value["quirk"])
        for key, value in data.get("conventions", {}).items()
    }
    if (kind == "choice") != bool(conventions):
        raise document.fault(where, "a choice lists its conventions, and only a choice does")
    bare = Parameter(
        name,
        str(data["question"]),
        None,
        kind,
        conventions,
        data.get("minimum"),
        data.get("maximum"),
        tuple(map(str, data.get("items", ()))),
        data.get("stage", "metric"),
    )
    default = setting({name: bare}, name, data["default"], document, (*where, "default"))
    return Parameter(
        name,
        bare.question,
        default,
        kind,
        conventions,
        bare.minimum,
        bare.maximum,
        bare.items,
        bare.stage,
    )


def _law(
    name: str,
    data: Mapping[str, Any],
    parameters: Mapping[str, Parameter],
    clauses: Mapping[str, Clause],
    document: Document,
) -> Law:
    where = ("invariants", name)
    conditions = data.get("when", [])
    when = (str(conditions),) if isinstance(conditions, str) else tuple(map(str, conditions))
    for text in (str(data["law"]), *when):
        try:
            parse_relation(text)
        except ExpressionError as error:
            raise document.fault(where, str(error)) from error
    clause = data.get("clause")
    if clause is not None and clause not in clauses:
        raise document.fault((*where, "clause"), f"no clause {clause!r}; known are {', '.join(clauses)}")
    settings = {
        key: setting(parameters, key, value, document, (*where, "parameters", key))
        for key, value in data.get("parameters", {}).items()
    }
    return Law(name, str(data["law"]), str(data.get("text", "")), clause, when, settings)


def setting(
    parameters: Mapping[str, Parameter],
    name: str,
    value: Any,
    document: Document,
    path: tuple[Any, ...],
    *,
    free: bool = False,
) -> Any:
    """A parameter's value typed as its spec says; `free` lets a mistyped value pass as it stands.

    Raises BadFile for an unknown parameter and for a value that the parameter cannot take.
    """
    if name not in parameters:
        raise document.fault(path, f"no parameter {name!r}; known are {', '.join(parameters) or 'none'}")
    parameter = parameters[name]
    typed = _by_type(parameter, value)
    if not free:
        problem = parameter.misfit(typed)
        if problem:
            raise document.fault(path, problem)
    return typed


def _by_type(parameter: Parameter, value: Any) -> Any:
    if parameter.type == "choice":
        return str(value) if isinstance(value, str) else core(value)
    if parameter.type == "list":
        return [str(each) for each in value] if isinstance(value, list) else core(value)
    if parameter.type in ("number", "numbers"):
        return [_numeric(each) for each in value] if isinstance(value, list) else _numeric(value)
    return core(value)


def _numeric(value: Any) -> Any:
    """A plain scalar as a number where it is an expression such as 1/3; else by the core types."""
    typed = core(value)
    if isinstance(value, Plain) and isinstance(typed, str):
        try:
            return float(number(value))
        except ExpressionError:
            return typed
    return typed


__all__ = ["BadFile", "load_metric", "setting"]
