"""TER of the reference: worked examples, every choice, the search by the letter, the optimum, and sacreBLEU."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.reference import edit, ter_text
from conformance.reference import ter_alignment as aligned
from conformance.reference.ter import ter
from conformance.reference.ter_optimum import optimum
from conformance.reference.ter_search import Found, Limits, Shift, bag_distance, greedy, moved

CHECKED = settings(max_examples=250, deadline=None, derandomize=True)
SACREBLEU = {
    "shift_distance": "position", "overlapping_shift": "one-too-far", "candidate_limit": "thousand",
    "beam": "diagonal", "beam_width": 25, "empty_reference": "one",
}  # fmt: skip
AS_SACREBLEU = Limits(from_position=True, one_too_far=True, stop_at_thousand=True, beam="diagonal", width=25)


def edits(hypothesis: str, *references: str, **parameters: Any) -> int:
    found: int = ter([hypothesis], [list(references)], **parameters)["edits"]
    return found


@pytest.mark.parametrize(
    ("hypothesis", "reference", "insertions", "deletions", "substitutions", "shifts"),
    [
        ("a b", "a b", 0, 0, 0, 0),
        ("a b x c", "a b c", 0, 1, 0, 0),
        ("a c", "a b c", 1, 0, 0, 0),
        ("a x c", "a b c", 0, 0, 1, 0),
        ("b c d a", "a b c d", 0, 0, 0, 1),
        ("d e f a b c", "a b c d e f", 0, 0, 0, 1),
        ("c d a x", "a b c d", 0, 0, 1, 1),
        ("", "a b", 2, 0, 0, 0),
        ("a b", "", 0, 2, 0, 0),
        ("", "", 0, 0, 0, 0),
        # b behind d leaves "d b c a", which no shift improves
        ("b d c a", "a b c d", 0, 0, 2, 1),
        ("man bites dog", "dog bites man", 0, 0, 2, 0),
    ],
)
def test_operations(
    hypothesis: str, reference: str, insertions: int, deletions: int, substitutions: int, shifts: int
) -> None:
    found = ter([hypothesis], [[reference]])
    assert (found["insertions"], found["deletions"]) == (insertions, deletions)
    assert (found["substitutions"], found["shifts"]) == (substitutions, shifts)
    assert found["edits"] == insertions + deletions + substitutions + shifts
    length = len(reference.split())
    assert found["rate"] == found["edits"] / length if length else math.isnan(found["rate"])
    named = ter([hypothesis], [[reference]], direction="reference-to-hypothesis")
    assert (named["insertions"], named["deletions"]) == (deletions, insertions)


def test_fewest_edits_over_the_mean_length() -> None:
    references = [["a b", "a b c d e"]]
    assert ter(["a b c"], references)["rate"] == 1 / 3.5
    assert ter(["a b c"], references)["reference_length"] == 3.5
    assert ter(["a b c"], references, multi_reference="selected-length")["rate"] == 1 / 2
    assert ter(["a b c"], references, multi_reference="lowest-rate")["rate"] == 2 / 5
    assert ter(["a"], [["", "a b"]], multi_reference="lowest-rate")["rate"] == 1 / 2
    assert ter([""], [["", "a b"]], multi_reference="lowest-rate", empty_reference="one")["rate"] == 0


def test_segments_are_pooled_or_averaged() -> None:
    corpus = (["a x", "c d e f"], [["a b", None], ["c d e f", "c d"]])
    assert ter(*corpus)["rate"] == 1 / (2 + 3)
    assert ter(*corpus, aggregation="mean")["rate"] == (1 / 2 + 0) / 2
    assert ter(["a x", "c d e f"], [["a b", ""], ["c d e f", "c d"]])["rate"] == 1 / (1 + 3)


@pytest.mark.parametrize(
    ("convention", "nothing", "something"),
    [("undefined", math.nan, math.nan), ("one", 0, 1), ("infinity", math.nan, math.inf)],
)
def test_empty_references_are_by_convention(convention: str, nothing: float, something: float) -> None:
    for hypothesis, expected in (("", nothing), ("a b", something)):
        found = ter([hypothesis], [[""]], empty_reference=convention)["rate"]
        assert found == expected or (math.isnan(found) and math.isnan(expected))
    assert ter(["a b", "c"], [[""], ["c"]], empty_reference=convention)["rate"] == 2
    assert math.isnan(ter([], [])["rate"])


def swapped(length: int) -> tuple[str, str]:
    """Two blocks of different words, and the same exchanged."""
    first, second = (" ".join(f"{letter}{n}" for n in range(length)) for letter in "ab")
    return f"{second} {first}", f"{first} {second}"


@pytest.mark.parametrize(("length", "count"), [(1, 1), (10, 1), (11, 2), (14, 2), (20, 2), (21, 3)])
def test_ten_words_move_at_once(length: int, count: int) -> None:
    assert edits(*swapped(length)) == count
    assert edits(*swapped(length), max_shift_size=1000) == 1
    assert edits(*swapped(length), search="exhaustive") == 1


@pytest.mark.parametrize(("length", "count"), [(10, 1), (13, 2), (14, 28), (20, 40)])
def test_a_thousand_candidates_end_the_search(length: int, count: int) -> None:
    assert edits(*swapped(length), **SACREBLEU) == count


@pytest.mark.parametrize(("between", "count"), [(50, 51), (51, 53)])
@pytest.mark.parametrize("rule", ["alignment", "position"])
def test_fifty_words_are_the_farthest(between: int, count: int, rule: str) -> None:
    hypothesis = " ".join(["c", "d", *(f"k{n}" for n in range(between))])
    reference = " ".join([*(f"j{n}" for n in range(between)), "c", "d"])
    assert edits(hypothesis, reference, shift_distance=rule) == count
    assert edits(hypothesis, reference, shift_distance=rule, max_shift_distance=100) == between + 1
    assert edits(hypothesis, reference, shift_distance=rule, max_shift_distance=0) == between + 2


@pytest.mark.parametrize(
    ("missing", "beam", "width", "count"),
    [
        (20, "score", 20, 20),
        (21, "score", 20, 22),
        (21, "score", 100, 21),
        (21, "diagonal", 25, 21),
        (21, "none", 20, 21),
    ],
)
def test_beams(missing: int, beam: str, width: int, count: int) -> None:
    reference = " ".join(["a", *(f"d{n}" for n in range(missing)), "b"])
    assert edits("a b", reference, beam=beam, beam_width=width) == count


def test_a_phrase_goes_one_word_too_far() -> None:
    # c b behind the a after it gives "a c b d b", one too far "a d c b b"
    assert edits("c b a d b", "a b c b d") == 2
    assert edits("c b a d b", "a b c b d", overlapping_shift="one-too-far") == 3


def test_words() -> None:
    assert edits("A b", "a B") == 0
    assert edits("A b", "a B", lowercase=False) == 2
    assert edits("a\u3000b", "a b") == 0
    assert edits("a\u3000b", "a b", tokenizer="ascii-whitespace") == 2
    assert edits(' "  a', "a", no_punctuation=True) == 0
    assert edits('"  a', "a", no_punctuation=True, tokenizer="tercom") == 1
    assert ter([["A b", "c"]], [[["A b", "d"]]])["reference_length"] == 2


@pytest.mark.parametrize(
    ("text", "rules", "asian", "words"),
    [
        ("it's 1,000.5, &quot;so&quot;", "tercom", False, ["it", "'s", "1,000.5", ",", '"', "so", '"']),
        ("3-4 foo-\nbar\nx", "tercom", False, ["3", "-", "4", "foobar", "x"]),
        ("foo\n-bar", "sacrebleu", False, ["foobar"]),
        ("<skipped> a", "tercom", False, ["a"]),
        ("<skipped> a", "sacrebleu", False, ["<", "skipped", ">", "a"]),
        (
            "\u6771\u4eac\u306b\u30da\u30f3\u3002",
            "tercom",
            True,
            ["\u6771", "\u4eac", "\u306b", "\u30da\u30f3", "\u3002"],
        ),
        ("\u6771\u306b\u30da\u30f3\u3002", "sacrebleu", True, ["\u6771", "\u306b\u30da\u30f3", "\u3002"]),
        ("\u6771\u4eac\u306b", "tercom", False, ["\u6771\u4eac\u306b"]),
    ],
)
def test_normalization(text: str, rules: str, asian: bool, words: list[str]) -> None:
    assert ter_text.words(text, "whitespace", True, rules, False, asian) == words


def test_javas_split_keeps_an_empty_word() -> None:
    def split(text: str, **changed: Any) -> list[str]:
        return ter_text.words(text, "tercom", True, changed.get("rules", "none"), True, False)

    assert split('" a "') == ["", "a"]
    assert split("...") == [""]
    assert split(". .") == []
    assert split("  ") == []
    assert split('" a "', rules="tercom") == ["", "a"]
    assert split('a " b', rules="tercom") == ["a", "b"]


@pytest.mark.parametrize(
    ("error", "parameters"),
    [
        (ValueError, {"search": "best"}),
        (TypeError, {"max_shift_size": True}),
        (ValueError, {"max_shift_size": 0}),
        (ValueError, {"max_shift_distance": -1}),
        (ValueError, {"shift_distance": "words"}),
        (ValueError, {"overlapping_shift": "no"}),
        (ValueError, {"candidate_limit": "10"}),
        (ValueError, {"beam": "wide"}),
        (TypeError, {"beam_width": 2.5}),
        (ValueError, {"direction": "both"}),
        (ValueError, {"aggregation": "sum"}),
        (ValueError, {"multi_reference": "best"}),
        (ValueError, {"empty_reference": "zero"}),
        (ValueError, {"tokenizer": "13a"}),
        (TypeError, {"lowercase": "yes"}),
        (ValueError, {"normalization": "nfc"}),
        (TypeError, {"no_punctuation": 1}),
        (TypeError, {"asian_support": None}),
    ],
)
def test_wrong_parameters_are_refused(error: type[Exception], parameters: dict[str, Any]) -> None:
    with pytest.raises(error, match=next(iter(parameters))):
        ter(["a"], [["a"]], **parameters)


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="3 hypotheses, but references for 2"):
        ter(["a b", "c", "zzz"], [["a b"], ["c"]])
    with pytest.raises(ValueError, match="at least one reference"):
        ter(["a"], [[None]])
    with pytest.raises(TypeError, match="hypotheses"):
        ter("a", [["a"]])  # type: ignore[arg-type]


def test_the_exhaustive_search_refuses_long_segments() -> None:
    words = [f"w{n}" for n in range(12)]
    with pytest.raises(ValueError, match="12 words are too many"):
        edits(" ".join(words[::-1]), " ".join(words), search="exhaustive")


WORDS = st.lists(st.sampled_from("abcd"), max_size=7)


@CHECKED
@given(WORDS, WORDS)
def test_alignments_cost_what_they_say(hypothesis: list[str], reference: list[str]) -> None:
    words, length = aligned.as_bits(hypothesis, reference), len(reference)
    columns = aligned.columns(aligned.start_state(length), words, (1 << length) - 1)
    assert [aligned.cost(column, j) for j, column in enumerate(columns)] == [
        row[-1] for row in edit.table(hypothesis, reference)
    ]
    exact = aligned.cost(columns[-1], len(words)), aligned.steps(words, length, columns)
    assert exact[0] == len(exact[1]) - exact[1].count(aligned.HIT)
    assert aligned.by_score(words, length, 20) == exact
    assert aligned.by_diagonal(words, length, 25) == exact


def letter(hypothesis: Sequence[str], reference: Sequence[str], limits: Limits) -> tuple[int, int]:
    """Shifts and the distance left, with every candidate made and measured by a whole table."""
    words, shifts = list(hypothesis), 0
    while True:
        distance = edit.distance(words, reference)
        best: tuple[tuple[int, int, int, int], list[str]] | None = None
        for key, changed in candidates(words, list(reference), limits):
            ranked = (distance - edit.distance(changed, reference), *key)
            if ranked[0] > 0 and (best is None or ranked > best[0]):
                best = ranked, changed
        if best is None:
            return shifts, distance
        words, shifts = best[1], shifts + 1


def candidates(words: list[str], reference: list[str], limits: Limits) -> Any:
    """Each shift that the rules allow: longer, then further left, then to a place further left; and its result."""
    bits = aligned.as_bits(words, reference)
    columns = aligned.columns(aligned.start_state(len(reference)), bits, (1 << len(reference)) - 1)
    partner, wrong, wrong_reference = [], [], []
    for step in aligned.steps(bits, len(reference), columns):
        if step != aligned.MISSING:
            wrong.append(step != aligned.HIT)
        if step != aligned.SURPLUS:
            partner.append(len(wrong) - 1)
            wrong_reference.append(step != aligned.HIT)
    for start in range(len(words)):
        for place in range(len(reference)):
            for size in range(1, limits.size + 1):
                phrase = words[start : start + size]
                if len(phrase) < size or reference[place : place + size] != phrase:
                    break
                distance = abs((place if limits.from_position else partner[place]) - start)
                if start <= partner[place] < start + size or distance > limits.distance:
                    continue
                if not any(wrong[start : start + size]) or not any(wrong_reference[place : place + size]):
                    continue
                for before in range(place - 1, place + size):
                    target = partner[before] + 1 if before >= 0 else 0
                    rest = words[:start] + words[start + size :]
                    inside = start <= target <= start + size
                    to = target if target < start else target - size
                    if inside:
                        to = max(target - (not limits.one_too_far), start)
                    yield (size, -start, -target), rest[:to] + phrase + rest[to:]


@CHECKED
@given(WORDS, WORDS, st.sampled_from([1, 2, 10]), st.sampled_from([1, 3, 50]), st.booleans(), st.booleans())
def test_the_greedy_search_by_the_letter(
    hypothesis: list[str], reference: list[str], size: int, distance: int, position: bool, too_far: bool
) -> None:
    limits = Limits(size, distance, position, too_far)
    found = greedy(hypothesis, reference, limits)
    assert (len(found.shifts), found.distance) == letter(hypothesis, reference, limits)
    assert leads_to(hypothesis, reference, found)


def leads_to(hypothesis: Sequence[str], reference: Sequence[str], found: Found) -> bool:
    """Whether the shifts, one after the other, leave the distance that was found, and the alignment shows it."""
    words = list(hypothesis)
    for shift in found.shifts:
        words = moved(words, shift)
    shown = len(found.steps) - found.steps.count(aligned.HIT)
    return edit.distance(words, reference) == found.distance == shown


def test_a_shift_is_told_by_where_it_begins() -> None:
    assert moved("abcdef", Shift(0, 2, 3)) == list("cdeabf")
    assert moved("abcdef", Shift(3, 3, 0)) == list("defabc")


def every_order(hypothesis: tuple[str, ...], reference: list[str]) -> int:
    """The fewest edits over all sequences of shifts, level by level until no order is new."""
    seen, level, best, count = {hypothesis}, {hypothesis}, edit.distance(hypothesis, reference), 0
    while level:
        count += 1
        level = {
            words[:i] + words[j:k] + words[i:j] + words[k:]
            for words in level
            for i in range(len(words))
            for j in range(i + 1, len(words))
            for k in range(j + 1, len(words) + 1)
        } - seen
        seen |= level
        best = min([best, *(count + edit.distance(words, reference) for words in level)])
    return best


@CHECKED
@given(st.lists(st.sampled_from("abcde"), max_size=6), st.lists(st.sampled_from("abcde"), max_size=6))
def test_the_optimum_over_every_order(hypothesis: list[str], reference: list[str]) -> None:
    found = optimum(hypothesis, reference)
    assert found.edits == every_order(tuple(hypothesis), reference)
    assert leads_to(hypothesis, reference, found)
    assert bag_distance(hypothesis, reference) <= found.edits <= greedy(hypothesis, reference, Limits()).edits


def pairs(count: int, seed: int) -> list[tuple[list[str], list[str]]]:
    """Random pairs: short ones of few words, and longer ones with moved, changed and added phrases."""
    draw = random.Random(seed)
    found = []
    for n in range(count):
        words = [f"w{number}" for number in range(draw.choice([2, 3, 5, 10, 40]))]
        longest = 60 if n % 40 == 0 else 14
        hypothesis = [draw.choice(words) for _ in range(draw.randint(0, longest))]
        reference = list(hypothesis)
        if draw.random() < 0.5:
            reference = [draw.choice(words) for _ in range(draw.randint(1, longest))]
        for _ in range(draw.randint(0, 3)):
            start, to = draw.randint(0, len(reference)), draw.randint(0, len(reference))
            phrase = reference[start : start + draw.randint(1, 12)]
            del reference[start : start + len(phrase)]
            reference[to:to] = phrase
        reference = [word if draw.random() < 0.8 else draw.choice(words) for word in reference]
        if draw.random() < 0.2:
            reference += [draw.choice(words) for _ in range(draw.randint(1, longest))]
        found.append((hypothesis, reference or ["w0"]))
    return found


def test_sacrebleus_search() -> None:
    lib_ter = pytest.importorskip("sacrebleu.metrics.lib_ter", reason="sacreBLEU is not installed")
    for hypothesis, reference in pairs(2000, seed=6):
        theirs, _ = lib_ter.translation_edit_rate(hypothesis, reference)
        assert greedy(hypothesis, reference, AS_SACREBLEU).edits == theirs, (hypothesis, reference)


PIECES = [
    "a", "B", "1,000.5", "-", "\n", "-\n", "\n-", "'s ", "&amp;", "&quot;", ".", ",", "(", '"', ":", "3-4", " ", "\t",
    "\u6771\u4eac", "\u306b", "\u30da\u30f3", "\u3002", "\u300c", "\uff01", "\u3000", "\u00a0", "<skipped>",
]  # fmt: skip


@CHECKED
@given(
    st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), min_size=2, max_size=4),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_sacrebleus_corpus_score(texts: list[str], normalized: bool, bare: bool, asian: bool, lowercase: bool) -> None:
    metrics = pytest.importorskip("sacrebleu.metrics", reason="sacreBLEU is not installed")
    scorer = metrics.TER(normalized=normalized, no_punct=bare, asian_support=asian, case_sensitive=not lowercase)
    hypotheses, streams = [texts[0], texts[-1]], [[texts[-1], texts[1]], [texts[0], texts[-1]]]
    theirs = scorer.corpus_score(hypotheses, streams)
    ours = ter(
        hypotheses,
        [list(each) for each in zip(*streams, strict=True)],
        normalization="sacrebleu" if normalized else "none",
        no_punctuation=bare,
        asian_support=asian,
        lowercase=lowercase,
        **SACREBLEU,
    )
    assert (ours["edits"], ours["reference_length"]) == (theirs.num_edits, theirs.ref_length)
    assert 100 * ours["rate"] == pytest.approx(theirs.score, rel=1e-12)
