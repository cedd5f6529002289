"""The nouns of the suite, frozen: metrics and their parameters, checks and what they expect, outcomes.

Everything here is data without I/O. A `Suite` is what the YAML compiles to; a `Check` is one expected
value, relation or claim for one metric and profile; a `Row` is what a run says of one check.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeGuard

JSON = Any
Parameters = Mapping[str, Any]


class Outcome(str, Enum):
    """What the suite says of one answer."""

    PASS = "pass"
    FAIL = "fail"
    CONVENTION = "convention"
    UNSUPPORTED = "unsupported"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASH = "crash"
    INVALID = "invalid"


class Standing(str, Enum):
    """An outcome held against the ledger of known deviations."""

    AS_EXPECTED = "as-expected"
    NEW = "new"
    CHANGED = "changed"
    FIXED = "fixed"


GOOD = frozenset({Outcome.PASS, Outcome.CONVENTION, Outcome.UNSUPPORTED})
"""The outcomes that need no entry in a ledger."""


@dataclass(frozen=True, slots=True)
class Convention:
    """A named value of a parameter; a quirk leaves the definition."""

    name: str
    text: str
    quirk: bool = False


@dataclass(frozen=True, slots=True)
class Parameter:
    """An open choice of a metric: its question, its default and the values it can take.

    `type` is choice, integer, number, boolean, numbers or list (of `items`). A parameter of stage "text"
    acts on the text before it is split, so the suite applies it for a target that takes tokens.
    """

    name: str
    question: str
    default: Any
    type: str = "choice"
    conventions: Mapping[str, Convention] = field(default_factory=dict)
    minimum: float | None = None
    maximum: float | None = None
    items: tuple[str, ...] = ()
    stage: str = "metric"

    def values(self) -> tuple[Any, ...]:
        """The values that can be listed: names of conventions, or false and true."""
        return (False, True) if self.type == "boolean" else tuple(self.conventions)

    def misfit(self, value: object) -> str | None:
        """What is wrong with a value of this parameter, in words; None where nothing is."""
        if self.type == "choice":
            known = isinstance(value, str) and value in self.conventions
            return None if known else f"expected one of {', '.join(self.conventions)}, found {value!r}"
        if self.type == "boolean":
            return None if isinstance(value, bool) else f"expected true or false, found {value!r}"
        if self.type == "list":
            strange = [each for each in value if each not in self.items] if isinstance(value, list) else [value]
            return f"expected a list of {', '.join(self.items)}; found {strange[0]!r}" if strange else None
        if self.type == "numbers":
            good = isinstance(value, list) and all(_is_number(each) for each in value)
            return None if good else f"expected a list of numbers, found {value!r}"
        if self.type == "number" and isinstance(value, str) and self.default in (None, value):
            return None
        low, high = self.minimum, self.maximum
        if not _is_number(value) or (self.type == "integer" and not isinstance(value, int)):
            return f"expected a{'n integer' if self.type == 'integer' else ' number'}, found {value!r}"
        if (low is not None and value < low) or (high is not None and value > high):
            ends = f"from {low if low is not None else '-'} to {high if high is not None else '-'}"
            return f"expected a value {ends}, found {value!r}"
        return None

    def is_quirk(self, value: object) -> bool:
        """Whether the value leaves the definition."""
        return isinstance(value, str) and value in self.conventions and self.conventions[value].quirk


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a metric's input.

    type: segments (a text for each), segments-many (a list of texts for each), text, words (names, in lists and
    tables), numbers (exact, in lists) or any (as it stands). An optional field may be left out.
    """

    type: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Component:
    """One part of a metric's answer: number, integer, numbers, flags (true and false), text or tokens."""

    name: str
    type: str = "number"
    minimum: float | None = None
    maximum: float | None = None
    better: str | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence of a definition."""

    id: str
    level: str
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Law:
    """An invariant: a relation that holds for every input (of at least the size that `when` asks)."""

    id: str
    law: str
    text: str = ""
    clause: str | None = None
    when: tuple[str, ...] = ()
    parameters: Parameters = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Metric:
    """A named definition with its parameters and components; also a transform or a statistic.

    `aliases` are other names that people look for it under, `edges` its empty and nearly empty inputs where they are no texts.
    """

    name: str
    title: str
    kind: str
    definition: str
    input: Mapping[str, Field]
    components: Mapping[str, Component]
    clauses: Mapping[str, Clause]
    parameters: Mapping[str, Parameter]
    profiles: Mapping[str, Parameters]
    invariants: Mapping[str, Law]
    faults: Mapping[str, JSON]
    sources: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    edges: Mapping[str, Mapping[str, JSON]] = field(default_factory=dict)

    @property
    def main(self) -> str:
        """The component that a bare number means: the first of the spec."""
        return next(iter(self.components))

    @property
    def required(self) -> tuple[str, ...]:
        """The fields of the input that cannot be left out, in order."""
        return tuple(name for name, each in self.input.items() if not each.optional)

    def defaults(self) -> dict[str, Any]:
        """The definition's own profile."""
        return {name: parameter.default for name, parameter in self.parameters.items()}


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing to ask an implementation: a metric, the parameters that a check sets, and an input.

    `input` names an entry of the suite's inputs; `variation` is how it is changed before it is asked.
    """

    metric: str
    parameters: Parameters
    input: str
    variation: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """What one answer has to be: components with their expressions and values, or an error, or nothing.

    kind: values, raises (`error` names the class, "input" or "any"), returns (`none` or `nan`), undefined.
    """

    kind: str
    expressions: Mapping[str, JSON] = field(default_factory=dict)
    values: Mapping[str, JSON] = field(default_factory=dict)
    error: str = ""

    def as_json(self) -> JSON:
        """The expectation as a record shows it."""
        if self.kind == "values":
            return dict(self.expressions)
        return {self.kind: self.error} if self.error else self.kind


@dataclass(frozen=True, slots=True)
class Check:
    """One expected value, open question, relation or claim, with an id that never changes its meaning.

    kind: value, open, relation. `terms` are the asks by name (a value has one, called ""), `relation`
    the predicate over them, `conventions` the admissible values of the open parameter `parameter`.
    """

    id: str
    scenario: str
    kind: str
    metric: str
    clause: str | None
    terms: Mapping[str, Ask]
    expected: Expected | None = None
    relation: str | None = None
    variables: Mapping[str, float] = field(default_factory=dict)
    parameter: str | None = None
    conventions: Mapping[str, Expected] = field(default_factory=dict)
    implementation: str | None = None
    relative: float | None = None
    erratum: JSON = None
    catches: tuple[str, ...] = ()
    witness: JSON = None
    without: str | None = None

    @property
    def ask(self) -> Ask:
        """The ask of a check that has one."""
        return next(iter(self.terms.values()))


@dataclass(frozen=True, slots=True)
class Scenario:
    """A passage of a document made testable: why it stands there, its source, and where it is written."""

    name: str
    why: str
    source: Mapping[str, str]
    file: str
    line: int
    yaml: str
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """All metrics, scenarios, checks and inputs, as loaded or compiled; `forms` says what an input is made of."""

    metrics: Mapping[str, Metric]
    scenarios: Mapping[str, Scenario]
    checks: Sequence[Check]
    inputs: Mapping[str, Mapping[str, JSON]]
    digest: str
    version: str
    forms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """What a run says of one check; one line of a record. `asked` has the digest of each question, by term."""

    check: str
    metric: str
    clause: str | None
    kind: str
    outcome: Outcome
    standing: Standing = Standing.AS_EXPECTED
    profile: Mapping[str, Any] = field(default_factory=dict)
    expected: JSON = None
    expected_value: JSON = None
    by_profile: bool = False
    observed: JSON = None
    convention: str | None = None
    cause: str | None = None
    message: str | None = None
    stray: str | None = None
    asked: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
