"""An adapter's own faults told from the implementation's: swapped arguments, wrong scale, rounding, state.

Each metric is asked a few probes and compared with the reference under the target's own profile. Where they
differ, each adapter fault is tried in turn: the reference with just that fault has to give every answer.
What no adapter fault explains is the implementation's own, and for `conformance run` to say.
"""

from __future__ import annotations

import copy
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conformance import promises, roster
from conformance.console import EXIT_OK, EXIT_UNEXPECTED, EXIT_UNREACHABLE, complain, out
from conformance.expressions import close
from conformance.judge import Answer, answer_of
from conformance.model import Metric, Suite
from conformance.number_faults import number_faults
from conformance.profiles import Oracle, Stance, declared_truly, stance
from conformance.recording import Recorded
from conformance.target import connect, load_shipped
from conformance.transport import Connection, Question, TargetError

Arguments = Mapping[str, Any]

PROBES: Mapping[str, tuple[list[str], list[list[str]]]] = {
    "a deletion": (["the cat sat on the"], [["the cat sat on the mat"]]),
    "an insertion": (["the big cat sat on the mat"], [["the cat sat on the mat"]]),
    "equal": (["one two three four five six"], [["one two three four five six"]]),
    "letter case": (["The Cat sat on the mat today"], [["the cat sat on the mat today"]]),
    "letters beyond ASCII": (
        ["ein caf\u00e9 \u00e0b \u65e5\u672c \U0001f600 heute"],
        [["ein caf\u00e9 \u00e0b \u65e5\u672c \U0001f601 heute"]],
    ),
    "a letter beyond ASCII or none": (["ein caf\u00e9 ist heute auf"], [["ein caf ist heute auf"]]),
    "composed and decomposed": (["un caf\u00e9 noir pour moi"], [["un cafe\u0301 noir pour moi"]]),
    "thirds and sevenths": (["a b c d e f x"], [["a b c d e f g"]]),
    "two segments": (["a b c d e", "p q r s t u v w x y"], [["a b c d e"], ["p q r s t u v w z"]]),
    "two references": (["a b c d e x"], [["a b c d e f g", "a b c d x"]]),
    "two of both": (["a b c d e", "p q r s t u"], [["a b c d e", "a b c x e"], ["p q r s", "p q r s t u v"]]),
}
TEXTS: Mapping[str, str] = {
    "plain words": "The cat sat, on the mat.",
    "letters beyond ASCII": "Caf\u00e9 \u65e5\u672c \U0001f600",
    "decomposed": "cafe\u0301",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one metric: no fault, an adapter fault, or a difference of the implementation's own."""

    metric: str
    fault: str | None
    detail: str
    differing: int = 0
    probes: int = 0


def swapped(arguments: Arguments) -> Arguments | None:
    references = arguments["references"]
    if any(len(each) != 1 for each in references):
        return None
    return {"hypotheses": [each[0] for each in references], "references": [[each] for each in arguments["hypotheses"]]}


def transposed(arguments: Arguments) -> Arguments | None:
    references = arguments["references"]
    if len(references) != len(references[0]) or len(references) < 2:
        return dict(arguments)
    return {**arguments, "references": [list(each) for each in zip(*references, strict=True)]}


def folded(arguments: Arguments) -> Arguments | None:
    return mapped(arguments, str.lower)


def ascii_only(arguments: Arguments) -> Arguments | None:
    return mapped(arguments, lambda text: text.encode("ascii", "replace").decode("ascii"))


def dropped(arguments: Arguments) -> Arguments | None:
    return mapped(arguments, lambda text: text.encode("ascii", "ignore").decode("ascii"))


def mojibake(arguments: Arguments) -> Arguments | None:
    return mapped(arguments, lambda text: text.encode("utf-8").decode("latin-1"))


def composed(arguments: Arguments) -> Arguments | None:
    import unicodedata

    return mapped(arguments, lambda text: unicodedata.normalize("NFC", text))


def first_reference(arguments: Arguments) -> Arguments | None:
    return {**arguments, "references": [each[:1] for each in arguments["references"]]}


INPUT_FAULTS: Mapping[str, Callable[[Arguments], Arguments | None]] = {
    "hypothesis and reference are exchanged": swapped,
    "the references are transposed: [reference][segment] where [segment][reference] is given": transposed,
    "only the first reference is passed on": first_reference,
    "the text is lower-cased on the way": folded,
    "characters beyond ASCII are replaced on the way": ascii_only,
    "characters beyond ASCII are dropped on the way": dropped,
    "UTF-8 is read as Latin-1 on the way": mojibake,
    "the text is composed (NFC) on the way": composed,
}


def mapped(arguments: Arguments, change: Callable[[str], str]) -> Arguments:
    """The arguments with every text changed."""

    def text(each: Any) -> Any:
        if each is None:
            return None
        return change(each) if isinstance(each, str) else [change(token) for token in each]

    if "text" in arguments:
        return {"text": text(arguments["text"])}
    return {
        **arguments,
        "hypotheses": [text(each) for each in arguments["hypotheses"]],
        "references": [[text(each) for each in several] for several in arguments["references"]],
    }


class SelfCheck:
    """The probes of one target."""

    def __init__(self, connection: Connection, oracle: Oracle, suite: Suite) -> None:
        self.connection, self.oracle, self.suite = connection, oracle, suite

    def findings(self, metrics: Sequence[str]) -> Iterator[Finding]:
        """One finding a metric, or several."""
        for name in metrics:
            yield from self.metric(stance(self.suite.metrics[name], self.connection.capabilities[name]))

    def probes(self, position: Stance) -> dict[str, Arguments]:
        """The probes that the target can be asked, in the form that it takes."""
        capability = position.capability
        tokens = capability.input == "tokens"
        found: dict[str, Arguments] = {}
        if "text" in position.metric.input:
            return {name: {"text": text.split() if tokens else text} for name, text in TEXTS.items()}
        if set(position.metric.required) != {"hypotheses", "references"}:
            return self.own_probes(position)
        for name, (hypotheses, references) in PROBES.items():
            if not capability.corpus and len(hypotheses) > 1:
                continue
            if capability.references == "one" and any(len(each) > 1 for each in references):
                continue
            arguments: Arguments = {"hypotheses": hypotheses, "references": references}
            found[name] = _split(arguments) if tokens else arguments
        return found

    def own_probes(self, position: Stance) -> dict[str, Arguments]:
        """For a metric with other fields: the first inputs of its scenarios that have no others."""
        required, found = set(position.metric.required), dict[str, Arguments]()
        for check in self.suite.checks:
            arguments = self.suite.inputs[check.ask.input]
            plain = check.kind == "value" and check.expected is not None and check.expected.kind == "values"
            fits = required <= set(arguments) <= required | set(position.capability.given) and arguments
            if check.metric == position.metric.name and plain and fits:
                found.setdefault(check.scenario, arguments)
            if len(found) == len(PROBES):
                break
        return found

    def metric(self, position: Stance) -> Iterator[Finding]:
        """Probe one metric."""
        name, probes = position.metric.name, self.probes(position)
        questions = [Question(name, copy.deepcopy(dict(each)), {}) for each in probes.values()]
        before = copy.deepcopy([dict(each.arguments) for each in questions])
        twice = [*questions, *reversed(questions)]
        replies = list(self.connection.ask(twice))
        answers = [rounded(answer_of(reply, position.metric, position.capability), position) for reply in replies]
        strays = [reply.stray for reply in replies if reply.stray]
        first, second = answers[: len(questions)], answers[len(questions) :][::-1]
        # A first answer may wait for what is loaded once; that it then comes is no state.
        first = [two if one.kind == "timeout" else one for one, two in zip(first, second, strict=True)]
        faults = 0
        if strays:
            faults += 1
            yield Finding(
                name,
                "it prints on standard output",
                f"for instance {strays[0][:60]!r}; print to standard error instead",
            )
        changed = [
            label
            for label, one, two in zip(probes, first, second, strict=True)
            if not _equal(one, two, position.metric)
        ]
        if changed:
            faults += 1
            yield Finding(name, "it keeps state between calls", f"asked twice, {changed[0]!r} gives two answers")
        if self.connection.mutates(Question(name, before[0], {})):
            faults += 1
            yield Finding(name, "it changes its input", "the lists that it was given are not the same after the call")
        if faults:
            return
        # What the target says that it does not do is no probe of what it does.
        answered = {label: answer for label, answer in zip(probes, first, strict=True) if answer.kind != "unsupported"}
        yield self.compare(position, {label: probes[label] for label in answered}, list(answered.values()))

    def compare(self, position: Stance, probes: Mapping[str, Arguments], answers: Sequence[Answer]) -> Finding:
        """Explain what differs from the reference, by one adapter fault where that explains all of it."""
        name, metric = position.metric.name, position.metric
        profile = position.profile({**position.quirks})
        right = [self.reference(position, profile, each) for each in probes.values()]
        pairs = list(zip(probes, answers, right, strict=True))
        differing = [label for label, got, wanted in pairs if not _equal(wanted, got, metric)]
        dead = {label: got for label, got, _ in pairs if got.kind in ("crash", "timeout", "invalid")}
        if dead:
            label, got = next(iter(dead.items()))
            detail = f"{got.kind} on {len(dead)} of {len(probes)} probes, for instance {label!r}: {got.text}"
            return Finding(name, None, detail, len(dead), len(probes))
        bench = self.bench(position, profile, probes)
        if not differing:
            kept = f"{len(probes)} probes as the reference under the declared profile"
            unkept = (
                promises.unknown_component(bench, answers)
                or promises.ignored(bench, answers)
                or self.swallowed(bench, answers)
            )
            fault, detail = unkept or (None, kept)
            return Finding(name, fault, detail, 0, len(probes))
        for fault, change in number_faults():
            if all(
                _equal(_changed(wanted, metric.main, change), got, metric, main_only=True) for _, got, wanted in pairs
            ):
                return Finding(
                    name, fault, f"it explains all {len(differing)} differing probes", len(differing), len(probes)
                )
        for fault, alter in INPUT_FAULTS.items():
            if self.explains(position, profile, alter, probes, answers):
                other = promises.exchanged(bench, answers) if alter is swapped else None
                if other:  # where precision is the recall of the other direction, both say the same
                    fault = f"{fault}, or {other[0]}"
                return Finding(
                    name, fault, f"it explains all {len(differing)} differing probes", len(differing), len(probes)
                )
        if self.averages(position, profile, probes, answers):
            return Finding(
                name,
                "scores of segments are averaged where a corpus score is promised",
                "declare aggregation in fixes",
                len(differing),
                len(probes),
            )
        unkept = promises.broken(bench, answers) or self.swallowed(bench, answers)
        if unkept:
            return Finding(name, *unkept, len(differing), len(probes))
        detail = f"differs from the reference on {len(differing)} of {len(probes)} probes ({', '.join(differing[:3])}), by no adapter fault"
        return Finding(name, None, detail, len(differing), len(probes))

    def bench(self, position: Stance, profile: Mapping[str, Any], probes: Mapping[str, Arguments]) -> promises.Bench:
        """The target and the reference as the promises of an adapter are held against them."""
        metric = position.metric

        def ask(asked: Sequence[tuple[Arguments, Mapping[str, Any]]]) -> list[Answer]:
            questions = [Question(metric.name, copy.deepcopy(dict(each)), settings) for each, settings in asked]
            replies = self.connection.ask(questions)
            return [rounded(answer_of(reply, metric, position.capability), position) for reply in replies]

        def reference(settings: Mapping[str, Any], arguments: Arguments) -> Answer:
            return self.reference(position, settings, arguments)

        return promises.Bench(position, profile, probes, ask, reference, lambda one, other: _equal(one, other, metric))

    def swallowed(self, bench: promises.Bench, answers: Sequence[Answer]) -> promises.Fault | None:
        """Only in Python does a library refuse what is no text by itself."""
        return promises.swallowed(bench, answers) if self.connection.identity.language == "python" else None

    def reference(self, position: Stance, profile: Mapping[str, Any], arguments: Arguments) -> Answer:
        """What the reference answers under a profile, with as many decimals as the target declares."""
        return rounded(self.oracle.answer(position.metric.name, profile, repr(arguments), arguments), position)

    def explains(
        self,
        position: Stance,
        profile: Mapping[str, Any],
        alter: Callable[[Arguments], Arguments | None],
        probes: Mapping[str, Arguments],
        answers: Sequence[Answer],
    ) -> bool:
        """Whether the reference on altered input gives every answer that it can be compared on."""
        compared = 0
        for arguments, got in zip(probes.values(), answers, strict=True):
            if "references" not in arguments and (
                "text" not in arguments or alter in (swapped, transposed, first_reference)
            ):
                return False
            changed = alter(arguments)
            if changed is None:
                continue
            if not _equal(self.reference(position, profile, changed), got, position.metric):
                return False
            compared += 1
        return compared > 0

    def averages(
        self, position: Stance, profile: Mapping[str, Any], probes: Mapping[str, Arguments], answers: Sequence[Answer]
    ) -> bool:
        """Whether corpus answers are the means of what the segments score."""
        main, compared = position.metric.main, 0
        if profile.get("aggregation") == "mean":
            return False
        for arguments, got in zip(probes.values(), answers, strict=True):
            pairs = list(zip(arguments.get("hypotheses", []), arguments.get("references", []), strict=True))
            scores = [
                self.reference(position, profile, {"hypotheses": [h], "references": [r]}).values.get(main)
                for h, r in pairs
            ]
            if not all(isinstance(each, (int, float)) for each in scores) or not scores:
                continue
            value = got.values.get(main)
            if not isinstance(value, (int, float)) or not close(sum(scores) / len(scores), float(value)):  # type: ignore[arg-type]
                return False
            compared += len(scores) > 1
        return compared > 0


def _split(arguments: Arguments) -> Arguments:
    return {
        "hypotheses": [each.split() for each in arguments["hypotheses"]],
        "references": [[each.split() for each in several] for several in arguments["references"]],
    }


def _changed(answer: Answer, main: str, change: Callable[[float], float]) -> Answer:
    values = dict(answer.values)
    value = values.get(main)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        values[main] = change(float(value))
    return Answer(answer.kind, values, answer.text, answer.error)


def rounded(answer: Answer, position: Stance) -> Answer:
    """An answer with as many decimals as the target declares; one in single precision has more than it means."""
    decimals = position.capability.decimals
    if decimals is None or answer.kind != "answer":
        return answer
    scales = {name: position.capability.scale_of(name, position.metric.main) for name in answer.values}
    values = {name: _rounded(value, scales[name], decimals) for name, value in answer.values.items()}
    return replace(answer, values=values)


def _rounded(value: Any, scale: float, decimals: int) -> Any:
    """A number, or each of a list, rounded as it is printed on a scale."""
    if isinstance(value, list):
        return [_rounded(each, scale, decimals) for each in value]
    return round(value * scale, decimals) / scale if isinstance(value, float) else value


def _equal(left: Answer, right: Answer, metric: Metric, *, main_only: bool = False) -> bool:
    if left.kind != right.kind:
        return False
    if left.kind != "answer":
        return True
    names = [metric.main] if main_only else [name for name in left.values if name in right.values]
    for name in names:
        if not _agree(left.values.get(name), right.values.get(name)):
            return False
    return bool(names)


def _agree(left: Any, right: Any) -> bool:
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(_agree(a, b) for a, b in zip(left, right, strict=True))
    numeric = isinstance(left, (int, float)) and isinstance(right, (int, float))
    return close(float(left), float(right)) if numeric else left == right


def check_targets(options: Namespace, suite: Suite) -> int:
    """The work of `conformance check`; 1 where an adapter fault is found."""
    oracle = Oracle(load_shipped("reference"), suite.metrics)
    status = EXIT_OK
    everything = options.targets == [roster.ALL]
    for name in roster.chosen(options.targets, options.metric, recordings=False):
        metric = options.metric[0] if len(options.metric) == 1 else None
        try:
            with connect(
                name, metric=metric, input=options.input, timeout=options.timeout, isolate=options.isolate
            ) as connection:
                if isinstance(connection, Recorded):
                    raise TargetError(f"{name}: a recording answers only what it was asked; check the system itself")
                declared_truly(name, connection.capabilities, suite.metrics)
                names = [each for each in connection.capabilities if each in suite.metrics]
                wanted = [each for each in names if not options.metric or each in options.metric]
                if everything and not wanted:
                    continue
                out(f"{name}: {connection.identity.name} {connection.identity.version}")
                found = list(SelfCheck(connection, oracle, suite).findings(wanted))
        except TargetError as error:
            complain(error)
            status = EXIT_UNREACHABLE
            continue
        for finding in found:
            if finding.fault:
                out(f"  ADAPTER  {finding.metric}: {finding.fault}", f"           {finding.detail}")
                status = max(status, EXIT_UNEXPECTED)
            elif finding.differing:
                out(
                    f"  differs  {finding.metric}: {finding.detail}; see conformance run {name} --metric {finding.metric}"
                )
            else:
                out(f"  ok       {finding.metric}: {finding.detail}")
    return status
