"""What lies in the served folder: list, look, upload, delete."""

import os
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from likewise.errors import FormatError, InputError
from likewise.read.formats import by_ending
from likewise.serve.folder import TABLES, Item, plain_name
from likewise.serve.schema import RESPONSES
from likewise.serve.service import Service, Shared
from likewise.serve.workers import Route
from likewise.storage import atomic_path

if TYPE_CHECKING:
    from likewise.read.tables import Records

router = APIRouter(prefix="/api/files", tags=["files"], responses=RESPONSES, route_class=Route)
Name = Annotated[str, Path(description="A file name, without folders.", max_length=255)]
Header = Annotated[bool | None, Query(description="Whether the first row names the columns (default: detected).")]
_PREVIEW_ROWS = 5


class ItemAnswer(BaseModel):
    """Something in the folder that a job can use."""

    name: str
    kind: str = Field(description="table, text, folder, index, paraphrases, links, nuggets, study, book or file.")
    bytes: int
    uploaded: bool

    @classmethod
    def of(cls, item: Item) -> "ItemAnswer":
        """Return an item as an answer."""
        return cls(name=item.name, kind=item.kind, bytes=item.bytes, uploaded=item.uploaded)


class ItemsAnswer(BaseModel):
    """What lies in the folder."""

    files: list[ItemAnswer]


class TableAnswer(BaseModel):
    """What was found in a table."""

    name: str
    rows: int
    columns: list[str]
    notes: list[str] = Field(description="What was detected: delimiter, encoding, header; rows that were skipped.")
    preview: list[dict[str, Any]]


@router.get("")
def items(service: Shared) -> ItemsAnswer:
    """List what lies in the folder."""
    return ItemsAnswer(files=[ItemAnswer.of(item) for item in service.folder.items()])


@router.put("/{name}", status_code=201, openapi_extra={"requestBody": {"content": {"application/octet-stream": {}}}})
async def upload(name: Name, request: Request, service: Shared) -> ItemAnswer:
    """Upload a file as the body of the request; when this answers it is on disk. A file of that name is replaced."""
    safe = plain_name(name)
    if by_ending(safe) is None:
        raise FormatError(f"{safe} has an ending that no job reads; tables are {', '.join(TABLES)}")
    stored = await run_in_threadpool(service.folder.stored_bytes)
    room = (service.settings.max_stored_mb << 20) - stored
    size = 0
    with atomic_path(service.folder.uploads / safe) as temporary, open(temporary, "wb") as file:
        async for piece in request.stream():
            size += len(piece)
            if size > room:
                raise HTTPException(507, "uploads and results take up all the space they may; delete some")
            await run_in_threadpool(file.write, piece)
        file.flush()
        await run_in_threadpool(os.fsync, file.fileno())
    return ItemAnswer.of(next(item for item in service.folder.items() if item.name == safe))


@router.get("/{name}")
def table(
    name: Name,
    service: Shared,
    header: Header = None,
) -> TableAnswer:
    """Say what a table holds: columns, number of rows, the first few, and what was detected."""
    records = open_records(service, name, header)
    preview = records.table.slice(0, _PREVIEW_ROWS).to_pylist()
    return TableAnswer(
        name=name,
        rows=len(records),
        columns=records.table.column_names,
        notes=[service.folder.say(note) for note in records.notes],
        preview=[{key: _shown(value) for key, value in row.items()} for row in preview],
    )


def open_records(service: Service, name: str, header: bool | None) -> "Records":
    """Return the rows of a table of the folder, kept open."""
    from likewise.read.tables import TableOptions, read_table

    options = TableOptions(header=header)
    records: Records = service.opened(
        f"table {header}", service.folder.find(name), lambda path: read_table(path, options)
    )
    return records


def _shown(value: Any) -> str | None:
    return None if value is None else str(value)[:200]


@router.delete("/{name}", status_code=204)
def delete(name: Name, service: Shared) -> Response:
    """Delete an upload; what the user put into the folder stays."""
    path = service.folder.find(name)
    if path.parent != service.folder.uploads:
        raise InputError(f"{name} was not uploaded; only uploads can be deleted here")
    path.unlink()
    return Response(status_code=204)
