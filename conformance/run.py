"""The run, one straight line: plan, ask, judge. Every planned check ends as one row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conformance.judge import PASSED, Answer, Verdict, answer_of, judge, judge_relation, offered
from conformance.model import Check, Expected, Outcome, Row, Suite
from conformance.plan import Plan, Planner, Selection, expectation
from conformance.profiles import Oracle, Stance, neighbours, stance
from conformance.transport import Connection, Question

LARGE = 50
"""From this many segments on, a failure is explained only by causes that smaller failures have shown."""

FAILED = (Outcome.FAIL, Outcome.INVALID, Outcome.ERROR)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A judged check: its row, and the conventions that would explain it."""

    row: Row
    plan: Plan
    answers: Mapping[str, Answer]
    explained_by: tuple[tuple[str, Any], ...] = ()


def run(
    suite: Suite,
    connection: Connection,
    oracle: Oracle,
    selection: Selection,
    *,
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Row]:
    """Hold a connected implementation to the suite; returns a row for each planned check, in order."""
    stances = {
        name: stance(suite.metrics[name], capability, (overrides or {}).get(name))
        for name, capability in connection.capabilities.items()
        if name in suite.metrics
    }
    planner = Planner(suite, stances, oracle)
    identity = connection.identity
    plans = list(planner.plans(filter(selection.takes, suite.checks), identity.name, identity.version))
    judged = [Judging(planner, suite).judged(plan, answers, seconds, stray)
              for plan, answers, seconds, stray in ask_all(plans, connection, planner, progress)]
    return [candidate.row for candidate in settle_conventions(judged, planner)]


def ask_all(
    plans: Sequence[Plan], connection: Connection, planner: Planner, progress: Callable[[int, int], None] | None
) -> Iterator[tuple[Plan, dict[str, Answer], float, str]]:
    """Ask every distinct question once, in order, and hand each plan its answers as soon as they are there."""
    places: dict[Any, int] = {}
    questions: list[Question] = []
    needed: list[list[tuple[str, int]]] = []
    for plan in plans:
        wanted = []
        for name, term in plan.terms.items() if plan.verdict is None else ():
            key = (term.question.metric, term.key, repr(term.question.parameters), plan.check.terms[name].variation)
            if key not in places:
                places[key] = len(questions)
                questions.append(term.question)
            wanted.append((name, places[key]))
        needed.append(wanted)
    replies = connection.ask(questions)
    answers: list[Answer] = []
    seconds: list[float] = []
    strays: list[str] = []
    for place, plan in enumerate(plans):
        last = max((at for _, at in needed[place]), default=-1)
        while len(answers) <= last:
            reply = next(replies)
            question = questions[len(answers)]
            metric = planner.suite.metrics[question.metric]
            answers.append(answer_of(reply, metric, connection.capabilities[question.metric]))
            seconds.append(reply.seconds)
            strays.append(reply.stray)
        found = {name: answers[at] for name, at in needed[place]}
        stray = "".join(strays[at] for _, at in needed[place])
        if progress is not None:
            progress(place + 1, len(plans))
        yield plan, found, sum(seconds[at] for _, at in needed[place]), stray


