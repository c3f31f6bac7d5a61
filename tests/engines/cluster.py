"""A real Spark standalone cluster on loopback for the tests: a master and two workers, processes of their own.

The pip package has no start-master.sh; its spark-class starts the same Java classes.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

# For Java processes that live for a minute: no second compiler, no parallel collector.
QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


class Cluster:
    """Started once per test session; ``master`` is the URL, ``workers`` the processes."""

    def __init__(self, folder, source):
        import pyspark

        self.folder = Path(folder)
        home = Path(pyspark.__file__).parent
        self.spark_class = home / "bin" / "spark-class"
        self.environment = {
            **os.environ,
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_NO_DAEMONIZE": "1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": QUICK_START,
            # How the package reaches the workers here: they see the same source tree.
            "PYTHONPATH": str(source),
            "PYSPARK_PYTHON": sys.executable,
        }
        self.processes = []
        self.master = None
        self.workers = []

    def start(self, workers=2):
        log = self._start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0",
                          "--webui-port", "0")  # fmt: skip
        self.master = self._wait_for(log, r"Starting Spark master at (spark://\S+)")
        for number in range(workers):
            self.workers.append(self.add_worker(number))
        return self

    def add_worker(self, number):
        log = self._start(
            f"worker-{number}", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--port", "0",
            "--webui-port", "0", "--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / f"work-{number}"),
            self.master,
        )  # fmt: skip
        self._wait_for(log, r"Successfully registered with master")
        return self.processes[-1]

    def stop(self):
        for process in reversed(self.processes):
            # Each has a process group of its own, so that executors and Python workers go with it.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, name, *arguments):
        log = self.folder / f"{name}.log"
        with open(log, "wb") as file:
            self.processes.append(
                subprocess.Popen(
                    [str(self.spark_class), *arguments],
                    env=self.environment, stdout=file, stderr=subprocess.STDOUT, start_new_session=True,
                )
            )  # fmt: skip
        return log

    def _wait_for(self, log, pattern):
        """Wait until the last process started says so, however long a busy machine takes; or has ended."""
        ended = False
        while not (found := re.search(pattern, log.read_text(errors="replace"))):
            if ended:
                raise RuntimeError(f"{log.name}: no {pattern!r}\n{log.read_text(errors='replace')[-2000:]}")
            ended = self.processes[-1].poll() is not None
            time.sleep(0.1)
        return found[found.lastindex or 0]
