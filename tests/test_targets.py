"""Names of targets: what each kind connects to, and what is said where it cannot be."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import conformance
from conformance import environment, interpreters, javascript, metadata
from conformance.adapter import Adapter
from conformance.bare import adapter_of
from conformance.child import Child
from conformance.environment import requirements
from conformance.metadata import dependencies
from conformance.model import Field, Suite
from conformance.profiles import declared_truly
from conformance.releases import adapter_file
from conformance.suite import home, load
from conformance.target import connect, load_shipped, shipped_names
from conformance.transport import InProcess, Question, TargetError

METRICS = load().metrics

ADAPTER = """
from conformance import Adapter
adapter = Adapter("mine", version="3")

@adapter.metric("exact-match")
def score(hypotheses, references):
    return sum(h in r for h, r in zip(hypotheses, references)) / len(hypotheses)

def distance(a, b):
    return abs(len(a) - len(b))

def shout(text):
    return text.upper()

def obscure(p, q):
    return 0

number = 4
empty = Adapter("empty", version="1")
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a module of a person's own; the interpreter's path is put back afterwards."""
    (tmp_path / "mine.py").write_text(ADAPTER)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("mine", "broken", "colorsys", "beside_it"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def pair(metric: str, hypothesis: Any = "a b", *references: Any) -> Question:
    return Question(metric, {"hypotheses": [hypothesis], "references": [list(references) or ["a b"]]}, {})


def refusal(name: str, **options: Any) -> str:
    with pytest.raises(TargetError) as raised:
        connect(name, **options)
    return str(raised.value)


PAIR = {"hypotheses": ["a b d"], "references": [["a b c"]]}
BOTH = pytest.mark.parametrize("isolate", [False, True], ids=["in process", "child"])


# --- adapters of ours ---


def test_an_adapter_of_ours_is_called_in_process_unless_one_asks_otherwise() -> None:
    with connect("null") as connection:
        assert isinstance(connection, InProcess)
    with connect("null", isolate=True) as connection:
        assert isinstance(connection, Child)
        assert connection.identity.version == conformance.__version__


@BOTH
@pytest.mark.parametrize(("name", "value"), [("null:zero", 0), ("null:one", 1)])
def test_a_colon_names_an_object_of_the_adapter_file(name: str, value: int, isolate: bool) -> None:
    with connect(name, isolate=isolate) as connection:
        (reply,) = connection.ask([pair("exact-match")])
    assert reply.body == {"": value}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sacreblue", "did you mean sacrebleu?"),
        ("qqqq", "nltk, ntt-ribes, null, "),
        ("null:two", "it has no 'two'"),
        ("null:constant", "is no adapter"),
        ("fake:hang", "did you mean hangs"),
        ("null@1.0", "depends on no package of that name"),
        ("rapidfuzz@--pre", "'--pre' is no version"),
        ("rapidfuzz@", "nothing stands after the @"),
        ("leven@", "nothing stands after the @"),
        ("rapidfuzz@../x", "'../x' is no version"),
        ("rapidfuzz@" + 300 * "9", "is no version"),
        ("cmd:", "the command is missing"),
        ("cmd:'x", "No closing quotation"),
        ("cmd:./nothing-here", "cannot be started"),
        ("nowhere.py", "nowhere.py: no such file"),
        ("nowhere.at.all:score", "there is no module 'nowhere'"),
        ("mine:scores", "it has no 'scores'; it has score"),
        ("mine:number", "expected an Adapter or a function, found int"),
        ("mine:empty", "the adapter plugs in no metric"),
        ("mine:distance", "which metric is this function? add --metric NAME"),
    ],
)
def test_a_name_that_cannot_be_connected_says_what_to_do(name: str, words: str) -> None:
    assert words in refusal(name)


def test_a_missing_library_says_how_to_get_it(folder: Path) -> None:
    text = '# /// script\n# dependencies = ["no-such-library==1.0", "x>=2"]\n# ///\nimport no_such_library\n'
    (folder / "wrap.py").write_text(text)
    assert refusal("wrap.py") == "wrap.py: no_such_library is not installed: pip install no-such-library==1.0 'x>=2'"


@BOTH
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\ny = x / 0\n", "ZeroDivisionError: division by zero (broken.py:2)"),
        ("def f(:\n", "SyntaxError: invalid syntax (broken.py:1)"),
        ("import sys\nsys.exit('go away')\n", "SystemExit: go away (broken.py:2)"),
        ("import no_such_library\n", "there is no module 'no_such_library' (broken.py:1)"),
    ],
)
def test_a_file_that_fails_names_its_line(text: str, words: str, isolate: bool, folder: Path) -> None:
    (folder / "broken.py").write_text(text)
    assert words in refusal("broken.py", isolate=isolate)
    assert words in refusal("broken:score", isolate=isolate)


# --- a person's own code ---


@BOTH
@pytest.mark.parametrize("name", ["mine.py", "./mine.py", "mine:adapter", "mine.py:adapter"])
def test_an_adapter_of_a_persons_own_is_found_by_path_and_by_module(name: str, isolate: bool) -> None:
    with connect(name, isolate=isolate) as connection:
        (reply,) = connection.ask([pair("exact-match")])
    assert (connection.identity.name, connection.identity.version, reply.body) == ("mine", "3", {"": 1.0})


def test_a_persons_own_code_gets_a_process_of_its_own() -> None:
    with connect("mine.py") as connection:
        assert isinstance(connection, Child)


@BOTH
def test_a_function_is_the_metric_that_one_says(isolate: bool) -> None:
    with connect("mine:distance", metric="levenshtein", isolate=isolate) as connection:
        (reply,) = connection.ask([pair("levenshtein", "abc", "a")])
    assert reply.body == {"": 2}
    with connect("mine.py:shout", metric="squad-normalize", isolate=isolate) as connection:
        (reply,) = connection.ask([Question("squad-normalize", {"text": "a"}, {})])
    assert reply.body == {"": "A"}


@BOTH
def test_an_unknown_metric_is_refused(isolate: bool) -> None:
    text = refusal("mine:distance", metric="levenstein", isolate=isolate)
    assert text.startswith("mine:distance: no metric 'levenstein'; did you mean levenshtein")


def test_a_function_whose_parameters_say_nothing_is_refused_with_the_way_out() -> None:
    text = refusal("mine:obscure", metric="levenshtein")
    assert "its parameters (p, q) do not say" in text
    assert "hypothesis or hyp" in text
    assert "    @adapter.metric('levenshtein')" in text


@BOTH
@pytest.mark.parametrize("inside", [False, True])
def test_a_file_may_be_named_like_the_library_that_it_wraps(
    inside: bool, isolate: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the modules beside it are found all the same."""
    other = folder / "elsewhere"
    other.mkdir()
    (other / "colorsys.py").write_text(
        "from colorsys import rgb_to_hsv\nimport beside_it\nfrom conformance import Adapter\n"
        "adapter = Adapter('f', version='1')\n"
        "adapter.metric('exact-match')(lambda h, r: rgb_to_hsv(0, 0, beside_it.HALF)[2])\n"
    )
    (other / "beside_it.py").write_text("HALF = 0.5\n")
    if inside:
        monkeypatch.chdir(other)
    with connect("colorsys.py" if inside else "elsewhere/colorsys.py", isolate=isolate) as connection:
        (reply,) = connection.ask([pair("exact-match")])
    assert reply.body == {"": 0.5}


