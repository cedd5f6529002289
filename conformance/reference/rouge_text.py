"""The words that ROUGE counts: tokens of a named tokenizer, stemmed where they are long enough.

rouge-score 0.1.2 lower-cases and takes runs of ASCII letters and digits; ROUGE-1.5.5 takes the same runs but
lower-cases ASCII letters alone (both are in tokenizers.py). With a stemmer both leave words of up to three
characters as they are. ROUGE-1.5.5 asks WordNet's list of exceptions first, which no convention here does.
"""

from __future__ import annotations

from conformance.reference.porter import stem
from conformance.reference.shape import choice
from conformance.reference.tokenizers import Text, tokens_of

TOKENIZERS = ("whitespace", "rouge-score", "rouge-1.5.5")
STEMMINGS = ("none", "porter", "porter-martin", "porter-nltk")
_VARIANTS = {"porter": "original", "porter-martin": "martin", "porter-nltk": "nltk"}

UNSTEMMED = 3
"""Words of up to so many characters are never stemmed."""


def check(tokenizer: str, stemming: str) -> None:
    """Check the two parameters that make words of a text. Raises ValueError."""
    choice("tokenizer", tokenizer, TOKENIZERS)
    choice("stemming", stemming, STEMMINGS)


def words(text: Text, tokenizer: str = "whitespace", stemming: str = "none") -> list[str]:
    """The words of a text; explicit tokens are taken as they are, and stemmed like others."""
    tokens = tokens_of(text, tokenizer)
    if stemming == "none":
        return tokens
    variant = _VARIANTS[stemming]
    return [stem(token, variant) if len(token) > UNSTEMMED else token for token in tokens]
