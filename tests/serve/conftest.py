"""A service in the test's process, one in a process of its own, and a real browser."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conftest import ROOT

import likewise


@pytest.fixture
def client(tmp_path: Path):
    """Return a client of an application that runs in this process."""
    from fastapi.testclient import TestClient

    from likewise.serve.app import create_app

    app = create_app(tmp_path)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        yield client


class Server:
    """``likewise serve`` in a process of its own."""

    def __init__(self, folder: Path, *flags: str) -> None:
        package = Path(likewise.__file__).resolve().parent.parent
        environment = os.environ | {"PYTHONPATH": str(package)}
        command = [sys.executable, "-c", "from likewise.cli import main; main()", "serve", str(folder), "--port", "0"]
        self.folder = folder
        self.process = subprocess.Popen(
            [*command, *flags], env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        assert "http://" in line, line + self.process.stderr.read()
        self.address = line.split()[1].rstrip("/")
        # A pipe that nobody reads would hold up the service once it is full.
        self._reader = threading.Thread(target=self.process.stderr.read, daemon=True)
        self._reader.start()

    def stop(self, how: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(15)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reader.join(5)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return self.process.returncode


@pytest.fixture(scope="session")
def start_server() -> Iterator[Callable[..., Server]]:
    """Return a function that starts a service on a folder; all are stopped at the end."""
    started: list[Server] = []

    def start(folder: Path, *flags: str) -> Server:
        started.append(Server(folder, *flags))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def page(browser):
    """Return a page that fails the test on errors in scripts, refused content, and requests to anywhere else."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(0)  # the time limit of all tests is enough
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: _only_here(request.url, complaints))
    yield page
    context.close()
    expected = getattr(page, "expected_complaints", ())
    unexpected = [text for text in complaints if not any(word in text for word in expected)]
    assert not unexpected, unexpected


def _only_here(address: str, complaints: list[str]) -> None:
    if not address.startswith(("http://127.0.0.1:", "data:", "blob:")):
        complaints.append(f"request to {address}")


@pytest.fixture
def shots() -> Path:
    """Return the folder for screenshots (LIKEWISE_SHOTS, else build/shots)."""
    folder = Path(os.environ.get("LIKEWISE_SHOTS", ROOT / "build" / "shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def photograph(page, shots: Path) -> Callable[[str], None]:
    """Return a function that takes screenshots of the page: light and dark, desktop and phone."""

    def take(name: str) -> None:
        before = page.viewport_size
        for width, device in ((1280, "desktop"), (390, "phone")):
            page.set_viewport_size({"width": width, "height": 844})
            # All four where they are wanted for the documentation; else one of each.
            every = "LIKEWISE_SHOTS" in os.environ
            for scheme in ("light", "dark") if every else ({"desktop": "light", "phone": "dark"}[device],):
                page.emulate_media(color_scheme=scheme)
                time.sleep(0.15)
                page.screenshot(path=shots / f"{name}-{device}-{scheme}.png", full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} is too wide"
        page.set_viewport_size(before)
        page.emulate_media(color_scheme="light")

    return take


@pytest.fixture
def accessible(page) -> Callable[[], None]:
    """Return a function that asserts that axe-core finds nothing serious on the page."""
    from axe_playwright_python.base import AXE_FILE_PATH

    def check() -> None:
        # Evaluated by the debugger, not by the page: the policy of the page forbids foreign scripts.
        page.evaluate(Path(AXE_FILE_PATH).read_text(encoding="utf-8"))
        found = page.evaluate("axe.run()")["violations"]
        serious = [
            (rule["id"], rule["help"], [node["target"] for node in rule["nodes"]])
            for rule in found
            if rule["impact"] in ("serious", "critical")
        ]
        assert not serious, serious

    return check
