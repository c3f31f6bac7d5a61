"""DataFrames on a real cluster of two workers: the rows of one machine, also when an executor dies in the middle."""

import errno
import os
import shutil
import signal
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scripts.notebooks import FOLDER, differences
from tests.engines.test_distributed import LEFT, RIGHT
from tests.engines.test_distributed_decisions import one_table

import likewise as lw
from likewise.errors import ColumnError, EngineError, FormatError, InputError, OptionError, StorageError
from likewise.jobs.distributed import strips as strips_of_pairs
from likewise.jobs.distributed.pairs import PairTask

pytest.importorskip("pyspark", reason="the spark extra is not installed")
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java 17"),
    pytest.mark.slow,
    pytest.mark.timeout(900),
]

SCHEMA = "key string, name string"
LEFTS = [(f"l{place}", text) for place, text in enumerate(LEFT[:120])]
RIGHTS = [(f"r{place}", text) for place, text in enumerate(RIGHT[:90])]


def records(rows):
    return [{"key": key, "name": name} for key, name in rows]


@pytest.fixture(scope="module")
def frames(session):
    return session.createDataFrame(LEFTS, SCHEMA), session.createDataFrame(RIGHTS, SCHEMA)


class Dying(PairTask):
    """The first task of all takes its executor with it."""

    __slots__ = ()

    def shard(self, state, shard):
        try:
            with open(self.folder / "died", "x"):
                pass
        except FileExistsError:
            return PairTask.shard(self, state, shard)
        daemon = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1]
        os.kill(int(daemon), signal.SIGKILL)
        time.sleep(60)  # ended with the executor
        return {}


class Full(PairTask):
    """A disk that is full for the first strip of all, in the middle of its file."""

    __slots__ = ()

    def shard(self, state, shard):
        if shard.number == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return PairTask.shard(self, state, shard)


def test_match_gives_the_rows_of_one_machine_though_an_executor_dies(frames, tmp_path, monkeypatch):
    from likewise.spark import match

    left, right = frames
    monkeypatch.setattr(strips_of_pairs, "PairTask", Dying)
    left = left.selectExpr("*", "NULL AS note")  # which no file of Parquet can hold
    found = match(left, right, on="name", id="key", top=2, work=str(tmp_path / "work"))
    here = lw.match(records(LEFTS), records(RIGHTS), on="name", id="key", top=2).to_arrow()
    order = [("left", "ascending"), ("rank", "ascending")]
    assert found.toArrow().sort_by(order).to_pylist() == here.sort_by(order).to_pylist()
    assert (tmp_path / "work" / "pairs" / "died").exists()
    # A second run goes on from what is there: no task of the first is done again.
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "work" / "pairs").glob("*.parquet")}
    assert match(left, right, on="name", id="key", top=2, work=str(tmp_path / "work")).count() == here.num_rows
    assert made == {path: path.stat().st_mtime_ns for path in (tmp_path / "work" / "pairs").glob("*.parquet")}
    with pytest.raises(StorageError, match="other input or options"):
        match(right, left, on="name", id="key", top=2, work=str(tmp_path / "work"))


def test_dedupe_gives_the_tables_of_one_machine(frames):
    found = lw.dedupe(frames[0], on="name", id="key")
    here = lw.dedupe(records(LEFTS), on="name", id="key")
    for name in ("table", "canonical", "pairs", "review"):
        assert getattr(found, name).to_pylist() == getattr(here, name).to_pylist()
    assert found.threshold.to_json() == here.threshold.to_json()
    assert found.to_spark(frames[0].sparkSession).columns == here.table.column_names
    assert [stage.name for stage in found.report.stages] == [
        "keep",
        "learn",
        "kinds",
        "sample",
        "near",
        "pairs",
        "clusters",
    ]


def test_an_index_is_searched_by_the_executors(frames, tmp_path):
    from likewise.spark import search

    index = lw.Index.build(RIGHT, path=tmp_path / "index")
    # Not limit(9): Spark may take any nine.
    queries = frames[0].where(frames[0]["key"].isin([key for key, _ in LEFTS[:9]]))
    found = search(tmp_path / "index", queries, on="name", id="key", top=2).toArrow().to_pylist()
    here = [(key, hit.id, hit.score) for key, name in LEFTS[:9] if name for hit in index.search(name, top=2)]
    assert sorted((row["query"], row["id"], row["score"]) for row in found) == sorted(here)


