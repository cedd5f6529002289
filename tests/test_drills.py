"""Failure drills: what is killed, too large or not here costs one clear line, and nothing beside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conversing import HERE, question

from conformance import environment
from conformance.child import Child
from conformance.transport import TargetError

ADAPTER = """
import os, signal
from pathlib import Path
from conformance import Adapter
adapter = Adapter("mine", version="1")
asked = 0

@adapter.metric("exact-match")
def score(hypotheses, references):
    global asked
    asked += 1
    {vice}
    return sum(h in r for h, r in zip(hypotheses, references)) / len(hypotheses)
"""
KILLED_ONCE = """if asked == 40 and not Path("killed").exists():
        Path("killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)"""
KILLED_AT_A_WORD = """if "dog" in hypotheses[0]:
        os.kill(os.getpid(), signal.SIGKILL)"""
GIGABYTE = 'block = b"x" * 2**30 if hypotheses[0] == "the cat" else b""'


def mine(folder: Path, vice: str) -> str:
    (folder / "mine.py").write_text(ADAPTER.format(vice=vice))
    return "mine.py"


def run(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command line in a folder, without colours or progress."""
    return subprocess.run(
        [sys.executable, "-m", "conformance", "run", *words],
        cwd=folder,
        env={**os.environ, **HERE, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def rows(path: Path) -> list[dict[str, Any]]:
    """What a record says of each check, but for the times."""
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [{name: value for name, value in each.items() if name != "seconds"} for each in found if "check" in each]


# --- killed ---


def test_a_child_that_is_killed_once_costs_nothing(tmp_path: Path) -> None:
    """What was under way is asked again, and every row is as in a run that nobody disturbed."""
    killed, calm = (tmp_path / name for name in ("killed.jsonl", "calm.jsonl"))
    words = [mine(tmp_path, KILLED_ONCE), "--metric", "exact-match", "--record"]
    first = run(tmp_path, *words, str(killed))
    assert (tmp_path / "killed").exists()
    second = run(tmp_path, *words, str(calm))
    assert first.returncode == second.returncode
    assert first.stderr == ""
    assert len(rows(killed)) > 100
    assert rows(killed) == rows(calm)


def test_a_question_that_kills_is_charged_alone_and_told_in_one_line(tmp_path: Path) -> None:
    name = mine(tmp_path, KILLED_AT_A_WORD)
    with Child([sys.executable, "-m", "conformance", "serve", str(tmp_path / name)], env=HERE) as child:
        texts = ["the cat", "the dog", "the cat sat"]
        replies = list(child.ask([question(each, "exact-match") for each in texts]))
    assert [each.kind for each in replies] == ["answer", "crash", "answer"]
    assert replies[1].body == (
        "the process was killed by SIGKILL, as the system ends what needs more memory than there is"
    )


# --- too large ---


def asked_under(limit: str, name: str) -> list[Any]:
    """The replies of an adapter that a shell starts with a limit, in KiB."""
    command = f"ulimit -v {limit} && exec {sys.executable} -m conformance serve {name}"
    with Child(["sh", "-c", command], timeout=60, env=HERE) as child:
        return list(child.ask([question(each, "exact-match") for each in ("a", "the cat", "the cat sat")]))


def test_a_killed_worker_costs_its_own_target_alone(tmp_path: Path) -> None:
    """In a process of the suite's own, as where the system ends what needs too much memory."""
    name = mine(tmp_path, KILLED_AT_A_WORD)
    words = ["--no-isolate", "--jobs", "2", "--metric", "exact-match", "--metric", "wer", "--record", "all.jsonl"]
    done = run(tmp_path, "reference", name, "null:zero", "jiwer", *words)
    assert done.returncode == 3
    assert "mine.py: its process was killed" in done.stderr
    assert done.stderr.count("\n") == 1
    heads = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text("utf-8").splitlines()]
    assert [each["target"] for each in heads if "target" in each] == ["reference", "null:zero", "jiwer"]


def test_a_child_may_need_a_gigabyte(tmp_path: Path) -> None:
    name = str(tmp_path / mine(tmp_path, GIGABYTE))
    assert [each.body for each in asked_under("unlimited", name)] == [{"": 0.0}, {"": 0.0}, {"": 1.0}]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of a process's memory is Linux's")
def test_under_a_limit_of_memory_one_question_fails_in_one_line(tmp_path: Path) -> None:
    name = str(tmp_path / mine(tmp_path, GIGABYTE))
    first, second, third = asked_under("800000", name)
    assert (first.body, third.body) == ({"": 0.0}, {"": 1.0})
    assert second.kind == "error"
    assert (second.body["class"], second.body["message"]) == ("MemoryError", "there is not enough memory for this")


# --- not here ---

NARROW = ["--select", "one-token-apart/*", "--select", "words-*"]
BROKEN = {
    "java": ("meteor", "Meteor is a Java program, and there is no java: apt-get install default-jre-headless"),
    "java, for a tokenizer": (
        "ptb-tokenizer",
        "Stanford's tokenizer is a Java program, and there is no java: apt-get install default-jre-headless",
    ),
    "node": ("leven", "it is a JavaScript library, and there is no node: install Node.js 18 or later"),
    "a library": ("no_such.py", "no_such_library is not installed: pip install no-such-library==1.0"),
    "a program": ("cmd:no-such-program --serve", "cannot be started: No such file or directory"),
    "a file": ("ntt-ribes@absent.py", "absent.py"),
    "a recording": ("jiwer@recorded", "there is no recording of it"),
}


def around(folder: Path, broken: str) -> tuple[subprocess.CompletedProcess[str], dict[str, list[dict[str, Any]]]]:
    """A run of three targets, the middle one broken, where no program is on the search path; and its records."""
    (folder / "empty").mkdir()
    (folder / "no_such.py").write_text(
        '# /// script\n# dependencies = ["no-such-library==1.0"]\n# ///\nimport no_such_library\n'
    )
    done = run(folder, "reference", broken, "null", *NARROW, "--record", "r.jsonl", PATH=str(folder / "empty"))
    found: dict[str, list[dict[str, Any]]] = {}
    for line in (folder / "r.jsonl").read_text("utf-8").splitlines():
        each = json.loads(line)
        found.setdefault(each["target"], []) if "record" in each else list(found.values())[-1].append(each)
    return done, found


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_missing_is_one_line_and_leaves_the_other_targets_whole(name: str, tmp_path: Path) -> None:
    broken, words = BROKEN[name]
    done, found = around(tmp_path, broken)
    assert done.returncode == 3
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"conformance: {broken.partition('@')[0]}")
    assert words in line
    assert list(found) == ["reference", "null"]
    for records in found.values():
        *checks, end = records
        assert len(checks) > 10
        assert "clauses" in end  # the record is whole


