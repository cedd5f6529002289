"""How each metric's value comes about, step by step, as a person would work it out on paper.

Each function takes what its metric takes and returns lines of (name, working, value). A corpus of several
segments is shown by its sums and by the scores of its first segments; long inputs are cut short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from conformance.reference import bleu as bleus
from conformance.reference import edit, error_rates, overlap
from conformance.reference import text as texts
from conformance.reference.tokenizers import Text, tokens_of

Lines = list[tuple[str, str, Any]]
Hypotheses = Sequence[Text]
References = Sequence[Sequence[Any]]

TABLE_SIDE = 12
"""A dynamic program with a longer side is not shown."""
ALIGNED = 40
"""An alignment with more steps is not shown."""
SEGMENTS = 12
"""So many segments of a corpus are shown one by one."""


def cut(parts: Sequence[Any], limit: int = 14, between: str = " ") -> str:
    """The first parts as text, with an ellipsis where there are more."""
    shown = between.join(str(each) for each in parts[:limit])
    return (shown or "(nothing)") + (" ..." if len(parts) > limit else "")


def quoted(text: str, limit: int = 60) -> str:
    """A text in quotes, with an ellipsis where it is longer."""
    return repr(text) if len(text) <= limit else f"{text[:limit]!r} ..."


def counted(bag: Counter[Any]) -> str:
    """A bag as text: each element, with its count where that is not one."""
    parts = [texts.shown(each) + (f" x{count}" if count != 1 else "") for each, count in bag.items()]
    return cut(parts, 10, ", ")


def bleu(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """BLEU: n-grams and clipping, precisions, lengths and penalty, the mean."""
    answer = bleus.bleu(hypotheses, references, **parameters)
    if parameters.get("aggregation") == "mean":
        lines: Lines = []
        for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
            if place <= SEGMENTS:
                one = bleus.bleu([hypothesis], [several], **parameters)
                lines.append((f"segment {place}", "BLEU of the segment alone", one["score"]))
        return [*lines, ("BLEU", f"mean over {len(hypotheses)} segments", answer["score"])]
    lines = _clipping(hypotheses[0], references[0], parameters) if len(hypotheses) == 1 else []
    smoothing = parameters.get("smoothing", "none")
    factors = []
    for order, (matches, total, precision) in enumerate(
        zip(answer["matches"], answer["totals"], answer["precisions"], strict=True), start=1
    ):
        plain = bool(total) and precision == matches / total
        factors.append(f"{matches}/{total}" if plain else f"{precision:.6g}")
        smoothed = "" if plain or smoothing == "none" else f", by smoothing {smoothing}"
        working = f"{matches}/{total}" if total else "no n-gram"
        lines.append((f"p{order}", working + smoothed, precision))
    c, r, penalty = answer["hypothesis_length"], answer["reference_length"], answer["brevity_penalty"]
    lines.append(("c", "hypothesis tokens", c))
    lines.append(("r", f"reference tokens, {_length_rule(hypotheses, references, parameters)}", r))
    if penalty == 1:
        lines.append(("brevity penalty", "1, as c >= r", penalty))
    else:
        lines.append(("brevity penalty", f"exp(1 - {r}/{c})" if c else "0, as c = 0", penalty))
    root = _exponents(factors, parameters)
    return [*lines, ("BLEU", f"{penalty:.6g} * {root}", answer["score"])]


def _exponents(factors: list[str], parameters: dict[str, Any]) -> str:
    """The weighted geometric mean as text."""
    weights = parameters.get("weights", ())
    if weights:
        return cut([f"({each})^{weight}" for each, weight in zip(factors, weights, strict=True)], 8, " * ")
    if parameters.get("effective_order", False):
        return f"the geometric mean of {cut(factors, 8, ', ')} without the orders that have no n-gram"
    return f"({cut(factors, 8, ' * ')})^(1/{len(factors)})"


def _length_rule(hypotheses: Hypotheses, references: References, parameters: dict[str, Any]) -> str:
    rule = parameters.get("reference_length", "closest")
    if rule == "closest":
        rule += f" ({parameters.get('reference_length_tie', 'shorter')} on a tie)"
    if len(hypotheses) != 1:
        return f"{rule}, summed over {len(hypotheses)} segments"
    lengths = [len(_tokens(each, parameters)) for each in references[0] if each is not None]
    return f"{rule} of {cut(lengths, 8, ', ')}"


def _tokens(text: Text, parameters: dict[str, Any]) -> list[str]:
    return tokens_of(text, parameters.get("tokenizer", "whitespace"), parameters.get("lowercase", False))


def _clipping(hypothesis: Text, references: Sequence[Any], parameters: dict[str, Any]) -> Lines:
    """The n-grams of one segment: min(occurrences in the hypothesis, most occurrences in one reference)."""
    own = _tokens(hypothesis, parameters)
    others = [_tokens(each, parameters) for each in references if each is not None]
    lines: Lines = [("hypothesis", cut(own), len(own))]
    lines += [(f"reference {place}", cut(each), len(each)) for place, each in enumerate(others, start=1)]
    for order in range(1, min(parameters.get("max_order", 4), 4) + 1):
        bags = [Counter(texts.grams(each, order)) for each in others]
        parts, total = [], 0
        for gram, count in Counter(texts.grams(own, order)).items():
            most = max(bag[gram] for bag in bags)
            total += min(count, most)
            parts.append(f"{texts.shown(gram)}: min({count}, {most})")
        lines.append((f"{order}-gram matches", cut(parts, 10, "; "), total))
    return lines


def token_overlap(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Token overlap: both bags, the matches, the ratios."""
    lines: Lines = []
    sets = parameters.get("counting") == "set"
    normalizer, order = parameters.get("normalizer", "none"), parameters.get("order", 1)
    answer = overlap.token_overlap(hypotheses, references, **parameters)
    if len(hypotheses) == 1:

        def bag(text: Text) -> Counter[Any]:
            units = overlap.units(text, normalizer, parameters.get("tokenizer", "whitespace"))
            return Counter(texts.grams(units, order))

        lines += _bags(bag(hypotheses[0]), [bag(each) for each in references[0]], sets)
    elif parameters.get("aggregation") != "pooled":
        lines.append(("segments", "each ratio is a mean over them", len(hypotheses)))
    m, h, r = answer["matches"], answer["hypothesis_length"], answer["reference_length"]
    if len(lines) != 1 and not (parameters.get("multi_reference") == "mean" and len(references[0]) > 1):
        beta = parameters.get("beta", 1)
        workings = [f"{m}/{h}", f"{m}/{r}", f"2*{m}/({h} + {r})", f"F with beta {beta}"]
    else:
        workings = ["mean"] * 4
    names = ("precision", "recall", "f1", "f_beta")
    return [*lines, *((name, working, answer[name]) for name, working in zip(names, workings, strict=True))]


