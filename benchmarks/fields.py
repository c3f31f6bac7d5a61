"""Records of several fields: time, memory and right partners, against the same records as one text.

    python benchmarks/fields.py DATA [--sizes 8000,32000]

People are made up from the given place names: five fields, 8 % nulls and a typing error in most values on the right.
The last rows are the worst case: nothing matches, and one field has seven values.
"""

import argparse
import resource
import time
from pathlib import Path

import numpy as np

import likewise as lw

FIELDS = ["first", "last", "city", "state", "zip"]


def misspelt(text: str, chance: np.random.Generator) -> str:
    if len(text) < 4 or chance.random() < 0.3:
        return text
    at, kind = int(chance.integers(0, len(text) - 1)), chance.random()
    if kind < 0.4:
        return text[:at] + text[at + 1 :]
    if kind < 0.7:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text[:at] + chr(97 + int(chance.integers(26))) + text[at + 1 :]


def people(names: list[str], size: int) -> tuple[list[dict], list[dict], np.ndarray]:
    chance = np.random.default_rng(1)
    pools = [names[:3000], names[3000:40000], names[40000:42000], ["nsw", "vic", "qld", "wa", "sa", "tas", "nt", "act"]]

    def pick(pool: list[str], even: bool = False) -> str:
        return pool[int(len(pool) * chance.random() ** (1 if even else 2))]

    left = []
    for _ in range(size):
        values = [pick(pools[0]), pick(pools[1], even=True), pick(pools[2]), pick(pools[3])]
        left.append(dict(zip(FIELDS, [*values, str(chance.integers(1000, 9999))], strict=True)))
    order = chance.permutation(size)
    right = [
        {
            name: None if chance.random() < 0.08 else value if name == "state" else misspelt(value, chance)
            for name, value in left[row].items()
        }
        for row in order
    ]
    return left, right, order


def report(label: str, left: list[dict], right: list[dict], order: np.ndarray | None, **arguments) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    found = lw.match(left, right, **arguments)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    share = ""
    if order is not None:
        partner = order[found.table["right"].to_numpy()] == found.table["left"].to_numpy()
        share = f"{partner.sum() / len(left):.3f}"
    print(f"| {label} | {len(left):,} | {wall:.1f} | {cpu:.1f} | {memory} | {share} |", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--sizes", default="8000,32000")
    given = arguments.parse_args()
    names = (given.data / "bench" / "names_200k.txt").read_text(encoding="utf-8").split("\n")[:-1]
    texts = (given.data / "bench" / "descs_50k.txt").read_text(encoding="utf-8").split("\n")[:-1]
    print("| records | each side | wall s | CPU s | peak MB | right partner |\n|---|---|---|---|---|---|")
    for size in map(int, given.sizes.split(",")):
        left, right, order = people(names, size)
        report("five fields", left, right, order, on=FIELDS)
        report("five fields, from 0.6", left, right, order, on=FIELDS, min_score=0.6)
        report("one text", left, right, order)
        strange = [{"a": names[i], "b": names[100_000 + i], "s": str(i % 7)} for i in range(size)]
        others = [{"a": texts[i], "b": names[150_000 + i], "s": str(i * 3 % 7)} for i in range(size)]
        report("unrelated, three fields", strange, others, None, on=["a", "b", "s"])


if __name__ == "__main__":
    main()
