"""Counters of the service as Prometheus text: a few families, written by hand."""

import threading
from collections import defaultdict
from collections.abc import Mapping

BUCKETS = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0)


class Metrics:
    """Requests by route and status, their times, and whatever gauges a scrape brings along.

    >>> metrics = Metrics()
    >>> metrics.count("GET", "/health", 200, 0.001)
    >>> 'route="/health"' in metrics.text({"likewise_jobs": {"running": 1}})
    True
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: dict[tuple[str, str, int], int] = defaultdict(int)
        self._buckets = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0
        self._refused: dict[str, int] = defaultdict(int)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Take note of a finished request."""
        with self._lock:
            self._requests[method, route, status] += 1
            self._seconds += seconds
            self._buckets[next((i for i, limit in enumerate(BUCKETS) if seconds <= limit), len(BUCKETS))] += 1

    def refuse(self, reason: str) -> None:
        """Take note of a request that was turned away before it reached a route."""
        with self._lock:
            self._refused[reason] += 1

    def text(self, gauges: Mapping[str, Mapping[str, float]]) -> str:
        """Return everything in the Prometheus text format; ``gauges`` are name -> state -> value."""
        with self._lock:
            lines = ["# HELP likewise_requests_total Finished requests.", "# TYPE likewise_requests_total counter"]
            for (method, route, status), number in sorted(self._requests.items()):
                labels = f'method="{_label(method)}",route="{_label(route)}",status="{status}"'
                lines.append(f"likewise_requests_total{{{labels}}} {number}")
            lines += ["# HELP likewise_refused_total Requests turned away.", "# TYPE likewise_refused_total counter"]
            lines += [
                f'likewise_refused_total{{reason="{_label(reason)}"}} {number}'
                for reason, number in sorted(self._refused.items())
            ]
            lines += ["# HELP likewise_request_seconds Time of requests.", "# TYPE likewise_request_seconds histogram"]
            total = 0
            for limit, number in zip((*map(str, BUCKETS), "+Inf"), self._buckets, strict=True):
                total += number
                lines.append(f'likewise_request_seconds_bucket{{le="{limit}"}} {total}')
            lines += [f"likewise_request_seconds_sum {self._seconds:.6f}", f"likewise_request_seconds_count {total}"]
        for name, values in gauges.items():
            lines += [f"# TYPE {name} gauge"]
            lines += [f'{name}{{state="{_label(state)}"}} {value:g}' for state, value in values.items()]
        return "\n".join(lines) + "\n"


def _label(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
