"""Factual nuggets: pairs of a date and the sentence fragment that says what happened then, by patterns.

==========================================  ==========================================
pattern                                     nugget
==========================================  ==========================================
In DATE, X did Y.                           DATE, X did Y
X did Y in DATE.                            DATE, X did Y
X (DATE - DATE) is ..., a lifetime apart    first DATE, X was born; last DATE, X died
X (born DATE) ...                           DATE, X was born
X (DATE - DATE) is ..., otherwise           both DATEs, X is ...
==========================================  ==========================================

:func:`nuggets` reads documents and writes the index that :meth:`likewise.jobs.ask.Nuggets.ask` answers from: a folder
with ``nuggets-*.parquet`` (date, text of the date, fragment, source, title of the document, distinct words),
``terms-*.parquet`` and ``titles-*.parquet`` (stem, numbers of nuggets), and a manifest that names those that count.
"""

import dataclasses
import os
import re
import secrets
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise.analyse.dates import Date, dates
from likewise.analyse.question import stems, words
from likewise.errors import StorageError
from likewise.jobs.mine.sentences import split
from likewise.progress import Progress
from likewise.read import ReadOptions, documents
from likewise.read.paths import Paths
from likewise.read.skipped import OnSkip
from likewise.storage import MARKER_NAME, Manifest, atomic_path, checksum, is_ours, mark

