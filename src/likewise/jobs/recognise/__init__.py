"""Paraphrase or not, entailed or not: learn from labelled pairs of texts, decide about others, say why.

:func:`recognise` chooses one measure, or two combined, and a threshold by cross-validation on training pairs and
returns a :class:`Recogniser`, which predicts, explains, and is saved as a JSON file that people can read. Nothing
but the surface of the texts is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# Loaded on first use: the command line reads the options of every job and should not pay for numpy.
_HOME = {
    "RecogniseOptions": ("options", "RecogniseOptions"),
    "Recogniser": ("model", "Recogniser"),
    "recognise": ("fit", "recognise"),
}

__all__ = ["RecogniseOptions", "Recogniser", "recognise"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        module, attribute = _HOME[name]
        return getattr(import_module(f"likewise.jobs.recognise.{module}"), attribute)
    raise AttributeError(f"module 'likewise.jobs.recognise' has no attribute {name!r}")


if TYPE_CHECKING:
    from likewise.jobs.recognise.fit import recognise
    from likewise.jobs.recognise.model import Recogniser
    from likewise.jobs.recognise.options import RecogniseOptions
