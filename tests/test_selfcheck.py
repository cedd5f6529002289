"""`conformance check` tells an adapter's faults from the implementation's, each by its name."""

from __future__ import annotations

import math
import time
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from conformance.adapter import Adapter, Unsupported
from conformance.cli import main
from conformance.model import Suite
from conformance.profiles import Oracle
from conformance.reference import bleu as reference_bleu
from conformance.reference import error_rates
from conformance.reference import overlap as reference_overlap
from conformance.reference import perplexity as reference_perplexity
from conformance.selfcheck import Finding, SelfCheck
from conformance.target import connect
from conformance.transport import InProcess

Hypotheses = Sequence[Any]
References = Sequence[Sequence[Any]]
Metric = Callable[[Hypotheses, References], Any]


def wer(hypotheses: Hypotheses, references: References) -> float:
    return float(error_rates.wer(hypotheses, references)["rate"])


def bleu(hypotheses: Hypotheses, references: References, **parameters: Any) -> float:
    return float(reference_bleu.bleu(hypotheses, references, **{"max_order": 2, **parameters})["score"])


def recoded(change: Callable[[str], str]) -> Metric:
    """Word error rate of texts that are changed on the way."""
    return lambda hypotheses, references: wer(
        [change(each) for each in hypotheses], [[change(each) for each in several] for several in references]
    )


def swapped(hypotheses: Hypotheses, references: References) -> float:
    return wer([each[0] for each in references], [[each] for each in hypotheses])


def transposed(hypotheses: Hypotheses, references: References) -> float:
    square = len(references) == len(references[0])
    return bleu(hypotheses, [list(each) for each in zip(*references, strict=True)] if square else references)


def averaged(hypotheses: Hypotheses, references: References) -> float:
    return sum(bleu([h], [r]) for h, r in zip(hypotheses, references, strict=True)) / len(hypotheses)


def mutating(hypotheses: list[str], references: References) -> float:
    rate = wer(list(hypotheses), references)
    hypotheses.reverse()
    hypotheses.append("more")
    return rate


def printing(hypotheses: Hypotheses, references: References) -> float:
    print("scoring")
    return wer(hypotheses, references)


def remembering() -> Metric:
    calls: list[int] = []

    def counted(hypotheses: Hypotheses, references: References) -> float:
        calls.append(1)
        return wer(hypotheses, references) + len(calls) / 1000

    return counted


WER: dict[str, Any] = {"references": "one", "components": ["rate"], "fixes": {"tokenizer": "whitespace"}}
BLEU: dict[str, Any] = {"components": ["score"], "defaults": {"max_order": 2}, "accepts": {"max_order": range(1, 9)}}


def finding(metric: str, function: Any, suite: Suite, oracle: Oracle, **declared: Any) -> Finding:
    """What is found of one metric."""
    adapter = Adapter("seeded", "1")
    adapter.metric(metric, **{**(WER if metric == "wer" else BLEU), **declared})(function)
    (found,) = SelfCheck(InProcess(adapter), oracle, suite).findings([metric])
    return found


