"""What an adapter declares and does not keep: parameters, defaults, components, and errors that it should let pass.

Each is found by asking the target and the reference alike. What a target declares is the adapter's word, so a
promise that is broken is the adapter's fault, also where the library is to blame for what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from conformance.judge import Answer
from conformance.model import Metric, Parameter
from conformance.profiles import Stance

Arguments = Mapping[str, Any]
Fault = tuple[str, str]
"""A fault in words, and what it rests on or how to mend it."""

MOST_VALUES, MOST_PROBES = 3, 3
"""With how many other values, and on how many probes, a parameter is tried."""
NO_TEXT = {word: place for place, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight"])}
"""No text, yet as long as one for whatever reads it as words or writes it out."""


@dataclass(frozen=True, slots=True)
class Bench:
    """The target and the reference, asked alike: of arguments under parameters, and under a profile."""

    position: Stance
    profile: Mapping[str, Any]
    probes: Mapping[str, Arguments]
    ask: Callable[[Sequence[tuple[Arguments, Mapping[str, Any]]]], list[Answer]]
    reference: Callable[[Mapping[str, Any], Arguments], Answer]
    equal: Callable[[Answer, Answer], bool]

    @property
    def metric(self) -> Metric:
        return self.position.metric

    def gives(self, profile: Mapping[str, Any], answers: Sequence[Answer]) -> bool:
        """Whether the reference under a profile gives every answer."""
        pairs = zip(self.probes.values(), answers, strict=True)
        return all(self.equal(self.reference(profile, arguments), got) for arguments, got in pairs)


def broken(bench: Bench, answers: Sequence[Answer]) -> Fault | None:
    """The promise that explains why answers differ, if there is one."""
    return unknown_component(bench, answers) or exchanged(bench, answers) or false_choice(bench, answers)


def unknown_component(bench: Bench, answers: Sequence[Answer]) -> Fault | None:
    """A component of a name that the spec does not have."""
    known = bench.metric.components
    for answer in answers:
        for name in answer.values:
            if name not in known:
                return f"it gives a component {name!r} that there is not", f"known are {', '.join(known)}"
    return None


def exchanged(bench: Bench, answers: Sequence[Answer]) -> Fault | None:
    """Two components under each other's name, or one under the name of the main one."""
    right = [bench.reference(bench.profile, each) for each in bench.probes.values()]
    names = sorted({name for answer in answers for name in answer.values})
    for one, other in combinations(names, 2):
        turned = {one: other, other: one}
        if _same_but_for(bench, turned, right, answers):
            return f"the components {one} and {other} are exchanged", f"that explains all {len(answers)} probes"
    main = bench.metric.main
    for other in bench.metric.components if _varied(bench, answers) else ():
        if names == [main] and other != main and _same_but_for(bench, {other: main}, right, answers):
            return f"its {main} is the {other}", f"that explains all {len(answers)} probes"
    return None


def _same_but_for(bench: Bench, names: Mapping[str, str], right: Sequence[Answer], answers: Sequence[Answer]) -> bool:
    """Whether the reference's answers are the target's, once components are renamed."""
    for wanted, got in zip(right, answers, strict=True):
        kept = {name: value for name, value in wanted.values.items() if name not in names.values()}
        renamed = {names[name]: value for name, value in wanted.values.items() if name in names}
        if not bench.equal(Answer(wanted.kind, {**kept, **renamed}, wanted.text, wanted.error), got):
            return False
    return True


def false_choice(bench: Bench, answers: Sequence[Answer]) -> Fault | None:
    """A declared choice that is not the target's: another one gives every answer."""
    capability = bench.position.capability
    for name, declared in capability.chosen().items():
        parameter = bench.metric.parameters[name]
        other = next(
            (each for each in others(parameter, declared) if bench.gives({**bench.profile, name: each}, answers)), None
        )
        if name in capability.accepts and capability.takes(name, declared):
            told = bench.ask([(each, {name: declared}) for each in bench.probes.values()])
            if bench.gives(bench.profile, told):
                instead = "something else" if other is None else f"{name} = {other}"
                fault = f"{name} = {declared} is declared as what holds where it is not set, and {instead} does"
                return fault, f"set to {declared}, all {len(told)} probes are right"
        if other is not None:
            return f"{name} = {declared} is declared, and {name} = {other} gives every answer", f"declare {name}"
    return None


def ignored(bench: Bench, answers: Sequence[Answer]) -> Fault | None:
    """A parameter that is accepted and changes nothing, where the reference's answers change."""
    capability = bench.position.capability
    for name in capability.accepts:
        if name not in bench.profile:
            continue
        tried = list(others(bench.metric.parameters[name], bench.profile[name]))
        heard = [
            kept
            for value in [each for each in tried if capability.takes(name, each)][:MOST_VALUES]
            if (kept := _changes_nothing(bench, name, value, answers)) is not None
        ]
        if heard and all(heard):
            return f"the parameter {name} is accepted and ignored", "set to other values, its answers stay the same"
    return None


def _changes_nothing(bench: Bench, name: str, value: Any, answers: Sequence[Answer]) -> bool | None:
    """Whether a setting leaves the answers that it should change; None where that is not known."""
    told: list[tuple[Arguments, Answer]] = []
    for arguments, got in zip(bench.probes.values(), answers, strict=True):
        wanted = bench.reference({**bench.profile, name: value}, arguments)
        if wanted.kind == "answer" and not bench.equal(wanted, got) and len(told) < MOST_PROBES:
            told.append((arguments, got))
    found = bench.ask([(arguments, {name: value}) for arguments, _ in told])
    if not found or any(each.kind == "unsupported" for each in found):
        return None
    return all(bench.equal(before, after) for (_, before), after in zip(told, found, strict=True))


def others(parameter: Parameter, value: Any) -> Iterator[Any]:
    """Some other values of a parameter; no quirks, for they leave the definition."""
    quirks = {name for name, each in parameter.conventions.items() if each.quirk}
    near: list[Any] = [each for each in parameter.values() if each not in quirks]
    if parameter.type in ("integer", "number") and isinstance(value, (int, float)) and not isinstance(value, bool):
        near = [parameter.default, value + 1, value - 1, value * 2]
    for each in near:
        if each != value and parameter.misfit(each) is None:
            yield each


def _varied(bench: Bench, answers: Sequence[Answer]) -> bool:
    """Whether the target does not answer the same number to everything."""
    return len({repr(each.values.get(bench.metric.main)) for each in answers}) > 1


def swallowed(bench: Bench, answers: Sequence[Answer]) -> Fault | None:
    """The same number for what is no text, whatever stands on the other side."""
    if set(bench.metric.required) != {"hypotheses", "references"} or not _varied(bench, answers):
        return None
    text = next(iter(bench.probes.values()))["references"][0][0]
    asked = [{"hypotheses": [NO_TEXT], "references": [[each]]} for each in (NO_TEXT, text)]
    first, second = (answer.values.get(bench.metric.main) for answer in bench.ask([(each, {}) for each in asked]))
    if not isinstance(first, (int, float)) or first != second:
        return None
    return f"it answers {first:g} where it is given no text", "an error that the adapter swallows; let it pass"
