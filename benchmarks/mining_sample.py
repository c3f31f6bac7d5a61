"""Blind samples of mined pairs for judging as table 3 of Paşca and Dienes (2005), and the judges' table.

    python -m benchmarks.mining_yield DATA --keep TABLES
    python -m benchmarks.mining_sample draw TABLES STUDY [--size 100] [--seed 20050]
    python -m benchmarks.mining_sample table STUDY judged.csv [more.csv]

``draw`` takes the top, middle and bottom of each list below and writes ``STUDY/pairs.csv`` (id, phrase, paraphrase,
contexts; all lists in one random order, each pair once, nothing of its rank) and ``STUDY/key.json`` (which lists
and strata an id belongs to). ``table`` reads id,class files of the judges (class 1 to 11) and prints Markdown; ids
judged in two files count by the first, and how often the two agree is said.

Most pairs tie: 6,170 of 16,694 have support 5. The tables order ties by alphabet, which would make the
middle 100 nothing but pairs of "area"; so ties are put in random order here, by the same seed.
"""

import argparse
import csv
import json
import random
import sys
from collections import Counter
from pathlib import Path

from likewise.evaluate.judging.schemes import PARAPHRASES
from likewise.results.paraphrases import Paraphrases

# name -> table of benchmarks/mining_yield.py, and what ranks it. Relative anchors yield no pair on 48 MB.
LISTS = {
    "ngram by support": ("ngram-2-5", "support"),
    "ngram by probability": ("ngram-2-5", "probability"),
    "entity by support": ("entity-1-3", "support"),
    "entity by probability": ("entity-1-3", "probability"),
}
STRATA = ("top", "mid", "low")
CLASSES = list(PARAPHRASES.verdicts.values())
# Paşca and Dienes (2005), table 3: top, mid and low of Ngram-Only and Ngram-Entity, by class.
PAPER = {
    "paper, Ngram-Only": [(1, 5, 11), (0, 5, 0), (4, 0, 0), (0, 1, 4), (8, 1, 10), (16, 8, 21), (63, 29, 19), (0, 0, 3),
                       (0, 3, 2), (6, 0, 2), (2, 48, 28)],
    "paper, Ngram-Entity": [(12, 6, 20), (27, 2, 11), (3, 0, 1), (10, 35, 8), (9, 10, 20), (5, 32, 14), (32, 8, 15),
                         (0, 0, 0), (0, 0, 1), (0, 1, 4), (2, 6, 6)],
}  # fmt: skip


def strata(pairs, by, size, seed):
    """Return top, middle and bottom of pairs ranked by a column, ties in random order."""
    drawn = sorted(pairs, key=lambda pair: pair.rank)
    random.Random(seed).shuffle(drawn)
    drawn.sort(key=lambda pair: -getattr(pair, by))
    size = min(size, len(drawn) // 3)
    middle = (len(drawn) - size) // 2
    return {"top": drawn[:size], "mid": drawn[middle : middle + size], "low": drawn[len(drawn) - size :]}


def shown(sample):
    """An anchor as a judge reads it: the names around it, if the anchor has any, the constant words, the gap."""
    before, _, after = sample["attached"].partition("\t")
    words = [f"{before} …" if before else "", sample["left"], "___", sample["right"], f"… {after}" if after else ""]
    return " ".join(word for word in words if word)


def draw(tables: Path, study: Path, size: int, seed: int) -> None:
    key, contexts = {}, {}
    for name, (table, by) in LISTS.items():
        for stratum, pairs in strata(list(Paraphrases.read(tables / f"{table}.parquet")), by, size, seed).items():
            for pair in pairs:
                sides = (pair.phrase, pair.paraphrase)
                key.setdefault(sides, []).append([name, stratum])
                contexts.setdefault(sides, [shown(sample) for sample in pair.samples[:3]])
    order = sorted(key)
    random.Random(seed).shuffle(order)
    study.mkdir(parents=True, exist_ok=True)
    with open(study / "pairs.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "phrase", "paraphrase", "contexts"])
        for number, sides in enumerate(order, start=1):
            writer.writerow([number, *sides, " | ".join(contexts[sides])])
    (study / "key.json").write_text(
        json.dumps({str(n): key[sides] for n, sides in enumerate(order, start=1)}, indent=0)
    )
    print(f"{len(order)} distinct pairs of {sum(map(len, key.values()))} places")


def judged(paths) -> dict[str, int]:
    """Read the judges' files; of an id judged twice the first verdict counts, the agreement is printed."""
    found: dict[str, int] = {}
    twice = []
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                verdict = int(row["class"])
                if not 1 <= verdict <= len(CLASSES):
                    sys.exit(f"{path}: class of {row['id']} is {verdict}, not 1 to {len(CLASSES)}")
                if row["id"] in found:
                    twice.append((found[row["id"]], verdict))
                found.setdefault(row["id"], verdict)
    if twice:
        group = [sum(v > edge for edge in (6, 9)) for pair in twice for v in pair]
        same, grouped = sum(a == b for a, b in twice), sum(a == b for a, b in zip(group[::2], group[1::2], strict=True))
        print(f"{len(twice)} judged twice: same class {same / len(twice):.0%}, same group {grouped / len(twice):.0%}\n")
    return found


def table(study: Path, paths) -> None:
    key, verdicts = json.loads((study / "key.json").read_text()), judged(paths)
    counts = {name: {stratum: Counter() for stratum in STRATA} for name in LISTS}
    for number, places in key.items():
        for name, stratum in places:
            counts[name][stratum][verdicts.get(number, 0)] += 1
    ours = {
        name: [tuple(counts[name][s][number] for s in STRATA) for number in range(1, len(CLASSES) + 1)]
        for name in LISTS
    }
    columns = ours | PAPER
    missing = sum(number not in verdicts for number in key)
    if missing:
        print(f"{missing} of {len(key)} pairs are not judged yet\n")
    print("| top / mid / low 100 | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    totals = {max(CLASSES.index(name) for name in names): (title, names) for title, names in PARAPHRASES.totals.items()}
    for number, name in enumerate(CLASSES):
        print(f"| {name} | " + " | ".join(" / ".join(map(str, rows[number])) for rows in columns.values()) + " |")
        if number in totals:
            title, names = totals[number]
            sums = ([sum(rows[CLASSES.index(n)][s] for n in names) for s in range(3)] for rows in columns.values())
            print(f"| **{title}** | " + " | ".join(f"**{' / '.join(map(str, row))}**" for row in sums) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    drawing = verbs.add_parser("draw")
    drawing.add_argument("tables", type=Path)
    drawing.add_argument("study", type=Path)
    drawing.add_argument("--size", type=int, default=100)
    drawing.add_argument("--seed", type=int, default=20050)
    showing = verbs.add_parser("table")
    showing.add_argument("study", type=Path)
    showing.add_argument("judged", type=Path, nargs="+")
    options = parser.parse_args()
    if options.verb == "draw":
        draw(options.tables, options.study, options.size, options.seed)
    else:
        table(options.study, options.judged)


if __name__ == "__main__":
    main()
