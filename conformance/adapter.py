"""An adapter plugs an implementation in: it names what it can compute, and how its choices are set.

A person writes ten to twenty lines: an `Adapter`, and one decorated function for each metric. The
function gets the fields of the metric's input in the order of its spec, and only the parameters that
a check sets: the library's own defaults speak for the rest.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

Form = Literal["text", "tokens", "either"]
JSONValue = Any
Function = TypeVar("Function", bound=Callable[..., Any])

MOST_VALUES, MOST_CHARACTERS, DEEPEST = 100_000, 1_000_000, 30
"""The most that one answer may hold, and how deep; more is reported as invalid, not stored."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a derivation: what is worked out, how, and its value."""

    name: str
    working: str
    value: JSONValue = None


class AdapterError(Exception):
    """An adapter declares something that makes no sense; the message says what, and how to mend it."""


class Missing(Exception):
    """Raised while an adapter is imported: something that it needs is not here; the message says how to get it."""


class Unsupported(Exception):
    """Raised inside an adapter's function: this very request is beyond the implementation."""


def single(references: Sequence[Any]) -> list[Any]:
    """The one reference of each segment. Raises Unsupported where one has none or several, or is no list of them."""
    if any(isinstance(segment, str) or len(segment) != 1 for segment in references):
        raise Unsupported("it takes one reference for each segment")
    return [segment[0] for segment in references]


@dataclass(frozen=True, slots=True)
class Capability:
    """What one implementation says of one metric.

    `accepts` holds the values that a parameter can be set to (None: any value), `defaults` what the
    library does where it is not set, `fixes` what it always does. `scale` multiplies the definition's
    value: 100 for an implementation that answers in percent. `given` are the optional fields of the
    metric's input that it takes; its function gets them by keyword. `lacks` names resources that are not
    here, such as a dictionary, each with the values of parameters that need it.
    """

    metric: str
    input: Form = "text"
    scale: Mapping[str, float] = field(default_factory=dict)
    accepts: Mapping[str, Collection[Any] | None] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    fixes: Mapping[str, Any] = field(default_factory=dict)
    components: tuple[str, ...] | None = None
    decimals: int | None = None
    corpus: bool = True
    references: Literal["one", "many"] = "many"
    given: tuple[str, ...] = ()
    lacks: Mapping[str, Mapping[str, Sequence[Any]]] = field(default_factory=dict)

    def scale_of(self, component: str, main: str) -> float:
        """The factor of one component; a single number in `scale` holds for the main component alone."""
        return self.scale.get(component, self.scale.get("", 1) if component == main else 1)

    def takes(self, parameter: str, value: object) -> bool:
        """Whether the parameter can be set to the value."""
        if parameter not in self.accepts:
            return False
        allowed = self.accepts[parameter]
        if allowed is None:
            return True
        try:
            return any(type(each) is type(value) and each == value for each in allowed)
        except TypeError:
            return False

    def chosen(self) -> dict[str, Any]:
        """The part of the profile that the implementation declares: its defaults and what it fixes."""
        return {**self.defaults, **self.fixes}

    def as_json(self) -> dict[str, JSONValue]:
        """The declaration as it travels in the protocol's hello."""
        return {
            "input": self.input,
            "scale": dict(self.scale),
            "accepts": {name: _listed(values) for name, values in self.accepts.items()},
            "defaults": dict(self.defaults),
            "fixes": dict(self.fixes),
            "components": None if self.components is None else list(self.components),
            "decimals": self.decimals,
            "corpus": self.corpus,
            "references": self.references,
            "given": list(self.given),
            "lacks": {name: {key: list(each) for key, each in needed.items()} for name, needed in self.lacks.items()},
        }

    @classmethod
    def from_json(cls, metric: str, data: Mapping[str, Any]) -> Capability:
        """Read a declaration of the protocol's hello; raises AdapterError for one that makes no sense."""
        known = set(cls.__dataclass_fields__) - {"metric"}
        unknown = sorted(set(data) - known)
        if unknown:
            raise AdapterError(f"metric {metric!r}: unknown field {unknown[0]!r}; known are {', '.join(sorted(known))}")
        values = dict(data)
        scale = values.get("scale", {})
        if isinstance(scale, (int, float)) and not isinstance(scale, bool):
            values["scale"] = {"": scale}
        if values.get("components") is not None:
            values["components"] = tuple(values["components"])
        values["given"] = tuple(values.get("given", ()))
        values["lacks"] = _resources(metric, values.get("lacks", {}))
        try:
            return cls(metric=metric, **values)
        except TypeError as error:
            raise AdapterError(f"metric {metric!r}: {error}") from error


