"""How a delimited file is written (delimiter, quoting, lines above the table, header), decided from its beginning.

Every reading that is possible is tried on a sample, and the most regular one wins: the one with the largest share of
rows of the same width. What is given by the user is not questioned.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO, StringIO, TextIOWrapper
from itertools import islice, takewhile

from likewise.errors import FormatError, OptionError
from likewise.read.header import is_grouped, is_header, is_usual
from likewise.said import counted

DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
_SPACE = " "
SAMPLE = 1 << 16
# A reading in which fewer rows than this are of the same width is none.
_LEAST_SHARE = 0.5
# A reading with quotes that do not close counts less than one without quotes.
_ILL_QUOTED = 0.9
# Of a table whose rows may lack the last cell, so many do, and so few have another number of cells.
_LEAST_SHORT, _LEAST_OPTIONAL = 0.1, 0.95
# More lines than this above a table are the table, unless they are comments.
_MOST_ABOVE = 30
_SEPARATOR = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
_BLANKS = r"[^\S\t\r\n]*"  # tabs and lines end a cell
_QUOTED = {
    quote: re.compile(rf"(?:^|[,;|\t]){_BLANKS}{quote}[^{quote}\n]*{quote}{_BLANKS}(?:$|[,;|\t\r\n])", re.MULTILINE)
    for quote in "\"'"
}
_SPACED_CELL = re.compile(r"""("[^"\n]*"|[^\s"]+)(?: |$)""")
_OPENING = re.compile(rf'(?:^|[,;|\t]){_BLANKS}"')


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a delimited file is written."""

    delimiter: str | None = ","  # None: one column, the whole line
    quote: str | None = '"'
    escape: str | None = None  # a quote inside a quoted cell is doubled, or has this before it
    header: bool = False
    skip_space: bool = False  # blanks after a delimiter do not count: `a, b`
    above: int = 0  # lines before the table: a title, comments, Excel's sep=
    unnamed: bool = False  # the rows begin with a cell that the header has no name for: an index
    comments: bool = False  # lines that begin with a hash and a blank are comments, wherever they stand
    hashed: bool = False  # the header is the last comment above the rows: `# name;city`
    stray: bool = False  # quotation marks open cells but do not close them: they are text
    groups: tuple[str, ...] = ()  # what stands right above the header, and groups the columns
    optional: int = 0  # a row has so many cells, but may lack the last; 0: all rows have the same number

    def rows(self, lines: Iterable[str], strict: bool = False) -> Iterator[list[str]]:
        """Read rows from an iterable of lines."""
        if self.comments:
            lines = (line for at, line in enumerate(lines) if not _is_comment(line) or (self.hashed and not at))
        if self.delimiter is None and self.quote is None:
            return ([line.rstrip("\r\n")] if line.strip() else [] for line in lines)
        return csv.reader(
            lines,
            delimiter=self.delimiter or "\x1f",
            quotechar=self.quote or '"',
            quoting=csv.QUOTE_MINIMAL if self.quote else csv.QUOTE_NONE,
            escapechar=self.escape,
            skipinitialspace=self.skip_space,
            strict=strict,
        )

    def said(self, encoding: str) -> str:
        """Return in words what was decided.

        >>> Dialect(header=True).said("utf-8")
        'comma, utf-8, first row is the header'
        """
        named = DELIMITERS | {_SPACE: "space"}
        words = [named.get(self.delimiter, repr(self.delimiter)) if self.delimiter else "no delimiter", encoding]
        if self.quote == "'":
            words.append("single quotes")
        if self.escape:
            words.append("quotes escaped by a backslash")
        if self.stray:
            words.append("quotation marks are text, as some never close")
        if (above := self.above - bool(self.groups)) > 0:
            words.append(f"{counted(above, 'line')} above the table left out")
        if self.optional:
            words.append("the last cell of a row may be absent")
        if self.groups:
            words.append("a row of groups above the header")
        header = "the comment above the rows is the header" if self.hashed else "first row is the header"
        words.append(header if self.header else "no header")
        return ", ".join(words)


def delimiter_of(value: str) -> str:
    """Return the delimiter that a user named: the character itself, or its name.

    >>> delimiter_of("tab")
    '\\t'
    """
    named = {name: character for character, name in DELIMITERS.items()} | {"\\t": "\t", "space": " "}
    value = named.get(value, value)
    if len(value) != 1 or value in '"\r\n':
        raise OptionError(f"delimiter must be one character or one of {', '.join(named)}, not {value!r}")
    return value


