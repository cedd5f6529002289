"""JavaScript: the port that the documentation shows, and libraries of npm as targets."""

from __future__ import annotations

import json
import math
import re
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


def passes(report: str) -> int:
    """How many checks of the headline passed."""
    (count,) = re.findall(r"^  passes +([0-9,]+)", report, re.MULTILINE)
    return int(count.replace(",", ""))


@node
def test_the_port_declares_the_truth() -> None:
    done = conformance("check", PORT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "as the reference under the declared profile" in done.stdout


@node
def test_the_port_agrees_with_the_definition() -> None:
    done = conformance("run", PORT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "clauses      13 of 13 met" in done.stdout
    assert passes(done.stdout) >= 800


@node
def test_the_port_agrees_with_sacrebleu() -> None:
    pytest.importorskip("sacrebleu", reason="pip install 'text-metric-conformance[adapters]'")
    done = conformance("run", PORT, "--against", "sacrebleu")
    assert done.returncode == 0, done.stdout + done.stderr
    assert passes(done.stdout) >= 800


@node
def test_what_only_one_can_be_set_to_is_not_compared() -> None:
    """sacreBLEU adds one to the counts that it reports, where the port, which has no such smoothing, leaves them."""
    pytest.importorskip("sacrebleu", reason="pip install 'text-metric-conformance[adapters]'")
    select = ["--select", "four-smoothing-rules-on-short-prefixes/add-one/*"]
    done = conformance("run", PORT, "--against", "sacrebleu", *select)
    assert (done.returncode, passes(done.stdout)) == (0, 0)
    assert "the two cannot be set to the same smoothing" in done.stdout


@node
@pytest.mark.parametrize(
    ("old", "new", "clauses"),
    [
        ("Math.min(count, most(gram))", "(most(gram) ? count : 0)", ["clipping", "any-reference"]),
        ("Math.abs(a - length) - Math.abs(b - length) || a - b", "a - b", ["reference-length"]),
        ("Math.min(0, 1 - reference_length", "Math.min(0, 0 * reference_length", ["brevity-penalty"]),
    ],
    ids=["clipping", "reference length", "brevity penalty"],
)
def test_a_port_with_a_step_taken_out_fails_at_its_clause(
    old: str, new: str, clauses: list[str], tmp_path: Path
) -> None:
    text = (ROOT / "docs" / "port.mjs").read_text("utf-8")
    assert text.count(old) == 1
    (tmp_path / "mutant.mjs").write_text(text.replace(old, new), "utf-8")
    for clause in clauses:
        done = conformance("run", f"cmd:node {tmp_path / 'mutant.mjs'}", "--clause", f"bleu.{clause}")
        assert done.returncode == 1
        assert "0 of 1 met" in done.stdout
        assert f"    clause    bleu.{clause}: " in done.stdout


@node
@pytest.mark.parametrize(
    ("hypotheses", "references", "parameters", "score"),
    [
        (["a b c d e"], [["a b c d e"]], {}, 1),
        (["the the the"], [["the cat"]], {"max_order": 1}, 1 / 3),
        (["a b"], [["a b c"]], {"max_order": 2}, math.exp(-1 / 2)),
        (["a b c d"], [["a x y", "b x y z v"]], {"max_order": 1}, 1 / 2),  # as close to three as to five: three
        (["a b x"], [["b a x"]], {"max_order": 2}, math.sqrt(1 / 4)),  # of two bigrams none: half of one
        (["a b x"], [["b a x"]], {"max_order": 2, "smoothing": "none"}, 0),
        (["a b"], [["a b"]], {}, 0),  # no trigram at all: nothing is put in its place
        (["a b"], [["a b"]], {"effective_order": True}, 1),
        (["a", "b c"], [["a"], ["b d"]], {"max_order": 1}, 2 / 3),
        (["A b."], [["a b ."]], {"max_order": 1}, 2 / 3),
        (["A b."], [["a b ."]], {"max_order": 1, "lowercase": True}, 1),
        (["a b."], [["a b ."]], {"max_order": 1, "tokenizer": "whitespace"}, math.exp(-1 / 2) / 2),
        ([""], [["a"]], {}, 0),
    ],
)
def test_scores_of_the_port(
    hypotheses: list[str],
    references: list[list[str]],
    parameters: dict[str, Any],
    score: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    with connect(PORT) as connection:
        question = Question("bleu", {"hypotheses": hypotheses, "references": references}, parameters)
        (reply,) = connection.ask([question])
    assert reply.body["score"] == pytest.approx(score, rel=1e-12, abs=0)


def test_the_port_is_short_and_the_documentation_says_so() -> None:
    lines = (ROOT / "docs" / "port.mjs").read_text("utf-8").splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 120
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    assert f"corpus BLEU in {len(lines)} lines of JavaScript, [port.mjs](port.mjs)" in text


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
