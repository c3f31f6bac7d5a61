"""Search and compare under load: 64 clients over 100,000 passages; errors, p50, p99, memory.

    python -m benchmarks.load [--minutes 60] [--pause 1] [--clients 64] [--passages 100000] [--write FILE]

Clients are threads of a second process, each with one connection, half searching, half comparing. Without a pause each
asks again when it has its answer, and the machine is full; with one it waits as long, more or less, before it asks
again, as people do. In the middle of the run twenty more each ask for what would take minutes: they must be refused
when their time is over, and what others waited meanwhile is told apart. Loopback only.

A run writes its part of the page docs/results/serve.md (``--write``): with a pause, or without one.
"""

import argparse
import http.client
import json
import multiprocessing
import random
import re
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import quote, urlsplit

from benchmarks.measuring import conditions
from benchmarks.serving import resident_mb, served
from likewise.index.index import Index

WORDS_PER_PASSAGE = 40
OVER = 20  # requests over their limit
LIMIT = 10  # seconds that a request may take
HEAD = """# The service under load

Written by `benchmarks/load.py`, a run for each part; the clients and the service share the cores of one machine.
"""
Seen = list[tuple[str, float, float, int]]  # what was asked, when, how long it took, and the status


def passages(count: int, seed: int = 1) -> list[str]:
    """Passages of words with the frequencies of language (Zipf), from the words that Python's own text has."""
    import pydoc_data.topics

    text = " ".join(pydoc_data.topics.topics.values())
    words = re.findall(r"[A-Za-z]{2,}", text)
    chance = random.Random(seed)
    return [" ".join(chance.choices(words, k=WORDS_PER_PASSAGE)) for _ in range(count)]


