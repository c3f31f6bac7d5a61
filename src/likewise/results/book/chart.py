"""The map of links: passages around a circle in reading order, chapters as arcs, links as chords by strength."""

import html
import math
from typing import TYPE_CHECKING

from likewise.results.book.data import level

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook

RADIUS = 300
# A chapter with at least one in so many passages has its name beside its arc; others are named below the map.
_LABELLED = 60


def chapters(links: "LinkedBook") -> list[tuple[str, int, int]]:
    """Return name, first unit and the unit behind the last of each chapter: a document, or a top title of one."""
    units = links.book.units
    several = len(links.book.documents) > 1
    found: list[tuple[str, int, int]] = []
    before: object = None
    for number, unit in enumerate(units):
        document = links.book.documents[unit.document]
        key = unit.document if several else unit.titles[:1]
        if key != before:
            name = document.title or document.id if several else "".join(unit.titles[:1])
            found.append((name, number, number + 1))
            before = key
        else:
            found[-1] = (found[-1][0], found[-1][1], number + 1)
    return found


def chart(links: "LinkedBook") -> str:
    """Return the map as SVG; each strength is one path, so that thousands of links stay light."""
    count = max(len(links.book.units), 1)
    size = sum(not link.copy for link in links.links)
    chords: dict[str, list[str]] = {}
    for link in links.links:
        name = "copies" if link.copy else f"l{level(link, size)}"
        name += " strongest" * link.strongest + " neighbours" * link.neighbours
        x1, y1 = _point(link.left, count)
        x2, y2 = _point(link.right, count)
        # Neighbours would have no visible chord: the nearer two passages are, the less the curve is drawn inwards.
        pull = 0.25 * (1 - abs(math.sin(math.pi * (link.right - link.left) / count)))
        mx, my = (x1 + x2) * (0.15 + pull), (y1 + y2) * (0.15 + pull)
        chords.setdefault(name, []).append(f"M{x1:.1f} {y1:.1f}Q{mx:.1f} {my:.1f} {x2:.1f} {y2:.1f}")
    parts = [
        f'<svg id="chart" viewBox="-360 -360 720 720" role="group" aria-label="Map of {size} links between {count} '
        'passages, passages around a circle in reading order">'
    ]
    parts += [f'<path class="chord {name}" d="{"".join(chords[name])}"/>' for name in sorted(chords, key=_depth)]
    parts.append('<path id="chosen" class="chord" d=""/>')
    for number, (name, first, last) in enumerate(chapters(links)):
        parts.append(_arc(name, first, last, count, number))
    parts.append(
        '</svg>\n<p id="arc" aria-live="polite">Chapters lie around the map; the one you point at is named here.</p>'
    )
    return "".join(parts)


def _depth(name: str) -> int:
    """Strong links lie above weak ones."""
    return int(name.split()[0].removeprefix("l")) if name.startswith("l") else 0


def _point(unit: float, count: int, radius: float = RADIUS) -> tuple[float, float]:
    angle = 2 * math.pi * (unit + 0.5) / count - math.pi / 2
    return radius * math.cos(angle), radius * math.sin(angle)


def _arc(name: str, first: int, last: int, count: int, number: int) -> str:
    x1, y1 = _point(first - 0.5, count, RADIUS + 6)
    x2, y2 = _point(last - 0.5 - 0.001 * (last - first), count, RADIUS + 6)
    wide = int((last - first) * 2 > count)
    title = html.escape(name)
    curve = f"M{x1:.1f} {y1:.1f}A{RADIUS + 6} {RADIUS + 6} 0 {wide} 1 {x2:.1f} {y2:.1f}"
    arc = f'<path class="arc a{number % 2}" d="{curve}"/>'
    text = ""
    if (last - first) * _LABELLED > count:
        middle = (first + last - 1) / 2
        x, y = _point(middle, count, RADIUS + 14)
        turn = 360 * (middle + 0.5) / count - 90
        anchor, angle = ("start", turn) if -90 <= turn <= 90 else ("end", turn + 180)
        short = html.escape(name if len(name) <= 9 else name[:8] + "…")
        place = f'x="{x:.1f}" y="{y:.1f}" transform="rotate({angle:.1f} {x:.1f} {y:.1f})"'
        text = f'<text {place} text-anchor="{anchor}">{short}</text>'
    return f'<a href="#u{first}"><title>{title}</title>{arc}{text}</a>'
