"""The run, one straight line: plan, ask, judge. Every planned check ends as one row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from conformance.expressions import close, parse_relation
from conformance.judge import PASSED, Answer, Verdict, answer_of, judge, judge_relation, offered
from conformance.model import Check, Expected, Metric, Outcome, Row, Suite
from conformance.number_faults import Change, number_faults
from conformance.plan import Plan, Planner, Selection, expectation, word
from conformance.profiles import Oracle, Stance, neighbours, stance
from conformance.relations import used_components
from conformance.transport import Connection, Question

LARGE = 50
"""From this many segments on, a failure is explained only by causes that smaller failures have shown."""

Changes = tuple[tuple[str, Any], ...]

FAILED = (Outcome.FAIL, Outcome.INVALID, Outcome.ERROR)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A judged check: its row, and the conventions that would explain it."""

    row: Row
    plan: Plan
    answers: Mapping[str, Answer]
    explained_by: tuple[tuple[str, Any], ...] = ()
    causes: tuple[Changes, ...] = ()


class Interrupted(Exception):
    """The run was stopped by the person; `rows` is what was judged until then."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__("interrupted")
        self.rows = rows


def run(
    suite: Suite,
    connection: Connection,
    oracle: Oracle,
    selection: Selection,
    *,
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Row]:
    """Hold a connected implementation to the suite; returns a row for each planned check, in order.

    Raises Interrupted, with the rows so far, where the person stops it.
    """
    stances = {
        name: stance(suite.metrics[name], capability, (overrides or {}).get(name))
        for name, capability in connection.capabilities.items()
        if name in suite.metrics
    }
    planner = Planner(suite, stances, oracle)
    identity = connection.identity
    plans = list(planner.plans(filter(selection.takes, suite.checks), identity.name, identity.version))
    judging = Judging(planner, suite)
    judged: list[Candidate] = []
    interrupted = False
    try:
        for plan, answers, seconds, stray in ask_all(plans, connection, planner, progress):
            try:
                judged.append(judging.judged(plan, answers, seconds, stray))
            except Exception as error:  # one answer or scenario that nobody thought of must not cost the others
                judged.append(unjudged(plan, error))
    except KeyboardInterrupt:
        interrupted = True
    rows = [candidate.row for candidate in settle_conventions(name_causes(judged, planner), planner)]
    if interrupted:
        raise Interrupted(rows)
    return rows


def ask_all(
    plans: Sequence[Plan], connection: Connection, planner: Planner, progress: Callable[[int, int], None] | None
) -> Iterator[tuple[Plan, dict[str, Answer], float, str]]:
    """Ask every distinct question once, in order, and hand each plan its answers as soon as they are there."""
    places: dict[tuple[str, str], int] = {}
    questions: list[Question] = []
    needed: list[list[tuple[str, int]]] = []
    for plan in plans:
        wanted = []
        for name, term in plan.terms.items() if plan.verdict is None else ():
            key = (term.question.key, plan.check.terms[name].variation)
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
        found, spent, stray = {}, 0.0, ""
        for name, at in needed[place]:
            found[name] = answers[at]
            spent += seconds[at]
            stray += strays[at]
        if progress is not None:
            progress(place + 1, len(plans))
        yield plan, found, spent, stray


def unjudged(plan: Plan, error: Exception) -> Candidate:
    """A check whose answer cannot be judged, as an invalid row that says so."""
    check, message = plan.check, f"it cannot be judged: {type(error).__name__}: {str(error)[:200]}"
    kind = "claim" if check.implementation else check.kind
    row = Row(check.id, check.metric, check.clause, kind, Outcome.INVALID, profile=plan.profile, message=message)
    return Candidate(row, plan, {})


class Judging:
    """Judges plans of one target; remembers which causes have explained failures so far."""

    causes: Counter[Changes]

    def __init__(self, planner: Planner, suite: Suite) -> None:
        self.planner, self.suite = planner, suite
        self.causes = Counter()

    def judged(self, plan: Plan, answers: Mapping[str, Answer], seconds: float, stray: str) -> Candidate:
        """One plan with its answers, as a row."""
        check = plan.check
        explained: tuple[tuple[str, Any], ...] = ()
        causes: tuple[Changes, ...] = ()
        convention = None
        observed: Any = None
        if plan.verdict is not None:
            verdict = plan.verdict
        elif any(answer.kind == "unsupported" for answer in answers.values()):
            text = next(answer.text for answer in answers.values() if answer.kind == "unsupported")
            verdict = Verdict(Outcome.UNSUPPORTED, text)
        elif check.kind == "relation":
            capabilities = {name: each.capability for name, each in self.planner.stances.items()}
            verdict, observed = judge_relation(check, answers, self.suite.metrics, capabilities)
        elif check.kind == "open":
            verdict, convention, explained = self.open(plan, answers[""])
            observed = answers[""].shown
        else:
            observed = answers[""].shown
            verdict = self.value(plan, answers[""])
        refusal = plan.expected is not None and plan.expected.kind == "raises"
        if verdict.outcome in FAILED and check.kind != "open" and check.implementation is None and not refusal:
            unlike = not self.agrees(plan, answers, {})
            explained = self.explanations(plan, answers) if unlike else ()
            if explained:
                name, value = explained[0]
                convention = f"{name} = {word(value)}"
                verdict = Verdict(Outcome.CONVENTION)
            elif unlike:
                causes = self.likely(plan, answers)
            elif check.kind == "value" and verdict.outcome is Outcome.FAIL:
                verdict = replace(
                    verdict, message=f"{verdict.message}, as the reference gives it: is what is expected right?"
                )
        expected = plan.expected or check.expected
        row = Row(
            check=check.id,
            metric=check.metric,
            clause=check.clause,
            kind="claim" if check.implementation else check.kind,
            outcome=verdict.outcome,
            profile=plan.profile,
            expected=self.shown(plan),
            expected_value=expected.values if expected and expected.values else None,
            by_profile=plan.by_profile,
            observed=observed,
            convention=convention,
            message=verdict.message,
            stray=stray or None,
            asked={name: plan.terms[name].question.key for name in answers},
            seconds=seconds,
        )
        return Candidate(row, plan, answers, explained, causes)

    def shown(self, plan: Plan) -> Any:
        """What was expected, as the scenario writes it."""
        check = plan.check
        if check.kind == "relation":
            return check.relation
        if check.kind == "open":
            return {name: each.as_json() for name, each in (plan.conventions or check.conventions).items()}
        expected = plan.expected or check.expected
        return expected.as_json() if expected is not None else None

    def value(self, plan: Plan, answer: Answer) -> Verdict:
        if plan.expected is None:
            raise ValueError(f"{plan.check.id}: nothing is expected")
        expected = offered(plan.expected, answer.values) if answer.partial else plan.expected
        if expected is None:
            return Verdict(Outcome.UNSUPPORTED, f"the target gives {', '.join(answer.values)} alone")
        return judge(expected, answer, plan.stance.metric, plan.stance.capability, plan.check.relative)

    def open(self, plan: Plan, answer: Answer) -> tuple[Verdict, str | None, tuple[tuple[str, Any], ...]]:
        """Which convention an answer to an open question is; a declared one has to be that one."""
        check, stance_ = plan.check, plan.stance
        if answer.kind in ("timeout", "crash", "invalid"):
            return Verdict(Outcome(answer.kind), answer.text), None, ()
        given = answer.values if answer.partial else stance_.capability.components
        if all(offered(expected, given) is None for expected in plan.conventions.values()):
            return Verdict(Outcome.UNSUPPORTED, "the target does not give what the question is about"), None, ()
        matched = [
            name
            for name, expected in plan.conventions.items()
            if self.is_convention(offered(expected, given) or expected, answer, stance_)
        ]
        parameter = str(check.parameter)
        said = check.ask.parameters.get(parameter, stance_.declared.get(parameter, stance_.quirks.get(parameter)))
        if said is not None and word(said) in plan.conventions:
            if word(said) in matched:
                return PASSED, f"{parameter} = {word(said)}", ()
            which = f"it gives {', '.join(matched)}" if matched else "it gives no convention's value"
            return Verdict(Outcome.FAIL, f"{parameter} = {word(said)} is declared, but {which}"), None, ()
        if not matched:
            return Verdict(Outcome.FAIL, f"the answer is no convention of {parameter}"), None, ()
        values = {word(value): value for value in stance_.metric.parameters[parameter].values()}
        explained = tuple((parameter, values[name]) for name in matched)
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
            if like is not None and answers[name].partial:
                like = offered(like, answers[name].values)
            if reference.kind != "answer":
                if answers[name].kind != "error":
                    return False
                continue
            if like is not None:
                wanted = expectation(reference, like)
            else:
                main = main_component(answers[name], term.stance.metric)
                compared = dict.fromkeys(compared_components(plan.check, name, main))
                wanted = expectation(reference, Expected("values", compared, compared))
            if judge(wanted, answers[name], term.stance.metric, term.stance.capability) != PASSED:
                return False
        return True

    def large(self, plan: Plan) -> bool:
        return any(len(term.question.arguments.get("hypotheses", ())) > LARGE for term in plan.terms.values())

    def explanations(self, plan: Plan, answers: Mapping[str, Answer]) -> tuple[tuple[str, Any], ...]:
        """The conventions of undeclared parameters, one at a time, that give what the target gave."""
        found = []
        for name, value in neighbours(plan.stance, plan.stance.undeclared, quirks=False):
            if self.large(plan) and ((name, value),) not in self.causes:
                continue
            if self.agrees(plan, answers, {name: value}):
                found.append((name, value))
                self.causes[((name, value),)] += 1
        return tuple(found)

    def likely(self, plan: Plan, answers: Mapping[str, Answer]) -> tuple[Changes, ...]:
        """What could have caused a failure: the declared quirks together, or one changed choice; all that fit."""
        if any(answer.kind != "answer" for answer in answers.values()):
            return ()
        quirks = tuple(plan.stance.quirks.items())
        tried = dict.fromkeys((quirks,) if quirks else ())
        tried.update({(each,): None for each in quirks})
        tried.update(dict.fromkeys(self.causes))
        if not self.large(plan):
            names = list(plan.stance.metric.parameters)
            tried.update({(each,): None for each in neighbours(plan.stance, names, quirks=True)})
        found = tuple(changes for changes in tried if self.agrees(plan, answers, dict(changes)))
        self.causes.update(found)
        return found


def worded(changes: Changes, metric: Metric) -> str:
    """Changed choices in words, quirks named as such."""
    parts = []
    for name, value in changes:
        quirk = " (a quirk)" if metric.parameters[name].is_quirk(value) else ""
        parts.append(f"{name} = {word(value)}{quirk}")
    return ", ".join(parts)


def main_component(answer: Answer, metric: Metric) -> str:
    """The metric's main component, or the first of its components that the answer gives."""
    return next((name for name in metric.components if name in answer.values), metric.main)


