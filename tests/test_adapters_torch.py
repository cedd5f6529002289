"""The adapters that need PyTorch, in the one environment that they share: what each answers, worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import Any

import pytest

from conformance.target import connect
from conformance.transport import Connection, Question, TargetError

pytestmark = pytest.mark.environment
TARGETS = ("torchmetrics", "torcheval", "pytorch-ignite", "torch")


@pytest.fixture(scope="module")
def targets() -> Iterator[dict[str, Connection]]:
    """Each target in the environment that pip makes of the pins of all four."""
    found: dict[str, Connection] = {}
    try:
        for name in TARGETS:
            found[name] = connect(f"{name}@pinned", timeout=60)
    except TargetError as error:
        pytest.skip(f"the environment cannot be made ({error}); it needs pip, and an index or wheels that have PyTorch")
    yield found
    for each in found.values():
        each.close()


def ask(connection: Connection, metric: str, hypotheses: Any, references: Any, **parameters: Any) -> Any:
    (reply,) = connection.ask([Question(metric, {"hypotheses": hypotheses, "references": references}, parameters)])
    assert reply.kind in ("answer", "error"), reply
    return reply.body


def test_they_answer_under_their_own_names_and_versions(targets: dict[str, Connection]) -> None:
    assert [each.identity.name for each in targets.values()] == list(TARGETS)
    assert [each.identity.version for each in targets.values()] == ["1.9.0", "0.0.7", "0.5.5", "2.13.0"]


SHORT, LONG = "p q r", "p q r s t"


@pytest.mark.parametrize(
    ("name", "references", "value"),
    [
        ("torchmetrics", [LONG, SHORT], exp(1 - 5 / 4)),  # equally close lengths: the first listed counts
        ("torchmetrics", [SHORT, LONG], 1),
        ("torcheval", ["p", LONG], 1),  # the shortest counts, however far it is
        ("torcheval", [LONG], exp(1 - 5 / 4)),
    ],
)
def test_which_reference_length_bleu_takes(
    targets: dict[str, Connection], name: str, references: list[str], value: float
) -> None:
    answer = ask(targets[name], "bleu", ["p q r s"], [references])
    assert answer == {"": pytest.approx(value, abs=1e-6)}


def test_smoothing_does_not_reach_an_order_without_a_match(targets: dict[str, Connection]) -> None:
    """Precisions 3/4 and 1/3; with one added to both sides of the second order it is 2/4 where anything matches."""
    smooth: dict[str, Any] = {"smoothing": "chen-cherry-2", "max_order": 2}
    pair = ["a b x c"], [["a b c d"]]
    assert ask(targets["torchmetrics"], "bleu", *pair, **smooth) == {"": pytest.approx((3 / 8) ** 0.5, abs=1e-6)}
    assert ask(targets["torchmetrics"], "bleu", ["a x b y"], [["a b c d"]], **smooth) == {"": 0}
    tokens = [["a", "x", "b", "y"]], [[["a", "b", "c", "d"]]]
    answer = ask(targets["pytorch-ignite"], "bleu", *tokens, **smooth)
    assert answer == {"": pytest.approx((2 / 4 * 1 / 4) ** 0.5, abs=1e-6)}


@pytest.mark.parametrize(
    ("metric", "value"), [("wer", 2 / 5), ("mer", 2 / 5), ("wip", (3 / 5) ** 2), ("wil", 1 - (3 / 5) ** 2)]
)
def test_hits_are_the_longer_length_less_the_distance(
    targets: dict[str, Connection], metric: str, value: float
) -> None:
    """One word moved: four of five words are hits of an alignment, but 5 - 2 = 3 is what is counted."""
    for name in ("torchmetrics", "torcheval") if metric != "mer" else ("torchmetrics",):
        answer = ask(targets[name], metric, ["we go by train tonight"], [["tonight we go by train"]])
        assert answer == {next(iter(answer)): pytest.approx(value, abs=1e-6)}, name


def test_an_empty_hypothesis_has_no_edits_in_ter(targets: dict[str, Connection]) -> None:
    assert ask(targets["torchmetrics"], "ter", [""], [["one two six"]]) == {"": 0}
    assert ask(targets["torchmetrics"], "ter", ["one six"], [["one two six"]]) == {"": pytest.approx(1 / 3, abs=1e-6)}


def test_ignites_f_is_recall_until_alpha_is_set(targets: dict[str, Connection]) -> None:
    pair = [["a", "b"]], [[["a", "b", "c", "d"]]]
    own = ask(targets["pytorch-ignite"], "rouge-n", *pair, order=1)
    assert own == {"recall": 0.5, "precision": 1, "f_beta": 0.5, "f1": pytest.approx(2 / 3)}
    even = ask(targets["pytorch-ignite"], "rouge-n", *pair, order=1, beta=1)
    assert even["f_beta"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("name", ["torch", "torchmetrics", "torcheval"])
def test_uniform_logits_have_the_vocabulary_as_perplexity(targets: dict[str, Connection], name: str) -> None:
    fields = {"logits": [[[0.0] * 6] * 4], "labels": [[9, 1, 2, 3]]}
    (reply,) = targets[name].ask([Question("perplexity", fields, {"ignored_label": 9})])
    assert next(iter(reply.body.values())) == pytest.approx(6, rel=1e-9)


def test_cross_entropy_sums_in_double_precision(targets: dict[str, Connection]) -> None:
    """A logit that single precision would round away: e^(2^-30) more weight, so the loss falls by 2^-31 nats."""
    fields = {"logits": [[[2.0**-30, 0.0]]], "labels": [[0]]}
    (reply,) = targets["torch"].ask([Question("perplexity", fields, {"alignment": "same"})])
    assert reply.body["perplexity"] == pytest.approx(2 - 2.0**-30, rel=1e-15)
