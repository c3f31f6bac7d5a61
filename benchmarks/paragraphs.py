"""P3: paragraphs joined by tf-idf cosine, against scikit-learn with sparse_dot_topn; the sentence stage apart.

    python -m benchmarks.paragraphs [--sizes 10000 50000 100000] [--threads 1] [--repeat 3] [--write FILE]

From a list of strings to the finished pairs, analysis and index included, each case in a process of its own. The answer
is checked: for 50 paragraphs all cosines are computed plainly, from the same weights, and must give the same best ten.
"""

import argparse
import gzip
import itertools
from pathlib import Path

import numpy as np

from benchmarks.measuring import DATA, HEADER, measure

BEST = 2400
ABOVE = 0.3
TOP = 10


def paragraphs(size):
    with gzip.open(DATA / "bench" / "paras_100k.txt.gz", "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for line in itertools.islice(file, size)]


def _join(texts, mode, threads):
    import likewise as lw
    from likewise import join

    measure = lw.TfIdf().fit(texts)
    prepared = measure.prepare(texts, threads=threads)
    scorer = measure.scorer(prepared, prepared)
    options = {"self_join": True, "threads": threads}
    if mode == "top":
        return measure, prepared, join.top(scorer, TOP, **options)
    if mode == "best":
        return measure, prepared, join.best(scorer, BEST, **options)
    return measure, prepared, join.above(scorer, ABOVE, **options)


def likewise(size, mode, threads):
    texts = paragraphs(size)
    yield
    _, _, pairs = _join(texts, mode, threads)
    yield {"pairs": len(pairs), "sum": round(float(pairs.score.sum()), 3)}


def peer(size, mode, threads):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sparse_dot_topn import sp_matmul_topn

    texts = paragraphs(size)
    yield
    rows = TfidfVectorizer(token_pattern=r"(?u)\b\w+\b").fit_transform(texts)
    # The peer has no best n overall, and reserves memory for top_n of every text: 200 is what a threshold can have.
    floor = {"threshold": ABOVE} if mode == "above" else {}
    count = 200 if mode == "above" else TOP + 1
    found = sp_matmul_topn(rows, rows.T.tocsr(), top_n=count, sort=True, n_threads=threads, **floor)
    yield {"pairs": int(found.nnz)}


def sentences(size, name, threads):
    from likewise.jobs.link import PRESETS, LinkOptions
    from likewise.jobs.link.book import make_book
    from likewise.jobs.link.lists import Lists
    from likewise.jobs.link.options import as_published
    from likewise.jobs.link.terms import analyse
    from likewise.read import Document

    options = as_published(LinkOptions(threads=threads))
    book = make_book([Document(str(n), text) for n, text in enumerate(paragraphs(size))], None, options)
    terms = analyse(book, options)
    lists = Lists(terms, options, n=BEST)
    if name in ("31", "35"):
        lists.make("21", dict(PRESETS))
    yield
    made = lists.make(name, dict(PRESETS))
    yield {"pairs": len(made), "sentences": len(terms.owner), "min_matches": made.minimum}


def whole(size, threads):
    """The default of ``link``: from documents to links with their evidence."""
    from likewise.jobs.link import link
    from likewise.read import Document

    documents = [Document(str(n), text) for n, text in enumerate(paragraphs(size))]
    yield
    yield {"links": len(link(documents, threads=threads))}


def check(size):
    """Fifty paragraphs against all, plainly."""
    import scipy.sparse

    texts = paragraphs(size)
    _, prepared, pairs = _join(texts, "top", 2)
    rows = prepared.left
    matrix = scipy.sparse.csr_matrix((rows.weights, rows.ids, rows.indptr))
    for text in np.random.default_rng(0).choice(size, 50, replace=False):
        scores = np.asarray((matrix @ matrix[text].T).todense()).ravel()
        scores[text] = 0
        wanted = np.sort(scores)[::-1][:TOP]
        found = np.sort(pairs.score[pairs.left == text])[::-1]
        np.testing.assert_allclose(found, wanted[: len(found)], rtol=1e-9)
        assert not (wanted[len(found) :] > 0).any()
    return {"checked": 50}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 50_000, 100_000])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--alone", action="store_true", help="Without the peer.")
    parser.add_argument("--write", type=Path)
    arguments = parser.parse_args()
    lines = [HEADER]

    def show(measured):
        lines.append(measured.row() + f" {measured.answer} |")
        print(lines[-1], flush=True)

    lines[0] = HEADER.replace("peak MB |", "peak MB | answer |").replace("---:|", "---:|", 1) + "---|"
    print(lines[0])
    for size in arguments.sizes:
        for mode in ("top", "best", "above"):
            for case in (likewise, peer):
                if case is peer and (mode == "best" or arguments.alone):
                    continue
                name = f"{size:,} {mode}: {'Likewise' if case is likewise else 'scikit-learn + sparse_dot_topn'}"
                show(measure(case, size, mode, arguments.threads, name=name, repeat=arguments.repeat))
        for name in ("3", "31"):
            label = f"{size:,} sentences, list {name}"
            show(measure(sentences, size, name, arguments.threads, name=label, repeat=1))
        show(measure(whole, size, arguments.threads, name=f"{size:,} link, default", repeat=1))
    print(measure(check, arguments.sizes[0], repeat=1).answer)
    if arguments.write:
        arguments.write.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
