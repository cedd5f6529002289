"""Fakes named by their vice: each is right but for one fault. They prove the transports and the reports.

`conformance run fake:hangs` connects one. All give a right `exact-match`; most spoil a right word error rate,
and what would end a run they do only where the hypothesis has the word "dog". The programs misbehave on the wire.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from conformance.adapter import Adapter
from conformance.serve import hello, lines_of, private_channels, respond, serve, write

Hypotheses = list[str]
References = list[list[str]]
TRIGGER = "dog"


def edits(left: list[str], right: list[str]) -> int:
    """Levenshtein distance, row by row."""
    row = list(range(len(right) + 1))
    for i, one in enumerate(left, start=1):
        before, row[0] = row[0], i
        for j, other in enumerate(right, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (one != other))
    return row[-1]


def wer(hypotheses: Hypotheses, references: References) -> float:
    """A right word error rate, pooled; NaN without reference words."""
    pairs = [(h.split(), r[0].split()) for h, r in zip(hypotheses, references, strict=True)]
    words = sum(len(r) for _, r in pairs)
    return sum(edits(h, r) for h, r in pairs) / words if words else float("nan")


def exact_match(hypotheses: Hypotheses, references: References) -> float:
    """A right exact match."""
    return sum(h in r for h, r in zip(hypotheses, references, strict=True)) / len(hypotheses)


def triggered(hypotheses: Hypotheses) -> bool:
    """Whether the vice comes out on this input."""
    return any(TRIGGER in each.split() for each in hypotheses)


def raises(hypotheses: Hypotheses, references: References) -> float:
    if triggered(hypotheses):
        raise RuntimeError("this fake raises")
    return wer(hypotheses, references)


def exits(hypotheses: Hypotheses, references: References) -> float:
    if triggered(hypotheses):
        sys.exit("this fake exits")
    return wer(hypotheses, references)


def hangs(hypotheses: Hypotheses, references: References) -> float:
    while triggered(hypotheses):
        time.sleep(0.01)
    return wer(hypotheses, references)


def crashes(hypotheses: Hypotheses, references: References) -> float:
    if triggered(hypotheses):
        os.write(2, b"this fake crashes\n")
        os._exit(7)
    return wer(hypotheses, references)


def prints(hypotheses: Hypotheses, references: References) -> float:
    print("thinking about", hypotheses[0])
    return wer(hypotheses, references)


def answers_nan(hypotheses: Hypotheses, references: References) -> float:
    return float("nan") if triggered(hypotheses) else wer(hypotheses, references)


def answers_none(hypotheses: Hypotheses, references: References) -> float | None:
    return None if triggered(hypotheses) else wer(hypotheses, references)


def answers_text(hypotheses: Hypotheses, references: References) -> float | str:
    return "0.5 or so" if triggered(hypotheses) else wer(hypotheses, references)


def answers_huge(hypotheses: Hypotheses, references: References) -> float | str:
    return "x" * 5_000_000 if triggered(hypotheses) else wer(hypotheses, references)


def mutates_input(hypotheses: Hypotheses, references: References) -> float:
    score = wer(hypotheses, references)
    if triggered(hypotheses):
        hypotheses.clear()
    for each in references:
        each.append("and more")
    return score


_asked: list[Hypotheses] = []


def keeps_state(hypotheses: Hypotheses, references: References) -> float:
    _asked.append(hypotheses)
    return wer(hypotheses, references) + (len(_asked) > 3) / 10


def swaps_arguments(hypotheses: Hypotheses, references: References) -> float:
    return wer([each[0] for each in references], [[each] for each in hypotheses])


def wrong_scale(hypotheses: Hypotheses, references: References) -> float:
    return 100 * wer(hypotheses, references)


def out_of_order(adapter: Adapter) -> None:
    """Answers in shuffled order, eight requests at a time."""
    order = random.Random(0)
    requests, answers = private_channels()
    while chunk := os.read(requests, 1 << 18):
        while not chunk.endswith(b"\n"):
            chunk += os.read(requests, 1 << 18)
        lines = chunk.splitlines()
        for start in range(0, len(lines), 8):
            some = lines[start : start + 8]
            order.shuffle(some)
            for line in some:
                message = respond(adapter, line)
                if message is not None:
                    write(answers, message)


def garbage_child(adapter: Adapter) -> None:
    """Mixes lines that are no messages, and answers that nobody asked for, into its answers."""
    requests, answers = private_channels()
    for line in lines_of(requests):
        message = respond(adapter, line) if line.strip() else None
        if message is not None:
            os.write(
                answers,
                b'\x00\xff not a message\n{"id": 999999999, "answer": {}}\n{"id": [1], "answer": 1}\n',
            )
            write(answers, message)


def silent_child(adapter: Adapter) -> None:
    """Never says hello."""
    time.sleep(3600)


def short_lived_child(adapter: Adapter) -> None:
    """Ends after each answer."""
    requests, answers = private_channels()
    for line in lines_of(requests):
        message = respond(adapter, line) if line.strip() else None
        if message is not None:
            write(answers, message)
            if "id" in message:
                return


def wrong_hello(adapter: Adapter) -> None:
    """Introduces itself in a protocol that nobody speaks."""
    _, answers = private_channels()
    write(answers, {**hello(adapter), "protocol": 99})
    time.sleep(3600)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "raises": raises,
    "exits": exits,
    "hangs": hangs,
    "crashes": crashes,
    "prints": prints,
    "answers-nan": answers_nan,
    "answers-none": answers_none,
    "answers-text": answers_text,
    "answers-huge": answers_huge,
    "mutates-input": mutates_input,
    "keeps-state": keeps_state,
    "swaps-arguments": swaps_arguments,
    "wrong-scale": wrong_scale,
}
"""A word error rate each."""
PROGRAMS: dict[str, Callable[[Adapter], None]] = {
    "out-of-order": out_of_order,
    "garbage-child": garbage_child,
    "silent-child": silent_child,
    "short-lived-child": short_lived_child,
    "wrong-hello": wrong_hello,
}
"""Programs that speak the protocol in their own way; there is nothing to call in process."""
PROCESS_LEVEL = {"exits", "hangs", "crashes", *PROGRAMS}
"""The vices that are met in a process of its own, unless one asks otherwise."""
VICES = (*FUNCTIONS, *PROGRAMS)


def adapter(vice: str) -> Adapter:
    """The adapter with one vice; a program's vice is not in its answers."""
    made = Adapter(f"fake-{vice}", version="1")
    made.metric("wer", references="one", components=["rate"], fixes={"tokenizer": "whitespace"})(
        FUNCTIONS.get(vice, wer)
    )
    made.metric("exact-match")(exact_match)
    return made


def main(vice: str) -> None:
    """Run a fake as a program."""
    if vice in PROGRAMS:
        PROGRAMS[vice](adapter(vice))
    else:
        serve(adapter(vice), *private_channels())


if __name__ == "__main__":
    main(sys.argv[1])
