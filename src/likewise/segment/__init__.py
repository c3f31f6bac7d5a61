"""Second stage of the path: a Document becomes titles, paragraphs and sentences, each with its span.

:func:`passages` gives the parts of a document with kind, title path and sentences; :func:`sentences` splits any text.
"""

from likewise.segment.passages import KINDS, Passage, blocks, passages
from likewise.segment.sentences import sentences

__all__ = ["KINDS", "Passage", "blocks", "passages", "sentences"]
