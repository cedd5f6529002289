# /// script
# requires-python = ">=3.10"
# dependencies = ["torch==2.13.0"]
#
# [tool.conformance]
# environment = "torch"
# installer = "pip"
# ///
"""PyTorch (https://pytorch.org): perplexity from its cross-entropy, as a training loop computes it.

Logits are made double before the loss, losses and targets are summed over batches, and the shift to the next
label is the caller's, here as in any loop.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

import torch
from torch.nn.functional import cross_entropy, nll_loss

from conformance import Adapter, Unsupported

adapter = Adapter(
    "torch", version=version("torch").partition("+")[0], homepage="https://pytorch.org", licence="BSD-3-Clause"
)


def losses(logits: Any, labels: Any, shift: int, ignored: dict[str, int]) -> Iterator[tuple[float, int]]:
    """The sum of the losses and the number of targets of each batch."""
    several = isinstance(logits[0][0][0], list)
    for scores, wanted in zip(logits, labels, strict=True) if several else [(logits, labels)]:
        inputs = torch.tensor(scores, dtype=torch.float64)
        targets = torch.tensor(wanted)
        inputs, targets = inputs[:, : inputs.shape[1] - shift], targets[:, shift:]
        loss = cross_entropy(inputs.flatten(0, 1), targets.flatten(), reduction="sum", **ignored)
        counted = targets != ignored.get("ignore_index", -100)
        yield loss.item(), int(counted.sum())


def of_logarithms(batches: Sequence[Any]) -> Iterator[tuple[float, int]]:
    """The same from the logarithms of the targets' probabilities."""
    for batch in batches if batches and isinstance(batches[0], list) else [batches]:
        values = torch.tensor(batch, dtype=torch.float64)
        yield (
            nll_loss(values.unsqueeze(1), torch.zeros(len(batch), dtype=torch.int64), reduction="sum").item(),
            len(batch),
        )


@adapter.metric(
    "perplexity",
    given=["probabilities", "log_probabilities", "logits", "labels"],
    accepts={"alignment": {"next", "same"}, "ignored_label": None},
    defaults={"alignment": "next", "ignored_label": -100},
    fixes={"logarithm": "natural", "exponential": "same", "aggregation": "pooled", "no_targets": "nan"},
)
def perplexity(
    probabilities: Any = None,
    log_probabilities: Any = None,
    logits: Any = None,
    labels: Any = None,
    alignment: str = "next",
    ignored_label: int | None = None,
) -> dict[str, Any]:
    if sum(each is not None for each in (probabilities, log_probabilities, logits)) > 1:
        raise Unsupported("one loss has one kind of input")
    if logits is not None and labels is not None:
        ignored = {} if ignored_label is None else {"ignore_index": ignored_label}
        sums = list(losses(logits, labels, int(alignment == "next"), ignored))
    elif probabilities is not None:
        several = probabilities and isinstance(probabilities[0], list)
        batches = probabilities if several else [probabilities]
        sums = list(of_logarithms([torch.tensor(each, dtype=torch.float64).log().tolist() for each in batches]))
    elif log_probabilities is not None:
        sums = list(of_logarithms(log_probabilities))
    else:
        raise Unsupported("cross-entropy takes logits and labels together")
    total, targets = sum(loss for loss, _ in sums), sum(count for _, count in sums)
    mean = torch.tensor(total, dtype=torch.float64) / targets
    return {
        "perplexity": mean.exp().item(),
        "nll": mean.item() if targets else math.nan,
        "total_nll": total,
        "targets": targets,
    }
