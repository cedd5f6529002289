"""Named tokenizers: from a text to its tokens.

Sources: sacreBLEU 2.6.0 (13a, intl, zh, char, ja-mecab; Post 2018), mteval-v13a and mteval-v14, JiWER 4,
rouge-score 0.1.2, ROUGE-1.5.5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

Text = str | Sequence[str]

CACHED_TEXTS = 65_536
"""A corpus is often scored again, with other parameters: the slow tokenizers remember so many texts."""


class MissingResource(RuntimeError):
    """A program or dictionary that a tokenizer needs is not installed; the message says how to get it."""


ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}

Rule = tuple[str, Any, str]
"""The name of a rule, its pattern, and the replacement."""

WESTERN: Sequence[Rule] = (
    ("ASCII marks apart", re.compile(r"([ !-&(-+/:-@\[-`{-~])"), r" \1 "),
    (". , apart after no digit", re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (". , apart before no digit", re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    ("hyphen apart after a digit", re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def ruled(text: str, rules: Sequence[Rule]) -> str:
    """A text after each of the rules in turn."""
    for _, pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


def unmarked(text: str) -> str:
    """A text without mteval's skip marks, its line ends joined, with or without a hyphen, and entities unescaped."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in ENTITIES:
        text = text.replace(entity, character)
    return text


def mteval_13a(text: str) -> list[str]:
    """sacreBLEU's, after mteval-v13a: skip marks removed, hyphens at line ends joined, entities unescaped, ASCII marks apart.

    White space at the end is no part of a segment, so a final hyphen stays.
    """
    return ruled(f" {unmarked(text.rstrip())} ", WESTERN).split()


_PERL_WORD = re.compile(r"[\S\x1c-\x1f]+")


def mteval_script_cased(text: str) -> list[str]:
    """mteval-v13a's own with -c: as 13a, but ends are no less text, and the separators U+001C to U+001F no space to Perl."""
    return _PERL_WORD.findall(ruled(f" {unmarked(text)} ", WESTERN))


def mteval_script(text: str) -> list[str]:
    """mteval-v13a's own: after the entities, and before the marks, A to Z become lower case, and no other letter."""
    return _PERL_WORD.findall(ruled(f" {unmarked(text).translate(ASCII_LOWER)} ", WESTERN))


@lru_cache
def international_rules() -> Sequence[Rule]:
    """The rules of `intl`, with Unicode's classes."""
    import regex  # slow to import, and few scores need it

    return (
        ("marks apart after no digit", regex.compile(r"(\P{N})(\p{P})"), r"\1 \2 "),
        ("marks apart before no digit", regex.compile(r"(\p{P})(\P{N})"), r" \1 \2"),
        ("symbols apart", regex.compile(r"(\p{S})"), r" \1 "),
    )


def international(text: str) -> list[str]:
    """As mteval-v14's international tokenization: punctuation apart unless beside a digit, symbols apart.

    White space at the end is no part of a segment, so a full stop after a final digit stays on it.
    """
    return ruled(text.rstrip(), international_rules()).split()


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
CHINESE_RULE: Rule = (
    "Chinese characters apart",
    re.compile("([" + "".join(f"{chr(first)}-{chr(last)}" for first, last in CHINESE) + "])"),
    r" \1 ",
)


def chinese(text: str) -> list[str]:
    """Chinese characters and marks apart; in the rest ASCII marks apart, as 13a does."""
    return ruled(text.strip(), (CHINESE_RULE, *WESTERN)).split()


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


def rouge_score_words(text: str) -> list[str]:
    """rouge-score's: lower-cased, then runs of ASCII letters and digits; all else is dropped, Japanese too."""
    return _ASCII_WORD.findall(text.lower())


def rouge_155_words(text: str) -> list[str]:
    """ROUGE-1.5.5's: runs of ASCII letters and digits, these lower-cased; no other letter becomes one."""
    return _ASCII_WORD.findall(text.translate(ASCII_LOWER))


TOKENIZERS: Mapping[str, Callable[[str], list[str]]] = {
    "whitespace": str.split,  # at runs of Unicode white space
    "13a": mteval_13a,
    "mteval-v13a": mteval_script,
    "mteval-v13a-cased": mteval_script_cased,
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
SLOW = frozenset({"13a", "mteval-v13a", "mteval-v13a-cased", "intl", "zh", "ja-mecab"})


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
