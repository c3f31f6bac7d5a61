"""Records of several fields: time, memory and right partners, against the same records as one text; and one to one.

    python -m benchmarks.fields [--sizes 12500,25000,50000] [--films 27615] [--write docs/results/fields.md]

People are made up from the place names of the benchmark data: five fields, 8 % nulls and a typing error in most values
on the right. Films have a title, which other films may have, too, and a cast, of which the right side knows a part.
Unrelated records are the worst case: nothing matches, and one field has seven values.
"""

import argparse
import itertools
import math

import numpy as np

import likewise as lw
from benchmarks.measuring import DATA, give_page, measure

FIELDS = ["first", "last", "city", "state", "zip"]
FIVE, ONE = "five fields, top 5", "one text, top 5"


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


def films(names: list[str], texts: list[str], size: int) -> tuple[list[dict], list[dict], np.ndarray]:
    """Return films of two sources, the second smaller by a sixth, four fifths of the first known to both."""
    chance = np.random.default_rng(3)
    words = [word for text in texts for word in text.split()]
    firsts, lasts = [name.split()[0] for name in names[:3000]], [name.split()[-1] for name in names[3000:20000]]
    actors = [f"{firsts[int(3000 * chance.random() ** 2)]} {chance.choice(lasts)}" for _ in range(30_000)]

    def cast(count: int) -> list[str]:
        return [actors[int(len(actors) * chance.random() ** 2.2)] for _ in range(count)]

    def title() -> str:
        return " ".join(words[int(chance.integers(len(words)))] for _ in range(1 + chance.binomial(5, 0.35)))

    made = [(title(), cast(1 + chance.binomial(5, 0.5))) for _ in range(size)]
    made = [(made[int(chance.integers(size))][0] if chance.random() < 0.12 else name, who) for name, who in made]
    left = [{"title": name, "starring": " ".join(who) if chance.random() < 0.93 else None} for name, who in made]
    order = chance.permutation(size)[: size * 5 // 6]
    right = []
    for place, row in enumerate(order):
        name, who = made[row] if place < 0.8 * size else (title(), cast(3))
        known = [one for one in who if chance.random() < 0.75] + cast(int(chance.random() < 0.4))
        name = misspelt(name, chance) if chance.random() < 0.3 else name
        right.append({"title": name, "starring": " ".join(known) or None})
    return left, right, order


def case(kind: str, size: int, arguments: dict):
    """Yield how many pairs were found, and which part of the left records got the right partner."""
    names = (DATA / "bench" / "names_200k.txt").read_text(encoding="utf-8").split("\n")[:-1]
    texts = (DATA / "bench" / "descs_50k.txt").read_text(encoding="utf-8").split("\n")[:-1]
    order = None
    if kind == "people":
        left, right, order = people(names, size)
    elif kind == "films":
        left, right, order = films(names, texts, size)
    else:
        left = [{"a": names[i], "b": names[100_000 + i], "s": str(i % 7)} for i in range(size)]
        right = [{"a": texts[i], "b": names[150_000 + i], "s": str(i * 3 % 7)} for i in range(size)]
    yield
    found = lw.match(left, right, **arguments)
    a, b = found.table["left"].to_numpy(), found.table["right"].to_numpy()
    share = None if order is None else len(np.unique(a[order[b] == a])) / len(left)
    yield {"pairs": len(a), "share": share, "notes": list(found.notes)}


def growth(seconds: dict[tuple[str, int], float]) -> list[str]:
    """Say how five fields compare with one text, and how the work grows."""
    sizes = sorted({size for label, size in seconds if label == FIVE})
    out = [
        f"- {size:,} records: five fields take {seconds[FIVE, size] / seconds[ONE, size]:.1f} times the CPU seconds "
        "of one text (goal: at most 3)"
        for size in sizes
    ]
    for less, more in itertools.pairwise(sizes):
        slope = math.log(seconds[FIVE, more] / seconds[FIVE, less]) / math.log(more / less)
        out.append(f"- five fields, {less:,} to {more:,} records: exponent {slope:.2f} (goal: at most 1.5)")
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="12500,25000,50000")
    parser.add_argument("--films", type=int, default=27_615)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--write", help="file for the table")
    given = parser.parse_args()
    out = [
        "# Records of several fields",
        f"\nMedian of {given.repeat}.\n",
        "| records | left | wall s | CPU s | peak MB | right partner |\n|---|---:|---:|---:|---:|---:|",
    ]
    cases: list[tuple[str, str, int, dict]] = []
    for size in map(int, given.sizes.split(",")):
        cases += [
            (FIVE, "people", size, {"on": FIELDS, "top": 5}),
            (ONE, "people", size, {"top": 5}),
            ("five fields, from 0.6", "people", size, {"on": FIELDS, "min_score": 0.6}),
            ("unrelated, three fields", "unrelated", min(size, 50_000), {"on": ["a", "b", "s"], "top": 1}),
        ]
    both = ["title", "starring"]
    cases.append(("two fields, one to one from 0.5", "films", given.films, {"on": both, "min_score": 0.5}))
    cases[-1][3]["one_to_one"] = True
    cases.append(("title, one to one from 0.5", "films", given.films, {**cases[-1][3], "on": "title"}))
    seconds: dict[tuple[str, int], float] = {}
    for label, kind, size, arguments in cases:
        found = measure(case, kind, size, arguments, name=label, repeat=given.repeat)
        share = "" if found.answer["share"] is None else f"{found.answer['share']:.3f}"
        out.append(f"| {label} | {size:,} | {found.wall:.1f} | {found.cpu:.1f} | {found.memory:.0f} | {share} |")
        print(out[-1], *found.answer["notes"], sep="\n", flush=True)
        seconds[label, size] = found.cpu
    out += ["", *growth(seconds)]
    give_page(out, given.write)


if __name__ == "__main__":
    main()
