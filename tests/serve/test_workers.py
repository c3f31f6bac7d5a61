"""Places for requests: few at a time, left by those that take long, and others for those that bring much."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from likewise import Cancelled
from likewise.progress import stop_if_asked
from likewise.serve import workers
from likewise.serve.workers import PLACES, Workers


@pytest.fixture
def at_work():
    made = Workers(30)
    yield made
    made.close()


class Held:
    """Work that begins, and ends when it is let go."""

    def __init__(self):
        self.begun, self.go = threading.Semaphore(0), threading.Event()

    def __call__(self):
        self.begun.release()
        self.go.wait(30)
        return stop_if_asked()

    async def begins(self, times):
        for _ in range(times):
            await asyncio.to_thread(self.begun.acquire, timeout=30)


def held(at_work, work, count, large=False):
    return [asyncio.ensure_future(at_work.work(work, large)) for _ in range(count)]


def played(scene):
    """Run it in a thread of its own: a browser that another test started has a loop in this one."""
    with ThreadPoolExecutor(1) as alone:
        alone.submit(asyncio.run, scene).result(60)


async def turns():
    for _ in range(20):
        await asyncio.sleep(0)


def test_no_more_at_a_time_than_there_are_places(at_work, monkeypatch):
    monkeypatch.setattr(workers, "LONG", 1000)

    async def scene():
        work = Held()
        all_of_them = held(at_work, work, 3 * PLACES)
        await work.begins(PLACES)
        await turns()
        assert not work.begun.acquire(blocking=False)
        work.go.set()
        assert await asyncio.gather(*all_of_them) == [False] * len(all_of_them)  # none of them takes long
        assert at_work.long == 0

    played(scene())


def test_who_takes_long_leaves_its_place(at_work, monkeypatch):
    monkeypatch.setattr(workers, "LONG", 0.001)

    async def scene():
        work = Held()
        all_of_them = held(at_work, work, 3 * PLACES)
        await work.begins(3 * PLACES)
        while at_work.long < 3 * PLACES:
            await asyncio.sleep(0.001)
        work.go.set()
        assert await asyncio.gather(*all_of_them) == [True] * len(all_of_them)
        assert at_work.long == 0

    played(scene())


def test_those_that_bring_much_are_not_before_the_others(at_work, monkeypatch):
    monkeypatch.setattr(workers, "LONG", 1000)

    async def scene():
        large, small = Held(), Held()
        many = held(at_work, large, 20, large=True)
        await large.begins(1)
        few = held(at_work, small, PLACES)
        await small.begins(PLACES)
        assert not large.begun.acquire(blocking=False)  # one after another
        assert at_work.long == 1
        small.go.set()
        assert await asyncio.gather(*few) == [False] * PLACES
        large.go.set()
        assert await asyncio.gather(*many) == [True] * 20
        assert at_work.long == 0

    played(scene())


def test_work_that_nobody_waits_for_is_stopped_and_its_place_free(at_work, monkeypatch):
    monkeypatch.setattr(workers, "LONG", 1000)

    async def scene():
        work, ended = Held(), []

        def do():
            try:
                work()
            except Cancelled:
                ended.append("stopped")

        [first, *_, waiting] = held(at_work, do, PLACES + 1)
        await work.begins(PLACES)
        waiting.cancel()  # it never had a place
        first.cancel()
        await asyncio.wait([first, waiting])
        [last] = held(at_work, do, 1)
        await work.begins(1)
        work.go.set()
        await last
        at_work.close()
        await asyncio.to_thread(at_work._threads.shutdown)
        assert ended == ["stopped"]

    played(scene())
