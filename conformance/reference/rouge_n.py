"""ROUGE-N: the n-grams of the references that a text has. Source: Lin 2004, section 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from conformance.reference import rouge_text
from conformance.reference.rouge import Counts, Rules
from conformance.reference.shape import choice, segments, whole
from conformance.reference.text import grams
from conformance.reference.tokenizers import Text

Bag = Counter[Any]


def matched(left: Bag, right: Bag) -> int:
    """Units that both bags have, each as often as the bag that has it less often."""
    small, large = (left, right) if len(left) <= len(right) else (right, left)
    total = 0
    for unit, count in small.items():
        other = large.get(unit, 0)
        total += min(count, other) if other else 0
    return total


def counts(own: Bag, others: Sequence[Bag]) -> list[Counts]:
    """The counts of a hypothesis against each reference, from their bags of units."""
    length = own.total()
    return [Counts(matched(own, each), length, each.total()) for each in others]


def bag(text: Text, order: int, tokenizer: str, stemming: str, counting: str = "multiset") -> Bag:
    """The n-grams of a text, counted; each once for a set."""
    found = grams(rouge_text.words(text, tokenizer, stemming), order)
    return Counter(found if counting == "multiset" else set(found))


def rouge_n(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    order: int = 1,
    counting: str = "multiset",
    beta: float = 1,
    multi_reference: str = "pooled",
    aggregation: str = "mean",
    empty: str = "undefined",
    tokenizer: str = "whitespace",
    stemming: str = "none",
) -> dict[str, Any]:
    """ROUGE-N recall M/|r|, precision M/|h| and their F of n-gram bags; 0 to 1.

    M counts each n-gram as often as the side that has it less often; |h| and |r| are all n-grams of a side. With
    `counting` set, which leaves the definition, each counts once.
    hypotheses: one text (or token list) a segment; references: a list for each. How several references and
    segments enter, and what a side without n-grams gives, is told in `rouge.Rules`. `matches` and the totals
    are sums over segments. Raises TypeError and ValueError. Source: Lin 2004, Equation (1).
    """
    segments(hypotheses, references, needed=True)
    whole("order", order, 1, 100)
    choice("counting", counting, ("multiset", "set"))
    rules = Rules(beta, multi_reference, aggregation, empty)
    rouge_text.check(tokenizer, stemming)

    def counted(text: Text) -> Bag:
        return bag(text, order, tokenizer, stemming, counting)

    return rules.corpus(
        counts(counted(hypothesis), [counted(each) for each in several])
        for hypothesis, several in zip(hypotheses, references, strict=True)
    )
