# /// script
# requires-python = ">=3.10"
# dependencies = ["sacrebleu[ja]==2.6.0"]
# ///
"""sacreBLEU (https://github.com/mjpost/sacrebleu): BLEU, chrF, TER, and the tokenizers of machine translation evaluation."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from itertools import zip_longest
from statistics import fmean
from typing import Any

from sacrebleu.metrics.base import Metric, Score
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest, Result

from conformance import Adapter, Unsupported

# sacreBLEU advises on every single segment that is scored without effective order; that is no answer.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)

TOKENIZERS = {
    "whitespace": "none",
    "13a": "13a",
    "intl": "intl",
    "char": "char",
    "zh": "zh",
    "ja-mecab": "ja-mecab",
}
ARGUMENTS = {
    "max_order": "max_ngram_order",
    "smoothing": "smooth_method",
    "smoothing_value": "smooth_value",
    "effective_order": "effective_order",
    "tokenizer": "tokenize",
    "lowercase": "lowercase",
}
JAPANESE = {"mecab": {"tokenizer": ["ja-mecab"]}}
LACKS = {} if find_spec("MeCab") and find_spec("ipadic") else JAPANESE
TERCOM_OPTIONS = {"normalized": "normalized", "no-punctuation": "no_punct", "asian": "asian_support"}
VALUES: dict[str, dict[Any, Any]] = {"tokenizer": TOKENIZERS, "smoothing_value": {"standard": None}}

adapter = Adapter(
    "sacrebleu", version=version("sacrebleu"), homepage="https://github.com/mjpost/sacrebleu", licence="Apache-2.0"
)


def configured(parameters: dict[str, Any]) -> BLEU:
    """A BLEU object with the given parameters and its own defaults for all others."""
    arguments = {ARGUMENTS[name]: VALUES.get(name, {}).get(value, value) for name, value in parameters.items()}
    return BLEU(force=True, **arguments)


def scored(metric: Metric, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> Any:
    """The score of a corpus whose references are listed by segment; sacreBLEU takes them by stream.

    Strings in place of lists of references are handed on as they stand.
    """
    score: Score
    if len(hypotheses) == len(references) == 1:
        score = metric.sentence_score(hypotheses[0], references[0])  # type: ignore[arg-type]
    elif any(isinstance(segment, str) for segment in references):
        score = metric.corpus_score(hypotheses, references)  # type: ignore[arg-type]
    else:
        score = metric.corpus_score(hypotheses, streams(references))  # type: ignore[arg-type]
    return score


def streams(references: Sequence[Sequence[str | None]]) -> list[list[str | None]]:
    """References by stream, as sacreBLEU takes them; None where a segment has fewer."""
    return [list(stream) for stream in zip_longest(*references)]


@adapter.metric(
    "bleu",
    scale={"score": 100, "precisions": 100},
    accepts={
        "max_order": None,
        "smoothing": {"none", "floor", "add-k", "exp"},
        "smoothing_value": None,
        "effective_order": {True, False},
        "tokenizer": set(TOKENIZERS),
        "lowercase": {True, False},
        "aggregation": {"corpus", "mean"},
    },
    defaults={
        "max_order": 4,
        "smoothing": "exp",
        "smoothing_value": "standard",
        "effective_order": False,
        "tokenizer": "13a",
        "lowercase": False,
        "aggregation": "corpus",
    },
    fixes={
        "weights": [],
        "zero_before_smoothing": True,
        "reference_length": "closest",
        "reference_length_tie": "shorter",
        "denominator_floor": "none",
        "empty_hypothesis": "zero",
        "no_cases": "error",
    },
    lacks=LACKS,
)
def bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    aggregation: str = "corpus",
    **parameters: Any,
) -> dict[str, Any]:
    metric = configured(parameters)
    if aggregation == "mean":  # its sentence scores, as many papers report them
        return {"score": fmean(scored(metric, [h], [r]).score for h, r in zip(hypotheses, references, strict=True))}
    result = scored(metric, hypotheses, references)
    return {
        "score": result.score,
        "precisions": result.precisions,
        "brevity_penalty": result.bp,
        "matches": result.counts,
        "totals": result.totals,
        "hypothesis_length": result.sys_len,
        "reference_length": result.ref_len,
    }


FORMULAS = {("precision-and-recall", "left-out"): False, ("f", "epsilon"): True}
"""What is averaged and what a missing order counts: eps_smoothing sets both at once."""


@adapter.metric(
    "chrf",
    scale=100,
    components=["score"],
    accepts={
        "char_order": None,
        "word_order": None,
        "beta": None,
        "lowercase": {True, False},
        "whitespace": {"removed", "kept"},
        "average": {"precision-and-recall", "f"},
        "missing_orders": {"left-out", "epsilon"},
        "aggregation": {"corpus", "mean"},
    },
    defaults={
        "char_order": 6,
        "word_order": 0,
        "beta": 2,
        "lowercase": False,
        "whitespace": "removed",
        "average": "precision-and-recall",
        "missing_orders": "left-out",
        "aggregation": "corpus",
    },
    fixes={
        "min_char_order": 1,
        "both_empty": "no-match",
        "word_tokenizer": "one-mark-apart",
        "unit": "code-point",
        "unicode_form": "none",
        "reference_tie": "first",
        "orders_without_reference": "dropped",
        "unmatched_segment": "counted",
        "no_cases": "error",
    },
)
def chrf(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    aggregation: str = "corpus",
    **parameters: Any,
) -> float:
    if "whitespace" in parameters:
        parameters["whitespace"] = parameters["whitespace"] == "kept"
    if "average" in parameters or "missing_orders" in parameters:
        formula = parameters.pop("average", "precision-and-recall"), parameters.pop("missing_orders", "left-out")
        if formula not in FORMULAS:
            raise Unsupported("sacreBLEU sets what is averaged and what a missing order counts together")
        parameters["eps_smoothing"] = FORMULAS[formula]
    metric = CHRF(**parameters)
    if aggregation == "mean":
        return fmean(scored(metric, [h], [r]).score for h, r in zip(hypotheses, references, strict=True))
    score: float = scored(metric, hypotheses, references).score
    return score


@adapter.metric(
    "ter",
    scale={"rate": 100},
    components=["rate", "edits", "reference_length"],
    accepts={
        "lowercase": {True, False},
        "normalization": {"none", "tercom"},
        "no_punctuation": {True, False},
        "asian_support": {True, False},
    },
    defaults={"lowercase": True, "normalization": "none", "no_punctuation": False, "asian_support": False},
    fixes={
        "search": "greedy",
        "max_shift_size": 10,
        "max_shift_distance": 50,
        "shift_distance": "position",
        "overlapping_shift": "one-too-far",
        "candidate_limit": "thousand",
        "beam": "diagonal",
        "beam_width": 25,
        "aggregation": "pooled",
        "multi_reference": "mean-length",
        "empty_reference": "one",
        "tokenizer": "whitespace",
    },
)
def ter(hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], **parameters: Any) -> dict[str, Any]:
    if "lowercase" in parameters:
        parameters["case_sensitive"] = not parameters.pop("lowercase")
    if "normalization" in parameters:
        parameters["normalized"] = parameters.pop("normalization") != "none"
    if "no_punctuation" in parameters:
        parameters["no_punct"] = parameters.pop("no_punctuation")
    result = scored(TER(**parameters), hypotheses, references)
    return {"rate": result.score, "edits": result.num_edits, "reference_length": result.ref_length}


@adapter.metric(
    "tokenize",
    accepts={
        "tokenizer": {*TOKENIZERS, "sacrebleu-ter"},
        "lowercase": {True, False},
        "tercom_options": None,
    },
    defaults={"tokenizer": "13a", "lowercase": False, "tercom_options": []},
    fixes={"stemming": "none", "dropped": "none"},
    lacks=LACKS,
)
def tokenize(text: str, **parameters: Any) -> list[str]:
    options = parameters.pop("tercom_options", [])
    # BLEU and TER each prepare a segment in this one method; no public one gives the tokens.
    if parameters.get("tokenizer") == "sacrebleu-ter":
        switches = {argument: option in options for option, argument in TERCOM_OPTIONS.items()}
        metric: Metric = TER(case_sensitive=not parameters.get("lowercase", False), **switches)
    else:
        metric = configured(parameters)
    return metric._preprocess_segment(text).split()


SCORED: dict[str, type[Metric]] = {"bleu-sacrebleu": BLEU, "chrf-sacrebleu": CHRF, "ter-sacrebleu": TER}
RESAMPLED = {
    "unit": "case",
    "resampling": "numpy",
    "level": 0.95,
    "interval": "mean-and-half-width",
}
TESTED = {
    "unit": "case",
    "resampling": "numpy",
    "difference": "system-minus-baseline",
    "ties": "dropped",
    "plus_one": True,
    "alternative": "two-sided",
}
SEEDED: dict[str, Any] = {"metric": set(SCORED), "samples": None, "seed": None}
SEED_DEFAULTS = {"metric": "bleu-sacrebleu", "seed": 12345}


@contextmanager
def seeded(seed: int | None) -> Iterator[None]:
    """SACREBLEU_SEED for a while; None leaves it as it is."""
    before = os.environ.get("SACREBLEU_SEED")
    if seed is not None:
        os.environ["SACREBLEU_SEED"] = str(seed)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("SACREBLEU_SEED", None)
        else:
            os.environ["SACREBLEU_SEED"] = before


@adapter.metric(
    "bootstrap",
    scale={"score": 100, "low": 100, "high": 100, "mean": 100},
    components=["score", "low", "high", "mean"],
    given=["hypotheses", "references"],
    accepts=SEEDED,
    defaults={**SEED_DEFAULTS, "samples": 1000},
    fixes=RESAMPLED,
)
def bootstrap(
    *,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    metric: str = "bleu-sacrebleu",
    samples: int = 1000,
    seed: int | None = None,
) -> dict[str, Any]:
    with seeded(seed):
        result = SCORED[metric]().corpus_score(hypotheses, streams(references), n_bootstrap=samples)
    mean, half = result._mean, result._ci  # -1 where it did not resample
    return {"score": result.score, "low": mean - half, "high": mean + half, "mean": mean}


def paired(
    kind: str,
    hypotheses: Sequence[str],
    baseline_hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    metric: str = "bleu-sacrebleu",
    samples: int = 0,
    seed: int | None = None,
) -> dict[str, Any]:
    """The paired test of sacreBLEU's command line."""
    systems = [("baseline", baseline_hypotheses), ("system", hypotheses)]
    with seeded(seed):
        test = PairedTest(systems, {"": SCORED[metric]()}, streams(references), kind, n_samples=samples)
        _, found = test()
    ((baseline, system),) = (
        [each for each in row if isinstance(each, Result)] for key, row in found.items() if key != "System"
    )
    return {"p": system.p_value, "system": system.score, "baseline": baseline.score}


@adapter.metric(
    "paired-bootstrap",
    scale={"system": 100, "baseline": 100},
    components=["p", "system", "baseline"],
    given=["hypotheses", "baseline_hypotheses", "references"],
    accepts=SEEDED,
    defaults={**SEED_DEFAULTS, "samples": 1000},
    fixes={**TESTED, "centring": "absolute"},
)
def paired_bootstrap(**fields: Any) -> dict[str, Any]:
    return paired("bs", **fields)


@adapter.metric(
    "approximate-randomization",
    scale={"system": 100, "baseline": 100},
    components=["p", "system", "baseline"],
    given=["hypotheses", "baseline_hypotheses", "references"],
    accepts=SEEDED,
    defaults={**SEED_DEFAULTS, "samples": 10000},
    fixes=TESTED,
)
def approximate_randomization(**fields: Any) -> dict[str, Any]:
    return paired("ar", **fields)
