"""Ten thousand hostile requests: nothing outside the folder is served, nothing is executed, the service stays alive.

    python -m benchmarks.hostile [COUNT]

Path traversal in every place that takes a name, huge and slow bodies, bad tokens, script in every field, broken HTTP.
"""

import contextlib
import json
import random
import secrets
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urlsplit

from benchmarks.serving import resident_mb, served

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}${7*7}'
UPS = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "....//", "%252e%252e%252f", "..%c0%af", "/", "%00"]
TARGETS = ["secret.csv", "etc/passwd", ".likewise/state.sqlite", "state.sqlite", "lock", "proc/self/environ"]
PLACES = [
    "/{}",
    "/static/{}",
    "/api/files/{}",
    "/api/link/{}/book",
    "/api/match/{}/download",
    "/api/judge/{}/turn?judge=a",
    "/api/search?index={}&query=x",
    "/api/paraphrases?table={}",
    "/judge/{}",
    "/read/{}",
    "/login?next={}",
]
JSON_ROUTES = ["/api/compare", "/api/match", "/api/link", "/api/index", "/api/mine", "/api/judge", "/api/reproduce"]
FIELDS = ["left", "right", "measure", "name", "source", "lists", "data", "options", "collection", "title", "rows"]
METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "BREW"]

Request = tuple[bytes, str]


def traversal(chance: random.Random, host: str) -> Request:
    up = chance.choice(UPS) * chance.randint(1, 8)
    path = chance.choice(PLACES).format(up + chance.choice(TARGETS))
    return _plain(chance.choice(["GET", "GET", "GET", "DELETE", "PUT"]), path, host), "traversal"


def script(chance: random.Random, host: str) -> Request:
    body = dict.fromkeys(chance.sample(FIELDS, chance.randint(1, 6)), SCRIPT)
    if chance.random() < 0.5:
        body |= {"left": SCRIPT, "right": SCRIPT}
        body = {name: body[name] for name in ("left", "right")}
    return _json(chance.choice(JSON_ROUTES), json.dumps(body).encode(), host), "script"


def nonsense(chance: random.Random, host: str) -> Request:
    bodies = [
        b"[" * 5000,
        b"{}" * 100,
        b"null",
        b'{"left":' * 500,
        b"\xff\xfe\x00",
        b'{"left": 1e999, "right": NaN}',
        b"0" * 900,
    ]
    return _json(chance.choice(JSON_ROUTES), chance.choice(bodies), host), "nonsense"


def paths_as_values(chance: random.Random, host: str) -> Request:
    value = chance.choice(UPS) * 3 + chance.choice(TARGETS)
    body = {
        "left": value,
        "right": value,
        "measure": f"spectra(stop={value})",
        "source": value,
        "name": value,
        "data": value,
    }
    keep = {"/api/compare": ("left", "right", "measure"), "/api/match": ("left", "right"), "/api/link": ("left",)}
    route = chance.choice(JSON_ROUTES)
    wanted = keep.get(route, ("source", "name") if route in ("/api/index", "/api/mine") else ("data",))
    return _json(route, json.dumps({name: body[name] for name in wanted}).encode(), host), "paths"


def uploads(chance: random.Random, host: str) -> Request:
    name = chance.choice(
        [SCRIPT, "../" * 4 + "x.csv", "x\x00.csv", "con.csv", "." * 300, ".hidden", "a/b/c.csv", "ü" * 200 + ".csv"]
    )
    body = b"name\n" + SCRIPT.encode() * chance.randint(0, 50)
    return _plain("PUT", f"/api/files/{quote(name, safe='')}", host, body), "uploads"


def large(chance: random.Random, host: str) -> Request:
    head = f"POST {chance.choice(JSON_ROUTES)} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {10**12}\r\n\r\n"
    return head.encode() + b"x" * 100_000, "large"


def tokens(chance: random.Random, host: str) -> Request:
    bad = chance.choice(["", "x", "0" * 32, "\xff" * 10, SCRIPT.replace("\n", ""), "Bearer " * 50])
    head = f"GET /api/files HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
    head += f"Authorization: Bearer {bad}\r\nCookie: likewise={bad}\r\n\r\n"
    return head.encode("latin-1", "replace"), "tokens"


def hosts(chance: random.Random, host: str) -> Request:
    other = chance.choice(
        ["evil.example", "localhost.evil.example", "[::bad", "", "127.0.0.1.evil.example:80", "a" * 5000]
    )
    return _plain(chance.choice(METHODS), "/api/files", other), "hosts"


def broken(chance: random.Random, host: str) -> Request:
    heads = [
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
        b"GET " + b"/" * 70_000 + b" HTTP/1.1\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: {host}\r\n".encode() + b"X: y\r\n" * 5000 + b"\r\n",
        f"POST /api/compare HTTP/1.1\r\nHost: {host}\r\n".encode()
        + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nzz\r\n",
        f"GET /\r\nX HTTP/1.1\r\nHost: {host}\r\n\r\n".encode(),
    ]
    return chance.choice(heads), "broken"


