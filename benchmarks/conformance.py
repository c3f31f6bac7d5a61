"""Every job on every data set, on an engine: the rows of one machine, to the bit, or exit code 1.

    python -m benchmarks.conformance [--sample 1000]                                a sample of each file, minutes
    python -m benchmarks.conformance --engine spark --master local[2] --sample 0     all of it, hours
    python -m benchmarks.conformance --engine spark --master cluster --sample 300    two workers, started here
    ... --write docs/results/conformance.md --minutes 11                             as far as that; again: goes on

Lines of every file of the data folder are records: matched (the best 3 of each; every pair from 0.8 on; what is best
for both) and deduped. Books are linked; folders and Web archives are indexed, and the index is searched by the
questions there are; nuggets are collected and asked; pairs are decided on by a model learnt from some of them.
"""

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, groupby, islice, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa

import likewise as lw
from benchmarks.cluster import session
from benchmarks.measuring import DATA
from likewise.engines.options import EngineOptions
from likewise.errors import InputError
from likewise.index.search import SearchOptions
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.rows import Asking, Predicting, Searching, answer
from likewise.jobs.questions.options import AskOptions
from likewise.quality import pairs as reader
from likewise.read.open import open_bytes
from likewise.read.options import TableOptions

JOBS: dict[str, Callable[..., pa.Table]] = {
    "top 3": lambda texts, **at: lw.match(texts, top=3, **at).to_arrow(),
    "above 0.8": lambda texts, **at: lw.match(texts, all_pairs=True, min_score=0.8, **at).to_arrow(),
    "reciprocal": lambda texts, **at: lw.match(texts[::2], texts[1::2], reciprocal=True, **at).to_arrow(),
    "dedupe": lambda texts, **at: lw.dedupe(texts, min_score=0.8, **at).table,
}
Case = tuple[str, str, Callable[[], Any], Callable[[], Any]]


def lines(path: Path, sample: int) -> list[str]:
    """Return the lines of a file that say something, at most so many of them."""
    with open_bytes(path) as stream:
        found = (line.decode(errors="replace").strip() for line in stream)
        return list(islice((line for line in found if line), sample or None))


def of_records(sample: int, at: dict[str, Any]) -> Iterator[Case]:
    """Give the jobs on the lines of every file."""
    for path in sorted(DATA.rglob("*")):
        packed = path.name.endswith((".tar.gz", ".warc.gz")) or "rust_book" in path.parts or "pages" in path.parts
        if path.is_file() and path.stat().st_size > 2000 and not packed and path.name != "README.md":
            texts = lines(path, sample)
            for title, job in JOBS.items():
                here, there = (partial(job, texts, **at) for at in ({}, at))
                yield f"{path.relative_to(DATA)} ({len(texts):,} lines)", title, here, there


def of_documents(sample: int, at: dict[str, Any], folder: Path) -> Iterator[Case]:
    """Give linking, indexing, searching, collecting, asking and deciding."""
    for preset in ("kin", "21+31sd"):
        here, there = (partial(_links, preset, at) for at in ({}, at))
        yield "rust_book", f"link {preset}", here, there
    queries = lines(DATA / "bench" / "queries_2k.txt", sample)
    for name in ("books/rust_book", "web/pages", "web/warc"):
        to = [folder / f"{name.replace('/', '-')}-{place}" for place in ("here", "there")]
        yield name, "index", partial(_segments, name, to[0], {}), partial(_segments, name, to[1], at)
        asked = Searching(str(to[1]), "query", SearchOptions(top=5))
        yield name, "search", partial(_hits, to[0], queries), partial(_rows, at, "query", queries, asked)
    model = lw.recognise(DATA / "pairs" / "rte1_dev.xml")
    model.save(folder / "model.json")
    decided = Predicting(str(folder / "model.json"), "left", "right")
    for path in sorted((DATA / "pairs").iterdir()):
        given = reader.read(path, labels=False)
        pairs = list(islice(zip(given.lefts, given.rights, strict=True), sample or None))
        yield path.name, "predict", partial(_scores, model, pairs), partial(_rows, at, "", pairs, decided)
    lw.nuggets(sorted((DATA / "web" / "enwiki").glob("part-*"))[: 1 if sample else None], folder / "n")
    asking = Asking(str(folder / "n"), "question", AskOptions())
    for path in sorted((DATA / "qa").glob("*-q.tsv")):
        questions = [line.split("\t")[-1] for line in lines(path, sample)]
        here, there = partial(_answers, folder / "n", questions), partial(_rows, at, "question", questions, asking)
        yield path.name, "nuggets, ask", here, there


def _links(preset: str, at: dict[str, Any]) -> pa.Table:
    return lw.link(DATA / "books" / "rust_book", preset=preset, **at).to_arrow()