def test_the_notebook_prints_what_it_shows(session):
    assert differences(FOLDER / "spark.ipynb") == []


def test_links_are_those_of_one_machine(session):
    from likewise.spark import link

    texts = {f"d{place}": f"{LEFT[place]} {other}. {other} {LEFT[place]} again." for place, other in enumerate(RIGHT)}
    named = {"language": "english", "min_terms": 2, "boilerplate": False, "preset": "21", "n": 20}
    found = link(session.createDataFrame(list(texts.items()), "id string, text string"), **named).toArrow()
    here = lw.link(texts, **named).to_arrow()
    assert found.select(["left", "right", "score", "rank", "terms"]).to_pylist() == (
        here.select(["left", "right", "score", "rank", "terms"]).to_pylist()
    )
    assert len(here)


def test_a_full_disk_of_a_worker_is_told_and_the_run_goes_on_when_there_is_room(frames, tmp_path):
    left, right = frames
    named = {"on": "name", "id": "key", "top": 1, "work": str(tmp_path / "work")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strips_of_pairs, "PairTask", Full)
        with pytest.raises(EngineError, match=r"No space left on device; what is finished stays in .*work"):
            lw.match(left, right, **named)
    here = lw.match(records(LEFTS), records(RIGHTS), on="name", id="key", top=1)
    assert lw.match(left, right, **named).to_arrow().to_pylist() == here.to_arrow().to_pylist()


def test_tables_that_do_not_go_together_are_refused_in_words(frames, tmp_path):
    session = frames[0].sparkSession
    for place, born in enumerate(([1815], ["1906"])):
        pq.write_table(pa.table({"name": ["Ada"], "born": born}), tmp_path / f"{place}.parquet")
    with pytest.raises(FormatError, match=r"1\.parquet does not go with .*0\.parquet: column 'born' holds string"):
        lw.match(tmp_path, on="name", top=1, engine=session)
    missing = session.createDataFrame([("a", None), (None, "Ada"), ("b", "Ada")], SCHEMA)
    with pytest.raises(InputError, match="a row has no id in column 'key'"):
        lw.dedupe(missing, on="name", id="key", min_score=0.5)
    found = lw.match(missing, on="name", top=1)
    assert [(pair.left, pair.right) for pair in found] == [(1, 2), (2, 1)]


def test_a_model_decides_in_tasks_and_what_labels_teach_is_learnt_by_the_driver(frames, tmp_path):
    from likewise.spark import dedupe, match

    session, named = frames[0].sparkSession, {"on": "name", "id": "key"}
    rows = [(f"m{place}", name and name[:-1]) for place, (_, name) in enumerate(LEFTS)]
    two, both = (frames[0], session.createDataFrame(rows, SCHEMA)), (records(LEFTS), records(rows))
    here = lw.match(*both, **named)
    assert match(*two, **named).toArrow().to_pylist() == here.to_arrow().to_pylist()
    here.model.save(tmp_path / "model.json")
    again = match(*two, **named, model=tmp_path / "model.json", one_to_one=True)
    expected = lw.match(*both, **named, model=here.model, one_to_one=True)
    assert again.toArrow().to_pylist() == expected.to_arrow().to_pylist()
    table = [{"key": f"p{place}", **row} for place, row in enumerate(one_table(30))]
    frame = session.createDataFrame(pa.Table.from_pylist(table))
    found, here = dedupe(frame, id="key"), lw.dedupe(table, id="key")
    for name in ("table", "canonical", "pairs", "review", "evidence"):
        made = sorted(getattr(found, name).toArrow().to_pylist(), key=repr)
        assert made == sorted(getattr(here, name).to_pylist(), key=repr), name
    labels = [(f"l{place}", f"l{place + 1}", False) for place in range(9)] + [("l20", "l21", True)]
    found, here = dedupe(frames[0], **named, labels=labels), lw.dedupe(both[0], **named, labels=labels)
    assert found.table.toArrow().to_pylist() == here.table.to_pylist()
    assert found.clusters == len(here)


