# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///
"""NTT's RIBES (https://github.com/nttcslab-nlp/RIBES), from a RIBES.py of your own: its licence is the GPL.

CONFORMANCE_PYTHON names another interpreter than this one; releases from 1.03 on run under Python 2.7 too.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from conformance import Adapter
from conformance.program import columns_of, python, run, write_lines
from conformance.userfile import user_file

VERSIONS = {
    "d3d3d3d05a0dc23aeb76594106e561e95dda1e495e6076d9973fc0469a44fa81": "1.03.1",
    "462bce08f7e13b9d3b9aff4ea2b79b9160c913563072d9c41b5310769178e3ab": "1.03",
    "7b9144fdc6eedf57a0bdb437bd3ca70df497898f16674ef2679cbc27975935bb": "1.02.4",
    "fb19f3dfd6c5b4adf93f82df16f4b24c799c87c862256f323f663c563d8661ee": "1.02.3",
    "af4f0ea37d4f76e1befe25d73c6ed915c484c9039e4ed47f55d18540b3b9f05b": "1.01",
}
COMMITS = {"1.03.1": "7e76cf2", "1.03": "0f68028", "1.02.4": "40fcbed", "1.02.3": "6afe2a7", "1.01": "32f8f49"}
SCRIPT = user_file("ntt-ribes", VERSIONS, "RIBES.py of github.com/nttcslab-nlp/RIBES")
PYTHON, RUNTIME = python()
CURRENT = SCRIPT.version == "1.03.1"

adapter = Adapter(
    "ntt-ribes",
    version=SCRIPT.version + ("-python2" if RUNTIME.startswith("2") else ""),
    homepage="https://github.com/nttcslab-nlp/RIBES",
    licence="GPL-2.0-or-later",
    provenance={
        "file": "RIBES.py",
        "commit": COMMITS[SCRIPT.version],
        "digest": SCRIPT.digest,
        "runtime": f"Python {RUNTIME}",
    },
)


@adapter.metric(
    "ribes",
    components=["score"],
    decimals=6,
    accepts={
        "alpha": None,
        "beta": None,
        "lowercase": {True, False},
        "empty_reference": {"error", "skipped"} if CURRENT else {"error"},
    },
    defaults={"alpha": 0.25, "beta": 0.10, "lowercase": True, "empty_reference": "error"},
    fixes={
        "alignment": {"1.01": "bigram", "1.02.3": "disjoint-context"}.get(SCRIPT.version, "context"),
        "correlation": "kendall",
        "single_word": "zero" if SCRIPT.version == "1.01" else "one-word-reference",
        "no_cases": "error",
        "tokenizer": "whitespace",
    },
)
def ribes(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    alpha: float | None = None,
    beta: float | None = None,
    lowercase: bool = True,
    empty_reference: str = "error",
) -> float:
    options = ["-a", str(alpha)] if alpha is not None else []
    options += ["-b", str(beta)] if beta is not None else []
    options += [] if lowercase else ["-c"]
    options += ["-z"] if empty_reference == "skipped" else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for place, column in enumerate(columns_of(references)):
            options += ["-r", write_lines(folder / f"reference{place}", column)]
        output = write_lines(folder / "output", hypotheses)
        return float(run([PYTHON, str(SCRIPT.path), *options, output], folder).split()[0])
