"""An answer and an expectation become an outcome, with its reason. Pure: nobody is asked here."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from conformance.adapter import Capability
from conformance.expressions import (
    ABSOLUTE,
    RELATIVE,
    Call,
    Comparison,
    Element,
    ExpressionError,
    Literal,
    Name,
    Node,
    Part,
    close,
    compare,
    evaluate,
    parse_relation,
)
from conformance.model import Check, Expected, Metric, Outcome
from conformance.relations import term_key
from conformance.transport import Reply

EXACT = frozenset({"text", "tokens", "flags"})
"""The types of components that are compared to the letter."""
SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply on the definition's scale: `kind` as the reply's, and the components where it is an answer.

    A partial answer names fewer components than the metric has, and its adapter promised none: the others are
    not held against it.
    """

    kind: str
    values: Mapping[str, Any]
    text: str = ""
    error: Mapping[str, str] | None = None
    partial: bool = False

    @property
    def shown(self) -> Any:
        """The answer as a record shows it."""
        if self.kind == "answer":
            return self.values
        if self.error is not None:
            return {"raises": self.error.get("class") or self.error.get("kind", "")}
        return None


@dataclass(frozen=True, slots=True)
class Verdict:
    outcome: Outcome
    message: str | None = None


PASSED = Verdict(Outcome.PASS)


def answer_of(reply: Reply, metric: Metric, capability: Capability) -> Answer:
    """A reply with its components named and its scale taken out."""
    if reply.kind == "error":
        error = reply.body if isinstance(reply.body, Mapping) else {"kind": "internal", "message": str(reply.body)}
        return Answer("error", {}, str(error.get("message", "")), {str(k): str(v) for k, v in error.items()})
    if reply.kind != "answer":
        return Answer(reply.kind, {}, str(reply.body))
    values = {}
    for name, value in reply.body.items():
        component = name or metric.main
        values[component] = _unscaled(value, capability.scale_of(component, metric.main))
    known = values.keys() & metric.components.keys()
    return Answer(
        "answer", values, partial=capability.components is None and bool(known) and known != metric.components.keys()
    )


