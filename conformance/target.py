"""Names of targets become connected implementations.

`sacrebleu` and `null:zero` (adapters of ours) | `sacrebleu@2.4.0` and `@pinned` (an environment of its own) |
`ntt-ribes@path/to/RIBES.py` (a file of a person's own) and `@recorded` | `run.jsonl` (a record) |
`package.module:object` | `path/to/adapter.py` and `path/to/file.py:object` | `cmd:./my-port --flag` | `fake:hangs`.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import shlex
import sys
import traceback
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from conformance import javascript
from conformance.adapter import Adapter, Missing
from conformance.environment import PINNED, RELEASE, python_for, serve_command
from conformance.metadata import dependencies
from conformance.names import unknown_metric
from conformance.releases import adapter_file
from conformance.suite import PACKAGE, home, load
from conformance.transport import Connection, InProcess, TargetError
from conformance.userfile import variable

RECORDED = "recorded"
"""What stands for the recording of an adapter of ours."""


def shipped_names() -> list[str]:
    """The adapters of ours, in Python and in JavaScript."""
    return sorted([*(path.stem for path in (home() / "adapters").glob("*.py")), *javascript.adapters()])


def connect(
    name: str,
    *,
    metric: str | None = None,
    input: str | None = None,
    timeout: float = 10.0,
    isolate: bool | None = None,
) -> Connection:
    """Connect to a target: ours in process, a person's own code in another process, unless `isolate` says otherwise.

    `metric` and `input` say which metric a bare function is, and whether it takes text or tokens.
    Raises TargetError.
    """
    try:
        return _connection(name, metric, input, timeout, isolate)
    except OSError as error:  # such as a full disk, or a name that no file can have
        raise TargetError(f"{name:.100}: {error.strerror or error}") from error


def _connection(name: str, metric: str | None, input: str | None, timeout: float, isolate: bool | None) -> Connection:
    if name.startswith("cmd:"):
        return _command(name, timeout)
    if name.startswith("fake:"):
        return _fake(name.removeprefix("fake:"), timeout, isolate)
    base, at, version = name.partition("@")
    if at and not version:
        raise TargetError(f"{name}: nothing stands after the @; a version does, or a file")
    if name.endswith(".jsonl") or (at and version == RECORDED):
        return _recorded(name, base, at)
    if base in javascript.adapters():
        return _javascript(base, version or PINNED, timeout)
    if at and base in shipped_names() and not _names_file(base, version):
        return _other_version(base, version, timeout)
    own = base.partition(":")[0] not in shipped_names()
    if own if isolate is None else isolate:
        return _served(name, metric, input, timeout)
    return InProcess(load_adapter(name, metric, input), timeout)


def _names_file(system: str, text: str) -> bool:
    """Whether what follows the @ is a file: for a system that runs from one, all that is no release."""
    source = (home() / "adapters" / f"{system}.py").read_text("utf-8")
    return "user_file(" in source and text != PINNED and RELEASE.fullmatch(text) is None


def _recorded(name: str, base: str, at: str) -> Connection:
    from conformance.recording import open_recording

    path = home() / "recordings" / f"{base}.jsonl" if at else Path(name)
    if at and not path.exists():
        known = sorted(each.stem for each in path.parent.glob("*.jsonl"))
        raise TargetError(f"{name}: there is no recording of it; there are {', '.join(known) or 'none'}")
    return open_recording(path, name)


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
    return Child(words, timeout, label=name)


def _served(name: str, metric: str | None, form: str | None, timeout: float) -> Connection:
    """A target in another process of this interpreter, with this very package and the working folder on its path."""
    from conformance.child import Child

    words = [sys.executable, "-m", "conformance", "serve", name]
    words += ["--metric", metric] if metric else []
    words += ["--input", form] if form else []
    path = [str(PACKAGE.parent), str(Path.cwd()), os.environ.get("PYTHONPATH", "")]
    return Child(words, timeout, {"PYTHONPATH": os.pathsep.join(filter(None, path))}, label=name)


def _other_version(name: str, version: str, timeout: float) -> Connection:
    from conformance.child import Child

    path = adapter_file(name, version)
    python = python_for(name, version, path)
    return Child(serve_command(python, path), timeout, label=f"{name}@{version}")


def _javascript(name: str, version: str, timeout: float) -> Connection:
    from conformance.child import Child

    label = name if version == PINNED else f"{name}@{version}"
    return Child(javascript.serve_command(name, version), timeout, label=label)


def _fake(vice: str, timeout: float, isolate: bool | None) -> Connection:
    from conformance import fakes
    from conformance.child import Child

    if vice not in fakes.VICES:
        raise TargetError(f"no fake {vice!r}; {_near(vice, fakes.VICES)}")
    process_level = vice in fakes.PROCESS_LEVEL
    if vice not in fakes.PROGRAMS and not (process_level if isolate is None else isolate):
        return InProcess(fakes.adapter(vice), timeout)
    words = [sys.executable, "-m", "conformance.fakes", vice]
    return Child(
        words,
        timeout,
        {"PYTHONPATH": str(PACKAGE.parent)},
        label=f"fake:{vice}",
        start_limit=max(timeout, 5.0),
    )


def load_shipped(name: str, attribute: str = "adapter") -> Adapter:
    """An adapter of ours. Raises TargetError where it does not exist or its library is missing."""
    path = home() / "adapters" / f"{name}.py"
    if not path.exists():
        in_javascript = f"{name} is a JavaScript library, and `conformance run {name}` serves it"
        raise TargetError(in_javascript if name in javascript.adapters() else unknown(name))
    found = _attribute(_module(path, f"conformance_adapter_{name}"), attribute, name)
    if not isinstance(found, Adapter):
        raise TargetError(f"{name}:{attribute} is no adapter")
    return found


def unknown(name: str) -> str:
    """What to say of a name that is no target."""
    hint = _near(name, shipped_names())
    return f"no target {name!r}; {hint} Your own: path/to/adapter.py, package.module:object or 'cmd:./program'"


def _near(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), 3)
    return f"did you mean {', '.join(near)}?" if near else f"there are {', '.join(sorted(known))}."


def load_adapter(name: str, metric: str | None = None, form: str | None = None) -> Adapter:
    """The adapter that a name of Python code means; a bare function becomes one. Raises TargetError."""
    system, at, named = name.partition("@")
    if at and system in shipped_names():
        os.environ[variable(system)] = str(Path(named).absolute())
        return load_shipped(system)
    base, colon, attribute = name.rpartition(":") if ":" in name else (name, "", "")
    if base in shipped_names():
        return load_shipped(base, attribute or "adapter")
    if base.endswith(".py"):
        path = Path(base)
        if not path.is_file():
            raise TargetError(f"{base}: no such file")
        _search(path)
        return _adapter(
            _attribute(_module(path, f"conformance_target_{path.stem}"), attribute or "adapter", name),
            name,
            metric,
            form,
        )
    if not colon:
        raise TargetError(unknown(name))
    sys.path.insert(0, str(Path.cwd()))
    try:
        module = importlib.import_module(base)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may do anything while it is imported, also exit
        raise TargetError(_import_fault(base, error, None)) from error
    return _adapter(_attribute(module, attribute, name), name, metric, form)


def _search(path: Path) -> None:
    """The file's folder joins the search path: first, as for a script, unless the file is named like a library."""
    folder = path.resolve().parent
    others = [each for each in sys.path if Path(each or ".").resolve() != folder]
    sys.path[:] = others
    wraps = path.stem.isidentifier() and importlib.util.find_spec(path.stem) is not None
    sys.path[:] = [*others, str(folder)] if wraps else [str(folder), *others]


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
    except BaseException as error:  # a module may do anything while it is imported, also exit
        raise TargetError(_import_fault(str(path), error, path)) from error
    return module


