"""Sixth stage of the path: texts kept with what finds them, and asked.

:class:`~likewise.index.index.Index` is the door: built, kept on disk in segments, matched against and searched.
"""
