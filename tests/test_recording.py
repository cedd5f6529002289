"""A record of a run is also a target: it answers what was observed then, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_cli import conformance

from conformance.target import connect
from conformance.transport import TargetError

WORDS = ["--select", "one-token-apart/*", "--select", "*empty*", "--select", "a-rate-is-no-distance/*"]


def rows(path: Path) -> dict[str, dict[str, Any]]:
    """The checks of a record, without what tells times."""
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {row["check"]: {**row, "seconds": 0, "stray": None} for row in found if "check" in row}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("record") / "run.jsonl"
    conformance("run", "reference", *WORDS, "--record", str(path))
    return path


def test_it_answers_as_its_target_did(record: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.jsonl"
    done = conformance("run", str(record), *WORDS, "--record", str(again))
    assert done.returncode == 0, done.stdout
    assert len(rows(record)) > 100
    assert rows(again) == rows(record)


def test_a_port_can_be_held_to_it_and_it_to_its_original(record: Path) -> None:
    for words in (["reference", "--against", str(record)], [str(record), "--against", "reference"]):
        done = conformance("run", *words, *WORDS)
        assert done.returncode == 0, done.stdout
        assert "  NEW          0\n" in done.stdout


def test_what_was_not_asked_then_is_unsupported(record: Path, tmp_path: Path) -> None:
    again = tmp_path / "more.jsonl"
    conformance("run", str(record), "--select", "block-swap/wer/*", "--record", str(again))
    found = rows(again)
    assert found
    assert {row["outcome"] for row in found.values()} == {"unsupported"}
    assert {row["message"] for row in found.values()} == {"the recording has no answer to this"}


def changed(record: Path, folder: Path, change: Callable[[list[str]], list[str]]) -> str:
    path = folder / "changed.jsonl"
    path.write_text("\n".join(change(record.read_text("utf-8").splitlines())) + "\n", "utf-8")
    return str(path)


def without_capabilities(lines: list[str]) -> list[str]:
    header = json.loads(lines[0])
    return [json.dumps({**header, "capabilities": {}}), *lines[1:]]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines[:-1], "the record is cut short: its run did not come to an end"),
        (lambda lines: lines + lines, "expected the record of one target, found 2"),
        (without_capabilities, "the record does not say what its target can compute; record it anew"),
        (lambda lines: ["{}", *lines], ":1: expected a header, a check or an end"),
    ],
)
def test_what_is_no_whole_record_of_one_target_is_refused(
    change: Callable[[list[str]], list[str]], words: str, record: Path, tmp_path: Path
) -> None:
    with pytest.raises(TargetError) as raised:
        connect(changed(record, tmp_path, change))
    assert words in str(raised.value)


def test_a_recording_that_there_is_none_of_names_those_that_there_are() -> None:
    with pytest.raises(TargetError, match=r"jiwer@recorded: there is no recording of it; there are "):
        connect("jiwer@recorded")


@pytest.mark.parametrize("name", sorted(path.stem for path in Path("recordings").glob("*.jsonl")))
def test_each_shipped_recording_says_where_it_comes_from(name: str) -> None:
    with connect(f"{name}@recorded") as connection:
        provenance = connection.identity.provenance
    assert {"digest", "runtime"} <= set(provenance)


def test_each_shipped_recording_stands_as_its_ledger_says() -> None:
    """Everyone gets the table that the person got who had the system."""
    names = sorted(path.stem for path in Path("recordings").glob("*.jsonl"))
    done = conformance("run", *(f"{name}@recorded" for name in names))
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("  NEW          0\n") == len(names)


@pytest.mark.parametrize("path", sorted(Path("recordings").glob("*.jsonl")), ids=lambda path: path.stem)
def test_no_recording_names_a_folder_of_its_machine(path: Path) -> None:
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        said = f"{row.get('target')} {row.get('message')} {row.get('stray')}"
        assert re.search(r"(?<![\w.:/-])/[\w.-]+/", said) is None, said
