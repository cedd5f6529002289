"""Exact expected values, and the relations between answers: one small grammar, parsed and evaluated here.

Numbers, names, + - * / **, parentheses, comparisons, lists, `a.part`, `a[n]`, `f(x)` and ranges `1..n`.
Rationals stay rationals until a function leaves them (`exp(1 - 4/3)`); nothing of Python is executed, and
length, depth, exponents and the size of numbers are bounded. In a relation a hyphen that stands between
two letters belongs to a name (`token-overlap(A).f1`); in a value it is a minus.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

Number = Fraction | float

MAX_LENGTH = 2_000
MAX_DEPTH = 60
MAX_EXPONENT = 10_000
MAX_BITS = 200_000
MAX_RANGE = 10_000

RELATIVE, ABSOLUTE = 1e-9, 1e-12


class ExpressionError(ValueError):
    """The text is no expression of this grammar, or has no value; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Literal:
    value: Fraction | str


@dataclass(frozen=True, slots=True)
class Name:
    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Comparison:
    operands: tuple[Node, ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Items:
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Call:
    function: Node
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Part:
    whole: Node
    name: str


@dataclass(frozen=True, slots=True)
class Element:
    whole: Node
    index: Node


@dataclass(frozen=True, slots=True)
class Range:
    first: Node
    last: Node


Node = Literal | Name | Unary | Binary | Comparison | Items | Call | Part | Element | Range

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.(?!\.)\d*)?(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)"
    r"|(?P<quoted>'[^']*'|\"[^\"]*\")|(?P<operator>\*\*|\.\.|<=|>=|==|!=|[-+*/()\[\],.<>]))"
)
_HYPHENED = re.compile(r"\s*(?P<name>[^\W\d]\w*(?:-[^\W\d]\w*)+)")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class _Parser:
    """A recursive-descent parser over the tokens of one text."""

    def __init__(self, text: str, *, hyphens: bool) -> None:
        if len(text) > MAX_LENGTH:
            raise ExpressionError(f"an expression of {len(text):,} characters; at most {MAX_LENGTH:,} are read")
        self.text = text
        self.tokens = _tokenize(text, hyphens)
        self.position = 0
        self.depth = 0

    def fail(self, expected: str) -> ExpressionError:
        kind, value, at = self.tokens[self.position]
        found = "the end" if kind == "end" else repr(value)
        return ExpressionError(f"in {self.text!r}, column {at + 1}: expected {expected}, found {found}")

    def accept(self, *operators: str) -> str | None:
        kind, value, _ = self.tokens[self.position]
        if kind == "operator" and value in operators:
            self.position += 1
            return value
        return None

    def expect(self, operator: str) -> None:
        if self.accept(operator) is None:
            raise self.fail(repr(operator))

    def whole(self) -> Node:
        node = self.comparison()
        if self.tokens[self.position][0] != "end":
            raise self.fail("an operator or the end")
        return node

    def comparison(self) -> Node:
        operands, operators = [self.range()], []
        while (operator := self.accept(*_COMPARISONS)) is not None:
            operators.append(operator)
            operands.append(self.range())
        return Comparison(tuple(operands), tuple(operators)) if operators else operands[0]

    def range(self) -> Node:
        first = self.sum()
        return Range(first, self.sum()) if self.accept("..") else first

    def sum(self) -> Node:
        node = self.product()
        while (operator := self.accept("+", "-")) is not None:
            node = Binary(operator, node, self.product())
        return node

    def product(self) -> Node:
        node = self.signed()
        while (operator := self.accept("*", "/")) is not None:
            node = Binary(operator, node, self.signed())
        return node

    def signed(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"in {self.text!r}: nested deeper than {MAX_DEPTH} levels")
        try:
            if self.accept("-"):
                return Unary(self.signed())
            base = self.postfix()
            return Binary("**", base, self.signed()) if self.accept("**") else base
        finally:
            self.depth -= 1

    def postfix(self) -> Node:
        node = self.primary()
        while True:
            if self.accept("("):
                node = Call(node, self.listed(")"))
            elif self.accept("["):
                node = Element(node, self.range())
                self.expect("]")
            elif self.accept("."):
                kind, value, _ = self.tokens[self.position]
                if kind != "name":
                    raise self.fail("the name of a component")
                self.position += 1
                node = Part(node, value)
            else:
                return node

    def primary(self) -> Node:
        kind, value, _ = self.tokens[self.position]
        if kind == "number":
            self.position += 1
            if "e" in value.lower() and abs(int(re.split("[eE]", value)[1])) > 400:
                raise ExpressionError(f"in {self.text!r}: the exponent of {value} is too large")
            return Literal(Fraction(value.rstrip(".")))
        if kind == "name":
            self.position += 1
            return Name(value)
        if kind == "quoted":
            self.position += 1
            return Literal(value[1:-1])
        if self.accept("("):
            node = self.comparison()
            self.expect(")")
            return node
        if self.accept("["):
            return Items(self.listed("]"))
        raise self.fail("a number, a name or a parenthesis")

    def listed(self, end: str) -> tuple[Node, ...]:
        items: list[Node] = []
        if self.accept(end):
            return ()
        while True:
            items.append(self.comparison())
            if self.accept(end):
                return tuple(items)
            self.expect(",")


