"""YAML files as authors wrote them: every plain scalar keeps its text until a schema decides its type.

`no`, `1230` and `12:30` stay words where the schema wants text. Only mappings, lists and scalars are read:
no tags, no anchors, no duplicate keys; nothing of a file is ever executed. Every fault is one line that
names the file, the line, the field and what was expected.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

Path_ = tuple[Any, ...]

MAX_BYTES = 1_000_000
MAX_DEPTH = 30
MAX_DIGITS = 4_000
"""A longer number stays text, which no field for numbers takes."""


class BadFile(Exception):
    """A file of ours or of a user's is not what it should be; the message is one line: file:line: field: what."""


class Plain(str):
    """A scalar written without quotes: its type is still open."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Document:
    """The data of one file, and the line on which each part of it starts."""

    file: str
    data: Any
    lines: Mapping[Path_, int]

    def line(self, path: Iterable[Any]) -> int:
        """The line of a part, or of the nearest part around it."""
        steps = tuple(path)
        while steps and steps not in self.lines:
            steps = steps[:-1]
        return self.lines.get(steps, 1)

    def fault(self, path: Iterable[Any], message: str) -> BadFile:
        """An error that names the file, the line and the field."""
        steps = tuple(path)
        field = ".".join(str(step) for step in steps)
        return BadFile(f"{self.file}:{self.line(steps)}: {field + ': ' if field else ''}{message}")


def bounded(path: Path, most: int) -> bytes:
    """The bytes of a regular file of at most so many. Raises OSError and BadFile."""
    if path.exists() and not path.is_file():
        raise BadFile(f"{path}: expected a file")
    with path.open("rb") as stream:
        raw = stream.read(most + 1)
    if len(raw) > most:
        raise BadFile(f"{path}: more than {most:,} bytes")
    return raw


def read(path: Path, name: str | None = None) -> Document:
    """Read one YAML file; raises BadFile."""
    label = name or str(path)
    try:
        raw = bounded(path, MAX_BYTES)
    except OSError as error:
        raise BadFile(f"{label}: cannot be read: {error.strerror}") from error
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadFile(f"{label}: not UTF-8 at byte {error.start}") from error
    return parse(text, label)


def parse(text: str, file: str) -> Document:
    """Read YAML from a string; raises BadFile."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for token in yaml.scan(text, Loader=loader):
            if isinstance(token, (yaml.AnchorToken, yaml.AliasToken, yaml.TagToken)):
                kind = type(token).__name__.removesuffix("Token").lower()
                article = "a" if kind == "tag" else "an"
                raise BadFile(
                    f"{file}:{token.start_mark.line + 1}: {article} {kind}; only plain YAML is read, write it out"
                )
        node = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "not YAML"
        raise BadFile(f"{file}:{mark.line + 1 if mark else 1}: {problem}") from error
    except (RecursionError, ValueError) as error:
        raise BadFile(f"{file}:1: not YAML that can be read: {error}") from error
    lines: dict[Path_, int] = {}
    data = None if node is None else _plain(node, (), lines, file)
    return Document(file, data, lines)


def _plain(node: Any, path: Path_, lines: dict[Path_, int], file: str) -> Any:
    import yaml

    line = node.start_mark.line + 1
    lines[path] = line
    if len(path) > MAX_DEPTH:
        raise BadFile(f"{file}:{line}: nested deeper than {MAX_DEPTH} levels")
    if isinstance(node, yaml.MappingNode):
        result: dict[str, Any] = {}
        for key, value in node.value:
            at = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise BadFile(f"{file}:{at}: a key must be a word")
            if key.value in result:
                raise BadFile(f"{file}:{at}: {'.'.join(map(str, (*path, key.value)))}: the key stands twice")
            below = (*path, key.value)
            result[key.value] = _plain(value, below, lines, file)
            lines[below] = at
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_plain(each, (*path, index), lines, file) for index, each in enumerate(node.value)]
    return Plain(node.value) if not node.style else str(node.value)


_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: Mapping[str, Any] = {
    "null": None,
    "~": None,
    "": None,
    "true": True,
    "false": False,
    ".inf": math.inf,
    "-.inf": -math.inf,
    ".nan": math.nan,
}


