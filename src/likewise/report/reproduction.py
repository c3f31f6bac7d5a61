"""The page of ``likewise reproduce --html``: published figures beside ours, and the paper's two figures drawn again.

One file without scripts and without network: tables and SVG.
"""

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from likewise.report.charts import Frame, lines, spans
from likewise.results.page import head, tail

if TYPE_CHECKING:
    from likewise.evaluate.reproduce.run import Reproduction, Result

TITLES = {
    "3": "Table 3: best spectra, entity resolution (IAP, recall 1.0 counting 0)",
    "4": "Table 4: best spectra, retrieval (IAP, recall 1.0 counting 0)",
    "5": "Table 5: weighting schemes with quadgrams, entity resolution (IAP)",
    "6": "Table 6: weighting schemes with quadgrams, retrieval (IAP)",
    "7": "Table 7: weighting schemes, paraphrase and entailment (accuracy at the best F1)",
    "8": "Table 8: paraphrase, beside published systems",
    "9": "Table 9: entailment, beside published systems",
}
_STYLE = """
:root { color-scheme: light; --line: #d8dce2; --soft: #f5f7fa; --ink: #1d2733; --faint: #66717f; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); max-width: 78rem; margin: 2rem auto;
  padding: 0 1.2rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem; }
p, figcaption { max-width: 60rem; } .faint, figcaption { color: var(--faint); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .87rem; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: right; vertical-align: top; }
th { background: var(--soft); font-weight: 600; } th:first-child, td.left { text-align: left; }
td b { display: block; } td span { color: var(--faint); }
.agrees { background: #e7f5ea; } .differs { background: #fbe3e1; } .shown { background: #fdf5dc; }
.missing, .quoted { color: var(--faint); }
.legend i { display: inline-block; width: 1em; height: 1em; border: 1px solid var(--line); vertical-align: -.12em; }
figure { margin: 1rem 0; display: inline-block; } svg { max-width: 100%; height: auto; border: 1px solid var(--line); }
"""


def page(found: "Reproduction") -> str:
    """Return the whole page."""
    from likewise.evaluate.reproduce.run import summary

    counts = summary(found.results)
    body = [
        "<h1>Published figures, computed again</h1>",
        "<p class='faint'>S. Jimenez, A. Gelbukh: Baselines for Natural Language Processing Tasks Based on Soft"
        " Cardinality Spectra (2012). Each cell: published, ours, difference. Averages are over the sets"
        " at hand; in brackets the published average over the same.</p>",
        "<p class='legend'>"
        f"<i class='agrees'></i> {counts['agrees']} agree within their tolerance &nbsp; "
        f"<i class='differs'></i> {counts['differs']} differ &nbsp; "
        f"<i class='shown'></i> {counts['shown']} are shown without judgement &nbsp; "
        f"{counts['missing']} lack their data, {counts['quoted']} are quoted from others</p>",
    ]
    for number, title in TITLES.items():
        table = [result for result in found.results if result.row.table == number]
        if table:
            body.append(f"<h2>{escape(title)}</h2>")
            body.append(_systems(table) if number in "89" else _grid(table))
    body.append(_list("Claims and independent checks", [r for r in found.results if r.row.table not in TITLES]))
    body += _figures(found)
    body += _baselines(found)
    body += _sets(found)
    remarks = [result for result in found.results if result.remark and result.status in ("differs", "shown", "agrees")]
    body.append(_list("Remarks on single figures", remarks))
    return head("Likewise: reproduction", _STYLE) + "\n".join(body) + "\n" + tail()


def _grid(table: "list[Result]") -> str:
    """Return a table of sets by schemes or paddings."""

    def column(result: "Result") -> str:
        return f"{result.row.padding} padding" if result.row.table in "34" else result.row.weights

    columns = list(dict.fromkeys(column(result) for result in table))
    names = list(dict.fromkeys(result.row.set for result in table))
    cells = {(result.row.set, column(result)): result for result in table}
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    rows = []
    for name in names:
        line = "".join(_cell(cells.get((name, one))) for one in columns)
        rows.append(f"<tr><th>{escape(name)}</th>{line}</tr>")
    return _table(f"<th>data set</th>{head}", rows)


def _cell(result: "Result | None") -> str:
    if result is None:
        return "<td></td>"
    title = escape(result.remark or result.row.id, quote=True)
    ours = "" if result.ours is None else f"<b>{result.ours:.4f}</b><span>{result.difference:+.4f}</span>"
    published = f"{result.row.expected:.4f}"
    if result.same_sets is not None:
        published += f" ({result.same_sets:.4f})"
    return f"<td class='{result.status}' title='{title}'><span>{published}</span>{ours}</td>"


def _systems(table: "list[Result]") -> str:
    metrics = list(dict.fromkeys(result.row.metric for result in table))
    groups: dict[str, dict[str, Result]] = {}
    for result in table:
        row = result.row
        name = row.note.partition(",")[0] if row.measure == "quoted" else f"{row.measure} {row.weights}".strip()
        groups.setdefault(name, {})[row.metric] = result
    head = "".join(f"<th>{escape(metric.removeprefix('best-f1.'))}</th>" for metric in metrics)
    rows = [
        f"<tr><th>{escape(name)}</th>{''.join(_cell(cells.get(metric)) for metric in metrics)}</tr>"
        for name, cells in groups.items()
    ]
    return _table(f"<th>system</th>{head}", rows)


def _table(head: str, rows: Iterable[str]) -> str:
    return f"<div class='scroll'><table><tr>{head}</tr>{''.join(rows)}</table></div>"


