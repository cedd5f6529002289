"""Holds the suite's own files to its rules: readable characters, stable ids, known names, witnesses."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from conformance import lock
from conformance.model import Suite
from conformance.witness import needs_witness, second_expressions, systems
from conformance.yamlfile import BadFile, read, validated

HIDDEN = frozenset({"Cc", "Cf", "Co", "Cn", "Mn", "Me", "Zl", "Zp"})
LOOKALIKE_SCRIPTS = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE")


@dataclass(frozen=True, slots=True)
class Report:
    """What lint found: problems, one line each, and the counts that it prints."""

    problems: tuple[str, ...]
    checks: int
    scenarios: int
    witnessed: int
    single: int


def lint(root: Path, suite: Suite) -> Report:
    """Every rule on every file of the suite."""
    problems = [*characters(root), *ids(root, suite), *names(root, suite), *witnesses(root, suite)]
    counts = Counter(check.witness is not None for check in suite.checks if needs_witness(check))
    return Report(tuple(problems), len(suite.checks), len(suite.scenarios), counts[True], counts[False])


def characters(root: Path) -> Iterator[str]:
    """Invisible and look-alike characters that stand in a file instead of an escape."""
    for folder in ("specs", "cases"):
        for path in sorted((root / folder).rglob("*.yaml")):
            for place, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
                for column, character in enumerate(line, start=1):
                    if ord(character) > 126 or ord(character) < 32:
                        reason = _suspicious(character)
                        if reason:
                            name = path.relative_to(root).as_posix()
                            code = f"U+{ord(character):04X}"
                            yield f"{name}:{place}: column {column}: {code} is {reason}; write it as an escape in double quotes"


def _suspicious(character: str) -> str | None:
    category = unicodedata.category(character)
    if category in HIDDEN:
        return "invisible or combining"
    if category == "Zs" and character != " ":
        return "a space that looks like another"
    if unicodedata.normalize("NFKC", character) != character:
        return "a compatibility form that looks like another character"
    if unicodedata.name(character, "").split(" ")[0] in LOOKALIKE_SCRIPTS:
        return "a letter that can look like a Latin one"
    return None


def ids(root: Path, suite: Suite) -> Iterator[str]:
    """Ids against cases.lock."""
    difference = lock.compare(suite, lock.read(root / "cases" / "cases.lock"))
    for identifier in difference.changed:
        yield f"{identifier}: the check means something else than before; give it a new id"
    for identifier in difference.reused:
        yield f"{identifier}: the id is retired; choose another"
    if difference.new or difference.missing:
        yield (
            f"cases/cases.lock: {len(difference.new)} new and {len(difference.missing)} missing checks; "
            "`conformance lint --write` records them"
        )


def names(root: Path, suite: Suite) -> Iterator[str]:
    """Claims name known implementations; `catches` names faults of the metric."""
    known = implementations(root)
    for check in suite.checks:
        where = f"{suite.scenarios[check.scenario].file}: {check.id}"
        if check.implementation and check.implementation.partition("==")[0] not in known:
            name = check.implementation.partition("==")[0]
            yield f"{where}: no implementation {name!r} in adapters/implementations.yaml"
        for fault in check.catches:
            if fault not in suite.metrics[check.metric].faults:
                yield f"{where}: specs/{check.metric}.yaml has no fault {fault!r}"


def witnesses(root: Path, suite: Suite) -> Iterator[str]:
    """Each literal value has a second witness: an adapter of ours beside the reference, or an expression that agrees."""
    for check in suite.checks:
        if needs_witness(check) and check.witness is None:
            where = suite.scenarios[check.scenario].file
            yield f"{where}: {check.id}: the value rests on the reference alone; name a witness"
    for system, checks in systems(suite.checks).items():
        ours = any((root / "adapters" / f"{system}.{ending}").exists() for ending in ("py", "mjs"))
        if system == "reference" or not ours:
            where = suite.scenarios[checks[0].scenario].file
            yield f"{where}: {checks[0].id}: witness: expected an adapter of ours beside the reference, found {system!r}"
    for each in second_expressions(suite):
        if each.problem:
            yield f"{each.check}: witness: {each.problem}"


def implementations(root: Path) -> frozenset[str]:
    """The names that claims may use. Raises BadFile."""
    path = root / "adapters" / "implementations.yaml"
    if not path.exists():
        raise BadFile("adapters/implementations.yaml: the file is missing")
    return frozenset(validated(read(path, "adapters/implementations.yaml"), "implementations"))
