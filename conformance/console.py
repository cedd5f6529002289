"""What every command shares: the exit statuses, the fault of a person's words, and printing that no terminal breaks."""

from __future__ import annotations

import sys

EXIT_OK, EXIT_UNEXPECTED, EXIT_USAGE, EXIT_UNREACHABLE = 0, 1, 2, 3


class Usage(Exception):
    """Words of the command line that make no sense; the message is one line."""


def out(*lines: str) -> None:
    """Print lines; text that the terminal cannot show is escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    for line in lines:
        print(line.encode(encoding, "backslashreplace").decode(encoding))
