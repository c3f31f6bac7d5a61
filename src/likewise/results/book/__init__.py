"""The stand-alone HTML book: the linked text, its links beside it, and a map of them, in one file without network.

``page`` writes the HTML that works without scripts, ``chart`` the map, ``data`` what the script needs; ``book.css`` and
``book.js`` go into the file as they are.
"""

from likewise.results.book.page import render, write_book

__all__ = ["render", "write_book"]
