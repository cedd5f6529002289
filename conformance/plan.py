"""Which checks apply to a target, what it is asked, and what it is held to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from conformance.expressions import parse_relation
from conformance.inputs import form
from conformance.judge import PASSED, Answer, Verdict, judge, judge_relation, offered, same
from conformance.model import Ask, Check, Expected, Metric, Outcome, Suite
from conformance.profiles import Oracle, Stance
from conformance.questions import question_id
from conformance.relations import used_components
from conformance.transport import Question


@dataclass(frozen=True, slots=True)
class Selection:
    """Which checks a person wants: globs over ids, metrics and clauses; empty means all."""

    globs: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()

    def takes(self, check: Check) -> bool:
        """Whether the check is wanted."""
        if self.metrics and check.metric not in self.metrics:
            return False
        if self.clauses and not any(fnmatchcase(check.clause or "", clause) for clause in self.clauses):
            return False
        return not self.globs or any(check.id == glob or fnmatchcase(check.id, glob) for glob in self.globs)

    @property
    def everything(self) -> bool:
        """Whether nothing is left out."""
        return not (self.globs or self.metrics or self.clauses)


@dataclass(frozen=True, slots=True)
class Term:
    """One prepared question, with what the reference needs to answer the same."""

    question: Question
    key: str
    stance: Stance
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """A check made ready for one target: its terms and what is expected, or why it is not asked.

    An open question has what each convention gives.
    """

    check: Check
    stance: Stance
    profile: Mapping[str, Any]
    terms: Mapping[str, Term] = field(default_factory=dict)
    expected: Expected | None = None
    by_profile: bool = False
    verdict: Verdict | None = None
    conventions: Mapping[str, Expected] = field(default_factory=dict)


class Refusal(Exception):
    """The target cannot be asked this; the message says why."""


def claimed(check: Check, name: str, version: str) -> bool:
    """Whether a check is for everyone, or a claim about just this implementation and version."""
    if check.implementation is None:
        return True
    wanted_name, _, wanted_version = check.implementation.partition("==")
    return wanted_name == name and wanted_version == version


def _resources(check: Check, stance: Stance, settings: Mapping[str, Any]) -> None:
    """Raises Refusal for a question that needs what the target lacks, and for one about its absence where it is there."""
    lacks = stance.capability.lacks
    if check.without is not None and check.without not in lacks:
        raise Refusal(f"this is about {check.without} not being there, and it is")
    for resource, needed in lacks.items():
        if resource != check.without:
            for name, values in needed.items():
                value = settings.get(name, stance.declared.get(name))
                if value in values:
                    raise Refusal(f"{name} = {word(value)} needs {resource}, which is not here")


class Planner:
    """Makes plans for one target."""

    def __init__(self, suite: Suite, stances: Mapping[str, Stance], oracle: Oracle) -> None:
        self.suite, self.stances, self.oracle = suite, stances, oracle
        self._prepared: dict[tuple[str, str, str], tuple[str, dict[str, Any]]] = {}
        self._forms: dict[str, str] = {}

    def plans(self, checks: Iterable[Check], name: str, version: str) -> Iterable[Plan]:
        """A plan for each check that is about a metric the target has; claims about others are left out."""
        for check in checks:
            if check.metric in self.stances and claimed(check, name, version):
                yield self.plan(check)

    def plan(self, check: Check) -> Plan:
        """One check made ready."""
        stance = self.stances[check.metric]
        profile = stance.profile(check.ask.parameters)
        try:
            terms = {name: self.term(check, ask) for name, ask in check.terms.items()}
            if check.kind == "relation":
                return self._relation(check, stance, profile, terms)
            if check.kind == "open":
                return Plan(check, stance, profile, terms, conventions=self._conventions(check, terms[""]))
            return self._value(check, stance, profile, terms)
        except Refusal as refusal:
            return Plan(check, stance, profile, verdict=Verdict(Outcome.UNSUPPORTED, str(refusal)))

    def term(self, check: Check, ask: Ask) -> Term:
        """One question as the target takes it. Raises Refusal."""
        if ask.metric not in self.stances:
            raise Refusal(f"the target has no {ask.metric}")
        stance = self.stances[ask.metric]
        for name, field_ in stance.metric.input.items():
            if field_.optional and name in self.suite.inputs[ask.input] and name not in stance.capability.given:
                raise Refusal(f"the target takes no {name}")
        settings = dict(ask.parameters)
        _resources(check, stance, settings)
        key, arguments = self.prepare(ask, stance, settings)
        passed, otherwise = self.settle(check, stance, settings, key, arguments)
        return Term(
            Question(ask.metric, arguments, passed, key=question_id(ask.metric, key, passed)),
            key,
            stance,
            {**settings, **otherwise},
        )

    def prepare(self, ask: Ask, stance: Stance, settings: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """The arguments in the form that the target takes; settings that it thereby obeys are taken out."""
        arguments = self.suite.inputs[ask.input]
        made_of = self._forms.get(ask.input)
        if made_of is None:
            made_of = self._forms[ask.input] = self.suite.forms.get(ask.input) or form(arguments)
        capability = stance.capability
        if made_of in ("raw", "mixed"):
            hypotheses = arguments.get("hypotheses")
            if not capability.corpus and not (isinstance(hypotheses, list) and len(hypotheses) == 1):
                raise Refusal("the target scores one segment at a time")
            return self._keyed(ask, "raw", "", dict(arguments))
        if "hypotheses" in arguments:
            if not capability.corpus and len(arguments["hypotheses"]) != 1:
                raise Refusal("the target scores one segment at a time")
            if capability.references == "one" and any(len(each) != 1 for each in arguments["references"]):
                raise Refusal("the target takes one reference a segment")
        wanted = made_of if capability.input == "either" else capability.input
        staged = stance.staged
        if wanted == made_of == "text":
            return self._keyed(ask, "text", "", dict(arguments))
        if wanted == made_of == "tokens":
            for name in staged:
                settings.pop(name, None)
            return self._keyed(ask, "tokens", "", dict(arguments))
        if wanted == "text":
            if "tokenizer" in staged:
                settings.setdefault("tokenizer", "whitespace")
            return self._keyed(ask, "text", "", _mapped(arguments, _joined, stance.metric))
        how = {name: settings.pop(name, stance.metric.parameters[name].default) for name in staged}
        words = ",".join(f"{name}={value}" for name, value in how.items())
        return self._keyed(
            ask, "tokens", words, _mapped(arguments, lambda text: self._tokens(text, how), stance.metric)
        )

    def _keyed(self, ask: Ask, shape: str, how: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        found = self._prepared.get((ask.input, shape, how))
        if found is None:
            found = self._prepared[(ask.input, shape, how)] = (f"{ask.input}:{shape}:{how}", arguments)
        return found

    def _tokens(self, text: str, how: Mapping[str, Any]) -> list[str]:
        if how.get("tokenizer", "whitespace") == "whitespace" and not how.get("lowercase"):
            return text.split()
        answer = self.oracle.answer("tokenize", how, f"text:{text}", {"text": text})
        if answer.kind != "answer":
            raise Refusal(f"the text cannot be tokenized here: {answer.text}")
        return list(answer.values["tokens"])

    def settle(
        self, check: Check, stance: Stance, settings: Mapping[str, Any], key: str, arguments: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The parameters to pass, and those where the target does otherwise. Raises Refusal where that matters."""
        passed: dict[str, Any] = {}
        otherwise: dict[str, Any] = {}
        mistyped = check.expected is not None and check.expected.kind == "raises"
        for name, value in settings.items():
            if stance.capability.takes(name, value) or (mistyped and name in stance.capability.accepts):
                passed[name] = value
                continue
            current = stance.declared.get(name, stance.quirks.get(name, stance.metric.parameters[name].default))
            if current != value or type(current) is not type(value):
                otherwise[name] = current
        if otherwise:
            asked = self.oracle.answer(stance.metric.name, stance.profile(settings), key, arguments)
            done = self.oracle.answer(stance.metric.name, stance.profile({**settings, **otherwise}), key, arguments)
            names = check.expected.values if check.expected and check.expected.values else None
            capability = self.oracle.adapter.capabilities[stance.metric.name]
            if not same(asked, done, names, stance.metric, capability, absolute=0):
                wanted = ", ".join(f"{name} = {settings[name]}" for name in otherwise)
                raise Refusal(f"the target cannot be set to {wanted}")
        return passed, otherwise

    def under(self, term: Term, changes: Mapping[str, Any] | None = None) -> Answer:
        """The reference's answer to a term under the target's profile, with changes."""
        parameters = term.stance.profile({**term.settings, **(changes or {})})
        return self.oracle.answer(term.question.metric, parameters, term.key, term.question.arguments)

    def by_definition(self, check: Check, term: Term) -> Answer:
        """The reference's answer to a check's term under the definition's own profile."""
        set_by_check = {name: value for name, value in check.ask.parameters.items() if name in term.settings}
        parameters = {**term.stance.metric.defaults(), **term.settings, **set_by_check}
        return self.oracle.answer(term.question.metric, parameters, term.key, term.question.arguments)

    def swayed(self, term: Term) -> bool:
        """Whether the target's own choices differ from the definition's where the check leaves them open."""
        parameters = term.stance.metric.parameters
        return any(
            value != parameters[name].default
            for name, value in term.stance.declared.items()
            if name not in term.settings
        )

    def _value(self, check: Check, stance: Stance, profile: Mapping[str, Any], terms: Mapping[str, Term]) -> Plan:
        if check.expected is None:
            raise ValueError(f"{check.id}: a value check without an expectation")
        expected = offered(check.expected, stance.capability.components)
        if expected is None:
            raise Refusal(f"the target does not give {', '.join(check.expected.values)}")
        term = terms[""]
        if check.implementation is None and self.swayed(term):
            own, definition = self.under(term), self.by_definition(check, term)
            capability = self.oracle.adapter.capabilities[check.metric]
            if not same(definition, own, expected.values or None, stance.metric, capability, absolute=0):
                return Plan(check, stance, profile, terms, expectation(own, expected), True)
        return Plan(check, stance, profile, terms, expected)

    def _conventions(self, check: Check, term: Term) -> Mapping[str, Expected]:
        """What each convention of an open question gives beside the target's other choices."""
        parameter = str(check.parameter)
        choices = {name for name in term.stance.declared if name not in (parameter, *term.settings)}
        defaults = term.stance.metric.defaults()
        if all(term.stance.declared[name] == defaults[name] for name in choices):
            return check.conventions
        capability = self.oracle.adapter.capabilities[check.metric]
        named = {word(value): value for value in term.stance.metric.parameters[parameter].values()}
        found = {}
        for name, expected in check.conventions.items():
            answer = self.under(term, {parameter: named[name]})
            fits = judge(expected, answer, term.stance.metric, capability) == PASSED
            found[name] = expected if fits else expectation(answer, expected)
        return found

    def _relation(self, check: Check, stance: Stance, profile: Mapping[str, Any], terms: Mapping[str, Term]) -> Plan:
        for key, component in used_components(parse_relation(str(check.relation))):
            term = terms.get(key)
            if term is None:
                continue
            given, name = term.stance.capability.components, component or term.stance.metric.main
            if given is not None and name not in given:
                raise Refusal(f"the target does not give {name}")
        if check.implementation is None and any(self.swayed(term) for term in terms.values()):
            answers = {name: self.under(term) for name, term in terms.items()}
            verdict, _ = judge_relation(check, answers, self.suite.metrics)
            if verdict != PASSED:
                raise Refusal("the relation does not hold under the target's profile")
        return Plan(check, stance, profile, terms)


