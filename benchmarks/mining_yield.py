"""What mining yields on enwiki: pairs, shares and classes by anchors, context and support; pairs against input size.

    python -m benchmarks.mining_yield DATA [--keep FOLDER] [--write docs/results/mining.md]

The sentences are read, tagged and checked once; every setting then runs on them. ``--keep`` writes the tables.
"""

import argparse
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from likewise.engines.duckdb import DuckDB
from likewise.jobs.mine import align, weigh
from likewise.jobs.mine.options import MineOptions, RunOptions
from likewise.jobs.mine.run import _table_bits, run
from likewise.jobs.mine.shards import plan
from likewise.jobs.mine.stages import CountTask, EvidenceTask, RowTask, merge_tables
from likewise.read import ReadOptions
from likewise.results.paraphrases import Paraphrases

SETTINGS = [
    ("ngram", 3), ("ngram", 2), ("entity", 3), ("entity", 2), ("entity", 1), ("relative", 3), ("relative", 2),
    ("relative", 1),
]  # fmt: skip


def mined(shards, sentences: Path, tokens: int, options: MineOptions) -> Paraphrases:
    """Rows, pairs and weights of one setting on sentences that are there already."""
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("prune", "rows", "evidence"):
            (folder / part).mkdir()
        engine = DuckDB(1 << 30, 2, folder)
        bits = _table_bits(tokens, options, RunOptions())
        for kind in ("candidates", "anchors"):
            engine.map(CountTask(sentences, folder / "prune", options, bits, kind), shards, lambda done: None)
            merge_tables(folder / "prune", kind)
        engine.map(RowTask(sentences, folder / "prune", folder / "rows", options, bits), shards, lambda done: None)
        engine.load("rows", [folder / "rows" / f"{shard.name}.parquet" for shard in shards])
        align.align(engine, options)
        pairs, samples = engine.fetch(align.ORDERED_PAIRS), engine.fetch(align.ORDERED_SAMPLES)
        pq.write_table(pairs, folder / "pairs.parquet")
        task = EvidenceTask(sentences, folder / "pairs.parquet", folder / "evidence", options)
        engine.map(task, shards, lambda done: None)
        evidence = np.load(folder / "evidence" / "00000.npy")
        engine.close()
    return Paraphrases(weigh.weigh(pairs, samples, evidence))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--keep", type=Path, help="folder for the tables")
    parser.add_argument("--write", type=Path, help="Markdown page to write")
    options = parser.parse_args()
    source = options.data / "web" / "enwiki"
    lines = [
        "| anchors | L_C | support | pairs | 1-1 | 1-n | n-n | other than classes 1-5 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory() as name:
        work = Path(name) / "work"
        running = RunOptions(stop_after="sentences", work=str(work), threads=2)
        run(source, Path(name) / "x.parquet", MineOptions(anchors="entity"), running, ReadOptions())
        shards = plan(source)
        tokens = 9_200_000
        for anchors, context in SETTINGS:
            lowest = mined(shards, work / "sentences", tokens, MineOptions(anchors=anchors, context=context, support=3))
            for support in (3, 5):
                found = lowest.filter(min_support=support)
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    found.write(options.keep / f"{anchors}-{context}-{support}.parquet")
                shares, kinds = found.shares(), Counter(pair.kind for pair in found)
                other = kinds["other"] / max(1, len(found))
                lines.append(
                    f"| {anchors} | {context} | {support} | {len(found):,} | {shares['1-1']:.0%} | "
                    f"{shares['1-n']:.0%} | {shares['n-n']:.0%} | {other:.0%} |"
                )
                print(lines[-1], flush=True)
        lines += ["", "| shards | pairs (ngram, L_C 2, support 5) |", "|---|---|"]
        for count in (12, 24, 36, 48):
            found = mined(shards[:count], work / "sentences", tokens, replace(MineOptions(), context=2, support=5))
            lines.append(f"| {count} | {len(found):,} |")
            print(lines[-1], flush=True)
    if options.write:
        options.write.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
