"""Random calls of the compiled module end in a value or an exception, never in a crash (``make fuzz`` makes more)."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_random_calls_do_not_crash(tmp_path):
    trace = tmp_path / "last call"
    command = [sys.executable, "-m", "tests.core.fuzz_calls", "--seeds", "0", "3", "--calls", "1200"]
    done = subprocess.run([*command, "--trace", str(trace)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, f"{done.returncode} after {trace.read_text() if trace.exists() else 'no call'}"
    assert done.stdout == "3600 calls\n"
