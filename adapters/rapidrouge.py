# /// script
# requires-python = ">=3.10"
# dependencies = ["rapidrouge==0.2.0", "nltk==3.10.0"]
# ///
"""rapidrouge (https://github.com/williambrach/rapidrouge): rouge-score's measures, by faster code."""

from __future__ import annotations

from importlib.metadata import version

from rapidrouge.rouge_scorer import RougeScorer
from rapidrouge.tokenizers import DefaultTokenizer

from conformance import Adapter
from conformance.rouge_scorers import plug

adapter = Adapter(
    "rapidrouge",
    version=version("rapidrouge"),
    homepage="https://github.com/williambrach/rapidrouge",
    licence="Apache-2.0",
)
plug(adapter, RougeScorer, DefaultTokenizer)