def test_what_cannot_work_is_refused_in_words(frames, tmp_path, monkeypatch):
    left, right = frames
    with pytest.raises(ColumnError, match="left has no column 'nmae'"):
        lw.match(left, right, on="nmae", top=1)
    with pytest.raises(ColumnError, match="left has column 'name' twice: rename or drop one"):
        lw.match(left.withColumn("text", left["name"]).toDF("key", "name", "Name"), right, on="name", top=1)
    many = left.crossJoin(left.sparkSession.range(5000)).toDF("key", "name", "other")
    with pytest.raises(OptionError, match="memory is 512MB"):
        lw.match(many, on="name", clean=str.lower, memory="512MB")
    with pytest.raises(InputError, match="id 'l1' in column 'key' is there 2 times"):
        lw.match(left.unionAll(left.where("key = 'l1'")), right, on="name", id="key", top=1)
    # A path that leads every process elsewhere: to the folder that it runs in.
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EngineError, match="does not see the work folder /proc/self/cwd/here"):
        lw.match(left, right, on="name", top=1, work="/proc/self/cwd/here")
    assert not list((tmp_path / "here" / "left").iterdir())


def test_columns_of_any_name_and_type_are_brought_along(frames, tmp_path):
    """Dots and backticks in names, times, maps within structs: nothing of them is compared, and nothing is lost."""
    from likewise.spark import dedupe

    kept = "name AS `full.name`", "name AS `tick``s`", "map('a', 1) AS m", "named_struct('m', map('a', 1)) AS deep"
    frame = frames[0].selectExpr("key", *kept, "timestamp_seconds(1e9) AS seen", "CAST(1 AS decimal(9, 2)) AS paid")
    named = {"on": "full.name", "id": "key", "min_score": 0.8}
    found, here = dedupe(frame, **named, work=str(tmp_path / "work")), lw.dedupe(frame.toArrow(), **named)
    for name in ("table", "canonical"):
        made = sorted(getattr(found, name).toArrow().to_pylist(), key=repr)
        assert made == sorted(getattr(here, name).to_pylist(), key=repr), name
    assert {"full.name", "seen", "deep"} <= set(found.merged.columns)
    # As pandas writes times, Spark has no type for them.
    table = pa.table({"key": range(120), "full.name": [name for _, name in LEFTS]})
    table = table.append_column("seen", pa.array([0] * 120, pa.timestamp("ns")))
    pq.write_table(table, tmp_path / "times.parquet")
    found, here = (lw.dedupe(tmp_path / "times.parquet", **named, **at) for at in ({"engine": frame.sparkSession}, {}))
    assert found.canonical.equals(here.canonical)
    with pytest.raises(InputError, match="column 'seen' holds times in nanoseconds"):
        found.parts["canonical"].to_spark(frame.sparkSession)


class Remote:
    """What tells a DataFrame of Spark Connect from others."""

    __module__ = "pyspark.sql.connect.dataframe"
    sparkSession = schema = None  # noqa: N815 - as Spark has it


def test_frames_without_an_end_columns_or_tasks_are_refused_in_words(session):
    from likewise.spark import dedupe, match

    stream = session.readStream.format("rate").load().selectExpr("value AS key", "CAST(value AS string) AS name")
    with pytest.raises(InputError, match="left is a stream, which has no end"):
        match(stream, on="name", top=1)
    with pytest.raises(ColumnError, match="table has no columns"):
        dedupe(session.range(3).select())
    with pytest.raises(InputError, match="left is of a Spark Connect session"):
        match(Remote(), on="name", top=1)


def test_executors_merge_and_join_as_one_machine_and_no_rows_are_explained(frames):
    from likewise.spark import dedupe, match

    session = frames[0].sparkSession
    table = [{"key": f"p{place}", **row} for place, row in enumerate(one_table(30))]
    frame = session.createDataFrame(pa.Table.from_pylist(table))
    named = {"id": "key", "survivor": {"name": "longest", "town": "newest"}, "newest_by": "born"}
    merged = dedupe(frame, **named).merged.toArrow()
    assert sorted(merged.to_pylist(), key=repr) == sorted(lw.dedupe(table, **named).merged.to_pylist(), key=repr)
    named = {"on": "name", "id": "key", "top": 1, "columns": ["town"]}
    assert lw.match(frame, **named).join().to_arrow().equals(lw.match(table, **named).join().to_arrow())
    with pytest.raises(InputError, match="name the columns to join in match"):
        lw.match(frame, on="name", id="key", top=1).join()
    # A town tells nobody apart: what a result says of that, a DataFrame cannot.
    here = lw.match(table, on="town", id="key", one_to_one=True)
    with pytest.warns(UserWarning, match="nothing stands out"):
        found = match(frame, on="town", id="key", one_to_one=True)
    assert found.count() == len(here) == 0
