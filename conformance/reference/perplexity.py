"""Perplexity of given text under a model, and the windows in which a long text is scored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from conformance.reference.shape import choice, flag, text_or_tokens, whole
from conformance.reference.text import elements
from conformance.reference.tokenizers import Text

LOGARITHMS = {"natural": 1.0, "two": math.log(2), "ten": math.log(10)}
"""The natural logarithm of each base."""
AGGREGATIONS = ("pooled", "mean-of-perplexities", "weighted-mean-of-perplexities", "mean-of-losses")
Losses = list[float]


def perplexity(
    *,
    probabilities: Sequence[Any] | None = None,
    log_probabilities: Sequence[Any] | None = None,
    logits: Sequence[Any] | None = None,
    labels: Sequence[Any] | None = None,
    logarithm: str = "natural",
    exponential: str = "same",
    aggregation: str = "pooled",
    alignment: str = "next",
    ignored_label: int = -100,
    no_targets: str = "error",
) -> dict[str, Any]:
    """b ** (total / targets), where total is the sum of -log_b of the probability of each target; 1 and up.

    One of: probabilities or log_probabilities, a list of the targets' (or a list of such lists, one a batch);
    logits as [sequence][position][symbol] with labels as [sequence][position] (or a list of each, one a
    batch). Logits at a position score the label after it (alignment next) or its own (same); ignored labels
    are context only. An impossible target makes the perplexity infinite. Raises TypeError and ValueError.
    Source: Jelinek et al. 1977.
    """
    choice("logarithm", logarithm, tuple(LOGARITHMS))
    choice("exponential", exponential, ("same", "natural"))
    choice("aggregation", aggregation, AGGREGATIONS)
    choice("alignment", alignment, ("next", "same"))
    choice("no_targets", no_targets, ("error", "nan"))
    whole("ignored_label", ignored_label, -(2**63), 2**63 - 1)
    forms = {"probabilities": probabilities, "log_probabilities": log_probabilities, "logits": logits}
    given = [name for name, value in forms.items() if value is not None]
    if len(given) != 1:
        raise ValueError(f"expected one of {', '.join(forms)}, found {' and '.join(given) or 'none'}")
    if (labels is None) != (logits is None):
        raise ValueError("logits and labels belong together")
    unit = LOGARITHMS[logarithm]
    if probabilities is not None:
        batches = [_of_probabilities(each, unit) for each in in_batches("probabilities", probabilities)]
    elif log_probabilities is not None:
        batches = [_of_logarithms(each) for each in in_batches("log_probabilities", log_probabilities)]
    else:
        batches = _of_logits(logits, labels, unit, alignment == "next", ignored_label)
    losses = [each for each in batches if each]
    base = 1.0 if exponential == "natural" else unit
    targets = sum(map(len, losses))
    total = sum_of(losses[0] if len(losses) == 1 else [loss for batch in losses for loss in batch])
    if not targets:
        if no_targets == "error":
            raise ValueError("expected at least one target, found none")
        return {"perplexity": math.nan, "nll": math.nan, "total_nll": 0.0, "targets": 0}
    nll, value = aggregated(losses, total / targets, base, aggregation)
    return {"perplexity": value, "nll": nll, "total_nll": total, "targets": targets}


def aggregated(batches: Sequence[Losses], mean: float, base: float, aggregation: str) -> tuple[float, float]:
    """The mean loss and the perplexity of several batches; `base` is the natural logarithm of the base."""
    means = [sum_of(batch) / len(batch) for batch in batches]
    if aggregation == "mean-of-losses":
        mean = sum_of(means) / len(means)
    if aggregation in ("pooled", "mean-of-losses"):
        return mean, raised(mean, base)
    sizes = [len(batch) if aggregation.startswith("weighted") else 1 for batch in batches]
    values = [size * raised(each, base) for size, each in zip(sizes, means, strict=True)]
    return mean, sum_of(values) / sum(sizes)


def sum_of(values: Sequence[float]) -> float:
    """A sum that is infinite where a part is, and else exact before it is rounded."""
    return math.inf if math.inf in values else math.fsum(values)


def raised(mean: float, base: float) -> float:
    """A base, by its natural logarithm, to the power of the mean loss; infinite where no double is as large."""
    try:
        return math.exp(mean * base)
    except OverflowError:
        return math.inf


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _list(name: str, value: Any) -> Sequence[Any]:
    if not _is_list(value):
        raise TypeError(f"{name}: expected a list, found {value!r:.60}")
    found: Sequence[Any] = value
    return found


def _real(name: str, value: Any) -> float:
    """A number that is one. Raises TypeError and ValueError."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name}: expected a number, found {value!r:.60}")
    if value != value:
        raise ValueError(f"{name}: expected a number, found nan")
    return value


