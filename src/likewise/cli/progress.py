"""A progress bar on stderr: how much, how fast, how long still. Only where somebody watches."""

import contextlib
import sys
from collections.abc import Iterator

from likewise.progress import Progress


@contextlib.contextmanager
def progress_bar(label: str, quiet: bool = False) -> Iterator[Progress | None]:
    """Give a progress callback that draws on a terminal's stderr, or ``None`` where stderr is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
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
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
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
