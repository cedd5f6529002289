"""Speed, as ratios within one run: the engine's cost a check, transports, and the reference against libraries.

Run in a checkout with the adapters installed: python -m benchmarks.bench [engine|transport|reference|growth|all]. These are medians of several rounds of one
run on one machine; compare the ratios, not the microseconds.
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.corpora import corpus
from conformance.model import Ask, Suite
from conformance.plan import Selection
from conformance.profiles import Oracle
from conformance.run import run
from conformance.suite import load
from conformance.target import connect, load_shipped
from conformance.transport import Connection, Question, Reply


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


def peers() -> Iterator[Any]:
    """The modules that name a family's metrics and their peers; one whose library is missing is told."""
    for path in sorted((Path(__file__).parent / "peers").glob("*.py")):
        try:
            yield importlib.import_module(f"benchmarks.peers.{path.stem}")
        except ImportError as error:
            print(f"reference: {path.stem}: not measured, {error}")


def reference() -> None:
    """The reference against the libraries on 2,000 segments; above 1 is slower than the reference."""
    for module in peers():
        for name, ours, others in module.rows():
            own = timed(ours, 3)
            print(f"reference: {name}: {1e6 * own / 2000:.1f} us a segment")
            for other, call in others.items():
                print(f"  {other}: {timed(call, 3) / own:.2f} times the reference's time")


def growth() -> None:
    """How the reference's time grows with the number of tokens; each ratio is to the length before."""
    for module in peers():
        for name, made in module.growth().items():
            spent = {tokens: timed(made(tokens), 1) for tokens in (10, 100, 1_000, 10_000)}
            ratios = [f"{later / earlier:.1f}" for earlier, later in pairwise(spent.values())]
            print(
                f"growth: {name}: {', '.join(f'{1e3 * each:.2f} ms' for each in spent.values())}; times {', '.join(ratios)}"
            )


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "all"
    for each in (engine, transport, reference, growth):
        if wanted in (each.__name__, "all"):
            each()
