"""The reference's adapter holds the specs' names, and its derivations end in the value that it answers."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from conformance.adapter import Adapter, normalize_answer
from conformance.reference import rouge_l
from conformance.reference.derivations import bleu, edit, error_rates, overlap, ter
from conformance.reference.derivations import rouge_l as show_rouge_l
from conformance.reference.derivations.lines import Lines
from conformance.reference.tokenizers import MissingResource
from conformance.suite import load
from conformance.target import load_shipped

SPECS = load().metrics
METRICS = sorted(name for name, spec in SPECS.items() if {"hypotheses", "references"} <= set(spec.required))


@pytest.fixture(scope="module")
def adapter() -> Adapter:
    return load_shipped("reference")


def test_every_spec_is_plugged_in(adapter: Adapter) -> None:
    assert set(adapter.capabilities) == set(SPECS)


def signature(adapter: Adapter, metric: str) -> dict[str, Any]:
    """The keyword arguments of a metric's function but fields of the input, with their defaults."""
    parameters = inspect.signature(adapter._functions[metric]).parameters.values()
    given = adapter.capabilities[metric].given
    return {each.name: each.default for each in parameters if each.kind is each.KEYWORD_ONLY and each.name not in given}


@pytest.mark.parametrize("metric", sorted(SPECS))
def test_parameters_and_defaults_are_the_specs(adapter: Adapter, metric: str) -> None:
    expected = SPECS[metric].defaults()
    found = {name: list(each) if isinstance(each, tuple) else each for name, each in signature(adapter, metric).items()}
    assert found == expected
    assert set(adapter.capabilities[metric].accepts) == set(expected)


FIELDS: dict[str, Any] = {
    "text": "The cat, the mat.",
    "hypotheses": ["the cat sat on the mat", "a b"],
    "references": [["the cat is on the mat", "a mat"], ["a b c", "b"]],
    "sources": ["the cat sit on mat", "a c"],
    "probabilities": [[1 / 2, 1 / 4], [1 / 8]],
    "tf-idf.images": [["the cat is on the mat", "a mat"], ["a b c", "b"]],
    "p_values": [0.01, 0.2],
    "correlation.x": {"A": [1, 2, 2], "B": [1, 3]},
    "correlation.y": {"A": [1, 3, 2], "B": [2, 1]},
    **{
        f"{statistic}.{field}": value
        for statistic in ("bootstrap", "paired-bootstrap", "approximate-randomization")
        for field, value in {"baseline": [[1, 2], [1, 3]], "system": [[0, 2], [2, 3]], "clusters": ["a", "b"]}.items()
    },
}
"""Input that every convention of a metric can score, by the field's name; a metric's own stands under its name."""


def punkt_is_there() -> bool:
    """Whether NLTK's model of sentences is installed, which no package brings along."""
    try:
        rouge_l.punkt("")
    except MissingResource:
        return False
    return True


def example(metric: str) -> dict[str, Any]:
    """The required fields of a metric's input, or the first where none is, and those that stand under its name."""
    names = SPECS[metric].required or tuple(SPECS[metric].input)[:1]
    own = {name: FIELDS[f"{metric}.{name}"] for name in SPECS[metric].input if f"{metric}.{name}" in FIELDS}
    return {**{name: FIELDS.get(name) for name in names}, **own}


@pytest.mark.parametrize("metric", sorted(SPECS))
def test_every_component_and_every_convention_is_there(adapter: Adapter, metric: str) -> None:
    spec = SPECS[metric]
    answer = adapter.call(metric, example(metric), {})["answer"]
    assert set(answer) == set(spec.components)
    for name, parameter in spec.parameters.items():
        for value in [*parameter.values(), *([each] for each in parameter.items)]:
            if value == "ja-mecab":
                pytest.importorskip("ipadic")
            if value == "punkt" and not punkt_is_there():
                continue
            reply = adapter.call(metric, example(metric), {name: value})
            assert "answer" in reply, (name, value, reply)


@pytest.mark.parametrize(("metric", "profile"), [(m, p) for m in sorted(SPECS) for p in SPECS[m].profiles])
def test_every_profile_can_be_asked_for(adapter: Adapter, metric: str, profile: str) -> None:
    assert "answer" in adapter.call(metric, example(metric), SPECS[metric].profiles[profile])


INPUTS: list[tuple[list[Any], list[list[Any]]]] = [
    (["the cat sat on the mat"], [["the cat is on the mat"]]),
    (["the cat sat on the mat"], [["the cat is on the mat", "a mat"]]),
    (["the cat sat", "a b"], [["the cat"], ["a c", "b"]]),
    ([["a", "b"]], [[["a", "b", "c"]]]),
    (["a b " * 60], [["b a " * 60]]),
]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("place", range(len(INPUTS)))
def test_derivations_hold_the_answer_and_stay_short(adapter: Adapter, metric: str, place: int) -> None:
    hypotheses, references = INPUTS[place]
    fields = {**example(metric), "hypotheses": hypotheses, "references": references}
    if "sources" in fields:
        fields["sources"] = [each[0] for each in references]
    steps = adapter.derive(metric, fields, {})
    answer = adapter.call(metric, fields, {})["answer"]
    main = answer[SPECS[metric].main]
    assert main in [step.value for step in steps]
    assert len(steps) <= 60
    assert all(len(step.working) < 400 and "\n" not in step.working for step in steps)


