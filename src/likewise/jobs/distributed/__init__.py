"""Jobs beyond the memory of one machine: the same core, the same answers, in blocks on an engine.

The stages, each a module, each leaving files in the work folder, so that a run goes on where it was stopped:

====================  ========================  ==========================================================
stage                 module                    tables
====================  ========================  ==========================================================
keep the input        ``input``                 ``left/``, ``right/``, where they are not Parquet already
learn the weights     ``statistics``            ``statistics/``, ``measure.json``
equal records once    ``distinct``              ``kinds/``, ``numbers/``, ``distinct/``, ``sample/``
score the pairs       ``pairs``                 ``pairs/``, ``near/``; ``analysed/`` while it lasts
near-duplicates       ``terms, near``           ``terms/``, ``weighed/``, ``pairs/``: for long texts, instead
assign, threshold     ``partners``              ``partners/``: answers to what one process asks of some records
make clusters         ``groups``                ``groups/``, ``labels/``, ``table/``, ``canonical/``, ``review/``
explain the pairs     ``explained``             ``explained/``, when it is asked for
who is in no pair     ``on_demand, unmatched``  ``used/``, ``unmatched/``, when it is asked for
join, merge           ``on_demand``             ``joined/``, ``spread/``, ``merged/``, when they are asked for
====================  ========================  ==========================================================

``match`` and ``dedupe`` put them together; ``rows`` answers batches (queries, pairs, questions), ``documents`` reads
files, ``build`` makes an index. ``job`` begins and ends them all. :mod:`likewise.spark` is the door for PySpark users.
How it stays exact is told in ``docs/design/spark.md``.
"""
