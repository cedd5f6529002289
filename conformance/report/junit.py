"""JUnit XML, for continuous integration: a suite a target, a case a check."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from xml.etree import ElementTree

from conformance.model import GOOD, Outcome, Standing
from conformance.record import Block, row_json

_INVALID = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def _clean(text: str) -> str:
    """Text without the characters that XML cannot carry."""
    return _INVALID.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def render(blocks: Sequence[Block]) -> str:
    """All blocks as one JUnit document; a known deviation is skipped with its message."""
    root = ElementTree.Element("testsuites", name="conformance")
    for block in blocks:
        name = _clean(block.header.target)
        suite = ElementTree.SubElement(root, "testsuite", name=name, timestamp=block.header.started)
        failures = errors = skipped = 0
        for row in block.rows:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=_clean(f"{name}.{row.metric}"),
                name=_clean(row.check),
                time=f"{row.seconds:.6f}",
            )
            message = _clean(row.message or row.outcome.value)
            if row.outcome is Outcome.UNSUPPORTED or (row.outcome not in GOOD and row.standing is Standing.AS_EXPECTED):
                ElementTree.SubElement(case, "skipped", message=message)
                skipped += 1
            elif row.standing is not Standing.AS_EXPECTED:
                broken = row.outcome in (Outcome.ERROR, Outcome.CRASH, Outcome.TIMEOUT)
                failed = ElementTree.SubElement(
                    case, "error" if broken else "failure", message=message, type=row.outcome.value
                )
                failed.text = _clean(json.dumps(row_json(row), ensure_ascii=True, indent=1))
                errors += broken
                failures += not broken
        for key, value in (
            ("tests", len(block.rows)),
            ("failures", failures),
            ("errors", errors),
            ("skipped", skipped),
        ):
            suite.set(key, str(value))
        if block.end is None:
            ElementTree.SubElement(suite, "system-err").text = "the record is cut short"
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode")
