"""`conformance audit`: what targets make of empty and nearly empty input."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest

from conformance.adapter import Adapter
from conformance.audit import Audit, Cell, audit_suite, cells, edges
from conformance.cli import main
from conformance.model import Suite
from conformance.profiles import Oracle
from conformance.report import audit as report
from conformance.transport import InProcess
from conformance.yamlfile import schema


def column(suite: Suite, oracle: Oracle, metric: str, function: Any, **declared: Any) -> dict[str, Cell]:
    """The cells of a function that is declared to be the metric, by the names of the inputs."""
    adapter = Adapter("mine", "1")
    adapter.metric(metric, **declared)(function)
    found = dict(cells(InProcess(adapter), oracle, audit_suite(suite, [metric])))
    return {case.removeprefix(f"{metric}/"): cell for case, cell in found.items()}


def test_every_metric_has_edges_that_the_reference_answers_or_refuses(suite: Suite, oracle: Oracle) -> None:
    asked = audit_suite(suite, list(suite.metrics))
    found = dict(cells(InProcess(oracle.adapter), oracle, asked))
    assert set(found) == {check.id for check in asked.checks}
    assert {cell.kind for cell in found.values()} == {"answer", "error"}
    assert [case for case, cell in found.items() if not cell.known] == []
    for name in suite.metrics:
        kinds = {found[f"{name}/{case}"].kind for case in edges(suite.metrics[name])}
        assert "answer" in kinds, f"{name}: every edge is refused"


def test_an_answer_carries_the_convention_that_it_is(suite: Suite, oracle: Oracle) -> None:
    def wer(hypotheses: list[str], references: list[list[str]]) -> float:
        ((reference,),) = references
        right = hypotheses[0].split() == reference.split()
        return 0.0 if right else 1.0 if reference.split() else math.inf

    found = column(suite, oracle, "wer", wer, fixes={"tokenizer": "whitespace"})
    assert found['empty reference for "x y"'] == Cell("answer", "inf", "rate", "", ("empty_reference = infinity",))
    assert found['"x" for "x"'] == Cell("answer", 0.0, "rate")
    assert found['no references for "x y"'].value == "ValueError"


def test_what_no_convention_gives_is_said_to_be_so(suite: Suite, oracle: Oracle) -> None:
    found = column(suite, oracle, "wer", lambda hypotheses, references: 7.0)
    assert not any(cell.known for cell in found.values() if cell.kind == "answer")


def test_a_refusal_has_its_class_and_a_convention_only_where_one_refuses(suite: Suite, oracle: Oracle) -> None:
    def bleu(hypotheses: list[str], references: list[list[str]]) -> float:
        raise ZeroDivisionError("division by zero")

    found = column(suite, oracle, "bleu", bleu)
    corpus, pair = found["empty corpus"], found["six words, the same"]
    assert (corpus.kind, corpus.value, corpus.text) == ("error", "ZeroDivisionError", "division by zero")
    assert corpus.conventions == ("no_cases = error",)
    assert (pair.conventions, pair.known) == ((), False)


def test_a_target_without_the_main_component_shows_the_first_that_it_gives(suite: Suite, oracle: Oracle) -> None:
    found = column(suite, oracle, "rouge-l", lambda hypotheses, references: {"recall": 1.0}, components=["recall"])
    assert found['"x" for "x"'] == Cell("answer", 1.0, "recall")


@pytest.mark.parametrize("answer", [{}, {None: 1}, {"other": 1}, object()])
def test_an_answer_of_no_component_is_invalid(answer: Any, suite: Suite, oracle: Oracle) -> None:
    found = column(suite, oracle, "bleu", lambda hypotheses, references: answer)
    assert {cell.kind for cell in found.values()} == {"invalid"}


def test_a_long_value_is_cut_on_a_terminal_alone(suite: Suite, oracle: Oracle) -> None:
    found = column(suite, oracle, "bleu", lambda hypotheses, references: "x" * 1000)
    cell = found["both empty"]
    assert (
        report.document([Audit("bleu", "score", {"a": {}}, {"t": {"a": cell}})])[0]["rows"][0]["cells"]["t"]["value"]
        == "x" * 1000
    )
    assert max(map(len, report.terminal([Audit("bleu", "score", {"a": {}}, {"t": {"a": cell}})]).splitlines())) < 100


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An adapter file whose exact match is right but for a blank hypothesis, on which it crashes or hangs."""
    path = tmp_path_factory.mktemp("audit") / "mine.py"
    path.write_text(
        "import os\n"
        "from conformance import Adapter\n\n"
        "adapter = Adapter('mine', '1')\n\n\n"
        "@adapter.metric('exact-match')\n"
        "def exact_match(hypotheses, references):\n"
        "    if hypotheses == ['\\t']:\n"
        "        os._exit(3)\n"
        "    if hypotheses == ['']:\n"
        "        return 'a | b'\n"
        "    return sum(h in r for h, r in zip(hypotheses, references)) / len(hypotheses)\n",
        "utf-8",
    )
    return str(path)


