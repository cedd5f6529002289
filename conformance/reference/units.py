"""What is resampled: units with sufficient statistics that add up, and the formula that makes a score of their sums.

A unit is a case or a cluster of cases. The score of any multiset of units is the formula of the summed statistics,
which is what scoring those cases as a corpus gives: (value, 1) for a mean, (errors, words) for a rate, n-gram counts
and lengths for BLEU. Nothing is averaged that the metric does not average.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from typing import Any

from conformance.reference import bleu, chrf, error_rates, ter
from conformance.reference.shape import choice, segments

Statistics = tuple[Any, ...]
Formula = Callable[[Sequence[Any]], float]
AGGREGATIONS = ("mean", "ratio-of-sums")
UNITS = ("case", "cluster")
CLUSTER_WEIGHTS = ("by-size", "equal")


def adder(column: Sequence[Any]) -> Callable[[Iterable[Any]], Any]:
    """A sum that no order of the values changes: exact for whole numbers, rounded once for others."""
    return math.fsum if float in set(map(type, column)) else sum


def ratio(sums: Sequence[Any]) -> float:
    """The first sum over the second. Raises ValueError where that is zero."""
    if not sums[1]:
        raise ValueError("the units of a resample have denominators that sum to zero")
    return float(sums[0] / sums[1])


@dataclass(frozen=True, slots=True)
class Units:
    """The statistics of one system's units, column by column, and the formula of their sums."""

    columns: tuple[tuple[Any, ...], ...]
    adders: tuple[Callable[[Iterable[Any]], Any], ...]
    formula: Formula

    @classmethod
    def of(cls, rows: Sequence[Statistics], formula: Formula) -> Units:
        """Units from their statistics, one row a unit."""
        columns = tuple(zip(*rows, strict=True))
        return cls(columns, tuple(map(adder, columns)), formula)

    def __len__(self) -> int:
        return len(self.columns[0])

    def sums(self, places: Sequence[int] | None = None) -> list[Any]:
        """The summed statistics of all units, or of those at these places, each as often as it is named."""
        if places is None:
            return [add(column) for add, column in zip(self.adders, self.columns, strict=True)]
        return [add(map(column.__getitem__, places)) for add, column in zip(self.adders, self.columns, strict=True)]

    def score(self, places: Sequence[int] | None = None) -> float:
        """The score of those units. Raises ValueError where it is no number."""
        return defined(self.formula(self.sums(places)))


def defined(score: float) -> float:
    """A score that is a number. Raises ValueError."""
    if not math.isfinite(score):
        raise ValueError(f"the score of a resample is {score}")
    return score


def exchanged(system: Units, baseline: Units, swaps: Sequence[int]) -> tuple[float, float]:
    """The two scores after the units marked 1 have changed sides."""
    kept = [not swap for swap in swaps]
    sums: tuple[list[Any], list[Any]] = ([], [])
    for own, other in zip(system.columns, baseline.columns, strict=True):
        add = adder(own + other)
        sums[0].append(add(chain(compress(own, kept), compress(other, swaps))))
        sums[1].append(add(chain(compress(other, kept), compress(own, swaps))))
    return defined(system.formula(sums[0])), defined(baseline.formula(sums[1]))


# Numbers


def _listed(name: str, value: Any) -> Sequence[Any]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise TypeError(f"{name}: expected a list, found {value!r:.60}")
    if not value:
        raise ValueError(f"{name}: expected at least one, found none")
    return value


