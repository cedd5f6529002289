"""What a law may do to what is drawn: to texts, to corpora, to lists of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Text = Any
"""A list of tokens, or a string."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Segments: each a hypothesis with its references."""

    segments: tuple[tuple[Text, tuple[Text, ...]], ...]

    def arguments(self) -> tuple[list[Text], list[list[Text]]]:
        """The hypotheses and the references as a metric takes them."""
        return [h for h, _ in self.segments], [list(several) for _, several in self.segments]


def length(whole: Any) -> Fraction:
    """How many tokens, characters or elements."""
    return Fraction(len(whole))


def total(numbers: list[Any]) -> Any:
    """The sum of a list."""
    return sum(numbers, Fraction(0))


def product(numbers: list[Any]) -> Any:
    """The product of a list."""
    return math.prod(numbers, start=Fraction(1))


def backwards(whole: Any) -> Any:
    """The tokens of a text, or the segments of a corpus, from last to first."""
    return Corpus(whole.segments[::-1]) if isinstance(whole, Corpus) else whole[::-1]


def repeated(text: Text, times: Fraction) -> Text:
    """A text several times over."""
    return text * int(times)


def inserted(text: Text, other: Text) -> Text:
    """A text with the first token of another put into its middle; unchanged where the other is empty."""
    middle = len(text) // 2
    return text[:middle] + other[:1] + text[middle:]


def prefix(text: Text, count: Fraction) -> Text:
    """The first tokens of a text."""
    return text[: int(count)]


def renamed(text: list[str]) -> list[str]:
    """A text with its tokens renamed one to one."""
    return [f"x{token}" for token in text]


def joined(text: Text) -> str:
    """A text as a string, with one space between tokens."""
    return text if isinstance(text, str) else " ".join(text)


def compact(text: Text) -> str:
    """The characters of a text without any white space."""
    return "".join(joined(text).split())


def doubled(corpus: Corpus) -> Corpus:
    """A corpus with every segment twice."""
    return Corpus(corpus.segments * 2)


def first(corpus: Corpus) -> Corpus:
    """The first segment of a corpus."""
    return Corpus(corpus.segments[:1])


def rest(corpus: Corpus) -> Corpus:
    """A corpus without its first segment."""
    return Corpus(corpus.segments[1:])


def agreeing(corpus: Corpus) -> Corpus:
    """A corpus whose only references are its own hypotheses."""
    return Corpus(tuple((hypothesis, (hypothesis,)) for hypothesis, _ in corpus.segments))


def spaced(text: list[str], separators: list[str]) -> str:
    """A text as a string, with the drawn separators in turn: before, between and after the tokens."""
    parts = [separators[0]]
    for place, token in enumerate(text, start=1):
        parts += [token, separators[place % len(separators)]]
    return "".join(parts)


WORKS: Mapping[str, Callable[..., Any]] = {
    "length": length,
    "total": total,
    "product": product,
    "reversed": backwards,
    "repeated": repeated,
    "inserted": inserted,
    "prefix": prefix,
    "renamed": renamed,
    "joined": joined,
    "compact": compact,
    "doubled": doubled,
    "first": first,
    "rest": rest,
    "agreeing": agreeing,
}
"""What a law may do to texts, corpora and lists; `spaced` joins at separators that are drawn."""
