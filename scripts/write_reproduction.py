"""Write docs/results/reproduction.md: the published tables beside ours, as Markdown.

python scripts/write_reproduction.py DATA [docs/results/reproduction.md]
"""

import sys
from pathlib import Path

from likewise.evaluate.reproduce import Reproduction, reproduce
from likewise.evaluate.reproduce.run import Result, summary
from likewise.report.reproduction import TITLES


def cell(result: Result | None) -> str:
    if result is None:
        return ""
    if result.ours is None:
        return f"{result.row.expected:.4f} · –"
    mark = {"agrees": "", "differs": " ✗", "shown": " *"}[result.status]
    published = result.row.expected if result.same_sets is None else result.same_sets
    return f"{published:.4f} · {result.ours:.4f}{mark}"


def table(results: list[Result], number: str) -> list[str]:
    def column(result: Result) -> str:
        if number in "34":
            return f"{result.row.padding} padding"
        return result.row.metric.removeprefix("best-f1.") if number in "89" else result.row.weights

    def line(result: Result) -> str:
        if number in "89":
            row = result.row
            return row.note.partition(",")[0] if row.measure == "quoted" else f"**{row.measure} {row.weights}**"
        return result.row.set

    columns = list(dict.fromkeys(column(result) for result in results))
    cells = {(line(result), column(result)): result for result in results}
    rows = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    rows += [
        f"| {name} | {' | '.join(cell(cells.get((name, one))) for one in columns)} |"
        for name in dict.fromkeys(line(result) for result in results)
    ]
    return rows


def page(found: Reproduction) -> str:
    counts = summary(found.results)
    judged = [r for r in found.results if r.ours is not None and r.row.source == "paper" and r.row.set != "average"]
    lines = [
        "# The published tables, computed again",
        "",
        "Written by `scripts/write_reproduction.py`; the same figures come from `likewise reproduce DATA`. Each cell:",
        "published · ours. ✗: further apart than the tolerance. *: not judged, see the remarks. –: no data at hand.",
        "Averages are over the sets at hand, on both sides.",
        "",
        f"{counts['agrees']} figures agree within their tolerance, {counts['differs']} do not, {counts['shown']} are"
        f" shown without judgement, {counts['missing']} lack their data, {counts['quoted']} are quoted from others.",
        "The tolerances were set, some widened, after our figures were seen: they guard against changes,"
        " they prove nothing.",
        f"Computing took {sum(found.cpu_seconds.values()):.0f} CPU seconds, the other measures included.",
    ]
    for number, title in TITLES.items():
        results = [result for result in found.results if result.row.table == number]
        errors = [abs(result.difference) for result in judged if result.row.table == number]
        lines += ["", f"## {title}", "", *table(results, number)]
        if errors:
            lines += ["", f"Mean absolute difference over {len(errors)} cells: {sum(errors) / len(errors):.4f}."]
    lines += [
        "",
        "## Claims, independent checks, and remarks",
        "",
        "| row | published | ours | remark |",
        "|---|---|---|---|",
    ]
    for result in found.results:
        if (
            result.ours is not None
            and result.row.set != "average"
            and (result.remark or result.row.table not in TITLES)
        ):
            lines.append(f"| {result.row.id} | {result.row.expected:.4f} | {result.ours:.4f} | {result.remark} |")
    for task, title in (("er", "entity resolution"), ("ir", "retrieval")):
        names = [name for name in found.baselines if found.sets[name]["task"] == task]
        if names:
            columns = [one.measure for one in found.baselines[names[0]]]
            lines += ["", f"## Other measures beside, {title} (IAP of one ranking)", ""]
            lines += [f"| | best spectra c | {' | '.join(columns)} |", "|---" * (len(columns) + 2) + "|"]
            for name in names:
                best = max(one.iap for grid in found.grids[name].values() for one in grid.values())
                values = " | ".join(f"{one.iap:.4f}" for one in found.baselines[name])
                lines.append(f"| {name} | {best:.4f} | {values} |")
    if found.retrieval:
        columns = list(next(iter(next(iter(found.retrieval.values())).values())))
        lines += ["", "## Retrieval per query", "", f"| | measure | {' | '.join(columns)} |"]
        lines.append("|---" * (len(columns) + 2) + "|")
        for name, measures in found.retrieval.items():
            for measure, figures in measures.items():
                lines.append(f"| {name} | {measure} | {' | '.join(f'{figures[one]:.4f}' for one in columns)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    target = Path(sys.argv[2] if len(sys.argv) > 2 else "docs/results/reproduction.md")
    done = reproduce(sys.argv[1], say=lambda text: print(text, file=sys.stderr))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(done), encoding="utf-8")
