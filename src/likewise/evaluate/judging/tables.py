"""The tables of the papers, filled from a study: Salton and Buckley (1990), tables 3 to 11; Paşca and Dienes
(2005), table 3."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from likewise.evaluate.judging.agreement import kappa, wilson
from likewise.evaluate.judging.study import Study


def verdicts(study: Study, judges: Sequence[str]) -> dict[int, str]:
    """Return one verdict for each judged item: of several judges the middle one, or the one most of them gave."""
    offered = list(study.scheme.verdicts.values())
    said: dict[int, list[str]] = {}
    for judge in judges:
        for item, verdict in study.verdicts(judge).items():
            said.setdefault(item, []).append(verdict)
    result = {}
    for item, given in said.items():
        places = sorted(offered.index(verdict) for verdict in given)
        if study.scheme.ordered:
            # Between two middle ones the worse counts.
            result[item] = offered[places[len(places) // 2]]
        else:
            most = Counter(places).most_common()
            result[item] = offered[min(place for place, times in most if times == most[0][1])]
    return result


def table(study: Study, judges: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the figures: for each stratum and column the hits of each total, with Wilson's interval; and kappa."""
    chosen = list(judges) if judges else study.judges()
    said = verdicts(study, chosen)
    items = study.items()
    columns = study.columns()
    strata = [*study.scheme.strata, "Total"]
    rows: dict[str, tuple[str, ...]] = dict(study.scheme.totals)
    if study.scheme.name == "paraphrases":
        rows = {}
        for total, members in study.scheme.totals.items():
            rows.update({member: (member,) for member in members})
            rows[total] = members
    cells: dict[str, dict[str, dict[str, Any]]] = {}
    for stratum in strata:
        for column in columns:
            here = [
                said[number]
                for number, item in items.items()
                if number in said and item.column == column and stratum in (item.stratum, "Total")
            ]
            for name, members in rows.items():
                hits = sum(verdict in members for verdict in here)
                low, high = wilson(hits, len(here))
                cells.setdefault(stratum, {}).setdefault(column, {})[name] = {
                    "hits": hits,
                    "of": len(here),
                    "low": round(low, 3),
                    "high": round(high, 3),
                }
    agreement = []
    for a, b in combinations(chosen, 2):
        value, count = kappa(study.verdicts(a), study.verdicts(b))
        agreement.append({"judges": [a, b], "kappa": value, "items": count})
    return {
        "scheme": study.scheme.name,
        "judges": chosen,
        "judged": len(said),
        "items": len(items),
        "columns": columns,
        "strata": cells,
        "agreement": agreement,
    }


def format_table(figures: dict[str, Any]) -> str:
    """Return the figures as text in the form of the papers' tables."""
    shown = _paraphrases(figures) if figures["scheme"] == "paraphrases" else _links(figures)
    lines = [
        *shown,
        "",
        f"{figures['judged']} of {figures['items']} pairs judged by {', '.join(figures['judges']) or 'nobody'}",
    ]
    for entry in figures["agreement"]:
        value = "not defined" if entry["kappa"] is None else f"{entry['kappa']:.2f}"
        lines.append(f"kappa of {' and '.join(entry['judges'])}: {value} over {entry['items']} pairs")
    return "\n".join(lines)


def _links(figures: dict[str, Any]) -> list[str]:
    columns = figures["columns"]
    lines = [f"{'':28}" + "".join(f"{column:>26}" for column in columns)]
    for stratum, cells in figures["strata"].items():
        lines.append(stratum)
        names: list[str] = list(next(iter(cells.values()), {}))
        lines += [f"  {name:26}" + "".join(f"{_cell(cells[c][name]):>26}" for c in columns) for name in names]
    return lines


def _cell(cell: dict[str, Any]) -> str:
    if not cell["of"]:
        return "-"
    share = 100 * cell["hits"] / cell["of"]
    return f"{cell['hits']}/{cell['of']} ({share:.0f}%) {100 * cell['low']:.0f}-{100 * cell['high']:.0f}"


def _paraphrases(figures: dict[str, Any]) -> list[str]:
    columns = figures["columns"]
    strata = [name for name in figures["strata"] if name != "Total"]
    lines = [
        f"{'':46}" + "".join(f"{column:^{8 * len(strata)}}" for column in columns),
        f"{'Classification of pairs':46}" + "".join(f"{name:>8}" for _ in columns for name in strata),
    ]
    first = figures["strata"][strata[0]]
    lines.append(f"{'':46}" + "".join(f"{_any(figures, s, c)['of']:>8}" for c in columns for s in strata))
    for name in next(iter(first.values()), {}):
        hits = [figures["strata"][stratum][column][name]["hits"] for column in columns for stratum in strata]
        lines.append(f"{name:46}" + "".join(f"{value:>8}" for value in hits))
    return lines


def _any(figures: dict[str, Any], stratum: str, column: str) -> dict[str, Any]:
    cell: dict[str, Any] = next(iter(figures["strata"][stratum][column].values()))
    return cell
