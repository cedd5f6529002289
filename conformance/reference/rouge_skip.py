"""ROUGE-S and ROUGE-SU: ordered pairs of words, gaps allowed, and for SU the words too. Source: Lin 2004, section 5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Any

from conformance.reference import rouge_text
from conformance.reference.rouge import Rules
from conformance.reference.rouge_n import Bag, counts
from conformance.reference.shape import choice, segments, whole
from conformance.reference.tokenizers import Text

UNIGRAMS = ("added", "marker", "all-but-last")
MARKER = None
"""Stands before the first word of a text where a marker makes pairs of words; equals no word."""


def skip_bigrams(words: Sequence[Any], max_gap: int | None = None) -> Iterator[tuple[Any, Any]]:
    """The pairs of words in their order, with at most `max_gap` words between the two; None sets no limit."""
    if max_gap is None or max_gap > len(words) - 2:
        return combinations(words, 2)
    return chain.from_iterable(zip(words, words[step:], strict=False) for step in range(1, max_gap + 2))


def units(words: Sequence[str], max_gap: int | None, unigrams: str = "none") -> Iterator[Any]:
    """Skip-bigrams, and beside them no words, all, all but the last, or pairs of a marker and words in the gap."""
    if unigrams == "none":
        return skip_bigrams(words, max_gap)
    if unigrams == "marker":
        return skip_bigrams([MARKER, *words], max_gap)
    return chain(words if unigrams == "added" else words[:-1], skip_bigrams(words, max_gap))


def bag(text: Text, max_gap: int | str, unigrams: str, tokenizer: str, stemming: str) -> Bag:
    """The units of a text, counted; `max_gap` is a number or unlimited."""
    words = rouge_text.words(text, tokenizer, stemming)
    return Counter(units(words, None if isinstance(max_gap, str) else max_gap, unigrams))


def _score(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    max_gap: int | str,
    unigrams: str,
    rules: Rules,
    tokenizer: str,
    stemming: str,
) -> dict[str, Any]:
    segments(hypotheses, references, needed=True)
    if max_gap != "unlimited":
        whole("max_gap", max_gap, 0, 1_000_000)
    rouge_text.check(tokenizer, stemming)

    def counted(text: Text) -> Bag:
        return bag(text, max_gap, unigrams, tokenizer, stemming)

    return rules.corpus(
        counts(counted(hypothesis), [counted(each) for each in several])
        for hypothesis, several in zip(hypotheses, references, strict=True)
    )


def rouge_s(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    max_gap: int | str = "unlimited",
    beta: float = 1,
    multi_reference: str = "pooled",
    aggregation: str = "mean",
    empty: str = "undefined",
    tokenizer: str = "whitespace",
    stemming: str = "none",
) -> dict[str, Any]:
    """ROUGE-S: recall, precision and their F of skip-bigrams; 0 to 1.

    A skip-bigram is a pair of words in their order, with at most `max_gap` words between (`unlimited`: any
    number); a text of m words has m(m - 1)/2 without a limit. A pair counts as often as the side that has it
    less often. All else is as in `rouge_n`. Raises TypeError and ValueError. Source: Lin 2004, section 5.
    """
    rules = Rules(beta, multi_reference, aggregation, empty)
    return _score(hypotheses, references, max_gap, "none", rules, tokenizer, stemming)


def rouge_su(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    max_gap: int | str = "unlimited",
    unigrams: str = "added",
    beta: float = 1,
    multi_reference: str = "pooled",
    aggregation: str = "mean",
    empty: str = "undefined",
    tokenizer: str = "whitespace",
    stemming: str = "none",
) -> dict[str, Any]:
    """ROUGE-SU: as ROUGE-S, with the words counted beside their pairs, so that single words match; 0 to 1.

    `unigrams`: added counts every word of a text; marker pairs a marker before the first word with the words
    within `max_gap`, as the paper suggests; all-but-last is ROUGE-1.5.5, which leaves out each text's last
    word. Raises TypeError and ValueError. Source: Lin 2004, section 5.1; ROUGE-1.5.5.
    """
    choice("unigrams", unigrams, UNIGRAMS)
    rules = Rules(beta, multi_reference, aggregation, empty)
    return _score(hypotheses, references, max_gap, unigrams, rules, tokenizer, stemming)
