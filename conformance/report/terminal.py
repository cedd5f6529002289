"""The report for a terminal: a headline for each target, then what is unexpected, worst first."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.explore import number, visible
from conformance.ledger import Problem
from conformance.model import GOOD, Outcome, Row, Standing
from conformance.record import Block
from conformance.report.details import Details, DetailsOf

SHOWN = 20
"""How many unexpected checks of a target are shown in full."""

ALIKE = 3
"""How many of those that have the same cause."""

CONVENTIONS = 12
"""How many conventions the headline names, the most frequent first."""

REASONS = 2
"""How many reasons of unsupported checks the headline names."""

SILENT = (Outcome.CRASH, Outcome.TIMEOUT)
"""Where there is no answer."""

LEVELS = ("must", "", "should", "open")
"""What is told first: a check without a clause is of the definition all the same."""

PLACES = 6
"""How many clauses are named where the failures are."""

ORDER = (Outcome.CRASH, Outcome.TIMEOUT, Outcome.ERROR, Outcome.INVALID, Outcome.FAIL)


def render(
    blocks: Sequence[Block],
    details: DetailsOf,
    problems: Mapping[str, Sequence[Problem]] | None = None,
    ledgers: Mapping[str, str | None] | None = None,
    *,
    colour: bool = False,
    brief: bool = False,
    choices: Callable[[Block], str] | None = None,
) -> str:
    """The whole report; the brief one leaves targets without anything unexpected to the table. Pure: it prints nothing.

    `choices` says what a target's variant is; the table has it where it is about one metric.
    """
    parts: list[str] = []
    for block in blocks:
        target = block.header.target
        found = (problems or {}).get(target, ())
        if brief and block.end is not None and not block.end.unexpected and not found:
            continue
        parts += headline(block, (ledgers or {}).get(target), colour)
        parts += unexpected(block, details, colour, {each.check: each.text for each in found if each.check is not None})
        stale = [visible(each.text) for each in found if each.check is None]
        parts += ["", *(f"  {_paint('ledger', 'red', colour)}  {text}" for text in stale)] if stale else []
        parts.append("")
    if len(blocks) > 1 or brief:
        one = len({row.metric for block in blocks for row in block.rows}) == 1
        parts += summary(blocks, choices if one else None)
    return "\n".join(parts).rstrip()


def headline(block: Block, ledger: str | None, colour: bool) -> list[str]:
    """Clauses, passes, conventions, documented, NEW, unsupported, and what a null implementation would have got."""
    end = block.end
    name = _paint(visible(_title(block)), "bold", colour)
    size = f"suite {visible(block.header.suite['version'])}, {_count(len(block.rows), 'check')}"
    if end is None:
        return [f"{name}  ({size})", "  the record is cut short: the run did not come to its end"]
    lines = [f"{name}  ({size}, {end.seconds:.1f} s)"]
    if end.clauses["asked"]:
        lines.append(f"  clauses      {end.clauses['met']} of {end.clauses['asked']} met")
    own = f" ({end.by_profile} more by its own profile)" if end.by_profile else ""
    lines.append(f"  passes       {end.counts['pass'] - end.by_profile}{own}")
    if end.conventions:
        ranked = sorted(end.conventions.items(), key=lambda each: -each[1])
        named = ", ".join(f"{name} ({count})" for name, count in ranked[:CONVENTIONS])
        more = f" and {len(ranked) - CONVENTIONS} more" if len(ranked) > CONVENTIONS else ""
        lines.append(f"  conventions  {visible(named)}{more}")
    where = f" ({visible('/'.join(Path(ledger).parts[-2:]))})" if ledger else ""
    lines.append(f"  documented   {_count(end.documented, 'known deviation')}{where}")
    fresh = end.standings["new"]
    rest = "".join(f", {end.standings[word]} {word}" for word in ("changed", "fixed") if end.standings[word])
    lines.append(f"  {_paint('NEW', 'red' if fresh else 'green', colour)}          {fresh}{rest}")
    lines.append(f"  unsupported  {end.counts['unsupported']}{_reasons(block.rows)}")
    printed = sum(row.stray is not None for row in block.rows)
    if printed:
        lines.append(f"  printed      stray output came with {_count(printed, 'answer')}")
    if any(end.baseline.values()):
        zero, one = end.baseline["zero"], end.baseline["one"]
        lines.append(f"  null         always 0 would pass {zero}, always 1 would pass {one}")
    return lines


def _reasons(rows: Sequence[Row]) -> str:
    """Why most of the unsupported checks are so."""
    reasons = Counter(row.message for row in rows if row.outcome is Outcome.UNSUPPORTED and row.message)
    if not reasons:
        return ""
    named = "; ".join(f"{_short(visible(reason), 70)} ({count})" for reason, count in reasons.most_common(REASONS))
    return f": {named}{' ...' if len(reasons) > REASONS else ''}"


def _title(block: Block) -> str:
    """Name, version and language of what was run, and how it was reached where that says more."""
    identity, target = block.header.implementation, block.header.target
    name = f"{identity['name']} {identity['version']}".strip()
    language = f" ({identity['language']})" if identity["language"] else ""
    same = target in (identity["name"], f"{identity['name']}@{identity['version']}")
    return f"{name}{language}" if same else f"{name}{language} as {target}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def unexpected(block: Block, details: DetailsOf, colour: bool, edits: Mapping[str, str]) -> list[str]:
    """Every check that is new, changed or fixed: what must be before what should, and each clause before the next check of one."""
    target = block.header.target
    rows = _by_weight([row for row in block.rows if row.standing is not Standing.AS_EXPECTED], details, target)
    lines = _overview(rows)
    chosen = _telling(rows)
    told: set[str] = set()
    for row in chosen:
        shown = details(row, target)
        lines += ["", *failure(row, shown, colour, edits.get(row.check), again=shown.why in told)]
        told.add(shown.why)
    if len(rows) > len(chosen):
        rest = Counter(row.outcome.value for row in rows) - Counter(row.outcome.value for row in chosen)
        words = ", ".join(f"{count} {word}" for word, count in rest.items())
        lines += ["", f"  and {len(rows) - len(chosen)} more ({words}): --format json shows all"]
    if any(row.standing is Standing.NEW and row.kind != "against" for row in rows):
        target = shlex.quote(visible(block.header.target))
        metrics = {row.metric for row in block.rows}
        metric = (
            f" --metric {next(iter(metrics))}"
            if ":" in block.header.target.removeprefix("cmd:") and len(metrics) == 1
            else ""
        )
        lines += ["", f"  is the adapter at fault? conformance check {target}{metric}"]
        lines += [f"  once understood, record them: conformance accept {target}{metric} --reason '...'"]
    return lines


def _overview(rows: Sequence[Row]) -> list[str]:
    """What gives most of the failures, and the clauses in which they are."""
    lines: list[str] = []
    causes = Counter(row.cause for row in rows if row.cause)
    if causes and all(row.kind == "against" for row in rows):
        rest = len(rows) - causes.total()
        named = [f"{visible(cause)} ({count})" for cause, count in causes.most_common(CONVENTIONS)]
        named += [f"{rest} by none of their known choices"] if rest else []
        lines.append(f"  they differ by: {'; '.join(named)}")
    elif causes:
        failing = sum(row.outcome not in GOOD for row in rows)
        cause, count = causes.most_common(1)[0]
        share = f"all {failing}" if count == failing else f"partly: {count} of {failing}"
        which = "the failure is" if failing == 1 else f"{share} failures are"
        lines.append(f"  likely cause: {which} what {visible(cause)} gives")
    places = Counter(row.clause for row in rows if row.clause)
    if len(places) > 1:
        clauses = ", ".join(f"{clause} ({count})" for clause, count in places.most_common(PLACES))
        more = f" and {len(places) - PLACES} more" if len(places) > PLACES else ""
        lines.append(f"  by clause: {visible(clauses)}{more}")
    return ["", *lines] if lines else []


def _by_weight(rows: Sequence[Row], details: DetailsOf, target: str) -> list[Row]:
    """The rows as they are told: by the level of their clause, then the first of each clause, the worst outcome first."""
    ranked = []
    seen: Counter[str | None] = Counter()
    for row in sorted(rows, key=lambda row: ORDER.index(row.outcome) if row.outcome in ORDER else len(ORDER)):
        seen[row.clause] += 1
        ranked.append((LEVELS.index(details(row, target).level), seen[row.clause], row))
    return [row for _, _, row in sorted(ranked, key=lambda each: each[:2])]


def _telling(rows: Sequence[Row]) -> list[Row]:
    """The rows to show: of those that have one cause the first few."""
    alike: Counter[str] = Counter()
    chosen: list[Row] = []
    for row in rows:
        alike[row.cause or row.check] += 1
        if alike[row.cause or row.check] <= ALIKE and len(chosen) < SHOWN:
            chosen.append(row)
    return chosen


def failure(row: Row, shown: Details, colour: bool, edit: str | None = None, *, again: bool = False) -> list[str]:
    """One check in full; `edit` is what is to be written in the ledger. `again`: its why was told before."""
    word = row.outcome.value if row.standing is Standing.NEW else f"{row.standing.value} ({row.outcome.value})"
    lines = [f"  {_paint(word, 'red', colour)}  {visible(row.check)}"]

    def add(name: str, text: Any) -> None:
        if text not in (None, ""):
            lines.append(f"    {name:9} {_short(visible(str(text)))}")

    if row.clause:
        add("clause", f"{row.clause}: {shown.clause_text}")
    if row.kind == "property":
        add("law", row.expected)
        add("got", _value(row.observed))
        lines += [f"    {_short(visible(line))}" for line in (row.message or "").splitlines()]
    else:
        add("input", shown.input)
        add("with", shown.settings)
        add("expected", _expected(row))
        add("got", "nothing" if row.observed is None and row.outcome in SILENT else _value(row.observed))
        add("message", row.message)
    add("cause", row.cause)
    add("printed", row.stray)
    add("why", "" if again else shown.why)
    add("source", shown.source)
    add("ledger", edit)
    add("repeat", shown.command)
    return lines


def _expected(row: Row) -> str:
    """The expression and its value."""
    if row.kind == "against":
        return f"{row.expected}: {_value(row.expected_value)}"
    suffix = f" (by its own profile: {_value(row.profile)})" if row.by_profile else ""
    if isinstance(row.expected, Mapping) and isinstance(row.expected_value, Mapping):
        parts = []
        for name, text in row.expected.items():
            value = number(row.expected_value.get(name))
            written = _value(text)
            parts.append(f"{name} = {written}" + (f" = {value}" if str(value) != written else ""))
        return "; ".join(parts) + suffix
    return _value(row.expected) + suffix


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {_value(each)}" for name, each in value.items()) or "nothing"
    if isinstance(value, (list, float)):
        return number(value)
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=True, default=str)


def _short(text: str, limit: int = 400) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."


def summary(blocks: Sequence[Block], choices: Callable[[Block], str] | None = None) -> list[str]:
    """One line a target, side by side."""
    numbers = ("clauses", "passes", "conventions", "documented", "new", "unsupported")
    more = ("choices that are not the definition's",) if choices is not None else ()
    head: tuple[str, ...] = ("target", "version", *numbers, *more)
    table = [head]
    for block in blocks:
        end = block.end
        identity = (visible(block.header.target), visible(block.header.implementation["version"]))
        if end is None:
            table.append((*identity, "cut short", *[""] * (len(head) - 3)))
            continue
        clauses = f"{end.clauses['met']} of {end.clauses['asked']}"
        counts = (
            end.counts["pass"],
            len(end.conventions),
            end.documented,
            end.standings["new"],
            end.counts["unsupported"],
        )
        variant = (visible(choices(block)),) if choices is not None else ()
        table.append((*identity, clauses, *map(str, counts), *variant))
    widths = [max(len(row[place]) for row in table) for place in range(len(head))]
    return ["  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]


def _paint(text: str, how: str, colour: bool) -> str:
    codes = {"red": "31", "green": "32", "bold": "1"}
    return f"\x1b[{codes[how]}m{text}\x1b[0m" if colour else text
