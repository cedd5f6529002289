"""Both transports: each vice is charged to exactly the question that has it, and all else is answered."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from fractions import Fraction
from itertools import cycle, islice
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from conformance import fakes
from conformance.adapter import Adapter
from conformance.child import MAX_DEATHS, WINDOW, Child
from conformance.target import connect
from conformance.transport import InProcess, Question, Reply, TargetError

REFERENCE = "the cat sat"
RATES = {
    "the cat": Fraction(1, 3),  # a deletion
    "a cat sat": Fraction(1, 3),  # a substitution
    "the dog sat": Fraction(1, 3),  # a substitution, and the word that brings the vices out
    "the cat sat": Fraction(0),
    "cat": Fraction(2, 3),  # two deletions
}
"""Word error rates against the reference, by counting."""
DOG = list(RATES).index("the dog sat")


HERE = {"PYTHONPATH": str(Path(fakes.__file__).parent.parent)}


def question(hypothesis: str, metric: str = "wer") -> Question:
    return Question(metric, {"hypotheses": [hypothesis], "references": [[REFERENCE]]}, {})


def right(reply: Reply, hypothesis: str) -> bool:
    return reply.kind == "answer" and reply.body == {"": pytest.approx(float(RATES[hypothesis]), rel=1e-12)}


def all_but_dog_are_right(replies: list[Reply]) -> bool:
    return all(right(*each) for place, each in enumerate(zip(replies, RATES, strict=True)) if place != DOG)


def asked(name: str, isolate: bool | None = None, timeout: float = 5.0) -> list[Reply]:
    with connect(name, isolate=isolate, timeout=timeout) as connection:
        return list(connection.ask(map(question, RATES)))


BOTH = pytest.mark.parametrize("isolate", [False, True], ids=["in process", "child"])


# --- vices of a function ---


@BOTH
@pytest.mark.parametrize(
    ("vice", "kind", "body"),
    [
        ("raises", "error", {"kind": "internal", "class": "RuntimeError", "message": "this fake raises"}),
        ("hangs", "timeout", "no answer within 0.4 s"),
        ("answers-nan", "answer", {"": "nan"}),
        ("answers-none", "answer", {"": None}),
        ("answers-text", "answer", {"": "0.5 or so"}),
        ("answers-huge", "invalid", "an answer of 5,000,000 characters"),
    ],
)
def test_a_vice_is_charged_to_its_question_alone(vice: str, kind: str, body: Any, isolate: bool) -> None:
    replies = asked(f"fake:{vice}", isolate, timeout=0.4 if kind == "timeout" else 5)
    assert (replies[DOG].kind, replies[DOG].body) == (kind, body)
    assert all_but_dog_are_right(replies)


def test_a_crash_is_told_with_its_exit_status_and_last_words() -> None:
    replies = asked("fake:crashes")
    assert replies[DOG] == Reply(
        "crash", "the process ended with exit status 7: this fake crashes", replies[DOG].seconds
    )
    assert all_but_dog_are_right(replies)


def test_a_signal_is_told_by_its_name(tmp_path: Path) -> None:
    with port(tmp_path, "if dog: os.kill(os.getpid(), signal.SIGSEGV)") as child:
        replies = list(child.ask(map(question, RATES)))
    assert "was killed by SIGSEGV" in replies[DOG].body
    assert all_but_dog_are_right(replies)


@BOTH
def test_an_exit_is_a_crash(isolate: bool) -> None:
    replies = asked("fake:exits", isolate)
    assert replies[DOG].kind == "crash"
    assert "this fake exits" in replies[DOG].body
    assert all_but_dog_are_right(replies)


@BOTH
def test_what_is_printed_belongs_to_the_reply_during_which_it_was_printed(isolate: bool) -> None:
    replies = asked("fake:prints", isolate)
    assert [reply.stray for reply in replies] == [f"thinking about {hypothesis}\n" for hypothesis in RATES]
    assert all(right(*each) for each in zip(replies, RATES, strict=True))


@BOTH
def test_a_changed_input_is_noticed_and_spoils_nothing(isolate: bool) -> None:
    with connect("fake:mutates-input", isolate=isolate) as connection:
        asked_for = question("the dog sat")
        assert connection.mutates(asked_for)
        assert all(right(reply, "the dog sat") for reply in connection.ask([asked_for] * 3))
        assert asked_for == question("the dog sat")
    with connect("fake:raises", isolate=isolate) as connection:
        assert not connection.mutates(question("cat"))


@BOTH
@pytest.mark.parametrize(
    ("vice", "hypothesis", "value"),
    [
        ("swaps-arguments", "cat", Fraction(2, 1)),  # two errors over the one word of the wrong side
        ("wrong-scale", "cat", Fraction(200, 3)),
    ],
)
def test_a_wrong_number_passes_through_as_it_is(vice: str, hypothesis: str, value: Fraction, isolate: bool) -> None:
    with connect(f"fake:{vice}", isolate=isolate) as connection:
        (reply,) = connection.ask([question(hypothesis)])
    assert reply.body == {"": pytest.approx(float(value), rel=1e-12)}


@pytest.mark.parametrize(
    "vice", [each for each in fakes.FUNCTIONS if each not in ("hangs", "crashes", "exits", "keeps-state")]
)
def test_both_transports_give_equal_replies(vice: str) -> None:
    mixed = [each for hypothesis in RATES for each in (question(hypothesis), question(hypothesis, "exact-match"))]
    mixed += [question("cat", "no-such-metric"), Question("wer", {"hypotheses": ["a", "b"], "references": [["a"]]}, {})]
    mixed += [Question("wer", {"hypotheses": ["cat"], "references": [["cat"]]}, {"unknown": 1})]
    shown = []
    for isolate in (False, True):
        with connect(f"fake:{vice}", isolate=isolate) as connection:
            shown.append([(each.kind, each.body, each.stray, each.mutated) for each in connection.ask(mixed)])
    assert shown[0] == shown[1]


@BOTH
def test_a_metric_that_is_not_there_is_unsupported(isolate: bool) -> None:
    with connect("fake:raises", isolate=isolate) as connection:
        (reply,) = connection.ask([question("cat", "no-such-metric")])
    assert reply.kind == "unsupported"


ECHO = """
from conformance import Adapter
adapter = Adapter("echo", version="1")

