"""A Python adapter on the wire: what it says, that each message has the schema's shape, and what it keeps apart."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from conformance import fakes
from conformance.adapter import Adapter
from conformance.child import Child
from conformance.serve import lines_of, respond
from conformance.transport import Question, TargetError
from conformance.yamlfile import schema

ROOT = Path(fakes.__file__).parent.parent
ENVIRONMENT = {"PYTHONPATH": str(ROOT)}
SERVE = [sys.executable, "-m", "conformance", "serve"]


def valid(message: Any, name: str) -> bool:
    whole = schema("protocol")
    part = {"$schema": whole["$schema"], "$defs": whole["$defs"], "$ref": f"#/$defs/{name}"}
    jsonschema.Draft202012Validator.check_schema(part)
    return bool(jsonschema.Draft202012Validator(part).is_valid(message))


def request(**fields: Any) -> bytes:
    usual = {"id": 7, "metric": "wer", "parameters": {}, "input": {"hypotheses": ["a b"], "references": [["a b c"]]}}
    return json.dumps({**usual, **fields}).encode()


def answer(line: bytes, vice: str = "raises") -> dict[str, Any]:
    message = respond(fakes.adapter(vice), line)
    assert message is not None
    return message


def test_a_preparation_is_announced_before_the_first_answer_alone() -> None:
    adapter = Adapter("mine", "1")
    adapter.metric("wer", prepare=lambda: None)(lambda hypotheses, references: 0.5)
    told: list[dict[str, Any]] = []
    replies = [respond(adapter, request(), told.append) for _ in range(2)]
    assert told == [{"id": 7, "wait": 60}]
    assert valid(told[0], "wait")
    assert valid(told[0], "reply-line")
    assert [reply and reply["answer"] for reply in replies] == [{"": 0.5}, {"": 0.5}]


def test_a_hello_is_answered_with_an_introduction() -> None:
    message = answer(b'{"protocol": 1, "say": "hello"}')
    assert (message["name"], message["version"], message["language"]) == ("fake-raises", "1", "python")
    assert message["metrics"]["wer"]["fixes"] == {"tokenizer": "whitespace"}
    assert valid(message, "introduction")


def test_a_request_is_answered_under_its_id() -> None:
    message = answer(request())
    assert message["id"] == 7
    assert message["answer"] == {"": pytest.approx(1 / 3)}  # one deletion, three reference words
    assert message["seconds"] >= 0
    assert valid(message, "reply")


@pytest.mark.parametrize(
    ("line", "identifier", "kind"),
    [
        (b"not json", None, "protocol"),
        (b"[1, 2]", None, "protocol"),
        (b"[" * 100_000, None, "protocol"),
        (b'\xff\xfe{"id": 1}', None, "protocol"),
        (b'{"protocol": 2, "say": "hello"}', None, "protocol"),
        (b'{"id": 3}', 3, "protocol"),
        (request(input=[1]), 7, "protocol"),
        (request(parameters=[1]), 7, "protocol"),
        (request(metric=None), 7, "protocol"),
        (request(input={"hypotheses": ["dog"], "references": [["a"]]}), 7, "internal"),
        (request(input={"hypotheses": ["a", "b"], "references": [["a"]]}), 7, "input"),
    ],
)
def test_what_cannot_be_answered_is_an_error(line: bytes, identifier: int | None, kind: str) -> None:
    message = answer(line)
    assert (message["id"], message["error"]["kind"]) == (identifier, kind)
    assert valid(message, "reply-line")


def test_a_metric_that_is_not_plugged_in_is_unsupported() -> None:
    assert answer(request(metric="bleu"))["unsupported"] == "no metric 'bleu' here"


@pytest.mark.parametrize(("vice", "mutated"), [("raises", False), ("mutates-input", True)])
def test_a_watched_request_tells_whether_its_input_changed(vice: str, mutated: bool) -> None:
    assert answer(request(watch=True), vice)["mutated"] is mutated
    assert "mutated" not in answer(request(), vice)


def test_lines_are_put_together_from_pieces() -> None:
    reading, writing = os.pipe()
    lines = lines_of(reading)
    os.write(writing, b"one\ntw")
    assert next(lines) == b"one"
    os.write(writing, b"o\n\nthree")
    os.close(writing)
    assert list(lines) == [b"two", b"", b"three"]
    os.close(reading)


RELAY = """
import subprocess, sys, threading
program = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
log = open(sys.argv[1], "ab", buffering=0)

def relay(source, sink, mark):
    for line in source:
        log.write(mark + line)
        sink.write(line)
        sink.flush()
    sink.close()

