"""Text before it is counted: normalizers, named transforms, characters and n-grams.

Sources: SQuAD's evaluation script (its normalizer), JiWER 4 (transforms), Unicode UAX 15 (forms) and
UAX 29 (grapheme clusters).
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from conformance.reference.shape import text_or_tokens, whole
from conformance.reference.tokenizers import SPACES, Text

NORMALIZERS = ("none", "squad")
_ARTICLE = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def _without_ascii_punctuation(text: str) -> str:
    return text.translate(_NO_PUNCTUATION)


def _without_articles(text: str) -> str:
    return _ARTICLE.sub(" ", text)


def _single_spaced(text: str) -> str:
    return " ".join(text.split())


SQUAD_STEPS: Mapping[str, Callable[[str], str]] = {
    "lower case": str.lower,
    "no ASCII punctuation": _without_ascii_punctuation,
    "no articles": _without_articles,
    "single spaces": _single_spaced,
}
"""What SQuAD's normalizer does, in this order."""


def squad_normalize(text: Text) -> dict[str, Any]:
    """SQuAD's answer normalizer: lower case, no ASCII punctuation, no articles, single spaces.

    Tokens are joined by spaces first. Raises TypeError. Source: SQuAD evaluate-v2.0.
    """
    text_or_tokens("text", text)
    return {"text": normalized(text, "squad")}


def joined(text: Text) -> str:
    """A text as it is, tokens joined by single spaces."""
    return text if isinstance(text, str) else " ".join(text)


def normalized(text: Text, normalizer: str) -> str:
    """A text after a named normalizer; tokens are joined first."""
    plain = joined(text)
    if normalizer == "none":
        return plain
    for step in SQUAD_STEPS.values():
        plain = step(plain)
    return plain


CONTRACTIONS = (
    *(("won't", "will not"), ("can't", "can not"), ("let's", "let us"), ("n't", " not"), ("'re", " are")),
    *(("'s", " is"), ("'d", " would"), ("'ll", " will"), ("'t", " not"), ("'ve", " have"), ("'m", " am")),
)
_NON_WORD = re.compile(r"[<\[][^>\]]*[>\]]")
_NO_WHITE_SPACE = str.maketrans("", "", string.whitespace)


def _single_spaces(text: str) -> str:
    return SPACES.sub(" ", text)


def _without_white_space(text: str) -> str:
    return text.translate(_NO_WHITE_SPACE)


def _without_punctuation(text: str) -> str:
    return "".join(character for character in text if not unicodedata.category(character).startswith("P"))


def _without_non_words(text: str) -> str:
    return _NON_WORD.sub("", text)


def _expanded(text: str) -> str:
    for short, long in CONTRACTIONS:
        text = text.replace(short, long)
    return text


def _kept(text: str) -> str:
    return text


TRANSFORMS: Mapping[str, Callable[[str], str]] = {
    "lowercase": str.lower,
    "uppercase": str.upper,
    "strip": str.strip,
    "remove-multiple-spaces": _single_spaces,
    "remove-white-space": _without_white_space,
    "remove-punctuation": _without_punctuation,
    "remove-kaldi-non-words": _without_non_words,
    "expand-contractions": _expanded,
    "remove-empty": _kept,
}
"""Named transforms of one text. `remove-empty` drops empty texts from a list, and so changes none."""


def transformed(text: Text, transforms: Sequence[str]) -> Text:
    """A text after the named transforms, in order; of tokens, each by itself, and empty ones dropped."""
    if not isinstance(text, str):
        tokens = [joined(transformed(token, transforms)) for token in text]
        return [token for token in tokens if token] if transforms else tokens
    for name in transforms:
        text = TRANSFORMS[name](text)
    return text


FORMS = ("none", "NFC", "NFD", "NFKC", "NFKD")


def unicode_form(text: str, form: str) -> str:
    """A text in a Unicode normalization form, or as it is."""
    return text if form == "none" else unicodedata.normalize(form, text)  # type: ignore[arg-type]


def graphemes(text: str) -> list[str]:
    """The grapheme clusters of a text. Source: UAX 29."""
    if text.isascii() and "\r" not in text:
        return list(text)
    import regex  # slow to import, and few scores need it

    found: list[str] = regex.findall(r"\X", text)
    return found


def elements(text: Text, unit: str) -> list[str]:
    """A text as a sequence of tokens, or of joined tokens' code points, grapheme clusters or UTF-16 code units."""
    if unit in ("token", "tokens"):
        return text.split() if isinstance(text, str) else list(text)
    if unit == "grapheme":
        return graphemes(joined(text))
    return utf16_units(joined(text)) if unit == "utf-16" else list(joined(text))


def utf16_units(text: str) -> list[str]:
    """The code units of UTF-16: a character, or for one beyond the basic plane the two numbers that stand for it."""
    found: list[str] = []
    for character in text:
        rest = ord(character) - 0x10000
        found += [character] if rest < 0 else [f"{0xD800 + (rest >> 10):04X}", f"{0xDC00 + (rest & 0x3FF):04X}"]
    return found


def grams(tokens: Sequence[str], order: int) -> list[Any]:
    """The contiguous runs of `order` tokens, in order: tokens themselves for order 1, else tuples."""
    if order == 1:
        return list(tokens)
    return list(zip(*[tokens[start:] for start in range(order)], strict=False))


def shown(gram: Any) -> str:
    """An n-gram as text, its tokens joined by a space."""
    return gram if isinstance(gram, str) else " ".join(gram)


def ngrams(text: Text, *, order: int = 1) -> dict[str, Any]:
    """The n-grams of a text at white space, each once in order of first occurrence, with their counts.

    Raises TypeError and ValueError for an order that is not a positive integer.
    """
    text_or_tokens("text", text)
    whole("order", order, 1, 1000)
    counts = Counter(grams(elements(text, "token"), order))
    return {"ngrams": [shown(gram) for gram in counts], "counts": list(counts.values())}
