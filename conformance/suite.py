"""The suite as one value: found beside the package or inside the wheel, compiled from YAML once, then read back.

YAML is for authors. One function compiles it to one JSON; the wheel ships that, a checkout keeps it in the
user's cache under the digest of its files.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import conformance
from conformance.model import (
    Ask,
    Check,
    Clause,
    Component,
    Convention,
    Expected,
    Field,
    Law,
    Metric,
    Parameter,
    Scenario,
    Suite,
)

PACKAGE = Path(__file__).resolve().parent


def home() -> Path:
    """The folder that holds specs/, cases/ and adapters/: the checkout, or the installed package."""
    beside = PACKAGE.parent
    if (beside / "specs").is_dir() and (beside / "cases").is_dir():
        return beside
    return PACKAGE


def source_files(root: Path) -> list[Path]:
    """Every file that the suite is compiled from, in a fixed order."""
    found = [*sorted((root / "specs").glob("*.yaml")), *sorted((root / "cases").rglob("*.yaml"))]
    return [*found, *sorted((root / "cases" / "data").glob("*.jsonl"))]


def digest(root: Path) -> str:
    """A digest of all files of the suite: their names and bytes."""
    total = hashlib.sha256()
    for path in source_files(root):
        total.update(path.relative_to(root).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:16]


def compiler() -> str:
    """A digest of the code that compiles, so that no other version's cache is read."""
    total = hashlib.sha256()
    for name in ("expressions", "inputs", "load", "model", "relations", "scenarios", "suite", "yamlfile"):
        total.update((PACKAGE / f"{name}.py").read_bytes())
    return total.hexdigest()[:12]


def load(root: Path | None = None) -> Suite:
    """The suite, from the compiled form where there is one. Raises BadFile."""
    root = root or home()
    shipped = root / "suite.json"
    if shipped.is_file() and not (root / "pyproject.toml").exists():
        return from_json(json.loads(shipped.read_text("utf-8")))
    cached = cache_folder() / f"suite-{digest(root)}-{compiler()}.json"
    if cached.is_file():
        try:
            return from_json(json.loads(cached.read_text("utf-8")))
        except (ValueError, KeyError, TypeError):
            cached.unlink(missing_ok=True)  # a cache that another version or a full disk left broken
    suite = compile_suite(root)
    _keep(cached, suite)
    return suite


def compile_suite(root: Path) -> Suite:
    """Read every spec and every scenario. Raises BadFile."""
    from conformance.inputs import form
    from conformance.load import load_metric
    from conformance.scenarios import Builder

    metrics = {}
    for path in sorted((root / "specs").glob("*.yaml")):
        metric = load_metric(path, path.relative_to(root).as_posix())
        metrics[metric.name] = metric
    builder = Builder(metrics, root / "cases" / "data")
    for path in sorted((root / "cases").rglob("*.yaml")):
        builder.add_file(path, path.relative_to(root).as_posix())
    return Suite(
        metrics,
        builder.scenarios,
        list(builder.checks.values()),
        builder.inputs,
        digest(root),
        conformance.__version__,
        {key: form(each) for key, each in builder.inputs.items()},
    )


def with_cases(suite: Suite, files: Sequence[str]) -> Suite:
    """The specs of a suite with a person's own scenario files in place of its scenarios; with no file, the suite. Raises BadFile."""
    if not files:
        return suite
    from conformance.inputs import form
    from conformance.scenarios import Builder

    builder = Builder(suite.metrics, home() / "cases" / "data")
    for name in files:
        builder.data_folder = Path(name).parent / "data"
        builder.add_file(Path(name), name)
    return replace(
        suite,
        scenarios=builder.scenarios,
        checks=list(builder.checks.values()),
        inputs=builder.inputs,
        digest=hashlib.sha256(b"".join(Path(name).read_bytes() for name in files)).hexdigest()[:16],
        forms={key: form(each) for key, each in builder.inputs.items()},
    )


def cache_folder() -> Path:
    """The user's cache folder for this project."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "text-metric-conformance"


KEPT = 8
"""So many compiled suites stay in the cache: those of the last edits, or of a few checkouts."""


def _keep(path: Path, suite: Suite) -> None:
    """Write the compiled form beside its place, then move it there; a folder that cannot be written is no fault."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".suite-", dir=path.parent) as folder:
            whole = Path(folder, path.name)
            whole.write_text(json.dumps(to_json(suite), separators=(",", ":")), "utf-8")
            os.replace(whole, path)
        kept = sorted(path.parent.glob("suite-*.json"), key=os.path.getmtime)
        for old in kept[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        return


def _without_blanks(check: Check) -> dict[str, Any]:
    return {key: each for key, each in asdict(check).items() if each not in (None, (), {}, [])}


def to_json(suite: Suite) -> dict[str, Any]:
    """The compiled form of a suite."""
    return {
        "version": suite.version,
        "digest": suite.digest,
        "metrics": [asdict(metric) for metric in suite.metrics.values()],
        "scenarios": [asdict(scenario) for scenario in suite.scenarios.values()],
        "checks": [_without_blanks(check) for check in suite.checks],
        "inputs": dict(suite.inputs),
        "forms": dict(suite.forms),
    }


def from_json(data: Mapping[str, Any]) -> Suite:
    """Read the compiled form back."""
    metrics = {each["name"]: _metric(each) for each in data["metrics"]}
    scenarios = {each["name"]: Scenario(**{**each, "checks": tuple(each["checks"])}) for each in data["scenarios"]}
    checks = [_check(each) for each in data["checks"]]
    return Suite(metrics, scenarios, checks, data["inputs"], data["digest"], data["version"], data["forms"])


def _metric(data: Mapping[str, Any]) -> Metric:
    return Metric(
        **{
            **data,
            "input": {key: Field(**each) for key, each in data["input"].items()},
            "components": {key: Component(**each) for key, each in data["components"].items()},
            "clauses": {key: Clause(**each) for key, each in data["clauses"].items()},
            "parameters": {key: _parameter(each) for key, each in data["parameters"].items()},
            "invariants": {
                key: Law(**{**each, "when": tuple(each["when"])}) for key, each in data["invariants"].items()
            },
            "sources": tuple(data["sources"]),
            "aliases": tuple(data["aliases"]),
        }
    )


def _parameter(data: Mapping[str, Any]) -> Parameter:
    conventions = {key: Convention(**each) for key, each in data["conventions"].items()}
    return Parameter(**{**data, "conventions": conventions, "items": tuple(data["items"])})


def _ask(data: Mapping[str, Any]) -> Ask:
    return Ask(data["metric"], data["parameters"], data["input"], data["variation"])


def _check(data: Mapping[str, Any]) -> Check:
    fields = dict(data)
    fields["terms"] = {key: _ask(each) for key, each in data["terms"].items()}
    fields.setdefault("clause", None)
    if "expected" in data:
        fields["expected"] = Expected(**data["expected"])
    if "conventions" in data:
        fields["conventions"] = {key: Expected(**each) for key, each in data["conventions"].items()}
    if "catches" in data:
        fields["catches"] = tuple(data["catches"])
    return Check(**fields)
