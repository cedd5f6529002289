"""chrF worked out on paper: the references' scores, matches of every order, the means, F."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

from conformance.reference import chrf as chrfs
from conformance.reference.derivations.lines import SEGMENTS, Hypotheses, Lines, References, cut

ORDERS = 12
"""So many orders are shown one by one."""


def chrf(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """chrF: the chosen reference, matches and ratios of every order, the means, F."""
    answer = chrfs.chrf(hypotheses, references, **parameters)
    chosen = {name: each.default for name, each in signature(chrfs.chrf).parameters.items()} | parameters
    if chosen["aggregation"] == "mean":
        return [*_segments(hypotheses, references, parameters), _last("mean of the segments", answer)]
    lines: Lines = []
    if len(hypotheses) == 1:
        lines += _pair(hypotheses[0], [each for each in references[0] if each is not None], chosen, parameters)
    columns = [answer[name] for name in ("matches", "hypothesis_totals", "reference_totals")]
    lines += _orders(list(zip(*columns, strict=True)), chosen)
    means = "mean over the orders that count"
    lines += [(name.capitalize(), means, answer[name]) for name in ("precision", "recall")]
    if chosen["average"] == "f":
        return [*lines, _last(f"mean of F {means[5:]}", answer)]
    p, r = (f"{answer[name]:.6g}" for name in ("precision", "recall"))
    weight = f"{chosen['beta']:g}^2"
    return [*lines, _last(f"(1 + {weight}) * {p} * {r} / ({weight} * {p} + {r})", answer)]


def _last(working: str, answer: Mapping[str, Any]) -> tuple[str, str, Any]:
    return "chrF", working, answer["score"]


def _segments(hypotheses: Hypotheses, references: References, parameters: dict[str, Any]) -> Lines:
    """The score of each of the first segments."""
    lines: Lines = []
    for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
        if place <= SEGMENTS:
            alone = {**parameters, "unmatched_segment": "counted"}
            one = chrfs.chrf([hypothesis], [several], **alone)["score"]
            lines.append((f"segment {place}", "chrF of the segment alone", one))
    return lines


def _pair(
    hypothesis: Any, references: Sequence[Any], chosen: Mapping[str, Any], parameters: Mapping[str, Any]
) -> Lines:
    """Both sides of one segment in its shortest n-grams, and the score against each reference where there are several."""
    orders = _counted(chosen)
    own = orders.ngrams(hypothesis)
    lines: Lines = [("hypothesis", _shown(own[0]), len(own[0]))]
    for place, reference in enumerate(references, start=1):
        other = orders.ngrams(reference)
        number = f" {place}" if len(references) > 1 else ""
        lines.append((f"reference{number}", _shown(other[0]), len(other[0])))
        if number and place <= SEGMENTS:
            one = chrfs.chrf([hypothesis], [[reference]], **parameters)["score"]
            lines.append((f"chrF{number}", f"against reference {place} alone", one))
        if not number:
            shared = Counter(own[0]) & Counter(other[0])
            lines.append(("shared", _shown(sorted(shared.elements())), sum(shared.values())))
    return lines


def _shown(ngrams: Sequence[Any]) -> str:
    """N-grams side by side; a unit of a tuple without its tuple."""
    return cut(["".join(each) for each in ngrams], 30)


def _counted(chosen: Mapping[str, Any]) -> chrfs.Orders:
    return chrfs.Orders(**{name: chosen[name] for name in chrfs.Orders.__slots__})


def _orders(counts: Sequence[chrfs.Counts], chosen: Mapping[str, Any]) -> Lines:
    """Precision, recall and F of every order."""
    formula = chrfs.Formula(chosen["beta"], chosen["average"], chosen["missing_orders"], chosen["both_empty"])
    lines: Lines = []
    for name, (matches, own, other) in list(zip(_counted(chosen).names(), counts, strict=True))[:ORDERS]:
        found = formula.order(matches, own, other)
        working = f"P = {matches}/{own}, R = {matches}/{other}"
        if found is None:
            lines.append((name, f"{working}: left out", None))
        else:
            lines.append((name, f"{working}; F", found[0]))
    return lines
