"""`pytest --conformance TARGET`: an item a check, with the engine and ledger of `conformance run`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from test_cli import ROOT

RIGHT = (ROOT / "README.md").read_text("utf-8").split("```python\n")[1].split("```")[0]
WRONG = "def wer(hypothesis, reference):\n    return len(hypothesis.split()) / len(reference.split())\n"


PLUGIN = (
    []  # installed, it is found by its entry point
    if any(each.value == "conformance.pytest_plugin" for each in entry_points(group="pytest11"))
    else ["-p", "conformance.pytest_plugin"]
)


def run_pytest(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}
    return subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGIN, "-p", "no:cacheprovider", "-q", *words],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("extra", [[], ["-n", "2"]])
def test_a_right_function_passes_item_by_item(tmp_path: Path, extra: list[str]) -> None:
    (tmp_path / "mine.py").write_text(RIGHT, "utf-8")
    done = run_pytest(tmp_path, "--conformance", "mine.py:wer", "--conformance-metric", "wer", *extra)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"(\d+) passed", done.stdout)
    assert found
    assert int(found[1]) > 15


def test_a_wrong_one_fails_with_the_report_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(WRONG, "utf-8")
    done = run_pytest(tmp_path, "--conformance", "mine.py:wer", "--conformance-metric", "wer")
    assert done.returncode == 1
    assert "repeat    conformance run mine.py:wer --metric wer --select" in done.stdout
    assert "Traceback" not in done.stdout


def test_known_deviations_are_expected_failures(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(WRONG, "utf-8")
    ledger = 'ledger: 1\ntarget: mine\ndeviations:\n  - reason: it counts words alone\n    kind: bug\n    checks: {"*": null}\n'
    (tmp_path / "deviations.yaml").write_text(ledger, "utf-8")
    done = run_pytest(tmp_path, "--conformance", "mine.py:wer", "--conformance-metric", "wer")
    assert done.returncode == 0, done.stdout
    assert "xfailed" in done.stdout


def test_scenarios_of_ones_own_make_the_items(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(RIGHT, "utf-8")
    (tmp_path / "own.yaml").write_text("""\
- scenario: a-deletion
  why: A missing word is one error, over the words of the reference.
  source: {document: of our own}
  metric: wer
  references: [a b c]
  outputs: {shorter: a b, same: a b c}
  expect: [{values: {shorter: 1/3, same: 0}}]
""")
    words = [
        "--conformance",
        "mine.py:wer",
        "--conformance-metric",
        "wer",
        "--conformance-cases",
        "own.yaml",
        "--collect-only",
    ]
    done = run_pytest(tmp_path, *words)
    assert done.returncode == 0, done.stdout
    assert "a-deletion/wer/shorter" in done.stdout
    assert run_pytest(tmp_path, *words[:-1]).stdout.count("2 passed") == 1
