"""What a report shows of a check beside its row: its input, settings, why, source, clause, and how to repeat it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from shlex import quote
from typing import Any

from conformance.explore import input_lines, shown
from conformance.model import Check, Row, Suite
from conformance.record import Block


@dataclass(frozen=True, slots=True)
class Details:
    """What is shown of a check beside its row."""

    input: str
    settings: str
    why: str
    source: str
    clause_text: str
    level: str
    command: str


DetailsOf = Callable[[Row, str], Details]
"""From a row and its target's name."""


@dataclass(frozen=True)
class Explainer:
    """Finds the details of a row of a target's run."""

    suite: Suite
    cases: tuple[str, ...] = ()

    @cached_property
    def checks(self) -> dict[str, Check]:
        """The checks by their ids."""
        return {check.id: check for check in self.suite.checks}

    def __call__(self, row: Row, target: str) -> Details:
        """The input, why, source, clause and repeating command of one check."""
        check = self.checks.get(row.check)
        options = (
            f" --metric {row.metric}" if ":" in target and not target.startswith(("cmd:", "null:", "fake:")) else ""
        )
        options += f" --against {quote(str(row.expected).removeprefix('as '))}" if row.kind == "against" else ""
        options += "".join(f" --cases {quote(each)}" for each in self.cases)
        command = f"conformance run {quote(target)}{options} --select {quote(row.check)}"
        if check is None:
            metric, _, law = row.check.removeprefix("properties/").partition("/")
            found = self.suite.metrics[metric].invariants.get(law) if metric in self.suite.metrics else None
            return Details(
                input="",
                settings="",
                why=found.text if found else "",
                source=f"specs/{metric}.yaml, {law}",
                clause_text=self.clause_text(row.clause),
                level=self.level(row.clause),
                command=f"conformance run {quote(target)} --properties --metric {metric}",
            )
        scenario = self.suite.scenarios[check.scenario]
        lines = [line.strip() for line in input_lines(self.suite.inputs[check.ask.input], 3)]
        return Details(
            input="; ".join(line.replace("reference:  ", "reference: ", 1) for line in lines),
            settings=", ".join(f"{name} = {_word(value)}" for name, value in check.ask.parameters.items()),
            why=scenario.why,
            source=", ".join(scenario.source.values()),
            clause_text=self.clause_text(row.clause),
            level=self.level(row.clause),
            command=command,
        )

    def choices(self, block: Block) -> str:
        """The conventions of a target that are not the definition's: declared ones, then those that were found."""
        found: dict[str, None] = {}
        for name in {row.metric: None for row in block.rows}:
            metric, declared = self.suite.metrics[name], block.header.profile.get(name, {})
            for parameter, value in declared.items():
                if parameter in metric.parameters and value != metric.parameters[parameter].default:
                    found[f"{parameter} = {shown(value)}"] = None
        found |= dict.fromkeys(block.end.conventions if block.end is not None else ())
        return ", ".join(found)

    def level(self, clause: str | None) -> str:
        """Whether a clause is a must, a should, or open; empty where there is none."""
        if clause is None:
            return ""
        metric, _, name = clause.partition(".")
        return self.suite.metrics[metric].clauses[name].level

    def clause_text(self, clause: str | None) -> str:
        """The sentence of a clause."""
        if clause is None:
            return ""
        metric, _, name = clause.partition(".")
        return self.suite.metrics[metric].clauses[name].text


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
