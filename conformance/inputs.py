"""The input that a scenario describes: texts, tokens and generated sequences, as arguments of a metric."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from conformance.expressions import ExpressionError, evaluate, number, parse
from conformance.yamlfile import BadFile, Document, core

MAX_TOKENS = 200_000
MAX_MEMBERS = 2_000

Variables = Mapping[str, Fraction]


def members(
    data: Mapping[str, Any], outer: Variables, document: Document, path: tuple[Any, ...]
) -> Iterator[Variables]:
    """The members of a family: `for` gives the values of its variables, `where` leaves some out."""
    family = data.get("for", {})
    condition = data.get("where")
    yielded = 0
    for chosen in _assignments(list(family.items()), dict(outer), document, (*path, "for")):
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
        for number_ in range(first, last + 1):
            tokens += [f"{stem}{number_}" if counted else stem for stem in stems]
    return tokens


def read_rows(path: Path) -> list[Mapping[str, Any]]:
    """The rows of a data set file, JSON Lines. Raises BadFile."""
    rows: list[Mapping[str, Any]] = []
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path.name}: the data set file cannot be read: {error}") from error
    for place, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadFile(f"{path.name}:{place}: not JSON: {error}") from error
        if not isinstance(row, dict):
            raise BadFile(f"{path.name}:{place}: expected an object with named columns")
        rows.append(row)
    return rows


def outputs(
    data: Mapping[str, Any],
    variables: Variables,
    document: Document,
    path: tuple[Any, ...],
    rows: Sequence[Mapping[str, Any]] | None,
    first: int | None,
) -> dict[str, dict[str, Any]]:
    """The arguments of each named output of a scenario. Raises BadFile."""
    given = core(data.get("given", {}))

    def read_text(node: Any, *steps: Any) -> Any:
        return text(node, variables, document, (*path, *steps))

    def many(node: Any, *steps: Any) -> list[Any]:
        return [read_text(each, *steps, place) for place, each in enumerate(node)]

    if "raw" in data:
        return {name: core(node) for name, node in data["inputs"].items()}
    if "texts" in data:
        return {name: {"text": read_text(node, "texts", name), **given} for name, node in data["texts"].items()}
    if "cases" in data:
        return {
            name: {**_case_list(node, read_text, many, document, (*path, "cases", name)), **given}
            for name, node in data["cases"].items()
        }
    if "segments" in data:
        names = list(data["segments"][0]["outputs"]) if data["segments"] else []
        for place, segment in enumerate(data["segments"]):
            if list(segment["outputs"]) != names:
                raise document.fault((*path, "segments", place, "outputs"), f"expected the outputs {', '.join(names)}")
        references = [many(s["references"], "segments", i, "references") for i, s in enumerate(data["segments"])]
        return {
            name: {
                "hypotheses": [
                    read_text(s["outputs"][name], "segments", i, "outputs", name)
                    for i, s in enumerate(data["segments"])
                ],
                "references": references,
                **given,
            }
            for name in names
        }
    if "data" in data and rows is not None:
        columns, count = data["data"], first or data["data"].get("first")
        try:
            references = [row[columns["references"]][:count] for row in rows]
            return {
                name: {"hypotheses": [row[column] for row in rows], "references": references, **given}
                for name, column in columns["outputs"].items()
            }
        except KeyError as error:
            raise document.fault((*path, "data"), f"the file has no column {error}") from error
    if "outputs" in data:
        references = [many(data.get("references", []), "references")]
        return {
            name: {"hypotheses": [read_text(node, "outputs", name)], "references": references, **given}
            for name, node in data["outputs"].items()
        }
    if given:
        return {"": given}
    raise document.fault(path, "no input: expected outputs, segments, cases, data, texts, inputs or given")


def _case_list(node: Any, read_text: Any, many: Any, document: Document, path: tuple[Any, ...]) -> dict[str, Any]:
    cases = node if isinstance(node, list) else [node]
    hypotheses, references = [], []
    for place, case in enumerate(cases):
        if ("reference" in case) == ("references" in case):
            raise document.fault((*path, place), "expected either reference or references")
        steps = path[1:] if not isinstance(node, list) else (*path[1:], place)
        hypotheses.append(read_text(case["hypothesis"], *steps, "hypothesis"))
        if "reference" in case:
            references.append([read_text(case["reference"], *steps, "reference")])
        else:
            references.append(many(case["references"], *steps, "references"))
    return {"hypotheses": hypotheses, "references": references}


VARIATIONS = ("swapped", "references-reversed", "references-doubled", "segments-reversed", "segments-doubled", "again")


def vary(arguments: Mapping[str, Any], variation: str) -> dict[str, Any]:
    """The input after a variation: exchanged roles, references or segments reversed or doubled, or as it is."""
    hypotheses, references = list(arguments["hypotheses"]), [list(each) for each in arguments["references"]]
    if variation == "swapped":
        if any(len(each) != 1 for each in references):
            raise ValueError("swapped needs exactly one reference a segment")
        hypotheses, references = [each[0] for each in references], [[each] for each in hypotheses]
    elif variation == "references-reversed":
        references = [each[::-1] for each in references]
    elif variation == "references-doubled":
        references = [each + each for each in references]
    elif variation == "segments-reversed":
        hypotheses, references = hypotheses[::-1], references[::-1]
    elif variation == "segments-doubled":
        hypotheses, references = hypotheses + hypotheses, references + references
    return {**arguments, "hypotheses": hypotheses, "references": references}


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


__all__ = ["VARIATIONS", "form", "members", "outputs", "read_rows", "text", "uniform", "vary", "whole"]
