"""Spark with more input than the driver has memory: a real standalone master, two workers, the bytes DuckDB gives.

    python -m benchmarks.mining_spark PATH [PATH ...] [--heap 192] [--anchors ngram --context 2 --support 5]

PATH: folders or files of text, such as ``DATA/web/enwiki`` and what ``benchmarks.debian_text`` wrote. The driver is a
process of its own: its Java heap is ``--heap`` MB, its Python peak is measured; the run fails unless the text (after
decompression) is larger than either of them, and unless both engines write the same bytes.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

CHILD = """
import json, resource, sys, time
import likewise as lw
asked, settings = json.loads(sys.argv[1]), json.loads(sys.argv[2])
session = None
if settings:
    from pyspark.sql import SparkSession
    builder = SparkSession.builder
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    asked |= {"engine": "spark", "session": session}
started = time.perf_counter()
found = lw.mine(**asked)
seconds = time.perf_counter() - started
heap = None
if session is not None:
    heap = session._jvm.java.lang.Runtime.getRuntime().maxMemory() / 2**20
    session.stop()
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "seconds": seconds, "heap_mb": heap, "peak_mb": used.ru_maxrss / 1024, "pairs": len(found),
    "stages": found.report.seconds, "counts": found.report.counts["sentences"],
}))
"""


def settings_of(cluster, heap: int) -> dict[str, str]:
    return {
        "spark.master": cluster.master,
        "spark.app.name": "likewise benchmark",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": f"{heap}m",
        # Spark refuses heaps below 450 MB unless it is told that the machine has that much.
        "spark.testing.memory": str(1 << 29),
        "spark.executor.memory": "768m",
        "spark.executorEnv.PYTHONPATH": f"{ROOT / 'src'}:{ROOT}",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }


def run(asked, settings) -> dict:
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", CHILD, json.dumps(asked), json.dumps(settings)],
        env={**os.environ, "PYSPARK_PYTHON": sys.executable},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(done.stderr[-3000:])
    return {**json.loads(done.stdout.splitlines()[-1]), "wall": time.perf_counter() - started}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--heap", type=int, default=192, help="MB of the driver's Java heap")
    parser.add_argument("--anchors", default="ngram")
    parser.add_argument("--context", type=int, default=2)
    parser.add_argument("--support", type=int, default=5)
    options = parser.parse_args()
    from tests.engines.cluster import Cluster

    asked = {"paths": [str(path.absolute()) for path in options.paths], "anchors": options.anchors}
    asked |= {"context": options.context, "support": options.support}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        here, there = folder / "duckdb.parquet", folder / "spark.parquet"
        embedded = run({**asked, "output": str(here), "threads": 2, "memory": "1GB"}, {})
        cluster = Cluster(folder, f"{ROOT / 'src'}:{ROOT}")
        try:
            cluster.start()
            spark = run({**asked, "output": str(there)}, settings_of(cluster, options.heap))
        finally:
            cluster.stop()
        same = here.read_bytes() == there.read_bytes()
    text = embedded["counts"]["characters"] / 2**20
    for title, made in (("DuckDB", embedded), ("Spark", spark)):
        stages = ", ".join(f"{stage} {seconds:.1f}" for stage, seconds in made["stages"].items())
        print(f"{title}: {made['pairs']:,} pairs of {made['counts']['sentences']:,} sentences in "
              f"{made['seconds']:.1f} s ({made['wall']:.1f} s with start and end), "
              f"Python peak {made['peak_mb']:.0f} MB; {stages}")  # fmt: skip
    print(f"text {text:.0f} MB, driver {spark['heap_mb']:.0f} MB of Java heap + {spark['peak_mb']:.0f} MB of Python; "
          f"same bytes: {same}")  # fmt: skip
    if not same or text <= max(spark["heap_mb"], spark["peak_mb"]):
        sys.exit("the engines disagree, or the input is no larger than the driver's memory")


if __name__ == "__main__":
    main()
