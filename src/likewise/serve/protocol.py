"""HTTP over sockets: uvicorn's parser, with a deadline for slow senders and an answer for those who still send."""

import asyncio
import re
from typing import Any, cast

import h11

# Its timers and cycles are no public interface: tested with uvicorn 0.54; tests/serve/test_guard.py tells when
# a newer one has changed them.
from uvicorn.protocols.http.h11_impl import H11Protocol

# How long a refused sender may go on sending before the connection is closed in its face.
LINGER = 30.0
# Connections on which no request is at work; beyond that the one that waits longest is closed. (A process may often
# have no more than 1,024 files open.)
MOST_IDLE = 400
# Lines of the head of a request; a browser sends two dozen. Thousands are taken apart into so many small objects that
# their memory stays with the process, in pieces.
MOST_LINES = 200
_BLANK_LINE = re.compile(rb"\n\r?\n")


def protocol_with_deadline(seconds: float, most_idle: int = MOST_IDLE) -> type[asyncio.Protocol]:
    """Return uvicorn's HTTP protocol, closing connections whose request head takes longer than ``seconds``.

    A head of more than ``MOST_LINES`` is refused before it is taken apart. Connections without a request cost nobody
    else an answer, however many there are; ``most_idle`` are kept open.
    """
    idle: dict[H11Protocol, None] = {}  # in the order in which they began to wait

    class Deadline(H11Protocol):
        _deadline: float | None = None
        _lines = 0  # of the head that is arriving ...
        _last = b""  # ... and its last bytes: the blank line that ends it may come in two pieces

        def connection_made(self, transport: Any) -> None:
            super().connection_made(cast(asyncio.Transport, _Lingering(transport, self)))
            self._arm()
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            idle.pop(self, None)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if self.conn.their_state is h11.IDLE:
                arrived = self._last + data
                end = _BLANK_LINE.search(arrived)
                self._lines += arrived.count(b"\n", 0, end and end.start()) - self._last.count(b"\n")
                self._last = arrived[-2:]
                if self._lines > MOST_LINES:
                    self._unset_keepalive_if_required()
                    self.send_400_response("Too many lines in the head of the request.")
                    return
            super().data_received(data)
            if self.conn.their_state is not h11.IDLE:
                self._lines, self._last = 0, b""
            if self.cycle is None or self.cycle.response_complete:
                if self.timeout_keep_alive_task is None and not self.transport.is_closing():
                    self._arm()
            else:
                self._deadline = None
                idle.pop(self, None)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete):
                self._wait()

        def _wait(self) -> None:
            idle[self] = None
            if len(idle) > most_idle:
                longest = next(iter(idle))
                del idle[longest]
                longest.transport.close()

        def _arm(self) -> None:
            # The first byte sets the deadline and further bytes do not move it: one byte a second gains nothing.
            if self._deadline is None:
                self._deadline = self.loop.time() + seconds
            self.timeout_keep_alive_task = self.loop.call_at(self._deadline, self.timeout_keep_alive_handler)

    return Deadline


class _Lingering:
    """A transport that, closed while a request is still arriving, first lets the answer be read.

    A socket closed with unread input resets the connection, and a reset throws away what the other side has not
    read yet: the sender of a body that is too large would see "connection reset" instead of the refusal.
    """

    def __init__(self, transport: Any, protocol: H11Protocol) -> None:
        self._transport = transport
        self._protocol = protocol
        self._closed = False
        self._held: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        return self._closed or self._transport.is_closing()

    def write(self, data: bytes) -> None:
        """Send it with what else is written in this turn of the loop: the head of an answer goes with its body."""
        if data and not self._closed:
            if not self._held:
                self._protocol.loop.call_soon(self._send)
            self._held.append(data)

    def _send(self) -> None:
        if self._held:
            data = b"".join(self._held)
            self._held.clear()
            self._transport.write(data)

    def pause_reading(self) -> None:
        if not self._closed:
            self._transport.pause_reading()

    def close(self) -> None:
        self._send()
        conn = self._protocol.conn
        refused = conn.their_state is h11.IDLE and conn.our_state is h11.MUST_CLOSE
        arriving = refused or conn.their_state in (h11.SEND_BODY, h11.ERROR)
        if arriving and not self._closed and not self._transport.is_closing() and self._transport.can_write_eof():
            self._transport.set_protocol(_Drain(self._transport, self._protocol))
        else:
            self._transport.close()
        self._closed = True


class _Drain(asyncio.Protocol):
    """Say that no more will be written, throw away what still comes, and close at its end or after a while."""

    def __init__(self, transport: Any, protocol: H11Protocol) -> None:
        self._protocol = protocol
        transport.write_eof()
        transport.resume_reading()
        self._timer = protocol.loop.call_later(LINGER, transport.close)

    def connection_lost(self, error: Exception | None) -> None:
        self._timer.cancel()
        self._protocol.connection_lost(error)