def _tokenize(text: str, hyphens: bool) -> list[tuple[str, str, int]]:
    tokens, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = (hyphens and _HYPHENED.match(text, position)) or _TOKEN.match(text, position)
        if match is None or match.end() == position:
            at = position + len(text[position:]) - len(text[position:].lstrip())
            raise ExpressionError(f"in {text!r}, column {at + 1}: {text[at]!r} is not part of an expression")
        kind = match.lastgroup or ""
        tokens.append((kind, match.group(kind), match.start(kind)))
        position = match.end()
    return [*tokens, ("end", "", len(text))]


@lru_cache(maxsize=4096)
def parse(text: str) -> Node:
    """Parse a value: `2*(q-n+1)/(2*q-n+1)`. Raises ExpressionError."""
    return _parsed(text, hyphens=False)


@lru_cache(maxsize=4096)
def parse_relation(text: str) -> Node:
    """Parse a relation, where hyphens join names: `token-overlap(A).f1 == dice(A)`. Raises ExpressionError."""
    return _parsed(text, hyphens=True)


def _parsed(text: str, *, hyphens: bool) -> Node:
    try:
        return _Parser(text, hyphens=hyphens).whole()
    except RecursionError as error:
        raise ExpressionError(f"in {text[:40]!r}: nested too deeply") from error


def children(node: Node) -> tuple[Node, ...]:
    """The parts of an expression, from left to right."""
    if isinstance(node, Unary):
        return (node.operand,)
    if isinstance(node, Binary):
        return (node.left, node.right)
    if isinstance(node, Comparison):
        return node.operands
    if isinstance(node, Items):
        return node.items
    if isinstance(node, Call):
        return (node.function, *node.arguments)
    if isinstance(node, Part):
        return (node.whole,)
    if isinstance(node, Element):
        return (node.whole, node.index)
    if isinstance(node, Range):
        return (node.first, node.last)
    return ()


def _exact_root(value: Fraction, exponent: Fraction) -> Fraction | None:
    """value ** exponent where that is rational, for a root of small degree; else None."""
    degree = exponent.denominator
    if value < 0 or degree > 64 or abs(exponent.numerator) > MAX_EXPONENT:
        return None
    roots = []
    for part in (value.numerator, value.denominator):
        root = round(part ** (1 / degree)) if part.bit_length() < 900 else 0
        if root**degree != part:
            return None
        roots.append(root)
    return Fraction(roots[0], roots[1]) ** exponent.numerator