def word(value: Any) -> str:
    """A convention's name as scenarios write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _joined(text: Any) -> str:
    if isinstance(text, str):
        return text
    if any(not token or token.split() != [token] for token in text):
        raise Refusal("the tokens cannot be written as one text")
    return " ".join(text)


def _mapped(arguments: Mapping[str, Any], convert: Callable[[Any], Any], metric: Metric) -> dict[str, Any]:
    """The arguments with every text converted: one text, one a segment, or several a segment (None is a missing one)."""

    def converted(value: Any, kind: str) -> Any:
        if kind == "text":
            return convert(value)
        if kind == "segments":
            return [convert(each) for each in value]
        if kind == "segments-many":
            return [[None if each is None else convert(each) for each in several] for several in value]
        return value

    return {name: converted(value, metric.input[name].type) for name, value in arguments.items()}


def expectation(answer: Answer, like: Expected) -> Expected:
    """The reference's answer as an expectation on the same components."""
    if answer.kind != "answer":
        return Expected("raises", error="any")
    names = list(like.values) or list(answer.values)[:1]
    values: dict[str, Any] = {}
    for name in names:
        base, _, index = name.partition("[")
        value = answer.values[base]
        if index:
            place = int(index[:-1])
            value = value[place - 1] if place <= len(value) else "nan"
        values[name] = value
    values = {name: "undefined" if value == "nan" else value for name, value in values.items()}
    return Expected("values", values, values)
