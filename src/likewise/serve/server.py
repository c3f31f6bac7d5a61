"""Listen: the application on a socket, with uvicorn, until it is told to stop."""

import logging
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import uvicorn

from likewise.errors import StorageError
from likewise.serve.app import create_app
from likewise.serve.protocol import protocol_with_deadline
from likewise.serve.settings import ServeOptions

_SWITCH = 0.0005  # seconds; Python's own is ten times that


class _Server(uvicorn.Server):
    """A server that says when it is ready."""

    ready: Callable[[], object] = staticmethod(lambda: None)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.ready()


def run(folder: str | Path, settings: ServeOptions, announce: Callable[[str], object] = print) -> None:
    """Serve until Ctrl-C or SIGTERM; ``announce`` gets the address once requests are answered."""
    place = Path(folder)
    if not place.is_dir():
        raise StorageError(f"{place} is not a folder; make it first, or name another")
    app = create_app(place, settings)
    app.likewise.queue.claim()
    bound = _bind(settings)
    config = uvicorn.Config(
        app,
        http=protocol_with_deadline(settings.header_seconds),
        ws="none",
        lifespan="on",
        access_log=False,
        # A malformed request is answered (400); a line about each would only help to fill a log.
        log_level=logging.ERROR,
        server_header=False,
        proxy_headers=False,  # nothing here asks who the client is
        timeout_keep_alive=15,
        timeout_graceful_shutdown=int(settings.grace_seconds) + 1,
    )
    # Requests are short, and those who wait for their answers should not wait for a long one in between.
    sys.setswitchinterval(_SWITCH)
    server = _Server(config)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    port = bound.getsockname()[1]
    server.ready = lambda: announce(f"http://{host}:{port}/")
    try:
        server.run(sockets=[bound])
    finally:
        bound.close()


def _bind(settings: ServeOptions) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Named, since asyncio only sends at once (TCP_NODELAY) on what says that it is TCP: otherwise the second half of an
    # answer waits for the client to confirm the first, which takes it 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
        bound.listen(1024)
    except OSError as error:
        bound.close()
        raise StorageError(
            f"cannot listen on {settings.host}:{settings.port}: {error.strerror}; --port takes another"
        ) from error
    return bound
