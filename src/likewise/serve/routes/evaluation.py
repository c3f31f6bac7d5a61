"""The published tables, computed again from a folder of data as a job."""

from pathlib import Path
from typing import Literal

from fastapi import APIRouter
from fastapi.responses import FileResponse
from pydantic import Field

from likewise.serve.routes.jobs import Id
from likewise.serve.schema import RESPONSES, RunAnswer, Strict
from likewise.serve.service import Service, Shared
from likewise.serve.workers import Route

router = APIRouter(prefix="/api/reproduce", tags=["evaluation"], responses=RESPONSES, route_class=Route)
# The report is tables and pictures of our own with styles inside; no script runs in it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"


class ReproduceRequest(Strict):
    """Which data, and what of it."""

    data: str = Field(max_length=255, description="Name of a folder with er/, ir/ and pairs/, as published.")
    only: list[Literal["er", "ir", "paraphrase", "entailment"]] = Field(
        ["er", "ir", "paraphrase", "entailment"], min_length=1, max_length=4
    )
    rows: str | None = Field(None, max_length=100, description="Only rows whose id fits this pattern.")


@router.post("", status_code=202)
def start(request: ReproduceRequest, service: Shared) -> RunAnswer:
    """Start to compute; the answer is the job to watch."""
    service.folder.find(request.data)
    title = f"reproduce {request.data}" + (f" {request.rows}" if request.rows else "")
    return RunAnswer.of(service.queue.submit("reproduce", title, request.model_dump()))


@router.get("/{id}")
def figures(id: Id, service: Shared) -> FileResponse:  # noqa: A002 - the word of the address
    """Return every figure: published, ours, difference, status."""
    return FileResponse(_result(service, id) / "figures.json", media_type="application/json")


@router.get("/{id}/report", response_class=FileResponse)
def report(id: Id, service: Shared) -> FileResponse:  # noqa: A002
    """Return the report page with tables and curves."""
    headers = {"content-security-policy": f"{_POLICY}; frame-ancestors 'self'"}
    return FileResponse(_result(service, id) / "report.html", media_type="text/html; charset=utf-8", headers=headers)


def _result(service: Service, identity: str) -> Path:
    return service.result(identity, "reproduce", "a reproduction that is done")