def _bags(own: Counter[Any], others: Sequence[Counter[Any]], sets: bool) -> Lines:
    """Both sides of one pair, and what they share."""
    if sets:
        own, others = Counter(own.keys()), [Counter(each.keys()) for each in others]
    lines: Lines = [("hypothesis", counted(own), sum(own.values()))]
    for place, each in enumerate(others, start=1):
        number = f" {place}" if len(others) > 1 else ""
        lines.append((f"reference{number}", counted(each), sum(each.values())))
        lines.append((f"matches{number}", counted(own & each), sum((own & each).values())))
    return lines


def _similarity(hypotheses: Hypotheses, references: References, parameters: dict[str, Any], dice: bool) -> Lines:
    answer = (overlap.dice if dice else overlap.jaccard)(hypotheses, references, **parameters)
    if len(hypotheses) != 1:
        return [("score", f"mean over {len(hypotheses)} segments", answer["score"])]
    elements, rule = parameters.get("elements", "tokens"), parameters.get("multi_reference", "best")
    own = Counter(texts.elements(hypotheses[0], elements))
    others = [Counter(texts.elements(each, elements)) for each in references[0]]
    if rule == "combined":
        others = [overlap.combined(others)]
    lines = _bags(own, others, parameters.get("counting") == "set")
    if len(others) > 1:
        return [*lines, ("score", f"{rule} over {len(others)} references", answer["score"])]
    h, r, m = (lines[place][2] for place in range(3))
    return [*lines, ("score", f"2*{m}/({h} + {r})" if dice else f"{m}/({h} + {r} - {m})", answer["score"])]


