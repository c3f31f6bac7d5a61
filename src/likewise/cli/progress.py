"""The progress bar of a command: only where somebody watches."""

import contextlib
import sys
from collections.abc import Iterator

from likewise.progress import Progress, drawn_bar


@contextlib.contextmanager
def progress_bar(label: str, quiet: bool = False) -> Iterator[Progress | None]:
    """Give a progress callback that draws on a terminal's stderr, or ``None`` where stderr is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    with drawn_bar(label) as bar:
        yield bar