def test_a_command_is_any_program(folder: Path) -> None:
    (folder / "port.py").write_text("from conformance.fakes import main; main('raises')")
    source = str(Path(conformance.__file__).parent.parent)
    with connect(f"cmd:env PYTHONPATH={source} {sys.executable} port.py") as connection:
        (reply,) = connection.ask([pair("wer")])
    assert reply.body == {"": 0.0}


# --- bare functions ---


def one_pair(order: str) -> Callable[..., Any]:
    """A function that tells what it got; its parameters are named in this order."""
    made: dict[str, Any] = {}
    exec(f"def function({order}): return [str(each) for each in locals().values()]", made)
    return made["function"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("parameters", "got"),
    [
        ("hypothesis, reference", ["H", "R"]),
        ("reference, hypothesis", ["R", "H"]),
        ("truth, hyp", ["R", "H"]),
        ("prediction, target", ["H", "R"]),
        ("Pred, Gold", ["H", "R"]),
        ("candidate, ref, n=4", ["H", "R", "4"]),
        ("ref, /, output", ["R", "H"]),
        ("*, reference, system", ["R", "H"]),
        ("a, b", ["H", "R"]),
        ("s1, s2, weights=None", ["H", "R", "None"]),
        ("left, right", ["H", "R"]),
        ("hypothesis, references", ["H", "['R', 'S']"]),
        ("references, hypothesis", ["['R', 'S']", "H"]),
        ("hypotheses, references", ["['H']", "[['R', 'S']]"]),
        ("refs, preds", ["[['R', 'S']]", "['H']"]),
    ],
)
def test_the_names_of_a_functions_parameters_say_what_they_get(parameters: str, got: list[str]) -> None:
    adapter = adapter_of(one_pair(parameters), "test", METRICS["wer"], None)
    assert adapter.call("wer", {"hypotheses": ["H"], "references": [["R", "S"]]}, {})["answer"] == {"": got}


