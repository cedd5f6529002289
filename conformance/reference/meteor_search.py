"""The search for METEOR's alignment where words repeat or have several partners: exact, by dynamic programming.

What alignments are compared by is a list of numbers, the smaller the better, the first that differs decides:
for fewest crossings, stage by stage the words that the stage leaves and the crossings that its links add, then
chunks; for fewest chunks, the words that each stage leaves, then chunks. The numbers are packed into one integer,
each in a field of its own that no sum can leave, so integers add and compare as the lists do.

The search goes through the places of one side in order. What the rest of the way costs depends only on which
places of the other side are taken, in which stages, and on where the last link ends; so of all ways to one such
state only the cheapest is kept, and the best way at the end is the best of all. Every step adds numbers that are
not negative, so a state whose cost so far, plus the least that each later place adds by itself, is not below the
cost of a known alignment cannot lead to a better one and is dropped. The known alignment comes from a first run
that keeps a few of the cheapest states at each place; where it never had to drop one, it was exact itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb, log
from typing import Any

Link = tuple[int, int, int]
Options = dict[int, list[tuple[int, int]]]
"""For each place the places that it may be paired with, each with the number of the stage."""

FEW, MOST = 64, 50_000
"""How many states the first run keeps at one place, and beyond how many the exact one gives up."""


class TooAmbiguous(RuntimeError):
    """The words repeat so often that the best alignment is not found in reasonable time and memory."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How an alignment is chosen: fewest-crossings, fewest-chunks or last-free.

    `tie` says which of equally crossed alignments counts, by chunks: fewest-chunks or most-chunks; `scope`
    whether links of one stage count as crossed with each other alone (stage) or with earlier ones too (all).
    """

    alignment: str = "fewest-crossings"
    tie: str = "fewest-chunks"
    scope: str = "stage"


@dataclass(frozen=True, slots=True)
class Group:
    """Words that the first stage holds for one: their places on both sides; min(a, b) of them are linked."""

    own: tuple[int, ...]
    others: tuple[int, ...]


@dataclass(slots=True)
class Problem:
    """Links that are certain, and options among which the search chooses; words of `groups` link as often as they can."""

    forced: list[Link] = field(default_factory=list)
    options: Options = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)

    def propose(self, own: int, others: Sequence[int], stage: int) -> None:
        """Add options of one place; a pair belongs to the first stage that proposes it."""
        if not others:
            return
        known = self.options.setdefault(own, [])
        seen = {other for other, _ in known}
        known += [(other, stage) for other in others if other not in seen]

    def settle(self) -> None:
        """Make a pair certain of which each is the only option of the other."""
        count: dict[int, int] = {}
        for several in self.options.values():
            for other, _ in several:
                count[other] = count.get(other, 0) + 1
        for own, several in list(self.options.items()):
            if len(several) == 1 and count[several[0][0]] == 1:
                self.forced.append((own, *several[0]))
                del self.options[own]

    def transposed(self) -> Problem:
        """The same with both sides exchanged."""
        turned = Problem([(other, own, stage) for own, other, stage in self.forced])
        for own, several in sorted(self.options.items()):
            for other, stage in several:
                turned.options.setdefault(other, []).append((own, stage))
        turned.groups = [Group(each.others, each.own) for each in self.groups]
        return turned

    def states(self, rule: Rule) -> float:
        """The logarithm of about how many sets of places of the other side can be taken on the way."""
        total = 0.0
        for group in self.groups:
            own, others = len(group.own), len(group.others)
            if rule.alignment == "fewest-crossings":
                total += log(comb(others, own)) if own < others else log(others + 1)
            else:
                total += log(2) * others if own >= others else log(comb(others, own)) + log(2) * own
        return total


def solve(problem: Problem, rule: Rule) -> list[Link]:
    """The links of the best alignment. Raises TooAmbiguous."""
    turned = problem.transposed()
    if turned.states(rule) < problem.states(rule):
        return [(other, own, stage) for own, other, stage in _Search(turned, rule).run()]
    return _Search(problem, rule).run()


Step = tuple[int, int, int]
"""An option made ready: the place on the other side, the stage, and what it costs by itself (packed)."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A group made ready: the bits of its places on the other side, and how many links it has in the end."""

    mask: int
    links: int


