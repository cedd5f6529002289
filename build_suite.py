"""Build hook: compiles the YAML of specs/ and cases/ to the one JSON that the wheel ships."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SuiteHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds conformance/suite.json to a wheel; an editable install reads the YAML beside the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the suite into a file of its own, outside the tree."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from conformance.suite import compile_suite, to_json

        target = Path(tempfile.mkdtemp()) / "suite.json"
        target.write_text(json.dumps(to_json(compile_suite(Path(self.root))), separators=(",", ":")), "utf-8")
        build_data["force_include"][str(target)] = "conformance/suite.json"
