"""Work that is stopped, and that rests for those beside it."""

import threading

import pytest

from likewise import Cancelled
from likewise.progress import stop_if_asked, stopped_by


class Asked(threading.Event):
    """Keeps how long it was waited for."""

    def __init__(self):
        super().__init__()
        self.rests = []

    def wait(self, timeout=None):
        self.rests.append(timeout)
        return self.is_set()


def worked():
    """Take some processor time."""
    sum(range(300_000))
    stop_if_asked()


def test_alone_it_does_not_rest():
    asked = Asked()
    with stopped_by(asked):
        worked()
    assert asked.rests == []


def test_beside_others_it_rests_as_long_as_they_work(monkeypatch):
    asked, clock = Asked(), iter([1.0, 1.25, 1.25, 100.0])
    monkeypatch.setattr("likewise.progress.time.thread_time", lambda: next(clock))
    with stopped_by(asked, lambda: 2):
        for _ in range(4):
            stop_if_asked()
    assert asked.rests == [1.0, 0.5, 0.0, 1.0]  # never longer than a second


def test_it_is_stopped_while_it_rests():
    asked = threading.Event()
    asked.set()
    with stopped_by(asked, lambda: 20), pytest.raises(Cancelled):
        worked()
