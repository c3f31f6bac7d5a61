"""Work that is given up stops, in the middle of a pair of texts as well: what would have been done is not."""

import contextlib
import os
import signal
import threading

import pytest

from likewise.errors import Cancelled
from likewise.measure import parse
from likewise.progress import stopped_by

# Minutes of work for each: it is never done to its end.
WORDS = [f"{number:05x}" for number in range(40_000)]
LEFT, RIGHT = " ".join(WORDS), " ".join(word[::-1] for word in WORDS)
NAMES = ("soft-cardinality(weights=boolean)", "soft-tfidf(weights=boolean, pairs=all)")


@pytest.mark.parametrize("name", NAMES)
def test_one_pair_stops_when_it_is_given_up(name):
    given_up = threading.Event()
    given_up.set()
    with stopped_by(given_up), pytest.raises(Cancelled):
        parse(name).score(LEFT, RIGHT)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs signals")
def test_one_pair_stops_at_a_signal():
    class AlarmError(Exception):
        pass

    def ring(*_):
        raise AlarmError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        with pytest.raises(AlarmError):
            _ = signal.setitimer(signal.ITIMER_REAL, 0.3), parse(NAMES[0]).score(LEFT, RIGHT)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="of Linux")
@pytest.mark.parametrize(("beside", "idle"), [(0, False), (1, True)])
def test_work_that_takes_long_runs_while_others_leave_a_processor(beside, idle):
    given_up = threading.Event()
    seen = set()

    def watch():
        """Is asked for each look: what the threads of this process are like, and when that is enough."""
        for thread in os.listdir("/proc/self/task"):
            with contextlib.suppress(ProcessLookupError):
                seen.add(os.sched_getscheduler(int(thread)))
        looks.append(None)
        if os.SCHED_IDLE in seen or (not idle and len(looks) > 4):
            given_up.set()
        return beside

    looks = []
    with stopped_by(given_up, watch), pytest.raises(Cancelled):
        parse(NAMES[0]).score(LEFT, RIGHT)
    assert (os.SCHED_IDLE in seen) == idle
    assert os.sched_getscheduler(0) == os.SCHED_OTHER


def test_nothing_is_done_after_the_request_is_given_up():
    given_up = threading.Event()
    seen = []

    def progress(done, total, unit):
        seen.append((done, total))
        given_up.set()

    texts = [" ".join(WORDS[number : number + 40]) for number in range(0, 40_000, 10)]
    with stopped_by(given_up), pytest.raises(Cancelled):
        parse(NAMES[0]).matrix(texts, texts, progress=progress)
    ((done, total),) = seen
    assert done < total


def test_an_explanation_stops():
    given_up = threading.Event()
    given_up.set()
    with stopped_by(given_up):
        for name in ("soft-tfidf(weights=boolean)", "soft-cardinality(weights=boolean)", "spectra"):
            with pytest.raises(Cancelled):
                parse(name).explain("the red fish", "a fish is red")
