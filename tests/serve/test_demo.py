import os
import subprocess
import sys
from pathlib import Path

import httpx

import likewise


def test_demo_opens_the_pages_on_its_results(tmp_path):
    package = Path(likewise.__file__).resolve().parent.parent
    command = [sys.executable, "-c", "from likewise.cli import main; main()", "demo", str(tmp_path / "demo")]
    process = subprocess.Popen(
        [*command, "--chapters", "compare", "--serve", "--port", "0"],
        env=os.environ | {"PYTHONPATH": str(package)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        address = process.stderr.readline().split()[1]
        assert httpx.get(f"{address}health", timeout=None).json()["status"] == "ok"
        assert (tmp_path / "demo" / "index.html").is_file()
    finally:
        process.terminate()
        process.wait(20)
        process.stderr.close()
