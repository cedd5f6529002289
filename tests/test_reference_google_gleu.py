"""Google GLEU of the reference, against values worked out by hand."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.reference.derivations.google_gleu import google_gleu as worked_out
from conformance.reference.google_gleu import google_gleu

FILLED = st.lists(st.sampled_from("abc"), min_size=1, max_size=8)
CHECKED = settings(max_examples=150, deadline=None, derandomize=True)


def score(hypothesis: str, *references: str, **parameters: Any) -> float:
    found: float = google_gleu([hypothesis], [list(references)], **parameters)["score"]
    return found


@pytest.mark.parametrize(
    ("hypothesis", "references", "parameters", "value"),
    [
        ("a b", ["a b c"], {}, 3 / 6),
        ("a b c", ["a b"], {}, 3 / 6),
        ("a b", ["a b"], {}, 1),
        ("x y", ["a b"], {}, 0),
        ("a b c d x", ["a b c d e"], {}, 10 / 14),
        ("a b c d x", ["a b c d e"], {"max_order": 5}, 10 / 15),
        ("a b c d x", ["a b c d e"], {"min_order": 2}, 6 / 9),
        ("the the the the the the the", ["the cat is on the mat"], {}, 2 / 22),
        ("a c b", ["a b c"], {}, 3 / 6),
        ("a b c x", ["a b c d"], {}, 6 / 10),
        ("a b", ["a b c", "a b"], {}, 1),
        ("a b c", ["a b x", "y b c"], {}, 3 / 6),
        ("", ["a"], {}, 0),
        ("a", [""], {}, 0),
        ("Ab", ["aB"], {"lowercase": True, "tokenizer": "char"}, 1),
    ],
)
def test_scores(hypothesis: str, references: list[str], parameters: Any, value: float) -> None:
    assert score(hypothesis, *references, **parameters) == value


def test_the_components_and_the_corpus() -> None:
    two = (["a b c", "x"], [["a b c"], ["y z w v"]])
    assert google_gleu(*two) == {"score": 6 / 16, "precision": 6 / 7, "recall": 6 / 16, "matches": 6, "larger": 16}
    assert google_gleu(*two, aggregation="mean")["score"] == 1 / 2


@pytest.mark.parametrize(("tie", "value"), [("first", 4 / 7), ("longer", 6 / 11), ("shorter", 4 / 7)])
def test_ties_matter_in_a_corpus(tie: str, value: float) -> None:
    # 3 of 6 n-grams against the first reference, 5 of 10 against the second
    references = [["a c b", "b c a b"], ["x"]]
    assert google_gleu(["a b c", "x"], references, tie=tie)["score"] == value
    if tie != "first":
        assert google_gleu(["a b c", "x"], [references[0][::-1], ["x"]], tie=tie)["score"] == value


def test_nothing_is_by_convention() -> None:
    assert math.isnan(score("", ""))
    assert score("", "", empty="zero") == 0
    assert math.isnan(google_gleu(["", "a"], [[""], ["a"]], aggregation="mean")["score"])
    assert google_gleu(["", "a"], [[""], ["a"]])["score"] == 1
    assert google_gleu([], [], no_cases="zero")["score"] == 0
    with pytest.raises(ValueError, match="at least one segment"):
        google_gleu([], [])


def everything(text: list[str]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(text[i:j]) for i in range(len(text)) for j in range(i + 1, min(i + 4, len(text)) + 1))


@CHECKED
@given(FILLED, FILLED)
def test_it_is_the_smaller_of_precision_and_recall(hypothesis: list[str], reference: list[str]) -> None:
    own, other = everything(hypothesis), everything(reference)
    matches = (own & other).total()
    found = google_gleu([hypothesis], [[reference]])
    assert found["score"] == min(matches / own.total(), matches / other.total())
    assert found["score"] == google_gleu([reference], [[hypothesis]])["score"]


@pytest.mark.parametrize(
    ("references", "parameters", "kind", "message"),
    [
        ([["a"], ["b"]], {}, ValueError, "1 hypotheses, but references for 2 segments"),
        ([[]], {}, ValueError, "segment 1: expected at least one reference"),
        ([["a"]], {"min_order": 0}, ValueError, "min_order: expected an integer from 1"),
        ([["a"]], {"max_order": True}, TypeError, "max_order: expected an integer"),
        ([["a"]], {"min_order": 3, "max_order": 2}, ValueError, "min_order: expected at most max_order = 2, found 3"),
        ([["a"]], {"tie": "last"}, ValueError, "tie: expected one of first, longer, shorter"),
    ],
)
def test_bad_input_is_refused(references: Any, parameters: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        google_gleu(["a"], references, **parameters)


def test_it_is_worked_out_as_on_paper() -> None:
    lines = {name: working for name, working, _ in worked_out(["a b x"], [["a b c d"]], max_order=2)}
    assert lines["1-gram matches"] == "a, b; of 3 and 4"
    assert lines["2-gram matches"] == "a b; of 2 and 3"
    assert (lines["ratio"], lines["GLEU"]) == ("3/7", "3/7")
