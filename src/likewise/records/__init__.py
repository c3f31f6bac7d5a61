"""Seventh stage of the path: which records of two tables, or of one, are the same.

Everything moves in one direction: records -> distinct texts -> scored pairs -> a decision -> records again.
:class:`~likewise.records.comparison.Comparison` finds scored pairs; a *decision* goes on to say which of them match.
The modules, in that order:

=======================  ==============================================================================================
what is compared         ``options``; ``proposal`` and ``pairing`` (which columns); ``columns``, ``cleaning``, ``kinds``
                         with ``dates`` and ``degrees``; ``measures``; ``build`` puts them together
pairs by their score     ``comparison``, with ``distinct``, ``blocks`` and ``from_right``; ``assignment``; ``threshold``
candidates               ``fields``, ``candidates``, ``copies``, ``together``, and ``further``: how many are enough;
                         ``evidence`` and ``compared`` say what each field says of them
weights of evidence      ``mixture`` and ``contrast`` (two opinions), ``learning``, ``logistic``
probabilities            ``chances``, from ``runner_up``, ``contest`` and ``spacings``; ``relation`` and ``partners``
doubts                   ``checks``, ``strangers``, ``literal``, ``by_texts``
the decision             ``deciding`` makes it, ``decision`` holds it, ``limits`` has its numbers; ``labels`` and
                         ``refit`` correct it, ``model`` keeps it for other tables
clusters                 ``clusters`` by scores, ``linkage`` by evidence; ``survivors``; ``state`` for later records
results                  ``tables`` for people to read, ``matched`` to look through, ``weighed`` for any two records
=======================  ==============================================================================================

How a decision is made is told in ``docs/design/decisions.md``, all else in ``docs/design/match.md``.
"""
