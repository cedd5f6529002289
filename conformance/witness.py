"""The second witness of an expected value: a real system that is asked again, or a second expression.

The first witness is the reference with the exact expression. A system is asked under the definition's own
profile: what the check leaves open is set to the spec's default wherever the system can be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from conformance.adapter import Capability
from conformance.environment import PINNED
from conformance.expressions import close
from conformance.model import Check, Outcome, Row, Suite
from conformance.plan import Selection
from conformance.profiles import Oracle
from conformance.run import run
from conformance.target import connect
from conformance.transport import Connection, TargetError


@dataclass(frozen=True, slots=True)
class Testimony:
    """What a named system says of one check; `problem` is None where it gives the expected value."""

    check: str
    system: str
    problem: str | None


def needs_witness(check: Check) -> bool:
    """Whether a check has a literal value: a claim is its own system's, an error or an open question has none."""
    literal = check.kind == "value" and check.expected is not None and check.expected.kind == "values"
    return literal and check.implementation is None


def systems(checks: Iterable[Check]) -> dict[str, list[Check]]:
    """The checks that each named system is a witness of."""
    found: dict[str, list[Check]] = {}
    for check in checks:
        if isinstance(check.witness, str):
            found.setdefault(check.witness, []).append(check)
    return found


def fully_set(check: Check, suite: Suite, capabilities: Mapping[str, Capability]) -> Check:
    """A check that sets what it leaves open to the definition's choice, as far as the system can be told."""
    ask, metric = check.ask, suite.metrics[check.metric]
    capability = capabilities.get(check.metric)
    if capability is None:
        return check
    told = {name: value for name, value in metric.defaults().items() if capability.takes(name, value)}
    return replace(check, terms={"": replace(ask, parameters={**told, **ask.parameters})})


def reach(system: str) -> Connection:
    """A system as it is installed here, else in an environment of its own at its pinned version. Raises TargetError."""
    try:
        return connect(system)
    except TargetError:
        return connect(f"{system}@{PINNED}")


def testify(suite: Suite, connection: Connection, oracle: Oracle, checks: Iterable[Check]) -> dict[str, Row]:
    """Ask a system for the values of some checks; rows by check."""
    asked = [fully_set(check, suite, connection.capabilities) for check in checks]
    rows = run(replace(suite, checks=asked), connection, oracle, Selection())
    return {row.check: row for row in rows}


def problem_of(check: Check, row: Row | None) -> str | None:
    """Why a row is no testimony for every number that a check expects; None where it is."""
    if row is None:
        return "it does not have the metric"
    if row.outcome is not Outcome.PASS:
        return f"{row.outcome.value}: {row.message or row.observed}"
    if row.by_profile:
        return "it gives another value, by its own profile"
    expected = check.expected.values if check.expected is not None else {}
    given = row.observed if isinstance(row.observed, Mapping) else {}
    missing = [name for name in expected if name.split("[")[0] not in given]
    return f"it does not give {', '.join(missing)}" if missing else None


def hear(suite: Suite, connection: Connection, oracle: Oracle, system: str) -> Iterator[Testimony]:
    """Every check that names a system, with what it says."""
    checks = systems(suite.checks).get(system, [])
    rows = testify(suite, connection, oracle, checks)
    for check in checks:
        yield Testimony(check.id, system, problem_of(check, rows.get(check.id)))


def second_expressions(suite: Suite) -> Iterator[Testimony]:
    """Every check with a second expression, and whether both agree."""
    for check in suite.checks:
        if not isinstance(check.witness, dict) or check.expected is None:
            continue
        seconds, firsts = check.witness["values"], check.expected.values
        missing = [name for name in firsts if name not in seconds]
        different = [name for name in firsts if name in seconds and not _agree(seconds[name], firsts[name])]
        problem = f"there is no second expression of {', '.join(missing)}" if missing else None
        if different:
            problem = f"the second expression of {different[0]} has another value"
        yield Testimony(check.id, "a second expression", problem)


def _agree(one: Any, other: Any) -> bool:
    if isinstance(one, list) or isinstance(other, list):
        both = isinstance(one, list) and isinstance(other, list) and len(one) == len(other)
        return both and all(_agree(a, b) for a, b in zip(one, other, strict=True))
    numeric = isinstance(one, (int, float)) and isinstance(other, (int, float))
    return close(float(one), float(other)) if numeric else one == other
