"""Fakes named by their vice: each is right but for one fault. They prove the transports and the reports.

`conformance run fake:hangs` connects one. Most wrap a correct token-level `wer` and `exact-match`; some are
programs that misbehave on the wire.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from conformance.adapter import Adapter
from conformance.serve import hello, respond, serve

Answer = Any
TRIGGER = "dog"
"""A vice that would spoil everything comes out only where the hypothesis has this word."""


def edits(left: list[str], right: list[str]) -> int:
    """Levenshtein distance, the plain way."""
    row = list(range(len(right) + 1))
    for i, one in enumerate(left, start=1):
        before, row[0] = row[0], i
        for j, other in enumerate(right, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (one != other))
    return row[-1]


def wer(hypotheses: list[str], references: list[list[str]]) -> float:
    """A right word error rate, pooled; NaN without reference words."""
    pairs = [(h.split(), r[0].split()) for h, r in zip(hypotheses, references, strict=True)]
    words = sum(len(r) for _, r in pairs)
    return sum(edits(h, r) for h, r in pairs) / words if words else float("nan")


def exact(hypotheses: list[str], references: list[list[str]]) -> float:
    """A right exact match."""
    return sum(h in r for h, r in zip(hypotheses, references, strict=True)) / len(hypotheses)


def triggered(hypotheses: Any) -> bool:
    """Whether the vice comes out on this input."""
    return any(TRIGGER in str(each).split() for each in hypotheses)


def raises(hypotheses: Any, references: Any) -> Answer:
    if triggered(hypotheses):
        raise RuntimeError("this fake raises")
    return wer(hypotheses, references)


def hangs(hypotheses: Any, references: Any) -> Answer:
    while triggered(hypotheses):
        time.sleep(0.01)
    return wer(hypotheses, references)


def crashes(hypotheses: Any, references: Any) -> Answer:
    if triggered(hypotheses):
        os._exit(7)
    return wer(hypotheses, references)


def prints(hypotheses: Any, references: Any) -> Answer:
    print("thinking about", hypotheses)
    return wer(hypotheses, references)


def answers_nan(hypotheses: Any, references: Any) -> Answer:
    return float("nan") if triggered(hypotheses) else wer(hypotheses, references)


def answers_none(hypotheses: Any, references: Any) -> Answer:
    return None if triggered(hypotheses) else wer(hypotheses, references)


def answers_text(hypotheses: Any, references: Any) -> Answer:
    return "0.5 or so" if triggered(hypotheses) else wer(hypotheses, references)


def answers_huge(hypotheses: Any, references: Any) -> Answer:
    return "x" * 5_000_000 if triggered(hypotheses) else wer(hypotheses, references)


def mutates_input(hypotheses: Any, references: Any) -> Answer:
    score = wer(hypotheses, references)
    hypotheses.clear()
    for each in references:
        each.append("and more")
    return score


_seen: list[int] = []


def keeps_state(hypotheses: Any, references: Any) -> Answer:
    _seen.append(1)
    return wer(hypotheses, references) + (len(_seen) > 3) / 10


def swaps_arguments(hypotheses: Any, references: Any) -> Answer:
    return wer([each[0] for each in references], [[each] for each in hypotheses])


def wrong_scale(hypotheses: Any, references: Any) -> Answer:
    return 100 * wer(hypotheses, references)


def out_of_order(adapter: Adapter) -> None:
    """Answers each batch of requests from the last to the first."""
    while chunk := os.read(0, 1 << 18):
        while not chunk.endswith(b"\n"):
            chunk += os.read(0, 1 << 18)
        for line in reversed(chunk.splitlines()):
            os.write(1, json.dumps(respond(adapter, line)).encode() + b"\n")


def garbage(adapter: Adapter) -> None:
    """Mixes lines that are no messages into its answers."""
    for line in sys.stdin.buffer:
        os.write(1, b"\x00\xff not a message\n{\"id\": 999999, \"answer\": {}}\n[1, 2]\n")
        os.write(1, json.dumps(respond(adapter, line)).encode() + b"\n")


def silent(adapter: Adapter) -> None:
    """Ends without a word."""
    os._exit(3)


def wrong_hello(adapter: Adapter) -> None:
    """Introduces itself in a protocol that nobody speaks."""
    os.write(1, json.dumps({**hello(adapter), "protocol": 99}).encode() + b"\n")
    time.sleep(60)


FAKES: dict[str, Callable[..., Answer] | None] = {
    "raises": raises, "hangs": hangs, "crashes": crashes, "prints": prints, "answers-nan": answers_nan,
    "answers-none": answers_none, "answers-text": answers_text, "answers-huge": answers_huge,
    "mutates-input": mutates_input, "keeps-state": keeps_state, "swaps-arguments": swaps_arguments,
    "wrong-scale": wrong_scale, "out-of-order": None, "garbage": None, "silent": None, "wrong-hello": None,
}
PROGRAMS: dict[str, Callable[[Adapter], None]] = {
    "out-of-order": out_of_order, "garbage": garbage, "silent": silent, "wrong-hello": wrong_hello,
}


def adapter(vice: str) -> Adapter:
    """The adapter with one vice; a program's vice is not in its answers."""
    made = Adapter(f"fake-{vice}", version="1")
    function = FAKES[vice] or wer
    made.metric("wer", references="one", components=["rate"], fixes={"tokenizer": "whitespace"})(function)
    made.metric("exact-match")(exact)
    return made


def main(vice: str) -> None:
    """Run a fake as a program that speaks the protocol."""
    program = PROGRAMS.get(vice)
    if program is None:
        serve(adapter(vice))
    else:
        program(adapter(vice))


if __name__ == "__main__":
    main(sys.argv[1])