back = threading.Thread(target=relay, args=(program.stdout, sys.stdout.buffer, b"<"))
back.start()
relay(sys.stdin.buffer, program.stdin, b">")
back.join()
"""


@pytest.mark.parametrize("vice", ["raises", "prints", "answers-nan", "answers-huge", "mutates-input"])
def test_real_traffic_has_the_shape_that_the_schema_says(vice: str, tmp_path: Path) -> None:
    (tmp_path / "relay.py").write_text(RELAY)
    command = [sys.executable, str(tmp_path / "relay.py"), str(tmp_path / "log"), sys.executable, "-m"]
    texts = ["a dog", "a \ud800 cat", ""]
    questions = [Question("wer", {"hypotheses": [text], "references": [["a cat"]]}, {}) for text in texts]
    with Child([*command, "conformance.fakes", vice], env=ENVIRONMENT) as child:
        replies = list(
            child.ask([*questions, Question("bleu", {"hypotheses": ["a"], "references": [["a"]]}, {"n": 1})])
        )
        child.mutates(questions[1])
    assert len(replies) == 4
    traffic = [(line[:1], json.loads(line[1:])) for line in (tmp_path / "log").read_bytes().splitlines()]
    assert len(traffic) == 2 * 6 + 1  # a hello, five requests and their answers; a farewell has none
    for direction, message in traffic:
        assert valid(message, "request-line" if direction == b">" else "reply-line"), message


def test_the_schema_is_closed() -> None:
    assert not valid({"id": 1, "answer": {}, "score": 1}, "reply")
    assert not valid({"id": 1, "answer": {}, "error": {"kind": "input", "message": ""}}, "reply")
    assert not valid({"id": 1}, "reply")
    assert not valid({"protocol": 1, "say": "hello", "version": 3}, "hello")


NOISY = """
import os, subprocess, sys
from conformance import Adapter
print("imported")
adapter = Adapter("noisy", version="1")

@adapter.metric("wer")
def wer(hypotheses, references):
    os.write(1, b"from below\\n")
    subprocess.run(["echo", "from a program"])
    if sys.stdin.read() or sys.stdin.buffer.read() or os.read(0, 1):
        return 1
    return 0

@adapter.metric("cer")
def cer(hypotheses, references):
    while True:
        pass
"""


@pytest.fixture
def noisy(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    (tmp_path / "noisy.py").write_text(NOISY)
    with subprocess.Popen(
        [*SERVE, str(tmp_path / "noisy.py")],
        env={**os.environ, **ENVIRONMENT},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
    ) as process:
        yield process
        process.kill()


def line(process: subprocess.Popen[bytes]) -> Any:
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], 10)
    assert ready
    return json.loads(process.stdout.readline())


def test_the_protocol_is_out_of_reach_of_the_implementation(noisy: subprocess.Popen[bytes]) -> None:
    """It prints while it is imported, writes below Python, starts a program that prints, and reads standard input."""
    assert noisy.stdin is not None
    noisy.stdin.write(b'{"protocol": 1, "say": "hello"}\n' + request() + b"\n")
    assert line(noisy)["name"] == "noisy"
    assert line(noisy)["answer"] == {"": 0}


def test_an_answer_does_not_wait_for_the_hang_behind_it(noisy: subprocess.Popen[bytes]) -> None:
    assert noisy.stdin is not None
    noisy.stdin.write(request(id=1) + b"\n" + request(id=2, metric="cer") + b"\n" + request(id=3) + b"\n")
    assert line(noisy)["id"] == 1


@pytest.mark.parametrize("ending", [b'{"say": "bye"}\n', b""], ids=["bye", "end of input"])
def test_a_farewell_ends_it(noisy: subprocess.Popen[bytes], ending: bytes) -> None:
    assert noisy.stdin is not None
    noisy.stdin.write(ending)
    noisy.stdin.close()
    assert noisy.wait(10) == 0


def test_a_target_that_is_not_to_be_had_is_told_on_the_wire() -> None:
    done = subprocess.run(
        [*SERVE, "nowhere.py"], env={**os.environ, **ENVIRONMENT}, input=b"", capture_output=True, check=False
    )
    assert done.returncode == 3
    message = json.loads(done.stdout)
    assert message["error"]["message"] == "nowhere.py: no such file"
    assert valid(message, "refusal")
    with pytest.raises(TargetError, match=r"^nowhere\.py: no such file$"):
        Child([*SERVE, "nowhere.py"], env=ENVIRONMENT, label="nowhere.py")


def test_serving_needs_nothing_but_the_standard_library() -> None:
    """An environment of its own has the adapter's libraries, not the suite's."""
    heavy = "yaml jsonschema regex hypothesis pytest numpy"
    imports = "import sys, conformance.target, conformance.serve, conformance.child"
    code = f"{imports}; print({{*'{heavy}'.split()}} & {{*sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
