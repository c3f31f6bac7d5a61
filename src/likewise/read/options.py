"""Options of reading documents and tables: the only source of their defaults and limits."""

from dataclasses import dataclass

from likewise.languages import language
from likewise.options import check_choice, check_integer, check_range, option
from likewise.read.encoding import check_encoding
from likewise.read.formats import DOCUMENT_FORMATS, TABLE_FORMATS

FORMATS = ("auto", *DOCUMENT_FORMATS)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How documents are read, and within which limits.

    >>> ReadOptions(max_bytes=0)
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: max_bytes must be 1 or more, not 0
    """

    format: str = option("auto", "Format of the files; auto decides by name and content.", choices=FORMATS)
    text_column: str = option("text", "Column (JSONL, Parquet) that holds the text.")
    id: str | None = option(None, "Column that holds the ids; without it, the rows are numbered.")
    encoding: str | None = option(None, "Character encoding of text and HTML (default: detected).")
    main_content: bool = option(False, "Leave out menus, footers and other boilerplate of HTML pages.")
    only_language: str | None = option(None, "Keep only documents in this language, such as german or de.")
    max_bytes: int = option(16 << 20, "Largest document in bytes; larger ones are skipped, plain text is cut at lines.")
    max_depth: int = option(512, "Deepest nesting of HTML; deeper pages are skipped.")
    max_seconds: float = option(
        30.0, "Processor seconds for parsing an HTML or Markdown document; those that take longer are skipped."
    )
    strict: bool = option(False, "Stop at the first file or record that cannot be read, instead of reporting it.")
    marks: bool = option(False, "Keep emphasis, code, links and pictures of HTML, which a book shows.", hidden=True)

    def __post_init__(self) -> None:
        check_choice("format", self.format, FORMATS)
        check_integer("max_bytes", self.max_bytes, 1)
        check_integer("max_depth", self.max_depth, 1)
        check_range("max_seconds", self.max_seconds, 0)
        if self.encoding is not None:
            check_encoding(self.encoding)
        if self.only_language is not None:
            language(self.only_language)


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How a table is read from a file, if detection gets it wrong."""

    format: str | None = option(None, "Format of the files (default: by file name).", choices=TABLE_FORMATS)
    encoding: str | None = option(None, "Encoding, such as utf-8, utf-16 or cp1252 (default: detected).")
    delimiter: str | None = option(None, "Delimiter: a character, or comma, tab, semicolon or bar (default: detected).")
    header: bool | None = option(None, "Whether the first row is a header (default: detected).")
    sheet: str | None = option(None, "Sheet of a workbook, by name or number from 1 (default: the first).")
    strict: bool = option(False, "Stop at the first row that cannot be read, instead of reporting and skipping it.")

    def __post_init__(self) -> None:
        if self.format is not None:
            check_choice("format", self.format, TABLE_FORMATS)
        if self.encoding is not None:
            check_encoding(self.encoding)