def power(base: Number, exponent: Number) -> Number:
    """base ** exponent: exact where the result is rational, else a float. Raises ExpressionError."""
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        if base == 0 and exponent < 0:
            raise ExpressionError("zero to a negative power")
        if exponent.denominator == 1:
            bits = max(base.numerator.bit_length(), base.denominator.bit_length())
            if abs(exponent) > MAX_EXPONENT or bits * abs(exponent.numerator) > MAX_BITS:
                raise ExpressionError(f"{base}**{exponent} is too large to be worked out exactly")
            return Fraction(base**exponent.numerator)
        exact = _exact_root(base, exponent)
        if exact is not None:
            return exact
    try:
        result = float(base) ** float(exponent)
    except (OverflowError, ZeroDivisionError) as error:
        raise ExpressionError(f"{base}**{exponent}: {error}") from error
    if isinstance(result, complex):
        raise ExpressionError(f"{base}**{exponent} is not a real number")
    return float(result)


def _real(function: Callable[[float], float]) -> Callable[[Number], Number]:
    def apply(value: Number) -> Number:
        try:
            return function(float(value))
        except (ValueError, OverflowError) as error:
            raise ExpressionError(f"{function.__name__}({value}): {error}") from error

    return apply


def _sqrt(value: Number) -> Number:
    return power(value, Fraction(1, 2))


def _exp(value: Number) -> Number:
    return Fraction(1) if value == 0 else _real(math.exp)(value)


FUNCTIONS: Mapping[str, Callable[..., Number]] = {
    "exp": _exp,
    "log": _real(math.log),
    "log2": _real(math.log2),
    "sqrt": _sqrt,
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "abs": abs,
}
CONSTANTS: Mapping[str, Number] = {"inf": math.inf, "nan": math.nan}


def close(left: float, right: float, *, relative: float = RELATIVE, absolute: float = ABSOLUTE) -> bool:
    """Whether two numbers agree: equal, both NaN, or within the tolerance, where neither is exactly zero.

    A zero is exact: a definition that gives zero does not give 1.5e-154.
    """
    if left == right or (left != left and right != right):
        return True
    if left == 0 or right == 0 or math.isinf(left) or math.isinf(right):
        return False
    return abs(left - right) <= max(relative * max(abs(left), abs(right)), absolute)


