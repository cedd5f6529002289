# /// script
# requires-python = ">=3.10"
# dependencies = ["rouge-score==0.1.2"]
#
# [tool.conformance]
# without-dependencies = ["llama-index-core==0.14.25"]  # carries NLTK's punkt_tab
# ///
"""rouge-score (https://github.com/google-research/google-research/tree/master/rouge): ROUGE and its words."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import nltk
import numpy as np
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.scoring import BootstrapAggregator, Score
from rouge_score.tokenizers import DefaultTokenizer

from conformance import Adapter
from conformance.carried import nltk_data
from conformance.rouge_scorers import BY_F, BY_RECALL, DEFAULTS, FIXED, LINES, WORDS, scored

nltk.data.path += nltk_data()

adapter = Adapter(
    "rouge-score",
    version=version("rouge-score"),
    homepage="https://github.com/google-research/google-research/tree/master/rouge",
    licence="Apache-2.0",
)


# Orders above 9 are no type to rouge-score; it says so itself.
@adapter.metric(
    "rouge-n",
    components=BY_RECALL,
    corpus=False,
    accepts={"order": None, **WORDS},
    defaults={"order": 1, **DEFAULTS},
    fixes=FIXED,
)
def rouge_n(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], order: int = 1, **parameters: Any
) -> dict[str, float]:
    return scored(RougeScorer, f"rouge{order}", hypotheses, references, parameters)


@adapter.metric(
    "rouge-l",
    components=BY_F,
    corpus=False,
    accepts=WORDS,
    defaults=DEFAULTS,
    fixes={"beta_rule": "given", **FIXED},
)
def rouge_l(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, float]:
    return scored(RougeScorer, "rougeL", hypotheses, references, parameters)


def lacks() -> dict[str, dict[str, list[str]]]:
    """NLTK's model of sentences, where it is not here: python -m nltk.downloader punkt_tab."""
    try:
        nltk.data.find("tokenizers/punkt_tab")
    except LookupError:
        return {"punkt_tab": {"sentences": ["punkt"]}}
    return {}


@adapter.metric(
    "rouge-lsum",
    components=BY_F,
    corpus=False,
    accepts={"sentences": {"newline", "punkt"}, **WORDS},
    defaults={"sentences": "newline", **DEFAULTS},
    fixes=LINES,
    lacks=lacks(),
)
def rouge_lsum(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, float]:
    return scored(RougeScorer, "rougeLsum", hypotheses, references, parameters)


@adapter.metric(
    "tokenize",
    accepts={"tokenizer": {"rouge-score"}, "stemming": {"none", "porter-nltk"}},
    defaults={"tokenizer": "rouge-score", "stemming": "none"},
    fixes={"lowercase": False, "dropped": "none"},
)
def tokenize(text: str, stemming: str = "none", **parameters: Any) -> list[str]:
    tokens: list[str] = DefaultTokenizer(use_stemmer=stemming == "porter-nltk").tokenize(text)
    return tokens


SEED = 12345
"""Where none is asked for: there is no argument for a seed, and without one no two runs are the same."""


@adapter.metric(
    "bootstrap",
    components=["low", "high", "median"],
    given=["system"],
    accepts={"samples": None, "level": None, "seed": None},
    defaults={"samples": 1000, "level": 0.95, "seed": SEED},
    fixes={
        "metric": "none",
        "aggregation": "mean",
        "unit": "case",
        "resampling": "numpy-global",
        "interval": "linear",
    },
)
def bootstrap(*, system: Sequence[float], seed: int = SEED, **parameters: Any) -> dict[str, float]:
    names = {"samples": "n_samples", "level": "confidence_interval"}
    aggregator = BootstrapAggregator(**{names[name]: value for name, value in parameters.items()})
    np.random.seed(seed)
    for value in system:
        aggregator.add_scores({"": Score(value, value, value)})
    found = aggregator.aggregate()[""]
    return {"low": found.low.fmeasure, "high": found.high.fmeasure, "median": found.mid.fmeasure}
