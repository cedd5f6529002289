"""The seam between the suite and an implementation: questions, replies, and a connection in process."""

from __future__ import annotations

import contextlib
import io
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any, Literal, Protocol

from conformance.adapter import Adapter, Capability, Step

Kind = Literal["answer", "error", "unsupported", "invalid", "timeout", "crash"]
STRAY_LIMIT = 2_000
"""How many characters of stray output are kept."""


class TargetError(Exception):
    """A target that cannot be reached; the message is one line and says what to do."""


@dataclass(frozen=True, slots=True)
class Question:
    """One request: a metric, its input fields in the order of its spec, and the parameters to set."""

    metric: str
    arguments: Mapping[str, Any]
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: for an answer its components, for an error its kind, class and message, else a text."""

    kind: Kind
    body: Any
    seconds: float = 0.0
    stray: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who answers."""

    name: str
    version: str
    language: str = "python"
    homepage: str = ""


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


class Expired(BaseException):
    """A call took longer than its time limit; not an Exception, so that the implementation does not catch it."""


class _Alarm:
    """One interval timer for many calls: it looks whether the running call is past its deadline."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.deadline = float("inf")
        usable = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self.usable = usable and limit > 0

    def __enter__(self) -> _Alarm:
        if self.usable:
            self.before = signal.signal(signal.SIGALRM, self.ring)
            beat = max(0.005, min(0.05, self.limit / 4))
            signal.setitimer(signal.ITIMER_REAL, beat, beat)
        return self

    def __exit__(self, *exception: object) -> None:
        if self.usable:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self.before)

    def ring(self, number: int, frame: FrameType | None) -> None:
        if time.monotonic() > self.deadline:
            self.deadline = float("inf")
            raise Expired


class _Bounded(io.TextIOBase):
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


class InProcess:
    """An adapter called in this process, each time with fresh copies of the arguments."""

    def __init__(self, adapter: Adapter, timeout: float = 10.0) -> None:
        self.adapter, self.timeout = adapter, timeout
        self.identity = Identity(adapter.name, adapter.version, adapter.language, adapter.homepage)
        self.capabilities: Mapping[str, Capability] = adapter.capabilities

    def ask(self, questions: Iterable[Question]) -> Iterator[Reply]:
        stray = _Bounded()
        for chunk in _chunks(questions, 200):
            replies = []
            with contextlib.redirect_stdout(stray), _Alarm(self.timeout) as alarm:
                for question in chunk:
                    replies.append(self._one(question, alarm, stray))
            yield from replies

    def _one(self, question: Question, alarm: _Alarm, stray: _Bounded) -> Reply:
        arguments = [fresh(each) for each in question.arguments.values()]
        start = time.monotonic()
        alarm.deadline = start + self.timeout
        try:
            body = self.adapter.call(question.metric, arguments, question.parameters)
        except Expired:
            return Reply("timeout", f"no answer within {self.timeout:g} s", time.monotonic() - start, stray.taken())
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit and what derives from BaseException alone
            text = f"{type(error).__name__}: {error}"
            return Reply("crash", text, time.monotonic() - start, stray.taken())
        finally:
            alarm.deadline = float("inf")
        ((kind, value),) = body.items()
        spent = time.monotonic() - start
        return Reply(kind, value, spent, stray.taken() if stray.parts else "")  # type: ignore[arg-type]

    def derive(self, question: Question) -> list[Step]:
        return self.adapter.derive(question.metric, list(question.arguments.values()), question.parameters)

    def mutates(self, question: Question) -> bool:
        given = [fresh(each) for each in question.arguments.values()]
        with contextlib.redirect_stdout(_Bounded()):
            self.adapter.call(question.metric, given, question.parameters)
        return given != list(question.arguments.values())

    def close(self) -> None:
        """Nothing to close."""

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _chunks(questions: Iterable[Question], size: int) -> Iterator[list[Question]]:
    chunk: list[Question] = []
    for question in questions:
        chunk.append(question)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def fresh(value: Any) -> Any:
    """A copy of an argument that the implementation may change."""
    if isinstance(value, list):
        return [fresh(each) if isinstance(each, (list, dict)) else each for each in value]
    if isinstance(value, dict):
        return {key: fresh(each) for key, each in value.items()}
    return value


__all__ = ["Connection", "Identity", "InProcess", "Question", "Reply", "TargetError"]