def real(name: str, value: Any) -> Any:
    """A finite number; true is not 1. Raises TypeError and ValueError."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name}: expected a number, found {value!r:.60}")
    if not math.isfinite(value):
        raise ValueError(f"{name}: expected a finite number, found {value}")
    return value


def of_numbers(name: str, values: Any, aggregation: str) -> Units:
    """Units of scores, or of [numerator, denominator]: their mean, or the ratio of the sums."""
    rows: list[Statistics] = []
    for value in _listed(name, values):
        if isinstance(value, (list, tuple)):
            if len(value) != 2:
                raise ValueError(f"{name}: expected a number or [numerator, denominator], found {value!r:.60}")
            pair = (real(name, value[0]), real(name, value[1]))
            rows.append(pair if aggregation == "ratio-of-sums" else (ratio(pair), 1))
        elif aggregation == "ratio-of-sums":
            raise ValueError(f"{name}: a ratio of sums needs [numerator, denominator] for each unit, found {value!r}")
        else:
            rows.append((real(name, value), 1))
    return Units.of(rows, ratio)


# Texts

BLEU = bleu.Formula(4, (), "none", None, False, False)
BLEU_SACREBLEU = bleu.Formula(4, (), "exp", None, False, True)
SACREBLEU_TER: dict[str, Any] = {
    "shift_distance": "position",
    "overlapping_shift": "one-too-far",
    "candidate_limit": "thousand",
    "beam": "diagonal",
    "beam_width": 25,
    "empty_reference": "one",
}


def _bleu(hypothesis: Any, references: Any, tokenizer: str = "whitespace") -> Statistics:
    found = bleu.bleu([hypothesis], [references], tokenizer=tokenizer)
    return (*found["matches"], *found["totals"], found["hypothesis_length"], found["reference_length"])


def _bleu_of(formula: bleu.Formula) -> Formula:
    def score(sums: Sequence[Any]) -> float:
        seen = bleu.Statistics(list(sums[:4]), list(sums[4:8]), sums[8], sums[9])
        return formula.apply(seen, seen)[0]

    return score


def _chrf(hypothesis: Any, references: Any, dropped: str = "counted") -> Statistics:
    found = chrf.chrf([hypothesis], [references], orders_without_reference=dropped)
    return (*found["matches"], *found["hypothesis_totals"], *found["reference_totals"])


def _chrf_of(sums: Sequence[Any]) -> float:
    size = len(sums) // 3
    return chrf.Formula().apply(list(zip(sums[:size], sums[size : 2 * size], sums[2 * size :], strict=True)))[0]


def _wer(hypothesis: Any, references: Any) -> Statistics:
    found = error_rates.wer([hypothesis], [references])
    return found["errors"], found["reference_length"]


def _ter(hypothesis: Any, references: Any, **parameters: Any) -> Statistics:
    found = ter.ter([hypothesis], [references], **parameters)
    return found["edits"], found["reference_length"]


def _sacrebleu_ter_of(sums: Sequence[Any]) -> float:
    return ratio(sums) if sums[1] else float(sums[0] > 0)


METRICS: dict[str, tuple[Callable[[Any, Any], Statistics], Formula]] = {
    "bleu": (_bleu, _bleu_of(BLEU)),
    "bleu-sacrebleu": (lambda h, r: _bleu(h, r, "13a"), _bleu_of(BLEU_SACREBLEU)),
    "chrf": (_chrf, _chrf_of),
    "chrf-sacrebleu": (lambda h, r: _chrf(h, r, "dropped"), _chrf_of),
    "wer": (_wer, ratio),
    "ter": (_ter, ratio),
    "ter-sacrebleu": (lambda h, r: _ter(h, r, **SACREBLEU_TER), _sacrebleu_ter_of),
}
"""The statistics of a segment under each metric, and the corpus formula."""
TEXT_METRICS = ("none", *METRICS)


def of_texts(hypotheses: Any, references: Any, metric: str) -> Units:
    """Units of segments, with the statistics of a metric."""
    segments(hypotheses, references, missing=True, needed=True)
    if metric == "none":
        raise ValueError(f"texts need a metric: one of {', '.join(METRICS)}")
    statistics, formula = METRICS[metric]
    _listed("hypotheses", hypotheses)
    return Units.of([statistics(h, r) for h, r in zip(hypotheses, references, strict=True)], formula)


# Clusters


def clustered(units: Units, labels: Any, weights: str) -> Units:
    """Clusters as units, in the order in which they first appear; equal weights average the clusters' own scores."""
    names = _listed("clusters", labels)
    if len(names) != len(units):
        raise ValueError(f"{len(names)} clusters, but {len(units)} units")
    places: dict[Any, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    if weights == "equal":
        return Units.of([(units.score(each), 1) for each in places.values()], ratio)
    return Units.of([tuple(units.sums(each)) for each in places.values()], units.formula)


def units_of(
    name: str,
    numbers: Any,
    hypotheses: Any,
    references: Any,
    clusters: Any,
    *,
    metric: str,
    aggregation: str,
    unit: str,
    cluster_weights: str,
) -> Units:
    """The units of one system, from numbers or from texts. Raises TypeError and ValueError."""
    choice("metric", metric, TEXT_METRICS)
    choice("aggregation", aggregation, AGGREGATIONS)
    choice("unit", unit, UNITS)
    choice("cluster_weights", cluster_weights, CLUSTER_WEIGHTS)
    if (numbers is None) == (hypotheses is None):
        raise ValueError(f"expected {name} as numbers or as texts, found {'none' if numbers is None else 'both'}")
    units = of_texts(hypotheses, references, metric) if numbers is None else of_numbers(name, numbers, aggregation)
    if unit == "case":
        return units
    if clusters is None:
        raise ValueError("a cluster as the unit needs clusters, one label for each case")
    return clustered(units, clusters, cluster_weights)
