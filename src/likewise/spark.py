"""The door for PySpark: DataFrames in, DataFrames out, the same pairs and scores as on one machine.

>>> from likewise.spark import dedupe, match                                            # doctest: +SKIP
>>> match(customers, register, on="name", top=3).write.parquet("pairs")                 # doctest: +SKIP
>>> dedupe(customers, on="name", min_score=0.8).table.write.parquet("clusters")         # doctest: +SKIP

Executors need the same Likewise and must see the work folder under the same path; the driver holds the vocabulary and
counts, never texts or pairs.
"""

from likewise.jobs.distributed.frames import (
    DedupedFrames,
    ask,
    build_index,
    dedupe,
    documents,
    link,
    match,
    predict,
    search,
)

__all__ = ["DedupedFrames", "ask", "build_index", "dedupe", "documents", "link", "match", "predict", "search"]
