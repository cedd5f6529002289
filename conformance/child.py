"""An implementation in a process of its own, asked over JSON Lines: pipelined, with time limits, started anew after a crash."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.adapter import AdapterError, Capability, Step
from conformance.serve import PROTOCOL
from conformance.transport import STRAY_LIMIT, Identity, Question, Reply, TargetError

WINDOW = 512
"""How many requests are sent ahead."""
WINDOW_BYTES = 1 << 20
START_LIMIT = 60.0
"""How long a child may take to say hello, in seconds."""
MAX_RESTARTS = 20
"""After so many deaths in a row without an answer the rest is given up."""
KINDS = ("answer", "error", "unsupported", "invalid")


@dataclass
class _Process:
    """One running child: its pipe, what it said, and the last lines of its standard error."""

    popen: subprocess.Popen[bytes]
    said: queue.SimpleQueue[list[bytes] | None] = field(default_factory=queue.SimpleQueue)
    errors: deque[str] = field(default_factory=lambda: deque(maxlen=5))

    def __post_init__(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()
        self.drain = threading.Thread(target=self._drain, daemon=True)
        self.drain.start()

    def _read(self) -> None:
        rest = b""
        descriptor = self.popen.stdout.fileno() if self.popen.stdout else -1
        while True:
            try:
                chunk = os.read(descriptor, 1 << 18)
            except OSError:
                break
            if not chunk:
                break
            *whole, rest = (rest + chunk).split(b"\n")
            if whole:
                self.said.put(whole)
        if rest.strip():
            self.said.put([rest])
        self.said.put(None)

    def _drain(self) -> None:
        for line in self.popen.stderr or ():
            text = line[:500].decode("utf-8", "backslashreplace").strip()
            if text:
                self.errors.append(text)

    def send(self, data: bytes) -> bool:
        """Write requests; false where the child does not listen any more."""
        try:
            assert self.popen.stdin is not None
            self.popen.stdin.write(data)
            self.popen.stdin.flush()
        except (BrokenPipeError, OSError, ValueError):
            return False
        return True

    def kill(self) -> None:
        """End the child and all that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.kill()
        self.popen.wait()
        for stream in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def death(self) -> str:
        """How the child ended, in words."""
        try:
            code = self.popen.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self.drain.join(timeout=0.5)
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit status {code}"
        return f"{how}: {self.errors[-1]}" if self.errors else how