class Judging:
    """Judges plans of one target; remembers which causes have explained failures so far."""

    causes: Counter[tuple[tuple[str, Any], ...]]

    def __init__(self, planner: Planner, suite: Suite) -> None:
        self.planner, self.suite = planner, suite
        self.causes = Counter()

    def judged(self, plan: Plan, answers: Mapping[str, Answer], seconds: float, stray: str) -> Candidate:
        """One plan with its answers, as a row."""
        check = plan.check
        explained: tuple[tuple[str, Any], ...] = ()
        cause = convention = None
        observed: Any = None
        if plan.verdict is not None:
            verdict = plan.verdict
        elif any(answer.kind == "unsupported" for answer in answers.values()):
            text = next(answer.text for answer in answers.values() if answer.kind == "unsupported")
            verdict = Verdict(Outcome.UNSUPPORTED, text)
        elif check.kind == "relation":
            verdict, observed = judge_relation(check, answers, self.suite.metrics)
        elif check.kind == "open":
            verdict, convention, explained = self.open(plan, answers[""])
            observed = answers[""].shown
        else:
            observed = answers[""].shown
            verdict = self.value(plan, answers[""])
        if verdict.outcome in FAILED and check.kind != "open" and check.implementation is None:
            explained = self.explanations(plan, answers)
            if explained:
                name, value = explained[0]
                convention = f"{name} = {_word(value)}"
                verdict = Verdict(Outcome.CONVENTION)
            else:
                cause = self.cause(plan, answers)
        expected = plan.expected or check.expected
        row = Row(
            check=check.id, metric=check.metric, clause=check.clause, kind="claim" if check.implementation else check.kind,
            outcome=verdict.outcome, profile=dict(plan.profile),
            expected=self.shown(plan), expected_value=dict(expected.values) if expected and expected.values else None,
            by_profile=plan.by_profile, observed=observed, convention=convention, cause=cause,
            message=verdict.message, stray=stray or None, seconds=seconds,
        )
        return Candidate(row, plan, answers, explained)

    def shown(self, plan: Plan) -> Any:
        """What was expected, as the scenario writes it."""
        check = plan.check
        if check.kind == "relation":
            return check.relation
        if check.kind == "open":
            return {name: each.as_json() for name, each in check.conventions.items()}
        expected = plan.expected or check.expected
        return expected.as_json() if expected is not None else None

    def value(self, plan: Plan, answer: Answer) -> Verdict:
        if plan.expected is None:
            raise ValueError(f"{plan.check.id}: nothing is expected")
        return judge(plan.expected, answer, plan.stance.metric, plan.stance.capability, plan.check.relative)

    def open(self, plan: Plan, answer: Answer) -> tuple[Verdict, str | None, tuple[tuple[str, Any], ...]]:
        """Which convention an answer to an open question is; a declared one has to be that one."""
        check, stance_ = plan.check, plan.stance
        if answer.kind in ("timeout", "crash", "invalid"):
            return Verdict(Outcome(answer.kind), answer.text), None, ()
        matched = [
            name
            for name, expected in check.conventions.items()
            if self.is_convention(offered(expected, stance_.capability) or expected, answer, stance_)
        ]
        parameter = str(check.parameter)
        said = check.ask.parameters.get(parameter, stance_.declared.get(parameter, stance_.quirks.get(parameter)))
        if said is not None and _word(said) in check.conventions:
            if _word(said) in matched:
                return PASSED, f"{parameter} = {_word(said)}", ()
            which = f"it gives {', '.join(matched)}" if matched else "it gives no convention's value"
            return Verdict(Outcome.FAIL, f"{parameter} = {_word(said)} is declared, but {which}"), None, ()
        if not matched:
            return Verdict(Outcome.FAIL, f"the answer is no convention of {parameter}"), None, ()
        explained = tuple((parameter, name) for name in matched)
        return Verdict(Outcome.CONVENTION), f"{parameter} = {matched[0]}", explained

    def is_convention(self, expected: Expected, answer: Answer, stance_: Stance) -> bool:
        """Whether an answer is a convention's value; where that is an error, any error is."""
        if expected.kind == "raises" and answer.kind == "error":
            return True
        return judge(expected, answer, stance_.metric, stance_.capability) == PASSED

    def agrees(self, plan: Plan, answers: Mapping[str, Answer], changes: Mapping[str, Any]) -> bool:
        """Whether the reference with these changes gives just what the target gave."""
        for name, term in plan.terms.items():
            reference = self.planner.under(term, changes)
            like = plan.expected if plan.expected is not None and plan.expected.values else None
            if reference.kind != "answer":
                if answers[name].kind != "error":
                    return False
                continue
            if like is not None:
                wanted = expectation(reference, like)
            else:
                main = term.stance.metric.main
                wanted = expectation(Answer("answer", {main: reference.values[main]}), _main_of(main))
            if judge(wanted, answers[name], term.stance.metric, term.stance.capability) != PASSED:
                return False
        return True

    def large(self, plan: Plan) -> bool:
        return any(len(term.question.arguments.get("hypotheses", ())) > LARGE for term in plan.terms.values())

    def explanations(self, plan: Plan, answers: Mapping[str, Answer]) -> tuple[tuple[str, Any], ...]:
        """The conventions of undeclared parameters, one at a time, that give what the target gave."""
        names = [name for name in plan.stance.undeclared if name not in plan.check.ask.parameters
                 or plan.check.ask.parameters[name] == plan.stance.metric.parameters[name].default]
        found = []
        for name, value in neighbours(plan.stance, names, quirks=False):
            if self.large(plan) and ((name, value),) not in self.causes:
                continue
            if self.agrees(plan, answers, {name: value}):
                found.append((name, value))
                self.causes[((name, value),)] += 1
        return tuple(found)

    def cause(self, plan: Plan, answers: Mapping[str, Answer]) -> str | None:
        """The likely cause of a failure: the declared quirks together, else one changed choice."""
        quirks = tuple(plan.stance.quirks.items())
        tried = list(self.causes)
        if quirks:
            tried.insert(0, quirks)
            tried += [(each,) for each in quirks]
        if not self.large(plan):
            tried += [(each,) for each in neighbours(plan.stance, list(plan.stance.metric.parameters), quirks=True)]
        for changes in tried:
            if self.agrees(plan, answers, dict(changes)):
                self.causes[changes] += 1
                parts = []
                for name, value in changes:
                    quirk = " (a quirk)" if plan.stance.metric.parameters[name].is_quirk(value) else ""
                    parts.append(f"{name} = {_word(value)}{quirk}")
                return ", ".join(parts)
        return None