@pytest.mark.parametrize(
    ("parameters", "corpus", "references"),
    [("hyp, ref", False, "one"), ("a, b", False, "one"), ("hyp, refs", False, "many"), ("hyps, refs", True, "many")],
)
def test_and_how_much_of_a_corpus(parameters: str, corpus: bool, references: str) -> None:
    capability = adapter_of(one_pair(parameters), "test", METRICS["wer"], None).capabilities["wer"]
    assert (capability.corpus, capability.references) == (corpus, references)


@pytest.mark.parametrize(
    "parameters",
    ["", "p, q", "hypothesis", "a, b, c", "hypothesis, reference, needed", "hyps, reference", "b, a", "*args"],
)
def test_names_that_say_nothing_are_refused(parameters: str) -> None:
    with pytest.raises(TargetError, match="do not say which"):
        adapter_of(one_pair(parameters), "test", METRICS["wer"], None)


@pytest.mark.parametrize(
    ("parameters", "form", "input"),
    [
        ("hyp: list[str], ref: list[str]", None, "tokens"),
        ("hyp: 'Sequence[str]', ref", None, "tokens"),
        ("hyp: str, ref: str", None, "text"),
        ("hyp: 'str | list[str]', ref", None, "text"),
        ("hyps: list[str], refs: list[list[str]]", None, "text"),
        ("hyps: list[list[str]], refs", None, "tokens"),
        ("hyp, ref", "tokens", "tokens"),
        ("hyp: list[str], ref", "text", "text"),
    ],
)
def test_an_annotation_or_the_user_says_tokens(parameters: str, form: str | None, input: str) -> None:
    assert adapter_of(one_pair(parameters), "test", METRICS["wer"], form).capabilities["wer"].input == input


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ({"fixes": {"smothing": "exp"}}, "fixes: there is no parameter 'smothing'; did you mean smoothing"),
        ({"defaults": {"smoothing": "much"}}, "defaults: smoothing: expected one of none, floor"),
        ({"accepts": {"max_order": [0]}}, "accepts: max_order: expected a value from 1 to"),
        ({"components": ["scores"]}, "components: there is no 'scores'; known are score,"),
        ({"scale": {"precision": 100}}, "scale: there is no component 'precision'; known are score,"),
        ({"decimals": -1}, "decimals: expected a number from 0 to 15, found -1"),
        ({"given": ["synonyms"]}, "given: there is no 'synonyms'; known are"),
    ],
)
def test_a_declaration_that_cannot_be_so_is_told(declared: dict[str, Any], words: str, suite: Suite) -> None:
    adapter = Adapter("mine", "1")
    adapter.metric("bleu", **declared)(lambda hypotheses, references: 0)
    with pytest.raises(TargetError) as raised:
        declared_truly("mine.py", adapter.capabilities, suite.metrics)
    assert str(raised.value).startswith("mine.py: it declares of bleu: " + words)