FORMAT, VERSION = "likewise nuggets", 3
KINDS = ("nuggets", "terms", "titles")
_LEAST_WORDS, _MOST_WORDS = 3, 60
# "(", perhaps other names or how they are said, perhaps "born".
_OPENING = re.compile(
    r"\(\s*(?:[^()]{0,80}?[;,:]\s*)?(?P<born>born\s+|b\.\s*)?(?:c\.|ca\.|circa|about)?\s*(?:on\s+|in\s+)?$"
)
_DASH = re.compile(r"\W*[–—-]\W*")
# Years that may lie between two dates for them to be a life.
_LIFE = range(12, 115)
_NAME = re.compile(r"^(?:\W|The\s)*((?:[A-Z][\w.'’-]*|of|the|de|van|von|al|I{1,3}|IV|VI{0,3})(?:\s+|$)){1,8}")
# Words before a date that belong to it and not to the fragment.
_BEFORE = re.compile(
    r"(?:\b(?:in|on|since|by|until|from|to|during|around|about|circa|of|and|between)|\bc\.)?"
    r"\s*(?:\bthe\b)?\s*(?:\b(?:early|late|mid)\b-?)?\s*$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r";\s|\s[–—]\s|\s--\s")


@dataclass(frozen=True, slots=True)
class Nugget:
    """What happened at a date: ``date`` in ISO order, ``text`` as found, the fragment, the document."""

    date: str
    text: str
    fragment: str
    source: str
    title: str = ""


def fragments(sentence: str) -> Iterator[tuple[Date, str]]:
    """Yield the dates of a sentence with the fragment that each belongs to.

    >>> [(date.iso, text) for date, text in fragments("In 1947, Bell Labs invented the transistor.")]
    [('1947', 'Bell Labs invented the transistor')]
    >>> text = "Ada Lovelace (10 December 1815 – 27 November 1852) wrote programs."
    >>> [(date.iso, text) for date, text in fragments(text)]
    [('1815-12-10', 'Ada Lovelace was born'), ('1852-11-27', 'Ada Lovelace died')]
    """
    found = list(dates(sentence))
    used: set[Date] = set()
    for place, date in enumerate(found):
        if date not in used:
            for one, text in _parenthesis(sentence, date, found[place + 1] if place + 1 < len(found) else None):
                used.add(one)
                yield one, text
    for date in found:
        if date not in used:
            start, end = _clause(sentence, date)
            left = _BEFORE.sub("", sentence[start : date.span.start]).rstrip(" ,(")
            text = _joined(left, sentence[date.span.end : end].lstrip(" ,)"))
            if text:
                yield date, text


def _parenthesis(sentence: str, date: Date, after: Date | None) -> Iterator[tuple[Date, str]]:
    """Yield what dates in parentheses say of the name before them."""
    opening = _OPENING.search(sentence[: date.span.start])
    if opening is None:
        return
    subject = sentence[: sentence.rfind("(", 0, date.span.start)].strip(" \"'“”‘’,*")
    if not subject or len(subject.split()) > 8 or not _NAME.fullmatch(subject + " "):
        return
    if opening["born"]:
        yield date, f"{subject} was born"
        return
    if after is None or not _DASH.fullmatch(sentence[date.span.end : after.span.start]):
        return
    rest = sentence[after.span.end :].lstrip()
    if not rest.startswith(")"):
        return
    apart = after.year - date.year if date.year is not None and after.year is not None else 0
    if apart in _LIFE and not subject.startswith("The "):
        yield date, f"{subject} was born"
        yield after, f"{subject} died"
        return
    text = _joined(subject, rest.lstrip(" )"))
    if text:
        yield date, text
        yield after, text


def _clause(sentence: str, date: Date) -> tuple[int, int]:
    start, end = 0, len(sentence)
    for cut in _CLAUSE.finditer(sentence):
        if cut.end() <= date.span.start:
            start = cut.end()
        elif cut.start() >= date.span.end:
            end = cut.start()
            break
    return start, end


def _joined(left: str, right: str) -> str:
    """Return the two parts of a fragment as one; nothing if it is too short or too long to say something."""
    text = " ".join(f"{left} {right.rstrip(' .!?,;')}".split())
    return text if _LEAST_WORDS <= len(words(text)) <= _MOST_WORDS else ""


def nuggets(
    paths: Paths,
    output: str | os.PathLike[str],
    *,
    read: ReadOptions | None = None,
    on_skip: OnSkip | None = None,
    progress: Progress | None = None,
) -> int:
    """Read documents and write the index of their nuggets to folder ``output``; return the number of distinct ones."""
    target = Path(output)
    if target.exists() and not (target.is_dir() and (is_ours(target) or not any(target.iterdir()))):
        raise StorageError(f"{target} exists and is no index of nuggets: name another folder")
    collected = _Collected()
    for count, document in enumerate(documents(paths, options=read, on_skip=on_skip)):
        for sentence in split(document):
            for date, fragment in fragments(sentence):
                collected.add(Nugget(date.iso, date.span.of(sentence), fragment, document.id, document.title))
        if progress is not None and count % 64 == 0:
            progress(count, None, "documents")
    _write(target, collected)
    return len(collected.rows)


class _Collected:
    """Distinct nuggets, and which of them have a stem in the fragment or in the title of their document."""

    def __init__(self) -> None:
        self.rows: list[tuple[Nugget, int]] = []
        self.lists: dict[str, dict[str, list[int]]] = {"terms": defaultdict(list), "titles": defaultdict(list)}
        self._seen: set[tuple[str, str]] = set()

    def add(self, nugget: Nugget) -> None:
        """Take a nugget, unless it was there."""
        key = (nugget.date, nugget.fragment)
        if key in self._seen:
            return
        self._seen.add(key)
        distinct = set(stems(words(nugget.fragment)))
        for kind, found in (("terms", distinct), ("titles", set(stems(words(nugget.title))))):
            for one in found:
                self.lists[kind][one].append(len(self.rows))
        self.rows.append((nugget, len(distinct)))

    def table(self) -> pa.Table:
        """Return the nuggets, a column for each field, and how many distinct words they have."""
        names = [field.name for field in dataclasses.fields(Nugget)]
        columns = {name: pa.array([getattr(one, name) for one, _ in self.rows], pa.string()) for name in names}
        return pa.table({**columns, "words": pa.array([size for _, size in self.rows], pa.int32())})


def _listed(postings: dict[str, list[int]]) -> pa.Table:
    ordered = sorted(postings)
    lists = pa.ListArray.from_arrays(
        pa.array(np.cumsum([0, *(len(postings[term]) for term in ordered)]), pa.int32()),
        pa.array([number for term in ordered for number in postings[term]], pa.int32()),
    )
    return pa.table({"term": pa.array(ordered, pa.string()), "nuggets": lists})


def _write(target: Path, collected: _Collected) -> None:
    """Write new files into the folder, then the manifest that names them, then delete those that it does not name.

    Killed at any moment, it leaves what was there before, or what is new.
    """
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"cannot write {target}: {error.strerror or error}") from error
    mark(target)  # before there is a manifest, this says whose folder it is
    tables = [collected.table(), *(_listed(postings) for postings in collected.lists.values())]
    names = {kind: f"{kind}-{secrets.token_hex(8)}.parquet" for kind in KINDS}
    for name, table in zip(names.values(), tables, strict=True):
        with atomic_path(target / name) as path:
            pq.write_table(table, path, compression="zstd", row_group_size=1 << 20)
    files = {name: checksum(target / name) for name in names.values()}
    Manifest(FORMAT, VERSION, dict(names), files).write(target)
    for path in target.iterdir():
        earlier = path.name.lstrip(".").startswith(KINDS) and path.name not in files
        if earlier or path.name == MARKER_NAME:
            path.unlink()
