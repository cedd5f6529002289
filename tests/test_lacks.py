"""A resource that is not here: what a target says of it, and the checks that are about its absence."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from conformance.adapter import Adapter, AdapterError
from conformance.child import Child
from conformance.environment import serve_command, uv
from conformance.messages import capability
from conformance.model import Outcome, Suite
from conformance.plan import Selection
from conformance.profiles import Oracle, declared_truly
from conformance.run import run
from conformance.suite import home
from conformance.transport import TargetError

CLAIM = "japanese-needs-its-dictionary/sacrebleu/cat"


def sacrebleu(lacks: dict[str, Any]) -> Adapter:
    """A tokenizer that claims to be sacreBLEU's and refuses Japanese."""
    adapter = Adapter("sacrebleu", "2.6.0")

    @adapter.metric("tokenize", accepts={"tokenizer": {"whitespace", "ja-mecab", "intl"}}, lacks=lacks)
    def tokenize(text: str, tokenizer: str) -> list[str]:
        if tokenizer == "ja-mecab":
            raise RuntimeError("install sacrebleu[ja]")
        return text.split()

    return adapter


def test_a_claim_about_an_absence_is_asked_only_where_the_resource_is_absent(held: Run) -> None:
    absent = held(sacrebleu({"mecab": {"tokenizer": ["ja-mecab"]}}), CLAIM)
    assert absent[CLAIM].outcome is Outcome.PASS
    present = held(sacrebleu({}), CLAIM)
    assert present[CLAIM].outcome is Outcome.UNSUPPORTED
    assert present[CLAIM].message == "this is about mecab not being there, and it is"


def test_what_needs_an_absent_resource_is_unsupported_and_the_rest_is_asked(held: Run) -> None:
    rows = held(sacrebleu({"a table": {"tokenizer": ["intl"]}}), "*")
    needing = {row.message for row in rows.values() if row.outcome is Outcome.UNSUPPORTED}
    assert "tokenizer = intl needs a table, which is not here" in needing
    assert any(row.outcome is Outcome.PASS for row in rows.values())


def test_an_absence_is_of_what_the_metric_has(suite: Suite) -> None:
    with pytest.raises(TargetError, match="lacks: there is no parameter 'tokeniser'; did you mean tokenizer"):
        declared_truly("mine", sacrebleu({"a table": {"tokeniser": ["intl"]}}).capabilities, suite.metrics)


@pytest.mark.parametrize("lacks", [3, [], {"a table": 3}, {"a table": ["intl"]}, {"a table": {"tokenizer": "intl"}}])
def test_what_a_declaration_says_of_absence_has_a_shape(lacks: Any) -> None:
    with pytest.raises(AdapterError, match="expected a mapping from a resource to the parameters that need it"):
        sacrebleu(lacks or [3])
    with pytest.raises(AdapterError, match="expected a mapping from a resource"):
        capability("tokenize", {"lacks": lacks or [3]})


@pytest.mark.environment
def test_sacrebleu_without_its_extra(suite: Suite, oracle: Oracle, tmp_path: Path) -> None:
    """Installed as pip installs it by default, sacreBLEU says that the Japanese tokenizer needs more."""
    python = str(tmp_path / "bin" / "python")
    for command in (["venv", str(tmp_path)], ["pip", "install", "--python", python, "sacrebleu==2.6.0"]):
        done = subprocess.run([uv(), "--quiet", *command], capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
    with Child(serve_command(python, home() / "adapters" / "sacrebleu.py"), label="sacrebleu") as connection:
        rows = {row.check: row for row in run(suite, connection, oracle, Selection(("*/cat", "*japanese*")))}
    assert rows[CLAIM].outcome is Outcome.PASS
    assert rows[CLAIM].observed == {"raises": "RuntimeError"}
