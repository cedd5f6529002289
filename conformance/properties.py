"""The property engine: the laws of the specifications, held against generated and shrunk examples.

A law is judged only where the reference keeps it under the target's profile: every suspected counterexample
is put to the reference as well. An example on which the reference has no value is discarded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from conformance.asking import Asker, Definition, Target, Terms
from conformance.console import Patience
from conformance.counterexample import scenario
from conformance.expressions import parse_relation
from conformance.judge import Unanswered, Verdict, slack_of
from conformance.laws import DRAWN, Reading, Weighed, components, names, unparse, weigh
from conformance.model import Check, Law, Metric, Outcome, Row, Suite
from conformance.plan import Refusal, Selection
from conformance.profiles import Oracle
from conformance.reduce import richer, size, smaller
from conformance.run import Interrupted
from conformance.transport import Connection, TargetError

SECONDS = 10.0
"""How long one law is tried at most, without the call that is running when the time is over."""

REFUSALS = 15
"""So many refused examples, and none judged: then the target cannot be asked this law."""

FATAL = (Outcome.TIMEOUT, Outcome.CRASH)


Steps = Callable[[Mapping[str, Any]], Iterator[dict[str, Any]]]
"""The examples that are one step away."""


class LawBrokenError(Exception):
    """The target breaks the law on this example, and the reference does not."""


class Over(BaseException):
    """The trial of a law ends here; no Exception, so that the search for a smaller example ends too."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """An example on which the target breaks a law: what it gave, how large it is, and how it is said."""

    size: tuple[int, int, int]
    example: Mapping[str, Any]
    verdict: Verdict
    sides: Mapping[str, Any]
    text: str


class Trial:
    """One law on trial: it examines examples and keeps the smallest counterexample."""

    def __init__(
        self,
        target: Asker,
        reference: Asker,
        metrics: Mapping[str, Metric],
        metric: Metric,
        law: Law,
        seconds: float,
    ) -> None:
        self.target, self.reference, self.metrics, self.metric, self.law = (
            target,
            reference,
            metrics,
            metric,
            law,
        )
        self.node = parse_relation(law.law)
        self.conditions = [parse_relation(each) for each in law.when]
        own = target.stance(metric.name)
        if own is None:
            raise ValueError(f"the target has no {metric.name}")
        self.stance = own
        self.profile = own.profile(law.parameters)
        self.deadline = time.monotonic() + seconds
        self.patience = Patience()
        self.judged = 0
        self.refused: list[str] = []
        self.first: Mapping[str, Any] | None = None
        self.found: Counterexample | None = None
        self.lawless = False

    def reading(self, asker: Asker, example: Mapping[str, Any]) -> Reading:
        """The law read on an example, with the answers of one of the two."""
        variables = {name: _variable(value) for name, value in self.profile.items()}
        return Reading(
            self.metric,
            self.metrics,
            {**variables, **example},
            lambda metric, arguments: asker.ask_one(metric, arguments, self.parameters(metric)),
            self.slack,
        )

    def parameters(self, metric: str) -> dict[str, Any]:
        """The law's parameters, as far as a metric has parameters of these names."""
        known = self.metrics[metric].parameters
        return {name: value for name, value in self.law.parameters.items() if name in known}

    def slack(self, metric: str, component: str) -> float:
        """How far the target rounds a component."""
        held = self.target.stance(metric)
        return 0.0 if held is None else slack_of(held.capability, component, self.metrics[metric])

    def unfit(self) -> str | None:
        """Why the target cannot be held to this law at all; None where it can."""
        for name, component in sorted(components(self.node, self.metric)):
            other = self.target.stance(name)
            if other is None:
                return f"the target has no {name}"
            if other.capability.components is not None and component not in other.capability.components:
                return f"the target does not give the {component} of {name}"
        for name, value in self.law.parameters.items():
            held, parameter = self.stance, self.metric.parameters[name]
            current = held.declared.get(name, held.quirks.get(name, parameter.default))
            by_suite = parameter.stage == "text" and held.capability.input == "tokens"
            if not (by_suite or held.capability.takes(name, value) or current == value):
                return f"the target cannot be set to {name} = {value}"
        for condition in self.conditions:
            fixed = not names(condition) & DRAWN
            if fixed and not weigh(condition, self.reading(self.reference, {})).holds:
                return f"the law holds where {unparse(condition)}, and the target's profile is another"
        return None

    def examine(self, example: Mapping[str, Any]) -> bool:
        """Whether an example was judged. Raises LawBrokenError for a counterexample, Over to end the trial."""
        self.patience.check()
        if time.monotonic() > self.deadline:
            raise Over
        if not self.meant(example):
            return False
        reading = self.reading(self.target, example)
        try:
            weighed = weigh(self.node, reading)
        except Refusal as refusal:
            return self.refuse(str(refusal))
        except Unanswered as missing:
            if missing.verdict.outcome is Outcome.UNSUPPORTED:
                return self.refuse(missing.verdict.message or "the target cannot answer this")
            verdict = missing.verdict
            sides: Mapping[str, Any] = {}
        else:
            if weighed.holds:
                self.judged += 1
                return True
            verdict, sides = Verdict(Outcome.FAIL, "the law does not hold"), weighed.sides
        if verdict.outcome not in FATAL and not self.kept(example):
            return False
        self.judged += 1
        self.keep(example, reading, verdict, sides)
        if verdict.outcome in FATAL:
            raise Over
        raise LawBrokenError

    def refuse(self, why: str) -> bool:
        """Note that an example could not be asked; Over where none of the first ones could."""
        self.refused.append(why)
        if len(self.refused) >= REFUSALS and not self.judged:
            raise Over
        return False

    def meant(self, example: Mapping[str, Any]) -> bool:
        """Whether the law is about an example: its conditions hold; what they ask, the reference answers."""
        try:
            return all(weigh(each, self.reading(self.reference, example)).holds for each in self.conditions)
        except (Unanswered, Refusal):
            return False

    def kept(self, example: Mapping[str, Any]) -> bool:
        """Whether the reference keeps the law on an example; Over where it breaks it."""
        try:
            known: Weighed = weigh(self.node, self.reading(self.reference, example))
        except (Unanswered, Refusal):
            return False
        if not known.holds:
            self.lawless = True
            raise Over
        return True

    def keep(self, example: Mapping[str, Any], reading: Reading, verdict: Verdict, sides: Mapping[str, Any]) -> None:
        """Remember a counterexample if none was smaller; of two as large the later one is the simpler."""
        measure = size(example)
        self.first = self.first or example
        if self.found is None or measure <= self.found.size:
            reading.complete(self.node)
            said = scenario(
                self.metric,
                self.law,
                reading,
                lambda metric, asked: self.reference.ask_one(metric, asked, self.parameters(metric)),
            )
            self.found = Counterexample(measure, dict(example), verdict, sides, said)

    def breaks(self, example: Mapping[str, Any]) -> bool:
        """Whether an example is a counterexample."""
        try:
            self.examine(example)
        except LawBrokenError:
            return True
        return False

    def reduce(self) -> None:
        """Make the first and the smallest counterexample smaller step by step; each also with richer tokens."""
        if self.first is None or self.found is None:
            return
        for start in (self.first, self.found.example):
            self.walk(self.walk(start, richer), smaller)
            self.walk(start, smaller)

    def walk(self, example: Mapping[str, Any], steps: Steps) -> Mapping[str, Any]:
        """The example at the end of a walk from counterexample to counterexample."""
        while True:
            following = next(filter(self.breaks, steps(example)), None)
            if following is None:
                return example
            example = following

    def row(self, seconds: float, refusal: str | None = None) -> Row:
        """What the trial says of the law."""
        outcome, message, observed = Outcome.PASS, None, None
        if refusal is not None:
            outcome, message = Outcome.UNSUPPORTED, refusal
        elif self.found is not None:
            outcome, observed = self.found.verdict.outcome, dict(self.found.sides) or None
            message = f"{self.found.verdict.message}:\n{self.found.text}"
        elif self.lawless:
            outcome, message = Outcome.UNSUPPORTED, "the law does not hold under the target's profile"
        elif not self.judged:
            outcome = Outcome.UNSUPPORTED
            message = self.refused[-1] if self.refused else "no example meets the law's conditions"
        elif time.monotonic() > self.deadline:
            message = f"the time was over after {self.judged} examples"
        clause = None if self.law.clause is None else f"{self.metric.name}.{self.law.clause}"
        return Row(
            check=identifier(self.metric, self.law),
            metric=self.metric.name,
            clause=clause,
            kind="property",
            outcome=outcome,
            profile=dict(self.profile),
            expected=self.law.law,
            observed=observed,
            message=message,
            seconds=seconds,
        )


