"""The input that a scenario describes: texts, tokens and generated sequences, as arguments of a metric."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from conformance.expressions import ExpressionError, evaluate, number, parse
from conformance.model import Field
from conformance.yamlfile import BadFile, Document, bounded, core

MAX_TOKENS = 200_000
MAX_DATA = 64 << 20
MAX_MEMBERS, MAX_TRIED = 2_000, 50_000
MAX_CHARACTERS = 2_000_000

Variables = Mapping[str, Fraction]


def members(
    data: Mapping[str, Any], outer: Variables, document: Document, path: tuple[Any, ...]
) -> Iterator[Variables]:
    """The members of a family: `for` gives the values of its variables, `where` leaves some out."""
    family = data.get("for", {})
    condition = data.get("where")
    tried = yielded = 0
    for chosen in _assignments(list(family.items()), dict(outer), document, (*path, "for")):
        tried += 1
        if tried > MAX_TRIED:
            raise document.fault((*path, "where"), f"more than {MAX_TRIED:,} members to try")
        if condition is not None and not _holds(str(condition), chosen, document, (*path, "where")):
            continue
        yielded += 1
        if yielded > MAX_MEMBERS:
            raise document.fault((*path, "for"), f"a family of more than {MAX_MEMBERS:,} members")
        yield chosen


def _assignments(
    family: list[tuple[str, Any]], chosen: dict[str, Fraction], document: Document, path: tuple[Any, ...]
) -> Iterator[Variables]:
    if not family:
        yield chosen
        return
    (name, texts), rest = family[0], family[1:]
    if name in chosen:
        raise document.fault((*path, name), f"the variable {name!r} stands twice")
    for text in texts if isinstance(texts, list) else [texts]:
        for value in _values(str(text), chosen, document, (*path, name)):
            yield from _assignments(rest, {**chosen, name: value}, document, path)


def _values(text: str, variables: Variables, document: Document, path: tuple[Any, ...]) -> list[Fraction]:
    try:
        value = evaluate(parse(text), variables)
    except ExpressionError as error:
        raise document.fault(path, str(error)) from error
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(each, Fraction) for each in values):
        raise document.fault(path, f"{text!r} is not a rational number or a range of whole numbers")
    return values


def _holds(text: str, variables: Variables, document: Document, path: tuple[Any, ...]) -> bool:
    try:
        value = evaluate(parse(text), variables)
    except ExpressionError as error:
        raise document.fault(path, str(error)) from error
    if not isinstance(value, bool):
        raise document.fault(path, f"{text!r} is not a comparison")
    return value


def whole(text: str, variables: Variables, document: Document, path: tuple[Any, ...]) -> int:
    """A whole number that is not negative, from an expression. Raises BadFile."""
    try:
        value = number(text, variables)
    except ExpressionError as error:
        raise document.fault(path, str(error)) from error
    if not isinstance(value, Fraction) or value.denominator != 1 or not 0 <= value <= MAX_TOKENS:
        raise document.fault(path, f"{text!r} is {value}; expected a whole number up to {MAX_TOKENS:,}")
    return int(value)


def text(node: Any, variables: Variables, document: Document, path: tuple[Any, ...]) -> Any:
    """A text as a string, explicit or generated tokens as a list, a missing reference as None."""
    if isinstance(node, str):
        return str(node)
    if "missing" in node:
        return None
    tokens: list[str] = []
    for place, item in enumerate(node["tokens"]):
        where = (*path, "tokens", place)
        if isinstance(item, str):
            tokens.append(str(item))
            continue
        counted = "count" in item
        stems = item["count" if counted else "repeat"]
        stems = [str(stem) for stem in stems] if isinstance(stems, list) else [str(stems)]
        last = whole(item["to" if counted else "times"], variables, document, where)
        first = whole(item.get("from", "1"), variables, document, where)
        if len(stems) * (last + 1) + len(tokens) > MAX_TOKENS:
            raise document.fault(where, f"more than {MAX_TOKENS:,} tokens")
        if sum(map(len, stems)) * (last + 1) > MAX_CHARACTERS:
            raise document.fault(where, f"more than {MAX_CHARACTERS:,} characters")
        for number_ in range(first, last + 1):
            tokens += [f"{stem}{number_}" if counted else stem for stem in stems]
    return tokens


def read_rows(path: Path) -> list[Mapping[str, Any]]:
    """The rows of a data set file, JSON Lines. Raises BadFile."""
    rows: list[Mapping[str, Any]] = []
    try:
        lines = bounded(path, MAX_DATA).decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path.name}: the data set file cannot be read: {error}") from error
    for place, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadFile(f"{path.name}:{place}: not JSON: {error}") from error
        if not isinstance(row, dict):
            raise BadFile(f"{path.name}:{place}: expected an object with named columns")
        rows.append(row)
    return rows


def numbers(node: Any, variables: Variables, document: Document, path: tuple[Any, ...]) -> Any:
    """Nested lists of exact expressions as numbers; {repeat: x, times: k} stands for k times x, ~ for a missing one."""
    if isinstance(node, str):
        typed = core(node)
        if typed is None or isinstance(typed, bool):
            return typed
        try:
            return plain(number(str(node), variables))
        except ExpressionError as error:
            raise document.fault(path, str(error)) from error
    if isinstance(node, dict):
        return {str(key): numbers(each, variables, document, (*path, key)) for key, each in node.items()}
    found: list[Any] = []
    for place, each in enumerate(node):
        where = (*path, place)
        if isinstance(each, dict) and set(each) == {"repeat", "times"}:
            times = whole(str(each["times"]), variables, document, where)
            found += [numbers(each["repeat"], variables, document, where)] * times
        else:
            found.append(numbers(each, variables, document, where))
    return found


def plain(value: Any) -> Any:
    """An exact number as JSON has it: an integer, a float, or the name of what is none."""
    if abs(value) > sys.float_info.max and abs(value) != float("inf"):
        raise ExpressionError("a number beyond the largest float")
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    result = float(value)
    if result != result:
        return "nan"
    return result if abs(result) != float("inf") else ("inf" if result > 0 else "-inf")


def words(node: Any) -> Any:
    """Nested lists and tables of names, each scalar as the text that it is."""
    if isinstance(node, dict):
        return {str(key): words(each) for key, each in node.items()}
    return [words(each) for each in node] if isinstance(node, list) else str(node)


class Reader:
    """Reads the input of one scenario for one metric and one member of a family."""

    def __init__(
        self,
        data: Mapping[str, Any],
        fields: Mapping[str, Field],
        variables: Variables,
        document: Document,
        path: tuple[Any, ...],
    ) -> None:
        self.data, self.fields, self.variables, self.document, self.path = data, fields, variables, document, path

    def text(self, node: Any, *steps: Any) -> Any:
        return text(node, self.variables, self.document, (*self.path, *steps))

    def many(self, node: Any, *steps: Any) -> list[Any]:
        if not isinstance(node, list):
            raise TypeError(f"{node!r} is no list")
        return [self.text(each, *steps, place) for place, each in enumerate(node)]

    def field(self, name: str, node: Any, *steps: Any) -> Any:
        """One field of the input, as its type says."""
        kind, where = self.fields[name].type, (*self.path, *steps, name)
        try:
            if kind == "numbers":
                return numbers(node, self.variables, self.document, where)
            if kind == "words":
                return words(node)
            if kind == "text":
                return self.text(node, *steps, name)
            if kind == "segments":
                return self.many(node, *steps, name)
            if kind == "segments-many":
                return [self.many(each, *steps, name, place) for place, each in enumerate(node)]
        except (KeyError, TypeError) as error:
            raise self.document.fault(where, f"expected {kind}, found {node!r:.60}") from error
        return core(node)

    def given(self, table: Mapping[str, Any], *steps: Any) -> dict[str, Any]:
        """The fields of a table that the metric has, in the order of its spec."""
        return {name: self.field(name, table[name], *steps) for name in self.fields if name in table}

    def outputs(self, rows: Sequence[Mapping[str, Any]] | None, first: int | None) -> dict[str, dict[str, Any]]:
        """The arguments of each named output. Raises BadFile."""
        data = self.data
        if "raw" in data:
            return {name: core(node) for name, node in data["inputs"].items()}
        given = self.given(data.get("given", {}), "given")
        if "inputs" in data:
            named = {
                name: self.given({**data.get("given", {}), **node}, "inputs", name)
                for name, node in data["inputs"].items()
            }
        elif "texts" in data:
            named = {name: {"text": self.text(node, "texts", name), **given} for name, node in data["texts"].items()}
        elif "cases" in data:
            named = {name: {**self.cases(node, "cases", name), **given} for name, node in data["cases"].items()}
        elif "segments" in data:
            named = {name: {**each, **given} for name, each in self.segments().items()}
        elif "data" in data and rows is not None:
            named = {name: {**each, **given} for name, each in self.columns(rows, first).items()}
        elif "outputs" in data:
            references = [self.many(data.get("references", []), "references")]
            named = {
                name: {"hypotheses": [self.text(node, "outputs", name)], "references": references, **given}
                for name, node in data["outputs"].items()
            }
        elif given:
            named = {"": given}
        else:
            raise self.document.fault(
                self.path, "no input: expected outputs, segments, cases, data, texts, inputs or given"
            )
        return {name: self.ordered(each) for name, each in named.items()}

    def ordered(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments in the order of the metric's spec."""
        return {name: arguments[name] for name in self.fields if name in arguments}

    def segments(self) -> dict[str, dict[str, Any]]:
        """A corpus of segments, each with a text for every output."""
        several = self.data["segments"]
        names = list(several[0]["outputs"]) if several else []
        for place, segment in enumerate(several):
            if list(segment["outputs"]) != names:
                raise self.document.fault(
                    (*self.path, "segments", place, "outputs"), f"expected the outputs {', '.join(names)}"
                )
        references = [self.many(s["references"], "segments", i, "references") for i, s in enumerate(several)]
        return {
            name: {
                "hypotheses": [
                    self.text(s["outputs"][name], "segments", i, "outputs", name) for i, s in enumerate(several)
                ],
                "references": references,
            }
            for name in names
        }

    def columns(self, rows: Sequence[Mapping[str, Any]], first: int | None) -> dict[str, dict[str, Any]]:
        """A data set file: named columns are outputs."""
        columns, count = self.data["data"], first or self.data["data"].get("first")
        try:
            references = [row[columns["references"]][:count] for row in rows]
            return {
                name: {"hypotheses": [row[column] for row in rows], "references": references}
                for name, column in columns["outputs"].items()
            }
        except KeyError as error:
            raise self.document.fault((*self.path, "data"), f"the file has no column {error}") from error

    def cases(self, node: Any, *steps: Any) -> dict[str, Any]:
        """A pair of its own, or a list of them as a corpus."""
        hypotheses, references = [], []
        for place, case in enumerate(node if isinstance(node, list) else [node]):
            if ("reference" in case) == ("references" in case):
                raise self.document.fault((*self.path, *steps, place), "expected either reference or references")
            where = (*steps, place) if isinstance(node, list) else steps
            hypotheses.append(self.text(case["hypothesis"], *where, "hypothesis"))
            if "reference" in case:
                references.append([self.text(case["reference"], *where, "reference")])
            else:
                references.append(self.many(case["references"], *where, "references"))
        return {"hypotheses": hypotheses, "references": references}