class _Search:
    """One problem made ready for the dynamic program."""

    def __init__(self, problem: Problem, rule: Rule) -> None:
        self.problem, self.rule = problem, rule
        everything = [*problem.forced, *((own, *each) for own, several in problem.options.items() for each in several)]
        self.stages = 1 + max(stage for _, _, stage in everything)
        self.crossing = rule.alignment == "fewest-crossings"
        size = len(everything) + 2
        self.field = (size * size).bit_length()  # no count of links, crossings or chunks fills it
        taken = sorted({other for several in problem.options.values() for other, _ in several})
        self.bit = {other: place for place, other in enumerate(taken)}
        self.width = len(taken)
        self.group_of: dict[int, Ready] = {}
        self.group_on: dict[int, Ready] = {}
        self.later: dict[int, int] = {}
        for group in problem.groups:
            mask = sum(1 << self.bit[other] for other in group.others)
            ready = Ready(mask, min(len(group.own), len(group.others)))
            self.group_of.update(dict.fromkeys(group.own, ready))
            self.group_on.update(dict.fromkeys(group.others, ready))
            self.later.update({own: len(group.own) - 1 - at for at, own in enumerate(group.own)})
        self.fixed = {own: (other, stage) for own, other, stage in problem.forced}
        self.places = sorted({*self.fixed, *problem.options})
        self.steps = {own: self._steps(own) for own in problem.options}
        self.skip = {own: self._left_before(own, self.stages) for own in problem.options}
        self.rest = self._rest()

    def _left_before(self, own: int, stage: int) -> int:
        """A word that all stages before one leave, packed.

        A group leaves the same number of words in any case, so its first stage need not be counted.
        """
        first = int(own in self.group_of)
        return sum(1 << (self.field * 2 * (self.stages - each)) for each in range(first, stage))

    def _crossed(self, stage: int) -> int:
        """One crossing that a link of a stage adds, packed; nothing where crossings do not count."""
        return 1 << (self.field * (2 * (self.stages - stage) - 1)) if self.crossing else 0

    def _steps(self, own: int) -> list[Step]:
        """The options of a place with what each costs by itself: words left by earlier stages, certain crossings."""
        found = []
        for other, stage in sorted(self.problem.options[own]):
            cost = self._left_before(own, stage)
            for place, end, at in self.problem.forced:
                if (place - own) * (end - other) < 0 and (at == stage or self.rule.scope == "all"):
                    cost += self._crossed(max(at, stage))
            found.append((other, stage, cost))
        return found

    def _rest(self) -> list[int]:
        """For each place the least that it and all later ones add by themselves, one more entry at the end."""
        rest = [0]
        for own in reversed(self.places):
            least = 0
            if own in self.steps:
                costs = [cost + self._chunk_at_least(own, other) for other, _, cost in self.steps[own]]
                least = min([*costs, self.skip[own]])
            else:
                least = self._chunk_at_least(own, self.fixed[own][0])
            rest.append(rest[-1] + least)
        return rest[::-1]

    def _chunk_at_least(self, own: int, other: int) -> int:
        """One where a link begins a chunk whatever is chosen, and chunks are what costs."""
        if self.crossing and self.rule.tie == "most-chunks":
            return 0
        before = self.fixed.get(own - 1)
        ends = [before[0]] if before else [each for each, _, _ in self.steps.get(own - 1, ())]
        return int(other - 1 not in ends)

    def run(self) -> list[Link]:
        """The links of the best alignment."""
        best, exact = self._pass(FEW, None)
        if not exact:
            found, _ = self._pass(None, best[0])
            best = found or best
        links: list[Link] = []
        way = best[1]
        while way is not None:
            link, way = way
            links.append(link)
        return links

    def _pass(self, few: int | None, bound: int | None) -> tuple[Any, bool]:
        """The cheapest way below a bound and whether nothing was dropped; (cost, links), each link with those before."""
        states: dict[tuple[int, int], tuple[int, Any]] = {(0, -2): (0, None)}
        before, exact = -2, True
        for place, own in enumerate(self.places):
            following: dict[tuple[int, int], tuple[int, Any]] = {}
            limit = None if bound is None else bound - self.rest[place + 1]
            for (mask, last), (cost, way) in states.items():
                joined = last + 1 if own == before + 1 else -2
                for other, stage, added, bits in self._moves(own, mask):
                    if other is None:
                        key, total, link = (bits, -2), cost + added, way
                    else:
                        total = cost + added + self._chunk(other == joined)
                        key, link = (bits, other), ((own, other, stage), way)
                    if (limit is None or total < limit) and (key not in following or total < following[key][0]):
                        following[key] = (total, link)
            if few is not None and len(following) > few:
                cheapest = sorted(following.items(), key=lambda each: each[1][0])[:few]
                following, exact = dict(cheapest), False
            elif len(following) > MOST:
                raise TooAmbiguous(f"more than {MOST:,} ways to align the first {place + 1} of these words")
            states, before = following, own
        return min(states.values(), key=lambda each: each[0], default=None), exact

    def _chunk(self, joins: bool) -> int:
        """What a link costs by chunks: one where it begins one, or one where it joins one and most are wanted."""
        return int(joins if self.crossing and self.rule.tie == "most-chunks" else not joins)

    def _moves(self, own: int, mask: int) -> list[tuple[Any, int, int, int]]:
        """The ways to go on at a place: other place or None, stage, cost by itself and with what is taken, new mask."""
        if own in self.fixed:
            other, stage = self.fixed[own]
            return [(other, stage, 0, mask)]
        taken = 0
        for stage in range(self.stages):
            taken |= mask >> (stage * self.width)
        group = self.group_of.get(own)
        needed, lowest = self._needed(group, mask) if group else (0, 0)
        may_pass = needed <= self.later.get(own, 0)
        moves: list[tuple[Any, int, int, int]] = [(None, 0, self.skip[own], mask)] if may_pass else []
        for other, stage, cost in self.steps[own]:
            bit = self.bit[other]
            if taken >> bit & 1:
                continue
            if group and stage == 0:
                free = (group.mask & ~(taken | 1 << bit)) >> (bit if self.crossing else 0)
                allowed = bit >= lowest and needed <= free.bit_count() + 1
            else:
                allowed = may_pass and self._spared(other, bit, mask, taken)
            if allowed:
                bits = mask | 1 << (stage * self.width + bit)
                moves.append((other, stage, cost + self._crossings(mask, bit, stage), bits))
        return moves

    def _needed(self, group: Ready, mask: int) -> tuple[int, int]:
        """How many links a group still needs, and from which bit on it may take them.

        Where crossings count, equal words are linked in the order in which they stand.
        """
        used = mask & group.mask
        needed = group.links - used.bit_count()
        return needed, used.bit_length() if self.crossing else 0

    def _spared(self, other: int, bit: int, mask: int, taken: int) -> bool:
        """Whether a later stage may take a place: the group that it belongs to can do without."""
        group = self.group_on.get(other)
        if group is None:
            return True
        needed, lowest = self._needed(group, mask)
        free = (group.mask & ~(taken | 1 << bit)) >> lowest
        return needed <= free.bit_count()

    def _crossings(self, mask: int, bit: int, stage: int) -> int:
        """What a new link adds by crossing those that were chosen before it."""
        if not self.crossing:
            return 0
        total = 0
        for other in range(self.stages):
            if other == stage or self.rule.scope == "all":
                above = (mask >> (other * self.width) & (1 << self.width) - 1) >> (bit + 1)
                total += above.bit_count() * self._crossed(max(other, stage))
        return total
