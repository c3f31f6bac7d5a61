"""The files of an index of nuggets: the nuggets themselves, and for each stem the numbers of those that have it."""

import dataclasses
import functools
import os
import string
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise.errors import FormatError
from likewise.seals import Manifest

FORMAT, VERSION = "likewise nuggets", 9
KINDS = ("nuggets", "terms", "titles")


@dataclass(frozen=True, slots=True)
class Nugget:
    """What happened at a date: ``date`` in ISO order, ``text`` as found, the fragment, the document.

    ``at`` is the number of words before the place of the date in the fragment, ``role`` whether the date begins or ends
    a range, ``documents`` how many say it, ``order`` how many nuggets of its document come before it, ``subject`` the
    name that *he* or *it* stands for, from the sentences before, ``also`` other names of what the document is about,
    with ``; `` between them.
    """

    date: str
    text: str
    fragment: str
    source: str
    title: str = ""
    at: int = 0
    role: str = ""
    documents: int = 1
    order: int = 0
    subject: str = ""
    also: str = ""


SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("date", "text", "fragment", "source", "title")),
        ("at", pa.int32()),
        ("role", pa.string()),
        ("order", pa.int32()),
        ("documents", pa.int32()),
        ("words", pa.int32()),
        ("subject", pa.string()),
        ("also", pa.string()),
    ]
)


def read_table(manifest: Manifest, folder: str | os.PathLike[str], kind: str) -> pa.Table:
    """Read one of the tables of an index, all of it checked."""
    table = pq.read_table(pa.BufferReader(manifest.map(folder, str(manifest.options[kind]))))
    table.validate(full=True)
    return table


def rows_of(table: pa.Table) -> Iterator[Nugget]:
    """Yield the nuggets of a table that has the columns of :data:`SCHEMA`."""
    names = [field.name for field in dataclasses.fields(Nugget)]
    missing = set(names) - set(table.column_names)
    if missing:
        raise FormatError(f"the nuggets lack the column {min(missing)!r}: collect them again")
    for row in table.select(names).to_pylist():
        yield Nugget(**row)


class Lists:
    """Stem -> numbers of nuggets."""

    def __init__(self, table: pa.Table, nuggets: int) -> None:
        self._places = {term: place for place, term in enumerate(table.column("term").to_pylist())}
        self._lists = table.column("nuggets").combine_chunks()
        numbers = self._lists.flatten().to_numpy()
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < nuggets:
            raise ValueError("a list names a nugget that is not there")
        if len(self._places) != len(self._lists):
            raise ValueError("a stem has two lists")

    def of(self, term: str) -> np.ndarray[Any, Any]:
        """Return the numbers of a stem's nuggets."""
        place = self._places.get(term)
        if place is None:
            return np.zeros(0, np.int32)
        found: np.ndarray[Any, Any] = self._lists[place].values.to_numpy()
        return found

    def numbered(self, term: str) -> list[str]:
        """Return the stems that are this one with a number: *debconf5*."""
        return self._numbered.get(term, [])

    @functools.cached_property
    def _numbered(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for term in self._places:
            plain = term.rstrip(string.digits)
            if plain.isalpha() and plain != term:
                found.setdefault(plain, []).append(term)
        return found

    def counts(self) -> dict[str, int]:
        """Return the stems with how many nuggets have each."""
        sizes = np.diff(self._lists.offsets.to_numpy()).tolist()
        return dict(zip(self._places, sizes, strict=True))