def _variable(value: Any) -> Any:
    """A parameter's value as the language of laws takes it; true and false are 1 and 0."""
    if isinstance(value, int):
        return Fraction(value)
    return [_variable(each) for each in value] if isinstance(value, (list, tuple)) else value


def identifier(metric: Metric, law: Law) -> str:
    """The id of the check that a law is."""
    return f"properties/{metric.name}/{law.id}"


def check_law(
    target: Asker,
    reference: Asker,
    metrics: Mapping[str, Metric],
    metric: Metric,
    law: Law,
    *,
    examples: int = 100,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Row:
    """Hold a target that has the metric to one law, on so many generated examples.

    Raises TargetError where Hypothesis is not installed, ExpressionError where the law makes no sense.
    """
    try:
        import hypothesis
        from hypothesis import HealthCheck, Phase, Verbosity
    except ImportError as error:
        raise TargetError("properties need Hypothesis: pip install 'text-metric-conformance[properties]'") from error
    from conformance import strategies

    start = time.monotonic()
    trial = Trial(target, reference, metrics, metric, law, seconds)
    refusal = trial.unfit()
    if refusal is not None:
        return trial.row(0.0, refusal)
    free = set().union(*map(names, (trial.node, *trial.conditions)))
    references = 1 if trial.stance.capability.references == "one" else 2

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
    )
    @hypothesis.given(strategies.examples(free, references))
    def attempt(example: Mapping[str, Any]) -> None:
        if not trial.examine(example):
            hypothesis.reject()

    # The trial knows what was found; a target with a memory of its own makes a search flaky.
    with trial.patience:  # Hypothesis is at work between examples, and swallows an interrupt there
        with suppress(LawBrokenError, Over, hypothesis.errors.Flaky, hypothesis.errors.Unsatisfiable):
            attempt()
        with suppress(Over):
            trial.reduce()
    return trial.row(time.monotonic() - start)


