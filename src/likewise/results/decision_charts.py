"""Charts of a decision as SVG without any script: probabilities, what fields weigh, curves, the waterfall of a pair.

Each takes plain numbers; :mod:`.decisions` and :mod:`.decision_report` say which.
"""

from collections.abc import Sequence
from html import escape

_WIDTH, _HEIGHT = 560, 240
_LEFT, _BOTTOM, _TOP = 56, 200, 24
_FOR, _AGAINST, _INK, _PALE = "#1b5e9b", "#c0392b", "#333", "#9cc3e6"
_ROW = 20


def bars(heights: Sequence[float], title: str, across: str, mark: float | None = None) -> str:
    """Return a histogram over 0 to 1; ``mark`` draws an upright line. Heights are shown by their square root.

    >>> bars([4, 0, 1], "Probabilities", "probability", 0.5).count("<rect")
    3
    """
    high = max([*heights, 1]) ** 0.5
    step = (_WIDTH - _LEFT - 16) / max(1, len(heights))
    body = []
    for place, count in enumerate(heights):
        tall = (_BOTTOM - _TOP) * count**0.5 / high
        body.append(
            f'<rect x="{_LEFT + place * step + 1:.1f}" y="{_BOTTOM - tall:.1f}" width="{step - 2:.1f}" '
            f'height="{tall:.1f}" fill="{_PALE}"><title>{count:g}</title></rect>'
        )
    if mark is not None:
        at = _LEFT + min(1.0, max(0.0, mark)) * (_WIDTH - _LEFT - 16)
        body.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{_TOP}" y2="{_BOTTOM}" stroke="{_AGAINST}"/>')
        body.append(f'<text x="{at + 4:.1f}" y="{_TOP + 10}" fill="{_AGAINST}">given from {mark:.2f}</text>')
    return _frame(title, across, [*body, *_scale()])


def curves(lines: dict[str, Sequence[tuple[float, float]]], title: str, across: str) -> str:
    """Return curves over 0 to 1 on both axes, with their names.

    >>> curves({"recall": [(0, 1), (1, 0.5)]}, "Thresholds", "threshold").count("<polyline")
    1
    """
    colours = (_FOR, _AGAINST, "#2e8b57", "#8e44ad")
    body = []
    for place, (name, points) in enumerate(lines.items()):
        colour = colours[place % len(colours)]
        path = " ".join(
            f"{_LEFT + x * (_WIDTH - _LEFT - 16):.1f},{_BOTTOM - y * (_BOTTOM - _TOP):.1f}" for x, y in points
        )
        body.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body.append(f'<text x="{_LEFT + 10 + 130 * place}" y="14" fill="{colour}">{escape(name)}</text>')
    sides = [
        f'<text x="{_LEFT - 6}" y="{_BOTTOM - y * (_BOTTOM - _TOP) + 4:.1f}" text-anchor="end">{y:g}</text>'
        for y in (0, 0.5, 1)
    ]
    return _frame(title, across, [*body, *sides, *_scale()])


def weights(rows: Sequence[tuple[str, float, float]], title: str) -> str:
    """Return for each field what it says of pairs that are the same (blue) and of the others (red), in log odds.

    >>> "model" in weights([("model", 6.1, -1.2)], "What fields weigh")
    True
    """
    most = max([abs(value) for row in rows for value in row[1:]] + [1.0])
    first, last = 118, _WIDTH - 94  # between the names and the figures, -12.3 / -12.3 at most
    middle, scale = (first + last) / 2, (last - first) / 2 / most
    body = []
    for place, (name, same, other) in enumerate(rows):
        y = 30 + place * _ROW
        body.append(f'<text x="110" y="{y + 10}" text-anchor="end">{escape(name[:18])}</text>')
        for value, colour, down in ((same, _FOR, 0), (other, _AGAINST, 7)):
            body.append(_bar(middle, y + down, value, scale, 6, colour))
        body.append(f'<text x="{_WIDTH - 4}" y="{y + 10}" text-anchor="end">{same:+.1f} / {other:+.1f}</text>')
    height = 40 + len(rows) * _ROW
    body.append(f'<line x1="{middle}" x2="{middle}" y1="24" y2="{height - 8}" stroke="{_INK}"/>')
    return _svg(title, height, body)


def waterfall(steps: Sequence[tuple[str, float]], title: str) -> str:
    """Return how the log odds of a pair add up, from what they are before any evidence to what they are at the end.

    >>> waterfall([("before", -3.0), ("name", 5.0)], "a and b").count("<rect")
    3
    """
    ends, total = [], 0.0
    for _, value in steps:
        ends.append((total, total + value))
        total += value
    low, high = min(0.0, *(min(end) for end in ends)), max(0.0, *(max(end) for end in ends))
    scale = (_WIDTH - 200) / max(high - low, 1e-9)
    body = []
    for place, ((name, value), (start, _)) in enumerate(
        zip([*steps, ("together", total)], [*ends, (0.0, total)], strict=True)
    ):
        y = 26 + place * _ROW
        colour = _INK if name == "together" else _FOR if value >= 0 else _AGAINST
        body.append(f'<text x="110" y="{y + 10}" text-anchor="end">{escape(name[:18])}</text>')
        body.append(_bar(118 + (start - low) * scale, y, value, scale, 12, colour))
        body.append(f'<text x="{_WIDTH - 4}" y="{y + 10}" text-anchor="end">{value:+.1f}</text>')
    return _svg(title, 36 + (len(steps) + 1) * _ROW, body)


def _bar(start: float, y: float, value: float, scale: float, thick: int, colour: str) -> str:
    left, wide = start + min(0.0, value) * scale, abs(value) * scale
    return f'<rect x="{left:.1f}" y="{y}" width="{wide:.1f}" height="{thick}" fill="{colour}"/>'


def _scale() -> list[str]:
    wide = _WIDTH - _LEFT - 16
    ticks = [
        f'<text x="{_LEFT + x * wide:.1f}" y="{_BOTTOM + 14}" text-anchor="middle">{x:g}</text>'
        for x in (0, 0.25, 0.5, 0.75, 1)
    ]
    return [*ticks, f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{_WIDTH - 16}" fill="none" stroke="{_INK}"/>']


def _frame(title: str, across: str, body: list[str]) -> str:
    label = f'<text x="{(_LEFT + _WIDTH) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>'
    return _svg(title, _HEIGHT, [*body, label])


def _svg(title: str, height: int, body: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'role="img" font-family="system-ui, sans-serif" font-size="11" fill="{_INK}">'
        f"<title>{escape(title)}</title>{''.join(body)}</svg>"
    )