def test_an_optional_field_reaches_the_function_by_its_name() -> None:
    adapter = Adapter("mine", "1")
    adapter.metric("meteor", given=["synonyms"])(lambda h, r, *, synonyms=(), alpha=0.5: [h, r, synonyms, alpha])
    fields = {"hypotheses": ["a"], "synonyms": [["car", "automobile"]], "references": [["b"]]}
    assert adapter.call("meteor", fields, {"alpha": 1}) == {
        "answer": {"": [["a"], [["b"]], [["car", "automobile"]], 1]}
    }
    del fields["synonyms"]
    assert adapter.call("meteor", fields, {}) == {"answer": {"": [["a"], [["b"]], [], 0.5]}}


GLEU = {"hypotheses": Field("segments"), "references": Field("segments-many"), "sources": Field("segments")}
NUMBERS = {"scores": Field("numbers"), "labels": Field("numbers", optional=True)}


@pytest.mark.parametrize(
    ("parameters", "got"),
    [
        ("hyp, ref, source", ["H", "R", "S"]),
        ("source, hypothesis, references", ["S", "H", "['R']"]),
        ("hypotheses, references, sources", ["['H']", "[['R']]", "['S']"]),
    ],
)
def test_a_further_field_of_the_metric_is_a_parameter_of_its_name(parameters: str, got: list[str]) -> None:
    adapter = adapter_of(one_pair(parameters), "test", METRICS["gec-gleu"], None)
    fields = {"hypotheses": ["H"], "references": [["R"]], "sources": ["S"]}
    assert adapter.call("gec-gleu", fields, {})["answer"] == {"": got}


@pytest.mark.parametrize(
    ("parameters", "fields", "words"),
    [
        ("hyp, ref", GLEU, "gec-gleu also takes sources"),
        ("values", NUMBERS, "have to be named for fields of gec-gleu: scores, labels"),
        ("labels", NUMBERS, "have to be named for fields"),
    ],
)
def test_a_field_that_no_parameter_is_named_for_is_told(parameters: str, fields: Any, words: str) -> None:
    with pytest.raises(TargetError, match=words):
        adapter_of(one_pair(parameters), "test", replace(METRICS["gec-gleu"], input=fields), None)


def test_a_function_of_numbers_is_asked_what_it_takes() -> None:
    adapter = adapter_of(
        one_pair("scores, labels"), "test", replace(METRICS["perplexity"], name="numbers", input=NUMBERS), None
    )
    assert adapter.call("numbers", {"scores": [1], "labels": [2]}, {})["answer"] == {"": ["[1]", "[2]"]}
    assert adapter.call("numbers", {"scores": [1]}, {}) == {"unsupported": "the function needs labels"}
    adapter = adapter_of(
        one_pair("scores, labels=None"), "test", replace(METRICS["perplexity"], name="numbers", input=NUMBERS), None
    )
    assert adapter.call("numbers", {"scores": [1]}, {})["answer"] == {"": ["[1]", "None"]}


def test_keywords_that_are_named_as_the_metrics_parameters_are_its_settings() -> None:
    """A number can be set; of a choice only the default is told; what has another name or value is the function's own."""
    function = one_pair("hypothesis, reference, max_order=2, lowercase=True, smoothing='exp', tokenizer=None, beta=1")
    adapter = adapter_of(function, "test", METRICS["bleu"], None)
    capability = adapter.capabilities["bleu"]
    assert capability.defaults == {"max_order": 2, "lowercase": True, "smoothing": "exp"}
    assert set(capability.accepts) == {"max_order", "lowercase"}
    fields = {"hypotheses": ["H"], "references": [["R"]]}
    assert adapter.call("bleu", fields, {"max_order": 3})["answer"] == {"": ["H", "R", "3", "True", "exp", "None", "1"]}


