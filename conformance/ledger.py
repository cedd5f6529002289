"""The ledger of known deviations: what an implementation does otherwise, with a reason, and what is stale of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from conformance.expressions import close
from conformance.model import GOOD, Outcome, Row, Standing
from conformance.yamlfile import core, read, validated

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

    def concerns(self, version: str) -> bool:
        """Whether the entry is about this version."""
        return self.versions is None or satisfies(version, self.versions)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the ledger, and the line to edit."""

    text: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """One file of known deviations."""

    file: str
    entries: tuple[Entry, ...] = ()
    unsupported: Mapping[str, int] | None = None

    @classmethod
    def load(cls, path: Path) -> Ledger:
        """Read a ledger. Raises BadFile."""
        document = read(path, str(path))
        data = validated(document, "ledger")
        entries = []
        for place, each in enumerate(data.get("deviations", [])):
            where = ("deviations", place)
            expires = each.get("expires")
            try:
                until = None if expires is None else date.fromisoformat(str(expires))
            except ValueError as error:
                raise document.fault((*where, "expires"), f"expected a date such as 2027-12-31, found {expires!r}") from error
            if "versions" in each and not re.fullmatch(f"{_ONE}(,{_ONE})*", str(each["versions"]).replace(" ", "")):
                raise document.fault((*where, "versions"), f"expected such as '>=3.9,<4', found {str(each['versions'])!r}")
            entries.append(
                Entry(
                    str(each["reason"]), each["kind"], core(each["checks"]), document.line(where),
                    {key: document.line((*where, "checks", key)) for key in each["checks"]},
                    each.get("issue"), each.get("versions"), until, each.get("metric"),
                )
            )
        return cls(str(path), tuple(entries), data.get("unsupported"))

    def match(self, row: Row, version: str) -> tuple[Entry, str] | None:
        """The entry that is about a check, and the key by which it is: its id rather than a glob."""
        found = None
        for entry in self.entries:
            if not entry.concerns(version) or (entry.metric is not None and entry.metric != row.metric):
                continue
            if row.check in entry.checks:
                return entry, row.check
            for key in entry.checks:
                if found is None and _is_glob(key) and fnmatchcase(row.check, key):
                    found = entry, key
        return found

    def stand(self, row: Row, version: str) -> Standing:
        """How a row stands against the ledger."""
        found = self.match(row, version)
        good = row.outcome in GOOD
        if found is None:
            return Standing.AS_EXPECTED if good else Standing.NEW
        entry, key = found
        if good:
            if _is_glob(key) or row.outcome is Outcome.UNSUPPORTED:
                return Standing.AS_EXPECTED
            return Standing.FIXED
        return Standing.AS_EXPECTED if observes(entry.checks[key], row) else Standing.CHANGED

    def reason(self, row: Row, version: str) -> str | None:
        """Why a row deviates, where the ledger knows."""
        found = self.match(row, version)
        return None if found is None else found[0].reason

    def review(self, rows: Sequence[Row], full: bool, version: str) -> Iterator[Problem]:
        """What is stale, expired or grown; stale entries and counts only after a full run."""
        today = date.today()
        by_id = {row.check: row for row in rows}
        for entry in self.entries:
            if not entry.concerns(version):
                continue
            if entry.expires is not None and entry.expires < today:
                yield Problem(f"{self.file}:{entry.line}: expired on {entry.expires}: {entry.reason}; look again, then move or remove `expires`")
            if not full:
                continue
            for key in entry.checks:
                line = entry.lines[key]
                if _is_glob(key):
                    if not any(row.outcome not in GOOD and fnmatchcase(row.check, key) for row in rows):
                        yield Problem(f"{self.file}:{line}: stale: no check that matches {key!r} deviates; remove the line")
                elif key not in by_id:
                    yield Problem(f"{self.file}:{line}: stale: there is no check {key!r}; remove the line")
        if full and self.unsupported is not None:
            counts = Counter(row.metric for row in rows if row.outcome is Outcome.UNSUPPORTED)
            for metric, count in sorted(counts.items()):
                allowed = self.unsupported.get(metric, 0)
                if count > allowed:
                    yield Problem(f"{self.file}: unsupported grew: {metric} has {count}, {allowed} are recorded; write `unsupported: {{{metric}: {count}}}`")


