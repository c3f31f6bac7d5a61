"""A session of Spark for benchmarks: on a master that is there, or on workers that are started here and end with it."""

import os
import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any


def session(master: str, stack: ExitStack, workers: int = 2) -> Any:
    """Return a session on a master, or on a ``cluster`` of workers with a core each, which ends with the stack."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    if master == "cluster":
        from tests.engines.cluster import Cluster

        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster: Any = Cluster(folder, ":".join(sys.path[1:]))
        stack.callback(cluster.stop)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # who ends this process ends the cluster
        master = cluster.start(workers).master
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = builder.config("spark.executorEnv.PYTHONPATH", ":".join(sys.path[1:]))
        builder = builder.config("spark.executor.memory", "512m").config("spark.driver.host", "127.0.0.1")
        builder = builder.config("spark.cores.max", str(workers))
    made = builder.config("spark.driver.memory", "2g").master(master).getOrCreate()
    stack.callback(made.stop)
    return made
