"""The property engine: it finds what is wrong, says it so that it can be pasted, and leaves what is right alone."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from wrong import RIGHT, WRONG, plugged, right, wrong

from conformance.adapter import Adapter
from conformance.asking import Asker, Definition, Target, Terms
from conformance.expressions import parse_relation
from conformance.laws import Corpus, Reading, components, unparse, weigh
from conformance.model import Law, Metric, Outcome, Row, Suite
from conformance.plan import Selection
from conformance.profiles import Oracle, stance
from conformance.properties import check_law, property_rows, run_properties
from conformance.reduce import richer, size, smaller
from conformance.run import run
from conformance.scenarios import Builder
from conformance.target import load_shipped
from conformance.transport import InProcess

pytest.importorskip("hypothesis", reason="pip install 'text-metric-conformance[properties]'")

THOROUGH = 1000


def pair(adapter: Adapter, suite: Suite, oracle: Oracle, timeout: float = 5.0) -> tuple[Asker, Asker]:
    """The target, and the reference in its place."""
    terms = Terms(InProcess(adapter, timeout), oracle, suite.metrics)
    return Target(terms), Definition(terms)


def law_of(suite: Suite, name: str) -> tuple[Metric, Law]:
    metric, law = name.split("/")
    return suite.metrics[metric], suite.metrics[metric].invariants[law]


def tried(adapter: Adapter, suite: Suite, oracle: Oracle, name: str, **options: Any) -> Row:
    """One law of a specification, held against an adapter."""
    metric, law = law_of(suite, name)
    return check_law(*pair(adapter, suite, oracle), suite.metrics, metric, law, **options)


def own_law(adapter: Adapter, suite: Suite, oracle: Oracle, metric: str, law: Law, **options: Any) -> Row:
    """A law that no specification has, held against an adapter."""
    return check_law(*pair(adapter, suite, oracle), suite.metrics, suite.metrics[metric], law, **options)


def pasted(row: Row, suite: Suite, folder: Path) -> Builder:
    """The printed counterexample, read as a file of scenarios."""
    assert row.message is not None
    path = folder / "pasted.yaml"
    path.write_text(row.message.split("\n", 1)[1], "utf-8")
    builder = Builder(suite.metrics, folder)
    builder.add_file(path, path.name)
    return builder


def outcomes(builder: Builder, suite: Suite, adapter: Adapter, oracle: Oracle) -> set[Outcome]:
    """What a run says of an adapter on pasted scenarios."""
    own = Suite(suite.metrics, builder.scenarios, list(builder.checks.values()), builder.inputs, "", "")
    return {row.outcome for row in run(own, InProcess(adapter), oracle, Selection())}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_implementation_breaks_its_law(name: str, suite: Suite, oracle: Oracle, tmp_path: Path) -> None:
    broken = WRONG[name][0]
    row = tried(wrong(name), suite, oracle, broken, seconds=300)
    assert (row.check, row.kind, row.outcome) == (f"properties/{broken}", "property", Outcome.FAIL)
    assert row.expected == law_of(suite, broken)[1].law
    assert row.observed is not None
    assert len(row.observed) >= 2
    builder = pasted(row, suite, tmp_path)
    for arguments in builder.inputs.values():
        sides = [*arguments["hypotheses"], *(each for several in arguments["references"] for each in several)]
        assert all(len(side) <= 6 for side in sides)
    assert outcomes(builder, suite, load_shipped("reference"), oracle) == {Outcome.PASS}
    if name != "levenshtein-remembers":  # what it answers depends on what it was asked before
        assert Outcome.FAIL in outcomes(builder, suite, wrong(name), oracle)


ORDINARY = [
    (["the", "cat", "sat", "on", "the", "mat"], ["the", "cat", "is", "on", "the", "mat"]),
    (["refunds", "within", "sixty", "days"], ["refunds", "within", "thirty", "days"]),
    (["he", "reads", "books"], ["she", "reads", "many", "books"]),
    (list("flaw"), list("lawn")),
    (list("kitten"), list("sitting")),
]


@pytest.mark.parametrize("name", sorted(set(WRONG) - {"dice-turns-to-sets"}))
def test_worked_examples_do_not_show_it(name: str) -> None:
    for metric in WRONG[name][1]:
        for h, r in ORDINARY:
            question = {"hypotheses": [h], "references": [[r]]}
            assert repr(wrong(name).call(metric, question, {})) == repr(right().call(metric, question, {}))


def test_the_right_implementation_breaks_no_law(suite: Suite, oracle: Oracle) -> None:
    rows = list(run_properties(*pair(right(), suite, oracle), suite.metrics, examples=8))
    assert {row.metric for row in rows} == set(RIGHT)
    assert [row for row in rows if row.outcome not in (Outcome.PASS, Outcome.UNSUPPORTED)] == []
    assert sum(row.outcome is Outcome.PASS for row in rows) > 80


@pytest.mark.parametrize("metric", ["bleu", "wer", "cer", "token-overlap", None])
def test_the_reference_breaks_no_law(metric: str | None, suite: Suite, oracle: Oracle) -> None:
    alone = ("bleu", "wer", "cer", "token-overlap")
    names = [metric] if metric else [name for name in suite.metrics if name not in alone]
    target = pair(load_shipped("reference"), suite, oracle)
    rows = list(run_properties(*target, suite.metrics, only=names, examples=10))
    assert rows
    assert [(row.check, row.message) for row in rows if row.outcome is not Outcome.PASS] == []


def test_every_law_asks_components_that_exist(suite: Suite) -> None:
    for metric in suite.metrics.values():
        for law in metric.invariants.values():
            for text in (law.law, *law.when):
                for name, component in components(parse_relation(text), metric):
                    assert component in suite.metrics[name].components, (metric.name, law.id)
            assert len(law.text) >= 20, (metric.name, law.id)


def test_rows_are_the_same_for_the_same_seed(suite: Suite, oracle: Oracle) -> None:
    rows = [tried(wrong("lcs-greedy"), suite, oracle, "lcs-length/symmetric", seed=7) for _ in range(2)]
    assert rows[0].message == rows[1].message
    assert rows[0].observed == rows[1].observed


def test_a_selection_of_rows(suite: Suite, oracle: Oracle) -> None:
    seen: list[tuple[int, int]] = []
    chosen = Selection(globs=("properties/jaccard/*",), clauses=("jaccard.symmetry",))
    connection = InProcess(wrong("jaccard-leans"))
    rows = property_rows(connection, oracle, suite, chosen, 100, 0, None, lambda *step: seen.append(step))
    found = {row.check.removeprefix("properties/jaccard/"): row.outcome for row in rows}
    assert found == {"symmetric": Outcome.FAIL, "order-free": Outcome.PASS}
    assert seen == [(1, 2), (2, 2)]
    assert {row.clause for row in rows} == {"jaccard.symmetry"}


def test_a_law_beyond_the_target_is_unsupported(suite: Suite, oracle: Oracle) -> None:
    def said(name: str, adapter: Adapter) -> str | None:
        row = tried(adapter, suite, oracle, name, examples=20)
        assert row.outcome is Outcome.UNSUPPORTED
        return row.message

    alone = plugged("alone", {"dice": RIGHT["dice"], "levenshtein": RIGHT["levenshtein"]})
    assert said("dice/dice-is-f1", alone) == "the target has no token-overlap"
    assert said("levenshtein/normalized-bounded", alone) == "the target does not give the normalized of levenshtein"
    assert said("dice/sets", alone) == "the target cannot be set to counting = set"
    assert said("dice/best-reference", alone) == "the target takes one reference a segment"
    single = Adapter("single", "1")
    single.metric("wer", input="tokens", corpus=False)(RIGHT["wer"])
    assert said("wer/errors-pooled", single) == "the target scores one segment at a time"
    averaging = Adapter("averaging", "1")
    averaging.metric("wer", input="tokens", fixes={"aggregation": "mean"})(RIGHT["wer"])
    assert "aggregation == 'pooled'" in (said("wer/rate-pooled", averaging) or "")


def test_a_law_that_the_profile_breaks_is_not_judged(suite: Suite, oracle: Oracle) -> None:
    listing = Adapter("listing", "1")
    listing.metric("bleu", input="tokens", fixes={"reference_length_tie": "first"})(
        WRONG["bleu-tie-by-listing"][1]["bleu"]()
    )
    row = tried(listing, suite, oracle, "bleu/length-order-free")
    assert (row.outcome, row.message) == (Outcome.UNSUPPORTED, "the law does not hold under the target's profile")


def test_no_value_where_the_definition_has_one_is_a_counterexample(
    suite: Suite, oracle: Oracle, tmp_path: Path
) -> None:
    def fragile(hypotheses: Any, references: Any) -> dict[str, Any]:
        if len(hypotheses[0]) == 3:
            raise RuntimeError("three is too many")
        return {"length": len(hypotheses[0]) if references[0][0] or not hypotheses[0] else None}

    adapter = plugged("fragile", {"lcs-length": fragile})
    row = tried(adapter, suite, oracle, "lcs-length/identity")
    assert row.outcome is Outcome.ERROR
    assert row.message is not None
    assert row.message.startswith("three is too many:\n")
    assert next(iter(pasted(row, suite, tmp_path).inputs.values()))["hypotheses"] == [["a"] * 3]
    row = tried(adapter, suite, oracle, "lcs-length/empty")
    assert row.outcome is Outcome.FAIL
    assert row.message is not None
    assert row.message.startswith("lcs-length.length is None:\n")


def test_no_value_where_the_definition_has_none_is_no_counterexample(suite: Suite, oracle: Oracle) -> None:
    law = Law("always", "score(h, r) + 1 == score(r, h) + 1")
    row = own_law(plugged("right", {"dice": RIGHT["dice"]}), suite, oracle, "dice", law)
    assert row.outcome is Outcome.PASS


def test_a_target_that_hangs_ends_its_trial(suite: Suite, oracle: Oracle) -> None:
    def slow(hypotheses: Any, references: Any) -> dict[str, Any]:
        while len(hypotheses[0]) > 2:
            time.sleep(0.01)
        return {"length": min(len(hypotheses[0]), len(references[0][0]))}

    metric, law = law_of(suite, "lcs-length/bounded")
    target = pair(plugged("slow", {"lcs-length": slow}), suite, oracle, timeout=0.2)
    start = time.monotonic()
    row = check_law(*target, suite.metrics, metric, law)
    assert row.outcome is Outcome.TIMEOUT
    assert time.monotonic() - start < 5


def test_a_trial_ends_when_its_time_is_over(suite: Suite, oracle: Oracle) -> None:
    def slow(hypotheses: Any, references: Any) -> dict[str, Any]:
        time.sleep(0.05)
        return RIGHT["lcs-length"](hypotheses, references)

    row = tried(plugged("slow", {"lcs-length": slow}), suite, oracle, "lcs-length/bounded", seconds=0.3)
    assert row.outcome is Outcome.PASS
    assert row.message is not None
    assert row.message.startswith("the time was over after ")
    assert row.seconds < 3


def test_what_a_target_rounds_away_is_no_counterexample(suite: Suite, oracle: Oracle) -> None:
    def rounded(name: str) -> Any:
        def function(hypotheses: Any, references: Any) -> dict[str, Any]:
            answer = RIGHT[name](hypotheses, references)
            return {key: value if value != value else round(100 * value, 2) for key, value in answer.items()}

        return function

    adapter = Adapter("rounded", "1")
    for name in ("dice", "jaccard"):
        adapter.metric(name, input="tokens", scale=100, decimals=2, corpus=False, references="one")(rounded(name))
    row = tried(adapter, suite, oracle, "jaccard/from-dice")
    assert row.outcome is Outcome.PASS


def test_a_law_over_what_scenarios_cannot_say_is_printed_as_values(
    suite: Suite, oracle: Oracle, tmp_path: Path
) -> None:
    adapter = Adapter("losing", "1")
    adapter.metric("tokenize")(lambda text, **_: [token for token in text.split() if token != "b"])
    row = tried(adapter, suite, oracle, "tokenize/characters-kept")
    assert row.outcome is Outcome.FAIL
    builder = pasted(row, suite, tmp_path)
    assert [check.expected.values for check in builder.checks.values() if check.expected] == [{"tokens": ["b"]}]
    assert outcomes(builder, suite, load_shipped("reference"), oracle) == {Outcome.PASS}


def test_awkward_characters_are_printed_as_escapes(suite: Suite, oracle: Oracle, tmp_path: Path) -> None:
    def ascii_only(hypotheses: Any, references: Any) -> dict[str, Any]:
        kept = [token for token in hypotheses[0] if max(token) < "\U0001f000"]
        return RIGHT["lcs-length"]([kept], references)

    row = tried(plugged("ascii", {"lcs-length": ascii_only}), suite, oracle, "lcs-length/identity", examples=THOROUGH)
    assert row.outcome is Outcome.FAIL
    assert row.message is not None
    assert row.message.isascii()
    assert "\\U0001f" in row.message
    (arguments,) = pasted(row, suite, tmp_path).inputs.values()
    assert len(arguments["hypotheses"][0]) == 1


@pytest.mark.parametrize(
    ("law", "value"),
    [
        ("length(h + r) == 3", True),
        ("length(repeated(h, 2)) == 4", True),
        ("reversed(h) == [b, a]", True),
        ("inserted(h, r) != h", True),
        ("length(inserted(h, [])) == 2", True),
        ("prefix(h, 1) == prefix(h, 5)", False),
        ("joined(h) == 'a b'", True),
        ("compact(h) == 'ab'", True),
        ("joined(renamed(r)) == 'xc'", True),
        ("total([1, 2, length(h)]) == 5", True),
        ("lcs-length.length(h, h) == 2", True),
        ("levenshtein.distance(h, [r, h]) < 1", True),
        ("max_order == 4", True),
        ("effective_order == 0", True),
        ("tokenizer == 'whitespace'", True),
        ("hypothesis_length(corpus) == 3", True),
        ("hypothesis_length(doubled(corpus)) == 6", True),
        ("hypothesis_length(first(corpus)) == 2", True),
        ("hypothesis_length(rest(reversed(corpus))) == 2", True),
        ("matches(agreeing(corpus))[1] == 3", True),
        ("1 - (2 - 3) == 2", True),
    ],
)
def test_the_language(law: str, value: bool, suite: Suite, oracle: Oracle) -> None:
    metric = suite.metrics["bleu"]
    variables = {
        "h": ["a", "b"],
        "r": ["c"],
        "b": "b",
        "a": "a",
        "max_order": 4,
        "effective_order": 0,
        "tokenizer": "whitespace",
        "corpus": Corpus(((["a", "b"], (["a"],)), (["c"], (["d"],)))),
    }
    stances = {name: stance(each, oracle.adapter.capabilities[name]) for name, each in suite.metrics.items()}

    def ask(name: str, arguments: Any) -> Any:
        return oracle.answer(name, stances[name].profile({}), repr(arguments), arguments)

    assert weigh(parse_relation(law), Reading(metric, suite.metrics, variables, ask)).holds is value


@pytest.mark.parametrize(
    "text",
    [
        "1 - (2 - 3) == a",
        "(a + b) * c <= -(a ** 2)",
        "f(a, [b, c])[1] == other-one.part(a) / (b / c)",
        "a - b - c < 1..3",
    ],
)
def test_a_law_is_written_back(text: str) -> None:
    node = parse_relation(text)
    assert parse_relation(unparse(node)) == node


def test_an_example_has_smaller_and_richer_neighbours() -> None:
    example = {"h": ["a", "x", "a"], "r": ["x"], "n": Fraction(1), "separators": [" ", "\t"]}
    neighbours = list(smaller(example))
    assert {**example, "h": ["a"], "r": []} in neighbours  # the first half of every text
    assert {**example, "h": ["x", "a"]} in neighbours
    assert {**example, "h": ["a", "a"], "r": []} in neighbours  # the same token from both
    assert {**example, "n": Fraction(0)} in neighbours
    assert {**example, "separators": ["\t"]} in neighbours
    assert {**example, "h": ["a", "b", "a"], "r": ["b"]} in neighbours
    assert all(size(each) <= size(example) for each in neighbours)
    assert {**example, "h": ["a", "x", "b"]} in list(richer(example))
    assert not list(smaller({"h": [], "r": [], "n": Fraction(0), "separators": [" "]}))
    assert not list(richer({"h": ["a", "b"]}))


def test_a_corpus_keeps_two_segments() -> None:
    segment = (["a"], (["a"], ["b"]))
    three = {"corpus": Corpus((segment,) * 3)}
    assert {"corpus": Corpus((segment,) * 2)} in list(smaller(three))
    two = list(smaller({"corpus": Corpus((segment,) * 2)}))
    assert {len(each["corpus"].segments) for each in two} == {2}
    assert {"corpus": Corpus(((["a"], (["b"],)), segment))} in two


def test_a_law_over_numbers_shows_a_short_counterexample(suite: Suite, oracle: Oracle, tmp_path: Path) -> None:
    """Lists of probabilities are drawn; what breaks the law is pasted as the metric's own fields."""
    adapter = Adapter("averages", "1")

    @adapter.metric("perplexity", given=["probabilities"], components=["perplexity"])
    def mean_of_batches(probabilities: Any) -> float:
        reference = load_shipped("reference")
        keywords = {"aggregation": "mean-of-perplexities"}
        body = reference.call("perplexity", {"probabilities": probabilities}, keywords)
        value: float = body["answer"]["perplexity"]  # type: ignore[index,call-overload,assignment]
        return value

    row = tried(adapter, suite, oracle, "perplexity/partition", examples=THOROUGH)
    assert row.outcome is Outcome.FAIL
    assert row.observed is not None
    builder = pasted(row, suite, tmp_path)
    batches = [each["probabilities"] for each in builder.inputs.values()]
    assert sorted(len(each) for each in batches) == [2, 2]
    assert outcomes(builder, suite, load_shipped("reference"), oracle) == {Outcome.PASS}
    assert outcomes(builder, suite, adapter, oracle) == {Outcome.FAIL}
    assert tried(adapter, suite, oracle, "perplexity/at-least-one").outcome is Outcome.PASS


