"""Long work: list, watch, cancel, forget."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel

from likewise.serve.schema import RESPONSES, RunAnswer
from likewise.serve.service import Service, Shared
from likewise.serve.workers import Route

router = APIRouter(prefix="/api/jobs", tags=["jobs"], responses=RESPONSES, route_class=Route)
Id = Annotated[str, Path(description="The id that starting the job returned.", pattern="^[0-9a-f]{16}$")]
_EVENT_SECONDS = 0.25
_LONGEST_SECONDS = 20.0


class RunsAnswer(BaseModel):
    """Queue, newest first."""

    jobs: list[RunAnswer]


@router.get("")
def jobs(service: Shared, kind: Annotated[str | None, Query(max_length=20)] = None) -> RunsAnswer:
    """List the latest jobs, newest first."""
    return RunsAnswer(jobs=[RunAnswer.of(job) for job in service.queue.all(kind)])


@router.get("/{id}")
def job(id: Id, service: Shared) -> RunAnswer:  # noqa: A002 - the word of the address
    """Return a job with its progress."""
    return RunAnswer.of(service.queue.get(id))


@router.get("/{id}/events", response_class=StreamingResponse)
def events(id: Id, service: Shared) -> StreamingResponse:  # noqa: A002
    """Stream the job as server-sent events until it ends; browsers come back by themselves after 20 s."""
    service.queue.get(id)
    return StreamingResponse(_events(id, service), media_type="text/event-stream")


async def _events(identity: str, service: Service) -> AsyncIterator[str]:
    last, until = "", time.monotonic() + _LONGEST_SECONDS
    while time.monotonic() < until and not service.closing.is_set():
        job = service.queue.get(identity)
        now = RunAnswer.of(job).model_dump_json()
        if now != last:
            last = now
            yield f"data: {now}\n\n"
        if not job.active:
            return
        await asyncio.sleep(_EVENT_SECONDS)


@router.post("/{id}/cancel")
def cancel(id: Id, service: Shared) -> RunAnswer:  # noqa: A002
    """Stop a job that waits or runs; when this answers, its process is gone."""
    return RunAnswer.of(service.queue.cancel(id))


@router.delete("/{id}", status_code=204)
def forget(id: Id, service: Shared) -> Response:  # noqa: A002
    """Stop a job and forget it with everything it wrote."""
    service.queue.get(id)
    service.queue.delete(id)
    return Response(status_code=204)
