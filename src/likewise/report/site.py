"""A small site of one page: what was done, chapter by chapter, and what came out. No script, no network."""

import csv
import html
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from likewise.results.page import head, tail
from likewise.said import size_of
from likewise.storage import atomic_write

_ROWS = 8


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of a run: its name, how long it took, and what it said."""

    name: str
    seconds: float
    said: str


def write_site(folder: Path, title: str, chapters: Sequence[Chapter], next_steps: Sequence[str] = ()) -> Path:
    """Write ``index.html`` into a folder of results and return its path.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> page = write_site(place, "Demo", [Chapter("compare", 0.1, "a < b")]).read_text()
    >>> "a &lt; b" in page, "<script" in page
    (True, False)
    """
    style = files("likewise.report").joinpath("site.css").read_text(encoding="utf-8")
    parts = [
        head(title, style) + "<main>\n",
        f"<h1>{html.escape(title)}</h1>\n<ul class='cards'>\n",
    ]
    parts += [
        f'<li><a href="#{html.escape(one.name)}">{html.escape(one.name)}</a> {one.seconds:.1f} s</li>\n'
        for one in chapters
    ]
    parts.append("</ul>\n")
    for one in chapters:
        name = html.escape(one.name)
        said = html.escape(one.said.strip())
        parts.append(
            f'<section id="{name}">\n<h2>{name.capitalize()}</h2>\n<pre tabindex="0">{said}</pre>\n</section>\n'
        )
    parts.append("<h2>Results</h2>\n<ul>\n")
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name == "index.html":
            continue
        name = html.escape(path.name, quote=True)
        size = size_of(path.stat().st_size) if path.is_file() else "folder"
        parts.append(f'<li><a href="{name}{"/" if path.is_dir() else ""}">{name}</a> <span>{size}</span></li>\n')
    parts.append("</ul>\n")
    for path in sorted(folder.glob("*.csv")):
        parts.append(f"<h3>{html.escape(path.name)}, the first rows</h3>\n{_table(path)}")
    if next_steps:
        parts.append("<h2>Next</h2>\n<ul>\n")
        parts += [f"<li><code>{html.escape(step)}</code></li>\n" for step in next_steps]
        parts.append("</ul>\n")
    parts.append("</main>\n" + tail())
    with atomic_write(folder / "index.html", "w", encoding="utf-8") as file:
        file.writelines(parts)
    return folder / "index.html"


def _table(path: Path) -> str:
    with open(path, encoding="utf-8", newline="") as file:
        rows = [row for row, _ in zip(csv.reader(file), range(_ROWS + 1), strict=False)]
    cells = [
        "".join(f"<{'td' if number else 'th'}>{html.escape(cell)}</{'td' if number else 'th'}>" for cell in row)
        for number, row in enumerate(rows)
    ]
    return '<div class="scroll" tabindex="0"><table>' + "".join(f"<tr>{row}</tr>" for row in cells) + "</table></div>\n"