def compared_components(check: Check, term: str, main: str) -> list[str]:
    """The components of a term that a check looks at: those that its relation names, or else the main one."""
    pairs = used_components(parse_relation(check.relation)) if check.relation else ()
    return list(dict.fromkeys(component or main for key, component in pairs if key == term)) or [main]


def passed_on(plan: Plan) -> set[str]:
    """The parameters that the target was told."""
    return {name for term in plan.terms.values() for name in term.question.parameters}


class Evidence:
    """Whether a change of choices is contradicted: some passed check would have come out otherwise under it."""

    def __init__(self, judged: Sequence[Candidate], planner: Planner) -> None:
        self.judging, self.judged = Judging(planner, planner.suite), judged
        self._known: dict[tuple[str, Changes], bool] = {}

    @cached_property
    def passed(self) -> list[Candidate]:
        """The passed value checks that the reference can be asked quickly."""
        return [
            each
            for each in self.judged
            if each.row.outcome is Outcome.PASS
            and each.row.kind == "value"
            and not self.judging.large(each.plan)
            and each.plan.expected is not None
            and each.plan.expected.values
        ]

    def against(self, metric: str, changes: Changes) -> bool:
        """Whether a passed check of the metric speaks against these choices."""
        parameters = self.judging.suite.metrics[metric].parameters
        if all(parameters[name].default == value for name, value in changes):
            return False
        key = (metric, changes)
        if key not in self._known:
            self._known[key] = any(
                not self.judging.agrees(each.plan, each.answers, dict(changes))
                for each in self.passed
                if each.row.metric == metric and not any(name in passed_on(each.plan) for name, _ in changes)
            )
        return self._known[key]


