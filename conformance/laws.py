"""The language of laws: an invariant of a specification, weighed on one drawn example.

A law is a relation over `h`, `r` and `t` (drawn texts), `n` (a drawn number), `p` and `q` (drawn lists of
probabilities), `corpus`, and the parameters of the metric. `component(hypothesis, references)` and
`component(corpus)` ask the metric itself, with its required fields in order (or the first ones, where none is
required); `other-metric.component(...)` asks another one. References are one text or a list of texts. A text
is a list of tokens, or a string where `joined` or `spaced` made one; lists of numbers add up with `+`.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from conformance.expressions import (
    FUNCTIONS,
    Binary,
    Call,
    Comparison,
    Element,
    ExpressionError,
    Items,
    Literal,
    Name,
    Node,
    Part,
    Range,
    Unary,
    children,
    evaluate,
)
from conformance.inputs import plain
from conformance.judge import SPECIAL, Answer, Unanswered, Verdict, compared, shorten
from conformance.model import Metric, Outcome
from conformance.works import WORKS, Corpus, spaced

TEXTS = ("h", "r", "t")
NUMBERS = ("p", "q")
DRAWN = frozenset({*TEXTS, *NUMBERS, "n", "corpus"})
"""The names in a law that are drawn."""


@dataclass(frozen=True, slots=True)
class Called:
    """One component of one answer that a law asked for."""

    metric: str
    component: str
    arguments: Mapping[str, Any]


Question = Callable[[str, Mapping[str, Any]], Answer]
Slack = Callable[[str, str], float]


class Reading:
    """A law read on one example: `ask` answers a metric, `slack` is how far a component may be rounded."""

    def __init__(
        self,
        metric: Metric,
        metrics: Mapping[str, Metric],
        variables: Mapping[str, Any],
        ask: Question,
        slack: Slack = lambda metric, component: 0.0,
    ) -> None:
        self.metric, self.metrics, self.variables, self.ask, self.slack = (
            metric,
            metrics,
            variables,
            ask,
            slack,
        )
        self.calls: dict[Node, Called] = {}
        self.rounding = 0.0

    def value(self, node: Node) -> Any:
        """The value of a part of the law. Raises ExpressionError; Unanswered where an answer has no value."""
        return evaluate(node, self.variables, self.resolve)

    def complete(self, node: Node) -> None:
        """Ask also what a law did not come to, because an earlier answer had no value."""
        for each in nodes(node):
            if isinstance(each, Call) and each not in self.calls and not is_arithmetic(each):
                with contextlib.suppress(Unanswered):
                    self.value(each)

    def resolve(self, node: Node) -> Any:
        """A call of a component or of one of the works."""
        if not isinstance(node, Call):
            raise ExpressionError(f"{unparse(node)!r} is no part of a law")
        arguments = [self.value(each) for each in node.arguments]
        function = node.function
        if isinstance(function, Part) and isinstance(function.whole, Name):
            if function.whole.name not in self.metrics:
                raise ExpressionError(f"no metric {function.whole.name!r}")
            return self.component(node, self.metrics[function.whole.name], function.name, arguments)
        if not isinstance(function, Name):
            raise ExpressionError(f"{unparse(function)!r} cannot be called")
        if function.name == "spaced":
            return spaced(arguments[0], self.variables["separators"])
        if function.name in WORKS:
            try:
                return WORKS[function.name](*arguments)
            except (TypeError, AttributeError) as error:
                raise ExpressionError(f"{function.name}: {error}") from error
        return self.component(node, self.metric, function.name, arguments)

    def component(self, node: Node, metric: Metric, name: str, arguments: list[Any]) -> Any:
        """One component of the answer to a call."""
        if name not in metric.components:
            raise ExpressionError(f"{metric.name} has no component {name!r}")
        asked = fields(metric, arguments)
        self.calls[node] = Called(metric.name, name, asked)
        answer = self.ask(metric.name, asked)
        if answer.kind != "answer":
            raise Unanswered(Verdict(Outcome(answer.kind), answer.text))
        if name not in answer.values:
            raise Unanswered(
                Verdict(Outcome.UNSUPPORTED if answer.partial else Outcome.INVALID, f"the answer has no {name!r}")
            )
        self.rounding += self.slack(metric.name, name)
        return comparable(answer.values[name], f"{metric.name}.{name}")


def fields(metric: Metric, arguments: list[Any]) -> dict[str, Any]:
    """The input of a metric, by the names of its spec's fields: those required, or else the first ones."""
    names = metric.required or tuple(metric.input)[: max(len(arguments), 1)]
    if len(names) == 2 and len(arguments) == 1 and isinstance(arguments[0], Corpus):
        return dict(zip(names, arguments[0].arguments(), strict=True))
    if len(arguments) != len(names):
        raise ExpressionError(f"{metric.name} takes {', '.join(names)}, or a corpus")
    strings = any(isinstance(each, str) for each in arguments)
    return {name: filled(metric.input[name].type, value, strings) for name, value in zip(names, arguments, strict=True)}


def filled(kind: str, value: Any, strings: bool) -> Any:
    """A field of some type from a value of the law; `strings` says that texts are strings, not lists of tokens."""
    if kind == "segments":
        return [value]
    if kind == "segments-many":
        several = isinstance(value, list) and (strings or any(isinstance(each, list) for each in value))
        return [value if several else [value]]
    return given(value) if kind == "numbers" else value


