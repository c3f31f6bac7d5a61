"""Search beside bm25s (numba) and tantivy: the same passages, the same words, one thread, one query at a time.

    python -m benchmarks.search [--passages 100000 500000] [--rounds 5] [--write docs/results/search.md]

Each engine works in a process of its own: it indexes, writes the index to disk, opens it again where it can, and
answers 2,000 queries one after the other, tokenising included; the best 10 of each are asked for. Reported are the
median of the rounds in queries per CPU second, latency, peak memory and size on disk. bm25s's scores must be ours at
every rank within its float32 rounding, and its ids ours wherever scores differ by more. BM25 as Lucene has it with
k1 = 1.5, b = 0.75 (tantivy: its fixed 1.2), words as typed. The 500,000 passages are paragraphs, then first halves of
paragraphs with the second halves of others.

Further: spectra on the same passages, adding to and removing from an index of 200,000 names, and snippets.
"""

import argparse
import gzip
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.measuring import DATA, Measured, give_page, measure
from benchmarks.snippets import snippets

PARAGRAPHS = DATA / "bench" / "paras_100k.txt.gz"
QUERIES = DATA / "bench" / "queries_2k.txt"
NAMES = DATA / "bench" / "names_200k.txt"
WORDS = re.compile(r"[^\W_]+").findall
K1, B, TOP = 1.5, 0.75, 10
SPECTRA, SPECTRA_QUERIES, SPECTRA_PASSAGES = "spectra(q=4, padding=none, weights=c.idf.qidf)", 300, 100_000
GOAL = 10  # ms for one text more or less
COLUMNS = ("queries per CPU s", "p50 ms", "p99 ms", "index s", "index CPU s", "open s", "disk MB")