def jaccard(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Jaccard: both bags, the matches, the ratio."""
    return _similarity(hypotheses, references, parameters, dice=False)


def dice(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Dice: both bags, the matches, the ratio."""
    return _similarity(hypotheses, references, parameters, dice=True)


def exact_match(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Exact match: each segment's texts and verdict, and the mean."""
    answer = overlap.exact_match(hypotheses, references, **parameters)
    normalizer = parameters.get("normalizer", "none")
    lines: Lines = []
    for place, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), start=1):
        if place <= SEGMENTS:
            own = quoted(texts.normalized(hypothesis, normalizer))
            others = cut([quoted(texts.normalized(each, normalizer)) for each in several or [""]], 4, ", ")
            one = overlap.exact_match([hypothesis], [several], **parameters)["score"]
            lines.append((f"segment {place}", f"{own} against {others}", one))
    return [*lines, ("score", f"mean over {len(hypotheses)} segments", answer["score"])]


def _table(rows: list[list[int]], x: Sequence[Any], y: Sequence[Any]) -> Lines:
    """The dynamic program, a line for each row."""
    if len(x) > TABLE_SIDE or len(y) > TABLE_SIDE:
        return []
    width = max(len(str(each)) for each in (*x, *y, 10))
    lines: Lines = [("table", " ".join(f"{each!s:>{width}}" for each in ("", "", *y)), None)]
    for label, row in zip(("", *x), rows, strict=True):
        lines.append(("", " ".join(f"{each!s:>{width}}" for each in (label, *row)), None))
    return lines