FAULTS: dict[str, tuple[str, Any, str]] = {
    "swapped": ("wer", swapped, "hypothesis and reference are exchanged"),
    "transposed": ("bleu", transposed, "the references are transposed"),
    "first reference": ("bleu", lambda h, r: bleu(h, [each[:1] for each in r]), "only the first reference"),
    "percent": ("wer", lambda h, r: 100 * wer(h, r), "a value 100 times too large (declare scale=100)"),
    "rounded": ("wer", lambda h, r: round(wer(h, r), 2), "rounded to 2 decimals (declare decimals=2)"),
    "cut": ("bleu", lambda h, r: math.trunc(1000 * bleu(h, r)) / 1000, "cut after 3 decimals"),
    "accuracy": ("wer", lambda h, r: 1 - wer(h, r), "one minus the value"),
    "lower case": ("wer", recoded(str.lower), "the text is lower-cased on the way"),
    "ASCII": ("wer", recoded(lambda text: text.encode("ascii", "ignore").decode()), "are dropped on the way"),
    "Latin-1": ("wer", recoded(lambda text: text.encode().decode("latin-1")), "UTF-8 is read as Latin-1 on the way"),
    "composed": ("wer", recoded(lambda text: unicodedata.normalize("NFC", text)), "the text is composed (NFC)"),
    "averaged": ("bleu", averaged, "scores of segments are averaged where a corpus score is promised"),
    "state": ("wer", remembering(), "it keeps state between calls"),
    "mutates": ("wer", mutating, "it changes its input"),
    "prints": ("wer", printing, "it prints on standard output"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_adapters_fault_is_named(name: str, suite: Suite, oracle: Oracle) -> None:
    metric, function, words = FAULTS[name]
    found = finding(metric, function, suite, oracle)
    assert words in str(found.fault)


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda h, r: wer(h, r) ** 2, id="squares the rate"),
        pytest.param(lambda h, r: max(0.0, wer(h, r) - 1 / 7), id="one error for nothing"),
    ],
)
def test_an_implementations_own_fault_is_no_adapters(function: Any, suite: Suite, oracle: Oracle) -> None:
    found = finding("wer", function, suite, oracle)
    assert found.fault is None
    assert found.differing > 0
    assert "by no adapter fault" in found.detail


def printed(
    metric: str, function: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], **declared: Any
) -> tuple[int, list[str]]:
    """The status of `conformance check`, and what it prints below the head."""
    adapter = Adapter("seeded", "1")
    adapter.metric(metric, **declared)(function)
    monkeypatch.setattr("conformance.selfcheck.connect", lambda name, **options: InProcess(adapter))
    status = main(["check", "seeded"])
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == "seeded: seeded 1"
    return status, lines


def overlap(hypotheses: Hypotheses, references: References, **parameters: Any) -> dict[str, Any]:
    return dict(reference_overlap.token_overlap(hypotheses, references, **parameters))


def turned(hypotheses: Hypotheses, references: References) -> dict[str, Any]:
    found = overlap(hypotheses, references)
    return {"precision": found["recall"], "recall": found["precision"], "f1": found["f1"]}


def renamed(hypotheses: Hypotheses, references: References) -> dict[str, Any]:
    found = overlap(hypotheses, references)
    return {"prec": found["precision"], "recall": found["recall"]}


def mirrored(hypotheses: Hypotheses, references: References) -> dict[str, Any]:
    found = error_rates.wer(hypotheses, references)
    return {"rate": found["rate"], "deletions": found["insertions"], "insertions": found["deletions"]}


def swallowing(hypotheses: Hypotheses, references: References) -> float:
    try:
        return wer(hypotheses, references)
    except Exception:
        return 0.0


def fourfold(hypotheses: Hypotheses, references: References, max_order: int = 4) -> float:
    return bleu(hypotheses, references, max_order=max_order)


def by_value(hypotheses: Hypotheses, references: References) -> float:
    return bleu(hypotheses, references, max_order=3)


