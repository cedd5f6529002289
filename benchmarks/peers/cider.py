"""CIDEr and CIDEr-D against the caption evaluation code where it is installed, and their growth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.corpora import corpus
from conformance.reference.cider import cider, cider_d

Call = Callable[[], Any]


def rows() -> list[tuple[str, Call, dict[str, Call]]]:
    """Each metric's name, the reference's call, and those of its peers, on the same 2,000 segments."""
    hypotheses, references = corpus(2000, 4)
    several = dict(enumerate(references))
    captions = {image: [caption] for image, caption in enumerate(hypotheses)}
    peers: dict[str, Call] = {}
    try:
        from pycocoevalcap.cider.cider import Cider
    except ImportError:
        print("reference: CIDEr-D: pycocoevalcap is not installed")
    else:
        peers["pycocoevalcap (Python, CIDEr-D)"] = lambda: Cider().compute_score(several, captions)
    return [
        ("CIDEr", lambda: cider(hypotheses, references), peers),
        ("CIDEr-D", lambda: cider_d(hypotheses, references, term_frequency="counts"), peers),
    ]


def growth() -> dict[str, Callable[[int], Call]]:
    """Each metric's call on texts of n tokens, beside another image."""

    def of(tokens: int) -> Call:
        text = [f"w{place}" for place in range(tokens)]
        return lambda: cider_d([text], [[text[::-1]]], other_images=[["a b"]])

    return {"CIDEr-D": of}
