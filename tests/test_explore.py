"""How texts of an input are shown, and what `conformance list` says."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.explore import input_lines, listing, told
from conformance.model import Suite


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b", "a b"),
        ("", '""'),
        (" a b", '" a b"'),
        ("a  b ", '"a  b "'),
        ("a\tb", '"a\\tb"'),
        ("a\u00a0b", '"a\\xa0b"'),
        ("caf\u00e9", "caf\u00e9"),
        ("cafe\u0301", "cafe\\u0301"),
        ("a\u200bb", "a\\u200bb"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str) -> None:
    assert told(text) == shown
    assert list(input_lines({"hypotheses": [text], "references": [["x"]]})) == [
        f"  hypothesis: {shown}",
        "  reference:  x",
    ]


def test_conventions_are_told_with_their_sentences(suite: Suite) -> None:
    lines = list(listing(suite, "conventions", "wer.empty_reference", Path()))
    assert lines[0].startswith("wer.empty_reference: ")
    assert lines[1].split(maxsplit=1) == ["undefined", "Not a number, or an error."]
    assert list(listing(suite, "conventions", "empty_reference", Path()))[:2] != lines[:2]
    assert any("(a quirk)" in line for line in listing(suite, "conventions", "bleu.smoothing", Path()))


def test_metrics_come_with_their_main_component(suite: Suite) -> None:
    (line,) = listing(suite, "metrics", "wer", Path())
    assert line.split()[:3] == ["wer", "metric", "rate"]
