"""Find the duplicates of a table as a job; then look at the clusters and take the table away."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field

from likewise.records.options import ClusterOptions, DedupeOptions
from likewise.serve.download import Format, download
from likewise.serve.measures import measure_of
from likewise.serve.routes.jobs import Id
from likewise.serve.schema import CLEANING, RESPONSES, RunAnswer, Strict, model_of, settings_of
from likewise.serve.service import Service, Shared
from likewise.serve.workers import Route

router = APIRouter(prefix="/api/dedupe", tags=["dedupe"], responses=RESPONSES, route_class=Route)
DedupeSettings = model_of(DedupeOptions, "DedupeSettings", kinds=CLEANING)


class DedupeRequest(Strict):
    """A table, and how to find its duplicates."""

    table: str = Field(max_length=255, description="Name of a table in the folder.")
    measure: str | None = Field(None, max_length=2000, description="A specification (default: that of dedupe).")
    header: bool | None = Field(None, description="Whether the first row is a header (default: detected).")
    state: str | None = Field(
        None, max_length=100, description="Keep records and clusters in the folder under this name, for add later."
    )
    add: str | None = Field(
        None, max_length=255, description="Table of records that come to a state, which is then the table; ids stay."
    )
    options: DedupeSettings = Field(default_factory=DedupeSettings)  # type: ignore[valid-type]


ClusterSettings = model_of(ClusterOptions, "ClusterSettings")


class ClusterRequest(Strict):
    """Pairs that were made elsewhere, and how to cluster them."""

    pairs: str = Field(max_length=255, description="Name of a table in the folder: two ids, and how sure each pair is.")
    options: ClusterSettings = Field(default_factory=ClusterSettings)  # type: ignore[valid-type]


class RecordsAnswer(BaseModel):
    """Records with the number of their cluster, in the order of the table."""

    records: int
    rows: list[dict[str, Any]]


@router.post("", status_code=202)
def start(request: DedupeRequest, service: Shared) -> RunAnswer:
    """Start to look for duplicates; the answer is the job to watch."""
    settings = settings_of(DedupeOptions, request.options)
    if request.measure:
        measure_of(request.measure)
    for name in filter(None, (request.table, request.add)):
        service.folder.find(name)
    state = None if request.state is None else service.folder.new_name(request.state, "state", ".state")
    parameters = request.model_dump() | {"options": settings, "state": state}
    return RunAnswer.of(service.queue.submit("dedupe", f"duplicates of {request.table}", parameters))


@router.post("/pairs", status_code=202)
def cluster(request: ClusterRequest, service: Shared) -> RunAnswer:
    """Start to make clusters of pairs that were made elsewhere; they are read as those of a dedupe."""
    service.folder.find(request.pairs)
    parameters = {"pairs": request.pairs, "options": settings_of(ClusterOptions, request.options)}
    return RunAnswer.of(service.queue.submit("cluster", f"clusters of {request.pairs}", parameters))


@router.get("/{id}")
def records(
    id: Id,  # noqa: A002 - the word of the address
    service: Shared,
    offset: Annotated[int, Query(ge=0, le=1 << 40)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> RecordsAnswer:
    """Return records with their cluster, its size, and whether the record stands for it."""
    table = _open(service, id)
    return RecordsAnswer(records=table.num_rows, rows=table.slice(offset, limit).to_pylist())


@router.get("/{id}/download", response_class=FileResponse)
def take(id: Id, service: Shared, format: Format = "csv") -> FileResponse:  # noqa: A002 - the words users see
    """Download the records with their clusters."""
    return download(_open(service, id), "records", format)


def _open(service: Service, identity: str) -> Any:
    import pyarrow.parquet as pq

    folder = service.result(identity, ("dedupe", "cluster"), "a dedupe that is done")
    return service.opened("dedupe", folder / "records.parquet", pq.read_table)
