"""Sixth stage of the path: texts kept with what finds them, and asked.

:class:`~likewise.index.index.Index` is the door: built, kept on disk in segments, matched against and searched.

=====================  ================================================================================================
what is kept           ``segment`` (texts), ``lists`` (what finds them), ``stable_ids``; ``snapshot`` (one state)
on disk                ``folder``, ``container`` (files of arrays), ``lock``
a query                ``query`` (the language), ``arguments``, ``groups`` of alternatives, ``widen``, ``forgive``,
                       ``spelling``
the answer             ``search``, ``masks`` (what is no hit), ``hits``, ``snippet``
many texts at once     ``batch``, ``match``
=====================  ================================================================================================
"""
