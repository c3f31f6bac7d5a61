"""Progress of long work: what jobs report, and what a caller may do about it.

A progress callback is any callable ``(done, total, unit)``. It is called now and then from the thread that called the
job; raising an exception in it stops the work (:class:`likewise.Cancelled` says so politely). ``progress=True`` draws a
bar on stderr, in a terminal and in a notebook; what a command writes to a file or a pipe is a line each minute.

Who starts work in another thread (a service) can stop it: the work runs under :func:`stopped_by` with an event, and
:func:`stop_if_asked` raises :class:`likewise.Cancelled` once that is set. The core asks ten times a second, Python
stages that can be long ask in their loops. There, work of which there is much beside it rests while the others have
their turns.
"""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Protocol

from likewise.errors import Cancelled, OptionError

_EVERY = 60.0  # seconds between two lines of progress
_SHORTEST_REST, _LONGEST_REST = 0.001, 1.0  # seconds; less is added to the next
_asked: ContextVar["_Watched | None"] = ContextVar("asked", default=None)


class _Watched:
    """Work that may be stopped, and that rests for those beside it."""

    def __init__(self, asked: threading.Event, beside: Callable[[], int]) -> None:
        self.asked, self.beside = asked, beside
        self._since: float | None = None  # the processor time of the thread when it last rested

    def look(self) -> bool:
        """Rest as long as the others work while this one did, or raise; return whether it is one that takes long."""
        long = self.beside()
        rest = self._rest(long - 1) if long > 1 else 0.0
        if self.asked.wait(rest) if rest else self.asked.is_set():
            raise Cancelled("the work was stopped")
        return long > 0

    def _rest(self, others: int) -> float:
        now = time.thread_time()
        if self._since is None:  # a thread may have worked for others before
            self._since = now
        rest = min(others * (now - self._since), _LONGEST_REST)
        if rest < _SHORTEST_REST:
            return 0.0
        self._since = now
        return rest


class Progress(Protocol):
    """Called with how much is done, of how much (``None``: unknown), and of what."""

    def __call__(self, done: int, total: int | None, unit: str, /) -> None:
        """Take note, or raise to stop the work."""


@contextlib.contextmanager
def stopped_by(asked: threading.Event, beside: Callable[[], int] = lambda: 0) -> Iterator[None]:
    """Let an event stop the work that is done meanwhile, in this context and in those copied from it.

    ``beside`` says how many take long, itself among them, once it does. Python threads get equal shares of the
    interpreter, and many that work for long would leave little to the rest: so they share the time of one, and threads
    of the core get what others leave.

    >>> asked = threading.Event()
    >>> with stopped_by(asked):
    ...     stop_if_asked()
    ...     asked.set()
    ...     stop_if_asked()
    Traceback (most recent call last):
    ...
    likewise.errors.Cancelled: the work was stopped
    """
    before = _asked.set(_Watched(asked, beside))
    try:
        yield
    finally:
        _asked.reset(before)


def stop_if_asked() -> bool:
    """Raise :class:`likewise.Cancelled` where the event of :func:`stopped_by` is set; tell whether this takes long."""
    watched = _asked.get()
    return watched is not None and watched.look()


def counted(progress: Progress | None, unit: str) -> Callable[[int, int], None] | None:
    """Return the callback ``(done, total)`` that the core calls, for one of ours."""
    return None if progress is None else lambda done, total: progress(done, total, unit)


@contextlib.contextmanager
def shown_progress(progress: Progress | bool | None, label: str) -> Iterator[Progress | None]:
    """Give the callback that ``progress`` stands for: itself, a bar (``True``), or none.

    >>> with shown_progress(False, "match") as call:
    ...     print(call)
    None
    """
    if progress is None or progress is False:
        yield None
    elif progress is True:
        with drawn_bar(label) as bar:
            yield bar
    elif callable(progress) and not isinstance(progress, type):
        yield progress
    else:
        raise OptionError(f"progress must be True, or a function of (done, total, unit), not {progress!r}")


@contextlib.contextmanager
def drawn_bar(label: str) -> Iterator[Progress]:
    """Give a progress callback that draws a bar on stderr: how much, how fast, how long still."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    # A notebook is no terminal, and rich would need ipywidgets for a bar there; it gets the last state as a line.
    with Bar(*columns, console=Console(stderr=True, force_jupyter=False), transient=True) as bar:
        task = bar.add_task(label, total=None, rate="")
        last = [0]

        def step(done: int, total: int | None, unit: str, /) -> None:
            if done < last[0]:  # a new stage of the same job
                bar.reset(task)
            last[0] = done
            bar.update(task, completed=done, total=total, description=f"{label}: {unit}")
            speed = bar.tasks[0].speed
            bar.update(task, rate=f"{speed:,.0f}/s" if speed else "")

        yield step


def written_lines(label: str, clock: Callable[[], float] = time.monotonic) -> Progress:
    """Return a progress callback that writes a line to stderr each minute: for logs, where a bar is nothing to read.

    >>> import contextlib, io
    >>> minutes = iter([0.0, 0.5, 1.1, 1.2, 2.2])
    >>> with contextlib.redirect_stderr(io.StringIO()) as log:
    ...     step = written_lines("match", lambda: next(minutes) * 60)
    ...     for done in (10, 20, 30, 40):
    ...         step(done, 50, "texts")
    >>> print(log.getvalue(), end="")
    match: 20 of 50 texts after 1 minute
    match: 40 of 50 texts after 2 minutes
    """
    begun = clock()
    said = [begun]

    def step(done: int, total: int | None, unit: str, /) -> None:
        now = clock()
        if now - said[0] < _EVERY:
            return
        said[0] = now
        minutes = round((now - begun) / 60)
        much = f"{done:,} {unit}" if total is None else f"{done:,} of {total:,} {unit}"
        print(f"{label}: {much} after {minutes} minute{'' if minutes == 1 else 's'}", file=sys.stderr, flush=True)

    return step
