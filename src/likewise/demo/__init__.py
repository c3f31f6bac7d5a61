"""The first minute of every newcomer: every job, on real text that Python ships.

Each chapter is a module of this package with a function ``chapter(demo)``: it says what it does, shows what it finds,
and leaves its results in ``demo.folder``. :data:`CHAPTERS` is their order.
"""

import time
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.errors import MissingExtraError
from likewise.targets import check_target, mark

if TYPE_CHECKING:
    from rich.console import Console

CHAPTERS = ("compare", "match", "dedupe", "link", "search", "mine", "recognise")


NEXT = (
    'likewise compare "one text" "another text" --explain',
    "likewise match left.csv right.csv --on name -o pairs.csv",
    "likewise link BOOK -o book.html",
    "likewise serve FOLDER",
)


@dataclass(frozen=True, slots=True)
class Demo:
    """Where a chapter shows and keeps what it finds."""

    folder: Path
    console: "Console"

    def title(self, text: str) -> None:
        """Begin a chapter."""
        self.console.rule(f"[bold]{text}", align="left")

    def say(self, text: str) -> None:
        """Say something in plain words."""
        self.console.print(text, highlight=False)

    def command(self, text: str) -> None:
        """Show the command that does the same."""
        self.console.print(f"  $ {text}", style="cyan", highlight=False, markup=False, soft_wrap=True)


def demo(folder: Path, console: "Console", chapters: tuple[str, ...] = CHAPTERS) -> dict[str, float]:
    """Run the chapters, write a page about them to ``index.html``, and return the seconds that each took.

    What the page shows is what the console recorded (``Console(record=True)``).
    """
    from likewise.report.site import Chapter, write_site

    check_target(folder, force=True)
    folder.mkdir(parents=True, exist_ok=True)
    mark(folder)
    seconds = {}
    told = []
    for name in chapters:
        started = time.perf_counter()
        try:
            import_module(f"likewise.demo.{name}").chapter(Demo(folder, console))
        except MissingExtraError as error:
            console.print(f"Left out: {error}", markup=False)
        seconds[name] = time.perf_counter() - started
        console.print(f"({seconds[name]:.1f} s)\n", style="dim")
        told.append(Chapter(name, seconds[name], console.export_text() if console.record else ""))
    write_site(folder, "Likewise, on text that Python ships", told, NEXT)
    return seconds
