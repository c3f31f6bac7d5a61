"""The subject index as a page of its own beside the copies, in the format that most of them have."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from likewise.results.copies.markdown import escaped
from likewise.results.copies.pointers import ENDINGS, Additions, format_of, relative
from likewise.results.copies.restructured import label
from likewise.results.subjects import MADE, Subject, told_apart

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook

NAME = "subject-index"


@dataclass(frozen=True, slots=True)
class _Target:
    """Where a place of the index is: what it may be called, its file, and the anchor there, if it has one."""

    names: tuple[str, ...]
    path: str
    anchor: str


_Reference = Callable[[_Target, str], str]
_Groups = list[tuple[str, list[tuple[Subject, list[Subject]]]]]


def index_pages(links: "LinkedBook", names: list[str], added: Sequence[Additions]) -> dict[str, str]:
    """Return the page by its name, and that of each EPUB by the EPUB's; nothing where there is no index.

    A section that has no anchor is led to by its file alone.
    """
    if not len(links.subjects):
        return {}
    groups: dict[str, list[int]] = {}
    for number, document in enumerate(links.book.documents):
        archive = document.source.partition("#")[0] if document.format == "epub" else ""
        groups.setdefault(archive, []).append(number)
    pages = {}
    starts = links.book.sections().tolist()
    for archive, numbers in groups.items():
        kinds = Counter(_kind(links, number) for number in numbers)
        kind = max(ENDINGS, key=lambda one: kinds[one])
        name = _free(f"{NAME}{ENDINGS[kind][0]}", names)
        here = names[numbers[0]].rpartition("/")[0] + "/" + name if archive else name
        targets: dict[int, _Target] = {}
        for number, first in enumerate(starts):
            unit, start = links.unit(number), links.unit(first)
            same = _kind(links, unit.document) == kind
            if unit.document in numbers and (kind != "restructured" or same):
                anchor = added[unit.document].anchors.get(start.passage, "")
                called = (links.label(number), links.book.path(number))
                targets[number] = _Target(called, relative(here, names[unit.document]), anchor)
        if entries := _kept(links.subjects.letters(), targets):
            pages[archive or name] = _PAGES[kind](entries, targets)
    return pages


def _kind(links: "LinkedBook", document: int) -> str:
    one = links.book.documents[document]
    return format_of(one.format, one.id)


def _free(name: str, names: list[str]) -> str:
    """The name, or one with more dashes that no copy has."""
    taken = {one.lower() for one in names}
    while name.lower() in taken:
        stem, _, ending = name.rpartition(".")
        name = f"{stem}-.{ending}"
    return name


def _kept(groups: _Groups, targets: dict[int, _Target]) -> _Groups:
    """The entries that lead to one of the targets, or have one below them that does."""

    def leads(subject: Subject) -> bool:
        return any(place.unit in targets for place in subject.places)

    kept = [
        (letter, [(one, [sub for sub in below if leads(sub)]) for one, below in entries]) for letter, entries in groups
    ]
    filled = [(letter, [(one, below) for one, below in entries if below or leads(one)]) for letter, entries in kept]
    return [(letter, entries) for letter, entries in filled if entries]


def _line(subject: Subject, targets: dict[int, _Target], plain: Callable[[str], str], to: _Reference) -> str:
    """A term, what treats it, one reference for a section, and other terms."""
    found = dict.fromkeys(targets[place.unit] for place in subject.places if place.unit in targets)
    names = told_apart([one.names for one in found])
    line = plain(subject.term) + (": " + ", ".join(map(to, found, names)) if found else "")
    return line + ("; see also " + ", ".join(map(plain, subject.see)) if subject.see else "")


def _markdown(groups: _Groups, targets: dict[int, _Target]) -> str:
    def to(one: _Target, name: str) -> str:
        return f"[{escaped(name)}]({one.path}{'#' + one.anchor if one.anchor else ''})"

    lines = ["# Index", "", f"*{MADE}*"]
    for letter, entries in groups:
        lines += ["", f"## {letter}", ""]
        for entry, below in entries:
            lines.append(f"- {_line(entry, targets, escaped, to)}")
            lines += [f"    - {_line(one, targets, escaped, to)}" for one in below]
    return "\n".join(lines) + "\n"


def _restructured(groups: _Groups, targets: dict[int, _Target]) -> str:
    def to(one: _Target, name: str) -> str:
        if one.anchor:
            return f":ref:`{label(name)} <{one.anchor}>`"
        return f":doc:`{label(name)} <{one.path.rpartition('.')[0]}>`"

    lines = [":orphan:", "", "Index", "=====", "", f"*{MADE}*"]
    for letter, entries in groups:
        lines += ["", letter, "-" * len(letter)]
        for entry, below in entries:
            lines += ["", f"- {_line(entry, targets, _plain, to)}"]
            lines += ["", *(f"  - {_line(one, targets, _plain, to)}" for one in below)] if below else []
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Words that reStructuredText takes as they are."""
    return "".join(f"\\{one}" if one in "\\*`|_" else one for one in text)


def _html(groups: _Groups, targets: dict[int, _Target]) -> str:
    def to(one: _Target, name: str) -> str:
        return f'<a href="{escape(one.path)}{"#" + one.anchor if one.anchor else ""}">{escape(name)}</a>'

    parts = [
        '<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml">\n'
        f'<head><meta charset="utf-8"/><title>Index</title></head>\n<body>\n<h1>Index</h1>\n<p>{MADE}</p>\n'
    ]
    for letter, entries in groups:
        parts.append(f"<h2>{letter}</h2>\n<ul>\n")
        for entry, below in entries:
            inner = "".join(f"<li>{_line(one, targets, escape, to)}</li>" for one in below)
            parts.append(f"<li>{_line(entry, targets, escape, to)}{f'<ul>{inner}</ul>' if inner else ''}</li>\n")
        parts.append("</ul>\n")
    return "".join([*parts, "</body>\n</html>\n"])


_PAGES = {"markdown": _markdown, "restructured": _restructured, "html": _html}
