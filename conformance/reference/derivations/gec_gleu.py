"""GEC GLEU+ worked out on paper: what is matched and what subtracted, the precisions, the penalty, the mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.reference import gec_gleu as scores
from conformance.reference import text as texts
from conformance.reference.derivations.lines import Hypotheses, Lines, References, cut
from conformance.reference.tokenizers import Text, tokens_of

ITERATIONS = 10
"""So many different corpus scores are shown, each with how often it was drawn."""


def gec_gleu(hypotheses: Hypotheses, references: References, sources: Sequence[Text], **parameters: Any) -> Lines:
    """GEC GLEU+: the n-grams of one segment, the statistics, and the scores that are averaged."""
    answer = scores.gec_gleu(hypotheses, references, sources, **parameters)
    lines: Lines = []
    if len(hypotheses) == 1:
        for place, reference in enumerate(references[0], start=1):
            label = f"reference {place}: " if len(references[0]) > 1 else ""
            lines += _grams(hypotheses[0], reference, sources[0], label, parameters)
            if place == 3:
                break
    several = max((len(each) for each in references), default=0) > 1
    mean = "mean of " if several else ""
    orders = zip(answer["matches"], answer["penalties"], answer["totals"], answer["precisions"], strict=True)
    for order, (matches, penalties, total, precision) in enumerate(orders, start=1):
        working = f"max({matches:g} - {penalties:g}, 0)/{total}" if total else "no n-gram"
        lines.append((f"p{order}", mean + working, precision))
    c, r, penalty = answer["hypothesis_length"], answer["reference_length"], answer["brevity_penalty"]
    lines += [("c", "output tokens", c), ("r", f"{mean}reference tokens", r)]
    lines.append(("brevity penalty", f"{mean}exp(1 - {r:g}/{c})" if penalty != 1 and c else f"{penalty:g}", penalty))
    if parameters.get("aggregation") == "mean":
        return [*lines, ("GLEU+", f"mean over {len(hypotheses)} segments", answer["score"])]
    if several:
        return [*lines, *_sampled(hypotheses, references, sources, parameters, answer["score"])]
    factors = cut([f"{each:.6g}" for each in answer["precisions"]], 8, " * ")
    root = 4 if parameters.get("root") == "fourth" else len(answer["precisions"])
    smoothed = ", each zero count as one" if parameters.get("smoothing") == "ones" else ""
    return [*lines, ("GLEU+", f"{penalty:.6g} * ({factors})^(1/{root}){smoothed}", answer["score"])]


def _grams(hypothesis: Text, reference: Text, source: Text, label: str, parameters: dict[str, Any]) -> Lines:
    """What one output shares with one reference and with its source, for orders 1 to 4."""
    split = parameters.get("tokenizer", "whitespace"), parameters.get("lowercase", False)
    most = min(parameters.get("max_order", 4), 4)
    own, other, original = (scores.counts(tokens_of(each, *split), most) for each in (hypothesis, reference, source))
    lines: Lines = []
    for order in range(most):
        kept = {gram: min(count, original[order].get(gram, 0)) for gram, count in own[order].items()}
        wanted = {gram: min(count, other[order].get(gram, 0)) for gram, count in own[order].items()}
        matched = [f"{texts.shown(gram)}: {count}" for gram, count in wanted.items() if count]
        rule = parameters.get("penalty", "occurrences")
        counted = scores.subtracted(own[order], original[order], other[order], rule)
        beyond = [
            f"{texts.shown(gram)}: {count} - {wanted[gram]}"
            for gram, count in kept.items()
            if count > wanted[gram] and (rule == "occurrences" or not wanted[gram])
        ]
        lines.append((f"{label}{order + 1}-gram matches", cut(matched, 8, "; "), sum(wanted.values())))
        lines.append((f"{label}{order + 1}-grams kept", cut(beyond, 8, "; "), counted))
    return lines


def _sampled(
    hypotheses: Hypotheses, references: References, sources: Sequence[Text], parameters: dict[str, Any], score: float
) -> Lines:
    """The corpus scores that are averaged: each choice of references with how often it was made."""
    drawn = scores.samples(
        [len(each) for each in references],
        parameters.get("iterations", 500),
        parameters.get("multi_reference", "sampled"),
    )
    often: dict[tuple[int, ...], int] = {}
    for places in map(tuple, drawn):
        often[places] = often.get(places, 0) + 1
    lines: Lines = []
    for places, count in sorted(often.items(), key=lambda each: (-each[1], each[0]))[:ITERATIONS]:
        chosen = [[several[place]] for several, place in zip(references, places, strict=True)]
        one = scores.gec_gleu(hypotheses, chosen, sources, **parameters)["score"]
        lines.append((f"{count} of {len(drawn)}", f"references {cut([place + 1 for place in places], 12, ', ')}", one))
    return [*lines, ("GLEU+", f"mean of {len(drawn)} corpus scores", score)]
