"""``likewise reproduce``: the published tables, computed again from the original files."""

import json as json_module
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from likewise.cli.output import Force, check_output, put

if TYPE_CHECKING:
    from likewise.evaluate.reproduce.run import Reproduction


def reproduce(
    data: Annotated[Path, typer.Argument(help="Folder with er/, ir/ and pairs/, as published.")],
    only: Annotated[str, typer.Option(help="Tasks, joined by commas.")] = "er,ir,paraphrase,entailment",
    rows: Annotated[
        str | None, typer.Option(help="Only rows whose id fits this pattern, such as 't5.restaurant.*'.")
    ] = None,
    beside: Annotated[bool, typer.Option(help="Also run the other measures (cosine, SoftTFIDF ...).")] = True,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write a report page with tables and curves.")] = None,
    force: Force = False,
) -> None:
    """Compute Tables 3 to 9 of the spectra paper and show published | ours | difference.

    Reads the original SecondString, SMART, npl, lisa, time, cf, MSR and RTE files; missing ones are listed. A figure
    further from the published one than its tolerance makes the command fail (exit code 2).

    Example: likewise reproduce data --only er --html report.html
    """
    from likewise.cli.app import fail
    from likewise.evaluate.reproduce import reproduce as run
    from likewise.storage import atomic_write

    def say(text: str) -> None:
        put(text, file=sys.stderr)

    check_output(others=[html], sources=[data], force=force)
    tasks = [task.strip() for task in only.split(",") if task.strip()]
    found = run(data, only=tasks, select=rows, beside=beside, say=say)
    if html is not None:
        from likewise.report.reproduction import page

        with atomic_write(html, "w", encoding="utf-8") as file:
            file.write(page(found))
        say(f"report written to {html}")
    if json:
        put(json_module.dumps(found.to_json(), indent=1))
    else:
        _show(found)
    if found.failed:
        fail(f"{len(found.failed)} figures are further from the published ones than their tolerance")


def _show(found: "Reproduction") -> None:
    from likewise.evaluate.reproduce.run import summary

    put(f"{'row':36} {'published':>9} {'ours':>9} {'diff':>8}  status")
    absent: dict[str, int] = {}
    for result in found.results:
        if result.ours is None:
            if result.status == "missing":
                absent[result.remark] = absent.get(result.remark, 0) + 1
            continue
        put(
            f"{result.row.id:36} {result.row.expected:9.4f} {result.ours:9.4f} {result.difference:+8.4f}"
            f"  {result.status:8}" + (f" {result.remark}" if result.status != "agrees" else "")
        )
    for name, others in found.baselines.items():
        best = max(cell.iap for grid in found.grids[name].values() for cell in grid.values())
        figures = ", ".join(f"{one.measure} {one.iap:.4f}" for one in others)
        put(f"beside, IAP on {name}: best spectra c {best:.4f}, {figures}")
    for reason, count in absent.items():
        put(f"not computed: {count} rows, {reason}")
    put(", ".join(f"{count} {status}" for status, count in summary(found.results).items()))