def detect_dialect(
    content: str,
    name: str,
    delimiter: str | None = None,
    header: bool | None = None,
    wanted: Sequence[str] = (),
) -> Dialect:
    """Decide how a file is written from its first characters.

    ``wanted`` are the columns the caller will ask for: if the first row has one of them, it is a header.

    >>> detect_dialect("sep=;\\nKunde;Stadt\\nMeyer;Köln\\n", "kunden.csv").said("cp1252")
    'semicolon, cp1252, 1 line above the table left out, first row is the header'
    """
    given = _SEPARATOR.match(content)
    start = 1 if given else 0
    lines = list(StringIO(content, newline=""))[start:]
    # The last line of a sample is likely cut; of a whole file, it is not.
    if len(content) >= SAMPLE and len(lines) > 1:
        lines.pop()
    found = _best(lines, name, delimiter or (given[1] if given else None))
    found = replace(found, skip_space=_spaced(found, lines))
    rows = [row for row in found.rows(lines[found.above :]) if row]
    grouped = header is not False and is_grouped(rows) and _line(found, lines) == rows[0]
    if grouped:
        found, rows = replace(found, groups=tuple(rows[0]), above=found.above + 1), rows[1:]
    found = replace(found, unnamed=has_index(rows), above=found.above + start)
    if len(rows) > 1 and all(len(row) == len(rows[0]) + 1 and not row[-1] for row in rows[1:]):
        found = replace(found, unnamed=False, optional=len(rows[0]) + 1)  # a delimiter ends every row but the first
    # Below comments, a line with a hash in front of its first cell names the columns.
    hashed = found.comments and bool(rows) and rows[0][0].startswith("#")
    if (found.unnamed or hashed or grouped) and header is not False:
        return replace(found, header=True)
    first = is_header(rows, wanted)
    named = replace(found, header=True, hashed=True, above=found.above - 1) if found.comments and found.above else None
    if named and header is not False and not first and _names(named, lines[named.above - start :], rows, wanted):
        return named
    return replace(found, header=header if header is not None else first)


def _line(dialect: Dialect, lines: list[str]) -> list[str]:
    """Return the cells of the first line below what is left out."""
    return next(dialect.rows(lines[dialect.above : dialect.above + 1]), [])


def without_hash(row: list[str]) -> list[str]:
    """Return the cells of a header that is a comment.

    >>> without_hash(["# name", "city"])
    ['name', 'city']
    """
    return [row[0].lstrip("# "), *row[1:]]


def _names(dialect: Dialect, lines: list[str], rows: list[list[str]], wanted: Sequence[str]) -> bool:
    """Whether the first line, a comment, names the columns of the rows below."""
    names = without_hash(next(dialect.rows(lines[:1]), []) or [""])
    width = dialect.optional or (len(rows[0]) if rows else 0)
    return len(names) == width > 1 and is_header([names, *rows], wanted)


def with_plain_quotes(data: bytes, dialect: Dialect) -> Dialect:
    """Return how all of a file is written: quotation marks in which whole rows would be lost are text.

    The beginning of a file need not show it. It is so where each line is a row without them, and they are no
    proper quotes, or would be those of a cell with tabs and lines in it.

    >>> with_plain_quotes(b'a\\tb\\n1\\t"x\\n2\\ty\\n3\\tz"\\n', Dialect("\\t", header=True)).said("utf-8")
    'tab, utf-8, quotation marks are text, as some never close, first row is the header'
    """
    if dialect.delimiter is None or dialect.quote != '"' or dialect.escape or b'"' not in data:
        return dialect
    if not any(line.count(b'"') % 2 for line in BytesIO(data)):
        return dialect  # no cell goes on in the next line, and no mark is text
    delimiter, expected, at = dialect.delimiter.encode(), 0, 0
    for at, line in enumerate(islice(BytesIO(data), dialect.above, None)):
        if at == 0:
            expected = line.count(delimiter)
        elif line.strip() and line.count(delimiter) != expected:
            return dialect
    text = TextIOWrapper(BytesIO(data), "utf-8", "replace", newline="")
    if not at:
        return dialect  # lines that end as on an old Macintosh
    if dialect.delimiter != "\t" and _well_quoted(list(islice(text, dialect.above, None)), dialect, cut=False):
        return dialect
    return replace(dialect, quote=None, stray=True)


