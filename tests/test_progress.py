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
    asked, clock = Asked(), iter([1.0, 1.25, 1.2502, 1.2504, 100.0, 100.0, 100.5])
    monkeypatch.setattr("likewise.progress.time.thread_time", lambda: next(clock))
    with stopped_by(asked, lambda: 3):
        for _ in range(7):
            stop_if_asked()
    # What the thread did before is not counted, little is kept for the next time, and no rest is longer than a second.
    assert asked.rests == pytest.approx([0.5, 1.0, 1.0])


def test_it_is_stopped_while_it_rests():
    asked = threading.Event()
    asked.set()
    with stopped_by(asked, lambda: 20), pytest.raises(Cancelled):
        worked()


def test_it_is_told_that_it_takes_long():
    with stopped_by(threading.Event(), lambda: 0):
        assert not stop_if_asked()
    with stopped_by(threading.Event(), lambda: 1):
        assert stop_if_asked()
    assert not stop_if_asked()
