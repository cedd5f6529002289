"""A running program and its three pipes: requests go in, whole lines come out, of standard error the end is kept."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence

CHUNK = 1 << 18
LINE_LIMIT = 64 << 20
"""A longer line than this, in bytes, is cut: what the program writes must not fill the memory."""
PULSE = 0.25
"""After so long without a sign it is looked whether the program still runs, in seconds."""
_FAULT = re.compile(r"(?:\w+\.)*\w*(?:Error|Exception|Interrupt)\b|panic|fatal|thread '", re.IGNORECASE)
"""How the line of standard error begins that says why a program died; Node.js for one writes its version below it."""
TAIL = 4_000
"""How many bytes of standard error are kept."""


class Process:
    """One program in a process group of its own. Neither side ever waits for the other to read.

    `ended` says that it closed its standard output; `answered` counts what its user credits it with.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        """Start the program. Raises OSError where it cannot be started."""
        self.popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
            start_new_session=True,
            bufsize=0,
        )
        if self.popen.stdin is None or self.popen.stdout is None or self.popen.stderr is None:
            raise OSError("the program has no pipes")
        self.input, self.output, self.errors = (
            stream.fileno() for stream in (self.popen.stdin, self.popen.stdout, self.popen.stderr)
        )
        self.poller = selectors.DefaultSelector()
        for descriptor in (self.input, self.output, self.errors):
            os.set_blocking(descriptor, False)
        self.poller.register(self.output, selectors.EVENT_READ)
        self.poller.register(self.errors, selectors.EVENT_READ)
        self.unsent = bytearray()
        self.writing = self.deaf = self.ended = False
        self.rest: list[bytes] = []
        self.held = 0
        self.tail = b""
        self.answered = 0

    def send(self, data: bytes) -> None:
        """Have data written as far as the program reads it; the rest follows while `lines` waits."""
        if not self.deaf:
            self.unsent += data
            self._write()

    def lines(self, wait: float) -> list[bytes]:
        """The lines that came, after one wait of at most so many seconds; also none, though time is left."""
        found: list[bytes] = []
        ready = self.poller.select(max(0.0, min(wait, PULSE))) if not self.ended else ()
        if not ready and not self.alive:  # what it started may hold its output open for ever
            self.ended = True
        for key, _ in ready:
            if key.fd == self.input:
                self._write()
            elif key.fd == self.errors:
                self._complaint()
            else:
                found = self._read()
        return found

    def _read(self) -> list[bytes]:
        try:
            data = os.read(self.output, CHUNK)
        except BlockingIOError:
            return []
        if not data:
            self.ended = True
            self.poller.unregister(self.output)
            last, self.rest = b"".join(self.rest), []
            return [last] if last.strip() else []
        *whole, end = data.split(b"\n")
        if whole:
            whole[0] = b"".join([*self.rest, whole[0]])
            self.rest, self.held = [], 0
        if end and self.held < LINE_LIMIT:
            self.rest.append(end)
            self.held += len(end)
        return whole

    def _write(self) -> None:
        try:
            while self.unsent:
                del self.unsent[: os.write(self.input, self.unsent)]
        except BlockingIOError:
            self._watch_input(True)
        except OSError:  # it does not listen any more; that its output ends will be noticed
            self.deaf = True
            self.unsent.clear()
        if not self.unsent:
            self._watch_input(False)

    def _watch_input(self, wanted: bool) -> None:
        if wanted and not self.writing:
            self.poller.register(self.input, selectors.EVENT_WRITE)
        elif self.writing and not wanted:
            self.poller.unregister(self.input)
        self.writing = wanted

    def _complaint(self) -> bool:
        """Read standard error; false at its end."""
        try:
            data = os.read(self.errors, CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self.poller.unregister(self.errors)
            return False
        self.tail = (self.tail + data)[-TAIL:]
        return True

    def death(self) -> str:
        """How the program ended, in words, with its last line on standard error."""
        try:
            code = self.popen.wait(timeout=2)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        while self.errors in self.poller.get_map() and self._complaint():
            pass
        how = f"was killed by {_signal_name(-code)}" if code < 0 else f"ended with exit status {code}"
        if code == -signal.SIGKILL:
            how += ", as the system ends what needs more memory than there is"
        said = [line.strip() for line in self.tail.decode("utf-8", "backslashreplace").splitlines() if line.strip()]
        telling = [line for line in said if _FAULT.match(line)] or said
        return f"{how}: {telling[-1][:500]}" if telling else how

    @property
    def alive(self) -> bool:
        """Whether it is still running."""
        return self.popen.poll() is None

    def farewell(self, data: bytes, patience: float) -> None:
        """Tell a program at rest that nothing more will come, and give it a moment to end by itself."""
        self.send(data)
        if self.popen.stdin is not None:
            with contextlib.suppress(OSError):
                self.popen.stdin.close()
        end = time.monotonic() + patience
        while self.popen.poll() is None and time.monotonic() < end:
            time.sleep(0.002)

    def kill(self) -> None:
        """End the program and all that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.kill()
        self.popen.wait()
        self.poller.close()
        for stream in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
