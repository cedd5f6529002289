"""Files are read as their authors wrote them, and every fault is one line that names file, line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.load import load_metric
from conformance.scenarios import Builder
from conformance.suite import home
from conformance.yamlfile import BadFile, Plain, core, parse, validated

GOOD = """\
- scenario: words-that-look-like-values
  why: A word is the text that you see, whatever YAML would make of it.
  source: {document: of our own}
  metric: exact-match
  references: [no]
  outputs: {same: no, number: 1230, time: 12:30, empty: "", quoted: "no"}
  expect: [{values: {same: 1, number: 0, time: 0, empty: 0, quoted: 1}}]
"""


@pytest.fixture(scope="module")
def metrics():
    return {path.stem: load_metric(path) for path in (home() / "specs").glob("*.yaml")}


@pytest.fixture
def built(metrics, tmp_path):
    """Builds scenarios from text; a fault is a BadFile."""

    def build(text: str) -> Builder:
        path = tmp_path / "cases.yaml"
        path.write_text(text, "utf-8")
        builder = Builder(metrics, tmp_path)
        builder.add_file(path, "cases.yaml")
        return builder

    return build


def test_words_stay_words(built) -> None:
    inputs = built(GOOD).inputs.values()
    assert sorted(each["hypotheses"][0] for each in inputs) == ["", "1230", "12:30", "no"]


def test_core_types_only_where_they_are_wanted() -> None:
    data = parse("[1, 2.0, true, null, no, '2', .inf]", "x").data
    assert core(data) == [1, 2.0, True, None, "no", "2", float("inf")]
    assert all(isinstance(each, str) for each in data)
    assert not isinstance(data[5], Plain)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("why: A word", "whyy: A word"), r"cases.yaml:\d+: 0: (the field 'why' is missing|unknown field 'whyy')"),
        (("metric: exact-match", "metric: exact-mach"), r"cases.yaml:7: 0.expect.0: no metric 'exact-mach'; known are"),
        (("same: 1,", "same: 1/0,"), r"cases.yaml:7: .*division by zero"),
        (("same: 1,", "same: one,"), r"cases.yaml:7: .*unknown name 'one'"),
        (("same: 1,", "sam: 1,"), r"no output 'sam'; known are same"),
        (("same: 1,", "same: {scor: 1},"), r"exact-match has no component 'scor'; known are score"),
        (
            ("expect: [{values", "expect: [{parameters: {nonsense: 1}, values"),
            r"no parameter 'nonsense'; known are normalizer",
        ),
        (
            ("expect: [{values", "expect: [{parameters: {normalizer: squat}, values"),
            r"expected one of none, squad, found 'squat'",
        ),
        (
            ("expect: [{values", "expect: [{clause: identty, values"),
            r"exact-match has no clause 'identty'; known are identity",
        ),
        (("references: [no]", "references: no"), r"references: expected a list, found"),
        (("references: [no]", "references: [no]\n  references: [yes]"), r"the key stands twice"),
        (("references: [no]", "references: &a [no]"), r"an anchor; only plain YAML"),
        (("references: [no]", "references: !!python/object:os.system [no]"), r"only plain YAML|not YAML|a tag"),
        (("outputs: {same", "outputs: {same: [}"), r"cases.yaml:\d+: "),
        (
            ("expect: [{values", "expect: [{open: normaliser, conventions: {none: {same: 1}}}, {as: x, values"),
            r"has no parameter 'normaliser'",
        ),
    ],
)
def test_a_fault_is_one_line_with_file_line_and_field(built, change, message) -> None:
    with pytest.raises(BadFile, match=message) as caught:
        built(GOOD.replace(*change, 1))
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("cases.yaml:")


def test_a_family_is_bounded(built) -> None:
    text = GOOD.replace("  metric:", "  for: {n: 1..9000}\n  metric:").replace("references: [no]", "references: [no]")
    with pytest.raises(BadFile, match="more than 2,000 members"):
        built(text)


def test_two_checks_with_one_id_are_refused(built) -> None:
    with pytest.raises(BadFile, match="exists already; name the entry with `as`"):
        built(GOOD.replace("expect: [{values: {same: 1", "expect: [{values: {same: 1}}, {values: {same: 1"))


def test_generated_tokens_and_families(built) -> None:
    builder = built("""\
- scenario: generated
  why: Generated tokens make a family of lengths readable.
  source: {document: of our own}
  metric: token-overlap
  for: {q: [1, 3]}
  references: [{tokens: [{count: a, to: q}, {repeat: x, times: q + 1}]}]
  outputs: {pairs: {tokens: [{count: [a, b], to: q}]}}
  expect: [{values: {pairs: {matches: q}}}]
""")
    assert set(builder.checks) == {"generated/token-overlap/pairs[q=1]", "generated/token-overlap/pairs[q=3]"}
    check = builder.checks["generated/token-overlap/pairs[q=3]"]
    arguments = builder.inputs[check.ask.input]
    assert arguments["hypotheses"] == [["a1", "b1", "a2", "b2", "a3", "b3"]]
    assert arguments["references"] == [[["a1", "a2", "a3", "x", "x", "x", "x"]]]
    assert check.expected is not None
    assert check.expected.values == {"matches": 3}


def test_fields_of_the_input_are_read_as_their_spec_types_them(tmp_path: Path) -> None:
    spec = tmp_path / "likelihood.yaml"
    spec.write_text("""\
metric: likelihood
title: A metric with fields of its own
kind: metric
definition: The product of the probabilities, whatever the names say.
input: {probabilities: numbers, names: {type: words, optional: true}, sources: {type: segments, optional: true}}
components: {score: {}}
clauses: {product: {level: must, text: The probabilities are multiplied., source: of our own}}
sources: [of our own]
""")
    metrics = {"likelihood": load_metric(spec)}
    text = """\
- scenario: exact-fields
  why: Numbers are exact and may be repeated; names keep their text; each scenario may name several inputs.
  source: {document: of our own}
  metric: likelihood
  for: {k: [2]}
  given: {names: {no: [yes, 1230]}}
  inputs:
    short: {probabilities: [1/4, [{repeat: 1/8, times: k}]], sources: [{tokens: [{count: a, to: k}]}]}
    same: {probabilities: [~, 1]}
  expect: [{values: {short: 1/256, same: 1}}]
"""
    path = tmp_path / "cases.yaml"
    path.write_text(text)
    builder = Builder(metrics, tmp_path)
    builder.add_file(path, "cases.yaml")
    short = builder.inputs[builder.checks["exact-fields/likelihood/short[k=2]"].ask.input]
    assert short == {
        "probabilities": [0.25, [0.125, 0.125]],
        "names": {"no": ["yes", "1230"]},
        "sources": [["a1", "a2"]],
    }
    assert list(short) == ["probabilities", "names", "sources"]
    path.write_text(text.replace("given: {names", "given: {nmes"))
    with pytest.raises(BadFile, match=r"cases.yaml:6: 0.given.nmes: no metric here has a field 'nmes'"):
        Builder(metrics, tmp_path).add_file(path, "cases.yaml")


def test_each_schema_is_closed() -> None:
    with pytest.raises(BadFile, match="unknown field 'extra'"):
        validated(parse("ledger: 1\ntarget: x\nextra: 1\n", "ledger.yaml"), "ledger")


def test_a_file_that_is_no_text_is_one_line(metrics, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="not UTF-8"):
        Builder(metrics, tmp_path).add_file(path, "bad.yaml")
