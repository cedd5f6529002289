"""The ledger of known deviations: what an implementation does otherwise, with a reason, and what is stale of it."""

from __future__ import annotations

import json
import operator
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from conformance.expressions import close
from conformance.ledger_text import with_entries, with_unsupported
from conformance.model import GOOD, Outcome, Row, Standing
from conformance.record import strict
from conformance.yamlfile import Document, core, parse, read, validated

RELATIVE = 1e-6
"""How far an observed value may be from the one in the ledger, which is written with fewer digits."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Some checks that deviate for one reason; `checks` maps an id or glob to what is observed (None: anything)."""

    reason: str
    kind: str
    checks: Mapping[str, Any]
    line: int
    lines: Mapping[str, int]
    issue: str | None = None
    versions: str | None = None
    expires: date | None = None
    metric: str | None = None

    def concerns(self, version: str | None) -> bool:
        """Whether the entry is about this version; about any, where none is named."""
        return self.versions is None or version is None or satisfies(version, self.versions)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something to edit in a ledger: file, line and what to write; `check` is set where one check is the reason."""

    text: str
    check: str | None = None


@dataclass(frozen=True, slots=True)
class Ledger:
    """One file of known deviations of one target."""

    file: str
    target: str = ""
    entries: tuple[Entry, ...] = ()
    unsupported: Mapping[str, int] | None = None
    unsupported_line: int = 1

    @classmethod
    def load(cls, path: Path) -> Ledger:
        """Read a ledger. Raises BadFile."""
        return cls.of(read(path, str(path)))

    @classmethod
    def of(cls, document: Document) -> Ledger:
        """The ledger that a YAML document is. Raises BadFile."""
        data = validated(document, "ledger")
        entries = tuple(_entry(document, place, each) for place, each in enumerate(data.get("deviations", [])))
        line = document.line(("unsupported",))
        return cls(document.file, data["target"], entries, data.get("unsupported"), line)

    def match(self, row: Row, version: str | None) -> tuple[Entry, str] | None:
        """The entry that is about a check, and the key by which it is: its id rather than a glob.

        Without a version, entries of every version count. One that is about certain versions comes before one that
        is about all.
        """
        found = None
        for entry in sorted(self.entries, key=lambda each: each.versions is None):
            if not entry.concerns(version) or (entry.metric is not None and entry.metric != row.metric):
                continue
            if row.check in entry.checks:
                return entry, row.check
            if found is None:
                found = next(((entry, key) for key in entry.checks if _is_glob(key) and _fits(key, row.check)), None)
        return found

    def stand(self, row: Row, version: str) -> Standing:
        """How a row stands against the ledger."""
        found = self.match(row, version)
        good = row.outcome in GOOD
        if found is None:
            return Standing.AS_EXPECTED if good else Standing.NEW
        entry, key = found
        if good:
            # What is unsupported was not judged, so nothing is known to be fixed.
            kept = _is_glob(key) or row.outcome is Outcome.UNSUPPORTED
            return Standing.AS_EXPECTED if kept else Standing.FIXED
        return Standing.AS_EXPECTED if observes(entry.checks[key], row) else Standing.CHANGED

    def reason(self, row: Row, version: str) -> str | None:
        """Why a row deviates, where the ledger knows."""
        found = self.match(row, version)
        return None if found is None else found[0].reason

    def review(self, rows: Sequence[Row], full: bool, version: str, other: bool = False) -> Iterator[Problem]:
        """What is changed, fixed, expired, stale or grown; stale entries and counts only after a full run.

        Of another release than the ledger is about, entries without `versions` may be narrowed, and counts say nothing.
        """
        for row in rows:
            yield from self._moved(row, version, other)
        for entry in self.entries:
            if not entry.concerns(version):
                continue
            if entry.expires is not None and entry.expires < date.today():
                text = f"expired on {entry.expires}: {entry.reason}; look again, then move or remove `expires`"
                yield Problem(f"{self.file}:{entry.line}: {text}")
            if full:
                yield from self._stale(entry, rows)
        if full and self.unsupported is not None and not other:
            counts = Counter(row.metric for row in rows if row.outcome is Outcome.UNSUPPORTED)
            for metric, count in sorted(counts.items()):
                allowed = self.unsupported.get(metric, 0)
                if count > allowed:
                    text = f"unsupported grew from {allowed} to {count} checks of {metric}; write `{metric}: {count}`"
                    yield Problem(f"{self.file}:{self.unsupported_line}: {text}")

    def _moved(self, row: Row, version: str, other: bool) -> Iterator[Problem]:
        """A row that the ledger knows otherwise."""
        standing = self.stand(row, version)
        found = self.match(row, version)
        if found is None or standing not in (Standing.CHANGED, Standing.FIXED):
            return
        entry, key = found
        what = "fixed: the check no longer deviates; remove the line, or let `conformance accept` do it"
        if other and entry.versions is None:
            what = f"not so in {version}; give the entry `versions` that leave it out"
        elif standing is Standing.CHANGED:
            what = f"changed from {_yaml(entry.checks[key])}; write `{_quoted(row.check)}: {_observed(row)}`"
        yield Problem(f"{self.file}:{entry.lines[key]}: {what}", row.check)

    def _stale(self, entry: Entry, rows: Sequence[Row]) -> Iterator[Problem]:
        """The keys of an entry that no row needs: an id that is gone, a glob under which nothing deviates."""
        for key in entry.checks:
            fitting = [row for row in rows if _fits(key, row.check) and entry.metric in (None, row.metric)]
            judged = [row for row in fitting if row.outcome is not Outcome.UNSUPPORTED]
            what = None
            if not fitting:
                what = f"there is no check {key!r}"
            elif _is_glob(key) and judged and all(row.outcome in GOOD for row in judged):
                what = f"no check that matches {key!r} deviates"
            if what is not None:
                yield Problem(f"{self.file}:{entry.lines[key]}: stale: {what}; remove the line")


def _entry(document: Document, place: int, data: Mapping[str, Any]) -> Entry:
    """One entry of a validated document. Raises BadFile."""
    where = ("deviations", place)
    expires, versions = data.get("expires"), data.get("versions")
    try:
        until = None if expires is None else date.fromisoformat(expires)
    except ValueError as error:
        fault = f"expected a date such as 2027-12-31, found {str(expires)!r}"
        raise document.fault((*where, "expires"), fault) from error
    if versions is not None and not re.fullmatch(f"{_ONE}(,{_ONE})*", versions.replace(" ", "")):
        raise document.fault((*where, "versions"), f"expected such as '>=3.9,<4', found {str(versions)!r}")
    return Entry(
        reason=str(data["reason"]),
        kind=data["kind"],
        checks=core(data["checks"]),
        line=document.line(where),
        lines={key: document.line((*where, "checks", key)) for key in data["checks"]},
        issue=data.get("issue"),
        versions=versions,
        expires=until,
        metric=data.get("metric"),
    )


COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}

_ONE = r"((==|>=|<=|>|<|!=)[0-9]+(\.[0-9]+)*|(==|!=)[A-Za-z0-9][A-Za-z0-9.+_-]*)"


def _release(text: str) -> tuple[int, ...]:
    """The dotted number that a version begins with, without zeros at its end; suffixes such as rc1 do not count."""
    found = re.match(r"v?([0-9]{1,9}(?:\.[0-9]{1,9})*)", text)
    numbers = [int(part) for part in found[1].split(".")] if found else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def satisfies(version: str, wanted: str) -> bool:
    """Whether a dotted version satisfies comma-separated comparisons, such as `>=3.9,<4`.

    What is no dotted number, such as a commit or `1.03.1-python2`, is compared to the letter by `==` and `!=`.
    """
    for part in wanted.replace(" ", "").split(","):
        number = part.lstrip("=<>!")
        sign = part.removesuffix(number)
        whole = sign in ("==", "!=") and re.fullmatch(r"v?[0-9.]+", number) is None
        if not COMPARISONS[sign](*((version, number) if whole else (_release(version), _release(number)))):
            return False
    return True


def _is_glob(key: str) -> bool:
    return any(sign in key for sign in "*?")


def _fits(key: str, check: str) -> bool:
    """Whether a key is about a check; the brackets of an id are no glob."""
    return key == check or (_is_glob(key) and fnmatchcase(check, key.replace("[", "[[]")))


def observes(known: Any, row: Row) -> bool:
    """Whether a row is what the ledger says of it: an outcome's name, a value, or components with values."""
    if known is None:
        return True
    if isinstance(known, str) and known in {outcome.value for outcome in Outcome}:
        return row.outcome.value == known
    observed = row.observed
    if isinstance(known, Mapping):
        return isinstance(observed, Mapping) and all(
            key in observed and _agrees(value, observed[key]) for key, value in known.items()
        )
    if isinstance(observed, Mapping) and observed:
        observed = next(iter(observed.values()))
    return _agrees(known, observed)