def run_properties(
    target: Asker,
    reference: Asker,
    metrics: Mapping[str, Metric],
    *,
    only: Collection[str] | None = None,
    examples: int = 100,
    seed: int = 0,
    seconds: float = SECONDS,
) -> Iterator[Row]:
    """A row for each law of each metric that the target has, or of those named in `only`."""
    for metric in metrics.values():
        if target.stance(metric.name) is None or (only is not None and metric.name not in only):
            continue
        for law in metric.invariants.values():
            yield check_law(target, reference, metrics, metric, law, examples=examples, seed=seed, seconds=seconds)


def property_rows(
    connection: Connection,
    oracle: Oracle,
    suite: Suite,
    selection: Selection,
    examples: int,
    seed: int,
    overrides: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Row]:
    """The rows of a connected target, for the laws that are selected. Raises Interrupted, with the rows so far."""
    terms = Terms(connection, oracle, suite.metrics, overrides)
    chosen = [
        (metric, law)
        for name, metric in suite.metrics.items()
        if name in terms.stances
        for law in metric.invariants.values()
        if selection.takes(_check(metric, law))
    ]
    rows: list[Row] = []
    try:
        for place, (metric, law) in enumerate(chosen, start=1):
            rows.append(
                check_law(Target(terms), Definition(terms), suite.metrics, metric, law, examples=examples, seed=seed)
            )
            if progress is not None:
                progress(place, len(chosen))
    except KeyboardInterrupt:
        raise Interrupted(rows) from None
    return rows


def _check(metric: Metric, law: Law) -> Check:
    clause = None if law.clause is None else f"{metric.name}.{law.clause}"
    return Check(identifier(metric, law), "", "property", metric.name, clause, {})


__all__ = ["Asker", "Definition", "Target", "Terms", "check_law", "property_rows", "run_properties"]
