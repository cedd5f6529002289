"""Looking at the suite: lists, one scenario with its derivations, one score worked out."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from conformance.adapter import Adapter, Step
from conformance.inputs import form
from conformance.judge import SPECIAL
from conformance.model import Check, Metric, Suite
from conformance.yamlfile import Plain, core

UNSEEN = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str) -> str:
    """Text with its control and invisible characters written as escapes."""
    shown = []
    for character in text:
        if character in UNSEEN:
            shown.append(UNSEEN[character])
        elif character.isprintable():
            shown.append(character)
        else:
            shown.append(character.encode("unicode_escape", "surrogatepass").decode("ascii"))
    return "".join(shown)


def told(text: str) -> str:
    """A text of an input: in quotes where blanks would not be seen, with marks apart where they are no letters' own."""
    shown = visible(text)
    if unicodedata.normalize("NFC", text) != text:
        shown = "".join(f"\\u{ord(each):04x}" if unicodedata.combining(each) else each for each in shown)
    return shown if text and text == " ".join(text.split()) else f'"{shown}"'


def listing(suite: Suite, what: str, pattern: str, root: Path) -> Iterator[str]:
    """The lines of `conformance list`."""
    if what == "targets":
        for path in sorted([*(root / "adapters").glob("*.py"), *(root / "adapters").glob("*.mjs")]):
            if fnmatchcase(path.stem, pattern):
                yield path.stem
    elif what == "scenarios":
        for scenario in suite.scenarios.values():
            if fnmatchcase(scenario.name, pattern):
                yield f"{scenario.name:40} {len(scenario.checks):5} checks  {scenario.file}:{scenario.line}"
    elif what == "checks":
        for check in suite.checks:
            if fnmatchcase(check.id, pattern):
                yield check.id
    else:
        for metric in suite.metrics.values():
            yield from _of_metric(metric, what, pattern)


def _of_metric(metric: Metric, what: str, pattern: str) -> Iterator[str]:
    if what == "metrics":
        if fnmatchcase(metric.name, pattern):
            yield f"{metric.name:22} {metric.kind:10} {metric.main:12} {metric.title}"
    elif what == "clauses":
        for clause in metric.clauses.values():
            name = f"{metric.name}.{clause.id}"
            if fnmatchcase(name, pattern):
                yield f"{name:36} {clause.level:7} {clause.text} ({clause.source})"
    elif what == "parameters":
        for parameter in metric.parameters.values():
            name = f"{metric.name}.{parameter.name}"
            if fnmatchcase(name, pattern) or parameter.name == pattern:
                values = ", ".join(parameter.conventions) or ", ".join(parameter.items) or parameter.type
                yield f"{name:36} {parameter.question} [{shown(parameter.default)}] {values}"
    elif what == "conventions":
        for parameter in metric.parameters.values():
            name = f"{metric.name}.{parameter.name}"
            if fnmatchcase(name, pattern) or parameter.name == pattern:
                yield f"{name}: {parameter.question} [{shown(parameter.default)}]"
                for value, convention in parameter.conventions.items():
                    yield f"  {value:22} {convention.text}{' (a quirk)' if convention.quirk else ''}"
    elif what == "profiles":
        for name, settings in metric.profiles.items():
            if fnmatchcase(f"{metric.name}.{name}", pattern):
                yield f"{metric.name}.{name:30} {', '.join(f'{k}={shown(v)}' for k, v in settings.items()) or 'the defaults'}"
    elif what == "invariants":
        for law in metric.invariants.values():
            if fnmatchcase(f"{metric.name}.{law.id}", pattern):
                yield f"{metric.name}.{law.id:36} {law.law}"


