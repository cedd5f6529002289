"""Any Python adapter speaks the protocol: JSON Lines on standard input and output, one process for many requests."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from conformance.adapter import Adapter

PROTOCOL = 1


def hello(adapter: Adapter, homepage: str = "") -> dict[str, Any]:
    """The message that introduces an implementation."""
    return {
        "protocol": PROTOCOL,
        "name": adapter.name,
        "version": adapter.version,
        "language": adapter.language,
        "homepage": adapter.homepage or homepage,
        "metrics": {name: capability.as_json() for name, capability in adapter.capabilities.items()},
    }


def respond(adapter: Adapter, line: bytes) -> dict[str, Any]:
    """The answer to one line."""
    try:
        message = json.loads(line)
    except ValueError as error:
        return {"id": None, "error": {"kind": "protocol", "class": "", "message": f"not JSON: {error}"}}
    if not isinstance(message, dict):
        return {"id": None, "error": {"kind": "protocol", "class": "", "message": "expected an object"}}
    if message.get("say") == "hello":
        if message.get("protocol") != PROTOCOL:
            text = f"protocol {message.get('protocol')} is not spoken here, {PROTOCOL} is"
            return {"id": None, "error": {"kind": "protocol", "class": "", "message": text}}
        return hello(adapter)
    identifier, metric = message.get("id"), message.get("metric")
    if metric not in adapter.capabilities or not isinstance(message.get("input"), dict):
        return {"id": identifier, "unsupported": f"no metric {metric!r} here"}
    body = adapter.call(metric, list(message["input"].values()), message.get("parameters", {}))
    return {"id": identifier, **body}


def lines_of(descriptor: int) -> Iterator[bytes]:
    """The lines that arrive on a file descriptor, each as soon as it is whole."""
    rest = b""
    while chunk := os.read(descriptor, 1 << 18):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole
    if rest.strip():
        yield rest


def serve(adapter: Adapter) -> None:
    """Answer requests until standard input ends. What the implementation prints goes to standard error instead."""
    channel = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    for line in lines_of(0):
        if line.strip():
            message = json.dumps(respond(adapter, line), ensure_ascii=True, separators=(",", ":"), allow_nan=False)
            data = message.encode("ascii") + b"\n"
            while data:
                data = data[os.write(channel, data) :]


def serve_target(name: str, metric: str | None, form: str | None) -> int:
    """The work of `conformance serve`; returns the exit status."""
    from conformance.target import load_adapter
    from conformance.transport import TargetError

    try:
        adapter = load_adapter(name, metric, form)
    except TargetError as error:
        print(f"conformance serve: {error}", file=sys.stderr)
        return 3
    try:
        serve(adapter)
    except (BrokenPipeError, KeyboardInterrupt):
        return 0
    return 0
