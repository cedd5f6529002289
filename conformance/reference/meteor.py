"""METEOR: a recall-weighted mean of aligned words, less a penalty for their fragmentation.

Sources: Banerjee and Lavie 2005; Lavie and Agarwal 2007 (alpha, beta, gamma); Denkowski and Lavie 2014 (module
weights, function words); NLTK 3.10 and Meteor 1.5, where they do otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import Any

from conformance.reference.meteor_alignment import Link, Stage, aligned, chunk_count, crossing_count
from conformance.reference.meteor_search import Rule
from conformance.reference.porter import VARIANTS, stem
from conformance.reference.shape import choice, choices, flag, number, segments
from conformance.reference.tokenizers import TOKENIZERS, Text, tokens_of

MODULES = ("exact", "stem", "synonym")

Synonyms = Sequence[Sequence[str]] | Mapping[str, Sequence[str]]
"""Lists of words that are synonyms of each other; or a table, from a hypothesis word to words that it matches."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What a pair or a corpus adds up to: matched and all words of each side by weight, matches, chunks, crossings."""

    own_matched: float = 0.0
    own: float = 0.0
    other_matched: float = 0.0
    other: float = 0.0
    matches: int = 0
    chunks: int = 0
    crossings: int = 0
    own_length: int = 0
    other_length: int = 0


def pooled(parts: Sequence[Counts]) -> Counts:
    """Counts summed over segments."""
    names = Counts.__slots__
    return Counts(**{name: sum(getattr(each, name) for each in parts) for name in names})


@dataclass(frozen=True, slots=True)
class Formula:
    """The last step: F = PR / (alpha P + (1 - alpha) R), times 1 - gamma (chunks / matches)^beta."""

    alpha: float
    beta: float
    gamma: float
    nothing: float

    def apply(self, counts: Counts) -> dict[str, Any]:
        """All components of a pair or a corpus; `nothing` stands for a ratio without a denominator."""
        precision = counts.own_matched / counts.own if counts.own else self.nothing
        recall = counts.other_matched / counts.other if counts.other else self.nothing
        below = self.alpha * precision + (1 - self.alpha) * recall
        f_mean = precision * recall / below if below else self.nothing
        penalty = self.gamma * (counts.chunks / counts.matches) ** self.beta if counts.chunks else 0.0
        return {
            "score": f_mean * (1 - penalty),
            "precision": precision,
            "recall": recall,
            "f_mean": f_mean,
            "penalty": penalty,
            "chunks": counts.chunks,
            "matches": counts.matches,
            "crossings": counts.crossings,
            "hypothesis_length": counts.own_length,
            "reference_length": counts.other_length,
        }


def thesaurus(synonyms: Synonyms, folded: Callable[[str], str]) -> dict[str, frozenset[str]]:
    """From each word that has synonyms to all of them. Raises TypeError for what is neither lists nor a table."""
    if isinstance(synonyms, Mapping):
        pairs = [(word, _names(f"synonyms of {word}", several)) for word, several in synonyms.items()]
    elif isinstance(synonyms, Sequence) and not isinstance(synonyms, str):
        pairs = [(word, several) for several in map(partial(_names, "synonyms"), synonyms) for word in several]
    else:
        raise TypeError(f"synonyms: expected lists of words or a table, found {synonyms!r:.60}")
    found: dict[str, set[str]] = {}
    for word, several in pairs:
        found.setdefault(folded(word), set()).update(map(folded, several))
    return {word: frozenset(several - {word}) for word, several in found.items()}


def _names(name: str, value: Any) -> Sequence[str]:
    """A list of words. Raises TypeError."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(each, str) for each in value):
        raise TypeError(f"{name}: expected a list of words, found {value!r:.60}")
    return value


def stages_of(
    modules: Sequence[str],
    stems: Callable[[str], str],
    synonyms: Mapping[str, frozenset[str]],
    fed_with_stems: bool,
) -> list[Stage]:
    """The stages of an alignment, in order; synonyms of stems where the stage is fed with those of one before it."""
    found = []
    for place, module in enumerate(modules):
        if module == "exact":
            found.append(Stage(str))
        elif module == "stem":
            found.append(Stage(stems))
        else:
            key = stems if fed_with_stems and "stem" in modules[:place] else str
            others = (lambda word: synonyms.get(word, frozenset())) if synonyms else None
            found.append(Stage(key, others))
    return found


@dataclass(frozen=True, slots=True)
class Weights:
    """What a matched word counts: its module's weight; and a word: delta, or 1 - delta for a function word."""

    modules: tuple[float, ...]
    content: float
    function: float
    function_words: frozenset[str]

    def of(self, words: Sequence[str]) -> list[float]:
        """The weight of each word of a side."""
        if not self.function_words:
            return [1.0] * len(words)
        return [self.function if word in self.function_words else self.content for word in words]