def compare(operator: str, left: Any, right: Any) -> bool:
    """One comparison, with equality within rounding: `<` is smaller by more than rounding."""
    if isinstance(left, (list, tuple)) or isinstance(right, (list, tuple)):
        both = isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)) and len(left) == len(right)
        equal = both and all(compare("==", a, b) for a, b in zip(left, right, strict=True))
        if operator in ("==", "!="):
            return equal == (operator == "==")
        return both and all(compare(operator, a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, str) or isinstance(right, str):
        if operator not in ("==", "!="):
            raise ExpressionError(f"{left!r} {operator} {right!r}: text has no order")
        return bool(left == right) == (operator == "==")
    exact = isinstance(left, Fraction) and isinstance(right, Fraction)
    equal = left == right if exact else close(float(left), float(right))
    if operator in ("==", "!="):
        return equal == (operator == "==")
    if operator in ("<=", ">="):
        return equal or bool(left < right if operator == "<=" else left > right)
    return not equal and bool(left < right if operator == "<" else left > right)


Resolve = Callable[[Node], Any]


def evaluate(node: Node, variables: Mapping[str, Any], resolve: Resolve | None = None) -> Any:
    """The value of an expression; `resolve` answers names, calls and parts that this grammar does not know.

    Returns a Fraction where everything is rational, a float, a bool for a comparison, a list for a list or
    a range. Raises ExpressionError for an unknown name, a division by zero, a number out of bounds.
    """
    try:
        return _evaluate(node, variables, resolve)
    except ExpressionError:
        raise
    except (ArithmeticError, ValueError, TypeError, LookupError, RecursionError) as error:
        raise ExpressionError(f"it has no value: {type(error).__name__}: {str(error)[:100]}") from error


def _evaluate(node: Node, variables: Mapping[str, Any], resolve: Resolve | None) -> Any:
    def value(each: Node) -> Any:
        return _evaluate(each, variables, resolve)

    if isinstance(node, Literal):
        return node.value
    if isinstance(node, Name):
        if node.name in variables:
            return variables[node.name]
        if node.name in CONSTANTS:
            return CONSTANTS[node.name]
        if resolve is not None:
            return resolve(node)
        raise ExpressionError(f"unknown name {node.name!r}; known are {', '.join(sorted(variables)) or 'none'}")
    if isinstance(node, Unary):
        return -_number(value(node.operand))
    if isinstance(node, Binary):
        return _arithmetic(node.operator, value(node.left), value(node.right))
    if isinstance(node, Comparison):
        operands = [value(each) for each in node.operands]
        return all(compare(o, a, b) for o, a, b in zip(node.operators, operands, operands[1:], strict=False))
    if isinstance(node, Items):
        return [value(each) for each in node.items]
    if isinstance(node, Range):
        return _range(value(node.first), value(node.last))
    if isinstance(node, Call) and isinstance(node.function, Name) and node.function.name in FUNCTIONS:
        arguments = [_number(value(each)) for each in node.arguments]
        try:
            return FUNCTIONS[node.function.name](*arguments)
        except TypeError as error:
            raise ExpressionError(f"{node.function.name}: {error}") from error
    if isinstance(node, Element):
        return _element(value(node.whole), value(node.index))
    if resolve is not None:
        return resolve(node)
    raise ExpressionError("a call of an unknown function" if isinstance(node, Call) else "a part of a number")


def _number(value: Any) -> Number:
    if isinstance(value, bool) or not isinstance(value, (Fraction, float, int)):
        raise ExpressionError(f"{value!r} is not a number")
    return Fraction(value) if isinstance(value, int) else value


def _arithmetic(operator: str, left: Any, right: Any) -> Any:
    if operator == "+" and isinstance(left, list) and isinstance(right, list):
        return left + right
    left, right = _number(left), _number(right)
    if operator == "**":
        return power(left, right)
    if isinstance(left, float) or isinstance(right, float):
        left, right = float(left), float(right)
    if operator == "/" and right == 0:
        raise ExpressionError(f"{left} / 0: division by zero")
    result: Number
    if operator == "+":
        result = left + right
    elif operator == "-":
        result = left - right
    elif operator == "*":
        result = left * right
    else:
        result = left / right
    if isinstance(result, Fraction) and result.denominator.bit_length() + result.numerator.bit_length() > MAX_BITS:
        raise ExpressionError("a number too large to be worked out exactly")
    return result


def _range(first: Any, last: Any) -> list[Fraction]:
    ends = (_number(first), _number(last))
    if any(not isinstance(end, Fraction) or end.denominator != 1 for end in ends):
        raise ExpressionError(f"{first}..{last}: the ends of a range are whole numbers")
    if ends[1] - ends[0] > MAX_RANGE:
        raise ExpressionError(f"{first}..{last}: a range of more than {MAX_RANGE:,} numbers")
    return [Fraction(each) for each in range(int(ends[0]), int(ends[1]) + 1)]


def _element(whole: Any, index: Any) -> Any:
    if not isinstance(whole, (list, tuple)):
        raise ExpressionError(f"{whole!r} has no elements")
    if not isinstance(index, Fraction) or index.denominator != 1 or not 1 <= index <= len(whole):
        raise ExpressionError(f"element {index} of {len(whole)}; the first is 1")
    return whole[int(index) - 1]


def number(text: str, variables: Mapping[str, Any] | None = None) -> Number:
    """The value of a numeric expression, a Fraction where it is rational. Raises ExpressionError."""
    return _number(evaluate(parse(text), variables or {}))