def test_a_transform_has_one_parameter() -> None:
    adapter = adapter_of(one_pair("anything, option=1"), "test", METRICS["tokenize"], None)
    assert adapter.call("tokenize", {"text": "T"}, {})["answer"] == {"": ["T", "1"]}
    with pytest.raises(TargetError, match="a function of one text"):
        adapter_of(one_pair("text, language"), "test", METRICS["tokenize"], None)


# --- other versions ---

METADATA = """# /// script
# requires-python = ">=3.10"
# dependencies = [
#   "Some_Library[extra]==2.0",  # the one it wraps
#   'other>=1',
# ]
# ///
"""


def test_the_librarys_own_pin_is_replaced_by_the_wanted_version() -> None:
    assert dependencies(METADATA) == ["Some_Library[extra]==2.0", "other>=1"]
    assert requirements("some-library", "1.5", METADATA) == ["Some_Library[extra]==1.5", "other>=1"]


SHARED = """# /// script
# requires-python = "{python}"
# dependencies = ["{package}"]
#
# [tool.conformance]
# environment = "twins"
# installer = "{installer}"
# without-dependencies = ["data=={data}"]
# ///
"""


def twin(package: str = "x==1", installer: str = "pip", python: str = ">=3.10", data: str = "1") -> str:
    return SHARED.format(package=package, installer=installer, python=python, data=data)


def written(folder: Path, source: str) -> Path:
    (folder / "x.py").write_text(source)
    return folder / "x.py"


def test_adapters_share_the_environment_that_they_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Their packages go in together, and its Python is new enough for each."""
    (tmp_path / "adapters").mkdir()
    texts = {"b": twin("y==2", python=">=3.12"), "a": twin(data="2"), "c": METADATA}
    for name, text in texts.items():
        (tmp_path / "adapters" / f"{name}.py").write_text(text)
    monkeypatch.setattr(environment, "home", lambda: tmp_path)
    found = environment.Contents(["x==1", "y==2"], ["data==1", "data==2"], (3, 12))
    assert environment.contents("a", "pinned", texts["a"]) == found
    assert environment.contents("b", "pinned", texts["b"]) == found
    alone = environment.Contents(["Some_Library[extra]==2.0", "other>=1"], [], (3, 10))
    assert environment.contents("c", "pinned", texts["c"]) == alone


def test_the_table_of_the_suite_is_read_as_such() -> None:
    assert metadata.setting(twin(), "installer") == "pip"
    assert metadata.setting(METADATA, "environment") is None
    assert metadata.setting('installer = "pip"', "installer") is None
    assert metadata.without_dependencies(twin()) == ["data==1"]
    assert metadata.without_dependencies(METADATA) == []
    assert metadata.dependencies(twin()) == ["x==1"]


@pytest.fixture
def pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine has 3.10, which runs the suite, and two later ones."""
    found = [((3, 10), "/own"), ((3, 13), "/newest"), ((3, 12), "/newer")]
    monkeypatch.setattr(interpreters, "present", lambda: iter(found))


