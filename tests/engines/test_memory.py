"""What a batch of queries takes, in a process of its own: hits are written as they are found."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likewise import Index, index_paths
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
found = answer(Job(EngineOptions(memory="256MB"), TableOptions(), 2), queries, wanted, "id", "search")
found.write(f"{folder}/hits-{count}.parquet")
print(peak_memory())
"""


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
    assert peaks[1] - peaks[0] < 200 << 20
    alone = index.search("common word7", top=500)
    of_one = hits.filter(pa.compute.equal(hits["query"], "q7"))
    assert of_one["id"].to_pylist() == [hit.id for hit in alone]
    assert of_one["score"].to_pylist() == [hit.score for hit in alone]


def test_words_that_do_not_fit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The words of an index are in memory while it is built, however small its blocks are.
    path = tmp_path / "texts.csv"
    path.write_text("text\n" + "".join(f"word{n} word{n % 7}\n" for n in range(300)))
    assert len(index_paths(path, tmp_path / "small", memory="256MB")) == 300
    monkeypatch.setattr(statistics, "_WORD", 1 << 20)
    with pytest.raises(
        OptionError, match=r"the 300 different words .* take about \d+ MB, memory is 256MB: give it more"
    ):
        index_paths(path, tmp_path / "large", memory="256MB")
    assert not (tmp_path / "large").exists()
