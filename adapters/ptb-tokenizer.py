# /// script
# requires-python = ">=3.10"
# dependencies = ["pycocoevalcap==1.2"]
# ///
"""The caption code's tokenizer: Stanford's PTBTokenizer, a Java program, and a list of what is dropped of its tokens.

It is asked for one caption at a time, each with a process of its own, as the caption code starts it.
"""

from __future__ import annotations

import shutil
from importlib.metadata import version

from conformance import Adapter, Missing

if shutil.which("java") is None:
    raise Missing("Stanford's tokenizer is a Java program, and there is no java: apt-get install default-jre-headless")

from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

adapter = Adapter(
    "ptb-tokenizer",
    version=version("pycocoevalcap"),
    homepage="https://github.com/salaniz/pycocoevalcap",
    language="java",
    licence="GPL (Stanford CoreNLP 3.4.1)",
)


@adapter.metric(
    "tokenize",
    accepts={"dropped": {"caption-punctuation"}},
    defaults={"dropped": "caption-punctuation"},
    fixes={"lowercase": True, "stemming": "none"},
)
def tokenize(text: str, dropped: str = "caption-punctuation") -> list[str]:
    (caption,) = PTBTokenizer().tokenize({0: [{"caption": text}]})[0]
    return caption.split(" ") if caption else []