def _import_fault(label: str, error: BaseException, path: Path | None) -> str:
    """One line: what failed, where, and for a missing library how to get it."""
    name = Path(label).name if path is not None else label
    if isinstance(error, Missing):
        return f"{Path(name).stem}: {error}"
    if isinstance(error, ModuleNotFoundError) and error.name:
        wanted: list[str] = []
        with contextlib.suppress(ModuleNotFoundError):  # of tomli, where only the library is installed
            wanted = dependencies(path.read_text("utf-8", "replace")) if path is not None else []
        if wanted:
            return f"{name}: {error.name} is not installed: pip install {shlex.join(wanted)}"
        return f"{name}: there is no module {error.name!r}{_where(error)}"
    if isinstance(error, SyntaxError) and error.filename:
        where = f" ({Path(error.filename).name}:{error.lineno})"
        return f"{name}: importing it fails: {type(error).__name__}: {error.msg}{where}"
    return f"{name}: importing it fails: {type(error).__name__}: {' '.join(str(error).split())[:300]}{_where(error)}"


def _where(error: BaseException) -> str:
    """The innermost line of a person's file that raised the error; nothing where the import itself did."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        own = Path(frame.filename).parent != PACKAGE
        if own and "importlib" not in frame.filename and not frame.filename.startswith("<"):
            return f" ({Path(frame.filename).name}:{frame.lineno})"
    return ""


def _attribute(module: ModuleType, attribute: str, name: str) -> Any:
    found: Any = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            public = [each for each in vars(found) if not each.startswith("_") and callable(getattr(found, each))]
            near = get_close_matches(part, public, 3) or public[:5]
            hint = (
                f"; write {name}:{near[0]} for a function of it"
                if attribute == "adapter" and ":" not in name and near
                else ""
            )
            raise TargetError(f"{name}: it has no {part!r}; it has {', '.join(near) or 'nothing'}{hint}")
        found = getattr(found, part)
    return found


def _adapter(found: Any, name: str, metric: str | None, form: str | None) -> Adapter:
    """An adapter as it is, and a bare function as an adapter for the one metric it is said to be."""
    if isinstance(found, Adapter):
        if not found.capabilities:
            raise TargetError(f"{name}: the adapter plugs in no metric; decorate a function with @adapter.metric(NAME)")
        return found
    if not callable(found):
        raise TargetError(f"{name}: expected an Adapter or a function, found {type(found).__name__}")
    if metric is None:
        raise TargetError(f"{name}: which metric is this function? add --metric NAME (`conformance list metrics`)")
    from conformance.bare import adapter_of

    metrics = load().metrics
    if metric not in metrics:
        raise TargetError(f"{name}: {unknown_metric(metric, metrics)}")
    return adapter_of(found, name, metrics[metric], form)
