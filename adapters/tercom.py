# /// script
# requires-python = ">=3.10"
# dependencies = []
# ///
"""TERCOM (https://github.com/jhclark/tercom), built with javac from a checkout of your own: its licence is the LGPL."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from conformance import Adapter, Missing, Unsupported
from conformance.program import output_of, program, run, scratch, write_lines
from conformance.userfile import user_file

COMMIT = "e413d07"
VERSIONS = {"cc96e927f33eea8cdb1d40c11912520878069b7e58f27cbfa31c346af62097ca": "0.10.0"}
OTHERS = [
    "Parameters.java",
    "core/Alignment.java",
    "core/AlignmentStringUtils.java",
    "core/CostFunction.java",
    "core/Normalizer.java",
    "core/Shift.java",
    "core/TerScorer.java",
    "io/SgmlProcessor.java",
    "io/Tag.java",
    "util/IntPair.java",
    "util/Pair.java",
    "util/StringUtils.java",
]
SOURCE = user_file("tercom", VERSIONS, f"src/ter/TER.java of github.com/jhclark/tercom at commit {COMMIT}", OTHERS)
JAVA, JAVAC = (program(name, "install a Java development kit") for name in ("java", "javac"))
RUNTIME = output_of([JAVA, "-version"], "install a Java development kit").splitlines()[0]
CLASSES = scratch()


def build(folder: Path) -> None:
    """Compile the sources. Raises Missing."""
    files = [SOURCE.path, *(SOURCE.path.parent / each for each in OTHERS)]
    command = [JAVAC, "-nowarn", "-encoding", "ISO-8859-1", "-d", str(folder), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(f"javac cannot compile its sources: {' '.join(done.stderr.split())[:300]}")


build(CLASSES)
COMMAND = [JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8", "-cp", str(CLASSES), "ter.TER"]

adapter = Adapter(
    "tercom",
    version=SOURCE.version,
    homepage="https://github.com/jhclark/tercom",
    licence="LGPL-2.1",
    provenance={
        "file": "src/ter, built by javac",
        "commit": COMMIT,
        "digest": SOURCE.digest,
        "runtime": RUNTIME,
    },
)


def trans(folder: Path, name: str, segments: Sequence[Sequence[str | None]]) -> str:
    """A file of texts, each with the number of its segment in parentheses behind it."""
    if any(isinstance(several, str) or not isinstance(several, (list, tuple)) for several in segments):
        raise Unsupported("the program reads texts and the numbers of their segments")
    texts = [(text, place) for place, several in enumerate(segments) for text in several if text is not None]
    if not all(isinstance(text, str) for text, _ in texts):
        raise Unsupported("the program reads texts and the numbers of their segments")
    return write_lines(folder / name, [f"{text} ({place})" for text, place in texts])


FLAGS = {"normalization": "-N", "no_punctuation": "-P", "asian_support": "-A"}
NUMBERS = {"beam_width": "-b", "max_shift_distance": "-d"}


@adapter.metric(
    "ter",
    accepts={
        "max_shift_distance": None,
        "beam_width": None,
        "aggregation": {"pooled", "mean"},
        "lowercase": {True, False},
        "normalization": {"none", "tercom"},
        "no_punctuation": {True, False},
        "asian_support": {True, False},
    },
    defaults={
        "max_shift_distance": 50,
        "beam_width": 20,
        "aggregation": "pooled",
        "lowercase": True,
        "normalization": "none",
        "no_punctuation": False,
        "asian_support": False,
    },
    fixes={
        "search": "greedy",
        "max_shift_size": 10,
        "shift_distance": "alignment",
        "overlapping_shift": "aligned",
        "candidate_limit": "none",
        "beam": "score",
        "direction": "reference-to-hypothesis",
        "multi_reference": "mean-length",
        "empty_reference": "infinity",
        "tokenizer": "ascii-whitespace",
    },
)
def ter(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    aggregation: str = "pooled",
    lowercase: bool = True,
    **parameters: object,
) -> dict[str, float]:
    options = [] if lowercase else ["-s"]
    for name, value in parameters.items():
        if name in NUMBERS:
            options += [NUMBERS[name], str(value)]
        elif value not in (False, "none"):
            options.append(FLAGS[name])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = ["-r", trans(folder, "references", references)]
        files += ["-h", trans(folder, "output", [[text] for text in hypotheses])]
        printed = run([*COMMAND, *files, "-o", "ter,sum", "-n", "result", *options], folder)
        segments = [line.split() for line in (folder / "result.ter").read_text("utf-8").splitlines()[2:]]
        total = (folder / "result.sum").read_text("utf-8").splitlines()[-1]
    rate, edits, words = re.findall(r"[0-9.E-]+|NaN|Infinity", printed.split("Total TER: ")[1].splitlines()[0])
    counts = (int(each) for each in total.split("|")[1:5])
    return {
        "rate": float(rate) if aggregation == "pooled" else fmean(float(segment[-1]) for segment in segments),
        "edits": int(float(edits)),
        "reference_length": float(words),
        **dict(zip(("insertions", "deletions", "substitutions", "shifts"), counts, strict=True)),
    }


OPTIONS = {"normalized": "-N", "no-punctuation": "-P", "asian": "-A"}


@adapter.metric(
    "tokenize",
    accepts={"tokenizer": {"tercom"}, "tercom_options": None, "lowercase": {True, False}},
    defaults={"tokenizer": "tercom", "tercom_options": [], "lowercase": True},
)
def tokenize(
    text: str, tokenizer: str = "tercom", tercom_options: Sequence[str] = (), lowercase: bool = True
) -> list[str]:
    """The words of a hypothesis as its report of alignments shows them."""
    options = [OPTIONS[each] for each in tercom_options] + ([] if lowercase else ["-s"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = ["-r", trans(folder, "references", [[text]]), "-h", trans(folder, "output", [[text]])]
        run([*COMMAND, *files, "-o", "pra", "-n", "result", *options], folder)
        report = (folder / "result.pra").read_text("utf-8")
    shown = report.split("\nOriginal Hyp: ")[1].split("\nHyp After Shift: ")[0]
    return shown.split(" ") if shown else []
