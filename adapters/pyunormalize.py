# /// script
# requires-python = ">=3.10"
# dependencies = ["pyunormalize==18.0.0"]
# ///
"""pyunormalize (https://github.com/mlodewijck/pyunormalize): Unicode forms by its own Python code and tables."""

from __future__ import annotations

from importlib.metadata import version

from pyunormalize import NFC, NFD, NFKC, NFKD

from conformance import Adapter

FORMS = {"NFC": NFC, "NFD": NFD, "NFKC": NFKC, "NFKD": NFKD}

adapter = Adapter(
    "pyunormalize",
    version=version("pyunormalize"),
    homepage="https://github.com/mlodewijck/pyunormalize",
    licence="MIT",
)


# Each form is a function of its own, so there is no default.
@adapter.metric("unicode-form", accepts={"form": set(FORMS)}, defaults={"form": "NFC"})
def unicode_form(text: str, form: str = "NFC") -> str:
    converted: str = FORMS[form](text)
    return converted
