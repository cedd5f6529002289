"""Hostile scenario files, answers and endings: one clear line each, and nothing that was found is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_cli import ROOT, conformance

from conformance.adapter import Adapter
from conformance.model import Outcome, Suite
from conformance.profiles import Oracle
from conformance.scenarios import Builder
from conformance.session import SHORTEST_REASON
from conformance.yamlfile import BadFile

SCENARIO = """\
- scenario: hostile
  why: What a person may write by mistake or by malice.
  source: {document: of our own}
  metric: wer
  for: {q: [2]}
  references: [a b c]
  outputs: {A: a b}
  expect: [{values: {A: 1/3}}]
"""
VALUE, FAMILY, OUTPUT = "{values: {A: 1/3}}", "for: {q: [2]}", "outputs: {A: a b}"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("1/3", "1e400", "a number beyond the largest float"),
        ("1/3", '"4**(9999999999999/2)"', "expect.0.values.A"),
        ("1/3", "min()", "expect.0.values.A"),
        ("1/3", "+".join("1" * 990), "it has no value: RecursionError|more than"),
        ("1/3", "10**400 + exp(1)", "it has no value: OverflowError"),
        (VALUE, '{relation: "1 < 2"}', "the relation names no output"),
        (VALUE, '{relation: "A.rate.rate < 1"}', "expected an output, or a function of one"),
        (VALUE, "{monotone: {Z: rising}, over: q}", "the scenario cannot be read: KeyError: 'Z'"),
        (FAMILY, "for: {q: 10**400}", "the scenario cannot be read: OverflowError"),
        (FAMILY, "for: {a: 1..1000, b: 1..1000}\n  where: a < 0", "more than 50,000 members to try"),
        (OUTPUT, "outputs: {A: {tokens: [{repeat: " + "x" * 2_000 + ", times: 190000}]}}", "2,000,000 characters"),
        (OUTPUT, "data: {file: ../../secret.jsonl, references: r, outputs: {A: a}}", "data.file"),
    ],
)
def test_a_hostile_scenario_is_one_line(old: str, new: str, words: str, suite: Suite, tmp_path: Path) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_text(SCENARIO.replace(old, new))
    with pytest.raises(BadFile, match=words) as raised:
        Builder(suite.metrics, tmp_path).add_file(path, "hostile.yaml")
    assert str(raised.value).startswith("hostile.yaml:")
    assert "\n" not in str(raised.value)


def test_a_file_without_end_is_not_read(suite: Suite) -> None:
    with pytest.raises(BadFile, match="expected a file"):
        Builder(suite.metrics, ROOT).add_file(Path("/dev/zero"), "zero")


def nested(depth: int) -> list[object]:
    """A list in a list, so many deep."""
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (2**1024 - 1, "an integer of 1,024 bits"),
        (nested(400), "an answer nested more than 30 deep"),
        ({"k" * 2_000_000: 1}, "an answer of 2,000,000 characters"),
    ],
)
def test_an_answer_beyond_all_bounds_is_invalid(held, answer: object, words: str) -> None:  # type: ignore[no-untyped-def]
    adapter = Adapter("mine", "1")
    adapter.metric("wer", references="one")(lambda hypotheses, references: answer)
    rows = held(adapter, "one-token-apart/wer/*").values()
    assert {row.outcome for row in rows} == {Outcome.INVALID}
    assert all(words in str(row.message) for row in rows)


SLOW = """
import pathlib
import time
def exact_match(hypothesis, reference):
    pathlib.Path("called").touch()
    time.sleep(0.05)
    return float(hypothesis == reference)
"""


def _at_a_terminal() -> None:
    """A job in the background ignores interrupts, and so would all that it starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("words", [[], ["--against", "reference"], ["--properties"]])
def test_what_was_found_before_an_end_is_kept(number: int, words: list[str], tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    record = tmp_path / "run.jsonl"
    command = [sys.executable, "-m", "conformance", "run", "slow.py:exact_match", "--metric", "exact-match", *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    run = subprocess.Popen(
        [*command, "--record", str(record)],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_at_a_terminal,
    )
    end = time.monotonic() + 60
    while not (tmp_path / "called").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    time.sleep(1)
    run.send_signal(number)
    _, complaints = run.communicate(timeout=60)
    assert "Traceback" not in complaints
    if record.exists():  # else the end came before the first row, and the run says that it was interrupted
        header, *rows = map(json.loads, record.read_text("utf-8").splitlines())
        assert header["record"] == 1
        assert all("check" in row for row in rows)
    else:
        assert complaints == "conformance: interrupted\n"


def test_files_are_written_though_nobody_reads_on(tmp_path: Path) -> None:
    words = f"{sys.executable} -m conformance run null:zero --metric exact-match --format json"
    line = f"set -o pipefail; {words} --record run.jsonl --junit run.xml | head -1"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert (tmp_path / "run.jsonl").stat().st_size > 1000
    assert (tmp_path / "run.xml").exists()


def test_a_wrong_expectation_is_not_excused_by_a_targets_choices(tmp_path: Path) -> None:
    """One word of four is missing: 1/4, whatever tokenizer a target has. The reference says so too."""
    own = SCENARIO.replace("a b c]", "a b c d]").replace("A: a b}", "A: a b c}").replace("1/3", "1/2")
    (tmp_path / "own.yaml").write_text(own)
    done = conformance("run", "jiwer", "--cases", "own.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert "rate differs, as the reference gives it: is what is expected right?" in done.stdout


def test_a_reason_is_a_sentence() -> None:
    done = conformance("accept", "null:zero", "--metric", "exact-match", "--reason", "x")
    assert done.returncode == 2
    assert f"--reason: expected a sentence of at least {SHORTEST_REASON} characters, found 'x'" in done.stderr


@pytest.mark.parametrize("line", ['{"id": NaN, "metric": "wer", "input": 1}', '{"id": true}', '{"id": 1e999}'])
def test_a_line_with_an_odd_id_does_not_end_a_server(line: str) -> None:
    hello = '{"protocol": 1, "say": "hello"}'
    done = subprocess.run(
        [sys.executable, "-m", "conformance", "serve", "null:zero"],
        input=f"{line}\n{hello}\n",
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    refusal, greeting = map(json.loads, done.stdout.splitlines())
    assert refusal["id"] is None
    assert greeting["name"] == "null-zero"


def test_second_targets_ledger_has_its_own_name(tmp_path: Path, oracle: Oracle) -> None:
    (tmp_path / "one.py").write_text("def wer(hypothesis, reference): return 0\n")
    (tmp_path / "two.py").write_text("def wer(hypothesis, reference): return 1\n")
    for name, ledger in (("one", "deviations.yaml"), ("two", "two.py-wer.deviations.yaml")):
        target = [f"{name}.py:wer", "--metric", "wer"]
        done = conformance("accept", *target, "--reason", "it looks at nothing at all", cwd=tmp_path)
        assert done.stdout.startswith(f"{ledger}: ")
        assert conformance("run", *target, cwd=tmp_path).returncode == 0
