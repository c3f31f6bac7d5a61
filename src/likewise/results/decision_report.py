"""A decision on one page: what it rests on, its charts, and the waterfalls of some pairs; no script, no network."""

import os
from html import escape
from typing import TYPE_CHECKING, Any

from likewise.results.decision_charts import waterfall
from likewise.results.decisions import DecisionSummary
from likewise.storage import atomic_write

if TYPE_CHECKING:
    import pyarrow as pa

_PAIRS = 10  # of each kind that are shown
_STYLE = (
    "body{font:15px/1.45 system-ui,sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:#222}"
    "figure{display:inline-block;margin:0 1em 1em 0;vertical-align:top}figcaption{font-weight:600}"
    "@media(prefers-color-scheme:dark){body{background:#fff}}"
)


def write_report(
    path: str | os.PathLike[str],
    decision: DecisionSummary,
    pairs: "pa.Table",
    review: "pa.Table | None",
    evidence: "pa.Table | None",
) -> None:
    """Write the page."""
    with atomic_write(path, "w", encoding="utf-8") as file:
        file.write(report(decision, pairs, review, evidence))


def report(decision: DecisionSummary, pairs: "pa.Table", review: "pa.Table | None", evidence: "pa.Table | None") -> str:
    """Return the page as HTML."""
    lines = "".join(f"<p>{escape(line)}</p>" for line in decision.to_text().splitlines())
    parts = [f"<h1>Which records are the same</h1>{lines}", decision._repr_html_()]
    said = _weights(evidence)
    for title, table in (("The most doubtful pairs", review), ("The least sure of what is given", _weakest(pairs))):
        if table is not None and table.num_rows and said:
            parts.append(f"<h2>{title}</h2>")
            parts += [_pair(row, said) for row in table.slice(0, _PAIRS).to_pylist()]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Which records are the same</title>'
        f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _weakest(pairs: "pa.Table") -> "pa.Table":
    return pairs.sort_by([("probability", "ascending")]) if "probability" in pairs.column_names else pairs


def _weights(evidence: "pa.Table | None") -> dict[tuple[Any, Any], list[tuple[str, float]]]:
    found: dict[tuple[Any, Any], list[tuple[str, float]]] = {}
    for row in [] if evidence is None else evidence.to_pylist():
        found.setdefault((row["left"], row["right"]), []).append((row["field"], row["weight"]))
    return found


def _pair(row: dict[str, Any], said: dict[tuple[Any, Any], list[tuple[str, float]]]) -> str:
    """Return a pair: its two texts, its probability, and how its log odds add up."""
    left, right = row["left"], row["right"]
    steps = said.get((left, right)) or said.get((right, left)) or []
    chart = waterfall(steps, f"{left} and {right}") if steps else ""
    texts = f"{escape(str(row['left_text']))}<br>{escape(str(row['right_text']))}"
    caption = f"{row['probability']:.2f}: {escape(f'{left} and {right}')}"
    return f"<figure><figcaption>{caption}</figcaption>{texts}<br>{chart}</figure>"
