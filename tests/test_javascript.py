"""JavaScript: the port that the documentation shows, and libraries of npm as targets."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance import javascript
from conformance.target import connect, load_shipped
from conformance.transport import Connection, Question, TargetError

ROOT = Path(__file__).resolve().parent.parent
PORT = "cmd:node docs/port.mjs"
node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node: install Node.js 18 or later")


def conformance(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "conformance", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )


# --- the port of the documentation ---


@node
def test_the_port_agrees_with_the_definition() -> None:
    done = conformance("run", PORT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "clauses      7 of 7 met" in done.stdout


@node
def test_the_port_agrees_with_jiwer() -> None:
    pytest.importorskip("jiwer", reason="pip install 'text-metric-conformance[adapters]'")
    done = conformance("run", PORT, "--against", "jiwer")
    assert done.returncode == 0, done.stdout + done.stderr


@node
@pytest.mark.parametrize(
    ("hypotheses", "references", "parameters", "rate"),
    [
        (["a b"], [["a b c"]], {}, 1 / 3),
        (["c a"], [["a b c"]], {}, 1),  # no order of two words needs fewer than three edits here
        (["a", ""], [["b"], ["c d e"]], {}, 1),
        (["a b"], [[""]], {}, 2),
        ([""], [[""]], {}, 0),
        (["a\tb"], [["a b"]], {}, 1),  # JiWER splits at the space alone: a word for two
        (["a\tb"], [["a b"]], {"tokenizer": "whitespace"}, 0),
    ],
)
def test_rates_of_the_port(
    hypotheses: list[str],
    references: list[list[str]],
    parameters: dict[str, str],
    rate: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    with connect(PORT) as connection:
        question = Question("wer", {"hypotheses": hypotheses, "references": references}, parameters)
        (reply,) = connection.ask([question])
    assert reply.body["rate"] == pytest.approx(rate, rel=1e-12)


def test_the_port_is_short_and_the_documentation_shows_it() -> None:
    lines = (ROOT / "docs" / "port.mjs").read_text("utf-8").splitlines()
    assert len(lines) < 60
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    assert f"in {len(lines)} lines of JavaScript, [port.mjs](port.mjs)" in text


# --- libraries ---

NAMES = sorted(javascript.adapters())


def test_every_library_is_pinned_and_locked_without_addresses() -> None:
    folder = ROOT / "adapters" / "javascript"
    pinned = json.loads((folder / "package.json").read_text("utf-8"))["dependencies"]
    assert {javascript.library(name) for name in NAMES} == set(pinned)
    lock = json.loads((folder / "package-lock.json").read_text("utf-8"))["packages"]
    assert lock[""]["dependencies"] == pinned
    for path, package in lock.items():
        assert path == "" or package["integrity"].startswith("sha512-"), path
        assert "resolved" not in package, path
    for name, version in pinned.items():
        assert lock[f"node_modules/{name}"]["version"] == version


def test_a_python_function_of_a_javascript_library_is_refused() -> None:
    with pytest.raises(TargetError, match="leven is a JavaScript library, and `conformance run leven` serves it"):
        load_shipped("leven")


@pytest.mark.parametrize("program", ["node", "npm"])
def test_without_nodejs_one_line_says_how_to_get_it(
    program: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda name: None if name == program else f"/bin/{name}")
    with pytest.raises(TargetError) as raised:
        connect("leven")
    assert f"it is a JavaScript library, and there is no {program}: install Node.js 18 or later" in str(raised.value)


def test_an_option_is_no_version() -> None:
    with pytest.raises(TargetError, match="'--save' is no version"):
        javascript.packages("leven", "--save")


@pytest.fixture(scope="module")
def targets() -> Iterator[dict[str, Connection]]:
    found: dict[str, Connection] = {}
    try:
        for name in NAMES:
            found[name] = connect(name)
    except TargetError as error:
        pytest.skip(f"{error}; the packages need Node.js, and npm a registry that has them")
    yield found
    for each in found.values():
        each.close()


def ask(connection: Connection, metric: str, hypothesis: Any, *references: Any, **parameters: Any) -> Any:
    fields = {"hypotheses": [hypothesis], "references": [list(references)]}
    (reply,) = connection.ask([Question(metric, fields, parameters)])
    return reply.body


@pytest.mark.environment
def test_each_answers_under_its_name_and_version(targets: dict[str, Connection]) -> None:
    pinned = json.loads((ROOT / "adapters" / "javascript" / "package.json").read_text("utf-8"))["dependencies"]
    for name, connection in targets.items():
        identity = connection.identity
        assert (identity.name, identity.version) == (name, pinned[javascript.library(name)])
        assert identity.language == "javascript"
        assert identity.homepage.startswith("https://")


@pytest.mark.environment
@pytest.mark.parametrize(
    "name", ["fastest-levenshtein", "leven", "fast-levenshtein", "js-levenshtein", "talisman", "natural"]
)
@pytest.mark.parametrize(
    ("hypothesis", "reference", "distance"),
    [
        ("kitten", "sitting", 3),
        ("", "abc", 3),
        ("\U0001f433", "z", 2),
        ("\U0001f433", "\U0001f434", 1),
        ("\ud83d", "z", 1),
    ],
)
def test_edit_distances_count_utf16_units(
    targets: dict[str, Connection], name: str, hypothesis: str, reference: str, distance: int
) -> None:
    assert ask(targets[name], "levenshtein", hypothesis, reference) == {"distance": distance}


@pytest.mark.environment
def test_a_substring_is_edited_again_after_an_exchange_or_not(targets: dict[str, Connection]) -> None:
    for name in ("damerau-levenshtein", "talisman"):
        assert ask(targets[name], "damerau-levenshtein", "ca", "abc") == {"distance": 3}, name
    assert ask(targets["natural"], "damerau-levenshtein", "ca", "abc") == {"distance": 2}
    assert ask(targets["natural"], "damerau-levenshtein", "ca", "abc", variant="restricted") == {"distance": 3}


@pytest.mark.environment
def test_rates_and_overlaps(targets: dict[str, Connection]) -> None:
    """The longer side is the denominator; a set; the shorter text is penalized; a pair of words glued together."""
    assert ask(targets["word-error-rate"], "wer", "a b c d", "a b") == {"rate": 0.5}
    assert ask(targets["talisman"], "jaccard", ["a", "b", "b"], ["b", "c"]) == {"score": pytest.approx(1 / 3)}
    short = ask(targets["bleu-score"], "bleu", "a b", "a b c", max_order=2)
    assert short == {"score": pytest.approx(2.718281828459045 ** (1 - 3 / 2))}
    assert ask(targets["rouge-npm"], "rouge-n", "ab c", "a bc", order=2) == {"recall": 1}


@pytest.mark.environment
def test_f_of_rouge(targets: dict[str, Connection]) -> None:
    """Three words of six: P = 1, R = 1/2; with beta 2 F is 5/2 / (4 + 1/2)."""
    pair = "the cat sat", "the cat sat on the mat"
    answer = ask(targets["js-rouge"], "rouge-n", *pair, beta=2)
    assert answer == {"f1": pytest.approx(2 / 3), "f_beta": pytest.approx(5 / 9)}
    assert ask(targets["js-rouge"], "rouge-n", "", "a")["class"] == "RangeError"


@pytest.mark.environment
def test_numbers_that_json_does_not_have(targets: dict[str, Connection]) -> None:
    assert ask(targets["bleu-score"], "bleu", "a", "a", max_order=0) == {"score": "nan"}


@pytest.mark.environment
def test_what_a_library_prints_at_load_is_no_answer(targets: dict[str, Connection]) -> None:
    (reply,) = targets["natural"].ask([Question("porter-stem", {"text": "running  cats"}, {})])
    assert (reply.body, reply.stray) == ({"text": "run cat"}, "")


@pytest.mark.environment
def test_arguments_are_watched(targets: dict[str, Connection]) -> None:
    fields = {"hypotheses": ["ab"], "references": [["abc"]]}
    assert not targets["leven"].mutates(Question("levenshtein", fields, {}))


@pytest.mark.environment
def test_another_version_is_installed_beside_it(targets: dict[str, Connection]) -> None:
    with connect("leven@3.1.0") as connection:
        assert connection.identity.version == "3.1.0"
        assert ask(connection, "levenshtein", "kitten", "sitting") == {"distance": 3}
    with pytest.raises(TargetError, match=r"leven@0\.0\.99: npm cannot make the environment: .*leven@0\.0\.99"):
        connect("leven@0.0.99")
