"""The profile an implementation is held to: the definition's defaults, then its own declared choices.

Which checks apply follows from it: a check that sets what the target can neither be told nor does by itself
is unsupported, unless the reference gives the same answer both ways.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from conformance.adapter import Adapter, Capability
from conformance.judge import Answer, answer_of
from conformance.model import Metric
from conformance.transport import Reply, TargetError

MOST_DECIMALS = 15


@dataclass(frozen=True, slots=True)
class Stance:
    """How a target stands to one metric: its capability, the choices it declares, those it leaves unsaid.

    `quirks` are declared choices that leave the definition: they explain a result and never excuse it. `base` is
    the profile where a check sets nothing; `staged` are the parameters that act on the text before it is split.
    """

    metric: Metric
    capability: Capability
    declared: Mapping[str, Any]
    quirks: Mapping[str, Any]
    base: Mapping[str, Any]
    staged: tuple[str, ...]

    @property
    def undeclared(self) -> tuple[str, ...]:
        """The parameters that nobody said anything of."""
        known = {*self.declared, *self.quirks, *self.capability.accepts}
        known |= set(self.staged) if self.capability.input == "tokens" else set()
        return tuple(name for name in self.metric.parameters if name not in known)

    def profile(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters that hold where a check sets some: defaults, declared choices, the check's."""
        return {**self.base, **settings}


def stance(metric: Metric, capability: Capability, override: Mapping[str, Any] | None = None) -> Stance:
    """A target's stance; `override` is a profile that the user names instead of what is declared."""
    chosen = dict(capability.chosen() if override is None else override)
    known = {name: value for name, value in chosen.items() if name in metric.parameters}
    quirks = {name: value for name, value in known.items() if metric.parameters[name].is_quirk(value)}
    declared = {name: value for name, value in known.items() if name not in quirks}
    staged = tuple(name for name, each in metric.parameters.items() if each.stage == "text")
    return Stance(metric, capability, declared, quirks, {**metric.defaults(), **declared}, staged)


def misdeclared(metric: Metric, capability: Capability) -> Iterator[str]:
    """What a declaration says of parameters, components and fields that the metric does not have, or cannot be so."""
    known = {"components": tuple(metric.components), "given": tuple(set(metric.input) - set(metric.required))}
    named = {"components": capability.components or (), "given": capability.given}
    for field, names in named.items():
        for name in names:
            if name not in known[field]:
                yield f"{field}: there is no {name!r}; known are {', '.join(known[field]) or 'none'}"
    for name in capability.scale:
        if name and name not in metric.components:
            yield f"scale: there is no component {name!r}; known are {', '.join(metric.components)}"
    if capability.decimals is not None and not 0 <= capability.decimals <= MOST_DECIMALS:
        yield f"decimals: expected a number from 0 to {MOST_DECIMALS}, found {capability.decimals}"
    choices = {"defaults": capability.defaults, "fixes": capability.fixes}
    settings = [(field, name, value) for field, table in choices.items() for name, value in table.items()]
    for name, values in capability.accepts.items():
        settings += [("accepts", name, value) for value in values or ()] or [("accepts", name, None)]
    for needed in capability.lacks.values():
        settings += [("lacks", name, value) for name, values in needed.items() for value in values]
    for field, name, value in settings:
        if name not in metric.parameters:
            near = get_close_matches(name, metric.parameters, 3) or list(metric.parameters)
            yield f"{field}: there is no parameter {name!r}; did you mean {', '.join(near)}?"
        elif value is not None and (problem := metric.parameters[name].misfit(value)):
            yield f"{field}: {name}: {problem}"


def declared_truly(name: str, capabilities: Mapping[str, Capability], metrics: Mapping[str, Metric]) -> None:
    """Raises TargetError where a target declares what its metrics do not have."""
    for metric in sorted(capabilities.keys() & metrics.keys()):
        for problem in misdeclared(metrics[metric], capabilities[metric]):
            raise TargetError(f"{name}: it declares of {metric}: {problem}")


class Oracle:
    """The reference, asked in process, with its answers kept."""

    def __init__(self, adapter: Adapter, metrics: Mapping[str, Metric]) -> None:
        self.adapter, self.metrics = adapter, metrics
        self._answers: dict[tuple[str, str, str], Answer] = {}

    def answer(self, metric: str, parameters: Mapping[str, Any], key: str, arguments: Mapping[str, Any]) -> Answer:
        """The reference's answer under these parameters; `key` names the arguments."""
        settings = json.dumps(parameters, sort_keys=True, default=str)
        found = self._answers.get((metric, settings, key))
        if found is None:
            body = self.adapter.call(metric, arguments, parameters)
            ((kind, value),) = body.items()
            reply = Reply(kind, value, 0.0)  # type: ignore[arg-type]
            found = answer_of(reply, self.metrics[metric], self.adapter.capabilities[metric])
            self._answers[(metric, settings, key)] = found
        return found


def neighbours(stance_: Stance, names: Iterable[str], *, quirks: bool) -> Iterator[tuple[str, Any]]:
    """Each other value of each named parameter: conventions within the definition, or also quirks."""
    for name in names:
        parameter = stance_.metric.parameters[name]
        for value in parameter.values():
            if value != parameter.default and (quirks or not parameter.is_quirk(value)):
                yield name, value
