"""What only Spark can get wrong: runs shared with DuckDB, versions that differ, wrong masters, a worker killed."""

import os
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest

import likewise as lw
from likewise.errors import EngineError, MissingExtraError

pytest.importorskip("pyspark", reason="the spark extra is not installed")
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java 17"),
    pytest.mark.slow,
    pytest.mark.timeout(900),  # starting three Java processes takes a minute on a busy machine
]


def test_a_run_begun_by_one_engine_is_finished_by_the_other(session, folder, tmp_path):
    from likewise.jobs.mine.options import MineOptions, RunOptions
    from likewise.jobs.mine.run import run
    from likewise.read import ReadOptions

    straight, mixed = tmp_path / "a.parquet", tmp_path / "b.parquet"
    lw.mine(folder, output=straight, support=3)
    options = MineOptions(support=3)
    run(folder, mixed, options, RunOptions(engine="spark", stop_after="rows"), ReadOptions(), session)
    lw.mine(folder, output=mixed, support=3)
    assert straight.read_bytes() == mixed.read_bytes()


def test_workers_without_the_same_likewise_are_refused_in_words(session, folder, monkeypatch):
    from likewise.engines import spark

    monkeypatch.setattr(spark, "version", lambda: "Likewise 0.0.0 (another)")
    with pytest.raises(EngineError, match=r"worker has Likewise .* this process has Likewise 0\.0\.0"):
        lw.mine(folder, engine="spark", session=session)


# What Python runs when it starts, in workers that have no Likewise.
WITHOUT = """
import sys
class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "likewise":
            raise ModuleNotFoundError(f"No module named {name!r}")
sys.meta_path.insert(0, Without())
"""


def test_workers_without_likewise_are_refused_in_words(session, monkeypatch, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    monkeypatch.setitem(session.sparkContext.environment, "PYTHONPATH", str(tmp_path))
    with pytest.raises(EngineError, match=r"worker has no Likewise \(No module named 'likewise'\), this process has"):
        lw.match(["Ada"], top=1, engine=session, work=str(tmp_path / "w"))
    assert not list((tmp_path / "w" / "left").iterdir())


def test_workers_without_that_python_are_refused_in_words(session, monkeypatch, tmp_path):
    monkeypatch.setattr(session.sparkContext, "pythonExec", "/no/such/python")
    with pytest.raises(EngineError, match=r"cannot run Python on its workers: .*/no/such/python.*PYSPARK_PYTHON names"):
        lw.match(["Ada"], top=1, engine=session, work=str(tmp_path / "w"))


def test_a_larger_cluster_goes_on_with_the_strips_of_a_smaller_one(session, monkeypatch, tmp_path):
    """What is there was cut for fewer: cut anew, records would be there twice."""
    from likewise.engines.spark import Spark

    names = [f"{first} {last}" for first in ("Ada", "Eda", "Ida", "Uda") for last in ("Hill", "Hall", "Hull", "Held")]
    at = {"engine": session, "work": str(tmp_path / "w"), "top": 1}
    found = lw.match(names, **at).to_arrow()
    made = sorted((tmp_path / "w" / "pairs").glob("*.parquet"))
    made[1].unlink()
    begin = Spark.__init__

    def larger(self, *given, **named):
        begin(self, *given, **named)
        self.places *= 2

    monkeypatch.setattr(Spark, "__init__", larger)
    assert lw.match(names, **at).to_arrow().equals(found)
    assert sorted((tmp_path / "w" / "pairs").glob("*.parquet")) == made


def test_no_join_sends_a_table_through_the_driver(session, tmp_path):
    """Else the driver's memory would bound the input (benchmarks/mining_spark.py runs with more text than it has)."""
    from likewise.engines.spark import Spark

    engine = Spark(tmp_path, session=session)
    for name in ("one", "two"):
        engine.create(name, "SELECT id AS n FROM range(9)")
    joined = engine.session.sql("SELECT one.n FROM one JOIN two ON one.n = two.n")
    plan = joined._jdf.queryExecution().toString()
    assert "Join" in plan
    assert "Broadcast" not in plan
    assert joined.count() == 9


@pytest.mark.parametrize("master", ["spark://127.0.0.1:1", "cluster7", "spark://no-such-host.invalid:7077"])
def test_a_wrong_master_is_an_error_in_words(folder, master):
    with pytest.raises(EngineError, match="master"):
        lw.mine(folder, engine="spark", master=master)


def test_without_pyspark_the_pip_line_is_said(folder, monkeypatch):
    import builtins

    real = builtins.__import__

    def without(name, *rest):
        if name.startswith("pyspark"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"pip install 'likewise\[spark\]'"):
        lw.mine(folder, engine="spark", master="local[1]")


def test_a_worker_killed_in_the_middle_changes_nothing(cluster, session, folder, tmp_path):
    """Last, for it takes a worker away: its executor dies with it, and Spark runs its tasks again elsewhere."""
    here = lw.mine(folder, support=3)
    out = tmp_path / "pp.parquet"
    stage = Path(f"{out}.work") / "sentences"

    def kill():
        deadline = time.monotonic() + 30
        while not list(stage.glob("*.json")) and time.monotonic() < deadline:
            time.sleep(0.01)
        os.killpg(cluster.workers[0].pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    there = lw.mine(folder, output=out, support=3, engine="spark", session=session)
    killer.join()
    assert cluster.workers[0].poll() is not None
    assert there.to_arrow().to_pylist() == here.to_arrow().to_pylist()
