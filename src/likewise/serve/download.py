"""Results to take away: a table as CSV, JSON lines, Arrow or Parquet."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from fastapi.responses import FileResponse
from starlette.types import Receive, Scope, Send

if TYPE_CHECKING:
    import pyarrow as pa

Format = Literal["csv", "jsonl", "arrow", "parquet"]
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "arrow": "application/vnd.apache.arrow.file",
    "parquet": "application/vnd.apache.parquet",
}


class _Once(FileResponse):
    """A file that is gone when it was sent, or when the reader went away or took too long."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            Path(self.path).unlink(missing_ok=True)


def download(table: "pa.Table", name: str, format: Format) -> FileResponse:  # noqa: A002 - the word users see
    """Return a table as a file to save; it is written beside, so that memory does not hold it twice."""
    with tempfile.NamedTemporaryFile(suffix=f".{format}", delete=False) as file:
        path = Path(file.name)
    try:
        if format == "arrow":
            import pyarrow as pa

            with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
                writer.write_table(table)
        else:
            from likewise.results.tables import write_table

            write_table(table, path)
        return _Once(path, media_type=TYPES[format], filename=f"{name}.{format}")
    except BaseException:
        path.unlink(missing_ok=True)
        raise
