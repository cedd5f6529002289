"""ROUGE-L, ROUGE-Lsum and ROUGE-W of the reference, against their definitions."""

from __future__ import annotations

import itertools
import math
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.reference.edit import lcs
from conformance.reference.rouge_l import punkt, rouge_l, rouge_lsum, traced, union, union_hits
from conformance.reference.rouge_w import best_runs, reference_runs, rouge_w, weighted_lcs, weighted_rows
from conformance.reference.tokenizers import MissingResource

WORDS = st.lists(st.sampled_from("abc"), max_size=6)
SENTENCES = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4), min_size=1, max_size=3)
CHECKED = settings(max_examples=150, deadline=None, derandomize=True)


def same(found: float, expected: float | Fraction) -> bool:
    return math.isclose(found, float(expected), rel_tol=1e-12, abs_tol=1e-15)


def subsequences(words: Sequence[str]) -> list[tuple[int, ...]]:
    """The places of every subsequence."""
    places = range(len(words))
    return [each for size in range(len(words) + 1) for each in itertools.combinations(places, size)]


def powers(weight: float, longest: int = 12) -> list[float]:
    return [k**weight for k in range(longest + 1)]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "matches", "recall", "precision", "f1"),
    [
        ("police kill the gunman", "police killed the gunman", 3, Fraction(3, 4), Fraction(3, 4), Fraction(3, 4)),
        ("the gunman kill police", "police killed the gunman", 2, Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)),
        ("a x b y c", "a b c", 3, 1, Fraction(3, 5), Fraction(3, 4)),
        ("a\nx b", "a b", 2, 1, Fraction(2, 3), Fraction(4, 5)),
        ("q", "a", 0, 0, 0, 0),
    ],
)
def test_rouge_l(
    hypothesis: str, reference: str, matches: int, recall: Fraction, precision: Fraction, f1: Fraction
) -> None:
    found = rouge_l([hypothesis], [[reference]])
    assert found["matches"] == matches
    assert same(found["recall"], recall)
    assert same(found["precision"], precision)
    assert same(found["f1"], f1)
    assert same(found["f_beta"], f1)


@pytest.mark.parametrize(
    ("parameters", "f"),
    [
        ({"beta": 1.2}, Fraction(61, 85)),
        ({"beta": 8}, Fraction(195, 323)),
        ({"beta": 0}, 1),
        ({"beta_rule": "infinite"}, Fraction(3, 5)),
        ({"beta_rule": "ratio"}, Fraction(51, 76)),
    ],
)
def test_f_at_precision_one_and_recall_three_fifths(parameters: dict[str, Any], f: Fraction) -> None:
    found = rouge_l(["a b c"], [["a b c d e"]], **parameters)
    assert same(found["f_beta"], f)
    assert same(found["f1"], Fraction(3, 4))


def test_no_beta_makes_something_of_nothing() -> None:
    for parameters in ({"beta_rule": "ratio"}, {"beta_rule": "infinite"}, {"beta": 3}):
        assert rouge_l(["a"], [["b"]], **parameters)["f_beta"] == 0


@pytest.mark.parametrize(
    ("rule", "f1"),
    [("best-f1", Fraction(6, 7)), ("best-recall", Fraction(1, 2)), ("best-each", 1), ("pooled", Fraction(8, 11))],
)
def test_rouge_l_with_a_short_and_a_long_reference(rule: str, f1: Fraction) -> None:
    assert same(rouge_l(["a b c"], [["a", "a b c d"]], multi_reference=rule)["f1"], f1)


def test_rouge_l_of_a_corpus() -> None:
    outputs, references = ["a", "x b c d e"], [["a"], ["b c"]]
    assert same(rouge_l(outputs, references)["f1"], (1 + Fraction(4, 7)) / 2)
    assert same(rouge_l(outputs, references, aggregation="pooled")["f1"], Fraction(2 * 3, 6 + 3))


@CHECKED
@given(WORDS, WORDS)
def test_the_length_is_that_of_the_longest_common_subsequence(x: list[str], y: list[str]) -> None:
    of_y = {tuple(y[place] for place in places) for places in subsequences(y)}
    longest = max(len(each) for each in subsequences(x) if tuple(x[place] for place in each) in of_y)
    assert rouge_l([x], [[y]], empty="zero")["matches"] == longest


def test_no_inserted_word_shortens_the_common_subsequence() -> None:
    """Exhaustive: references over two words up to length 3, outputs over three, every insertion."""
    insertions = 0
    for reference in (each for size in (1, 2, 3) for each in itertools.product("ab", repeat=size)):
        for output in (each for size in range(4) for each in itertools.product("abx", repeat=size)):
            before = lcs(output, reference)
            for place, word in itertools.product(range(len(output) + 1), "abx"):
                assert lcs((*output[:place], word, *output[place:]), reference) >= before
                insertions += 1
    assert insertions == 5964


@CHECKED
@given(WORDS, WORDS)
def test_a_trace_is_a_longest_common_subsequence(x: list[str], y: list[str]) -> None:
    pairs = traced(x, y)
    assert len(pairs) == lcs(x, y)
    assert all(x[i] == y[j] for i, j in pairs)
    assert pairs == sorted(pairs, reverse=True)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)


