"""Copies of the documents with their links put in: *See also* lines and anchors, in the format of the source.

``pointers`` says what is put where; ``markdown``, ``restructured`` and ``html`` put it there; ``folder`` sees to it
that nothing of the user's is touched.
"""

from likewise.results.copies.folder import outdated, write_copies

__all__ = ["outdated", "write_copies"]
