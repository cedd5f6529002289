"""What TER does to text before it counts words: TERCOM's switches, and sacreBLEU's where they differ.

The rules are mteval's, with punctuation that can be dropped and rules for Chinese and Japanese characters.
Sources: TERCOM 0.10.0 (Normalizer), sacreBLEU 2.6.0 (TercomTokenizer).
"""

from __future__ import annotations

import re

from conformance.reference.tokenizers import ENTITIES, Text

TOKENIZERS = ("whitespace", "ascii-whitespace", "tercom")
NORMALIZATIONS = ("none", "tercom", "sacrebleu")

ASCII_SPACE = " \t\n\x0b\f\r"
_ASCII_SPACES = re.compile(f"[{ASCII_SPACE}]+")
_MARK = re.compile(r"([{-~\[-` -&(-+:-@/])")
_POSSESSIVE = re.compile(r"'s( |$)")
_MARK_AFTER_NON_DIGIT = re.compile(r"([^0-9])([.,])")
_MARK_BEFORE_NON_DIGIT = re.compile(r"([.,])([^0-9])")
_HYPHEN_AFTER_DIGIT = re.compile(r"([0-9])(-)")
_PUNCTUATION = re.compile(r"[.,?:;!\"()]")

_ASIAN_MARKS = "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb"
_FULL_WIDTH_MARKS = "\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
_ASIAN_PUNCTUATION = re.compile(f"([{_ASIAN_MARKS}{_FULL_WIDTH_MARKS}])")
_IDEOGRAPH = re.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\u31c0-\u31ef\u2e80-\u2eff\u3200-\u32ff\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f])"
)
_KANA = (re.compile("([\u3040-\u309f]+)"), re.compile("([\u30a0-\u30ff]+)"), re.compile("([\u31f0-\u31ff]+)"))
"""Hiragana, Katakana and its phonetic extensions: runs of each are kept together."""


def normalized(text: str, rules: str, asian_support: bool) -> str:
    """Entities unescaped, line ends joined, marks apart; with `asian_support` also Chinese and Japanese ones.

    sacreBLEU keeps skip marks, joins a hyphen that follows a line end, where TERCOM joins one before it, and never
    parts Hiragana from Katakana: its patterns for them need a run at the start of the text, where a space stands.
    """
    text = text.replace("<skipped>", "").replace("-\n", "") if rules == "tercom" else text.replace("\n-", "")
    text = text.replace("\n", " ")
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    text = _MARK.sub(r" \1 ", f" {text} ")
    text = _POSSESSIVE.sub(r" 's\1", text)
    text = _MARK_AFTER_NON_DIGIT.sub(r"\1 \2 ", text)
    text = _MARK_BEFORE_NON_DIGIT.sub(r" \1 \2", text)
    text = _HYPHEN_AFTER_DIGIT.sub(r"\1 \2 ", text)
    if asian_support:
        text = _IDEOGRAPH.sub(r" \1 ", text)
        if rules == "tercom":
            for run in _KANA:
                text = run.sub(r" \1 ", text)
        text = _ASIAN_PUNCTUATION.sub(r" \1 ", text)
    return _ASCII_SPACES.sub(" ", text).strip(" ") if rules == "tercom" else text


def words(
    text: Text, tokenizer: str, lowercase: bool, normalization: str, no_punctuation: bool, asian_support: bool
) -> list[str]:
    """The words of a text; explicit tokens are words already."""
    if not isinstance(text, str):
        return list(text)
    text = text.rstrip() if normalization == "sacrebleu" else text.strip(ASCII_SPACE)
    if not text:
        return []
    if lowercase:
        text = text.lower()
    if normalization != "none":
        text = normalized(text, normalization, asian_support)
    if no_punctuation:
        text = _PUNCTUATION.sub("", text)
        if asian_support:
            text = _ASIAN_PUNCTUATION.sub("", text)
    if tokenizer == "whitespace":
        return text.split()
    parts = _ASCII_SPACES.split(text)
    if tokenizer == "ascii-whitespace":
        return [each for each in parts if each]
    # Java's split drops empty strings at the end, but gives one for a space at the start and for an empty text.
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return [] if parts == [""] and text else parts