class Child:
    """A connection to a child process."""

    def __init__(self, command: Sequence[str], timeout: float = 10.0, env: Mapping[str, str] | None = None) -> None:
        self.command, self.timeout = list(command), timeout
        self.env = None if env is None else {**os.environ, **env}
        self.stray: list[str] = []
        self.process: _Process | None = None
        self.identity, self.capabilities = self._start()

    def _start(self) -> tuple[Identity, Mapping[str, Capability]]:
        """Start the child and hear its hello. Raises TargetError."""
        label = " ".join(self.command)
        try:
            popen = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env=self.env, start_new_session=True,
            )
        except OSError as error:
            raise TargetError(f"{label}: cannot be started: {error.strerror}") from error
        self.process = _Process(popen)
        self.process.send(json.dumps({"protocol": PROTOCOL, "say": "hello"}).encode() + b"\n")
        deadline = time.monotonic() + max(START_LIMIT, self.timeout) if self.timeout >= 1 else time.monotonic() + START_LIMIT
        while True:
            try:
                lines = self.process.said.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                self.close()
                raise TargetError(f"{label}: no hello within {START_LIMIT:g} s; it must answer the line {{\"protocol\": 1, \"say\": \"hello\"}}") from None
            if lines is None:
                how = self.process.death()
                self.close()
                raise TargetError(f"{label}: {how}, before it said hello")
            for place, line in enumerate(lines):
                message = _message(line)
                if message is not None and "metrics" in message:
                    if lines[place + 1 :]:
                        self.process.said.put(lines[place + 1 :])
                    return self._introduced(message, label)
                if message is not None and "error" in message:
                    self.close()
                    raise TargetError(f"{label}: {message['error']}")
                self._strayed(line)

    def _introduced(self, message: Mapping[str, Any], label: str) -> tuple[Identity, Mapping[str, Capability]]:
        try:
            if message.get("protocol") != PROTOCOL:
                raise AdapterError(f"it speaks protocol {message.get('protocol')!r}; expected {PROTOCOL}")
            metrics = message["metrics"]
            if not isinstance(metrics, dict) or not all(isinstance(each, dict) for each in metrics.values()):
                raise AdapterError("metrics: expected an object with an object for each metric")
            capabilities = {str(name): Capability.from_json(str(name), each) for name, each in metrics.items()}
        except AdapterError as error:
            self.close()
            raise TargetError(f"{label}: its hello is not understood: {error}") from error
        identity = Identity(
            str(message.get("name") or self.command[0]), str(message.get("version", "")),
            str(message.get("language", "")), str(message.get("homepage", "")),
        )
        return identity, capabilities

    def _strayed(self, line: bytes) -> None:
        text = line[:STRAY_LIMIT].decode("utf-8", "backslashreplace")
        if text.strip() and sum(map(len, self.stray)) < STRAY_LIMIT:
            self.stray.append(text + "\n")

    def ask(self, questions: Iterable[Question]) -> Iterator[Reply]:
        """Send ahead within the window; yield the replies in the order of the questions."""
        source = iter(questions)
        waiting: dict[int, bytes] = {}
        ready: dict[int, Reply] = {}
        sent_at: dict[int, float] = {}
        following = yielded = deaths = 0
        exhausted = False
        progress = time.monotonic()
        hopeless: str | None = None
        while True:
            fresh: list[bytes] = []
            held = sum(map(len, waiting.values()))
            while not exhausted and len(waiting) < WINDOW and held < WINDOW_BYTES:
                question = next(source, None)
                if question is None:
                    exhausted = True
                    break
                if hopeless is not None:
                    ready[following] = Reply("crash", hopeless)
                else:
                    data = _request(following, question)
                    waiting[following] = data
                    held += len(data)
                    fresh.append(data)
                following += 1
                if hopeless is not None and len(ready) > WINDOW:
                    break
            if fresh:
                now = time.monotonic()
                if len(waiting) == len(fresh):
                    progress = now
                for each in list(waiting)[-len(fresh) :]:
                    sent_at[each] = now
                self._send(b"".join(fresh))
            while yielded in ready:
                yield ready.pop(yielded)
                yielded += 1
            if not waiting:
                if exhausted and yielded == following:
                    return
                continue
            try:
                assert self.process is not None
                lines = self.process.said.get(timeout=max(0.001, progress + self.timeout - time.monotonic()))
            except queue.Empty:
                lines, fault = [], Reply("timeout", f"no answer within {self.timeout:g} s", self.timeout)
            else:
                fault = None if lines is not None else Reply("crash", f"the process {self.process.death()}")
            now = time.monotonic()
            got = self._take(lines or [], waiting, ready, now, sent_at)
            if got:
                progress, deaths = now, 0
            if fault is not None:
                deaths += fault.kind == "crash"
                oldest = min(waiting, default=None)
                if oldest is not None:
                    stray, self.stray = "".join(self.stray), []
                    ready[oldest] = Reply(fault.kind, fault.body, fault.seconds, stray)
                    del waiting[oldest]
                hopeless = self._again(deaths)
                if hopeless is not None:
                    ready.update({each: Reply("crash", hopeless) for each in waiting})
                    waiting.clear()
                elif waiting:
                    self._send(b"".join(waiting.values()))
                progress = time.monotonic()

    def _send(self, data: bytes) -> None:
        """Write in a thread's own time where the pipe is full, so that a child that does not read is noticed."""
        assert self.process is not None
        if len(data) < 32_000:
            self.process.send(data)
        else:
            threading.Thread(target=self.process.send, args=(data,), daemon=True).start()

    def _again(self, deaths: int) -> str | None:
        """Start the child anew; returns why there is no hope, else None."""
        if self.process is not None:
            self.process.kill()
        if deaths >= MAX_RESTARTS:
            return f"given up: the process died {deaths} times in a row"
        try:
            self._start()
        except TargetError as error:
            return f"given up: {error}"
        return None

    def _take(
        self, lines: Sequence[bytes], waiting: dict[int, bytes], ready: dict[int, Reply], now: float, sent_at: dict[int, float]
    ) -> bool:
        got = False
        for line in lines:
            message = _message(line)
            identifier = None if message is None else message.get("id")
            if message is None or isinstance(identifier, bool) or identifier not in waiting:
                self._strayed(line)
                continue
            del waiting[identifier]
            stray, self.stray = "".join(self.stray), []
            ready[identifier] = _reply(message, now - sent_at.pop(identifier, now), stray)
            got = True
        return got

    def derive(self, question: Question) -> list[Step]:
        """A child tells no steps."""
        return []

    def mutates(self, question: Question) -> bool:
        """What a child does to its own copies is its own affair."""
        return False

    def close(self) -> None:
        """End the child."""
        if self.process is not None:
            self.process.kill()
            self.process = None

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _request(identifier: int, question: Question) -> bytes:
    message = {
        "id": identifier, "metric": question.metric, "parameters": dict(question.parameters), "input": dict(question.arguments),
    }
    return json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def _message(line: bytes) -> dict[str, Any] | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _reply(message: Mapping[str, Any], seconds: float, stray: str) -> Reply:
    for kind in KINDS:
        if kind not in message:
            continue
        body = message[kind]
        if kind in ("answer", "error") and not isinstance(body, dict):
            return Reply("invalid", f"{kind}: expected an object, found {body!r:.60}", seconds, stray)
        return Reply(kind, body if isinstance(body, dict) else str(body), seconds, stray)  # type: ignore[arg-type]
    return Reply("invalid", f"expected answer, error or unsupported, found {', '.join(map(str, message))}", seconds, stray)
