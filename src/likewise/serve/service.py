"""What all routes share, and how they get at it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request

from likewise.errors import InputError
from likewise.seals import MANIFEST_NAME, stamp
from likewise.serve.database import Database
from likewise.serve.folder import Folder
from likewise.serve.metrics import Metrics
from likewise.serve.queue import Queue
from likewise.serve.settings import ServeOptions

MOST_OPEN = 8
MOST_WORDS = 1_000_000  # about 120 MB


@dataclass(slots=True)
class Service:
    """The parts of a running service."""

    settings: ServeOptions
    folder: Folder
    database: Database
    queue: Queue
    metrics: Metrics
    closing: threading.Event = field(default_factory=threading.Event)
    _opened: dict[tuple[str, str], tuple[tuple[int, int, int], Any, int]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def opened(
        self, kind: str, path: Path, open_it: Callable[[Path], Any], words: Callable[[Any], int] = lambda _: 0
    ) -> Any:
        """Return what ``open_it`` makes of a file or folder: kept open until it changes or others need the room.

        ``words`` counts what it remembers of requests; with ``MOST_WORDS`` more than at first it is opened anew: no
        stream of made-up words fills the memory.
        """
        manifest = path / MANIFEST_NAME
        changed = stamp(manifest if manifest.is_file() else path)
        key = (kind, str(path))
        with self._lock:
            known = self._opened.pop(key, None)
            if known is None or known[0] != changed or words(known[1]) > known[2] + MOST_WORDS:
                value = open_it(path)
                known = (changed, value, words(value))
            self._opened[key] = known
            while len(self._opened) > MOST_OPEN:
                self._opened.pop(next(iter(self._opened)))
        return known[1]

    def result(self, identity: str, kinds: str | tuple[str, ...], what: str) -> Path:
        """Return the folder with the result of a finished job of a kind; ``what`` is needed, says the error else."""
        job = self.queue.get(identity)
        if job.kind not in (kinds if isinstance(kinds, tuple) else (kinds,)) or job.state != "done":
            raise InputError(f"job {identity} is a {job.kind} that is {job.state}; this needs {what}")
        return self.folder.results / identity

    def close(self) -> None:
        """Release everything."""
        self._opened.clear()
        self.database.close()


async def _service(request: Request) -> Service:  # else the framework would go to a thread for it
    service: Service = request.app.state.likewise
    return service


Shared = Annotated[Service, Depends(_service)]
