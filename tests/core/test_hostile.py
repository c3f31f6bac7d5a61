"""Whatever the compiled module is called with, the interpreter lives on and the error says what was wrong."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.core import hostile


@pytest.fixture(scope="module")
def outcomes():
    """Outcomes of all calls, made in a process of their own: the last line before a crash says which call it was."""
    command = [sys.executable, "-m", "tests.core.hostile"]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root)
    lines = dict(json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 0, f"ended with {done.returncode} after {list(lines)[-1:]}: {done.stderr[-2000:]}"
    return lines


@pytest.mark.parametrize("name", hostile.CASES)
def test_ends_in_an_error(outcomes, name):
    expected = hostile.CASES[name][1]
    if expected is None:
        assert outcomes[name] is None
    else:
        assert any(str(outcomes[name]).startswith(start) for start in expected.split("|")), outcomes[name]
