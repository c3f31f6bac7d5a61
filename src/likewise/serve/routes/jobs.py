"""Long work: list, watch, cancel, forget."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel

from likewise.serve.schema import RESPONSES, JobAnswer
from likewise.serve.service import Shared, State

router = APIRouter(prefix="/api/jobs", tags=["jobs"], responses=RESPONSES)
Id = Annotated[str, Path(description="The id that starting the job returned.", pattern="^[0-9a-f]{16}$")]
_EVENT_SECONDS = 0.25
_LONGEST_SECONDS = 20.0


class JobsAnswer(BaseModel):
    """Jobs, newest first."""

    jobs: list[JobAnswer]


@router.get("")
def jobs(state: Shared, kind: Annotated[str | None, Query(max_length=20)] = None) -> JobsAnswer:
    """List the latest jobs, newest first."""
    return JobsAnswer(jobs=[JobAnswer.of(job) for job in state.jobs.all(kind)])


@router.get("/{id}")
def job(id: Id, state: Shared) -> JobAnswer:  # noqa: A002 - the word of the address
    """Return a job with its progress."""
    return JobAnswer.of(state.jobs.get(id))


@router.get("/{id}/events", response_class=StreamingResponse)
def events(id: Id, state: Shared) -> StreamingResponse:  # noqa: A002
    """Stream the job as server-sent events until it ends; browsers come back by themselves after 20 s."""
    state.jobs.get(id)
    return StreamingResponse(_events(id, state), media_type="text/event-stream")


async def _events(identity: str, state: State) -> AsyncIterator[str]:
    last, until = "", time.monotonic() + _LONGEST_SECONDS
    while time.monotonic() < until and not state.closing.is_set():
        job = state.jobs.get(identity)
        now = JobAnswer.of(job).model_dump_json()
        if now != last:
            last = now
            yield f"data: {now}\n\n"
        if not job.active:
            return
        await asyncio.sleep(_EVENT_SECONDS)


@router.post("/{id}/cancel")
def cancel(id: Id, state: Shared) -> JobAnswer:  # noqa: A002
    """Stop a job that waits or runs; when this answers, its process is gone."""
    return JobAnswer.of(state.jobs.cancel(id))


@router.delete("/{id}", status_code=204)
def forget(id: Id, state: Shared) -> Response:  # noqa: A002
    """Stop a job and forget it with everything it wrote."""
    state.jobs.get(id)
    state.jobs.delete(id)
    return Response(status_code=204)
