"""The page of ``benchmarks.distributed``, from the measurements that are there."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.distributed import ASKED, MAKERS, PLACES, Part
from benchmarks.distributed_peers import kept
from benchmarks.distributed_tasks import Cost, Strip, predicted

BYTES = 16  # of a name on disk
PRICE = 0.05  # of a core and its memory for an hour, as clouds sell them
HEAD = """# Beyond one machine

Written by `python -m benchmarks.distributed`, which says how names and documents were made. A machine with {cores}
cores; Spark is a master and workers with a core each, all on this machine; each measurement is a process of its own,
done once. Nobody has run what is called *predicted*.
"""
Lines = list[str]


def page(parts: Sequence[Part]) -> str:
    """Return the page."""
    there = [(part, found) for part in parts if (found := part.found()) is not None]
    fitted, said = _costs([(part, one["answer"]) for part, one in there if part.name == "tasks"])
    sections = [
        _overhead([(part.arguments, one) for part, one in there if part.name == "overhead"]),
        _tasks([(part, one["answer"]) for part, one in there if part.name == "tasks"], said),
        _simulated(fitted),
        _check([(part.arguments, one["answer"]) for part, one in there if part.name == "check"], fitted),
        _beside([(part, one) for part, one in there if part.name == "beside"]),
        _missing([part for part in parts if part.found() is None]),
    ]
    return "\n".join([HEAD.format(cores=os.cpu_count()), *("\n".join([*lines, ""]) for lines in sections if lines)])


def _overhead(found: Sequence[tuple[Any, Any]]) -> Lines:
    lines = ["## Overhead", "", "Seconds from a Parquet file to the pairs; memory 2 GB.", ""]
    lines += [f"| input | asked for | pairs | {' | '.join(PLACES.values())} | longest / median task | memory, MB |"]
    lines += ["|---|---|---:|---:|---:|---:|---:|---:|"]
    for case in dict.fromkeys(arguments[:3] for arguments, _ in found):
        places = {arguments[3]: one for arguments, one in found if arguments[:3] == case}
        here = places.get("memory")
        cells = []
        for place in PLACES:
            one = places.get(place)
            ratio = f" ({one['wall'] / here['wall']:.2f}x)" if one and here and one is not here else ""
            cells.append(f"{one['wall']:.1f}{ratio}" if one else "not run")
        pairs = {one["answer"]["pairs"] for one in places.values()}
        tasks = places["cluster"]["answer"]["tasks"] if "cluster" in places else []
        skew = f"{max(tasks) / np.median(tasks):.2f} of {len(tasks)}" if tasks else ""
        memory = ", ".join(f"{places[place]['memory']:,.0f}" for place in PLACES if place in places)
        kind, size, title = case
        shown = " and ".join(f"{count:,}" for count in sorted(pairs)) + (" DIFFER" if len(pairs) > 1 else "")
        lines.append(
            f"| {MAKERS[kind][1].format(size)} | {title} | {shown} | {' | '.join(cells)} | {skew} | {memory} |"
        )
    return [*lines, "", "Memory is of the process that asked, which on Spark is the driver."] if found else []


def _costs(found: Sequence[tuple[Part, Any]]) -> tuple[dict[str, Cost], dict[str, str]]:
    """Return for each question what its tasks cost, and a sentence on how well that fits."""
    fitted, said = {}, {}
    for title in ASKED:
        answers = [answer for part, answer in found if part.arguments[1] == title]
        strips = [
            Strip(int(one[0]), int(one[1]), bool(one[2]), one[3]) for answer in answers for one in answer["strips"]
        ]
        if not strips:
            continue
        cost = Cost.of(strips, float(np.mean([answer["begin"] for answer in answers])))
        off = [abs(cost.seconds(one) / one.seconds - 1) for one in strips]
        fitted[title] = cost
        said[title] = (
            f"{title}: {cost.record * 1e6:.2f} µs a record that is read and analysed, {cost.pair * 1e9:.3f} ns a pair; "
            f"the fit is off by {np.median(off):.0%} in the median of {len(strips)} tasks, by {max(off):.0%} at most."
        )
    return fitted, said


def _tasks(found: Sequence[tuple[Part, Any]], said: dict[str, str]) -> Lines:
    lines = ["## Tasks", "", "Seconds of one core for a strip of records that meets others.", ""]
    lines += ["| names | asked for | records | meets | seconds |", "|---:|---|---:|---:|---:|"]
    for part, answer in found:
        for left, right, _, seconds in answer["strips"]:
            lines.append(f"| {part.arguments[0]:,} | {part.arguments[1]} | {left:,} | {right:,} | {seconds:.1f} |")
    return [*lines, "", *said.values()] if found else []


def _simulated(fitted: dict[str, Cost]) -> Lines:
    lines = [
        "## Predicted",
        "",
        "Executors of 4 cores. Read: what tasks read over the network, which is all that moves;",
    ]
    lines += [f"the pairs stay where they are found. Cost: at {PRICE} an hour of a core.", ""]
    lines += ["| names | asked for | executors | hours | core hours | cost | tasks | longest / median | read, GB |"]
    lines += ["|---:|---|---:|---:|---:|---:|---:|---:|---:|"]
    for count in (1_000_000, 10_000_000, 100_000_000, 1_000_000_000):
        for title, cost in fitted.items():
            for executors in (10, 100, 1000):
                took, tasks, shapes = predicted(cost, count, 4 * executors, "above" in title)
                read, cores = sum(shape.right for shape in shapes) * BYTES / 1e9, sum(tasks) / 3600
                cells = f"{took / 3600:,.2f} | {cores:,.1f} | {PRICE * cores:,.0f}"
                lines.append(
                    f"| {count:,} | {title} | {executors:,} | {cells} | "
                    f"{len(tasks):,} | {max(tasks) / float(np.median(tasks)):.2f} | {read:,.1f} |"
                )
    return lines if fitted else []


def _check(found: Sequence[tuple[Any, Any]], fitted: dict[str, Cost]) -> Lines:
    lines = ["## The schedule against a cluster", "", "Seconds of the stage that finds pairs.", ""]
    lines += ["| names | asked for | workers | Spark | predicted | |", "|---:|---|---:|---:|---:|---:|"]
    for (count, title, workers), answer in found:
        if title in fitted:
            took = predicted(fitted[title], count, workers, "above" in title)[0]
            off = f"{took / answer['seconds'] - 1:+.0%}"
            lines.append(f"| {count:,} | {title} | {workers} | {answer['seconds']:.1f} | {took:.1f} | {off} |")
    return lines if len(lines) > 6 else []


WHO = {
    "exact": ("A loop in Python over the rarest grams", "Jaccard of 3-grams from 0.8 on", "exact"),
    "lsh_1": ("Spark's MinHashLSH, 1 table", "Jaccard of 3-grams from 0.8 on", "exact"),
    "lsh_5": ("Spark's MinHashLSH, 5 tables", "Jaccard of 3-grams from 0.8 on", "exact"),
    "likewise": ("Likewise on Spark", "spectra from 0.8 on", "likewise"),
    "splink": ("splink on DuckDB, three blocking rules", "Jaro-Winkler from 0.92 on", "likewise"),
}


def _beside(found: Sequence[tuple[Part, Any]]) -> Lines:
    lines = ["## Beside others", ""]
    lines += [
        "Different names. Recall: of the exact pairs of the same question; of splink, of the pairs of Likewise.",
        "",
    ]
    lines += ["| | names | question | seconds | pairs | recall |", "|---|---:|---|---:|---:|---:|"]
    for part, one in found:
        who, question, whole = WHO[part.function.split(".")[1]]
        count, folder = part.arguments
        paths = [kept(folder, peer, count) for peer in (part.function.split(".")[1], whole)]
        recall = "not known"
        if all(path.exists() for path in paths):
            mine, every = ({tuple(row) for row in np.load(path).tolist()} for path in paths)
            recall = f"{len(mine & every) / max(1, len(every)):.1%}"
        lines.append(f"| {who} | {count:,} | {question} | {one['wall']:.1f} | {one['answer']['pairs']:,} | {recall} |")
    return lines if found else []


def _missing(parts: Sequence[Part]) -> Lines:
    said = [
        f"- {part.name}: {part.function.split('.')[1]} {' '.join(_word(one) for one in part.arguments)}"
        for part in parts
    ]
    return ["## Not run", "", *said] if said else []


def _word(argument: Any) -> str:
    return f"{argument:,}" if isinstance(argument, int) else "" if "/" in str(argument) else str(argument)
