"""Both transports: each vice is charged to exactly the question that has it, and all else is answered."""

from __future__ import annotations

import signal
import threading
import time
from fractions import Fraction
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from conversing import DOG, RATES, all_but_dog_are_right, asked, port, question, right

from conformance import fakes
from conformance.adapter import Adapter, Unsupported
from conformance.target import connect
from conformance.transport import InProcess, Question, Reply

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


class TestPreparation:
    """What an adapter does once before a metric's first question."""

    @staticmethod
    def adapter(prepare: Any) -> Adapter:
        adapter = Adapter("mine", "1")
        adapter.metric("exact-match", prepare=prepare)(lambda hypotheses, references: 1.0)
        adapter.metric("wer")(lambda hypotheses, references: 0.0)
        return adapter

    QUESTION = Question("exact-match", {"hypotheses": ["a"], "references": [["a"]]}, {})
    OTHER = Question("wer", {"hypotheses": ["a"], "references": [["a"]]}, {})

    def test_it_is_done_once_and_outside_the_time_limit(self) -> None:
        done = []

        def prepare() -> None:
            time.sleep(0.2)
            done.append(1)

        connection = InProcess(self.adapter(prepare), timeout=0.05)
        list(connection.ask([self.OTHER]))
        assert done == []
        replies = list(connection.ask([self.QUESTION, self.QUESTION]))
        assert [reply.kind for reply in replies] == ["answer", "answer"]
        assert done == [1]

    @pytest.mark.parametrize(("error", "kind"), [(Unsupported("no table"), "unsupported"), (OSError("gone"), "error")])
    def test_what_it_raises_answers_every_question_of_the_metric(self, error: Exception, kind: str) -> None:
        def prepare() -> None:
            raise error

        replies = list(InProcess(self.adapter(prepare)).ask([self.QUESTION, self.QUESTION, self.OTHER]))
        assert [reply.kind for reply in replies] == [kind, kind, "answer"]
        assert str(error) in str(replies[0].body)
