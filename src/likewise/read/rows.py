"""Tables with a column of text, one document a row: JSON lines, Parquet, and what is read as a table."""

from collections.abc import Iterator, Mapping
from typing import Any

from likewise.errors import InputError
from likewise.read.document import Document
from likewise.read.json_lines import json_lines
from likewise.read.options import ReadOptions, TableOptions
from likewise.read.parquet import parquet_rows
from likewise.read.skipped import OnSkip, SkipError, Skipped, skipping
from likewise.read.source import WHOLE, Piece, Source, open_piece
from likewise.read.table_files import read_source_table


def read_jsonl(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield one document for each line, a JSON object whose text column holds a string."""

    def bad(line: int, reason: str, detail: str) -> None:
        on_skip(Skipped(source.place, line, reason, detail))

    limit = options.max_bytes * 2 + (1 << 16)  # JSON may write a character as six bytes; the text is measured below
    with open_piece(source, piece) as stream:
        for number, row in json_lines(stream, bad, limit, piece, mended=True):
            if not isinstance(row, dict):
                bad(number, "broken", "not a JSON object")
            elif (document := _document(row, number, source, "jsonl", options, on_skip)) is not None:
                yield document


def read_parquet(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield one document for each row, batch by batch."""
    for number, row in parquet_rows(source, options.text_column, piece):
        if (document := _document(row, number, source, "parquet", options, on_skip)) is not None:
            yield document


def read_rows(source: Source, options: ReadOptions, on_skip: OnSkip, piece: Piece = WHOLE) -> Iterator[Document]:
    """Yield one document for each row of a delimited file, an array of JSON, or a workbook."""
    skipped: list[Skipped] = []
    try:
        table = read_source_table(source, TableOptions(encoding=options.encoding), (options.text_column,), [], skipped)
    except InputError as error:
        raise skipping(error, source.place) from error
    except UnicodeEncodeError as error:
        raise SkipError("broken", "an unpaired surrogate in the text") from error
    if not table.num_rows and not skipped:
        raise SkipError("no text", "no rows")
    for one in skipped:
        on_skip(one)
    if options.text_column not in table.column_names:
        names = ", ".join(table.column_names)
        raise SkipError("no text column", f"no column {options.text_column!r} (text_column); there are {names}")
    number = 0
    for batch in table.to_batches(max_chunksize=1024):
        for row in batch.to_pylist():
            number += 1
            if (document := _document(row, number, source, "table", options, on_skip)) is not None:
                yield document


def _document(
    row: Mapping[str, Any], number: int, source: Source, format: str, options: ReadOptions, on_skip: OnSkip  # noqa: A002
) -> Document | None:  # fmt: skip
    text = row.get(options.text_column)
    reason = detail = ""
    if not isinstance(text, str):
        reason, detail = "no text column", f"no text in column {options.text_column!r}"
    elif not text.strip():
        reason = "no text"
    elif len(text) > options.max_bytes or len(text.encode("utf-8", "replace")) > options.max_bytes:
        reason, detail = "too large", f"more than {options.max_bytes} bytes"
    if reason:
        on_skip(Skipped(source.place, number, reason, detail))
        return None
    # JSON can carry halves of surrogate pairs, which no encoder would take later.
    clean = str(text).encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    given = row.get(options.id) if options.id else None
    title = row.get("title")
    return Document(
        str(given) if given is not None else f"{source.name}#{number}",
        clean,
        f"{source.place}:{number}",
        {key: value for key, value in row.items() if key != options.text_column},
        title=title if isinstance(title, str) else "",
        format=format,
    )
