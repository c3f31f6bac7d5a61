"""Near-duplicates: the exact join beside MinHash (rensa, datasketch) with 128 permutations, and what memory bounds it.

    python -m benchmarks.near_duplicates [--write docs/results/near-duplicates.md] [--repeat 3] [--count 60000]
    python -m benchmarks.near_duplicates --texts FILE.parquet [--megabytes 1000] [--memory 1GB] [--write FILE]
    python -m benchmarks.near_duplicates --texts FILE.parquet --bounds 10000 [--only index] [--memory 1GB]

Texts are the paragraphs of the benchmark data, and, with ``--texts``, the column ``text`` of a Parquet file, such as
``benchmarks.source_text`` makes, of which so many megabytes are taken. A tenth is planted again with 2 to 20 % of the
words changed. All read the same Parquet file, a batch at a time. MinHash ends with pairs of numbers, Likewise with
clusters and what stands for each; within a bound it also writes the pairs with their texts, which in memory are made
when they are asked for. Recall is that of the planted pairs, and of those among them whose
score reaches the threshold: ours is 1 there by construction, which is checked on two thousand. Texts that were seen
before are left out. Whatever takes more than five minutes is given up; datasketch has a third of the text.
`pip install rensa datasketch` for the peers.

``--bounds``, a page of its own: dedupe, match of all pairs and index of so many megabytes, copies included, the most
memory that the process had, and what was found: match must find the pairs of dedupe, and a dedupe that is killed and
begun again the same clusters and pairs.
"""

import argparse
import hashlib
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.measuring import ROOT, SOURCES, Measured, give_page, measure
from benchmarks.paragraphs import paragraphs

TEXTS = SOURCES / "source_text.parquet"  # made by benchmarks.source_text

LEAST, JACCARD, PERMUTATIONS, THREADS = 0.7, 0.5, 128, 2
LONGEST, LONG = 300, 12 * 3600
SCHEMA = pa.schema([("id", pa.int64()), ("text", pa.string())])
_WORD = re.compile(r"\S+")


def texts_of(path: str, rows: int = 4096) -> Iterator[str]:
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(rows, columns=["text"]):
            yield from batch.column(0).to_pylist()


def plant(originals: Iterator[str], path: str, megabytes: float) -> tuple[int, int, float]:
    """Write originals up to a size, and copies of every tenth with changed words.

    Return how many texts there are, how many of them are copies, and the megabytes of all.
    """
    chance, held, kept, planted = random.Random(1), [], [], []
    words: list[str] = []
    seen: set[int] = set()  # of equal texts only the first is in pairs, so that they would be missed among the planted
    count, size = 0, 0.0
    with pq.ParquetWriter(f"{path}.parquet", SCHEMA, compression="zstd") as writer:

        def add(text: str) -> None:
            nonlocal count, size
            held.append(text)
            count, size = count + 1, size + len(text.encode()) / 1e6
            if len(held) == 10_000:
                flush()

        def flush() -> None:
            ids = np.arange(count - len(held), count)
            writer.write_table(pa.table({"id": ids, "text": pa.array(held, pa.string())}, schema=SCHEMA))
            held.clear()

        for text in originals:
            if hash(text) in seen:
                continue
            seen.add(hash(text))
            if count % 10 == 0:
                kept.append((count, text))
            if len(words) < 200_000:
                words += text.split()
            add(text)
            if size >= megabytes:
                break
        for place, text in kept:
            planted.append((place, count))
            while (copy := changed(text, words, chance)) == text:
                pass
            add(copy)
        flush()
    np.save(f"{path}.npy", np.array(planted))
    return count, len(planted), size


def changed(text: str, words: list[str], chance: random.Random) -> str:
    """Return a text with 2 to 20 % of its words changed."""
    spans = [found.span() for found in _WORD.finditer(text)]
    places = chance.sample(spans, max(1, int(chance.uniform(0.02, 0.2) * len(spans))))
    out, end = [], 0
    for first, last in sorted(places):
        out += [text[end:first], chance.choice(words)]
        end = last
    return "".join([*out, text[end:]])


