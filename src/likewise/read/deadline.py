"""A limit on the processor time of reading one document, checked between the steps of reading.

Native code cannot be interrupted in a thread: a slow step ends by itself, and then the document is given up. A single
step is bounded by the limits on size, depth and attributes. What counts is processor time, not the time of day, so that
a busy machine skips nothing that an idle one reads.
"""

import time

from likewise.read.skipped import SkipError


class Clock:
    """Started when the reading of a document begins.

    >>> Clock(10).check()
    >>> Clock(0).check()
    Traceback (most recent call last):
    ...
    likewise.read.skipped.SkipError: ('time limit', 'more than 0 s of processor time')
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.thread_time() + seconds

    def check(self) -> None:
        """Give the document up if its time is over."""
        if time.thread_time() > self._end:
            raise SkipError("time limit", f"more than {self._seconds:g} s of processor time")
