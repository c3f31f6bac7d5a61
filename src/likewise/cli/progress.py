"""The progress of a command: a bar on a terminal, else a line now and then."""

import contextlib
import sys
from collections.abc import Iterator

from likewise.progress import Progress, drawn_bar, written_lines


@contextlib.contextmanager
def progress_bar(label: str, quiet: bool = False) -> Iterator[Progress | None]:
    """Give a progress callback that draws on a terminal's stderr, or writes a line each minute where it is none."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with drawn_bar(label) as bar:
            yield bar
    else:
        yield written_lines(label)
