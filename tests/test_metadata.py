"""An adapter file's inline metadata."""

from __future__ import annotations

import pytest

from conformance.metadata import also, dependencies, requires_python, setting, without_dependencies
from conformance.transport import TargetError

FILE = """# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "one[x]==1.0; python_version < '3.12'",  # why
#     "two==2",
# ]
#
# [tool.conformance]
# environment = "large"
# without-dependencies = ["three==3"]
# also = ["1.9", "0.1"]
# ///
\"\"\"An adapter.\"\"\"
"""


def test_each_key_is_read() -> None:
    assert dependencies(FILE) == ["one[x]==1.0; python_version < '3.12'", "two==2"]
    assert requires_python(FILE) == ">=3.11"
    assert without_dependencies(FILE) == ["three==3"]
    assert also(FILE) == ["1.9", "0.1"]
    assert setting(FILE, "environment") == "large"


@pytest.mark.parametrize(
    "source", ["", "import os\n", "# /// script\n# ///\n", "# /// script\n# dependencies = 'one'\n# ///\n"]
)
def test_what_is_not_there_is_nothing(source: str) -> None:
    assert dependencies(source) == without_dependencies(source) == []
    assert requires_python(source) is setting(source, "environment") is None


def test_a_table_that_is_no_table_is_nothing() -> None:
    assert setting("# /// script\n# tool = 3\n# ///\n", "environment") is None
    assert setting("# /// script\n# [tool]\n# conformance = 3\n# ///\n", "environment") is None


def test_what_is_no_toml_is_said_in_one_line() -> None:
    with pytest.raises(TargetError, match="is no TOML: ") as raised:
        dependencies("# /// script\n# dependencies = [one]\n# ///\n")
    assert "\n" not in str(raised.value)
