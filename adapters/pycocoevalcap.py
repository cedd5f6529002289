# /// script
# requires-python = ">=3.10"
# dependencies = ["pycocoevalcap==1.2"]
# ///
"""The caption evaluation code (https://github.com/salaniz/pycocoevalcap): BLEU, ROUGE-L, and its CIDEr, which is CIDEr-D.

These need numpy alone, and no Java; but the package brings 100 MB of the programs and tables of its other
metrics, so it is no extra of the suite. `conformance run pycocoevalcap@1.2` makes an environment for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from statistics import fmean
from typing import Any

from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.bleu.bleu_scorer import BleuScorer
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.tokenizer.ptbtokenizer import PUNCTUATIONS

from conformance import Adapter, Unsupported

adapter = Adapter(
    "pycocoevalcap",
    version=version("pycocoevalcap"),
    homepage="https://github.com/salaniz/pycocoevalcap",
    licence="not stated in its metadata",
)


def by_image(hypotheses: Sequence[Any], references: Sequence[Any]) -> tuple[dict[int, Any], dict[int, Any]]:
    """References and captions by image, as lists; a missing reference is left out, and a missing caption is none.

    What is no list of references is handed on as it stands.
    """
    captions = {image: [] if caption is None else [caption] for image, caption in enumerate(hypotheses)}
    several = {
        image: [each for each in texts if each is not None] if isinstance(texts, list) else texts
        for image, texts in enumerate(references)
    }
    return several, captions


@adapter.metric(
    "cider-d",
    components=["score", "image_scores"],
    given=["other_images"],
    accepts={"max_order": None, "sigma": None},
    defaults={"max_order": 4, "sigma": 6},
    fixes={
        "weights": [],
        "term_frequency": "counts",
        "unseen_ngram": "one-image",
        "zero_norm": "zero",
        "empty_corpus": "error",
        "no_cases": "error",
        "tokenizer": "whitespace",
        "lowercase": False,
    },
)
def cider_d(
    hypotheses: Sequence[Any], references: Sequence[Any], other_images: Sequence[Any] = (), **parameters: Any
) -> dict[str, Any]:
    arguments = {{"max_order": "n"}.get(name, name): value for name, value in parameters.items()}
    # An image counts as a document only if it has a caption too: an empty one, whose score is left out.
    several, captions = by_image([*hypotheses, *("" for _ in other_images)], [*references, *other_images])
    score, scores = Cider(**arguments).compute_score(several, captions)
    if other_images:
        scores = scores[: len(hypotheses)]
        score = scores.mean()
    return {"score": score, "image_scores": scores}


def joined(text: Any) -> Any:
    """Tokens as the text that this code splits again; what is no list of words is handed on as it stands."""
    if not isinstance(text, list) or not all(isinstance(each, str) for each in text):
        return text
    if any(each.split() != [each] for each in text):
        raise Unsupported("the caption code splits text at white space, so no token may be or hold any")
    return " ".join(text)


@adapter.metric(
    "bleu",
    input="tokens",
    components=["score"],
    accepts={
        "max_order": range(1, 5),
        "aggregation": {"corpus", "mean"},
        "reference_length": {"closest", "shortest", "average"},
    },
    defaults={"max_order": 4, "aggregation": "corpus", "reference_length": "closest"},
    fixes={
        "weights": [],
        "smoothing": "caption-guards",
        "effective_order": False,
        "zero_before_smoothing": False,
        "reference_length_tie": "shorter",
        "denominator_floor": "none",
        "empty_hypothesis": "zero",
        "no_cases": "zero",
    },
)
def bleu(
    hypotheses: Sequence[Any],
    references: Sequence[Any],
    max_order: int = 4,
    aggregation: str = "corpus",
    reference_length: str = "closest",
) -> float:
    texts = [[joined(each) for each in several] if isinstance(several, list) else several for several in references]
    several, captions = by_image([joined(each) for each in hypotheses], texts)
    if reference_length == "closest":
        scores, image_scores = Bleu(max_order).compute_score(several, captions, verbose=0)
    else:  # its wrapper always asks for the closest; the scorer behind it takes any
        scorer = BleuScorer(n=max_order)
        for image, (caption,) in captions.items():
            scorer += (caption, several[image])
        scores, image_scores = scorer.compute_score(option=reference_length)
    score: float = fmean(image_scores[-1]) if aggregation == "mean" else scores[-1]
    return score


@adapter.metric(
    "rouge-l",
    components=["f_beta"],
    fixes={
        "beta": 1.2,
        "beta_rule": "given",
        "multi_reference": "best-each",
        "aggregation": "mean",
        "empty": "one-if-both",
        "tokenizer": "whitespace",
        "stemming": "none",
    },
)
def rouge_l(hypotheses: Sequence[Any], references: Sequence[Any]) -> dict[str, float]:
    score, _ = Rouge().compute_score(*by_image(hypotheses, references))
    return {"f_beta": score}


@adapter.metric(
    "tokenize",
    accepts={"dropped": {"caption-punctuation"}},
    defaults={"dropped": "caption-punctuation"},
    fixes={"tokenizer": "whitespace", "lowercase": False, "stemming": "none"},
)
def tokenize(text: str, dropped: str = "caption-punctuation") -> list[str]:
    """What its list of punctuation leaves of tokens that are given; Stanford's program, which makes them, needs Java."""
    return [token for token in text.split() if token not in PUNCTUATIONS]
