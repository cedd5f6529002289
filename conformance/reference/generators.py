"""Random draws that can be repeated anywhere: the streams of NumPy and of Python, from a seed, without NumPy.

PCG64 is O'Neill's generator as NumPy's `default_rng` seeds and uses it (NumPy 1.17 and later: `SeedSequence`,
Lemire's bounded integers, single bits for booleans). MT19937 is Matsumoto and Nishimura's, which Python's `random`
and NumPy's global generator seed differently. Every stream is endless.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import cycle, islice

WORD, HALF, FULL = 2**32 - 1, 2**64 - 1, 2**128 - 1
MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
POOL = 4
"""The words of NumPy's seed sequence."""
BITS = [tuple(byte >> place & 1 for place in range(8)) for byte in range(256)]
"""The bits of each byte, the lowest first."""


def _hash(constant: int, factor: int) -> Callable[[int], int]:
    """The hash of a seed sequence: its constant changes with each word."""

    def hashed(word: int) -> int:
        nonlocal constant
        word ^= constant
        constant = constant * factor & WORD
        word = word * constant & WORD
        return word ^ (word >> 16)

    return hashed


def _blend(one: int, other: int) -> int:
    blended = (0xCA01F9DD * one - 0x4973F715 * other) & WORD
    return blended ^ (blended >> 16)


def seed_words(seed: int) -> list[int]:
    """Eight words of 32 bits from a seed below 2**128, as NumPy's SeedSequence gives them."""
    hashed = _hash(0x43B0D7E5, 0x931E8875)
    pool = [hashed(seed >> (32 * place) & WORD) for place in range(POOL)]
    for source in range(POOL):
        for target in range(POOL):
            if source != target:
                pool[target] = _blend(pool[target], hashed(pool[source]))
    last = _hash(0x8B51F9DD, 0x58F38DED)
    return [last(word) for word in islice(cycle(pool), 2 * POOL)]


def pcg64(seed: int) -> Iterator[int]:
    """Words of 32 bits: each state gives two, the lower half first."""
    words = seed_words(seed)
    high, low, first, second = (words[place] | words[place + 1] << 32 for place in range(0, 8, 2))
    step = ((first << 64 | second) << 1 | 1) & FULL
    state = ((step + (high << 64 | low)) * MULTIPLIER + step) & FULL
    while True:
        state = (state * MULTIPLIER + step) & FULL
        value, turn = (state >> 64 ^ state) & HALF, state >> 122
        value = (value >> turn | value << (64 - turn)) & HALF
        yield value & WORD
        yield value >> 32


def mt19937(seed: int) -> random.Random:
    """The generator as `numpy.random.seed(seed)` starts it."""
    words = [seed & WORD]
    for place in range(1, 624):
        words.append(1812433253 * (words[-1] ^ words[-1] >> 30) + place & WORD)
    generator = random.Random()
    generator.setstate((3, (*words, 624), None))
    return generator


def numpy_draws(seed: int, bound: int) -> Iterator[int]:
    """Whole numbers from 0 to bound - 1 as `default_rng(seed)` gives them: `integers` and `choice` alike (Lemire)."""
    threshold = (WORD + 1 - bound) % bound
    for word in pcg64(seed):
        product = word * bound
        if product & WORD >= threshold:
            yield product >> 32


def numpy_bits(seed: int) -> Iterator[int]:
    """0 and 1 as `default_rng(seed).integers(2, dtype=bool)` gives them: the bits of each word, the lowest first."""
    for word in pcg64(seed):
        yield from BITS[word & 255]
        yield from BITS[word >> 8 & 255]
        yield from BITS[word >> 16 & 255]
        yield from BITS[word >> 24]


def global_draws(seed: int, bound: int) -> Iterator[int]:
    """Whole numbers from 0 to bound - 1 as `numpy.random.choice` gives them: masked words, those too large left out."""
    generator, mask = mt19937(seed), (1 << (bound - 1).bit_length()) - 1
    while True:
        word = generator.getrandbits(32) & mask
        if word < bound:
            yield word


def python_draws(seed: int, bound: int) -> Iterator[int]:
    """int(random.random() * bound), the same in Python 2 and 3, and as Python's `random.choices`."""
    generator = random.Random(seed)
    while True:
        yield int(generator.random() * bound)


DRAWS: dict[str, Callable[[int, int], Iterator[int]]] = {
    "numpy": numpy_draws,
    "numpy-global": global_draws,
    "python": python_draws,
}


def bits(generator: str, seed: int) -> Iterator[int]:
    """0 and 1 from a named generator."""
    return numpy_bits(seed) if generator == "numpy" else DRAWS[generator](seed, 2)