def _main_of(name: str) -> Expected:
    return Expected("values", {name: ""}, {name: 0})


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def settle_conventions(judged: Sequence[Candidate], planner: Planner) -> list[Candidate]:
    """Name one convention a parameter for the whole run; a target that mixes two of them fails there."""
    votes: Counter[tuple[str, str, Any]] = Counter()
    for each in judged:
        for name, value in each.explained_by:
            votes[(each.row.metric, name, value)] += 1
    chosen: list[Candidate] = []
    taken: dict[tuple[str, str], set[Any]] = {}
    for each in judged:
        if not each.explained_by:
            chosen.append(each)
            continue
        name, value = max(each.explained_by, key=lambda pair: votes[(each.row.metric, *pair)])
        row = replace(each.row, convention=f"{name} = {_word(value)}")
        taken.setdefault((row.metric, name), set()).add(value)
        chosen.append(replace(each, row=row, explained_by=((name, value),)))
    for (metric, name), values in taken.items():
        if len(values) == 1 and _contradicted(judged, planner, metric, name, next(iter(values))):
            values.add(planner.suite.metrics[metric].parameters[name].default)
    return [_unmixed(each, taken) for each in chosen]


def _contradicted(judged: Sequence[Candidate], planner: Planner, metric: str, name: str, value: Any) -> bool:
    """Whether some passed check shows the default where the convention would have given another answer."""
    judging = Judging(planner, planner.suite)
    default = planner.suite.metrics[metric].parameters[name].default
    if default == value:
        return False
    for each in judged:
        check = each.plan.check
        if each.row.outcome is not Outcome.PASS or check.metric != metric or check.kind != "value":
            continue
        if name in check.ask.parameters or check.implementation or judging.large(each.plan):
            continue
        if each.plan.expected is None or not each.plan.expected.values:
            continue
        if not judging.agrees(each.plan, each.answers, {name: value}):
            return True
    return False


def _unmixed(each: Candidate, taken: Mapping[tuple[str, str], set[Any]]) -> Candidate:
    if each.row.outcome is not Outcome.CONVENTION:
        return each
    name, _ = each.explained_by[0]
    values = taken[(each.row.metric, name)]
    if len(values) == 1:
        return each
    mixed = ", ".join(sorted(_word(value) for value in values))
    message = f"the target mixes conventions of {name}: {mixed}"
    return replace(each, row=replace(each.row, outcome=Outcome.FAIL, message=message))


