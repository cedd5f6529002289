"""The adapters of small libraries, each in an environment of its own: a few values that a person can work out."""

from __future__ import annotations

from math import exp, inf, nan
from pathlib import Path
from typing import Any

import pytest

from conformance.target import connect
from conformance.transport import Question, TargetError

ROOT = Path(__file__).resolve().parent.parent

Pair = tuple[list[Any], list[list[Any]]]

CAT: Pair = (["the cat sat"], [["the black cat sat"]])
"""Three of three and three of four words in order, two of two and one of three pairs."""
SHIFT: Pair = ([["b", "a", "c"]], [[["a", "b", "c"]]])
LINES: Pair = (["a b", "c"], [["a x"], ["c d"]])
"""One substitution and one deletion against four words; two against six characters by code points."""

Asked = tuple[str, str, Pair, dict[str, Any], Any]

ROUGE: dict[str, Any] = {"recall": 3 / 4, "precision": 1, "f1": 6 / 7}
VALUES: list[Asked] = [
    ("rouge", "rouge-n", CAT, {}, {**ROUGE, "f1": 1.5 / (1.75 + 1e-8)}),
    ("rouge", "rouge-n", (["a a b"], [["a b b"]]), {"counting": "multiset"}, {"recall": 2 / 3, "precision": 2 / 3}),
    ("rouge", "rouge-n", (["a a b"], [["a b b"]]), {"counting": "set"}, {"recall": 1, "precision": 1}),
    ("rouge", "rouge-l", (["a b. c d"], [["c d. a b"]]), {}, {"recall": 1, "precision": 1}),
    ("rouge-metric", "rouge-n", CAT, {"order": 2}, {"recall": 1 / 3, "precision": 1 / 2, "f1": 2 / 5}),
    ("rouge-metric", "rouge-l", CAT, {"beta": 2}, {**ROUGE, "f_beta": 5 * 0.75 / (4 * 1 + 0.75)}),
    ("rouge-metric", "rouge-l", CAT, {"beta_rule": "infinite"}, {"f1": 6 / 7, "f_beta": 3 / 4}),
    ("rouge-metric", "rouge-l", (["a"], [["a b", "a"]]), {"multi_reference": "best-recall"}, {"recall": 1}),
    ("rouge-metric", "rouge-l", (["a"], [["a b", "a"]]), {}, {"recall": 2 / 3, "precision": 1}),
    ("rouge-metric", "rouge-lsum", (["b\na"], [["a\nb"]]), {}, {"recall": 1}),
    ("rouge-metric", "rouge-l", (["b\na"], [["a\nb"]]), {}, {"recall": 1 / 2}),
    ("rouge-metric", "rouge-w", (["a b"], [["a b"]]), {"weight": 2}, {"recall": 1 / 2, "precision": 1}),
    ("rouge-metric", "rouge-s", CAT, {}, {"recall": 3 / 6, "precision": 1}),
    ("rouge-metric", "rouge-s", CAT, {"max_gap": 0}, {"recall": 1 / 3, "precision": 1 / 2}),
    ("rouge-metric", "rouge-su", CAT, {}, {"recall": (3 + 2) / (6 + 3), "precision": 1}),
    ("py-rouge", "rouge-n", (["cats, sat"], [["the cat sat"]]), {}, {"recall": 2 / 3, "precision": 1}),
    ("py-rouge", "rouge-n", (["cats, sat"], [["the cat sat"]]), {"stemming": "none"}, {"recall": 1 / 3}),
    ("py-rouge", "rouge-l", (["a"], [["a b", "a"]]), {"multi_reference": "best-recall"}, {"recall": 1}),
    ("py-rouge", "rouge-w", (["a b"], [["a b"]]), {"weight": 2}, {"recall": 1 / 2, "precision": 1}),
    ("easy-rouge", "rouge-n", ([["a", "b"]], [[["a", "c", "d"]]]), {}, {"recall": 1 / 3, "precision": 1 / 2}),
    ("easy-rouge", "rouge-l", ([["a", "b"]], [[["a", "c", "b"]]]), {"beta": 2}, {"f_beta": 5 * (2 / 3) / (4 + 2 / 3)}),
    ("easy-rouge", "rouge-lsum", (["b\na"], [["a\nb"]]), {}, {"recall": 1}),
    ("easy-rouge", "rouge-w", (["a b"], [["a b"]]), {"weight": 2}, {"recall": 1 / 2, "precision": 1}),
    ("rapidrouge", "rouge-l", CAT, {}, ROUGE),
    ("rapidrouge", "rouge-n", (["Cats"], [["cat", "the cats sat"]]), {"stemming": "porter-nltk"}, {"recall": 1, "f1": 1}),
    ("rouge-score-rs", "rouge-l", CAT, {}, ROUGE),
    ("rouge-score-rs", "rouge-n", (["a, B"], [["a, c"]]), {"tokenizer": "whitespace"}, {"recall": 1 / 2}),
    ("rouge-rust", "rouge-l", CAT, {}, ROUGE),
    ("rouge-rust", "rouge-n", CAT, {"order": 2}, {"recall": 1 / 3, "precision": 1 / 2, "f1": 2 / 5}),
    ("bleuscore", "bleu", (["a b c d"], [["a", "a b c d e"]]), {"reference_length": "closest"}, {"score": exp(-1 / 4)}),
    ("bleuscore", "bleu", (["a b c d"], [["a", "a b c d e"]]), {}, {"score": 1, "reference_length": 1}),
    ("bleuscore", "bleu", (["a b"], [["a c"]]), {"smoothing": "add-one-all", "max_order": 2}, {"score": (1 / 3) ** 0.5}),
    ("pyter3", "ter", SHIFT, {}, 1 / 3),
    ("pyter3", "ter", ([["A"]], [[["a"]]]), {}, 1),
    ("werpy", "wer", LINES, {}, {"rate": 2 / 4, "substitutions": 1, "deletions": 1, "insertions": 0, "errors": 2}),
    ("werx", "wer", LINES, {}, {"rate": 2 / 4, "substitutions": 1, "deletions": 1, "insertions": 0, "errors": 2}),
    ("werx", "wer", (["a b"], [[""]]), {}, {"rate": 2, "insertions": 2, "reference_length": 0}),
    ("kaldialign", "wer", ([["a", "b"], ["c"]], [[["a", "x"]], [["c", "d"]]]), {}, {"rate": 2 / 4, "deletions": 1}),
    ("kaldialign", "wer", ([["x"]], [[[]]]), {}, {"rate": inf, "insertions": 1}),
    ("kaldialign", "cer", LINES, {}, {"rate": 3 / 6, "substitutions": 1, "deletions": 2}),
    ("kaldialign", "levenshtein", LINES, {"unit": "token"}, 2),
    ("fastwer", "wer", (["a b b"], [["a b c"]]), {}, 33.3333),
    ("fastwer", "cer", LINES, {}, 50),
    ("pywer", "wer", LINES, {}, 50),
    ("pywer", "cer", LINES, {}, 50),
    ("pywer", "wer", (["a b"], [[""]]), {}, 0),
    ("universal-edit-distance", "wer", LINES, {}, 2 / 4),
    ("universal-edit-distance", "cer", LINES, {}, 3 / 6),
    ("universal-edit-distance", "wer", ([""], [[""]]), {}, nan),
    ("universal-edit-distance", "levenshtein", LINES, {}, 3),
    ("universal-edit-distance", "levenshtein", LINES, {"unit": "token"}, 2),
    ("editdistance", "levenshtein", (["kitten"], [["sitting"]]), {}, 3),
    ("editdistance", "levenshtein", (["a x"], [["a b c"]]), {"unit": "token"}, 2),
    ("pylev", "levenshtein", (["a x"], [["a b c"]]), {"unit": "token"}, 2),
    ("pylev", "damerau-levenshtein", (["ca"], [["abc"]]), {}, 3),
    ("jellyfish", "levenshtein", (["e\u0301"], [["\u00e9"]]), {}, 1),
    ("jellyfish", "damerau-levenshtein", (["ca"], [["abc"]]), {}, 2),
    ("jellyfish", "jaccard", (["a b b"], [["b c"]]), {}, 1 / 3),
    ("jellyfish", "jaccard", (["abb"], [["bc"]]), {"elements": "characters"}, 1 / 3),
    ("strsimpy", "levenshtein", (["kitten"], [["sitting"]]), {}, {"distance": 3, "normalized": 3 / 7}),
    ("strsimpy", "damerau-levenshtein", (["ca"], [["abc"]]), {"variant": "restricted"}, 3),
    ("strsimpy", "damerau-levenshtein", (["ca"], [["abc"]]), {}, 2),
    ("strsimpy", "lcs-length", (["a c b"], [["a b c"]]), {"unit": "token"}, 2),
    ("strsimpy", "jaccard", (["abb"], [["bc"]]), {}, 1 / 3),
    ("strsimpy", "dice", (["abb"], [["bc"]]), {}, 2 * 1 / (2 + 2)),
]  # fmt: skip
LIBRARIES = sorted({library for library, *_ in VALUES})


