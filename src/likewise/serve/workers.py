"""The threads that answer requests: a few for quick ones, and others that share the time of one for long ones.

Threads share one interpreter: the fewer work at a time, the more answers come in the order of their requests. So there
are few places, and who has had one for long leaves it to the next and goes on beside. What a request takes grows with
its size: those that bring much have a place of their own, or twenty of them would be before everybody who comes later.
"""

import asyncio
import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from typing import Any

from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic import BaseModel

from likewise.progress import stop_if_asked, stopped_by

PLACES = 2
LONG = 0.1  # seconds
LARGE = 16 << 10  # bytes


@dataclass(slots=True, eq=False)
class Asked:
    """A request that is worked for: how much of its body has arrived."""

    workers: "Workers"
    body: int = 0


_request: ContextVar[Asked] = ContextVar("request")


class Workers:
    """Threads, and the places at which they work."""

    def __init__(self, most: int) -> None:
        self._threads = ThreadPoolExecutor(most, "request")
        self._places, self._large = asyncio.Semaphore(PLACES), asyncio.Semaphore(1)
        self.long = 0  # how many are at work that take long

    @contextmanager
    def asked(self) -> Iterator[Asked]:
        """Let what is worked meanwhile in this context have these threads."""
        request = Asked(self)
        before = _request.set(request)
        try:
            yield request
        finally:
            _request.reset(before)

    async def work(self, do: Callable[[], Any], large: bool) -> Any:
        """Do it in a thread; where nobody waits for it any more, ask it to stop."""
        loop, given_up = asyncio.get_running_loop(), threading.Event()
        places, placed, long = self._large if large else self._places, True, large

        def leave() -> None:
            nonlocal placed, long
            self.long += not long
            placed, long = False, True
            places.release()

        await places.acquire()
        self.long += large
        timer = loop.call_later(LONG, leave)
        try:
            with stopped_by(given_up, lambda: self.long if long else 0):
                context = copy_context()
            return await loop.run_in_executor(self._threads, context.run, do)
        finally:
            given_up.set()
            timer.cancel()
            self.long -= long
            if placed:
                places.release()

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False)


class Route(APIRoute):
    """A route whose function works in a thread, where its answer is written, too.

    The framework itself would go to a thread for the function, and again to look whether the answer is one.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **settings: Any) -> None:
        if not inspect.iscoroutinefunction(endpoint):
            endpoint = _in_a_thread(endpoint, settings.get("status_code") or 200)
        super().__init__(path, endpoint, **settings)


def _in_a_thread(function: Callable[..., Any], status: int) -> Callable[..., Any]:
    def answered(values: dict[str, Any]) -> Any:
        stop_if_asked()  # the time of this thread counts from here
        found = function(**values)
        if not isinstance(found, BaseModel):
            return found
        return Response(found.model_dump_json(by_alias=True), status, media_type="application/json")

    @functools.wraps(function)
    async def call(**values: Any) -> Any:
        request = _request.get()
        return await request.workers.work(functools.partial(answered, values), request.body > LARGE)

    return call
