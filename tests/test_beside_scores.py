"""What libraries of BLEU say beside a score, which no check can ask: signatures, warnings, and what their functions take unasked."""

from __future__ import annotations

import inspect
import logging
from importlib.metadata import version
from math import exp
from typing import Any

import pytest

MISSING = "pip install 'text-metric-conformance[adapters]'"
HELD = "what other releases do is not claimed"


def sacrebleu_module() -> Any:
    module = pytest.importorskip("sacrebleu", reason=MISSING)
    if version("sacrebleu") != "2.6.0":
        pytest.skip(HELD)
    return module


def signed(references: list[list[str | None]] | None = None, short: bool = False, **settings: Any) -> str:
    """The signature of a corpus of copies, without the version at its end."""
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(**settings)
    streams = references or [["a b c d"]]
    metric.corpus_score(["a b c d"] * len(streams[0]), streams)
    signature, _, release = str(metric.get_signature().format(short=short)).rpartition("|")
    assert release == ("v:2.6.0" if short else "version:2.6.0")
    return signature


@pytest.mark.parametrize(
    ("settings", "signature"),
    [
        ({}, "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp"),
        ({"lowercase": True}, "nrefs:1|case:lc|eff:no|tok:13a|smooth:exp"),
        ({"effective_order": True}, "nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp"),
        ({"smooth_method": "none"}, "nrefs:1|case:mixed|eff:no|tok:13a|smooth:none"),
        ({"smooth_method": "floor"}, "nrefs:1|case:mixed|eff:no|tok:13a|smooth:floor[0.10]"),
        ({"smooth_method": "floor", "smooth_value": 0.25}, "nrefs:1|case:mixed|eff:no|tok:13a|smooth:floor[0.25]"),
        ({"smooth_method": "add-k"}, "nrefs:1|case:mixed|eff:no|tok:13a|smooth:add-k[1.00]"),
        ({"tokenize": "none"}, "nrefs:1|case:mixed|eff:no|tok:none|smooth:exp"),
        ({"tokenize": "intl"}, "nrefs:1|case:mixed|eff:no|tok:intl|smooth:exp"),
        ({"tokenize": "char"}, "nrefs:1|case:mixed|eff:no|tok:char|smooth:exp"),
        ({"trg_lang": "zh"}, "nrefs:1|case:mixed|eff:no|tok:zh|smooth:exp"),
        ({"max_ngram_order": 2}, "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp"),
        (
            {
                "lowercase": True,
                "effective_order": True,
                "tokenize": "intl",
                "smooth_method": "add-k",
                "smooth_value": 2,
            },
            "nrefs:1|case:lc|eff:yes|tok:intl|smooth:add-k[2.00]",
        ),
    ],
)
def test_a_signature_of_sacrebleu_names_all_settings_but_the_longest_order(settings: Any, signature: str) -> None:
    sacrebleu_module()
    assert signed(**settings) == signature


def test_a_signature_of_sacrebleu_counts_references() -> None:
    sacrebleu_module()
    two: list[list[str | None]] = [["a b c d e"], ["a b c d"]]
    settings: dict[str, Any] = {"lowercase": True, "tokenize": "none", "smooth_method": "floor"}
    assert signed(two, **settings) == "nrefs:2|case:lc|eff:no|tok:none|smooth:floor[0.10]"
    assert signed([["a b c d", "e f g h"], ["a b x d", None]]).startswith("nrefs:var|")
    assert signed(short=True) == "#:1|c:mixed|e:no|tok:13a|s:exp"


def test_sacrebleu_has_no_signature_before_it_has_scored() -> None:
    metric = sacrebleu_module().metrics.BLEU()
    with pytest.raises(ValueError, match="evaluate the metric first"):
        metric.get_signature()


def test_the_target_language_chooses_the_tokenizer_of_sacrebleu() -> None:
    module = sacrebleu_module()
    pytest.importorskip("ipadic", reason=MISSING)
    assert module.metrics.BLEU._TOKENIZER_MAP["ko"] == "ko-mecab"
    assert signed(trg_lang="ja") == "nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.996-IPA|smooth:exp"
    japanese = module.metrics.BLEU(trg_lang="ja")
    assert japanese.tokenizer("今日は良い天気です") == "今日 は 良い 天気 です"
    for function in (module.corpus_bleu, module.sentence_bleu):
        parameters = inspect.signature(function).parameters
        assert "trg_lang" not in parameters
        assert parameters["tokenize"].default == "13a"


