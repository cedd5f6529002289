"""METEOR's alignments: each word in at most one pair, found stage by stage, and the choice among equal ones.

A stage pairs words that the stages before it left: equal words, words of equal stem, synonyms. Of all sets of
pairs that a stage allows the largest count, and of these the ones with the fewest crossings. Sources: Banerjee
and Lavie 2005 (stages, crossings); Denkowski and Lavie 2011 (fewest chunks); NLTK (the last free word).
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from conformance.reference.meteor_search import Group, Problem, Rule, solve

Link = tuple[int, int, int]
"""Place in the hypothesis, place in the reference, number of the stage."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What one module pairs: words of the same key; besides, where it has `others`, words that those names hold.

    `others` gives the keys that a hypothesis word of a key may also be paired with.
    """

    key: Callable[[str], str]
    others: Callable[[str], frozenset[str]] | None = None


def chunk_count(links: Sequence[Link]) -> int:
    """Runs of links, sorted by hypothesis place, that are neighbours on both sides and in the same order."""
    count = 0
    before = (-2, -2)
    for own, other, _ in links:
        count += (own - 1, other - 1) != before
        before = (own, other)
    return count


def crossing_count(links: Sequence[Link], scope: str) -> int:
    """Pairs of links, sorted by hypothesis place, that stand in opposite order; of one stage, or of all together."""
    total = 0
    passed: dict[int, list[int]] = {}
    for _, other, stage in links:
        before = passed.setdefault(stage if scope == "stage" else 0, [])
        total += len(before) - bisect_right(before, other)
        insort(before, other)
    return total


def aligned(hypothesis: Sequence[str], reference: Sequence[str], stages: Sequence[Stage], rule: Rule) -> list[Link]:
    """The links of the alignment that the rule chooses, sorted by hypothesis place."""
    if rule.alignment == "last-free":
        return _last_free(hypothesis, reference, stages)
    problem = _problem(hypothesis, reference, stages, rule)
    return sorted(solve(problem, rule) if problem.options else problem.forced)


def _last_free(hypothesis: Sequence[str], reference: Sequence[str], stages: Sequence[Stage]) -> list[Link]:
    """NLTK's walk: each hypothesis word, from the last to the first, takes the last free word that it matches."""
    links: list[Link] = []
    left, free = list(range(len(hypothesis))), list(range(len(reference)))
    for number, stage in enumerate(stages):
        places: dict[str, list[int]] = {}
        for other in free:
            places.setdefault(stage.key(reference[other]), []).append(other)
        taken = set()
        for own in reversed(left):
            key = stage.key(hypothesis[own])
            names = {key} if stage.others is None else stage.others(key) | {key}
            found = max((places[name] for name in names if places.get(name)), key=lambda each: each[-1], default=None)
            if found:
                taken.add(own)
                links.append((own, found.pop(), number))
        left = [own for own in left if own not in taken]
        free = sorted(other for several in places.values() for other in several)
    return sorted(links)


def _problem(hypothesis: Sequence[str], reference: Sequence[str], stages: Sequence[Stage], rule: Rule) -> Problem:
    """What is certain of the alignment, and what is left to choose.

    Certain are: words that one side has as often as the other, in the order in which they stand (of two crossed
    links between equal words the exchange of their ends takes that crossing away and adds none, so an alignment
    with the fewest crossings has no such pair); and a word pair of which each is the other's only candidate.
    """
    problem = Problem()
    left, free = list(range(len(hypothesis))), list(range(len(reference)))
    for number, stage in enumerate(stages):
        if not left or not free:
            break
        own_places, places = _by_key(hypothesis, left, stage), _by_key(reference, free, stage)
        if stage.others is None:
            shared = own_places.keys() & places.keys()
            if not shared:
                continue
            if number == 0:
                left, free = _first_stage(problem, own_places, places, rule)
                continue
            for key in shared:
                for own in own_places[key]:
                    problem.propose(own, places[key], number)
        else:
            for key, several in own_places.items():
                found = [other for name in stage.others(key) | {key} for other in places.get(name, ())]
                for own in several:
                    problem.propose(own, found, number)
    problem.settle()
    return problem


def _by_key(words: Sequence[str], places: Sequence[int], stage: Stage) -> dict[str, list[int]]:
    """The places of each key, in order."""
    found: dict[str, list[int]] = {}
    for place in places:
        found.setdefault(stage.key(words[place]), []).append(place)
    return found


def _first_stage(
    problem: Problem, own_places: dict[str, list[int]], places: dict[str, list[int]], rule: Rule
) -> tuple[list[int], list[int]]:
    """Take the groups of a first stage; returns the places on both sides that may be left after it.

    A group of a words against b has min(a, b) links in every largest set, so the side that has no more of them is
    matched as a whole, and only words of the other side can reach a later stage.
    """
    left, free = [], []
    for key, several in own_places.items():
        others = places.get(key)
        if others is None:
            left += several
            continue
        if len(several) == len(others) and (len(others) == 1 or rule.alignment == "fewest-crossings"):
            problem.forced += [(own, other, 0) for own, other in zip(several, others, strict=True)]
            continue
        problem.groups.append(Group(tuple(several), tuple(others)))
        for own in several:
            problem.propose(own, others, 0)
        if len(several) > len(others):
            left += several
        elif len(others) > len(several):
            free += others
    free += [other for key, others in places.items() if key not in own_places for other in others]
    return left, free
