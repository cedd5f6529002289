# /// script
# requires-python = ">=3.10"
# dependencies = ["rouge-score-rs==0.2.1"]
# ///
"""rouge-score-rs (https://github.com/SyntaxSpirits/rougers): rouge-score's measures in Rust."""

from __future__ import annotations

from importlib.metadata import version

from rouge_score_rs.rouge_scorer import RougeScorer
from rouge_score_rs.tokenizers import DefaultTokenizer

from conformance import Adapter
from conformance.rouge_scorers import plug

adapter = Adapter(
    "rouge-score-rs",
    version=version("rouge-score-rs"),
    homepage="https://github.com/SyntaxSpirits/rougers",
    licence="Apache-2.0",
)
plug(adapter, RougeScorer, DefaultTokenizer)
