"""The commands as a person types them: what they print, and their exit status; never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def conformance(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the command; a traceback anywhere is a failure of the test."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "conformance", *words],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        encoding="utf-8",
    )
    assert "Traceback" not in done.stderr + done.stdout, done.stderr
    return done


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["run", "nosuch"], 3, "no target 'nosuch'; there are"),
        (["run", "sacreblue"], 3, "did you mean sacrebleu?"),
        (["run", "reference", "--metric", "blue"], 2, "no metric 'blue'; did you mean bleu?"),
        (["run", "reference", "--select", "nothing/*"], 2, "no check is selected"),
        (["run", "reference", "--ledger", "nosuch.yaml"], 2, "nosuch.yaml: no such ledger"),
        (["run", "reference", "--profile", "nosuch", "--metric", "bleu"], 2, "bleu has no profile 'nosuch'; known are"),
        (["run", "reference", "--profile", "max_order=x", "--metric", "bleu"], 2, "expected an integer, found 'x'"),
        (["run", "nosuch.module:function", "--metric", "wer"], 3, "there is no module 'nosuch'"),
        (["run", "nosuch.py"], 3, "nosuch.py: no such file"),
        (["run", "cmd:./nosuch"], 3, "cannot be started"),
        (["run", "fake:nosuch"], 3, "no fake 'nosuch'"),
        (["score", "blue", "--hyp", "a"], 2, "did you mean bleu?"),
        (["score", "bleu"], 2, "bleu takes --hyp TEXT and --ref TEXT"),
        (["score", "bleu", "--hyp", "a", "--ref", "a", "-p", "smoothing=much"], 2, "expected one of none, floor"),
        (
            ["score", "perplexity"],
            2,
            "perplexity takes --given 'probabilities=...', written as in a scenario (numbers)",
        ),
        (
            ["score", "perplexity", "--given", "odds=[1]"],
            2,
            "no field 'odds'; known are probabilities, log_probabilities",
        ),
        (["score", "perplexity", "--given", "probabilities=[1/]"], 2, "--given:1: probabilities.0: in '1/'"),
        (["score", "gec-gleu", "--hyp", "a", "--ref", "a"], 2, "gec-gleu takes --given 'sources=...'"),
        (
            ["score", "gec-gleu", "--hyp", "a", "--ref", "a", "--given", "sources=abc"],
            2,
            "sources: expected segments, found",
        ),
        (["show", "one-token"], 2, "did you mean one-token-apart?"),
        (["list", "scenarios", "nosuch*"], 2, "no scenarios match"),
        (["new", "adapter", "9lives"], 2, "expected letters, digits and underscores"),
    ],
)
def test_a_fault_is_one_clear_line(words: list[str], status: int, message: str) -> None:
    done = conformance(*words)
    assert done.returncode == status, done.stderr
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_run_prints_the_headline() -> None:
    done = conformance("run", "reference", "--metric", "wer")
    assert done.returncode == 0
    for word in ("clauses", "passes", "conventions", "documented", "NEW", "unsupported", "always 0 would pass"):
        assert word in done.stdout


def test_a_record_is_json_lines_of_the_schema(tmp_path: Path) -> None:
    import jsonschema

    done = conformance("run", "reference", "--metric", "jaccard", "--record", "-")
    schema = json.loads(conformance("schema", "record").stdout)
    validator = jsonschema.Draft202012Validator(schema)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [error.message for line in lines for error in validator.iter_errors(line)] == []
    assert lines[0]["record"] == 1
    assert lines[-1]["end"] == 1


@pytest.mark.parametrize("name", ["spec", "cases", "ledger", "protocol", "record", "implementations"])
def test_each_schema_is_printed_and_is_one(name: str) -> None:
    import jsonschema

    schema = json.loads(conformance("schema", name).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)


def test_a_scenario_is_shown_with_its_derivation() -> None:
    done = conformance("show", "one-token-apart")
    assert done.returncode == 0
    assert "refunds within thirty" in done.stdout
    assert "exp(1 - 4/3)" in done.stdout


def test_a_score_is_worked_out_step_by_step() -> None:
    done = conformance("score", "wer", "--hyp", "man bites dog", "--ref", "dog bites man")
    assert "substitution  dog -> man" in done.stdout
    assert "2/3" in done.stdout


def test_a_transform_is_worked_out_and_its_tokens_stand_in_quotes() -> None:
    settings = ("-p", "tokenizer=tercom", "-p", "tercom_options=normalized,no-punctuation", "-p", "lowercase=true")
    done = conformance("score", "tokenize", "--text", "So, it's", *settings)
    assert "with tokenizer = tercom, tercom_options = [normalized, no-punctuation], lowercase = true" in done.stdout
    assert done.stdout.endswith("""tokens = ['so', 'it', "'s"]\n""")


def test_a_score_as_json_has_its_steps() -> None:
    data = json.loads(
        conformance("score", "bleu", "--hyp", "a b", "--ref", "a b c", "-p", "max_order=1", "--format", "json").stdout
    )
    assert data["answer"]["score"] == pytest.approx(0.6065306597126334)
    assert any(step["name"] == "brevity penalty" for step in data["steps"])


def test_several_hypotheses_each_with_its_references() -> None:
    done = conformance("score", "wer", "--hyp", "x", "--ref", "a", "--hyp", "b c d e", "--ref", "b c d e")
    assert "rate = 0.2" in done.stdout


def test_any_field_of_a_metric_can_be_given() -> None:
    """Fields are written as in a scenario, beside texts or alone."""
    done = conformance("score", "perplexity", "--given", "probabilities=[1/2, {repeat: 1/4, times: 1}]")
    assert "-ln 0.5 + -ln 0.25" in done.stdout
    assert "perplexity = 2.828427125" in done.stdout
    done = conformance(
        "score", "gec-gleu", "--hyp", "a b c d x", "--ref", "a b c d e", "--given", "sources=[a b c d x]"
    )
    assert "sources: [a b c d x]" in done.stdout
    assert "1-grams kept" in done.stdout
    assert "score = 0" in done.stdout


def test_scenarios_of_ones_own_are_run_instead_of_the_suites(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("""\
- scenario: an-insertion
  why: A word too many is one error, over the words of the reference.
  source: {document: of our own}
  references: [a b c]
  outputs: {longer: a b x c}
  expect: [{metric: wer, values: {longer: 1/3}}, {metric: bleu, parameters: {max_order: 1}, values: {longer: 1/2}}]
