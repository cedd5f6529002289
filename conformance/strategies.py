"""Hard inputs for Hypothesis: tiny alphabets, ties of length, repeats, empties, awkward tokens and white space.

Every strategy shrinks towards few and short texts of the tokens "a", "b" and "c".
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from conformance.laws import Corpus

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

SHORT, LONG = 3, 12


def alphabets() -> st.SearchStrategy[list[str]]:
    """One to three distinct tokens, mostly plain ones."""
    plain = st.integers(1, 3).map(lambda count: list(PLAIN[:count]))
    awkward = st.lists(st.sampled_from(PLAIN + AWKWARD), min_size=1, max_size=3, unique=True)
    return st.one_of(plain, plain, awkward)


def texts(alphabet: list[str]) -> st.SearchStrategy[list[str]]:
    """Token sequences: short ones (0 to 3 tokens), long ones (4 to 12), and one token repeated."""
    token = st.sampled_from(alphabet)
    repeats = st.tuples(token, st.integers(2, 6)).map(lambda pair: [pair[0]] * pair[1])
    return st.one_of(
        st.lists(token, max_size=SHORT), st.lists(token, min_size=SHORT + 1, max_size=LONG), repeats
    )


@st.composite
def edited(draw: st.DrawFn, text: list[str], alphabet: list[str]) -> list[str]:
    """A text with one stretch of it replaced: it shares its beginning and its end with the original."""
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 2)))
    return text[:start] + draw(st.lists(st.sampled_from(alphabet), max_size=2)) + text[end:]


@st.composite
def tied(draw: st.DrawFn, text: list[str], alphabet: list[str]) -> tuple[list[str], list[str]]:
    """Two texts that are equally far from another in length: one token shorter and one token longer."""
    size, token = max(len(text), 1), st.sampled_from(alphabet)
    shorter = draw(st.lists(token, min_size=size - 1, max_size=size - 1))
    longer = draw(st.lists(token, min_size=size + 1, max_size=size + 1))
    return (shorter, longer) if draw(st.booleans()) else (longer, shorter)


@st.composite
def triples(draw: st.DrawFn, alphabet: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Three texts: each by itself, tied in length with the first, or edited from the one before."""
    h = draw(texts(alphabet))
    kind = draw(st.sampled_from(("free", "edited", "tied")))
    if kind == "tied":
        return (h, *draw(tied(h, alphabet)))
    if kind == "edited":
        r = draw(edited(h, alphabet))
        return h, r, draw(edited(r, alphabet))
    return h, draw(texts(alphabet)), draw(texts(alphabet))


@st.composite
def corpora(draw: st.DrawFn, alphabet: list[str], most_references: int = 2) -> Corpus:
    """Two to four segments of one or two references each; a segment may be the one before again."""
    segments: list[tuple[list[str], tuple[list[str], ...]]] = []
    for place in range(draw(st.integers(2, 4))):
        if place and draw(st.integers(0, 3)) == 3:
            segments.append(segments[-1])
            continue
        h, r, t = draw(triples(alphabet))
        both = most_references > 1 and draw(st.booleans())
        segments.append((h, (r, t) if both else (r,)))
    return Corpus(tuple(segments))


@st.composite
def examples(draw: st.DrawFn, names: Collection[str], most_references: int = 2) -> dict[str, Any]:
    """The variables that a law names: texts over one alphabet, a number, a corpus, separators."""
    drawn: dict[str, Any] = {}
    alphabet = draw(alphabets())
    if {"h", "r", "t"} & set(names):
        both = zip("hrt", draw(triples(alphabet)), strict=True)
        drawn.update((name, text) for name, text in both if name in names)
    if "n" in names:
        drawn["n"] = Fraction(draw(st.integers(0, LONG)))
    if "corpus" in names:
        drawn["corpus"] = draw(corpora(alphabet, most_references))
    if "spaced" in names:
        drawn["separators"] = draw(st.lists(st.sampled_from(SEPARATORS), min_size=1, max_size=4))
    return drawn


__all__ = ["AWKWARD", "PLAIN", "SEPARATORS", "alphabets", "corpora", "edited", "examples", "texts", "tied", "triples"]
