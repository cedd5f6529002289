"""The adapters of Java programs: what each answers, worked out by hand, and what is said where there is no Java."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.target import connect
from conformance.transport import Connection, Question, TargetError

pytestmark = pytest.mark.environment
ROOT = Path(__file__).resolve().parent.parent


def target(name: str) -> Connection:
    if shutil.which("java") is None:
        pytest.skip("there is no java: apt-get install default-jre-headless")
    try:
        return connect(f"{name}@pinned", timeout=30)
    except TargetError as error:
        pytest.skip(f"{error}; it needs uv and an index that has pycocoevalcap")


@pytest.fixture(scope="module")
def meteor() -> Iterator[Connection]:
    with target("meteor") as connection:
        yield connection


@pytest.fixture(scope="module")
def tokenizer() -> Iterator[Connection]:
    with target("ptb-tokenizer") as connection:
        yield connection


def score(connection: Connection, hypotheses: list[str], references: list[list[str]], **fields: Any) -> Any:
    given = {name: fields.pop(name) for name in ("synonyms", "function_words") if name in fields}
    question = Question("meteor", {"hypotheses": hypotheses, "references": references, **given}, fields)
    (reply,) = connection.ask([question])
    return reply.body["score"] if reply.kind == "answer" else reply.body


PAPER = {"modules": ["exact"], "alpha": 0.9, "beta": 3, "gamma": 0.5, "delta": 0.5}


def test_it_is_meteor(meteor: Connection) -> None:
    assert (meteor.identity.name, meteor.identity.version, meteor.identity.language) == ("meteor", "1.5", "java")


def test_the_constants_are_told(meteor: Connection) -> None:
    """Two of three words in one chunk, of four: F = 10*2/(3 + 9*4) = 20/39, less (1/2)^3/2 of it."""
    assert score(meteor, ["w1 w2 q1"], [["w1 w2 w3 w4"]], **PAPER) == pytest.approx(20 / 39 * 15 / 16, rel=1e-12)


def test_a_word_of_its_list_weighs_a_third_of_another(meteor: Connection) -> None:
    """Only "the" is matched: 0.25 of 1 on both sides; and with a list of one's own it is a word like any other."""
    pair = ["the cat"], [["the dog"]]
    assert score(meteor, *pair, modules=["exact"]) == pytest.approx(0.25 * 0.4, rel=1e-12)
    assert score(meteor, *pair, modules=["exact"], function_words=["a"]) == pytest.approx(0.5 * 0.4, rel=1e-12)


def test_synonyms_that_the_input_states(meteor: Connection) -> None:
    pair = ["w1 foo"], [["w1 bar"]]
    options = {**PAPER, "modules": ["exact", "synonym"], "weights": [1, 1]}
    assert score(meteor, *pair, synonyms=[["foo", "bar"]], **options) == pytest.approx(1, rel=1e-12)
    assert score(meteor, *pair, synonyms=[["foo", "baz"]], **options) == pytest.approx(0.5 * 0.5, rel=1e-12)


def test_a_corpus_is_pooled_or_averaged(meteor: Connection) -> None:
    """Four of six and of seven words, in two chunks: 40/(6 + 63) less (2/4)^3/2; and 30/49 * 53/54 with 10/20 * 1/2."""
    corpus = ["w1 w2 w3 q1", "w4 q2"], [["w1 w2 w3 z1 z2"], ["w4 w5"]]
    assert score(meteor, *corpus, **PAPER) == pytest.approx(40 / 69 * 15 / 16, rel=1e-12)
    mean = (30 / 49 * 53 / 54 + 1 / 4) / 2
    assert score(meteor, *corpus, aggregation="mean", **PAPER) == pytest.approx(mean, rel=1e-12)


def test_texts_beyond_ascii_and_empty_ones(meteor: Connection) -> None:
    assert score(meteor, ["\u65e5\u672c \u8a9e"], [["\u65e5\u672c \u8a9e"]]) == 1
    assert score(meteor, ["\u65e5\u672c"], [["\u8a9e"]]) == 0
    assert score(meteor, [""], [["w1"]]) == 0


@pytest.mark.parametrize("text", ["a\nb", "a ||| b", "a\rb"])
def test_what_its_lines_cannot_carry_is_unsupported(meteor: Connection, text: str) -> None:
    assert score(meteor, [text], [["a b"]]) == "its requests are lines with ||| between texts"
    assert score(meteor, ["a b"], [["a b"]]) == 1


def test_it_is_asked_on_after_a_refusal(meteor: Connection) -> None:
    assert score(meteor, ["a"], [[]])["message"] == "Error: specify hypothesis and at least one reference"
    assert score(meteor, ["a b"], [["a b"]]) == 1


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("It's (very) red, isn't it?", ["it", "'s", "-lrb-", "very", "-rrb-", "red", "is", "n't", "it"]),
        ("", []),
        ("a\nb", ["a", "b"]),
        ("cut\rhere", ["cut"]),
    ],
)
def test_tokens_of_captions(tokenizer: Connection, text: str, tokens: list[str]) -> None:
    (reply,) = tokenizer.ask([Question("tokenize", {"text": text}, {})])
    assert reply.body == {"": tokens}


def test_with_its_paraphrases_it_is_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """They link one word to three; and a pair of inflected words that two modules propose is dropped."""
    monkeypatch.setenv("METEOR_PARAPHRASES", "1")
    with target("meteor") as connection:
        assert connection.identity.version == "1.5-paraphrase"
        assert score(connection, ["shudders"], [["shaking his head"]]) == pytest.approx(0.6, rel=1e-12)
        assert score(connection, ["running"], [["runs"]]) == 0
        assert score(connection, ["running"], [["runs"]], modules=["exact", "stem"]) == pytest.approx(0.6, rel=1e-12)


@pytest.mark.parametrize("name", ["meteor", "ptb-tokenizer"])
def test_without_java_one_line_says_how_to_get_it(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "conformance", "run", name]
    environment = {**os.environ, "PATH": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.startswith(f"conformance: {name}: ")
    assert "there is no java: apt-get install default-jre-headless" in done.stderr
    assert len(done.stderr.splitlines()) == 1
