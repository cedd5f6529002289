"""Programs that an adapter starts: their files, what they print, and what they fail with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conformance import Missing, Unsupported
from conformance.program import (
    columns_of,
    failure,
    module_of,
    output_of,
    program,
    python,
    run,
    tail,
    without_folders,
    write_lines,
    write_text,
)


def test_a_text_a_line(tmp_path: Path) -> None:
    assert write_lines(tmp_path / "output", ["a b", "", "\u00e9"]) == "output"
    assert (tmp_path / "output").read_bytes() == "a b\n\n\u00e9\n".encode()


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["a\nb"], "none may hold a line end"),
        (["a\rb"], "none may hold a line end"),
        ("a b", "reads text, a segment a line"),
        ([None], "reads text, a segment a line"),
        (["\ud800"], "no lone surrogate"),
    ],
)
def test_what_is_no_line_is_unsupported(texts: list[str], words: str, tmp_path: Path) -> None:
    with pytest.raises(Unsupported, match=words):
        write_lines(tmp_path / "output", texts)


def test_references_by_file() -> None:
    assert columns_of([["a", "b"], ["c", "d"]]) == [["a", "c"], ["b", "d"]]
    assert columns_of([]) == [[]]


@pytest.mark.parametrize("references", [[["a"], ["b", "c"]], [[]], [["a", None]], ["a"]])
def test_uneven_references_fit_no_files(references: list[list[str | None]]) -> None:
    with pytest.raises(Unsupported, match="equally many references for each segment, and at least one"):
        columns_of(references)


def test_a_program_is_heard_in_its_folder(tmp_path: Path) -> None:
    write_text(tmp_path / "words", "\u00e9 b")
    script = "import os; print(open('words', encoding='utf-8').read(), os.environ['LC_ALL'])"
    assert run([sys.executable, "-X", "utf8", "-c", script], tmp_path) == "\u00e9 b C.UTF-8\n"


def test_it_raises_what_the_program_ended_with(tmp_path: Path) -> None:
    script = tmp_path / "fails.py"
    script.write_text("import sys\nraise ZeroDivisionError(sys.argv[0])\n")
    with pytest.raises(ZeroDivisionError, match=r"^fails.py$"):
        run([sys.executable, str(script)], tmp_path)


@pytest.mark.parametrize(
    ("said", "status", "kind", "message"),
    [
        ("Traceback ...\nKeyError: 'a'\n", 1, KeyError, "'a'"),
        ("Traceback ...\nAssertionError\n", 1, AssertionError, ""),
        ("Usage: it [options]\n\nit: error: option -a: invalid float value: 'x'\n", 2, ValueError, "invalid float"),
        ("Can't locate XML/Twig.pm\nBEGIN failed\n", 2, RuntimeError, "Can't locate XML/Twig.pm BEGIN failed"),
        ("UnicodeDecodeError: 'ascii' codec\n", 1, RuntimeError, "UnicodeDecodeError: 'ascii' codec"),
        ("str: no exception\n", 1, RuntimeError, "str: no exception"),
        ("", 7, RuntimeError, "exit status 7"),
    ],
)
def test_the_last_words_tell_the_exception(said: str, status: int, kind: type[Exception], message: str) -> None:
    found = failure(said, status)
    assert type(found) is kind
    assert message in str(found)


def test_warnings_give_way_to_the_end() -> None:
    assert tail("a warning " * 100 + "FATAL: no segments").endswith("FATAL: no segments")
    assert tail("a \n b") == "a b"


def test_no_folder_is_named() -> None:
    assert without_folders("at /home/me/it.pl line 3", ["/home/me/it.pl", "-n"]) == "at it.pl line 3"


def test_what_is_missing_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Missing, match="it needs no-such-program, which is not here: install it"):
        program("no-such-program", "install it")
    with pytest.raises(Missing, match=r"it needs python.* \(no .*\): install the module"):
        output_of([sys.executable, "-c", "import sys; sys.exit('no module')"], "install the module")
    monkeypatch.setenv("CONFORMANCE_PYTHON", "no-such-python")
    with pytest.raises(Missing, match=r"it needs no-such-python .*: set CONFORMANCE_PYTHON"):
        python()


def test_this_python_runs_a_script_unless_another_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONFORMANCE_PYTHON", raising=False)
    assert python() == (sys.executable, sys.version.split()[0])


def test_a_scratch_folder_is_gone_with_the_interpreter(tmp_path: Path) -> None:
    script = (
        "from conformance.program import scratch; folder = scratch(); (folder / 'a').write_text('a'); print(folder)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not Path(done.stdout.strip()).exists()


def test_a_file_in_python_becomes_a_module(tmp_path: Path) -> None:
    (tmp_path / "evaluate-v9.9.py").write_text("def score(): return 9\n")
    assert module_of(tmp_path / "evaluate-v9.9.py").score() == 9
