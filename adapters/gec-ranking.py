# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///
"""The authors' GEC GLEU+ (https://github.com/cnap/gec-ranking), from a checkout of your own: it has no licence.

It needs Python 2.7 with numpy and scipy; PYTHON2 names it where it is not python2.7.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from conformance import Adapter, Missing
from conformance.program import columns_of, write_lines
from conformance.userfile import user_file

VERSIONS = {
    "253245c522c5ef8c456aae788d9b07376d1239a012227996a0b81f70892b1697": "50b5032",
    "4a15d5e06112081c56f09ba1a079a9e715b76482e80d09dbc11735300515000a": "4f57590",  # before the brevity penalty was mended
}
SCRIPT = user_file("gec-ranking", VERSIONS, "scripts/compute_gleu of github.com/cnap/gec-ranking", ["gleu.py"])
PYTHON = os.environ.get("PYTHON2", "python2.7")


def runtime() -> str:
    """What the interpreter says of itself. Raises Missing."""
    script = "import numpy, scipy, sys; print(sys.version.split()[0])"
    try:
        done = subprocess.run([PYTHON, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise Missing(f"it needs a Python 2.7 with numpy and scipy; {PYTHON} is none: set PYTHON2") from error
    return f"Python {done.stdout.strip()}"


adapter = Adapter(
    "gec-ranking",
    version=SCRIPT.version,
    homepage="https://github.com/cnap/gec-ranking",
    provenance={
        "file": "scripts/compute_gleu, gleu.py",
        "commit": SCRIPT.version,
        "digest": SCRIPT.digest,
        "runtime": runtime(),
    },
)


@adapter.metric(
    "gec-gleu",
    components=["score"],
    decimals=6,
    accepts={"iterations": None, "max_order": range(1, 101)},
    defaults={"iterations": 500, "max_order": 4},
    fixes={
        "penalty": "types",
        "numerator_floor": "segment",
        "brevity": "short" if SCRIPT.version == "50b5032" else "exchanged",
        "root": "fourth",
        "smoothing": "none",
        "multi_reference": "sampled",
        "aggregation": "corpus",
        "tokenizer": "whitespace",
        "lowercase": False,
        "no_cases": "zero",
    },
)
def gec_gleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    sources: Sequence[str],
    iterations: int | None = None,
    max_order: int | None = None,
) -> float:
    options = ["--iter", str(iterations)] if iterations else []
    options += ["-n", str(max_order)] if max_order else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        columns = [
            write_lines(folder / f"reference{place}", column) for place, column in enumerate(columns_of(references))
        ]
        command = [PYTHON, str(SCRIPT.path.absolute()), "-s", write_lines(folder / "source", sources)]
        command += ["-r", *columns, "-o", write_lines(folder / "output", hypotheses), *options]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return float(done.stdout.split()[-1])
