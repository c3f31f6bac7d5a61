"""``likewise demo``: every job on text that Python ships."""

from pathlib import Path
from typing import Annotated

import typer


def demo(
    folder: Annotated[Path, typer.Argument(help="Where the results go.")] = Path("demo"),
    chapters: Annotated[str, typer.Option(help="Only these chapters, separated by commas.")] = "",
    serve: Annotated[bool, typer.Option("--serve", help="Then open the web pages on the results.")] = False,
    port: Annotated[int, typer.Option(help="With --serve: port to listen on; 0 takes a free one.")] = 8765,
) -> None:
    """Run every job on real text that Python ships; takes a minute or two and needs no data.

    The results go to a folder, with a page about them (index.html). With --serve the web pages open on that folder.
    """
    from rich.console import Console

    from likewise import demo as job
    from likewise.errors import OptionError

    wanted = tuple(filter(None, chapters.split(","))) or job.CHAPTERS
    for name in wanted:
        if name not in job.CHAPTERS:
            raise OptionError(f"chapters must be among {', '.join(job.CHAPTERS)}, not {name!r}")
    console = Console(highlight=False, record=True)
    seconds = job.demo(folder, console, wanted)
    console.print(
        f"Done in {sum(seconds.values()):.0f} s. Results are in {folder}/, a page about them is index.html there."
    )
    if serve:
        from likewise.cli.serve import open_pages
        from likewise.serve.settings import ServeOptions

        open_pages(folder, ServeOptions(port=port))
        return
    console.print(f"Next: likewise serve {folder}, likewise --help, or likewise COMMAND --help.")
