"""`all`: every target that ships, by the name by which this machine can best have it."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from conformance import roster
from conformance.cli import main
from conformance.suite import home
from conformance.target import connect, shipped_names


def test_every_target_that_ships_is_there_once() -> None:
    found = roster.everything()
    bases = [name.partition("@")[0] for name in found]
    recordings = {path.stem for path in (home() / "recordings").glob("*.jsonl")}
    assert found[0] == "reference"
    assert len(found) == len(set(found))
    assert set(bases) == (set(shipped_names()) | recordings) - {"null"}


def test_a_system_without_a_registry_is_there_by_its_recording_or_by_the_file_that_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CONFORMANCE_TERCOM", raising=False)
    assert "tercom@recorded" in roster.everything()
    assert "tercom@recorded" not in roster.callable_here()
    monkeypatch.setenv("CONFORMANCE_TERCOM", "TER.java")
    assert "tercom" in roster.everything()


def test_a_program_that_debian_brings_runs_live(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CONFORMANCE_SCLITE", raising=False)
    program = str(tmp_path / "sclite")
    monkeypatch.setattr(roster, "setting", lambda source, name: program)
    assert "sclite@recorded" in roster.everything()
    assert "sclite" not in roster.everything()
    Path(program).touch()
    assert {"sclite", "sclite@recorded"} <= set(roster.everything())  # Debian's release is not the one recorded


def test_a_library_is_taken_from_beside_the_suite_only_at_its_pinned_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster, "installed", {"uniseg": "0.10.1", "pyunormalize": "1.0.0"}.get)
    found = roster.everything()
    assert "uniseg" in found
    assert "pyunormalize@pinned" in found
    assert "jiwer@pinned" in found
    assert {"jiwer@3.1.0", "nltk@3.9.2"} <= set(found)  # which claims are about
    monkeypatch.setattr(roster, "installed", {"py-rouge": "1.1", "nltk": "3.10.0", "setuptools": "75.8.0"}.get)
    assert "py-rouge@pinned" in roster.everything()  # NLTK's data, which it needs, is a package too


def test_with_a_metric_only_those_that_may_have_it_are_there() -> None:
    found = {name.partition("@")[0] for name in roster.everything(["perplexity"])}
    assert {"reference", "torchmetrics"} <= found
    assert not {"jiwer", "leven", "tercom"} & found
    assert "leven" in roster.everything(["levenshtein"])
    assert "rapidrouge@pinned" in roster.everything(["rouge-l"])  # a module of ours plugs it in


@pytest.mark.parametrize("command", ["run", "check", "audit"])
def test_all_stands_alone(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "all", "reference"]) == 2
    assert "all stands alone" in capsys.readouterr().err


def test_pins_are_by_library() -> None:
    requirements = ["a[x]==1.0; python_version >= '3.11'", "a==0.9; python_version < '3.11'", "b_c==2", "d>=3"]
    assert roster.pinned(requirements) == {"a": {"1.0", "0.9"}, "b_c": {"2"}}
    assert roster.installed("pytest") == version("pytest")
    assert roster.installed("no-such-library") is None


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster, "everything", lambda metrics=(): ["reference", "uniseg", "null"])


@pytest.mark.usefixtures("three")
def test_all_leaves_what_is_as_expected_to_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "all", "--metric", "wer", "--metric", "tokenize", "--jobs", "1"]) == 1  # null is no WER
    text = capsys.readouterr().out
    assert "null" in text.splitlines()[0]
    *_, head, reference, segments, null = text.splitlines()
    assert head.split() == ["target", "version", "clauses", "passes", "conventions", "documented", "new", "unsupported"]
    assert [line.split()[0] for line in (reference, segments, null)] == ["reference", "uniseg", "null"]


@pytest.mark.usefixtures("three")
def test_what_has_nothing_of_the_selection_is_no_row_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "all", "--metric", "ribes", "--select", "reversed-words/*"]) == 0
    shown = capsys.readouterr()
    assert "uniseg" not in shown.out + shown.err
    assert main(["run", "uniseg", "--metric", "ribes"]) == 2


def test_a_recording_is_not_checked_for_adapter_faults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "tercom@recorded"]) == 3
    assert capsys.readouterr().err.startswith(
        "conformance: tercom@recorded: a recording answers only what it was asked"
    )
    with connect("tercom@recorded") as connection:
        assert connection.identity.version == "0.10.0"
