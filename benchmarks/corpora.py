"""The texts that everything is timed on."""

from __future__ import annotations

import random

WORDS = [f"w{number}" for number in range(400)]


def corpus(segments: int, references: int, length: int = 25, seed: int = 1) -> tuple[list[str], list[list[str]]]:
    """Hypotheses that share most words with their references."""
    draw = random.Random(seed)
    hypotheses, all_references = [], []
    for _ in range(segments):
        base = [draw.choice(WORDS) for _ in range(draw.randint(length - 8, length + 8))]
        several = [[w if draw.random() > 0.2 else draw.choice(WORDS) for w in base] for _ in range(references)]
        hypotheses.append(" ".join(w if draw.random() > 0.2 else draw.choice(WORDS) for w in base))
        all_references.append([" ".join(each) for each in several])
    return hypotheses, all_references
