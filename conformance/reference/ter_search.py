"""The greedy search for shifts: TERCOM's, with the choices in which sacreBLEU's differs from it.

Again and again the shift is made that lowers the edit distance most; of equally good ones the longest phrase, then
the leftmost, then the leftmost place. A phrase may move where it stands in the reference, if it has a wrong word in
the hypothesis, its place has one in the reference, and the two are not aligned with each other. Nothing that is left
out below could win: the words stay the same, so no order of them is nearer to the reference than their two bags are,
and moving L words over g others changes the distance by at most 2 min(L, g).
Sources: Snover et al. 2006; TERCOM 0.10.0; sacreBLEU 2.6.0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from conformance.reference import ter_alignment as aligned
from conformance.reference.ter_alignment import Word

BEAMS = ("none", "score", "diagonal")
CANDIDATES = 1000
"""So many shifts sacreBLEU examines for one pair of texts."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the greedy search may do; the defaults are TERCOM's, without its beam."""

    size: int = 10
    distance: int = 50
    from_position: bool = False
    one_too_far: bool = False
    stop_at_thousand: bool = False
    beam: str = "none"
    width: int = 20


@dataclass(frozen=True, slots=True)
class Shift:
    """`length` words from `start` move so that they begin at `place`; both count from 0, before and after the move."""

    start: int
    length: int
    place: int


@dataclass(frozen=True, slots=True)
class Found:
    """The shifts, the distance that is left after them, and the alignment that shows it."""

    shifts: tuple[Shift, ...] = ()
    distance: int = 0
    steps: str = field(default="", repr=False)

    @property
    def edits(self) -> int:
        """Shifts and all other edits."""
        return len(self.shifts) + self.distance


def bag_distance(hypothesis: Sequence[str], reference: Sequence[str]) -> int:
    """The fewest edits that any order of the hypothesis words needs."""
    return least_distance(aligned.as_bits(hypothesis, reference), len(reference))


def least_distance(words: Sequence[Word], length: int) -> int:
    """The same for a hypothesis as bits."""
    shared = sum([min(count, word.bit_count()) for word, count in Counter(words).items()])
    return max(len(words), length) - shared


def moved(words: Sequence[str], shift: Shift) -> list[str]:
    """The words after a shift."""
    phrase = list(words[shift.start : shift.start + shift.length])
    others = [*words[: shift.start], *words[shift.start + shift.length :]]
    return [*others[: shift.place], *phrase, *others[shift.place :]]


@dataclass(frozen=True, slots=True)
class Move:
    """A shift as the words that change: from `first` to `end` they become `words`; `gain` is what it saves."""

    first: int
    end: int
    words: list[Word]
    shift: Shift
    gain: int


def move(words: Sequence[Word], start: int, size: int, target: int, one_too_far: bool) -> tuple[int, int, list[Word]]:
    """The words that change where a phrase goes before word `target`: first, end, and what they become.

    A target inside the phrase moves it to the right, by as many words as the one before the target is inside.
    """
    phrase = list(words[start : start + size])
    if target < start:
        return target, start + size, [*phrase, *words[target:start]]
    end = target if target > start + size else min(target + size - (not one_too_far), len(words))
    return start, end, [*words[start + size : end], *phrase]


class Pair:
    """A hypothesis on its way to a reference; `words` are its words as bits, in their present order."""

    def __init__(self, words: Sequence[Word], length: int, limits: Limits) -> None:
        self.words, self.length, self.limits = list(words), length, limits
        self.least = least_distance(words, length)
        self.mask = (1 << length) - 1
        straight = aligned.straight(words, length)
        if straight and straight.count(aligned.SUBSTITUTION) == self.least:
            exact = self.least
        else:
            straight, exact = "", aligned.cost(self.columns[-1], len(words))
        self.distance, self._steps = self._measured(self.words, exact)
        self._steps = self._steps or straight
        self.examined = 0

    @cached_property
    def columns(self) -> list[aligned.State]:
        """The dynamic program of the present order."""
        return aligned.columns(aligned.start_state(self.length), self.words, self.mask)

    @property
    def steps(self) -> str:
        """The alignment of the present order."""
        return self._steps or aligned.steps(self.words, self.length, self.columns)

    def _measured(self, words: Sequence[Word], exact: int) -> tuple[int, str]:
        """The distance in some order, and the alignment where the beam may have cut it."""
        limits = self.limits
        if limits.beam == "score" and exact > limits.width:
            return aligned.by_score(words, self.length, limits.width)
        if limits.beam == "diagonal" and exact >= aligned.safe_distance(len(words), self.length, limits.width):
            return aligned.by_diagonal(words, self.length, limits.width)
        return exact, ""

    def shift(self) -> Shift | None:
        """Make the best shift; None where none lowers the distance."""
        if self.distance <= self.least:
            return None
        places = Places(self.steps, len(self.words), self.length, self.limits)
        runs = places.runs(self.words)
        if self.limits.stop_at_thousand:
            self.examined += places.candidates(runs)
            if self.examined >= CANDIDATES:
                return None
        best = self._best(runs, places)
        if best is None:
            return None
        self.words[best.first : best.end] = best.words
        first = best.first
        self.columns[first:] = aligned.columns(self.columns[first], self.words[first:], self.mask)
        self.distance, self._steps = self._measured(self.words, aligned.cost(self.columns[-1], len(self.words)))
        return best.shift

    def _best(self, runs: Runs, places: Places) -> Move | None:
        """The first of the shifts that save most: long phrases before short ones, then from left to right."""
        best, gain = None, 0
        most = self.distance - self.least
        excess = self.distance - aligned.cost(self.columns[-1], len(self.words))
        beam_stops = self.limits.beam == "score"
        for size in range(len(runs), 0, -1):
            for start, matches in runs[size - 1]:
                for target in places.targets(matches, size):
                    if min(2 * size + excess, most) <= gain or (beam_stops and gain > 2 * size):
                        break
                    first, end, words = move(self.words, start, size, target, self.limits.one_too_far)
                    if 2 * (end - first - size) + excess > gain:
                        saved = self._saved(first, end, words, gain)
                        if saved > gain:
                            gain = saved
                            place = first if target < start else end - size
                            best = Move(first, end, words, Shift(start, size, place), gain)
        return best

    def _saved(self, first: int, end: int, words: list[Word], gain: int) -> int:
        """How far the distance falls where the words from `first` to `end` become others; exact above `gain`."""
        state = aligned.advance(self.columns[first], words, self.mask)
        last = self.columns[-1] if state == self.columns[end] else aligned.advance(state, self.words[end:], self.mask)
        exact = aligned.cost(last, len(self.words))
        if self.distance - exact <= gain or self.limits.beam == "none":
            return self.distance - exact
        return self.distance - self._measured([*self.words[:first], *words, *self.words[end:]], exact)[0]


