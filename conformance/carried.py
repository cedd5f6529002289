"""Data that a package carries for another library: it is installed without its dependencies, and never imported."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution

NLTK_DATA = ("llama-index-core", "llama_index/core/_static/nltk_cache")
"""The package, and where NLTK's sentence model punkt_tab lies in it."""


def nltk_data() -> list[str]:
    """The folders that NLTK is to look in besides its own: one where the package is installed, else none."""
    package, folder = NLTK_DATA
    try:
        return [str(distribution(package).locate_file(folder))]
    except PackageNotFoundError:
        return []