EVERYTHING = "it explains all "
OVERLAP: dict[str, Any] = {"components": ["precision", "recall", "f1"]}
FIXED: dict[str, Any] = {"components": ["score"], "fixes": {"max_order": 2}}
LINES: dict[str, tuple[str, Any, dict[str, Any], str, str]] = {
    "arguments swapped": ("wer", swapped, WER, "hypothesis and reference are exchanged", EVERYTHING),
    "percent": (
        "wer",
        lambda h, r: 100 * wer(h, r),
        WER,
        "a value 100 times too large (declare scale=100)",
        EVERYTHING,
    ),
    "lower case": ("wer", recoded(str.lower), WER, "the text is lower-cased on the way", EVERYTHING),
    "one reference": (
        "bleu",
        lambda h, r: bleu(h, [each[:1] for each in r]),
        {**BLEU, "accepts": {}},
        "only the first reference is passed on",
        EVERYTHING,
    ),
    "state": ("wer", remembering(), WER, "it keeps state between calls", "asked twice, 'a deletion' gives two answers"),
    "parameter ignored": (
        "bleu",
        lambda h, r, **parameters: bleu(h, r),
        BLEU,
        "the parameter max_order is accepted and ignored",
        "set to other values, its answers stay the same",
    ),
    "wrong default": (
        "bleu",
        fourfold,
        BLEU,
        "max_order = 2 is declared as what holds where it is not set, and max_order = 4 does",
        "set to 2, all 11 probes are right",
    ),
    "wrong choice": (
        "bleu",
        by_value,
        FIXED,
        "max_order = 2 is declared, and max_order = 3 gives every answer",
        "declare max_order",
    ),
    "error swallowed": (
        "wer",
        swallowing,
        WER,
        "it answers 0 where it is given no text",
        "an error that the adapter swallows; let it pass",
    ),
    "counts exchanged": (
        "wer",
        mirrored,
        {**WER, "components": ["rate", "deletions", "insertions"]},
        "the components deletions and insertions are exchanged",
        "that explains all 9 probes",
    ),
    "components exchanged": (
        "token-overlap",
        turned,
        OVERLAP,
        "hypothesis and reference are exchanged, or the components precision and recall are exchanged",
        EVERYTHING,
    ),
    "component renamed": (
        "token-overlap",
        renamed,
        {"components": ["precision", "recall"]},
        "it gives a component 'prec' that there is not",
        "known are ",
    ),
    "another component": (
        "token-overlap",
        lambda h, r: overlap(h, r)["recall"],
        {"components": ["f1"]},
        "its f1 is the recall",
        "that explains all 11 probes",
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_an_adapters_fault_is_two_lines_of_the_command(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    metric, function, declared, fault, detail = LINES[name]
    status, lines = printed(metric, function, monkeypatch, capsys, **declared)
    assert status == 1
    assert lines[0] == f"  ADAPTER  {metric}: {fault}"
    assert lines[1].startswith(f"           {detail}")
    assert len(lines) == 2


def unclipped(hypotheses: Hypotheses, references: References) -> float:
    """Precision of words without clipping: the library's own fault."""
    words = [(word, several) for h, several in zip(hypotheses, references, strict=True) for word in set(h.split())]
    return sum(any(word in each.split() for each in several) for word, several in words) / max(1, len(words))


@pytest.mark.parametrize(
    ("metric", "function", "declared"),
    [
        pytest.param("wer", lambda h, r: wer(h, r) ** 2, WER, id="squared"),
        pytest.param("wer", lambda h, r: wer(h, r) + (len(h[0]) % 2) / 50, WER, id="odd lengths cost"),
        pytest.param("bleu", unclipped, FIXED, id="no clipping"),
        pytest.param("bleu", lambda h, r, **p: bleu(h, r, **p) ** 0.9, BLEU, id="another mean"),
    ],
)
def test_a_wrong_value_of_the_library_is_one_line_and_no_fault_of_the_adapter(
    metric: str,
    function: Any,
    declared: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, (line,) = printed(metric, function, monkeypatch, capsys, **declared)
    assert status == 0
    assert line.startswith(f"  differs  {metric}: differs from the reference on ")
    assert line.endswith(f", by no adapter fault; see conformance run seeded --metric {metric}")


def test_nothing_is_found_of_a_right_one_under_its_profile(suite: Suite, oracle: Oracle) -> None:
    assert finding("wer", wer, suite, oracle).differing == 0
    assert finding("bleu", bleu, suite, oracle).differing == 0
    percent = finding("bleu", lambda h, r: 100 * bleu(h, r), suite, oracle, scale=100)
    assert (percent.fault, percent.differing) == (None, 0)


@pytest.mark.parametrize(("vice", "kind"), [("crashes", "crash"), ("hangs", "timeout"), ("answers-huge", "invalid")])
def test_a_target_that_gives_no_answer_is_told_apart_from_a_wrong_one(
    vice: str, kind: str, suite: Suite, oracle: Oracle
) -> None:
    probes = {"the dog": (["the dog sat"], [["the cat sat"]])}
    with connect(f"fake:{vice}", timeout=0.5) as connection, pytest.MonkeyPatch.context() as patch:
        patch.setattr("conformance.selfcheck.PROBES", probes)
        (found,) = SelfCheck(connection, oracle, suite).findings(["wer"])
    assert found.fault is None
    assert found.detail.startswith(f"{kind} on 1 of 1 probes, for instance 'the dog': ")


def test_what_is_loaded_at_the_first_question_is_no_state(suite: Suite, oracle: Oracle) -> None:
    asked: list[int] = []

    def slow_at_first(hypotheses: Hypotheses, references: References) -> float:
        asked.append(1)
        if len(asked) == 1:
            time.sleep(5)
        return wer(hypotheses, references)

    adapter = Adapter("slow", "1")
    adapter.metric("wer", **WER)(slow_at_first)
    (found,) = SelfCheck(InProcess(adapter, 1.0), oracle, suite).findings(["wer"])
    assert (found.fault, found.differing) == (None, 0)


def test_declared_decimals_are_no_fault(suite: Suite, oracle: Oracle) -> None:
    """A value that is printed as declared agrees with the reference; printed shorter than declared it does not."""

    def finding(decimals: int) -> Finding:
        adapter = Adapter("prints", "1")
        adapter.metric("wer", decimals=decimals)(lambda h, r: round(wer(h, r), 3))
        (found,) = SelfCheck(InProcess(adapter), oracle, suite).findings(["wer"])
        return found

    assert finding(3).fault is None
    assert finding(3).differing == 0
    assert "rounded to 3 decimals" in str(finding(5).fault)


def test_a_metric_without_required_fields_is_probed_with_those_that_a_target_takes(
    suite: Suite, oracle: Oracle
) -> None:
    """Perplexity of probabilities alone, and not of logits."""
    seen: list[Any] = []
    adapter = Adapter("mine", "1")

    @adapter.metric("perplexity", given=["probabilities"])
    def perplexity(probabilities: Any) -> Any:
        seen.append(probabilities)
        return reference_perplexity.perplexity(probabilities=probabilities)

    (found,) = SelfCheck(InProcess(adapter), oracle, suite).findings(["perplexity"])
    assert (found.fault, found.differing) == (None, 0)
    assert len(seen) >= 6


def test_what_a_target_declines_is_no_probe(suite: Suite, oracle: Oracle) -> None:
    """Error rates of one segment alone, in percent by mistake."""
    adapter = Adapter("mine", "1")

    @adapter.metric("wer", components=["rate"])
    def percent(hypotheses: Hypotheses, references: References) -> Any:
        if len(hypotheses) > 1:
            raise Unsupported("one segment at a time")
        return 100 * wer(hypotheses, references)

    (finding,) = SelfCheck(InProcess(adapter), oracle, suite).findings(["wer"])
    assert "100" in str(finding.fault)
    assert finding.probes == 9


def test_single_precision_is_no_fault_where_its_decimals_are_declared(suite: Suite, oracle: Oracle) -> None:
    from array import array

    adapter = Adapter("mine", version="1")
    adapter.metric("wer", components=["rate"], decimals=6)(lambda h, r: array("f", [wer(h, r)])[0])
    (finding,) = SelfCheck(InProcess(adapter), oracle, suite).findings(["wer"])
    assert (finding.fault, finding.differing) == (None, 0)


def test_a_mean_of_segments_is_no_fault_where_it_is_declared(suite: Suite, oracle: Oracle) -> None:
    adapter = Adapter("mine", version="1")
    adapter.metric("bleu", fixes={"aggregation": "mean", "max_order": 2}, components=["score"])(
        lambda h, r: averaged(h, r) / 2
    )
    (finding,) = SelfCheck(InProcess(adapter), oracle, suite).findings(["bleu"])
    assert finding.fault is None or "averaged" not in finding.fault
