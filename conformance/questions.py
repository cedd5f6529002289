"""The digest of a question, by which a record says what was asked."""

from __future__ import annotations

import hashlib
import json

from conformance.transport import Question


def question_id(question: Question) -> str:
    """A digest of what is asked: the metric, the key of its input and the parameters."""
    parameters = json.dumps(question.parameters, sort_keys=True, default=str)
    text = f"{question.metric} {question.key} {parameters}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
