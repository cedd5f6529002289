"""A record of a run as a target: it answers with what was observed, to the questions that were asked then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from conformance.adapter import INPUT_ERRORS, AdapterError, Capability, Step
from conformance.messages import capability
from conformance.model import Outcome, Row
from conformance.record import Block, read
from conformance.transport import Identity, Kind, Question, Reply, TargetError
from conformance.yamlfile import BadFile

REFUSALS = frozenset({"input", *(each.__name__ for each in INPUT_ERRORS)})
NO_ANSWER: Mapping[Outcome, Kind] = {
    Outcome.TIMEOUT: "timeout",
    Outcome.CRASH: "crash",
    Outcome.INVALID: "invalid",
    Outcome.UNSUPPORTED: "unsupported",
}


class Recorded:
    """A connection to the answers of one block of a record."""

    def __init__(self, block: Block, label: str) -> None:
        """Raises TargetError for a block that does not say what its target could compute."""
        identity = block.header.implementation
        self.identity = Identity(
            identity["name"], identity["version"], identity["language"], "", identity.get("provenance", {})
        )
        if not block.header.capabilities:
            raise TargetError(f"{label}: the record does not say what its target can compute; record it anew")
        try:
            self.capabilities: Mapping[str, Capability] = {
                name: capability(name, declared) for name, declared in block.header.capabilities.items()
            }
        except AdapterError as error:
            raise TargetError(f"{label}: {error}") from error
        self.replies: dict[str, Reply] = {}
        for row in block.rows:
            for name, asked in row.asked.items():
                self.replies[asked] = _joined(self.replies.get(asked), reply_of(row, name))

    def ask(self, questions: Iterable[Question]) -> Iterator[Reply]:
        """What was observed; a question that was not asked then is unsupported."""
        for question in questions:
            found = self.replies.get(question.key)
            yield found or Reply("unsupported", "the recording has no answer to this")

    def derive(self, question: Question) -> list[Step]:
        return []

    def mutates(self, question: Question) -> bool:
        return False

    def close(self) -> None:
        self.replies.clear()

    def __enter__(self) -> Recorded:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _joined(known: Reply | None, found: Reply) -> Reply:
    """A relation shows only the components that it names, so answers to the same question complete each other."""
    if known is None:
        return found
    if known.kind == "answer" and found.kind == "answer":
        return replace(known, body={**found.body, **known.body})
    return known if known.kind == "answer" or found.kind == "unsupported" else found


def reply_of(row: Row, term: str) -> Reply:
    """What one term of a check was answered."""
    observed = row.observed if isinstance(row.observed, Mapping) else {}
    if term:  # of a relation; a value's one term has no name
        parts = {name: value for name, value in observed.items() if name == term or name.startswith(f"{term}.")}
        body = {name.removeprefix(term).removeprefix("."): value for name, value in parts.items()}
        if not body:
            return Reply("unsupported", row.message or "the recording does not say what this term was answered")
        return Reply("answer", body)
    if set(observed) == {"raises"}:
        return Reply("error", _error(str(observed["raises"]), row.message or ""))
    if observed:
        return Reply("answer", dict(observed))
    return Reply(NO_ANSWER.get(row.outcome, "invalid"), row.message or "no answer", stray=row.stray or "")


def _error(name: str, message: str) -> dict[str, Any]:
    return {
        "kind": "input" if name in REFUSALS else "internal",
        "class": "" if name in ("input", "internal") else name,
        "message": message.removeprefix(f"{name}: "),
    }


def open_recording(path: Path, label: str) -> Recorded:
    """The one target of a record. Raises TargetError."""
    try:
        blocks = read(path)
    except BadFile as error:
        raise TargetError(str(error)) from error
    if len(blocks) != 1:
        raise TargetError(f"{label}: expected the record of one target, found {len(blocks)}")
    if blocks[0].end is None:
        raise TargetError(f"{label}: the record is cut short: its run did not come to an end")
    return Recorded(blocks[0], label)
