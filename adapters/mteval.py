# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///
"""NIST's mteval-v13a, as the copy that writes statistics a segment, from a file of your own: BLEU and NIST.

It needs Perl with XML::Twig. The copy is mteval/mteval-v13a-sig.pl of https://github.com/tuetschek/e2e-metrics.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from conformance import Adapter, Unsupported
from conformance.program import columns_of, output_of, program, run, write_text
from conformance.userfile import user_file

VERSIONS = {"c4127608b8263b738e80a141c0685fc8ddd25dda259ed3c231d4c7389df70e7b": "13a"}
SOURCE = "mteval/mteval-v13a-sig.pl of github.com/tuetschek/e2e-metrics at commit 1b9c4d8"
SCRIPT = user_file("mteval", VERSIONS, SOURCE)
PERL = program("perl", "install Perl")
RUNTIME = output_of([PERL, "-MXML::Twig", "-e", "print $^V"], "install XML::Twig (Debian: libxml-twig-perl)")
SMOOTHING = {"mteval": [], "none": ["--no-smoothing"]}
MARKUP = re.compile(r"</?(seg|doc|srcset|refset|tstset)\b", re.IGNORECASE)
NOT_IN_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")

adapter = Adapter(
    "mteval",
    version=SCRIPT.version,
    homepage="https://github.com/tuetschek/e2e-metrics",
    licence="not stated in the file",
    provenance={
        "file": "mteval/mteval-v13a-sig.pl",
        "commit": "1b9c4d8",
        "digest": SCRIPT.digest,
        "runtime": f"Perl {RUNTIME}",
    },
)


@dataclass(frozen=True, slots=True)
class Scored:
    """What the script says: scores up to each order, precisions of each, and the counts of each, over all segments."""

    cumulative: list[float]
    individual: list[float]
    reference_length: int
    matches: list[int]
    totals: list[int]
    information: list[float]


def written(folder: Path, name: str, sets: Sequence[tuple[str, str, Sequence[str]]]) -> str:
    """A file of sets, each of a kind and a system with one text a segment: in XML, or in SGML what XML cannot hold."""
    texts = [text for _, _, several in sets for text in several]
    if not all(isinstance(text, str) for text in texts):
        raise Unsupported("the script reads text")
    plain = any(NOT_IN_XML.search(text) for text in texts)
    if plain and any(MARKUP.search(text) for text in texts):
        raise Unsupported("the script reads XML or SGML, and this text holds the marks of one and none of the other")
    lines = []
    for kind, system, several in sets:
        languages = 'srclang="source"' + ("" if kind == "srcset" else ' trglang="target"')
        lines += [f'<{kind} setid="set" {languages} sysid="{system}" refid="{system}">']
        lines += [f'<doc docid="document" sysid="{system}">']
        segments = several if plain else [escape(text) for text in several]
        lines += [f'<seg id="{place}">{text}</seg>' for place, text in enumerate(segments, start=1)]
        lines += ["</doc>", f"</{kind}>"]
    if plain:
        return write_text(folder / f"{name}.sgm", "\n".join(lines))
    return write_text(folder / f"{name}.xml", "\n".join(["<mteval>", *lines, "</mteval>"]))


def called(
    folder: Path, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], options: Sequence[str]
) -> str:
    """What the script prints."""
    if isinstance(hypotheses, str):
        raise Unsupported("the script reads a list of texts")
    columns = columns_of(references)
    several = [("refset", f"reference{place}", column) for place, column in enumerate(columns)]
    files = ["-s", written(folder, "source", [("srcset", "source", ["x"] * len(references))])]
    files += ["-r", written(folder, "references", several)]
    files += ["-t", written(folder, "output", [("tstset", "output", hypotheses)])]
    return run([PERL, str(SCRIPT.path), *files, "-f", "statistics", *options], folder)


def added(rows: Sequence[Sequence[str]]) -> list[float]:
    """The sums of the columns."""
    return [sum(map(float, column)) for column in zip(*rows, strict=True)]


def scored(
    metric: str, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], options: Sequence[str]
) -> Scored:
    """Run the script once, for BLEU ("-b") or NIST ("-n"), whose score of all orders comes unrounded from a file."""
    label = {"-b": "BLEU", "-n": "NIST"}[metric]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        printed = called(folder, hypotheses, references, [metric, "--metricsMATR", *options])
        fields = [line.split("|") for line in (folder / "statistics").read_text("utf-8").splitlines()]
        whole = float((folder / f"{label}-sys.scr").read_text("utf-8").split()[-1])
    rows = [line.split()[1:10] for line in printed.splitlines() if line.strip().startswith(f"{label}:")]
    cumulative = [float(each) for each in rows[1]]
    cumulative[{"-b": 3, "-n": 4}[metric]] = whole
    sums = [added([each[at].split() for each in fields]) for at in range(1, 6)]
    return Scored(
        cumulative=cumulative,
        individual=[float(each) for each in rows[0]],
        reference_length=round(sums[0][0]),
        matches=[round(each) for each in sums[1]],
        totals=[round(each) for each in sums[2]],
        information=sums[4],
    )


def known(max_order: int) -> int:
    """An order that the script prints. Raises Unsupported."""
    if type(max_order) is not int or max_order not in range(1, 10):
        raise Unsupported("the script prints the scores of orders 1 to 9")
    return max_order


def tokenizing(tokenizer: str, lowercase: bool) -> list[str]:
    """The options by which text becomes words."""
    return [*([] if lowercase else ["-c"]), *(["--international-tokenization"] if tokenizer == "intl" else [])]


@adapter.metric(
    "bleu",
    components=["score", "precisions", "matches", "totals", "hypothesis_length", "reference_length"],
    decimals=4,
    accepts={
        "max_order": range(1, 10),
        "smoothing": {"mteval", "none"},
        "reference_length": {"closest", "shortest"},
        "tokenizer": {"13a", "intl"},
        "lowercase": {True, False},
    },
    defaults={
        "max_order": 4,
        "smoothing": "mteval",
        "reference_length": "closest",
        "tokenizer": "13a",
        "lowercase": True,
    },
    fixes={
        "weights": [],
        "smoothing_value": "standard",
        "effective_order": False,
        "zero_before_smoothing": False,
        "reference_length_tie": "shorter",
        "denominator_floor": "none",
        "aggregation": "corpus",
        "empty_hypothesis": "zero",
        "no_cases": "error",
    },
)
def bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    max_order: int = 4,
    smoothing: str = "mteval",
    reference_length: str = "closest",
    tokenizer: str = "13a",
    lowercase: bool = True,
) -> dict[str, object]:
    options = [*tokenizing(tokenizer, lowercase), "--brevity-penalty", reference_length]
    if smoothing not in SMOOTHING:
        raise Unsupported("the script smooths in its own way or not at all")
    options += SMOOTHING[smoothing]
    max_order = known(max_order)
    found = scored("-b", hypotheses, references, options)
    return {
        "score": found.cumulative[max_order - 1],
        "precisions": found.individual[:max_order],
        "matches": found.matches[:max_order],
        "totals": found.totals[:max_order],
        "hypothesis_length": found.totals[0],
        "reference_length": found.reference_length,
    }


@adapter.metric(
    "nist",
    components=["score", "information", "totals", "hypothesis_length"],
    decimals=4,
    accepts={"max_order": range(1, 10), "tokenizer": {"13a", "intl"}, "lowercase": {True, False}},
    defaults={"max_order": 5, "tokenizer": "13a", "lowercase": True},
    fixes={
        "multi_reference": "together",
        "missing_order": "zero",
        "zero_prefix": "no-word",
        "empty_reference": "error",
    },
)
def nist(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    max_order: int = 5,
    tokenizer: str = "13a",
    lowercase: bool = True,
) -> dict[str, object]:
    max_order = known(max_order)
    found = scored("-n", hypotheses, references, tokenizing(tokenizer, lowercase))
    return {
        "score": found.cumulative[max_order - 1],
        "information": found.information[:max_order],
        "totals": found.totals[:max_order],
        "hypothesis_length": found.totals[0],
    }


TOKENIZERS = {"mteval-v13a": [], "mteval-v13a-cased": ["-c"], "intl": ["-c", "--international-tokenization"]}


@adapter.metric(
    "tokenize",
    accepts={"tokenizer": set(TOKENIZERS)},
    defaults={"tokenizer": "mteval-v13a"},
    fixes={"lowercase": False},
)
def tokenize(text: str, tokenizer: str = "mteval-v13a") -> list[str]:
    """The words of a segment as -d 3 shows them."""
    with tempfile.TemporaryDirectory() as name:
        printed = called(Path(name), [text], [[text]], ["-b", "-d", "3", *TOKENIZERS[tokenizer]])
    _, _, shown = printed.partition("sys 'output', seg 1: ")
    return shown.split("\n")[0].split(" ") if shown.split("\n")[0] else []
