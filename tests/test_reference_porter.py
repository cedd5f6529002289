"""Porter's stemmer: the examples of the paper, where the variants part, and NLTK's three modes on many words."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.reference.porter import STEP_2, STEP_3, STEP_4, letters, measure, porter_stem, stem

CAPTIONS = Path(__file__).parent.parent / "cases" / "data" / "captions.jsonl"


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "tr ee tree y by"), (1, "trouble oats trees ivy"), (2, "troubles private oaten orrery")],
)
def test_the_measure_of_the_words_of_the_paper(size: int, words: str) -> None:
    """Porter gives these words for m = 0, 1 and 2."""
    assert [measure(word) for word in words.split()] == [size] * len(words.split())


def test_y_is_a_vowel_after_a_consonant() -> None:
    """In toy the consonants are t and y, in syzygy s, z and g; a run of y alternates."""
    assert letters("toy") == "cvc"
    assert letters("syzygy") == "cvcvcv"
    assert letters("yyyy") == "cvcv"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        *[("caresses", "caress"), ("ponies", "poni"), ("ties", "ti"), ("caress", "caress"), ("cats", "cat")],
        *[("feed", "feed"), ("agreed", "agre"), ("plastered", "plaster"), ("bled", "bled"), ("motoring", "motor")],
        *[("sing", "sing"), ("sized", "size"), ("hopping", "hop"), ("tanned", "tan"), ("falling", "fall")],
        *[("hissing", "hiss"), ("fizzed", "fizz"), ("failing", "fail"), ("filing", "file"), ("happy", "happi")],
        *[("sky", "sky"), ("relational", "relat"), ("rational", "ration"), ("generalizations", "gener")],
        *[("oscillators", "oscil"), ("goodness", "good"), ("adoption", "adopt"), ("replacement", "replac")],
        *[("probate", "probat"), ("rate", "rate"), ("cease", "ceas"), ("controll", "control"), ("roll", "roll")],
    ],
)
def test_examples_of_the_paper(word: str, expected: str) -> None:
    """Words of the paper, through all steps: agree and relate lose their e again in step 5, relate its ate in 4."""
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("word", "original", "martin", "nltk"),
    [
        *[("as", "a", "as", "as"), ("archaeology", "archaeologi", "archaeolog", "archaeolog")],
        *[("possibly", "possibli", "possibl", "possibl"), ("dies", "di", "di", "die"), ("died", "di", "di", "die")],
        *[("enjoy", "enjoi", "enjoi", "enjoy"), ("fly", "fly", "fly", "fli"), ("spied", "spi", "spi", "spi")],
        *[("dying", "dy", "dy", "die"), ("news", "new", "new", "news"), ("geology", "geologi", "geologi", "geolog")],
    ],
)
def test_where_the_variants_part(word: str, original: str, martin: str, nltk: str) -> None:
    """One word for each departure from the paper."""
    assert [stem(word, variant) for variant in ("original", "martin", "nltk")] == [original, martin, nltk]


def words() -> Iterator[str]:
    """The words of the captions; every suffix of the rules, alone and together, on stems of all forms."""
    for line in CAPTIONS.read_text(encoding="utf-8").splitlines():
        yield from re.findall(r"\w+", json.dumps(json.loads(line), ensure_ascii=False))
    suffixes = sorted({*STEP_2["nltk"], *STEP_2["original"], *STEP_3, *STEP_4})
    endings = ["", "s", "es", "ies", "ied", "ed", "eed", "ing", "y", "ly", "e", "ll"]
    stems = ["", "b", "a", "y", "at", "by", "tr", "hop", "hopp", "ball", "fizz", "abl", "toy", "syzyg", "orator", "box"]
    for begin, middle, end in itertools.product(stems, ["", *suffixes], endings):
        yield begin + middle + end
    draw = random.Random(1980)
    for _ in range(20000):
        yield "".join(draw.choice(["b", "l", "s", "t", "y", "a", "e", "i", "o", *suffixes]) for _ in range(5))


@pytest.mark.parametrize("variant", ["original", "martin", "nltk"])
def test_nltk_gives_the_same_stems(variant: str) -> None:
    """NLTK's mode of each name agrees on every word."""
    porter = pytest.importorskip("nltk.stem.porter").PorterStemmer
    modes = {"original": "ORIGINAL_ALGORITHM", "martin": "MARTIN_EXTENSIONS", "nltk": "NLTK_EXTENSIONS"}
    theirs = porter(mode=modes[variant]).stem
    different = {word for word in set(words()) if stem(word, variant) != theirs(word)}
    assert different == set()


def test_a_text_is_stemmed_word_by_word() -> None:
    """Text splits at white space; tokens stay as they are given."""
    assert porter_stem("The  caresses\tfell") == {"text": "the caress fell"}
    assert porter_stem(["ponies", "cats"]) == {"text": "poni cat"}


def test_errors() -> None:
    """An unknown variant and what is no text are refused."""
    with pytest.raises(ValueError, match="variant"):
        stem("word", "snowball")
    with pytest.raises(ValueError, match="variant"):
        porter_stem("", variant="snowball")
    with pytest.raises(TypeError, match="text"):
        porter_stem(None)  # type: ignore[arg-type]
