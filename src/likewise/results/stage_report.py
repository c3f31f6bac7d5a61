"""The report of a run on an engine: its stages, how evenly they were spread, what they wrote, what was never scored."""

import json
import os
import statistics
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from likewise.results.page import head, tail
from likewise.results.run_report import STYLE, html_table
from likewise.storage import atomic_write


@dataclass(slots=True)
class Stage:
    """One stage: how long it took, how many tasks it had, how long the longest and the middle one took, its counts."""

    name: str
    seconds: float = 0.0
    task_seconds: list[float] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    peak: int = 0
    """Most memory, in bytes, that the process of a task has had so far."""

    @property
    def longest(self) -> float:
        """Seconds of the longest task."""
        return max(self.task_seconds, default=0.0)

    @property
    def median(self) -> float:
        """Seconds of the task in the middle."""
        return statistics.median(self.task_seconds) if self.task_seconds else 0.0

    @property
    def skew(self) -> float:
        """The longest task against the median."""
        return self.longest / self.median if self.median else 1.0

    @property
    def pruned(self) -> float | None:
        """The share of pairs that never were scored, because a bound left them out."""
        possible = self.counts.get("possible", 0)
        return 1 - self.counts["scored"] / possible if possible and "scored" in self.counts else None

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "stage": self.name,
            "seconds": round(self.seconds, 3),
            "tasks": len(self.task_seconds),
            "longest": round(self.longest, 3),
            "median": round(self.median, 3),
            "skew": round(self.skew, 2),
            "pruned": self.pruned,
            "peak_bytes": self.peak,
            "counts": dict(self.counts),
        }


@dataclass(slots=True)
class StageReport:
    """The stages of a run in order; written as JSON and as a page.

    >>> report = StageReport("match", {"top": 1})
    >>> report.begin("pairs")
    >>> report.add([{"pairs": 3, "possible": 100, "scored": 5, "seconds": 1.0}, {"pairs": 1, "seconds": 3.0}])
    >>> report.end("pairs", 4.0)
    >>> report.stages[0].counts["pairs"], report.stages[0].skew, report.stages[0].pruned
    (4, 1.5, 0.95)
    """

    title: str
    options: dict[str, Any]
    stages: list[Stage] = field(default_factory=list)

    def begin(self, name: str) -> None:
        """Say that a stage begins."""
        self.stages.append(Stage(name))

    def add(self, counts: list[dict[str, Any]]) -> None:
        """Take the counts of tasks of the stage at hand."""
        stage = self.stages[-1] if self.stages else None
        for one in counts if stage is not None else []:
            assert stage is not None
            stage.task_seconds.append(float(one.get("seconds", 0.0)))
            stage.peak = max(stage.peak, one.get("peak", 0))
            counted = {name: value for name, value in one.items() if isinstance(value, int) and name != "peak"}
            stage.counts.update(counted)

    def end(self, name: str, seconds: float) -> None:
        """Say that a stage has ended."""
        for stage in self.stages:
            if stage.name == name:
                stage.seconds = seconds

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "run": self.title,
            "options": self.options,
            "seconds": round(sum(stage.seconds for stage in self.stages), 3),
            "stages": [stage.to_json() for stage in self.stages],
        }

    def to_html(self) -> str:
        """Return the report as a stand-alone page."""
        title = f"{self.title}: run report"
        parts = [f"<h1>{title}</h1>", html_table("Options", list(self.options.items()))]
        for stage in self.stages:
            rows: list[tuple[str, Any]] = [
                ("seconds", f"{stage.seconds:,.2f}"),
                ("tasks", f"{len(stage.task_seconds):,}"),
                ("most memory of a process", f"{stage.peak / 1e6:,.0f} MB"),
                ("seconds of the longest task", f"{stage.longest:,.2f}"),
                ("of the median one", f"{stage.median:,.2f}"),
                ("longest against median", f"{stage.skew:.2f}"),
            ]
            if stage.pruned is not None:
                rows.append(("pairs never scored", f"{stage.pruned:.4%}"))
            rows += [(name, f"{value:,}") for name, value in stage.counts.items()]
            parts.append(html_table(f"Stage: {stage.name}", rows))
        return f"{head(title, STYLE)}{''.join(parts)}\n{tail()}"

    def write(self, base: str | os.PathLike[str]) -> None:
        """Write ``base`` + .report.json and .report.html."""
        with atomic_write(Path(f"{os.fspath(base)}.report.json"), "w", encoding="utf-8") as file:
            json.dump(self.to_json(), file, indent=1, ensure_ascii=False, default=str)
            file.write("\n")
        with atomic_write(Path(f"{os.fspath(base)}.report.html"), "w", encoding="utf-8") as file:
            file.write(self.to_html())
