"""What implementations make of empty and nearly empty input: a value, the convention that it is, or an error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conformance.judge import Answer, same
from conformance.model import Ask, Check, Metric, Suite
from conformance.plan import Plan, Planner, Refusal, word
from conformance.profiles import Oracle, neighbours, stance
from conformance.run import Judging, ask_all, main_component, worded
from conformance.transport import Connection

WORDS = "u v w x y z"
"""More words than any metric's highest order, and no repeats."""

PAIRS: Mapping[str, tuple[list[str], list[list[str]]]] = {
    "both empty": ([""], [[""]]),
    'empty hypothesis for "x y"': ([""], [["x y"]]),
    'empty reference for "x y"': (["x y"], [[""]]),
    'no references for "x y"': (["x y"], [[]]),
    '"x y" for an empty one or "x y"': (["x y"], [["", "x y"]]),
    'one of two "x y" is empty': (["", "x y"], [["x y"], ["x y"]]),
    "empty corpus": ([], []),
    '"x" for "x"': (["x"], [["x"]]),
    '"x" for "y"': (["x"], [["y"]]),
    '"x y" for "x y"': (["x y"], [["x y"]]),
    "six words, the same": ([WORDS], [[WORDS]]),
}
"""Hypotheses and references by what is at the edge there. Two words are fewer than most orders."""

BLANKS: Mapping[str, str] = {
    "a space": " ",
    "a tab": "\t",
    "a line feed": "\n",
    "a carriage return": "\r",
    "a no-break space": "\u00a0",
    "an ideographic space": "\u3000",
    "a next-line character": "\u0085",
    "a line separator": "\u2028",
    "a zero-width space": "\u200b",
}
"""One character each. Unicode counts all as white space but for the last, which is none and looks like nothing."""

REFUSALS = ("error", "undefined", "nan")
"""The conventions of no value, by their names in the specs. Under another one an error has another reason."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one target makes of one input, on the definition's scale.

    kind: answer, error, unsupported (`text` says why), timeout, crash or invalid. `component` is the one that
    `value` is: the metric's main one, or the first that the target gives. `conventions` are the choices on which
    the answer depends, as it has them; `known` is false where no choice of the definition's, and no quirk that is
    known, gives it.
    """

    kind: str
    value: Any = None
    component: str | None = None
    text: str = ""
    conventions: tuple[str, ...] = ()
    known: bool = True


NOTHING = Cell("unsupported")


@dataclass(frozen=True, slots=True)
class Audit:
    """One metric and its main component: its inputs by name, and the cells of each target that has the metric."""

    metric: str
    main: str
    inputs: Mapping[str, Mapping[str, Any]]
    columns: Mapping[str, Mapping[str, Cell]]


def edges(metric: Metric) -> dict[str, dict[str, Any]]:
    """The inputs of a metric's audit: those that its spec lists, or those of texts."""
    if metric.edges:
        return {name: dict(given) for name, given in metric.edges.items()}
    if metric.required == ("text",):
        texts = {"empty": "", "one word": "x", **{f"only {name}": text for name, text in BLANKS.items()}}
        return {name: {"text": text} for name, text in texts.items()}
    blanks = {f"both {name}": ([text], [[text]]) for name, text in BLANKS.items()}
    found = {}
    for name, (hypotheses, references) in {**PAIRS, **blanks}.items():
        arguments: dict[str, Any] = {"hypotheses": hypotheses, "references": references}
        for other in metric.required[2:]:  # such as the sources of GEC GLEU+
            arguments[other] = [several[0] if several else "" for several in references]
        found[name] = arguments
    return found


def audit_suite(suite: Suite, metrics: Sequence[str]) -> Suite:
    """A suite of nothing but the edges, as checks that expect nothing."""
    inputs: dict[str, Mapping[str, Any]] = {}
    checks = []
    for name in metrics:
        for case, arguments in edges(suite.metrics[name]).items():
            key = f"{name}/{case}"
            inputs[key] = arguments
            checks.append(Check(key, "audit", "value", name, None, {"": Ask(name, {}, key)}))
    return replace(suite, checks=checks, inputs=inputs, forms={})