def _recall(lefts: np.ndarray, rights: np.ndarray, wanted: np.ndarray) -> float:
    """Return the part of wanted pairs that were found; a number for a pair takes less memory than a pair."""
    found = np.sort(lefts.astype(np.int64) << 32 | rights)
    keys = wanted[:, 0].astype(np.int64) << 32 | wanted[:, 1]
    place = np.minimum(np.searchsorted(found, keys), max(len(found) - 1, 0))
    return float((found[place] == keys).mean()) if len(found) and len(keys) else 0.0


def deduped(path: str, memory: str | None, work: str | None = None):
    """Yield what the public verb finds, in memory or within a bound: pairs and what to keep, as numbers."""
    from likewise import dedupe

    yield
    asked = {"on": "text", "id": "id", "min_score": LEAST, "margin": 0.0, "linkage": "components", "threads": THREADS}
    found = dedupe(f"{path}.parquet", **asked, **({} if memory is None else {"memory": memory, "work": work}))
    yield {"clusters": len(found)}
    if memory is None:
        table = found.pairs
    else:
        table = pa.concat_tables(pq.read_table(part, columns=["left", "right"]) for part in found.parts["pairs"].files)
    left, right = (table.column(name).to_numpy() for name in ("left", "right"))
    planted = np.load(f"{path}.npy")
    some = planted[:: max(1, len(planted) // 2000)]
    wanted = dict.fromkeys(some.ravel().tolist(), "")
    with pq.ParquetFile(f"{path}.parquet") as file:
        for batch in file.iter_batches(4096):
            ids = batch.column(0)
            first, last = ids[0].as_py(), ids[-1].as_py()
            for place in wanted:
                if first <= place <= last:
                    wanted[place] = batch.column(1)[place - first].as_py()
    scores = found.measure.scores([wanted[a] for a, _ in some.tolist()], [wanted[b] for _, b in some.tolist()])
    exact = _recall(left, right, some[scores >= LEAST])
    numbers = {} if work is None else {"checksum": _checksum(found)}
    yield {"pairs": len(left), "recall": _recall(left, right, planted), "recall at the threshold": exact, **numbers}


def _checksum(found: Any) -> str:
    """Return what tells the clusters of records, and the pairs that made them, from others."""
    digest = hashlib.sha256()
    for name, columns in (("table", ["id", "cluster", "canonical"]), ("pairs", ["left", "right", "score"])):
        for path in found.parts[name].files:
            for column in pq.read_table(path, columns=columns).columns:
                digest.update(repr(column.to_pylist()).encode())
    return digest.hexdigest()[:12]


def killed(path: str, memory: str, work: str) -> str:
    """Begin a dedupe, kill its process (kill -9) once a strip of pairs is written, and say what was there."""
    said = json.dumps([path, memory, work])
    command = [sys.executable, "-m", "benchmarks.measuring", "benchmarks.near_duplicates", "deduped", said]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    while process.poll() is None and not [*Path(work).glob("pairs/*.parquet")]:
        time.sleep(0.2)
    process.kill()
    if process.wait() != -signal.SIGKILL:
        raise RuntimeError("the run that was to be killed had ended before")
    return f"{len([*Path(work).glob('pairs/*.parquet')])} strips were written"


def matched(path: str, memory: str):
    """Yield how many pairs a match of all pairs finds within a bound."""
    from likewise import match

    yield
    found = match(
        f"{path}.parquet", on="text", id="id", min_score=LEAST, all_pairs=True, threads=THREADS, memory=memory
    )
    yield {"pairs": len(found)}


def _min_hash(hashes: list[Any], index: Any, path: str) -> dict[str, float]:
    lefts, rights = array("i"), array("i")
    for place, one in enumerate(hashes):
        for other in index.query(one):
            if one.jaccard(hashes[other]) >= JACCARD:
                lefts.append(other)
                rights.append(place)
        index.insert(place, one)
    return {"pairs": len(lefts), "recall": _recall(np.array(lefts), np.array(rights), np.load(f"{path}.npy"))}


def rensa(path: str):
    from rensa import RMinHash, RMinHashLSH

    yield
    hashes = []
    for text in texts_of(f"{path}.parquet"):
        one = RMinHash(num_perm=PERMUTATIONS, seed=1)
        one.update(list(set(text.lower().split())))
        hashes.append(one)
    yield _min_hash(hashes, RMinHashLSH(threshold=JACCARD, num_perm=PERMUTATIONS, num_bands=32), path)


def datasketch(path: str):
    from datasketch import MinHash, MinHashLSH

    yield
    sets = ([word.encode() for word in set(text.lower().split())] for text in texts_of(f"{path}.parquet"))
    hashes = list(MinHash.generator(sets, num_perm=PERMUTATIONS, seed=1))
    yield _min_hash(hashes, MinHashLSH(threshold=JACCARD, num_perm=PERMUTATIONS), path)


def indexed(path: str, memory: str):
    """Yield the megabytes of an index that was built within a bound; more words than it holds are refused."""
    from likewise.jobs.index_paths import index_paths

    target = f"{path}.index"
    yield
    index_paths(f"{path}.parquet", target, memory=memory)
    yield {"size": sum(one.stat().st_size for one in Path(target).rglob("*") if one.is_file()) / 1e6}


def row(found: Measured) -> str:
    exact = found.answer.get("recall at the threshold")
    return (
        f"| {found.name} | {found.cpu:.1f} | {found.wall:.1f} | {found.memory:.0f} | {found.answer['pairs']:,} "
        f"| {found.answer['recall']:.4f} | {'' if exact is None else f'{exact:.4f}'} |"
    )


def table(originals: Iterator[str], what: str, megabytes: float, memory: str, repeat: int, slow: bool) -> list[str]:
    """Measure all on the same texts."""
    with tempfile.TemporaryDirectory() as temporary:
        path = f"{temporary}/texts"
        count, copies, size = plant(originals, path, megabytes)
        out = [
            f"\n## {count:,} {what}, {size:,.0f} MB\n",
            f"{copies:,} of them are copies of others with 2 to 20 % of the words changed; median of {repeat}.\n",
            "| | CPU s | wall s | peak MB | pairs | recall of planted pairs | of those from the threshold on |",
            "|---|---:|---:|---:|---:|---:|---:|",
        ]
        cases: list[tuple[Any, tuple[Any, ...], str]] = [
            (deduped, (path, None), f"likewise dedupe, tf-idf from {LEAST}"),
            (deduped, (path, memory), f"likewise dedupe, memory={memory}"),
            (rensa, (path,), "rensa"),
            (datasketch, (path,), "datasketch"),
        ]
        for case, arguments, name in cases[: None if slow else 3]:
            try:
                out.append(row(measure(case, *arguments, name=name, repeat=repeat, timeout=LONGEST)))
            except TimeoutError:
                out.append(f"| {name} | not finished in {LONGEST} s | | | | | |")
            except RuntimeError as error:
                missing, full = (word in str(error) for word in ("ModuleNotFoundError", "Out of Memory Error"))
                if not missing and not full:
                    raise
                out.append(f"| {name} | {'not installed' if missing else 'failed: out of memory'} | | | | | |")
            print(out[-1], flush=True)
    return out


def bounds(originals: Iterator[str], megabytes: float, memory: str, only: str | None, write: str | None) -> None:
    """Measure what memory a process has that was given a bound; a run takes hours, so each case is written at once."""
    pairs = set()
    with tempfile.TemporaryDirectory() as temporary:
        path = f"{temporary}/texts"
        count, copies, size = plant(originals, path, megabytes / 1.1)
        out = [
            f"# More text than memory: {size:,.0f} MB within {memory}",
            f"\nOnce each. {count - copies:,} documents of source packages, and {copies:,} copies of them with 2 to "
            "20 % of the words changed.\n",
            "| | CPU s | wall s | peak MB | found |\n|---|---:|---:|---:|---|",
        ]
        works = [f"{temporary}/work", f"{temporary}/killed"]
        cases: list[tuple[Any, tuple[Any, ...], str]] = [
            (deduped, (path, memory, works[0]), f"dedupe, memory={memory}"),
            (matched, (path, memory), f"match, memory={memory}"),
            (indexed, (path, memory), f"index, memory={memory}"),
            (deduped, (path, memory, works[1]), "dedupe, killed (kill -9) and begun again"),
        ]
        checksums = set()
        for case, arguments, name in (one for one in cases if only is None or one[2].startswith(only)):
            when = f" after {killed(*arguments)}" if arguments[-1] == works[1] else ""
            try:
                found = measure(case, *arguments, name=name + when, repeat=1, timeout=LONG)
            except RuntimeError as error:
                refused = str(error).strip().splitlines()[-1].partition("OptionError: ")[2]
                if not refused:
                    raise
                out.append(f"| {name} | | | | refused: {refused} |")
                give_page(out, write)
                continue
            checksums |= {found.answer.pop("checksum")} if "checksum" in found.answer else set()
            said = ", ".join(f"{what} {value:,.10g}" for what, value in found.answer.items())
            out.append(f"| {found.name} | {found.cpu:.1f} | {found.wall:.1f} | {found.memory:.0f} | {said} |")
            give_page(out, write)
            pairs |= {found.answer["pairs"]} if "pairs" in found.answer else set()
            if len(pairs) > 1:
                raise RuntimeError(f"dedupe and match found different numbers of pairs: {pairs}")
            for work in works:
                shutil.rmtree(work, ignore_errors=True)
        if len(checksums) > 1:
            raise RuntimeError("a run that was killed and begun again has other clusters or pairs")
        if only is not None:
            return
        out.append("\nThe run that was killed and begun again has the same clusters and pairs, which was checked.")
        give_page(out, write)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", help="file for the tables")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--count", type=int, default=60_000, help="paragraphs of the first table; 0 leaves it out")
    parser.add_argument(
        "--texts",
        default=TEXTS if TEXTS.exists() else None,
        help=f"Parquet file whose texts are those of the larger tables ({TEXTS.name} of LIKEWISE_SOURCES)",
    )
    parser.add_argument("--megabytes", type=int, default=1000, help="how much of them")
    parser.add_argument("--memory", default="1GB", help="bound of dedupe")
    parser.add_argument("--bounds", type=int, default=0, help="nothing but memory, for so many megabytes")
    parser.add_argument(
        "--only", choices=("dedupe", "match", "index"), help="of --bounds only this, on a page of its own"
    )
    given = parser.parse_args()
    if given.bounds:
        bounds(texts_of(given.texts), given.bounds, given.memory, given.only, given.write)
        return
    out = [
        "# Near-duplicates",
        f"\nMinHash with {PERMUTATIONS} permutations is asked for Jaccard {JACCARD}, below which nothing planted lies.",
        "Measured is the call of `dedupe` up to the clusters and what to keep, of a Parquet file; the texts of all",
        "pairs side by side (`result.pairs`), which MinHash does not give either, are made when asked for. Text that",
        "is mapped from a temporary file counts as memory only as far as it is resident. The code was made faster",
        "on the first third of these texts.",
    ]
    if given.count:
        lines = [line for line in paragraphs(100_000) if len(line.split()) >= 20][: given.count]
        out += table(iter(lines), "paragraphs", 10**9, given.memory, given.repeat, True)
    if given.texts and given.megabytes:
        # A third of it, with datasketch, which takes six times as long.
        for size, slow in ((given.megabytes // 3, True), (given.megabytes, False)):
            what = "documents of source packages"
            out += table(texts_of(given.texts), what, size, given.memory, given.repeat if slow else 1, slow)
    give_page(out, given.write)


if __name__ == "__main__":
    main()
