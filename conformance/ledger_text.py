"""Editing the text of a ledger in place: what is not touched, comments too, stays as it was written."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from conformance.yamlfile import BadFile

Edit = tuple[int, int, str]
"""From where to where in the text, and what stands there afterwards."""


def with_entries(text: str, file: str, gone: Mapping[int, Collection[str]], entry: Sequence[str]) -> str:
    """The text without some checks of some entries, and with the lines of a new entry at the end of `deviations`.

    `gone` maps the place of an entry to ids of its checks; an entry that loses all of them goes as a whole.
    Raises BadFile where `deviations` is a list in brackets, which is left to a person.
    """
    if not gone and not entry:
        return text
    fields = _fields(text)
    if "deviations" not in fields:
        return text + "deviations:\n" + _indented(entry, 2)
    key, items = fields["deviations"]
    if items.flow_style and items.value:
        line = items.start_mark.line + 1
        raise BadFile(f"{file}:{line}: deviations: expected a line for each entry, found a list in brackets")
    colon = text.index(":", key.end_mark.index)
    edits = [edit for place in sorted(gone) for edit in _without(text, items.value[place], gone[place])]
    left = [place for place, each in enumerate(items.value) if _kept(each, gone.get(place, ()))]
    if not items.value:
        edits.append((colon, items.end_mark.index, ":"))
    elif not left and not entry:
        edits.append((colon, colon + 1, ": []"))
    if entry:
        column = _dash(text, items.value[0]) - _line_start(text, _dash(text, items.value[0])) if items.value else 2
        end = _line_end(text, _end(items))
        edits.append((end, end, _indented(entry, column)))
    return _edited(text, edits)


def with_unsupported(text: str, counts: Mapping[str, int]) -> str:
    """The text with these counts of unsupported checks."""
    shown = "{" + ", ".join(f"{metric}: {count}" for metric, count in counts.items()) + "}"
    fields = _fields(text)
    if "unsupported" in fields:
        value = fields["unsupported"][1]
        return _edited(text, [(value.start_mark.index, _end(value), shown)])
    return text + f"unsupported: {shown}\n" if counts else text


def _fields(text: str) -> dict[str, tuple[Any, Any]]:
    """The nodes of the top-level keys and values."""
    import yaml

    root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    return {key.value: (key, value) for key, value in root.value}


def _checks(entry: Any) -> Any:
    return next(value for key, value in entry.value if key.value == "checks")


def _kept(entry: Any, gone: Collection[str]) -> list[tuple[Any, Any]]:
    return [pair for pair in _checks(entry).value if pair[0].value not in gone]


def _without(text: str, entry: Any, gone: Collection[str]) -> Iterator[Edit]:
    """The edits that take checks out of an entry: their lines, or the entry's where no check is left."""
    checks, kept = _checks(entry), _kept(entry, gone)
    if not kept:
        yield _line_start(text, _dash(text, entry)), _line_end(text, _end(entry)), ""
    elif checks.flow_style:
        pairs = ", ".join(text[key.start_mark.index : _end(value)] for key, value in kept)
        yield checks.start_mark.index, checks.end_mark.index, "{" + pairs + "}"
    else:
        for key, value in checks.value:
            if key.value in gone:
                yield _line_start(text, key.start_mark.index), _line_end(text, _end(value)), ""


def _dash(text: str, entry: Any) -> int:
    """Where the dash of an entry stands."""
    return text.rindex("-", 0, entry.start_mark.index)


def _end(node: Any) -> int:
    """Where a node's own text ends; the mark of a block also counts the comments after it."""
    if isinstance(node.value, list) and node.value and not node.flow_style:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    index: int = node.end_mark.index
    return index


def _line_start(text: str, index: int) -> int:
    return text.rfind("\n", 0, index) + 1


def _line_end(text: str, index: int) -> int:
    """The start of the next line; a block scalar ends there already."""
    if index and text[index - 1] == "\n":
        return index
    return text.index("\n", index) + 1


def _indented(lines: Sequence[str], columns: int) -> str:
    return "".join(f"{' ' * columns}{line}\n" for line in lines)


def _edited(text: str, edits: Sequence[Edit]) -> str:
    for start, end, new in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        text = text[:start] + new + text[end:]
    return text
