# /// script
# requires-python = ">=3.10"
# dependencies = ["nltk==3.10.0"]
#
# [tool.conformance]
# debian = ["wordnet-base", "wordnet-sense-index"]
# also = ["3.9.2"]
# ///
"""NLTK (https://www.nltk.org): BLEU, chrF, Google GLEU, METEOR, NIST, RIBES, edit distances, overlap, Porter's stemmer."""

from __future__ import annotations

import shutil
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from inspect import signature
from pathlib import Path
from statistics import fmean
from typing import Any

import nltk.data
from nltk.corpus import wordnet
from nltk.metrics.distance import edit_distance, jaccard_distance
from nltk.metrics.scores import accuracy, f_measure, precision, recall
from nltk.stem.porter import PorterStemmer
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from nltk.translate.chrf_score import corpus_chrf
from nltk.translate.gleu_score import corpus_gleu
from nltk.translate.nist_score import corpus_nist
from nltk.translate.ribes_score import corpus_ribes
from nltk.util import ngrams

from conformance import Adapter, Unsupported
from conformance.environment import put_in_place
from conformance.suite import cache_folder
from conformance.transport import TargetError

try:
    from nltk.translate.meteor_score import meteor_score
except ImportError:  # before 3.4
    meteor_score = None

# A paper's method is set by the method that NLTK names after it, whether or not NLTK computes the same.
METHODS = {
    "none": "method0",
    "smallest-float": "method0",
    "floor": "method1",
    "chen-cherry-1": "method1",
    "add-k": "method2",
    "chen-cherry-2": "method2",
    "exp": "method3",
    **{f"chen-cherry-{number}": f"method{number}" for number in range(3, 8)},
    **{f"nltk-{number}": f"method{number}" for number in range(4, 8)},
}

adapter = Adapter("nltk", version=version("nltk"), homepage="https://www.nltk.org", licence="Apache-2.0")


def smoother(smoothing: str, value: Any) -> Any:
    """The bound method of NLTK's smoothing functions that a convention names."""
    method = METHODS[smoothing]
    if value == "standard" or (method == "method2" and value == 1) or method == "method0":
        return getattr(SmoothingFunction(), method)
    if method == "method1":
        return SmoothingFunction(epsilon=value).method1
    raise Unsupported(f"NLTK's {method} has no smoothing value to set")


def order_weights(parameters: dict[str, Any]) -> dict[str, Any]:
    """The argument `weights`, by whose number NLTK knows the longest n-gram; nothing where none is set."""
    weights = tuple(parameters.get("weights", ()))
    order = parameters.get("max_order", len(weights))
    if weights and len(weights) != order:
        raise Unsupported("NLTK's longest n-gram is the number of weights")
    return {"weights": weights or (1 / order,) * order} if order else {}


@adapter.metric(
    "bleu",
    input="tokens",
    components=["score"],
    accepts={
        "max_order": range(1, 101),
        "weights": None,
        "smoothing": set(METHODS),
        "smoothing_value": None,
        "aggregation": {"corpus", "mean"},
    },
    defaults={
        "max_order": 4,
        "weights": [],
        "smoothing": "smallest-float",
        "smoothing_value": "standard",
        "aggregation": "corpus",
    },
    fixes={
        "effective_order": False,
        "zero_before_smoothing": True,
        "reference_length": "closest",
        "reference_length_tie": "shorter",
        "denominator_floor": "one-per-segment",
        "empty_hypothesis": "zero",
        "no_cases": "error",
    },
)
def bleu(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str] | None]],
    aggregation: str = "corpus",
    **parameters: Any,
) -> float:
    arguments = order_weights(parameters)
    if "smoothing" in parameters:
        smoothing = parameters["smoothing"]
        arguments["smoothing_function"] = smoother(smoothing, parameters.get("smoothing_value", "standard"))
    present = [[each for each in segment if each is not None] for segment in references]
    with warnings.catch_warnings():
        # NLTK warns of every order without a match, and scores it all the same.
        warnings.simplefilter("ignore", UserWarning)
        if aggregation == "mean":
            pairs = zip(present, hypotheses, strict=True)
            return fmean(sentence_bleu(several, hypothesis, **arguments) for several, hypothesis in pairs)
        score: float = corpus_bleu(present, hypotheses, **arguments)
    return score


