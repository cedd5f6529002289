"""Expected values have a second witness each, and every witness is heard again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from conformance.adapter import Adapter
from conformance.model import Check, Suite
from conformance.profiles import Oracle
from conformance.suite import load
from conformance.target import connect
from conformance.transport import InProcess, TargetError
from conformance.witness import hear, needs_witness, reach, second_expressions, systems

SYSTEMS = sorted(systems(load().checks))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_real_system_gives_the_values_that_it_is_a_witness_of(system: str, suite: Suite, oracle: Oracle) -> None:
    try:
        connection = connect(system)
    except TargetError as error:
        pytest.skip(str(error))
    with connection:
        found = list(hear(suite, connection, oracle, system))
    assert found
    assert [each for each in found if each.problem] == []


@pytest.mark.environment
@pytest.mark.parametrize("system", ["pycocoevalcap", "scipy", "statsmodels", "transformers"])
def test_a_large_system_testifies_from_an_environment_of_its_own(system: str, suite: Suite, oracle: Oracle) -> None:
    with reach(system) as connection:
        found = list(hear(suite, connection, oracle, system))
    assert found
    assert [each for each in found if each.problem] == []


def test_second_expressions_agree(suite: Suite) -> None:
    found = list(second_expressions(suite))
    assert found
    assert [each for each in found if each.problem] == []


def test_a_system_has_to_give_every_number_by_the_definitions_own_profile(suite: Suite, oracle: Oracle) -> None:
    """It is asked with the spec's defaults; a component that it lacks, or a fixed choice of its own, is no testimony."""

    def problem(function: Any, **declared: Any) -> str | None:
        adapter = Adapter("mine", "1")
        adapter.metric("bleu", **{"fixes": {"smoothing": "none", "tokenizer": "whitespace"}, **declared})(function)
        check = replace(check_of(suite, "one-token-apart/bleu-1/B"), witness="mine")
        (found,) = hear(replace(suite, checks=[check]), InProcess(adapter), oracle, "mine")
        return found.problem

    full = {"score": 3 / 4, "precisions": [3 / 4], "brevity_penalty": 1.0}
    order = {"accepts": {"max_order": range(1, 5)}}
    assert problem(lambda h, r, max_order: full, **order) is None
    assert problem(lambda h, r, max_order: 3 / 4, **order) == "it does not give precisions[1], brevity_penalty"
    assert problem(lambda h, r, max_order: {**full, "score": 1}, **order) == "fail: score differs"
    refused = problem(lambda h, r: full, fixes={"max_order": 4, "smoothing": "none", "tokenizer": "whitespace"})
    assert refused == "unsupported: the target cannot be set to max_order = 1"


def test_an_expression_with_another_value_is_noticed(suite: Suite) -> None:
    check = next(each for each in suite.checks if isinstance(each.witness, dict))
    assert check.expected is not None
    name = next(iter(check.witness["values"]))
    other = {**check.witness, "values": {**check.witness["values"], name: 0.123}}
    (found,) = second_expressions(replace(suite, checks=[replace(check, witness=other)]))
    assert found.problem == f"the second expression of {name} has another value"


def test_claims_and_errors_need_none(suite: Suite) -> None:
    assert not needs_witness(replace(check_of(suite, "one-token-apart/wer/A"), implementation="mine==1"))
    assert needs_witness(check_of(suite, "one-token-apart/wer/A"))


def check_of(suite: Suite, name: str) -> Check:
    return next(check for check in suite.checks if check.id == name)
