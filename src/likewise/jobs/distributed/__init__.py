"""Jobs larger than the memory of one machine: the same core and the same answers, in blocks on an engine.

The stages are modules. Each leaves files in the work folder, so that a run continues where it was stopped:

====================  ========================  ==========================================================
stage                 module                    tables
====================  ========================  ==========================================================
keep the input        ``input, spark_input``    ``left/``, ``right/``, where they are not Parquet already
learn the weights     ``statistics``            ``statistics/``, ``measure.json``
equal records once    ``distinct``              ``kinds/``, ``numbers/``, ``distinct/``, ``sample/``
score the pairs       ``pairs``                 ``pairs/``, ``near/``; ``analysed/`` while it lasts
near-duplicates       ``terms, near``           ``terms/``, ``weighed/``, ``pairs/``: for long texts, instead
assign, threshold     ``partners``              ``partners/``: answers to what one process asks of some records
make clusters         ``groups, review``        ``groups/``, ``labels/``, ``table/``, ``canonical/``, ``review/``
explain the pairs     ``explained``             ``explained/``, when it is asked for
who is in no pair     ``on_demand, unmatched``  ``used/``, ``unmatched/``, when it is asked for
join, merge           ``on_demand``             ``joined/``, ``spread/``, ``merged/``, when they are asked for
====================  ========================  ==========================================================

``match`` and ``dedupe`` put them together; ``link`` does the same for passages, whose ``texts`` stay in files. A
decision has stages of its own: ``facts`` of the columns, ``fields`` with their values, ``early`` copies, ``compared``
candidates, ``judged`` labels; ``decided`` runs them, ``decisions`` gives the results, with ``pair_rows``. ``rows``
answers batches (queries, pairs, questions), ``documents`` and ``corpus`` read files, ``build`` makes an index,
``frames`` is the door for PySpark.

All of them stand on the same few modules: ``asked`` (what a job is given) and ``limits`` (what one process may hold),
``job`` and ``run`` (from beginning to end), ``blocks``, ``sides`` and ``strips`` (how records are cut, read and met),
``fitted`` and ``analysed`` (measures, and texts as they see them), ``components``, ``numbering`` and ``ordered`` (more
than fits in memory), ``part_files`` (what tasks leave). How it stays exact is told in ``docs/design/spark.md``.
"""