@dataclass(frozen=True, slots=True)
class Pair:
    """A hypothesis and one reference in words, their links and counts."""

    own: Sequence[str]
    other: Sequence[str]
    links: Sequence[Link]
    counts: Counts


@dataclass(frozen=True, slots=True)
class Scorer:
    """All choices of one METEOR; where `free`, a pair that is matched as a whole in one chunk counts none."""

    stages: Sequence[Stage]
    rule: Rule
    weights: Weights
    formula: Formula
    free: bool
    tokenizer: str
    lowercase: bool

    def best(self, hypothesis: Text, references: Sequence[Text]) -> Pair:
        """The pair of a hypothesis with the reference of the highest score, the first of equal ones."""
        own = self.words(hypothesis)
        pairs = [self.pair(own, self.words(each)) for each in references]
        if len(pairs) == 1:
            return pairs[0]
        return max(pairs, key=self.rank)

    def words(self, text: Text) -> list[str]:
        """The words of a text; tokens stay as they are but for their case."""
        words = tokens_of(text, self.tokenizer, False)
        return list(map(str.lower, words)) if self.lowercase else words

    def rank(self, pair: Pair) -> float:
        """The score of a pair; below all where it has none."""
        score: float = self.formula.apply(pair.counts)["score"]
        return -1.0 if math.isnan(score) else score

    def pair(self, own: Sequence[str], other: Sequence[str]) -> Pair:
        """Two texts in words, aligned and counted."""
        links = aligned(own, other, self.stages, self.rule)
        chunks = chunk_count(links)
        if self.free and chunks == 1 and len(links) == len(own) == len(other):
            chunks = 0
        own_weights, other_weights, modules = self.weights.of(own), self.weights.of(other), self.weights.modules
        counts = Counts(
            own_matched=math.fsum(modules[stage] * own_weights[place] for place, _, stage in links),
            own=math.fsum(own_weights),
            other_matched=math.fsum(modules[stage] * other_weights[place] for _, place, stage in links),
            other=math.fsum(other_weights),
            matches=len(links),
            chunks=chunks,
            crossings=crossing_count(links, self.rule.scope),
            own_length=len(own),
            other_length=len(other),
        )
        return Pair(own, other, links, counts)


def meteor(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    *,
    modules: Sequence[str] = MODULES,
    weights: Sequence[float] = (),
    alignment: str = "fewest-crossings",
    equal_crossings: str = "fewest-chunks",
    crossing_scope: str = "stage",
    stemmer: str = "original",
    synonym_input: str = "words",
    alpha: float = 0.9,
    beta: float = 3,
    gamma: float = 0.5,
    delta: float = 0.5,
    complete_match: str = "penalized",
    aggregation: str = "pooled",
    no_match: str = "zero",
    tokenizer: str = "whitespace",
    lowercase: bool = False,
    synonyms: Synonyms = (),
    stems: Mapping[str, str] | None = None,
    function_words: Sequence[str] = (),
) -> dict[str, Any]:
    """METEOR = F (1 - gamma (chunks/matches)^beta), F = PR / (alpha P + (1 - alpha) R); 0 to 1.

    P and R are the aligned words over those of the hypothesis and of the reference. hypotheses: one a segment;
    references: a list for each, of which the one with the highest score counts (the first of equal ones).
    `synonyms` and `stems` state what the modules know: without synonyms no word has one, without a table of stems
    Porter's stemmer gives them; words that a table lacks are their own stems. `function_words` are those that
    weigh 1 - delta. A pooled corpus applies the formula once, to sums. Raises TypeError and ValueError, and
    TooAmbiguous for words that repeat too often. Source: Banerjee and Lavie 2005.
    """
    segments(hypotheses, references, needed=True)
    if not hypotheses:
        raise ValueError("expected at least one segment, found none")
    choice("aggregation", aggregation, ("pooled", "mean"))
    scorer = _scorer(
        modules=modules,
        weights=weights,
        rule=_rule(alignment, equal_crossings, crossing_scope),
        stemmer=stemmer,
        synonym_input=synonym_input,
        formula=_formula(alpha, beta, gamma, no_match),
        delta=delta,
        complete_match=complete_match,
        tokenizer=tokenizer,
        lowercase=lowercase,
        synonyms=synonyms,
        stems=stems,
        function_words=function_words,
    )
    parts = [
        scorer.best(hypothesis, several).counts for hypothesis, several in zip(hypotheses, references, strict=True)
    ]
    total = scorer.formula.apply(pooled(parts))
    if aggregation == "mean" and len(parts) > 1:
        each_of = [scorer.formula.apply(counts) for counts in parts]
        for name in ("score", "precision", "recall", "f_mean", "penalty"):
            total[name] = math.fsum(one[name] for one in each_of) / len(each_of)
    return total


