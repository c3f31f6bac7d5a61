"""Figures of runs add up: what failed once and does no more is done."""

from tests.fuzz.run import added, executions


def test_what_is_mended_counts_once():
    first = added({}, {"done": 5, "failed": 2, "slowest": 0.1, "memory_mb": 9, "failures": {"died": "-11"}})
    assert (executions(first), first["failed"]) == (7, 2)
    second = added(first, {"done": 3, "slowest": 0.3, "memory_mb": 7, "failures": {}})
    assert (executions(second), second["done"], second["failed"]) == (10, 10, 0)
    assert (second["slowest"], second["memory_mb"], second["failures"]) == (0.3, 9, {})
    third = added(second, {"refused": 1, "failed": 1, "slowest": 0, "memory_mb": 0, "failures": {"hangs": ""}})
    assert (executions(third), third["failed"]) == (12, 1)
