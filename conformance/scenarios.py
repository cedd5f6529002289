"""Scenarios: a YAML file of them becomes checks, each resolved down to its inputs and exact expected values."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from conformance import inputs
from conformance.expressions import (
    Call,
    ExpressionError,
    Literal,
    Name,
    Node,
    evaluate,
    parse,
    parse_relation,
)
from conformance.load import setting
from conformance.model import Ask, Check, Expected, Metric, Scenario
from conformance.relations import relation_terms, term_key, used_components
from conformance.yamlfile import BadFile, Document, read, validated

MAX_CHARACTERS = 32_000_000
"""How much input all scenarios together may have."""

_INDEXED = re.compile(r"(?P<name>\w+)\[(?P<index>.+)\]")
_SYSTEM = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SPECIAL = frozenset({"raises", "returns"})
_SIGNS = {"rising": "<", "falling": ">", "constant": "==", "not-falling": "<=", "not-rising": ">="}
_DIRECTIONS = {"up": ">", "down": "<", "unchanged": "=="}


@dataclass
class Builder:
    """Collects the scenarios, checks and inputs of all files."""

    metrics: Mapping[str, Metric]
    data_folder: Path
    scenarios: dict[str, Scenario] = field(default_factory=dict)
    checks: dict[str, Check] = field(default_factory=dict)
    inputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    characters: int = 0

    def add_file(self, path: Path, name: str) -> None:
        """All scenarios of one file. Raises BadFile."""
        document = read(path, name)
        data = validated(document, "cases")
        source = path.read_text("utf-8").splitlines()
        starts = [document.line((place,)) for place in range(len(data))]
        for place, scenario in enumerate(data):
            end = starts[place + 1] - 1 if place + 1 < len(starts) else len(source)
            text = "\n".join(source[starts[place] - 1 : end]).rstrip()
            try:
                _Reading(self, document, place, scenario, text).add()
            except BadFile:
                raise
            except Exception as error:  # whatever else is wrong with a scenario is told with its place
                told = f"{type(error).__name__}: {str(error)[:200]}"
                raise document.fault((place,), f"the scenario cannot be read: {told}") from error

    def keep(self, arguments: Mapping[str, Any]) -> str:
        """Store an input once; returns its key, a digest."""
        text = json.dumps(arguments, sort_keys=True, default=str)
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        if key not in self.inputs:
            self.characters += len(text)
            if self.characters > MAX_CHARACTERS:
                raise ValueError(f"all inputs together have more than {MAX_CHARACTERS:,} characters")
        self.inputs.setdefault(key, dict(arguments))
        return key


@dataclass
class _Entry:
    """One `expect` entry with what it inherits: its label, metric and typed parameters."""

    data: Mapping[str, Any]
    path: tuple[Any, ...]
    label: str
    metric: Metric
    parameters: Mapping[str, Any]
    clause: str | None


class _Reading:
    """One scenario on its way to checks."""

    def __init__(self, builder: Builder, document: Document, place: int, data: Mapping[str, Any], text: str) -> None:
        self.builder, self.document, self.data = builder, document, data
        self.path = (place,)
        self.name = str(data["scenario"])
        self.text = text
        self.added: list[str] = []
        self.rows = None
        if "data" in data:
            self.rows = inputs.read_rows(builder.data_folder / data["data"]["file"])
        self.entries = [self.entry(entry, (*self.path, "expect", index)) for index, entry in enumerate(data["expect"])]

    def fault(self, path: Iterable[Any], message: str) -> Exception:
        return self.document.fault(path, message)

    def add(self) -> None:
        if self.name in self.builder.scenarios:
            raise self.fault((*self.path, "scenario"), f"a scenario {self.name!r} exists already")
        self.check_fields()
        for variables in inputs.members(self.data, {}, self.document, self.path):
            for entry in self.entries:
                for inner in inputs.members(entry.data, variables, self.document, entry.path):
                    self.entry_checks(entry, inner)
        for entry in self.entries:
            if "monotone" in entry.data:
                self.monotone_checks(entry)
        if not self.added:
            raise self.fault(self.path, "the scenario expects nothing")
        self.builder.scenarios[self.name] = Scenario(
            self.name,
            " ".join(str(self.data["why"]).split()),
            {key: str(value) for key, value in self.data["source"].items()},
            self.document.file,
            self.document.line(self.path),
            self.text,
            tuple(self.added),
        )

    def entry(self, data: Mapping[str, Any], path: tuple[Any, ...]) -> _Entry:
        words = ("metric", "transform", "statistic")
        name = next((str(place[word]) for place in (data, self.data) for word in words if word in place), None)
        if name is None:
            raise self.fault(path, "expected a metric, transform or statistic here or in the scenario")
        if name not in self.builder.metrics:
            raise self.fault(path, f"no metric {name!r}; known are {', '.join(self.builder.metrics)}")
        metric = self.builder.metrics[name]
        free = "raw" in self.data or any("raises" in v for v in data.get("values", {}).values() if isinstance(v, dict))
        settings = {**self.data.get("parameters", {}), **data.get("parameters", {})}
        parameters = {
            key: setting(metric.parameters, key, value, self.document, (*path, "parameters", key), free=free)
            for key, value in settings.items()
        }
        clause = data.get("clause") or self.data.get("clause")
        if clause is not None and clause not in metric.clauses:
            raise self.fault(
                (*path, "clause"), f"{name} has no clause {clause!r}; known are {', '.join(metric.clauses)}"
            )
        expectations = {"values", "open", "relation", "direction", "monotone"} & set(data)
        if not expectations:
            raise self.fault(path, "expected values, open, relation, direction or monotone")
        return _Entry(
            data, path, str(data.get("as", name)), metric, parameters, None if clause is None else f"{name}.{clause}"
        )

    def arguments(self, entry: _Entry, variables: inputs.Variables) -> dict[str, dict[str, Any]]:
        reader = inputs.Reader(self.data, entry.metric.input, variables, self.document, self.path)
        return reader.outputs(self.rows, entry.data.get("with", {}).get("first"))

    def check_fields(self) -> None:
        """Every field that the scenario gives is one of a metric that it expects something of."""
        known = {name for entry in self.entries for name in entry.metric.input}
        tables: list[tuple[tuple[str, ...], Any]] = [(("given",), self.data.get("given", {}))]
        if "raw" not in self.data:
            tables += [(("inputs", name), node) for name, node in self.data.get("inputs", {}).items()]
        for steps, table in tables:
            for name in table:
                if name not in known:
                    raise self.fault(
                        (*self.path, *steps, name), f"no metric here has a field {name!r}; known are {', '.join(known)}"
                    )

    def ask(self, entry: _Entry, arguments: Mapping[str, Any], variation: str = "") -> Ask:
        if variation:
            try:
                arguments = inputs.vary(arguments, variation, entry.metric.input)
            except (KeyError, ValueError) as error:
                raise self.fault(entry.path, f"{variation}: {error}") from error
        if "raw" not in self.data:
            arguments = inputs.uniform(arguments)
        return Ask(
            entry.metric.name, entry.parameters, self.builder.keep(arguments), variation if variation == "again" else ""
        )

    def check(self, entry: _Entry, tail: str, variables: inputs.Variables, **fields: Any) -> None:
        inner = [f"{key}={value}" for key, value in variables.items()]
        identifier = f"{self.name}/{entry.label}{tail}{'[' + ','.join(inner) + ']' if inner else ''}"
        if identifier in self.builder.checks:
            raise self.fault(entry.path, f"the check {identifier!r} exists already; name the entry with `as`")
        data = entry.data
        if "without" in data:
            fields["without"] = str(data["without"])
        self.builder.checks[identifier] = Check(
            id=identifier,
            scenario=self.name,
            metric=entry.metric.name,
            clause=entry.clause,
            variables={key: float(value) for key, value in variables.items()},
            implementation=data.get("implementation"),
            relative=data.get("tolerance", {}).get("relative"),
            catches=tuple(map(str, data.get("catches", ()))),
            **fields,
        )
        self.added.append(identifier)

    def entry_checks(self, entry: _Entry, variables: inputs.Variables) -> None:
        data = entry.data
        outputs = self.arguments(entry, variables)
        if "values" in data:
            for output, node in self.by_output(data["values"], outputs, entry, "values"):
                self.value_check(entry, variables, outputs[output], output, node)
        if "open" in data:
            self.open_checks(entry, variables, outputs)
        if "relation" in data:
            self.relation_check(entry, variables, outputs, str(data["relation"]), "", data["relation"])
        if "direction" in data:
            self.direction_checks(entry, variables, outputs)

    def by_output(
        self, nodes: Mapping[str, Any], outputs: Mapping[str, Any], entry: _Entry, field_: str
    ) -> list[tuple[str, Any]]:
        if set(outputs) == {""}:
            return [("", nodes)]
        for output in nodes:
            if output not in outputs:
                raise self.fault((*entry.path, field_, output), f"no output {output!r}; known are {', '.join(outputs)}")
        return list(nodes.items())

    def value_check(
        self, entry: _Entry, variables: inputs.Variables, arguments: Mapping[str, Any], output: str, node: Any
    ) -> None:
        expected = self.expected(entry, node, variables, (*entry.path, "values", output))
        erratum = entry.data.get("erratum")
        if erratum is not None:
            printed = erratum["printed"]
            if isinstance(printed, dict) and set(printed) & set(entry.data["values"]):
                printed = printed.get(output)
            erratum = {"printed": printed, "reason": str(erratum["reason"])}
        self.check(
            entry,
            f"/{output}" if output else "",
            variables,
            kind="value",
            terms={"": self.ask(entry, arguments)},
            expected=expected,
            erratum=erratum,
            witness=self.witness(entry, output, variables),
        )

    def witness(self, entry: _Entry, output: str, variables: inputs.Variables) -> Any:
        """The second witness: the name of a real system, or an expectation from a second expression."""
        witness = entry.data.get("witness")
        if not isinstance(witness, dict):
            return None if witness is None else str(witness)
        if output not in witness:
            return None
        named = str(witness[output])
        if _SYSTEM.fullmatch(named) and named not in variables and named not in ("inf", "nan"):
            return named
        second = self.expected(entry, witness[output], variables, (*entry.path, "witness", output))
        return {"expressions": dict(second.expressions), "values": dict(second.values)}

    def open_checks(self, entry: _Entry, variables: inputs.Variables, outputs: Mapping[str, Any]) -> None:
        data, parameter = entry.data, str(entry.data["open"])
        if parameter not in entry.metric.parameters:
            known = ", ".join(entry.metric.parameters)
            raise self.fault(
                (*entry.path, "open"), f"{entry.metric.name} has no parameter {parameter!r}; known are {known}"
            )
        if "convention" in data:
            self.convention_claims(entry, variables, outputs, parameter)
            return
        tables: dict[str, dict[str, Expected]] = {}
        for convention, nodes in data.get("conventions", {}).items():
            where = (*entry.path, "conventions", convention)
            known_values = [str(each).lower() for each in entry.metric.parameters[parameter].values()]
            if convention not in known_values:
                raise self.fault(
                    where, f"{parameter} has no convention {convention!r}; known are {', '.join(known_values)}"
                )
            for output, node in self.by_output(nodes, outputs, entry, "conventions"):
                tables.setdefault(output, {})[convention] = self.expected(entry, node, variables, (*where, output))
        if not tables:
            raise self.fault(entry.path, "an open question lists its conventions")
        for output, conventions in tables.items():
            self.check(
                entry,
                f"/{output}" if output else "",
                variables,
                kind="open",
                terms={"": self.ask(entry, outputs[output])},
                parameter=parameter,
                conventions=conventions,
            )

    def convention_claims(
        self, entry: _Entry, variables: inputs.Variables, outputs: Mapping[str, Any], parameter: str
    ) -> None:
        if "implementation" not in entry.data:
            raise self.fault(entry.path, "`convention` is a claim; it needs `implementation: NAME==VERSION`")
        convention = str(entry.data["convention"])
        for other in self.entries:
            nodes = other.data.get("conventions", {}).get(convention)
            if nodes is not None and other.metric is entry.metric and other.data.get("open") == parameter:
                for output, node in nodes.items():
                    expected = self.expected(entry, node, variables, (*other.path, "conventions", convention, output))
                    self.check(
                        entry,
                        f"/{output}",
                        variables,
                        kind="value",
                        terms={"": self.ask(entry, outputs[output])},
                        expected=expected,
                        parameter=parameter,
                    )
                return
        raise self.fault(entry.path, f"no open entry of this scenario lists {parameter} = {convention}")

    def expected(self, entry: _Entry, node: Any, variables: inputs.Variables, path: tuple[Any, ...]) -> Expected:
        metric = entry.metric
        if isinstance(node, dict) and set(node) <= _SPECIAL:
            if "raises" in node:
                return Expected("raises", error=str(node["raises"]))
            if str(node["returns"]) not in ("none", "nan"):
                raise self.fault(path, "returns: expected none or nan")
            return Expected("returns", error=str(node["returns"]))
        if node == "undefined" and not isinstance(node, dict):
            return Expected("undefined")
        table = node if isinstance(node, dict) else {metric.main: node}
        expressions: dict[str, Any] = {}
        values: dict[str, Any] = {}
        for key, value in table.items():
            name, index = key, ""
            indexed = _INDEXED.fullmatch(key)
            if indexed:
                name = indexed["name"]
                index = f"[{inputs.whole(indexed['index'], variables, self.document, (*path, key))}]"
            if name not in metric.components:
                known = ", ".join(metric.components)
                raise self.fault((*path, key), f"{metric.name} has no component {name!r}; known are {known}")
            kind = metric.components[name].type
            if kind in ("text", "tokens"):
                expressions[name] = values[name] = [str(v) for v in value] if isinstance(value, list) else str(value)
                continue
            expressions[name + index] = _stringed(value)
            if kind == "flags":
                values[name + index] = self.flags(value, (*path, key))
                continue
            values[name + index] = self.value(value, variables, kind if not index else "number", (*path, key))
        return Expected("values", expressions, values)

    def flags(self, node: Any, path: tuple[Any, ...]) -> Any:
        given = node if isinstance(node, list) else [node]
        if not all(each in ("true", "false") for each in given):
            raise self.fault(path, f"expected true and false, found {node!r}")
        flags = [each == "true" for each in given]
        return flags if isinstance(node, list) else flags[0]

    def value(self, node: Any, variables: inputs.Variables, kind: str, path: tuple[Any, ...]) -> Any:
        if isinstance(node, list):
            return [self.value(each, variables, "number", path) for each in node]
        if str(node) == "undefined":
            return "undefined"
        try:
            value = evaluate(parse(str(node)), variables)
        except ExpressionError as error:
            raise self.fault(path, str(error)) from error
        if isinstance(value, list):
            return [inputs.plain(each) for each in value]
        if isinstance(value, bool) or not isinstance(value, (Fraction, float)):
            raise self.fault(path, f"{str(node)!r} is not a number")
        if kind == "integer" and not (isinstance(value, Fraction) and value.denominator == 1):
            raise self.fault(path, f"{str(node)!r} is not a whole number")
        return inputs.plain(value)

    def relation_check(
        self,
        entry: _Entry,
        variables: inputs.Variables,
        outputs: Mapping[str, Any],
        relation: str,
        tail: str,
        shown: Any,
    ) -> None:
        try:
            node = parse_relation(relation)
        except ExpressionError as error:
            raise self.fault(entry.path, str(error)) from error
        terms: dict[str, Ask] = {}
        for each in relation_terms(node, variables):
            terms[term_key(each)] = self.term(entry, each, variables, outputs)
        if not terms:
            raise self.fault((*entry.path, "relation"), "the relation names no output")
        try:
            list(used_components(parse_relation(relation)))
        except ExpressionError as error:
            raise self.fault(entry.path, str(error)) from error
        self.check(entry, tail, variables, kind="relation", terms=terms, relation=relation)

    def term(self, entry: _Entry, node: Node, variables: inputs.Variables, outputs: Mapping[str, Any]) -> Ask:
        variation = ""
        while isinstance(node, Call) and isinstance(node.function, Name):
            name = node.function.name
            if len(node.arguments) != 1:
                raise self.fault(entry.path, f"{name}(...) takes one output")
            if name in inputs.VARIATIONS:
                variation = name
            else:
                found = next((e for e in self.entries if e.label == name), None)
                if found is not None:
                    entry, outputs = found, self.arguments(found, variables)
                elif name in self.builder.metrics:
                    entry = _Entry({}, entry.path, name, self.builder.metrics[name], {}, None)
                    outputs = self.arguments(entry, variables)
                else:
                    raise self.fault(entry.path, f"{name!r} is no label of this scenario, no metric and no variation")
            node = node.arguments[0]
        output = node.name if isinstance(node, Name) else str(node.value) if isinstance(node, Literal) else ""
        if output not in outputs:
            raise self.fault(entry.path, f"the relation names no output {output!r}; known are {', '.join(outputs)}")
        return self.ask(entry, outputs[output], variation)

    def direction_checks(self, entry: _Entry, variables: inputs.Variables, outputs: Mapping[str, Any]) -> None:
        table = entry.data["direction"]
        directions = table if isinstance(table, dict) else {entry.metric.main: table}
        base, *others = list(outputs)
        for other in others:
            parts = [
                f"'{other}'.{component} {_DIRECTIONS[str(word)]} '{base}'.{component}"
                for component, word in directions.items()
            ]
            for component, part in zip(directions, parts, strict=True):
                tail = f"/{other}/direction" if len(parts) == 1 else f"/{other}/direction/{component}"
                self.relation_check(entry, variables, outputs, part, tail, part)

    def monotone_checks(self, entry: _Entry) -> None:
        over = str(entry.data.get("over", ""))
        groups: dict[tuple[tuple[str, Fraction], ...], list[tuple[Fraction, dict[str, Any]]]] = {}
        for outer in inputs.members(self.data, {}, self.document, self.path):
            for variables in inputs.members(entry.data, outer, self.document, entry.path):
                if over not in variables:
                    raise self.fault((*entry.path, "over"), f"expected a family variable, found {over!r}")
                rest = tuple((key, value) for key, value in variables.items() if key != over)
                groups.setdefault(rest, []).append((variables[over], self.arguments(entry, variables)))
        for rest, series in groups.items():
            for output, word in entry.data["monotone"].items():
                terms = {f"{over}{value}": self.ask(entry, arguments[output]) for value, arguments in series}
                relation = f" {_SIGNS[str(word)]} ".join(f"'{name}'" for name in terms)
                try:
                    parse_relation(relation)
                except ExpressionError as error:
                    raise self.fault((*entry.path, "monotone"), f"too many members: {error}") from error
                self.check(entry, f"/{output}/{word}", dict(rest), kind="relation", terms=terms, relation=relation)


def _stringed(value: Any) -> Any:
    return [_stringed(each) for each in value] if isinstance(value, list) else str(value)


__all__ = ["Builder"]
