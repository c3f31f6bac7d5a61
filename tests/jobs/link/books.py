"""The books that the tests of linking share."""

import pydoc_data.topics
from importlib.resources import files

from likewise.read import Document

STOP = set(files("likewise.analyse").joinpath("smart-571.txt").read_text(encoding="utf-8").split())
TOPICS = ["assert", "async", "break", "class", "continue", "del", "import", "raise", "return", "with"]
PLAIN = {"faithful": True}


def topics():
    """Ten chapters of the Python manual."""
    return [Document(name, pydoc_data.topics.topics[name][:6000]) for name in TOPICS]
