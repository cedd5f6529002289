"""The protocol's messages as the suite writes and reads them: requests, hellos, and replies of any shape."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from conformance.adapter import AdapterError, Capability, normalize_answer
from conformance.transport import STRAY_LIMIT, Kind, Question, Reply

PROTOCOL = 1
HELLO = b'{"protocol":%d,"say":"hello"}\n' % PROTOCOL
BYE = b'{"say":"bye"}\n'

_ID = re.compile(rb'^\s*\{\s*"id"\s*:\s*(\d{1,15})\s*,')
_CONSTANTS = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}
_DECODER = json.JSONDecoder(parse_constant=_CONSTANTS.__getitem__)


def request(identifier: int, question: Question) -> bytes:
    """A question as a line."""
    body = {
        "id": identifier,
        "metric": question.metric,
        "parameters": dict(question.parameters),
        "input": dict(question.arguments),
    }
    if question.watch:
        body["watch"] = True
    return json.dumps(body, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def message(line: bytes) -> dict[str, Any] | None:
    """A line as a message; None for what is none."""
    try:
        found = _DECODER.decode(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def broken_answer(line: bytes) -> dict[str, Any] | None:
    """An invalid answer made of a line that is no JSON but says which request it answers."""
    found = _ID.search(line)
    if found is None:
        return None
    return {
        "id": int(found[1]),
        "invalid": f"the answer is not JSON: {line[:100].decode('utf-8', 'replace')}",
    }


LARGEST = 1e9
"""The largest scale and number of seconds that are believed."""


def capability(name: str, declared: Any) -> Capability:
    """What a hello says of one metric. Raises AdapterError."""
    if not isinstance(declared, dict):
        raise AdapterError(f"metric {name!r}: expected an object")
    shapes: Mapping[str, tuple[type, ...]] = {
        "input": (str,),
        "scale": (int, float, dict),
        "accepts": (dict,),
        "defaults": (dict,),
        "fixes": (dict,),
        "components": (list, type(None)),
        "decimals": (int, type(None)),
        "corpus": (bool,),
        "references": (str,),
        "given": (list,),
    }
    for key, kinds in shapes.items():
        if key in declared and not isinstance(declared[key], kinds):
            raise AdapterError(f"metric {name!r}: {key} makes no sense: {declared[key]!r:.60}")
    scale = declared.get("scale", 1)
    factors = scale.values() if isinstance(scale, dict) else [scale]
    if not all(_is_factor(factor) for factor in factors):
        raise AdapterError(f"metric {name!r}: scale is a positive number, or one for each component, not {scale!r:.60}")
    words = {"input": ("text", "tokens", "either"), "references": ("one", "many")}
    for key, known in words.items():
        if key in declared and declared[key] not in known:
            raise AdapterError(f"metric {name!r}: {key} is one of {', '.join(known)}, not {declared[key]!r}")
    for parameter, values in declared.get("accepts", {}).items():
        if values is not None and not isinstance(values, list):
            raise AdapterError(f"metric {name!r}: accepts.{parameter}: expected a list of values, or null for any")
    return Capability.from_json(name, declared)


def _is_factor(value: Any) -> bool:
    """Whether a value can be a scale: a finite number above zero."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= LARGEST


def reply(answer: Mapping[str, Any], seconds: float) -> Reply:
    """A message of a program as a reply; what has not the promised shape is invalid."""
    kind, body = _judged(answer)
    told = answer.get("seconds")
    if isinstance(told, (int, float)) and not isinstance(told, bool) and 0 <= told <= LARGEST:
        seconds = float(told)
    printed = answer.get("stray")
    stray = printed[:STRAY_LIMIT] if isinstance(printed, str) else ""
    return Reply(kind, body, seconds, stray, answer.get("mutated") is True)


def _judged(message: Mapping[str, Any]) -> tuple[Kind, Any]:
    if "answer" in message:
        answer = message["answer"]
        if not isinstance(answer, dict):
            return "invalid", f"answer: expected an object from component to value, found {answer!r:.60}"
        try:
            ((kind, body),) = normalize_answer(answer).items()
        except RecursionError:
            return "invalid", "answer: nested too deeply"
        return kind, body  # type: ignore[return-value]
    if "error" in message:
        error = message["error"]
        if not isinstance(error, dict):
            return "invalid", f"error: expected an object with kind and message, found {error!r:.60}"
        defaults = {"kind": "internal", "class": "", "message": ""}
        return "error", {key: str(error.get(key, default)) for key, default in defaults.items()}
    if "unsupported" in message:
        return "unsupported", str(message["unsupported"])
    if "invalid" in message:
        return "invalid", str(message["invalid"])
    found = ", ".join(key for key in message if key != "id") or "nothing"
    return "invalid", f"expected answer, error or unsupported, found {found}"