def core(value: Any) -> Any:
    """Plain scalars typed by YAML 1.2's core rules, at every depth; quoted ones stay text."""
    if isinstance(value, dict):
        return {key: core(each) for key, each in value.items()}
    if isinstance(value, list):
        return [core(each) for each in value]
    if not isinstance(value, Plain):
        return value
    if value in _WORDS:
        return _WORDS[value]
    if _INTEGER.fullmatch(value):
        return int(value) if len(value) <= MAX_DIGITS else str(value)
    if _FLOAT.fullmatch(value):
        return float(value)
    return str(value)


@lru_cache
def schema(name: str) -> dict[str, Any]:
    """One of the schemas that the package ships."""
    text = resources.files("conformance").joinpath("schemas").joinpath(f"{name}.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def validated(document: Document, name: str) -> Any:
    """The document's data, typed and checked by a schema; raises BadFile for the first fault, best explained."""
    import jsonschema

    root = schema(name)
    data = _typed(document.data, root, root)
    validator = jsonschema.Draft202012Validator(root)
    error = next(validator.iter_errors(data), None)
    if error is not None:
        error = _deepest(error)
        raise document.fault(error.absolute_path, _explain(error))
    return data


def _deepest(error: Any) -> Any:
    """The most telling fault inside an anyOf: the one that got furthest into the data."""
    while error.context:
        error = max(error.context, key=lambda each: (len(each.absolute_path), each.validator == "additionalProperties"))
    return error


_KINDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def _explain(error: Any) -> str:
    rule, wanted, found = error.validator, error.validator_value, error.instance
    if rule == "additionalProperties":
        known = sorted(error.schema.get("properties", {}))
        unknown = [key for key in found if key not in known]
        return f"unknown field {unknown[0]!r}; known are {', '.join(known)}"
    if rule == "required":
        missing = [key for key in wanted if key not in found]
        return f"the field {missing[0]!r} is missing"
    if rule == "type":
        kinds = [wanted] if isinstance(wanted, str) else wanted
        return f"expected {' or '.join(_KINDS[kind] for kind in kinds)}, found {_shown(found)}"
    if rule == "enum":
        return f"expected one of {', '.join(map(str, wanted))}, found {_shown(found)}"
    if rule == "const":
        return f"expected {_shown(wanted)}, found {_shown(found)}"
    if rule == "pattern":
        return f"{_shown(found)} does not have the form {wanted}"
    if rule in ("minProperties", "minItems", "minLength"):
        return f"at least {wanted} expected, found {_shown(found)}"
    return str(error.message)[:200]


def _branches(node: dict[str, Any], root: dict[str, Any]) -> list[dict[str, Any]]:
    if "$ref" in node:
        target: Any = root
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        return _branches(target, root)
    if "anyOf" in node:
        return [each for branch in node["anyOf"] for each in _branches(branch, root)]
    return [node]


def _types(node: dict[str, Any]) -> set[str]:
    declared = node.get("type")
    if declared is None:
        values = node.get("enum") or ([node["const"]] if "const" in node else [])
        return {"boolean" if isinstance(value, bool) else "string" for value in values} or {"any"}
    return {declared} if isinstance(declared, str) else set(declared)


def _fits(data: dict[str, Any], node: dict[str, Any]) -> bool:
    known = node.get("properties", {})
    closed = node.get("additionalProperties") is False
    return set(node.get("required", ())) <= set(data) and (not closed or set(data) <= set(known))


def _typed(data: Any, node: dict[str, Any], root: dict[str, Any]) -> Any:
    """Plain scalars as the schema's types have them; text where the schema takes text."""
    branches = _branches(node, root)
    if isinstance(data, dict):
        objects = [branch for branch in branches if "object" in _types(branch)]
        if not objects:
            return core(data) if any("any" in _types(branch) for branch in branches) else data
        chosen = next((branch for branch in objects if _fits(data, branch)), objects[0])
        if "properties" not in chosen and "additionalProperties" not in chosen:
            return data
        rest = chosen.get("additionalProperties")
        result = {}
        for key, value in data.items():
            below = chosen.get("properties", {}).get(key, rest if isinstance(rest, dict) else None)
            result[key] = value if below is None else _typed(value, below, root)
        return result
    if isinstance(data, list):
        for branch in branches:
            if "array" in _types(branch) and "items" in branch:
                return [_typed(each, branch["items"], root) for each in data]
        return data
    if not isinstance(data, Plain):
        return data
    allowed = set().union(*(_types(branch) for branch in branches))
    if "string" in allowed:
        return data
    return core(data)