class Lemma(str):
    """A synonym as WordNet's reader gives it."""

    def name(self) -> str:
        return str(self)


class Synset(list[Lemma]):
    """Some synonyms as WordNet's reader gives them."""

    def lemmas(self) -> list[Lemma]:
        return self


class Thesaurus:
    """Synonyms that the input states, in WordNet's place; lists of synonyms, or a table from a word to its own."""

    def __init__(self, synonyms: Any = ()) -> None:
        table = isinstance(synonyms, Mapping)
        self.entries = list(synonyms.items()) if table else [(word, each) for each in synonyms for word in each]

    def synsets(self, word: str) -> list[Synset]:
        return [Synset(map(Lemma, synonyms)) for entry, synonyms in self.entries if entry == word]


class Stems(dict[str, str]):
    """A stemmer that knows the stems that the input states; other words are their own."""

    def stem(self, word: str) -> str:
        return self.get(word, word)


MODULES = [["exact"], ["exact", "stem"], ["exact", "synonym"], ["exact", "stem", "synonym"]]
STEMMERS = {
    "original": PorterStemmer.ORIGINAL_ALGORITHM,
    "martin": PorterStemmer.MARTIN_EXTENSIONS,
    "nltk": PorterStemmer.NLTK_EXTENSIONS,
}


DEBIAN = Path("/usr/share/wordnet")
LEXICOGRAPHERS = """
    adj.all adj.pert adv.all
    noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition noun.communication noun.event
    noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person noun.phenomenon noun.plant
    noun.possession noun.process noun.quantity noun.relation noun.shape noun.state noun.substance noun.time
    verb.body verb.change verb.cognition verb.communication verb.competition verb.consumption verb.contact verb.creation
    verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative verb.weather
    adj.ppl
"""
"""WordNet's files by their numbers, from 0; Debian leaves out the list of them."""
SPEECH = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}


def load_wordnet() -> None:
    """Load the WordNet that NLTK has; if it has none, Debian's WordNet 3.0."""
    try:
        nltk.data.find("corpora/wordnet")
    except LookupError:
        if not (DEBIAN / "index.sense").exists():  # of wordnet-sense-index, without which NLTK cannot read the rest
            return
        home = cache_folder() / "wordnet-3.0"
        try:
            put_in_place(home, home / "corpora" / "wordnet" / "lexnames", "nltk", copied)
        except TargetError as error:
            raise Unsupported(str(error)) from error
        nltk.data.path.append(str(home))
    wordnet.ensure_loaded()


def copied(home: Path) -> None:
    """Copy Debian's files, for NLTK follows no link out of its folder, and write the list of them."""
    folder = home / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    for path in DEBIAN.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    names = enumerate(LEXICOGRAPHERS.split())
    lines = (f"{number:02}\t{name}\t{SPEECH[name.partition('.')[0]]}\n" for number, name in names)
    (folder / "lexnames").write_text("".join(lines), "ascii")