def _resources(metric: str, lacks: Any) -> dict[str, dict[str, list[Any]]]:
    """What a declaration says of resources that are not here. Raises AdapterError."""
    found: dict[str, dict[str, list[Any]]] = {}
    for resource, needed in lacks.items() if isinstance(lacks, Mapping) else [("", lacks)]:
        if not isinstance(needed, Mapping) or not all(isinstance(each, (list, tuple)) for each in needed.values()):
            raise AdapterError(
                f"metric {metric!r}: lacks{'.' if resource else ''}{resource}: expected a mapping from a resource to the "
                f"parameters that need it, each with a list of values; found {needed!r:.60}"
            )
        found[str(resource)] = {str(name): list(values) for name, values in needed.items()}
    return found


def _listed(values: Collection[Any] | None) -> list[Any] | None:
    """Accepted values in an order that is the same in every process; a set has none."""
    if values is None:
        return None
    return sorted(values, key=repr) if isinstance(values, (set, frozenset)) else list(values)


class Adapter:
    """One implementation: its name, version and language, and a function for each metric."""

    def __init__(
        self,
        name: str,
        version: str,
        *,
        homepage: str = "",
        language: str = "python",
        licence: str = "",
        provenance: Mapping[str, str] | None = None,
    ) -> None:
        """`provenance` says where a system comes from that no registry has: its file, digest, commit, runtime."""
        self.name = name
        self.version = version
        self.homepage = homepage
        self.language = language
        self.licence = licence
        self.provenance = dict(provenance or {})
        self.capabilities: dict[str, Capability] = {}
        self._functions: dict[str, Callable[..., Any]] = {}
        self._preparations: dict[str, Callable[[], None]] = {}
        self._refusals: dict[str, dict[str, JSONValue]] = {}
        self._derivations: dict[str, Callable[..., list[Step]]] = {}

    def metric(
        self,
        name: str,
        *,
        input: Form = "text",
        scale: float | Mapping[str, float] = 1,
        accepts: Mapping[str, Collection[Any] | None] | None = None,
        defaults: Mapping[str, Any] | None = None,
        fixes: Mapping[str, Any] | None = None,
        components: Sequence[str] | None = None,
        decimals: int | None = None,
        corpus: bool = True,
        references: Literal["one", "many"] = "many",
        given: Sequence[str] = (),
        lacks: Mapping[str, Mapping[str, Sequence[Any]]] | None = None,
        prepare: Callable[[], None] | None = None,
    ) -> Callable[[Function], Function]:
        """Plug in the decorated function as a metric, transform or statistic.

        input: "text" or "tokens", what each hypothesis and reference is given as; "either" for
            whichever the check has.
        scale: what the implementation multiplies the definition's value by; a number holds for the
            main component, a mapping names components.
        accepts, defaults, fixes: see `Capability`.
        components: the components that the function returns, where it does not return all.
        decimals: how many decimals the implementation prints, where it rounds.
        corpus: whether it scores several segments at once; references: whether it takes several.
        given: the optional fields of the metric's input that the function takes, each by keyword.
        lacks: the resources that are not here, each with the parameters' values that need it; checks that set
            one are unsupported, but for those that are about its absence.
        prepare: what is done once before the metric's first question, outside its time limit; such as loading
            a dictionary that an import does not load. What it raises is the answer to every question.
        """
        if name in self.capabilities:
            raise AdapterError(f"{self.name}: metric {name!r} is plugged in twice")
        if input not in ("text", "tokens", "either"):
            raise AdapterError(f"{self.name}: metric {name!r}: input is 'text', 'tokens' or 'either', not {input!r}")
        both = sorted(set(defaults or {}) & set(fixes or {}))
        if both:
            raise AdapterError(f"{self.name}: metric {name!r}: {both[0]!r} stands in defaults and in fixes")
        factors = dict(scale) if isinstance(scale, Mapping) else {"": float(scale)}
        capability = Capability(
            metric=name,
            input=input,
            scale=factors,
            accepts=dict(accepts or {}),
            defaults=dict(defaults or {}),
            fixes=dict(fixes or {}),
            components=None if components is None else tuple(components),
            decimals=decimals,
            corpus=corpus,
            references=references,
            given=tuple(given),
            lacks=_resources(name, lacks or {}),
        )

        def plug(function: Function) -> Function:
            self.capabilities[name] = capability
            self._functions[name] = function
            if prepare is not None:
                self._preparations[name] = prepare
            return function

        return plug

    def without(self, name: str) -> None:
        """Take a metric out again that the installed release does not have."""
        del self.capabilities[name], self._functions[name]

    def derivation(self, name: str) -> Callable[[Function], Function]:
        """Plug in how a metric's value is worked out on paper: a function that returns a list of `Step`."""

        def plug(function: Function) -> Function:
            self._derivations[name] = function
            return function

        return plug

    def derive(self, metric: str, fields: Mapping[str, Any], parameters: Mapping[str, Any]) -> list[Step]:
        """The steps by which the implementation reaches its answer; empty where it shows none."""
        if metric not in self._derivations:
            return []
        arguments, keywords = self._bound(metric, fields, parameters)
        return self._derivations[metric](*arguments, **keywords)

    def unprepared(self, metric: str) -> bool:
        """Whether something is still to be done before the metric's first question."""
        return metric in self._preparations

    def prepare(self, metric: str) -> None:
        """Do what has to be done before the metric's first question, if that is still to come."""
        preparation = self._preparations.pop(metric, None)
        if preparation is not None and (refusal := _attempt(preparation)[1]) is not None:
            self._refusals[metric] = refusal

    def _bound(
        self, metric: str, fields: Mapping[str, Any], parameters: Mapping[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """The fields of an input as a function takes them: the optional ones by keyword, the others in order."""
        given = self.capabilities[metric].given
        if not given:
            return list(fields.values()), dict(parameters)
        arguments = [value for name, value in fields.items() if name not in given]
        return arguments, {name: fields[name] for name in given if name in fields} | dict(parameters)

    def call(self, metric: str, fields: Mapping[str, Any], parameters: Mapping[str, Any]) -> dict[str, JSONValue]:
        """Ask the implementation once, with the fields of the metric's input; returns its reply as the protocol's body.

        The body has one key: `answer` (component to value), `error` (kind, class, message),
        `unsupported` or `invalid` (why the answer is none). Exceptions of the implementation become
        an error body; KeyboardInterrupt and SystemExit pass.
        """
        self.prepare(metric)
        if metric in self._refusals:
            return self._refusals[metric]
        arguments, keywords = self._bound(metric, fields, parameters)
        result, refusal = _attempt(lambda: self._functions[metric](*arguments, **keywords))
        return normalize_answer(result) if refusal is None else refusal


def _attempt(function: Callable[[], Any]) -> tuple[Any, dict[str, JSONValue] | None]:
    """What a function returns; or the reply's body for what it raises, where the run goes on and says so."""
    try:
        return function(), None
    except Unsupported as reason:
        return None, {"unsupported": str(reason)}
    except Exception as error:
        return None, {"error": describe_error(error)}


INPUT_ERRORS = (ValueError, TypeError, AssertionError)
"""The exceptions by which Python implementations refuse their input."""


def describe_error(error: BaseException) -> dict[str, str]:
    """An exception as the protocol's error: `kind` is "input" where the implementation refused its input."""
    kind = "input" if isinstance(error, INPUT_ERRORS) else "internal"
    try:
        message = " ".join(str(error).split())
    except Exception:  # an exception of an implementation may raise when it is shown
        message = "an error that cannot be shown"
    if isinstance(error, MemoryError):
        message = message or "there is not enough memory for this"
    return {"kind": kind, "class": type(error).__name__, "message": message[:500]}


def normalize_answer(result: object) -> dict[str, JSONValue]:
    """A returned object as the protocol's body: `answer`, or `invalid` where it cannot be one."""
    try:
        if isinstance(result, Mapping):
            budget = [MOST_VALUES, MOST_CHARACTERS]
            return {"answer": {_key(name, budget): _plain(value, budget) for name, value in result.items()}}
        return {"answer": {"": _plain(result, [MOST_VALUES, MOST_CHARACTERS])}}
    except ValueError as reason:
        return {"invalid": str(reason)}


def _key(name: object, budget: list[int]) -> str:
    """The name of a component; names count as characters of the answer."""
    text = str(name)
    budget[1] -= len(text)
    if budget[1] < 0:
        raise ValueError(f"an answer of {len(text):,} characters")
    return text


def _plain(value: object, budget: list[int], depth: int = 0) -> JSONValue:
    """A value as JSON: NaN and infinities as strings, numpy scalars and arrays as Python's. `budget` is what is left."""
    budget[0] -= 1
    if budget[0] < 0:
        raise ValueError(f"an answer of more than {MOST_VALUES:,} values")
    if type(value) is float and math.isfinite(value):  # what most answers are made of
        return value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        budget[1] -= len(value)
        if budget[1] < 0:
            raise ValueError(f"an answer of {len(value):,} characters")
        return value
    if isinstance(value, int):
        if abs(value) > sys.float_info.max:
            raise ValueError(f"an integer of {value.bit_length():,} bits")
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else _special(value)
    if depth > DEEPEST:
        raise ValueError(f"an answer nested more than {DEEPEST} deep")
    if isinstance(value, Mapping):
        return {_key(key, budget): _plain(each, budget, depth + 1) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each, budget, depth + 1) for each in value]
    convert = getattr(value, "tolist", None) or getattr(value, "item", None)
    if callable(convert):
        converted = convert()
        if type(converted) is not type(value):
            return _plain(converted, budget, depth + 1)
    if hasattr(value, "numerator") and hasattr(value, "denominator"):
        return _plain(value.numerator / value.denominator, budget, depth + 1)
    raise ValueError(f"an object of type {type(value).__name__}")


def _special(value: float) -> str:
    if math.isnan(value):
        return "nan"
    return "inf" if value > 0 else "-inf"
