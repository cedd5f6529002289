"""`conformance new adapter NAME`: a working file to fill in."""

from __future__ import annotations

import re
from pathlib import Path

TEMPLATE = '''# /// script
# requires-python = ">=3.10"
# dependencies = []   # the library under test, pinned: ["mylib==1.2"]
# ///
"""How {name} is held to the conformance suite. Run it: conformance run {name}.py"""

from conformance import Adapter

adapter = Adapter("{name}", version="0")


@adapter.metric(
    "wer",  # a metric of `conformance list`
    input="tokens",  # or "text": how each hypothesis and reference is given
    references="one",  # or "many": how many references it takes for a segment
    scale=1,  # 100 if the implementation answers in percent
    accepts={{}},  # what can be set: {{"aggregation": {{"pooled", "mean"}}}} (conformance list parameters 'wer.*')
    defaults={{}},  # what it does where it is not set
    fixes={{}},  # what it always does: {{"empty_reference": "zero"}}
)
def wer(hypotheses, references):
    """hypotheses: one token list a segment; references: a list of token lists for each segment."""
    errors = words = 0
    for hypothesis, (reference, *_) in zip(hypotheses, references, strict=True):
        errors += edits(hypothesis, reference)  # call your implementation here
        words += len(reference)
    return errors / words if words else float("nan")


def edits(hypothesis, reference):
    row = list(range(len(reference) + 1))
    for i, word in enumerate(hypothesis, start=1):
        previous, row[0] = row[0], i
        for j, other in enumerate(reference, start=1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (word != other))
    return row[-1]
'''


def new_adapter(name: str, folder: Path) -> list[str]:
    """Write NAME.py into a folder and say what comes next. Raises Usage for a bad name or an existing file."""
    from conformance.console import Usage

    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise Usage(f"{name!r}: expected letters, digits and underscores, so that the file can be imported")
    path = folder / f"{name}.py"
    if path.exists():
        raise Usage(f"{path.name} exists already; choose another name")
    path.write_text(TEMPLATE.format(name=name), "utf-8")
    return [
        f"{path.name}: a working adapter for one metric; it runs as it stands:",
        f"  conformance run {path.name}",
        "Then put your own implementation in, and what it can be set to.",
    ]
