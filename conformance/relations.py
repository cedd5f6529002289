"""What a relation is about: the terms that must be asked, and the component of each that it uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.expressions import FUNCTIONS, Call, ExpressionError, Literal, Name, Node, Part, children


def term_key(node: Node) -> str:
    """The name under which a term of a relation is asked and answered."""
    if isinstance(node, Name):
        return node.name
    if isinstance(node, Literal):
        return str(node.value)
    if isinstance(node, Call):
        return f"{term_key(node.function)}({', '.join(term_key(each) for each in node.arguments)})"
    raise ExpressionError("expected an output, or a function of one")


def relation_terms(node: Node, variables: Mapping[str, Any]) -> list[Node]:
    """The terms of a relation that must be asked, each once, in order."""
    found: dict[str, Node] = {}

    def visit(each: Node) -> None:
        if isinstance(each, Name):
            if each.name not in variables and each.name not in ("inf", "nan"):
                found.setdefault(term_key(each), each)
        elif isinstance(each, Literal):
            if isinstance(each.value, str):
                found.setdefault(term_key(each), each)
        elif isinstance(each, Call) and isinstance(each.function, Name) and each.function.name in FUNCTIONS:
            for argument in each.arguments:
                visit(argument)
        elif isinstance(each, Call):
            found.setdefault(term_key(each), each)
        else:
            for child in children(each):
                visit(child)

    visit(node)
    return list(found.values())


def used_components(node: Node) -> Iterator[tuple[str, str]]:
    """The terms of a relation with the component of each that it uses ("" is the main one)."""
    if isinstance(node, Part):
        yield term_key(node.whole), node.name
    elif isinstance(node, Call) and isinstance(node.function, Name) and node.function.name in FUNCTIONS:
        for each in node.arguments:
            yield from used_components(each)
    elif isinstance(node, (Name, Call)) or (isinstance(node, Literal) and isinstance(node.value, str)):
        yield term_key(node), ""
    else:
        for each in children(node):
            yield from used_components(each)
