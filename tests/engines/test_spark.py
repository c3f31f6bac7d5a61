"""Spark on a real standalone cluster: the same rows as DuckDB, a worker killed, versions that differ, wrong masters."""

import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.conftest import ROOT
from tests.engines.cluster import Cluster
from tests.jobs.mine import corpus

import likewise as lw
from likewise.errors import EngineError, MissingExtraError

pytest.importorskip("pyspark", reason="the spark extra is not installed")
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java 17"),
    pytest.mark.slow,
    pytest.mark.timeout(900),  # starting three Java processes takes a minute on a busy machine
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("cluster"), ROOT / "src")
    try:
        yield made.start()
    finally:
        made.stop()


@pytest.fixture(scope="module")
def session(cluster):
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master(cluster.master)
        .appName("likewise tests")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.memory", "512m")
        .config("spark.executor.memory", "512m")
        .config("spark.executorEnv.PYTHONPATH", str(ROOT / "src"))
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.task.maxFailures", "4")
        .getOrCreate()
    )
    made.sparkContext.pythonExec = sys.executable
    yield made
    made.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return corpus.write(tmp_path_factory.mktemp("corpus") / "texts")


RUNS = [
    {"anchors": "ngram", "context": 3, "support": 4},
    {"anchors": "entity", "context": 1, "support": 3, "max_candidates": 5},
    {"anchors": "relative", "context": 2, "support": 4},
]


@pytest.mark.parametrize("options", RUNS, ids=lambda options: options["anchors"])
def test_same_rows_as_duckdb(session, folder, options):
    here = lw.mine(folder, **options)
    there = lw.mine(folder, engine="spark", session=session, **options)
    assert len(here)
    assert there.to_arrow().to_pylist() == here.to_arrow().to_pylist()
    assert there.report.counts == here.report.counts
    assert there.report.steps == here.report.steps


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


@pytest.mark.parametrize("master", ["spark://127.0.0.1:1", "cluster7", "spark://no-such-host.invalid:7077"])
def test_a_wrong_master_is_an_error_in_words_and_soon(folder, master):
    started = time.perf_counter()
    with pytest.raises(EngineError, match="master"):
        lw.mine(folder, engine="spark", master=master)
    assert time.perf_counter() - started < 15


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