def in_batches(name: str, values: Any) -> list[Sequence[Any]]:
    """A list of numbers as one batch, a list of lists as several. Raises TypeError."""
    several = _list(name, values)
    return [_list(name, each) for each in several] if several and _is_list(several[0]) else [several]


def _reals(name: str, values: Sequence[Any], lowest: float, highest: float) -> None:
    """Check numbers and their bounds; types and bounds are looked at as a whole first, which is much faster."""
    if not set(map(type, values)) <= {int, float} or any(map(math.isnan, values)):
        for value in values:
            _real(name, value)
    for value in (min(values, default=highest), max(values, default=highest)):
        if not lowest <= value <= highest:
            raise ValueError(f"{name}: expected numbers from {lowest:g} to {highest:g}, found {value}")


def _of_probabilities(values: Sequence[Any], unit: float) -> Losses:
    _reals("probabilities", values, 0, 1)
    logarithms = (math.log(value) if value else -math.inf for value in values) if 0 in values else map(math.log, values)
    return [abs(each) / unit for each in logarithms]


def _of_logarithms(values: Sequence[Any]) -> Losses:
    _reals("log_probabilities", values, -math.inf, 0)
    return [abs(float(value)) for value in values]


def _of_logits(logits: Any, labels: Any, unit: float, shifted: bool, ignored: int) -> list[Losses]:
    """The losses of each batch; four levels of lists are several batches, three are one."""
    several = _depth(logits) > 3
    scores, wanted = _list("logits", logits), _list("labels", labels)
    if several and len(scores) != len(wanted):
        raise ValueError(f"{len(scores)} batches of logits, but {len(wanted)} of labels")
    pairs = list(zip(scores, wanted, strict=True)) if several else [(scores, wanted)]
    return [_of_batch(one, names, unit, shifted, ignored) for one, names in pairs]


def _depth(value: Any) -> int:
    return 1 + (_depth(value[0]) if len(value) else 0) if _is_list(value) else 0


def _of_batch(logits: Any, labels: Any, unit: float, shifted: bool, ignored: int) -> Losses:
    rows, wanted = _list("logits", logits), _list("labels", labels)
    if len(rows) != len(wanted):
        raise ValueError(f"{len(rows)} sequences of logits, but {len(wanted)} of labels")
    losses = []
    for row, names in zip(rows, wanted, strict=True):
        row, names = _list("logits of a sequence", row), _list("labels of a sequence", names)
        if len(row) != len(names):
            raise ValueError(f"logits at {len(row)} positions, but {len(names)} labels")
        for scores, label in zip(row, names[1:] if shifted else names, strict=False):
            if type(label) is not int:
                raise TypeError(f"labels: expected whole numbers, found {label!r:.60}")
            if label != ignored:
                losses.append(surprise(_list("logits of a position", scores), label) / unit)
    return losses


def surprise(scores: Sequence[Any], label: int) -> float:
    """The negative natural logarithm of the softmax of logits at one label."""
    if not 0 <= label < len(scores):
        raise ValueError(f"labels: expected 0 to {len(scores) - 1} or the ignored label, found {label}")
    logits = [_real("logits", score) for score in scores]
    top = max(logits)
    if math.isinf(top):
        raise ValueError("logits: expected finite numbers, or minus infinity beside them")
    return top + math.log(math.fsum(math.exp(score - top) for score in logits)) - logits[label]


def sliding_windows(
    text: Text, *, window: int = 4, stride: int = 2, bos: bool = False, first_target: str = "scored"
) -> dict[str, Any]:
    """The windows of a text that is longer than a model's input, and the tokens that each of them scores.

    A window starts every `stride` tokens and holds `window` of them; of its tokens those are scored that no
    window before has held, so each is scored once, but the first of the text, which has no context (with bos a
    mark before it is its context). Places count from 1, the mark among them. Raises TypeError and ValueError. Source: text-metrics-lesson.
    """
    text_or_tokens("text", text)
    whole("window", window, 2, 1_000_000)
    whole("stride", stride, 1, window)
    flag("bos", bos)
    choice("first_target", first_target, ("scored", "skipped"))
    length = len(elements(text, "token")) + bos
    starts: list[int] = []
    ends: list[int] = []
    scored: list[int] = []
    start, end = 0, 1
    while end < length:
        first, end = end, min(start + window, length)
        if first == start and first_target == "skipped":
            first += 1
        starts.append(start + 1)
        ends.append(end)
        scored.append(end - first)
        start += stride
    return {"targets": sum(scored), "passes": len(starts), "starts": starts, "ends": ends, "scored": scored}
