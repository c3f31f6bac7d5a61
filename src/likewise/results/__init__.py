"""What jobs return, and how it is written: every result is a :class:`~likewise.results.base.Result`, a table at heart.

=====================  ================================================================================================
what all share         ``base``, ``tables`` (written), ``workbook``, ``notebook``, ``parts`` (larger than memory),
                       ``fingerprint``, ``page`` (the frame of HTML files)
records                ``matches`` and ``joined``, ``clusters``, ``groups``; ``in_parts`` from an engine; ``threshold``,
                       ``decisions`` with ``decision_report`` and ``decision_charts``
links                  ``links``, ``link_tables``, ``link_decisions``, ``graphml``, ``sentence_list``; ``linked_book``,
                       ``units``, ``subjects``, ``glossary``; ``book`` as HTML, ``copies`` of the documents
paraphrases            ``paraphrases``, ``synonyms``
reports of a run       ``run_report``, ``stage_report``
=====================  ================================================================================================
"""
