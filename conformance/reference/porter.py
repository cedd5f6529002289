"""Porter's stemmer: as published in 1980, as its author extended it, and as NLTK extends that.

Letters are consonants or vowels; y is a vowel after a consonant. The measure of a stem is how often a vowel
is followed by a consonant. Each step has one rule at most applied: the one of the longest suffix that the
word ends in, and only if the rest of the word satisfies its condition.
Sources: Porter 1980, An algorithm for suffix stripping; the author's page on departures; NLTK 3.9.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from conformance.reference.shape import choice, text_or_tokens
from conformance.reference.tokenizers import Text

VARIANTS = ("original", "martin", "nltk")

Rules = Mapping[str, str]


def _rules(text: str) -> Rules:
    """Suffixes with what replaces them, written `suffix>replacement` and separated by spaces."""
    return dict(rule.split(">") for rule in text.split())


_STEP_2 = _rules(
    "ational>ate tional>tion enci>ence anci>ance izer>ize abli>able alli>al entli>ent eli>e ousli>ous "
    "ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble"
)
_STEP_2_MARTIN = {**{suffix: new for suffix, new in _STEP_2.items() if suffix != "abli"}, "bli": "ble", "logi": "log"}
STEP_2: Mapping[str, Rules] = {
    "original": _STEP_2,
    "martin": _STEP_2_MARTIN,
    "nltk": {**_STEP_2_MARTIN, "fulli": "ful"},
}
STEP_3 = _rules("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
STEP_4 = _rules("al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>")

IRREGULAR = _rules(
    "sky>sky skies>sky dying>die lying>lie tying>tie news>news innings>inning inning>inning outings>outing "
    "outing>outing cannings>canning canning>canning howe>howe proceed>proceed exceed>exceed succeed>succeed"
)
"""Whole words that NLTK's variant maps by themselves, before any step."""


def letters(word: str) -> str:
    """A word as c for each consonant and v for each vowel; what is no letter counts as a consonant."""
    kinds = []
    before = "v"
    for letter in word:
        before = "v" if letter in "aeiou" or (letter == "y" and before == "c") else "c"
        kinds.append(before)
    return "".join(kinds)


def measure(stem: str) -> int:
    """How many times a vowel is followed by a consonant: m in [C](VC){m}[V]."""
    return letters(stem).count("vc")


def ends_short(stem: str, variant: str) -> bool:
    """Condition *o: ends consonant, vowel, consonant, the last not w, x or y; NLTK adds the stems of form vc."""
    kinds = letters(stem)
    return (kinds.endswith("cvc") and stem[-1] not in "wxy") or (variant == "nltk" and kinds == "vc")


def longest_suffix(word: str, rules: Rules) -> str | None:
    """The longest suffix of some rules, each of two letters or more, that a word ends in."""
    for size in range(7, 1, -1):
        if word[-size:] in rules:
            return word[-size:]
    return None


def _step_1a(word: str, variant: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if variant == "nltk" and len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _step_1b(word: str, variant: str) -> str:
    if variant == "nltk" and word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    stem = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else ""
    kinds = letters(stem)
    if "v" not in kinds:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if kinds.endswith("c") and stem[-2:-1] == stem[-1]:
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if kinds.count("vc") == 1 and ends_short(stem, variant) else stem


def _step_1c(word: str, variant: str) -> str:
    if not word.endswith("y"):
        return word
    kinds = letters(word[:-1])
    applies = len(kinds) > 1 and kinds.endswith("c") if variant == "nltk" else "v" in kinds
    return word[:-1] + "i" if applies else word


def _replaced(word: str, rules: Rules) -> str:
    """Step 2 or 3: the longest suffix replaced, if the measure of what is before it is not zero."""
    suffix = longest_suffix(word, rules)
    if suffix is None:
        return word
    stem = word[: -len(suffix)]
    return stem + rules[suffix] if measure(stem) > 0 else word


def _step_2(word: str, variant: str) -> str:
    if variant == "nltk":
        if word.endswith("alli") and measure(word[:-4]) > 0:
            return _step_2(word[:-2], variant)
        if word.endswith("logi"):
            return word[:-1] if measure(word[:-3]) > 0 else word
    return _replaced(word, STEP_2[variant])


def _step_4(word: str) -> str:
    suffix = longest_suffix(word, STEP_4)
    if suffix is None:
        return word
    stem = word[: -len(suffix)]
    if measure(stem) <= 1 or (suffix == "ion" and stem[-1] not in "st"):
        return word
    return stem


def _step_5(word: str, variant: str) -> str:
    if word.endswith("e"):
        size = measure(word[:-1])
        if size > 1 or (size == 1 and not ends_short(word[:-1], variant)):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and measure(word) > 1 else word


@lru_cache(maxsize=65536)
def stem(word: str, variant: str = "original") -> str:
    """The stem of one word, in lower case.

    variant: original, the paper; martin, its author's later code (words of one or two letters stay as they
    are, BLI -> BLE in place of ABLI -> ABLE, LOGI -> LOG); nltk, NLTK's default, which rouge-score and
    NLTK's METEOR use (a list of irregular words, and milder rules for -ies, -ied and -y). Raises ValueError.
    """
    choice("variant", variant, VARIANTS)
    found = word.lower()
    if variant == "nltk" and found in IRREGULAR:
        return IRREGULAR[found]
    if variant != "original" and len(word) <= 2:
        return found
    found = _step_1c(_step_1b(_step_1a(found, variant), variant), variant)
    return _step_5(_step_4(_replaced(_step_2(found, variant), STEP_3)), variant)


def porter_stem(text: Text, *, variant: str = "original") -> dict[str, Any]:
    """The stem of each word of a text at white space (or of each token), joined by single spaces.

    Raises TypeError and ValueError. Source: Porter 1980.
    """
    text_or_tokens("text", text)
    choice("variant", variant, VARIANTS)
    words = text.split() if isinstance(text, str) else text
    return {"text": " ".join(stem(word, variant) for word in words)}
