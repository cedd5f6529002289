"""Unicode forms and tokenizers with their options, and how each is worked out step by step."""

from __future__ import annotations

import itertools
import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.reference.derivations import transforms as show
from conformance.reference.derivations.lines import Lines
from conformance.reference.text import squad_normalize
from conformance.reference.tokenizers import tokens_of
from conformance.reference.transforms import CAPTION_PUNCTUATION, FORMS, TERCOM_OPTIONS, tokenize, unicode_form

CHECKED = settings(max_examples=300, deadline=None, derandomize=True)
ASSIGNED = st.characters(exclude_categories=("Cs", "Cn"))
MARKED = st.lists(
    st.sampled_from(["a", "q", "\u0301", "\u0323", "\u0305", "\u212b", "\ufb01", "\uac00", "\u11a8", " "])
)
TEXTS = st.one_of(MARKED.map("".join), st.text(ASSIGNED, max_size=12))


def form(text: str, name: str) -> str:
    found: str = unicode_form(text, form=name)["text"]
    return found


@CHECKED
@given(TEXTS)
def test_forms_of_forms(text: str) -> None:
    """A canonical form first changes no form after it; the K forms do the work of the others."""
    for name in FORMS:
        assert form(form(text, name), name) == form(text, name)
        assert form(form(text, "NFC"), name) == form(form(text, "NFD"), name) == form(text, name)
    assert form(form(text, "NFKC"), "NFC") == form(text, "NFKC")
    assert form(form(text, "NFKD"), "NFC") == form(form(text, "NFC"), "NFKC") == form(text, "NFKC")
    assert form(form(text, "NFKC"), "NFD") == form(text, "NFKD")


@CHECKED
@given(TEXTS)
def test_decompositions_are_ordered_and_final(text: str) -> None:
    """Nothing in a decomposition can be decomposed, and no mark stands before one of a lower class."""
    for name in ("NFD", "NFKD"):
        apart = form(text, name)
        for character in apart:
            mapping = unicodedata.decomposition(character)
            assert not mapping or (name == "NFD" and mapping.startswith("<"))
        classes = [unicodedata.combining(each) for each in apart]
        assert not any(one > two > 0 for one, two in itertools.pairwise(classes))


def test_tokens_are_joined_before_a_form() -> None:
    assert unicode_form(["e", "\u0301"]) == {"text": "e \u0301"}


@pytest.mark.parametrize(
    ("tokenizer", "text", "tokens"),
    [
        ("mteval-v13a", "A&quot;B", ["a", '"', "b"]),
        ("mteval-v13a", "&QUOT; \u00c9A", ["&", "quot", ";", "\u00c9a"]),
        ("mteval-v13a", "x-\n", ["x"]),
        ("mteval-v13a", "a\u001fb\u00a0c", ["a\u001fb", "c"]),
        ("mteval-v13a-cased", "A\u00c9. 5-6", ["A\u00c9", ".", "5", "-", "6"]),
        ("mteval-v13a-cased", "", []),
        ("grapheme", "e\u0301 \r\nx", ["e\u0301", "x"]),
        ("tercom", " A\tb\u3000c. ", ["A", "b\u3000c."]),
        ("sacrebleu-ter", " A\tb\u3000c. ", ["A", "b", "c."]),
    ],
)
def test_tokenizers(tokenizer: str, text: str, tokens: list[str]) -> None:
    assert tokenize(text, tokenizer=tokenizer) == {"tokens": tokens}


@CHECKED
@given(st.lists(st.sampled_from(["a", "A", "\u00c9", "1", ".", ",", "-", "&amp;", "&AMP;", " ", "\n", "-\n", "\x1c"])))
def test_the_script_is_its_port_but_for_ends_case_and_separators(pieces: list[str]) -> None:
    """Without separators, and followed by a word, the script with -c splits as sacreBLEU's 13a does."""
    text = "".join(piece for piece in pieces if piece != "\x1c") + " end"
    assert tokens_of(text, "mteval-v13a-cased") == tokens_of(text, "13a")


@pytest.mark.parametrize(
    ("options", "tokens"),
    [
        ([], ["it's", "5.5", "(", "\u732b\u3002", ")"]),
        (["normalized"], ["it", "'s", "5.5", "(", "\u732b\u3002", ")"]),
        (["no-punctuation"], ["it's", "55", "\u732b\u3002"]),
        (["no-punctuation", "asian"], ["it's", "55", "\u732b"]),
        (["normalized", "asian"], ["it", "'s", "5.5", "(", "\u732b", "\u3002", ")"]),
    ],
)
def test_options_of_tercom(options: list[str], tokens: list[str]) -> None:
    for tokenizer in ("tercom", "sacrebleu-ter"):
        found = tokenize("It's 5.5 ( \u732b\u3002 )", tokenizer=tokenizer, lowercase=True, tercom_options=options)
        assert found == {"tokens": tokens}


