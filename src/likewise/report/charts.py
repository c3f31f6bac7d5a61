"""Charts as stand-alone SVG of our own, for pages without network; PNG and PDF through matplotlib where it is there.

:func:`lines` draws curves, :func:`spans` the spectra chart (a horizontal bar from q to q at the height of its figure).
Colours come from CSS classes, so that a page can restyle them; the SVG alone has sensible ones.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from likewise.errors import FormatError, MissingExtraError, OptionError
from likewise.storage import atomic_path, atomic_write

COLOURS = ("#1b5e9b", "#c0392b", "#2e8b57", "#8e44ad", "#b9770e", "#34495e", "#d35400", "#16a085")
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "4 2", "1 2", "10 4", "3 3")


@dataclass(frozen=True, slots=True)
class Frame:
    """The plot area: size in pixels, ranges of both axes, and what they are called."""

    x: tuple[float, float]
    y: tuple[float, float]
    x_label: str
    y_label: str
    width: int = 640
    height: int = 400

    def __post_init__(self) -> None:
        for low, high in (self.x, self.y):
            if not high > low:
                raise OptionError(f"an axis must go upwards, not from {low} to {high}")

    def across(self, value: float) -> float:
        """Return the pixel of an x value."""
        return 74 + (value - self.x[0]) / (self.x[1] - self.x[0]) * (self.width - 94)

    def down(self, value: float) -> float:
        """Return the pixel of a y value."""
        return self.height - 50 - (value - self.y[0]) / (self.y[1] - self.y[0]) * (self.height - 70)


def lines(series: Mapping[str, Sequence[tuple[float, float]]], frame: Frame, title: str) -> str:
    """Return curves with a legend as SVG.

    >>> frame = Frame((0, 1), (0, 1), "recall", "precision")
    >>> lines({"a < b": [(0, 1), (1, 0.5)]}, frame, "Curve").count("polyline")
    1
    """
    body = []
    for place, (name, points) in enumerate(series.items()):
        colour, dash = COLOURS[place % len(COLOURS)], _DASHES[place % len(_DASHES)]
        path = " ".join(f"{frame.across(x):.1f},{frame.down(y):.1f}" for x, y in points)
        style = f'stroke="{colour}"' + (f' stroke-dasharray="{dash}"' if dash else "")
        body.append(f'<polyline class="s{place}" points="{path}" fill="none" stroke-width="2" {style}/>')
        y = 24 + 16 * place
        x = frame.width - 235
        body.append(f'<line x1="{x}" y1="{y}" x2="{x + 26}" y2="{y}" stroke-width="2" {style}/>')
        body.append(f'<text x="{x + 32}" y="{y + 4}" class="legend">{escape(name)}</text>')
    return _svg(frame, title, body)


def spans(bars: Mapping[tuple[int, int], float], frame: Frame, title: str) -> str:
    """Return the spectra chart: a bar per [start:end] at the height of its figure, a black square where start = end."""
    body = []
    for (start, end), value in bars.items():
        y = frame.down(value)
        label = escape(f"[{start}:{end}] {value:.4f}")
        if start == end:
            x = frame.across(start)
            body.append(f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"><title>{label}</title></rect>')
        else:
            colour = COLOURS[(start - 1) % len(COLOURS)]
            body.append(
                f'<line x1="{frame.across(start):.1f}" x2="{frame.across(end):.1f}" y1="{y:.1f}" y2="{y:.1f}"'
                f' stroke="{colour}" stroke-width="3" opacity="0.7"><title>{label}</title></line>'
            )
    return _svg(frame, title, body)


def _svg(frame: Frame, title: str, body: list[str]) -> str:
    left, right, top, bottom = 74, frame.width - 20, 20, frame.height - 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {frame.width} {frame.height}" role="img"'
        f' width="{frame.width}" height="{frame.height}" font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{frame.width}" height="{frame.height}" fill="#fff"/>',
    ]
    for x in _ticks(*frame.x):
        at = frame.across(x)
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{top}" y2="{bottom}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{at:.1f}" y="{bottom + 16}" text-anchor="middle">{x:g}</text>')
    for y in _ticks(*frame.y):
        at = frame.down(y)
        parts.append(f'<line x1="{left}" x2="{right}" y1="{at:.1f}" y2="{at:.1f}" stroke="#e4e4e4"/>')
        parts.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{y:g}</text>')
    middle, centre = (left + right) / 2, (top + bottom) / 2
    parts.append(f'<text x="{middle}" y="{frame.height - 14}" text-anchor="middle">{escape(frame.x_label)}</text>')
    parts.append(
        f'<text x="16" y="{centre}" text-anchor="middle" transform="rotate(-90 16 {centre})">'
        f"{escape(frame.y_label)}</text>"
    )
    parts += body
    parts.append(f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="#333"/>')
    parts.append("</svg>")
    return "\n".join(parts)


def _ticks(low: float, high: float) -> list[float]:
    """Return about five to ten round values from low to high."""
    step = next(
        base * 10.0**power
        for power in range(-6, 9)
        for base in (1.0, 2.0, 2.5, 5.0)
        if (high - low) / (base * 10.0**power) <= 10
    )
    first = -(-low // step)
    count = int((high - first * step) / step + 1e-9) + 1
    return [round((first + at) * step, 10) for at in range(count)]


def save_lines(
    path: str | os.PathLike[str], series: Mapping[str, Sequence[tuple[float, float]]], frame: Frame, title: str
) -> None:
    """Write curves to a file: ``.svg`` drawn here, ``.png`` or ``.pdf`` by matplotlib."""
    ending = Path(path).suffix.lower()
    if ending == ".svg":
        with atomic_write(path, "w", encoding="utf-8") as file:
            file.write(lines(series, frame, title))
        return
    if ending not in (".png", ".pdf"):
        raise FormatError(f"cannot draw to {os.fspath(path)!r}; the name must end in .svg, .png or .pdf")
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plot") from error
    figure = Figure(figsize=(frame.width / 100, frame.height / 100), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    for name, points in series.items():
        axes.plot([x for x, _ in points], [y for _, y in points], label=name)
    axes.set(xlim=frame.x, ylim=frame.y, xlabel=frame.x_label, ylabel=frame.y_label, title=title)
    axes.grid(color="0.9")
    if len(series) > 1:
        axes.legend()
    with atomic_path(path) as temporary:
        # No date inside: the same curve gives the same bytes.
        stamp = {"Software": None} if ending == ".png" else {"CreationDate": None}
        figure.savefig(temporary, format=ending[1:], metadata=stamp)


def save_growth(path: str | os.PathLike[str], name: str, points: Sequence[tuple[int, int]]) -> None:
    """Draw how many pairs mining finds in more and more characters of text."""
    shown = [(characters / 1e6, float(pairs)) for characters, pairs in points]
    frame = Frame((0.0, shown[-1][0] or 1.0), (0.0, max(1.0, *(y for _, y in shown))), "million characters", "pairs")
    save_lines(path, {name: [(0.0, 0.0), *shown]}, frame, "Pairs against input size")
