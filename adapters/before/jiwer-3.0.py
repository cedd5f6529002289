# /// script
# requires-python = ">=3.10"
# dependencies = ["jiwer==2.2.0"]
# ///
"""JiWER before 3.0: one function measures words; it aligns all segments as one sequence until 2.3."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import jiwer

from conformance import Adapter, Unsupported
from conformance.adapter import single

adapter = Adapter("jiwer", version=version("jiwer"), homepage="https://github.com/jitsi/jiwer", licence="Apache-2.0")

STEPS = {
    "lowercase": jiwer.ToLowerCase,
    "uppercase": jiwer.ToUpperCase,
    "strip": jiwer.Strip,
    "remove-multiple-spaces": jiwer.RemoveMultipleSpaces,
    "remove-white-space": jiwer.RemoveWhiteSpace,
    "remove-punctuation": jiwer.RemovePunctuation,
    "remove-kaldi-non-words": jiwer.RemoveKaldiNonWords,
    "expand-contractions": jiwer.ExpandCommonEnglishContractions,
    "remove-empty": jiwer.RemoveEmptyStrings,
}
SPLIT = (
    [jiwer.ReduceToListOfListOfWords()]
    if hasattr(jiwer, "ReduceToListOfListOfWords")
    else [jiwer.SentencesToListOfWords(), jiwer.RemoveEmptyStrings()]
)
"""How its own transforms end; an older release makes one list of the words of all segments."""
ACCEPTS: dict[str, Any] = {"tokenizer": {"jiwer", "whitespace"}, "transforms": None}
DEFAULTS: dict[str, Any] = {"tokenizer": "jiwer", "transforms": []}


def splitter(tokenizer: str) -> list[Any]:
    """The transforms of its default, or those that split at any white space."""
    spaces = jiwer.SubstituteRegexes({r"\s+": " "}) if tokenizer == "whitespace" else jiwer.RemoveMultipleSpaces()
    return [spaces, jiwer.Strip(), *SPLIT]


def measured(hypotheses: list[str], references: Sequence[Sequence[str]], parameters: dict[str, Any]) -> dict[str, Any]:
    """All that it measures."""
    given = single(references)
    arguments: dict[str, Any] = {}
    if parameters:
        named = parameters.get("transforms", [])
        unknown = [name for name in named if name not in STEPS]
        if unknown:
            raise Unsupported(f"JiWER has no transform {unknown[0]!r}")
        steps = [*(STEPS[name]() for name in named), *splitter(parameters.get("tokenizer", "jiwer"))]
        arguments = {side: jiwer.Compose(steps) for side in ("truth_transform", "hypothesis_transform")}
    found: dict[str, Any] = jiwer.compute_measures(given, hypotheses, **arguments)
    return found


EMPTY = {"empty": "reference-needed"}


@adapter.metric(
    "wer",
    references="one",
    accepts=ACCEPTS,
    defaults=DEFAULTS,
    fixes={"alignment": "unit", "aggregation": "pooled", "empty_reference": "undefined"},
)
def wer(hypotheses: list[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, Any]:
    found = measured(hypotheses, references, parameters)
    edits = {name: found[name] for name in ("substitutions", "deletions", "insertions")}
    return {
        "rate": found["wer"],
        **edits,
        "errors": sum(edits.values()),
        "reference_length": found["hits"] + found["substitutions"] + found["deletions"],
    }


@adapter.metric("mer", references="one", accepts=ACCEPTS, defaults=DEFAULTS, fixes=EMPTY)
def mer(hypotheses: list[str], references: Sequence[Sequence[str]], **parameters: Any) -> float:
    return float(measured(hypotheses, references, parameters)["mer"])


@adapter.metric("wil", references="one", accepts=ACCEPTS, defaults=DEFAULTS, fixes=EMPTY)
def wil(hypotheses: list[str], references: Sequence[Sequence[str]], **parameters: Any) -> float:
    return float(measured(hypotheses, references, parameters)["wil"])


@adapter.metric("wip", references="one", accepts=ACCEPTS, defaults=DEFAULTS, fixes=EMPTY)
def wip(hypotheses: list[str], references: Sequence[Sequence[str]], **parameters: Any) -> float:
    return float(measured(hypotheses, references, parameters)["wip"])