@pytest.mark.parametrize(
    ("output", "reference", "function", "method"), [("a b", "a b", 100, 0), ("a", "a", 100, 0), ("a c", "a b", 50, 0)]
)
def test_the_functions_of_sacrebleu_have_defaults_of_their_own(
    output: str, reference: str, function: float, method: float
) -> None:
    """Only sentence_bleu leaves out orders that a text does not have; sqrt(1/2 * (1/2)/1) is one half."""
    module = sacrebleu_module()
    assert module.sentence_bleu(output, [reference]).score == pytest.approx(function)
    assert module.metrics.BLEU().sentence_score(output, [reference]).score == method
    assert module.corpus_bleu([output], [[reference]]).score == method


def test_raw_text_has_a_floor_in_sacrebleu() -> None:
    raw = sacrebleu_module().raw_corpus_bleu(["a c"], [["a b"]])
    assert raw.score == pytest.approx(100 * (1 / 2 * 0.1 / 1) ** (1 / 2))


def test_sacrebleu_advises_in_its_log(caplog: pytest.LogCaptureFixture) -> None:
    module = sacrebleu_module()
    caplog.set_level(logging.WARNING, logger="sacrebleu")

    def advice() -> list[str]:
        said = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return said

    module.metrics.BLEU().sentence_score("a b", ["a b"])
    assert ["effective_order" in each for each in advice()] == [True]
    module.metrics.BLEU(effective_order=True).sentence_score("a b c d", ["a b c d"])
    module.sentence_bleu("a b", ["a b"])
    assert advice() == []
    module.metrics.BLEU(trg_lang="ja", tokenize="13a")
    assert ["ja-mecab" in each for each in advice()] == [True]
    for lines in (99, 100):
        module.metrics.BLEU().corpus_score(["a b ."] * lines, [["a b ."] * lines])
        assert bool(advice()) == (lines == 100)


def test_a_copy_is_a_trifle_more_than_a_hundred_to_sacrebleu() -> None:
    text = "the cat is on the mat"
    assert sacrebleu_module().metrics.BLEU().corpus_score([text], [[text]]).score == 100.00000000000004


def test_the_logarithm_of_zero_is_a_number_in_sacrebleu() -> None:
    sacrebleu_module()
    from sacrebleu.utils import my_log

    assert my_log(0.0) == -9999999999


def test_nltk_warns_of_each_order_without_a_match() -> None:
    score = pytest.importorskip("nltk.translate.bleu_score", reason=MISSING)
    with pytest.warns(UserWarning, match="overlaps") as seen:
        score.sentence_bleu([list("abcab")], list("abxab"))
    assert len(seen) == 2


def test_nltk_has_no_use_for_weights_in_a_mapping() -> None:
    score = pytest.importorskip("nltk.translate.bleu_score", reason=MISSING)
    release = tuple(int(part) for part in version("nltk").split(".")[:2])
    with pytest.raises(KeyError if release >= (3, 10) else TypeError):
        score.sentence_bleu([["a"]], ["a"], weights={"a": 1})


def test_the_scorer_behind_the_caption_code_without_its_wrapper() -> None:
    """One picture gets the average length of its references, two the closest; a second answer has another shape."""
    pytest.importorskip("pycocoevalcap", reason=MISSING)
    from pycocoevalcap.bleu.bleu_scorer import BleuScorer

    def scorer(pictures: int) -> Any:
        made = BleuScorer(n=1)
        for _ in range(pictures):
            made += ("a b c", ["a b c", "a b c d e f g"])
        return made

    one = scorer(1)
    scores, by_picture = one.compute_score(verbose=0)
    assert scores == pytest.approx([exp(1 - 5 / 3)], rel=1e-8)
    assert len(by_picture) == 1
    assert one.compute_score(option="closest", verbose=0) == scores
    assert scorer(2).compute_score(verbose=0)[0] == pytest.approx([1], rel=1e-8)