def best_alignment(hypothesis: Text, references: Sequence[Text], **parameters: Any) -> Pair:
    """A hypothesis with the reference that counts, and their alignment; parameters as for `meteor`."""
    bound = signature(meteor).bind([hypothesis], [references], **parameters)
    bound.apply_defaults()
    settings = dict(bound.kwargs)
    rule = _rule(*(settings.pop(name) for name in ("alignment", "equal_crossings", "crossing_scope")))
    formula = _formula(*(settings.pop(name) for name in ("alpha", "beta", "gamma", "no_match")))
    del settings["aggregation"]
    return _scorer(rule=rule, formula=formula, **settings).best(hypothesis, references)


def _rule(alignment: str, equal_crossings: str, crossing_scope: str) -> Rule:
    """The checked rule of alignment. Raises ValueError."""
    return Rule(
        choice("alignment", alignment, ("fewest-crossings", "fewest-chunks", "last-free")),
        choice("equal_crossings", equal_crossings, ("fewest-chunks", "most-chunks")),
        choice("crossing_scope", crossing_scope, ("stage", "all")),
    )


def _formula(alpha: float, beta: float, gamma: float, no_match: str) -> Formula:
    """The checked formula. Raises TypeError and ValueError."""
    nothing = 0.0 if choice("no_match", no_match, ("zero", "undefined")) == "zero" else math.nan
    return Formula(share("alpha", alpha), number("beta", beta), share("gamma", gamma), nothing)


def _scorer(
    *,
    modules: Sequence[str],
    weights: Sequence[float],
    rule: Rule,
    stemmer: str,
    synonym_input: str,
    formula: Formula,
    delta: float,
    complete_match: str,
    tokenizer: str,
    lowercase: bool,
    synonyms: Synonyms,
    stems: Mapping[str, str] | None,
    function_words: Sequence[str],
) -> Scorer:
    """All choices, checked. Raises TypeError and ValueError."""
    folded = str.lower if flag("lowercase", lowercase) else str
    return Scorer(
        stages=_stages(modules, stemmer, synonym_input, synonyms, stems, folded),
        rule=rule,
        weights=_weights(modules, weights, delta, function_words, folded),
        formula=formula,
        free=choice("complete_match", complete_match, ("penalized", "no-chunk")) == "no-chunk",
        tokenizer=choice("tokenizer", tokenizer, tuple(TOKENIZERS)),
        lowercase=lowercase,
    )


def share(name: str, value: Any) -> float:
    """A parameter that must be a number from 0 to 1. Raises TypeError and ValueError."""
    if number(name, value) > 1:
        raise ValueError(f"{name}: expected a number from 0 to 1, found {value}")
    return float(value)


def _stages(
    modules: Sequence[str],
    stemmer: str,
    synonym_input: str,
    synonyms: Synonyms,
    stems: Mapping[str, str] | None,
    folded: Callable[[str], str],
) -> list[Stage]:
    """The stages by the checked parameters. Raises TypeError and ValueError."""
    names = choices("modules", modules, MODULES)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"modules: expected one or more different ones of {', '.join(MODULES)}, found {modules!r:.60}")
    choice("stemmer", stemmer, VARIANTS)
    choice("synonym_input", synonym_input, ("words", "stems"))
    key: Callable[[str], str] = partial(stem, variant=stemmer)
    if stems is not None:
        if not isinstance(stems, Mapping) or not all(isinstance(each, str) for each in stems.values()):
            raise TypeError(f"stems: expected a table from words to stems, found {stems!r:.60}")
        key = _table({folded(word): each for word, each in stems.items()})
    return stages_of(names, key, thesaurus(synonyms, folded), synonym_input == "stems")


def _table(stems: Mapping[str, str]) -> Callable[[str], str]:
    """The stem of a word by a table; a word that it lacks is its own."""

    def found(word: str) -> str:
        return stems.get(word, word)

    return found


def _weights(
    modules: Sequence[str], weights: Any, delta: Any, function_words: Any, folded: Callable[[str], str]
) -> Weights:
    """The weights by the checked parameters. Raises TypeError and ValueError."""
    if isinstance(weights, (str, bytes)) or not isinstance(weights, Sequence):
        raise TypeError(f"weights: expected a list of numbers, found {weights!r:.60}")
    if weights and len(weights) != len(modules):
        raise ValueError(f"weights: expected {len(modules)} numbers, one a module, found {len(weights)}")
    content = share("delta", delta)
    words = frozenset(map(folded, _names("function_words", function_words)))
    numbers = tuple(float(number("weights", each)) for each in weights) or (1.0,) * len(modules)
    return Weights(numbers, content, 1 - content, words)
