"""Progress of long work: what jobs report, and what a caller may do about it.

A progress callback is any callable ``(done, total, unit)``. It is called now and then from the thread that called the
job; raising an exception in it stops the work (:class:`likewise.Cancelled` says so politely).
"""

from typing import Protocol


class Progress(Protocol):
    """Called with how much is done, of how much (``None``: unknown), and of what."""

    def __call__(self, done: int, total: int | None, unit: str, /) -> None:
        """Take note, or raise to stop the work."""