@adapter.metric(
    "meteor",
    input="tokens",
    components=["score"],
    corpus=False,
    accepts={
        "modules": MODULES,
        "stemmer": set(STEMMERS),
        "alpha": None,
        "beta": None,
        "gamma": None,
        "lowercase": {True, False},
    },
    defaults={
        "modules": ["exact", "stem", "synonym"],
        "stemmer": "nltk",
        "alpha": 0.9,
        "beta": 3,
        "gamma": 0.5,
        "lowercase": True,
    },
    fixes={
        "weights": [],
        "alignment": "last-free",
        "synonym_input": "stems",
        "delta": 0.5,
        "complete_match": "penalized",
        "no_match": "zero",
    },
    given=["synonyms", "stems"],
    prepare=load_wordnet,
)
def meteor(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    modules: list[str] | None = None,
    stemmer: str = "",
    synonyms: Any = None,
    stems: dict[str, str] | None = None,
    **parameters: Any,
) -> float:
    """Without synonyms in the input NLTK asks its WordNet, as soon as a hypothesis word is still unmatched."""
    if len(hypotheses) != 1 or len(references) != 1:
        raise Unsupported("NLTK scores one segment at a time")
    if modules is not None and modules not in MODULES:
        raise Unsupported("NLTK links equal words first, then by stem, then by synonym")
    if "lowercase" in parameters:
        parameters["preprocess"] = str.lower if parameters.pop("lowercase") else str
    if stemmer:
        parameters["stemmer"] = PorterStemmer(STEMMERS[stemmer])
    if stems is not None:
        parameters["stemmer"] = Stems(stems)
    if synonyms is not None:
        parameters["wordnet"] = Thesaurus(synonyms)
    if modules and "stem" not in modules:
        parameters["stemmer"] = Stems()
    if modules and "synonym" not in modules:
        parameters["wordnet"] = Thesaurus()
    try:
        score: float = meteor_score(references[0], hypotheses[0], **parameters)
    except LookupError as error:
        raise Unsupported(
            "NLTK's WordNet is not installed: python -m nltk.downloader wordnet, or"
            " apt-get install wordnet-base wordnet-sense-index"
        ) from error
    return score


# At first white space could not be left out, and F was taken of the n-grams of all orders in one, which has no name.
CHRF: dict[str, dict[str, Any]] = (
    {
        "accepts": {"whitespace": {"removed", "kept"}},
        "defaults": {"whitespace": "removed"},
        "fixes": {"average": "f", "missing_orders": "epsilon-per-order", "aggregation": "mean"},
    }
    if "ignore_whitespace" in signature(corpus_chrf).parameters
    else {"accepts": {}, "defaults": {}, "fixes": {"whitespace": "kept"}}
)


@adapter.metric(
    "chrf",
    components=["score"],
    references="one",
    accepts={"min_char_order": None, "char_order": None, "beta": None, **CHRF["accepts"]},
    defaults={"min_char_order": 1, "char_order": 6, "beta": 3, **CHRF["defaults"]},
    fixes={
        **CHRF["fixes"],
        "word_order": 0,
        "both_empty": "no-match",
        "lowercase": False,
        "unit": "code-point",
        "unicode_form": "none",
        "no_cases": "error",
    },
)
def chrf(hypotheses: Sequence[str], references: Sequence[Sequence[str]], **parameters: Any) -> float:
    names = {"min_char_order": "min_len", "char_order": "max_len", "beta": "beta"}
    arguments = {names[name]: value for name, value in parameters.items() if name in names}
    if "whitespace" in parameters:
        arguments["ignore_whitespace"] = parameters["whitespace"] == "removed"
    score: float = corpus_chrf([segment[0] for segment in references], hypotheses, **arguments)
    return score


@adapter.metric(
    "google-gleu",
    input="tokens",
    components=["score"],
    accepts={"min_order": range(1, 101), "max_order": range(1, 101)},
    defaults={"min_order": 1, "max_order": 4},
    fixes={"aggregation": "pooled", "tie": "first", "empty": "zero", "no_cases": "zero"},
)
def google_gleu(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], **parameters: int
) -> float:
    lengths = {"min_order": "min_len", "max_order": "max_len"}
    score: float = corpus_gleu(references, hypotheses, **{lengths[name]: value for name, value in parameters.items()})
    return score


@adapter.metric(
    "nist",
    input="tokens",
    components=["score"],
    accepts={"max_order": range(1, 101)},
    defaults={"max_order": 5},
    fixes={
        "multi_reference": "best-per-order",
        "missing_order": "error",
        "zero_prefix": "word",
        "empty_reference": "error",
    },
)
def nist(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], **parameters: int
) -> float:
    order = {"n": parameters["max_order"]} if "max_order" in parameters else {}
    score: float = corpus_nist(references, hypotheses, **order)
    return score


@adapter.metric(
    "ribes",
    input="tokens",
    components=["score"],
    accepts={"alpha": None, "beta": None},
    defaults={"alpha": 0.25, "beta": 0.10},
    fixes={
        "alignment": "nltk-context",
        "correlation": "runs",
        "single_word": "zero",
        "empty_reference": "zero",
        "no_cases": "zero",
    },
)
def ribes(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], **parameters: float
) -> float:
    score: float = corpus_ribes(references, hypotheses, **parameters)
    return score