_ONE = r"(==|>=|<=|>|<|!=)[0-9]+(\.[0-9]+)*"


def _release(text: str) -> tuple[int, ...]:
    numbers = [int(part) for part in re.findall(r"\d+", text.split("+")[0])]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def satisfies(version: str, wanted: str) -> bool:
    """Whether a dotted version satisfies comma-separated comparisons."""
    own = _release(version)
    for part in wanted.replace(" ", "").split(","):
        sign, other = re.match(r"(==|>=|<=|>|<|!=)(.*)", part).groups()  # type: ignore[union-attr]
        than = _release(other)
        holds = {"==": own == than, ">=": own >= than, "<=": own <= than, ">": own > than, "<": own < than, "!=": own != than}
        if not holds[sign]:
            return False
    return True


def _is_glob(key: str) -> bool:
    return any(sign in key for sign in "*?")


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
    if isinstance(known, list) and isinstance(observed, list):
        return len(known) == len(observed) and all(_agrees(a, b) for a, b in zip(known, observed, strict=True))
    numbers = (int, float)
    if isinstance(known, numbers) and isinstance(observed, numbers) and not isinstance(known, bool):
        return close(float(known), float(observed), relative=RELATIVE, absolute=0.0)
    return bool(known == observed)


def accept(
    path: Path, rows: Iterable[Row], *, target: str, reason: str, kind: str, issue: str | None, full: bool
) -> str:
    """The text of a ledger that also has the new and changed rows, under one reason; what stood there stays."""
    rows = list(rows)
    text = path.read_text("utf-8") if path.exists() else f"ledger: 1\ntarget: {target}\ndeviations:\n"
    gone = {row.check for row in rows if row.standing in (Standing.FIXED, Standing.CHANGED)}
    text = "".join(line for line in text.splitlines(keepends=True) if _key(line) not in gone)
    fresh = [row for row in rows if row.standing in (Standing.NEW, Standing.CHANGED)]
    counts = Counter(row.metric for row in rows if row.outcome is Outcome.UNSUPPORTED)
    text = re.sub(r"(?m)^unsupported:.*\n(?:[ ]+.*\n)*", "", text) if full else text
    if fresh:
        text = re.sub(r"(?m)^deviations: *\[\] *$", "deviations:", text)
        entry = [f"  - reason: {json.dumps(reason)}", f"    kind: {kind}"]
        entry += [f"    issue: {issue}"] if issue else []
        entry += ["    checks:", *(f"      {json.dumps(row.check)}: {_observed(row)}" for row in fresh)]
        text = _inserted(text.rstrip("\n") + "\n", "\n".join(entry) + "\n")
    if full and counts:
        shown = ", ".join(f"{metric}: {count}" for metric, count in sorted(counts.items()))
        text = text.rstrip("\n") + f"\nunsupported: {{{shown}}}\n"
    return text


def _inserted(text: str, entry: str) -> str:
    """The entry at the end of `deviations`, before any other top-level key that follows it."""
    found = re.search(r"(?m)^deviations:.*\n(?:(?:[ #].*)?\n)*", text)
    if found is None:
        return text + "deviations:\n" + entry
    return text[: found.end()] + entry + text[found.end() :]


def _key(line: str) -> str | None:
    """The check id of a ledger line."""
    found = re.match(r'\s+"(?P<id>[^"]+)":', line)
    return found["id"] if found else None


def _observed(row: Row) -> str:
    if isinstance(row.observed, Mapping) and row.observed and row.outcome is Outcome.FAIL:
        wanted = row.expected_value if isinstance(row.expected_value, Mapping) else row.observed
        names = {name.split("[")[0] for name in wanted} & set(row.observed) or set(row.observed)
        small = {
            name: row.observed[name] for name in row.observed
            if name in names and len(json.dumps(row.observed[name])) < 200
        }
        if small:
            return json.dumps({name: _rounded(value) for name, value in small.items()})
    return row.outcome.value


def _rounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value
