"""ROUGE-N, ROUGE-S and ROUGE-SU worked out on paper: the units, the matches, the references, the ratios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from conformance.reference import rouge, rouge_skip
from conformance.reference import rouge_n as ngrams
from conformance.reference import text as texts
from conformance.reference.derivations.lines import SEGMENTS, Hypotheses, Lines, References, counted
from conformance.reference.rouge_n import Bag
from conformance.reference.tokenizers import Text


def _shown(units: Bag) -> str:
    """A bag of words and pairs as text; the marker before the first word is written ^."""
    named: Counter[str] = Counter()
    for unit, count in units.items():
        parts = unit if isinstance(unit, tuple) else (unit,)
        named[texts.shown(tuple("^" if each is rouge_skip.MARKER else each for each in parts))] += count
    return counted(named)


def _pairs(own: Bag, others: list[Bag]) -> Lines:
    """Both sides of each pair, and what they share."""
    lines: Lines = [("hypothesis", _shown(own), own.total())]
    for place, each in enumerate(others, start=1):
        number = f" {place}" if len(others) > 1 else ""
        lines.append((f"reference{number}", _shown(each), each.total()))
        lines.append((f"matches{number}", _shown(own & each), (own & each).total()))
    return lines


REFERENCES = {
    "pooled": "matches and units summed over the references",
    "best-recall": "all from the reference with the highest recall",
    "best-f1": "all from the reference with the highest F1",
    "best-each": "the highest recall and the highest precision",
    "mean": "the mean over the references",
    "jackknife": "the best by recall, averaged over the sets that leave one reference out",
}


def shares(answer: Mapping[str, Any], parameters: Mapping[str, Any], plain: bool) -> Lines:
    """Recall, precision and F as fractions where counts make them (`plain`), else as means."""
    m, h, r = answer["matches"], answer["hypothesis_total"], answer["reference_total"]
    workings = {"recall": f"{m}/{r}", "precision": f"{m}/{h}", "f1": f"2*{m}/({h} + {r})"} if plain else {}
    lines: Lines = [(name, workings.get(name, "mean"), answer[name]) for name in ("recall", "precision", "f1")]
    beta = parameters.get("beta", 1)
    return lines if beta == 1 else [*lines, ("f_beta", f"F with beta {beta:g}", answer["f_beta"])]


def _derived(
    metric: Callable[..., dict[str, Any]],
    bag: Callable[[Text], Bag],
    hypotheses: Hypotheses,
    references: References,
    parameters: dict[str, Any],
) -> Lines:
    answer = metric(hypotheses, references, **parameters)
    rule = parameters.get("multi_reference", "pooled")
    counts = rule not in rouge.UNPOOLED
    lines: Lines = []
    if len(hypotheses) == 1:
        several = references[0]
        lines += _pairs(bag(hypotheses[0]), [bag(each) for each in several])
        counts = counts or (len(several) == 1 and rule != "jackknife")
        if len(several) > 1 or rule == "jackknife":
            lines.append(("references", REFERENCES[rule], len(several)))
    elif parameters.get("aggregation") == "pooled":
        lines.append(("segments", "matches and units summed over them", len(hypotheses)))
    else:
        counts = False
        for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
            if place <= SEGMENTS:
                one = metric([hypothesis], [several], **parameters)
                working = f"recall {one['recall']:.6g}, precision {one['precision']:.6g}"
                lines.append((f"segment {place}", working, one["f1"]))
        lines.append(("segments", "each ratio is a mean over them", len(hypotheses)))
    return [*lines, *shares(answer, parameters, counts)]


def rouge_n(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """ROUGE-N: n-grams of each text, the matches, the ratios."""
    order, counting = parameters.get("order", 1), parameters.get("counting", "multiset")
    bag = partial(ngrams.bag, order=order, counting=counting, **_words(parameters))
    return _derived(ngrams.rouge_n, bag, hypotheses, references, parameters)


def rouge_s(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """ROUGE-S: the pairs of words of each text, the matches, the ratios."""
    bag = partial(rouge_skip.bag, max_gap=_gap(parameters), unigrams="none", **_words(parameters))
    return _derived(rouge_skip.rouge_s, bag, hypotheses, references, parameters)


def rouge_su(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """ROUGE-SU: words and pairs of words of each text, the matches, the ratios."""
    unigrams = parameters.get("unigrams", "added")
    bag = partial(rouge_skip.bag, max_gap=_gap(parameters), unigrams=unigrams, **_words(parameters))
    return _derived(rouge_skip.rouge_su, bag, hypotheses, references, parameters)


def _gap(parameters: dict[str, Any]) -> int | str:
    gap: int | str = parameters.get("max_gap", "unlimited")
    return gap


def _words(parameters: dict[str, Any]) -> dict[str, str]:
    """The parameters that make words of a text."""
    return {
        "tokenizer": parameters.get("tokenizer", "whitespace"),
        "stemming": parameters.get("stemming", "none"),
    }
