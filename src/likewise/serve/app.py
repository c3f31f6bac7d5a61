"""The application: settings and a folder in, an ASGI application out."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from likewise import __version__
from likewise.errors import LikewiseError, MissingExtraError, NotFittedError, QueryError, StorageError
from likewise.serve import pages
from likewise.serve.database import Database
from likewise.serve.folder import Folder, UnknownItemError
from likewise.serve.guard import Guard
from likewise.serve.metrics import Metrics
from likewise.serve.queue import Queue, QueueFullError, UnknownRunError
from likewise.serve.routes import ROUTERS
from likewise.serve.service import Service
from likewise.serve.settings import ServeOptions

log = logging.getLogger("likewise.serve")
_TOLD = 3  # mistakes of a request: what is called otherwise is both missing and unknown
HERE = Path(__file__).parent

# Error -> status and word; the first that fits counts.
_STATUS: tuple[tuple[type[Exception], int, str], ...] = (
    (UnknownItemError, 404, "unknown"),
    (UnknownRunError, 404, "unknown"),
    (QueueFullError, 429, "busy"),
    (QueryError, 422, "query"),
    (NotFittedError, 422, "option"),
    (MissingExtraError, 501, "extra"),
    (StorageError, 409, "storage"),
    (LikewiseError, 422, "input"),
)


class Application(FastAPI):
    """FastAPI with the guard around everything, its own answers to unexpected errors included."""

    likewise: Service

    def build_middleware_stack(self) -> Any:
        """Return the layers, the guard outermost."""
        return Guard(super().build_middleware_stack(), self.likewise.settings, self.likewise.metrics)


def create_app(folder: str | Path, settings: ServeOptions | None = None) -> Application:
    """Return the application over a folder of collections.

    >>> import tempfile
    >>> app = create_app(tempfile.mkdtemp())
    >>> "/api/compare" in app.openapi()["paths"]
    True
    """
    settings = settings or ServeOptions()
    place = Folder(Path(folder))
    database = Database(place.database)
    service = Service(settings, place, database, Queue(place, database, settings), Metrics())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.queue.start()
        yield
        service.closing.set()
        await asyncio.to_thread(service.queue.stop)
        service.close()

    app = Application(
        title="Likewise",
        version=__version__,
        description="Find the texts that say the same thing, and see why. The pages are at /, this document at "
        "/openapi.json.",
        docs_url=None,  # its pages load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.likewise = app.state.likewise = service
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    for router in ROUTERS:
        app.include_router(router)
    app.include_router(pages.router)
    _add_errors(app, place)
    return app


def _add_errors(app: FastAPI, folder: Folder) -> None:
    """Give every error the same shape, in words, with nothing about this machine."""

    @app.exception_handler(LikewiseError)
    async def ours(request: Request, error: LikewiseError) -> Response:
        status, kind = next((status, kind) for of, status, kind in _STATUS if isinstance(error, of))
        return answer(request, status, kind, folder.say(str(error)), retry=10 if status == 429 else None)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            why = f"{first.get('ctx', {}).get('error', first['msg'])} at character {first['loc'][-1]}"
            return answer(request, 422, "input", f"the body is not JSON: {why}")
        return answer(request, 422, "input", "; ".join(map(_told, error.errors()[:_TOLD])))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        words = {404: f"there is nothing at {request.url.path[:200]}", 405: "this address takes another method"}
        kind = {404: "unknown", 405: "method"}.get(error.status_code, "input")
        made = answer(request, error.status_code, kind, words.get(error.status_code, str(error.detail)))
        made.headers.update(error.headers or {})
        return made

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Response:
        # Quoted: a path may hold what a terminal takes for commands.
        log.exception("unexpected error at %s %r", request.method, request.url.path, exc_info=error)
        return answer(
            request, 500, "unexpected", "something went wrong that should not; the log of the service says more"
        )

    @app.get("/health", tags=["service"], response_model=dict[str, str])
    async def health() -> dict[str, str]:
        """Say that the service is alive, and which version it is."""
        return {"status": "ok", "version": __version__}

    @app.get("/metrics", tags=["service"], response_class=PlainTextResponse)
    def metrics(request: Request) -> str:
        """Return counters in the Prometheus text format."""
        service: Service = request.app.state.likewise
        return service.metrics.text({"likewise_jobs": service.queue.states()})


def _told(mistake: Mapping[str, Any]) -> str:
    """Return in words what is wrong with a part of a request.

    >>> _told({"type": "missing", "loc": ("body", "table"), "msg": "Field required"})
    'table is missing'
    """
    where = ".".join(str(part) for part in mistake["loc"] if part != "body") or "body"
    said = {"missing": "is missing", "extra_forbidden": "is not known here"}
    return f"{where} {said[mistake['type']]}" if mistake["type"] in said else f"{where}: {mistake['msg']}"


def answer(request: Request, status: int, kind: str, message: str, retry: int | None = None) -> Response:
    """Return an error: as a page to a browser that asked for one, as JSON to everybody else."""
    headers = {"retry-after": str(retry)} if retry else {}
    if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
        return pages.error_page(request, status, message, headers)
    content: dict[str, Any] = {"error": {"kind": kind, "message": message}}
    return JSONResponse(content, status_code=status, headers=headers)
