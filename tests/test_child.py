"""A program asked over JSON Lines: each death, hang and piece of noise is charged to the question that has it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from conversing import DOG, HERE, RATES, all_but_dog_are_right, asked, port, question, right

from conformance.child import MAX_DEATHS, WINDOW, Child
from conformance.target import connect
from conformance.transport import TargetError


def test_a_program_in_no_library_of_ours_is_asked_the_same(tmp_path: Path) -> None:
    with port(tmp_path, "pass") as child:
        assert (child.identity.name, child.identity.version, child.identity.language) == ("port", "2", "test")
        replies = list(child.ask(map(question, RATES)))
    assert all(right(*each) for each in zip(replies, RATES, strict=True))


def test_answers_in_any_order_find_their_questions() -> None:
    many = list(islice(cycle(RATES), 3 * WINDOW))
    with connect("fake:out-of-order") as child:
        replies = list(child.ask(map(question, many)))
    assert all(right(*each) for each in zip(replies, many, strict=True))


@pytest.mark.parametrize(("vice", "kind"), [("crashes", "crash"), ("hangs", "timeout")])
def test_a_program_that_answers_in_any_order_is_charged_for_the_right_question(
    vice: str, kind: str, tmp_path: Path
) -> None:
    """It shuffles eight requests at a time, so the culprit is not the oldest question without an answer."""
    path = tmp_path / "shuffling.py"
    path.write_text(f"from conformance import fakes; fakes.out_of_order(fakes.adapter({vice!r}))")
    hypotheses = ["cat"] * 60
    hypotheses[29] = "the dog sat"
    with Child([sys.executable, str(path)], timeout=0.5, env=HERE) as child:
        kinds = [reply.kind for reply in child.ask(map(question, hypotheses))]
    assert kinds == ["answer"] * 29 + [kind] + ["answer"] * 30


def test_a_program_that_writes_late_is_not_charged_for_what_it_has_done(tmp_path: Path) -> None:
    """A crash takes answers with it that were worked out before but not flushed yet."""
    body = """
        if dog: os._exit(3)
        sys.stdout.write(json.dumps(answer) + "\\n")
        import select
        if not select.select([sys.stdin], [], [], 0.02)[0]: sys.stdout.flush()
        continue
    """
    hypotheses = ["cat"] * 30
    hypotheses[17] = "the dog sat"
    with port(tmp_path, body) as child:
        kinds = [reply.kind for reply in child.ask(map(question, hypotheses))]
    assert kinds == ["answer"] * 17 + ["crash"] + ["answer"] * 12


def test_every_crash_among_many_questions_is_charged_to_its_own() -> None:
    many = ["cat"] * 1500
    dogs = [0, 1, 700, 1499]
    for place in dogs:
        many[place] = "the dog sat"
    with connect("fake:crashes") as child:
        replies = list(child.ask(map(question, many)))
    assert [place for place, reply in enumerate(replies) if reply.kind == "crash"] == dogs
    assert all(right(*each) for place, each in enumerate(zip(replies, many, strict=True)) if place not in dogs)


def test_a_program_that_ends_after_each_answer_is_charged_for_nothing() -> None:
    replies = asked("fake:short-lived-child")
    assert all(right(*each) for each in zip(replies, RATES, strict=True))


def test_lines_that_are_no_messages_are_told_and_break_nothing() -> None:
    replies = asked("fake:garbage-child")
    assert all(right(*each) for each in zip(replies, RATES, strict=True))
    assert all("not a message" in reply.stray and '"id": 999999999' in reply.stray for reply in replies)


def test_a_second_answer_to_a_question_is_stray(tmp_path: Path) -> None:
    with port(tmp_path, "say(answer)") as child:
        replies = list(child.ask(map(question, RATES)))
    assert all(right(*each) for each in zip(replies, RATES, strict=True))
    assert '"id": 0' in replies[1].stray


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ('{"id": %d, "answer": 0.5}', "answer: expected an object"),
        ('{"id": %d, "answer": null}', "answer: expected an object"),
        ('{"id": %d, "error": "bad"}', "error: expected an object"),
        ('{"id": %d, "score": 0.5}', "found score"),
        ('{"id": %d}', "found nothing"),
        ('{"id": %d, "answer": {"": nan}}', "not JSON"),
        ('{"id": %d, "answer": {"": 0.5', "not JSON"),
        ('{"id": %d, "answer": {"": ' + "[" * 5000 + "]" * 5000 + "}}", ""),
    ],
)
def test_an_answer_of_another_shape_is_invalid(message: str, words: str, tmp_path: Path) -> None:
    with port(tmp_path, f"if dog: answer = {message!r} % q['id']") as child:
        replies = list(child.ask(map(question, RATES)))
    assert replies[DOG].kind == "invalid"
    assert words in replies[DOG].body
    assert all_but_dog_are_right(replies)


@pytest.mark.parametrize(("written", "value"), [("NaN", "nan"), ("-Infinity", "-inf"), ("1e999", "inf")])
def test_numbers_that_json_does_not_have_are_understood(written: str, value: str, tmp_path: Path) -> None:
    message = f'{{"id": %d.0, "answer": {{"": {written}}}}}'
    with port(tmp_path, f"answer = {message!r} % q['id']") as child:
        (reply,) = child.ask([question("cat")])
    assert (reply.kind, reply.body) == ("answer", {"": value})


def test_an_error_need_not_be_complete(tmp_path: Path) -> None:
    with port(tmp_path, "answer = {'id': q['id'], 'error': {'message': 'no'}}") as child:
        (reply,) = child.ask([question("cat")])
    assert (reply.kind, reply.body) == ("error", {"kind": "internal", "class": "", "message": "no"})


def test_a_closed_output_is_charged_to_its_question(tmp_path: Path) -> None:
    with port(tmp_path, "if dog: os.close(1); time.sleep(60)") as child:
        replies = list(child.ask(map(question, RATES)))
    assert (replies[DOG].kind, replies[DOG].body) == ("invalid", "the process closed its standard output")
    assert all_but_dog_are_right(replies)


def test_a_hang_that_chatters_is_a_hang(tmp_path: Path) -> None:
    with port(tmp_path, "while dog: sys.stdout.write('still thinking\\n')", timeout=0.4) as child:
        replies = list(child.ask(map(question, RATES)))
    assert replies[DOG].kind == "timeout"
    assert "still thinking" in replies[DOG].stray
    assert all_but_dog_are_right(replies)


def test_a_program_that_asks_for_time_has_it(tmp_path: Path) -> None:
    body = """
        if dog:
            say({"id": q["id"], "wait": 30})
            time.sleep(1)
    """
    with port(tmp_path, body, timeout=0.5) as child:
        replies = list(child.ask(map(question, RATES)))
    assert all(right(*each) for each in zip(replies, RATES, strict=True))


@pytest.mark.parametrize("wait", ["true", "-1", "null", "'long'", "0.2"])
def test_a_wait_that_is_none_or_over_is_a_hang(wait: str, tmp_path: Path) -> None:
    body = f"""
        if dog:
            say('{{"id": ' + str(q["id"]) + ', "wait": ' + {wait!r}.replace("'", '"') + "}}")
            time.sleep(60)
    """
    with port(tmp_path, body, timeout=0.5) as child:
        replies = list(child.ask(map(question, RATES)))
    assert replies[DOG].kind == "timeout"
    assert all_but_dog_are_right(replies)


def test_a_program_that_does_not_read_is_a_hang(tmp_path: Path) -> None:
    long = " ".join(["cat"] * 40_000)  # more than a pipe holds
    with port(tmp_path, "while dog: time.sleep(1)", timeout=4) as child:
        replies = list(child.ask([question("the dog sat"), *(question(long) for _ in range(8)), question("cat")]))
    assert [reply.kind for reply in replies] == ["timeout", *["answer"] * 9]


def test_complaints_without_end_do_not_stop_a_program(tmp_path: Path) -> None:
    with port(tmp_path, "sys.stderr.write('x' * 500_000)") as child:
        replies = list(child.ask(map(question, RATES)))
    assert all(right(*each) for each in zip(replies, RATES, strict=True))


def test_a_program_that_does_not_flush_is_told_so(tmp_path: Path) -> None:
    with port(tmp_path, "continue", timeout=0.2) as child:
        (reply,) = child.ask([question("cat")])
    assert "flush" in reply.body


def test_a_program_that_only_dies_is_given_up(tmp_path: Path) -> None:
    many = ["cat"] * 600
    with port(tmp_path, "print('no use', file=sys.stderr); os._exit(9)") as child:
        replies = list(child.ask(map(question, many)))
    own, rest = replies[:MAX_DEATHS], replies[MAX_DEATHS:]
    assert {reply.body for reply in own} == {"the process ended with exit status 9: no use"}
    assert len({reply.body for reply in rest}) == 1
    assert rest[0].body.startswith(f"given up: the process died {MAX_DEATHS} times in a row")
    assert {reply.kind for reply in replies} == {"crash"}


def test_time_that_the_caller_takes_is_not_counted() -> None:
    with connect("fake:crashes", timeout=0.3) as child:
        replies = []
        for reply in child.ask(map(question, ["cat"] * 3)):
            replies.append(reply)
            time.sleep(0.5)
    assert [reply.kind for reply in replies] == ["answer"] * 3


def test_a_run_that_is_left_early_does_not_spoil_the_next() -> None:
    with connect("fake:crashes") as child:
        early = child.ask(map(question, ["cat"] * 600))
        assert right(next(early), "cat")
        with pytest.raises(RuntimeError, match="not all answered"):
            next(child.ask([question("cat")]))
        early.close()  # type: ignore[attr-defined]
        replies = list(child.ask(map(question, ["the cat", "the cat sat"])))
    assert right(replies[0], "the cat")
    assert right(replies[1], "the cat sat")


def test_seconds_are_those_of_the_call_not_of_the_queue(tmp_path: Path) -> None:
    with port(tmp_path, "time.sleep(0.02)") as child:
        start = time.monotonic()
        replies = list(child.ask(map(question, ["cat"] * 10)))
        elapsed = time.monotonic() - start
    assert 0.1 < sum(reply.seconds for reply in replies) <= elapsed


def test_closing_ends_also_what_the_program_started(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    start = f"import subprocess; subprocess.Popen('exec sleep 60 > {pipe}', shell=True)"
    child = port(tmp_path, start)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert right(next(iter(child.ask([question("cat")]))), "cat")
        child.close()
        ready, _, _ = select.select([reading], [], [], 5)
        assert ready
        assert os.read(reading, 1) == b""
    finally:
        os.close(reading)
        child.close()


def test_a_death_is_noticed_though_what_the_program_started_lives_on(tmp_path: Path) -> None:
    """A grandchild that keeps standard output open does not make the death a hang."""
    start = "if dog: import subprocess; subprocess.Popen(['sleep', '60']); os._exit(7)"
    began = time.monotonic()
    with port(tmp_path, start, timeout=30.0) as child:
        replies = list(child.ask(map(question, RATES)))
    assert time.monotonic() - began < 15
    assert (replies[DOG].kind, replies[DOG].body) == ("crash", "the process ended with exit status 7")
    assert all_but_dog_are_right(replies)


def test_a_busy_child_ends_with_the_run_that_was_killed(tmp_path: Path) -> None:
    """A child in an endless loop does not read its input, so it must notice by itself that its parent is gone."""
    (tmp_path / "endless.py").write_text(
        "import os, pathlib\n"
        "def wer(hypothesis, reference):\n"
        "    pathlib.Path('pid').write_text(str(os.getpid()))\n"
        "    while True: pass\n"
    )
    words = [sys.executable, "-m", "conformance", "run", "endless.py:wer", "--metric", "wer", "--timeout", "600"]
    run = subprocess.Popen(words, cwd=tmp_path, env={**os.environ, **HERE}, stdout=subprocess.DEVNULL)
    pid = tmp_path / "pid"
    wait_for(lambda: pid.exists() and pid.read_text() != "")
    run.kill()
    run.wait()
    wait_for(lambda: not is_running(int(pid.read_text())))


def wait_for(condition: Any, seconds: float = 30.0) -> None:
    """Wait until something is so; fails where it does not become so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    """Whether a process runs; one that nobody has waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# --- starting ---


def saying(hello: str) -> str:
    """A program that says one line and waits."""
    return f"import time; print({hello!r}, flush=True); time.sleep(60)"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import time; time.sleep(60)", "no hello within 0.5 s"),
        ("import sys; sys.exit('no licence')", "ended with exit status 1: no licence, before it said hello"),
        (saying('{"protocol": 1, "metrics": 3}'), "metrics: expected an object"),
        (saying('{"protocol": 2, "metrics": {}}'), "it speaks protocol 2"),
        (saying('{"id": null, "error": {"message": "not now"}}'), "not now"),
        (saying('{"protocol": 1, "metrics": {"wer": 1}}'), "'wer': expected an object"),
        (saying('{"protocol": 1, "metrics": {"wer": {"inptu": "text"}}}'), "unknown field 'inptu'"),
        (saying('{"protocol": 1, "metrics": {"wer": {"input": "words"}}}'), "input is one of text, tokens, either"),
        (saying('{"protocol": 1, "metrics": {"wer": {"accepts": []}}}'), "accepts makes no sense"),
        (saying('{"protocol": 1, "metrics": {"wer": {"accepts": {"n": 1}}}}'), "accepts.n"),
    ],
)
def test_a_program_that_does_not_introduce_itself_is_not_reached(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(text)
    with pytest.raises(TargetError) as raised:
        Child([sys.executable, str(path)], start_limit=0.5)
    assert words in str(raised.value)


def test_noise_before_the_hello_is_stray(tmp_path: Path) -> None:
    path = tmp_path / "noisy.py"
    path.write_text("print('loading ...', flush=True)\nfrom conformance.fakes import main\nmain('raises')\n")
    with Child([sys.executable, str(path)], env=HERE) as child:
        (first, second) = child.ask([question("cat"), question("cat")])
    assert (first.stray, second.stray) == ("loading ...\n", "")
    assert right(first, "cat")


def test_a_command_that_is_not_there_is_not_reached() -> None:
    with pytest.raises(TargetError, match="cannot be started: No such file"):
        Child(["./no-such-program"])