@pytest.mark.environment
@pytest.mark.parametrize("library", LIBRARIES)
def test_each_gives_what_a_person_works_out(library: str) -> None:
    asked = [each for each in VALUES if each[0] == library]
    try:
        connection = connect(f"{library}@pinned")
    except TargetError as error:
        pytest.skip(str(error))
    with connection:
        questions = [
            Question(metric, {"hypotheses": hypotheses, "references": references}, parameters)
            for _, metric, (hypotheses, references), parameters, _ in asked
        ]
        for (_, metric, pair, parameters, expected), reply in zip(asked, connection.ask(questions), strict=True):
            where = (metric, pair, parameters)
            assert reply.kind == "answer", (where, reply.body)
            found = {name: float(value) for name, value in reply.body.items() if not isinstance(value, list)}
            if not isinstance(expected, dict):
                (number,) = found.values()
                assert number == pytest.approx(expected, rel=1e-9, nan_ok=True), where
                continue
            for component, value in expected.items():
                assert found[component] == pytest.approx(value, rel=1e-9), (where, component)


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_file_carries_its_dependency(library: str) -> None:
    head = (ROOT / "adapters" / f"{library}.py").read_text("utf-8").split("# ///\n")[0].splitlines()
    assert head[1] == f'# requires-python = ">={"3.11" if library in ("werpy", "jellyfish") else "3.10"}"'
    assert head[2].startswith(f'# dependencies = ["{library}')
    assert "==" in head[2]
