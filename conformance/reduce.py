"""Smaller examples next to a drawn one: with a segment, a reference or some tokens less, or with plainer tokens.

Hypothesis shrinks what it drew, and soon has only two different tokens left, with which some faults need long
texts. Here tokens become different first and are then taken away, so such a fault is shown by shorter texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations, islice, product
from string import ascii_lowercase
from typing import Any

from conformance.laws import NUMBERS, TEXTS, Corpus

Example = Mapping[str, Any]
Tokens = list[str]
TOGETHER = 3
"""From so many texts at once a token is taken away."""
MOST = 3_000
"""The most ways of taking tokens away that are looked at in one round."""


def size(example: Example) -> tuple[int, int, int]:
    """How large an example is: its texts, tokens and numbers, their characters, and how many differ."""
    texts, _ = opened(example)
    parts = [token for text in texts for token in text]
    parts += [str(number) for name in NUMBERS for number in example.get(name, ())]
    return len(texts) + len(parts), sum(map(len, parts)), len(set(parts))


def opened(example: Example) -> tuple[list[Tokens], Callable[[list[Tokens]], dict[str, Any]]]:
    """All texts of an example, and what makes an example of other texts in their place."""
    names = [name for name in TEXTS if name in example]
    segments = example["corpus"].segments if "corpus" in example else ()
    texts = [example[name] for name in names]
    texts += [text for hypothesis, references in segments for text in (hypothesis, *references)]

    def build(changed: list[Tokens]) -> dict[str, Any]:
        rest = iter(changed)
        result = {**example, **{name: next(rest) for name in names}}
        if segments:
            result["corpus"] = Corpus(
                tuple((next(rest), tuple(next(rest) for _ in references)) for _, references in segments)
            )
        return result

    return texts, build


def smaller(example: Example) -> Iterator[dict[str, Any]]:
    """Examples that are smaller or plainer by one step, the boldest first."""
    yield from _corpora(example)
    texts, build = opened(example)
    if any(texts):
        yield build([text[: len(text) // 2] for text in texts])
    for place, text in enumerate(texts):
        if text:
            yield build([*texts[:place], [], *texts[place + 1 :]])
    for cut in islice(_cuts(texts), MOST):
        yield build([text[: cut[p]] + text[cut[p] + 1 :] if p in cut else text for p, text in enumerate(texts)])
    for name in NUMBERS:
        numbers = example.get(name, ())
        for place in range(len(numbers) if len(numbers) > 1 else 0):
            yield {**example, name: numbers[:place] + numbers[place + 1 :]}
    for number in range(int(example.get("n", 0))):
        yield {**example, "n": Fraction(number)}
    if len(example.get("separators", ())) > 1:
        yield from ({**example, "separators": [each]} for each in example["separators"])
    yield from (build(each) for each in _plainer(texts))


def _corpora(example: Example) -> Iterator[dict[str, Any]]:
    """A segment less, down to two, or a second reference less."""
    segments = example["corpus"].segments if "corpus" in example else ()
    for place in range(len(segments) if len(segments) > 2 else 0):
        yield {**example, "corpus": Corpus(segments[:place] + segments[place + 1 :])}
    for place, (hypothesis, references) in enumerate(segments):
        if len(references) > 1:
            for kept in references:
                one = ((hypothesis, (kept,)),)
                yield {**example, "corpus": Corpus(segments[:place] + one + segments[place + 1 :])}


def _cuts(texts: list[Tokens]) -> Iterator[dict[int, int]]:
    """Which token to take from which texts: one token, or the same token from several texts."""
    groups = (combinations(range(len(texts)), count) for count in range(1, TOGETHER + 1))
    for group in chain.from_iterable(groups):
        for places in product(*(range(len(texts[each])) for each in group)):
            if len({texts[each][place] for each, place in zip(group, places, strict=True)}) == 1:
                yield dict(zip(group, places, strict=True))


def richer(example: Example) -> Iterator[dict[str, Any]]:
    """Examples with one more different token: the n-th occurrence of a token, in every text, becomes a new one."""
    texts, build = opened(example)
    known = {token for text in texts for token in text}
    fresh = next((letter for letter in ascii_lowercase if letter not in known), "")
    for token in sorted(known) if fresh else ():
        places = [[place for place, each in enumerate(text) if each == token] for text in texts]
        most = max(map(len, places))
        for rank in range(-most, most) if most > 1 else ():
            chosen = [each[rank] if -len(each) <= rank < len(each) else None for each in places]
            yield build(
                [
                    [fresh if place == at else each for place, each in enumerate(text)]
                    for text, at in zip(texts, chosen, strict=True)
                ]
            )


def _plainer(texts: list[Tokens]) -> Iterator[list[Tokens]]:
    """The tokens renamed one to one, all or one of them, to the first letters."""
    known = list(dict.fromkeys(token for text in texts for token in text))
    whole = dict(zip(known, ascii_lowercase, strict=False))
    single = ({old: new} for old, new in whole.items() if new not in known)
    for names in (whole, *single):
        if any(old != new for old, new in names.items()):
            yield [[names.get(token, token) for token in text] for text in texts]


__all__ = ["Example", "opened", "richer", "size", "smaller"]