def cells(connection: Connection, oracle: Oracle, suite: Suite) -> Iterator[tuple[str, Cell]]:
    """The cell of each check of an audit suite that is about a metric of the target's."""
    stances = {
        name: stance(suite.metrics[name], capability)
        for name, capability in connection.capabilities.items()
        if name in suite.metrics
    }
    planner = Planner(suite, stances, oracle)
    judging = Judging(planner, suite)
    plans = []
    for check in suite.checks:
        if check.metric not in stances:
            continue
        stance_ = stances[check.metric]
        try:
            terms = {"": planner.term(check, check.ask)}
        except Refusal as refusal:
            yield check.id, Cell("unsupported", text=str(refusal))
        else:
            plans.append(Plan(check, stance_, stance_.profile({}), terms))
    for plan, answers, _, _ in ask_all(plans, connection, planner, None):
        yield plan.check.id, _cell(plan, answers[""], judging)


def _cell(plan: Plan, answer: Answer, judging: Judging) -> Cell:
    if answer.kind not in ("answer", "error"):
        return Cell(answer.kind, text=answer.text)
    component = main_component(answer, plan.stance.metric) if answer.kind == "answer" else None
    if component is not None and component not in answer.values:
        return Cell("invalid", text=f"it gives no component of {plan.stance.metric.name}")
    names = _conventions(plan, answer, component, judging)
    conventions, known = (names, True) if names is not None else ((), False)
    if component is None:
        error = answer.error or {}
        return Cell("error", error.get("class") or error.get("kind"), None, answer.text, conventions, known)
    return Cell("answer", answer.values[component], component, "", conventions, known)


def _conventions(plan: Plan, answer: Answer, component: str | None, judging: Judging) -> tuple[str, ...] | None:
    """The choices that decide here, as the answer has them; None where no choice gives the answer."""
    metric, answers = plan.stance.metric, {"": answer}
    if judging.agrees(plan, answers, {}):
        deciding = _deciding(plan, component, judging.planner)
        return tuple(f"{name} = {word(plan.profile[name])}" for name in deciding)
    quirks = tuple(plan.stance.quirks.items())
    changes = [quirks] if quirks else []
    undeclared = plan.stance.undeclared
    others = [name for name in metric.parameters if name not in undeclared]
    for names, beyond in ((undeclared, False), (undeclared, True), (others, True)):
        changes += [(each,) for each in neighbours(plan.stance, names, quirks=beyond)]
    for change in changes:
        if answer.kind == "error" and all(value not in REFUSALS for _, value in change):
            continue
        if judging.agrees(plan, answers, dict(change)):
            return (worded(change, metric),)
    return None


def _deciding(plan: Plan, component: str | None, planner: Planner) -> Iterator[str]:
    """The parameters whose conventions within the definition give different values here.

    A convention that cannot be had here, such as a jackknife over one reference, decides nothing.
    """
    term, metric, profile = plan.terms[""], plan.stance.metric, plan.profile
    capability = planner.oracle.adapter.capabilities[metric.name]
    shown = component or metric.main
    for name, parameter in metric.parameters.items():
        if component is None and profile[name] not in REFUSALS:
            continue
        values = [value for value in parameter.values() if not parameter.is_quirk(value)]
        answers = [
            answer
            for value in values
            if _number(answer := planner.under(term, {name: value}), shown) or value in REFUSALS
        ]
        if any(not same(answers[0], each, {shown: None}, metric, capability, absolute=0) for each in answers[1:]):
            yield name


def _number(answer: Answer, component: str) -> bool:
    return answer.values.get(component) not in (None, "nan")


def audited(found: Mapping[str, Mapping[str, Cell]], suite: Suite, metrics: Sequence[str]) -> list[Audit]:
    """The cells of each target as tables, one a metric that any of them can be asked."""
    tables = []
    for name in metrics:
        inputs = edges(suite.metrics[name])
        columns = {
            target: {case: column[f"{name}/{case}"] for case in inputs}
            for target, column in found.items()
            if any(column.get(f"{name}/{case}", NOTHING).kind != "unsupported" for case in inputs)
        }
        if columns:
            tables.append(Audit(name, suite.metrics[name].main, inputs, columns))
    return tables
