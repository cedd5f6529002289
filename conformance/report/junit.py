"""JUnit XML, for continuous integration: a suite a target, a case a check."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from xml.etree import ElementTree

from conformance.ledger import Problem
from conformance.model import GOOD, Outcome, Row, Standing
from conformance.record import Block, row_json

_INVALID = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")

ReasonOf = Callable[[Row, str], str | None]
"""Why a check of a target deviates, where its ledger knows."""


def _clean(text: str) -> str:
    """Text with escapes for the characters that XML cannot carry."""
    return _INVALID.sub(lambda found: found[0].encode("unicode_escape", "surrogatepass").decode("ascii"), text)


def render(
    blocks: Sequence[Block], reason: ReasonOf | None = None, problems: Mapping[str, Sequence[Problem]] | None = None
) -> str:
    """All blocks as one JUnit document.

    A known deviation is skipped with its reason; what a ledger has wrong, and a record that is cut short, are
    cases of their own, so that a document without failures means that all is as expected.
    """
    root = ElementTree.Element("testsuites", name="conformance")
    for block in blocks:
        target = block.header.target
        suite = ElementTree.SubElement(root, "testsuite", name=_clean(target), timestamp=_clean(block.header.started))
        for row in block.rows:
            _case(suite, f"{target}.{row.metric}", row, reason(row, target) if reason is not None else None)
        for number, each in enumerate((problems or {}).get(target, ()), start=1):
            if each.check is None:
                _add(suite, f"{target}.ledger", f"problem {number}", "failure", each.text)
        if block.end is None:
            _add(suite, f"{target}.record", "end", "error", "the record is cut short")
        else:
            suite.set("time", f"{block.end.seconds:.3f}")
        suite.set("tests", str(len(suite.findall("testcase"))))
        for word, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(word, str(len(suite.findall(f"testcase/{tag}"))))
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, place: str, row: Row, reason: str | None) -> None:
    """One check."""
    message = row.message or row.outcome.value
    if row.standing is not Standing.AS_EXPECTED:
        broken = row.outcome in (Outcome.ERROR, Outcome.CRASH, Outcome.TIMEOUT)
        gone = row.standing is Standing.FIXED
        text = "a known deviation is gone: take its line out of the ledger" if gone else message
        case, found = _add(suite, place, row.check, "error" if broken else "failure", text)
        found.set("type", row.outcome.value)
        found.text = _clean(json.dumps(row_json(row), ensure_ascii=True, indent=1))
    elif row.outcome is Outcome.UNSUPPORTED:
        case, _ = _add(suite, place, row.check, "skipped", f"unsupported: {message}")
    elif row.outcome not in GOOD:
        case, _ = _add(suite, place, row.check, "skipped", f"known deviation: {reason or message}")
    else:
        case = ElementTree.SubElement(suite, "testcase", classname=_clean(place), name=_clean(row.check))
    case.set("time", f"{row.seconds:.6f}")


def _add(
    suite: ElementTree.Element, place: str, name: str, tag: str, message: str
) -> tuple[ElementTree.Element, ElementTree.Element]:
    """A case that did not simply pass, and the element that says so."""
    case = ElementTree.SubElement(suite, "testcase", classname=_clean(place), name=_clean(name))
    return case, ElementTree.SubElement(case, tag, message=_clean(message))