def _agrees(known: Any, observed: Any) -> bool:
    if isinstance(known, list) and isinstance(observed, (list, tuple)):
        return len(known) == len(observed) and all(_agrees(a, b) for a, b in zip(known, observed, strict=True))
    if strict(known) == strict(observed):
        return True
    numbers = [each for each in (known, observed) if isinstance(each, (int, float)) and not isinstance(each, bool)]
    if len(numbers) < 2 or max(map(abs, numbers)) > sys.float_info.max:
        return False
    return close(float(known), float(observed), relative=RELATIVE, absolute=0.0)


def accept(
    path: Path,
    rows: Iterable[Row],
    *,
    target: str,
    reason: str,
    kind: str,
    issue: str | None,
    full: bool,
    version: str | None = None,
    only: bool = False,
) -> str:
    """The text of a ledger that also has the new and changed rows, under one reason; the rest of it stays.

    Fixed ids go, and after a full run the counts of unsupported checks are those of the rows; unless the entry is
    to be about this version only, for then the others are another release's. Raises BadFile where the file, or what
    it would become, is no ledger.
    """
    rows = list(rows)
    text = path.read_text("utf-8") if path.exists() else f"ledger: 1\ntarget: {_quoted(target)}\n"
    text += "" if text.endswith("\n") else "\n"
    ledger = Ledger.of(parse(text, str(path)))
    gone: dict[int, set[str]] = {}
    for row in rows:
        found = ledger.match(row, version) if row.standing in (Standing.FIXED, Standing.CHANGED) else None
        if found is not None and found[1] == row.check and (not only or found[0].versions is not None):
            gone.setdefault(ledger.entries.index(found[0]), set()).add(row.check)
    unknown = [row for row in rows if row.standing in (Standing.NEW, Standing.CHANGED)]
    fresh = [f"    {_quoted(row.check)}: {_observed(row)}" for row in unknown]
    entry = [f"- reason: {_quoted(reason)}", f"  kind: {kind}"]
    entry += [f"  issue: {_quoted(issue)}"] if issue else []
    entry += [f"  versions: {_quoted(f'=={version}')}"] if only else []
    edited = with_entries(text, str(path), gone, [*entry, "  checks:", *fresh] if fresh else [])
    if full and not only:
        counts = Counter(row.metric for row in rows if row.outcome is Outcome.UNSUPPORTED)
        edited = with_unsupported(edited, dict(sorted(counts.items())))
    Ledger.of(parse(edited, str(path)))
    return edited


def _observed(row: Row) -> str:
    """What is observed of a row, as a ledger has it: the components that were expected, else the outcome's name."""
    if row.outcome is Outcome.FAIL and isinstance(row.observed, Mapping):
        wanted = row.expected_value if isinstance(row.expected_value, Mapping) else row.observed
        names = {name.split("[")[0] for name in wanted} & set(row.observed) or set(row.observed)
        small = {name: value for name, value in row.observed.items() if name in names and _writable(value)}
        if small:
            return _yaml(small)
    return row.outcome.value


def _writable(value: Any) -> bool:
    """Whether a value is short, and text that YAML can carry."""
    shown = json.dumps(value, ensure_ascii=False)
    return len(shown) < 200 and not re.search("[\ud800-\udfff]", shown)


def _yaml(value: Any) -> str:
    """A value on one line of YAML: numbers with nine significant digits, words for NaN and infinities."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(str(key))}: {_yaml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_yaml, value)) + "]"
    if isinstance(value, float):
        return repr(float(f"{value:.9g}"))
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    """Text in double quotes, with escapes that YAML knows."""
    shown = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08X}" for each in shown)