@pytest.mark.usefixtures("pythons")
@pytest.mark.parametrize(
    ("wanted", "version", "chosen"),
    [
        (">=3.10", "pinned", "/own"),
        (">=3.11", "pinned", "/newest"),
        (" >= 3.13 ", "pinned", "/newest"),
        (">=3.11", "1.0", "/own"),
    ],
)
def test_a_pinned_version_gets_the_first_python_that_it_can_run_on(
    wanted: str, version: str, chosen: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of another release nobody has said what it needs, so it is tried, first on this Python."""
    asked: list[list[str]] = []

    def run_installer(program: str, command: list[str], label: str) -> None:
        asked.append(command)
        raise TargetError("the installer is needed for this")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(environment, "run_installer", run_installer)
    table = '# [tool.conformance]\n# installer = "pip"\n# ///\n'
    source = METADATA.replace(">=3.10", wanted).replace("# ///\n", table)
    with pytest.raises(TargetError, match="the installer is needed for this"):
        environment.python_for("some-library", version, written(tmp_path, source))
    assert asked[0][0] == chosen


@pytest.mark.usefixtures("pythons")
def test_a_release_that_no_python_can_have_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Built packages are looked for on all Pythons before one is built."""
    tried: list[tuple[str, bool]] = []

    def run_installer(program: str, command: list[str], label: str) -> None:
        if "-m" in command[1:2] and "venv" in command:
            tried.append((command[0], True))
            return
        tried[-1] = (tried[-1][0], "--only-binary" in command)
        raise TargetError(f"{label}: pip cannot make the environment: {'no compiler' if len(tried) > 4 else 'old'}")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(environment, "run_installer", run_installer)
    adapter = written(tmp_path, METADATA.replace("# ///\n", '# [tool.conformance]\n# installer = "pip"\n# ///\n'))
    with pytest.raises(TargetError) as raised:
        environment.python_for("some-library", "1.0", adapter)
    places = ["/own", "/newest", "/newer"]
    assert tried == [(each, True) for each in places] + [(each, False) for each in places]
    assert str(raised.value) == (
        "some-library@1.0: it cannot be had here; put another Python from 3.10 on on PATH, or name another release. "
        "on Python 3.10: pip cannot make the environment: old; "
        "on Python 3.13, 3.12: pip cannot make the environment: no compiler"
    )


@pytest.mark.usefixtures("pythons")
@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        (
            ">=3.14",
            "x@pinned: it needs Python 3.14 or later, and there is only 3.10, 3.13, 3.12: "
            "put python3.14 on PATH, or install it with uv or pyenv",
        ),
        (">=3.11,<3.13", "x@pinned: requires-python: expected the form '>=3.11', found '>=3.11,<3.13'"),
        ("~=3.11", "x@pinned: requires-python: expected the form '>=3.11', found '~=3.11'"),
    ],
)
def test_a_python_that_is_not_there_is_one_line(wanted: str, line: str, tmp_path: Path) -> None:
    with pytest.raises(TargetError) as raised:
        environment.python_for("x", "pinned", written(tmp_path, METADATA.replace(">=3.10", wanted)))
    assert str(raised.value) == line


