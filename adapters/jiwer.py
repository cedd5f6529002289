# /// script
# requires-python = ">=3.10"
# dependencies = ["jiwer==4.0.0"]
#
# [tool.conformance]
# also = ["3.1.0"]
# ///
"""JiWER (https://github.com/jitsi/jiwer): word and character error rates, and the word information measures."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import jiwer

from conformance import Adapter, Unsupported
from conformance.adapter import single

RELEASE = version("jiwer")
SCORES_EMPTY_REFERENCES = int(RELEASE.split(".")[0]) >= 4

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
WORDS: dict[str, list[Any]] = {
    "jiwer": [jiwer.RemoveMultipleSpaces(), jiwer.Strip(), jiwer.ReduceToListOfListOfWords()],
    "whitespace": [
        jiwer.SubstituteRegexes({r"\s+": " "}),
        jiwer.Strip(),
        jiwer.ReduceToListOfListOfWords(),
    ],
}

adapter = Adapter("jiwer", version=RELEASE, homepage="https://github.com/jitsi/jiwer", licence="Apache-2.0")


def steps(names: Sequence[str]) -> list[Any]:
    """JiWER's transforms for the named steps."""
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        raise Unsupported(f"JiWER has no transform {unknown[0]!r}")
    return [STEPS[name]() for name in names]


def arguments(transforms: list[Any]) -> dict[str, Any]:
    """JiWER's arguments that put both sides through the same transforms."""
    return {
        "reference_transform": jiwer.Compose(transforms),
        "hypothesis_transform": jiwer.Compose(transforms),
    }


def words(hypotheses: list[str], references: Sequence[Sequence[str]], parameters: dict[str, Any]) -> jiwer.WordOutput:
    """What JiWER counts over words; its own transforms where a request sets none."""
    chosen = steps(parameters.get("transforms", [])) + WORDS[parameters.get("tokenizer", "jiwer")]
    if parameters.get("aggregation") == "joined":  # so does its wer_contiguous
        chosen.insert(-1, jiwer.ReduceToSingleSentence())
    return jiwer.process_words(single(references), hypotheses, **(arguments(chosen) if parameters else {}))


def rate_and_counts(rate: float, output: jiwer.WordOutput | jiwer.CharacterOutput) -> dict[str, Any]:
    """An error rate with the counts behind it."""
    return {
        "rate": rate,
        "substitutions": output.substitutions,
        "deletions": output.deletions,
        "insertions": output.insertions,
        "errors": output.substitutions + output.deletions + output.insertions,
        "reference_length": output.hits + output.substitutions + output.deletions,
    }


WORD_ACCEPTS: dict[str, set[str] | None] = {"tokenizer": set(WORDS), "transforms": None}
WORD_DEFAULTS = {"tokenizer": "jiwer", "transforms": []}
EMPTY_REFERENCE = {"empty_reference": "insertion-count" if SCORES_EMPTY_REFERENCES else "undefined"}
EMPTY = {"empty": "complete" if SCORES_EMPTY_REFERENCES else "reference-needed"}


@adapter.metric(
    "wer",
    references="one",
    accepts={"aggregation": {"pooled", "joined"}, **WORD_ACCEPTS},
    defaults={"aggregation": "pooled", **WORD_DEFAULTS},
    fixes={"alignment": "unit", **EMPTY_REFERENCE},
)
def wer(hypotheses: list[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, Any]:
    output = words(hypotheses, references, parameters)
    return rate_and_counts(output.wer, output)


@adapter.metric(
    "cer",
    references="one",
    accepts={"spaces": {"counted", "removed"}, "strip": {True, False}, "transforms": None},
    defaults={"spaces": "counted", "strip": True, "transforms": []},
    fixes={"unit": "code-point", "unicode_form": "none", "aggregation": "pooled", **EMPTY_REFERENCE},
)
def cer(hypotheses: list[str], references: Sequence[Sequence[str]], **parameters: Any) -> dict[str, Any]:
    chosen = steps(parameters.get("transforms", []))
    if parameters.get("spaces") == "removed":
        chosen.append(jiwer.RemoveWhiteSpace())
    if parameters.get("strip", True):
        chosen.append(jiwer.Strip())
    chosen.append(jiwer.ReduceToListOfListOfChars())
    output = jiwer.process_characters(single(references), hypotheses, **(arguments(chosen) if parameters else {}))
    return rate_and_counts(output.cer, output)


@adapter.metric("mer", references="one", accepts=WORD_ACCEPTS, defaults=WORD_DEFAULTS, fixes=EMPTY)
def mer(hypotheses: list[str], references: Sequence[Sequence[str]], **parameters: Any) -> float:
    return words(hypotheses, references, parameters).mer


@adapter.metric("wil", references="one", accepts=WORD_ACCEPTS, defaults=WORD_DEFAULTS, fixes=EMPTY)
def wil(hypotheses: list[str], references: Sequence[Sequence[str]], **parameters: Any) -> float:
    return words(hypotheses, references, parameters).wil


@adapter.metric("wip", references="one", accepts=WORD_ACCEPTS, defaults=WORD_DEFAULTS, fixes=EMPTY)
def wip(hypotheses: list[str], references: Sequence[Sequence[str]], **parameters: Any) -> float:
    return words(hypotheses, references, parameters).wip


@adapter.metric("tokenize", accepts={"tokenizer": set(WORDS)}, defaults={"tokenizer": "jiwer"})
def tokenize(text: str, tokenizer: str = "jiwer") -> list[str]:
    tokens: list[str] = jiwer.Compose(WORDS[tokenizer])(text)[0]
    return tokens
