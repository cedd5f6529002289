"""Names of targets become connected implementations.

`sacrebleu` and `null:zero` (adapters of ours) | `sacrebleu@2.4.0` | `package.module:object` |
`path/to/adapter.py` and `path/to/file.py:object` | `cmd:./my-port --flag` | `fake:hangs`.
"""

from __future__ import annotations

import importlib
import importlib.util
import shlex
import sys
import traceback
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from conformance.adapter import Adapter, AdapterError
from conformance.environment import dependencies, python_for, search_path
from conformance.suite import home
from conformance.transport import Connection, InProcess, TargetError

TRANSFORM_INPUT = "text"


def shipped_names() -> list[str]:
    """The adapters of ours."""
    return sorted(path.stem for path in (home() / "adapters").glob("*.py"))


def connect(
    name: str, *, metric: str | None = None, input: str | None = None, timeout: float = 10.0, isolate: bool | None = None
) -> Connection:
    """Connect to a target: ours in process, a person's own code in a process of its own unless `isolate` says otherwise.

    Raises TargetError.
    """
    if name.startswith("cmd:"):
        return _command(name, timeout)
    if name.startswith("fake:"):
        return _fake(name.removeprefix("fake:"), timeout, isolate)
    base, at, version = name.partition("@")
    if at and base in shipped_names():
        return _other_version(base, version, timeout)
    own = base.partition(":")[0] not in shipped_names()
    if own if isolate is None else isolate:
        return _served(name, metric, input, timeout)
    return InProcess(load_adapter(name, metric, input), timeout)


def _command(name: str, timeout: float) -> Connection:
    from conformance.child import Child

    try:
        words = shlex.split(name.removeprefix("cmd:"))
    except ValueError as error:
        raise TargetError(f"{name}: {error}") from error
    if not words:
        raise TargetError("cmd: the command is missing; write 'cmd:./my-port --flag'")
    if words[0] in ("python", "python3"):
        words[0] = sys.executable
    return Child(words, timeout)


def _served(name: str, metric: str | None, form: str | None, timeout: float) -> Connection:
    from conformance.child import Child

    words = [sys.executable, "-m", "conformance", "serve", name]
    words += ["--metric", metric] if metric else []
    words += ["--input", form] if form else []
    try:
        return Child(words, timeout, {**search_path(), "PYTHONPATH": _with_here()})
    except TargetError as error:
        text = str(error)
        marker = "conformance serve: "
        raise TargetError(text[text.index(marker) + len(marker) :].removesuffix(", before it said hello") if marker in text else text) from error


def _with_here() -> str:
    import os

    before = os.environ.get("PYTHONPATH")
    return os.pathsep.join([search_path()["PYTHONPATH"], str(Path.cwd()), *([before] if before else [])])


def _other_version(name: str, version: str, timeout: float) -> Connection:
    from conformance.child import Child

    path = home() / "adapters" / f"{name}.py"
    python = python_for(name, version, path.read_text("utf-8"))
    return Child([python, "-m", "conformance", "serve", str(path)], timeout, search_path())


def _fake(vice: str, timeout: float, isolate: bool | None) -> Connection:
    from conformance import fakes
    from conformance.child import Child

    if vice not in fakes.FAKES:
        near = get_close_matches(vice, fakes.FAKES, 3) or sorted(fakes.FAKES)
        raise TargetError(f"no fake {vice!r}; did you mean {', '.join(near)}?")
    if isolate is False and fakes.FAKES[vice] is not None:
        return InProcess(fakes.adapter(vice), timeout)
    return Child([sys.executable, "-m", "conformance.fakes", vice], timeout, search_path())


def load_shipped(name: str, attribute: str = "adapter") -> Adapter:
    """An adapter of ours. Raises TargetError where it does not exist or its library is missing."""
    path = home() / "adapters" / f"{name}.py"
    if not path.exists():
        raise TargetError(unknown(name))
    return _adapter_in(_module(path, f"conformance_adapter_{name}"), attribute, name, path)


def unknown(name: str) -> str:
    """What to say of a name that is no target."""
    near = get_close_matches(name, shipped_names(), 3)
    hint = f"did you mean {', '.join(near)}?" if near else f"ours are {', '.join(shipped_names())}"
    return f"no target {name!r}; {hint} Your own: path/to/adapter.py, package.module:object or 'cmd:./program'"


def load_adapter(name: str, metric: str | None = None, form: str | None = None) -> Adapter:
    """The adapter that a name of Python code means; a bare function becomes one. Raises TargetError."""
    base, colon, attribute = name.rpartition(":") if ":" in name else (name, "", "")
    if base in shipped_names():
        return load_shipped(base, attribute or "adapter")
    if base.endswith(".py"):
        path = Path(base)
        if not path.exists():
            raise TargetError(f"{base}: no such file")
        sys.path.insert(0, str(path.resolve().parent))
        module = _module(path, f"conformance_target_{path.stem}")
        return _adapter_in(module, attribute or "adapter", name, path, metric, form)
    if not colon:
        raise TargetError(unknown(name))
    sys.path.insert(0, str(Path.cwd()))
    try:
        module = importlib.import_module(base)
    except BaseException as error:
        raise TargetError(_import_fault(base, error, None)) from error
    return _adapter_in(module, attribute, name, None, metric, form)


def _module(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise TargetError(f"{path}: cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise TargetError(_import_fault(str(path), error, path)) from error
    return module


def _import_fault(label: str, error: BaseException, path: Path | None) -> str:
    """One line: what failed, where, and for a missing library how to get it."""
    name = Path(label).stem if path is not None else label
    if isinstance(error, ModuleNotFoundError) and error.name:
        wanted = dependencies(path.read_text("utf-8")) if path is not None else []
        if wanted:
            return f"{name}: {error.name} is not installed: pip install {' '.join(shlex.quote(each) for each in wanted)}"
        return f"{name}: the module {error.name!r} is not found"
    where = ""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if "importlib" not in frame.filename and not frame.filename.startswith("<"):
            where = f" ({Path(frame.filename).name}:{frame.lineno})"
            break
    if isinstance(error, SyntaxError):
        where = f" ({Path(error.filename or label).name}:{error.lineno})"
    return f"{name}: importing it fails: {type(error).__name__}: {' '.join(str(error).split())[:300]}{where}"


def _adapter_in(
    module: ModuleType, attribute: str, name: str, path: Path | None, metric: str | None = None, form: str | None = None
) -> Adapter:
    found: Any = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            public = [each for each in vars(found) if not each.startswith("_") and callable(getattr(found, each))]
            near = get_close_matches(part, public, 3) or public[:5]
            raise TargetError(f"{name}: it has no {part!r}; it has {', '.join(near) or 'nothing'}")
        found = getattr(found, part)
    if isinstance(found, Adapter):
        if not found.capabilities:
            raise TargetError(f"{name}: the adapter plugs in no metric; decorate a function with @adapter.metric(NAME)")
        return found
    if not callable(found):
        raise TargetError(f"{name}: expected an Adapter or a function, found {type(found).__name__}")
    if metric is None:
        raise TargetError(f"{name}: which metric is this function? add --metric NAME (`conformance list metrics`)")
    return _bare(found, name, metric, form)


def _bare(function: Any, name: str, metric: str, form: str | None) -> Adapter:
    from conformance.bare import adapter_of

    transforms = {"squad-normalize", "tokenize", "ngrams"}
    try:
        return adapter_of(function, name, metric, form, metric in transforms)
    except AdapterError as error:
        raise TargetError(str(error)) from error