def shown(value: Any) -> str:
    """A parameter's value as it is written in YAML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    return str(value)


def settings_of(metric: Metric, words: Sequence[str], profile: str | None = None) -> dict[str, Any]:
    """`name=value` words as parameters of a metric. Raises ValueError with one line."""
    settings: dict[str, Any] = {}
    if profile is not None:
        if profile not in metric.profiles:
            raise ValueError(
                f"{metric.name} has no profile {profile!r}; known are {', '.join(metric.profiles) or 'none'}"
            )
        settings.update(metric.profiles[profile])
    for word in words:
        name, sign, text = word.partition("=")
        if not sign or name not in metric.parameters:
            raise ValueError(
                f"{word!r}: expected NAME=VALUE with one of {', '.join(metric.parameters) or 'no parameter'}"
            )
        parameter = metric.parameters[name]
        value: Any = text
        if parameter.type in ("list", "numbers"):
            parts = [each.strip() for each in text.strip("[]").split(",") if each.strip()]
            value = parts if parameter.type == "list" else [core(Plain(each)) for each in parts]
        elif parameter.type != "choice":
            value = core(Plain(text))
        problem = parameter.misfit(value)
        if problem:
            raise ValueError(f"{name}: {problem}")
        settings[name] = value
    return settings


def derivation(steps: Sequence[Step]) -> Iterator[str]:
    """A derivation as lines: what is worked out, how, and its value."""
    width = min(28, max((len(step.name) for step in steps), default=0))
    for step in steps:
        value = "" if step.value is None else f" = {number(step.value)}"
        working = visible(step.working)
        yield f"  {step.name:{width}}  {working}{value}".rstrip()


def number(value: Any) -> str:
    """A value for people: ten significant digits, lists in brackets."""
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_listed, value)) + "]"
    return visible(str(value))


def _listed(value: Any) -> str:
    """An element of a list: text in quotes, as it may hold a comma or nothing, but for the names of special numbers."""
    return repr(value) if isinstance(value, str) and value not in SPECIAL else number(value)


MOST = 300
"""So many characters of a field are shown."""


def input_lines(arguments: Mapping[str, Any], limit: int = 6) -> Iterator[str]:
    """An input as lines, shortened; one of no regular shape as JSON."""
    if form(arguments) == "raw" or "hypotheses" not in arguments:
        raw = "hypotheses" in arguments or "references" in arguments
        for name, value in arguments.items():
            text = json.dumps(value, ensure_ascii=True, default=repr) if raw else _shortened(value)
            yield f"  {name}: {text if len(text) <= MOST else text[: MOST - 3] + '...'}"
        return
    pairs = list(zip(arguments["hypotheses"], arguments["references"], strict=True))
    for place, (hypothesis, references) in enumerate(pairs[:limit]):
        label = f"segment {place + 1} " if len(pairs) > 1 else ""
        yield f"  {label}hypothesis: {_shortened(hypothesis)}"
        for reference in references[:limit] if isinstance(references, list) else [references]:
            yield f"  {label}reference:  {_shortened(reference)}"
    if len(pairs) > limit:
        yield f"  ... and {len(pairs) - limit} more segments"
    for name, value in arguments.items():
        if name not in ("hypotheses", "references"):
            yield f"  {name}: {_shortened(value)}"


def _shortened(value: Any, limit: int = 100) -> str:
    if isinstance(value, list):
        text = "[" + ", ".join(_shortened(each, 30) for each in value[:20]) + (", ..." if len(value) > 20 else "") + "]"
    elif value is None:
        return "(missing)"
    else:
        text = told(value) if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def scenario_lines(suite: Suite, name: str, reference: Adapter) -> Iterator[str]:
    """A scenario as it is understood: its text, and the derivation of each value. Raises ValueError."""
    check_name = name if "/" in name else None
    scenario = suite.scenarios.get(name.split("/")[0])
    wanted = [check for check in suite.checks if check.id == name] if check_name else []
    if scenario is None or (check_name and not wanted):
        from difflib import get_close_matches

        known = [check.id for check in suite.checks] if "/" in name else list(suite.scenarios)
        near = get_close_matches(name, known, 3)
        raise ValueError(f"no scenario or check {name!r}" + (f"; did you mean {', '.join(near)}?" if near else ""))
    yield scenario.name
    yield f"  {scenario.why}"
    yield f"  source: {', '.join(scenario.source.values())} ({scenario.file}:{scenario.line})"
    yield ""
    if not wanted:
        yield from (f"  | {visible(line)}" for line in scenario.yaml.splitlines())
        wanted = [check for check in suite.checks if check.scenario == scenario.name]
    last = None
    for check in wanted[:40]:
        yield ""
        yield from _check_lines(suite, check, reference, check.ask.input != last)
        last = check.ask.input
    if len(wanted) > 40:
        yield f"\n  ... and {len(wanted) - 40} more checks: conformance list checks '{scenario.name}/*'"


def _check_lines(suite: Suite, check: Check, reference: Adapter, with_input: bool) -> Iterator[str]:
    yield check.id
    if check.clause:
        metric, _, clause = check.clause.partition(".")
        yield f"  clause {check.clause}: {suite.metrics[metric].clauses[clause].text}"
    if check.ask.parameters:
        yield "  with " + ", ".join(f"{name} = {shown(value)}" for name, value in check.ask.parameters.items())
    if check.implementation:
        yield f"  a claim about {check.implementation} alone"
    if check.kind == "relation":
        yield f"  expected: {check.relation}"
    elif check.kind == "open":
        for name, each in check.conventions.items():
            yield f"  {check.parameter} = {name}: {json.dumps(each.as_json(), ensure_ascii=True)}"
    elif check.expected is not None:
        yield f"  expected: {json.dumps(check.expected.as_json(), ensure_ascii=True)}"
        for name, value in check.expected.values.items():
            yield f"            {name} = {number(value)}"
    if check.erratum:
        yield f"  the document prints {check.erratum['printed']}: {check.erratum['reason']}"
    if with_input:
        yield from input_lines(suite.inputs[check.ask.input])
    if (
        check.kind == "value"
        and check.expected is not None
        and check.expected.kind == "values"
        and not check.implementation
    ):
        arguments = suite.inputs[check.ask.input]
        if len(arguments.get("hypotheses", [])) <= 3:
            yield from derivation(reference.derive(check.metric, arguments, check.ask.parameters))
