"""An implementation in a process of its own, asked over JSON Lines.

Requests are sent ahead and each has a time limit. A crash or a hang is charged to the one question that causes
it, the process starts anew and the rest is asked again.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from conformance import messages
from conformance.adapter import AdapterError, Capability, Step
from conformance.process import Process
from conformance.transport import (
    PREPARATION,
    STRAY_LIMIT,
    Identity,
    Kind,
    Question,
    Reply,
    TargetError,
    asked_whether_mutated,
)

WINDOW = 512
"""How many requests are sent ahead."""
WINDOW_BYTES = 1 << 20
START_LIMIT = 60.0
"""How long a program may take to say hello, in seconds; a longer time limit of requests holds for it too."""
MAX_SILENCES = 10
"""After so many time limits in a row without an answer between them the rest is given up."""
MAX_DEATHS = 20
"""After so many deaths in a row without an answer the rest is given up."""
PATIENCE = 0.5
"""How long a program may take to end by itself, in seconds."""


class Child:
    """A connection to a program that speaks the protocol on its standard input and output."""

    def __init__(
        self,
        command: Sequence[str],
        timeout: float = 10.0,
        env: Mapping[str, str] | None = None,
        *,
        label: str | None = None,
        start_limit: float | None = None,
    ) -> None:
        """Start the program and hear its hello. Raises TargetError."""
        self.command, self.timeout = list(command), timeout
        self.start_limit = max(START_LIMIT, timeout) if start_limit is None else start_limit
        self.env = None if env is None else {**os.environ, **env}
        self.label = label or " ".join(self.command)
        self.stray = ""
        self.ids = count()
        self.busy = False
        self.in_order = True
        self.process: Process | None = None
        self.identity, self.capabilities = self._introduced(self.start())

    def start(self) -> Mapping[str, Any]:
        """Start the program anew and return its hello. Raises TargetError."""
        self.stop()
        try:
            process = self.process = Process(self.command, self.env)
        except OSError as error:
            raise TargetError(f"{self.label}: cannot be started: {error.strerror or error}") from error
        process.send(messages.HELLO)
        deadline = time.monotonic() + self.start_limit
        hello = None
        while hello is None:
            hello = self._hello(process.lines(deadline - time.monotonic()))
            if hello is None and process.ended:
                raise self._refused(f"it {process.death()}, before it said hello")
            if hello is None and time.monotonic() > deadline:
                line = messages.HELLO.decode().strip()
                raise self._refused(f"no hello within {self.start_limit:g} s; it must answer {line} and flush")
        return hello

    def _hello(self, lines: Sequence[bytes]) -> Mapping[str, Any] | None:
        for line in lines:
            message = messages.message(line)
            if message is not None and "metrics" in message:
                return message
            if message is not None and "error" in message:
                error = message["error"]
                raise self._refused(str(error.get("message", error) if isinstance(error, dict) else error))
            self.strayed(line)
        return None

    def _introduced(self, hello: Mapping[str, Any]) -> tuple[Identity, Mapping[str, Capability]]:
        try:
            if hello.get("protocol") != messages.PROTOCOL:
                raise AdapterError(f"it speaks protocol {hello.get('protocol')!r}; expected {messages.PROTOCOL}")
            metrics = hello["metrics"]
            if not isinstance(metrics, dict):
                raise AdapterError("metrics: expected an object with an object for each metric")
            capabilities = {str(name): messages.capability(str(name), each) for name, each in metrics.items()}
        except AdapterError as error:
            raise self._refused(f"its hello is not understood: {error}") from error
        name, version, language, homepage = (
            str(hello.get(key) or "") for key in ("name", "version", "language", "homepage")
        )
        told = hello.get("provenance")
        provenance = {str(key): str(value) for key, value in told.items()} if isinstance(told, dict) else {}
        name = name or os.path.basename(self.command[0])
        return Identity(name, version, language, homepage, provenance), capabilities

    def _refused(self, why: str) -> TargetError:
        self.stop()
        return TargetError(f"{self.label}: {why}" if self.label not in why else why)

    def strayed(self, line: bytes) -> None:
        """Note what is no message, for the next reply."""
        text = line[:STRAY_LIMIT].decode("utf-8", "backslashreplace")
        if text.strip() and len(self.stray) < STRAY_LIMIT:
            self.stray += text + "\n"

    def ask(self, questions: Iterable[Question]) -> Iterator[Reply]:
        """Send ahead within the window; yield the replies in the order of the questions."""
        if self.busy:
            raise RuntimeError(f"{self.label}: the questions before are not all answered yet")
        self.busy = True
        conversation = _Conversation(self, iter(questions))
        try:
            yield from conversation.replies()
        finally:
            self.busy = False
            if conversation.unanswered:  # the caller has left: later answers must not meet later questions
                self.stop()

    def derive(self, question: Question) -> list[Step]:
        """A program tells no steps."""
        return []

    def mutates(self, question: Question) -> bool:
        return asked_whether_mutated(self, question)

    def stop(self) -> None:
        """End the program at once; the next question starts it anew."""
        if self.process is not None:
            self.process.kill()
            self.process = None

    def close(self) -> None:
        """Say bye, and end the program if it does not end by itself."""
        if self.process is not None and not self.busy:
            self.process.farewell(messages.BYE, PATIENCE)
        self.stop()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class _Conversation:
    """One run of questions and the replies to them.

    A program that dies is charged to a question only if it was asked that one alone and nothing before: the
    questions that were under way are suspects, and are asked one at a time until one of them kills again or all
    are answered. So the charge is right also for programs that answer in any order or end after one answer.
    """

    def __init__(self, child: Child, source: Iterator[Question]) -> None:
        self.child, self.source = child, source
        self.exhausted = False
        self.unanswered: dict[int, bytes] = {}
        self.unsent: deque[int] = deque()
        self.size = 0
        self.ready: dict[int, Reply] = {}
        self.following: deque[int] = deque()
        self.suspects: set[int] = set()
        self.deaths = self.silences = 0
        self.waited = 0.0
        self.lent: dict[int, float] = {}
        self.hopeless = ""

    def replies(self) -> Iterator[Reply]:
        """All replies, in order."""
        while True:
            self.pull()
            while self.following and self.following[0] in self.ready:
                yield self.ready.pop(self.following.popleft())
            if self.unanswered:
                self.send()
                self.exchange()
            elif self.exhausted:
                return

    def pull(self) -> None:
        """Take questions until the window is full; not before it is half empty, so that they go out together."""
        if len(self.unanswered) > WINDOW // 2 or self.size > WINDOW_BYTES // 2:
            return
        while not self.exhausted and len(self.unanswered) < WINDOW and self.size < WINDOW_BYTES:
            question = next(self.source, None)
            if question is None:
                self.exhausted = True
                return
            identifier = next(self.child.ids)
            self.following.append(identifier)
            if self.hopeless:
                self.ready[identifier] = Reply("crash", self.hopeless)
                return
            data = messages.request(identifier, question)
            self.unanswered[identifier] = data
            self.unsent.append(identifier)
            self.size += len(data)

    @property
    def sent(self) -> int:
        """How many questions are under way."""
        return len(self.unanswered) - len(self.unsent)

    def send(self) -> None:
        """Send what is not sent: all of it, or after a death one at a time."""
        if self.child.process is None:
            try:
                self.child.start()
            except TargetError as error:
                self.give_up(str(error))
                return
        if self.child.process is None or not self.unsent:
            return
        if self.suspects or self.deaths:
            if not self.sent:
                self.child.process.send(self.unanswered[self.unsent.popleft()])
            return
        batch = [self.unanswered[each] for each in self.unsent]
        self.unsent.clear()
        self.child.process.send(b"".join(batch))

    def exchange(self) -> None:
        """Wait for answers, and see to a death or a hang. The time that the caller takes does not count."""
        process = self.child.process
        if process is None:
            return
        start = time.monotonic()
        lines = process.lines(self.limit - self.waited)
        before = len(self.unanswered)
        each = (self.waited + time.monotonic() - start) / max(1, len(lines))
        for line in lines:
            message = self.recognized(line)
            if message is not None:
                self.settle(message.pop("id"), messages.reply(message, each))
        self.waited += time.monotonic() - start
        if len(self.unanswered) < before:
            process.answered += before - len(self.unanswered)
            self.waited, self.deaths, self.silences = 0.0, 0, 0
        elif process.ended:
            self.died(process)
        elif self.waited >= self.limit:
            self.expired(process)

    def recognized(self, line: bytes) -> dict[str, Any] | None:
        """A line as the answer to a question under way, else stray output."""
        message = messages.message(line) or messages.broken_answer(line)
        identifier = None if message is None else message.get("id")
        if isinstance(identifier, float) and identifier.is_integer():
            identifier = int(identifier)
        if message is None or type(identifier) is not int or not self.under_way(identifier):
            self.child.strayed(line)
            return None
        if "wait" in message:
            self.lend(identifier, message["wait"])
            return None
        if identifier != next(iter(self.unanswered)):
            self.child.in_order = False
        self.size -= len(self.unanswered.pop(identifier))
        return {**message, "id": identifier}

    def lend(self, identifier: int, wanted: object) -> None:
        """The program says that it prepares something: it may be silent longer, though not for ever."""
        if (
            isinstance(wanted, (int, float))
            and not isinstance(wanted, bool)
            and wanted > 0
            and identifier not in self.lent
        ):
            self.lent[identifier] = min(wanted, PREPARATION - sum(self.lent.values()))

    @property
    def limit(self) -> float:
        """How long the program may be silent now, in seconds."""
        return self.child.timeout + sum(seconds for each, seconds in self.lent.items() if each in self.unanswered)

    def under_way(self, identifier: int) -> bool:
        """Questions go out in order: those from the first unsent one on are not known to the program."""
        return identifier in self.unanswered and not (self.unsent and identifier >= self.unsent[0])

    def settle(self, identifier: int, reply: Reply) -> None:
        """A question has its reply, with what was printed before it."""
        stray, self.child.stray = self.child.stray, ""
        self.ready[identifier] = Reply(reply.kind, reply.body, reply.seconds, stray + reply.stray, reply.mutated)
        self.suspects.discard(identifier)

    def charge(self, kind: Kind, text: str) -> None:
        """The oldest question is the one that did it."""
        oldest = next(iter(self.unanswered))
        self.size -= len(self.unanswered.pop(oldest))
        self.settle(oldest, Reply(kind, text, self.waited))
        self.suspects.clear()

    def died(self, process: Process) -> None:
        """Its output has ended."""
        if self.sent == 1 and not process.answered:
            how = process.death()
            self.deaths += 1
            self.charge("invalid" if process.alive else "crash", f"the process {how}")
            if self.deaths >= MAX_DEATHS:
                self.give_up(f"the process died {self.deaths} times in a row; it {how}")
        else:
            self.suspect()
        self.again()

    def expired(self, process: Process) -> None:
        """No answer came within the time limit; a program that answers in order is at the oldest question."""
        if self.sent == 1 or self.child.in_order:
            hint = "" if process.answered else "; does it flush its output after each line?"
            self.charge("timeout", f"no answer within {self.child.timeout:g} s{hint}")
            self.silences += 1
            if self.silences >= MAX_SILENCES:
                self.give_up(f"no answer within the time limit {self.silences} times in a row")
        else:
            self.suspect()
        self.again()

    def suspect(self) -> None:
        """Any of the questions under way may have done it."""
        self.suspects = {each for each in self.unanswered if self.under_way(each)}

    def again(self) -> None:
        """Stop the process; all questions without an answer go to the next one."""
        self.child.stop()
        self.unsent = deque(self.unanswered)
        self.waited = 0.0
        self.lent.clear()

    def give_up(self, why: str) -> None:
        """There is no hope for the rest."""
        self.hopeless = f"given up: {why}"
        self.ready.update({each: Reply("crash", self.hopeless) for each in self.unanswered})
        self.unanswered.clear()
        self.unsent.clear()
        self.size = 0
