"""A file of a person's own that an adapter of ours runs, unmodified: where it lies, and whether it is the right one."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from conformance.adapter import Missing


@dataclass(frozen=True, slots=True)
class UserFile:
    """The file, the version that its digest means, and the digest."""

    path: Path
    version: str
    digest: str


def variable(name: str) -> str:
    """The environment variable that says where the file of an adapter lies; `NAME@PATH` sets it."""
    return f"CONFORMANCE_{re.sub('[^A-Z0-9]', '_', name.upper())}"


def user_file(name: str, versions: Mapping[str, str], source: str, beside: Sequence[str] = ()) -> UserFile:
    """The file that a person named for an adapter.

    versions: from SHA-256 digest to version; the digest is over the file and then the files `beside` it, by their paths
    from its folder. source: where the file is to be had, in words. Raises Missing where no file is named, where it
    cannot be read, and where it is another one.
    """
    named = os.environ.get(variable(name))
    if not named:
        raise Missing(f"it runs from a file of yours: conformance run {name}@PATH, where PATH is {source}")
    path = Path(named)
    total = hashlib.sha256()
    for each in (path, *(path.parent / other for other in beside)):
        try:
            total.update(each.read_bytes())
        except OSError as error:
            raise Missing(f"{each} cannot be read ({error.strerror}); expected {source}") from error
    digest = total.hexdigest()
    if digest not in versions:
        known = ", ".join(f"{each} ({short[:12]}...)" for short, each in versions.items())
        raise Missing(f"{path} is another file: its SHA-256 is {digest[:12]}..., expected {known}: {source}")
    return UserFile(path, versions[digest], digest)
