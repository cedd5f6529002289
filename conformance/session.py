"""One target: connect, run, hold against its ledger; and writing what is new into the ledger."""

from __future__ import annotations

import platform
import re
import time
from argparse import Namespace
from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from conformance.against import run_against
from conformance.baseline import baseline
from conformance.console import EXIT_OK, Usage, out
from conformance.environment import RELEASE
from conformance.explore import settings_of
from conformance.ledger import Ledger, Problem
from conformance.model import Row, Suite
from conformance.names import unknown_metric
from conformance.plan import Selection
from conformance.profiles import Oracle, declared_truly
from conformance.record import Block, Header, end_of
from conformance.run import Interrupted, run
from conformance.suite import home
from conformance.target import RECORDED, connect, load_shipped, shipped_names
from conformance.transport import Connection, Identity, TargetError


@dataclass(frozen=True, slots=True)
class Examined:
    """One target after its run: its block, what its ledger finds wrong, where that ledger is; or why there is none."""

    block: Block | None
    problems: tuple[Problem, ...] = ()
    ledger: str | None = None
    unreachable: str | None = None
    misused: str | None = None
    not_asked: bool = False
    stopped: bool = False


class NothingAsked(Usage):
    """Nothing of what is selected is about a target."""


def selection_of(options: Namespace, suite: Suite) -> Selection:
    """What the options select. Raises Usage for names that nothing has."""
    for name in options.metric:
        if name not in suite.metrics:
            raise Usage(unknown_metric(name, suite.metrics))
    chosen = Selection(tuple(options.select), tuple(options.metric), tuple(options.clause))
    if not getattr(options, "properties", False) and not any(chosen.takes(check) for check in suite.checks):
        raise Usage("no check is selected; `conformance list checks GLOB` shows the ids, `list clauses` the clauses")
    return chosen


def overrides_of(options: Namespace, suite: Suite) -> dict[str, dict[str, Any]]:
    """The profiles that the user names, by metric. Raises Usage."""
    if not options.profile:
        return {}
    names = options.metric or list(suite.metrics)
    words = [word for word in options.profile if "=" in word]
    named = [word for word in options.profile if "=" not in word]
    result: dict[str, dict[str, Any]] = {}
    problems = []
    for name in names:
        metric = suite.metrics[name]
        try:
            settings: dict[str, Any] = {}
            for profile in named:
                settings.update(settings_of(metric, [], profile))
            settings.update(settings_of(metric, words))
            result[name] = settings
        except ValueError as error:
            problems.append(str(error))
    if not result:
        raise Usage(problems[0])
    return result


def ledger_for(name: str, connection: Connection, given: str | None, *, may_be_new: bool = False) -> Ledger | None:
    """The ledger that goes with a target: the one named, the shipped one of that implementation, or ./deviations.yaml."""
    if given is not None:
        path = Path(given)
        if not path.exists():
            if may_be_new:
                return None
            raise Usage(f"{given}: no such ledger")
        return Ledger.load(path)
    identity = connection.identity
    base, _, how = name.partition("@")
    ours = base.partition(":")[0] == identity.name or identity.language == "python" or how == RECORDED
    if ours and identity.name in shipped_names():
        shipped = shipped_ledger(identity.name)
        if shipped.exists():
            return Ledger.load(shipped)
    for own in own_ledgers(name):
        ledger = Ledger.load(own) if own.exists() else None
        if ledger is not None and ledger.target in {identity.name, name, Path(name.partition(":")[0]).stem}:
            return ledger
    return None


def other_release(name: str) -> bool:
    """Whether a target is a release that the user names, and not the pinned one, which the shipped ledger is about."""
    return RELEASE.fullmatch(name.partition("@")[2]) is not None