KINDS: list[Callable[[random.Random, str], Request]] = [
    traversal, traversal, traversal, script, nonsense, paths_as_values, uploads, large, tokens, hosts, broken,
]  # fmt: skip


def _plain(method: str, path: str, host: str, body: bytes = b"") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode("latin-1", "replace") + body


def _json(path: str, body: bytes, host: str) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body


def send(address: str, raw: bytes, seconds: float = 120) -> bytes:
    """Send bytes and return what comes back; a connection that is closed on us gives what came before."""
    where = urlsplit(address)
    answer = b""
    with socket.create_connection((where.hostname, where.port), timeout=seconds) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(raw)
        with contextlib.suppress(OSError):
            while piece := connection.recv(65_536):
                answer += piece
    return answer


def slow(address: str, number: int = 20) -> list[socket.socket]:
    """Open connections that send the head of a request and then nothing."""
    where = urlsplit(address)
    opened = []
    for _ in range(number):
        connection = socket.create_connection((where.hostname, where.port), timeout=120)
        connection.sendall(b"POST /api/compare HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
        opened.append(connection)
    return opened


def run(address: str, count: int, secret: str, seed: int = 0) -> Counter[str]:
    """Send hostile requests; return how often each kind got each status; raise where something gave way."""
    chance = random.Random(seed)
    host = urlsplit(address).netloc
    seen: Counter[str] = Counter()
    hanging = slow(address)
    for number in range(count):
        raw, kind = chance.choice(KINDS)(chance, host)
        answer = send(address, raw, 0.5 if kind == "broken" else 120)
        status = answer[9:12].decode("latin-1") if answer.startswith(b"HTTP/") else "closed"
        seen[f"{kind} {status}"] += 1
        if secret.encode() in answer or b"root:x:0" in answer or b"SQLite format" in answer:
            raise AssertionError(f"request {number} ({kind}) got out of the folder: {raw[:300]!r}")
        # In JSON, which no browser takes for a page (nosniff), a text is what it is; in a page it must be escaped.
        if b"<script>alert" in answer and b"content-type: text/html" in answer.lower():
            raise AssertionError(f"request {number} ({kind}) got its script back unescaped: {raw[:300]!r}")
        if status.startswith("5") and status != "503":
            raise AssertionError(f"request {number} ({kind}) answered {status}: {raw[:300]!r} {answer[:300]!r}")
    for connection in hanging:
        connection.close()
    if b"200 OK" not in send(address, _plain("GET", "/health", host)):
        raise AssertionError("the service does not answer any more")
    return seen


def knock(address: str, count: int, token: str) -> None:
    """Bring bad tokens to a service that has one: none may open it, and the right one must."""
    chance = random.Random(1)
    host = urlsplit(address).netloc
    for _ in range(count):
        answer = send(address, tokens(chance, host)[0])
        if not answer.startswith(b"HTTP/1.1 401") and not answer.startswith(b"HTTP/1.1 400"):
            raise AssertionError(f"a bad token was answered {answer[:60]!r}")
    right = f"GET /api/files HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    if b"200 OK" not in send(address, right.encode()):
        raise AssertionError("the right token is refused")


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    secret = secrets.token_hex(16)
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "secret.csv").write_text(f"name\n{secret}\n")
        folder = Path(place) / "served"
        folder.mkdir()
        (folder / "a.csv").write_text("name\nAda\n")
        (folder / "out.csv").symlink_to(Path(place) / "secret.csv")
        before = {path for path in Path(place).rglob("*") if ".likewise" not in str(path)}
        with served(folder, "--body-seconds", "5", "--header-seconds", "1", "--waiting-jobs", "5") as (address, pid):
            begun = time.perf_counter()
            start = resident_mb(pid)
            seen = run(address, count, secret)
            seconds, end = time.perf_counter() - begun, resident_mb(pid)
        with served(folder, "--token", secret) as (address, _):
            knock(address, count // 10, secret)
        after = {path for path in Path(place).rglob("*") if ".likewise" not in str(path)}
        assert before == after, f"files appeared outside: {after - before}"
    kinds: dict[str, dict[str, int]] = {}
    for name, number in sorted(seen.items()):
        kind, _, status = name.rpartition(" ")
        kinds.setdefault(kind, {})[status] = number
    lines = [
        f"{count:,} requests in {seconds:.0f} s; memory of the service {start:.0f} MB before, {end:.0f} MB after. "
        "No file outside the folder was served or written, no page had unescaped text, no answer was a 5xx but 503, "
        "and the service answered afterwards. "
        f"{count // 10:,} bad tokens brought to a service that has one were all refused.",
        "",
        "| kind | answers |",
        "|---|---|",
    ]
    for kind, statuses in kinds.items():
        answers = ", ".join(f"{number:,} × {status}" for status, number in statuses.items())
        lines.append(f"| {kind} | {answers} |")
    print("\n".join(lines))
    head = "# Hostile requests\n\nWritten by `benchmarks/hostile.py`.\n\n"
    (ROOT / "docs" / "results" / "hostile.md").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
