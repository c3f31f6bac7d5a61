import contextlib
import gzip
import os
import random
import signal
import sys
import time
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient

from likewise.serve.app import create_app
from likewise.serve.settings import ServeOptions
from likewise.storage import atomic_write


def names(count):
    chance = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=chance.randint(4, 9))) for _ in range(count // 10)]
    return "name\n" + "\n".join(" ".join(chance.choices(words, k=3)) for _ in range(count)) + "\n"


# A busy service may take its time, and a connection that is kept may be closed just when it is used again.
http = httpx.Client(timeout=None, limits=httpx.Limits(max_keepalive_connections=0))

LONG = {"left": "many.csv", "measure": "spectra(q=2)", "options": {"on": "name", "top": 10}}


def until(ask, right):
    """Ask until the answer is right; one that never is, is stopped by the time limit of all tests."""
    while not right(found := ask()):
        time.sleep(0.05)
    return found


def processes_of(server):
    """Return the processes that a service started for its jobs."""
    found = set()
    for path in Path(f"/proc/{server.process.pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has ended
            found.update(path.read_text().split())
    return [int(child) for child in found if b"spawn_main" in command_of(child)]


def command_of(process):
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture(scope="module")
def many():
    return names(60_000)


@pytest.fixture
def served(start_server, tmp_path, many):
    (tmp_path / "many.csv").write_text(many)
    server = start_server(tmp_path, "--grace-seconds", "0.2")
    yield server
    server.stop()


def start_long(server):
    job = http.post(f"{server.address}/api/match", json=LONG).json()["id"]
    running = until(
        lambda: http.get(f"{server.address}/api/jobs/{job}").json(), lambda found: found["done"] or not found["active"]
    )
    assert running["state"] == "running", running
    return job


def test_cancel_stops_the_work(served):
    job = start_long(served)
    workers = processes_of(served)
    assert workers
    answer = http.post(f"{served.address}/api/jobs/{job}/cancel").json()
    assert answer["state"] == "cancelled"
    until(lambda: [alive(worker) for worker in workers], lambda states: not any(states))
    until(lambda: (served.folder / ".likewise" / "jobs" / job).exists(), lambda there: not there)
    assert http.get(f"{served.address}/api/match/{job}").status_code == 422
    # The next job is not held up.
    small = {"left": "small.csv"}
    http.put(f"{served.address}/api/files/small.csv", content=b"name,x\nAda,1\nada,2\n")
    after = http.post(f"{served.address}/api/match", json=small).json()["id"]
    until(lambda: http.get(f"{served.address}/api/jobs/{after}").json()["state"], lambda state: state == "done")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_restart_finds_jobs_again(served, start_server, how):
    job = start_long(served)
    waiting = http.post(f"{served.address}/api/match", json=LONG).json()["id"]
    workers = processes_of(served)
    served.stop(how)
    until(lambda: [alive(worker) for worker in workers], lambda states: not any(states))
    again = start_server(served.folder, "--grace-seconds", "0.2")
    found = http.get(f"{again.address}/api/jobs/{job}").json()
    assert found["state"] in ("waiting", "running")
    assert http.get(f"{again.address}/api/jobs/{waiting}").json()["state"] == "waiting"
    assert http.post(f"{again.address}/api/jobs/{waiting}/cancel").json()["state"] == "cancelled"
    http.post(f"{again.address}/api/jobs/{job}/cancel")
    again.stop()


def test_kill_during_uploads_loses_nothing_acknowledged(start_server, tmp_path):
    import threading

    server = start_server(tmp_path)
    acknowledged = []

    def send(number):
        body = f"name\nrecord {number}\n".encode() * 2000
        with httpx.Client(timeout=None) as client:
            for turn in range(1000):
                try:
                    name = f"f{number}-{turn}.csv"
                    if client.put(f"{server.address}/api/files/{name}", content=body).status_code == 201:
                        acknowledged.append((name, body))
                except httpx.HTTPError:
                    return

    threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    until(lambda: len(acknowledged), lambda count: count > 20)
    os.kill(server.process.pid, signal.SIGKILL)
    for thread in threads:
        thread.join()
    server.stop()
    uploads = tmp_path / ".likewise" / "uploads"
    for name, body in acknowledged:
        assert (uploads / name).read_bytes() == body
    # What was under way is not half there under its name.
    for path in uploads.glob("f*.csv"):
        assert len(path.read_bytes()) == len(f"name\nrecord {path.name[1]}\n") * 2000


def test_too_many_jobs(tmp_path, many):
    from fastapi.testclient import TestClient

    from likewise.serve.app import create_app

    app = create_app(tmp_path, ServeOptions(waiting_jobs=1, grace_seconds=0.1))
    (tmp_path / "many.csv").write_text(many)
    with TestClient(app, base_url="http://localhost") as client:
        answers = [client.post("/api/match", json=LONG) for _ in range(5)]
        refused = answers[-1]
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 0
        for answer in answers:
            if answer.status_code == 202:
                client.delete(f"/api/jobs/{answer.json()['id']}")
        assert client.get("/api/jobs").json()["jobs"] == []


def test_a_clock_that_jumps_back_changes_no_order(tmp_path, monkeypatch):
    queue = create_app(tmp_path).likewise.queue
    clock = iter([2e9, 1e9, 1.5e9])
    monkeypatch.setattr("likewise.serve.queue.time.time", lambda: next(clock))
    for title in ("first", "second", "third"):
        queue.submit("match", title, {})
    assert [run.title for run in queue.all()] == ["third", "second", "first"]


def test_what_is_replaced_within_a_tick_of_the_clock_is_opened_anew(tmp_path):
    service = create_app(tmp_path).likewise
    path = tmp_path / "a.txt"
    for text in ("one", "two"):
        with atomic_write(path, "w") as file:
            file.write(text)
        os.utime(path, ns=(1, 1))
        assert service.opened("text", path, Path.read_text) == text


def test_one_service_per_folder(start_server, tmp_path, cli):
    start_server(tmp_path)
    second = cli("serve", tmp_path, "--port", "0")
    assert second.returncode == 2
    assert "another likewise serve" in second.stderr
    assert "Traceback" not in second.stderr


def test_events(client):
    client.put("/api/files/small.csv", content=b"name,x\nAda,1\nada,2\n")
    job = client.post("/api/match", json={"left": "small.csv"}).json()["id"]
    with client.stream("GET", f"/api/jobs/{job}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in answer.iter_lines() if line]
    assert '"state":"done"' in lines[-1]
    assert client.get("/api/jobs/0000000000000000").status_code == 404
    assert client.get("/api/jobs/zz").status_code == 422


@pytest.mark.skipif(sys.platform != "linux", reason="the system has no such limit")
def test_a_job_has_its_share_of_memory(tmp_path):
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(b"name\n" + b"a" * (150 << 20), 1))
    app = create_app(tmp_path, ServeOptions(job_memory_mb=400))
    with TestClient(app, base_url="http://localhost") as client:
        asked = client.post("/api/index", json={"name": "bomb", "source": "bomb.csv.gz"}).json()
        done = until(lambda: client.get(f"/api/jobs/{asked['id']}").json(), lambda job: not job["active"])
    assert (done["state"], done["message"]) == ("failed", "this needs more memory than a job may take (400 MB)")
