"""Snippets of long articles: what one costs, in milliseconds of CPU time.

    python benchmarks/snippets.py [--articles 120]

The longest articles of four parts of the Wikipedia extract (LIKEWISE_DATA) are indexed; each query has its ten best
hits, and each hit its snippet, as ``hit.snippet()`` gives it.
"""

import argparse
import os
import statistics
import time
from pathlib import Path

import likewise as lw
from likewise.read import documents

QUERIES = (
    "history of the roman empire army",
    "chemical structure of carbon compounds",
    "music of the twentieth century",
    "population of the capital city",
    "war between france and england",
)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=120)
    given = parser.parse_args()
    folder = Path(os.environ.get("LIKEWISE_DATA", "../shared/data")) / "web" / "enwiki"
    texts = list(documents([str(path) for path in sorted(folder.glob("part-00[0-3]*"))]))
    index = lw.Index.build(sorted(texts, key=lambda text: -len(text.text))[: given.articles])
    times, letters = [], []
    for hit in [hit for query in QUERIES for hit in index.search(query, top=10)]:
        start = time.process_time()
        hit.snippet()
        times.append(1000 * (time.process_time() - start))
        letters.append(len(hit.text))
    print(f"{len(times)} snippets of articles of {statistics.mean(letters):,.0f} characters on average:")
    print(f"{statistics.mean(times):.2f} ms each, median {statistics.median(times):.2f}, at most {max(times):.2f}")


if __name__ == "__main__":
    main()
