"""Which adapter file serves a release: the adapter's own, or one for the interface that the library had before.

`adapters/before/NAME-2.0.py` serves what came before 2.0. Where there are several, the oldest that is new enough does.
"""

from __future__ import annotations

import re
from pathlib import Path

from conformance.environment import PINNED
from conformance.suite import home


def adapter_file(name: str, version: str) -> Path:
    """The adapter file for a release of a library."""
    folder = home() / "adapters"
    if version != PINNED:
        limits = {
            _numbers(path.stem.removeprefix(f"{name}-")): path for path in (folder / "before").glob(f"{name}-[0-9]*.py")
        }
        for limit in sorted(limits):
            if _numbers(version) < limit:
                return limits[limit]
    return folder / f"{name}.py"


def _numbers(version: str) -> tuple[int, ...]:
    """The release of a version, as it is compared; what follows it (rc1, .post1) is left out."""
    found = re.match(r"v?([0-9]+(?:\.[0-9]+)*)", version)
    return tuple(map(int, found[1].split("."))) if found else ()
