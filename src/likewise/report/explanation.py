"""Explanations for the terminal: both texts with what matches highlighted, and the contributions as a table."""

from typing import TYPE_CHECKING

from likewise.measure import Explanation
from likewise.read.document import Span

if TYPE_CHECKING:
    from rich.console import Console


def highlight(text: str, spans: tuple[Span, ...], opening: str = "[", closing: str = "]") -> str:
    """Return the text with marks around the spans, which are disjoint and in order.

    >>> highlight("soft texts", (Span(0, 4),))
    '[soft] texts'
    """
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], opening, span.of(text), closing]
        at = span.end
    return "".join([*parts, text[at:]])


def show(explanation: Explanation, console: "Console", rows: int = 20) -> None:
    """Print both texts with matches highlighted (colour on a terminal, brackets elsewhere) and what adds up."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    for side, text, spans in (
        ("left ", explanation.left, explanation.left_spans),
        ("right", explanation.right, explanation.right_spans),
    ):
        if console.is_terminal:
            line = Text(text)
            for span in spans:
                line.stylize("bold green", span.start, span.end)
        else:
            line = Text(highlight(text, spans))
        console.print(Text(f"{side}  ").append_text(line))
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
        table.add_row(Text(part.left), Text(part.right), f"{part.value:.4f}", Text(finer or part.kind))
    rest = explanation.contributions[rows:]
    if rest:
        table.add_row("", "", f"{sum(part.value for part in rest):.4f}", f"{len(rest)} more")
    table.add_row("", "", f"{explanation.total:.4f}", "together", style="bold")
    console.print(table)
