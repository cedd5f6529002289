"""The digest of a question, by which a record says what was asked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def question_id(metric: str, key: str, parameters: Mapping[str, Any]) -> str:
    """A digest of what is asked: the metric, the key of its input and the parameters."""
    told = json.dumps(parameters, sort_keys=True, default=str) if parameters else "{}"
    return hashlib.sha256(f"{metric} {key} {told}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
