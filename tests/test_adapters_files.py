"""Systems that run from a file that the user names: hand-derived values, where the file is here.

Each is skipped with the sentence that says how to get it; CONFORMANCE_NAME names its file, as NAME@PATH does.
"""

from __future__ import annotations

import math
from functools import cache
from math import exp, log2
from typing import Any

import pytest

from conformance.adapter import Adapter
from conformance.target import load_shipped
from conformance.transport import TargetError

pytestmark = pytest.mark.environment

ONE = [["a b c d"]]
CASES: list[tuple[str, str, list[str], list[list[str]], dict[str, Any], dict[str, Any]]] = [
    # b a c d: five of six pairs ascend; nothing else is lost
    ("ntt-ribes", "ribes", ["b a c d"], ONE, {}, {"": 5 / 6}),
    ("ntt-ribes", "ribes", ["A b c d"], ONE, {"lowercase": False}, {"": (3 / 4) ** 0.25}),
    ("ntt-ribes", "ribes", ["a b"], ONE, {"beta": 1}, {"": exp(1 - 4 / 2)}),
    # of eight orders three are there
    ("chrf-plus-plus", "chrf", ["ab"], [["ab"]], {}, {"": 100 * 3 / 8}),
    (
        "chrf-plus-plus",
        "chrf",
        ["ab", "xy"],
        [["ab"], ["xz"]],
        {"word_order": 0, "aggregation": "mean"},
        {"": 100 * (2 / 6 + 1 / 12) / 2},
    ),
    ("tercom", "ter", ["c d a b"], ONE, {}, {"rate": 1 / 4, "edits": 1, "shifts": 1, "reference_length": 4}),
    ("tercom", "ter", ["a b"], ONE, {}, {"rate": 2 / 4, "deletions": 2, "insertions": 0}),
    ("tercom", "ter", ["a", ""], [["b"], [""]], {"aggregation": "mean"}, {"rate": (1 + 0) / 2, "edits": 1}),
    ("squad-v1.1", "token-overlap", ["the"], [["a"]], {}, {"f1": 0}),
    ("squad-v2.0", "token-overlap", ["the"], [["a"]], {}, {"f1": 100}),
    ("squad-v2.0", "exact-match", ["the"], [["a", "cat"]], {}, {"": 0}),
    ("squad-browser", "exact-match", ["a cat!"], [["The cat"]], {}, {"": 1}),
    ("squad-browser", "token-overlap", ["b c"], [["b d e"]], {}, {"f1": 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3)}),
    (
        "mteval",
        "bleu",
        ["a b c d x"],
        [["a b c d y"]],
        {},
        {"score": (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4), "matches": [4, 3, 2, 1]},
    ),
    ("mteval", "bleu", ["a b"], [["a c"]], {"max_order": 1}, {"score": 1 / 2, "totals": [2]}),
    ("mteval", "nist", ["A b"], [["a b"]], {}, {"score": 1, "information": [2, 0, 0, 0, 0]}),
    ("mteval", "nist", ["a b c"], [["a b c"]], {"max_order": 1}, {"score": log2(3)}),
    ("sclite", "wer", ["a b s t u"], [["p q r a b"]], {}, {"rate": 120, "deletions": 3, "insertions": 3, "errors": 6}),
    (
        "sclite",
        "wer",
        ["x", "b"],
        [["a"], ["b"]],
        {"aggregation": "mean"},
        {"rate": 50, "errors": 1, "reference_length": 2},
    ),
    (
        "rouge-perl",
        "rouge-n",
        ["a b x"],
        [["a b c d e", "a x"]],
        {},
        {"recall": 4 / 7, "precision": 4 / 6, "f1": 8 / 13},
    ),
    ("rouge-perl", "rouge-n", ["a b c"], [["a b c d e"]], {"beta": 1 / 3}, {"f1": 3 / 4, "f_beta": 15 / 16}),
    (
        "rouge-perl",
        "rouge-lsum",
        ["w1 w2 w6\nw1 w3 w8 w9 w5"],
        [["w1 w2 w3 w4 w5"]],
        {},
        {"recall": 4 / 5, "precision": 4 / 8},
    ),
    ("rouge-perl", "rouge-w", ["a b"], [["a b"]], {}, {"recall": 2**-0.2, "precision": 1}),
    ("rouge-perl", "rouge-s", ["a c b"], [["a b c"]], {}, {"f1": 2 / 3}),
    ("rouge-perl", "rouge-su", ["a b"], [["a b c"]], {"max_gap": 0}, {"recall": (1 + 1) / (2 + 2)}),
]


@cache
def loaded(name: str) -> Adapter:
    try:
        return load_shipped(name)
    except TargetError as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize(("name", "metric", "hypotheses", "references", "parameters", "expected"), CASES)
def test_a_value_by_hand(
    name: str,
    metric: str,
    hypotheses: list[str],
    references: list[list[str]],
    parameters: dict[str, Any],
    expected: dict[str, Any],
) -> None:
    fields = {"hypotheses": hypotheses, "references": references}
    adapter = loaded(name)
    answer = adapter.call(metric, fields, parameters)["answer"]
    decimals = adapter.capabilities[metric].decimals
    for component, value in expected.items():
        assert answer[component] == pytest.approx(value, rel=1e-9, abs=0.5000001 * 10**-decimals if decimals else 1e-12)


@pytest.mark.parametrize(
    ("name", "text", "parameters", "tokens"),
    [
        ("mteval", "The &quot;U.S.&quot; 3.5-fold", {}, ["the", '"', "u", ".", "s", ".", '"', "3.5", "-", "fold"]),
        ("tercom", "! a B", {"tercom_options": ["no-punctuation"], "lowercase": False}, ["", "a", "B"]),
        ("rouge-perl", "Police-men's caf\u00e9", {}, ["police", "men", "s", "caf"]),
    ],
)
def test_words_as_the_program_shows_them(name: str, text: str, parameters: dict[str, Any], tokens: list[str]) -> None:
    assert loaded(name).call("tokenize", {"text": text}, parameters) == {"answer": {"": tokens}}


def test_a_program_that_stops_is_an_error() -> None:
    body = loaded("chrf-plus-plus").call("chrf", {"hypotheses": ["x"], "references": [["a"]]}, {})
    assert body["error"]["class"] == "UnboundLocalError"
    body = loaded("ntt-ribes").call("ribes", {"hypotheses": ["x"], "references": [[""]]}, {})
    assert body["error"] == {"kind": "internal", "class": "RuntimeError", "message": "Reference has no words"}


def test_a_total_without_reference_words_is_infinite() -> None:
    answer = loaded("tercom").call("ter", {"hypotheses": ["a b"], "references": [[""]]}, {})["answer"]
    assert answer["rate"] in ("inf", math.inf)
