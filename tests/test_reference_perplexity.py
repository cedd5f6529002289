"""Perplexity and sliding windows: values worked out by hand, every small window, errors."""

from __future__ import annotations

from math import exp, inf, isnan, log, log10
from typing import Any

import pytest

from conformance.reference.derivations.perplexity import perplexity as derived
from conformance.reference.perplexity import perplexity, sliding_windows

FLAT = [[0.0] * 6] * 4
"""Four positions of uniform logits over six symbols."""


def test_the_reciprocal_of_the_geometric_mean() -> None:
    """1/2 and 1/4 have the geometric mean (1/8)^(1/2)."""
    found = perplexity(probabilities=[1 / 2, 1 / 4])
    assert found == {
        "perplexity": pytest.approx(8**0.5),
        "nll": pytest.approx(log(8) / 2),
        "total_nll": pytest.approx(log(8)),
        "targets": 2,
    }
    assert perplexity(log_probabilities=[log(1 / 2), log(1 / 4)]) == found


@pytest.mark.parametrize(("name", "loss"), [("natural", log(8) / 2), ("two", 3 / 2), ("ten", log10(8) / 2)])
def test_the_base_changes_the_loss_alone(name: str, loss: float) -> None:
    found = perplexity(probabilities=[1 / 2, 1 / 4], logarithm=name)
    assert found["nll"] == pytest.approx(loss)
    assert found["perplexity"] == pytest.approx(8**0.5)
    assert perplexity(log_probabilities=[-loss], logarithm=name)["perplexity"] == pytest.approx(8**0.5)
    mixed = perplexity(probabilities=[1 / 2, 1 / 4], logarithm=name, exponential="natural")
    assert mixed["perplexity"] == pytest.approx(exp(loss))


def test_batches_are_pooled_or_averaged() -> None:
    """Two targets of 1/2 and eight of 1/8: 2^2.6, (2 + 8)/2, (2*2 + 8*8)/10, and e^((ln 2 + ln 8)/2)."""
    batches = [[1 / 2] * 2, [1 / 8] * 8]
    values = {
        "pooled": 2**2.6,
        "mean-of-perplexities": 5,
        "weighted-mean-of-perplexities": 6.8,
        "mean-of-losses": 4,
    }
    for aggregation, value in values.items():
        assert perplexity(probabilities=batches, aggregation=aggregation)["perplexity"] == pytest.approx(value)
    assert perplexity(probabilities=[*batches, []])["targets"] == 10


def test_an_impossible_target_and_one_too_improbable_for_a_double() -> None:
    assert perplexity(probabilities=[1 / 2, 0])["perplexity"] == inf
    assert perplexity(log_probabilities=[-inf, -1.0])["perplexity"] == inf
    assert perplexity(log_probabilities=[-800.0])["perplexity"] == inf
    assert str(perplexity(probabilities=[1])["nll"]) == "0.0"


def test_logits_score_the_next_label() -> None:
    """Uniform logits cost ln 6 a target; the first label is none, and an ignored one is context."""
    assert perplexity(logits=[FLAT], labels=[[-100, 1, 2, 3]])["total_nll"] == pytest.approx(3 * log(6))
    assert perplexity(logits=[FLAT], labels=[[0, -100, 4, 5]])["targets"] == 2
    assert perplexity(logits=[FLAT], labels=[[0, 1, 2, 3]], alignment="same")["targets"] == 4
    peaked = [[[0.0, 100.0], [100.0, 0.0], [0.0, 0.0]]]
    assert perplexity(logits=peaked, labels=[[0, 1, 0]])["total_nll"] == pytest.approx(0, abs=1e-40)
    assert perplexity(logits=peaked, labels=[[0, 0, 1]])["total_nll"] == pytest.approx(200)


def test_large_logits_and_impossible_symbols() -> None:
    """Only differences of logits matter; minus infinity is a symbol of probability zero."""
    assert perplexity(logits=[[[1e4, 1e4 + log(3)]]], labels=[[1]], alignment="same")["perplexity"] == pytest.approx(
        4 / 3
    )
    impossible = {"logits": [[[0.0, -inf]]], "alignment": "same"}
    assert perplexity(labels=[[0]], **impossible)["perplexity"] == 1
    assert perplexity(labels=[[1]], **impossible)["perplexity"] == inf


def test_several_batches_of_logits() -> None:
    windows = {"logits": [[FLAT], [FLAT]], "labels": [[[-100, 1, 2, 3]], [[-100, -100, 4, 5]]]}
    assert perplexity(**windows)["perplexity"] == pytest.approx(6)
    assert perplexity(**windows)["targets"] == 5


