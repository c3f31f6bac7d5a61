"""Readers of gold data in the formats in which it is published; the files are read where they lie.

Two nouns come out: :class:`GoldSet` (two series of texts and the pairs between them that belong together: entity
resolution and retrieval) and :class:`~likewise.quality.pairs.LabelledPairs` (pairs of
texts with a yes or no: paraphrase, entailment).
:mod:`~likewise.evaluate.gold.collections` knows the data sets by name.
"""

from likewise.evaluate.gold.sets import GoldSet

__all__ = ["GoldSet"]