@pytest.mark.parametrize("metric", METRICS)
def test_derivations_follow_every_convention(adapter: Adapter, metric: str) -> None:
    for name, parameter in SPECS[metric].parameters.items():
        for value in parameter.values():
            if value != "ja-mecab" and (value != "punkt" or punkt_is_there()):
                answer = adapter.call(metric, example(metric), {name: value})["answer"]
                steps = adapter.derive(metric, example(metric), {name: value})
                values = [normalize_answer(step.value)["answer"][""] for step in steps]
                assert answer[SPECS[metric].main] in values, (name, value)


def workings(lines: Lines) -> dict[str, str]:
    return {name: working for name, working, _ in lines}


def test_bleu_is_worked_out_as_on_paper() -> None:
    found = workings(bleu.bleu(["the the the"], [["the cat the", "the"]], max_order=2))
    assert found["1-gram matches"] == "the: min(3, 2)"
    assert found["2-gram matches"] == "the the: min(2, 0)"
    assert (found["p1"], found["p2"]) == ("2/3", "0/2")
    assert found["r"] == "reference tokens, closest (shorter on a tie) of 3, 1"
    assert found["brevity penalty"] == "1, as c >= r"
    assert found["BLEU"] == "1 * (2/3 * 0/2)^(1/2)"
    short = workings(bleu.bleu(["a b"], [["a b c"]], max_order=1))
    assert short["brevity penalty"] == "exp(1 - 3/2)"
    smoothed = workings(bleu.bleu(["a b"], [["a c"]], max_order=2, smoothing="exp"))
    assert smoothed["p2"] == "0/1, by smoothing exp"


def test_rates_and_overlaps_are_worked_out_as_on_paper() -> None:
    lines = error_rates.wer(["a x c"], [["a b c d"]])
    assert [line[:2] for line in lines] == [
        ("hit", "a -> a"),
        ("substitution", "b -> x"),
        ("hit", "c -> c"),
        ("deletion", "d -> (none)"),
        ("errors", "S 1 + D 1 + I 0"),
        ("rate", "2/4"),
    ]
    found = workings(overlap.token_overlap(["big red red dog"], [["red dog"]]))
    assert found["matches"] == "red, dog"
    assert (found["precision"], found["recall"], found["f1"]) == ("2/4", "2/2", "2*2/(4 + 2)")
    assert workings(overlap.jaccard(["x x y z"], [["x y y"]]))["score"] == "2/(4 + 3 - 2)"
    assert workings(error_rates.wip(["a x c"], [["a b c d"]]))["rate"] == "2/4 * 2/3"


def test_the_edit_table_is_shown_for_short_input_only() -> None:
    rows = [working for name, working, _ in edit.levenshtein(["ab"], [["acb"]]) if name in ("table", "")]
    assert [row.split() for row in rows] == [
        ["a", "c", "b"],
        ["0", "1", "2", "3"],
        ["a", "1", "0", "1", "2"],
        ["b", "2", "1", "1", "1"],
    ]
    assert [line[0] for line in edit.levenshtein(["a" * 30], [["b"]])] == ["distance", "normalized"]


def test_ter_shows_each_shift_and_then_the_alignment() -> None:
    lines = ter.ter(["d e f a b x"], [["a b c d e f", "z"]])
    assert [line[:2] for line in lines] == [
        ("hypothesis", "d e f a b x"),
        ("reference 1", "a b c d e f (fewest edits)"),
        ("reference 2", "z"),
        ("shift 1", "d e f: behind x, which gives a b x d e f"),
        ("hit", "a -> a"),
        ("hit", "b -> b"),
        ("substitution", "x -> c"),
        ("hit", "d -> d"),
        ("hit", "e -> e"),
        ("hit", "f -> f"),
        ("edits", "I 0 + D 0 + S 1 + shifts 1"),
        ("reference length", "(6 + 1)/2"),
        ("TER", "2/3.5"),
    ]
    found = workings(ter.ter(["a b c", "x"], [["c a b"], [""]], lowercase=False))
    assert found["segment 1"] == "edits against its best reference, over 3 words"
    assert (found["edits"], found["TER"]) == ("I 0 + D 1 + S 0 + shifts 1", "2/3")
    assert workings(ter.ter(["x"], [[""]]))["TER"] == "no reference word: undefined"
    assert workings(ter.ter(["b c d a"], [["a b c d"]]))["shift 1"] == "a: to the front, which gives a b c d"


def test_common_subsequences_are_worked_out_as_on_paper() -> None:
    found = workings(show_rouge_l.rouge_l(["the gunman police killed"], [["police killed the gunman"]]))
    assert found["in the same order"] == "police killed"
    assert (found["recall"], found["precision"], found["f1"]) == ("2/4", "2/4", "2*2/(4 + 4)")
    lines = show_rouge_l.rouge_lsum(["w1 w2 w6\nw1 w3 w5"], [["w1 w2 w3 w4 w5"]])
    assert [line for line in lines if line[0] in ("union", "hits")] == [
        ("union", "w1 w2 w3 w5", 4),
        ("hits", "all unions, each word as often as the hypothesis has it", 4),
    ]
    rows = [working.split() for name, working, _ in show_rouge_l.rouge_w(["a b b"], [["a b"]], weight=2) if name == ""]
    assert rows == [["a", "1.00", "1.00", "1.00"], ["b", "1.00", "4.00", "2.00"]]