def settle_conventions(judged: Sequence[Candidate], planner: Planner) -> list[Candidate]:
    """Name one convention a parameter for the whole run; a target that mixes two of them fails there."""
    evidence = Evidence(judged, planner)
    votes = Counter((each.row.metric, pair) for each in judged for pair in each.explained_by)
    chosen: list[Candidate] = []
    taken: dict[tuple[str, str], set[Any]] = {}
    for each in judged:
        if not each.explained_by:
            chosen.append(each)
            continue
        metric = each.row.metric
        ranked = {pair: (not evidence.against(metric, (pair,)), votes[(metric, pair)]) for pair in each.explained_by}
        name, value = max(each.explained_by, key=lambda pair: ranked[pair])
        row = replace(each.row, convention=f"{name} = {word(value)}")
        values = taken.setdefault((metric, name), set())
        values.add(value)
        if not ranked[(name, value)][0]:
            values.add(planner.suite.metrics[metric].parameters[name].default)
        chosen.append(replace(each, row=row, explained_by=((name, value),)))
    return [_unmixed(each, taken) for each in chosen]


def name_causes(judged: Sequence[Candidate], planner: Planner) -> list[Candidate]:
    """The cause of each failure: of those that fit, one that no pass contradicts and that fits most failures."""
    evidence = Evidence(judged, planner)
    votes = Counter((each.row.metric, changes) for each in judged for changes in each.causes)
    pairs: dict[str, set[tuple[float, float]]] = {}
    for each in judged:
        if (pair := main_pair(each)) is not None:
            pairs.setdefault(each.row.metric, set()).add(pair)
    numbers = {metric: number_cause(values) for metric, values in pairs.items()}
    named = []
    for each in judged:
        cause = numbers.get(each.row.metric)
        if cause is not None and fits(each, cause[1]):
            each = replace(each, row=replace(each.row, cause=cause[0]))
        elif each.causes:
            metric = each.row.metric
            ranked = {
                changes: (not evidence.against(metric, changes), votes[(metric, changes)]) for changes in each.causes
            }
            best = max(each.causes, key=lambda changes: ranked[changes])
            each = replace(each, row=replace(each.row, cause=worded(best, each.plan.stance.metric)))
        named.append(each)
    return named


