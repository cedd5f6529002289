# /// script
# requires-python = ">=3.10"
# dependencies = ["uniseg==0.10.1"]
# ///
"""uniseg (https://bitbucket.org/emptypage/uniseg-py): grapheme clusters by its own Python code and tables."""

from __future__ import annotations

from importlib.metadata import version

from uniseg.graphemecluster import grapheme_clusters

from conformance import Adapter

adapter = Adapter(
    "uniseg", version=version("uniseg"), homepage="https://bitbucket.org/emptypage/uniseg-py", licence="MIT"
)


@adapter.metric(
    "tokenize", accepts={"tokenizer": {"grapheme"}}, defaults={"tokenizer": "grapheme"}, fixes={"lowercase": False}
)
def tokenize(text: str, tokenizer: str = "grapheme") -> list[str]:
    # White space is a cluster to it as well; the convention leaves it out, as that of characters does.
    return [cluster for cluster in grapheme_clusters(text) if not cluster.isspace()]
