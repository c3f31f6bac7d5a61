"""What all tests share: the folder of real data, where there is one."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import likewise

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# A number of which a random order of the files, and of the tests of each, is made: no test may rest on one before it.
# 0 leaves tests as they are written.
ORDER = os.environ.get("LIKEWISE_ORDER", "0")
ASKED_FOR = ORDER != "0"

# Tests pass on a busy machine: nothing is said about how long an example may take, or be in the making. The examples
# are the same in every run; `make shuffled` looks for new ones.
QUIET = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("likewise", derandomize=True, **QUIET)
settings.register_profile("shuffled", **QUIET)
settings.load_profile("shuffled" if ASKED_FOR else "likewise")

NO_DATA = "real data is absent"

# What some tests drive is not ours to steer: a real browser, sockets of a real service, a cluster of real processes.
# Those are tried a second time before the run fails, and the end of the run names them: each is a fault to mend.
OUTSIDE = {"browser", "start_server", "cluster"}


def pytest_make_parametrize_id(val):
    """Name cases of bytes by nothing but their kind: compressed ones carry the time, and workers must agree."""
    return "bytes" if isinstance(val, bytes) else None


def pytest_collection_modifyitems(items):
    """Order the tests; those of what is not ours get a second try, but not in a run that looks for such faults."""
    if not ASKED_FOR:
        for item in items:
            if OUTSIDE & set(getattr(item, "fixturenames", ())):
                item.add_marker(pytest.mark.flaky(reruns=1))
    if ORDER != "0":
        shuffle = random.Random(ORDER)
        files = {item.path: shuffle.random() for item in items}
        items.sort(key=lambda item: (files[item.path], shuffle.random()))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """With LIKEWISE_NO_SKIP a skip fails, unless it is for want of real data."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("LIKEWISE_NO_SKIP") and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if NO_DATA not in reason:
            report.outcome = "failed"
            report.longrepr = f"LIKEWISE_NO_SKIP is set, but this was skipped: {reason}"


def pytest_terminal_summary(terminalreporter):
    """Say in which order tests were run, how many there were no data for, and which needed a second try."""
    terminalreporter.write_line(f"order of tests: LIKEWISE_ORDER={ORDER}")
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.write_line(f"tried twice: {report.nodeid}", yellow=True)
    skipped = terminalreporter.stats.get("skipped", [])
    terminalreporter.write_line(
        f"skipped because real data is absent: {sum(NO_DATA in str(r.longrepr) for r in skipped)}"
    )


def data_folder() -> Path | None:
    """Return the folder of real data sets (LIKEWISE_DATA, else ../shared/data beside the repository), or None."""
    named = os.environ.get("LIKEWISE_DATA")
    candidates = [Path(named)] if named else [ROOT.parent / "shared" / "data", ROOT.parent.parent / "shared" / "data"]
    return next((folder for folder in candidates if folder.is_dir()), None)


def require_tool(name: str) -> str:
    """Return the path of a program; skip where it is absent, or fail where LIKEWISE_NO_SKIP forbids to."""
    path = shutil.which(name)
    if path is None:
        reason = f"{name} is not installed"
        if os.environ.get("LIKEWISE_NO_SKIP"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of real data sets; skip where it is absent."""
    folder = data_folder()
    if folder is None:
        pytest.skip(f"{NO_DATA}: set LIKEWISE_DATA to its folder")
    return folder


@pytest.fixture
def cli(tmp_path: Path):
    """Return a function that runs the command line in a process of its own, in tmp_path."""
    package = Path(likewise.__file__).resolve().parent.parent
    paths = os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"PYTHONPATH": paths, "COLUMNS": "200"}

    def run(*arguments: object, piped: str | None = None) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from likewise.cli import main; main()", *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, env=environment, input=piped, capture_output=True, text=True)

    return run


@pytest.fixture(scope="session")
def browser():
    """Return a real chromium, one for all tests: two of them cannot be driven from one thread."""
    path = require_tool("chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS, headless=True, timeout=0)
        yield launched
        launched.close()
