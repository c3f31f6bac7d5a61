"""The cluster that all tests of this folder share, started for the first that asks and stopped at the end."""

import shutil
import sys

import pytest
from tests.conftest import ROOT
from tests.engines.cluster import QUICK_START, Cluster
from tests.jobs.mine import corpus


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    pytest.importorskip("pyspark", reason="the spark extra is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17")
    made = Cluster(tmp_path_factory.mktemp("cluster"), f"{ROOT / 'src'}:{ROOT}")
    try:
        yield made.start()
    finally:
        made.stop()


@pytest.fixture(scope="session")
def session(cluster):
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master(cluster.master)
        .appName("likewise tests")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.memory", "512m")
        .config("spark.executor.memory", "512m")
        .config("spark.executorEnv.PYTHONPATH", f"{ROOT / 'src'}:{ROOT}")
        .config("spark.ui.enabled", "false")
        # Small tables: compiling queries and optimising the compiled code costs more than running them.
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.driver.extraJavaOptions", QUICK_START)
        .config("spark.executor.extraJavaOptions", QUICK_START)
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.task.maxFailures", "4")
        .getOrCreate()
    )
    made.sparkContext.pythonExec = sys.executable
    yield made
    made.stop()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return corpus.write(tmp_path_factory.mktemp("corpus") / "texts")
