"""Hard inputs for Hypothesis: tiny alphabets, ties of length, repeats, empties, awkward tokens, white space.

Numbers are drawn as exact probabilities, few and often equal.

Texts are drawn as places in an alphabet of one to three tokens, from strategies that are made once: making
them for every example would take longer than asking a metric. All shrink towards few and short texts of
the tokens "a", "b" and "c".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import cycle, islice
from typing import Any

from hypothesis import strategies as st

from conformance.laws import NUMBERS, TEXTS, Corpus

PLAIN = ("a", "b", "c")
AWKWARD = (
    "A",
    "the",
    "it's",
    "3.5",
    "e\u0301",  # a base letter and a combining mark
    "\u00e9",  # the same letter, composed
    "o\u0302\u0323",  # two marks, not in canonical order
    "\U0001f469\u200d\U0001f469\u200d\U0001f467",  # a family, joined by zero-width joiners
    "\U0001f44d\U0001f3fd",  # a thumb with a skin tone
    "\U0001f1e9\U0001f1ea",  # a flag of two regional indicators
    "\u4e2d\u6587",
    "\u0130",  # lower-cases to two code points
    "\u00df",
    "\ufb01",  # a ligature
    "\u0928\u092e\u0938\u094d\u0924\u0947",
    "a,b",
    "&amp;",
    "-",
)
SEPARATORS = (" ", "  ", "\t", "\n", "\u00a0", "\u3000", "\u2028", " \r\n ")
"""White space that splits words under the definition: Unicode's, as Python's str.split sees it."""

PROBABILITIES = (*(Fraction(1, n) for n in (2, 1, 3, 4, 10, 1000)), Fraction(3, 4), Fraction(9, 10))
"""Above zero, so that each has a logarithm."""

SHORT, LONG = 3, 12

Places = list[int]
"""A text as places in an alphabet, taken modulo its size."""

_LETTERS = [st.sampled_from((letter,) * len(AWKWARD) + AWKWARD) for letter in PLAIN]
ALPHABETS = st.tuples(st.sampled_from((1, 2, 3, 3, 3)), *_LETTERS).map(
    lambda drawn: list(dict.fromkeys(drawn[1 : 1 + drawn[0]]))
)
"""One to three distinct tokens; half of those drawn are plain."""

_PROBABILITIES = st.lists(st.sampled_from(PROBABILITIES), min_size=1, max_size=LONG)
_PLACE = st.integers(0, 2)
_TEXT: st.SearchStrategy[Places] = st.one_of(
    st.lists(_PLACE, max_size=SHORT),
    st.lists(_PLACE, min_size=SHORT + 1, max_size=LONG),
    st.tuples(_PLACE, st.integers(2, 6)).map(lambda pair: [pair[0]] * pair[1]),
)
_EDIT = st.tuples(st.integers(0, LONG), st.integers(0, 2), st.lists(_PLACE, max_size=2))


def edited(text: Places, edit: tuple[int, int, Places]) -> Places:
    """A text with one stretch of it replaced: it shares its beginning and its end with the original."""
    start, length, replacement = edit
    start = min(start, len(text))
    return text[:start] + replacement + text[start + length :]


def tied(text: Places, one: Places, other: Places, longer_first: bool) -> tuple[Places, Places]:
    """Two texts equally far from another in length: one element shorter, and one element longer."""
    size = max(len(text), 1)
    pair = list(islice(cycle(one or [0]), size - 1)), list(islice(cycle(other or [0]), size + 1))
    return (pair[1], pair[0]) if longer_first else pair


def shifted(text: Places, tail: Places, by: int) -> tuple[Places, Places, Places]:
    """A text, what is left of it without its beginning, and that with another end of the same length."""
    return text, text[by:], text[by:] + list(islice(cycle(tail or [0]), by))


_SHIFTED = st.tuples(
    st.sampled_from((SHORT + 2, LONG - 3, LONG - 1, LONG)),
    st.tuples(*[_PLACE] * LONG),
    _TEXT,
    st.sampled_from((1, 2, 2)),
).map(lambda drawn: shifted(list(drawn[1][: drawn[0]]), drawn[2], drawn[3]))


def twice(text: Places, tail: Places) -> tuple[Places, Places]:
    """A text, and one twice as long that begins with it."""
    return text, text + list(islice(cycle(tail or [0]), len(text)))


_PAIR = st.one_of(
    st.tuples(_TEXT, _TEXT),
    _SHIFTED.map(lambda texts: (texts[0], texts[2])),
    st.tuples(_TEXT, _TEXT).map(lambda texts: twice(*texts)),
    st.tuples(_TEXT, _EDIT).map(lambda drawn: (drawn[0], edited(*drawn))),
)
_TRIPLE = st.one_of(
    st.tuples(_TEXT, _TEXT, _TEXT),
    _SHIFTED,
    st.tuples(_PAIR, _EDIT).map(lambda drawn: (*drawn[0], edited(drawn[0][1], drawn[1]))),
    st.tuples(_TEXT, _TEXT, _TEXT, st.booleans()).map(lambda drawn: (drawn[0], *tied(*drawn))),
)
_AGAIN = st.sampled_from((False, False, False, True))


def _segments(texts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Two to four segments; one that is drawn as `again` is the one before it once more."""
    return st.lists(st.tuples(_AGAIN, texts), min_size=2, max_size=4)


