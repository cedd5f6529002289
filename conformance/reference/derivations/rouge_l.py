"""ROUGE-L, ROUGE-Lsum and ROUGE-W worked out on paper: the common subsequences, their unions or runs, the ratios."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from conformance.reference import rouge, rouge_text
from conformance.reference import rouge_l as subsequences
from conformance.reference import rouge_w as weighted
from conformance.reference.derivations.lines import SEGMENTS, TABLE_SIDE, Hypotheses, Lines, References, cut
from conformance.reference.derivations.rouge_n import REFERENCES
from conformance.reference.tokenizers import Text

Pair = Callable[[Text, Text, str], Lines]
Shares = Callable[[dict[str, Any]], dict[str, str]]

REFERENCES_SHOWN = 4
"""So many references of a segment are shown one by one."""
SENTENCES_SHOWN = 6
"""So many sentences of a text are shown one by one."""


def _derived(
    metric: Callable[..., dict[str, Any]],
    pair: Pair,
    shares: Shares,
    hypotheses: Hypotheses,
    references: References,
    parameters: dict[str, Any],
) -> Lines:
    """The lines of a pair for each reference, then the ratios: as fractions where counts make them, else means."""
    answer = metric(hypotheses, references, **parameters)
    rule = parameters.get("multi_reference", "best-f1")
    plain = rule not in rouge.UNPOOLED
    lines: Lines = []
    if len(hypotheses) == 1:
        several = references[0]
        for place, each in enumerate(several[:REFERENCES_SHOWN], start=1):
            found = pair(hypotheses[0], each, f" {place}" if len(several) > 1 else "")
            lines += found if place == 1 else found[1:]  # the hypothesis, once
        plain = plain or (len(several) == 1 and rule != "jackknife")
        if len(several) > 1 or rule == "jackknife":
            lines.append(("references", REFERENCES[rule], len(several)))
    elif parameters.get("aggregation") == "pooled":
        lines.append(("segments", "matches and totals summed over them", len(hypotheses)))
    else:
        plain = False
        for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
            if place <= SEGMENTS:
                one = metric([hypothesis], [several], **parameters)
                working = f"recall {one['recall']:.6g}, precision {one['precision']:.6g}"
                lines.append((f"segment {place}", working, one["f_beta"]))
        lines.append(("segments", "each ratio is a mean over them", len(hypotheses)))
    workings = shares(answer) if plain else {}
    lines += [(name, workings.get(name, "mean"), answer[name]) for name in ("recall", "precision", "f1")]
    return [*lines, ("f_beta", _beta(parameters), answer["f_beta"])]


def _beta(parameters: dict[str, Any]) -> str:
    rule = parameters.get("beta_rule", "given")
    if rule != "given":
        return {"infinite": "recall, as beta is infinite", "ratio": "F with beta P/R"}[rule]
    return f"F with beta {parameters.get('beta', 1):g}"


def _fractions(answer: dict[str, Any]) -> dict[str, str]:
    m, h, r = (answer[name] for name in ("matches", "hypothesis_total", "reference_total"))
    return {"recall": f"{m}/{r}", "precision": f"{m}/{h}", "f1": f"2*{m}/({h} + {r})"}


def _words(parameters: dict[str, Any]) -> tuple[str, str]:
    return parameters.get("tokenizer", "whitespace"), parameters.get("stemming", "none")


def rouge_l(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """ROUGE-L: both sequences, a longest common subsequence, the ratios."""

    def pair(hypothesis: Text, reference: Text, number: str) -> Lines:
        own, other = (rouge_text.words(each, *_words(parameters)) for each in (hypothesis, reference))
        common = [other[place] for place in subsequences.union(other, [own], "drop-reference")]
        return [
            ("hypothesis", cut(own), len(own)),
            (f"reference{number}", cut(other), len(other)),
            (f"in the same order{number}", cut(common), len(common)),
        ]

    return _derived(subsequences.rouge_l, pair, _fractions, hypotheses, references, parameters)


def rouge_lsum(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """ROUGE-Lsum: the sentences, the union of each reference sentence, the clipped hits, the ratios."""
    clipping, tie = parameters.get("clipping", "hypothesis"), parameters.get("tie", "drop-reference")

    def sentences(text: Text) -> list[list[str]]:
        return subsequences.split(text, parameters.get("sentences", "newline"), *_words(parameters))

    def pair(hypothesis: Text, reference: Text, number: str) -> Lines:
        own, others = sentences(hypothesis), sentences(reference)
        lines: Lines = [("hypothesis", cut([" ".join(each) for each in own], 6, " | "), sum(map(len, own)))]
        for other in others[:SENTENCES_SHOWN]:
            taken = [other[place] for place in subsequences.union(other, own, tie)]
            lines.append((f"reference{number}", cut(other), len(other)))
            lines.append((f"union{number}", cut(taken), len(taken)))
        hits = subsequences.union_hits(own, others, clipping, tie)
        working = "all unions" if clipping == "none" else "all unions, each word as often as the hypothesis has it"
        return [*lines, (f"hits{number}", working, hits.total())]

    return _derived(subsequences.rouge_lsum, pair, _fractions, hypotheses, references, parameters)


def rouge_w(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """ROUGE-W: the dynamic program, the weight of the common subsequence, the ratios and their inverse."""
    weight, runs = parameters.get("weight", 1.2), parameters.get("runs", "program")
    names = {
        "program": "last cell of the dynamic program",
        "best": "the most that runs in both texts weigh",
        "reference-only": "runs of marked words in the reference",
    }
    twice = parameters.get("reference_total", "once") == "twice"

    def pair(hypothesis: Text, reference: Text, number: str) -> Lines:
        own, other = (rouge_text.words(each, *_words(parameters)) for each in (hypothesis, reference))
        answer = weighted.rouge_w([hypothesis], [[reference]], **{**parameters, "multi_reference": "best-f1"})
        total = f"f(f({len(other)}))" if twice else f"f({len(other)})"
        return [
            ("hypothesis", f"{cut(own)}: f({len(own)}) with f(k) = k^{weight:g}", answer["hypothesis_total"]),
            (f"reference{number}", f"{cut(other)}: {total}", answer["reference_total"]),
            *(_table(other, own, weight) if runs == "program" and number in ("", " 1") else []),
            (f"W{number}", names[runs], answer["matches"]),
        ]

    def roots(answer: dict[str, Any]) -> dict[str, str]:
        w, h, r = (answer[name] for name in ("matches", "hypothesis_total", "reference_total"))
        root = f"^(1/{weight:g})"
        return {"recall": f"({w:.6g}/{r:.6g}){root}", "precision": f"({w:.6g}/{h:.6g}){root}", "f1": "2PR/(P + R)"}

    return _derived(weighted.rouge_w, pair, roots, hypotheses, references, parameters)


def _table(x: Sequence[str], y: Sequence[str], weight: float) -> Lines:
    """The rows of the dynamic program, one for each word of x."""
    if not x or not y or len(x) > TABLE_SIDE or len(y) > TABLE_SIDE:
        return []
    f = [k**weight for k in range(max(len(x), len(y)) + 1)]
    width = max(5, *(len(each) for each in (*x, *y)))
    lines: Lines = [("table", " ".join(f"{each:>{width}.{width}}" for each in ("", *y)), None)]
    for word, row in zip(x, weighted.weighted_rows(x, y, f), strict=True):
        cells = " ".join(f"{cell:{width}.2f}" for cell in row[1:])
        lines.append(("", f"{word:>{width}} {cells}", None))
    return lines
