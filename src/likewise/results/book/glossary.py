"""The glossary in the book: its terms lead from the text to their entries, and the entries back into the text."""

import html
from typing import TYPE_CHECKING

from likewise.read import Mark
from likewise.results.book.marks import GLOSSARY

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook


def glossary_marks(links: "LinkedBook") -> dict[int | None, list[Mark]]:
    """Return for each passage the terms in it that lead to an entry."""
    found: dict[int | None, list[Mark]] = {}
    for entry in links.glossary:
        for use in entry.uses:
            found.setdefault(use.unit, []).append(Mark(GLOSSARY, use.span, f"#u{entry.unit}"))
    return found


def glossary_lines(links: "LinkedBook") -> dict[int | None, str]:
    """Return what stands below an entry: the passages that treat the term, and the entries that it speaks of."""
    names = {entry.unit: entry.term for entry in links.glossary}
    found: dict[int | None, str] = {}
    for entry in links.glossary:
        treated = [_link(place.unit, links.label(place.unit)) for place in entry.treated]
        see = [_link(unit, names[unit]) for unit in entry.see]
        parts = [f"{said}: {'; '.join(to)}" for said, to in (("In the text", treated), ("See also", see)) if to]
        if parts:
            found[entry.unit] = f'<p class="entry">{". ".join(parts)}.</p>\n'
    return found


def _link(unit: int, label: str) -> str:
    return f'<a href="#u{unit}">{html.escape(label)}</a>'
