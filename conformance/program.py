"""A program that an adapter of ours starts anew for each question: its runtime, its files, its answer, its error."""

from __future__ import annotations

import atexit
import builtins
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from conformance.adapter import Missing, Unsupported

MOST_SAID = 300
LOCALE = {"LC_ALL": "C.UTF-8"}
USAGE = 2
"""The exit status by which argparse and optparse refuse an option."""


def program(name: str, how: str) -> str:
    """Where a program lies. Raises Missing, which says how to get it."""
    found = shutil.which(name)
    if found is None:
        raise Missing(f"it needs {name}, which is not here: {how}")
    return found


def python() -> tuple[str, str]:
    """The interpreter that runs a script in Python, and its version: this one, or the one that CONFORMANCE_PYTHON names.

    Raises Missing.
    """
    named = os.environ.get("CONFORMANCE_PYTHON", sys.executable)
    return named, output_of([named, "-c", "import sys; print(sys.version.split()[0])"], "set CONFORMANCE_PYTHON")


def output_of(command: Sequence[str], how: str) -> str:
    """What a command prints that tells whether a runtime is here. Raises Missing, which says how to get it."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        why = (getattr(error, "stderr", None) or str(error)).strip().splitlines()[:1]
        raise Missing(f"it needs {Path(command[0]).name} ({''.join(why)[:150]}): {how}") from error
    return (done.stdout or done.stderr).strip()


def scratch() -> Path:
    """A folder of its own, which lasts until the interpreter ends."""
    folder = tempfile.mkdtemp(prefix="conformance-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def write_lines(path: Path, texts: Sequence[str]) -> str:
    """Write a text a line, for a program that reads a segment a line; returns the file's name.

    Raises Unsupported for what is no list of lines.
    """
    if isinstance(texts, str) or not all(isinstance(text, str) for text in texts):
        raise Unsupported("the program reads text, a segment a line")
    if any("\n" in text or "\r" in text for text in texts):
        raise Unsupported("the program reads a segment a line, so none may hold a line end")
    return write_text(path, "".join(f"{text}\n" for text in texts))


def write_text(path: Path, text: str) -> str:
    """Write a file in UTF-8; returns its name. Raises Unsupported for what UTF-8 cannot hold."""
    try:
        path.write_bytes(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise Unsupported(f"UTF-8 has no lone surrogate ({error.reason})") from error
    return path.name


def columns_of(references: Sequence[Sequence[str | None]]) -> list[list[str]]:
    """The references by file, for a program that reads as many files as each segment has references.

    Raises Unsupported where some segments have more than others, or one is missing.
    """
    lists = all(isinstance(several, (list, tuple)) for several in references)
    counts = {len(several) for several in references} if lists else {0}
    if len(counts) > 1 or 0 in counts or any(each is None for several in references for each in several):
        raise Unsupported("the program reads equally many references for each segment, and at least one")
    return [list(column) for column in zip(*references, strict=True)] or [[]]


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """What the command prints in a folder. Raises what it says that it failed with.

    The folders of the files that the command names are left out of the message.
    """
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **LOCALE, **(environment or {})},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = done.stderr if done.stderr.strip() else done.stdout
        raise failure(without_folders(said, [*command, str(folder)]), done.returncode)
    return done.stdout


def without_folders(text: str, words: Sequence[str]) -> str:
    """Text in which each path among the words is only its last part."""
    for word in sorted(words, key=len, reverse=True):
        if os.sep in word:
            text = text.replace(word, Path(word).name)
    return text


def failure(said: str, status: int) -> Exception:
    """The exception that a program ended with.

    Python's own by its name, where a traceback ends with it; a refused option is a ValueError, all else a RuntimeError.
    """
    last = said.strip().splitlines()[-1] if said.strip() else f"exit status {status}"
    named = re.match(r"([A-Za-z_]\w*)(?:: (.*))?$", last)
    known = getattr(builtins, named[1], None) if named else None
    if named and isinstance(known, type) and issubclass(known, Exception):
        try:
            return known(named[2] or "")
        except TypeError:  # UnicodeDecodeError and its like take more than a message
            return RuntimeError(last)
    return ValueError(last) if status == USAGE and "usage:" in said.lower() else RuntimeError(tail(said) or last)


def tail(said: str) -> str:
    """The end of what a program said, in whole words: warnings come first, and why it stopped comes last."""
    words = " ".join(said.split())
    return words if len(words) <= MOST_SAID else "... " + words[-MOST_SAID:].partition(" ")[2]


def module_of(path: Path) -> ModuleType:
    """A file in Python as a module, for a program whose functions are asked rather than its command line."""
    spec = spec_from_file_location(re.sub(r"\W", "_", path.stem), path)
    if spec is None or spec.loader is None:
        raise Missing(f"{path} is no file in Python")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
