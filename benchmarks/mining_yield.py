"""What mining yields on enwiki: pairs, shares and classes by anchors, context and support; how its cost grows.

    python -m benchmarks.mining_yield DATA [--keep FOLDER] [--more FOLDER] [--write docs/results/mining.md]

``--keep`` writes the tables. Growth is that of the defaults (``benchmarks.mining --growth``); ``--more`` names shards
beyond enwiki for it, as from ``benchmarks.debian_text``. Pairs against input size: ``likewise mine --curve``.
"""

import argparse
from collections import Counter
from pathlib import Path

from benchmarks.mining import growth
from likewise import mine

SETTINGS = [
    ("ngram", 3), ("ngram", 2), ("entity", 3), ("entity", 2), ("entity", 1), ("relative", 3), ("relative", 2),
    ("relative", 1),
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--keep", type=Path, help="folder for the tables")
    parser.add_argument("--more", type=Path, help="folder of further shards for the growth")
    parser.add_argument("--write", type=Path, help="Markdown page to write")
    options = parser.parse_args()
    source = options.data / "web" / "enwiki"
    lines = [
        "# Mining: what it yields, what it costs",
        "",
        "Written by `python -m benchmarks.mining_yield DATA --write docs/results/mining.md`; see",
        "[how mining works](../design/mining.md).",
        "",
        "## Pairs of 48 MB of Wikipedia",
        "",
        "| anchors | L_C | support | pairs | 1-1 | 1-n | n-n | other than classes 1-5 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for anchors, context in SETTINGS:
        lowest = mine(source, anchors=anchors, context=context, support=3)
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
    shards = sorted(source.glob("*.gz")) + (sorted(options.more.glob("*.gz")) if options.more else [])
    lines += [
        "",
        "## Growth of the default run",
        "",
        *growth(shards, [len(shards) // part for part in (4, 2, 1)], 1, "1GB"),
    ]
    if options.write:
        options.write.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
