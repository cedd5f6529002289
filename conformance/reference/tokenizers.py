"""Named tokenizers: from a text to its tokens.

Sources: sacreBLEU 2.6.0 (13a, intl, zh, char, ja-mecab; Post 2018), mteval-v13a and mteval-v14, JiWER 4,
rouge-score 0.1.2, ROUGE-1.5.5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from conformance.reference.shape import choice, flag, text_or_tokens

Text = str | Sequence[str]

CACHED_TEXTS = 65_536
"""A corpus is often scored again, with other parameters: the slow tokenizers remember so many texts."""


class MissingResource(RuntimeError):
    """A program or dictionary that a tokenizer needs is not installed; the message says how to get it."""


def whitespace(text: str) -> list[str]:
    """Split at runs of Unicode white space."""
    return text.split()


ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_MARK = re.compile(r"([ !-&(-+/:-@\[-`{-~])")
_MARK_AFTER_NON_DIGIT = re.compile(r"([^0-9])([.,])")
_MARK_BEFORE_NON_DIGIT = re.compile(r"([.,])([^0-9])")
_HYPHEN_AFTER_DIGIT = re.compile(r"([0-9])(-)")


def _western(text: str) -> list[str]:
    """ASCII marks but ' and - apart; full stop and comma unless between digits, a hyphen after a digit."""
    text = _MARK.sub(r" \1 ", text)
    text = _MARK_AFTER_NON_DIGIT.sub(r"\1 \2 ", text)
    text = _MARK_BEFORE_NON_DIGIT.sub(r" \1 \2", text)
    return _HYPHEN_AFTER_DIGIT.sub(r"\1 \2 ", text).split()


def mteval_13a(text: str) -> list[str]:
    """As mteval-v13a: skip marks removed, hyphens at line ends joined, entities unescaped, ASCII marks apart.

    White space at the end is no part of a segment, so a final hyphen stays.
    """
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    return _western(f" {text} ")


@lru_cache
def _international_rules() -> tuple[tuple[Any, str], ...]:
    import regex  # slow to import, and few scores need it

    return (
        (regex.compile(r"(\P{N})(\p{P})"), r"\1 \2 "),
        (regex.compile(r"(\p{P})(\P{N})"), r" \1 \2"),
        (regex.compile(r"(\p{S})"), r" \1 "),
    )


def international(text: str) -> list[str]:
    """As mteval-v14's international tokenization: punctuation apart unless beside a digit, symbols apart.

    White space at the end is no part of a segment, so a full stop after a final digit stays on it.
    """
    text = text.rstrip()
    for rule, replacement in _international_rules():
        text = rule.sub(replacement, text)
    return text.split()


def characters(text: str) -> list[str]:
    """Every code point that is no white space."""
    return [character for character in text if not character.isspace()]


CHINESE = (
    *((0x2001, 0x2A6D), (0x2E80, 0x2EFF), (0x2F00, 0x2FDF), (0x2FF0, 0x303F), (0x3100, 0x312F)),
    *((0x31A0, 0x31EF), (0x3200, 0x33FF), (0x3400, 0x4DB5), (0x4E00, 0x9FBB), (0xF900, 0xFA2D)),
    *((0xFA30, 0xFA6A), (0xFA70, 0xFAD9), (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF)),
)
"""What sacreBLEU takes for Chinese. Its ranges beyond the first plane are written with four digits, and so
cover U+2001 to U+2A6D, with dashes and arrows, and no ideograph beyond U+FFFF."""
_CHINESE = re.compile("([" + "".join(f"{chr(first)}-{chr(last)}" for first, last in CHINESE) + "])")


def chinese(text: str) -> list[str]:
    """Chinese characters and marks apart; in the rest ASCII marks apart, as 13a does."""
    return _western(_CHINESE.sub(r" \1 ", text.strip()))


@lru_cache
def _tagger() -> Any:
    try:
        import ipadic
        import MeCab
    except ImportError as error:
        raise MissingResource("ja-mecab needs MeCab: pip install 'text-metric-conformance[ja]'") from error
    return MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati")


def japanese(text: str) -> list[str]:
    """By MeCab with the IPA dictionary. Raises MissingResource where they are not installed."""
    parsed: str = _tagger().parse(text.strip())
    return parsed.split()


_WORD_OR_MARK = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"\w+")


def split_punctuation(text: str) -> list[str]:
    """Runs of word characters, and every other mark by itself."""
    return _WORD_OR_MARK.findall(text)


def removed_punctuation(text: str) -> list[str]:
    """Runs of word characters that hold a letter, digit or underscore; marks are dropped."""
    return _WORD.findall(text)


SPACES = re.compile(r"\s\s+")
"""JiWER's multiple spaces: two and more white-space characters in a row."""


def jiwer_words(text: str) -> list[str]:
    """JiWER's default: runs of two and more white spaces made one space, ends stripped, split at spaces."""
    return [word for word in SPACES.sub(" ", text).strip().split(" ") if word]


def at_spaces(text: str) -> list[str]:
    """Split at runs of the space alone, as universal-edit-distance does."""
    return [word for word in text.split(" ") if word]


def at_each_space(text: str) -> list[str]:
    """Split at each space by itself, as fastwer does: a space ends a word, also an empty one."""
    words = text.split(" ")
    return words if words[-1] else words[:-1]


_ASCII_WORD = re.compile(r"[a-z0-9]+")
_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def rouge_score_words(text: str) -> list[str]:
    """rouge-score's: lower-cased, then runs of ASCII letters and digits; all else is dropped, Japanese too."""
    return _ASCII_WORD.findall(text.lower())


def rouge_155_words(text: str) -> list[str]:
    """ROUGE-1.5.5's: runs of ASCII letters and digits, these lower-cased; no other letter becomes one."""
    return _ASCII_WORD.findall(text.translate(_ASCII_LOWER))


TOKENIZERS: Mapping[str, Callable[[str], list[str]]] = {
    "whitespace": whitespace,
    "13a": mteval_13a,
    "intl": international,
    "char": characters,
    "zh": chinese,
    "ja-mecab": japanese,
    "split-punctuation": split_punctuation,
    "removed-punctuation": removed_punctuation,
    "jiwer": jiwer_words,
    "rouge-score": rouge_score_words,
    "rouge-1.5.5": rouge_155_words,
    "space": at_spaces,
    "each-space": at_each_space,
}
SLOW = frozenset({"13a", "intl", "zh", "ja-mecab"})


@lru_cache(maxsize=CACHED_TEXTS)
def _remembered(text: str, tokenizer: str) -> tuple[str, ...]:
    return tuple(TOKENIZERS[tokenizer](text))


def tokens_of(text: Text, tokenizer: str, lowercase: bool = False) -> list[str]:
    """The tokens of a text; explicit tokens are taken as they are. The tokenizer has to be a known one."""
    if not isinstance(text, str):
        return list(text)
    if lowercase:
        text = text.lower()
    return list(_remembered(text, tokenizer)) if tokenizer in SLOW else TOKENIZERS[tokenizer](text)


def tokenize(text: Text, *, tokenizer: str = "whitespace", lowercase: bool = False) -> dict[str, Any]:
    """The tokens of a text under a named tokenizer; explicit tokens are taken as they are.

    Raises TypeError, ValueError for an unknown tokenizer, MissingResource for ja-mecab without MeCab.
    """
    text_or_tokens("text", text)
    choice("tokenizer", tokenizer, tuple(TOKENIZERS))
    flag("lowercase", lowercase)
    return {"tokens": tokens_of(text, tokenizer, lowercase)}
