"""100,000 paragraphs, cosine of tf-idf weights, beside scikit-learn with sparse_dot_topn.

python -m benchmarks.paragraphs [--write docs/results/paragraphs.md] [--repeat 3] [--count 100000]
"""

import argparse
import datetime
import gzip
import platform

from benchmarks.join import HEADER, THREADS, line
from benchmarks.measuring import DATA, give_page, measure

PARAGRAPHS = DATA / "bench" / "paras_100k.txt.gz"


def paragraphs(count: int) -> list[str]:
    with gzip.open(PARAGRAPHS, "rt", encoding="utf-8") as file:
        return file.read().splitlines()[:count]


def ours(count: int, mode: str, value: float):
    from likewise import TfIdf, join

    lines = paragraphs(count)
    yield
    measure = TfIdf().fit(lines)
    prepared = measure.prepare(lines, threads=THREADS)
    scorer = measure.scorer(prepared, prepared)
    call = {"top": join.top, "above": join.above, "best": join.best}[mode]
    pairs = call(scorer, value if mode == "above" else int(value), self_join=True, threads=THREADS)
    yield {"pairs": len(pairs), "texts": len(lines), **pairs.stats}


def scikit(count: int, k: int):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sparse_dot_topn import sp_matmul_topn

    lines = paragraphs(count)
    yield
    matrix = TfidfVectorizer(token_pattern=r"\w+").fit_transform(lines).tocsr()
    best = sp_matmul_topn(matrix, matrix.T.tocsr(), top_n=k + 1, sort=True, n_threads=THREADS)
    yield {"pairs": int(best.nnz), "texts": len(lines)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", help="file for the table")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--count", type=int, default=100_000)
    arguments = parser.parse_args()
    count, repeat = arguments.count, arguments.repeat
    out = [
        "# Joins of paragraphs",
        f"\n`python -m benchmarks.paragraphs`, {datetime.date.today()}, {platform.machine()}, {count:,} paragraphs, "
        f"{THREADS} threads, median of {repeat}.\n",
        HEADER,
    ]
    peer = measure(scikit, count, 10, name="scikit-learn + sparse_dot_topn, top 10", repeat=repeat)
    out.append(line(peer))
    for mode, value in (("top", 10), ("best", 2400), ("above", 0.3)):
        mine = measure(ours, count, mode, value, name=f"{mode}({value})", repeat=repeat)
        out.append(line(mine, peer))
    give_page(out, arguments.write)


if __name__ == "__main__":
    main()
