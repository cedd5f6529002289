# /// script
# requires-python = ">=3.10"
# dependencies = ["rouge-score==0.0.4"]
# ///
"""rouge-score before 0.1: one reference, and words by its own rule alone."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from nltk.stem.porter import PorterStemmer
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenize import tokenize as words_of

from conformance import Adapter

adapter = Adapter(
    "rouge-score",
    version=version("rouge-score"),
    homepage="https://github.com/google-research/google-research/tree/master/rouge",
    licence="Apache-2.0",
)

WORDS: dict[str, Any] = {"stemming": {"none", "porter-nltk"}}
DEFAULTS: dict[str, Any] = {"stemming": "none"}
FIXED = {"tokenizer": "rouge-score", "beta": 1, "aggregation": "mean", "empty": "zero"}
COMPONENTS = ["f_beta", "f1", "recall", "precision"]


def scored(
    kind: str, hypotheses: Sequence[str], references: Sequence[Sequence[str]], parameters: dict[str, Any]
) -> dict[str, float]:
    arguments = {"use_stemmer": parameters["stemming"] == "porter-nltk"} if "stemming" in parameters else {}
    found = RougeScorer([kind], **arguments).score(references[0][0], hypotheses[0])[kind]
    return {"recall": found.recall, "precision": found.precision, "f1": found.fmeasure, "f_beta": found.fmeasure}


# Orders above 9 are no type to rouge-score; it says so itself.
@adapter.metric(
    "rouge-n",
    components=COMPONENTS,
    corpus=False,
    references="one",
    accepts={"order": None, **WORDS},
    defaults={"order": 1, **DEFAULTS},
    fixes=FIXED,
)
def rouge_n(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], order: int = 1, **parameters: Any
) -> dict[str, float]:
    return scored(f"rouge{order}", hypotheses, references, parameters)


@adapter.metric(
    "rouge-l",
    components=COMPONENTS,
    corpus=False,
    references="one",
    accepts=WORDS,
    defaults=DEFAULTS,
    fixes={"beta_rule": "given", **FIXED},
)
def rouge_l(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, float]:
    return scored("rougeL", hypotheses, references, parameters)


@adapter.metric(
    "rouge-lsum",
    components=COMPONENTS,
    corpus=False,
    references="one",
    accepts=WORDS,
    defaults=DEFAULTS,
    fixes={"beta_rule": "given", "sentences": "newline", "clipping": "hypothesis", "tie": "drop-reference", **FIXED},
)
def rouge_lsum(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, float]:
    return scored("rougeLsum", hypotheses, references, parameters)


@adapter.metric(
    "tokenize",
    accepts={"stemming": {"none", "porter-nltk"}},
    defaults={"stemming": "none"},
    fixes={"tokenizer": "rouge-score", "lowercase": False, "dropped": "none"},
)
def tokenize(text: str, stemming: str = "none") -> list[str]:
    tokens: list[str] = words_of(text, PorterStemmer() if stemming == "porter-nltk" else None)
    return tokens
