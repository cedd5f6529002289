"""What an implementation would pass that always answers 0, or always 1: the worth of a pass."""

from __future__ import annotations

from collections.abc import Sequence

from conformance.adapter import Capability
from conformance.judge import PASSED, Answer, judge, judge_relation
from conformance.model import Check, Outcome, Row, Suite


def baseline(suite: Suite, rows: Sequence[Row]) -> dict[str, int]:
    """How many of the same checks an implementation would pass that always answers 0, or always 1."""
    checks = {check.id: check for check in suite.checks}
    counts = {"zero": 0, "one": 0}
    for row in rows:
        check = checks.get(row.check)
        if check is None or row.outcome is Outcome.UNSUPPORTED or row.kind in ("claim", "against"):
            continue
        for word, constant in (("zero", 0), ("one", 1)):
            counts[word] += _constant_passes(check, suite, constant, Capability(check.metric))
    return counts


def _constant_passes(check: Check, suite: Suite, constant: int, capability: Capability) -> bool:
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
        whole = not any("[" in key for key in expected.values)
        if whole and judge(expected, Answer("answer", values), metric, capability) == PASSED:
            return True
    return False
