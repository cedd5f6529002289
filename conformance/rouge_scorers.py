"""What the libraries in the form of rouge-score share: the options of its RougeScorer, and the best reference by F1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from conformance.adapter import Adapter, Unsupported

WORDS: dict[str, Any] = {"tokenizer": {"rouge-score", "whitespace"}, "stemming": {"none", "porter-nltk"}}
DEFAULTS = {"tokenizer": "rouge-score", "stemming": "none"}
FIXED = {"beta": 1, "multi_reference": "best-f1", "aggregation": "mean", "empty": "zero"}
LINES = {"beta_rule": "given", "clipping": "hypothesis", "tie": "drop-reference", **FIXED}
"""What is fixed of ROUGE-Lsum."""
BY_RECALL = ["recall", "precision", "f1", "f_beta"]
BY_F = ["f_beta", "f1", "recall", "precision"]


class Whitespace:
    """A tokenizer in the form that RougeScorer takes: words at white space, as they stand."""

    @staticmethod
    def tokenize(text: str) -> list[str]:
        return text.split()


def scored(
    scorer: Callable[..., Any],
    kind: str,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    parameters: dict[str, Any],
) -> dict[str, float]:
    """Recall, precision and F1 of the one pair, or of the best by F1 of several references."""
    arguments: dict[str, Any] = {}
    if parameters.get("tokenizer") == "whitespace":
        if parameters.get("stemming", "none") != "none":
            raise Unsupported("it stems the words of its own tokenizer alone")
        arguments["tokenizer"] = Whitespace()
    if "stemming" in parameters:
        arguments["use_stemmer"] = parameters["stemming"] == "porter-nltk"
    if "sentences" in parameters:
        arguments["split_summaries"] = parameters["sentences"] == "punkt"
    asked = scorer([kind], **arguments)
    if len(references[0]) == 1:
        found = asked.score(references[0][0], hypotheses[0])[kind]
    else:
        found = asked.score_multi(references[0], hypotheses[0])[kind]
    return {"recall": found.recall, "precision": found.precision, "f1": found.fmeasure, "f_beta": found.fmeasure}


def plug(adapter: Adapter, scorer: Callable[..., Any], tokenizer: Callable[[], Any]) -> None:
    """Plug in a library that takes rouge-score's place: ROUGE-N, ROUGE-L, ROUGE-Lsum by lines, and its words."""

    @adapter.metric(
        "rouge-n",
        components=BY_RECALL,
        corpus=False,
        accepts={"order": None, **WORDS},
        defaults={"order": 1, **DEFAULTS},
        fixes={"counting": "multiset", **FIXED},
    )
    def rouge_n(
        hypotheses: Sequence[str], references: Sequence[Sequence[str]], order: int = 1, **parameters: Any
    ) -> dict[str, float]:
        return scored(scorer, f"rouge{order}", hypotheses, references, parameters)

    @adapter.metric(
        "rouge-l",
        components=BY_F,
        corpus=False,
        accepts=WORDS,
        defaults=DEFAULTS,
        fixes={"beta_rule": "given", **FIXED},
    )
    def rouge_l(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, float]:
        return scored(scorer, "rougeL", hypotheses, references, parameters)

    # Sentences by punkt need NLTK and its resource punkt_tab, which are no dependencies of these libraries.
    @adapter.metric(
        "rouge-lsum",
        components=BY_F,
        corpus=False,
        accepts=WORDS,
        defaults=DEFAULTS,
        fixes={"sentences": "newline", **LINES},
    )
    def rouge_lsum(
        hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any
    ) -> dict[str, float]:
        return scored(scorer, "rougeLsum", hypotheses, references, parameters)

    @adapter.metric(
        "tokenize",
        accepts={"tokenizer": {"rouge-score"}},
        defaults={"tokenizer": "rouge-score"},
        fixes={"lowercase": False},
    )
    def tokenize(text: str, **parameters: Any) -> list[str]:
        tokens: list[str] = tokenizer().tokenize(text)
        return tokens
