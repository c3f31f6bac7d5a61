"""The run report: what came in, what was dropped and why, what is left after each step, how long it took."""

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from likewise.results.page import head, tail
from likewise.storage import atomic_write

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1c2733}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.2rem .6rem;border-bottom:1px solid #d5dde5;"
    "text-align:left}td+td{text-align:right;font-variant-numeric:tabular-nums}"
)


@dataclass(slots=True)
class Report:
    """Counts of a run, in the order of the stages; written as JSON and as a page.

    >>> report = Report({"anchors": "ngram"})
    >>> report.count("sentences", {"documents": 2, "kept": 7})
    >>> report.counts["sentences"]["kept"]
    7
    """

    options: dict[str, Any]
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    steps: list[tuple[str, int]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    peak_memory: int = 0

    def count(self, stage: str, counts: dict[str, int]) -> None:
        """Take the counts of a stage."""
        self.counts[stage] = dict(counts)

    def add_shards(self, stage: str, shards: list[dict[str, Any]]) -> None:
        """Add up the counts of a stage's shards."""
        total: Counter[str] = Counter()
        skipped: Counter[str] = Counter()
        for shard in shards:
            skipped.update(shard.get("skipped", {}))
            self.messages += shard.get("messages", [])
            total.update({name: value for name, value in shard.items() if isinstance(value, int)})
        self.count(stage, dict(total))
        if skipped:
            self.skipped = dict(sorted(skipped.items()))
        self.messages = self.messages[:50]

    @property
    def lengths(self) -> dict[str, float]:
        """How many tokens a kept and a dropped sentence has on average."""
        counts = self.counts.get("sentences", {})
        kept, tokens = counts.get("kept", 0), counts.get("tokens kept", 0)
        dropped = counts.get("sentences", 0) - kept
        averages = {"kept": tokens / kept if kept else 0.0}
        return {**averages, "dropped": (counts.get("tokens", 0) - tokens) / dropped if dropped else 0.0}

    def write(self, base: str | os.PathLike[str]) -> None:
        """Write ``base`` + .report.json and .report.html."""
        content = {
            "options": self.options,
            "counts": self.counts,
            "tokens a sentence": {name: round(value, 1) for name, value in self.lengths.items()},
            "skipped": self.skipped,
            "messages": self.messages,
            "steps": [{"table": name, "rows": rows} for name, rows in self.steps],
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
            "peak_memory_bytes": self.peak_memory,
        }
        with atomic_write(Path(f"{os.fspath(base)}.report.json"), "w", encoding="utf-8") as file:
            json.dump(content, file, indent=1, ensure_ascii=False)
            file.write("\n")
        with atomic_write(Path(f"{os.fspath(base)}.report.html"), "w", encoding="utf-8") as file:
            file.write(self.to_html())

    def to_html(self) -> str:
        """Return the report as a stand-alone page."""
        parts = ["<h1>Paraphrase mining: run report</h1>"]
        parts.append(html_table("Options", [(name, value) for name, value in self.options.items()]))
        for stage, counts in self.counts.items():
            rows: list[tuple[str, Any]] = [(name, f"{value:,}") for name, value in counts.items()]
            parts.append(html_table(f"Stage: {stage}", rows))
        parts.append(html_table("Tokens a sentence", [(name, f"{value:.1f}") for name, value in self.lengths.items()]))
        if self.skipped:
            parts.append(html_table("Input skipped", [(name, f"{value:,}") for name, value in self.skipped.items()]))
        if self.steps:
            parts.append(html_table("Rows after each step", [(name, f"{rows:,}") for name, rows in self.steps]))
        parts.append(html_table("Seconds", [(name, f"{value:.2f}") for name, value in self.seconds.items()]))
        if self.messages:
            lines = "".join(f"<li>{escape(message)}</li>" for message in self.messages)
            parts.append(f"<h2>First messages</h2><ul>{lines}</ul>")
        return f"{head('Paraphrase mining: run report', STYLE)}{''.join(parts)}\n{tail()}"


def said(value: Any) -> str:
    """Return a value of an option as people write it.

    >>> said(None), said(True), said(("name", "city")), said({"top": 3, "on": None}), said(0.8)
    ('not set', 'yes', 'name, city', 'top: 3', '0.8')
    """
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {said(one)}" for name, one in value.items() if one is not None)
    if isinstance(value, list | tuple):
        return ", ".join(map(said, value)) or "none"
    return str(value)


def html_table(title: str, rows: list[tuple[str, Any]]) -> str:
    """Return a table of names and values under a title."""
    body = "".join(f"<tr><td>{escape(str(name))}</td><td>{escape(said(value))}</td></tr>" for name, value in rows)
    return f"<h2>{escape(title)}</h2><table>{body}</table>"
