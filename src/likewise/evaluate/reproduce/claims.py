"""The summary claims of Jimenez and Gelbukh (2012, section 6.1.5), computed from the grids of the sets at hand."""

from likewise.evaluate.gold.collections import ER_FILES, IR_NAMES
from likewise.evaluate.reproduce.grid import Grid
from likewise.evaluate.reproduce.published import Published


def claim(row: Published, grids: dict[str, Grid]) -> tuple[float, str] | None:
    """Return the value of a claim and a remark, or None where its data is absent."""
    if row.set == "adi":
        return _adi(row, grids["adi"]) if "adi" in grids else None
    names = [*(ER_FILES if "er" in row.task.split(",") else ()), *(IR_NAMES if "ir" in row.task.split(",") else ())]
    known = [name for name in names if name in grids]
    if not known:
        return None
    gains = {name: _gain(grids[name]) for name in known}
    remark = f"over the {len(known)} sets at hand: " + ", ".join(f"{name} {gain:+.2%}" for name, gain in gains.items())
    if row.metric == "gain-over-single-q":
        return sum(gains.values()) / len(gains), remark
    wider = sum(gain > 1e-9 for gain in gains.values())
    return wider / len(gains), f"{wider} of the {len(known)} sets at hand"


def _gain(grid: Grid) -> float:
    """Return how much the best spectrum is above the best single q, whatever the padding."""
    cells = [(spectrum, cell.iap10) for one in grid.values() for spectrum, cell in one.items()]
    best = max(value for _, value in cells)
    single = max(value for (start, end), value in cells if start == end)
    return best / single - 1.0 if single else 0.0


def _adi(row: Published, grid: Grid) -> tuple[float, str]:
    cells = {spectrum: cell.iap10 for spectrum, cell in grid[row.padding].items()}
    singles = {q: cells[q, q] for q in range(1, 11)}
    if row.metric == "best-single-q":
        return float(max(singles, key=lambda q: singles[q])), ", ".join(f"{q}: {v:.4f}" for q, v in singles.items())
    start, end = (int(part) for part in row.q.split(":"))
    inside = max(singles[q] for q in range(start, end + 1))
    return float(cells[start, end] > inside), f"{cells[start, end]:.4f} against {inside:.4f}"
