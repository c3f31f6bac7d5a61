"""HTTP over sockets: uvicorn's parser with a deadline for the head of a request, so that slow senders hold nothing."""

import asyncio
from typing import Any

# Its timers and cycles are no public interface: tested with uvicorn 0.54; tests/serve/test_guard.py tells when
# a newer one has changed them.
from uvicorn.protocols.http.h11_impl import H11Protocol


def protocol_with_deadline(seconds: float) -> type[asyncio.Protocol]:
    """Return uvicorn's HTTP protocol, closing connections whose request head takes longer than ``seconds``."""

    class Deadline(H11Protocol):
        _deadline: float | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._arm()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is None or self.cycle.response_complete:
                if self.timeout_keep_alive_task is None and not self.transport.is_closing():
                    self._arm()
            else:
                self._deadline = None

        def _arm(self) -> None:
            # The first byte sets the deadline and further bytes do not move it: one byte a second gains nothing.
            if self._deadline is None:
                self._deadline = self.loop.time() + seconds
            self.timeout_keep_alive_task = self.loop.call_at(self._deadline, self.timeout_keep_alive_handler)

    return Deadline
