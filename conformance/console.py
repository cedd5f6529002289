"""What every command shares: the exit statuses, the fault of a person's words, and printing that no terminal breaks."""

from __future__ import annotations

import os
import signal
import sys
import threading

EXIT_OK, EXIT_UNEXPECTED, EXIT_USAGE, EXIT_UNREACHABLE = 0, 1, 2, 3
EXIT_INTERRUPTED = 130


class Usage(Exception):
    """Words of the command line that make no sense; the message is one line."""


def out(*lines: str) -> None:
    """Print lines; text that the terminal cannot show is escaped."""
    if sys.stdout is None:
        return
    encoding = sys.stdout.encoding or "utf-8"
    try:
        for line in lines:
            print(line.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads on; what is still to be done, and the exit status, do not change
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Patience:
    """While it lasts, an interrupt is only noted, for code that must not be broken anywhere; `check` then raises it."""

    def __init__(self) -> None:
        self.asked = False

    def __enter__(self) -> Patience:
        main = threading.current_thread() is threading.main_thread()
        numbers = (signal.SIGINT, signal.SIGTERM) if main else ()
        self.before = [(number, signal.signal(number, self._note)) for number in numbers]
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self.before:
            signal.signal(number, handler)

    def _note(self, number: int, frame: object) -> None:
        self.asked = True

    def check(self) -> None:
        """Raise KeyboardInterrupt where one was asked for meanwhile."""
        if self.asked:
            raise KeyboardInterrupt


def complain(message: object) -> None:
    """One line on standard error, or several where the message is made of them; control characters are escaped."""
    if sys.stderr is not None:
        text = "".join(each if each.isprintable() or each == "\n" else repr(each)[1:-1] for each in str(message))
        print(f"conformance: {text}", file=sys.stderr)
