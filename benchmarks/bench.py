"""Speed, as ratios within one run: the engine's cost a check, transports, and the reference against libraries.

Run in a checkout with the adapters installed: python benchmarks/bench.py [engine|transport|reference|all]. These are medians of several rounds of one
run on one machine; compare the ratios, not the microseconds.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from conformance.model import Ask, Suite
from conformance.plan import Selection
from conformance.profiles import Oracle
from conformance.run import run
from conformance.suite import load
from conformance.target import connect, load_shipped
from conformance.transport import Connection, Question, Reply

WORDS = [f"w{number}" for number in range(400)]


def corpus(segments: int, references: int, length: int = 25, seed: int = 1) -> tuple[list[str], list[list[str]]]:
    """Hypotheses that share most words with their references."""
    draw = random.Random(seed)
    hypotheses, all_references = [], []
    for _ in range(segments):
        base = [draw.choice(WORDS) for _ in range(draw.randint(length - 8, length + 8))]
        several = [[w if draw.random() > 0.2 else draw.choice(WORDS) for w in base] for _ in range(references)]
        hypotheses.append(" ".join(w if draw.random() > 0.2 else draw.choice(WORDS) for w in base))
        all_references.append([" ".join(each) for each in several])
    return hypotheses, all_references


def timed(function: Callable[[], Any], rounds: int = 5) -> float:
    """The median time of a call, in seconds."""
    spent = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        spent.append(time.perf_counter() - start)
    return statistics.median(spent)


class Summed:
    """A connection that adds up what its calls take."""

    def __init__(self, connection: Connection) -> None:
        self.connection, self.seconds = connection, 0.0
        self.identity, self.capabilities = connection.identity, connection.capabilities

    def ask(self, questions: Iterable[Question]) -> Iterator[Reply]:
        for reply in self.connection.ask(questions):
            self.seconds += reply.seconds
            yield reply


def engine() -> None:
    """What the engine adds: to a check of the suite beyond the call, and to a corpus over the bare call."""
    whole = load()
    small = [each for each in whole.checks if all(segments_of(whole, ask) < 50 for ask in each.terms.values())]
    suite = replace(whole, checks=small)
    oracle = Oracle(load_shipped("reference"), suite.metrics)
    with connect("reference") as connection:
        beyond = []
        for _ in range(7):
            summed = Summed(connection)
            start = time.perf_counter()
            rows = run(suite, summed, oracle, Selection())  # type: ignore[arg-type]
            beyond.append((time.perf_counter() - start - summed.seconds) / len(rows))
        print(
            f"engine: {len(rows)} checks, {1e6 * statistics.median(beyond):.1f} us a check beyond the call (median of 7)"
        )
        for segments in (200, 1000):
            print(f"engine: corpus of {segments} segments: {over_bare(connection, segments):.2f} times the bare call")


def segments_of(suite: Suite, ask: Ask) -> int:
    """How many segments a check asks about; corpora are measured apart."""
    return len(suite.inputs[ask.input].get("hypotheses", ()))


def over_bare(connection: Connection, segments: int) -> float:
    """Asking through the engine over calling the adapter, on a corpus."""
    hypotheses, references = corpus(segments, 4)
    adapter = load_shipped("reference")
    question = Question("bleu", {"hypotheses": hypotheses, "references": references}, {})
    call = timed(lambda: adapter.call("bleu", question.arguments, {}))
    return timed(lambda: list(connection.ask([question]))) / call


def transport() -> None:
    """Checks a second in process and over JSON Lines."""
    question = Question("exact-match", {"hypotheses": ["a b"], "references": [["a b"]]}, {})
    count = 20_000
    for label, isolate in (("in process", False), ("JSON Lines", True)):
        with connect("null:zero", isolate=isolate) as connection:
            list(connection.ask([question] * 100))
            spent = timed(lambda: list(connection.ask([question] * count)), 3)
            print(f"transport: {label}: {count / spent:,.0f} checks a second")


def reference() -> None:
    """The reference against the libraries on 2,000 segments."""
    import jiwer
    import nltk
    import rapidfuzz
    import sacrebleu
    from nltk.translate.bleu_score import corpus_bleu

    from conformance.reference import bleu, edit, error_rates

    hypotheses, references = corpus(2000, 4)
    first = [each[0] for each in references]
    streams = [list(each) for each in zip(*references, strict=True)]
    tokens = [each.split() for each in hypotheses]
    reference_tokens = [[one.split() for one in each] for each in references]
    pairs = [(h.split(), r.split()) for h, r in zip(hypotheses[:300], first[:300], strict=True)]
    rows = [
        (
            "BLEU",
            lambda: bleu.bleu(hypotheses, references),
            {
                "sacreBLEU (Python)": lambda: sacrebleu.corpus_bleu(hypotheses, streams, tokenize="none"),
                "NLTK (Python)": lambda: corpus_bleu(reference_tokens, tokens),
            },
        ),
        (
            "WER",
            lambda: error_rates.wer(hypotheses, [[each] for each in first]),
            {
                "JiWER (C++ core)": lambda: jiwer.wer(first, hypotheses),
            },
        ),
        (
            "edit distance, 300 pairs",
            lambda: [edit.distance(h, r) for h, r in pairs],
            {
                "NLTK (Python)": lambda: [nltk.edit_distance(h, r) for h, r in pairs],
                "rapidfuzz (C++)": lambda: [rapidfuzz.distance.Levenshtein.distance(h, r) for h, r in pairs],
            },
        ),
    ]
    for name, ours, others in rows:
        own = timed(ours, 3)
        print(f"reference: {name}: {1e3 * own:.1f} ms")
        for other, call in others.items():
            print(f"  {other}: {timed(call, 3) / own:.2f} times the reference's time")


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "all"
    for each in (engine, transport, reference):
        if wanted in (each.__name__, "all"):
            each()