def _best(lines: list[str], name: str, delimiter: str | None) -> Dialect:
    """The most regular reading; where several are, with rows of one length, quotes, and nothing above the table."""
    usual = "\t" if ".tsv" in name or ".tab" in name else ","
    found = []
    spaced = [_SPACE] if is_spaced(lines) else []
    for one in [delimiter] if delimiter else [*DELIMITERS, *spaced]:
        first = islice((line for line in lines if not _is_comment(line)), _MOST_ABOVE + 1)
        if not any(one in line for line in first):
            continue
        for quoting in _quotings(one, lines):
            dialect = replace(quoting, comments=_is_comment(lines[0]))
            dialect = replace(dialect, optional=_optional(lines, dialect) if one == "\t" else 0)
            share, width, above = _regularity(lines, dialect)
            if delimiter or (width > 1 and share >= _LEAST_SHARE):
                rank = (
                    share,
                    -above,
                    one == usual,
                    not dialect.optional,
                    width,
                    dialect.quote == '"',
                    dialect.escape is None,
                )
                found.append((rank, replace(dialect, above=above)))
    if found:
        best = max(found, key=lambda item: item[0])[1]
        return replace(best, stray=best.quote is None and any(_OPENING.search(line) for line in lines))
    quoted = any(len(line) > 2 and line[0] == '"' == line.rstrip()[-1] for line in lines[:100])
    above = next((place for place, line in enumerate(lines) if not line.startswith("# ")), 0)
    return Dialect(delimiter, '"' if quoted else None, above=above)


def is_spaced(lines: Sequence[str]) -> bool:
    """Say whether spaces part the cells, as R writes them: only quotes in all lines tell them from words.

    >>> is_spaced(['"name" "born"', '"1" "Ada Byron" 1815', '"2" "Emmy Noether" 1882']), is_spaced(['a "b"'] * 2)
    (True, False)
    """
    if len(lines) < 3 or any('"' not in line for line in lines):
        return False
    widths = []
    for line in lines:
        text = line.rstrip("\r\n")
        cells = _SPACED_CELL.findall(text)
        if len(cells) < 2 or sum(map(len, cells)) + len(cells) - 1 != len(text):
            return False
        widths.append(len(cells))
    return len(set(widths[1:])) == 1 and widths[0] in (widths[1], widths[1] - 1)