def _list(title: str, results: "Iterable[Result]") -> str:
    rows = []
    for result in results:
        ours = "" if result.ours is None else f"{result.ours:.4f}"
        gap = "" if result.difference is None else f"{result.difference:+.4f}"
        tolerance = "" if result.row.tolerance is None else f"{result.row.tolerance:g}"
        rows.append(
            f"<tr class='{result.status}'><td class='left'>{escape(result.row.id)}</td>"
            f"<td>{result.row.expected:.4f}</td><td>{ours}</td><td>{gap}</td><td>{tolerance}</td>"
            f"<td class='left'>{escape(result.remark)}</td></tr>"
        )
    if not rows:
        return ""
    head = "<th>row</th><th>published</th><th>ours</th><th>difference</th><th>tolerance</th><th>remark</th>"
    return f"<h2>{escape(title)}</h2>{_table(head, rows)}"


def _figures(found: "Reproduction") -> list[str]:
    parts = []
    if found.grids:
        parts.append("<h2>Figure 6.1: every spectrum [s:e] of a data set</h2>")
        parts.append("<p class='faint'>A bar spans the q it uses, at the height of its IAP; squares are single q.</p>")
        for name, grid in found.grids.items():
            padding = "none" if found.sets[name]["task"] == "ir" else "single"
            bars = {spectrum: cell.iap for spectrum, cell in grid[padding].items()}
            # A few spectra with unigrams are far below and would press all others into one line.
            low, high = sorted(bars.values())[len(bars) // 8], max(bars.values())
            below = sum(value < low for value in bars.values())
            edge = max(0.08 * (high - low), 0.001)
            frame = Frame((0.5, 10.5), (low - edge, high + edge), "q", "IAP", 560, 340)
            title = f"{name}, {padding} padding, weights c" + (f"; {below} lower ones are not drawn" if below else "")
            bars = {spectrum: value for spectrum, value in bars.items() if value >= low}
            parts.append(f"<figure>{spans(bars, frame, title)}<figcaption>{escape(title)}</figcaption></figure>")
    for task, label, padding in (("er", "entity resolution", "single"), ("ir", "retrieval", "none")):
        names = [name for name, one in found.sets.items() if one["task"] == task and name in found.grids]
        names = [name for name in names if name in found.baselines]
        if names:
            series = mean_curves(found, names, padding)
            frame = Frame((0.0, 1.0), (0.0, 1.0), "recall", "interpolated precision", 700, 420)
            parts.append(f"<h2>Figure 6.2: recall and precision, {label}, mean over {len(names)} sets</h2>")
            parts.append(f"<figure>{lines(series, frame, f'Recall and precision, {label}')}</figure>")
    return parts


def mean_curves(found: "Reproduction", names: list[str], padding: str) -> dict[str, list[tuple[float, float]]]:
    """Return the mean eleven-point curve of the best spectra and of each other measure."""
    curves: dict[str, list[tuple[float, ...]]] = {}
    for name in names:
        cells = found.grids[name][padding]
        best = max(cells.values(), key=lambda cell: cell.iap)
        curves.setdefault(f"best spectra c ({padding} padding)", []).append(best.curve)
        for one in found.baselines[name]:
            curves.setdefault(one.measure, []).append(one.curve)
    return {
        name: [(level / 10, sum(values) / len(values)) for level, values in enumerate(zip(*sets, strict=True))]
        for name, sets in curves.items()
    }


def _baselines(found: "Reproduction") -> list[str]:
    parts = []
    for task, label in (("er", "entity resolution"), ("ir", "retrieval")):
        names = [name for name in found.baselines if found.sets[name]["task"] == task]
        if not names:
            continue
        columns = [one.measure for one in found.baselines[names[0]]]
        rows = []
        for name in names:
            best = max((cell.iap for grid in found.grids[name].values() for cell in grid.values()), default=0.0)
            cells = "".join(f"<td>{one.iap:.4f}</td>" for one in found.baselines[name])
            rows.append(f"<tr><th>{escape(name)}</th><td>{best:.4f}</td>{cells}</tr>")
        head = "".join(f"<th>{escape(column)}</th>" for column in columns)
        parts.append(f"<h2>Other measures beside, {label} (IAP of one ranking)</h2>")
        parts.append(_table(f"<th>data set</th><th>best spectra c</th>{head}", rows))
    if found.retrieval:
        parts.append("<h2>Per query, as a search engine is judged</h2>")
        columns = list(next(iter(next(iter(found.retrieval.values())).values())))
        head = "".join(f"<th>{escape(column)}</th>" for column in columns)
        rows = [
            f"<tr><th>{escape(name)}</th><td class='left'>{escape(measure)}</td>"
            + "".join(f"<td>{figures[column]:.4f}</td>" for column in columns)
            + "</tr>"
            for name, measures in found.retrieval.items()
            for measure, figures in measures.items()
        ]
        parts.append(_table(f"<th>collection</th><th>measure</th>{head}", rows))
    return parts


def _sets(found: "Reproduction") -> list[str]:
    rows = []
    for name, one in found.sets.items():
        size = (
            f"{one['left']:,} × {one['right']:,}, {one['gold']:,} gold" if "left" in one else f"{one['pairs']:,} pairs"
        )
        notes = escape("; ".join(one["notes"]))
        seconds = found.cpu_seconds.get(name, 0.0)
        rows.append(
            f"<tr><th>{escape(name)}</th><td>{size}</td><td>{seconds:.1f}</td><td class='left'>{notes}</td></tr>"
        )
    head = "<th>data set</th><th>size</th><th>CPU seconds</th><th>notes of the reader</th>"
    return ["<h2>Data</h2>", _table(head, rows)]
