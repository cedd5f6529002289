"""The seam between the suite and an implementation: questions, replies, and a connection in this process."""

from __future__ import annotations

import contextlib
import io
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import FrameType
from typing import Any, Literal, Protocol

from conformance.adapter import Adapter, Capability, Step, describe_error

Kind = Literal["answer", "error", "unsupported", "invalid", "timeout", "crash"]
STRAY_LIMIT = 2_000
"""How many characters of stray output are kept."""
CHUNK = 200
"""How many questions are asked in one go in process, before their replies are handed on."""
CHUNK_SECONDS = 0.2
"""After so long a chunk is cut short, so that replies do not wait for slow ones behind them."""


class TargetError(Exception):
    """A target that cannot be reached; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Question:
    """One request: a metric, its input fields in the order of its spec, and the parameters to set.

    `watch` asks besides whether the implementation changes the arguments that it is given. `key` is a
    digest of it, where it comes from the suite.
    """

    metric: str
    arguments: Mapping[str, Any]
    parameters: Mapping[str, Any]
    watch: bool = False
    key: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: for an answer its components, for an error its kind, class and message, else a text.

    `stray` is what the implementation printed meanwhile; `mutated`, whether it changed its arguments,
    is known only for a question that was watched.
    """

    kind: Kind
    body: Any
    seconds: float = 0.0
    stray: str = ""
    mutated: bool = False


@dataclass(frozen=True, slots=True)
class Identity:
    """Who answers."""

    name: str
    version: str
    language: str = "python"
    homepage: str = ""
    provenance: Mapping[str, str] = field(default_factory=dict)


class Connection(Protocol):
    """A connected implementation."""

    @property
    def identity(self) -> Identity: ...

    @property
    def capabilities(self) -> Mapping[str, Capability]: ...

    def ask(self, questions: Iterable[Question]) -> Iterator[Reply]:
        """The replies, in the order of the questions."""
        ...

    def derive(self, question: Question) -> list[Step]:
        """How the implementation reaches its answer; empty where it does not say."""
        ...

    def mutates(self, question: Question) -> bool:
        """Whether asking changes the arguments that the implementation was given."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Connection: ...

    def __exit__(self, *exception: object) -> None: ...


class Bounded(io.TextIOBase):
    """A text stream that keeps the first characters written to it."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.room = STRAY_LIMIT

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.room > 0:
            self.parts.append(text[: self.room])
            self.room -= len(text)
        return len(text)

    def taken(self) -> str:
        """What was written since the last time."""
        text = "".join(self.parts)
        self.parts.clear()
        self.room = STRAY_LIMIT
        return text


