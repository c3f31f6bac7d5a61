"""One suite for every engine: its verbs, and mining with the pairs and counts of the slow twin, row for row alike."""

import functools
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.reference import paraphrases as twin

import likewise as lw
from likewise.analyse.tagger import model
from likewise.engines.duckdb import DuckDB
from likewise.errors import EngineError
from likewise.jobs.mine.options import MineOptions, RunOptions
from likewise.jobs.mine.run import run
from likewise.jobs.mine.stages import read_sentences
from likewise.jobs.shards import plan
from likewise.read import ReadOptions

ENGINES = [
    "duckdb, 1 thread",
    "duckdb, 2 threads, 1 GB",
    pytest.param("spark", marks=[pytest.mark.slow, pytest.mark.timeout(900)]),
]
RUNS = [
    {"anchors": "ngram", "context": 3, "support": 4},
    {"anchors": "entity", "context": 1, "support": 3},
    {"anchors": "relative", "context": 2, "support": 4},
]


@pytest.fixture(params=ENGINES)
def settings(request):
    """What to tell ``mine`` so that it runs on the engine at hand."""
    if request.param == "spark":
        return {"engine": "spark", "session": request.getfixturevalue("session")}
    return {"threads": 1} if "1 thread" in request.param else {"threads": 2, "memory": "1GB"}


@pytest.fixture(params=ENGINES)
def engine(request, tmp_path):
    if request.param == "spark":
        from likewise.engines.spark import Spark

        made = Spark(tmp_path, session=request.getfixturevalue("session"))
    else:
        made = DuckDB(256 << 20, 1 if "1 thread" in request.param else 2, tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="session")
def expected(folder, tmp_path_factory):
    """The twin's pairs for a run; the sentences are read once."""
    work = tmp_path_factory.mktemp("sentences")
    running = RunOptions(stop_after="sentences", work=str(work / "w"))
    run(folder, work / "x.parquet", MineOptions(anchors="entity"), running, ReadOptions())
    names = model().tags
    sentences = [
        [(token, names[tag]) for token, tag in zip(tokens, tags, strict=True)]
        for shard in plan(folder)
        for batch in read_sentences(work / "w" / "sentences", shard)
        for tokens, tags in zip(batch.column("tokens").to_pylist(), batch.column("tags").to_pylist(), strict=True)
    ]

    @functools.cache
    def pairs(anchors, context, support):
        return twin.pairs(sentences, support, anchors=anchors, context=context)

    return pairs


@pytest.fixture(scope="session")
def tables():
    """Tables of the engines so far, to compare with each other."""
    return {}


@pytest.mark.parametrize("options", RUNS, ids=lambda options: options["anchors"])
def test_mines_the_pairs_of_the_twin_and_the_rows_of_the_other_engines(settings, folder, expected, tables, options):
    found = lw.mine(folder, **options, **settings)
    pairs = {(pair.phrase, pair.paraphrase): (pair.support, pair.anchors) for pair in found}
    assert pairs == expected(**options)
    assert pairs
    # How many rows are left out early depends on the engine; what comes of them does not.
    counts = {name: count for name, count in found.report.counts.items() if name != "rows"}
    steps = [step for step in found.report.steps if not step[0].startswith("rows_")]
    rows = (found.to_arrow().to_pylist(), counts, steps)
    assert rows == tables.setdefault(options["anchors"], rows)


def test_tables_are_made_read_counted_and_dropped(engine, tmp_path):
    pq.write_table(pa.table({"n": [1, 2, 3], "word": ["b", "a", "é"]}), tmp_path / "one.parquet")
    pq.write_table(pa.table({"n": [4], "word": ["B"]}), tmp_path / "two.parquet")
    engine.load("words", [tmp_path / "one.parquet", tmp_path / "two.parquet"])
    assert engine.create("numbered", "SELECT word, ROW_NUMBER() OVER (ORDER BY word) AS place FROM words") == 4
    rows = engine.fetch("SELECT word, place FROM numbered ORDER BY place").to_pylist()
    # Strings are compared byte by byte on every engine.
    assert [row["word"] for row in rows] == ["B", "a", "b", "é"]
    assert engine.create("none", "SELECT word FROM words WHERE n > 9") == 0
    assert engine.fetch("SELECT COUNT(*) AS c FROM none").to_pylist() == [{"c": 0}]
    engine.drop("numbered")
    with pytest.raises(EngineError):
        engine.fetch("SELECT * FROM numbered")


@dataclass(frozen=True)
class Square:
    """A task that writes nothing and counts what it was given."""

    def begin(self):
        return {"seen": 0}

    def shard(self, state, shard):
        return {"square": shard * shard}

    def end(self, state, place):
        pass


def test_shards_come_back_in_order(engine):
    told = []
    assert engine.map(Square(), list(range(7)), told.append) == [{"square": n * n} for n in range(7)]
    assert told[-1] == 7
    assert engine.map(Square(), [], told.append) == []


@dataclass(frozen=True)
class Broken(Square):
    def shard(self, state, shard):
        raise ValueError("the third shard is bad")


def test_an_error_in_a_task_is_heard(engine):
    with pytest.raises((ValueError, EngineError), match="the third shard is bad"):
        engine.map(Broken(), [1, 2], lambda done: None)
