"""ROUGE-W: common subsequences that weigh more where they are contiguous in both texts.

Sources: Lin 2004 (section 3.3), ROUGE-1.5.5 (-w; its runs and its reference total).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from conformance.reference import rouge_text
from conformance.reference.edit import Elements
from conformance.reference.rouge import Counts, Rules
from conformance.reference.rouge_l import Sentences, effective_beta, occurrences, split
from conformance.reference.shape import choice, number, segments
from conformance.reference.tokenizers import Text

Weights = Sequence[float]
"""f(0), f(1) and so on."""


def rouge_w(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    weight: float = 1.2,
    runs: str = "program",
    reference_total: str = "once",
    beta: float = 1,
    beta_rule: str = "given",
    multi_reference: str = "best-f1",
    aggregation: str = "mean",
    empty: str = "undefined",
    tokenizer: str = "whitespace",
    stemming: str = "none",
) -> dict[str, Any]:
    """ROUGE-W: recall f^-1(W/f(|r|)), precision f^-1(W/f(|h|)) and their F, with f(k) = k^weight; 0 to 1.

    W is the weighted common subsequence that `runs` names: the last cell of Lin's dynamic program, the best
    sum of f over runs, or what ROUGE-1.5.5 counts, for which alone lines are sentences. `reference_total` twice
    weighs the reference's total again. The counts returned are W and the weighted totals, summed over segments.
    Raises TypeError and ValueError. Source: Lin 2004 §3.3, equations 13 to 15.
    """
    segments(hypotheses, references, needed=True)
    if number("weight", weight) < 1:
        raise ValueError(f"weight: expected a number from 1, found {weight}")
    choice("runs", runs, ("program", "best", "reference-only"))
    choice("reference_total", reference_total, ("once", "twice"))
    rules = Rules(
        effective_beta(beta, beta_rule),
        multi_reference,
        aggregation,
        empty,
        lambda part, whole: (part / whole) ** (1 / weight),
    )
    rouge_text.check(tokenizer, stemming)
    f: list[float] = []

    def counted(hypothesis: Text, several: Sequence[Text]) -> list[Counts]:
        own = _sequences(hypothesis, runs, tokenizer, stemming)
        size = sum(map(len, own))
        found = []
        for each in several:
            other = _sequences(each, runs, tokenizer, stemming)
            longest = max(size, *map(len, other), 0)
            f.extend(k**weight for k in range(len(f), longest + 1))
            total = sum(f[len(sentence)] for sentence in other)
            found.append(
                Counts(_weighed(own, other, runs, f), f[size], total if reference_total == "once" else total**weight)
            )
        return found

    return rules.corpus(counted(h, several) for h, several in zip(hypotheses, references, strict=True))


def _sequences(text: Text, runs: str, tokenizer: str, stemming: str) -> list[list[str]]:
    """The sequences of words that are compared: the lines of a text, or all of it."""
    if runs == "reference-only":
        return split(text, "newline", tokenizer, stemming)
    return [rouge_text.words(text, tokenizer, stemming)]


def _weighed(hypotheses: Sentences, references: Sentences, runs: str, f: Weights) -> float:
    if runs == "reference-only":
        return reference_runs(hypotheses, references, f)
    return (weighted_lcs if runs == "program" else best_runs)(references[0], hypotheses[0], f)


def weighted_rows(x: Elements, y: Elements, f: Weights) -> Iterator[list[float]]:
    """The rows of Lin's dynamic program of the weighted common subsequence, one for each element of x.

    Equal elements go on from the cell before both and extend its run: f(k) becomes f(k + 1). Other cells are the
    larger of the cells above and to the left. The step for equal elements is never left out, so a cell can be
    less than its neighbours, and the last cell less than the best sum over all common subsequences.
    """
    places: dict[Hashable, set[int]] = {}
    for place, element in enumerate(y, start=1):
        places.setdefault(element, set()).add(place)
    above = [0.0] * (len(y) + 1)
    # The columns that matched in the row above: the length of each run, and the cell before it.
    runs: dict[int, tuple[int, float]] = {}
    for element in x:
        matching = places.get(element, set())
        going: dict[int, tuple[int, float]] = {}
        if matching or runs:
            row = [0.0]
            for place in sorted(matching | runs.keys()):
                _raise_to(place, row, above)
                if place in matching:
                    length, start = runs.get(place - 1, (0, above[place - 1]))
                    going[place] = (length + 1, start)
                    row.append(start + f[length + 1])
                else:
                    row.append(max(above[place], row[-1]))
            _raise_to(len(above), row, above)
            above = row
        runs = going
        yield above


def _raise_to(place: int, row: list[float], above: list[float]) -> None:
    """Extend a row up to a place by the larger of the cells above and to the left.

    Cells above rise wherever nothing matched, so the left cell is the larger one up to some place, and never after.
    """
    first, left = len(row), row[-1]
    turn = bisect_left(above, left, first, place)
    row.extend([left] * (turn - first))
    row.extend(above[turn:place])


def weighted_lcs(x: Elements, y: Elements, f: Weights) -> float:
    """Lin's weighted common subsequence of two sequences: the last cell of his dynamic program."""
    if not x or not y:
        return 0.0
    return deque(weighted_rows(x, y, f), maxlen=1).pop()[-1]


def best_runs(x: Elements, y: Elements, f: Weights) -> float:
    """The most that runs which are contiguous in both sequences, in the same order in both, weigh together."""
    best = [[0.0] * (len(y) + 1)]
    ending = [0] * (len(y) + 1)
    for i, left in enumerate(x, start=1):
        row, common = [0.0], [0]
        for j, right in enumerate(y, start=1):
            longest = ending[j - 1] + 1 if left == right else 0
            common.append(longest)
            row.append(max(best[i - 1][j], row[-1], *(best[i - k][j - k] + f[k] for k in range(1, longest + 1))))
        best.append(row)
        ending = common
    return best[-1][-1]


def reference_runs(hypotheses: Sentences, references: Sentences, f: Weights) -> float:
    """What ROUGE-1.5.5 counts: runs of marked places in each reference sentence, whatever the hypothesis looks like.

    Marked are the places that the dynamic program's trace with any hypothesis sentence takes. A marked word that
    has no further occurrence in the hypothesis counts for nothing, and does not end its run.
    """
    left = occurrences(hypotheses)
    total = 0.0
    for reference in references:
        places: set[int] = set()
        for each in hypotheses:
            places.update(weighted_trace(reference, each, f))
        run = 0
        for place in sorted(places):
            word = reference[place]
            if left[word]:
                left[word] -= 1
                run += 1
                if place + 1 not in places:
                    total += f[run]
                    run = 0
    return total


def weighted_trace(x: Elements, y: Elements, f: Weights) -> Iterator[int]:
    """The places of x on the way back through the dynamic program; where both cells are equal it goes up."""
    rows = [[0.0] * (len(y) + 1), *weighted_rows(x, y, f)]
    i, j = len(x), len(y)
    while i and j:
        if x[i - 1] == y[j - 1]:
            i, j = i - 1, j - 1
            yield i
        elif rows[i - 1][j] >= rows[i][j - 1]:
            i -= 1
        else:
            j -= 1
