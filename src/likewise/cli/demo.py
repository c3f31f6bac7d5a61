"""``likewise demo``: every job on text that Python ships."""

from pathlib import Path
from typing import Annotated

import typer


def demo(
    folder: Annotated[Path, typer.Argument(help="Where the results go.")] = Path("demo"),
    chapters: Annotated[str, typer.Option(help="Only these chapters, separated by commas.")] = "",
) -> None:
    """Run every job on real text that Python ships; takes a minute or two and needs no data of yours."""
    from rich.console import Console

    from likewise.errors import OptionError
    from likewise.jobs import demo as job

    wanted = tuple(filter(None, chapters.split(","))) or job.CHAPTERS
    for name in wanted:
        if name not in job.CHAPTERS:
            raise OptionError(f"chapters must be among {', '.join(job.CHAPTERS)}, not {name!r}")
    console = Console(highlight=False)
    seconds = job.demo(folder, console, wanted)
    console.print(f"Done in {sum(seconds.values()):.0f} s. Results are in {folder}/.")
    console.print("Next: likewise --help, or likewise COMMAND --help.")
