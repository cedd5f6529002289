"""Facts of the captions data set that no metric's answer shows: its templates, and what the three outputs tell."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "cases" / "data" / "captions.jsonl").read_text("utf-8").splitlines()
]
INVERSE = {"above": "below", "below": "above", "to the left of": "to the right of", "to the right of": "to the left of"}
OBJECT = r"(\w+) (\w+)"
RELATION = "(" + "|".join(INVERSE) + ")"
Scene = tuple[str, str, str, str, str]
"""Colour and shape of the first object, the relation, colour and shape of the second."""


def scene(row: dict[str, Any]) -> Scene:
    """What the one reference without a verb says: a X R a Y."""
    found = [re.fullmatch(f"a {OBJECT} {RELATION} a {OBJECT}", each) for each in row["references"]]
    (match,) = filter(None, found)
    first, shape, relation, second, other = match.groups()
    return first, shape, relation, second, other


def either_way(told: tuple[str, ...]) -> set[tuple[str, ...]]:
    """A scene as it is told, and seen from its other object."""
    half = len(told) // 2
    return {told, (*told[half + 1 :], INVERSE[told[half]], *told[:half])}


SCENES = [scene(row) for row in ROWS]


def test_there_are_200_pictures_with_eight_distinct_references_each() -> None:
    assert len(ROWS) == 200
    assert [row["image"] for row in ROWS] == list(range(200))
    assert {len(set(row["references"])) for row in ROWS} == {8}


def test_the_two_objects_differ_in_colour() -> None:
    assert all(told[0] != told[3] for told in SCENES)


@pytest.mark.parametrize("place", range(200))
def test_the_references_are_eight_templates(place: int) -> None:
    first, shape, relation, second, other = SCENES[place]
    x, y = f"{first} {shape}", f"{second} {other}"
    assert set(ROWS[place]["references"]) == {
        f"a {x} {relation} a {y}",
        f"A {x} is {relation} a {y}.",
        f"A {y} is {INVERSE[relation]} a {x}.",
        f"The {x} is {relation} the {y}.",
        f"There is a {x} {relation} a {y}.",
        f"On a black background, a {x} is {relation} a {y}.",
        f"A {y}, with a {x} {relation} it.",
        f"Two shapes: a {x} and a {y}.",
    }


def test_every_reference_has_seven_words_or_more() -> None:
    assert min(len(each.split()) for row in ROWS for each in row["references"]) == 7


def test_s1_tells_the_whole_scene() -> None:
    for row, told in zip(ROWS, SCENES, strict=True):
        match = re.fullmatch(f"A {OBJECT} {RELATION} a {OBJECT}\\.", row["S1"])
        assert match is not None
        assert match.groups() in either_way(told)


def test_s2_tells_colours_and_relation_and_never_a_shape() -> None:
    shapes = {told[1] for told in SCENES} | {told[4] for told in SCENES}
    for row, (first, _, relation, second, _) in zip(ROWS, SCENES, strict=True):
        match = re.fullmatch(f"a (\\w+) shape {RELATION} a (\\w+) shape", row["S2"])
        assert match is not None
        assert match.groups() in either_way((first, relation, second))
        assert not shapes & set(row["S2"].split())


def test_g_cuts_s1_on_even_pictures_and_pads_it_on_odd_ones() -> None:
    for row in ROWS:
        words = row["S1"].rstrip(".").split()
        if row["image"] % 2 == 0:
            assert row["G"] == " ".join(words[:3]) + "."
        else:
            assert row["G"].startswith(row["S1"].rstrip(".") + " ")
            assert len(row["G"].split()) == len(words) + 13
