import asyncio
import contextlib
import json
import queue
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
import uvicorn
from fastapi.testclient import TestClient

from likewise.errors import OptionError
from likewise.serve.app import create_app
from likewise.serve.guard import Guard
from likewise.serve.metrics import Metrics
from likewise.serve.protocol import _Lingering, protocol_with_deadline
from likewise.serve.server import _bind
from likewise.serve.settings import ServeOptions

TOKEN = "0123456789abcdef"


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"host": "0.0.0.0"}, "token"),
        ({"host": "192.168.1.4"}, "token"),
        ({"host": "example.org"}, "token"),
        ({"host": "::"}, "token"),
        ({"host": "0.0.0.0", "token": "short"}, "16 or more"),
        ({"token": "short"}, "16 or more"),
        ({"port": 70000}, "port"),
        ({"concurrency": 0}, "concurrency"),
    ],
)
def test_settings_refuse(values, says):
    with pytest.raises(OptionError, match=says):
        ServeOptions(**values)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.7", "::1", "localhost"])
def test_loopback_needs_no_token(host):
    assert ServeOptions(host=host).loopback


def test_refuses_to_start_without_token(cli, tmp_path):
    done = cli("serve", tmp_path, "--host", "0.0.0.0")
    assert done.returncode == 2
    assert "token" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def guarded(tmp_path):
    app = create_app(tmp_path, ServeOptions(host="0.0.0.0", token=TOKEN))
    with TestClient(app, base_url="http://somewhere.example") as client:
        yield client


