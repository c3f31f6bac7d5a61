"""An index of very many different words within a bound of memory, and what opening it takes.

    python -m benchmarks.many_words FILE.parquet [--megabytes 120] [--every 10] [--memory 512MB] [--write FILE]

Texts are those of a Parquet file, such as ``benchmarks.source_text`` makes: every tenth until there are so many
megabytes. Of their words of five to twelve letters every fourth gets six letters of its own, so that there are more
than ten times as many different words as in real text of that size. Once each.
"""

import argparse
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.measuring import give_page, measure

_WORD = re.compile(r"[A-Za-z]{5,12}\b")
_LETTERS, _OWN, _STEP = "abcdefghijklmnopqrstuvwxyz", 6, 2_654_435_761


class Changed:
    """Texts of which every fourth longer word gets letters of its own."""

    def __init__(self) -> None:
        self.seen = 0

    def __call__(self, found: re.Match[str]) -> str:
        self.seen += 1
        if self.seen % 4:
            return found[0]
        number, own = self.seen // 4 * _STEP % len(_LETTERS) ** _OWN, ""
        for _ in range(_OWN):
            own += _LETTERS[number % len(_LETTERS)]
            number //= len(_LETTERS)
        return found[0] + own


def make(texts: str, target: str, megabytes: float, every: int) -> tuple[int, float]:
    """Write the texts; return how many there are, and their megabytes."""
    changed, count, size, place = Changed(), 0, 0.0, 0
    schema = pa.schema([("id", pa.int64()), ("text", pa.string())])
    with pq.ParquetFile(texts) as file, pq.ParquetWriter(target, schema, compression="zstd") as writer:
        for batch in file.iter_batches(4096, columns=["text"]):
            some = [text for row, text in enumerate(batch.column(0).to_pylist(), place) if row % every == 0]
            place += len(batch)
            made = [_WORD.sub(changed, text) for text in some]
            writer.write_table(pa.table({"id": range(count, count + len(made)), "text": made}, schema=schema))
            count, size = count + len(made), size + sum(map(len, made)) / 1e6
            if size >= megabytes:
                break
    return count, size


def indexed(path: str, target: str, memory: str) -> Iterator[dict[str, int] | None]:
    """Yield how many different words an index has that is built within a bound, and its segments."""
    from likewise.jobs.index_paths import index_paths

    yield None
    index = index_paths(path, target, memory=memory, work=f"{target}.work", id="id", text_column="text")
    yield {"words": len(index.measure.analyser), "segments": len(index.snapshot.segments)}


def opened(target: str) -> Iterator[dict[str, int] | None]:
    """Yield the megabytes that an open index takes besides mapped files, and once it was searched."""
    from likewise import Index
    from likewise.measure import BM25

    BM25().fit(["fish"]).score("red fish", "blue fish")  # what is loaded when it is first asked for
    before = _held()
    yield None
    index = Index.open(target)
    at_open = _held() - before
    found = index.search("linux kernel memory allocation", top=5)
    yield {"MB": round(at_open), "MB once searched": round(_held() - before), "hits": len(found)}


def _held() -> float:
    from likewise.platform import release_memory

    release_memory()
    return int(Path("/proc/self/status").read_text().split("RssAnon:")[1].split()[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", help="Parquet file with a column text")
    parser.add_argument("--megabytes", type=int, default=120)
    parser.add_argument("--every", type=int, default=10, help="take every so many-th text")
    parser.add_argument("--memory", default="512MB")
    parser.add_argument("--write", help="file for the page")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        path, target = f"{temporary}/texts.parquet", f"{temporary}/index"
        count, size = make(given.texts, path, given.megabytes, given.every)
        cases: list[tuple[Any, tuple[Any, ...], str]] = [
            (indexed, (path, target, given.memory), f"index, memory={given.memory}"),
            (opened, (target,), "open and search"),
        ]
        out = [
            f"# Many words: an index within {given.memory}",
            f"\n{count:,} documents of source packages, {size:,.0f} MB, of whose longer words every fourth was made "
            "another; once each. MB of what was found are those besides mapped files.\n",
            "| | CPU s | wall s | peak MB | found |\n|---|---:|---:|---:|---|",
        ]
        for case, arguments, name in cases:
            found = measure(case, *arguments, name=name, repeat=1)
            said = ", ".join(f"{what} {value:,}" for what, value in found.answer.items())
            out.append(f"| {found.name} | {found.cpu:.1f} | {found.wall:.1f} | {found.memory:.0f} | {said} |")
        shutil.rmtree(f"{target}.work", ignore_errors=True)
        give_page(out, given.write)


if __name__ == "__main__":
    main()