def test_a_law_over_three_texts_shows_its_sources(suite: Suite, oracle: Oracle, tmp_path: Path) -> None:
    """An implementation that subtracts nothing keeps what BLEU keeps, and not what GLEU+ does."""
    adapter = Adapter("forgetful", "1")

    @adapter.metric("gec-gleu", input="tokens")
    def without_sources(hypotheses: Any, references: Any, sources: Any) -> Any:
        firsts = [each[0] for each in references]
        fields = {"hypotheses": hypotheses, "references": references, "sources": firsts}
        return load_shipped("reference").call("gec-gleu", fields, {})["answer"]

    row = tried(adapter, suite, oracle, "gec-gleu/unchanged-output", examples=THOROUGH)
    assert row.outcome is Outcome.FAIL
    builder = pasted(row, suite, tmp_path)
    assert [set(each) for each in builder.inputs.values()] == [{"hypotheses", "references", "sources"}]
    assert outcomes(builder, suite, load_shipped("reference"), oracle) == {Outcome.PASS}
    assert Outcome.FAIL in outcomes(builder, suite, adapter, oracle)


def test_a_law_that_asks_a_metric_with_other_fields_can_be_pasted(suite: Suite, oracle: Oracle, tmp_path: Path) -> None:
    adapter = Adapter("generous", "1")
    adapter.metric("bleu", input="tokens", components=["score"])(lambda h, r: 1.0)
    adapter.metric("gec-gleu", input="tokens", components=["score"])(lambda h, r, s: 0.5)
    row = tried(adapter, suite, oracle, "gec-gleu/nothing-to-correct", examples=THOROUGH)
    assert row.outcome is Outcome.FAIL
    builder = pasted(row, suite, tmp_path)
    assert {len(each) for each in builder.inputs.values()} == {2, 3}
    assert Outcome.PASS in outcomes(builder, suite, load_shipped("reference"), oracle)


def test_numbers_are_made_fewer() -> None:
    """A number less from each list, none of them empty."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    example = {"p": [half, third], "q": [half]}
    assert list(smaller(example)) == [{"p": [third], "q": [half]}, {"p": [half], "q": [half]}]
    assert size(example) > size({"p": [half], "q": [half]})
