"""Text before it is counted: tokenizers, normalizers, named transforms and characters.

Sources: Post 2018 and sacreBLEU 2.6.0 (13a, intl, zh, char, ja-mecab), the SQuAD evaluation script (its
normalizer), JiWER 4 (transforms), Unicode UAX 15 and 29 (forms, grapheme clusters).
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Union

Text = Union[str, Sequence[str]]


class MissingResource(RuntimeError):
    """A program or dictionary that a tokenizer needs is not installed; the message says how to get it."""


def whitespace(text: str) -> list[str]:
    """Split at runs of Unicode white space."""
    return text.split()


_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_MARKS = re.compile(r"([!-&(-+:-@/\[-`{-~ ])")
_MARK_AFTER_NON_DIGIT = re.compile(r"([^0-9])([.,])")
_MARK_BEFORE_NON_DIGIT = re.compile(r"([.,])([^0-9])")
_HYPHEN_AFTER_DIGIT = re.compile(r"([0-9])(-)")


def _western(text: str) -> list[str]:
    """ASCII marks apart; a full stop or comma stays between digits, a hyphen is split off a digit before it."""
    text = _MARKS.sub(r" \1 ", text)
    text = _MARK_AFTER_NON_DIGIT.sub(r"\1 \2 ", text)
    text = _MARK_BEFORE_NON_DIGIT.sub(r" \1 \2", text)
    return _HYPHEN_AFTER_DIGIT.sub(r"\1 \2 ", text).split()


def mteval_13a(text: str) -> list[str]:
    """As mteval-v13a: entities unescaped, line-end hyphens joined, ASCII marks apart."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return _western(f" {text} ")


@lru_cache
def _international_rules() -> tuple[tuple[Any, str], ...]:
    import regex

    return (
        (regex.compile(r"(\P{N})(\p{P})"), r"\1 \2 "),
        (regex.compile(r"(\p{P})(\P{N})"), r" \1 \2"),
        (regex.compile(r"(\p{S})"), r" \1 "),
    )


def international(text: str) -> list[str]:
    """As mteval-v14's international tokenization: Unicode punctuation apart unless beside a digit, symbols apart."""
    for rule, replacement in _international_rules():
        text = rule.sub(replacement, text)
    return text.split()


def characters(text: str) -> list[str]:
    """Every character that is no white space."""
    return [character for character in text if not character.isspace()]


_CHINESE = (
    (0x2001, 0x2A6D), (0x2E80, 0x2EFF), (0x2F00, 0x303F), (0x3100, 0x312F), (0x31A0, 0x31BF), (0x31C0, 0x31EF),
    (0x3200, 0x33FF), (0x3400, 0x4DB5), (0x4E00, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A), (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF),
)


def _is_chinese(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _CHINESE)


def chinese(text: str) -> list[str]:
    """Chinese characters and marks apart, the rest as 13a's marks. The ranges are sacreBLEU's, down to U+2001."""
    return _western("".join(f" {c} " if _is_chinese(c) else c for c in text.strip()))


_JIWER_SPACES = re.compile(r"\s\s+")


def jiwer_words(text: str) -> list[str]:
    """JiWER's default: runs of two and more white-space characters become one space, ends stripped, split at spaces."""
    return [word for word in _JIWER_SPACES.sub(" ", text).strip().split(" ") if word]


_WORDS_AND_MARKS = re.compile(r"\w+|[^\w\s]")
_WORDS = re.compile(r"\w+")


def split_punctuation(text: str) -> list[str]:
    """Runs of word characters, and every other mark by itself."""
    return _WORDS_AND_MARKS.findall(text)


def removed_punctuation(text: str) -> list[str]:
    """Runs of word characters alone."""
    return _WORDS.findall(text)


@lru_cache
def _tagger() -> Any:
    try:
        import ipadic
        import MeCab
    except ImportError as error:
        raise MissingResource(
            "the tokenizer ja-mecab needs MeCab and its IPA dictionary: pip install 'text-metric-conformance[ja]'"
        ) from error
    return MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati")


def japanese(text: str) -> list[str]:
    """By MeCab with the IPA dictionary. Raises MissingResource where they are not installed."""
    parsed: str = _tagger().parse(text.strip())
    return parsed.split()


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
}


def tokenize(text: str, *, tokenizer: str = "whitespace", lowercase: bool = False) -> dict[str, Any]:
    """The tokens of a text under a named tokenizer. Raises ValueError for an unknown one."""
    return {"tokens": tokens_of(text, tokenizer, lowercase)}


