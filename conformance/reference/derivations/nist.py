"""NIST worked out on paper: the information of each matching n-gram, the share of each order, the length penalty."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from conformance.reference import nist as scores
from conformance.reference import text as texts
from conformance.reference.derivations.lines import Hypotheses, Lines, References, cut
from conformance.reference.tokenizers import Text

SHOWN_ORDERS = 6
"""The n-grams of longer orders are not listed one by one."""


def nist(
    hypotheses: Hypotheses,
    references: References,
    *,
    reference_corpus: Sequence[Sequence[Text]] | None = None,
    **parameters: Any,
) -> Lines:
    """NIST: information weights and matches by order, lengths and penalty, the sum."""
    found = scores.nist(hypotheses, references, reference_corpus=reference_corpus, **parameters)
    chosen = {name: each.default for name, each in inspect.signature(scores.nist).parameters.items()} | parameters
    names = ("max_order", "multi_reference", "unknown_ngram", "zero_prefix", "tokenizer", "lowercase")
    parts, information = scores.evidence(
        hypotheses, references, reference_corpus, **{name: chosen[name] for name in names}
    )
    sums = scores.pooled(parts, information, chosen["max_order"])
    source = "the references" if reference_corpus is None else "the reference corpus"
    lines: Lines = [("reference words", f"all words of {source}", information.words)]
    shares = []
    for order, (bits, total) in enumerate(zip(found["information"], found["totals"], strict=True), start=1):
        if order > SHOWN_ORDERS:
            break
        lines.append((f"{order}-gram information", weights(sums.matched[order - 1], information, order), bits))
        shares.append(f"{bits:.6g}/{total}" if total else "0")
    c, r, penalty = found["hypothesis_length"], found["reference_length"], found["brevity_penalty"]
    lines.append(("c", "hypothesis tokens", c))
    rule = {"together": "mean length of the references", "best-per-order": "length of the best reference"}
    lines.append(("r", f"{rule[chosen['multi_reference']]}, summed over segments", r))
    shorter = f"exp(log(1/2) * (log({c}/{r:g})/log(3/2))^2)" if c else "0, as c = 0"
    lines.append(("length penalty", "1, as c >= r" if penalty == 1 else shorter, penalty))
    return [*lines, ("NIST", f"{penalty:.6g} * ({cut(shares, SHOWN_ORDERS, ' + ')})", found["score"])]


def weights(matched: scores.Matched, information: scores.Information, order: int) -> str:
    """Each matching n-gram with its count and the ratio whose logarithm to base 2 is its information."""
    parts = []
    for gram, count in matched.items():
        above, below = information.ratio(gram, order)
        parts.append(f"{texts.shown(gram)}: " + (f"{count} * " if count != 1 else "") + f"log2({above}/{below})")
    return cut(parts, 8, "; ") if parts else "no match"
