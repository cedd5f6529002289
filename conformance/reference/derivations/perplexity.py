"""Perplexity worked out on paper: the loss of each target, their sum and mean, and the power."""

from __future__ import annotations

from typing import Any

from conformance.reference import perplexity as scores
from conformance.reference.derivations.lines import SEGMENTS, Lines, cut

POWERS = {"natural": "e", "two": "2", "ten": "10"}
LOGS = {"natural": "ln", "two": "log2", "ten": "log10"}


def perplexity(**parameters: Any) -> Lines:
    """Perplexity: losses of probabilities one by one, batches one by one, sum, mean and power."""
    answer = scores.perplexity(**parameters)
    logarithm = parameters.get("logarithm", "natural")
    given = parameters.get("probabilities")
    lines: Lines = []
    if given is not None:
        for place, batch in enumerate(scores.in_batches("probabilities", given)[:SEGMENTS], start=1):
            parts = [f"-{LOGS[logarithm]} {each:g}" for each in batch]
            total = scores.perplexity(probabilities=batch, logarithm=logarithm)["total_nll"] if batch else 0.0
            lines.append((f"batch {place}", cut(parts, 8, " + "), total))
    lines.append(("total", "sum of the losses", answer["total_nll"]))
    lines.append(("targets", "tokens scored", answer["targets"]))
    aggregation = parameters.get("aggregation", "pooled")
    working = "mean of the batches' means" if aggregation == "mean-of-losses" else "total/targets"
    lines.append(("mean loss", working, answer["nll"]))
    power = POWERS["natural" if parameters.get("exponential") == "natural" else logarithm]
    working = f"{power}^{answer['nll']:.6g}"
    if aggregation.endswith("perplexities"):
        working = f"{aggregation.replace('-', ' ')}, each {power}^(mean loss of a batch)"
    return [*lines, ("perplexity", working, answer["perplexity"])]