Runs = list[list[tuple[int, int]]]
"""For each length from 1, phrases by their start, each with the reference positions that it may move to, as bits."""


class Places:
    """Where the words of an alignment stand: which are wrong, and after which hypothesis word each reference word."""

    def __init__(self, steps: str, count: int, length: int, limits: Limits) -> None:
        self.count, self.length, self.limits = count, length, limits
        self.wrong = self.wrong_reference = 0
        self.aligned: list[int] = []
        hypothesis = -1
        for step in steps:
            if step != aligned.MISSING:
                hypothesis += 1
                if step != aligned.HIT:
                    self.wrong |= 1 << hypothesis
            if step != aligned.SURPLUS:
                if step != aligned.HIT:
                    self.wrong_reference |= 1 << len(self.aligned)
                self.aligned.append(hypothesis)
        # reached[p]: how many reference words are aligned before hypothesis word p.
        self.reached = [0] * (count + 1)
        for place in self.aligned:
            self.reached[place + 1] += 1
        for p in range(count):
            self.reached[p + 1] += self.reached[p]

    def _between(self, first: int, end: int) -> int:
        """The reference words aligned with hypothesis words `first` to `end` - 1, as bits; -1 is before them all."""
        low = self.reached[min(first, self.count)] if first >= 0 else 0
        high = self.reached[max(min(end, self.count), 0)]
        return (1 << high) - (1 << low) if high > low else 0

    def runs(self, words: Sequence[Word]) -> Runs:
        """The phrases that may move."""
        size, distance = self.limits.size, self.limits.distance
        wrong_from = [self.wrong_reference]
        found: Runs = []
        for start, word in enumerate(words):
            matches = word
            if self.limits.from_position:
                first = max(start - distance, 0)
                matches &= (1 << (start + distance + 1)) - (1 << first)
            else:
                matches &= self._between(start - distance, start + distance + 1)
            length = 0
            while matches and length < size:
                length += 1
                if len(wrong_from) < length:
                    wrong_from.append(wrong_from[-1] | self.wrong_reference >> (length - 1))
                allowed = matches & ~self._between(start, start + length) & wrong_from[length - 1]
                if allowed and self.wrong >> start & ((1 << length) - 1):
                    while len(found) < length:
                        found.append([])
                    found[length - 1].append((start, allowed))
                matches &= words[start + length] >> length if start + length < self.count else 0
        return found

    def targets(self, matches: int, size: int) -> Iterator[int]:
        """The places for a phrase of `size` words, from left to right, as the hypothesis word that it goes before."""
        spread = matches
        for _ in range(size):
            spread = spread << 1 | matches
        last = -1
        while spread:
            lowest = spread & -spread
            spread ^= lowest
            place = lowest.bit_length() - 1
            target = self.aligned[place - 1] + 1 if place else 0
            if target != last:
                last = target
                yield target

    def candidates(self, runs: Runs) -> int:
        """How many shifts sacreBLEU examines: one for each phrase, reference position and different place."""
        changes = [0]
        before = -1
        for place in self.aligned:
            changes.append(changes[-1] + (place != before))
            before = place
        total = 0
        for size, phrases in enumerate(runs, start=1):
            for _, matches in phrases:
                while matches:
                    lowest = matches & -matches
                    matches ^= lowest
                    at = lowest.bit_length() - 1
                    total += 1 + changes[at + size] - changes[at]
        return total


def greedy(hypothesis: Sequence[str], reference: Sequence[str], limits: Limits) -> Found:
    """The shifts of the greedy search, and what is left to edit after them."""
    words = aligned.as_bits(hypothesis, reference)
    pair = Pair(words, len(reference), limits)
    shifts = []
    while shift := pair.shift():
        shifts.append(shift)
    return Found(tuple(shifts), pair.distance, pair.steps)
