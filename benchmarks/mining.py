"""Mining from gz text to Parquet, all five checks on, two threads, 1 GB; growth over 12, 24 and 48 shards.

    python -m benchmarks.mining DATA [--more FOLDER] [--repeat 3] [--baseline 2] [--html] [--pages FOLDER] [--json FILE]
    python -m benchmarks.mining DATA --growth [--more FOLDER] [--shards 25 50 100 200]

Every run is a process of its own, so that its CPU seconds and its peak memory are its own. The parameters
are those of the paper (context 3, phrases of 1 to 4 words, support 5). ``--more`` names shards beyond enwiki, as from
``benchmarks.debian_text``, for larger numbers in ``--shards``. ``--baseline N`` also runs the straightforward version
of ``benchmarks/mining_baseline.py`` on N shards and compares the pairs. Pairs are checked against known counts.
``--growth`` runs the defaults instead, on more and more shards in a fixed random order (so that every size has text of
the same kinds), and prints the exponent with which CPU seconds grow.
"""

import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

CHILD = """
import json, resource, sys, time
import likewise as lw
options = json.loads(sys.argv[1])
started = time.perf_counter()
found = lw.mine(**options)
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "wall": time.perf_counter() - started,
    "cpu": used.ru_utime + used.ru_stime,
    "peak_mb": used.ru_maxrss / 1024,
    "pairs": len(found),
    "sentences": found.report.counts["sentences"]["sentences"],
    "kept": found.report.counts["sentences"]["kept"],
    "characters": found.report.counts["sentences"]["characters"],
    "seconds": found.report.seconds,
    "support": found.report.options["support"],
}))
"""
# Pairs on all 48 shards of data/web/enwiki, by anchors: a faster wrong answer is no answer.
EXPECTED = {("ngram", 48): 151}


def run(paths, anchors, **options):
    asked = {"paths": [str(path) for path in paths], "anchors": anchors, "context": 3, "support": 5}
    asked |= {"memory": "1GB", "threads": 2, **options}
    with tempfile.TemporaryDirectory() as folder:
        asked["output"] = str(Path(folder) / "pp.parquet")
        done = subprocess.run([sys.executable, "-c", CHILD, json.dumps(asked)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def growth(shards, counts, repeat, memory):
    """Print CPU, memory and pairs of the default run on more and more text, and the exponent; return it as a table."""
    shards = random.Random(1).sample(shards, len(shards))
    points = []
    lines = ["| M characters | support | pairs | wall s | CPU s | peak MB | exponent |", "|---:" * 7 + "|"]
    for count in (count for count in counts if count <= len(shards)):
        runs = [run(shards[:count], "ngram", context=2, support=None, memory=memory) for _ in range(repeat)]
        made = min(runs, key=lambda one: one["cpu"])
        points.append((made["characters"], made["cpu"]))
        exponent = "" if len(points) < 2 else f"{slope(points[-2:]):.2f}"
        lines.append(
            f"| {made['characters'] / 1e6:.0f} | {made['support']} | {made['pairs']:,} | {made['wall']:.1f} | "
            f"{made['cpu']:.1f} | {made['peak_mb']:.0f} | {exponent} |"
        )
        print(lines[-1], flush=True)
    lines += [
        "",
        f"Exponent from the smallest to the largest: {slope([points[0], points[-1]]):.2f}; `--memory {memory}`.",
    ]
    print(lines[-1])
    return lines


def slope(points):
    (x, y), (u, v) = points
    return math.log(v / y) / math.log(u / x) if u != x else math.nan


def html(folder: Path) -> None:
    """Print how fast a folder of pages is read, split, tagged and checked."""
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
    made = run([folder], "ngram")
    seconds = made["seconds"]["sentences"]
    print(f"HTML: {size:.1f} MB of pages, {made['sentences']:,} sentences, at {size / seconds:.1f} MB/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--shards", type=int, nargs="*", default=[12, 24, 48])
    parser.add_argument("--baseline", type=int, default=0, help="shards for the baseline, 0 for none")
    parser.add_argument("--more", type=Path, help="folder of further shards, taken after those of enwiki")
    parser.add_argument("--html", action="store_true", help="also read and check the pages of web/pages: MB/s")
    parser.add_argument("--pages", type=Path, help="also read and check the HTML files of this folder: MB/s")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--growth", action="store_true", help="the defaults on more and more text")
    parser.add_argument("--memory", default="1GB", help="for --growth")
    options = parser.parse_args()
    shards = sorted((options.data / "web" / "enwiki").glob("*.gz"))
    shards += sorted(options.more.glob("*.gz")) if options.more else []
    if options.growth:
        growth(shards, options.shards, options.repeat, options.memory)
        return
    rows = []
    for anchors in ("ngram", "entity"):
        for count in options.shards:
            runs = [run(shards[:count], anchors) for _ in range(options.repeat)]
            middle = {name: statistics.median(made[name] for made in runs) for name in ("wall", "cpu", "peak_mb")}
            row = {"anchors": anchors, "shards": count, **runs[0], **middle}
            row["sentences_per_second"] = row["sentences"] / row["wall"]
            row["sentences_per_cpu_second"] = row["sentences"] / row["cpu"]
            if (anchors, count) in EXPECTED and row["pairs"] != EXPECTED[anchors, count]:
                sys.exit(f"{anchors} on {count} shards gave {row['pairs']} pairs, not {EXPECTED[anchors, count]}")
            rows.append(row)
            print(
                f"{anchors:8} {count:3} shards {row['sentences']:8,} sentences: wall {row['wall']:6.2f} s, "
                f"cpu {row['cpu']:6.2f} s, {row['sentences_per_second']:8,.0f}/s wall, "
                f"{2 * row['sentences_per_cpu_second']:8,.0f}/s on two quiet cores, "
                f"peak {row['peak_mb']:5.0f} MB, {row['pairs']} pairs, "
                + ", ".join(f"{name} {value:.2f}" for name, value in row["seconds"].items()),
                flush=True,
            )
    if options.baseline:
        from benchmarks.mining_baseline import baseline

        started, cpu = time.perf_counter(), time.process_time()
        pairs, sentences = baseline(shards[: options.baseline])
        wall, cpu = time.perf_counter() - started, time.process_time() - cpu
        import likewise as lw

        found = lw.mine(shards[: options.baseline], context=3, support=5)
        ours = {(pair.phrase, pair.paraphrase): pair.support for pair in found}
        print(f"baseline on {options.baseline} shards: {sentences / wall:,.0f} sentences/s, cpu {cpu:.1f} s; "
              f"pairs equal: {ours == pairs} ({len(pairs)})")  # fmt: skip
        if ours != pairs:
            sys.exit("the baseline and Likewise disagree")
    if options.html:
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(options.data / "web" / "pages" / "pages.tar.gz") as archive:
                archive.extractall(folder, filter="data")
            html(Path(folder))
    if options.pages:
        html(options.pages)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
