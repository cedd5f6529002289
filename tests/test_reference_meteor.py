"""METEOR of the reference: values worked out by hand, and its alignments against exhaustive search."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from conformance.reference import meteor_search
from conformance.reference.derivations import meteor as derivations
from conformance.reference.meteor import MODULES, best_alignment, meteor
from conformance.reference.meteor_alignment import Link, Stage, aligned, chunk_count, crossing_count
from conformance.reference.meteor_search import Rule, TooAmbiguous

EXACT: dict[str, Any] = {"modules": ["exact"]}


def score(hypothesis: str, *references: str, **parameters: Any) -> float:
    value: float = meteor([hypothesis], [list(references)], **{**EXACT, **parameters})["score"]
    return value


@pytest.mark.parametrize(
    ("hypothesis", "reference", "value"),
    [
        ("w1 w2 q1", "w1 w2 w3 w4", Fraction(25, 52)),
        ("w3 w2 w1", "w1 w2 w3", Fraction(1, 2)),
        ("w3 w4 w1 w2", "w1 w2 w3 w4", Fraction(15, 16)),
        ("w1 q1 w2", "w1 w2", Fraction(10, 21)),
        ("w1 w2", "w1 q1 w2", Fraction(10, 29)),
        ("w1 w2 q1 w3 q2 w4 w5", "w1 w2 w3 w4 w5", Fraction(223, 260)),
        ("w1 w1 w1", "w1 w2", Fraction(5, 21)),
        ("the", "the", Fraction(1, 2)),
        ("q", "w", 0),
        ("", "w", 0),
        ("w", "", 0),
        ("", "", 0),
    ],
)
def test_the_formula(hypothesis: str, reference: str, value: Fraction) -> None:
    """10PR/(R + 9P) less half the cube of chunks over matches."""
    assert score(hypothesis, reference) == pytest.approx(float(value))


@pytest.mark.parametrize(("alpha", "mean"), [(0, Fraction(2, 3)), (0.5, Fraction(4, 7)), (1, Fraction(1, 2))])
def test_alpha_moves_the_mean_from_precision_to_recall(alpha: float, mean: Fraction) -> None:
    found = meteor(["w1 w2 q1"], [["w1 w2 w3 w4"]], alpha=alpha)
    assert found["f_mean"] == pytest.approx(float(mean))
    assert found["penalty"] == 1 / 16


def test_beta_and_gamma_shape_the_penalty() -> None:
    """Two chunks of four matches."""
    pair = ("w3 w4 w1 w2", "w1 w2 w3 w4")
    assert [score(*pair, beta=beta) for beta in (0, 1, 2)] == [1 / 2, 3 / 4, 7 / 8]
    assert [score(*pair, gamma=gamma) for gamma in (0, 0.25, 1)] == [1, 31 / 32, 7 / 8]


@pytest.mark.parametrize(
    ("rule", "chunks", "crossings"), [("fewest-crossings", 5, 7), ("fewest-chunks", 2, 8), ("last-free", 5, 7)]
)
def test_two_phrases_that_change_places(rule: str, chunks: int, crossings: int) -> None:
    found = meteor(["sat on the mat the cat"], [["the cat sat on the mat"]], alignment=rule)
    assert (found["matches"], found["chunks"], found["crossings"]) == (6, chunks, crossings)


def test_equal_crossings_leave_two_answers() -> None:
    pair = ("w1 w2", "w1 w2 w1 q1 w2")
    assert score(*pair) == pytest.approx(75 / 188)
    assert score(*pair, equal_crossings="most-chunks") == pytest.approx(10 / 47)


@pytest.mark.parametrize(("scope", "chunks"), [("stage", 2), ("all", 3)])
def test_a_later_stage_counts_its_own_crossings_or_all(scope: str, chunks: int) -> None:
    stems = {"cats": "cat", "runs": "run"}
    found = meteor(["cat cats runs"], [["cat run cat"]], stems=stems, crossing_scope=scope)
    assert (found["matches"], found["chunks"]) == (3, chunks)


def test_stems_link_words_that_differ() -> None:
    assert score("he is running", "he is run", modules=["exact", "stem"]) == pytest.approx(53 / 54)
    assert score("two mice", "two mouse", modules=["exact", "stem"], stems={"mice": "mouse"}) == 15 / 16
    assert score("two cats", "two cat", modules=["exact", "stem"], stems={"mice": "mouse"}) == 1 / 4


def test_synonyms_link_words_or_stems_or_in_one_direction() -> None:
    pair = ("the automobile stopped", "the car stopped")
    every: dict[str, Any] = {"modules": ["exact", "stem", "synonym"], "synonyms": [["car", "automobile", "auto"]]}
    assert score(*pair, **every) == pytest.approx(53 / 54)
    assert score(*pair, **every, synonym_input="stems") == pytest.approx(1 / 3)
    assert score("the auto stopped", pair[1], **every, synonym_input="stems") == pytest.approx(53 / 54)
    assert score(*pair, modules=["exact", "stem"], synonyms=every["synonyms"]) == pytest.approx(1 / 3)
    table = {"mice": ["mouse"]}
    assert score("mice", "mouse", modules=["synonym"], synonyms=table) == 1 / 2
    assert score("mouse", "mice", modules=["synonym"], synonyms=table) == 0
    assert score("CAR", "Auto", modules=["synonym"], synonyms=[["Car", "AUTO"]], lowercase=True) == 1 / 2


def test_stages_do_not_look_ahead() -> None:
    synonyms = [["auto", "car"], ["car", "railcar"]]
    assert score("auto car", "car railcar", modules=["exact", "synonym"], synonyms=synonyms) == 1 / 4
    assert score("auto car", "car railcar", modules=["synonym"], synonyms=synonyms) == 15 / 16


def test_a_synonym_module_alone_links_equal_words() -> None:
    assert score("a b", "b a", modules=["synonym"]) == 1 / 2
    assert score("a b", "b c", modules=["synonym"], synonyms=[["a", "c"]]) == 1 / 2


def test_weights_of_modules_and_of_function_words() -> None:
    found = meteor(["running"], [["runs"]], modules=["exact", "stem"], weights=[1, 0.6])
    assert (found["precision"], found["recall"], found["matches"]) == (0.6, 0.6, 1)
    article = meteor(["the cat"], [["the dog"]], function_words=["the"], delta=0.75)
    assert article["precision"] == article["recall"] == 0.25
    assert score("the", "the", function_words=["the"], delta=1) == 0


def test_a_complete_match_without_a_chunk() -> None:
    """Meteor 1.5: no penalty for a copy, and none of its chunks in the sum."""
    assert score("w1 w2", "w1 w2", complete_match="no-chunk") == 1
    assert score("w1 w2", "w2 w1", complete_match="no-chunk") == 1 / 2
    corpus = (["w1 w2 w3 w4", "q1 w5 q2"], [["w1 w2 w3 w4"], ["q3 w5 q4"]])
    assert meteor(*corpus)["score"] == pytest.approx(121 / 175)
    assert meteor(*corpus, complete_match="no-chunk")["score"] == pytest.approx(249 / 350)


def test_a_corpus_is_pooled_or_averaged() -> None:
    corpus = (["w1 w2 w3 q1", "w4 q2"], [["w1 w2 w3 z1 z2"], ["w4 w5"]])
    assert meteor(*corpus)["score"] == pytest.approx(25 / 46)
    mean = meteor(*corpus, aggregation="mean")
    assert mean["score"] == pytest.approx((30 / 49 * 53 / 54 + 1 / 4) / 2)
    assert (mean["matches"], mean["chunks"]) == (4, 2)


def test_the_best_reference_counts() -> None:
    assert score("w1 w2 w3", "w1 q1 q2", "w1 w2 w3") == pytest.approx(53 / 54)
    assert score("w1", "", "w1") == 1 / 2
    assert score("w1", "q", "w1", no_match="undefined") == 1 / 2


def test_without_a_link_there_is_no_value_or_zero() -> None:
    found = meteor(["x y"], [["a b"]], no_match="undefined")
    assert math.isnan(found["score"])
    assert (found["precision"], found["recall"], found["chunks"]) == (0, 0, 0)
    assert math.isnan(meteor([""], [["a"]], no_match="undefined")["precision"])


def test_words_may_be_split_and_lowered() -> None:
    assert score("THE Cat", "the cat") == 0
    assert score("THE Cat", "the cat", lowercase=True) == 15 / 16
    assert meteor([["THE", "Cat"]], [[["the", "cat"]]], lowercase=True)["matches"] == 2
    assert meteor(["a, b"], [["a b"]], tokenizer="split-punctuation")["matches"] == 2


def test_the_best_alignment_shows_its_words_and_links() -> None:
    pair = best_alignment("w1 w2", ["q", "w2 w1"])
    assert (pair.own, pair.other) == (["w1", "w2"], ["w2", "w1"])
    assert pair.links == [(0, 1, 0), (1, 0, 0)]


@pytest.mark.parametrize(
    ("parameters", "kind", "message"),
    [
        ({"alpha": 2}, ValueError, "alpha: expected a number from 0 to 1"),
        ({"gamma": 1.5}, ValueError, "gamma: expected a number from 0 to 1"),
        ({"delta": True}, TypeError, "delta: expected a number"),
        ({"beta": -1}, ValueError, "beta: expected a finite number from 0"),
        ({"modules": []}, ValueError, "modules: expected one or more different ones"),
        ({"modules": ["exact", "exact"]}, ValueError, "modules: expected one or more different ones"),
        ({"modules": ["paraphrase"]}, ValueError, "modules: expected one of"),
        ({"weights": [1]}, ValueError, "weights: expected 3 numbers, one a module, found 1"),
        ({"weights": "1"}, TypeError, "weights: expected a list of numbers"),
        ({"alignment": "greedy"}, ValueError, "alignment: expected one of"),
        ({"synonyms": "car"}, TypeError, "synonyms: expected lists of words or a table"),
        ({"synonyms": ["car"]}, TypeError, "synonyms: expected a list of words"),
        ({"synonyms": {"car": "auto"}}, TypeError, "synonyms of car: expected a list of words"),
        ({"stems": [["a"]]}, TypeError, "stems: expected a table"),
        ({"function_words": "the"}, TypeError, "function_words: expected a list of words"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        meteor(["a"], [["a"]], **parameters)


@pytest.mark.parametrize(
    ("hypotheses", "references", "kind"),
    [([], [], ValueError), (["a"], [[]], ValueError), (["a"], ["a"], TypeError), ("a", [["a"]], TypeError)],
)
def test_bad_input_is_refused(hypotheses: Any, references: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        meteor(hypotheses, references)


def test_meteor_is_worked_out_as_on_paper() -> None:
    """The car and the cats of the output are linked by equality, stem and synonym; "ran" stands before its place."""
    lines = derivations.meteor(
        ["the automobile ran cats"], [["the car cat ran"]], synonyms=[["car", "automobile"]], modules=MODULES
    )
    found = {name: working for name, working, _ in lines}
    assert found["exact links"] == "the 1-1, ran 3-4"
    assert found["stem links"] == "cats 4-3 cat"
    assert found["synonym links"] == "automobile 2-2 car"
    assert found["chunks"] == "the automobile | ran | cats"
    assert (found["P"], found["R"], found["penalty"]) == ("4/4", "4/4", "0.5 * (3/4)^3")
    corpus = derivations.meteor(["a b", "c"], [["a b"], ["d"]], aggregation="mean")
    assert [name for name, _, _ in corpus] == ["segment 1", "segment 2", "METEOR"]
    assert corpus[0][1] == "2 matches in 1 chunks, 2 and 2 words"


# --- the alignment against exhaustive search ---

WORDS = ("run", "runs", "running", "a", "auto", "car", "cat", "cats")
STEMS = {"runs": "run", "running": "run", "cats": "cat"}
SYNONYMS = {"run": {"car"}, "auto": {"car"}, "car": {"auto", "a"}, "a": {"cat", "cats"}}
STAGES = (
    Stage(str),
    Stage(lambda word: STEMS.get(word, word)),
    Stage(str, lambda word: frozenset(SYNONYMS.get(word, ()))),
)


def stage_of(own: str, other: str, stages: Sequence[Stage]) -> int | None:
    """The first stage that pairs two words."""
    for number, stage in enumerate(stages):
        key, wanted = stage.key(own), stage.key(other)
        if key == wanted or (stage.others is not None and wanted in stage.others(key)):
            return number
    return None


def alignments(
    own: Sequence[str], others: Sequence[str], stages: Sequence[Stage], taken: tuple[int, ...] = (), at: int = 0
) -> Iterator[tuple[Link, ...]]:
    """Every set of links in which no word has two."""
    if at == len(own):
        yield ()
        return
    yield from alignments(own, others, stages, taken, at + 1)
    for place, other in enumerate(others):
        stage = None if place in taken else stage_of(own[at], other, stages)
        if stage is not None:
            for rest in alignments(own, others, stages, (*taken, place), at + 1):
                yield ((at, place, stage), *rest)


def compared_by(links: Sequence[Link], rule: Rule, stages: int) -> tuple[int, ...]:
    """What the rule compares alignments by, the smaller the better, straight from its sentence."""
    found = []
    for stage in range(stages):
        found.append(-sum(link[2] == stage for link in links))
        if rule.alignment == "fewest-crossings":
            crossed = [(a, b) for a, b in combinations(links, 2) if (a[0] - b[0]) * (a[1] - b[1]) < 0]
            own = [a[2] == b[2] == stage if rule.scope == "stage" else max(a[2], b[2]) == stage for a, b in crossed]
            found.append(sum(own))
    chunks = sum((a - 1, b - 1) not in {(c, d) for c, d, _ in links} for a, b, _ in links)
    most = rule.alignment == "fewest-crossings" and rule.tie == "most-chunks"
    return (*found, -chunks if most else chunks)


@pytest.mark.parametrize("few", [1, 2, 64])
def test_alignments_are_the_best_of_all(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On short texts of few words, under each rule, also where the first run has to drop nearly every state."""
    monkeypatch.setattr(meteor_search, "FEW", few)
    draw = random.Random(few)
    for _ in range(700):
        words = draw.sample(WORDS, draw.choice([2, 3, 4, 8]))
        own, others = ([draw.choice(words) for _ in range(draw.randint(0, 5))] for _ in range(2))
        stages = draw.sample(STAGES, 3)[: draw.randint(1, 3)] if draw.random() < 0.3 else STAGES[: draw.randint(1, 3)]
        rule = Rule(
            draw.choice(["fewest-crossings", "fewest-chunks"]),
            draw.choice(["fewest-chunks", "most-chunks"]),
            draw.choice(["stage", "all"]),
        )
        links = aligned(own, others, stages, rule)
        assert len({a for a, _, _ in links}) == len({b for _, b, _ in links}) == len(links)
        assert all(stage_of(own[a], others[b], stages) == stage for a, b, stage in links)
        best = min(compared_by(each, rule, len(stages)) for each in alignments(own, others, stages))
        assert compared_by(links, rule, len(stages)) == best, (own, others, rule, links)


def test_crossings_and_chunks_of_links() -> None:
    """Four links of two stages: 0-2 crosses 1-0 and 2-1, of which one is of its own stage."""
    links = [(0, 2, 0), (1, 0, 0), (2, 1, 1), (3, 3, 1)]
    assert crossing_count(links, "all") == 2
    assert crossing_count(links, "stage") == 1
    assert chunk_count(links) == 3
    assert chunk_count([]) == crossing_count([], "all") == 0


def test_long_texts_of_two_words_are_aligned_at_once() -> None:
    """Sixty pairs in the other order: in their order each word crosses its neighbour; shifted by one only an end moves."""
    pair = (["a b " * 60], [["b a " * 60]])
    assert meteor(*pair)["crossings"] == 60
    assert meteor(*pair, alignment="fewest-chunks")["chunks"] == 2


def test_what_no_search_can_finish_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meteor_search, "MOST", 50)
    draw = random.Random(3)
    own, other = (" ".join(draw.choices("abc", k=24)) for _ in range(2))
    with pytest.raises(TooAmbiguous, match="more than 50 ways to align"):
        meteor([own], [[other]], alignment="fewest-chunks")