def _rows(at: dict[str, Any], column: str, given: list[Any], asked: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a batch on the engine, without the columns that one machine does not have."""
    rows = [{column: one} if column else {"left": one[0], "right": one[1]} for one in given]
    found = answer(Job(EngineOptions(**at), TableOptions()), rows, asked, None, "rows").to_arrow()
    wanted = ("query", "rank", "id", "score", "text", "date", "sure", "label")  # of a question its place
    return list(zip(*(found.column(name).to_pylist() for name in wanted if name in found.column_names), strict=True))


def _scores(model: Any, pairs: list[tuple[str, str]]) -> list[tuple[Any, ...]]:
    scores = model.scores(*map(list, zip(*pairs, strict=True)))
    return [(place, score, int(score >= model.threshold)) for place, score in enumerate(scores.tolist())]


def _segments(name: str, to: Path, at: dict[str, Any]) -> list[bytes]:
    made = lw.index_paths(DATA / name, to, unit="paragraph", **at)
    return [(to / str(segment.name)).read_bytes() for segment in made.snapshot.segments]


def _hits(index: Path, queries: list[str]) -> list[tuple[Any, ...]]:
    opened = lw.Index.open(index)
    found = ((place, opened.search(query, top=5)) for place, query in enumerate(queries))
    return [(place, hit.rank, hit.id, hit.score, hit.text) for place, hits in found for hit in hits]


def _answers(nuggets: Path, questions: list[str]) -> list[tuple[Any, ...]]:
    opened, found = lw.Nuggets(nuggets), []
    for place, question in enumerate(questions):
        with contextlib.suppress(InputError):
            answers = enumerate(opened.ask(question), 1)
            found += [(rank, place, one.date, one.sure) for rank, one in answers]
    return found


def compared(options: argparse.Namespace, at: dict[str, Any], folder: Path, page: "Page") -> bool:
    """Compare all cases that the page does not have, as long as there is time; return whether that was all.

    The cases of a data set are done together: an index that is searched was built just before.
    """
    started = time.perf_counter()
    every = chain(of_documents(options.sample, at, folder), of_records(options.sample, at))
    for name, cases in groupby(every, key=itemgetter(0)):
        if options.only not in name or page.has(name):
            continue
        if options.minutes and time.perf_counter() - started > 60 * options.minutes:
            return False
        rows = []
        for _, title, here, there in cases:
            times, found = [time.perf_counter()], []
            for job in (here, there):
                found.append(job())
                times.append(time.perf_counter())
            same = found[0].equals(found[1]) if isinstance(found[0], pa.Table) else found[0] == found[1]
            took = " | ".join(f"{end - begin:.1f}" for begin, end in pairwise(times))
            rows.append(f"| {name} | {title} | {len(found[0]):,} | {took} | {'same' if same else DIFFERS} |")
            print(rows[-1], flush=True)
        page.add(rows)
    return True


DIFFERS = "DIFFERS"
HEAD = """# The same rows on every engine

Written by `python -m benchmarks.conformance`: every job on every data set, on an engine and on one machine, compared to
the bit. Lines of every file are records, matched and deduped; books are linked, folders and Web archives indexed and
searched, pairs decided on, questions asked. Seconds are with what starting a run costs, and of a machine that did other
things, too.
"""
TABLE = ["| data | job | rows | one machine, s | engine, s | |", "|---|---|---:|---:|---:|---|"]


class Page:
    """The page of results: the rows of this engine, and the sections of others as they are. Without a path, no page."""

    def __init__(self, path: Path | None, where: str) -> None:
        self.path, self.where = path, where
        text = path.read_text(encoding="utf-8") if path is not None and path.exists() else ""
        sections = {one.split("\n")[0]: one.rstrip() for one in text.split("\n## ")[1:]}
        self.rows = [line for line in sections.pop(where, "").split("\n")[1:] if line.startswith("| ")][1:]
        self.others = sections
        self.whole = False

    def has(self, name: str) -> bool:
        """Whether the cases of a data set are there."""
        return any(row.startswith(f"| {name} |") for row in self.rows)

    def add(self, rows: list[str]) -> None:
        """Take the cases of a data set, and write the page."""
        self.rows += rows
        if self.path is not None:
            more = "" if self.whole else " There are more, which were not run."
            table = "\n".join([self.where, "", f"{self.said()}.{more}", "", *TABLE, *self.rows])
            sections = sorted([*self.others.values(), table])
            self.path.write_text("\n".join([HEAD, *(f"## {section}\n" for section in sections)]), encoding="utf-8")

    @property
    def differ(self) -> int:
        """How many cases differ."""
        return sum(row.endswith(f"{DIFFERS} |") for row in self.rows)

    def said(self) -> str:
        """Return how many cases there are, and how many differ."""
        return f"{len(self.rows)} cases, {self.differ} differ"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=("duckdb", "spark"), default="duckdb")
    parser.add_argument("--master", default="local[2]", help="of Spark")
    parser.add_argument("--sample", type=int, default=1000, help="lines of each file; 0: all")
    parser.add_argument("--only", default="", help="sets whose name has this")
    parser.add_argument("--write", type=Path, help="the page of results, which is gone on with; other engines stay")
    parser.add_argument("--minutes", type=float, default=0, help="begin no other data set after that")
    options = parser.parse_args()
    where = "blocks on disk" if options.engine == "duckdb" else f"Spark, {options.master}"
    page = Page(options.write, f"{where}, {options.sample or 'all'} lines of each file")
    print("\n".join(TABLE))
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        at: dict[str, Any] = {"engine": options.engine}
        if options.engine == "spark":
            at = {"engine": session(options.master, stack)}
        page.whole = compared(options, at, folder, page) and not options.only
        page.add([])
    print(f"\n{page.said()}{'' if page.whole else '; there is more: run it again'}")
    sys.exit(1 if page.differ else 0)


if __name__ == "__main__":
    main()
