"""The subject index in the book: letters, terms, and the passages that treat them."""

import html
from typing import TYPE_CHECKING

from likewise.results.subjects import Place, Subject, letter_of

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook

# Where a term is what the passage is about.
_MAIN = ("glossary", "heading", "definition")


def subject_index(links: "LinkedBook") -> str:
    """Return the index, folded away; nothing for a book that has none."""
    groups = links.subjects.letters()
    if not groups:
        return ""
    jumps = " ".join(f'<a href="#index-{letter}">{letter}</a>' for letter, _ in groups)
    parts = [f'<details class="subjects"><summary>Index</summary>\n<p>{jumps}</p>\n']
    for letter, entries in groups:
        parts.append(f'<h3 id="index-{letter}">{letter}</h3>\n<ul>\n')
        for entry, below in entries:
            inner = "".join(f"<li>{_entry(links, one)}</li>" for one in below)
            parts.append(f"<li>{_entry(links, entry)}{f'<ul>{inner}</ul>' if inner else ''}</li>\n")
        parts.append("</ul>\n")
    return "".join([*parts, "</details>\n"])


def _entry(links: "LinkedBook", subject: Subject) -> str:
    places = ", ".join(_place(links, place) for place in subject.places)
    see = "; ".join(f'<a href="#index-{letter_of(term)}">{html.escape(term)}</a>' for term in subject.see)
    return f"{html.escape(subject.term)}: {places}" + (f"; <i>see also</i> {see}" if see else "")


def _place(links: "LinkedBook", place: Place) -> str:
    main = ' class="main"' if place.why in _MAIN else ""
    label = html.escape(links.label(place.unit), quote=True)
    return f'<a href="#u{place.unit}"{main} title="{label}">{html.escape(_short(links, place.unit))}</a>'


def _short(links: "LinkedBook", unit: int) -> str:
    """What a passage is called in a line of many: its section's title alone."""
    titles = links.unit(unit).titles
    return titles[-1] if titles else links.label(unit)
