"""The shipped adapters: what they declare, and that each hands its library what was asked."""

from __future__ import annotations

import importlib.util
import os
import random
import subprocess
import sys
from importlib.metadata import version
from math import exp, log
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conformance.adapter import Adapter
from conformance.environment import dependencies
from conformance.load import load_metric

ROOT = Path(__file__).resolve().parent.parent
METRICS = {
    metric.name: metric for metric in (load_metric(path, path.name) for path in sorted((ROOT / "specs").glob("*.yaml")))
}
LIBRARIES = (
    "sacrebleu",
    "nltk",
    "jiwer",
    "rapidfuzz",
    "textdistance",
    "rouge-score",
    "pyunormalize",
    "uniseg",
    "transformers",
    "pycocoevalcap",
    "scipy",
    "statsmodels",
)
MISSING = "pip install 'text-metric-conformance[adapters]'"


def module(name: str) -> ModuleType:
    if name in LIBRARIES:
        pytest.importorskip(name.replace("-", "_"), reason=MISSING)
    spec = importlib.util.spec_from_file_location(f"shipped_{name}", ROOT / "adapters" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def adapter(name: str) -> Adapter:
    found = module(name).adapter
    assert isinstance(found, Adapter)
    return found


def ask(plugged: Adapter, metric: str, hypotheses: Any, references: Any, **parameters: Any) -> Any:
    body = plugged.call(metric, {"hypotheses": hypotheses, "references": references}, parameters)
    if "answer" not in body:
        return body
    answer = body["answer"]
    return answer[""] if set(answer) == {""} else answer


def score(plugged: Adapter, hypothesis: str, *references: str, **parameters: Any) -> Any:
    """The main number of BLEU for one segment of text at white space, on the implementation's scale."""
    if plugged.capabilities["bleu"].input == "tokens":
        return ask(plugged, "bleu", [hypothesis.split()], [[each.split() for each in references]], **parameters)
    return ask(plugged, "bleu", [hypothesis], [list(references)], **parameters)["score"]


@pytest.mark.parametrize("name", [*LIBRARIES, "null"])
def test_declarations_speak_the_specs_words(name: str) -> None:
    for metric, capability in adapter(name).capabilities.items():
        spec = METRICS[metric]
        declared = {*capability.accepts, *capability.defaults, *capability.fixes}
        assert declared <= set(spec.parameters), metric
        assert set(capability.components or ()) <= set(spec.components), metric
        assert set(capability.scale) - {""} <= set(spec.components), metric
        assert not set(capability.accepts) & set(capability.fixes), metric
        assert set(capability.defaults) <= set(capability.accepts), metric
        for parameter, value in [*capability.defaults.items(), *capability.fixes.items()]:
            named = spec.parameters[parameter]
            if named.type == "choice":
                assert value in named.conventions, (metric, parameter)
        for parameter, values in capability.accepts.items():
            named = spec.parameters[parameter]
            if named.type == "choice" and values is not None:
                assert set(values) <= set(named.conventions), (metric, parameter)


STATED: dict[str, Any] = {
    "p_values": [0.01, 0.04],
    "x": [1, 2, 3],
    "y": [1, 3, 2],
    "system": [1, 2, 4],
    "baseline": [1, 1, 1],
    "hypotheses": ["a b c d", "a x"],
    "baseline_hypotheses": ["a b c e", "a y"],
    "references": [["a b c d"], ["a y"]],
}
"""A value for each field of the statistics' input."""


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_default_that_is_set_is_the_default_that_speaks(name: str) -> None:
    plugged = adapter(name)
    texts = ["the cat sat on a red mat", "the red cat sat on the mat"]
    for metric, capability in plugged.capabilities.items():
        if "text" in METRICS[metric].input:
            arguments: dict[str, Any] = {"text": texts[0].split() if capability.input == "tokens" else texts[0]}
        elif capability.input == "tokens":
            arguments = {"hypotheses": [texts[0].split()], "references": [[texts[1].split()]]}
        elif METRICS[metric].kind == "statistic":
            fields = {*METRICS[metric].required, *capability.given}
            if "hypotheses" in fields:  # numbers beside the texts are for other questions
                fields -= {"system", "baseline", "indices"}
            arguments = {field: STATED[field] for field in fields}
        else:
            arguments = {"hypotheses": [texts[0]], "references": [[texts[1]]]}
        if "synonyms" in capability.given:
            arguments["synonyms"] = []
        silent = plugged.call(metric, arguments, {})
        assert "answer" in silent, (metric, silent)
        for parameter, value in capability.defaults.items():
            assert capability.takes(parameter, value), (metric, parameter)
            assert plugged.call(metric, arguments, {parameter: value}) == silent, (metric, parameter)


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_version_is_the_installed_one(name: str) -> None:
    assert adapter(name).version == version(name)


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_file_carries_its_dependency(name: str) -> None:
    source = (ROOT / "adapters" / f"{name}.py").read_text("utf-8")
    assert source.startswith("# /// script\n# requires-python = ")
    pins = dependencies(source)
    assert pins
    assert all("==" in pin for pin in pins)
    assert any(pin.startswith(name) for pin in pins)


def test_null_depends_on_nothing() -> None:
    assert dependencies((ROOT / "adapters" / "null.py").read_text("utf-8")) == []


WORDS = {"tokenizer": "whitespace", "smoothing": "none"}


class TestSacrebleu:
    @pytest.mark.parametrize(
        ("hypothesis", "order", "value"),
        [
            ("refunds within thirty", 1, exp(1 - 4 / 3)),
            ("refunds within thirty", 2, exp(1 - 4 / 3)),
            ("refunds within thirty", 4, 0),
            ("refunds within sixty days", 1, 3 / 4),
            ("refunds within sixty days", 2, 1 / 2),
        ],
    )
    def test_one_token_apart(self, hypothesis: str, order: int, value: float) -> None:
        got = score(adapter("sacrebleu"), hypothesis, "refunds within thirty days", max_order=order, **WORDS)
        assert got == pytest.approx(100 * value, rel=1e-9)

    def test_its_own_smoothing_and_its_zero_for_a_missing_order(self) -> None:
        plugged = adapter("sacrebleu")
        # Precisions 3/4 and 1/3, then 1/2 of 2 trigrams and 1/4 of 1 four-gram.
        assert score(plugged, "refunds within sixty days", "refunds within thirty days") == pytest.approx(
            100 * (3 / 4 * 1 / 3 * 1 / 4 * 1 / 4) ** (1 / 4), rel=1e-9
        )
        assert score(plugged, "refunds within thirty", "refunds within thirty days") == 0

    @pytest.mark.parametrize(
        ("hypothesis", "references", "value"),
        [
            ("refunds within thirty", ["refunds within thirty days"], exp(1 - 4 / 3)),
            ("red blue blue", ["red red blue"], (2 / 3 * 1 / 2 * 1 / 2) ** (1 / 3)),
            ("a b c", ["a b x", "y b c"], (1 * 1 * 1 / 2) ** (1 / 3)),
            ("a x y", ["a"], (1 / 3 * 1 / 4 * 1 / 4) ** (1 / 3)),
        ],
    )
    def test_effective_order(self, hypothesis: str, references: list[str], value: float) -> None:
        got = score(adapter("sacrebleu"), hypothesis, *references, effective_order=True)
        assert got == pytest.approx(100 * value, rel=1e-9)

    def test_components(self) -> None:
        got = ask(adapter("sacrebleu"), "bleu", ["red blue blue"], [["red red blue", "blue"]], max_order=2, **WORDS)
        assert got["precisions"] == pytest.approx([100 * 2 / 3, 100 / 2])
        assert (got["matches"], got["totals"]) == ([2, 1], [3, 2])
        assert (got["brevity_penalty"], got["hypothesis_length"], got["reference_length"]) == (1, 3, 3)

    def test_smoothing_values(self) -> None:
        plugged = adapter("sacrebleu")
        pair = ("a b", "a c")
        words: dict[str, Any] = {"tokenizer": "whitespace", "max_order": 2}
        assert score(plugged, *pair, smoothing="floor", **words) == pytest.approx(100 * (1 / 2 * 0.1) ** 0.5)
        assert score(plugged, *pair, smoothing="floor", smoothing_value=0.5, **words) == pytest.approx(50)
        assert score(plugged, *pair, smoothing="add-k", **words) == pytest.approx(100 * (1 / 2 * 1 / 2) ** 0.5)
        assert score(plugged, *pair, smoothing="add-k", smoothing_value=3, **words) == pytest.approx(
            100 * (1 / 2 * 3 / 4) ** 0.5
        )

    @pytest.mark.parametrize(
        ("parameters", "value"),
        [
            # 2 of 4 characters and 1 of 3 pairs of abcd are in ab: P = 5/12, R = 1.
            ({}, 25 / 32),
            ({"char_order": 1}, 5 / 6),
            ({"char_order": 2, "beta": 1}, 10 / 17),
            ({"average": "f", "missing_orders": "epsilon"}, (5 / 6 + 5 / 7) / 6),
            ({"word_order": 1}, 5 / (4 * 3 / 2 + 3 / (5 / 6))),
            ({"lowercase": True, "whitespace": "kept"}, 25 / 32),
        ],
    )
    def test_chrf(self, parameters: dict[str, Any], value: float) -> None:
        got = ask(adapter("sacrebleu"), "chrf", ["abcd"], [["ab"]], **parameters)
        assert got == pytest.approx(100 * value, rel=1e-9)

    def test_chrf_takes_white_space_references_and_segments(self) -> None:
        plugged = adapter("sacrebleu")
        assert ask(plugged, "chrf", ["a b"], [["ab"]], char_order=2) == 100
        assert ask(plugged, "chrf", ["a b"], [["ab"]], char_order=2, whitespace="kept") == pytest.approx(500 / 11)
        assert ask(plugged, "chrf", ["ab"], [["xy", None, "ab"]]) == 100
        # 1 of 1 and 1 of 4 characters against the shorter of two tied references, 1 of 4 in the second segment.
        two = (["abcd", "zzzz"], [["a", "abx"], ["zyyy"]])
        assert ask(plugged, "chrf", *two, char_order=1) == pytest.approx(500 / 14)
        assert ask(plugged, "chrf", *two, char_order=1, aggregation="mean") == pytest.approx(100 * (5 / 8 + 1 / 4) / 2)

    @pytest.mark.parametrize("parameters", [{"average": "f"}, {"missing_orders": "epsilon"}])
    def test_chrf_has_one_switch_for_two_choices(self, parameters: dict[str, Any]) -> None:
        assert "unsupported" in ask(adapter("sacrebleu"), "chrf", ["a"], [["a"]], **parameters)

    def test_counts_that_smoothing_altered_are_shown(self) -> None:
        got = ask(adapter("sacrebleu"), "bleu", ["a b"], [["a c"]], smoothing="add-k", max_order=2)
        assert (got["matches"], got["totals"]) == ([1, 1], [2, 2])

    def test_references_are_listed_by_segment(self) -> None:
        plugged = adapter("sacrebleu")
        hypotheses = ["a b", "c d e"]
        references = [["a x", "a b"], ["c d e", None]]
        assert ask(plugged, "bleu", hypotheses, references, max_order=2)["score"] == pytest.approx(100)
        ragged = [["a x", "a b"], ["c d e"]]
        assert ask(plugged, "bleu", hypotheses, ragged, max_order=2)["score"] == pytest.approx(100)

    def test_nothing_to_score(self) -> None:
        plugged = adapter("sacrebleu")
        assert ask(plugged, "bleu", [], [])["error"]["class"] == "IndexError"
        assert ask(plugged, "bleu", ["x"], [[]])["error"]["class"] == "IndexError"
        assert ask(plugged, "bleu", ["a"], ["a"])["error"]["class"] == "TypeError"
        assert ask(plugged, "bleu", [""], [["x y"]])["score"] == 0
        assert ask(plugged, "bleu", ["x y"], [[""]])["score"] == 0

    def test_ter(self) -> None:
        plugged = adapter("sacrebleu")
        assert ask(plugged, "ter", ["a b c"], [["a b", "a b c d e"]]) == {
            "rate": pytest.approx(100 * 1 / 3.5), "edits": 1, "reference_length": 3.5,
        }  # fmt: skip
        corpus = (["a x", "c d e f"], [["a b", None], ["c d e f", "c d"]])
        assert ask(plugged, "ter", *corpus)["rate"] == pytest.approx(100 * 1 / 5)
        assert ask(plugged, "ter", ["x y z"], [[""]])["rate"] == 100
        # one word too far: "a d c b b", from where b and d are left
        assert ask(plugged, "ter", ["c b a d b"], [["a b c b d"]])["edits"] == 3

    @pytest.mark.parametrize(
        ("hypothesis", "reference", "parameters", "edits"),
        [
            ("A b", "a B", {}, 0),
            ("A b", "a B", {"lowercase": False}, 2),
            ("a, b", "a , b", {}, 2),
            ("a, b", "a , b", {"normalization": "tercom"}, 0),
            ("a, b", "a b", {"no_punctuation": True}, 0),
            ("\u300c\u732b\u300d", "\u732b", {"no_punctuation": True}, 1),
            ("\u300c\u732b\u300d", "\u732b", {"no_punctuation": True, "asian_support": True}, 0),
        ],
    )
    def test_ter_of_changed_text(self, hypothesis: str, reference: str, parameters: dict[str, Any], edits: int) -> None:
        assert ask(adapter("sacrebleu"), "ter", [hypothesis], [[reference]], **parameters)["edits"] == edits

    @pytest.mark.parametrize(
        ("tokenizer", "text", "tokens"),
        [
            ("whitespace", "Hello, world!", ["Hello,", "world!"]),
            ("13a", "Hello, 1,000.5 &amp; co.", ["Hello", ",", "1,000.5", "&", "co", "."]),
            ("intl", "\u201cHi\u201d", ["\u201c", "Hi", "\u201d"]),
            ("char", "a b", ["a", "b"]),
            ("zh", "\u4f60\u597dabc", ["\u4f60", "\u597d", "abc"]),
        ],
    )
    def test_tokenizers(self, tokenizer: str, text: str, tokens: list[str]) -> None:
        body = adapter("sacrebleu").call("tokenize", {"text": text}, {"tokenizer": tokenizer})
        assert body == {"answer": {"": tokens}}

    def test_lowercase(self) -> None:
        plugged = adapter("sacrebleu")
        assert score(plugged, "A b C d", "a B c D") == 0
        assert score(plugged, "A b C d", "a B c D", lowercase=True) == pytest.approx(100)
        assert plugged.call("tokenize", {"text": "A B."}, {"lowercase": True}) == {"answer": {"": ["a", "b", "."]}}

    def test_mecab(self) -> None:
        pytest.importorskip("MeCab", reason=MISSING)
        body = adapter("sacrebleu").call("tokenize", {"text": "\u732b\u304c\u597d\u304d"}, {"tokenizer": "ja-mecab"})
        assert body == {"answer": {"": ["\u732b", "\u304c", "\u597d\u304d"]}}

    def test_without_its_extra_mecab_is_asked_for_and_nothing_else_is_done(self) -> None:
        """In a process of its own, as sacreBLEU imports its tokenizer once."""
        pytest.importorskip("sacrebleu", reason=MISSING)
        script = (
            "import sys; sys.modules.update(MeCab=None, ipadic=None)\n"
            "from conformance.target import load_shipped\n"
            "print(load_shipped('sacrebleu').call('tokenize', {'text': 'a'}, {'tokenizer': 'ja-mecab'})['error'])\n"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
        assert "RuntimeError" in done.stdout
        assert "sacrebleu[ja]" in done.stdout

    @pytest.mark.parametrize(
        ("options", "tokens"),
        [
            ([], ["Tom's", "cat,", "5.5", "\u732b\u3002"]),
            (["normalized"], ["Tom", "'s", "cat", ",", "5.5", "\u732b\u3002"]),
            (["no-punctuation"], ["Tom's", "cat", "55", "\u732b\u3002"]),
            (["normalized", "asian"], ["Tom", "'s", "cat", ",", "5.5", "\u732b", "\u3002"]),
        ],
    )
    def test_words_of_its_ter(self, options: list[str], tokens: list[str]) -> None:
        settings = {"tokenizer": "sacrebleu-ter", "tercom_options": options}
        body = adapter("sacrebleu").call("tokenize", {"text": "Tom's cat, 5.5 \u732b\u3002"}, settings)
        assert body == {"answer": {"": tokens}}
        lowered = adapter("sacrebleu").call(
            "tokenize", {"text": "A"}, {"tokenizer": "sacrebleu-ter", "lowercase": True}
        )
        assert lowered == {"answer": {"": ["a"]}}


class TestNltk:
    @pytest.mark.parametrize(
        ("hypothesis", "order", "value"),
        [
            ("refunds within thirty", 1, exp(1 - 4 / 3)),
            ("refunds within thirty", 2, exp(1 - 4 / 3)),
            ("refunds within sixty days", 1, 3 / 4),
            ("refunds within sixty days", 2, 1 / 2),
        ],
    )
    def test_one_token_apart(self, hypothesis: str, order: int, value: float) -> None:
        got = score(adapter("nltk"), hypothesis, "refunds within thirty days", max_order=order)
        assert got == pytest.approx(value, rel=1e-9)

    def test_unsmoothed_is_the_smallest_float(self) -> None:
        plugged = adapter("nltk")
        value = (1 / 2 * 2.0**-1022) ** 0.5
        for parameters in ({}, {"smoothing": "none"}, {"smoothing": "smallest-float"}):
            assert score(plugged, "a b", "a c", max_order=2, **parameters) == pytest.approx(value, rel=1e-9, abs=0)
        assert score(plugged, "a b", "c d") == 0

    @pytest.mark.parametrize(
        ("smoothing", "value"),
        [
            # Four tokens with matches 3, 1, 0, 0 of 4, 3, 2, 1.
            ("floor", (3 / 4 * 1 / 3 * 0.1 / 2 * 0.1) ** 0.25),
            ("chen-cherry-1", (3 / 4 * 1 / 3 * 0.1 / 2 * 0.1) ** 0.25),
            ("add-k", (3 / 4 * 2 / 4 * 1 / 3 * 1 / 2) ** 0.25),
            ("chen-cherry-2", (3 / 4 * 2 / 4 * 1 / 3 * 1 / 2) ** 0.25),
            ("exp", (3 / 4 * 1 / 3 * 1 / 4 * 1 / 4) ** 0.25),
            ("nltk-4", (3 / 4 * 1 / 3 * log(4) / 20 * log(4) / 20) ** 0.25),
        ],
    )
    def test_smoothing(self, smoothing: str, value: float) -> None:
        plugged = adapter("nltk")
        pair = ("refunds within sixty days", "refunds within thirty days")
        assert score(plugged, *pair, smoothing=smoothing) == pytest.approx(value, rel=1e-9)

    @pytest.mark.parametrize("number", range(4, 8))
    def test_a_papers_method_is_asked_of_the_method_named_after_it(self, number: int) -> None:
        plugged = adapter("nltk")
        pair = ("a b c d e x", "a b c d e f")
        assert score(plugged, *pair, smoothing=f"chen-cherry-{number}") == score(
            plugged, *pair, smoothing=f"nltk-{number}"
        )

    def test_smoothing_value(self) -> None:
        plugged = adapter("nltk")
        assert score(plugged, "a b", "a c", max_order=2, smoothing="floor", smoothing_value=0.5) == pytest.approx(0.5)
        assert score(plugged, "a b", "a c", max_order=2, smoothing="add-k", smoothing_value=1) == pytest.approx(0.5)
        assert "unsupported" in score(plugged, "a b", "a c", smoothing="add-k", smoothing_value=2)

    def test_weights(self) -> None:
        plugged = adapter("nltk")
        pair = ("refunds within sixty days", "refunds within thirty days")
        assert score(plugged, *pair, weights=[1, 0]) == pytest.approx(3 / 4)
        assert score(plugged, *pair, weights=[0, 1], max_order=2) == pytest.approx(1 / 3)
        assert "unsupported" in score(plugged, *pair, weights=[0, 1], max_order=3)

    @pytest.mark.parametrize(
        ("hypothesis", "references", "parameters", "value"),
        [
            ("a b", ["a b c"], {}, 3 / 6),
            ("a b c d x", ["a b c d e"], {"max_order": 5}, 10 / 15),
            ("a b c d x", ["a b c d e"], {"min_order": 2}, 6 / 9),
            ("a b", ["a b c", "a b"], {}, 1),
            ("", [""], {}, 0),
        ],
    )
    def test_google_gleu(self, hypothesis: str, references: list[str], parameters: Any, value: float) -> None:
        got = ask(adapter("nltk"), "google-gleu", [hypothesis.split()], [[r.split() for r in references]], **parameters)
        assert got == pytest.approx(value, rel=1e-9)

    def test_google_gleu_of_a_corpus_divides_once(self) -> None:
        texts = ([["a", "b", "c"], ["x"]], [[["a", "b", "c"]], [["y", "z", "w", "v"]]])
        assert ask(adapter("nltk"), "google-gleu", *texts) == pytest.approx(6 / 16)
        assert ask(adapter("nltk"), "google-gleu", [], []) == 0

    def test_nist(self) -> None:
        plugged = adapter("nltk")
        assert ask(plugged, "nist", [list("abcde")], [[list("abcde")]]) == pytest.approx(log(5) / log(2))
        assert ask(plugged, "nist", [list("aab")], [[list("aab")]], max_order=2) == pytest.approx(
            (2 * log(3 / 2) + log(3)) / (3 * log(2)) + 1
        )
        # The better of two references for each order, and its length of two.
        bits = (log(5 / 4) + log(5)) / (2 * log(2)) + 2
        assert ask(plugged, "nist", [list("ab")], [[list("ab"), list("aaa")]], max_order=2) == pytest.approx(bits)
        assert ask(plugged, "nist", [list("abc")], [[list("abc")]])["error"]["class"] == "ZeroDivisionError"

    def test_ribes_counts_pairs_inside_runs(self) -> None:
        plugged = adapter("nltk")
        for hypothesis, reference, value in [
            ("a b x y", "a b", (1 / 2) ** 0.25),
            ("c d a b", "a b c d", 2 / 6),
            ("b a c d", "a b c d", 1 / 6),
            ("a c", "a b c", 0),
            ("a", "a", 0),
            ("", "a b", 0),
            ("a b", "", 0),
        ]:
            got = ask(plugged, "ribes", [hypothesis.split()], [[reference.split()]])
            assert got == pytest.approx(value, rel=1e-9), hypothesis
        pair = ([["a", "b"]], [[["a", "b", "c", "d"]]])
        assert ask(plugged, "ribes", *pair) == pytest.approx(exp(-1 / 10))
        assert ask(plugged, "ribes", *pair, beta=1) == pytest.approx(exp(-1))
        assert ask(plugged, "ribes", [["a", "x", "b", "y"]], [[["a", "b"]]], alpha=1) == pytest.approx(1 / 2)

    def test_nothing_to_score(self) -> None:
        plugged = adapter("nltk")
        assert ask(plugged, "bleu", [], [])["error"]["class"] == "ZeroDivisionError"
        assert ask(plugged, "bleu", [["a"]], [[]])["error"]["class"] == "KeyError"
        assert ask(plugged, "bleu", [["a"], ["b"]], [[["a"]]])["error"]["class"] == "AssertionError"
        assert score(plugged, "", "a b") == 0
        assert score(plugged, "a b", "") == 0

    @pytest.mark.parametrize(
        ("parameters", "value"),
        [
            # F of 2 of 4 and 2 of 2 characters is 20/22 with beta 3, that of 1 of 3 and 1 of 1 pairs 10/12.
            ({}, (20 / 22 + 10 / 12) / 6),
            ({"char_order": 2}, (20 / 22 + 10 / 12) / 2),
            ({"char_order": 2, "min_char_order": 2}, 10 / 12),
            ({"char_order": 2, "beta": 2}, (5 / 6 + 5 / 7) / 2),
            ({"char_order": 2, "whitespace": "kept"}, (20 / 22 + 10 / 12) / 2),
        ],
    )
    def test_chrf(self, parameters: dict[str, Any], value: float) -> None:
        assert ask(adapter("nltk"), "chrf", ["abcd"], [["ab"]], **parameters) == pytest.approx(value, rel=1e-9)

    def test_chrf_is_the_mean_of_segments(self) -> None:
        plugged = adapter("nltk")
        assert ask(plugged, "chrf", ["abcdef", "x"], [["abcdef"], ["yz"]]) == pytest.approx(1 / 2)
        assert ask(plugged, "chrf", ["a b"], [["ab"]], char_order=1) == 1
        assert ask(plugged, "chrf", ["a b"], [["ab"]], char_order=1, whitespace="kept") == pytest.approx(20 / 21)

    def test_distances(self) -> None:
        plugged = adapter("nltk")
        pair = (["refunds within sixty days"], [["refunds within thirty days"]])
        assert ask(plugged, "levenshtein", *pair) == 3
        assert ask(plugged, "levenshtein", *pair, unit="token") == 1
        assert ask(plugged, "levenshtein", *pair, unit="token", substitution_cost=2) == 2
        assert ask(plugged, "levenshtein", ["ab"], [["ba"]]) == 2
        assert ask(plugged, "damerau-levenshtein", ["ab"], [["ba"]]) == 1
        assert ask(plugged, "damerau-levenshtein", ["ca"], [["abc"]]) == 2
        assert ask(plugged, "damerau-levenshtein", ["c a"], [["a b c"]], unit="token") == 2
        assert "unsupported" in ask(plugged, "levenshtein", ["a", "b"], [["a"], ["b"]])

    def test_sets(self) -> None:
        plugged = adapter("nltk")
        pair = ([["red", "blue", "blue"]], [[["red", "red", "blue", "green"]]])
        assert ask(plugged, "jaccard", *pair) == pytest.approx(2 / 3)
        got = ask(plugged, "token-overlap", *pair, beta=2)
        assert got == pytest.approx({"precision": 1, "recall": 2 / 3, "f1": 4 / 5, "f_beta": 5 / 7})
        assert ask(plugged, "jaccard", [[]], [[[]]])["error"]["class"] == "ZeroDivisionError"
        empty = ask(plugged, "token-overlap", [[]], [[["a"]]])
        assert empty == {"precision": None, "recall": 0, "f1": None, "f_beta": None}
        assert ask(plugged, "token-overlap", [["b"]], [[["a"]]])["f1"] == 0


class TestJiwer:
    def test_one_token_apart(self) -> None:
        plugged = adapter("jiwer")
        reference = [["refunds within thirty days"]]
        shorter = ask(plugged, "wer", ["refunds within thirty"], reference)
        assert shorter == {
            "rate": 1 / 4,
            "substitutions": 0,
            "deletions": 1,
            "insertions": 0,
            "errors": 1,
            "reference_length": 4,
        }
        changed = ask(plugged, "wer", ["refunds within sixty days"], reference)
        assert (changed["rate"], changed["substitutions"]) == (1 / 4, 1)
        assert ask(plugged, "cer", ["refunds within thirty"], reference)["rate"] == pytest.approx(5 / 26)
        assert ask(plugged, "cer", ["refunds within sixty days"], reference)["rate"] == pytest.approx(3 / 26)

    def test_insertions_pass_one(self) -> None:
        plugged = adapter("jiwer")
        pair = (["a x y"], [["a"]])
        got = ask(plugged, "wer", *pair)
        assert (got["rate"], got["insertions"], got["deletions"]) == (2, 2, 0)
        assert ask(plugged, "cer", *pair)["rate"] == 4
        assert ask(plugged, "mer", *pair) == pytest.approx(2 / 3)
        assert ask(plugged, "wip", *pair) == pytest.approx(1 / 3)
        assert ask(plugged, "wil", *pair) == pytest.approx(2 / 3)

    def test_pooled(self) -> None:
        got = ask(adapter("jiwer"), "wer", ["a", "b", "c d e f g x x x x x"], [["a"], ["b"], ["c d e f g h i j k l"]])
        assert got["rate"] == pytest.approx(5 / 12)

    def test_joined(self) -> None:
        """One word is deleted and one inserted line by line; joined, every word is in its place."""
        plugged = adapter("jiwer")
        broken = (["a", "b c d"], [["a b"], ["c d"]])
        assert ask(plugged, "wer", *broken)["rate"] == 1 / 2
        assert ask(plugged, "wer", *broken, aggregation="pooled")["rate"] == 1 / 2
        assert ask(plugged, "wer", *broken, aggregation="joined")["rate"] == 0
        assert ask(plugged, "wer", ["a", "b"], [["a"]], aggregation="joined")["insertions"] == 1

    def test_empty_references(self) -> None:
        plugged = adapter("jiwer")
        if plugged.capabilities["wer"].fixes["empty_reference"] == "undefined":
            assert ask(plugged, "wer", ["x y"], [[""]])["error"]["class"] == "ValueError"
            return
        got = ask(plugged, "wer", ["x y"], [[""]])["rate"]
        assert (got, type(got)) == (2, int)
        assert ask(plugged, "cer", ["x y"], [[""]])["rate"] == 3
        assert ask(plugged, "mer", [""], [[""]]) == 0
        assert ask(plugged, "wip", [""], [[""]]) == 1
        assert ask(plugged, "wip", [""], [["x"]]) == 0
        assert ask(plugged, "wer", [], [])["rate"] == 0

    def test_transforms_come_before_the_words(self) -> None:
        plugged = adapter("jiwer")
        pair = (["Hello,  WORLD!"], [["hello world"]])
        assert ask(plugged, "wer", *pair)["rate"] == 1
        assert ask(plugged, "wer", *pair, transforms=["lowercase", "remove-punctuation"])["rate"] == 0
        assert ask(plugged, "cer", *pair, transforms=["lowercase", "remove-punctuation"])["insertions"] == 1
        assert "unsupported" in ask(plugged, "wer", *pair, transforms=["sort"])

    def test_words_are_split_at_the_space_alone(self) -> None:
        plugged = adapter("jiwer")
        pair = (["a\tb"], [["a b"]])
        assert ask(plugged, "wer", *pair)["errors"] == 2
        assert ask(plugged, "wer", *pair, tokenizer="whitespace")["errors"] == 0
        assert plugged.call("tokenize", {"text": " a\tb  c "}, {}) == {"answer": {"": ["a\tb", "c"]}}
        assert plugged.call("tokenize", {"text": " a\tb  c "}, {"tokenizer": "whitespace"}) == {
            "answer": {"": ["a", "b", "c"]}
        }

    def test_characters(self) -> None:
        plugged = adapter("jiwer")
        pair = ([" ab c"], [["abc"]])
        assert ask(plugged, "cer", *pair)["insertions"] == 1
        assert ask(plugged, "cer", *pair, strip=False)["insertions"] == 2
        assert ask(plugged, "cer", *pair, spaces="removed")["rate"] == 0

    def test_one_reference_a_segment(self) -> None:
        plugged = adapter("jiwer")
        assert "unsupported" in ask(plugged, "wer", ["a"], [["a", "b"]])
        assert ask(plugged, "wer", ["a", "b"], [["a"]])["error"]["class"] == "ValueError"


class TestRapidfuzz:
    def test_levenshtein(self) -> None:
        plugged = adapter("rapidfuzz")
        pair = (["refunds within thirty"], [["refunds within thirty days"]])
        assert ask(plugged, "levenshtein", *pair) == pytest.approx({"distance": 5, "normalized": 5 / 26})
        assert ask(plugged, "levenshtein", *pair, unit="token") == pytest.approx({"distance": 1, "normalized": 1 / 4})
        assert ask(plugged, "levenshtein", ["ab"], [["cb"]], substitution_cost=2) == {"distance": 2}
        assert ask(plugged, "levenshtein", [""], [[""]]) == {"distance": 0, "normalized": 0}

    def test_variants(self) -> None:
        plugged = adapter("rapidfuzz")
        pair = (["ca"], [["abc"]])
        assert ask(plugged, "damerau-levenshtein", *pair) == 2
        assert ask(plugged, "damerau-levenshtein", *pair, variant="restricted") == 3
        assert ask(plugged, "damerau-levenshtein", ["c a"], [["a b c"]], unit="token", variant="restricted") == 3

    def test_longest_common_subsequence(self) -> None:
        plugged = adapter("rapidfuzz")
        assert ask(plugged, "lcs-length", ["axbxc"], [["abc"]]) == 3
        assert ask(plugged, "lcs-length", ["man bites dog"], [["dog bites man"]], unit="token") == 1
        assert ask(plugged, "lcs-length", [""], [["abc"]]) == 0

    def test_one_pair(self) -> None:
        assert "unsupported" in ask(adapter("rapidfuzz"), "lcs-length", ["a"], [["a", "b"]])


class TestRougeScore:
    PAIR = (["Police-killed, the GUNMEN."], [["police kill the gunman"]])

    def test_orders(self) -> None:
        plugged = adapter("rouge-score")
        pair = (["refunds within thirty"], [["refunds within thirty days"]])
        words = {"recall": 3 / 4, "precision": 1, "f1": 6 / 7, "f_beta": 6 / 7}
        assert ask(plugged, "rouge-n", *pair) == pytest.approx(words)
        pairs = {"recall": 2 / 3, "precision": 1, "f1": 4 / 5, "f_beta": 4 / 5}
        assert ask(plugged, "rouge-n", *pair, order=2) == pytest.approx(pairs)
        assert ask(plugged, "rouge-n", ["a b"], [["a b"]], order=9)["f1"] == 0

    @pytest.mark.parametrize(
        ("parameters", "recall"),
        [
            ({}, 2 / 4),
            ({"tokenizer": "rouge-score"}, 2 / 4),
            ({"tokenizer": "whitespace"}, 1 / 4),
            ({"stemming": "porter-nltk"}, 3 / 4),
            ({"tokenizer": "rouge-score", "stemming": "porter-nltk"}, 3 / 4),
        ],
    )
    def test_words(self, parameters: dict[str, str], recall: float) -> None:
        for metric in ("rouge-n", "rouge-l", "rouge-lsum"):
            assert ask(adapter("rouge-score"), metric, *self.PAIR, **parameters)["recall"] == pytest.approx(recall)

    def test_tokens(self) -> None:
        tokens = ["police", "killed", "the", "gunmen"]
        assert adapter("rouge-score").call("tokenize", {"text": self.PAIR[0][0]}, {}) == {"answer": {"": tokens}}

    def test_its_stemmer_belongs_to_its_tokenizer(self) -> None:
        answer = ask(adapter("rouge-score"), "rouge-n", *self.PAIR, tokenizer="whitespace", stemming="porter-nltk")
        assert "unsupported" in answer

    def test_the_best_reference_by_f1(self) -> None:
        plugged = adapter("rouge-score")
        tied = (["a b"], [["a b c d", "a"]])
        assert ask(plugged, "rouge-n", *tied)["recall"] == 1 / 2
        assert ask(plugged, "rouge-l", *tied)["precision"] == 1
        assert ask(plugged, "rouge-n", ["a"], [[]])["error"]["class"] == "ValueError"

    def test_common_subsequences_of_texts_and_of_lines(self) -> None:
        plugged = adapter("rouge-score")
        swapped = (["c d\na b"], [["a b\nc d"]])
        assert ask(plugged, "rouge-l", *swapped)["f1"] == 1 / 2
        assert ask(plugged, "rouge-lsum", *swapped)["f1"] == 1
        assert ask(plugged, "rouge-lsum", *swapped, sentences="newline")["f1"] == 1

    def test_sentences_by_punkt_need_its_model(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where NLTK has no model the library ends with a LookupError, and the adapter declares what is lacking."""
        import nltk

        monkeypatch.setattr(nltk.data, "path", [])
        nltk.data.clear_cache()
        nltk.tokenize._get_punkt_tokenizer.cache_clear()
        plugged = adapter("rouge-score")
        assert plugged.capabilities["rouge-lsum"].lacks == {"punkt_tab": {"sentences": ["punkt"]}}
        answer = ask(plugged, "rouge-lsum", ["A b."], [["A b. C d."]], sentences="punkt")
        assert answer["error"]["class"] == "LookupError"

    @pytest.mark.parametrize("kind", ["rougeS", "rougeSU4", "ROUGE-1", "rouge10", "rouge0"])
    def test_other_measures_are_no_type_to_it(self, kind: str) -> None:
        pytest.importorskip("rouge_score", reason=MISSING)
        from rouge_score.rouge_scorer import RougeScorer

        with pytest.raises(ValueError, match=r"[Ii]nvalid rouge type|requires positive n"):
            RougeScorer([kind]).score("a", "a")


class TestTransforms:
    @pytest.mark.parametrize(
        ("form", "converted"),
        [
            ("NFC", "\u00e9\ufb01\u0915\u093c"),
            ("NFD", "e\u0301\ufb01\u0915\u093c"),
            ("NFKC", "\u00e9fi\u0915\u093c"),
            ("NFKD", "e\u0301fi\u0915\u093c"),
        ],
    )
    def test_forms_of_pyunormalize(self, form: str, converted: str) -> None:
        body = adapter("pyunormalize").call("unicode-form", {"text": "e\u0301\ufb01\u0958"}, {"form": form})
        assert body == {"answer": {"": converted}}

    def test_clusters_of_uniseg(self) -> None:
        body = adapter("uniseg").call("tokenize", {"text": "e\u0301 \r\n\U0001f1ef\U0001f1f5"}, {})
        assert body == {"answer": {"": ["e\u0301", "\U0001f1ef\U0001f1f5"]}}

    def test_stems_of_rouge_score(self) -> None:
        body = adapter("rouge-score").call("tokenize", {"text": "Dogs, has running"}, {"stemming": "porter-nltk"})
        assert body == {"answer": {"": ["dog", "has", "run"]}}

    def test_what_the_caption_code_drops(self) -> None:
        body = adapter("pycocoevalcap").call("tokenize", {"text": "-lrb- a , b -LRB- ?! ."}, {})
        assert body == {"answer": {"": ["-lrb-", "a", "b", "?!"]}}


class TestNull:
    def test_zero_and_one_answer_every_metric_under_every_parameter(self) -> None:
        for plugged, number in ((module("null").zero, 0), (module("null").one, 1)):
            assert set(plugged.capabilities) == set(METRICS)
            for name, capability in plugged.capabilities.items():
                assert set(capability.accepts) == set(METRICS[name].parameters), name
                assert not capability.defaults
                assert not capability.fixes
                answer = plugged.call(name, {}, {})["answer"]
                if METRICS[name].components[METRICS[name].main].type in ("number", "integer"):
                    assert answer == {"": number}
                else:
                    assert set(answer) == set(METRICS[name].components)
                    assert all(not value or value == number for value in answer.values()), name

    def test_zero_is_the_one_without_a_name(self) -> None:
        null = module("null")
        assert null.adapter is null.zero


# --- TextDistance ---


def test_textdistance_compares_bags_and_sets() -> None:
    """big red red dog against red dog: two of four match as bags, two of three as sets."""
    plugged = adapter("textdistance")
    texts = ["big red red dog"], [["red dog"]]
    words = {"elements": "tokens"}
    assert ask(plugged, "jaccard", *texts, **words) == pytest.approx(2 / 4)
    assert ask(plugged, "jaccard", *texts, **words, counting="set") == pytest.approx(2 / 3)
    assert ask(plugged, "dice", *texts, **words) == pytest.approx(2 * 2 / (4 + 2))
    assert ask(plugged, "jaccard", [""], [[""]]) == 1


def test_textdistance_edits_and_kept_letters() -> None:
    plugged = adapter("textdistance")
    assert ask(plugged, "levenshtein", ["kitten"], [["sitting"]]) == 3
    assert ask(plugged, "levenshtein", ["a x"], [["a b c"]], unit="token") == 2
    assert ask(plugged, "damerau-levenshtein", ["ca"], [["abc"]]) == 3
    assert ask(plugged, "damerau-levenshtein", ["ca"], [["abc"]], variant="unrestricted") == 2
    assert ask(plugged, "lcs-length", ["abcd"], [["acbd"]]) == 3


def test_nltk_counts_ngrams_and_exact_matches() -> None:
    plugged = adapter("nltk")
    body = plugged.call("ngrams", {"text": ["a", "b", "a", "b"]}, {"order": 2})
    assert body == {"answer": {"ngrams": ["a b", "b a"], "counts": [2, 1]}}
    assert ask(plugged, "exact-match", ["a", "b"], [["a"], ["c"]]) == 1 / 2


def test_nltk_stems_by_all_three_variants() -> None:
    """news and -logy part the variants; NLTK's own is the default."""
    plugged = adapter("nltk")

    def stems(text: str, **parameters: Any) -> Any:
        return plugged.call("porter-stem", {"text": text}, parameters)["answer"]

    assert stems("Archaeology news") == {"": "archaeolog news"}
    assert stems("Archaeology news", variant="martin") == {"": "archaeolog new"}
    assert stems("Archaeology news", variant="original") == {"": "archaeologi new"}


def test_the_authors_gleu_is_asked_line_by_line() -> None:
    """It prints six decimals; what no file of lines is, it cannot be asked."""
    if "GEC_RANKING" not in os.environ:
        pytest.skip("GEC_RANKING names no checkout of github.com/cnap/gec-ranking")
    plugged = adapter("gec-ranking")

    def gleu(*fields: Any, **parameters: Any) -> Any:
        names = ("hypotheses", "references", "sources")
        return plugged.call("gec-gleu", dict(zip(names, fields, strict=True)), parameters)

    kept = ["a b c d e f x"], [["a b c d e f g"]], ["a b c d e f x"]
    assert gleu(*kept)["answer"][""] == pytest.approx((1 / 7) ** (1 / 4), abs=5e-7)
    assert gleu(*kept, max_order=2)["answer"][""] == pytest.approx((5 / 7 * 4 / 6) ** (1 / 4), abs=5e-7)
    drawn = ["a b c d e f"], [["a b c d e x", "a b c d e f"]], ["z"]
    assert gleu(*drawn, iterations=1)["answer"][""] == 1
    assert "segment a line" in gleu(["a\nb"], [["a"]], ["a"])["unsupported"]
    assert "equally many" in gleu(["a", "b"], [["a"], ["b", "c"]], ["a", "b"])["unsupported"]


# --- NLTK's METEOR ---


def meteor_of(hypothesis: str, *references: str, fields: dict[str, Any] | None = None, **parameters: Any) -> Any:
    """NLTK's METEOR of one segment at white space; its WordNet is asked only where no synonyms are given."""
    arguments = {"hypotheses": [hypothesis.split()], "references": [[each.split() for each in references]]}
    body = adapter("nltk").call("meteor", {**arguments, **(fields or {})}, parameters)
    return body["answer"][""] if "answer" in body else body


def test_nltk_meteor_by_its_modules() -> None:
    """Two of three words are equal, all three have equal stems."""
    pair = ("he is running", "he is run")
    assert meteor_of(*pair, modules=["exact"]) == pytest.approx(2 / 3 * 15 / 16)
    assert meteor_of(*pair, modules=["exact", "stem"]) == pytest.approx(53 / 54)
    assert meteor_of("the cat", "a b", "the cat", modules=["exact"], gamma=1, beta=2) == 3 / 4
    assert meteor_of("a x", "a", modules=["exact"], alpha=1) == 1 / 2
    assert "unsupported" in meteor_of(*pair, modules=["stem"])


def test_nltk_meteor_keeps_case_where_it_is_told_to() -> None:
    """Its stemmer folds case all the same; its exact stage does not."""
    assert meteor_of("A B", "a b", modules=["exact"]) == 15 / 16
    assert meteor_of("A B", "a b", modules=["exact"], lowercase=False) == 0
    assert meteor_of("A B", "a b", modules=["exact", "stem"], lowercase=False) == 15 / 16


def test_nltk_meteor_with_the_synonyms_and_stems_of_the_input() -> None:
    """The synonym stage is fed with stems, and finds automobile only where the stems stage is left out."""
    synonyms = {"synonyms": [["car", "auto", "automobile"]]}
    assert meteor_of("the auto stopped", "the car stopped", fields=synonyms) == pytest.approx(53 / 54)
    pair = ("the automobile stopped", "the car stopped")
    assert meteor_of(*pair, fields=synonyms) == pytest.approx(1 / 3)
    assert meteor_of(*pair, fields=synonyms, modules=["exact", "synonym"]) == pytest.approx(53 / 54)
    assert meteor_of(*pair, fields=synonyms, modules=["exact", "stem"]) == pytest.approx(1 / 3)
    table = {"synonyms": {"mice": ["mouse"]}}
    assert meteor_of("mice", "mouse", fields=table, modules=["exact", "synonym"]) == 1 / 2
    assert meteor_of("mouse", "mice", fields=table, modules=["exact", "synonym"]) == 0
    assert meteor_of("two mice", "two mouse", fields={"stems": {"mice": "mouse"}}) == 15 / 16


def test_nltk_meteor_without_wordnet_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy needs no synonyms and is scored; a word that is left over cannot be."""
    import nltk.translate.meteor_score as module_of_nltk
    from nltk.corpus.reader import WordNetCorpusReader
    from nltk.corpus.util import LazyCorpusLoader

    missing = LazyCorpusLoader("no-such-wordnet", WordNetCorpusReader, None)
    monkeypatch.setattr(module_of_nltk.meteor_score, "__defaults__", defaults_with(missing, module_of_nltk))
    assert meteor_of("the cat", "the cat") == 15 / 16
    assert "nltk.downloader wordnet" in meteor_of("the cat", "the dog")["unsupported"]
    assert meteor_of("the cat", "the dog", modules=["exact"]) == 1 / 4


def test_nltk_takes_the_wordnet_of_debian() -> None:
    """The lexicographer files are numbered from adj.all, 0, to adj.ppl, 44, as WordNet's lexnames(5WN) has them."""
    if not Path("/usr/share/wordnet/index.sense").exists():
        pytest.skip("there is no WordNet of Debian: apt-get install wordnet-base wordnet-sense-index")
    assert meteor_of("car dog", "auto dog") == pytest.approx(15 / 16, rel=1e-12)
    import nltk.data

    lines = nltk.data.find("corpora/wordnet/lexnames").open().read().decode("ascii").splitlines()
    assert len(lines) == 45
    assert [lines[place] for place in (0, 3, 28, 44)] == [
        "00\tadj.all\t3",
        "03\tnoun.Tops\t1",
        "28\tnoun.time\t1",
        "44\tadj.ppl\t3",
    ]


def defaults_with(wordnet: Any, module_of_nltk: ModuleType) -> tuple[Any, ...]:
    """The defaults of NLTK's function with another WordNet."""
    own = module_of_nltk.wordnet
    return tuple(wordnet if each is own else each for each in module_of_nltk.meteor_score.__defaults__)


def test_nltk_meteor_is_the_reference_with_its_quirks() -> None:
    """On random texts of inflected words and synonyms the reference under NLTK's choices gives what NLTK gives."""
    from conformance.reference.meteor import meteor

    draw = random.Random(5)
    fields: dict[str, Any] = {"synonyms": [["car", "auto"], ["run", "sprint", "car"]]}
    words = ["car", "auto", "run", "runs", "running", "sprint", "Cars", "a", "The", "the"]
    profile = METRICS["meteor"].profiles["nltk"]
    for _ in range(300):
        own, *several = (" ".join(draw.choices(words, k=draw.randint(0, 8))) for _ in range(3))
        expected = meteor([own], [several], **profile, **fields)["score"]
        assert meteor_of(own, *several, fields=fields) == pytest.approx(expected), (own, several)


# --- pycocoevalcap ---


def test_the_caption_code_takes_counts_and_clips_them() -> None:
    """Of "a b b b" against "a b" 2 of sqrt(10 * 2) and 1 of sqrt(5) are left, two words too long; any other image will do."""
    plugged = adapter("pycocoevalcap")
    fields = {"hypotheses": ["a b b b"], "references": [["a b", None]], "other_images": [["x y z"]]}
    answer = plugged.call("cider-d", fields, {})["answer"]
    cosines = 2 / 20**0.5 + 1 / 5**0.5
    assert answer["score"] == pytest.approx(10 / 4 * exp(-4 / 72) * cosines)
    assert answer["image_scores"] == [answer["score"]]
    narrow = plugged.call("cider-d", fields, {"sigma": 3})["answer"]
    assert narrow["score"] == pytest.approx(10 / 4 * exp(-4 / 18) * cosines)


def test_the_caption_code_takes_its_documents_from_the_corpus() -> None:
    plugged = adapter("pycocoevalcap")
    assert ask(plugged, "cider-d", ["a b c d"], [["a b c d"]]) == {"score": 0, "image_scores": [0]}
    answer = ask(plugged, "cider-d", ["a b c d", "e"], [["a b c d", "f"], ["e"]])
    assert answer["image_scores"] == pytest.approx([10 / 2, 10 / 4])
    assert answer["score"] == pytest.approx((5 + 2.5) / 2)


def test_what_the_caption_code_asserts() -> None:
    plugged = adapter("pycocoevalcap")
    for metric in ("cider-d", "bleu"):
        for hypotheses, references in ((["a"], [[]]), ([None], [["a"]]), (["a"], ["a"]), (["a", "b"], [["a"]])):
            assert ask(plugged, metric, hypotheses, references)["error"]["class"] == "AssertionError"
    assert ask(plugged, "cider-d", ["a"], [[""]])["error"]["class"] == "ValueError"
    assert ask(plugged, "cider-d", ["a b c"], [["a b c"]], max_order=2)["error"]["class"] == "IndexError"


def test_bleu_of_the_caption_code_has_its_guards() -> None:
    plugged = adapter("pycocoevalcap")
    assert ask(plugged, "bleu", ["a b"], [["a c"]], max_order=1) == pytest.approx(1 / 2, rel=1e-8)
    guarded = (1 / 2 * 1e-15 / 1) ** 0.5
    assert ask(plugged, "bleu", ["a b"], [["a c"]], max_order=2) == pytest.approx(guarded, rel=1e-8)


def test_the_scorer_of_the_caption_code_takes_other_reference_lengths() -> None:
    """Between 3 and 7 words lies 5; each picture has a list of its own, so equal captions do not meet."""
    plugged = adapter("pycocoevalcap")
    hypotheses, references = ["a b c", "a b c"], [["a b c", "a b c d e f g"], ["a b c"]]
    wanted = {"closest": 1, "shortest": 1, "average": exp(1 - (5 + 3) / 6)}
    for name, score in wanted.items():
        answer = ask(plugged, "bleu", hypotheses, references, max_order=1, reference_length=name)
        assert answer == pytest.approx(score, rel=1e-8)


def test_a_scorer_of_the_caption_code_cannot_be_asked_twice() -> None:
    """It counts its documents again, and two images with twice two documents weigh nothing."""
    pytest.importorskip("pycocoevalcap", reason=MISSING)
    from pycocoevalcap.cider.cider_scorer import CiderScorer

    scorer = CiderScorer()
    scorer += ("a b c d", ["a b c d"])
    scorer += ("e f", ["e f"])
    assert scorer.compute_score()[0] == pytest.approx((10 + 5) / 2)
    assert scorer.compute_score()[0] == 0
    with pytest.raises(AssertionError):
        scorer.compute_score()


@pytest.mark.environment
def test_the_caption_code_is_heard_in_an_environment_of_its_own() -> None:
    """It is no extra of the suite, because it brings 100 MB; its values are asked again all the same."""
    from conformance.profiles import Oracle
    from conformance.suite import load
    from conformance.target import connect, load_shipped
    from conformance.transport import TargetError
    from conformance.witness import hear

    suite = load()
    try:
        connection = connect("pycocoevalcap@1.2")
    except TargetError as error:
        pytest.skip(str(error))
    with connection:
        found = list(hear(suite, connection, Oracle(load_shipped("reference"), suite.metrics), "pycocoevalcap"))
    assert len(found) >= 90
    assert [each for each in found if each.problem] == []


# --- SciPy and statsmodels ---


def stated(plugged: Adapter, statistic: str, parameters: dict[str, Any] | None = None, **fields: Any) -> Any:
    return plugged.call(statistic, fields, parameters or {})["answer"]


def test_scipy_draws_the_same_units_for_both_systems() -> None:
    """The difference is 1 on each unit, so it is 1 in every resample, of means and of ratios alike."""
    plugged = adapter("scipy")
    found = stated(plugged, "paired-bootstrap", {"samples": 30}, system=[2, 3, 4], baseline=[1, 2, 3])
    assert (found["delta"], found["low"], found["high"]) == (1, pytest.approx(1), pytest.approx(1))
    assert len(found["deltas"]) == 30
    pairs = {"system": [[2, 1], [2, 1]], "baseline": [[1, 1], [1, 1]]}
    ratios = stated(plugged, "paired-bootstrap", {"samples": 30, "aggregation": "ratio-of-sums"}, **pairs)
    assert set(ratios["deltas"]) == {1}
    alone = stated(plugged, "bootstrap", {"samples": 30, "seed": 7}, system=[1, 2, 4])
    assert alone == stated(plugged, "bootstrap", {"samples": 30, "seed": 7}, system=[1, 2, 4])
    assert alone["score"] == pytest.approx(7 / 3)


def test_scipy_makes_all_exchanges() -> None:
    """Of 8 exchanges of (3, 1, 2) with ones 4 reach the mean difference of 1, and 2 of them from above."""
    plugged = adapter("scipy")
    fields = {"system": [3, 1, 2], "baseline": [1, 1, 1]}
    assert stated(plugged, "approximate-randomization", **fields) == {"p": 4 / 8, "delta": 1, "resamples": 8}
    assert stated(plugged, "approximate-randomization", {"alternative": "greater"}, **fields)["p"] == 2 / 8
    short = plugged.call("approximate-randomization", {"system": [1, 2], "baseline": [1]}, {})
    assert short["error"]["kind"] == "input"


def test_scipy_correlates_and_corrects() -> None:
    plugged = adapter("scipy")
    x, y = [1, 2, 2, 3], [1, 2, 3, 3]
    values = {"kendall-tau-b": 4 / 5, "kendall-tau-c": 3 / 4, "spearman": 5 / 6, "pearson": 2 / 5.5**0.5}
    for name, value in values.items():
        assert stated(plugged, "correlation", {"coefficient": name}, x=x, y=y)[""] == pytest.approx(value)
    assert stated(plugged, "correlation", x=[1, 1], y=[1, 2])[""] == "nan"
    assert "unsupported" in plugged.call("correlation", {"x": {"A": [1]}, "y": {"A": [1]}}, {})
    assert stated(plugged, "benjamini-hochberg", p_values=[0.01, 0.04])["adjusted"] == pytest.approx([0.02, 0.04])


def test_statsmodels_corrects_by_both_rules() -> None:
    plugged = adapter("statsmodels")
    found = stated(plugged, "holm", p_values=[0.01, 0.04, 0.03, 0.005])
    assert found["adjusted"] == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert (found["rejected"], found["rejections"]) == ([True, False, False, True], 2)
    assert stated(plugged, "holm", {"alpha": 0.02}, p_values=[0.01, 0.04])["rejections"] == 1
    found = stated(plugged, "benjamini-hochberg", p_values=[0.01, 0.04, 0.03, 0.005])
    assert found["adjusted"] == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_sacrebleus_tests_drop_ties_and_add_one() -> None:
    """A system against itself: no resample exceeds 0, so that p is 1 over one more than the trials."""
    plugged = adapter("sacrebleu")
    fields = {"hypotheses": ["a b c d"], "baseline_hypotheses": ["a b c d"], "references": [["a b c d e"]]}
    for statistic in ("paired-bootstrap", "approximate-randomization"):
        found = stated(plugged, statistic, {"samples": 19}, **fields)
        assert found["p"] == pytest.approx(1 / 20)
        assert found["system"] == found["baseline"] == pytest.approx(100 * exp(1 - 5 / 4))


def test_sacrebleus_bootstrap_leaves_the_seed_as_it_was() -> None:
    plugged = adapter("sacrebleu")
    fields = {"hypotheses": ["a b c d", "a x"], "references": [["a b c d"], ["a y"]]}
    before = os.environ.get("SACREBLEU_SEED")
    wer_like = {"metric": "ter-sacrebleu", "samples": 50}
    one, other = (stated(plugged, "bootstrap", {**wer_like, "seed": seed}, **fields) for seed in (1, 2))
    assert one["score"] == other["score"] == pytest.approx(100 / 6)
    assert one["mean"] != other["mean"]
    assert os.environ.get("SACREBLEU_SEED") == before


def test_sacrebleus_intervals() -> None:
    """Of given scores, which are in percent as its others are; of each side of a pair; and of one resample, which it does not make."""
    plugged = adapter("sacrebleu")
    rows = [[place] for place in range(40)]  # 1 to 40, of which one is left out at each end
    found = stated(plugged, "bootstrap", {"metric": "none"}, system=[*range(1, 41)], indices=rows)
    assert found == pytest.approx({"mean": 2050, "low": 200, "high": 3900})
    drawn = plugged.call("bootstrap", {"system": [1, 2], "indices": [[0, 1]]}, {"metric": "none"})
    assert "unsupported" in str(drawn)
    fields = {"hypotheses": ["a b c d"], "references": [["a b c e"]]}
    pair = stated(plugged, "paired-bootstrap", {"metric": "ter-sacrebleu"}, **fields, baseline_hypotheses=["x y c e"])
    assert (pair["system_low"], pair["system_mean"], pair["system_high"]) == pytest.approx((25, 25, 25))
    assert (pair["baseline_low"], pair["baseline_mean"], pair["baseline_high"]) == pytest.approx((50, 50, 50))
    one = stated(plugged, "bootstrap", {"metric": "ter-sacrebleu", "samples": 1}, **fields)
    assert one == {"score": pytest.approx(25), "mean": None, "low": None, "high": None}


def test_what_sacrebleu_says_of_its_comparisons() -> None:
    """Signatures, missing intervals, seeds and further systems: what no input of a statistic can ask."""
    significance = pytest.importorskip("sacrebleu.significance", reason=MISSING)
    metrics = pytest.importorskip("sacrebleu.metrics", reason=MISSING)
    references = [["a b c d e", "a b c d", "b c d e"]]
    one, other, third = (
        ["a b c d e", "a b d c", "x b c d"],
        ["a b c x e", "a b c d", "b c d e"],
        ["e", "a b c d", "b c"],
    )

    def compared(kind: str, *systems: list[str], **given: Any) -> tuple[Any, Any]:
        chosen = given or {"chrF2": metrics.CHRF()}
        named = [(f"system {place}", list(texts)) for place, texts in enumerate(systems)]
        found: tuple[Any, Any] = significance.PairedTest(named, chosen, references, kind, n_samples=200)()
        return found

    signatures, pair = compared("bs", one, other)
    assert str(signatures["chrF2"]).startswith("nrefs:1|bs:200|seed:12345|case:mixed")
    assert [vars(side).keys() for side in pair["chrF2"]] == 2 * [{"score": 0, "p_value": 0, "mean": 0, "ci": 0}.keys()]
    signatures, pair = compared("ar", one, other)
    assert str(signatures["chrF2"]).startswith("nrefs:1|ar:200|seed:12345|case:mixed")
    assert [(side.mean, side.ci) for side in pair["chrF2"]] == 2 * [(None, None)]
    further = {"BLEU": metrics.BLEU(), "chrF2": metrics.CHRF(), "TER": metrics.TER()}
    for _, found in (compared("ar", one, other, third), compared("ar", one, other, **further)):
        assert found["chrF2"][1].p_value == pair["chrF2"][1].p_value
    bleu = metrics.BLEU()
    bleu.corpus_score(one, references, n_bootstrap=7)
    assert str(bleu.get_signature()).startswith("nrefs:1|bs:7|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:")


def test_seeds_of_sacrebleu_that_are_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    significance = pytest.importorskip("sacrebleu.significance", reason=MISSING)
    metrics = pytest.importorskip("sacrebleu.metrics", reason=MISSING)
    given = [("one", ["a b"]), ("other", ["a b"])], {"TER": metrics.TER()}, [["a b c"]], "bs"
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    signatures, _ = significance.PairedTest(*given, n_samples=2)()
    assert "seed:none" in str(signatures["TER"])
    monkeypatch.setenv("SACREBLEU_SEED", "x")
    with pytest.raises(ValueError, match="invalid literal"):
        significance.PairedTest(*given)


def test_rouge_score_aggregates_one_number_without_width() -> None:
    plugged = adapter("rouge-score")
    assert stated(plugged, "bootstrap", system=[0.25]) == {"low": 0.25, "high": 0.25, "median": 0.25}
    refused = plugged.call("bootstrap", {"system": [0.25]}, {"level": 1.5})
    assert refused["error"]["class"] == "ValueError"
