"""The door for PySpark: DataFrames in, DataFrames out, the same pairs and scores as on one machine.

>>> from likewise.spark import match                                                    # doctest: +SKIP
>>> match(customers, register, on="name", top=3).write.parquet("pairs")                 # doctest: +SKIP

Executors need the same Likewise and must see the work folder under the same path; the driver holds the vocabulary and
counts, never texts or pairs.
"""

from likewise.jobs.distributed.frames import match

__all__ = ["match"]
