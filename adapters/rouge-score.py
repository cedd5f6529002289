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

from conformance import Adapter, Unsupported
from conformance.carried import nltk_data

nltk.data.path += nltk_data()

adapter = Adapter(
    "rouge-score",
    version=version("rouge-score"),
    homepage="https://github.com/google-research/google-research/tree/master/rouge",
    licence="Apache-2.0",
)


class Whitespace:
    """A tokenizer in the form that RougeScorer takes: words at white space, as they stand."""

    @staticmethod
    def tokenize(text: str) -> list[str]:
        return text.split()


WORDS = {"tokenizer": {"rouge-score", "whitespace"}, "stemming": {"none", "porter-nltk"}}
DEFAULTS = {"tokenizer": "rouge-score", "stemming": "none"}
FIXED = {"beta": 1, "multi_reference": "best-f1", "aggregation": "mean", "empty": "zero"}


def scored(
    kind: str,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    parameters: dict[str, Any],
) -> dict[str, float]:
    """Recall, precision and F1 of the one pair, or of the best by F1 of several references."""
    arguments: dict[str, Any] = {}
    if parameters.get("tokenizer") == "whitespace":
        if parameters.get("stemming", "none") != "none":
            raise Unsupported("rouge-score stems the words of its own tokenizer alone")
        arguments["tokenizer"] = Whitespace()
    if "stemming" in parameters:
        arguments["use_stemmer"] = parameters["stemming"] == "porter-nltk"
    if "sentences" in parameters:
        arguments["split_summaries"] = parameters["sentences"] == "punkt"
    scorer = RougeScorer([kind], **arguments)
    if len(references[0]) == 1:
        found = scorer.score(references[0][0], hypotheses[0])[kind]
    else:
        found = scorer.score_multi(references[0], hypotheses[0])[kind]
    return {"recall": found.recall, "precision": found.precision, "f1": found.fmeasure, "f_beta": found.fmeasure}


# Orders above 9 are no type to rouge-score; it says so itself.
@adapter.metric(
    "rouge-n",
    components=["recall", "precision", "f1", "f_beta"],
    corpus=False,
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
    components=["f_beta", "f1", "recall", "precision"],
    corpus=False,
    accepts=WORDS,
    defaults=DEFAULTS,
    fixes={"beta_rule": "given", **FIXED},
)
def rouge_l(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, float]:
    return scored("rougeL", hypotheses, references, parameters)


def lacks() -> dict[str, dict[str, list[str]]]:
    """NLTK's model of sentences, where it is not here: python -m nltk.downloader punkt_tab."""
    try:
        nltk.data.find("tokenizers/punkt_tab")
    except LookupError:
        return {"punkt_tab": {"sentences": ["punkt"]}}
    return {}


@adapter.metric(
    "rouge-lsum",
    components=["f_beta", "f1", "recall", "precision"],
    corpus=False,
    accepts={"sentences": {"newline", "punkt"}, **WORDS},
    defaults={"sentences": "newline", **DEFAULTS},
    fixes={"beta_rule": "given", "clipping": "hypothesis", "tie": "drop-reference", **FIXED},
    lacks=lacks(),
)
def rouge_lsum(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, float]:
    return scored("rougeLsum", hypotheses, references, parameters)


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
