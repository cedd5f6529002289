"""Questions with known answers, and a small program that speaks the protocol by itself."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import pytest

from conformance import fakes
from conformance.child import Child
from conformance.target import connect
from conformance.transport import Question, Reply

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
    """A target's replies to all the questions."""
    with connect(name, isolate=isolate, timeout=timeout) as connection:
        return list(connection.ask(map(question, RATES)))


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