def test_no_targets() -> None:
    found = perplexity(probabilities=[], no_targets="nan")
    assert isnan(found["perplexity"])
    assert found["targets"] == 0
    for given in (
        {"probabilities": []},
        {"logits": [], "labels": []},
        {"logits": [FLAT], "labels": [[3] + [-100] * 3]},
    ):
        with pytest.raises(ValueError, match="at least one target"):
            perplexity(**given)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({}, ValueError, "expected one of"),
        ({"probabilities": [1], "log_probabilities": [0]}, ValueError, "expected one of"),
        ({"probabilities": [1], "labels": [1]}, ValueError, "belong together"),
        ({"logits": [FLAT]}, ValueError, "belong together"),
        ({"probabilities": [3 / 2]}, ValueError, "from 0 to 1"),
        ({"probabilities": [-1 / 2]}, ValueError, "from 0 to 1"),
        ({"probabilities": [True]}, TypeError, "expected a number"),
        ({"probabilities": ["1"]}, TypeError, "expected a number"),
        ({"probabilities": [float("nan")]}, ValueError, "nan"),
        ({"probabilities": "1"}, TypeError, "expected a list"),
        ({"log_probabilities": [1 / 2]}, ValueError, "log_probabilities"),
        ({"logits": FLAT, "labels": [[0, 1, 2, 3]]}, ValueError, "4 sequences of logits, but 1 of labels"),
        ({"logits": [[0.0, 1.0]], "labels": [[0, 1]]}, TypeError, "logits of a position"),
        ({"logits": [FLAT], "labels": [[0, 1, 2]]}, ValueError, "4 positions, but 3 labels"),
        ({"logits": [FLAT], "labels": [0]}, TypeError, "labels of a sequence"),
        ({"logits": [FLAT], "labels": [[0, 1, 2, 6]]}, ValueError, "expected 0 to 5"),
        ({"logits": [FLAT], "labels": [[0, 1, 2, 1.0]]}, TypeError, "whole numbers"),
        ({"logits": [[FLAT]], "labels": []}, ValueError, "1 batches of logits, but 0 of labels"),
        ({"logits": [[[inf, 0.0]]], "labels": [[0]], "alignment": "same"}, ValueError, "finite"),
        ({"probabilities": [1], "aggregation": "sum"}, ValueError, "aggregation"),
    ],
)
def test_errors(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        perplexity(**given)


def test_it_is_worked_out_as_on_paper() -> None:
    lines = derived(probabilities=[[1 / 2], [1 / 8]], logarithm="two")
    assert [line[1] for line in lines[:2]] == ["-log2 0.5", "-log2 0.125"]
    assert lines[-1] == ("perplexity", "2^2", pytest.approx(4))
    means = derived(probabilities=[[1 / 2], [1 / 8]], aggregation="mean-of-perplexities")
    assert means[-1][1:] == ("mean of perplexities, each e^(mean loss of a batch)", pytest.approx(5))


def test_windows_of_four_two_apart() -> None:
    assert sliding_windows("A B C D E F") == {
        "targets": 5,
        "passes": 2,
        "starts": [1, 3],
        "ends": [4, 6],
        "scored": [3, 2],
    }
    assert sliding_windows(["A", "B", "C"], bos=True)["ends"] == [4]


def test_every_small_window_scores_every_token_but_the_first_once() -> None:
    for size in range(15):
        tokens = [str(place) for place in range(size)]
        for window in range(2, 8):
            for stride in range(1, window + 1):
                found = sliding_windows(tokens, window=window, stride=stride)
                seen = [
                    token
                    for end, count in zip(found["ends"], found["scored"], strict=True)
                    for token in tokens[end - count : end]
                ]
                assert seen == tokens[1:]
                assert all(a <= b < a + window for a, b in zip(found["starts"], found["ends"], strict=True))
                skipped = sliding_windows(tokens, window=window, stride=stride, first_target="skipped")
                lost = found["passes"] - 1 if stride == window and size > 1 else 0
                assert skipped["targets"] == found["targets"] - lost


def test_a_stride_beyond_the_window_is_refused() -> None:
    with pytest.raises(ValueError, match="stride"):
        sliding_windows("a b", window=2, stride=3)
    with pytest.raises(ValueError, match="window"):
        sliding_windows("a b", window=1, stride=1)
    with pytest.raises(TypeError, match="text"):
        sliding_windows(3)  # type: ignore[arg-type]