def passages(count: int) -> list[str]:
    """The paragraphs themselves, then as many more as wanted, made of halves of two (seeded)."""
    with gzip.open(PARAGRAPHS, "rt", encoding="utf-8") as file:
        real = [line for line in file.read().split("\n") if line]
    rng = random.Random(1)
    made = real[:count]
    split = [text.split() for text in real] if count > len(real) else []
    while len(made) < count:
        first, second = split[len(made) % len(split)], split[rng.randrange(len(split))]
        made.append(" ".join(first[: len(first) // 2] + second[len(second) // 2 :]))
    return made


def lines_of(path: str | Path) -> list[str]:
    return [line for line in Path(path).read_text(encoding="utf-8").split("\n") if line]


def answer_all(ask: Callable[[str], Any], rounds: int, asked: list[str]) -> dict[str, Any]:
    for query in asked:  # words are met, code is compiled, pages are read
        ask(query)
    speeds, latencies = [], []
    for _ in range(rounds):
        begin = time.process_time()
        for query in asked:
            start = time.perf_counter()
            ask(query)
            latencies.append(time.perf_counter() - start)
        speeds.append(len(asked) / (time.process_time() - begin))
    latencies.sort()
    return {
        "queries per CPU s": statistics.median(speeds),
        "p50 ms": latencies[len(latencies) // 2] * 1e3,
        "p99 ms": latencies[len(latencies) * 99 // 100] * 1e3,
    }


def size_of(folder: str) -> float:
    return sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()) / 1e6


def clock() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def likewise(file: str, folder: str, rounds: int, measure: str = "", first: int = 10**9) -> dict[str, Any]:
    from likewise import Index
    from likewise.index.search import SearchOptions

    texts = lines_of(file)
    options = SearchOptions(top=TOP, forgive=False)
    begin = clock()
    Index.build(texts, measure=measure or f"bm25(k1={K1}, b={B})", path=folder)
    built = [after - before for before, after in zip(begin, clock(), strict=True)]
    start = time.perf_counter()
    index = Index.open(folder)
    result = {"index s": built[0], "index CPU s": built[1], "open s": time.perf_counter() - start}
    asked = lines_of(QUERIES)[:first]
    result |= answer_all(lambda query: index.search(query, options=options), rounds, asked)
    found = [index.search(query, options=options) for query in asked]
    return result | {
        "disk MB": size_of(folder),
        "answers": [[hits.numbers.tolist(), hits.scores.tolist()] for hits in found],
    }


def likewise_spectra(file: str, folder: str, rounds: int) -> dict[str, Any]:
    return likewise(file, folder, rounds, SPECTRA, SPECTRA_QUERIES)


def bm25s(file: str, folder: str, rounds: int) -> dict[str, Any]:
    import bm25s

    texts = lines_of(file)
    begin = clock()
    retriever = bm25s.BM25(method="lucene", k1=K1, b=B, backend="numba")
    retriever.index([WORDS(text.casefold()) for text in texts], show_progress=False)
    retriever.save(folder)
    built = [after - before for before, after in zip(begin, clock(), strict=True)]
    start = time.perf_counter()
    retriever = bm25s.BM25.load(folder)
    retriever.backend = "numba"
    retriever.activate_numba_scorer()
    result = {"index s": built[0], "index CPU s": built[1], "open s": time.perf_counter() - start}

    def ask(query: str) -> Any:
        return retriever.retrieve([WORDS(query.casefold())], k=TOP, n_threads=1, show_progress=False)

    result |= answer_all(ask, rounds, lines_of(QUERIES))
    found = [ask(query) for query in lines_of(QUERIES)]
    answers = [[ids[0].tolist(), scores[0].tolist()] for ids, scores in found]
    return result | {"disk MB": size_of(folder), "answers": answers}


def tantivy(file: str, folder: str, rounds: int) -> dict[str, Any]:
    import tantivy

    texts = lines_of(file)
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("text", stored=False)
    schema.add_unsigned_field("number", stored=True)
    begin = clock()
    index = tantivy.Index(schema.build(), path=folder)
    writer = index.writer(num_threads=1)
    for number, text in enumerate(texts):
        writer.add_document(tantivy.Document(text=text, number=number))
    writer.commit()
    writer.wait_merging_threads()
    built = [after - before for before, after in zip(begin, clock(), strict=True)]
    start = time.perf_counter()
    index = tantivy.Index.open(folder)
    index.reload()
    searcher = index.searcher()
    result = {"index s": built[0], "index CPU s": built[1], "open s": time.perf_counter() - start}
    result |= answer_all(
        lambda query: searcher.search(index.parse_query(query, ["text"]), TOP), rounds, lines_of(QUERIES)
    )
    return result | {"disk MB": size_of(folder), "answers": None}


def keeping_up(folder: str, count: int) -> dict[str, list[float]]:
    """Return what adding a text to an index of names, and removing one, takes: median, median CPU, most CPU, in ms."""
    from likewise import Index

    names = lines_of(NAMES)[:count]
    result: dict[str, list[float]] = {}
    for place in ("memory", "disk"):
        for by in ("bm25", "spectra(weights=c.idf.qidf)"):
            path = None if place == "memory" else Path(folder) / by
            index = Index.build(names, measure=by, path=path)
            times: dict[str, list[tuple[float, float]]] = {"add": [], "remove": []}
            for number in range(100):
                start = clock()
                index.add([f"Sankt Likewise am See {number}"])
                middle = clock()
                index.remove([number * (count // 101)])
                end = clock()
                times["add"].append((middle[0] - start[0], middle[1] - start[1]))
                times["remove"].append((end[0] - middle[0], end[1] - middle[1]))
            for verb, values in times.items():
                walls, cpus = zip(*values, strict=True)
                figures = (statistics.median(walls), statistics.median(cpus), max(cpus))
                result[f"{verb}, {by}, {place}"] = [figure * 1e3 for figure in figures]
    return result


def compare(ours: list[Any], theirs: list[Any]) -> None:
    """Every rank must have the same score, and the same text unless several have that score."""
    for (our_ids, our_scores), (their_ids, their_scores) in zip(ours, theirs, strict=True):
        for rank, (one, score) in enumerate(zip(our_ids, our_scores, strict=True)):
            if abs(score - their_scores[rank]) > 1e-5 * score:
                raise SystemExit(f"scores differ at rank {rank}: {score} and {their_scores[rank]}")
            tied = [other for other in our_scores if abs(other - score) <= 1e-5 * score]
            # The last of the ten may be tied with texts that did not get in.
            if one != their_ids[rank] and len(tied) == 1 and rank + 1 < len(our_ids):
                raise SystemExit(f"ids differ at rank {rank}: {one} and {their_ids[rank]}")


def side_by_side(count: int, rounds: int, only: list[str]) -> list[str]:
    """Return the table of the engines on so many passages; their answers must agree."""
    columns = (*COLUMNS, "peak MB")
    out = [f"\n## {count:,} passages\n", f"| engine | {' | '.join(columns)} |", "|---|" + "---:|" * len(columns)]
    found: dict[str, Measured] = {}
    with tempfile.TemporaryDirectory(prefix="likewise-bench-") as folder:
        file = Path(folder) / "passages.txt"
        file.write_text("\n".join(passages(count)), encoding="utf-8")
        for case in (likewise, bm25s, tantivy, likewise_spectra):
            name = case.__name__
            if name not in only or (case is likewise_spectra and count > SPECTRA_PASSAGES):
                continue
            place = Path(folder) / name
            place.mkdir()
            found[name] = measure(case, str(file), str(place), 1 if case is likewise_spectra else rounds, repeat=1)
            cells = [found[name].answer[column] for column in COLUMNS] + [found[name].memory]
            out.append(f"| {name} | " + " | ".join(f"{cell:,.2f}" for cell in cells) + " |")
            print(out[-1], file=sys.stderr, flush=True)
    if "likewise" in found and "bm25s" in found:
        ours, theirs = (found[name].answer["answers"] for name in ("likewise", "bm25s"))
        compare(ours, theirs)
        out.append(f"\nScores and ids of all {len(theirs):,} queries equal bm25s's (ties apart).")
    if "likewise" in found and len(found) > 1:
        speed = {name: one.answer["queries per CPU s"] for name, one in found.items() if name != "likewise_spectra"}
        ours = speed.pop("likewise")
        times = ", ".join(f"{ours / theirs:.1f} times as many as {name}" for name, theirs in speed.items())
        out.append(f"Likewise answers {times} in the same CPU time.")
    return out


def changes(count: int) -> list[str]:
    """Return the table of one text more or less."""
    out = [
        f"\n## One text more or less in an index of {count:,} names\n",
        "| | median ms | median CPU ms | most CPU ms |",
        "|---|---:|---:|---:|",
    ]
    with tempfile.TemporaryDirectory(prefix="likewise-bench-") as folder:
        found: dict[str, list[float]] = measure(keeping_up, folder, count, repeat=1).answer
    out += [f"| {name} | {clock:.2f} | {cpu:.2f} | {most:.1f} |" for name, (clock, cpu, most) in found.items()]
    slow = [name for name, (clock, _, _) in found.items() if clock >= GOAL]
    rare = [name for name, (_, _, most) in found.items() if most >= GOAL and name not in slow]
    said = f"not met by the median of: {'; '.join(slow)}" if slow else "met by every median"
    if rare:
        said += f"; the slowest change takes longer with: {'; '.join(rare)} (segments are merged then)"
    return [*out, f"\nThe goal of less than {GOAL} ms is {said}."]


def main() -> None:
    engines = ["likewise", "bm25s", "tantivy", "likewise_spectra"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, nargs="*", default=[100_000, 500_000])
    parser.add_argument("--names", type=int, default=200_000, help="of the index that is changed")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=engines, choices=engines)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    page = [
        "# Search: what it costs",
        "",
        f"The first lines of `benchmarks/search.py` tell what is compared; median of {given.rounds} rounds.",
        f"`likewise_spectra` is `{SPECTRA}`, {SPECTRA_QUERIES} queries, one round. Disk of Likewise",
        "includes the texts, which the peers do not store here; peak memory includes the list of texts for all.",
    ]
    for count in given.passages:
        page += side_by_side(count, given.rounds, given.only)
    page += changes(given.names)
    give_page([*page, "\n## Snippets\n", snippets()], given.write)


if __name__ == "__main__":
    main()
