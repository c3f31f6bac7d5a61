"""The page of ``benchmarks.distributed``, from the measurements that are there."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.distributed import ASKED, MAKERS, PLACES, Part
from benchmarks.distributed_tasks import Costs, Strip, predicted

BYTES = 16  # of a name on disk
PRICE = 0.05  # of a core and its memory for an hour, as clouds sell them
HEAD = """# Beyond one machine

Written by `python -m benchmarks.distributed`, which says how names and documents were made. A machine with {cores}
cores; Spark is a master and workers with a core each, all on this machine; each measurement is a process of its own,
done once. Those with a load ran while other processes waited: they had the cores first, but not the caches to
themselves. Nobody has run what is called *predicted*.
"""
Lines = list[str]


def page(parts: Sequence[Part]) -> str:
    """Return the page."""
    every = [(part, found) for part in parts if (found := part.found()) is not None]
    there = [(part, one) for part, one in every if "stopped" not in one]
    fitted, said = _costs([(part, one["answer"]) for part, one in there if part.name == "tasks"])
    sections = [
        _overhead([(part.arguments, one) for part, one in there if part.name == "overhead"]),
        _tasks([(part, one) for part, one in there if part.name == "tasks"], said),
        _simulated(fitted),
        _check([(part.arguments, one["answer"]) for part, one in there if part.name == "check"], fitted),
        _memory([(part.arguments, one["answer"]) for part, one in there if part.name == "memory"]),
        _beside([(part, one) for part, one in there if part.name == "beside"]),
        _stopped([(part, one["stopped"]) for part, one in every if "stopped" in one]),
        _missing([part for part in parts if part.found() is None]),
    ]
    head = HEAD.format(cores=os.cpu_count())
    return "\n".join([head, *("\n".join([*lines, ""]) for lines in sections if lines)])


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


def _costs(found: Sequence[tuple[Part, Any]]) -> tuple[dict[str, Costs], dict[str, str]]:
    """Return for each question what its tasks cost, and a sentence on how well that fits."""
    fitted, said = {}, {}
    for title in ASKED:
        alone, together = (
            {part.arguments[0]: answer for part, answer in found if part.function == f"distributed_tasks.{function}"
             and part.arguments[1] == title}
            for function in ("tasks", "busy")
        )  # fmt: skip
        if not alone:
            continue
        strips = {size: [_strip(one) for one in answer["strips"]] for size, answer in alone.items()}
        slower = [
            _strip(one).seconds / strip.seconds
            for size, answer in together.items()
            for process in answer["strips"]
            for one, strip in zip(process, strips.get(size, ()), strict=False)
        ]
        begins = {size: float(answer["begin"]) for size, answer in alone.items()}
        costs = fitted[title] = Costs(strips, begins, float(np.median(slower or [1.0])))
        off = [abs(costs.at(size, size).seconds(one) / one.seconds - 1) for size in strips for one in strips[size]]
        most = costs.at(max(strips))
        said[title] = (
            f"{title}, for the largest: {most.record * 1e6:.2f} µs a record that is read and analysed, "
            f"{most.pair * 1e9:.3f} ns a pair; {costs.busy:.2f} times that where every core has a task. By the tasks "
            f"of other sizes, those of a size are off by {np.median(off):.0%} in the median of {len(off)}, by "
            f"{max(off):.0%} at most."
        )
    return fitted, said


def _strip(said: Sequence[Any]) -> Strip:
    return Strip(int(said[0]), int(said[1]), bool(said[2]), float(said[3]))


def _tasks(found: Sequence[tuple[Part, Any]], said: dict[str, str]) -> Lines:
    lines = [
        "## Tasks",
        "",
        "Seconds of one core for a strip of records that meets others; all names are combined ones.",
        "",
    ]
    lines += ["| names | asked for | records | meets | seconds | load |", "|---:|---|---:|---:|---:|---:|"]
    for part, one in found:
        size, title = part.arguments
        load = f"{one['load']:.0f}" if "load" in one else ""
        for left, right, _, seconds in one["answer"]["strips"] if part.function.endswith("tasks") else ():
            lines.append(f"| {size:,} | {title} | {left:,} | {right:,} | {seconds:.1f} | {load} |")
    return [*lines, "", *said.values()] if found else []


def _simulated(fitted: dict[str, Costs]) -> Lines:
    lines = [
        "## Predicted",
        "",
        "Executors of 4 cores. Read: what tasks read over the network, which is all that moves;",
    ]
    lines += [f"the pairs stay where they are found. Cost: at {PRICE} an hour of a core.", ""]
    lines += ["| names | asked for | executors | hours | core hours | cost | tasks | longest / median | read, GB |"]
    lines += ["|---:|---|---:|---:|---:|---:|---:|---:|---:|"]
    for count in (1_000_000, 10_000_000, 100_000_000, 1_000_000_000):
        for title, costs in fitted.items():
            for executors in (10, 100, 1000):
                took, tasks, shapes = predicted(costs.at(count), count, 4 * executors, "above" in title, costs.busy)
                read, cores = sum(shape.right for shape in shapes) * BYTES / 1e9, sum(tasks) / 3600
                cells = f"{took / 3600:,.2f} | {cores:,.1f} | {PRICE * cores:,.0f}"
                lines.append(
                    f"| {count:,} | {title} | {executors:,} | {cells} | "
                    f"{len(tasks):,} | {max(tasks) / float(np.median(tasks)):.2f} | {read:,.1f} |"
                )
    return lines if fitted else []


def _check(found: Sequence[tuple[Any, Any]], fitted: dict[str, Costs]) -> Lines:
    lines = [
        "## The schedule against a cluster",
        "",
        "Seconds of the stage that finds pairs. Predicted by tasks of other sizes.",
        "",
    ]
    lines += ["| names | asked for | workers | Spark | predicted | |", "|---:|---|---:|---:|---:|---:|"]
    for (count, title, workers), answer in found:
        if title in fitted:
            costs = fitted[title]
            busy = costs.busy if workers >= (os.cpu_count() or 1) else 1.0
            took = predicted(costs.at(count), count, workers, "above" in title, busy)[0]
            off = f"{took / answer['seconds'] - 1:+.0%}"
            lines.append(f"| {count:,} | {title} | {workers} | {answer['seconds']:.1f} | {took:.1f} | {off} |")
    return lines if len(lines) > 6 else []


def _memory(found: Sequence[tuple[Any, Any]]) -> Lines:
    lines = ["## Memory of a task", ""]
    lines += [
        "The most that a worker's Python process had, in MB, with 1,000 names and with all of the input, above 0.8.",
        "",
    ]
    lines += ["| input | given | tasks | 1,000 names | all | more |", "|---|---:|---:|---:|---:|---:|"]
    for (kind, size, asked), one in found:
        more = f"{one['few']:,.0f} | {one['most']:,.0f} | {one['most'] - one['few']:,.0f}"
        lines.append(f"| {MAKERS[kind][1].format(size)} | {asked} | {one['tasks']} | {more} |")
    return lines if found else []


WHO = {
    "exact": ("A loop in Python over the rarest grams", "Jaccard of 3-grams from 0.8 on"),
    "lsh_1": ("Spark's MinHashLSH, 1 table", "Jaccard of 3-grams from 0.8 on"),
    "lsh_5": ("Spark's MinHashLSH, 5 tables", "Jaccard of 3-grams from 0.8 on"),
    "likewise": ("Likewise on Spark", "spectra from 0.8 on"),
    "splink": ("splink on DuckDB, three blocking rules", "Jaro-Winkler from 0.92 on"),
}


def _beside(found: Sequence[tuple[Part, Any]]) -> Lines:
    lines = ["## Beside others", ""]
    lines += [
        "Different names. Recall: of the exact pairs of the same question; of splink, of the pairs of Likewise.",
        "",
    ]
    lines += ["| | names | question | seconds | pairs | recall |", "|---|---:|---|---:|---:|---:|"]
    for part, one in found:
        who, question = WHO[part.function.split(".")[1]]
        recall = f"{one['answer']['recall']:.1%}" if "recall" in one["answer"] else "not known"
        said = f"{one['wall']:.1f} | {one['answer']['pairs']:,} | {recall}"
        lines.append(f"| {who} | {part.arguments[0]:,} | {question} | {said} |")
    return lines if found else []


def _stopped(found: Sequence[tuple[Part, float]]) -> Lines:
    said = [f"- {_called(part)}: stopped after {limit:g} s, making the input included" for part, limit in found]
    return ["## Stopped", "", *said] if said else []


def _missing(parts: Sequence[Part]) -> Lines:
    return ["## Not run", "", *(f"- {_called(part)}" for part in parts)] if parts else []


def _called(part: Part) -> str:
    return f"{part.name}: {part.function.split('.')[1]} {' '.join(map(_word, part.arguments))}".strip()


def _word(argument: Any) -> str:
    return f"{argument:,}" if isinstance(argument, int) else "" if "/" in str(argument) else str(argument)
