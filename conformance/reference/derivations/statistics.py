"""Statistics worked out on paper: resamples and exchanges one by one, corrections in order, sums of a correlation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from conformance.reference import correlation as correlations
from conformance.reference import multiple_testing, paired_tests, resampling
from conformance.reference.derivations.lines import SEGMENTS, Lines, cut


def _places(rows: Sequence[Any] | None, place: int) -> str:
    """The row of a resample where rows were given."""
    return f"row {cut(rows[place], 20)}" if rows is not None else "drawn"


def bootstrap(**parameters: Any) -> Lines:
    """The bootstrap: single resamples, or the distribution where all were taken; mean and interval; the score."""
    answer = resampling.bootstrap(**parameters)
    rows = parameters.get("indices")
    lines: Lines = [
        (f"resample {place + 1}", _places(rows, place), score)
        for place, score in enumerate(answer["scores"][:SEGMENTS])
    ]
    if not lines:
        lines = [
            (f"share of {value:.6g}", f"of {answer['resamples']} resamples", share)
            for value, share in list(zip(answer["values"], answer["shares"], strict=True))[:SEGMENTS]
        ]
    lines.append(("mean", f"of {answer['resamples']} resamples", answer["mean"]))
    lines.append(("variance", "mean squared distance from the mean", answer["variance"]))
    lines += _interval(answer, parameters, "scores")
    return [*lines, ("score", "all units once", answer["score"])]


def _interval(answer: dict[str, Any], parameters: dict[str, Any], what: str) -> Lines:
    rule, level = parameters.get("interval", "order-statistics"), parameters.get("level", 0.95)
    working = f"{rule.replace('-', ' ')} of the {what}, {level:.4g} between"
    return [("low", working, answer["low"]), ("high", working, answer["high"])]


def paired_bootstrap(**parameters: Any) -> Lines:
    """The paired bootstrap: both scores of single resamples, the interval of the difference, and what p counts."""
    answer = paired_tests.paired_bootstrap(**parameters)
    rows = parameters.get("indices")
    scores = zip(answer["system_scores"], answer["baseline_scores"], strict=True)
    lines = [
        (f"resample {place + 1}", f"{_places(rows, place)}: {one:.6g} against {other:.6g}", answer["deltas"][place])
        for place, (one, other) in enumerate(scores)
        if place < SEGMENTS
    ]
    lines += _test(answer)
    lines += _interval(answer, parameters, "differences")
    centring = parameters.get("centring", "mean")
    counted = "not won by the observed winner" if centring == "none" else f"extreme after centring ({centring})"
    return [*lines, ("extreme", counted, answer["extreme"]), _share(answer, parameters)]


def approximate_randomization(**parameters: Any) -> Lines:
    """Paired approximate randomization: differences after single exchanges, and what p counts."""
    answer = paired_tests.approximate_randomization(**parameters)
    rows = parameters.get("swaps")
    lines: Lines = [
        (f"exchange {place + 1}", _places(rows, place), delta)
        for place, delta in enumerate(answer["deltas"][:SEGMENTS])
    ]
    if not lines:
        lines = [
            (f"share of {value:.6g}", f"of {answer['resamples']} exchanges", share)
            for value, share in list(zip(answer["values"], answer["shares"], strict=True))[:SEGMENTS]
        ]
    reached = "exceed" if parameters.get("ties") == "dropped" else "reach"
    lines += _test(answer)
    return [
        *lines,
        ("extreme", f"differences that {reached} the observed one", answer["extreme"]),
        _share(answer, parameters),
    ]


def _test(answer: dict[str, Any]) -> Lines:
    working = f"{answer['system']:.6g} of the system, {answer['baseline']:.6g} of the baseline"
    return [("delta", working, answer["delta"])]


def _share(answer: dict[str, Any], parameters: dict[str, Any]) -> tuple[str, str, Any]:
    working = f"{answer['extreme']}/{answer['resamples']}"
    if parameters.get("plus_one"):
        working = f"({answer['extreme']} + 1)/({answer['resamples']} + 1)"
    return "p", working, answer["p"]


def holm(p_values: Sequence[float], **parameters: Any) -> Lines:
    """Holm's correction: each p-value with its factor, from the smallest."""
    size = len(p_values)
    return _corrected(p_values, parameters, multiple_testing.holm, lambda step: f"*{size - step}", rising=True)


def benjamini_hochberg(p_values: Sequence[float], **parameters: Any) -> Lines:
    """Benjamini and Hochberg's correction: each p-value with its factor, from the largest."""
    size = len(p_values)
    correct = multiple_testing.benjamini_hochberg
    return _corrected(p_values, parameters, correct, lambda step: f"*{size}/{size - step}", rising=False)


def _corrected(
    p_values: Sequence[float],
    parameters: dict[str, Any],
    correct: Callable[..., dict[str, Any]],
    factor: Callable[[int], str],
    *,
    rising: bool,
) -> Lines:
    answer = correct(p_values, **parameters)
    order = sorted(range(len(p_values)), key=p_values.__getitem__, reverse=not rising)
    lines: Lines = []
    before = None
    for step, place in enumerate(order[:SEGMENTS]):
        value, working = answer["adjusted"][place], f"{p_values[place]:g}{factor(step)}"
        if value == before:
            working += f", held at {value:g}"
        lines.append((f"p-value {place + 1}", working, value))
        before = value
    lines.append(("rejections", f"at alpha {parameters.get('alpha', 0.05):g}", answer["rejections"]))
    return [*lines, ("adjusted", "in the order of the input", answer["adjusted"])]


def correlation(x: Any, y: Any, **parameters: Any) -> Lines:
    """A correlation: ranks or pairs where the coefficient is made of them, and the coefficient."""
    answer = correlations.correlation(x, y, **parameters)
    name = parameters.get("coefficient", "pearson")
    lines: Lines = [("observations", parameters.get("level", "pooled").replace("-", " "), answer["observations"])]
    plain = all(isinstance(side, list) and not any(isinstance(each, list) for each in side) for side in (x, y))
    if plain and name.startswith("kendall"):
        balance, free_x, free_y, every = correlations.pairs(x, y)
        lines.append(("pairs", f"not tied in x: {free_x}, in y: {free_y}", every))
        lines.append(("concordant less discordant", "pairs in the same order, less those in the other", balance))
    elif plain:
        left, right = (correlations.ranks(x), correlations.ranks(y)) if name == "spearman" else (x, y)
        lines.append(("x", f"{'ranks ' if name == 'spearman' else ''}{cut(left)}", math.fsum(left) / len(left)))
        lines.append(("y", f"{'ranks ' if name == 'spearman' else ''}{cut(right)}", math.fsum(right) / len(right)))
    return [*lines, ("coefficient", name, answer["coefficient"])]