def run_against(
    suite: Suite, connection: Connection, original: Connection, oracle: Oracle, selection: Selection
) -> list[Row]:
    """Hold a port to its original, quirks included: both are asked the same, and must agree."""
    sides = []
    for side in (connection, original):
        stances = {
            name: stance(suite.metrics[name], capability)
            for name, capability in side.capabilities.items()
            if name in suite.metrics and name in original.capabilities and name in connection.capabilities
        }
        planner = Planner(suite, stances, oracle)
        checks: Iterable[Check] = (
            check for check in suite.checks if check.implementation is None and selection.takes(check)
        )
        plans = [replace(plan, expected=plan.check.expected, by_profile=False) for plan in planner.plans(checks, "", "")]
        sides.append(list(ask_all(plans, side, planner, None)))
    rows = []
    for (plan, answers, seconds, stray), (other, wanted, _, _) in zip(*sides, strict=True):
        rows.append(_compared(plan, answers, other, wanted, original.identity.name, seconds, stray))
    return rows


def _compared(
    plan: Plan, answers: Mapping[str, Answer], other: Plan, wanted: Mapping[str, Answer], name: str, seconds: float, stray: str
) -> Row:
    from conformance.judge import same

    refused = plan.verdict or other.verdict
    unsupported = any(each.kind == "unsupported" for each in (*answers.values(), *wanted.values()))
    shown = {key: each.shown for key, each in wanted.items()}
    observed = {key: each.shown for key, each in answers.items()}
    if refused is not None or unsupported:
        verdict = refused or Verdict(Outcome.UNSUPPORTED, "one of the two cannot answer this")
    else:
        differing = [
            key for key in wanted if not same(wanted[key], answers[key], None, plan.terms[key].stance.metric, plan.terms[key].stance.capability)
        ]
        bad = next((answers[key] for key in differing if answers[key].kind in ("timeout", "crash", "invalid", "error")), None)
        outcome = Outcome.FAIL if differing else Outcome.PASS
        if bad is not None:
            outcome = Outcome(bad.kind)
        verdict = Verdict(outcome, f"differs from {name}" if differing else None)
    single = set(wanted) == {""}
    return Row(
        check=plan.check.id, metric=plan.check.metric, clause=plan.check.clause, kind="against",
        outcome=verdict.outcome, profile=dict(plan.profile), expected=f"as {name}",
        expected_value=shown.get("") if single else shown, observed=observed.get("") if single else observed,
        message=verdict.message, stray=stray or None, seconds=seconds,
    )


def baseline(suite: Suite, rows: Sequence[Row]) -> dict[str, int]:
    """How many of the same checks an implementation would pass that always answers 0, or always 1."""
    from conformance.adapter import Capability

    checks = {check.id: check for check in suite.checks}
    counts = {"zero": 0, "one": 0}
    for row in rows:
        check = checks.get(row.check)
        if check is None or row.outcome is Outcome.UNSUPPORTED or row.kind in ("claim", "against"):
            continue
        for word, constant in (("zero", 0), ("one", 1)):
            counts[word] += _constant_passes(check, suite, constant, Capability(check.metric))
    return counts


def _constant_passes(check: Check, suite: Suite, constant: int, capability: Any) -> bool:
    metric = suite.metrics[check.metric]
    if check.kind == "relation":
        answers = {
            name: Answer("answer", dict.fromkeys(suite.metrics[ask.metric].components, constant))
            for name, ask in check.terms.items()
        }
        return judge_relation(check, answers, suite.metrics)[0] == PASSED
    for expected in [check.expected] if check.expected else list(check.conventions.values()):
        values = {
            key.split("[")[0]: [constant] * len(value) if isinstance(value, list) else constant
            for key, value in expected.values.items()
        }
        values.setdefault(metric.main, constant)
        if not any("[" in key for key in expected.values):
            if judge(expected, Answer("answer", values), metric, capability) == PASSED:
                return True
    return False


__all__ = ["Oracle", "baseline", "run", "run_against"]
