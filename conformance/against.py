"""A port held to its original, quirks included, instead of to the definition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from conformance.judge import Answer, Verdict, same
from conformance.model import Check, Outcome, Row, Suite
from conformance.plan import Plan, Planner, Selection
from conformance.profiles import Oracle, stance
from conformance.run import Interrupted, ask_all
from conformance.transport import Connection


def run_against(
    suite: Suite, connection: Connection, original: Connection, oracle: Oracle, selection: Selection
) -> list[Row]:
    """Hold a port to its original, quirks included: both are asked the same, and must agree.

    Raises Interrupted, with the rows so far, where the person stops it.
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
    rows: list[Row] = []
    try:
        for (plan, answers, seconds, stray), (other, wanted, _, _) in zip(*sides, strict=True):
            rows.append(_compared(plan, answers, other, wanted, original.identity.name, seconds, stray))
    except KeyboardInterrupt:
        raise Interrupted(rows) from None
    return rows


def _apart(plan: Plan, other: Plan) -> Verdict | None:
    """Where one is set to what the other cannot be set to, a difference is of the settings, and says nothing."""
    for key, term in plan.terms.items():
        theirs = other.terms[key].settings
        for name, value in term.settings.items():
            if name in theirs and theirs[name] != value:
                return Verdict(Outcome.UNSUPPORTED, f"the two cannot be set to the same {name}")
    return None


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
        verdict = Verdict(outcome, f"differs from {name}" if differing else None)
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