def given(value: Any) -> Any:
    """A number, or lists of them, as a question has it."""
    return [given(each) for each in value] if isinstance(value, list) else plain(value)


def comparable(value: Any, name: str) -> Any:
    """A value of an answer as the language compares it. Raises Unanswered for none and for NaN."""
    if isinstance(value, list):
        return [math.nan if each is None or each == "nan" else comparable(each, name) for each in value]
    if value is None or value == "nan":
        raise Unanswered(Verdict(Outcome.FAIL, f"{name} is {value}"))
    if isinstance(value, (bool, int)):
        return Fraction(value)
    if isinstance(value, float):
        return value
    if isinstance(value, str):
        return SPECIAL.get(value, value)
    raise Unanswered(Verdict(Outcome.INVALID, f"{name} is {shorten(value)}"))


@dataclass(frozen=True, slots=True)
class Weighed:
    """A law on one example: whether it holds, and the value of each of its sides."""

    holds: bool
    sides: Mapping[str, Any]


def weigh(node: Node, reading: Reading) -> Weighed:
    """Read a law on an example.

    Raises Unanswered where a term has no value, or a side of an order is NaN; ExpressionError where the law
    itself makes no sense.
    """
    if not isinstance(node, Comparison):
        raise ExpressionError(f"{unparse(node)!r} compares nothing")
    values = [reading.value(each) for each in node.operands]
    sides = dict(zip(map(unparse, node.operands), map(shown, values), strict=False))
    for side, value in sides.items():
        if value == "nan":
            raise Unanswered(Verdict(Outcome.FAIL, f"{side} is nan"))
    pairs = zip(node.operators, values, values[1:], strict=False)
    return Weighed(all(compared(sign, a, b, reading.rounding) for sign, a, b in pairs), sides)


def shown(value: Any) -> Any:
    """A value as a record shows it."""
    if isinstance(value, list):
        return [shown(each) for each in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return next(name for name, each in SPECIAL.items() if repr(each) == repr(value))
    return value


def nodes(node: Node) -> Iterator[Node]:
    """An expression and all of its parts."""
    yield node
    for child in children(node):
        yield from nodes(child)


def names(node: Node) -> set[str]:
    """The names in an expression: variables, functions, components, metrics."""
    return {each.name for each in nodes(node) if isinstance(each, Name)}


def components(node: Node, own: Metric) -> set[tuple[str, str]]:
    """The components that a law asks for, each with its metric."""
    found = set()
    for each in nodes(node):
        function = each.function if isinstance(each, Call) else None
        if isinstance(function, Part) and isinstance(function.whole, Name):
            found.add((function.whole.name, function.name))
        elif isinstance(function, Name) and function.name not in {*WORKS, *FUNCTIONS, "spaced"}:
            found.add((own.name, function.name))
    return found


def unparse(node: Node, replaced: Callable[[Node], str | None] = lambda node: None) -> str:
    """The text of an expression; `replaced` gives another text for a part of it."""

    def text(each: Node) -> str:
        return unparse(each, replaced)

    def inner(each: Node, level: int = 4) -> str:
        """The text of an operand, in parentheses where it binds less than the level."""
        return f"({text(each)})" if _level(each) < level else text(each)

    other = replaced(node)
    if other is not None:
        return other
    if isinstance(node, Literal):
        return f"'{node.value}'" if isinstance(node.value, str) else number_text(node.value)
    if isinstance(node, Name):
        return node.name
    if isinstance(node, Unary):
        return f"-{inner(node.operand)}"
    if isinstance(node, Binary):
        level = _level(node)
        return f"{inner(node.left, level)} {node.operator} {inner(node.right, level + 1)}"
    if isinstance(node, Comparison):
        parts = [text(node.operands[0])]
        for sign, operand in zip(node.operators, node.operands[1:], strict=True):
            parts += [sign, text(operand)]
        return " ".join(parts)
    if isinstance(node, Items):
        return f"[{', '.join(map(text, node.items))}]"
    if isinstance(node, Call):
        return f"{unparse(node.function)}({', '.join(map(text, node.arguments))})"
    if isinstance(node, Part):
        return f"{text(node.whole)}.{node.name}"
    if isinstance(node, Element):
        return f"{text(node.whole)}[{text(node.index)}]"
    if isinstance(node, Range):
        return f"{inner(node.first)}..{inner(node.last)}"
    raise TypeError(f"{node!r} is no expression")


def _level(node: Node) -> int:
    """How tightly an expression binds its parts."""
    if isinstance(node, Binary):
        return {"+": 1, "-": 1, "*": 2, "/": 2}.get(node.operator, 3)
    return {Comparison: 0, Range: 0, Unary: 1}.get(type(node), 5)


def number_text(value: Fraction | float) -> str:
    """A number as the language writes it."""
    if isinstance(value, float):
        return repr(value)
    return str(value) if value.denominator == 1 else f"({value})"


def is_arithmetic(node: Node) -> bool:
    """Whether a call is one that scenarios know as well: `max`, `abs` and their like."""
    return isinstance(node, Call) and isinstance(node.function, Name) and node.function.name in FUNCTIONS


__all__ = [
    "DRAWN",
    "NUMBERS",
    "TEXTS",
    "Called",
    "Corpus",
    "Reading",
    "Weighed",
    "components",
    "is_arithmetic",
    "names",
    "nodes",
    "number_text",
    "shown",
    "spaced",
    "unparse",
    "weigh",
]
