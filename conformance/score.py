"""One score for one input, from the reference or a target, worked out step by step."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from conformance.console import EXIT_OK, EXIT_UNEXPECTED, Usage, out
from conformance.explore import derivation, input_lines, number, settings_of, shown
from conformance.inputs import Reader
from conformance.judge import answer_of
from conformance.model import Ask, Check, Metric, Suite
from conformance.names import unknown_metric
from conformance.plan import Planner, Refusal
from conformance.profiles import Oracle, stance
from conformance.yamlfile import Document, parse


def arguments_of(metric: Metric, options: Namespace, words: list[str]) -> dict[str, Any]:
    """The input from the command line, in the order of the metric's fields. Raises Usage and BadFile."""
    fields = given(metric, options.given)
    if "text" in metric.input and "text" not in fields:
        if options.text is None:
            raise Usage(f"{metric.name} takes --text")
        fields["text"] = options.text
    if "hypotheses" in metric.input and "hypotheses" not in fields and (options.hyp or "hypotheses" in metric.required):
        fields |= texts(metric, options, words)
    missing = [name for name in metric.required if name not in fields]
    if missing or not fields:
        name = (missing or list(metric.input))[0]
        raise Usage(f"{metric.name} takes --given '{name}=...', written as in a scenario ({metric.input[name].type})")
    return {name: fields[name] for name in metric.input if name in fields}


def given(metric: Metric, settings: Sequence[str]) -> dict[str, Any]:
    """The fields of `--given FIELD=VALUE`, each read as in a scenario's `given`. Raises Usage and BadFile."""
    table: dict[str, Any] = {}
    for setting in settings:
        name, _, value = setting.partition("=")
        if name not in metric.input:
            raise Usage(f"{metric.name} has no field {name!r}; known are {', '.join(metric.input)}")
        table[name] = parse(value, "--given").data
    return Reader({}, metric.input, {}, Document("--given", table, {}), ()).given(table)


def texts(metric: Metric, options: Namespace, words: list[str]) -> dict[str, Any]:
    """Hypotheses and references; `--ref` belongs to the `--hyp` before it. Raises Usage."""
    if not options.hyp:
        raise Usage(f"{metric.name} takes --hyp TEXT and --ref TEXT...; empty text is --hyp ''")
    if len(options.hyp) == 1:
        return {"hypotheses": list(options.hyp), "references": [list(options.ref)]}
    references: list[list[str]] = []
    texts = iter(options.ref)
    for word in words:
        if word == "--hyp" or word.startswith("--hyp="):
            references.append([])
        elif word == "--ref" or word.startswith("--ref="):
            if not references:
                raise Usage("with several --hyp each --ref stands after its --hyp")
            references[-1].append(next(texts))
    return {"hypotheses": list(options.hyp), "references": references}


def score(options: Namespace, suite: Suite, words: list[str] | None = None) -> int:
    """The work of `conformance score`."""
    import sys

    from conformance.target import connect, load_shipped

    if options.metric not in suite.metrics:
        raise Usage(unknown_metric(options.metric, suite.metrics))
    metric = suite.metrics[options.metric]
    try:
        settings = settings_of(metric, options.parameter, options.profile)
    except ValueError as error:
        raise Usage(str(error)) from error
    arguments = arguments_of(metric, options, sys.argv if words is None else words)
    oracle = Oracle(load_shipped("reference"), suite.metrics)
    with connect(options.target, metric=metric.name, timeout=options.timeout) as connection:
        if metric.name not in connection.capabilities:
            raise Usage(f"{options.target} has no {metric.name}")
        capability = connection.capabilities[metric.name]
        own = Suite({**suite.metrics}, {}, (), {"": arguments}, "", "")
        planner = Planner(own, {metric.name: stance(metric, capability)}, oracle)
        ask = Ask(metric.name, settings, "")
        try:
            term = planner.term(Check("score", "", "value", metric.name, None, {"": ask}), ask)
        except Refusal as refusal:
            raise Usage(f"{options.target}: {refusal}") from refusal
        (reply,) = connection.ask([term.question])
        answer = answer_of(reply, metric, capability)
        steps = connection.derive(term.question) if answer.kind == "answer" else []
    if options.format == "json":
        report = {
            "metric": metric.name,
            "target": options.target,
            "parameters": settings,
            "answer": answer.shown,
            "steps": [{"name": step.name, "working": step.working, "value": step.value} for step in steps],
        }
        if answer.text:
            report["message"] = answer.text
        out(json.dumps(report, ensure_ascii=True, indent=2))
        return EXIT_OK if answer.kind == "answer" else EXIT_UNEXPECTED
    out(f"{metric.title} by {connection.identity.name} {connection.identity.version}", *input_lines(arguments))
    if settings:
        out("  with " + ", ".join(f"{name} = {shown(value)}" for name, value in settings.items()))
    if steps:
        out("", *derivation(steps))
    out("")
    if answer.kind != "answer":
        out(f"{answer.kind}: {(answer.error or {}).get('class', '')} {answer.text}".strip())
        return EXIT_UNEXPECTED
    out(*(f"{name} = {number(value)}" for name, value in answer.values.items()))
    return EXIT_OK
