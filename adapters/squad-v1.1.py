# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///
"""The evaluation script of SQuAD 1.1 (https://github.com/allenai/bi-att-flow), from a file of your own."""

from __future__ import annotations

import platform
from collections.abc import Sequence

from conformance import Adapter
from conformance.program import module_of
from conformance.userfile import user_file

VERSIONS = {"f5a673dbbd173e29e9ea38f1b2091d883583b77b3a4c17144b223fb0f2f9bd09": "4900454"}
SCRIPT = user_file("squad-v1.1", VERSIONS, "squad/evaluate-v1.1.py of github.com/allenai/bi-att-flow")
script = module_of(SCRIPT.path)

adapter = Adapter(
    "squad-v1.1",
    version=SCRIPT.version,
    homepage="https://github.com/allenai/bi-att-flow",
    licence="Apache-2.0",
    provenance={
        "file": "squad/evaluate-v1.1.py",
        "commit": "4900454",
        "digest": SCRIPT.digest,
        "runtime": f"Python {platform.python_version()}",
    },
)


def evaluated(hypotheses: Sequence[str | None], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """What the script says of questions with their answers; None is no prediction."""
    questions = [
        {"id": str(place), "answers": [{"text": each} for each in several]} for place, several in enumerate(references)
    ]
    predictions = {str(place): each for place, each in enumerate(hypotheses) if each is not None}
    evaluation: dict[str, float] = script.evaluate([{"paragraphs": [{"qas": questions}]}], predictions)
    return evaluation


@adapter.metric(
    "exact-match",
    scale=100,
    fixes={"normalizer": "squad", "multi_reference": "any", "no_references": "error"},
)
def exact_match(hypotheses: Sequence[str | None], references: Sequence[Sequence[str]]) -> float:
    return evaluated(hypotheses, references)["exact_match"]


@adapter.metric(
    "token-overlap",
    scale=100,
    components=["f1"],
    fixes={
        "normalizer": "squad",
        "counting": "multiset",
        "order": 1,
        "tokenizer": "whitespace",
        "multi_reference": "best",
        "aggregation": "mean",
        "empty": "zero",
        "no_match_f": "zero",
    },
)
def token_overlap(hypotheses: Sequence[str | None], references: Sequence[Sequence[str]]) -> dict[str, float]:
    return {"f1": evaluated(hypotheses, references)["f1"]}


@adapter.metric("squad-normalize")
def squad_normalize(text: str) -> str:
    normalized: str = script.normalize_answer(text)
    return normalized
