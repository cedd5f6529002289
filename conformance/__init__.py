"""A conformance and adversarial test suite for metrics that score text."""

from conformance.adapter import Adapter, AdapterError, Missing, Unsupported

__all__ = ["Adapter", "AdapterError", "Missing", "Unsupported", "__version__"]

__version__ = "0.1.0"