@pytest.mark.environment
def test_without_perl_one_line_says_so(tmp_path: Path) -> None:
    """ROUGE-1.5.5 is a script, which `pinned` installs; its interpreter is the machine's."""
    try:
        environment.uv()
    except TargetError as error:
        pytest.skip(str(error))
    done, found = around(tmp_path, "rouge-perl@pinned")
    line = done.stderr.splitlines()[-1]
    if "cannot make the environment" in line:
        pytest.skip(line)
    assert done.returncode == 3
    assert line == "conformance: rouge-perl@pinned: rouge-perl: it needs perl, which is not here: install Perl"
    assert list(found) == ["reference", "null"]


WITHOUT_WORDNET = """
import json, sys
from pathlib import Path
import nltk.data
from conformance.target import load_shipped
adapter = load_shipped("nltk")
sys.modules["conformance_adapter_nltk"].DEBIAN = Path("no such folder")
nltk.data.path[:] = []
for hypothesis in (["a", "cat"], ["the", "cat"]):
    fields = {"hypotheses": [hypothesis], "references": [[["the", "cat"]]]}
    print(json.dumps(adapter.call("meteor", fields, {})))
"""


def test_without_wordnet_the_questions_that_need_it_are_unsupported_in_one_line() -> None:
    """And METEOR of equal words, which never asks WordNet, is answered."""
    pytest.importorskip("nltk", reason="pip install 'text-metric-conformance[adapters]'")
    command = [sys.executable, "-c", WITHOUT_WORDNET]
    done = subprocess.run(command, env={**os.environ, **HERE}, capture_output=True, text=True, check=True)
    refused, answered = map(json.loads, done.stdout.splitlines())
    assert refused == {
        "unsupported": "NLTK's WordNet is not installed: python -m nltk.downloader wordnet, or"
        " apt-get install wordnet-base wordnet-sense-index"
    }
    assert 0 < answered["answer"][""] <= 1