def test_token(guarded):
    assert guarded.get("/health").status_code == 200
    assert guarded.get("/api/files").status_code == 401
    assert guarded.get("/metrics").status_code == 401
    assert guarded.get("/api/files", headers={"authorization": "Bearer wrong"}).status_code == 401
    assert guarded.get("/api/files", headers={"authorization": f"Bearer {TOKEN}é".encode()}).status_code == 401
    assert guarded.get("/api/files", headers={"cookie": "likewise=\x00;;=,"}).status_code == 401
    assert guarded.get("/api/files", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_login(guarded):
    sent = guarded.get("/compare", headers={"accept": "text/html"}, follow_redirects=False)
    assert (sent.status_code, sent.headers["location"]) == (303, "/login?next=/compare")
    assert guarded.post("/login", data={"token": "wrong", "next": "/compare"}).status_code == 401
    there = guarded.post("/login", data={"token": TOKEN, "next": "//evil.example"}, follow_redirects=False)
    assert there.headers["location"] == "/"
    cookie = there.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert guarded.get("/compare").status_code == 200


def test_headers_on_every_answer(client):
    for path in ("/compare", "/api/files", "/static/style.css", "/nothing", "/health"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_other_sites_are_refused(client):
    body = {"left": "a", "right": "b"}
    assert client.post("/api/compare", json=body, headers={"origin": "http://evil.example"}).status_code == 403
    assert client.post("/api/compare", json=body, headers={"origin": "null"}).status_code == 403
    assert client.post("/api/compare", json=body, headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.post("/api/compare", json=body, headers={"origin": "http://localhost"}).status_code == 200
    assert client.get("/compare", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/compare", headers={"host": "localhost.evil.example"}).status_code == 421
    assert client.get("/compare", headers={"host": "[::bad"}).status_code == 421


def test_body_limit(client):
    answer = client.post("/api/compare", content=b"x" * (1 << 20 | 1))
    assert answer.status_code == 413

    def endless():
        for _ in range(200):
            yield b"x" * 10_000

    answer = client.post("/api/compare", content=endless(), headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert answer.json()["error"]["kind"] == "size"


def call(settings, app, *requests, statuses=None):
    """Run requests at the same time through a guard around ``app``; return statuses and headers."""

    async def one(guard, receive):
        sent = []

        async def send(message):
            sent.append(message)
            if statuses is not None and "status" in message:
                statuses.append(message["status"])

        scope = {"type": "http", "method": "POST", "path": "/x", "headers": [(b"host", b"localhost")]}
        await guard(scope, receive, send)
        return sent[0]["status"], dict(sent[0]["headers"]), json.loads(sent[1]["body"] or "null")

    async def all_of_them():
        guard = Guard(app, settings, Metrics())
        return await asyncio.gather(*(one(guard, receive) for receive in requests))

    # In a thread of its own: the browser of other tests keeps a loop in this one.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(all_of_them())).result()


async def whole_body():
    return {"type": "http.request", "body": b"", "more_body": False}


async def no_body():
    await asyncio.Event().wait()


async def endless_app(scope, receive, send):
    await receive()
    await asyncio.Event().wait()


def app_until(done):
    """Return an application that answers when ``done()``."""

    async def app(scope, receive, send):
        await receive()
        while not done():
            await asyncio.sleep(0.01)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    return app


def test_back_pressure():
    statuses = []
    app = app_until(lambda: 503 in statuses)
    answers = call(ServeOptions(concurrency=2), app, whole_body, whole_body, whole_body, statuses=statuses)
    assert sorted(status for status, _, _ in answers) == [200, 200, 503]
    refused = next(answer for answer in answers if answer[0] == 503)
    assert refused[1][b"retry-after"] == b"1"
    assert refused[2]["error"]["kind"] == "busy"


def test_time_limits():
    ((status, _, body),) = call(ServeOptions(request_seconds=0.1), endless_app, whole_body)
    assert (status, body["error"]["kind"]) == (503, "time")
    ((status, _, body),) = call(ServeOptions(body_seconds=0.1), endless_app, no_body)
    assert (status, body["error"]["kind"]) == (408, "slow")


def test_requests_over_their_time_are_stopped(tmp_path, monkeypatch):
    """Twenty that would take minutes each: none does its work to the end, and others are answered meanwhile."""
    from likewise.jobs import compare

    begun, ended, limits = queue.Queue(), queue.Queue(), []

    def watched(*arguments, of=compare.compare, **named):
        begun.put(None)
        try:
            found = of(*arguments, **named)
        except BaseException as error:
            ended.put(type(error).__name__)
            raise
        ended.put("done")
        return found

    def told(_, of=asyncio.timeout):
        limits.append((asyncio.get_running_loop(), of(None)))  # over when the test says so, not the clock
        return limits[-1][1]

    monkeypatch.setattr(compare, "compare", watched)
    monkeypatch.setattr(asyncio, "timeout", told)
    words = [f"{number:04x}" for number in range(19_000)]
    long = {"left": " ".join(words), "right": " ".join(word[::-1] for word in words)}
    long["measure"] = "soft-cardinality(weights=boolean)"
    with TestClient(create_app(tmp_path), base_url="http://localhost") as client, ThreadPoolExecutor(20) as pool:
        asked = [pool.submit(client.post, "/api/compare", json=long) for _ in range(20)]
        for _ in asked:
            begun.get()
        assert client.post("/api/compare", json={"left": "red fish", "right": "fish"}).status_code == 200
        assert ended.get() == "done"
        for loop, limit in limits[:20]:
            loop.call_soon_threadsafe(limit.reschedule, 0)
        assert {one.result().json()["error"]["kind"] for one in asked} == {"time"}
        assert {ended.get() for _ in asked} == {"Cancelled"}


def test_idle_connections_keep_nobody_out(tmp_path):
    """More of them than requests may be at work, silent or in the middle of a head."""
    app = create_app(tmp_path, ServeOptions(concurrency=10))
    server = uvicorn.Server(uvicorn.Config(app, http=protocol_with_deadline(600, most_idle=20), log_level="error"))
    with ThreadPoolExecutor(1) as pool, socket.create_server(("127.0.0.1", 0)) as listening:
        running = pool.submit(server.run, [listening])
        address = listening.getsockname()
        with contextlib.ExitStack() as stack:
            stack.callback(setattr, server, "should_exit", True)
            idle = [stack.enter_context(socket.create_connection(address)) for _ in range(60)]
            for one in idle[1::2]:
                one.sendall(b"GET / HTTP/1.1\r\n")
            with httpx.Client(timeout=None) as client:
                for _ in range(2):
                    assert client.get(f"http://127.0.0.1:{address[1]}/api/files").status_code == 200
            assert idle[0].recv(1) == b""  # it waited longest
        running.result()


def test_answers_are_sent_at_once():
    # asyncio sets TCP_NODELAY only on sockets that name the protocol; without it every answer waits 40 ms.
    with _bind(ServeOptions(port=0)) as bound:
        assert bound.proto == socket.IPPROTO_TCP


def test_slow_head_is_cut_off(start_server, tmp_path):
    server = start_server(tmp_path, "--header-seconds", "0.5")
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as slow:
        for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ":
            try:
                slow.sendall(bytes([byte]))
            except OSError:
                break
            time.sleep(0.05)
        slow.settimeout(60)
        with contextlib.suppress(ConnectionResetError):
            assert slow.recv(1000) == b""


def test_heads_of_many_lines_are_refused_and_bodies_are_not(start_server, tmp_path):
    host, port = start_server(tmp_path).address.removeprefix("http://").split(":")
    body = b"name\n" + b"Ada\n" * 10_000
    head = b"PUT /api/files/a.csv?replace=true HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n" % len(body)
    with socket.create_connection((host, int(port)), timeout=60) as one:
        for cut in (0, 1, 2, 3, 4):  # one connection: lines are counted anew for each request, however it is cut
            whole = head + b"X: y\r\n" * 190 + b"\r\n" + body
            one.sendall(whole[: -len(body) - cut])
            time.sleep(0.05)  # most often a piece of its own; the answer is the same if not
            one.sendall(whole[-len(body) - cut :])
            assert one.recv(12) == b"HTTP/1.1 201", cut
            assert one.recv(1 << 16)
        one.sendall(head)
        for _ in range(25):
            one.sendall(b"X: y\r\n" * 8)
        answer = b"".join(iter(lambda: one.recv(1 << 16), b""))
    assert answer.startswith(b"HTTP/1.1 400")
    assert b"Too many lines in the head of the request." in answer


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"POST /api/compare HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n", b"413"),
        (b"POST /api/compare HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\nbad header\r\n\r\n", b"400"),
        (b"POST /api/compare HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 199, b"400"),
    ],
    ids=["too large", "malformed", "many lines"],
)
def test_refused_sender_reads_the_answer(start_server, tmp_path, head, status):
    """Who is refused while still sending gets the whole answer, not a reset connection."""
    host, port = start_server(tmp_path).address.removeprefix("http://").split(":")
    for _ in range(5):
        with socket.create_connection((host, int(port)), timeout=60) as sender:
            sender.sendall(head)
            assert sender.recv(12) == b"HTTP/1.1 " + status
            sender.sendall(b"x" * 3_000_000)
            answer = b"".join(iter(lambda: sender.recv(1 << 16), b""))
            assert b"\r\n\r\n" in answer
            assert not answer.endswith(b"\r\n\r\n")


def test_head_and_body_of_an_answer_leave_in_one_piece():
    class Transport:
        written, closed = (), False

        def write(self, data):
            self.written += (data,)

        def is_closing(self):
            return self.closed

        def close(self):
            self.closed = True

    class Protocol:
        conn = type("Connection", (), {"their_state": None})()

    async def scene():
        transport = Transport()
        Protocol.loop = asyncio.get_running_loop()
        lingering = _Lingering(transport, Protocol())
        for piece in (b"head ", b"body", b""):
            lingering.write(piece)
        assert transport.written == ()
        await asyncio.sleep(0)
        assert transport.written == (b"head body",)
        lingering.write(b"last")  # and what is written before it closes is not lost
        lingering.close()
        assert transport.written == (b"head body", b"last")
        lingering.write(b"late")
        await asyncio.sleep(0)
        assert transport.written == (b"head body", b"last")

    with ThreadPoolExecutor(1) as alone:  # a browser that another test started has a loop in this thread
        alone.submit(asyncio.run, scene()).result(60)
