"""Explanations for the terminal: both texts with what matches highlighted, and the contributions as a table."""

from typing import TYPE_CHECKING

from likewise.measure import Explanation
from likewise.said import printable

if TYPE_CHECKING:
    from rich.console import Console


def show(explanation: Explanation, console: "Console", rows: int = 20) -> None:
    """Print both texts with matches highlighted (colour on a terminal, brackets elsewhere) and what adds up."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    for side, text, spans in (
        ("left ", explanation.left, explanation.left_spans),
        ("right", explanation.right, explanation.right_spans),
    ):
        line, at = Text(f"{side}  "), 0
        for span in spans:
            line.append(printable(text[at : span.start]))
            found = printable(span.of(text))
            line.append(*(found, "bold green") if console.is_terminal else (f"[{found}]",))
            at = span.end
        console.print(line.append(printable(text[at:])))
    if not explanation.contributions:
        console.print("\nThe texts share nothing that counts.")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("left")
    table.add_column("right")
    table.add_column("adds", justify="right")
    table.add_column("by")
    for part in explanation.contributions[:rows]:
        finer = " ".join(piece.left for piece in part.parts[:12]) + (" …" if len(part.parts) > 12 else "")
        left, right, by = (Text(printable(said, lines=False)) for said in (part.left, part.right, finer or part.kind))
        table.add_row(left, right, f"{part.value:.4f}", by)
    rest = explanation.contributions[rows:]
    if rest:
        table.add_row("", "", f"{sum(part.value for part in rest):.4f}", f"{len(rest)} more")
    table.add_row("", "", f"{explanation.total:.4f}", "together", style="bold")
    console.print(table)