""")
    done = conformance("run", "reference", "--cases", "own.yaml", "--record", "-", cwd=tmp_path)
    _, wer, bleu, end = map(json.loads, done.stdout.splitlines())
    assert (wer["check"], wer["outcome"]) == ("an-insertion/wer/longer", "pass")
    assert (bleu["check"], bleu["outcome"]) == ("an-insertion/bleu/longer", "fail")
    assert (done.returncode, end["unexpected"]) == (1, 1)
    shown = conformance("run", "reference", "--cases", "own.yaml", cwd=tmp_path).stdout
    assert "repeat    conformance run reference --cases own.yaml --select an-insertion/bleu/longer" in shown
    missing = conformance("run", "reference", "--cases", "nosuch.yaml", cwd=tmp_path)
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)
    assert "nosuch.yaml" in missing.stderr


def test_a_new_adapter_runs_as_it_stands(tmp_path: Path) -> None:
    assert conformance("new", "adapter", "mine", cwd=tmp_path).returncode == 0
    done = conformance("run", "mine.py", cwd=tmp_path)
    assert "fail" not in done.stdout
    assert done.returncode == 0, done.stdout
    assert conformance("new", "adapter", "mine", cwd=tmp_path).returncode == 2


def test_accepted_deviations_are_documented_and_fixed_ones_are_noticed(tmp_path: Path) -> None:
    wrong = "def wer(hypothesis, reference):\n    return len(hypothesis.split()) / len(reference.split())\n"
    (tmp_path / "mine.py").write_text(wrong, "utf-8")
    run = ["run", "mine.py:wer", "--metric", "wer"]
    first = conformance(*run, cwd=tmp_path)
    assert first.returncode == 1
    assert "conformance accept mine.py:wer" in first.stdout
    accepted = conformance("accept", "mine.py:wer", "--metric", "wer", "--reason", "counts words alone", cwd=tmp_path)
    assert accepted.returncode == 0, accepted.stderr
    assert conformance(*run, cwd=tmp_path).returncode == 0
    right = (ROOT / "README.md").read_text("utf-8").split("```python\n")[1].split("```")[0]
    (tmp_path / "mine.py").write_text(right, "utf-8")
    third = conformance(*run, cwd=tmp_path)
    assert third.returncode == 1
    assert "fixed" in third.stdout


def test_help_is_quick_to_import() -> None:
    code = "import sys; sys.argv=['conformance','--help']\nfrom conformance.cli import main\ntry:\n main()\nexcept SystemExit: pass\n"
    code += "print([m for m in ('yaml','jsonschema','hypothesis','pytest','regex','sacrebleu','nltk','jiwer') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip().splitlines()[-1] == "[]"
