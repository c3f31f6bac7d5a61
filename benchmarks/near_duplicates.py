"""Near-duplicates among paragraphs: the exact join beside MinHash (rensa, datasketch) with 128 permutations.

python -m benchmarks.near_duplicates [--write docs/results/near-duplicates.md] [--repeat 3] [--count 50000]
    [--files FOLDER] [--megabytes 1000]

Texts are the paragraphs of the benchmark data, of which a tenth is planted again with 2 to 20 % of the words
changed. With ``--megabytes`` there is a second table, without datasketch and measured once: texts of a folder
(``--files``; also shards of ``benchmarks.debian_text``), all planted again and again until there is so much text.
Recall is that of the planted pairs, and of those among them whose score reaches the threshold: ours is 1 there by
construction, which is checked on ten thousand. `pip install rensa datasketch` for the peers.
"""

import argparse
import datetime
import gzip
import platform
import random
import tempfile
from array import array
from pathlib import Path
from typing import Any

import numpy as np

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


def _kept(path: str) -> tuple[list[str], np.ndarray]:
    """Return texts and planted pairs that were written once for all cases."""
    with open(f"{path}.txt", encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")
    return lines, np.load(f"{path}.npy")


def _recall(lefts: np.ndarray, rights: np.ndarray, wanted: np.ndarray) -> float:
    """Return the part of wanted pairs that were found; a number for a pair takes less memory than a pair."""
    found = np.sort(lefts.astype(np.int64) << 32 | rights)
    keys = wanted[:, 0].astype(np.int64) << 32 | wanted[:, 1]
    place = np.minimum(np.searchsorted(found, keys), max(len(found) - 1, 0))
    return float((found[place] == keys).mean()) if len(found) and len(keys) else 0.0


def ours(path: str):
    from likewise import TfIdf, join

    lines, planted = _kept(path)
    yield
    measure = TfIdf(weights="idf", smooth=True)
    analyser = measure.new_analyser()
    rows = analyser.terms(lines, threads=THREADS)  # once: for the weights, and for the texts
    prepared = measure.fit_rows(rows, analyser).prepare(rows)
    del rows
    scorer = measure.scorer(prepared, prepared)
    pairs = join.above(scorer, LEAST, self_join=True, threads=THREADS)
    some = planted[:: max(1, len(planted) // 10_000)]
    reached = np.array([pair for pair in some.tolist() if scorer.score(*pair) >= LEAST])
    exact = _recall(pairs.left, pairs.right, reached)
    yield {"pairs": len(pairs), "recall": _recall(pairs.left, pairs.right, planted), "recall at the threshold": exact}


def _min_hash(hashes: list[Any], index: Any, planted: np.ndarray) -> dict[str, float]:
    lefts, rights = array("i"), array("i")
    for place, one in enumerate(hashes):
        for other in index.query(one):
            if one.jaccard(hashes[other]) >= JACCARD:
                lefts.append(other)
                rights.append(place)
        index.insert(place, one)
    return {"pairs": len(lefts), "recall": _recall(np.array(lefts), np.array(rights), planted)}


def rensa(path: str):
    from rensa import RMinHash, RMinHashLSH

    lines, planted = _kept(path)
    yield
    hashes = []
    for line in lines:
        one = RMinHash(num_perm=PERMUTATIONS, seed=1)
        one.update(list(set(line.lower().split())))
        hashes.append(one)
    yield _min_hash(hashes, RMinHashLSH(threshold=JACCARD, num_perm=PERMUTATIONS, num_bands=32), planted)


def datasketch(path: str):
    from datasketch import MinHash, MinHashLSH

    lines, planted = _kept(path)
    yield
    sets = ([word.encode() for word in set(line.lower().split())] for line in lines)
    hashes = list(MinHash.generator(sets, num_perm=PERMUTATIONS, seed=1))
    yield _min_hash(hashes, MinHashLSH(threshold=JACCARD, num_perm=PERMUTATIONS), planted)


def row(found: Measured) -> str:
    exact = found.answer.get("recall at the threshold")
    return (
        f"| {found.name} | {found.cpu:.1f} | {found.memory:.0f} | {found.answer['pairs']:,} "
        f"| {found.answer['recall']:.4f} | {'' if exact is None else f'{exact:.4f}'} |"
    )


def table(count: int, folder: str | None, megabytes: int, repeat: int) -> list[str]:
    """Measure all on the same texts."""
    lines, planted = texts(count, folder, megabytes)
    size = sum(len(line.encode()) for line in lines) / 1e6
    out = [
        f"\n## {len(lines):,} paragraphs, {size:,.0f} MB\n",
        f"{len(planted):,} of them are copies of others with 2 to 20 % of the words changed; median of {repeat}.\n",
        "| | CPU s | peak MB | pairs | recall of planted pairs | of those from the threshold on |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    with tempfile.TemporaryDirectory() as temporary:
        path = f"{temporary}/texts"
        Path(f"{path}.txt").write_text("\n".join(lines), "utf-8", newline="\n")
        np.save(f"{path}.npy", np.array(planted))
        del lines, planted
        # A copy takes datasketch a quarter of a millisecond: hours at the largest size.
        cases = ((ours, f"likewise, tf-idf from {LEAST}"), (rensa, "rensa"), (datasketch, "datasketch"))
        for case, name in cases[: 2 if megabytes else 3]:
            try:
                out.append(row(measure(case, path, name=name, repeat=repeat)))
            except RuntimeError as error:
                if "ModuleNotFoundError" not in str(error):
                    raise
                out.append(f"| {name} | not installed | | | | |")
            print(out[-1], flush=True)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", help="file for the tables")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--files", help="folder whose text files are the texts of the largest table")
    parser.add_argument("--megabytes", type=int, default=0, help="also a table with copies until there is so much text")
    given = parser.parse_args()
    out = [
        "# Near-duplicates",
        f"\n`python -m benchmarks.near_duplicates`, {datetime.date.today()}, {platform.machine()}. MinHash with "
        f"{PERMUTATIONS} permutations is asked for Jaccard {JACCARD}, below which nothing planted lies.",
        *table(given.count, None, 0, given.repeat),
    ]
    if given.megabytes:
        out += table(10**9, given.files, given.megabytes, 1)
    print("\n".join(out))
    if given.write:
        Path(given.write).write_text("\n".join(out) + "\n", "utf-8")


if __name__ == "__main__":
    main()
