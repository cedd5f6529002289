"""What several tests need: the suite, the oracle, and a way to run an adapter made in a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.adapter import Adapter
from conformance.model import Row, Suite
from conformance.plan import Selection
from conformance.profiles import Oracle
from conformance.run import run
from conformance.suite import load
from conformance.target import load_shipped
from conformance.transport import InProcess

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def suite() -> Suite:
    return load()


@pytest.fixture(scope="session")
def oracle(suite: Suite) -> Oracle:
    return Oracle(load_shipped("reference"), suite.metrics)


Run = Callable[..., dict[str, Row]]


@pytest.fixture
def held(suite: Suite, oracle: Oracle) -> Run:
    """Runs an adapter on the checks whose ids match; rows by check id."""

    def go(adapter: Adapter, *globs: str, timeout: float = 5.0) -> dict[str, Row]:
        rows = run(suite, InProcess(adapter, timeout), oracle, Selection(globs))
        return {row.check: row for row in rows}

    return go