def call(adapter: Adapter, metric: str, fields: Mapping[str, Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Ask an adapter once; the body has one key, as `Adapter.call` says, also where the answer cannot be read."""
    if metric not in adapter.capabilities:
        return {"unsupported": f"no metric {metric!r} here"}
    try:
        return adapter.call(metric, fields, parameters)
    except Exception as error:  # what the function returned raises when it is read, or contains itself
        told = describe_error(error)
        return {"invalid": f"its answer cannot be read: {told['class']}: {told['message']}"}


class Expired(BaseException):
    """A call took longer than its time limit; not an Exception, so that an implementation does not catch it."""


class _Alarm:
    """One interval timer for many calls: it looks whether the running call is past its deadline.

    It works on the main thread of a POSIX system, and breaks what returns to the interpreter now and then.
    Elsewhere, and for a loop in compiled code, only a process of its own helps.
    """

    GRACE = 1.0
    """So long after a call was interrupted it is interrupted again, in seconds, if it goes on."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.deadline = float("inf")
        main = threading.current_thread() is threading.main_thread()
        self.usable = limit > 0 and main and hasattr(signal, "setitimer")

    def __enter__(self) -> _Alarm:
        if self.usable:
            self.handler = signal.signal(signal.SIGALRM, self._ring)
            beat = max(0.005, min(0.05, self.limit / 4))
            self.timer = signal.setitimer(signal.ITIMER_REAL, beat, beat)
        return self

    def __exit__(self, *exception: object) -> None:
        if self.usable:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL if self.handler is None else self.handler)
            signal.setitimer(signal.ITIMER_REAL, *self.timer)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if now > self.deadline:
            self.deadline = now + self.GRACE
            raise Expired


PREPARATION = 60
"""So many seconds an adapter may prepare a metric before its first answer."""


class InProcess:
    """An adapter called in this process, each time with fresh copies of the arguments."""

    def __init__(self, adapter: Adapter, timeout: float = 10.0) -> None:
        self.adapter, self.timeout = adapter, timeout
        self.identity = Identity(adapter.name, adapter.version, adapter.language, adapter.homepage, adapter.provenance)
        self.capabilities: Mapping[str, Capability] = adapter.capabilities

    def ask(self, questions: Iterable[Question]) -> Iterator[Reply]:
        """The timer and the capture of output last for a chunk of calls, never while the caller has the word."""
        source = iter(questions)
        while chunk := list(islice(source, CHUNK)):
            place = 0
            while place < len(chunk):
                replies = self._some(chunk, place)
                place += len(replies)
                yield from replies

    def _some(self, chunk: Sequence[Question], place: int) -> list[Reply]:
        """Replies to the next questions of a chunk: at least one."""
        printed, aside = Bounded(), Bounded()  # warnings and logs on standard error are its own affair
        replies: list[Reply] = []
        end = time.monotonic() + CHUNK_SECONDS
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(aside),
            _Alarm(self.timeout) as alarm,
        ):
            while place + len(replies) < len(chunk):
                replies.append(self._one(chunk[place + len(replies)], alarm, printed))
                if time.monotonic() > end:
                    break
        return replies

    def _one(self, question: Question, alarm: _Alarm, printed: Bounded) -> Reply:
        arguments = fresh(question.arguments)
        start = time.monotonic()
        kind: Any
        try:
            try:
                if self.adapter.unprepared(question.metric):
                    alarm.deadline = start + PREPARATION
                    self.adapter.prepare(question.metric)
                    start = time.monotonic()
                alarm.deadline = start + self.timeout
                body = call(self.adapter, question.metric, arguments, question.parameters)
            finally:
                alarm.deadline = float("inf")
            ((kind, value),) = body.items()
        except Expired:
            kind, value = "timeout", f"no answer within {self.timeout:g} s"
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit, and what compiled code throws through the interpreter
            told = describe_error(error)
            kind, value = "crash", f"{told['class']}: {told['message']}"
        spent = time.monotonic() - start
        stray = printed.taken() if printed.parts else ""
        changed = question.watch and arguments != question.arguments
        return Reply(kind, value, spent, stray, changed)

    def derive(self, question: Question) -> list[Step]:
        """The steps; none where they take longer than an answer may."""
        try:
            with _Alarm(self.timeout) as alarm:
                alarm.deadline = time.monotonic() + self.timeout
                return self.adapter.derive(question.metric, question.arguments, question.parameters)
        except Expired:
            return []

    def mutates(self, question: Question) -> bool:
        return asked_whether_mutated(self, question)

    def close(self) -> None:
        """Nothing to close."""

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def asked_whether_mutated(connection: Connection, question: Question) -> bool:
    """Ask the question under watch; whether its arguments came out changed."""
    watched = Question(question.metric, question.arguments, question.parameters, watch=True)
    return any(reply.mutated for reply in connection.ask([watched]))


def fresh(value: Any) -> Any:
    """A copy of an argument that the implementation may change."""
    if isinstance(value, list):
        return [fresh(each) if isinstance(each, (list, dict)) else each for each in value]
    if isinstance(value, dict):
        return {key: fresh(each) for key, each in value.items()}
    return value
