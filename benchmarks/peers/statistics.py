"""Statistics against sacreBLEU, SciPy, statsmodels and rouge-score, and their growth."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from rouge_score.scoring import BootstrapAggregator, Score
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest

from benchmarks.corpora import corpus
from conformance.reference import multiple_testing
from conformance.reference.correlation import correlation
from conformance.reference.paired_tests import approximate_randomization, paired_bootstrap
from conformance.reference.resampling import bootstrap

Call = Callable[[], Any]


def series(size: int, step: int) -> list[float]:
    """Numbers from 0 to 1 in a fixed disorder, many of them equal."""
    return [(place * step) % 101 / 101 for place in range(size)]


def aggregated(values: list[float]) -> Any:
    """rouge-score's interval of a mean."""
    aggregator = BootstrapAggregator(n_samples=1000)
    for value in values:
        aggregator.add_scores({"": Score(value, value, value)})
    return aggregator.aggregate()


def large() -> dict[str, dict[str, Call]]:
    """The calls of SciPy and statsmodels, where they are installed."""
    if not find_spec("scipy") or not find_spec("statsmodels"):
        return {}
    from scipy import stats
    from statsmodels.stats.multitest import multipletests

    x, y = series(2000, 37), series(2000, 53)
    return {
        "interval": {"SciPy (C)": lambda: stats.bootstrap((x,), lambda v, axis: v.mean(axis), n_resamples=1000)},
        "tau-b": {"SciPy (C)": lambda: stats.kendalltau(x, y)},
        "spearman": {"SciPy (C)": lambda: stats.spearmanr(x, y)},
        "holm": {"statsmodels (NumPy)": lambda: multipletests(x, method="holm")},
    }


def rows() -> list[tuple[str, Call, dict[str, Call]]]:
    """Each statistic's name, the reference's call, and those of its peers, on the same 2,000 segments or numbers."""
    hypotheses, references = corpus(2000, 1)
    others, _ = corpus(2000, 2)
    systems = [("baseline", others), ("system", hypotheses)]
    streams = [[each[0] for each in references]]
    texts: dict[str, Any] = {
        "hypotheses": hypotheses,
        "baseline_hypotheses": others,
        "references": references,
        "metric": "bleu-sacrebleu",
        "samples": 200,
    }

    def paired(kind: str) -> Call:
        return lambda: PairedTest(systems, {"": BLEU(force=True)}, streams, kind, n_samples=200)()

    x, y = series(2000, 37), series(2000, 53)
    peers = large()
    return [
        ("paired bootstrap", lambda: paired_bootstrap(**texts), {"sacreBLEU (NumPy)": paired("bs")}),
        ("randomization", lambda: approximate_randomization(**texts), {"sacreBLEU (NumPy)": paired("ar")}),
        (
            "bootstrap interval",
            lambda: bootstrap(system=x, samples=1000),
            {"rouge-score (NumPy)": lambda: aggregated(x), **peers.get("interval", {})},
        ),
        ("Holm", lambda: multiple_testing.holm(x), peers.get("holm", {})),
        ("Kendall's tau-b", lambda: correlation(x, y, coefficient="kendall-tau-b"), peers.get("tau-b", {})),
        ("Spearman", lambda: correlation(x, y, coefficient="spearman"), peers.get("spearman", {})),
    ]


def growth() -> dict[str, Callable[[int], Call]]:
    """Each statistic's call on n numbers."""

    def of_tau(size: int) -> Call:
        x, y = series(size, 37), series(size, 53)
        return lambda: correlation(x, y, coefficient="kendall-tau-b")

    def of_resamples(size: int) -> Call:
        x = series(size, 37)
        return lambda: bootstrap(system=x, samples=20)

    def of_holm(size: int) -> Call:
        x = series(size, 37)
        return lambda: multiple_testing.holm(x)

    return {"Kendall's tau-b": of_tau, "bootstrap": of_resamples, "Holm": of_holm}
