"""Delimited text (CSV, TSV and their kin): what the file looks like, and its rows.

:func:`detect_dialect` looks at the beginning of a file and decides on delimiter, quoting and header;
:func:`read_delimited` turns the rows into an Arrow table of strings. An empty cell is null. A row with another number
of cells than the header is reported and skipped.
"""

import csv
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO, TextIOWrapper
from typing import TYPE_CHECKING, Any

from likewise.errors import FormatError, LikewiseError
from likewise.read.encoding import open_binary

if TYPE_CHECKING:
    import pyarrow as pa

DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
_SAMPLE = 1 << 16
_BATCH = 1 << 16
_CELL_LIMIT = 1 << 28
_NUMBER = re.compile(r"\s*[-+]?[\d.,:/\s-]*\d[\d.,:/\s%-]*$")
# What columns are usually called; a list of names without header must not lose its first.
_USUAL = frozenset(
    {
        "abstract",
        "address",
        "amount",
        "artist",
        "author",
        "authors",
        "birth",
        "brand",
        "category",
        "city",
        "code",
        "comment",
        "company",
        "country",
        "county",
        "date",
        "description",
        "email",
        "firstname",
        "id",
        "key",
        "label",
        "lastname",
        "line",
        "manufacturer",
        "name",
        "note",
        "notes",
        "number",
        "organisation",
        "organization",
        "phone",
        "place",
        "postcode",
        "price",
        "product",
        "region",
        "sentence",
        "state",
        "street",
        "suburb",
        "supplier",
        "surname",
        "text",
        "title",
        "town",
        "type",
        "url",
        "vendor",
        "venue",
        "word",
        "year",
        "zip",
    }
)
_NAME_LIKE = re.compile(r"[^\W\d][\w .#/()-]{0,39}$")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a delimited file is written."""

    delimiter: str | None  # None: one column, the whole line
    quoting: bool
    header: bool
    skip_space: bool  # blanks after a delimiter do not count: `a, b`

    def reader(self, lines: Any) -> Iterator[list[str]]:
        """Read rows from an iterable of lines."""
        if self.delimiter is None and not self.quoting:
            return ([line.rstrip("\r\n")] if line.strip() else [] for line in lines)
        return csv.reader(
            lines,
            delimiter=self.delimiter or "\x1f",
            quoting=csv.QUOTE_MINIMAL if self.quoting else csv.QUOTE_NONE,
            skipinitialspace=self.skip_space,
        )


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that was left out: where it is, and why."""

    line: int
    reason: str


def delimiter_of(value: str) -> str:
    """Return the delimiter that a user named: the character itself, or its name.

    >>> delimiter_of("tab")
    '\\t'
    """
    named = {name: character for character, name in DELIMITERS.items()} | {"\\t": "\t", "space": " "}
    value = named.get(value, value)
    if len(value) != 1 or value in '"\r\n':
        raise FormatError(f"delimiter must be one character or one of {', '.join(named)}, not {value!r}")
    return value


def detect_dialect(
    path: str | os.PathLike[str],
    encoding: str,
    delimiter: str | None = None,
    header: bool | None = None,
    wanted: Sequence[str] = (),
) -> Dialect:
    """Decide how a file is written from its beginning; what is given is not questioned.

    ``wanted`` are the columns the caller will ask for: if the first row has one of them, it is a header.
    """
    sample = _sample(path, encoding)
    if delimiter is not None:
        found, quoting = delimiter, _width(sample, delimiter, True)[0] >= _width(sample, delimiter, False)[0]
    else:
        found_or_none, quoting = _delimiter(sample, str(path))
        if found_or_none is None:
            quoting = any(len(line) > 2 and line[0] == '"' == line.rstrip()[-1] for line in sample[:100])
            return Dialect(None, quoting, _has_header([[line] for line in sample], header, wanted), False)
        found = found_or_none
    plain = Dialect(found, quoting, False, False)
    first = next(plain.reader(sample), [])
    skip_space = len(first) > 1 and found not in " \t" and all(cell.startswith(" ") for cell in first[1:])
    rows = [row for row in Dialect(found, quoting, False, skip_space).reader(sample) if row]
    return Dialect(found, quoting, _has_header(rows, header, wanted), skip_space)


def _sample(path: str | os.PathLike[str], encoding: str) -> list[str]:
    with open_binary(path) as file, TextIOWrapper(file, encoding, newline="", errors="replace") as text:
        content = text.read(_SAMPLE)
        whole = not text.read(1)
    lines = list(StringIO(content, newline=""))
    # The last line of a sample is likely cut; of a whole file, it is not.
    return lines if whole or len(lines) < 2 else lines[:-1]


def _width(lines: list[str], delimiter: str, quoting: bool) -> tuple[float, int]:
    """Return the share of rows with the commonest number of cells, and that number."""
    try:
        widths = [len(row) for row in Dialect(delimiter, quoting, False, False).reader(lines) if row]
    except csv.Error:
        return 0.0, 1
    if not widths:
        return 0.0, 1
    width, count = Counter(widths).most_common(1)[0]
    return count / len(widths) * (0.9 if quoting and not _well_quoted(lines, delimiter) else 1), width


def _well_quoted(lines: list[str], delimiter: str) -> bool:
    """Whether every quote that opens a cell is closed at the end of one; texts with stray quotes are not quoted."""
    spaced = f"{delimiter} " in lines[0]
    try:
        for _ in csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=spaced):
            pass
    except csv.Error as error:
        return "unexpected end of data" in str(error) and sum(map(len, lines)) > _SAMPLE // 2  # cut by the sample
    return True


