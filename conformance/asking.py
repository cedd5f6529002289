"""Drawn examples as questions: to a target, and to the reference under the target's profile."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from conformance.judge import Answer, answer_of
from conformance.model import Ask, Check, Metric, Suite
from conformance.plan import Planner, Term
from conformance.profiles import Oracle, Stance, stance
from conformance.transport import Connection


class Asker(Protocol):
    """Something that answers questions on the definition's scale: a target, or the reference in its place."""

    def stance(self, metric: str) -> Stance | None:
        """How it stands to a metric; None where it has no such metric."""
        ...

    def ask_one(self, metric: str, arguments: Mapping[str, Any], parameters: Mapping[str, Any]) -> Answer:
        """One answer; texts are strings or lists of tokens. Raises Refusal where it cannot be asked this."""
        ...


class Terms:
    """Makes questions of drawn examples, for a target and for the reference under the target's profile."""

    def __init__(
        self,
        connection: Connection,
        oracle: Oracle,
        metrics: Mapping[str, Metric],
        overrides: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self.connection, self.oracle, self.metrics = connection, oracle, metrics
        self.stances = {
            name: stance(metrics[name], capability, (overrides or {}).get(name))
            for name, capability in connection.capabilities.items()
            if name in metrics
        }

    def prepared(
        self, metric: str, arguments: Mapping[str, Any], parameters: Mapping[str, Any]
    ) -> tuple[Planner, Term]:
        """The question in the form that the target takes. Raises Refusal."""
        key = json.dumps(arguments, sort_keys=True)
        suite = Suite(self.metrics, {}, (), {key: arguments}, "", "")
        planner = Planner(suite, self.stances, self.oracle)
        ask = Ask(metric, parameters, key)
        return planner, planner.term(Check(key, "", "property", metric, None, {"": ask}), ask)


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a run."""

    terms: Terms

    def stance(self, metric: str) -> Stance | None:
        return self.terms.stances.get(metric)

    def ask_one(self, metric: str, arguments: Mapping[str, Any], parameters: Mapping[str, Any]) -> Answer:
        planner, term = self.terms.prepared(metric, arguments, parameters)
        (reply,) = self.terms.connection.ask([term.question])
        answer = answer_of(reply, term.stance.metric, term.stance.capability)
        main = term.stance.metric.main
        if answer.kind == "error" and planner.under(term).values.get(main) == "nan":
            return Answer("answer", {main: "nan"}, partial=True)  # an error is one way to be undefined
        return answer


@dataclass(frozen=True, slots=True)
class Definition:
    """The reference, asked the same as the target, under the target's profile."""

    terms: Terms

    def stance(self, metric: str) -> Stance | None:
        return self.terms.stances.get(metric)

    def ask_one(self, metric: str, arguments: Mapping[str, Any], parameters: Mapping[str, Any]) -> Answer:
        planner, term = self.terms.prepared(metric, arguments, parameters)
        return planner.under(term)


__all__ = ["Asker", "Definition", "Target", "Terms"]
