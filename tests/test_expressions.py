"""Expected values are exact, safe and bounded."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.expressions import ExpressionError, close, compare, evaluate, number, parse, parse_relation


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("6/7", Fraction(6, 7)),
        ("0.1", Fraction(1, 10)),
        ("2**10", Fraction(1024)),
        ("-2**2", Fraction(-4)),
        ("2**3**2", Fraction(512)),
        ("(4/9)**(1/2)", Fraction(2, 3)),
        ("sqrt(1/4)", Fraction(1, 2)),
        ("exp(0)", Fraction(1)),
        ("min(1/2, 1/3)", Fraction(1, 3)),
        ("abs(1 - 3)", Fraction(2)),
        ("1e-7", Fraction(1, 10**7)),
    ],
)
def test_rationals_stay_rationals(text: str, value: Fraction) -> None:
    found = number(text)
    assert found == value
    assert isinstance(found, Fraction)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("exp(1 - 4/3)", math.exp(-1 / 3)),
        ("log(2)", math.log(2)),
        ("log2(8)", 3.0),
        ("2**(1/2)", math.sqrt(2)),
        ("inf", math.inf),
    ],
)
def test_functions_leave_the_rationals(text: str, value: float) -> None:
    assert float(number(text)) == pytest.approx(value, rel=1e-15)


def test_variables_have_values() -> None:
    assert number("2*(q-n+1)/(2*q-n+1)", {"q": Fraction(10), "n": Fraction(2)}) == Fraction(18, 19)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 +",
        "2 ** (",
        "__import__('os')",
        "a.b",
        "1/0",
        "unknown",
        "10**100000",
        "9**9**9",
        "exp(10**9)",
        "log(-1)",
        "(-1)**(1/2)",
        "1 1",
        "a[1]",
        "lambda: 1",
        "1" * 3000,
        "(" * 100 + "1" + ")" * 100,
        "1..20000",
        "'text'",
        "1 < 2",
    ],
)
def test_what_is_no_number_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        number(text)
    assert "\n" not in str(caught.value)


def test_a_hyphen_joins_names_in_a_relation_and_subtracts_in_a_value() -> None:
    assert number("q-n", {"q": Fraction(3), "n": Fraction(1)}) == 2
    seen = []
    evaluate(parse_relation("token-overlap(A).f1 == 1"), {}, lambda node: seen.append(node) or Fraction(1))
    assert len(seen) == 1


def test_equality_is_within_rounding_and_less_is_beyond_it() -> None:
    assert compare("==", 1.0, 1.0 + 1e-13)
    assert not compare("<", 1.0, 1.0 + 1e-13)
    assert compare("<=", 1.0 + 1e-13, 1.0)
    assert compare("<", 1.0, 1.001)
    assert compare("!=", 1.0, 1.001)


def test_a_zero_is_exact() -> None:
    assert not close(0.0, 1.5e-154)
    assert not close(1e-13, 0.0)
    assert close(0.0, -0.0)


def test_lists_are_compared_element_by_element() -> None:
    assert compare("<=", [1, 2], [1, 3])
    assert not compare("<=", [1, 2], [1, 1])
    assert not compare("==", [1], [1, 1])


@given(st.integers(-999, 999), st.integers(1, 999), st.integers(1, 50))
def test_a_fraction_prints_and_reads_back(numerator: int, denominator: int, factor: int) -> None:
    value = Fraction(numerator, denominator)
    assert number(f"{factor}*({value})/{factor}") == value


def test_parsing_is_bounded_in_depth_and_length() -> None:
    with pytest.raises(ExpressionError, match="nested"):
        parse("-" * 100 + "1")
