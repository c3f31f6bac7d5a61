"""What a batch of queries takes, in a process of its own: hits are written as they are found."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likewise import Index, index_paths
from likewise.engines.options import EngineOptions
from likewise.errors import OptionError
from likewise.jobs.distributed import statistics

_TEXTS, _LENGTH, _QUERIES = 600, 8_000, 120
# Twice: with hits of a few queries, and with all. What the process takes besides is there both times.
_SEARCH = """
import sys
from likewise.engines.options import EngineOptions
from likewise.index.search import SearchOptions
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.rows import Searching, answer
from likewise.platform import peak_memory
from likewise.read.options import TableOptions

folder, count = sys.argv[1], int(sys.argv[2])
queries = [{"id": f"q{n}", "query": f"common word{n}"} for n in range(count)]
wanted = Searching(folder + "/index", "query", SearchOptions(top=500))
found = answer(Job(EngineOptions(memory="512MB"), TableOptions(), 2), queries, wanted, "id", "search")
found.write(f"{folder}/hits-{count}.parquet")
print(peak_memory())
"""
# Of a file with one large row group a few rows in the middle; what Arrow held at the most.
_BLOCK = """
import sys
import pyarrow as pa
from likewise.jobs.distributed.blocks import Block

records = Block(0, 6_000, ((sys.argv[1], 6_000, 6_200),)).read(["text"], None, "left", {})
assert [text[:8] for text in records.table["text"].to_pylist()] == [f"{n:08d}" for n in range(6_000, 6_200)]
print(pa.default_memory_pool().max_memory())
"""

# Heaps that the C library has before and after four threads wanted memory at the same time.
_HEAPS = """
import ctypes
import sys
import threading
from pathlib import Path

from likewise.engines.options import EngineOptions
from likewise.engines.start import start


def heaps() -> int:
    path = Path(sys.argv[1]) / "heaps.xml"
    library.malloc_info(0, file := library.fopen(str(path).encode(), b"w"))
    library.fclose(file)
    return path.read_text().count("<heap nr=")


def work() -> None:
    together.wait()
    held = [bytearray(5_000) for _ in range(100)]
    together.wait()


library = ctypes.CDLL(None)
library.fopen.restype = ctypes.c_void_p
library.malloc_info.argtypes, library.fclose.argtypes = [ctypes.c_int, ctypes.c_void_p], [ctypes.c_void_p]
engine = start(EngineOptions(memory="512MB"), None, Path(sys.argv[1]), 2)
before, together = heaps(), threading.Barrier(4)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(before, heaps())
"""


_WORDS = 600_000
# An index of many different words, made and opened; what the words and their counts take of it.
_MANY_WORDS = """
import sys
from pathlib import Path

from likewise import Index, index_paths
from likewise.measure import BM25
from likewise.platform import peak_memory, release_memory

folder, words = Path(sys.argv[1]), int(sys.argv[2])


def held():
    release_memory()
    status = Path("/proc/self/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0]) << 10  # without mapped files


if sys.argv[3] == "build":
    found = index_paths(folder / "texts.parquet", folder / "index", measure="bm25", memory="512MB")
    print(len(found.measure.analyser), peak_memory())
else:
    BM25().fit(["fish"]).score("red fish", "blue fish")  # what is loaded when it is first asked for
    before = held()
    index = Index.open(folder / "index")
    # What an allocator keeps of pages that are partly free is some megabytes, however many words there are.
    print(len(index.measure.analyser), (held() - before - (4 << 20)) // words)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not tell the memory of the moment")
def test_words_of_an_index_take_few_bytes(tmp_path: Path) -> None:
    # They were lists of Python, some at a time: 450 bytes were reserved for a word, and these were refused.
    words = [f"word{number * 2654435761 % 4_294_967_291:x}" for number in range(_WORDS)]
    texts = [" ".join(words[first : first + 300]) for first in range(0, _WORDS, 300)]
    pq.write_table(pa.table({"text": texts}), tmp_path / "texts.parquet")

    def told(what: str) -> list[int]:
        command = [sys.executable, "-c", _MANY_WORDS, str(tmp_path), str(_WORDS), what]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return [int(value) for value in done.stdout.split()]

    terms, peak = told("build")
    assert terms == _WORDS
    assert peak <= 512 << 20
    terms, each = told("open")
    assert terms == _WORDS
    assert each <= statistics._WORD


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other C libraries have other heaps")
def test_threads_have_one_heap(tmp_path: Path) -> None:
    # Of heaps of their own little was given back: 400 MB of text within 512 MB took 455, now 384.
    command = [sys.executable, "-c", _HEAPS, str(tmp_path)]
    before, after = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert before == after


def test_less_memory_than_an_engine_needs_is_refused() -> None:
    with pytest.raises(OptionError, match="memory must be 512MB or more, not '500MB'"):
        EngineOptions(memory="500MB")
    with pytest.raises(OptionError, match="memory must be 256MB or more, not '200MB'"):
        EngineOptions(engine="spark", memory="200MB")


def test_rows_before_a_block_are_not_held(tmp_path: Path) -> None:
    # Batches of 4,096 long texts, and all pages of their column: 34 MB for each thread that writes clusters.
    texts = [f"{n:08d}" * 500 for n in range(10_000)]
    pq.write_table(pa.table({"text": texts}), tmp_path / "texts.parquet", row_group_size=len(texts))
    command = [sys.executable, "-c", _BLOCK, str(tmp_path / "texts.parquet")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 24 << 20  # 16: a batch of 200 rows, and pages of the file


@pytest.mark.skipif(sys.platform == "win32", reason="does not tell the memory of a process")
def test_hits_of_many_queries_are_not_held(tmp_path: Path) -> None:
    # All hits of a block of queries were held, as objects, and all rows of the result while it was written.
    texts = [f"common word{n % _QUERIES} " + f"{n} " * (_LENGTH // len(f"{n} ")) for n in range(_TEXTS)]
    index = Index.build(texts, path=tmp_path / "index")
    peaks = []
    for count in (1, _QUERIES):
        done = subprocess.run(
            [sys.executable, "-c", _SEARCH, str(tmp_path), str(count)], capture_output=True, text=True, check=True
        )
        peaks.append(int(done.stdout))
    hits = pq.read_table(tmp_path / f"hits-{_QUERIES}.parquet")
    assert hits.num_rows == _QUERIES * 500
    assert hits.nbytes > 400 << 20
    # What was given; and two tasks hold some rows at a time, as values, as columns and as pages of their files.
    assert peaks[1] <= 512 << 20
    assert peaks[1] - peaks[0] < hits.nbytes * 3 // 4
    alone = index.search("common word7", top=500)
    of_one = hits.filter(pa.compute.equal(hits["query"], "q7"))
    assert of_one["id"].to_pylist() == [hit.id for hit in alone]
    assert of_one["score"].to_pylist() == [hit.score for hit in alone]


def test_words_that_do_not_fit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The words of an index are in memory while it is built, however small its blocks are.
    path = tmp_path / "texts.csv"
    path.write_text("text\n" + "".join(f"word{n} word{n % 7}\n" for n in range(300)))
    assert len(index_paths(path, tmp_path / "small", memory="512MB")) == 300
    monkeypatch.setattr(statistics, "_WORD", 1 << 20)
    with pytest.raises(
        OptionError, match=r"the 300 different words .* take about \d+ MB, memory is 512MB: give it more"
    ):
        index_paths(path, tmp_path / "large", memory="512MB")
    assert not (tmp_path / "large").exists()
