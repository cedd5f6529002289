"""CIDEr and CIDEr-D of the reference, against values worked out by hand and against vectors written out in full."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from math import exp, log, sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.reference.cider import cider, cider_d, tf_idf
from conformance.reference.derivations import cider as derivation

OTHER = [["x1 x2 x3 x4"]]
"""One more image, whose words nobody else says."""


@pytest.mark.parametrize(
    ("caption", "references", "cosines"),
    [
        ("a b c d", ["a b c d"], 4),
        ("a b c d", ["e f g h"], 0),
        ("a b c", ["a b c d"], sqrt(3 / 4) + sqrt(2 / 3) + sqrt(1 / 2)),
        ("a b x d", ["a b c d"], 3 / 4 + 1 / 3),
        ("a b c d", ["a b c d", "p q r s"], 4 / 2),
        ("a b c d", ["a b c d", "p q r s", "t u v w"], 4 / 3),
        ("a a a a", ["a b c d"], 4 / (4 * 2)),
        ("a b b b", ["a b"], 4 / sqrt(10 * 2) + 1 / sqrt(5)),
        ("", ["a"], 0),
        ("a", [""], 0),
        ("a b", ["a b", None], 2),
        (["a", "b"], [["a", "b"]], 2),
    ],
)
def test_cider_is_a_quarter_of_four_cosines(caption: Any, references: list[Any], cosines: float) -> None:
    found = cider([caption], [references], other_images=OTHER)
    assert found["score"] == pytest.approx(cosines / 4, rel=1e-12)
    assert found["image_scores"] == [found["score"]]


def test_each_order_has_its_part() -> None:
    found = cider(["a b c"], [["a b c d"]], other_images=OTHER)
    assert found["order_scores"] == pytest.approx([sqrt(3 / 4), sqrt(2 / 3), sqrt(1 / 2), 0])
    assert cider(["a b c"], [["a b c d"]], other_images=OTHER, max_order=2)["order_scores"] == pytest.approx(
        [sqrt(3 / 4), sqrt(2 / 3)]
    )
    weighted = cider(["a b c"], [["a b c d"]], other_images=OTHER, weights=(0.5, 0, 0, 2))
    assert weighted["score"] == pytest.approx(sqrt(3 / 4) / 2)


@pytest.mark.parametrize(
    ("caption", "references", "counts", "shares"),
    [
        # Repeated four times "a" is clipped to one; lengths are equal, so shares are counts over four.
        ("a a a a", ["a b c d"], 1 / (4 * 2), 1 / (4 * 2)),
        # Shares: 1/6 and 2/6 against 1/2 and 1/2, none is clipped.
        (
            "a b b e f g",
            ["a b"],
            exp(-16 / 72) * (2 / sqrt(8 * 2) + 1 / sqrt(5)),
            exp(-16 / 72) * (3 / sqrt(8 * 2) + 1 / sqrt(5)),
        ),
        # Shares of the short caption are all above those of the reference: 1/2 to 1/4, 1 to 1/3.
        (
            "a b",
            ["a b c d"],
            exp(-4 / 72) * (2 / sqrt(8) + 1 / sqrt(3)),
            exp(-4 / 72) * (1 / sqrt(8) + 1 / (3 * sqrt(3))),
        ),
        ("a b c d", ["a b c d", "p q r s"], 2, 2),
        ("", [""], 0, 0),
    ],
)
def test_cider_d_clips_counts_or_shares(caption: str, references: list[str], counts: float, shares: float) -> None:
    for name, value in (("counts", counts), ("normalized", shares)):
        found = cider_d([caption], [references], other_images=OTHER, term_frequency=name)["score"]
        assert found == pytest.approx(10 * value / 4, rel=1e-12), name


@pytest.mark.parametrize(("sigma", "width"), [(6, 72), (3, 18), (1.5, 4.5)])
def test_the_length_penalty_is_a_gaussian(sigma: float, width: float) -> None:
    found = cider_d(["a b c d e f"], [["a b c d"]], other_images=OTHER, sigma=sigma)["score"]
    cosines = sqrt(4 / 6) + sqrt(3 / 5) + sqrt(2 / 4) + sqrt(1 / 3)
    assert found == pytest.approx(10 / 4 * exp(-4 / width) * cosines, rel=1e-12)


def test_an_image_is_a_document_once() -> None:
    references = [["a cat sat down", "the cat sat there"], ["a dog ran fast"], ["birds fly very high"]]
    found = tf_idf("a cat cat zebra", references)
    assert found["ngrams"] == ["a", "cat", "zebra"]
    assert found["document_frequencies"] == [2, 1, 0]
    assert found["idf"] == pytest.approx([log(3 / 2), log(3), log(3)])
    assert found["term_frequencies"] == [1 / 4, 2 / 4, 1 / 4]
    assert found["weights"] == pytest.approx([log(3 / 2) / 4, log(3) / 2, log(3) / 4])
    assert tf_idf("a cat cat", references, term_frequency="counts")["term_frequencies"] == [1, 2]
    assert tf_idf("a cat sat", references, order=2)["ngrams"] == ["a cat", "cat sat"]
    assert tf_idf("", references)["weights"] == []
    assert tf_idf("aB", [["b"]], tokenizer="char", lowercase=True)["document_frequencies"] == [0, 1]


def test_the_score_of_an_image_depends_on_the_others() -> None:
    pair = (["a red car near a tree"], [["a red car parked near a tree"]])
    assert cider(*pair)["score"] == 0
    assert cider(*pair, other_images=[["a red bus on a road"]])["score"] == pytest.approx(
        (3 / sqrt(12) + 5 / sqrt(20)) / 4
    )
    agreed = ["a b c d", "a b c d"]
    assert cider_d(agreed, [["a b c d"], ["a b c d"]])["image_scores"] == [0, 0]
    assert cider_d(["a b c d"], [["a b c d"]], other_images=[["p"], ["q", None]])["score"] == pytest.approx(10)


def test_a_corpus_is_the_mean_of_its_images() -> None:
    found = cider_d(["a b c d", "e"], [["a b c d"], ["e"]])
    assert found["image_scores"] == pytest.approx([10, 10 / 4])
    assert found["score"] == pytest.approx((10 + 10 / 4) / 2)


@pytest.mark.parametrize(
    ("convention", "value"), [("one-image", 1 / 2 / 4), ("ignored", 1 / sqrt(2) / 4), ("undefined", math.nan)]
)
def test_an_ngram_that_no_reference_has(convention: str, value: float) -> None:
    found = cider(["cat zebra"], [["cat bird"]], other_images=OTHER, unseen_ngram=convention)
    assert found["score"] == pytest.approx(value, nan_ok=True)


def test_a_vector_of_length_zero_is_by_convention() -> None:
    assert cider(["a b"], [["a b"]])["score"] == 0
    assert math.isnan(cider(["a b"], [["a b"]], zero_norm="undefined")["score"])
    # The orders that two words lack are undefined too, unless they have no weight.
    assert math.isnan(cider(["a b"], [["a b"]], other_images=OTHER, zero_norm="undefined")["score"])
    present = {"zero_norm": "undefined", "weights": [0.5, 0.5, 0, 0]}
    assert cider(["a b"], [["a b"]], other_images=OTHER, **present)["score"] == pytest.approx(1)


def test_nothing_to_score() -> None:
    assert cider_d(["a"], [[""]])["score"] == 0
    with pytest.raises(ValueError, match="at least one n-gram in the references"):
        cider_d(["a"], [[""]], empty_corpus="error")
    assert cider_d(["a"], [[""]], other_images=[["b"]], empty_corpus="error")["score"] == 0
    with pytest.raises(ValueError, match="at least one segment"):
        cider([], [])
    assert cider([], [], no_cases="zero") == {"score": 0.0, "order_scores": [0.0] * 4, "image_scores": []}


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"max_order": 0}, ValueError, "max_order"),
        ({"max_order": True}, TypeError, "max_order"),
        ({"weights": [1, 2]}, ValueError, "expected 4 numbers"),
        ({"weights": 1}, TypeError, "weights"),
        ({"weights": [1, 1, 1, -1]}, ValueError, "weights"),
        ({"term_frequency": "logarithmic"}, ValueError, "term_frequency"),
        ({"unseen_ngram": "zero"}, ValueError, "unseen_ngram"),
        ({"zero_norm": "one"}, ValueError, "zero_norm"),
        ({"empty_corpus": None}, ValueError, "empty_corpus"),
        ({"no_cases": ""}, ValueError, "no_cases"),
        ({"tokenizer": "ptb"}, ValueError, "tokenizer"),
        ({"lowercase": 1}, TypeError, "lowercase"),
        ({"other_images": "a b"}, TypeError, "other_images: expected a list"),
        ({"other_images": ["a b"]}, TypeError, "image 1: expected a list of references"),
        ({"other_images": [["a"], [None]]}, ValueError, "image 2: expected at least one reference"),
        ({"other_images": [[3]]}, TypeError, "a reference of image 1"),
    ],
)
@pytest.mark.parametrize("metric", [cider, cider_d])
def test_what_makes_no_sense_is_refused(
    metric: Callable[..., Any], changed: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        metric(["a"], [["a"]], **changed)


def test_other_input_that_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one reference"):
        cider(["a"], [[]])
    with pytest.raises(ValueError, match="references for 1 segments"):
        cider(["a", "b"], [["a"]])
    with pytest.raises(ValueError, match="sigma: expected a number above 0"):
        cider_d(["a"], [["a"]], sigma=0)
    with pytest.raises(TypeError, match="sigma"):
        cider_d(["a"], [["a"]], sigma=True)
    with pytest.raises(ValueError, match="at least one image"):
        tf_idf("a", [])
    with pytest.raises(ValueError, match="order"):
        tf_idf("a", [["a"]], order=0)


TEXT = st.lists(st.sampled_from("abc"), max_size=6).map(" ".join)
IMAGES = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4)


def written_out(images: Sequence[tuple[str, Sequence[str]]], counts: bool, clipped: bool) -> float:
    """The definition over vectors with an entry for every n-gram of the corpus, in logarithms of base two."""

    def runs(text: str, order: int) -> list[str]:
        words = text.split()
        return [" ".join(words[start : start + order]) for start in range(len(words) - order + 1)]

    total = 0.0
    for order in range(1, 5):
        every = sorted(
            {run for caption, several in images for text in (caption, *several) for run in runs(text, order)}
        )
        seen = [sum(any(run in runs(text, order) for text in several) for _, several in images) for run in every]
        idf = [math.log2(len(images) / max(1, each)) for each in seen]

        def vector(text: str, order: int = order, every: list[str] = every, idf: list[float] = idf) -> list[float]:
            own = runs(text, order)
            over = 1 if counts else max(len(own), 1)
            return [own.count(run) / over * weight for run, weight in zip(every, idf, strict=True)]

        for caption, several in images:
            x = vector(caption)
            for text in several:
                y = vector(text)
                product = sum((min(a, b) if clipped else a) * b for a, b in zip(x, y, strict=True))
                norms = sqrt(sum(a * a for a in x)) * sqrt(sum(b * b for b in y))
                gap = len(caption.split()) - len(text.split())
                factor = 10 * exp(-(gap**2) / 72) if clipped else 1
                total += factor * product / norms / len(several) if norms else 0
    return total / 4 / len(images)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(IMAGES, st.booleans())
def test_the_definition_written_out(images: list[tuple[str, list[str]]], counts: bool) -> None:
    captions, references = [each for each, _ in images], [several for _, several in images]
    convention = "counts" if counts else "normalized"
    for metric, clipped in ((cider, False), (cider_d, True)):
        found = metric(captions, references, term_frequency=convention)["score"]
        assert found == pytest.approx(written_out(images, counts, clipped), rel=1e-9, abs=1e-12)


def test_the_vectors_are_worked_out_as_on_paper() -> None:
    lines = derivation.cider_d(["cat zebra"], [["cat bird"]], other_images=OTHER, max_order=1)
    assert [line[:2] for line in lines] == [
        ("images", "documents of the idf: 1 with a caption, 1 others"),
        ("length penalty, reference 1", "exp(-(2 - 2)^2 / (2 * 6^2))"),
        ("g1 of the caption", "cat: 1/2 * log(2/1); zebra: 1/2 * log(2/1) as no reference has it"),
        ("g1 of reference 1", "cat: 1/2 * log(2/1); bird: 1/2 * log(2/1)"),
        ("cosine 1, reference 1", f"clipped product {(log(2) / 2) ** 2:.6g} / (0.490129 * 0.490129) * 1"),
        ("image 1", "10/1 * (0.5)"),
        ("score", "mean over 1 images"),
    ]
    assert lines[4][2] == pytest.approx(1 / 2)
    plain = derivation.cider(["a a b"], [["a b", "c"]], other_images=OTHER, max_order=2, term_frequency="counts")
    found = {name: (working, value) for name, working, value in plain}
    assert found["g1 of the caption"][0] == "a: 2 * log(2/1); b: 1 * log(2/1)"
    assert found["cosine 1, reference 1"][1] == pytest.approx(3 / sqrt(5 * 2))
    assert found["cosine 2, reference 2"] == ("a vector of length zero", None)
    assert found["image 1"][0] == f"1/2 * ({3 / sqrt(10) / 2:.5g} + {1 / sqrt(2) / 2:.5g})"
    weighted = derivation.cider_d(["a b"], [["a b"]], other_images=OTHER, max_order=2, weights=[0.25, 1])
    assert ("image 1", "10 * (0.25 * 1 + 1 * 1)", 12.5) in weighted
    alone = dict(line[:2] for line in derivation.cider(["a"], [["a"]], unseen_ngram="ignored"))
    assert alone["g1 of the caption"] == "a: 1/1 * log(1/1)"
    vector = derivation.tf_idf("a cat", [["a cat"], ["a"]])
    assert [line[:2] for line in vector][1:3] == [
        ("a", "tf 0.5 * idf 0, in 2 of 2 images"),
        ("cat", f"tf 0.5 * idf {log(2):.6g}, in 1 of 2 images"),
    ]
