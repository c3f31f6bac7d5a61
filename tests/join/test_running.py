"""Long joins can be watched, stopped, and do not need memory for all pairs."""

import subprocess
import sys

import numpy as np
import pytest

from likewise import Cancelled, _core, join


def heavy(count, features=40, width=60):
    """Rows that all share a lot, so that a join takes long."""
    random = np.random.default_rng(1)
    ids = np.concatenate([np.sort(random.permutation(width)[:features]) for _ in range(count)]).astype(np.int32)
    indptr = np.arange(count + 1, dtype=np.int64) * features
    return _core.Rows(indptr, ids, random.random(count * features) + 0.1)


def test_progress_is_reported_and_can_stop_the_work():
    rows = heavy(30_000)
    calls = []

    def stop(done, total, unit):
        calls.append((done, total, unit))
        if len(calls) == 3:
            raise Cancelled("enough")

    with pytest.raises(Cancelled, match="enough"):
        join.top(_core.DotScorer(rows, rows), 10, self_join=True, progress=stop)
    assert len(calls) == 3
    assert all(0 <= done <= total and unit == "blocks" for done, total, unit in calls)


MEMORY = """
import sys
sys.path.insert(0, {tests!r})
from tests.join.test_running import heavy
from likewise import _core, join
from likewise.platform import peak_memory
rows = heavy({count}, {features}, {width})
scorer = _core.DotScorer(rows, rows)
before = peak_memory()
pairs = join.top(scorer, {k}, self_join=True, threads=2)  # each has places of its own
print(len(pairs), peak_memory() - before >> 20)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="does not tell the memory of a process")
def test_memory_is_that_of_index_and_result():
    """All pairs of 20,000 texts would take 3 GB as scores; the join stays within what the index and result need."""
    root = __file__.rsplit("/tests/", 1)[0]
    script = MEMORY.format(tests=root, count=20_000, features=12, width=3000, k=5)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    found, megabytes = map(int, done.stdout.split())
    assert found == 100_000
    assert 0 < megabytes < 64


@pytest.mark.skipif(sys.platform == "win32", reason="does not tell the memory of a process")
def test_asking_for_more_partners_than_there_are_costs_nothing():
    """With room for k candidates of every text this would take 10 GB."""
    root = __file__.rsplit("/tests/", 1)[0]
    script = MEMORY.format(tests=root, count=20_000, features=3, width=30_000, k=10**6)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    found, megabytes = map(int, done.stdout.split())
    assert 100_000 < found < 200_000
    assert 0 < megabytes < 150