def _delimiter(lines: list[str], name: str) -> tuple[str | None, bool]:
    first = lines[0] if lines else ""
    found: list[tuple[float, bool, int, str, bool]] = []
    for delimiter in DELIMITERS:
        if delimiter not in first:
            continue
        for quoting in (True, False):
            share, width = _width(lines, delimiter, quoting)
            if width > 1 and share >= 0.5:
                favoured = delimiter == ("\t" if ".tsv" in name or ".tab" in name else ",")
                found.append((share, favoured, width, delimiter, quoting))
    if not found:
        return None, False
    # The most regular reading wins; quoting is preferred where both readings are equally regular.
    best = max(found, key=lambda item: (item[0], item[1], item[2], item[4]))
    return best[3], best[4]


def _has_header(rows: list[list[str]], header: bool | None, wanted: Sequence[str]) -> bool:
    """Decide whether the first row names the columns."""
    if header is not None:
        return header
    if not rows:
        return False
    first, body = [cell.strip() for cell in rows[0]], rows[1:1000]
    if any(name in first for name in wanted):
        return True
    if "" in first or len(set(first)) < len(first) or any(_NUMBER.match(cell) for cell in first):
        return False
    if not all(_NAME_LIKE.match(cell) for cell in first):
        return False
    usual = [bool(_USUAL.intersection(re.findall(r"[a-z]+", cell.lower())[-1:])) for cell in first]
    if len(first) == 1:
        values = [row[0] for row in body if row and row[0].strip()]
        return usual[0] or (len(values) > 1 and all(_NUMBER.match(value) for value in values))
    if not body or sum(usual) * 2 >= len(first) or all(re.fullmatch(r"[a-z][a-z0-9_]*", cell) for cell in first):
        return True
    # A column of numbers under a word, or words that never come again below while the other cells do.
    for place, cell in enumerate(first):
        values = [row[place].strip() for row in body if place < len(row) and row[place].strip()]
        if values and sum(bool(_NUMBER.match(value)) for value in values) > 0.8 * len(values):
            return True
        if len(values) > 20 and len(set(values)) < 0.5 * len(values) and cell not in values:
            return True
    return False


def read_delimited(
    path: str | os.PathLike[str], encoding: str, dialect: Dialect, strict: bool = False
) -> tuple["pa.Table", list[Skipped]]:
    """Read a whole file into an Arrow table of strings, and the rows that had to be left out."""
    import pyarrow as pa

    batches: list[pa.RecordBatch] = []
    names: list[str] = []
    skipped: list[Skipped] = []
    rows: list[list[str]] = []
    read = 0

    def flush() -> None:
        columns = [pa.array([cell or None for cell in column], pa.string()) for column in zip(*rows, strict=True)]
        batches.append(pa.RecordBatch.from_arrays(columns, names=names))
        rows.clear()

    for line, row in _rows(path, encoding, dialect):
        if not names:
            names = _names(row, dialect.header, path)
            if dialect.header:
                continue
        if len(row) != len(names):
            skipped.append(Skipped(line, f"{len(row)} cells where {len(names)} are expected"))
            if strict:
                raise FormatError(f"{path}, line {line}: {skipped[-1].reason}")
            continue
        read += 1
        rows.append(row)
        if len(rows) == _BATCH:
            flush()
    if rows:
        flush()
    if len(skipped) > read:
        by = DELIMITERS.get(dialect.delimiter or "", dialect.delimiter)
        raise FormatError(
            f"{path}: {len(skipped)} of {len(skipped) + read} rows do not have the {len(names)} cells of the first "
            f"(line {skipped[0].line} is one); is {by} the delimiter? Name it (delimiter=..., --delimiter)"
        )
    schema = pa.schema([(name, pa.string()) for name in names])
    return pa.Table.from_batches(batches, schema), skipped


def _names(row: list[str], header: bool, path: str | os.PathLike[str]) -> list[str]:
    if not header:
        return ["text"] if len(row) == 1 else [f"column{place}" for place in range(1, len(row) + 1)]
    names = [cell.strip() or f"column{place}" for place, cell in enumerate(row, 1)]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise FormatError(f"{path}: column {twice[0]!r} is there more than once; rename one, or pass header=False")
    return names


def _rows(path: str | os.PathLike[str], encoding: str, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Yield (line on which the row ends, cells); errors of the reader and of the decoder are said with their line."""
    before = csv.field_size_limit(_CELL_LIMIT)
    line, content = 0, ""

    def counted(lines: Any) -> Iterator[str]:
        nonlocal line, content
        for content in lines:
            line += 1
            yield content

    row: list[str] = []
    started = previous = 0
    try:
        with open_binary(path) as file, TextIOWrapper(file, encoding, newline="") as text:
            for row in dialect.reader(counted(text)):
                started, previous = line, started
                if row:
                    yield line, row
            # The last cell may end with a line break if a quote closes it there; two quotes are one in the text.
            end = content.rstrip("\r\n")
            closed = (len(end) - len(end.rstrip('"'))) % 2 == 1
            if row and line - previous > 1 and row[-1].endswith("\n") and not closed:
                raise FormatError(f"{path}: a quote opened in line {previous + 1} is never closed")
    except LikewiseError:
        raise
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{path}, after line {line}: not {encoding} ({error.reason}); name the encoding (encoding=..., --encoding)"
        ) from error
    except csv.Error as error:
        raise FormatError(f"{path}, line {line}: {error}") from error
    except (EOFError, OSError, zlib.error) as error:
        raise FormatError(f"{path} cannot be read to its end: {error}") from error
    finally:
        csv.field_size_limit(before)
