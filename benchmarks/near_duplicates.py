"""Near-duplicates among paragraphs: the exact join beside MinHash (rensa, datasketch) with 128 permutations.

python -m benchmarks.near_duplicates [--write docs/results/near-duplicates.md] [--repeat 3] [--count 50000]
    [--files FOLDER] [--megabytes 1000]

Texts are those of the benchmark data, or of the text files of a folder (also shards of ``benchmarks.debian_text``), cut
into paragraphs. A tenth of them is planted again with 2 to 20 % of the words changed; with ``--megabytes`` all of them
are, again and again, until there is so much text. Recall is that of the planted pairs, and of those among them whose
score reaches the threshold: ours is 1 there by construction, which is checked. MinHash estimates Jaccard over single
words, and is asked for 0.5, below which nothing planted lies. `pip install rensa datasketch` for the peers.
"""

import argparse
import datetime
import gzip
import platform
import random
from pathlib import Path
from typing import Any

from benchmarks.measuring import Measured, measure
from benchmarks.paragraphs import paragraphs

LEAST, JACCARD, PERMUTATIONS, THREADS = 0.7, 0.5, 128, 2


def texts(count: int, folder: str | None, megabytes: int = 0) -> tuple[list[str], list[tuple[int, int]]]:
    """Return originals and planted copies, and which belong together."""
    lines = [line for line in (_of_folder(folder) if folder else paragraphs(100_000)) if len(line.split()) >= 20]
    lines = lines[:count]
    chance = random.Random(1)
    words = [word for line in lines[:5000] for word in line.split()]
    planted = []
    first, step, size = len(lines), 1 if megabytes else 10, sum(map(len, lines))
    while not planted or size < megabytes << 20:
        for place in range(0, first, step):
            share, copy = chance.uniform(0.02, 0.2), lines[place].split()
            for at in chance.sample(range(len(copy)), max(1, int(share * len(copy)))):
                copy[at] = chance.choice(words)
            planted.append((place, len(lines)))
            lines.append(" ".join(copy))
            size += len(lines[-1])
            if megabytes and size >= megabytes << 20:
                break
    return lines, planted


def _of_folder(folder: str) -> list[str]:
    found = []
    for path in sorted(Path(folder).rglob("*.txt.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            found += [line for line in file if not line.startswith(("<doc ", "</doc>"))]
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file() and path.suffix in ("", ".txt", ".md", ".rst"):
            try:
                found += path.read_text("utf-8").split("\n\n")
            except (UnicodeDecodeError, OSError):
                continue
    return [" ".join(text.split()) for text in dict.fromkeys(found)]


def _answer(found: set[tuple[int, int]], planted: list[tuple[int, int]]) -> dict[str, float]:
    hits = sum(pair in found for pair in planted)
    return {"pairs": len(found), "recall": hits / max(1, len(planted))}


def ours(*wanted: Any):
    from likewise import TfIdf, join

    lines, planted = texts(*wanted)
    yield
    measure = TfIdf(weights="idf", smooth=True)
    analyser = measure.new_analyser()
    rows = analyser.terms(lines, threads=THREADS)  # once: for the weights, and for the texts
    prepared = measure.fit_rows(rows, analyser).prepare(rows)
    del rows
    scorer = measure.scorer(prepared, prepared)
    pairs = join.above(scorer, LEAST, self_join=True, threads=THREADS)
    found = set(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))
    answer = _answer(found, planted)
    reached = [pair for pair in planted if scorer.score(*pair) >= LEAST]
    answer["recall at the threshold"] = sum(pair in found for pair in reached) / max(1, len(reached))
    yield answer


def rensa(*wanted: Any):
    from rensa import RMinHash, RMinHashLSH

    lines, planted = texts(*wanted)
    yield
    hashes = []
    for line in lines:
        one = RMinHash(num_perm=PERMUTATIONS, seed=1)
        one.update(list(set(line.lower().split())))
        hashes.append(one)
    index = RMinHashLSH(threshold=JACCARD, num_perm=PERMUTATIONS, num_bands=32)
    found = set()
    for place, one in enumerate(hashes):
        for other in index.query(one):
            if one.jaccard(hashes[other]) >= JACCARD:
                found.add((other, place))
        index.insert(place, one)
    yield _answer(found, planted)


def datasketch(*wanted: Any):
    from datasketch import MinHash, MinHashLSH

    lines, planted = texts(*wanted)
    yield
    index, found = MinHashLSH(threshold=JACCARD, num_perm=PERMUTATIONS), set()
    sets = ([word.encode() for word in set(line.lower().split())] for line in lines)
    hashes = list(MinHash.generator(sets, num_perm=PERMUTATIONS, seed=1))
    for place, one in enumerate(hashes):
        for other in index.query(one):
            if one.jaccard(hashes[other]) >= JACCARD:
                found.add((other, place))
        index.insert(place, one)
    yield _answer(found, planted)


def row(found: Measured) -> str:
    exact = found.answer.get("recall at the threshold")
    return (
        f"| {found.name} | {found.cpu:.1f} | {found.memory:.0f} | {found.answer['pairs']:,} "
        f"| {found.answer['recall']:.4f} | {'' if exact is None else f'{exact:.4f}'} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", help="file for the table")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--files", help="folder whose text files are the texts")
    parser.add_argument("--megabytes", type=int, default=0, help="plant copies until there is so much text")
    given = parser.parse_args()
    out = [
        "# Near-duplicates",
        f"\n`python -m benchmarks.near_duplicates`, {datetime.date.today()}, {platform.machine()}: {given.count:,} "
        f"paragraphs at most, and {f'copies up to {given.megabytes:,} MB' if given.megabytes else 'a tenth of them'} "
        "planted again with 2 to 20 % of the words changed; "
        f"median of {given.repeat}.\n",
        "| | CPU s | peak MB | pairs | recall of planted pairs | of those from the threshold on |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    cases = ((ours, f"likewise, tf-idf from {LEAST}"), (rensa, "rensa"), (datasketch, "datasketch"))
    for case, name in cases:
        try:
            out.append(row(measure(case, given.count, given.files, given.megabytes, name=name, repeat=given.repeat)))
        except RuntimeError as error:
            if "ModuleNotFoundError" not in str(error):
                raise
            out.append(f"| {name} | not installed | | | | |")
    print("\n".join(out))
    if given.write:
        Path(given.write).write_text("\n".join(out) + "\n", "utf-8")


if __name__ == "__main__":
    main()
