"""The transforms that stand before every metric: tokenizers with all their options, and Unicode forms.

Each named tokenizer is the function that the metrics themselves call: tokenizers.py, ROUGE's stemming in
rouge_text.py, TERCOM's switches in ter_text.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from conformance.reference import rouge_text, ter_text, tokenizers
from conformance.reference import text as texts
from conformance.reference.shape import choice, choices, flag, text_or_tokens
from conformance.reference.tokenizers import Text

FORMS = ("NFC", "NFD", "NFKC", "NFKD")

TERCOM = {"tercom": ("tercom", "tercom"), "sacrebleu-ter": ("whitespace", "sacrebleu")}
"""TER's words: for each of the two programs how it splits, and whose rules it normalizes by."""
TERCOM_OPTIONS = ("normalized", "no-punctuation", "asian")
TOKENIZERS = (*tokenizers.TOKENIZERS, "grapheme", *TERCOM)

CAPTION_PUNCTUATION = frozenset(
    ["''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";"]
)
"""The tokens that the caption code drops. Its four brackets are in upper case, and the tokens before it in lower
case, so brackets stay; so do -lsb- and -rsb-, %, $, ?! and the ideographic full stop, which it does not list."""
DROPPED = {"none": frozenset[str](), "caption-punctuation": CAPTION_PUNCTUATION}


def unicode_form(text: Text, *, form: str = "NFC") -> dict[str, Any]:
    """A text in a Unicode normalization form; tokens are joined by spaces first.

    NFD and NFKD replace each character by its full (for K also compatibility) decomposition and put marks in
    the order of their combining classes; NFC and NFKC then compose what is not excluded from it. By the Unicode
    version of the Python that runs it; of characters that this version has, the forms never change. Raises
    TypeError and ValueError. Source: Unicode Standard Annex 15.
    """
    text_or_tokens("text", text)
    return {"text": texts.unicode_form(texts.joined(text), choice("form", form, FORMS))}


def split(text: Text, tokenizer: str, lowercase: bool, tercom_options: Sequence[str]) -> list[str]:
    """The tokens that a tokenizer makes of a text; explicit tokens are taken as they are."""
    if not isinstance(text, str):
        return list(text)
    if tokenizer in TERCOM:
        splitting, rules = TERCOM[tokenizer]
        normalization = rules if "normalized" in tercom_options else "none"
        no_punctuation, asian = (option in tercom_options for option in TERCOM_OPTIONS[1:])
        return ter_text.words(text, splitting, lowercase, normalization, no_punctuation, asian)
    if tokenizer == "grapheme":
        return [cluster for cluster in texts.graphemes(text.lower() if lowercase else text) if not cluster.isspace()]
    return tokenizers.tokens_of(text, tokenizer, lowercase)


def tokenize(
    text: Text,
    *,
    tokenizer: str = "whitespace",
    lowercase: bool = False,
    tercom_options: Sequence[str] = (),
    stemming: str = "none",
    dropped: str = "none",
) -> dict[str, Any]:
    """The tokens of a text under a named tokenizer, stemmed, and without those that are dropped.

    Explicit tokens are taken as they are, and stemmed and dropped like others. Raises TypeError, ValueError,
    and MissingResource for ja-mecab without MeCab.
    """
    text_or_tokens("text", text)
    choice("tokenizer", tokenizer, TOKENIZERS)
    flag("lowercase", lowercase)
    choices("tercom_options", tercom_options, TERCOM_OPTIONS)
    choice("stemming", stemming, rouge_text.STEMMINGS)
    choice("dropped", dropped, tuple(DROPPED))
    tokens = split(text, tokenizer, lowercase, tercom_options)
    if stemming != "none":
        tokens = rouge_text.words(tokens, stemming=stemming)
    if dropped != "none":
        tokens = [token for token in tokens if token not in DROPPED[dropped]]
    return {"tokens": tokens}