def _unscaled(value: Any, factor: float) -> Any:
    if factor == 1:
        return value
    if isinstance(value, list):
        return [_unscaled(each, factor) for each in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value / factor
    return value


def offered(expected: Expected, components: Collection[str] | None) -> Expected | None:
    """The part of an expectation that is about these components; None where nothing of it is left."""
    if expected.kind != "values" or components is None:
        return expected
    kept = {key: each for key, each in expected.values.items() if key.split("[")[0] in components}
    if not kept:
        return None
    return Expected("values", {key: expected.expressions[key] for key in kept}, kept)


def judge(
    expected: Expected, answer: Answer, metric: Metric, capability: Capability, relative: float | None = None
) -> Verdict:
    """Hold an answer against what is expected."""
    if answer.kind in ("timeout", "crash", "invalid"):
        return Verdict(Outcome(answer.kind), answer.text)
    if expected.kind == "raises":
        return _raised(expected.error, answer)
    may_fail = expected.kind == "undefined" or "undefined" in expected.values.values()
    if answer.kind == "error":
        if may_fail:
            return PASSED
        error = answer.error or {}
        return Verdict(Outcome.ERROR, f"{error.get('class') or 'an error'}: {answer.text}")
    if expected.kind in ("returns", "undefined"):
        value = answer.values.get(metric.main)
        wanted = {"none": (None,), "nan": ("nan",)}.get(expected.error, (None, "nan"))
        if value in wanted and not isinstance(value, bool):
            return PASSED
        return Verdict(Outcome.FAIL, f"expected {' or '.join(map(str, wanted))}")
    for name, wanted_value in expected.values.items():
        verdict = _component(name, wanted_value, answer, metric, capability, relative)
        if verdict.outcome is not Outcome.PASS:
            return verdict
    return PASSED


def _raised(wanted: str, answer: Answer) -> Verdict:
    if answer.kind != "error":
        return Verdict(Outcome.FAIL, "expected an error, got an answer")
    error = answer.error or {}
    if wanted == "any" or (wanted == "input" and error.get("kind") == "input") or wanted == error.get("class"):
        return PASSED
    return Verdict(Outcome.FAIL, f"expected {wanted}, got {error.get('class') or error.get('kind')}: {answer.text}")


def _component(
    name: str,
    wanted: Any,
    answer: Answer,
    metric: Metric,
    capability: Capability,
    relative: float | None,
    absolute: float = ABSOLUTE,
) -> Verdict:
    base, _, index = name.partition("[")
    if base not in answer.values:
        return Verdict(Outcome.INVALID, f"the answer has no {base!r}; it has {', '.join(answer.values) or 'nothing'}")
    got = answer.values[base]
    if index:
        place = int(index[:-1])
        if not isinstance(got, list) or len(got) < place:
            return Verdict(Outcome.INVALID, f"{base} has no element {place}: {shorten(got)}")
        got = got[place - 1]
    kind = metric.components[base].type
    if kind in EXACT:
        if isinstance(got, type(wanted)):
            return PASSED if got == wanted else Verdict(Outcome.FAIL, f"{base} differs")
        return Verdict(Outcome.INVALID, f"{base} is not {kind}: {shorten(got)}")
    return _numbers(base, wanted, got, (slack_of(capability, base, metric), relative or RELATIVE, absolute))


def _numbers(name: str, wanted: Any, got: Any, tolerance: tuple[float, float, float]) -> Verdict:
    """A number, or a list of them, also of lists."""
    if not isinstance(wanted, list):
        return _number(name, wanted, got, tolerance)
    if not isinstance(got, list):
        return Verdict(Outcome.INVALID, f"{name} is not a list: {shorten(got)}")
    if len(got) != len(wanted):
        return Verdict(Outcome.FAIL, f"{name} has {len(got)} elements; expected {len(wanted)}")
    for each_wanted, each_got in zip(wanted, got, strict=True):
        verdict = _numbers(name, each_wanted, each_got, tolerance)
        if verdict.outcome is not Outcome.PASS:
            return verdict
    return PASSED


def _number(name: str, wanted: Any, got: Any, tolerance: tuple[float, float, float]) -> Verdict:
    """`tolerance`: of what the target rounds, relative, and absolute."""
    slack, relative, absolute = tolerance
    if wanted == "undefined":
        return PASSED if got in (None, "nan") else Verdict(Outcome.FAIL, f"{name} is undefined; expected nan or none")
    if isinstance(got, str) and got in SPECIAL:
        got = SPECIAL[got]
    if got is None or isinstance(got, (str, list, dict)):
        return Verdict(Outcome.INVALID, f"{name} is not a number: {shorten(got)}")
    wanted = SPECIAL.get(wanted, wanted) if isinstance(wanted, str) else wanted
    if math.isnan(got) and not math.isnan(wanted):
        return Verdict(Outcome.INVALID, f"{name} is not a number: nan")
    if close(wanted, float(got), relative=relative, absolute=absolute):
        return PASSED
    if slack and abs(wanted - got) <= slack:
        return PASSED
    return Verdict(Outcome.FAIL, f"{name} differs")


def shorten(value: Any, limit: int = 80) -> str:
    """A value in a message: its repr, cut."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def same(
    left: Answer,
    right: Answer,
    names: Mapping[str, Any] | None,
    metric: Metric,
    capability: Capability,
    absolute: float = ABSOLUTE,
) -> bool:
    """Whether two answers agree, on the named components or on all that both have; `absolute` is the slack near zero."""
    if left.kind != right.kind:
        return False
    if left.kind != "answer":
        return left.kind == "error"
    chosen = [name.split("[")[0] for name in names] if names else [name for name in left.values if name in right.values]
    for name in chosen:
        if name not in left.values or name not in right.values:
            return False
        verdict = _component(name, left.values[name], right, metric, capability, None, absolute)
        if verdict.outcome is not Outcome.PASS:
            return False
    return True


class Unanswered(Exception):
    """A term of a relation has no value: the answer is an error, or not a number."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.message)
        self.verdict = verdict


def judge_relation(
    check: Check,
    answers: Mapping[str, Answer],
    metrics: Mapping[str, Metric],
    capabilities: Mapping[str, Capability] | None = None,
) -> tuple[Verdict, dict[str, Any]]:
    """Hold the answers of a relation's terms against it; also returns the values that were compared.

    Capabilities, by metric, say which of them are rounded: what is printed alike counts as equal.
    """
    seen: dict[str, Any] = {}
    roundings: list[float] = []

    def component(node: Node) -> Any:
        whole, name = (node.whole, node.name) if isinstance(node, Part) else (node, "")
        key = term_key(whole)
        answer, metric = answers[key], metrics[check.terms[key].metric]
        name = name or metric.main
        if answer.kind != "answer":
            kind = Outcome.ERROR if answer.kind == "error" else Outcome(answer.kind)
            raise Unanswered(Verdict(kind, f"{key}: {answer.text}"))
        if name not in answer.values:
            outcome = Outcome.UNSUPPORTED if answer.partial else Outcome.INVALID
            raise Unanswered(Verdict(outcome, f"{key}: the answer has no {name!r}"))
        value = _comparable(answer.values[name])
        if value is None:
            raise Unanswered(Verdict(Outcome.INVALID, f"{key}: {name} is not a number: {shorten(answer.values[name])}"))
        seen[f"{key}.{name}" if name != metric.main else key] = answer.values[name]
        if capabilities is not None:
            roundings.append(slack_of(capabilities[metric.name], name, metric))
        return value

    variables = {name: Fraction(value) for name, value in check.variables.items()}
    if check.relation is None:
        raise ValueError(f"{check.id}: the check is no relation")
    try:
        node = parsed(check.relation)
        if isinstance(node, Comparison):
            operands = [evaluate(each, variables, component) for each in node.operands]
            if any(not isinstance(each, (Name, Call, Part, Element)) for each in node.operands):
                seen["operands"] = [shown(each) for each in operands]
        holds = evaluate(node, variables, component)
        if not holds and isinstance(node, Comparison) and any(roundings):
            pairs = zip(node.operators, operands, operands[1:], strict=False)
            holds = all(compared(sign, left, right, sum(roundings)) for sign, left, right in pairs)
    except Unanswered as missing:
        return missing.verdict, seen
    except ExpressionError as error:
        return Verdict(Outcome.INVALID, str(error)), seen
    return (PASSED if holds is True else Verdict(Outcome.FAIL, "the relation does not hold")), seen


def slack_of(capability: Capability, component: str, metric: Metric) -> float:
    """How far a printed component may be from the number that was printed, on the definition's scale."""
    if capability.decimals is None:
        return 0.0
    return 0.5000001 * 10.0**-capability.decimals / capability.scale_of(component, metric.main)


def compared(sign: str, left: Any, right: Any, rounding: float) -> bool:
    """One comparison; where values are rounded, so much between two numbers counts as equal."""
    if compare(sign, left, right):
        return True
    numbers = all(isinstance(each, (int, float, Fraction)) for each in (left, right))
    return numbers and rounding > 0 and sign in ("==", "<=", ">=") and abs(float(left - right)) <= rounding


def shown(value: Any) -> Any:
    """A worked-out value as a record holds it: a rational as a float."""
    if isinstance(value, list):
        return [shown(each) for each in value]
    if isinstance(value, Fraction):
        return float(value) if abs(value) <= sys.float_info.max else "beyond the largest float"
    return value


@lru_cache(maxsize=4096)
def parsed(relation: str) -> Node:
    """A relation, parsed, with quoted outputs as names."""
    return _quoted(parse_relation(relation))


def _quoted(node: Node) -> Node:
    """Quoted outputs as names, so that they are resolved like any other."""
    from dataclasses import fields, replace

    if isinstance(node, Literal):
        return Name(node.value) if isinstance(node.value, str) else node
    if isinstance(node, Call):
        return node
    changes: dict[str, Any] = {}
    for each in fields(node):
        child = getattr(node, each.name)
        if isinstance(child, tuple):
            changes[each.name] = tuple(c if isinstance(c, str) else _quoted(c) for c in child)
        elif not isinstance(child, str):
            changes[each.name] = _quoted(child)
    return replace(node, **changes)


def _comparable(value: Any) -> Any:
    if isinstance(value, list):
        items = [_comparable(each) for each in value]
        return None if any(each is None for each in items) else items
    if isinstance(value, bool):
        return Fraction(int(value))
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, float):
        return value
    if isinstance(value, str):
        return SPECIAL.get(value, value)
    return None