def own_ledgers(name: str) -> list[Path]:
    """Where the ledger of a person's own target is looked for, in the working folder: one is for all, one for this."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(name.partition("@")[0]).name).strip("-.") or "target"
    return [Path("deviations.yaml"), Path(f"{stem}.deviations.yaml")]


def shipped_ledger(name: str) -> Path:
    """Where the ledger of an adapter of ours lies."""
    return home() / "adapters" / f"{name}.deviations.yaml"


def examine(name: str, options: Namespace, suite: Suite, progress: Any = None) -> Examined:
    """Run one target. Raises TargetError where it cannot be reached, Usage and BadFile."""
    selection = selection_of(options, suite)
    overrides = overrides_of(options, suite)
    oracle = Oracle(load_shipped("reference"), suite.metrics)
    metric = options.metric[0] if len(options.metric) == 1 else None
    started = datetime.now(timezone.utc).isoformat(timespec="seconds")
    clock = time.perf_counter()
    interrupted = False
    with connect(
        name, metric=metric, input=options.input, timeout=options.timeout, isolate=options.isolate
    ) as connection:
        declared_truly(name, connection.capabilities, suite.metrics)
        known = set(connection.capabilities) & set(suite.metrics)
        if not known:
            raise TargetError(
                f"{name}: it offers no metric of the suite; it has {', '.join(connection.capabilities) or 'none'}"
            )
        if options.metric and not known & set(options.metric):
            raise NothingAsked(f"{name} has no {', '.join(options.metric)}; it has {', '.join(sorted(known))}")
        ledger = (
            None
            if options.against
            else ledger_for(name, connection, options.ledger, may_be_new=options.command == "accept")
        )
        try:
            if options.properties:
                from conformance.properties import property_rows

                rows = property_rows(
                    connection, oracle, suite, selection, options.examples, options.seed, overrides, progress
                )
            elif options.against:
                with connect(options.against, timeout=options.timeout, isolate=options.isolate) as original:
                    rows = run_against(suite, connection, original, oracle, selection, options.against)
            else:
                rows = run(suite, connection, oracle, selection, overrides=overrides, progress=progress)
        except Interrupted as interruption:
            rows, interrupted = interruption.rows, True
            if not rows:
                raise KeyboardInterrupt from interruption
        if not rows:
            raise NothingAsked(f"{name}: nothing of what is selected is about this target")
        identity = connection.identity
        said = {each: replace(connection.capabilities[each], scale={}).as_json() for each in sorted(known)}
        declared = {each: connection.capabilities[each].chosen() for each in sorted(known)}
    if ledger is not None:
        rows = [replace(row, standing=ledger.stand(row, identity.version)) for row in rows]
    else:
        rows = [replace(row, standing=unledgered(row)) for row in rows]
    partial = interrupted or overrides or options.properties or options.cases
    full = selection.everything and not partial
    problems = tuple(ledger.review(rows, full, identity.version, other_release(name))) if ledger is not None else ()
    header = Header(
        target=name,
        implementation=described(identity),
        suite={"version": suite.version, "digest": suite.digest},
        platform=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        seed=options.seed if hasattr(options, "seed") else 0,
        started=started,
        profile={each: overrides.get(each, declared[each]) for each in declared},
        capabilities=said,
    )
    counts = baseline(suite, rows) if not (options.against or options.properties) else {"zero": 0, "one": 0}
    end = end_of(rows, counts, sum(each.check is None for each in problems), time.perf_counter() - clock)
    return Examined(
        Block(header, tuple(rows), None if interrupted else end), problems, None if ledger is None else ledger.file
    )


def described(identity: Identity) -> dict[str, Any]:
    """Who answered, as a record says it."""
    found = {"name": identity.name, "version": identity.version, "language": identity.language}
    return {**found, "provenance": dict(identity.provenance)} if identity.provenance else found


def unledgered(row: Row) -> Any:
    """The standing of a row where no ledger is."""
    from conformance.model import GOOD, Standing

    return Standing.AS_EXPECTED if row.outcome in GOOD else Standing.NEW


SHORTEST_REASON = 10


def accept_target(options: Namespace, suite: Suite) -> int:
    """The work of `conformance accept`: run, then write what is new into the ledger."""
    from conformance import ledger as ledgers

    name = options.targets[0]
    if len(options.reason.strip()) < SHORTEST_REASON:
        raise Usage(f"--reason: expected a sentence of at least {SHORTEST_REASON} characters, found {options.reason!r}")
    options.against, options.properties, options.seed = None, False, 0
    examined = examine(name, options, suite)
    if examined.block is None:
        raise TargetError(f"{name}: nothing was run")
    implementation = examined.block.header.implementation["name"]
    ours = (
        implementation in shipped_names() and (home() / "cases").is_dir()
    )  # in a checkout, not in the installed package
    free = [each for each in own_ledgers(name) if not each.exists()]
    if not (options.ledger or examined.ledger or ours or free):
        raise Usage(f"{own_ledgers(name)[-1]} is the ledger of another target; name one: --ledger FILE")
    path = Path(options.ledger or examined.ledger or (shipped_ledger(implementation) if ours else free[0]))
    full = not (options.select or options.metric or options.clause or options.profile or options.cases)
    text = ledgers.accept(
        path,
        examined.block.rows,
        target=implementation,
        reason=options.reason,
        kind=options.kind,
        issue=options.issue,
        full=full,
        version=examined.block.header.implementation["version"],
        only=ours and other_release(name),
    )
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise Usage(f"{path}: cannot be written: {error.strerror}") from error
    standings = Counter(row.standing.value for row in examined.block.rows)
    taken = standings["new"] + standings["changed"]
    gone = f"; {standings['fixed']} fixed ones taken out" if standings["fixed"] else ""
    out(f"{path}: {taken} {'deviation' if taken == 1 else 'deviations'} accepted: {options.reason}{gone}")
    return EXIT_OK