@CHECKED
@given(WORDS, WORDS)
def test_a_trace_drops_the_last_word_of_x_where_that_loses_nothing(x: list[str], y: list[str]) -> None:
    i, j = len(x), len(y)
    expected = []
    while i and j:
        if x[i - 1] == y[j - 1]:
            i, j = i - 1, j - 1
            expected.append((i, j))
        elif lcs(x[: i - 1], y[:j]) >= lcs(x[:i], y[: j - 1]):
            i -= 1
        else:
            j -= 1
    assert traced(x, y) == expected


@pytest.mark.parametrize(
    ("hypothesis", "reference", "matches", "recall", "precision"),
    [
        ("c d\na b", "a b\nc d", 4, 1, 1),
        ("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5", 4, Fraction(4, 5), Fraction(4, 10)),
        ("a", "a b\na c", 1, Fraction(1, 4), 1),
        ("a\na", "a a", 1, Fraction(1, 2), Fraction(1, 2)),
        ("\na b\n\n", "a b", 2, 1, 1),
    ],
)
def test_rouge_lsum(hypothesis: str, reference: str, matches: int, recall: Fraction, precision: Fraction) -> None:
    found = rouge_lsum([hypothesis], [[reference]])
    assert found["matches"] == matches
    assert same(found["recall"], recall)
    assert same(found["precision"], precision)


def test_without_clipping_precision_and_f_pass_one() -> None:
    found = rouge_lsum(["a b"], [["a b\na b"]], clipping="none")
    assert (found["precision"], found["recall"]) == (2, 1)
    assert same(found["f1"], Fraction(4, 3))


def test_which_of_two_subsequences_is_read_changes_the_union() -> None:
    assert union(["a", "b"], [["b", "a"], ["a"]], "drop-reference") == [0]
    assert union(["a", "b"], [["b", "a"], ["a"]], "drop-hypothesis") == [0, 1]
    assert rouge_lsum(["b a\na"], [["a b"]], tie="drop-hypothesis")["recall"] == 1


@CHECKED
@given(SENTENCES, SENTENCES, st.sampled_from(["drop-reference", "drop-hypothesis"]))
def test_clipped_hits_are_counted_off_one_by_one(own: list[list[str]], others: list[list[str]], tie: str) -> None:
    left = Counter(itertools.chain(*own))
    hits = 0
    for sentence in others:
        for place in union(sentence, own, tie):
            if left[sentence[place]]:
                left[sentence[place]] -= 1
                hits += 1
    assert union_hits(own, others, "hypothesis", tie).total() == hits
    assert hits <= (Counter(itertools.chain(*own)) & Counter(itertools.chain(*others))).total()
    assert union_hits(own, others, "none", tie).total() >= hits


def test_tokens_are_one_sentence() -> None:
    assert rouge_lsum([["c", "d", "a", "b"]], [[["a", "b", "c", "d"]]])["matches"] == 2


def test_sentences_by_punkt_need_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(MissingResource, match="punkt_tab"):
        punkt("A b. C d.")


@pytest.mark.parametrize(
    ("hypothesis", "weight", "expected"),
    [
        ("a b c d h i k", 2, Fraction(4, 7)),
        ("a h b k c i d", 2, Fraction(2, 7)),
        ("a b c d h i k", 1.2, Fraction(4, 7)),
        ("a h b k c i d", 1.2, 4 ** (5 / 6) / 7),
        ("a h b k c i d", 1, Fraction(4, 7)),
        ("a b c d e f g", 3, 1),
    ],
)
def test_rouge_w(hypothesis: str, weight: float, expected: Fraction | float) -> None:
    found = rouge_w([hypothesis], [["a b c d e f g"]], weight=weight)
    assert same(found["recall"], expected)
    assert same(found["precision"], expected)
    assert same(found["f1"], expected)


def test_the_dynamic_program_by_hand() -> None:
    """A match extends the run before it or starts one; the last b of a b b has lost the run of two."""
    assert list(weighted_rows("ab", "abb", powers(2))) == [[0, 1, 1, 1], [0, 1, 4, 2]]
    assert weighted_lcs("ab", "abb", powers(2)) == 2
    assert weighted_lcs("ba", "bba", powers(2)) == 4
    assert best_runs("ab", "abb", powers(2)) == best_runs("ba", "bba", powers(2)) == 4