def test_one_blank_that_crashes_leaves_the_others(mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", mine, "--metric", "exact-match", "--isolate"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["exact-match", mine]
    rows = {line[:40].strip(): line[40:].strip() for line in lines}
    assert rows["both a tab"] == "crash"
    assert rows['empty reference for "x y"'] == "0"
    assert rows["empty corpus"] == "ZeroDivisionError"
    assert rows["both empty"] == "a | b ?"
    assert any(line.startswith("  ?: no convention") for line in lines)


def test_as_markdown(mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "reference", mine, "--metric", "exact-match", "--format", "markdown"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"## exact-match\n\n| input | reference | {mine} |\n| --- | --- | --- |\n")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in table} == {4}


def test_as_json_by_its_schema(mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "reference", mine, "--metric", "exact-match", "--metric", "holm", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema("audit"))
    assert [each["metric"] for each in document] == ["exact-match", "holm"]
    assert set(document[0]["rows"][0]["cells"]) == {"reference", mine}
    assert set(document[1]["rows"][0]["cells"]) == {"reference"}


def test_a_target_that_is_not_there_leaves_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "nowhere.py", "reference", "--metric", "dice"]) == 3
    captured = capsys.readouterr()
    assert captured.out.startswith("dice")
    assert captured.err.count("\n") == 1
    assert "nowhere.py" in captured.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["audit", "reference", "--metric", "blue"], "bleu"),
        (["audit", "pyunormalize", "--metric", "dice"], "none of the targets can be asked dice"),
    ],
)
def test_a_question_that_cannot_be_put_is_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1


