"""Any Python adapter speaks the protocol: JSON Lines on standard input and output, one process for many requests."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from conformance.adapter import Adapter
from conformance.console import EXIT_USAGE, complain
from conformance.messages import PROTOCOL
from conformance.transport import PREPARATION, Bounded, TargetError, call, fresh


def hello(adapter: Adapter) -> dict[str, Any]:
    """The message that introduces an implementation."""
    return {
        "protocol": PROTOCOL,
        "name": adapter.name,
        "version": adapter.version,
        "language": adapter.language,
        "homepage": adapter.homepage,
        "provenance": adapter.provenance,
        "metrics": {name: capability.as_json() for name, capability in adapter.capabilities.items()},
    }


def refusal(identifier: Any, message: str) -> dict[str, Any]:
    """The answer to a line that is no request."""
    return {"id": identifier, "error": {"kind": "protocol", "class": "", "message": message}}


def respond(
    adapter: Adapter, line: bytes, tell: Callable[[dict[str, Any]], None] | None = None
) -> dict[str, Any] | None:
    """The answer to one line; None to a farewell. `tell` sends a message that comes before the answer."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        return refusal(None, f"not JSON: {error}")
    if not isinstance(message, dict):
        return refusal(None, "expected an object")
    if message.get("say") == "bye":
        return None
    if message.get("say") == "hello":
        if message.get("protocol") != PROTOCOL:
            return refusal(None, f"protocol {message.get('protocol')} is not spoken here, {PROTOCOL} is")
        return hello(adapter)
    identifier, fields, parameters = message.get("id"), message.get("input"), message.get("parameters", {})
    if identifier is not None and (isinstance(identifier, bool) or not isinstance(identifier, (int, str))):
        return refusal(None, "expected an id that is a whole number")
    if not isinstance(fields, dict) or not isinstance(parameters, dict) or not isinstance(message.get("metric"), str):
        return refusal(identifier, "expected metric, input and parameters")
    try:
        before = fresh(fields) if message.get("watch") else None
    except RecursionError:
        return refusal(identifier, "the input is nested too deeply")
    if adapter.unprepared(message["metric"]):
        if tell is not None:
            tell({"id": identifier, "wait": PREPARATION})
        adapter.prepare(message["metric"])
    start = time.perf_counter()
    body = call(adapter, message["metric"], fields, parameters)
    body["seconds"] = round(time.perf_counter() - start, 7)
    if before is not None:
        body["mutated"] = fields != before
    return {"id": identifier, **body}


def lines_of(descriptor: int) -> Iterator[bytes]:
    """The lines that arrive on a file descriptor, each as soon as it is whole."""
    rest: list[bytes] = []
    while chunk := os.read(descriptor, 1 << 18):
        *whole, end = chunk.split(b"\n")
        if whole:
            whole[0] = b"".join([*rest, whole[0]])
            rest = []
        rest.append(end)
        yield from whole
    yield b"".join(rest)


def write(descriptor: int, message: dict[str, Any]) -> None:
    """Write one message, all of it and at once."""
    text = json.dumps(message, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    data = text.encode("ascii") + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]


def private_channels() -> tuple[int, int]:
    """Keep standard input and output for the protocol: whoever reads or prints, also from C, meets other files."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


def end_with_parent(pause: float = 1.0) -> None:
    """Watch that the parent lives: killed, it cannot end a child that is busy and does not read its input."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(pause)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def serve(adapter: Adapter, requests: int, answers: int) -> None:
    """Answer the requests of one file descriptor on another, until they end. What is printed meanwhile is told."""
    printed = Bounded()
    sys.stdout = printed
    for line in lines_of(requests):
        if not line.strip():
            continue
        message = respond(adapter, line, partial(write, answers))
        if message is None:
            return
        if printed.parts and "id" in message:
            message["stray"] = printed.taken()
        write(answers, message)


def serve_target(load: Callable[[], Adapter]) -> int:
    """The work of `conformance serve`; returns the exit status. A target that is not to be had is told as an error.

    `load` raises TargetError; it is called when the channels are apart, for a library may print while it is loaded.
    """
    try:
        requests, answers = private_channels()
    except OSError as error:
        complain(f"standard input and output are needed to speak the protocol: {error.strerror}")
        return EXIT_USAGE
    end_with_parent()
    try:
        adapter = load()
    except TargetError as error:
        write(answers, {"id": None, "error": {"kind": "target", "class": "", "message": str(error)}})
        return 3
    try:
        serve(adapter, requests, answers)
    except (BrokenPipeError, KeyboardInterrupt):
        return 0
    return 0