@adapter.metric("tokenize", input="text")
def tokenize(text, value=None):
    return {"nan": float("nan"), "inf": [float("inf"), -float("inf")]} if value == "special" else {"tokens": [text]}
"""


@BOTH
@pytest.mark.parametrize(
    "text", ["\ud800 alone", "\U0001f469\u200d\U0001f680", "a\u2028b\nc\r\td\x00", "", "x" * 300_000], ids=range(5)
)
def test_any_text_survives_the_way(text: str, isolate: bool, tmp_path: Path) -> None:
    (tmp_path / "echo.py").write_text(ECHO)
    with connect(str(tmp_path / "echo.py"), isolate=isolate) as connection:
        (reply,) = connection.ask([Question("tokenize", {"text": text}, {})])
    assert reply.body == {"tokens": [text]}


@BOTH
def test_what_json_cannot_say_travels_as_text(isolate: bool, tmp_path: Path) -> None:
    (tmp_path / "echo.py").write_text(ECHO)
    with connect(str(tmp_path / "echo.py"), isolate=isolate) as connection:
        (reply,) = connection.ask([Question("tokenize", {"text": ""}, {"value": "special"})])
    assert reply.body == {"nan": "nan", "inf": ["inf", "-inf"]}


@BOTH
def test_replies_come_while_questions_are_still_made(isolate: bool) -> None:
    with connect("fake:raises", isolate=isolate) as connection:
        replies = list(islice(connection.ask(map(question, cycle(["cat", "the cat"]))), 2000))
    assert all(right(*each) for each in zip(replies, cycle(["cat", "the cat"]), strict=False))


# --- in process ---


def adapter_of(function: Any) -> Adapter:
    adapter = Adapter("test", version="1")
    adapter.metric("wer")(function)
    return adapter


def test_a_time_limit_passes_by_those_who_catch_exceptions() -> None:
    def stubborn(hypotheses: Any, references: Any) -> float:
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue

    with InProcess(adapter_of(stubborn), timeout=0.1) as connection:
        (reply,) = connection.ask([question("cat")])
    assert reply.kind == "timeout"


def test_a_time_limit_comes_again_to_those_who_catch_everything_once() -> None:
    caught = []

    def stubborn(hypotheses: Any, references: Any) -> float:
        try:
            time.sleep(60)
        except BaseException as error:
            caught.append(error)
        time.sleep(60)
        return 0.0

    with InProcess(adapter_of(stubborn), timeout=0.1) as connection:
        (reply,) = connection.ask([question("cat")])
    assert (reply.kind, len(caught)) == ("timeout", 1)


def test_the_signal_handler_and_timer_of_the_caller_come_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    assert all_but_dog_are_right(asked("fake:raises", isolate=False))
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_caller_may_print_between_two_replies(capsys: pytest.CaptureFixture[str]) -> None:
    with connect("fake:prints") as connection:
        for place, _ in enumerate(connection.ask(map(question, RATES))):
            print(place)
    assert capsys.readouterr().out.split() == ["0", "1", "2", "3", "4"]


def test_other_threads_can_ask_too() -> None:
    found: list[Reply] = []
    thread = threading.Thread(target=lambda: found.extend(asked("fake:raises", isolate=False)))
    thread.start()
    thread.join()
    assert all_but_dog_are_right(found)


def test_an_interrupt_of_the_user_ends_the_run() -> None:
    def interrupted(hypotheses: Any, references: Any) -> float:
        raise KeyboardInterrupt

    with InProcess(adapter_of(interrupted)) as connection, pytest.raises(KeyboardInterrupt):
        list(connection.ask([question("cat")]))


def test_an_answer_that_contains_itself_is_invalid() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with InProcess(adapter_of(lambda hypotheses, references: endless)) as connection:
        (reply,) = connection.ask([question("cat")])
    assert reply.kind == "invalid"


# --- a child process ---

PORT = """
import json, os, signal, sys, time

def wer(h, r):
    row = list(range(len(r) + 1))
    for i, one in enumerate(h, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(r, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (one != other))
    return row[-1] / len(r)

def say(message):
    sys.stdout.write((message if isinstance(message, str) else json.dumps(message)) + "\\n")
    sys.stdout.flush()

for line in sys.stdin:
    q = json.loads(line)
    if q.get("say") == "hello":
        say({"protocol": 1, "name": "port", "version": "2", "language": "test", "metrics": {"wer": {}}})
        continue
    if q.get("say") == "bye":
        break
    h, r = q["input"]["hypotheses"][0], q["input"]["references"][0][0]
    dog = "dog" in h.split()
    answer = {"id": q["id"], "answer": {"": wer(h.split(), r.split())}}
    BODY
    say(answer)
"""


def port(folder: Path, body: str, timeout: float = 5.0) -> Child:
    """A small program that speaks the protocol by itself, with something done before each answer."""
    path = folder / "port.py"
    path.write_text(PORT.replace("BODY", dedent(body).strip().replace("\n", "\n    ")))
    return Child([sys.executable, str(path)], timeout)


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
