"""CIDEr and CIDEr-D beside the caption evaluation code."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from bench import corpus

from conformance.reference.cider import cider, cider_d


def rows() -> list[tuple[str, Callable[[], Any], dict[str, Callable[[], Any]]]]:
    """Each metric on 2,000 segments of four references, with the libraries that have it."""
    hypotheses, references = corpus(2000, 4)
    peers: dict[str, Callable[[], Any]] = {}
    try:
        from pycocoevalcap.cider.cider import Cider
    except ImportError:
        pass
    else:
        several = dict(enumerate(references))
        captions = {image: [caption] for image, caption in enumerate(hypotheses)}
        peers["pycocoevalcap (Python, CIDEr-D)"] = lambda: Cider().compute_score(several, captions)
    return [
        ("CIDEr", lambda: cider(hypotheses, references), peers),
        ("CIDEr-D", lambda: cider_d(hypotheses, references, term_frequency="counts"), peers),
    ]


def growth() -> dict[str, Callable[[int], Callable[[], Any]]]:
    """CIDEr-D of two captions of n tokens: linear in n."""

    def of(tokens: int) -> Callable[[], Any]:
        draw = random.Random(tokens)
        texts = [[f"w{draw.randrange(tokens)}" for _ in range(tokens)] for _ in range(4)]
        return lambda: cider_d(texts[:2], [[texts[2]], [texts[3]]])

    return {"CIDEr-D of two captions": of}
