"""ROUGE-N, ROUGE-S and ROUGE-SU against rouge-score and, where they are installed, rapidrouge and rouge-metric."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.corpora import WORDS, corpus
from conformance.reference.rouge_n import rouge_n
from conformance.reference.rouge_skip import rouge_s, rouge_su

Call = Callable[[], Any]


class Whitespace:
    """A tokenizer in the form that RougeScorer takes."""

    @staticmethod
    def tokenize(text: str) -> list[str]:
        return text.split()


def scorers(kind: str, hypotheses: list[str], references: list[list[str]], tokenizer: Any) -> dict[str, Call]:
    """The calls of the libraries with rouge-score's interface: the best of several references for each segment."""
    calls: dict[str, Call] = {}
    for name, module in (("rouge-score", "rouge_score"), ("rapidrouge", "rapidrouge")):
        if find_spec(module):
            scorer = import_module(f"{module}.rouge_scorer").RougeScorer([kind], tokenizer=tokenizer)

            def call(score: Any = scorer.score_multi) -> Any:
                return [score(several, own) for own, several in zip(hypotheses, references, strict=True)]

            calls[f"{name} (Python)"] = call
    return calls


def package(hypotheses: list[str], references: list[list[str]], **options: Any) -> dict[str, Call]:
    """rouge-metric's call, as far as it is installed; it takes the sentences of each text."""
    if not find_spec("rouge_metric"):
        return {}
    scorer = import_module("rouge_metric").PyRouge(rouge_l=False, **options)
    own = [[each.split()] for each in hypotheses]
    others = [[[one.split()] for one in each] for each in references]
    return {"rouge-metric (Python)": lambda: scorer.evaluate_tokenized(own, others)}


def rows() -> list[tuple[str, Call, dict[str, Call]]]:
    """Each measure's name, the reference's call, and those of its peers, on the same 2,000 segments."""
    hypotheses, references = corpus(2000, 4)
    names = ("ROUGE-1", "ROUGE-2")
    found: list[tuple[str, Call, dict[str, Call]]] = []
    for order, name in enumerate(names, start=1):
        peers = scorers(f"rouge{order}", hypotheses, references, Whitespace())
        peers |= package(hypotheses, references, rouge_n=order)

        def ours(order: int = order) -> Any:
            return rouge_n(hypotheses, references, order=order)

        found.append((f"{name}, 4 references", ours, peers))
    return [
        *found,
        (
            "ROUGE-1, rouge-score's tokens",
            lambda: rouge_n(hypotheses, references, multi_reference="best-f1", tokenizer="rouge-score"),
            scorers("rouge1", hypotheses, references, None),
        ),
        (
            "ROUGE-S4, 4 references",
            lambda: rouge_s(hypotheses, references, max_gap=4),
            package(hypotheses, references, rouge_n=False, rouge_s=True, skip_gap=4),
        ),
        (
            "ROUGE-SU, 4 references",
            lambda: rouge_su(hypotheses, references),
            package(hypotheses, references, rouge_n=False, rouge_su=True),
        ),
    ]


def growth() -> dict[str, Callable[[int], Call]]:
    """Each measure's call on texts of n words: linear for n-grams and a limited gap, quadratic for all pairs."""

    def of(metric: Callable[..., Any], **parameters: Any) -> Callable[[int], Call]:
        def made(words: int) -> Call:
            text = [WORDS[place * 7 % len(WORDS)] for place in range(words)]
            return lambda: metric([text], [[text[::-1]]], **parameters)

        return made

    su = of(rouge_su)
    return {
        "ROUGE-2": of(rouge_n, order=2),
        "ROUGE-S4": of(rouge_s, max_gap=4),
        "ROUGE-SU of a tenth of the tokens": lambda words: su(words // 10),
    }
