"""Checks before a request reaches a route: who may ask, how much, how large, how long; and headers of every answer.

One ASGI layer around the application. It knows no route's work; every refusal is JSON with the same shape as the
errors of routes, and says what to do.
"""

import asyncio
import contextlib
import hashlib
import hmac
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import quote, urlsplit

from likewise.serve.metrics import Metrics
from likewise.serve.settings import ServeOptions
from likewise.serve.workers import Workers

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "likewise"
OPEN_PATHS = ("/health", "/login")
UPLOADS = "/api/files/"
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
        "base-uri 'none'",
    ]
)
_ADDED = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
HEADERS = [(name.encode(), value.encode()) for name, value in _ADDED.items()]


class Refusal(Exception):  # noqa: N818 - an answer rather than an error
    """A request that goes no further: status, kind, message, and when to come back."""

    def __init__(self, status: int, kind: str, message: str, retry: int | None = None) -> None:
        super().__init__(message)
        self.status, self.kind, self.message, self.retry = status, kind, message, retry


class Guard:
    """The layer around the application."""

    def __init__(self, app: App, settings: ServeOptions, metrics: Metrics) -> None:
        self.app, self.settings, self.metrics = app, settings, metrics
        self.at_work = 0
        self.hosts = ("localhost", "127.0.0.1", "::1", settings.host) if settings.loopback else None
        self.workers = Workers(settings.concurrency)
        self.session = session_of(settings.token) if settings.token else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 500
        started = False

        async def answer(message: Message) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                started, status = True, message["status"]
                own = message.get("headers", [])
                present = {name.lower() for name, _ in own}
                message = {**message, "headers": [*own, *(one for one in HEADERS if one[0] not in present)]}
            await send(message)

        try:
            self._admit(scope)
            self.at_work += 1
            try:
                await self._within_limits(scope, receive, answer)
            finally:
                self.at_work -= 1
        except Refusal as refusal:
            self.metrics.refuse(refusal.kind)
            if not started:
                await _refuse(refusal, scope, answer)
        except Exception:
            # The application has answered (500) and logged it before it passes an error on.
            if not started:
                raise
        finally:
            route = getattr(scope.get("route"), "path", None) or "other"
            self.metrics.count(_known(scope["method"]), route, status, time.perf_counter() - begun)

    def _admit(self, scope: Scope) -> None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if self.hosts and _host_name(host) not in self.hosts:
            # A page of another site whose name was made to point here (DNS rebinding) still sends its own name.
            raise Refusal(421, "host", "this service answers to localhost only")
        if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            origin = headers.get("origin")
            if headers.get("sec-fetch-site") == "cross-site" or (origin and urlsplit(origin).netloc != host):
                raise Refusal(403, "origin", "requests that change something must come from this service's own pages")
        if self.settings.token and not self._open(scope["path"]) and not self._knows(headers):
            raise Refusal(401, "token", "send the token: Authorization: Bearer TOKEN, or log in at /login")
        if self.at_work >= self.settings.concurrency:
            raise Refusal(503, "busy", f"{self.at_work} requests are at work; try again in a moment", retry=1)

    @staticmethod
    def _open(path: str) -> bool:
        return path in OPEN_PATHS or path.startswith("/static/")

    def _knows(self, headers: dict[str, str]) -> bool:
        given = headers.get("authorization", "")
        if given.lower().startswith("bearer ") and same(given[7:].strip(), self.settings.token or ""):
            return True
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and same(cookie.value, self.session or "")

    async def _within_limits(self, scope: Scope, receive: Receive, send: Send) -> None:
        upload = scope["method"] == "PUT" and scope["path"].startswith(UPLOADS)
        largest = self.settings.max_upload_mb << 20 if upload else self.settings.max_body_kb << 10
        length = dict(scope["headers"]).get(b"content-length", b"")
        if length.isdigit() and (len(length) > 18 or int(length) > largest):
            raise _too_large(largest)
        loop = asyncio.get_running_loop()
        body_by = loop.time() + self.settings.body_seconds
        whole = False
        refusal: Refusal | None = None

        async def limited() -> Message:
            nonlocal whole, refusal
            if whole:
                return await receive()
            try:
                async with asyncio.timeout_at(body_by):
                    message = await receive()
            except TimeoutError:
                refusal = Refusal(408, "slow", "the body of the request did not arrive in time")
                raise refusal from None
            if message["type"] == "http.request":
                asked.body += len(message.get("body", b""))
                whole = not message.get("more_body", False)
                if asked.body > largest:
                    refusal = _too_large(largest)
                    raise refusal
            return message

        async def unless_refused(message: Message) -> None:
            # The framework makes a general answer of what is raised while it reads a body; ours says more.
            if refusal is None:
                await send(message)

        seconds = self.settings.request_seconds + (self.settings.body_seconds if upload else 0)
        try:
            with self.workers.asked() as asked:
                async with asyncio.timeout(seconds) as deadline:
                    await self.app(scope, limited, unless_refused)
        except TimeoutError:
            if not deadline.expired():
                raise
            raise Refusal(
                503, "time", f"this took longer than {seconds:g} s; give it less, or run it as a job", 5
            ) from None
        if refusal is not None:
            raise refusal


def same(given: str, expected: str) -> bool:
    """Compare secrets in a time that does not tell how much of them agrees."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def session_of(token: str) -> str:
    """Return what the cookie of a browser holds instead of the token itself."""
    return hmac.new(token.encode(), b"likewise session", hashlib.sha256).hexdigest()


def _host_name(host: str) -> str:
    with contextlib.suppress(ValueError):
        return urlsplit(f"//{host}").hostname or ""
    return ""


def _known(method: str) -> str:
    return method if method in ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS") else "other"


def _too_large(largest: int) -> Refusal:
    return Refusal(413, "size", f"the body is larger than {largest >> 10} kB; the limits are options of likewise serve")


async def _refuse(refusal: Refusal, scope: Scope, send: Send) -> None:
    accepts = dict(scope["headers"]).get(b"accept", b"")
    headers = [(b"content-type", b"application/json")]
    status = refusal.status
    if status == 401 and scope["method"] == "GET" and b"text/html" in accepts:
        status = 303
        headers.append((b"location", b"/login?next=" + quote(scope["path"], safe="/").encode()))
    if status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="likewise"'))
    if refusal.retry is not None:
        headers.append((b"retry-after", str(refusal.retry).encode()))
    if status in (408, 413):
        # What is left of the body is not read.
        headers.append((b"connection", b"close"))
    body = json.dumps({"error": {"kind": refusal.kind, "message": refusal.message}}).encode()
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
