# /// script
# requires-python = ">=3.10"
# dependencies = ["textdistance==4.6.3"]
# ///
"""TextDistance (https://github.com/life4/textdistance): bags, edit distances and subsequences, by its own Python code."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from textdistance import DamerauLevenshtein, Jaccard, LCSSeq, Levenshtein, Sorensen

from conformance import Adapter, Unsupported

adapter = Adapter(
    "textdistance", version=version("textdistance"), homepage="https://github.com/life4/textdistance", licence="MIT"
)

Texts = Sequence[str]
ONE_PAIR: dict[str, Any] = {"corpus": False, "references": "one"}
UNIT: dict[str, Any] = {"accepts": {"unit": {"character", "token"}}, "defaults": {"unit": "character"}}
BAG: dict[str, Any] = {
    "accepts": {"counting": {"multiset", "set"}, "elements": {"tokens", "characters"}},
    "defaults": {"counting": "multiset", "elements": "characters"},
    "fixes": {"both_empty": "one"},
}


def pair(hypotheses: Texts, references: Sequence[Texts], tokens: bool) -> tuple[Sequence[str], Sequence[str]]:
    """The one hypothesis and its one reference, as strings or as lists of tokens."""
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("TextDistance compares one pair of sequences")
    hypothesis, reference = hypotheses[0], references[0][0]
    return (hypothesis.split(), reference.split()) if tokens else (hypothesis, reference)


def of_bags(measure: type[Jaccard], hypotheses: Texts, references: Sequence[Texts], parameters: Any) -> float:
    sets = parameters.get("counting", "multiset") == "set"
    both = pair(hypotheses, references, parameters.get("elements", "characters") == "tokens")
    score: float = measure(as_set=sets, external=False)(*both)
    return score


@adapter.metric("jaccard", **ONE_PAIR, **BAG)
def jaccard(hypotheses: Texts, references: Sequence[Texts], **parameters: Any) -> float:
    return of_bags(Jaccard, hypotheses, references, parameters)


@adapter.metric("dice", **ONE_PAIR, **BAG)
def dice(hypotheses: Texts, references: Sequence[Texts], **parameters: Any) -> float:
    return of_bags(Sorensen, hypotheses, references, parameters)


@adapter.metric("levenshtein", components=["distance"], **ONE_PAIR, **UNIT)
def levenshtein(hypotheses: Texts, references: Sequence[Texts], unit: str = "character") -> int:
    distance: int = Levenshtein(external=False)(*pair(hypotheses, references, unit == "token"))
    return distance


@adapter.metric(
    "damerau-levenshtein",
    **ONE_PAIR,
    accepts={"unit": {"character", "token"}, "variant": {"unrestricted", "restricted"}},
    defaults={"unit": "character", "variant": "restricted"},
)
def damerau_levenshtein(
    hypotheses: Texts, references: Sequence[Texts], unit: str = "character", variant: str = "restricted"
) -> int:
    measure = DamerauLevenshtein(external=False, restricted=variant == "restricted")
    distance: int = measure(*pair(hypotheses, references, unit == "token"))
    return distance


@adapter.metric("lcs-length", **ONE_PAIR, fixes={"unit": "character"})
def lcs_length(hypotheses: Texts, references: Sequence[Texts]) -> int:
    """Of characters alone: of lists it returns the subsequence joined to a string, whose length is another number."""
    return len(LCSSeq(external=False)(*pair(hypotheses, references, tokens=False)))
