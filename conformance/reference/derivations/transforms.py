"""Transforms of a text, worked out on paper: what each step made of it, where it changed anything."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.reference import porter, tokenizers, transforms
from conformance.reference import text as texts
from conformance.reference.derivations.lines import Lines, cut, quoted
from conformance.reference.rouge_text import words
from conformance.reference.tokenizers import Rule, Text

SHOWN = 24
"""So many characters or words that a step replaced are shown."""
LONG = 40
"""A text of more words is cut short."""


def points(text: str) -> str:
    """A text as its code points."""
    return cut([f"U+{ord(character):04X}" for character in text], SHOWN)


def unicode_form(text: Text, *, form: str = "NFC") -> Lines:
    """What was decomposed, reordered and composed, by code point, and what that did to the length."""
    plain = texts.joined(text)
    answer = transforms.unicode_form(text, form=form)["text"]
    apart = "NFKD" if "K" in form else "NFD"
    parts = [texts.unicode_form(character, apart) for character in plain]
    lines: Lines = [("code points", points(plain), len(plain))]
    decomposed = zip(plain, parts, strict=True)
    lines += _replaced("decomposed", [(one, two) for one, two in decomposed if one != two])
    ordered = texts.unicode_form(plain, apart)
    if ordered != "".join(parts):
        lines.append(("reordered", points(ordered), None))
    if form in ("NFC", "NFKC"):
        composed = [(texts.unicode_form(character, "NFD"), character) for character in answer]
        lines += _replaced("composed", [(one, two) for one, two in composed if one != two])
    return [*lines, ("code points", points(answer), len(answer)), ("text", form, answer)]


def _replaced(name: str, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str, Any]]:
    """A line for each different replacement; a single character is named."""
    for one, two in list(dict.fromkeys(pairs))[:SHOWN]:
        single = one if len(one) == 1 else two
        yield name, f"{points(one)} -> {points(two)} ({unicodedata.name(single, 'no name').lower()})", None


def squad_normalize(text: Text) -> Lines:
    """The text after each step that changed it."""
    plain = texts.joined(text)
    lines: Lines = []
    for name, step in texts.SQUAD_STEPS.items():
        plain = step(plain)
        lines.append((name, quoted(plain), None))
    return [*lines, ("text", "normalized", plain)]


def porter_stem(text: Text, *, variant: str = "original") -> Lines:
    """Each word that has another stem."""
    answer = porter.porter_stem(text, variant=variant)["text"]
    parts = dict.fromkeys(text.split() if isinstance(text, str) else text)
    stems = [(word, porter.stem(word, variant)) for word in parts]
    lines: Lines = [("stem", f"{word} -> {stem}", None) for word, stem in stems if word != stem][:SHOWN]
    return [*lines, ("text", "stems", answer)]


def tokenize(
    text: Text,
    *,
    tokenizer: str = "whitespace",
    lowercase: bool = False,
    tercom_options: Sequence[str] = (),
    stemming: str = "none",
    dropped: str = "none",
) -> Lines:
    """The text after each rule that changed it, then the tokens, their stems, and what is dropped of them."""
    answer = transforms.tokenize(
        text,
        tokenizer=tokenizer,
        lowercase=lowercase,
        tercom_options=tercom_options,
        stemming=stemming,
        dropped=dropped,
    )["tokens"]
    lines: Lines = []
    if isinstance(text, str):
        last = text
        for name, after in _stages(text, tokenizer, lowercase):
            if after.split() != last.split():
                lines.append((name, cut(after.split(), LONG), None))
            last = after
    tokens = transforms.split(text, tokenizer, lowercase, tercom_options)
    lines.append((tokenizer if isinstance(text, str) else "tokens", bars(tokens), len(tokens)))
    stems = words(tokens, stemming=stemming)
    pairs = zip(tokens, stems, strict=True)
    lines += [("stem", f"{one} -> {two}", None) for one, two in dict.fromkeys(pairs) if one != two][:SHOWN]
    gone = [token for token in stems if token in transforms.DROPPED[dropped]]
    if gone:
        lines.append(("dropped", bars(gone), len(gone)))
    return [*lines, ("tokens", "as a list", answer)]


def bars(tokens: Sequence[str]) -> str:
    """Tokens with bars between them, as a comma can be a token itself."""
    return cut(tokens, SHOWN, " | ")


def _stages(text: str, tokenizer: str, lowercase: bool) -> Iterator[tuple[str, str]]:
    """What becomes of a text before it is split at white space, by the rules of a tokenizer that has such."""
    if lowercase:
        text = text.lower()
        yield "lower case", text
    rules: Sequence[Rule] = ()
    if tokenizer in ("13a", "mteval-v13a", "mteval-v13a-cased"):
        text = tokenizers.unmarked(text.rstrip() if tokenizer == "13a" else text)
        yield "entities, line ends", text
        if tokenizer == "mteval-v13a":
            text = text.translate(tokenizers.ASCII_LOWER)
            yield "A to Z in lower case", text
        text, rules = f" {text} ", tokenizers.WESTERN
    elif tokenizer == "intl":
        text, rules = text.rstrip(), tokenizers.international_rules()
    elif tokenizer == "zh":
        text, rules = text.strip(), (tokenizers.CHINESE_RULE, *tokenizers.WESTERN)
    for rule in rules:
        text = tokenizers.ruled(text, [rule])
        yield rule[0], text
