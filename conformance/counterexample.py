"""A counterexample of a law, written as a scenario that a person can paste into a file of cases."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from conformance.expressions import Call, ExpressionError, Node, parse_relation
from conformance.judge import Answer
from conformance.laws import Called, Reading, is_arithmetic, nodes, number_text, shown, unparse
from conformance.model import Law, Metric

Definition = Callable[[str, Mapping[str, Any]], Answer]
"""The reference's answer, under the law's parameters."""

_PLAIN = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
_FIRST_LETTER = ord("A")


def scenario(metric: Metric, law: Law, reading: Reading, definition: Definition) -> str:
    """The scenario, in YAML: a case for each question of the law, and the law as a relation between them.

    A law that does something to an answer that scenarios have no word for is written as the values that the
    reference gives to the same questions.
    """
    cases: dict[str, str] = {}
    for call in reading.calls.values():
        cases.setdefault(_key(call), chr(_FIRST_LETTER + len(cases)))
    asked = {cases[_key(call)]: call for call in reading.calls.values()}
    arguments = {name: call.arguments for name, call in asked.items()}
    word = "transform" if metric.kind == "transform" else "metric"
    lines = [
        f"- scenario: {metric.name}-{law.id}",
        f"  why: {quoted(law.text or f'The law {law.id} of {metric.name} holds for every input.')}",
        f"  source: {{document: specs, section: {quoted(metric.name)}}}",
    ]
    shapes = {tuple(each) for each in arguments.values()}
    if shapes == {("text",)}:
        lines.append("  texts:")
        lines += [f"    {name}: {text(each['text'])}" for name, each in arguments.items()]
    elif shapes == {("hypotheses", "references")}:
        lines.append("  cases:")
        for name, each in arguments.items():
            lines += _case(name, each)
    else:
        lines.append("  inputs:")
        lines += [f"    {name}: {_fields(reading.metrics[call.metric], call)}" for name, call in asked.items()]
    lines.append("  expect:")
    lines += _entry(word, metric.name, _clause(law), law.parameters)
    relation = relation_text(metric, law, reading, cases)
    if relation is not None:
        lines.append(f"      relation: {quoted(relation)}")
        others = {call.metric for call in reading.calls.values()} - {metric.name}
        for other in sorted(others):
            passed = {k: v for k, v in law.parameters.items() if k in reading.metrics[other].parameters}
            if passed:
                lines += _entry("metric", other, [], passed) + _values(other, reading, cases, definition)
    else:
        lines += _values(metric.name, reading, cases, definition)
    return "\n".join(lines) + "\n"


def relation_text(metric: Metric, law: Law, reading: Reading, cases: Mapping[str, str]) -> str | None:
    """The law as a relation between cases; None where scenarios have no word for a part of it."""

    def replaced(node: Node) -> str | None:
        call = reading.calls.get(node)
        if call is not None:
            name = cases[_key(call)]
            asked = name if call.metric == metric.name else f"{call.metric}({name})"
            single = len(reading.metrics[call.metric].components) == 1
            return asked if single else f"{asked}.{call.component}"
        if any(each in reading.calls for each in nodes(node)):
            if isinstance(node, Call) and not is_arithmetic(node):
                raise ExpressionError(f"{unparse(node)!r} is no part of a scenario")
            return None
        value = reading.value(node)
        if isinstance(value, bool) or not isinstance(value, (Fraction, float)):
            raise ExpressionError(f"{unparse(node)!r} is no number")
        return number_text(value)

    try:
        return unparse(parse_relation(law.law), replaced)
    except ExpressionError:
        return None


def _key(call: Called) -> str:
    return json.dumps(call.arguments, sort_keys=True)


def _clause(law: Law) -> list[str]:
    return [f"      clause: {law.clause}"] if law.clause else []


def _entry(word: str, name: str, clause: list[str], parameters: Mapping[str, Any]) -> list[str]:
    lines = [f"    - {word}: {name}", *clause]
    if parameters:
        settings = ", ".join(f"{key}: {setting(value)}" for key, value in parameters.items())
        lines.append(f"      parameters: {{{settings}}}")
    return lines


def _values(metric: str, reading: Reading, cases: Mapping[str, str], definition: Definition) -> list[str]:
    """What the reference gives to each question that the law asks this metric."""
    found: dict[str, dict[str, str]] = {}
    for call in reading.calls.values():
        if call.metric == metric:
            answer = definition(metric, call.arguments)
            value = answer.values.get(call.component)
            component = reading.metrics[metric].components[call.component]
            found.setdefault(cases[_key(call)], {})[call.component] = _value(value, component.type)
    return ["      values:"] + [
        f"        {case}: {{{', '.join(f'{name}: {each}' for name, each in parts.items())}}}"
        for case, parts in found.items()
    ]


def _value(value: Any, kind: str) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_value(each, kind) for each in value)}]"
    return quoted(value) if kind in ("text", "tokens") else str(shown(value))


def _case(name: str, arguments: Mapping[str, Any]) -> list[str]:
    pairs = list(zip(arguments["hypotheses"], arguments["references"], strict=True))
    written = []
    for hypothesis, references in pairs:
        if len(references) == 1:
            side = f"reference: {text(references[0])}"
        else:
            side = f"references: [{', '.join(map(text, references))}]"
        written.append(f"{{hypothesis: {text(hypothesis)}, {side}}}")
    if len(written) == 1:
        return [f"    {name}: {written[0]}"]
    return [f"    {name}:", *(f"      - {each}" for each in written)]


def _fields(metric: Metric, call: Called) -> str:
    """The fields of an input, each as its type is written."""

    def written(value: Any, kind: str) -> str:
        if kind == "segments":
            return f"[{', '.join(map(text, value))}]"
        if kind == "segments-many":
            return f"[{', '.join(written(each, 'segments') for each in value)}]"
        return text(value) if kind == "text" else json.dumps(value)

    fields = [f"{name}: {written(each, metric.input[name].type)}" for name, each in call.arguments.items()]
    return f"{{{', '.join(fields)}}}"


def text(value: Any) -> str:
    """A text as a scenario writes it: a scalar, or explicit tokens."""
    if isinstance(value, str):
        return quoted(value)
    return f"{{tokens: [{', '.join(map(quoted, value))}]}}"


def setting(value: Any) -> str:
    """A parameter's value as a scenario writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(setting, value))}]"
    return quoted(value) if isinstance(value, str) else str(value)


def quoted(value: str) -> str:
    """A YAML scalar: plain where it is one word, else quoted, with everything but ASCII escaped."""
    if _PLAIN.fullmatch(value):
        return value
    return f'"{"".join(map(_escaped, value))}"'


def _escaped(character: str) -> str:
    code = ord(character)
    if character in '"\\':
        return f"\\{character}"
    if 0x20 <= code < 0x7F:
        return character
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


__all__ = ["quoted", "scenario", "text"]
