"""Factual nuggets: pairs of a date and the sentence fragment that says what happened then, by patterns
(Paşca and Dienes 2005, section 4.3).

==========================================  ==========================================
pattern                                     nugget
==========================================  ==========================================
In DATE, X did Y.                           DATE, X did Y
X did Y in DATE.                            DATE, X did Y
X (DATE - DATE) ...                         first DATE, X was born; last DATE, X died
X (born DATE) ...                           DATE, X was born
==========================================  ==========================================

:func:`nuggets` reads documents and writes the index that :mod:`likewise.jobs.ask` answers from: a folder with
``nuggets.parquet`` (date, text of the date, fragment, source), ``terms.parquet`` (term, numbers of nuggets), and a
manifest.
"""

import os
import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise.analyse.dates import Date, dates
from likewise.errors import StorageError
from likewise.jobs.mine.sentences import split
from likewise.progress import Progress
from likewise.read import ReadOptions, documents
from likewise.read.paths import Paths
from likewise.read.skipped import OnSkip
from likewise.storage import MANIFEST_NAME, Manifest, checksum

FORMAT, VERSION = "likewise nuggets", 1
_LEAST_WORDS, _MOST_WORDS = 3, 60
_LIFE = re.compile(r"\(\s*(?:born\s+|b\.\s*)?$")
_NAME = re.compile(r"^(?:\W|The\s)*((?:[A-Z][\w.'’-]*|of|the|de|van|von|al|I{1,3}|IV|VI{0,3})(?:\s+|$)){1,8}")
_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
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


def terms(text: str) -> list[str]:
    """Return the words of a text as the index compares them.

    >>> terms("De Beers' Co. was founded")
    ['de', 'beers', 'co', 'was', 'founded']
    """
    return [word.casefold() for word in _WORD.findall(text)]


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
        if date in used or not _LIFE.search(sentence[: date.span.start]):
            continue
        name = _NAME.match(sentence[: sentence.rfind("(", 0, date.span.start)])
        if name is None:
            continue
        subject = name[0].strip(" ,")
        used.add(date)
        yield date, f"{subject} was born"
        after = found[place + 1] if place + 1 < len(found) else None
        if after is not None and re.fullmatch(r"\W*[–—-]\W*", sentence[date.span.end : after.span.start]):
            used.add(after)
            yield after, f"{subject} died"
    for date in found:
        if date in used:
            continue
        start, end = 0, len(sentence)
        for cut in _CLAUSE.finditer(sentence):
            if cut.end() <= date.span.start:
                start = cut.end()
            elif cut.start() >= date.span.end:
                end = cut.start()
                break
        left = _BEFORE.sub("", sentence[start : date.span.start]).rstrip(" ,(")
        right = sentence[date.span.end : end].lstrip(" ,)").rstrip(" .!?,;")
        text = " ".join(f"{left} {right}".split())
        if _LEAST_WORDS <= len(terms(text)) <= _MOST_WORDS:
            yield date, text


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
    if target.exists() and not (target.is_dir() and ((target / MANIFEST_NAME).exists() or not any(target.iterdir()))):
        raise StorageError(f"{target} exists and is no index of nuggets: name another folder")
    columns: dict[str, list[str]] = {"date": [], "text": [], "fragment": [], "source": []}
    postings: dict[str, list[int]] = defaultdict(list)
    seen: set[tuple[str, str]] = set()
    for count, document in enumerate(documents(paths, options=read, on_skip=on_skip)):
        for sentence in split(document):
            for date, fragment in fragments(sentence):
                if (date.iso, fragment) in seen:
                    continue
                number = len(columns["date"])
                seen.add((date.iso, fragment))
                for name, value in zip(columns, (date.iso, date.span.of(sentence), fragment, document.id), strict=True):
                    columns[name].append(value)
                for term in set(terms(fragment)):
                    postings[term].append(number)
        if progress is not None and count % 64 == 0:
            progress(count, None, "documents")
    _write(target, columns, postings)
    return len(columns["date"])


def _write(target: Path, columns: dict[str, list[str]], postings: dict[str, list[int]]) -> None:
    """Write into a folder beside the target and put it in its place when it is whole."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise StorageError(f"cannot write {target}: {error.strerror or error}") from error
    try:
        pq.write_table(pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()}),
                       made / "nuggets.parquet", compression="zstd")  # fmt: skip
        ordered = sorted(postings)
        lists = pa.ListArray.from_arrays(
            pa.array(np.cumsum([0, *(len(postings[term]) for term in ordered)]), pa.int32()),
            pa.array([number for term in ordered for number in postings[term]], pa.int32()),
        )
        pq.write_table(pa.table({"term": pa.array(ordered, pa.string()), "nuggets": lists}), made / "terms.parquet",
                       compression="zstd", row_group_size=4096)  # fmt: skip
        files = {name: checksum(made / name) for name in ("nuggets.parquet", "terms.parquet")}
        Manifest(FORMAT, VERSION, {}, files).write(made)
        made.chmod(0o755)
        if target.exists():
            shutil.rmtree(target)
        made.rename(target)
    finally:
        if made.exists():
            shutil.rmtree(made, ignore_errors=True)