def tokens_of(text: Text | None, tokenizer: str, lowercase: bool = False) -> list[str]:
    """The tokens of a text; explicit tokens are taken as they are."""
    if not isinstance(text, str):
        if isinstance(text, Sequence) and all(isinstance(token, str) for token in text):
            return list(text)
        raise TypeError(f"expected text or a list of tokens, found {text!r:.60}")
    if tokenizer not in TOKENIZERS:
        raise ValueError(f"no tokenizer {tokenizer!r}; known are {', '.join(TOKENIZERS)}")
    return list(_tokens(text, tokenizer, lowercase))


@lru_cache(maxsize=65_536)
def _tokens(text: str, tokenizer: str, lowercase: bool) -> tuple[str, ...]:
    return tuple(TOKENIZERS[tokenizer](text.lower() if lowercase else text))


_ARTICLES = re.compile(r"\b(a|an|the)\b", re.UNICODE)
_ASCII_PUNCTUATION = str.maketrans("", "", string.punctuation)


def squad_normalize(text: str) -> dict[str, Any]:
    """SQuAD's answer normalizer: lower case, no ASCII punctuation, no articles, single spaces."""
    if not isinstance(text, str):
        raise TypeError(f"expected text, found {text!r:.60}")
    return {"text": " ".join(_ARTICLES.sub(" ", text.lower().translate(_ASCII_PUNCTUATION)).split())}


_CONTRACTIONS = (
    ("won't", "will not"), ("can't", "can not"), ("let's", "let us"), ("n't", " not"), ("'re", " are"), ("'s", " is"),
    ("'d", " would"), ("'ll", " will"), ("'t", " not"), ("'ve", " have"), ("'m", " am"),
)
_NON_WORDS = re.compile(r"[<\[][^>\]]*[>\]]")
_NO_SPACE = str.maketrans("", "", string.whitespace)


def _expand(text: str) -> str:
    for short, long in _CONTRACTIONS:
        text = text.replace(short, long)
    return text


def _without_punctuation(text: str) -> str:
    return "".join(c for c in text if not unicodedata.category(c).startswith("P"))


TRANSFORMS: Mapping[str, Callable[[str], str]] = {
    "lowercase": str.lower,
    "uppercase": str.upper,
    "strip": str.strip,
    "remove-multiple-spaces": lambda text: _JIWER_SPACES.sub(" ", text),
    "remove-white-space": lambda text: text.translate(_NO_SPACE),
    "remove-punctuation": _without_punctuation,
    "remove-kaldi-non-words": lambda text: _NON_WORDS.sub("", text),
    "expand-contractions": _expand,
    "remove-empty": lambda text: text,
}
"""Named transforms of one text; `remove-empty` leaves a text as it is and drops empty ones from a list."""


def transformed(text: Text, transforms: Sequence[str]) -> Text:
    """A text after the named transforms, in order; tokens are transformed one by one. Raises ValueError."""
    for name in transforms:
        if name not in TRANSFORMS:
            raise ValueError(f"no transform {name!r}; known are {', '.join(TRANSFORMS)}")
    if not isinstance(text, str):
        tokens = [transformed(token, transforms) for token in text]
        return [str(token) for token in tokens if token]
    for name in transforms:
        text = TRANSFORMS[name](text)
    return text


def graphemes(text: str) -> list[str]:
    """The grapheme clusters of a text (UAX 29)."""
    import regex

    found: list[str] = regex.findall(r"\X", text)
    return found


def elements(text: Text, unit: str) -> list[str]:
    """A text as a sequence of characters, grapheme clusters or tokens. Raises ValueError."""
    if unit in ("token", "tokens"):
        return tokens_of(text, "whitespace")
    joined = text if isinstance(text, str) else " ".join(tokens_of(text, "whitespace"))
    if unit in ("character", "characters", "code-point"):
        return list(joined)
    if unit == "grapheme":
        return graphemes(joined)
    raise ValueError(f"no unit {unit!r}; known are token, character and grapheme")


def unicode_form(text: str, form: str) -> str:
    """A text in a Unicode normalization form. Raises ValueError."""
    if form == "none":
        return text
    if form not in ("NFC", "NFD", "NFKC", "NFKD"):
        raise ValueError(f"no Unicode form {form!r}; known are none, NFC, NFD, NFKC and NFKD")
    return unicodedata.normalize(form, text)
