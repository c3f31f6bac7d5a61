"""Search beside bm25s (numba) and tantivy: the same passages, the same words, one thread, one query at a time.

    python -m benchmarks.search [--passages 100000 500000] [--rounds 5] [--write docs/results/search.md]

Each engine works in a process of its own: it indexes, writes the index to disk, opens it again where it can, and
answers 2,000 queries one after the other, tokenising included; the best 10 of each are asked for. Reported are the
median of the rounds in queries per CPU second, latency, peak memory and size on disk. bm25s's scores must be ours at
every rank within its float32 rounding, and its ids ours wherever scores differ by more. BM25 as Lucene has it with
k1 = 1.5, b = 0.75 (tantivy: its fixed 1.2), words as typed. The 500,000 passages are paragraphs, then first halves of
paragraphs with the second halves of others.

Further: adding to and removing from an index of 200,000 names, and spectra on the same passages.
"""

import argparse
import datetime
import gzip
import json
import os
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.measuring import DATA, ROOT, peak_memory

PARAGRAPHS = DATA / "bench" / "paras_100k.txt.gz"
QUERIES = DATA / "bench" / "queries_2k.txt"
NAMES = DATA / "bench" / "names_200k.txt"
WORDS = re.compile(r"[^\W_]+").findall
K1, B, TOP = 1.5, 0.75, 10


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


def queries() -> list[str]:
    return [line for line in QUERIES.read_text(encoding="utf-8").split("\n") if line]


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


def likewise(texts: list[str], folder: str, rounds: int, measure: str = "", first: int = 10**9) -> dict[str, Any]:
    from likewise import Index
    from likewise.index.search import SearchOptions

    options = SearchOptions(top=TOP, forgive=False)
    begin = clock()
    Index.build(texts, measure=measure or f"bm25(k1={K1}, b={B})", path=folder)
    built = [after - before for before, after in zip(begin, clock(), strict=True)]
    start = time.perf_counter()
    index = Index.open(folder)
    result = {"index s": built[0], "index CPU s": built[1], "open s": time.perf_counter() - start}
    asked = queries()[:first]
    result |= answer_all(lambda query: index.search(query, options=options), rounds, asked)
    found = [index.search(query, options=options) for query in asked]
    return result | {
        "disk MB": size_of(folder),
        "answers": [[hits.numbers.tolist(), hits.scores.tolist()] for hits in found],
    }


def likewise_spectra(texts: list[str], folder: str, rounds: int) -> dict[str, Any]:
    return likewise(texts, folder, 1, "spectra(q=4, padding=none, weights=c.idf.qidf)", 300)


def bm25s(texts: list[str], folder: str, rounds: int) -> dict[str, Any]:
    import bm25s

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

    result |= answer_all(ask, rounds, queries())
    found = [ask(query) for query in queries()]
    answers = [[ids[0].tolist(), scores[0].tolist()] for ids, scores in found]
    return result | {"disk MB": size_of(folder), "answers": answers}


def tantivy(texts: list[str], folder: str, rounds: int) -> dict[str, Any]:
    import tantivy

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
    result |= answer_all(lambda query: searcher.search(index.parse_query(query, ["text"]), TOP), rounds, queries())
    return result | {"disk MB": size_of(folder), "answers": None}


def keeping_up(texts: list[str], folder: str, rounds: int) -> dict[str, Any]:
    """Adding one text to, and removing one from, an index of 200,000 names: in ms."""
    from likewise import Index

    names = [line for line in NAMES.read_text(encoding="utf-8").split("\n") if line]
    result: dict[str, Any] = {"answers": None}
    for place in ("memory", "disk"):
        for measure in ("bm25", "spectra(weights=c.idf.qidf)"):
            path = None if place == "memory" else Path(folder) / measure
            index = Index.build(names, measure=measure, path=path)
            times: dict[str, list[tuple[float, float]]] = {"add": [], "remove": []}
            for number in range(100):
                start = clock()
                index.add([f"Sankt Likewise am See {number}"])
                middle = clock()
                index.remove([number * 1999])
                end = clock()
                times["add"].append((middle[0] - start[0], middle[1] - start[1]))
                times["remove"].append((end[0] - middle[0], end[1] - middle[1]))
            for verb, values in times.items():
                walls, cpus = zip(*values, strict=True)
                figures = (statistics.median(walls), statistics.median(cpus), max(cpus))
                result[f"{verb}, {measure}, {place}"] = [figure * 1e3 for figure in figures]
    return result


CASES = {case.__name__: case for case in (likewise, likewise_spectra, bm25s, tantivy, keeping_up)}


def run_case(name: str, texts: str, rounds: int) -> dict[str, Any]:
    """Run an engine in a process of its own, on the lines of a file; making them would be part of its peak memory."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, "-m", "benchmarks.search", "--case", name, texts, str(rounds)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise RuntimeError(f"{name} failed:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, nargs="*", default=[100_000, 500_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=["likewise", "bm25s", "tantivy", "likewise_spectra", "keeping_up"])
    parser.add_argument("--write", type=Path)
    parser.add_argument("--case", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.case:
        name, file, rounds = arguments.case[0], arguments.case[1], int(arguments.case[2])
        folder = tempfile.mkdtemp(prefix="likewise-bench-")
        try:
            texts = Path(file).read_text(encoding="utf-8").split("\n") if file else []
            result = CASES[name](texts, folder, rounds)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        print(json.dumps(result | {"peak MB": peak_memory()}))
        return
    lines = [
        f"{datetime.date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    ]
    columns = ["queries per CPU s", "p50 ms", "p99 ms", "index s", "index CPU s", "open s", "disk MB", "peak MB"]
    for count in arguments.passages:
        lines += [
            "",
            f"**{count:,} passages**",
            "",
            "| engine | " + " | ".join(columns) + " |",
            "|---|" + "---:|" * len(columns),
        ]
        answers: dict[str, Any] = {}
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
            file.write("\n".join(passages(count)))
            file.flush()
            for name in arguments.only:
                if name == "keeping_up" or (name == "likewise_spectra" and count > 100_000):
                    continue
                result = run_case(name, file.name, arguments.rounds)
                answers[name] = result["answers"]
                lines.append(f"| {name} | " + " | ".join(f"{result[column]:,.2f}" for column in columns) + " |")
                print(lines[-1], file=sys.stderr, flush=True)
        if "likewise" in answers and "bm25s" in answers:
            compare(answers["likewise"], answers["bm25s"])
            lines += ["", f"Scores and ids of all {len(answers['bm25s']):,} queries equal bm25s's (ties apart)."]
    if "keeping_up" in arguments.only:
        lines += [
            "",
            "**One text more or less in an index of 200,000 names**",
            "",
            "| | median ms | median CPU ms | most CPU ms |",
            "|---|---:|---:|---:|",
        ]
        for name, value in run_case("keeping_up", "", 1).items():
            if isinstance(value, list):
                lines.append(f"| {name} | {value[0]:.2f} | {value[1]:.2f} | {value[2]:.1f} |")
    text = "\n".join(lines) + "\n"
    print(text)
    if arguments.write:
        head = (
            "Written by `python -m benchmarks.search --write` in one go; its first lines tell what is compared. "
            "`likewise_spectra` is\n`spectra(q=4, padding=none, weights=c.idf.qidf)`, 300 queries. Disk of Likewise "
            "includes the texts, which the peers do\nnot store here; peak memory includes the list of texts for all. "
            "The goal for one text more or less is 10 ms."
        )
        arguments.write.write_text(f"# Search: what it costs\n\n{head}\n\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
