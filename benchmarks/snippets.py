"""Snippets of long articles: what one costs, in milliseconds of CPU time. ``benchmarks.search`` has them on its page.

    python -m benchmarks.snippets [--articles 120]

The longest articles of four parts of the Wikipedia extract (LIKEWISE_DATA) are indexed; each query has its ten best
hits, and each hit its snippet, as ``hit.snippet()`` gives it.
"""

import argparse
import statistics
import time

from benchmarks.measuring import DATA

QUERIES = (
    "history of the roman empire army",
    "chemical structure of carbon compounds",
    "music of the twentieth century",
    "population of the capital city",
    "war between france and england",
)


def snippets(articles: int = 120) -> str:
    """Return a sentence: what the snippets of the best hits cost."""
    import likewise as lw
    from likewise.read import documents

    texts = list(documents([str(path) for path in sorted((DATA / "web" / "enwiki").glob("part-00[0-3]*"))]))
    index = lw.Index.build(sorted(texts, key=lambda text: -len(text.text))[:articles])
    times, letters = [], []
    for hit in [hit for query in QUERIES for hit in index.search(query, top=10)]:
        start = time.process_time()
        hit.snippet()
        times.append(1000 * (time.process_time() - start))
        letters.append(len(hit.text))
    return (
        f"Snippets of {len(times)} hits among articles of {statistics.mean(letters):,.0f} characters on average: "
        f"{statistics.mean(times):.2f} ms of CPU time each, median {statistics.median(times):.2f}, at most "
        f"{max(times):.2f}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=120)
    print(snippets(parser.parse_args().articles))


if __name__ == "__main__":
    main()
