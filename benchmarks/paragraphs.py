"""100,000 paragraphs, cosine of tf-idf weights, beside scikit-learn with sparse_dot_topn; a few thousand with spectra.

python -m benchmarks.paragraphs [--write docs/results/paragraphs.md] [--repeat 3] [--count 100000]

Spectra: ``match(texts, top=3)`` of paragraphs of 400 to 900 characters with q-grams, beside the measure of words that
it takes by itself for such texts. 40 rows of each are compared with all scores. Once, the first two sizes took 7.5 and
26.7 CPU s.
"""

import argparse
import gzip
import itertools
import math

from benchmarks.join import HEADER, SAMPLE, THREADS, line
from benchmarks.measuring import DATA, Measured, give_page, measure

PARAGRAPHS = DATA / "bench" / "paras_100k.txt.gz"
SPECTRA, WORDS = "spectra(weights=c.idf.qidf)", "tfidf(weights=idf, smooth=true)"
BEFORE = {1000: 7.5, 2000: 26.7}  # CPU s of match by spectra, before long texts had bounds of their own


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


def matched(count: int, name: str):
    """Yield how many pairs a match finds; sampled rows are compared with all scores."""
    import numpy as np

    import likewise as lw

    lines = [text for text in paragraphs(100_000) if 400 <= len(text) <= 900][:count]
    lw.match(lines[:20], top=3, measure=name)  # what is imported at the first call
    yield
    found = lw.match(lines, top=3, measure=name, threads=THREADS)
    answer = {"pairs": len(found), "texts": len(lines)}
    yield answer
    table = found.table
    lefts, rights, scores = (table[name].to_numpy() for name in ("left", "right", "score"))
    for left in np.linspace(0, len(lines) - 1, SAMPLE).astype(int).tolist():
        row = found.measure.scores([lines[left]] * len(lines), lines)
        row[left] = 0
        best = np.lexsort((np.arange(len(row)), -row))[:3]
        if rights[lefts == left].tolist() != best.tolist() or scores[lefts == left].tolist() != row[best].tolist():
            raise AssertionError(f"{name}: row {left} differs from brute force")
    yield answer


def by_spectra(counts: list[int], repeat: int) -> list[str]:
    """Return a table of long texts by q-grams, beside words, and how the work grows."""
    out = [
        "\n## By q-grams: `match(texts, top=3)` of paragraphs of 400 to 900 characters\n",
        "| paragraphs | spectra, CPU s | before | words, CPU s | spectra / words | peak MB |",
        "|---:|--:|--:|--:|--:|--:|",
    ]
    found: list[tuple[int, Measured]] = []
    for count in counts:
        grams, words = (measure(matched, count, name, repeat=repeat) for name in (SPECTRA, WORDS))
        before = f"{BEFORE[count]} ({BEFORE[count] / grams.cpu:.0f}×)" if count in BEFORE else ""
        out.append(
            f"| {count:,} | {grams.cpu:.2f} | {before} | {words.cpu:.3f} | {grams.cpu / words.cpu:.0f}× "
            f"| {grams.memory:.0f} |"
        )
        print(out[-1], flush=True)
        found.append((count, grams))
    out.append("")
    for (less, first), (more, second) in itertools.pairwise(found):
        slope = math.log(second.cpu / first.cpu) / math.log(more / less)
        out.append(f"- spectra, {less:,} to {more:,} paragraphs: exponent {slope:.2f} (goal: at most 1.6)")
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", help="file for the table")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--count", type=int, default=100_000, help="0: only those by spectra")
    parser.add_argument("--spectra", type=int, nargs="*", default=[1000, 2000, 4000])
    arguments = parser.parse_args()
    count, repeat = arguments.count, arguments.repeat
    out = [
        "# Joins of paragraphs",
        f"\n{count:,} paragraphs, {THREADS} threads, median of {repeat}.\n",
    ]
    if count:
        peer = measure(scikit, count, 10, name="scikit-learn + sparse_dot_topn, top 10", repeat=repeat)
        out += [HEADER, line(peer)]
        for mode, value in (("top", 10), ("best", 2400), ("above", 0.3)):
            mine = measure(ours, count, mode, value, name=f"{mode}({value})", repeat=repeat)
            out.append(line(mine, peer))
    out += by_spectra(arguments.spectra, repeat)
    give_page(out, arguments.write)


if __name__ == "__main__":
    main()
