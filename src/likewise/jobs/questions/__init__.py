"""When-questions: dates with what happened then are collected from documents into an index, which answers.

Collecting: ``fragments`` cuts sentences at their dates, ``other_names`` says how else a document calls its subject,
``nuggets`` does it shard by shard, ``files`` are what it writes.

Asking: ``asked`` reads the question, ``ask`` finds the nuggets that have most of it, ``matching`` and ``ordinals`` say
how well each has a word, ``figures`` what that is worth, and ``answers`` adds up those of one date. ``options`` has the
defaults.
"""
