"""Match and dedupe beyond the memory of one machine: the same core, the same answers, in blocks on an engine.

The stages, each a module, each leaving files in the work folder, so that a run goes on where it was stopped:

====================  ==============================================  ==============================
stage                 module                                          table
====================  ==============================================  ==============================
keep the input        :mod:`likewise.jobs.distributed.blocks`         ``left/``, ``right/``
learn the weights     :mod:`likewise.jobs.distributed.statistics`     ``statistics/*.parquet``, ``measure.json``
score the pairs       :mod:`likewise.jobs.distributed.pairs`          ``pairs/*.parquet``
====================  ==============================================  ==============================

:mod:`likewise.spark` is the door for PySpark users. How it stays exact is told in ``docs/design/spark.md``.
"""
