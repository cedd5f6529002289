# /// script
# requires-python = ">=3.10"
# dependencies = ["rouge-score-rs==0.2.1"]
# ///
"""rouge-score-rs (https://github.com/SyntaxSpirits/rougers): rouge-score's measures in Rust."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from rouge_score_rs.rouge_scorer import RougeScorer
from rouge_score_rs.tokenizers import DefaultTokenizer

from conformance import Adapter, Unsupported

adapter = Adapter(
    "rouge-score-rs",
    version=version("rouge-score-rs"),
    homepage="https://github.com/SyntaxSpirits/rougers",
    licence="Apache-2.0",
)


class Whitespace:
    """A tokenizer in the form that RougeScorer takes: words at white space, as they stand."""

    @staticmethod
    def tokenize(text: str) -> list[str]:
        return text.split()


STEMMER: dict[str, Any] = {"stemming": {"none", "porter-nltk"}}
WORDS: dict[str, Any] = {"tokenizer": {"rouge-score", "whitespace"}, **STEMMER}
DEFAULTS = {"tokenizer": "rouge-score", "stemming": "none"}
FIXED = {"beta": 1, "multi_reference": "best-f1", "aggregation": "mean", "empty": "zero"}


def scored(
    kind: str, hypotheses: Sequence[str], references: Sequence[Sequence[str]], parameters: dict[str, Any]
) -> dict[str, float]:
    """Recall, precision and F1 of the one pair, or of the best by F1 of several references."""
    arguments: dict[str, Any] = {}
    if parameters.get("tokenizer") == "whitespace":
        if parameters.get("stemming", "none") != "none":
            raise Unsupported("rouge-score-rs stems the words of its own tokenizer alone")
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


@adapter.metric(
    "rouge-n",
    components=["recall", "precision", "f1", "f_beta"],
    corpus=False,
    accepts={"order": None, **WORDS},
    defaults={"order": 1, **DEFAULTS},
    fixes={"counting": "multiset", **FIXED},
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


# Sentences by punkt need NLTK and its resource punkt_tab, which are no dependencies of rouge-score-rs.
@adapter.metric(
    "rouge-lsum",
    components=["f_beta", "f1", "recall", "precision"],
    corpus=False,
    accepts=WORDS,
    defaults=DEFAULTS,
    fixes={"sentences": "newline", "beta_rule": "given", "clipping": "hypothesis", "tie": "drop-reference", **FIXED},
)
def rouge_lsum(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, float]:
    return scored("rougeLsum", hypotheses, references, parameters)


@adapter.metric(
    "tokenize",
    accepts={"tokenizer": {"rouge-score"}},
    defaults={"tokenizer": "rouge-score"},
    fixes={"lowercase": False},
)
def tokenize(text: str, **parameters: Any) -> list[str]:
    tokens: list[str] = DefaultTokenizer().tokenize(text)
    return tokens