def _quotings(delimiter: str, lines: list[str]) -> Iterator[Dialect]:
    yield Dialect(delimiter)
    yield Dialect(delimiter, None)
    text = "".join(lines)
    if '\\"' in text:
        yield Dialect(delimiter, escape="\\")
    # An apostrophe is a letter of a name; it quotes only where it opens and closes cells, and the usual quote does not.
    if len(_QUOTED["'"].findall(text)) > max(len(lines) // 3, len(_QUOTED['"'].findall(text))):
        yield Dialect(delimiter, "'")


def _regularity(lines: list[str], dialect: Dialect) -> tuple[float, int, int]:
    """Return the share of rows with the commonest number of cells, that number, and the lines above the first such."""
    try:
        rows = list(dialect.rows(lines))
    except csv.Error:
        return 0.0, 1, 0
    widths = Counter(len(row) for row in rows if row)
    if not widths:
        return 0.0, 1, 0
    width = dialect.optional or max(widths, key=lambda one: (widths[one], one))
    above = _above(lines, dialect, width)
    kept = [len(row) for row in dialect.rows(lines[above:]) if row] if above else [len(row) for row in rows if row]
    # A header may lack the name of the first column, as R writes it; a reading without that is better.
    share = (kept.count(width) + (kept[0] == width - 1 > 1) / 2) / len(kept) if kept else 0.0
    if dialect.optional and kept:
        share = (kept.count(width) + kept.count(width - 1)) / len(kept)
    if dialect.quote and not _well_quoted(lines[above:], dialect):
        share *= _ILL_QUOTED
    return share, width, above


def _is_comment(line: str) -> bool:
    return line.startswith("# ") or line.strip() == "#"


def _optional(lines: list[str], dialect: Dialect) -> int:
    """The number of cells of rows that may lack the last: three or more, and a good many rows have one less."""
    try:
        widths = Counter(len(row) for row in dialect.rows(lines) if len(row) > 1)
    except csv.Error:
        return 0
    rows = widths.total()
    for width in sorted(widths, reverse=True):
        long, short = widths[width], widths[width - 1]
        if (
            width > 2
            and short > 1
            and min(long, short) >= _LEAST_SHORT * rows
            and long + short >= _LEAST_OPTIONAL * rows
        ):
            return width
    return 0


def _above(lines: list[str], dialect: Dialect, width: int) -> int:
    """Count the lines before the table: empty ones, comments, and titles, which fill one cell."""
    if width == 1:
        return 0
    comments = sum(1 for _ in takewhile(_is_comment, lines))
    for place, line in enumerate(lines[: comments + _MOST_ABOVE + 1]):
        cells = next(replace(dialect, comments=False).rows([line]), [])
        comment = line.startswith("# ") or (line.startswith("#") and len(cells) != width)
        title = not any(cell.strip() for cell in cells[1:]) and (width == 2 or len(cells) != width - 1)
        title = title and not (dialect.optional and len(cells) == width - 1)
        blank_named = len(cells) == width and width == 2 and title  # a row of two cells may well lack the second
        if not (comment or title) or blank_named:
            return place + _titles(lines[place:], replace(dialect, comments=False), width)
    return 0


def _titles(lines: list[str], dialect: Dialect, width: int) -> int:
    """Count the lines above a table that fill several cells, but are no rows of it: `Report; 2024`.

    They are told by what follows: a line that names the columns, or an empty one. Where one of them has as many cells
    as a row, it takes both.
    """
    passed, full, named, apart = 0, False, False, False
    for place, line in enumerate(lines[: _MOST_ABOVE + 1]):
        cells = [cell.strip() for cell in next(dialect.rows([line]), [])]
        if not any(cells):
            apart = True
            continue
        is_row = len(cells) == width < 2 * sum(map(bool, cells))
        if is_row and passed:
            rows = [row for row in dialect.rows(lines[place:]) if row]
            usual = is_usual(cells) and not named and is_header(rows)
            begins = usual and apart if full else usual or apart
            return place if begins and 2 * passed <= len(rows) else 0
        after = next(dialect.rows(lines[place + 1 : place + 2]), [])
        if is_row and len(after) == width and any(after):
            return 0  # a row, and another
        passed, full, named, apart = passed + 1, full or is_row, named or is_usual(cells), False
    return 0


def _well_quoted(lines: list[str], dialect: Dialect, cut: bool = True) -> bool:
    """Whether every quote that opens a cell is closed at the end of one; texts with stray quotes are not quoted."""
    spaced = bool(lines) and f"{dialect.delimiter} " in lines[0]
    try:
        for _ in replace(dialect, skip_space=spaced).rows(lines, strict=True):
            pass
    except csv.Error as error:
        return cut and "unexpected end of data" in str(error) and sum(map(len, lines)) > SAMPLE // 2  # by the sample
    return True


def _spaced(dialect: Dialect, lines: list[str]) -> bool:
    first = next(dialect.rows(lines[dialect.above :]), [])
    return len(first) > 1 and dialect.delimiter not in (" ", "\t") and all(cell.startswith(" ") for cell in first[1:])


def has_index(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the rows have an index: one cell more than the header, or an empty name above numbers."""
    if len(rows) < 2 or len(rows[0]) < 2:
        return False
    first, body = rows[0], rows[1:]
    if any(not cell.strip() for cell in first[1:]):
        return False
    if all(len(row) == len(first) + 1 for row in body):
        return True
    return not first[0].strip() and all(row[0].strip().isdecimal() for row in body if len(row) == len(first))


def refuse_delimiter(dialect: Dialect, place: str, bad: int, read: int, width: int, line: int) -> FormatError:
    """Return the error for a file of which most rows do not fit the first."""
    by = DELIMITERS.get(dialect.delimiter or "", dialect.delimiter)
    return FormatError(
        f"{place}: {bad} of {bad + read} rows do not have the {width} cells of the first (line {line} is one); "
        f"is {by} the delimiter? Name it (delimiter=..., --delimiter)"
    )
