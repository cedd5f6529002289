# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy"]
# ///
"""The evaluation script of SQuAD 2.0 (https://github.com/rajpurkar/SQuAD-explorer), from a file of your own.

Its functions are asked, for the command line needs a prediction for every question.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence

from conformance import Adapter
from conformance.program import module_of
from conformance.userfile import user_file

VERSIONS = {"710840ce2c2c61716334c056777032f24660b83eb9869a451036e6a24d8103c4": "09eac99"}
SCRIPT = user_file("squad-v2.0", VERSIONS, "evaluate-v2.0.py of github.com/rajpurkar/SQuAD-explorer at commit 09eac99")
script = module_of(SCRIPT.path)

adapter = Adapter(
    "squad-v2.0",
    version=SCRIPT.version,
    homepage="https://github.com/rajpurkar/SQuAD-explorer",
    licence="MIT",
    provenance={
        "file": "evaluate-v2.0.py",
        "commit": "09eac99",
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
    scores = script.get_raw_scores([{"paragraphs": [{"qas": questions}]}], predictions)
    evaluation: dict[str, float] = script.make_eval_dict(*scores)
    return evaluation


@adapter.metric(
    "exact-match",
    scale=100,
    fixes={"normalizer": "squad", "multi_reference": "any", "no_references": "empty-text"},
)
def exact_match(hypotheses: Sequence[str | None], references: Sequence[Sequence[str]]) -> float:
    return evaluated(hypotheses, references)["exact"]


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
        "empty": "one-if-both",
        "no_match_f": "zero",
    },
)
def token_overlap(hypotheses: Sequence[str | None], references: Sequence[Sequence[str]]) -> dict[str, float]:
    return {"f1": evaluated(hypotheses, references)["f1"]}


@adapter.metric("squad-normalize")
def squad_normalize(text: str) -> str:
    normalized: str = script.normalize_answer(text)
    return normalized