def levenshtein(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Levenshtein: the dynamic program of the first pair, the distance and its normalized form."""
    answer = edit.levenshtein(hypotheses, references, **parameters)
    lines: Lines = []
    single = len(hypotheses) == 1 and len(references[0]) == 1
    if single:
        unit = parameters.get("unit", "character")
        x, y = texts.elements(hypotheses[0], unit), texts.elements(references[0][0], unit)
        lines += _table(edit.table(x, y, substitution=parameters.get("substitution_cost", 1)), x, y)
    over = {"reference": "reference length", "longer": "longer length", "sum": "sum of both lengths"}
    by = over[parameters.get("normalization", "reference")]
    working = "last cell of the table" if lines else "minimum over all edit scripts, summed over segments"
    return [
        *lines,
        ("distance", working, answer["distance"]),
        ("normalized", f"distance over the {by}", answer["normalized"]),
    ]


def damerau_levenshtein(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """Damerau-Levenshtein beside the distance without exchanges."""
    answer = edit.damerau_levenshtein(hypotheses, references, **parameters)
    plain = edit.levenshtein(hypotheses, references, unit=parameters.get("unit", "character"))
    variant = parameters.get("variant", "unrestricted")
    return [
        ("without exchanges", "Levenshtein distance", plain["distance"]),
        ("distance", f"{variant}; an exchange of two neighbours costs one", answer["distance"]),
    ]


def lcs_length(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """LCS: both sequences and the length."""
    answer = edit.lcs_length(hypotheses, references, **parameters)
    lines: Lines = []
    if len(hypotheses) == 1:
        unit = parameters.get("unit", "token")
        x = texts.elements(hypotheses[0], unit)
        lines.append(("hypothesis", cut(x), len(x)))
        for each in references[0]:
            y = texts.elements(each, unit)
            lines.append(("reference", cut(y), len(y)))
    return [*lines, ("length", "most elements that both have in the same order", answer["length"])]


def _aligned(reference: Sequence[Any], hypothesis: Sequence[Any], costs: str = "unit") -> Lines:
    """Each step of the alignment: a reference element, an arrow, a hypothesis element."""
    steps = edit.alignment(reference, hypothesis, costs=costs)
    if len(steps) > ALIGNED:
        return []
    return [
        (operation, f"{'(none)' if left is None else left} -> {'(none)' if right is None else right}", None)
        for operation, left, right in steps
    ]


def _rate(answer: dict[str, Any], parameters: dict[str, Any]) -> Lines:
    s, d, i, n = (answer[name] for name in ("substitutions", "deletions", "insertions", "reference_length"))
    if not n:
        working = f"no reference unit: {parameters.get('empty_reference', 'undefined')}"
    elif answer["rate"] == answer["errors"] / n:
        working = f"{answer['errors']}/{n:g}"
    else:
        working = "mean"
    return [("errors", f"S {s} + D {d} + I {i}", answer["errors"]), ("rate", working, answer["rate"])]


def wer(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """WER: the alignment, the counts, the ratio."""
    answer = error_rates.wer(hypotheses, references, **parameters)
    lines = _word_alignment(hypotheses, references, parameters)
    return [*lines, *_rate(answer, parameters)]


def _word_alignment(hypotheses: Hypotheses, references: References, parameters: dict[str, Any]) -> Lines:
    if len(hypotheses) != 1 or len(references[0]) != 1:
        return []
    tokenizer, transforms = parameters.get("tokenizer", "whitespace"), parameters.get("transforms", ())
    one, other = (error_rates.words(each, tokenizer, transforms) for each in (references[0][0], hypotheses[0]))
    return _aligned(one, other, parameters.get("alignment", "unit"))


def cer(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """CER: the alignment, the counts, the ratio."""
    answer = error_rates.cer(hypotheses, references, **parameters)
    lines: Lines = []
    if len(hypotheses) == 1 and len(references[0]) == 1:
        one, other = (
            error_rates.characters(
                each,
                parameters.get("unit", "code-point"),
                parameters.get("unicode_form", "none"),
                parameters.get("spaces", "counted"),
                parameters.get("strip", False),
                parameters.get("transforms", ()),
            )
            for each in (references[0][0], hypotheses[0])
        )
        lines = _aligned(one, other)
    return [*lines, *_rate(answer, parameters)]


def _morris(hypotheses: Hypotheses, references: References, parameters: dict[str, Any]) -> tuple[Lines, Any]:
    """The alignment, and the counts of hits, edits and words."""
    tokenizer, transforms = parameters.get("tokenizer", "whitespace"), parameters.get("transforms", ())
    total = error_rates.totals(hypotheses, references, tokenizer, transforms)
    lines = _word_alignment(hypotheses, references, parameters)
    s, d, i = total.substitutions, total.deletions, total.insertions
    lines.append(("hits", "words that the alignment keeps", total.hits))
    lines.append(("errors", f"S {s} + D {d} + I {i}", total.errors))
    return lines, total


def mer(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """MER: the alignment, the counts, the ratio."""
    lines, total = _morris(hypotheses, references, parameters)
    working = f"{total.errors}/({total.hits} + {total.errors})"
    return [*lines, ("rate", working, error_rates.mer(hypotheses, references, **parameters)["rate"])]


def wip(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """WIP: the alignment, the counts, the product."""
    lines, total = _morris(hypotheses, references, parameters)
    working = f"{total.hits}/{total.reference} * {total.hits}/{total.hypothesis}"
    return [*lines, ("rate", working, error_rates.wip(hypotheses, references, **parameters)["rate"])]


def wil(hypotheses: Hypotheses, references: References, **parameters: Any) -> Lines:
    """WIL: the alignment, the counts, one minus the product."""
    lines, total = _morris(hypotheses, references, parameters)
    working = f"1 - {total.hits}/{total.reference} * {total.hits}/{total.hypothesis}"
    return [*lines, ("rate", working, error_rates.wil(hypotheses, references, **parameters)["rate"])]