def main_pair(candidate: Candidate) -> tuple[float, float] | None:
    """The main value that a failed check expected, and the one that it got; None where it has no such two."""
    if candidate.row.outcome is not Outcome.FAIL or candidate.row.kind != "value":
        return None
    metric, expected = candidate.plan.stance.metric, candidate.plan.expected
    if expected is None:
        return None
    wanted, got = expected.values.get(metric.main), candidate.answers[""].values.get(metric.main)
    if not isinstance(wanted, (int, float)) or not isinstance(got, (int, float)):
        return None
    return float(wanted), float(got)


def fits(candidate: Candidate, change: Change) -> bool:
    """Whether a failed check's value is what the change makes of the right one."""
    pair = main_pair(candidate)
    return pair is not None and close(change(pair[0]), pair[1])


def number_cause(values: set[tuple[float, float]]) -> tuple[str, Change] | None:
    """A wrong scale or the like that gives at least three different wrong values of a metric, and most of them."""
    for words, change in number_faults() if len(values) >= 3 else ():
        fitting = {pair for pair in values if close(change(pair[0]), pair[1])}
        if len(fitting) >= 3 and 2 * len(fitting) > len(values):
            return words, change
    return None


def _unmixed(each: Candidate, taken: Mapping[tuple[str, str], set[Any]]) -> Candidate:
    if each.row.outcome is not Outcome.CONVENTION:
        return each
    name, _ = each.explained_by[0]
    values = taken[(each.row.metric, name)]
    if len(values) == 1:
        return each
    mixed = ", ".join(sorted(word(value) for value in values))
    message = f"the target mixes conventions of {name}: {mixed}"
    return replace(each, row=replace(each.row, outcome=Outcome.FAIL, message=message))
