"""A result in a notebook: a small HTML table, scores as bars, the words that match marked."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

_LONGEST = 160  # characters of a text that are shown
_LEFT = "text-align:left;vertical-align:top"
_BAR = "display:inline-block;width:4em;background:linear-gradient(to right,#9cc3e6 {share:.0f}%,transparent 0)"


def html_table(
    table: "pa.Table", marks: Sequence[dict[str, list[tuple[int, int]]]], title: str, total: int | None = None
) -> str:
    """Return rows of a table as HTML; ``marks`` has for each row the characters to mark, column by column.

    >>> import pyarrow as pa
    >>> page = html_table(pa.table({"score": [0.5], "text": ["a <b>"]}), [{"text": [(0, 1)]}], "1 row")
    >>> "<mark>a</mark> &lt;b&gt;" in page, "50%" in page
    (True, True)
    """
    total = table.num_rows if total is None else total
    heads = "".join(f'<th style="{_LEFT}">{escape(name)}</th>' for name in table.column_names)
    lines = []
    for number, row in enumerate(table.to_pylist()):
        marked = marks[number] if number < len(marks) else {}
        cells = (_cell(name, value, marked.get(name, [])) for name, value in row.items())
        lines.append(f"<tr>{''.join(cells)}</tr>")
    more = f"<p>… and {total - table.num_rows:,} more rows</p>" if total > table.num_rows else ""
    return f"<div><p>{escape(title)}</p><table><tr>{heads}</tr>{''.join(lines)}</table>{more}</div>"


def _cell(name: str, value: Any, spans: list[tuple[int, int]]) -> str:
    if name == "score" and isinstance(value, float):
        share = max(0.0, min(1.0, value)) * 100
        return f'<td style="{_LEFT}"><span style="{_BAR.format(share=share)}">{value:.3f}</span></td>'
    if isinstance(value, float):
        return f'<td style="{_LEFT}">{value:.4g}</td>'
    text = "" if value is None else str(value)
    return f'<td style="{_LEFT}">{_marked(text, spans)}</td>'


def _marked(text: str, spans: list[tuple[int, int]]) -> str:
    """Return the text as HTML, cut where it is long, with the spans (disjoint, in order) marked."""
    end = min(len(text), _LONGEST)
    pieces, at = [], 0
    for start, stop in spans:
        if start >= end:
            break
        pieces += [escape(text[at:start]), "<mark>", escape(text[start : min(stop, end)]), "</mark>"]
        at = min(stop, end)
    pieces.append(escape(text[at:end]))
    return "".join(pieces) + ("…" if end < len(text) else "")