def test_the_interpreters_are_this_one_and_one_of_each_other_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A program that is no Python, one that is too old, and what is only named like one are passed over."""
    said = {"python3.9": "cpython 3 9", "python3.31": "cpython 3 31", "python3.30": "pypy 3 30", "python3.32": "what"}
    for name, words in {**said, "python3.33-config": "cpython 3 33", "python3.34": "cpython 3 34"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\necho {words}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "python3.34").chmod(0o644)
    for variable in ("PYENV_ROOT", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(interpreters.present()) == [
        (sys.version_info[:2], sys.executable),
        ((3, 31), str(tmp_path / "python3.31")),
    ]


def test_an_installer_is_uv_or_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(TargetError, match="the adapter's installer is uv or pip, not 'conda'"):
        environment.python_for("x", "1", written(tmp_path, twin(installer="conda")))


def test_every_adapter_of_ours_says_what_it_needs() -> None:
    adapters = Path(load_shipped.__code__.co_filename).parent.parent / "adapters"
    for name in set(shipped_names()) - {"null", "reference", *javascript.adapters()}:
        source = (adapters / f"{name}.py").read_text("utf-8")
        pinned = any("==" in each for each in dependencies(source))
        assert pinned or "user_file(" in source, name


def test_without_uv_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    assert "pip install 'text-metric-conformance[environments]'" in refusal("rapidfuzz@3.13.0")


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """uv and an index that has the library, and a cache of our own that is empty."""
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    try:
        program = environment.uv()
    except TargetError as error:
        pytest.skip(str(error))
    probe = [program, "pip", "install", "--quiet", "--target", str(cache / "probe"), "rapidfuzz==3.13.0"]
    done = subprocess.run(
        [*probe, "--python", sys.executable], capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode:
        pytest.skip(f"uv cannot reach a registry: {done.stderr.strip().splitlines()[-1:]}")


@pytest.mark.environment
@pytest.mark.usefixtures("registry")
def test_another_version_answers_from_an_environment_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    for made in (True, False):
        with connect("rapidfuzz@3.13.0") as connection:
            (reply,) = connection.ask([pair("levenshtein", "kitten", "sitting")])
        assert (connection.identity.version, reply.body["distance"]) == ("3.13.0", 3)
        assert ("making an environment" in capsys.readouterr().err) is made


def test_an_adapter_is_served_where_nothing_but_its_library_is_installed() -> None:
    """Also not the reader of TOML, which is a package of its own for Python 3.10."""
    python, *words = environment.serve_command(sys.executable, home() / "adapters" / "null.py")
    command = [python, "-S", "-X", "importtime", *words]
    done = subprocess.run(command, input='{"say": "bye"}\n', capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    assert not {"tomllib", "tomli", "yaml"} & {line.split()[-1] for line in done.stderr.splitlines()}


@pytest.mark.parametrize(
    ("version", "file"),
    [
        ("pinned", "sacrebleu.py"),
        ("2.0.0", "sacrebleu.py"),
        ("2.0", "sacrebleu.py"),
        ("10.0", "sacrebleu.py"),
        ("1.5.1", "before/sacrebleu-2.0.py"),
        ("v1.4.0.post1", "before/sacrebleu-2.0.py"),
    ],
)
def test_a_release_with_an_older_interface_has_an_adapter_file_of_its_own(version: str, file: str) -> None:
    assert adapter_file("sacrebleu", version) == home() / "adapters" / file


OLD: dict[str, tuple[Question, float, str]] = {
    # a word of three is wrong: P1 = 2/3, P2 = 1/2; of the orders above none is there
    "sacrebleu@1.4.0": (Question("bleu", PAIR, {"smoothing": "none"}), 0.0, "score"),
    "jiwer@2.2.0": (Question("wer", PAIR, {}), 1 / 3, "rate"),
    "rouge-score@0.0.4": (Question("rouge-n", PAIR, {"order": 2}), 1 / 2, "recall"),
    "rapidfuzz@1.9.1": (Question("levenshtein", PAIR, {"substitution_cost": 2}), 2, "distance"),
    "nltk@3.2.5": (Question("damerau-levenshtein", {"hypotheses": ["ca"], "references": [["abc"]]}, {}), 3, "distance"),
}


@pytest.mark.environment
@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize("name", sorted(OLD))
def test_an_old_release_answers_on_a_python_that_it_runs_on(name: str) -> None:
    """Levenshtein's distance with transpositions was the restricted one in NLTK: two edits never touch again."""
    question, value, component = OLD[name]
    with connect(name) as connection:
        (reply,) = connection.ask([question])
    assert connection.identity.version == name.partition("@")[2]
    assert reply.kind == "answer", reply.body
    assert reply.body.get(component, reply.body.get("")) == pytest.approx(value)


@pytest.mark.environment
@pytest.mark.usefixtures("registry")
def test_pip_makes_one_environment_for_two_adapters(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One package comes without what it depends on."""
    texts = [twin(each, data="1") for each in ("textdistance==4.6.3", "typing-extensions==4.15.0")]
    sources = [each.replace("data==1", "jsonschema==4.23.0") for each in texts]
    folder = tmp_path / "adapters"
    folder.mkdir()
    for name, text in zip("ab", sources, strict=True):
        (folder / f"{name}.py").write_text(text)
    monkeypatch.setattr(environment, "home", lambda: tmp_path)
    pythons = {environment.python_for(name, "pinned", folder / f"{name}.py") for name in "ab"}
    assert len(pythons) == 1
    script = """
import typing_extensions
from importlib.metadata import distributions
print(*sorted(each.name + "==" + each.version for each in distributions() if each.name not in ("pip", "setuptools")))
"""
    done = subprocess.run([*pythons, "-I", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["jsonschema==4.23.0", "textdistance==4.6.3", "typing_extensions==4.15.0"]


@pytest.mark.environment
@pytest.mark.usefixtures("registry")
def test_a_version_that_does_not_exist_is_told_in_uvs_words() -> None:
    text = refusal("rapidfuzz@0.0.999")
    assert text.startswith("rapidfuzz@0.0.999: uv cannot make the environment: ")
    assert "no version of rapidfuzz==0.0.999" in text