def test_options_of_tercom_are_those_of_the_two_programs_alone() -> None:
    assert tokenize("a, b", tokenizer="whitespace", tercom_options=TERCOM_OPTIONS) == {"tokens": ["a,", "b"]}


def test_stems_and_dropped_tokens_of_text_and_of_tokens() -> None:
    assert tokenize("dogs ran .", stemming="porter", dropped="caption-punctuation") == {"tokens": ["dog", "ran"]}
    assert tokenize(["dogs", "-LRB-", "-lrb-", "?!"], dropped="caption-punctuation")["tokens"] == [
        "dogs",
        "-lrb-",
        "?!",
    ]
    assert len(CAPTION_PUNCTUATION) == 17


@pytest.mark.parametrize(
    ("parameters", "kind", "message"),
    [
        ({"tokenizer": "moses"}, ValueError, "tokenizer: expected one of whitespace, 13a"),
        ({"tercom_options": ["N"]}, ValueError, "tercom_options: expected one of normalized"),
        ({"tercom_options": "asian"}, TypeError, "tercom_options: expected a list of names"),
        ({"stemming": "snowball"}, ValueError, "stemming: expected one of none, porter"),
        ({"dropped": "marks"}, ValueError, "dropped: expected one of none, caption-punctuation"),
    ],
)
def test_what_is_refused(parameters: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        tokenize("a", **parameters)


def test_a_form_is_one_of_four() -> None:
    with pytest.raises(ValueError, match="form: expected one of NFC, NFD, NFKC, NFKD, found 'none'"):
        unicode_form("a", form="none")
    with pytest.raises(TypeError, match="text: expected text or a list of tokens"):
        unicode_form(None)  # type: ignore[arg-type]


def lines(found: Lines) -> list[str]:
    return [f"{name}: {working}" for name, working, _ in found]


def test_a_form_is_worked_out_by_code_points() -> None:
    assert lines(show.unicode_form("a\u0301\u0323\ufb01", form="NFKC")) == [
        "code points: U+0061 U+0301 U+0323 U+FB01",
        "decomposed: U+FB01 -> U+0066 U+0069 (latin small ligature fi)",
        "reordered: U+0061 U+0323 U+0301 U+0066 U+0069",
        "composed: U+0061 U+0323 -> U+1EA1 (latin small letter a with dot below)",
        "code points: U+1EA1 U+0301 U+0066 U+0069",
        "text: NFKC",
    ]


def test_tokens_are_worked_out_rule_by_rule() -> None:
    assert lines(show.tokenize("&lt;A, 5-6 ends.", tokenizer="mteval-v13a", stemming="porter-nltk")) == [
        "entities, line ends: <A, 5-6 ends.",
        "A to Z in lower case: <a, 5-6 ends.",
        "ASCII marks apart: < a, 5-6 ends.",
        ". , apart after no digit: < a , 5-6 ends .",
        "hyphen apart after a digit: < a , 5 - 6 ends .",
        "mteval-v13a: < | a | , | 5 | - | 6 | ends | .",
        "stem: ends -> end",
        "tokens: as a list",
    ]
    assert lines(show.tokenize("a , b", dropped="caption-punctuation"))[1] == "dropped: ,"
    assert lines(show.tokenize(["a b"], lowercase=True)) == ["tokens: a b", "tokens: as a list"]
    assert lines(show.tokenize("\u4e2d\u6587a", tokenizer="zh"))[0] == "Chinese characters apart: \u4e2d \u6587 a"
    assert lines(show.tokenize("A\u00bf", tokenizer="intl", lowercase=True))[:2] == [
        "lower case: a\u00bf",
        "marks apart after no digit: a \u00bf",
    ]


def test_an_answer_is_normalized_in_four_steps() -> None:
    found = show.squad_normalize("The U.S.  Army!")
    assert lines(found)[:4] == [
        "lower case: 'the u.s.  army!'",
        "no ASCII punctuation: 'the us  army'",
        "no articles: '  us  army'",
        "single spaces: 'us army'",
    ]
    assert found[-1][2] == squad_normalize("The U.S.  Army!")["text"]


def test_stems_are_shown_word_by_word() -> None:
    found = show.porter_stem("ties tied ties a")
    assert [(name, working) for name, working, _ in found] == [
        ("stem", "ties -> ti"),
        ("stem", "tied -> ti"),
        ("text", "stems"),
    ]
    assert found[-1][2] == "ti ti ti a"
