"""Tokenizers, normalizers and transforms of the reference, against their definitions and the real libraries."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from conformance.reference import tokenizers
from conformance.reference.text import elements, graphemes, ngrams, squad_normalize, transformed, unicode_form
from conformance.reference.tokenizers import MissingResource, tokens_of
from conformance.reference.transforms import tokenize

PIECES = [
    *("a", "B", "foo", "1", "23", "x1", " ", "  ", "\t", "\n", "\r", "\r\n", "-\n", "-", "--", ".", ",", "..."),
    *("<skipped>", "&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&apos;", "'", '"', "!", "/", "$", "%", "@"),
    *("[", "]", "_", "`", "{", "~", "^", "\\", "\u20ac", "\u00a9", "\u201c", "\u2026", "\u2013", "\u00a0"),
    *("\u3000", "\u2028", "\u0085", "\u001c", "\u200b", "\u0301", "\u00e9", "\u00bd", "\u0663", "\u00b2"),
    *("\u4e2d", "\u6587", "\u3002", "\uff0c", "\u65e5\u672c", "\u2190", "\u2fe0", "\U00020000", "\U0001f600"),
]
TEXTS = st.one_of(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.text(max_size=12))
CHECKED = settings(max_examples=300, deadline=None, derandomize=True)


def sacrebleu_tokens(text: str, tokenizer: str) -> list[str]:
    return str(BLEU(tokenize=tokenizer, force=True)._preprocess_segment(text)).split()


@CHECKED
@given(TEXTS, st.sampled_from(["13a", "intl", "char", "zh"]))
def test_tokens_are_sacrebleus(text: str, tokenizer: str) -> None:
    assert tokens_of(text, tokenizer) == sacrebleu_tokens(text, tokenizer)


def test_chinese_characters_are_sacrebleus_on_the_whole_first_plane() -> None:
    theirs = BLEU(tokenize="zh", force=True).tokenizer
    planes = [*range(0xD800), *range(0xE000, 0x10000), 0x1F600, 0x20000, 0x2A6D6, 0x2F800, 0x2FA1D]
    assert [c for c in planes if tokens_of(f"x{chr(c)}y", "zh") != theirs(f"x{chr(c)}y").split()] == []


@settings(max_examples=60, deadline=None, derandomize=True)
@given(TEXTS)
def test_japanese_tokens_are_sacrebleus(text: str) -> None:
    pytest.importorskip("MeCab")
    pytest.importorskip("ipadic")
    if "\0" in text:
        return
    assert tokens_of(text, "ja-mecab") == sacrebleu_tokens(text, "ja-mecab")


def test_missing_mecab_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ipadic", None)
    tokenizers._tagger.cache_clear()
    with pytest.raises(MissingResource, match=r"pip install 'text-metric-conformance\[ja\]'"):
        tokenizers.japanese("x")


@pytest.mark.parametrize(
    ("tokenizer", "text", "tokens"),
    [
        ("whitespace", "a  b\tc\u3000d\u00a0e", ["a", "b", "c", "d", "e"]),
        ("whitespace", "", []),
        ("13a", "Hello, world.", ["Hello", ",", "world", "."]),
        ("13a", "1,234.5", ["1,234.5"]),
        ("13a", "it's 5-fold", ["it's", "5", "-", "fold"]),
        ("13a", "well-\nknown", ["wellknown"]),
        ("13a", "a &quot;b&quot; &amp; c", ["a", '"', "b", '"', "&", "c"]),
        ("13a", "a<skipped>b", ["ab"]),
        ("intl", "in 1999.", ["in", "1999."]),
        ("intl", "\u201ca\u201d", ["\u201c", "a", "\u201d"]),
        ("char", "ab c", ["a", "b", "c"]),
        ("zh", "\u4e2d\u6587ab", ["\u4e2d", "\u6587", "ab"]),
        ("split-punctuation", "a red square. It's", ["a", "red", "square", ".", "It", "'", "s"]),
        ("removed-punctuation", "a red square. It's", ["a", "red", "square", "It", "s"]),
        ("jiwer", " a\nb  c ", ["a\nb", "c"]),
        ("space", " a\tb  c ", ["a\tb", "c"]),
        ("space", "", []),
        ("each-space", " a\tb  c ", ["", "a\tb", "", "c"]),
        ("each-space", " ", [""]),
        ("each-space", "", []),
    ],
)
def test_tokenizers(tokenizer: str, text: str, tokens: list[str]) -> None:
    assert tokenize(text, tokenizer=tokenizer) == {"tokens": tokens}


def test_tokenize_lowercases_before_it_splits() -> None:
    assert tokenize("A&QUOT;B", tokenizer="13a", lowercase=True)["tokens"] == ["a", '"', "b"]
    assert tokenize(["A b", "C"], tokenizer="13a")["tokens"] == ["A b", "C"]


@CHECKED
@given(TEXTS)
def test_jiwer_words_are_jiwers(text: str) -> None:
    steps = [jiwer.RemoveMultipleSpaces(), jiwer.Strip(), jiwer.ReduceToListOfListOfWords()]
    assert tokens_of(text, "jiwer") == jiwer.Compose(steps)(text)[0]


JIWER_STEPS: dict[str, Callable[[], Callable[[str], str]]] = {
    "lowercase": jiwer.ToLowerCase,
    "uppercase": jiwer.ToUpperCase,
    "strip": jiwer.Strip,
    "remove-multiple-spaces": jiwer.RemoveMultipleSpaces,
    "remove-white-space": jiwer.RemoveWhiteSpace,
    "remove-kaldi-non-words": jiwer.RemoveKaldiNonWords,
    "expand-contractions": jiwer.ExpandCommonEnglishContractions,
}
ENGLISH = st.lists(
    st.sampled_from([*PIECES, "won't", "can't", "let's", "n't", "'re", "'s", "'ll", "'d", "<unk>", "[noise]"]),
    max_size=12,
).map("".join)


@CHECKED
@given(ENGLISH, st.sampled_from(sorted(JIWER_STEPS)))
def test_transforms_are_jiwers(text: str, name: str) -> None:
    assert transformed(text, [name]) == JIWER_STEPS[name]()(text)


@settings(max_examples=10, deadline=None, derandomize=True)
@given(ENGLISH)
def test_punctuation_is_jiwers(text: str) -> None:
    assert transformed(text, ["remove-punctuation"]) == jiwer.RemovePunctuation()(text)


def test_transforms_run_in_order_and_token_by_token() -> None:
    assert transformed("Can't!", ["lowercase", "expand-contractions", "remove-punctuation"]) == "can not"
    assert transformed("Can't!", ["remove-punctuation", "expand-contractions"]) == "Cant"
    assert transformed(["A!", "!", "b"], ["lowercase", "remove-punctuation"]) == ["a", "b"]
    assert transformed(["a", ""], []) == ["a", ""]


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("The U.S. Army!", "us army"),
        ("  a  cat ", "cat"),
        ("the-cat", "thecat"),
        ("A", ""),
        ("Vitamin A", "vitamin"),
        ("3/4", "34"),
        ("\u201cthe\u201d", "\u201c \u201d"),
    ],
)
def test_squad_normalizer(text: str, normalized: str) -> None:
    assert squad_normalize(text) == {"text": normalized}


def test_characters_and_graphemes() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert len(elements(family, "character")) == 5
    assert graphemes(family) == [family]
    assert graphemes("e\u0301x") == ["e\u0301", "x"]
    assert graphemes("a\r\nb") == ["a", "\r\n", "b"]
    assert elements(["ab", "c"], "character") == ["a", "b", " ", "c"]
    assert elements(["a b", "c"], "token") == ["a b", "c"]
    assert unicode_form("e\u0301", "NFC") == "\u00e9"
    assert unicode_form("e\u0301", "none") == "e\u0301"


def test_ngrams_in_order_of_first_occurrence() -> None:
    assert ngrams("to be or to be", order=2) == {"ngrams": ["to be", "be or", "or to"], "counts": [2, 1, 1]}
    assert ngrams(["a", "b"], order=3) == {"ngrams": [], "counts": []}
    assert ngrams("a b a") == {"ngrams": ["a", "b"], "counts": [2, 1]}


@pytest.mark.parametrize(("order", "kind"), [(0, ValueError), (-1, ValueError), (True, TypeError), (2.0, TypeError)])
def test_ngrams_refuse_another_order(order: object, kind: type[Exception]) -> None:
    with pytest.raises(kind, match="order: expected an integer from 1 to 1000"):
        ngrams("a b", order=order)  # type: ignore[arg-type]


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="tokenizer: expected one of whitespace, 13a"):
        tokenize("a", tokenizer="moses")
    with pytest.raises(TypeError, match="text: expected text or a list of tokens, found 3"):
        tokenize(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="lowercase: expected true or false, found 1"):
        tokenize("a", lowercase=1)  # type: ignore[arg-type]


def test_the_definitions_import_nothing_of_the_engine_and_nothing_slow() -> None:
    script = (
        "import sys\n"
        "from conformance.reference.derivations import bleu, edit, error_rates, overlap\n"
        "allowed = {'conformance', 'conformance.adapter'}\n"
        "found = {m for m in sys.modules if m.split('.')[0] == 'conformance'} - allowed\n"
        "assert all(m.startswith('conformance.reference') for m in found), found\n"
        "assert not {'regex', 'MeCab', 'ipadic', 'jsonschema', 'yaml'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