def client(address: str, until: float, pause: float, seed: int, out: Seen) -> None:
    """Ask until the time is over; keep what was asked, how long it took, and the status."""
    where = urlsplit(address)
    chance = random.Random(seed)
    words = passages(1, seed)[0].split()
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=60)
    time.sleep(pause * chance.random())  # they do not begin at once
    while time.monotonic() < until:
        begun = time.perf_counter()
        try:
            if chance.random() < 0.5:
                kind = "search"
                query = quote(" ".join(chance.choices(words, k=3)))
                connection.request("GET", f"/api/search?index=texts&query={query}")
            else:
                kind = "compare"
                left, right = (" ".join(chance.choices(words, k=8)) for _ in range(2))
                body = json.dumps({"left": left, "right": right})
                connection.request("POST", "/api/compare", body, {"content-type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            status = answer.status
        except (OSError, http.client.HTTPException):
            status = 0
            connection.close()
        out.append((kind, begun, time.perf_counter() - begun, status))
        time.sleep(pause * chance.uniform(0.5, 1.5))


def over(address: str, out: Seen) -> None:
    """Ask for what takes minutes; keep how long it was until that was refused."""
    words = [f"{number:04x}" for number in range(19_000)]
    long = {"left": " ".join(words), "right": " ".join(word[::-1] for word in words)}
    body = json.dumps({**long, "measure": "soft-cardinality(weights=boolean)"})
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=10 * LIMIT)
    begun = time.perf_counter()
    try:
        connection.request("POST", "/api/compare", body, {"content-type": "application/json"})
        answer = connection.getresponse()
        status = answer.status if json.loads(answer.read())["error"]["kind"] == "time" else 0
    except (OSError, http.client.HTTPException, KeyError):
        status = 0
    out.append(("over", begun, time.perf_counter() - begun, status))


def clients(address: str, seconds: float, pause: float, number: int, pipe: object) -> None:
    """Run all clients in this process and send back what they saw."""
    out: Seen = []
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=client, args=(address, until, pause, seed, out)) for seed in range(number)]
    threads += [threading.Timer(seconds / 2, over, (address, out)) for _ in range(OVER)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pipe.send(out)  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between an answer and the next request")
    parser.add_argument("--write", type=Path, help="the page that the run writes its part of")
    chosen = parser.parse_args()
    seconds, number, count = round(60 * chosen.minutes), chosen.clients, chosen.passages
    with tempfile.TemporaryDirectory() as place:
        Index.build(passages(count), path=Path(place) / "texts")
        with served(Path(place), "--request-seconds", str(LIMIT)) as (address, pid):
            first = http.client.HTTPConnection(urlsplit(address).netloc)
            first.request("GET", "/api/search?index=texts&query=class")
            first.getresponse().read()
            ours, theirs = multiprocessing.Pipe()
            context = multiprocessing.get_context("spawn")
            process = context.Process(target=clients, args=(address, seconds, chosen.pause, number, theirs))
            process.start()
            memory = []
            while not ours.poll(1):
                memory.append(resident_mb(pid))
            seen = ours.recv()
            process.join()
    lines = [*report(seen, memory, seconds, number, count), "", conditions()]
    print("\n".join(lines))
    if chosen.write:
        name = f"With a pause of {chosen.pause:g} s" if chosen.pause else "Without a pause"
        page = chosen.write.read_text(encoding="utf-8") if chosen.write.exists() else HEAD
        chosen.write.write_text(with_part(page, name, "\n".join(lines)), encoding="utf-8")
    if any(status != (503 if kind == "over" else 200) for kind, _, _, status in seen):
        sys.exit("there were errors")


def with_part(page: str, name: str, text: str) -> str:
    """Return the page with a part of this name, in the place of one that it had.

    >>> with_part("# Page\\n\\n## One\\n\\n1\\n\\n## Two\\n\\n2\\n", "One", "3")
    '# Page\\n\\n## One\\n\\n3\\n\\n## Two\\n\\n2\\n'
    """
    head, *parts = re.split(r"^## ", page, flags=re.M)
    known = {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in parts}
    known[name] = text.strip()
    return "\n".join([head.rstrip() + "\n", *(f"## {name}\n\n{text}\n" for name, text in known.items())])


def report(seen: Seen, memory: list[float], seconds: int, number: int, count: int) -> list[str]:
    lines = [f"{number} clients for {seconds} s over {count:,} passages of {WORDS_PER_PASSAGE} words.", ""]
    lines += ["| request | answered | errors | p50 ms | p99 ms | longest ms |", "|---|--:|--:|--:|--:|--:|"]
    long = [(begun, begun + took) for kind, begun, took, _ in seen if kind == "over"]
    first, last = min(begin for begin, _ in long), max(end for _, end in long)
    for kind in ("search", "compare"):
        for beside in (False, True):
            found = [
                (took, status)
                for what, begun, took, status in seen
                if what == kind and (begun < last and begun + took > first) == beside
            ]
            times = sorted(took for took, status in found if status == 200) or [0.0]
            p50, p99 = (1000 * times[int(share * (len(times) - 1))] for share in (0.5, 0.99))
            name = f"{kind}, beside {OVER} over their limit" if beside else kind
            errors = sum(status != 200 for _, status in found)
            lines.append(f"| {name} | {len(times):,} | {errors} | {p50:.0f} | {p99:.0f} | {1000 * times[-1]:.0f} |")
    rate = sum(kind != "over" for kind, *_ in seen) / seconds
    refused = sum(kind == "over" and status == 503 for kind, _, _, status in seen)
    third = max(1, len(memory) // 3)
    early, late = max(memory[third : 2 * third] or memory), max(memory[-third:])
    lines += [
        "",
        f"{rate:,.0f} answers a second. Of {OVER} requests that would take minutes, sent at once in the middle, "
        f"{refused} were refused because their {LIMIT} s were over, the last after {last - first:.1f} s.",
        "",
        f"Memory of the service: {early:.0f} MB in the second third of the run, {late:.0f} MB in the last.",
    ]
    return lines


if __name__ == "__main__":
    main()
