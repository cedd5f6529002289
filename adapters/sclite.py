# /// script
# requires-python = ">=3.10"
# dependencies = []
#
# [tool.conformance]
# debian = ["sctk"]
# file = "/usr/lib/sctk/bin/sclite"
# ///
"""sclite of NIST's SCTK (https://github.com/usnistgov/SCTK): word error rate.

Debian's program is found by itself, or named: `sclite@/usr/lib/sctk/bin/sclite` (package sctk). A build of your own is
named by its source, beside which make has left the program: `sclite@SCTK/src/sclite/sclite.c` of release 2.4.12.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from conformance import Adapter, Missing, Unsupported
from conformance.program import run, write_lines
from conformance.userfile import user_file, variable

DEBIAN = "/usr/lib/sctk/bin/sclite"
VERSIONS = {
    "9676237f8f06a82964761e87202dc7c64bd3307e6b9ce430f6a5df12ffa35223": "2.4.10",
    "c92ce655f0e966ae2a55e3bdc2d8a27b0cfc25c601f4f9ee91cdbf5238498965": "2.4.12",
}
SOURCE = f"{DEBIAN} of Debian's package sctk (2.4.10), or src/sclite/sclite.c of github.com/usnistgov/SCTK at v2.4.12"
if Path(DEBIAN).exists():
    os.environ.setdefault(variable("sclite"), DEBIAN)
NAMED = Path(os.environ.get(variable("sclite"), ""))
OTHERS = sorted(each.name for each in NAMED.parent.glob("*.[ch]") if each != NAMED) if NAMED.suffix == ".c" else []
SCLITE = user_file("sclite", VERSIONS, SOURCE, OTHERS)
PROGRAM = SCLITE.path.with_suffix("")
if not os.access(PROGRAM, os.X_OK):
    raise Missing(f"{PROGRAM} is not built: run make config and make all in its source tree")

adapter = Adapter(
    "sclite",
    version=SCLITE.version,
    homepage="https://github.com/usnistgov/SCTK",
    licence="public domain (United States Government)",
    provenance={
        "file": "src/sclite, built by make" if OTHERS else "/usr/lib/sctk/bin/sclite of Debian's sctk, amd64",
        "commit": "62aabfa" if OTHERS else "2.4.10-20151007-1312Z+dfsg2-3.1",
        "digest": SCLITE.digest,
        "runtime": "native",
    },
)


def numbers(printed: str, row: str) -> list[float]:
    """The cells of a row: sentences, words, then correct, substituted, deleted, inserted, all errors, sentence errors."""
    (line,) = (line for line in printed.splitlines() if re.match(rf"\|\s*{row}\s*\|", line.strip()))
    return [float(each) for each in re.findall(r"[0-9.]+", line)]


@adapter.metric(
    "wer",
    references="one",
    scale={"rate": 100},
    decimals=1,
    accepts={"transforms": [["lowercase"], []], "aggregation": {"pooled", "mean"}},
    defaults={"transforms": ["lowercase"], "aggregation": "pooled"},
    fixes={"tokenizer": "whitespace", "alignment": "sclite", "empty_reference": "zero"},
)
def wer(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    transforms: Sequence[str] = ("lowercase",),
    aggregation: str = "pooled",
) -> dict[str, float]:
    if any(isinstance(several, str) or len(several) != 1 for several in references):
        raise Unsupported("the program takes one reference a segment")
    # The row named Mean averages over speakers, so each segment is one of its own there.
    speaker = "s{}_1" if aggregation == "mean" else "s_{}"
    sides = {"reference": [several[0] for several in references], "output": hypotheses}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for side, texts in sides.items():
            write_lines(folder / side, [f"{text} ({speaker.format(place)})" for place, text in enumerate(texts)])
        options = [] if transforms else ["-s"]
        files = ["-r", "reference", "trn", "-h", "output", "trn", "-i", "rm"]
        printed = run([str(PROGRAM), *files, "-o", "sum", "rsum", "stdout", *options], folder)
    percent, raw = printed.split("SYSTEM SUMMARY PERCENTAGES")[1:3]
    _, words, _, substitutions, deletions, insertions, errors, _ = numbers(raw, "Sum")
    return {
        "rate": numbers(percent, "Mean" if aggregation == "mean" else "Sum/Avg")[6],
        "substitutions": int(substitutions),
        "deletions": int(deletions),
        "insertions": int(insertions),
        "errors": int(errors),
        "reference_length": int(words),
    }
