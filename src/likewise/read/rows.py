"""Tables with a column of text: JSON lines and Parquet, one document a row."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from likewise.read.document import Document
from likewise.read.options import ReadOptions
from likewise.read.skipped import OnSkip, SkipError, Skipped

if TYPE_CHECKING:
    from likewise.read.pieces import Piece


def read_jsonl(
    stream: BinaryIO, name: str, source: str, options: ReadOptions, on_skip: OnSkip, piece: "Piece | None" = None
) -> Iterator[Document]:
    """Yield one document for each line, a JSON object whose text column holds a string."""
    position, number, end = (piece.start, piece.before, piece.end) if piece else (0, 0, None)
    good, bad = number, 0
    limit = options.max_bytes * 2 + (1 << 16)  # JSON may write a character as six bytes; the text is measured below
    while (end is None or position < end) and (line := stream.readline(limit)):
        number += 1
        position += len(line)
        place = f"{source}:{number}"
        if not line.endswith(b"\n") and len(line) >= limit:
            on_skip(Skipped(place, "too large", f"more than {options.max_bytes} bytes"))
            while not line.endswith(b"\n") and (line := stream.readline(1 << 20)):
                position += len(line)
            continue
        if not line.strip():
            continue
        try:
            row = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            bad += 1
            on_skip(Skipped(place, "broken", "not JSON"))
            if bad == 100 and not good:
                raise SkipError("broken", "100 lines and none of them JSON") from None
            continue
        good += 1
        if not isinstance(row, dict):
            on_skip(Skipped(place, "broken", "not a JSON object"))
            continue
        document = _row(row, number, name, place, options, on_skip)
        if document is not None:
            yield document


def read_parquet(
    path: Path, name: str, source: str, options: ReadOptions, on_skip: OnSkip, piece: "Piece | None" = None
) -> Iterator[Document]:
    """Yield one document for each row, batch by batch."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        raise SkipError("broken", str(error).split("\n")[0][:200]) from error
    with table:
        columns = table.schema_arrow.names
        if options.text_column not in columns:
            raise SkipError("no text column", f"no column {options.text_column!r}; there are {', '.join(columns)}")
        number = piece.before if piece else 0
        groups = range(piece.start, piece.end or 0) if piece else range(table.num_row_groups)
        try:
            for batch in table.iter_batches(batch_size=1024, row_groups=groups):
                for row in batch.to_pylist():
                    number += 1
                    document = _row(row, number, name, f"{source}:{number}", options, on_skip)
                    if document is not None:
                        yield document
        except (OSError, pa.ArrowException) as error:
            raise SkipError("broken", f"after row {number}: {str(error).split(chr(10))[0][:200]}") from error


def _row(
    row: Mapping[str, Any], number: int, name: str, place: str, options: ReadOptions, on_skip: OnSkip
) -> Document | None:
    text = row.get(options.text_column)
    if not isinstance(text, str):
        on_skip(Skipped(place, "no text column", f"no text in column {options.text_column!r}"))
    elif not text.strip():
        on_skip(Skipped(place, "no text"))
    elif len(text) > options.max_bytes or len(text.encode("utf-8", "replace")) > options.max_bytes:
        on_skip(Skipped(place, "too large", f"more than {options.max_bytes} bytes"))
    else:
        # JSON can carry halves of surrogate pairs, which no encoder would take later.
        clean = text.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        given = row.get(options.id_column) if options.id_column else None
        fields = {key: value for key, value in row.items() if key != options.text_column}
        return Document(str(given) if given is not None else f"{name}#{number}", clean, place, fields)
    return None
