"""Results to take away: a table as CSV, JSON lines, Arrow or Parquet."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

if TYPE_CHECKING:
    import pyarrow as pa

Format = Literal["csv", "jsonl", "arrow", "parquet"]
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "arrow": "application/vnd.apache.arrow.file",
    "parquet": "application/vnd.apache.parquet",
}


def download(table: "pa.Table", name: str, format: Format) -> FileResponse:  # noqa: A002 - the word users see
    """Return a table as a file to save; it is written beside, so that memory does not hold it twice."""
    with tempfile.NamedTemporaryFile(suffix=f".{format}", delete=False) as file:
        path = Path(file.name)
    if format == "arrow":
        import pyarrow as pa

        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    else:
        from likewise.results.tables import write_table

        write_table(table, path)
    return FileResponse(
        path, media_type=TYPES[format], filename=f"{name}.{format}", background=BackgroundTask(path.unlink, True)
    )
