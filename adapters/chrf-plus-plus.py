# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///
"""The author's chrF++.py (https://github.com/m-popovic/chrF), from a file of your own: its licence is the GPL.

CONFORMANCE_PYTHON names another interpreter than this one; under Python 2.7 the script counts bytes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from conformance import Adapter, Unsupported
from conformance.program import python, run, write_lines
from conformance.userfile import user_file

VERSIONS = {"ebe6bd1ddf4e1aeb3958ad0b179037f64b165c9ad11202acf67a48104f951ebc": "e96ea86"}
SCRIPT = user_file("chrf-plus-plus", VERSIONS, "chrF++.py of github.com/m-popovic/chrF at commit e96ea86")
PYTHON, RUNTIME = python()
PYTHON_2 = RUNTIME.startswith("2")
BETWEEN_REFERENCES = "*#"

adapter = Adapter(
    "chrf-plus-plus",
    version=SCRIPT.version + ("-python2" if PYTHON_2 else ""),
    homepage="https://github.com/m-popovic/chrF",
    licence="GPL",
    provenance={
        "file": "chrF++.py",
        "commit": "e96ea86",
        "digest": SCRIPT.digest,
        "runtime": f"Python {RUNTIME}",
    },
)


def joined(several: Sequence[str | None]) -> str:
    """The references of a segment as one line."""
    if isinstance(several, str) or not several or not all(isinstance(each, str) for each in several):
        raise Unsupported("the script takes a list of references for each segment, and at least one")
    if any(BETWEEN_REFERENCES in str(each) for each in several):
        raise Unsupported(f"the script takes {BETWEEN_REFERENCES} for the border between two references")
    return BETWEEN_REFERENCES.join(map(str, several))


@adapter.metric(
    "chrf",
    components=["score"],
    scale=100,
    decimals=4,
    accepts={"char_order": None, "word_order": None, "beta": None, "aggregation": {"corpus", "mean"}},
    defaults={"char_order": 6, "word_order": 2, "beta": 2, "aggregation": "corpus"},
    fixes={
        "min_char_order": 1,
        "average": "f",
        "missing_orders": "zero",
        "both_empty": "no-match",
        "whitespace": "spaces-removed",
        "word_tokenizer": "one-mark-apart",
        "lowercase": False,
        "unit": "byte" if PYTHON_2 else "code-point",
        "unicode_form": "none",
        "reference_tie": "first",
        "orders_without_reference": "dropped",
        "unmatched_segment": "previous-again",
        "no_cases": "error",
    },
)
def chrf(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    aggregation: str = "corpus",
    **parameters: float,
) -> float:
    flags = {"char_order": "-nc", "word_order": "-nw", "beta": "-b"}
    options = [word for name, value in parameters.items() for word in (flags[name], str(value))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reference = write_lines(folder / "reference", [joined(several) for several in references])
        output = write_lines(folder / "output", hypotheses)
        printed = run([PYTHON, str(SCRIPT.path), "-R", reference, "-H", output, *options], folder)
    document, macro = (float(line.split()[-1]) for line in printed.splitlines()[1:3])
    return macro if aggregation == "mean" else document