VARIATIONS = ("swapped", "references-reversed", "references-doubled", "segments-reversed", "segments-doubled", "again")


def vary(arguments: Mapping[str, Any], variation: str, fields: Mapping[str, Field]) -> dict[str, Any]:
    """The input after a variation: exchanged roles, references or segments reversed or doubled, or as it is."""
    if variation == "again":
        return dict(arguments)
    hypotheses, references = list(arguments["hypotheses"]), [list(each) for each in arguments["references"]]
    if variation == "swapped":
        if any(len(each) != 1 for each in references):
            raise ValueError("swapped needs exactly one reference a segment")
        hypotheses, references = [each[0] for each in references], [[each] for each in hypotheses]
    elif variation == "references-reversed":
        references = [each[::-1] for each in references]
    elif variation == "references-doubled":
        references = [each + each for each in references]
    varied = {**arguments, "hypotheses": hypotheses, "references": references}
    if variation.startswith("segments-"):
        for name, field in fields.items():
            if name in varied and field.type.startswith("segments") and not field.optional:
                varied[name] = varied[name][::-1] if variation == "segments-reversed" else varied[name] * 2
    return varied


def form(arguments: Mapping[str, Any]) -> str:
    """What an input is made of: text, tokens, or raw where it is neither throughout."""
    kinds: set[str] = set()
    texts: list[Any] = []
    if "text" in arguments:
        texts.append(arguments["text"])
    else:
        hypotheses, references = arguments.get("hypotheses"), arguments.get("references")
        if not isinstance(hypotheses, list) or not isinstance(references, list):
            return "raw"
        if len(hypotheses) != len(references) or not all(isinstance(each, list) for each in references):
            return "raw"
        texts += hypotheses
        texts += [each for several in references for each in several if each is not None]
    for each in texts:
        if isinstance(each, str):
            kinds.add("text")
        elif isinstance(each, list) and all(isinstance(token, str) for token in each):
            kinds.add("tokens")
        else:
            return "raw"
    return kinds.pop() if len(kinds) == 1 else ("text" if not kinds else "mixed")


def uniform(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """An input that mixes text and tokens, as text throughout; any other as it is."""
    if form(arguments) != "mixed":
        return dict(arguments)

    def joined(each: Any) -> Any:
        return " ".join(each) if isinstance(each, list) else each

    return {
        **arguments,
        "hypotheses": [joined(each) for each in arguments["hypotheses"]],
        "references": [[joined(each) for each in several] for several in arguments["references"]],
    }


__all__ = ["VARIATIONS", "Reader", "form", "members", "plain", "read_rows", "text", "uniform", "vary", "whole"]
