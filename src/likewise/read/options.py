"""Options of reading documents: the only source of the limits."""

from dataclasses import dataclass

from likewise.options import check_choice, check_integer, check_range, option

FORMATS = ("auto", "text", "markdown", "html", "epub", "warc", "arc", "wiki", "jsonl", "parquet")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How documents are read, and the limits within which.

    >>> ReadOptions(max_bytes=0)
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: max_bytes must be 1 or more, not 0
    """

    format: str = option("auto", "Format of the files; auto goes by name and first bytes.", choices=FORMATS)
    text_column: str = option("text", "Column (JSONL, Parquet) that holds the text.")
    id_column: str | None = option(None, "Column that holds the id; without it, the row's number.")
    encoding: str | None = option(None, "Character encoding of text and HTML; detected if not given.")
    main_content: bool = option(False, "Leave out menus, footers and other boilerplate of HTML pages.")
    language: str | None = option(None, "Keep only documents in this language (a code such as en).")
    max_bytes: int = option(16 << 20, "Largest document in bytes; larger ones are skipped, plain text is cut at lines.")
    max_depth: int = option(512, "Deepest nesting of HTML; deeper pages are skipped.")
    max_seconds: float = option(
        30.0, "Processor seconds for parsing an HTML or Markdown document; those that take longer are skipped."
    )
    strict: bool = option(False, "Stop at the first file or record that cannot be read, instead of reporting it.")

    def __post_init__(self) -> None:
        check_choice("format", self.format, FORMATS)
        check_integer("max_bytes", self.max_bytes, 1)
        check_integer("max_depth", self.max_depth, 1)
        check_range("max_seconds", self.max_seconds, 0)
