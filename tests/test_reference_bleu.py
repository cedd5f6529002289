"""BLEU of the reference: worked examples, every smoothing, sacreBLEU, NLTK, and the laws."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from math import exp, log
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.metrics import BLEU

from conformance.reference.bleu import bleu
from conformance.reference.smoothing import SMOOTHINGS

CHECKED = settings(max_examples=250, deadline=None, derandomize=True)


def same(found: float, expected: float) -> bool:
    return math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-300)


def score(hypothesis: Any, *references: Any, **parameters: Any) -> float:
    found: float = bleu([hypothesis], [list(references)], **parameters)["score"]
    return found


PAPINENI_A = "It is a guide to action which ensures that the military always obeys the commands of the party"
PAPINENI_B = "It is to insure the troops forever hearing the activity guidebook that party direct"
PAPINENI_REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]


@pytest.mark.parametrize(
    ("hypothesis", "matches", "totals"), [(PAPINENI_A, [17, 10], [18, 17]), (PAPINENI_B, [8, 1], [14, 13])]
)
def test_papinenis_candidates(hypothesis: str, matches: list[int], totals: list[int]) -> None:
    found = bleu([hypothesis], [PAPINENI_REFERENCES], max_order=2, lowercase=True)
    assert (found["matches"], found["totals"]) == (matches, totals)
    assert found["precisions"] == [m / t for m, t in zip(matches, totals, strict=True)]


def test_clipping_is_by_the_best_single_reference() -> None:
    the = "The cat is on the mat", "There is a cat on the mat"
    assert same(score("the " * 7, *the, max_order=1, lowercase=True), 2 / 7)
    assert same(score("the " * 7, *the, max_order=1), 1 / 7)
    found = bleu(["the the the the"], [["the the", "the the the"]], max_order=1)
    assert found["matches"] == [3]
    assert bleu(["a b"], [["a x", "b y"]], max_order=1)["matches"] == [2]


@pytest.mark.parametrize(
    ("hypothesis", "references", "order", "value"),
    [
        ("a b c d e", ["a b c d"], 1, 4 / 5),
        ("a b c x", ["a b c d"], 1, 3 / 4),
        ("a b", ["a b c"], 1, exp(1 - 3 / 2)),
        ("a", ["a b c d e f g h i j"], 1, exp(1 - 10)),
        ("refunds within thirty", ["refunds within thirty days"], 1, exp(1 - 4 / 3)),
        ("refunds within sixty days", ["refunds within thirty days"], 2, (3 / 4 * 1 / 3) ** (1 / 2)),
        ("d e f a b c", ["a b c d e f"], 2, (4 / 5) ** (1 / 2)),
        ("a b c d e", ["a b c d f"], 4, (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4)),
        ("a b c d", ["a b c d"], 4, 1),
        ("a c b d", ["a b c d"], 2, 0),
        ("a b", ["a b"], 4, 0),
        ("", ["a b"], 4, 0),
        ("", [""], 4, 0),
    ],
)
def test_definition(hypothesis: str, references: list[str], order: int, value: float) -> None:
    assert same(score(hypothesis, *references, max_order=order), value)


def test_corpus_counts_are_pooled_before_the_formula() -> None:
    found = bleu(["a b c d", "e f g h i"], [["a b c d"], ["e f x h i"]], max_order=2)
    assert same(found["score"], (8 / 9 * 5 / 7) ** (1 / 2))
    assert (found["matches"], found["totals"]) == ([8, 5], [9, 7])
    assert same(bleu(["a b c", "d e f g h"], [["a b c d"], ["d e f g"]], max_order=1)["score"], 7 / 8)
    assert same(bleu(["", "c d e f"], [["a b"], ["c d e f"]])["score"], exp(1 - 6 / 4))


def test_mean_averages_segments_and_sums_counts() -> None:
    hypotheses, references = ["a b", "a x y z"], [["a b c"], ["a b c d"]]
    found = bleu(hypotheses, references, max_order=1, aggregation="mean")
    assert same(found["score"], (exp(1 - 3 / 2) + 1 / 4) / 2)
    assert same(found["precisions"][0], (1 + 1 / 4) / 2)
    assert same(found["brevity_penalty"], (exp(1 - 3 / 2) + 1) / 2)
    assert (found["matches"], found["totals"]) == ([3], [6])
    assert (found["hypothesis_length"], found["reference_length"]) == (6, 7)


@pytest.mark.parametrize(
    ("rule", "tie", "length"),
    [
        ("closest", "shorter", 2),
        ("closest", "longer", 4),
        ("closest", "first", 4),
        ("shortest", "shorter", 2),
        ("longest", "shorter", 7),
        ("average", "shorter", 13 / 3),
    ],
)
def test_reference_length(rule: str, tie: str, length: float) -> None:
    references = [["a b c d", "a b", "a b c d e f g"]]
    found = bleu(["a b c"], references, max_order=1, reference_length=rule, reference_length_tie=tie)
    assert same(found["reference_length"], length)
    assert same(found["brevity_penalty"], exp(1 - length / 3) if length > 3 else 1)


def test_a_missing_reference_is_no_empty_one() -> None:
    assert bleu(["a b"], [["a b c d", None]], max_order=1)["reference_length"] == 4
    assert bleu(["a b"], [["a b c d", ""]], max_order=1)["reference_length"] == 0


def test_weights_and_effective_order() -> None:
    assert same(score("a b c d", "a b x d", max_order=2, weights=[1, 1]), 3 / 4 * 1 / 3)
    assert same(score("a c b d", "a b c d", max_order=2, weights=[1, 0]), 1)
    assert score("a b", "a b", effective_order=True) == 1
    assert same(score("a b", "a b c d", effective_order=True), exp(1 - 4 / 2))
    weights = {"max_order": 3, "weights": [0.5, 0.25, 0.25], "effective_order": True}
    assert same(score("a b", "a c", smoothing="exp", **weights), (1 / 2) ** (2 / 3) * (1 / 2) ** (1 / 3))


def test_empty_corpora_are_by_convention() -> None:
    assert bleu([""], [["a"]])["brevity_penalty"] == 0
    assert bleu([""], [[""]])["brevity_penalty"] == 1
    assert bleu([], [], no_cases="zero")["score"] == 0
    with pytest.raises(ValueError, match="expected at least one segment"):
        bleu([], [])
    with pytest.raises(ValueError, match="expected at least one hypothesis token"):
        bleu(["", " "], [["a"], ["b"]], empty_hypothesis="error")
    assert bleu(["", "a"], [["a"], ["a"]], max_order=1, empty_hypothesis="error", aggregation="mean")["score"] == 0.5


ONE_ZERO = ("the cat sat on the mat", "the cat is on the mat")
TWO_ZEROS = ("the cat lay on a rug", "the cat is on the mat")
THREE_ZEROS = ("x y the z", "the cat is on the mat")
NO_MATCH = ("x y z w", "the cat is on the mat")
BP = exp(1 - 6 / 4)
M4 = log(6) / 5, (log(6) / 5) ** 2


@pytest.mark.parametrize(
    ("smoothing", "pair", "value"),
    [
        ("none", ONE_ZERO, 0),
        ("floor", TWO_ZEROS, (3 / 6 * 1 / 5 * 0.1 / 4 * 0.1 / 3) ** (1 / 4)),
        ("add-one-all", ONE_ZERO, (6 / 7 * 4 / 6 * 2 / 5 * 1 / 4) ** (1 / 4)),
        ("add-k", ONE_ZERO, (5 / 6 * 4 / 6 * 2 / 5 * 1 / 4) ** (1 / 4)),
        ("exp", ONE_ZERO, (5 / 6 * 3 / 5 * 1 / 4 * (1 / 2) / 3) ** (1 / 4)),
        ("exp", ("the cat is", "the cat is"), 0),
        ("mteval", ("a b c", "a b c"), 1),
        ("mteval", NO_MATCH, BP * (1 / 2 / 4 * 1 / 4 / 3 * 1 / 8 / 2 * 1 / 16 / 1) ** (1 / 4)),
        ("chen-cherry-1", TWO_ZEROS, (3 / 6 * 1 / 5 * 0.1 / 4 * 0.1 / 3) ** (1 / 4)),
        ("chen-cherry-2", TWO_ZEROS, (3 / 6 * 2 / 6 * 1 / 5 * 1 / 4) ** (1 / 4)),
        ("chen-cherry-3", TWO_ZEROS, (3 / 6 * 1 / 5 * (1 / 2) / 4 * (1 / 4) / 3) ** (1 / 4)),
        ("chen-cherry-3", THREE_ZEROS, BP * (1 / 4 * (1 / 2) / 3 * (1 / 4) / 2 * (1 / 8) / 1) ** (1 / 4)),
        ("chen-cherry-4", ONE_ZERO, (5 / 6 * 3 / 5 * 1 / 4 * M4[0] / 3) ** (1 / 4)),
        ("chen-cherry-4", TWO_ZEROS, (3 / 6 * 1 / 5 * M4[0] / 4 * M4[1] / 3) ** (1 / 4)),
        # m'1 = (6 + 5 + 3)/3, m'2 = (14/3 + 3 + 1)/3, m'3 = (26/9 + 1 + 0)/3, m'4 = (35/27 + 0 + 0)/3
        ("chen-cherry-5", ONE_ZERO, ((14 / 3) / 6 * (26 / 9) / 5 * (35 / 27) / 4 * (35 / 81) / 3) ** (1 / 4)),
        ("chen-cherry-5", TWO_ZEROS, ((8 / 3) / 6 * (11 / 9) / 5 * (11 / 27) / 4 * (11 / 81) / 3) ** (1 / 4)),
        # p'3 = (1 + 5 * (3/5)^2/(5/6))/(4 + 5) = 79/225, p'4 = 5 * (79/225)^2/(3/5)/(3 + 5)
        ("chen-cherry-6", ONE_ZERO, (5 / 6 * 3 / 5 * 79 / 225 * 6241 / 48600) ** (1 / 4)),
        ("chen-cherry-6", TWO_ZEROS, (1 / 2 * 1 / 5 * 2 / 45 * 1 / 162) ** (1 / 4)),
        ("chen-cherry-6", THREE_ZEROS, 0),
        # method 5's averages of 5, 3, 1 and ln 6 / 5, with no 5-gram match
        (
            "chen-cherry-7",
            ONE_ZERO,
            ((14 / 3) / 6 * (26 / 9) / 5 * ((35 / 9 + M4[0]) / 3) / 4 * (((35 / 9 + M4[0]) / 3 + M4[0]) / 3) / 3)
            ** (1 / 4),
        ),
        ("nltk-4", ONE_ZERO, (5 / 6 * 3 / 5 * 1 / 4 * (log(6) / 10) / 3) ** (1 / 4)),
        ("caption-guards", ("a b c", "a b c"), (1e-15 / 1e-9) ** (1 / 4)),
    ],
)
def test_smoothings(smoothing: str, pair: tuple[str, str], value: float) -> None:
    tolerance = 1e-8 if smoothing == "caption-guards" else 1e-12
    assert math.isclose(score(*pair, smoothing=smoothing), value, rel_tol=tolerance)


@pytest.mark.parametrize("method", range(1, 8))
def test_a_perfect_sentence_scores_one_under_every_method_of_the_paper(method: int) -> None:
    assert math.isclose(score(ONE_ZERO[1], ONE_ZERO[1], smoothing=f"chen-cherry-{method}"), 1, rel_tol=1e-12)


def test_methods_4_and_7_are_undefined_for_one_token() -> None:
    assert math.isnan(score("the", "the", smoothing="chen-cherry-4"))
    assert math.isnan(score("the", "the", smoothing="chen-cherry-7"))


def test_nltks_floor_of_the_denominators() -> None:
    # a three-token and an eight-token sentence have 1 + 5 4-grams by the floor, of which 5 match
    perfect = ["a b c", "d e f g h i j k"]
    found = bleu(perfect, [[each] for each in perfect], denominator_floor="one-per-segment")
    assert found["totals"][3] == 6
    assert same(found["score"], (5 / 6) ** (1 / 4))


WORDS = st.lists(st.sampled_from("abc"), max_size=9).map(" ".join)
NOISY = st.lists(
    st.sampled_from(["a", "b", "A", "a,b", "b.", "1.5", "-", "\u4e2d\u6587", "&amp;", "it's"]), max_size=8
).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn, texts: st.SearchStrategy[str] = WORDS) -> tuple[list[str], list[list[str]]]:
    segments, references = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    hypotheses = [draw(texts) for _ in range(segments)]
    return hypotheses, [[draw(texts) for _ in range(references)] for _ in range(segments)]


@CHECKED
@given(
    st.one_of(corpora(), corpora(NOISY)),
    st.integers(1, 6),
    st.sampled_from(
        [("none", None), ("exp", None)] + [(name, value) for name in ("floor", "add-k") for value in (None, 0, 0.5, 2)]
    ),
    st.booleans(),
    st.sampled_from(["none", "13a", "intl", "zh", "char"]),
    st.booleans(),
)
def test_sacrebleu(
    corpus: tuple[list[str], list[list[str]]],
    order: int,
    smoothing: tuple[str, float | None],
    effective: bool,
    tokenizer: str,
    lowercase: bool,
) -> None:
    hypotheses, references = corpus
    method, value = smoothing
    metric = BLEU(
        max_ngram_order=order, smooth_method=method, smooth_value=value, effective_order=effective,
        tokenize=tokenizer, lowercase=lowercase, force=True,
    )  # fmt: skip
    theirs = metric.corpus_score(hypotheses, [list(stream) for stream in zip(*references, strict=True)])
    ours = bleu(
        hypotheses,
        references,
        max_order=order,
        smoothing=method,
        smoothing_value="standard" if value is None else value,
        effective_order=effective,
        zero_before_smoothing=True,
        tokenizer="whitespace" if tokenizer == "none" else tokenizer,
        lowercase=lowercase,
    )
    assert math.isclose(100 * ours["score"], theirs.score, rel_tol=1e-9, abs_tol=1e-12)
    assert [100 * each for each in ours["precisions"]] == pytest.approx(theirs.precisions, rel=1e-9)
    assert ours["brevity_penalty"] == pytest.approx(theirs.bp, rel=1e-12)
    assert (ours["hypothesis_length"], ours["reference_length"]) == (theirs.sys_len, theirs.ref_len)
    if method != "add-k":  # which adds k to the counts that it prints
        assert (ours["matches"], ours["totals"]) == (theirs.counts, theirs.totals)


NLTK_METHODS = {
    0: "smallest-float", 1: "chen-cherry-1", 2: "chen-cherry-2", 3: "chen-cherry-3",
    4: "nltk-4", 5: "nltk-5", 6: "nltk-6", 7: "nltk-7",
}  # fmt: skip


@CHECKED
@given(corpora(), st.integers(1, 6), st.sampled_from(sorted(NLTK_METHODS)), st.booleans())
def test_nltk(corpus: tuple[list[str], list[list[str]]], order: int, method: int, mean: bool) -> None:
    hypotheses = [each.split() for each in corpus[0]]
    references = [[each.split() for each in several] for several in corpus[1]]
    weights = [1 / order] * order
    smooth = getattr(SmoothingFunction(), f"method{method}")

    def theirs() -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NLTK warns of orders without a match
            if not mean:
                return float(corpus_bleu(references, hypotheses, weights, smooth))
            pairs = zip(references, hypotheses, strict=True)
            return math.fsum(sentence_bleu(r, h, weights, smooth) for r, h in pairs) / len(hypotheses)

    def ours() -> float:
        found: float = bleu(
            hypotheses,
            references,
            max_order=order,
            smoothing=NLTK_METHODS[method],
            denominator_floor="one-per-segment",
            zero_before_smoothing=True,
            aggregation="mean" if mean else "corpus",
        )["score"]
        return found

    try:
        expected = theirs()
    except (AssertionError, IndexError) as error:
        with pytest.raises(type(error)):
            ours()
    else:
        assert math.isclose(ours(), expected, rel_tol=1e-9, abs_tol=1e-300)


def plain_bleu(hypotheses: list[str], references: list[list[str]], order: int) -> float:
    """BLEU by the letter of the paper, with nothing made fast."""
    precisions, c, r = [], 0, 0
    for hypothesis, several in zip(hypotheses, references, strict=True):
        length = len(hypothesis.split())
        c += length
        r += min((abs(len(each.split()) - length), len(each.split())) for each in several)[1]
    for n in range(1, order + 1):
        matches = total = 0
        for hypothesis, several in zip(hypotheses, references, strict=True):
            bags = [
                Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
                for words in (each.split() for each in (hypothesis, *several))
            ]
            total += sum(bags[0].values())
            matches += sum(min(count, max(bag[gram] for bag in bags[1:])) for gram, count in bags[0].items())
        precisions.append(matches / total if total else 0.0)
    return min(1.0, exp(1 - r / c)) * math.prod(precisions) ** (1 / order) if c else 0.0


@CHECKED
@given(corpora(), st.integers(1, 5))
def test_the_letter_of_the_paper(corpus: tuple[list[str], list[list[str]]], order: int) -> None:
    assert math.isclose(bleu(*corpus, max_order=order)["score"], plain_bleu(*corpus, order), rel_tol=1e-9)


@CHECKED
@given(corpora(), st.integers(1, 4), st.sampled_from(["none", "exp", "add-k", "chen-cherry-1", "mteval"]))
def test_laws(corpus: tuple[list[str], list[list[str]]], order: int, smoothing: str) -> None:
    hypotheses, references = corpus
    found = bleu(hypotheses, references, max_order=order, smoothing=smoothing)
    assert 0 <= found["score"] <= 1 + 1e-12
    assert all(0 <= each <= 1 for each in found["precisions"])
    assert all(m <= t for m, t in zip(found["matches"], found["totals"], strict=True))
    reordered = [list(reversed(each)) for each in references]
    assert bleu(hypotheses, reordered, max_order=order, smoothing=smoothing) == found
    backwards = bleu(hypotheses[::-1], references[::-1], max_order=order, smoothing=smoothing)
    assert math.isclose(backwards["score"], found["score"], rel_tol=1e-12)
    more = bleu(hypotheses, [[*each, "a b c"] for each in references], max_order=order)
    assert all(a >= b for a, b in zip(more["matches"], found["matches"], strict=True))


@pytest.mark.parametrize("smoothing", sorted(SMOOTHINGS))
def test_every_smoothing_leaves_a_corpus_with_matches_in_range(smoothing: str) -> None:
    found = bleu(["a b c d e"], [["a b c d x"]], smoothing=smoothing)
    assert 0 < found["score"] < 1.2
    assert len(found["precisions"]) == 4


@pytest.mark.parametrize(
    ("parameters", "kind", "message"),
    [
        ({"max_order": 0}, ValueError, "max_order: expected an integer from 1 to 100, found 0"),
        ({"max_order": True}, TypeError, "max_order: expected an integer from 1 to 100, found True"),
        ({"max_order": 2.0}, TypeError, "max_order: expected an integer"),
        ({"max_order": "2"}, TypeError, "max_order: expected an integer"),
        ({"weights": [1]}, ValueError, "weights: expected 4 numbers, one an order, found 1"),
        ({"weights": "1111"}, TypeError, "weights: expected a list of numbers"),
        ({"weights": [1, 1, 1, -1]}, ValueError, "weights: expected a finite number from 0"),
        ({"smoothing": "laplace"}, ValueError, "smoothing: expected one of none, floor"),
        ({"smoothing_value": "big"}, TypeError, "smoothing_value: expected a number"),
        ({"smoothing_value": -1}, ValueError, "smoothing_value: expected a finite number"),
        ({"effective_order": 1}, TypeError, "effective_order: expected true or false, found 1"),
        ({"reference_length": "nearest"}, ValueError, "reference_length: expected one of closest"),
        ({"tokenizer": "moses"}, ValueError, "tokenizer: expected one of whitespace, 13a"),
    ],
)
def test_bad_parameters_are_refused(parameters: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        bleu(["a"], [["a"]], **parameters)


@pytest.mark.parametrize(
    ("hypotheses", "references", "kind"),
    [
        ("a", [["a"]], TypeError),
        (["a"], ["a"], TypeError),
        (["a"], [["a"], ["b"]], ValueError),
        (["a"], [[]], ValueError),
        (["a"], [[None]], ValueError),
        ([None], [["a"]], TypeError),
        ([["a", 1]], [["a"]], TypeError),
    ],
)
def test_bad_input_is_refused(hypotheses: Any, references: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind, match=r"expected|hypotheses"):
        bleu(hypotheses, references)