@adapter.metric(
    "levenshtein",
    components=["distance"],
    corpus=False,
    references="one",
    accepts={"unit": {"character", "token"}, "substitution_cost": {1, 2}},
    defaults={"unit": "character", "substitution_cost": 1},
)
def levenshtein(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    unit: str = "character",
    **parameters: Any,
) -> int:
    hypothesis, reference = pair(hypotheses, references, unit)
    distance: int = edit_distance(hypothesis, reference, **parameters)
    return distance


@adapter.metric(
    "damerau-levenshtein",
    corpus=False,
    references="one",
    accepts={"unit": {"character", "token"}},
    defaults={"unit": "character"},
    fixes={"variant": "unrestricted" if edit_distance("ca", "abc", transpositions=True) == 2 else "restricted"},
)
def damerau_levenshtein(hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str = "character") -> int:
    hypothesis, reference = pair(hypotheses, references, unit)
    distance: int = edit_distance(hypothesis, reference, transpositions=True)
    return distance


@adapter.metric("ngrams", input="tokens", accepts={"order": None}, defaults={"order": 1})
def ngrams_of(text: Sequence[str], order: int = 1) -> dict[str, Any]:
    found = Counter(ngrams(text, order))
    return {"ngrams": [" ".join(each) for each in found], "counts": list(found.values())}


def pair(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], unit: str
) -> tuple[Sequence[str], Sequence[str]]:
    """The one hypothesis and its one reference, as strings or as lists of tokens."""
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("NLTK compares one pair of sequences")
    hypothesis, reference = hypotheses[0], references[0][0]
    return (hypothesis.split(), reference.split()) if unit == "token" else (hypothesis, reference)


def pair_of_sets(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]]
) -> tuple[set[str], set[str]]:
    """The tokens of the one hypothesis and of its one reference."""
    if len(hypotheses) != 1 or len(references) != 1 or len(references[0]) != 1:
        raise Unsupported("NLTK compares one pair of sets")
    return set(hypotheses[0]), set(references[0][0])


@adapter.metric("exact-match", references="one", fixes={"normalizer": "none"})
def exact_match(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    share: float = accuracy([each[0] for each in references], hypotheses)
    return share


@adapter.metric(
    "jaccard",
    input="tokens",
    corpus=False,
    references="one",
    fixes={"counting": "set", "elements": "tokens", "both_empty": "undefined"},
)
def jaccard(hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]]) -> float:
    hypothesis, reference = pair_of_sets(hypotheses, references)
    distance: float = jaccard_distance(hypothesis, reference)
    return 1 - distance


@adapter.metric(
    "token-overlap",
    input="tokens",
    components=["precision", "recall", "f1", "f_beta"],
    corpus=False,
    references="one",
    accepts={"beta": None},
    defaults={"beta": 1},
    fixes={"counting": "set", "order": 1, "empty": "undefined", "no_match_f": "zero"},
)
def token_overlap(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[Sequence[str]]], **parameters: Any
) -> dict[str, float | None]:
    hypothesis, reference = pair_of_sets(hypotheses, references)
    alpha = {"alpha": 1 / (1 + parameters["beta"] ** 2)} if "beta" in parameters else {}
    return {
        "precision": precision(reference, hypothesis),
        "recall": recall(reference, hypothesis),
        "f1": f_measure(reference, hypothesis),
        "f_beta": f_measure(reference, hypothesis, **alpha),
    }


@adapter.metric(
    "porter-stem",
    accepts={"variant": {"original", "martin", "nltk"}},
    defaults={"variant": "nltk"},
)
def porter_stem(text: str, variant: str | None = None) -> str:
    modes = {"original": "ORIGINAL_ALGORITHM", "martin": "MARTIN_EXTENSIONS", "nltk": "NLTK_EXTENSIONS"}
    stemmer = PorterStemmer(mode=modes[variant]) if variant else PorterStemmer()
    return " ".join(map(stemmer.stem, text.split()))


if meteor_score is None:
    adapter.without("meteor")
