"""ROUGE-L, ROUGE-Lsum and ROUGE-W against rouge-score and, where it is installed, rouge-metric and rapidrouge."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.bench import corpus
from conformance.reference import rouge_l, rouge_w

SEGMENTS = 2000
LINES = 5
"""The sentences of a text in the ROUGE-Lsum row."""


class Whitespace:
    """A tokenizer in the form that RougeScorer takes."""

    @staticmethod
    def tokenize(text: str) -> list[str]:
        return text.split()


def scorer(module: str, kind: str) -> Any:
    """A RougeScorer of one type, on words at white space."""
    return import_module(module).RougeScorer([kind], tokenizer=Whitespace())


def lines(text: str) -> str:
    """A text in lines of equal length."""
    words = text.split()
    size = -(-len(words) // LINES)
    return "\n".join(" ".join(words[start : start + size]) for start in range(0, len(words), size))


def each(score: Callable[[str, str], Any], hypotheses: list[str], references: list[str]) -> Callable[[], Any]:
    """A call that scores all pairs; rouge-score takes the reference first."""
    return lambda: [score(r, h) for h, r in zip(hypotheses, references, strict=True)]


def rows() -> list[tuple[str, Callable[[], Any], dict[str, Callable[[], Any]]]]:
    """Label, the reference's call, and the calls of its peers."""
    hypotheses, several = corpus(SEGMENTS, 1)
    references = [one[0] for one in several]
    split = [lines(one) for one in hypotheses], [lines(one) for one in references]
    peers: dict[str, dict[str, Callable[[], Any]]] = {"rouge-l": {}, "rouge-lsum": {}, "rouge-w": {}}
    for name, module in (("rouge-score", "rouge_score"), ("rapidrouge", "rapidrouge")):
        if find_spec(module):
            whole, parts = (scorer(f"{module}.rouge_scorer", kind).score for kind in ("rougeL", "rougeLsum"))
            peers["rouge-l"][f"{name} (Python)"] = each(whole, hypotheses, references)
            peers["rouge-lsum"][f"{name} (Python)"] = each(parts, *split)
    if find_spec("rouge_metric"):
        weighted = import_module("rouge_metric.py_rouge")._rouge_w_sentence_level
        words = [(h.split(), r.split()) for h, r in zip(hypotheses, references, strict=True)]
        peers["rouge-w"]["rouge-metric (Python)"] = lambda: [weighted(h, r, 1.2) for h, r in words]
    return [
        ("ROUGE-L", lambda: rouge_l.rouge_l(hypotheses, several), peers["rouge-l"]),
        (
            f"ROUGE-Lsum, {LINES} lines",
            lambda: rouge_l.rouge_lsum(split[0], [[one] for one in split[1]]),
            peers["rouge-lsum"],
        ),
        ("ROUGE-W", lambda: rouge_w.rouge_w(hypotheses, several), peers["rouge-w"]),
    ]


def growth() -> dict[str, Callable[[int], Callable[[], Any]]]:
    """The call to time on a pair of texts of n words."""

    def pair(metric: Callable[..., Any]) -> Callable[[int], Callable[[], Any]]:
        def of(n: int) -> Callable[[], Any]:
            hypotheses, references = corpus(1, 1, length=max(n, 9))
            return lambda: metric(hypotheses, references)

        return of

    return {
        "ROUGE-L": pair(rouge_l.rouge_l),
        "ROUGE-Lsum": pair(rouge_l.rouge_lsum),
        "ROUGE-W": pair(rouge_w.rouge_w),
    }
