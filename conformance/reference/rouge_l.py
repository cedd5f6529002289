"""ROUGE-L and ROUGE-Lsum: the longest common subsequence of two texts, and its union over their sentences.

Sources: Lin 2004 (sections 3.1 and 3.2), ROUGE-1.5.5 (clipping since 1.4.1), rouge-score 0.1.2, the caption
evaluation code (beta 1.2, the largest precision and the largest recall apart).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from conformance.reference import rouge_text
from conformance.reference.edit import Elements, lcs, positions
from conformance.reference.rouge import Counts, Rules
from conformance.reference.shape import choice, number, segments
from conformance.reference.tokenizers import MissingResource, Text

Sentences = Sequence[Sequence[str]]


def rouge_l(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    beta: float = 1,
    beta_rule: str = "given",
    multi_reference: str = "best-f1",
    aggregation: str = "mean",
    empty: str = "undefined",
    tokenizer: str = "whitespace",
    stemming: str = "none",
) -> dict[str, Any]:
    """ROUGE-L: recall LCS/|r|, precision LCS/|h| and their F, of each text as one sequence of words; 0 to 1.

    Line ends are white space. The parameters are those of `rouge.Rules` and `rouge_text.words`. Returns also the
    counts behind the ratios, summed over segments. Raises TypeError and ValueError. Source: Lin 2004 §3.1.
    """
    segments(hypotheses, references, needed=True)
    rules = Rules(effective_beta(beta, beta_rule), multi_reference, aggregation, empty)
    rouge_text.check(tokenizer, stemming)

    def counted(hypothesis: Text, several: Sequence[Text]) -> list[Counts]:
        own = rouge_text.words(hypothesis, tokenizer, stemming)
        others = [rouge_text.words(each, tokenizer, stemming) for each in several]
        return [Counts(lcs(own, each), len(own), len(each)) for each in others]

    return rules.corpus(counted(h, several) for h, several in zip(hypotheses, references, strict=True))


def rouge_lsum(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    sentences: str = "newline",
    clipping: str = "hypothesis",
    tie: str = "drop-reference",
    beta: float = 1,
    beta_rule: str = "given",
    multi_reference: str = "best-f1",
    aggregation: str = "mean",
    empty: str = "undefined",
    tokenizer: str = "whitespace",
    stemming: str = "none",
) -> dict[str, Any]:
    """ROUGE-Lsum: hits H of all reference sentences, recall H/|r|, precision H/|h| and their F.

    The hits of a reference sentence are the places that its longest common subsequences with the hypothesis
    sentences take together. Clipped, all scores lie between 0 and 1; with `clipping` none precision and F can
    pass 1. Raises TypeError, ValueError, and MissingResource for `punkt` without NLTK's resource.
    Source: Lin 2004 §3.2; ROUGE-1.5.5.
    """
    segments(hypotheses, references, needed=True)
    rules = Rules(effective_beta(beta, beta_rule), multi_reference, aggregation, empty)
    rouge_text.check(tokenizer, stemming)
    choice("sentences", sentences, SPLITTERS)
    choice("clipping", clipping, ("hypothesis", "none"))
    choice("tie", tie, TIES)

    def counted(hypothesis: Text, several: Sequence[Text]) -> list[Counts]:
        own = split(hypothesis, sentences, tokenizer, stemming)
        size = sum(map(len, own))
        found = []
        for each in several:
            other = split(each, sentences, tokenizer, stemming)
            hits = sum(union_hits(own, other, clipping, tie).values())
            found.append(Counts(hits, size, sum(map(len, other))))
        return found

    return rules.corpus(counted(h, several) for h, several in zip(hypotheses, references, strict=True))


def effective_beta(beta: float, beta_rule: str) -> float | str:
    """Beta as `rouge.Rules` takes it: the given number, `infinity`, or the `ratio` of precision and recall."""
    number("beta", beta)
    choice("beta_rule", beta_rule, ("given", "infinite", "ratio"))
    return {"infinite": "infinity", "ratio": "ratio"}.get(beta_rule, beta)


SPLITTERS = ("newline", "punkt")
TIES = ("drop-reference", "drop-hypothesis")


def split(text: Text, sentences: str, tokenizer: str, stemming: str) -> list[list[str]]:
    """The words of each sentence that has any; explicit tokens are one sentence. Raises MissingResource."""
    if not isinstance(text, str):
        parts: Sequence[Text] = [text]
    else:
        parts = text.split("\n") if sentences == "newline" else punkt(text)
    found = [rouge_text.words(each, tokenizer, stemming) for each in parts]
    return [each for each in found if each]


def punkt(text: str) -> list[str]:
    """The sentences of a text by NLTK's default model; line ends are no boundaries. Raises MissingResource."""
    try:
        from nltk import sent_tokenize

        found: list[str] = sent_tokenize(text)
    except (ImportError, LookupError) as error:
        raise MissingResource("punkt needs NLTK and its resource punkt_tab: nltk.download('punkt_tab')") from error
    return found


def traced(x: Elements, y: Elements, equals: Mapping[Hashable, int] | None = None) -> list[tuple[int, int]]:
    """The places (in x, in y) of one longest common subsequence, read from the right.

    Equal elements are a pair. Otherwise the last element of x is dropped where that loses nothing, else the last
    of y. `equals` are the positions of x, where they are known. A column's bit is zero where its cell is one
    more than the cell above it. Source: Hyyro 2004 (the columns), ROUGE-1.5.5 (the way back).
    """
    if equals is None:
        equals = positions(x)
    mask = free = (1 << len(x)) - 1
    columns = [free]
    for element in y:
        matched = free & equals.get(element, 0)
        free = (free + matched | free - matched) & mask
        columns.append(free)
    if free == mask:
        return []
    pairs = []
    i, j = len(x), len(y)
    while i and j:
        if x[i - 1] == y[j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif columns[j] >> (i - 1) & 1:
            i -= 1
        else:
            j -= 1
    return pairs


def union(reference: Sequence[str], hypotheses: Sentences, tie: str) -> list[int]:
    """The places of a reference sentence that its longest common subsequences with the hypothesis sentences take.

    Several subsequences can be equally long and take other places: `tie` says which text loses its last word
    where either may.
    """
    places: set[int] = set()
    if tie == "drop-reference":
        equals = positions(reference)
        for each in hypotheses:
            places.update(i for i, _ in traced(reference, each, equals))
    else:
        for each in hypotheses:
            places.update(j for _, j in traced(each, reference))
    return sorted(places)


def union_hits(hypotheses: Sentences, references: Sentences, clipping: str, tie: str) -> Counter[str]:
    """The hits of all reference sentences, by word.

    Clipped, a word has no more hits than occurrences in the hypothesis, so that none is credited twice.
    """
    marked: Counter[str] = Counter()
    for reference in references:
        marked.update(reference[place] for place in union(reference, hypotheses, tie))
    return marked if clipping == "none" else marked & occurrences(hypotheses)


def occurrences(sentences: Sentences) -> Counter[str]:
    """How often each word occurs in all sentences."""
    found: Counter[str] = Counter()
    for each in sentences:
        found.update(each)
    return found
