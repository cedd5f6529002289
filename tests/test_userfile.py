"""A file that a person names for an adapter is run only if it is the right one."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from conformance import Missing
from conformance.target import connect
from conformance.transport import TargetError
from conformance.userfile import user_file, variable

SOURCE = "score.py of github.com/some/metric at commit abc"


def digest(*texts: str) -> str:
    return hashlib.sha256("".join(texts).encode()).hexdigest()


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "score.py"
    path.write_text("print(1)\n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "table.txt").write_text("a b\n")
    monkeypatch.setenv(variable("some-metric"), str(path))
    return path


def test_the_digest_says_which_version_it_is(named: Path) -> None:
    versions = {digest("print(1)\n"): "abc", digest("print(2)\n"): "def"}
    found = user_file("some-metric", versions, SOURCE)
    assert (found.path, found.version, found.digest) == (named, "abc", digest("print(1)\n"))


def test_files_beside_it_count_too(named: Path) -> None:
    versions = {digest("print(1)\n", "a b\n"): "abc"}
    assert user_file("some-metric", versions, SOURCE, ["lib/table.txt"]).version == "abc"
    with pytest.raises(
        Missing, match=r"lib/none.txt cannot be read \(No such file or directory\); expected score.py of"
    ):
        user_file("some-metric", versions, SOURCE, ["lib/none.txt"])


def test_another_file_is_refused(named: Path) -> None:
    with pytest.raises(Missing, match=r"is another file: its SHA-256 is .*, expected abc \(1234.*score.py of"):
        user_file("some-metric", {"1234" * 16: "abc"}, SOURCE)


def test_no_file_says_how_to_name_one() -> None:
    with pytest.raises(Missing, match=r"conformance run other-metric@PATH, where PATH is score.py of github.com"):
        user_file("other-metric", {}, SOURCE)


def test_what_an_adapter_misses_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(variable("gec-ranking"), raising=False)
    with pytest.raises(
        TargetError, match=r"^gec-ranking: it runs from a file of yours: conformance run gec-ranking@PATH"
    ):
        connect("gec-ranking")
    monkeypatch.setenv(variable("gec-ranking"), "")  # put back after the test, for naming a file sets it
    other = tmp_path / "compute_gleu"
    other.write_text("print(0)\n")
    with pytest.raises(TargetError, match=r"^gec-ranking: .*gleu.py cannot be read"):
        connect(f"gec-ranking@{other}")