@CHECKED
@given(WORDS, WORDS, st.sampled_from([1, 1.2, 2]))
def test_the_rows_are_those_of_the_paper_s_tables(x: list[str], y: list[str], weight: float) -> None:
    cells = [[0.0] * (len(y) + 1) for _ in range(len(x) + 1)]
    runs = [[0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i, j in itertools.product(range(1, len(x) + 1), range(1, len(y) + 1)):
        if x[i - 1] == y[j - 1]:
            k = runs[i - 1][j - 1]
            cells[i][j] = cells[i - 1][j - 1] + (k + 1) ** weight - k**weight
            runs[i][j] = k + 1
        else:
            cells[i][j] = max(cells[i - 1][j], cells[i][j - 1])
    for row, expected in zip(weighted_rows(x, y, powers(weight)), cells[1:], strict=True):
        assert row == pytest.approx(expected, rel=1e-12)


def weight_of(pairs: Sequence[tuple[int, int]], weight: float) -> float:
    """The weight of an alignment: each run that is contiguous in both texts, to the power."""
    total, run, before = 0.0, 0, (-9, -9)
    for i, j in pairs:
        if (i, j) != (before[0] + 1, before[1] + 1):
            total, run = total + run**weight, 0
        run, before = run + 1, (i, j)
    return total + run**weight


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.sampled_from("ab"), max_size=5), st.lists(st.sampled_from("ab"), max_size=5), st.sampled_from([1.2, 2])
)
def test_the_best_runs_are_the_best_of_all_alignments(x: list[str], y: list[str], weight: float) -> None:
    best = 0.0
    for left, right in itertools.product(subsequences(x), subsequences(y)):
        if [x[i] for i in left] == [y[j] for j in right]:
            best = max(best, weight_of(list(zip(left, right, strict=True)), weight))
    assert same(best_runs(x, y, powers(weight)), best)
    assert weighted_lcs(x, y, powers(weight)) <= best + 1e-12


@CHECKED
@given(WORDS, WORDS)
def test_weight_one_makes_rouge_w_rouge_l(x: list[str], y: list[str]) -> None:
    assert weighted_lcs(x, y, powers(1)) == best_runs(x, y, powers(1)) == lcs(x, y)


def test_runs_on_the_reference_alone() -> None:
    f = powers(2)
    assert reference_runs([["a", "x", "b"]], [["a", "b"]], f) == 4
    assert reference_runs([["a", "b"]], [["a", "x", "b"]], f) == 2
    assert reference_runs([["a"], ["b"]], [["a", "b"]], f) == 4


def test_a_word_that_is_used_up_does_not_end_a_run() -> None:
    """Both lines mark a and b; the second b has no word left, so the a before it never closes its run."""
    assert reference_runs([["a", "b", "a"]], [["a", "b"], ["a", "b"]], powers(2)) == 4
    assert reference_runs([["a", "b"], ["a", "c"]], [["a", "b"], ["a", "b", "c"]], powers(2)) == 4 + 4


@pytest.mark.parametrize("m", [1, 2, 4])
def test_the_reference_weighed_twice(m: int) -> None:
    text = " ".join(f"w{place}" for place in range(m))
    found = rouge_w([text], [[text]], runs="reference-only", reference_total="twice")
    assert same(found["recall"], m**-0.2)
    assert found["precision"] == 1


NAN = math.nan


@pytest.mark.parametrize("metric", [rouge_l, rouge_lsum, rouge_w])
@pytest.mark.parametrize(
    ("hypothesis", "reference", "empty", "values"),
    [
        ("", "", "undefined", (NAN, NAN, NAN)),
        ("", "a", "undefined", (0, NAN, 0)),
        ("a", "\n", "undefined", (NAN, 0, 0)),
        ("", "", "zero", (0, 0, 0)),
        ("", " ", "one-if-both", (1, 1, 1)),
        ("", "a", "one-if-both", (0, 0, 0)),
    ],
)
def test_empty_sides(metric: Any, hypothesis: str, reference: str, empty: str, values: tuple[float, ...]) -> None:
    found = metric([hypothesis], [[reference]], empty=empty)
    assert [found[name] for name in ("recall", "precision", "f1")] == pytest.approx(values, nan_ok=True)


@pytest.mark.parametrize(
    ("metric", "given", "error"),
    [
        (rouge_l, {"beta": -1}, ValueError),
        (rouge_l, {"beta": "infinity"}, TypeError),
        (rouge_l, {"beta_rule": "large"}, ValueError),
        (rouge_l, {"multi_reference": "worst"}, ValueError),
        (rouge_l, {"empty": "error"}, ValueError),
        (rouge_lsum, {"sentences": "lines"}, ValueError),
        (rouge_lsum, {"clipping": "twice"}, ValueError),
        (rouge_lsum, {"tie": "first"}, ValueError),
        (rouge_w, {"weight": 0.5}, ValueError),
        (rouge_w, {"weight": "heavy"}, TypeError),
        (rouge_w, {"runs": "longest"}, ValueError),
        (rouge_w, {"reference_total": "never"}, ValueError),
        (rouge_w, {"tokenizer": "13a"}, ValueError),
    ],
)
def test_other_parameters_are_refused(metric: Any, given: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        metric([""], [["a"]], **given)


@pytest.mark.parametrize("metric", [rouge_l, rouge_lsum, rouge_w])
@pytest.mark.parametrize(("outputs", "references"), [([], []), (["a"], [[]]), (["a", "b"], [["a"]])])
def test_what_cannot_be_scored_is_refused(metric: Any, outputs: Any, references: Any) -> None:
    with pytest.raises(ValueError, match=r"expected|references"):
        metric(outputs, references)
