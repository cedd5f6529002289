"""The pytest plugin: `pytest --conformance TARGET` makes one item of each check, named by its id.

Engine and ledger are those of `conformance run`. A known deviation is a strict expected failure; a check that
does not apply is skipped with its reason. Each xdist worker asks the target itself, for the items it runs.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from conformance.model import GOOD, Outcome, Row, Standing, Suite


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the group `conformance`."""
    group = parser.getgroup("conformance", "conformance suite for text metrics")
    group.addoption(
        "--conformance", action="append", default=[], metavar="TARGET", help="make an item of each check of this target"
    )
    group.addoption(
        "--conformance-metric",
        action="append",
        default=[],
        metavar="NAME",
        help="only this metric; for a bare function: which it is",
    )
    group.addoption(
        "--conformance-select", action="append", default=[], metavar="GLOB", help="only checks whose id matches"
    )
    group.addoption(
        "--conformance-profile",
        action="append",
        default=[],
        metavar="NAME|PARAM=VALUE",
        help="hold the target to this profile",
    )
    group.addoption(
        "--conformance-cases",
        action="append",
        default=[],
        metavar="FILE",
        help="scenarios of your own instead of the suite's",
    )
    group.addoption("--conformance-ledger", metavar="FILE", help="known deviations")
    group.addoption(
        "--conformance-timeout", type=float, default=10.0, metavar="SECONDS", help="time limit of one request"
    )
    group.addoption("--conformance-properties", action="store_true", help="also run the invariants on generated input")


def pytest_configure(config: pytest.Config) -> None:
    """A run that names a target and no files collects the target alone."""
    if config.getoption("--conformance"):
        config.pluginmanager.register(Collection(config), "conformance-collection")


@dataclass
class Examination:
    """The rows of one target, asked when the first item needs them."""

    name: str
    options: Namespace
    suite: Suite
    properties: bool
    rows: dict[str, Row] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    asked: bool = False

    def row(self, identifier: str) -> Row | None:
        """The row of one check; None where the target is not asked that."""
        if not self.asked:
            from conformance.session import examine

            self.asked = True
            for also in (False, True) if self.properties else (False,):
                self.options.properties = also
                examined = examine(self.name, self.options, self.suite)
                if examined.block is not None:
                    self.rows.update({row.check: row for row in examined.block.rows})
                self.problems += [each.text for each in examined.problems]
        return self.rows.get(identifier)


class Collection:
    """Adds the items of each target to the session."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    @pytest.hookimpl
    def pytest_collection(self, session: pytest.Session) -> None:
        """Without files on the command line only the targets are collected."""
        if self.config.args_source != pytest.Config.ArgsSource.ARGS:
            self.config.args = []

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Append an item for each check of each target."""
        for name in self.config.getoption("--conformance"):
            node = Target.from_parent(session, name=name, path=Path(str(self.config.rootpath)))
            items.extend(node.collect())


def _options(config: pytest.Config, name: str) -> Namespace:
    return Namespace(
        command="run",
        targets=[name],
        metric=config.getoption("--conformance-metric"),
        input=None,
        isolate=None,
        select=config.getoption("--conformance-select"),
        clause=[],
        cases=config.getoption("--conformance-cases"),
        against=None,
        properties=False,
        seed=0,
        examples=100,
        profile=config.getoption("--conformance-profile"),
        ledger=config.getoption("--conformance-ledger"),
        timeout=config.getoption("--conformance-timeout"),
    )


class Target(pytest.Collector):
    """One target; its items are the checks that are about a metric it has."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item a check, named by its id."""
        from conformance.console import Usage
        from conformance.plan import claimed
        from conformance.session import selection_of
        from conformance.suite import load, with_cases
        from conformance.target import connect
        from conformance.transport import TargetError
        from conformance.yamlfile import BadFile

        options = _options(self.config, self.name)
        metric = options.metric[0] if len(options.metric) == 1 else None
        try:
            suite = with_cases(load(), options.cases)
            selection = selection_of(options, suite)
            with connect(self.name, metric=metric, timeout=options.timeout) as connection:
                identity, metrics = connection.identity, set(connection.capabilities)
        except (TargetError, Usage, BadFile) as error:
            text = str(error).replace("--metric", "--conformance-metric")
            raise pytest.UsageError(f"--conformance {self.name}: {text}") from error
        properties = bool(self.config.getoption("--conformance-properties"))
        examination = Examination(self.name, options, suite, properties)
        for check in suite.checks:
            if check.metric in metrics and selection.takes(check) and claimed(check, identity.name, identity.version):
                yield Item.from_parent(self, name=check.id, examination=examination)
        for name in sorted(metrics & set(suite.metrics)) if properties else ():
            for law in suite.metrics[name].invariants:
                if not options.metric or name in options.metric:
                    yield Item.from_parent(self, name=f"properties/{name}/{law}", examination=examination)


class Deviation(Exception):
    """A check that did not come out as expected; shown without a traceback."""


class Item(pytest.Item):
    """One check of one target."""

    def __init__(self, *, examination: Examination, **rest: Any) -> None:
        super().__init__(**rest)
        self.examination = examination

    def runtest(self) -> None:
        """Pass, skip, fail strictly or fail as the row's outcome and standing have it."""
        row = self.examination.row(self.name)
        if row is None:
            pytest.skip("the target was not asked this")
        if row.outcome is Outcome.UNSUPPORTED:
            pytest.skip(f"unsupported: {row.message}")
        if row.standing is Standing.FIXED:
            raise Deviation(f"{self.name}: a deviation of the ledger is gone; take the entry out")
        if row.outcome in GOOD:
            return
        if row.standing is Standing.AS_EXPECTED:
            pytest.xfail(f"known deviation: {row.message or row.outcome.value}")
        raise Deviation(self.explained(row))

    def explained(self, row: Row) -> str:
        """The failure as `conformance run` shows it."""
        from conformance.report.details import Explainer
        from conformance.report.terminal import failure

        shown = Explainer(self.examination.suite)(row, self.examination.name)
        return "\n".join(line.removeprefix("  ") for line in failure(row, shown, colour=False))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        """A deviation as its own lines; anything else as pytest shows it."""
        if isinstance(excinfo.value, Deviation):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo, style))

    def reportinfo(self) -> tuple[Path, None, str]:
        """The check's id stands for the item."""
        return self.path, None, f"{self.examination.name}::{self.name}"
