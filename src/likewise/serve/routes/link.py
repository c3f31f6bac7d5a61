"""Link a book as a job; then read it, and take the links away."""

from importlib.resources import files
from pathlib import Path as FilePath
from typing import Any, Literal

from fastapi import APIRouter
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field

from likewise.jobs.link import PRESETS, LinkOptions
from likewise.jobs.link.expression import parse
from likewise.options import from_mapping
from likewise.results.page import policy
from likewise.serve.folder import UnknownItemError, kind_of
from likewise.serve.routes.compare import SpanAnswer
from likewise.serve.routes.files import Name
from likewise.serve.routes.jobs import Id
from likewise.serve.routes.search import Text, open_path
from likewise.serve.schema import RESPONSES, RunAnswer, Strict, model_of
from likewise.serve.service import Service, Shared
from likewise.serve.workers import Route

books = APIRouter(prefix="/api/books", tags=["link"], responses=RESPONSES, route_class=Route)
router = APIRouter(prefix="/api/link", tags=["link"], responses=RESPONSES, route_class=Route)
LinkSettings = model_of(LinkOptions, "LinkSettings")
_TYPES = {
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "csv": "text/csv; charset=utf-8",
    "graphml": "application/xml",
    "html": "text/html; charset=utf-8",
}


class LinkRequest(Strict):
    """A book or a folder of texts, and how to link its passages."""

    left: str = Field(max_length=255, description="Name of a text or a folder of texts.")
    right: str | None = Field(
        None, max_length=255, description="A second one to link with, instead of within the first."
    )
    title: str | None = Field(None, max_length=200)
    options: LinkSettings = Field(default_factory=LinkSettings)  # type: ignore[valid-type]


@router.post("", status_code=202)
def start(request: LinkRequest, service: Shared) -> RunAnswer:
    """Start to link; the answer is the job to watch."""
    settings: dict[str, Any] = request.options.model_dump()  # type: ignore[attr-defined]
    parse(from_mapping(LinkOptions, settings).preset, PRESETS)  # refuse in words what the job would refuse later
    for name in filter(None, (request.left, request.right)):
        service.folder.find(name)
    title = f"link {request.left}" + (f" with {request.right}" if request.right else "")
    parameters = {"left": request.left, "right": request.right, "title": request.title, "options": settings}
    return RunAnswer.of(service.queue.submit("link", title, parameters))


@router.get("/{id}/book", response_class=FileResponse)
def book(id: Id, service: Shared) -> FileResponse:  # noqa: A002 - the word of the address
    """Return the linked book as a page."""
    return _as_page(_result(service, id) / "book.html")


@books.get("/{name}", response_class=FileResponse)
def shelf(name: Name, service: Shared) -> FileResponse:
    """Return a book of the folder, one that ``likewise link`` wrote, as a page."""
    path = service.folder.find(name)
    if kind_of(path) != "book":
        raise UnknownItemError(f"{name} is not a book that likewise link wrote")
    return _as_page(path)


def _as_page(path: FilePath) -> FileResponse:
    # Only the reader's own script runs, by its hash, and a sandbox keeps even that from the service.
    script = files("likewise.results.book").joinpath("book.js").read_text(encoding="utf-8")
    headers = {
        "content-security-policy": f"{policy(script, images=True)}; frame-ancestors 'self'; sandbox allow-scripts"
    }
    return FileResponse(path, media_type=_TYPES["html"], headers=headers)


@router.get("/{id}/download", response_class=FileResponse)
def take(
    id: Id,  # noqa: A002
    service: Shared,
    format: Literal["jsonl", "parquet", "csv", "graphml", "html"] = "jsonl",  # noqa: A002
) -> FileResponse:
    """Download the links, or the book that stands alone."""
    folder = _result(service, id)
    name = "book.html" if format == "html" else f"links.{format}"
    return FileResponse(folder / name, media_type=_TYPES[format], filename=name)


class PassageAnswer(BaseModel):
    """A passage of the book that fits a query."""

    unit: int = Field(description="Its number: the book has it at #u and this number.")
    score: float
    snippet: str
    highlights: list[SpanAnswer]


class PassagesAnswer(BaseModel):
    """The passages that fit a query best."""

    passages: list[PassageAnswer]


@router.get("/{id}/search")
def search_inside(id: Id, query: Text, service: Shared) -> PassagesAnswer:  # noqa: A002
    """Search inside the book."""
    hits = open_path(service, _result(service, id) / "index").search(query, top=20, plain=True)
    found = []
    for hit in hits:
        piece = hit.snippet(160)
        spans = [SpanAnswer(start=span.start, end=span.end) for span in piece.highlights]
        found.append(PassageAnswer(unit=int(hit.id), score=hit.score, snippet=piece.text, highlights=spans))
    return PassagesAnswer(passages=found)


def _result(service: Service, identity: str) -> FilePath:
    return service.result(identity, "link", "links that are done")
