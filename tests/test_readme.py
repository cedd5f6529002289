"""The README is run: its own metric in ten lines, its commands, its protocol example."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_cli import ROOT, conformance

README = (ROOT / "README.md").read_text("utf-8")
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text("utf-8")


def block(text: str, beginning: str) -> str:
    """The fenced Python block that begins so."""
    found = [each for each in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if each.startswith(beginning)]
    assert len(found) == 1
    return found[0]


def test_the_function_of_the_readme_sees_a_verdict(tmp_path: Path) -> None:
    function = block(README, "def wer")
    assert len(function.strip().splitlines()) <= 10
    (tmp_path / "mywer.py").write_text(function, "utf-8")
    done = conformance(*["run", "mywer.py:wer", "--metric", "wer"], cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "passes" in done.stdout


def test_the_readme_names_that_command() -> None:
    assert "    conformance run mywer.py:wer --metric wer" in README


@pytest.mark.parametrize("command", re.findall(r"\| `conformance ((?:score|show|list|audit)[^`]*)`", README))
def test_the_questions_of_the_table_are_answered(command: str) -> None:
    import shlex

    if "--target sacrebleu" in command:
        pytest.importorskip("sacrebleu", reason="needs sacreBLEU: pip install 'text-metric-conformance[adapters]'")
    done = conformance(*shlex.split(command))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_readme_says_why_two_disagree() -> None:
    (command,) = re.findall(r"\| Why do these two disagree\? \| `conformance ([^`]*)`", README)
    for library in ("sacrebleu", "nltk"):
        pytest.importorskip(library, reason="needs it: pip install 'text-metric-conformance[adapters]'")
    done = conformance(*command.split())
    assert done.returncode == 1, done.stderr
    assert "they differ by: smoothing = smallest-float in nltk, none here (" in done.stdout


def test_the_program_of_the_protocol_page_is_a_target(tmp_path: Path) -> None:
    (tmp_path / "mymatch.py").write_text(block(PROTOCOL, "import json"), "utf-8")
    done = conformance("run", f"cmd:{sys.executable} mymatch.py", cwd=tmp_path)
    assert done.returncode in (0, 1), done.stderr
    assert "mymatch 1" in done.stdout
    assert "crash" not in done.stdout


def test_continuous_integration_runs_the_second_command() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    pattern = re.search(r"sed -n '(.*?)' README.md", script)
    assert pattern is not None
    found = subprocess.run(["sed", "-n", pattern[1], "README.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.count("\n") == 1
    assert "tox" in found.stdout
