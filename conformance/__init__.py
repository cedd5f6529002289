"""A conformance and adversarial test suite for metrics that score text."""

from conformance.adapter import Adapter, AdapterError, Unsupported

__all__ = ["Adapter", "AdapterError", "Unsupported", "__version__"]

__version__ = "0.1.0"
