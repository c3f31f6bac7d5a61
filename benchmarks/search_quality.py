"""Which measure should search use unless told otherwise? Retrieval quality with clean queries and with typing errors.

    python benchmarks/search_quality.py DATA [--measures bm25 'spectra(weights=c.idf.qidf)' ...]

Every measure goes through the index, as users have it; the weights come from the documents. Typing errors: in every
second word of four letters or more, one letter is dropped, doubled, changed or swapped with its neighbour (seeded).
Prints mean average precision and nDCG@10 per collection, clean | with errors.
"""

import argparse
import random
import time

from likewise import Index
from likewise.evaluate.gold.collections import ir_set
from likewise.quality.retrieval import per_query

COLLECTIONS = ("adi", "med", "cran", "cacm", "npl")
MEASURES = (
    "bm25",
    "bm25(stem=porter)",
    "bm25(stop=smart, stem=porter)",
    "tfidf",
    "spectra",
    "spectra(weights=c.idf.qidf)",
    "spectra(q=4, padding=none, weights=c.idf.qidf)",
)


def with_errors(query: str, rng: random.Random) -> str:
    words = query.split()
    for place in range(rng.randrange(2), len(words), 2):
        word = words[place]
        if len(word) < 4:
            continue
        at = rng.randrange(1, len(word) - 1)
        change = rng.randrange(4)
        if change == 0:
            word = word[:at] + word[at + 1 :]
        elif change == 1:
            word = word[:at] + word[at] + word[at:]
        elif change == 2:
            word = word[:at] + rng.choice("aeiourstln") + word[at + 1 :]
        else:
            word = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        words[place] = word
    return " ".join(words)


def figures(index: Index, gold, queries: list[str], forgive: bool) -> tuple[float, float]:
    run: dict[str, dict[str, float]] = {}
    for name, query in zip(gold.left_ids, queries, strict=True):
        hits = index.search(query, top=1000, plain=True, forgive=forgive)
        run[name] = {gold.right_ids[one]: score for one, score in zip(hits.ids, hits.scores.tolist(), strict=True)}
    means = per_query(run, gold.qrels()).means()
    return means["map"], means["nDCG@10"] if "nDCG@10" in means else means["ndcg@10"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--measures", nargs="*", default=list(MEASURES))
    parser.add_argument("--no-forgive", action="store_true", help="take words as they are typed")
    parser.add_argument("--collections", nargs="*", default=list(COLLECTIONS))
    arguments = parser.parse_args()
    sets = {name: found.judged() for name in arguments.collections if (found := ir_set(arguments.data, name))}
    print("| measure |", " | ".join(sets), "| mean MAP clean | mean MAP errors | nDCG@10 clean | errors | s |")
    print("|---|" + "---|" * (len(sets) + 5))
    for specification in arguments.measures:
        cells, sums, begin = [], [0.0] * 4, time.perf_counter()
        for gold in sets.values():
            index = Index.build(gold.rights, measure=specification)
            rng = random.Random(1)
            wrong = [with_errors(query, rng) for query in gold.lefts]
            forgive = not arguments.no_forgive
            values = [*figures(index, gold, list(gold.lefts), forgive), *figures(index, gold, wrong, forgive)]
            cells.append(f"{values[0]:.3f} / {values[2]:.3f}")
            sums = [a + b / len(sets) for a, b in zip(sums, values, strict=True)]
        took = time.perf_counter() - begin
        means = f"{sums[0]:.4f} | {sums[2]:.4f} | {sums[1]:.4f} | {sums[3]:.4f} | {took:.0f}"
        print(f"| {specification} | {' | '.join(cells)} | {means} |", flush=True)


if __name__ == "__main__":
    main()