_CORPUS_OF_ONE = _segments(_PAIR)
_CORPUS = _segments(st.one_of(_PAIR, _TRIPLE))


def spelled(places: Places, alphabet: Sequence[str]) -> list[str]:
    """The tokens at these places of an alphabet."""
    return [alphabet[place % len(alphabet)] for place in places]


def corpus(drawn: Sequence[tuple[bool, Sequence[Places]]], alphabet: Sequence[str]) -> Corpus:
    """A drawn corpus in tokens."""
    segments: list[tuple[list[str], tuple[list[str], ...]]] = []
    for again, texts in drawn:
        if again and segments:
            segments.append(segments[-1])
            continue
        hypothesis, *references = (spelled(each, alphabet) for each in texts)
        segments.append((hypothesis, tuple(references)))
    return Corpus(tuple(segments))


def examples(names: Collection[str], most_references: int = 2) -> st.SearchStrategy[dict[str, Any]]:
    """The variables that a law names: texts over one alphabet, lists of probabilities, a number, a corpus, separators."""
    texts = [name for name in TEXTS if name in names]
    drawn: dict[str, st.SearchStrategy[Any]] = {}
    if texts:
        drawn["texts"] = {1: st.tuples(_TEXT), 2: _PAIR, 3: _TRIPLE}[len(texts)]
    drawn |= {name: _PROBABILITIES for name in NUMBERS if name in names}
    if "n" in names:
        drawn["n"] = st.integers(0, LONG).map(Fraction)
    if "corpus" in names:
        drawn["corpus"] = _CORPUS if most_references > 1 else _CORPUS_OF_ONE
    if "spaced" in names:
        drawn["separators"] = st.lists(st.sampled_from(SEPARATORS), min_size=1, max_size=4)
    drawn["alphabet"] = ALPHABETS  # the last, so that a text shrinks before its alphabet does

    def spell(parts: dict[str, Any]) -> dict[str, Any]:
        alphabet = parts.pop("alphabet")
        for name, places in zip(texts, parts.pop("texts", ()), strict=False):
            parts[name] = spelled(places, alphabet)
        if "corpus" in parts:
            parts["corpus"] = corpus(parts["corpus"], alphabet)
        return parts

    return st.fixed_dictionaries(drawn).map(spell)


__all__ = [
    "ALPHABETS",
    "AWKWARD",
    "PLAIN",
    "PROBABILITIES",
    "SEPARATORS",
    "corpus",
    "edited",
    "examples",
    "shifted",
    "spelled",
    "tied",
    "twice",
]