TARGETS = (
    "sacrebleu",
    "rouge-score",
    "jiwer",
    "nltk",
    "rapidfuzz",
    "textdistance",
    "jellyfish@pinned",
    "pycocoevalcap@pinned",
    "transformers@pinned",
    "torchmetrics@pinned",
)
ALL = object()
"""An error of any class."""
SECTION = {
    # metric, input: what the pinned systems give, by section 8.3 of "Surface metrics" (document 000), on the 0-1 scale
    ("exact-match", "six words, the same"): {"transformers": 1, "nltk": 1, "torchmetrics": 1},
    ("exact-match", "both empty"): {"transformers": 1, "nltk": 1, "torchmetrics": 1},
    ("token-overlap", "six words, the same"): {"transformers": 1, "nltk": 1},
    ("token-overlap", "both empty"): {"transformers": 1, "nltk": None},
    ("token-overlap", 'empty hypothesis for "x y"'): {"transformers": 0},
    ("token-overlap", 'empty reference for "x y"'): {"transformers": 0},
    ("jaccard", "six words, the same"): {"textdistance": 1, "jellyfish": 1, "nltk": 1},
    ("jaccard", "both empty"): {"textdistance": 1, "jellyfish": 0, "nltk": ALL},
    ("dice", "six words, the same"): {"textdistance": 1},
    ("dice", "both empty"): {"textdistance": 1},
    ("levenshtein", "six words, the same"): {"rapidfuzz": 0, "nltk": 0, "textdistance": 0, "jellyfish": 0},
    ("levenshtein", "both empty"): {"rapidfuzz": 0, "nltk": 0, "textdistance": 0, "jellyfish": 0},
    ("levenshtein", 'empty hypothesis for "x y"'): {"rapidfuzz": 3, "nltk": 3, "textdistance": 3, "jellyfish": 3},
    ("levenshtein", 'empty reference for "x y"'): {"rapidfuzz": 3, "nltk": 3, "textdistance": 3, "jellyfish": 3},
    ("wer", "six words, the same"): {"jiwer": 0, "torchmetrics": 0},
    ("wer", "both empty"): {"jiwer": 0},
    ("wer", 'empty hypothesis for "x y"'): {"jiwer": 1, "torchmetrics": 1},
    ("wer", 'empty reference for "x y"'): {"jiwer": 2},
    ("cer", "six words, the same"): {"jiwer": 0, "torchmetrics": 0},
    ("cer", "both empty"): {"jiwer": 0},
    ("cer", 'empty hypothesis for "x y"'): {"jiwer": 1, "torchmetrics": 1},
    ("cer", 'empty reference for "x y"'): {"jiwer": 3},
    ("ter", "six words, the same"): {"sacrebleu": 0, "torchmetrics": 0},
    ("ter", "both empty"): {"sacrebleu": 0},
    ("ter", 'empty hypothesis for "x y"'): {"sacrebleu": 1},
    ("ter", 'empty reference for "x y"'): {"sacrebleu": 1},
    ("bleu", "six words, the same"): {"sacrebleu": 1, "nltk": 1, "torchmetrics": 1},
    ("bleu", '"x y" for "x y"'): {"sacrebleu": 0, "torchmetrics": 0},
    ("bleu", "both empty"): {"sacrebleu": 0, "nltk": 0, "pycocoevalcap": 0, "torchmetrics": 0},
    ("bleu", 'empty hypothesis for "x y"'): {"sacrebleu": 0, "nltk": 0, "pycocoevalcap": 0, "torchmetrics": 0},
    ("bleu", 'empty reference for "x y"'): {"sacrebleu": 0, "nltk": 0, "torchmetrics": 0},
    ("chrf", "six words, the same"): {"sacrebleu": 1, "torchmetrics": 1},
    ("chrf", "both empty"): {"sacrebleu": 0, "torchmetrics": 0},
    ("chrf", 'empty hypothesis for "x y"'): {"sacrebleu": 0, "torchmetrics": 0},
    ("chrf", 'empty reference for "x y"'): {"sacrebleu": 0, "torchmetrics": 0},
    ("rouge-n", "six words, the same"): {"rouge-score": 1, "torchmetrics": 1},
    ("rouge-n", "both empty"): {"rouge-score": 0, "torchmetrics": 0},
    ("rouge-n", 'empty hypothesis for "x y"'): {"rouge-score": 0, "torchmetrics": 0},
    ("rouge-n", 'empty reference for "x y"'): {"rouge-score": 0, "torchmetrics": 0},
    ("rouge-l", "six words, the same"): {"rouge-score": 1, "pycocoevalcap": 1, "torchmetrics": 1},
    ("rouge-l", "both empty"): {"rouge-score": 0, "torchmetrics": 0},
    ("rouge-l", 'empty hypothesis for "x y"'): {"rouge-score": 0, "pycocoevalcap": 0, "torchmetrics": 0},
    ("rouge-l", 'empty reference for "x y"'): {"rouge-score": 0, "pycocoevalcap": 0, "torchmetrics": 0},
    ("meteor", '"x" for "x"'): {"nltk": 1 - 1 / 2},
    ("meteor", '"x y" for "x y"'): {"nltk": 1 - 1 / (2 * 2**3)},
    ("meteor", "six words, the same"): {"nltk": 1 - 1 / (2 * 6**3)},
    ("meteor", "both empty"): {"nltk": 0},
    ("meteor", 'empty hypothesis for "x y"'): {"nltk": 0},
    ("cider-d", "six words, the same"): {"pycocoevalcap": 0},
    ("cider-d", "both empty"): {"pycocoevalcap": ALL},
    ("cider-d", 'empty hypothesis for "x y"'): {"pycocoevalcap": 0},
}


@pytest.mark.environment
def test_section_8_3_of_surface_metrics_cell_by_cell(capsys: pytest.CaptureFixture[str]) -> None:
    asked = list(dict.fromkeys(metric for metric, _ in SECTION))
    wanted = [option for metric in asked for option in ("--metric", metric)]
    assert main(["audit", *TARGETS, *wanted, "--format", "json"]) == 0
    tables: dict[str, dict[str, Mapping[str, Any]]] = {
        each["metric"]: {row["case"]: row["cells"] for row in each["rows"]}
        for each in json.loads(capsys.readouterr().out)
    }
    named = {target.partition("@")[0]: target for target in TARGETS}
    assert {target for table in tables.values() for row in table.values() for target in row} == set(TARGETS)
    wrong = []
    for (metric, case), row in SECTION.items():
        for name, value in row.items():
            cell = tables[metric][case][named[name]]
            if value is ALL:
                right = cell["kind"] == "error"
            else:
                right = cell["kind"] == "answer" and cell["value"] == (value and pytest.approx(value, rel=1e-9))
            if not right:
                wrong.append((metric, case, name, value, cell))
    assert wrong == []
