# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///
"""The evaluator of the SQuAD website (https://github.com/rajpurkar/SQuAD-explorer), from a file of your own, under Node."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conformance import Adapter
from conformance.program import output_of, program, run, write_text
from conformance.userfile import user_file

VERSIONS = {"2fe9d8da13d3d12aba05cf0360e0ac7177f8c86ea1de263377fde5eb104d71ce": "09eac99"}
SCRIPT = user_file(
    "squad-browser", VERSIONS, "views/js/evaluate.js of github.com/rajpurkar/SQuAD-explorer at commit 09eac99"
)
NODE = program("node", "install Node.js")
DRIVER = """
const [script, asked] = process.argv.slice(1).map(file => require("fs").readFileSync(file, "utf8"));
globalThis.window = globalThis;
require("vm").runInThisContext(script);
const [name, words] = JSON.parse(asked);
console.log(JSON.stringify(globalThis[name](...words), (key, value) => Number.isNaN(value) ? "nan" : value));
"""
"""Gives the script a window, and prints what one of its functions returns."""

adapter = Adapter(
    "squad-browser",
    version=SCRIPT.version,
    homepage="https://github.com/rajpurkar/SQuAD-explorer",
    licence="MIT",
    provenance={
        "file": "views/js/evaluate.js",
        "commit": "09eac99",
        "digest": SCRIPT.digest,
        "runtime": f"Node {output_of([NODE, '--version'], 'install Node.js')}",
    },
)


def asked(name: str, *words: Any) -> Any:
    """What a function of the script returns."""
    with tempfile.TemporaryDirectory() as folder:
        question = write_text(Path(folder) / "question.json", json.dumps([name, words]))
        return json.loads(run([NODE, "-e", DRIVER, str(SCRIPT.path), question], Path(folder)))


@adapter.metric(
    "exact-match",
    corpus=False,
    fixes={"normalizer": "squad", "multi_reference": "any", "no_references": "empty-text"},
)
def exact_match(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    score: float = asked("evaluate_on_metrics", hypotheses[0], references[0])[0]
    return score


@adapter.metric(
    "token-overlap",
    corpus=False,
    components=["f1"],
    fixes={
        "normalizer": "squad",
        "counting": "multiset",
        "order": 1,
        "tokenizer": "whitespace",
        "multi_reference": "best",
        "aggregation": "mean",
        "empty": "one-if-both",
        "no_match_f": "zero",
    },
)
def token_overlap(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
    return {"f1": asked("evaluate_on_metrics", hypotheses[0], references[0])[1]}


@adapter.metric("squad-normalize")
def squad_normalize(text: str) -> str:
    normalized: str = asked("normalize_answer", text)
    return normalized
