"""The tables of an audit: for a terminal, as Markdown, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.audit import BLANKS, Audit, Cell
from conformance.explore import number, visible
from conformance.record import strict

FORMAT = 1
MARKS = "abcdefghijklmnopqrstuvwxyz"


REASONS = 3
"""How many reasons are told why a target cannot be asked something."""


WIDEST = 48
"""The longest value in a cell; the JSON has all of it."""


class Legend:
    """The marks of one table's conventions, and what they stand for."""

    def __init__(self, main: str) -> None:
        self.main = main
        self.marks: dict[tuple[str, ...], str] = {}
        self.reasons: dict[str, None] = {}
        self.foreign = False

    def cell(self, cell: Cell) -> str:
        """A cell in a few characters, with the mark of its conventions."""
        if cell.kind == "unsupported":
            self.reasons[cell.text] = None
            return "-"
        value = cell.kind if cell.kind not in ("answer", "error") else _value(cell.value)
        if cell.component not in (None, self.main):
            value = f"{cell.component} {value}"
        if not cell.known:
            self.foreign = True
            return f"{value} ?"
        if not cell.conventions:
            return value
        place = len(self.marks)
        mark = self.marks.setdefault(cell.conventions, MARKS[place % 26] * (place // 26 + 1))
        return f"{value} {mark}"

    def lines(self) -> Iterator[str]:
        """What the marks mean."""
        for conventions, mark in self.marks.items():
            yield f"{mark}: {visible(', '.join(conventions))}"
        if self.foreign:
            yield "?: no convention of the definition, and no quirk that is known, gives this"
        if self.reasons:
            some = "; ".join(list(self.reasons)[:REASONS])
            yield f"-: it cannot be asked this: {visible(some)}{' ...' if len(self.reasons) > REASONS else ''}"


def _value(value: Any) -> str:
    text = visible(number(value)) or '""'
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."


def table(audit: Audit) -> tuple[list[list[str]], list[str]]:
    """The rows of a table, its head first, and its legend.

    Blank texts that are answered alike share a row; what no target can be asked has none.
    """
    legend = Legend(audit.main)
    rows = [[audit.metric, *map(visible, audit.columns)]]
    blanks: dict[tuple[str, ...], list[str]] = {}
    for case in audit.inputs:
        if all(column[case].kind == "unsupported" for column in audit.columns.values()):
            continue
        shown = [legend.cell(column[case]) for column in audit.columns.values()]
        start, _, rest = case.partition(" ")
        if rest in BLANKS:
            blanks.setdefault((start, *shown), []).append(rest)
        else:
            rows.append([case, *shown])
    for (start, *cells), names in blanks.items():
        label = f"{start} any one white space character" if len(names) == len(BLANKS) else f"{start} {_listed(names)}"
        rows.append([label, *cells])
    return rows, list(legend.lines())


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


LABEL = 44
"""The widest first column on a terminal; a longer label stands on lines of its own."""


def terminal(audits: Sequence[Audit]) -> str:
    """All tables with aligned columns."""
    parts: list[str] = []
    for each in audits:
        rows, legend = table(each)
        width = min(LABEL, max(len(row[0]) for row in rows))
        widths = [max(len(row[place]) for row in rows) for place in range(1, len(rows[0]))]
        for label, *shown in rows:
            *above, last = _folded(label, width)
            parts += above
            parts.append(
                "  ".join([f"{last:{width}}", *(f"{text:{w}}" for text, w in zip(shown, widths, strict=True))]).rstrip()
            )
        parts += [f"  {line}" for line in legend]
        parts.append("")
    return "\n".join(parts).rstrip()


def _folded(label: str, width: int) -> list[str]:
    import textwrap

    return textwrap.wrap(label, width, subsequent_indent="  ")


def markdown(audits: Sequence[Audit]) -> str:
    """All tables in Markdown, each under the metric's name."""
    parts: list[str] = []
    for each in audits:
        (head, *rows), legend = table(each)
        parts += [f"## {head[0]}", "", _row(["input", *head[1:]]), _row(["---"] * len(head))]
        parts += [_row(row) for row in rows]
        parts += ["", *(f"- {line}" for line in legend), ""] if legend else [""]
    return "\n".join(parts).rstrip()


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("\\", "\\\\").replace("|", "\\|") for cell in cells) + " |"


def document(audits: Sequence[Audit]) -> list[dict[str, Any]]:
    """All tables as JSON; `conformance schema audit` has the schema."""
    return [
        {
            "audit": FORMAT,
            "metric": each.metric,
            "rows": [
                {
                    "case": case,
                    "input": strict(arguments),
                    "cells": {target: _cell(column[case]) for target, column in each.columns.items()},
                }
                for case, arguments in each.inputs.items()
            ],
        }
        for each in audits
    ]


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "kind": cell.kind,
        "value": strict(cell.value),
        "component": cell.component,
        "message": cell.text or None,
        "conventions": list(cell.conventions),
        "known": cell.known,
    }
