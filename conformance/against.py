"""A port held to its original, quirks included, instead of to the definition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from conformance.judge import Answer, Verdict, same
from conformance.model import Check, Outcome, Row, Suite
from conformance.plan import Plan, Planner, Selection, Term, word
from conformance.profiles import Oracle, stance
from conformance.run import Interrupted, ask_all, main_component
from conformance.transport import Connection

MOST_CHOICES = 2
"""So many choices together are tried as the reason of a difference."""


def run_against(
    suite: Suite, connection: Connection, original: Connection, oracle: Oracle, selection: Selection, name: str
) -> list[Row]:
    """Hold a port to its original, quirks included: both are asked the same, and must agree.

    `name` is that of the original, as the person called it. Where the choices that both declare give the
    difference, they are the row's cause. Raises Interrupted, with the rows so far, where the person stops it.
    """
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
        plans = [
            replace(plan, expected=plan.check.expected, by_profile=False) for plan in planner.plans(checks, "", "")
        ]
        sides.append(ask_all(plans, side, planner, None))
    planner = Planner(suite, {}, oracle)
    rows: list[Row] = []
    try:
        for (plan, answers, seconds, stray), (other, wanted, _, _) in zip(*sides, strict=True):
            row = _compared(plan, answers, other, wanted, name, seconds, stray)
            cause = _cause(plan, other, wanted, planner, name) if row.outcome is Outcome.FAIL else None
            rows.append(replace(row, cause=cause))
    except KeyboardInterrupt:
        raise Interrupted(rows) from None
    return rows


def _choices(term: Term) -> dict[str, Any]:
    """All that a side does with a term, quirks included."""
    return {**term.stance.base, **term.stance.quirks, **term.settings}


def _cause(plan: Plan, other: Plan, wanted: Mapping[str, Answer], planner: Planner, name: str) -> str | None:
    """The fewest declared choices in which the two differ, and by which the reference gives the original's answer."""
    if set(plan.terms) != {""}:
        return None
    term, answer = plan.terms[""], wanted[""]
    mine, them = _choices(term), other.terms[""]
    theirs = {**_choices(them), **them.stance.quirks}  # a quirk may hold though a check sets the parameter
    apart = [each for each, value in mine.items() if theirs.get(each, value) != value]
    metric, capability = term.stance.metric, term.stance.capability
    for size in range(1, MOST_CHOICES + 1):
        for some in combinations(apart, size):
            changed = planner.under(term, {**mine, **{each: theirs[each] for each in some}})
            if same(answer, changed, {main_component(answer, metric): None}, metric, capability):
                return ", ".join(f"{each} = {word(theirs[each])} in {name}, {word(mine[each])} here" for each in some)
    return None


def _apart(plan: Plan, other: Plan) -> Verdict | None:
    """Where one is set to what the other cannot be set to, a difference is of the settings, and says nothing."""
    for key, term in plan.terms.items():
        theirs = other.terms[key].settings
        for name, value in term.settings.items():
            if name in theirs and theirs[name] != value:
                return Verdict(Outcome.UNSUPPORTED, f"the two cannot be set to the same {name}")
    return None


def _differs(
    plan: Plan, wanted: Mapping[str, Answer], answers: Mapping[str, Answer], keys: list[str], name: str
) -> str:
    """What differs, by the names of the components."""

    def equal(key: str, component: str) -> bool:
        stance_ = plan.terms[key].stance
        return same(wanted[key], answers[key], {component: None}, stance_.metric, stance_.capability)

    named = [
        f"{key}.{component}" if key else component
        for key in keys
        for component in wanted[key].values
        if component in answers[key].values and not equal(key, component)
    ]
    return f"differs from {name}" + (f" in {', '.join(named)}" if named else "")


def _compared(
    plan: Plan,
    answers: Mapping[str, Answer],
    other: Plan,
    wanted: Mapping[str, Answer],
    name: str,
    seconds: float,
    stray: str,
) -> Row:
    refused = plan.verdict or other.verdict or _apart(plan, other)
    unsupported = any(each.kind == "unsupported" for each in (*answers.values(), *wanted.values()))
    shown = {key: each.shown for key, each in wanted.items()}
    observed = {key: each.shown for key, each in answers.items()}
    if refused is not None or unsupported:
        verdict = refused or Verdict(Outcome.UNSUPPORTED, "one of the two cannot answer this")
    else:
        differing = [
            key
            for key in wanted
            if not same(
                wanted[key], answers[key], None, plan.terms[key].stance.metric, plan.terms[key].stance.capability
            )
        ]
        bad = next(
            (answers[key] for key in differing if answers[key].kind in ("timeout", "crash", "invalid", "error")), None
        )
        outcome = Outcome.FAIL if differing else Outcome.PASS
        if bad is not None:
            outcome = Outcome(bad.kind)
        verdict = Verdict(outcome, _differs(plan, wanted, answers, differing, name) if differing else None)
    single = set(wanted) == {""}
    return Row(
        check=plan.check.id,
        metric=plan.check.metric,
        clause=plan.check.clause,
        kind="against",
        outcome=verdict.outcome,
        profile=dict(plan.profile),
        expected=f"as {name}",
        expected_value=shown.get("") if single else shown,
        observed=observed.get("") if single else observed,
        message=verdict.message,
        stray=stray or None,
        seconds=seconds,
    )
