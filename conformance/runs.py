"""The work of `conformance run`: targets one after another or side by side, then records, reports and the exit status."""

from __future__ import annotations

import io
import multiprocessing
import os
import signal
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from conformance import record, roster
from conformance.console import EXIT_INTERRUPTED, EXIT_UNREACHABLE, EXIT_USAGE, Usage, complain, out
from conformance.ledger import Ledger
from conformance.model import Row, Suite
from conformance.report import exit_code, junit, terminal
from conformance.report.details import Explainer
from conformance.session import Examined, NothingAsked, examine, overrides_of, selection_of
from conformance.transport import TargetError
from conformance.yamlfile import BadFile


def run_targets(options: Namespace, suite: Suite) -> int:
    """Run the targets that the options name, write what is asked for, report; returns the exit status."""
    everything = options.targets == [roster.ALL]
    options.targets = roster.chosen(options.targets, options.metric)
    if options.jobs is None:
        options.jobs = (os.cpu_count() or 1) if everything else 1
    selection_of(options, suite)
    overrides_of(options, suite)
    examined = _side_by_side(options) if options.jobs > 1 and len(options.targets) > 1 else _in_turn(options, suite)
    if everything:  # one that has nothing of what is selected is no news there
        examined = [each for each in examined if not each.not_asked]
    blocks = [each.block for each in examined if each.block is not None]
    problems = {each.block.header.target: each.problems for each in examined if each.block is not None}
    unwritten: list[str] = []
    if options.record and options.record != "-":
        unwritten += _written(options.record, _lines(blocks))
    if options.junit or options.format == "junit":
        text = junit.render(blocks, _reasons_of(examined), problems)
        if options.junit:
            unwritten += _written(options.junit, text)
        if options.format == "junit":
            out(text)
    if options.record == "-":
        out(_lines(blocks).rstrip("\n"))
    elif options.format == "json":
        out(record.as_document(blocks))
    elif options.format == "terminal" and blocks:
        ledgers = {each.block.header.target: each.ledger for each in examined if each.block is not None}
        details = Explainer(suite, tuple(options.cases))
        colour = sys.stdout.isatty()
        out(
            terminal.render(
                blocks, details, problems, ledgers, colour=colour, brief=everything, choices=details.choices
            )
        )
    faults = Counter((*(each.misused or each.unreachable for each in examined), *unwritten))
    for fault, times in faults.items():
        if fault:
            complain(f"{fault} (so for {times} targets)" if times > 1 else fault)
    stopped = sum(each.stopped for each in examined)
    if stopped:
        complain(f"interrupted: {stopped} of {len(examined)} targets have no result")
        return EXIT_INTERRUPTED
    if unwritten or any(each.misused for each in examined):
        return EXIT_USAGE
    return EXIT_UNREACHABLE if any(each.unreachable for each in examined) else exit_code(blocks, problems)


def _lines(blocks: Sequence[record.Block]) -> str:
    stream = io.StringIO()
    for block in blocks:
        record.write(block, stream)
    return stream.getvalue()


def _written(name: str, text: str) -> list[str]:
    """Write a result file; returns what is wrong, so that the other results are still shown."""
    try:
        Path(name).write_text(text, "utf-8")
    except OSError as error:
        return [f"{name}: cannot be written: {error.strerror}"]
    return []


def _reasons_of(examined: Sequence[Examined]) -> Callable[[Row, str], str | None]:
    """Why a row deviates, by target, as the ledgers say."""
    known = {
        each.block.header.target: (Ledger.load(Path(each.ledger)), each.block.header.implementation["version"])
        for each in examined
        if each.block is not None and each.ledger is not None
    }

    def reason(row: Row, target: str) -> str | None:
        if target not in known:
            return None
        ledger, version = known[target]
        return ledger.reason(row, version)

    return reason


def _examined(name: str, options: Namespace, suite: Suite, progress: Any = None) -> Examined:
    try:
        return examine(name, options, suite, progress)
    except TargetError as error:
        return Examined(None, unreachable=str(error))
    except NothingAsked as error:
        return Examined(None, misused=str(error), not_asked=True)
    except (Usage, BadFile) as error:
        return Examined(None, misused=str(error))


def _in_turn(options: Namespace, suite: Suite) -> list[Examined]:
    found: list[Examined] = []
    for name in options.targets:
        found.append(_examined(name, options, suite, _progress(name)))
        if found[-1].block is not None and found[-1].block.end is None:
            break  # interrupted: what there is is written and shown
    return found


def _progress(name: str) -> Callable[[int, int], None] | None:
    """Shows how far a run is, on a terminal only."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        if done % 50 == 0 or done == total:
            _status(f"{name}: {done} of {total} checks", over=done == total)

    return show


def _status(text: str, *, over: bool) -> None:
    """A line that the next one overwrites."""
    print(f"\r\x1b[K{'' if over else text}", end="", file=sys.stderr, flush=True)


def _worker(name: str, options: Namespace) -> Examined:
    from conformance.suite import load, with_cases

    return _examined(name, options, with_cases(load(), options.cases))


def _ignore_interrupts() -> None:
    """The person's interrupt is the parent's affair; it ends the workers and keeps what is done."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _side_by_side(options: Namespace) -> list[Examined]:
    """The targets in processes of their own; where the person stops it, those that are done are kept."""
    workers = min(options.jobs, len(options.targets), os.cpu_count() or 1)
    pool = ProcessPoolExecutor(max_workers=workers, initializer=_ignore_interrupts)
    futures = {name: pool.submit(_worker, name, options) for name in options.targets}
    names = {future: name for name, future in futures.items()}
    try:
        for done, future in enumerate(as_completed(names), start=1):
            if sys.stderr.isatty():
                _status(f"{done} of {len(names)} targets, {names[future]} the last", over=done == len(names))
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
        return [_result(futures[name]) or Examined(None, stopped=True) for name in options.targets]
    pool.shutdown(wait=False)
    return [_result(futures[name]) or _alone(name, options) for name in options.targets]


def _result(future: Future[Examined]) -> Examined | None:
    """What a worker found; None where it was ended before."""
    whole = future.done() and not future.cancelled() and not isinstance(future.exception(), BrokenProcessPool)
    return future.result() if whole else None


def _alone(name: str, options: Namespace) -> Examined:
    """A target in a process of its own, after a worker was killed, and with it all that was not done."""
    with ProcessPoolExecutor(max_workers=1, initializer=_ignore_interrupts) as pool:
        future = pool.submit(_worker, name, options)
    killed = f"{name}: its process was killed, as a system ends what needs more memory than there is"
    return _result(future) or Examined(None, unreachable=killed)
