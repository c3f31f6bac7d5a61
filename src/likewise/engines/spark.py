"""The cluster: Spark runs the shards on its workers and the SQL on its executors.

The workers need the same Likewise (checked before anything runs) and must see the input and the work folder under the
same paths; the driver holds counts and the finished pairs, never documents. docs/guide/mine.md says how to set it up.
"""

import os
import pickle
import re
import shutil
import socket
import sys
import threading
import uuid
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.engines import WHOLE, Task
from likewise.errors import EngineError, MissingExtraError

if TYPE_CHECKING:
    import pyarrow as pa

_PROBE_SECONDS = 5.0
_ERRORS = """
rootLogger.level=error
rootLogger.appenderRef.stderr.ref=stderr
# Where this logger has a level, Spark leaves that of the others alone.
logger.gateway.name=org.apache.spark.api.python.PythonGatewayServer
logger.gateway.level=error
appender.stderr.type=Console
appender.stderr.name=stderr
appender.stderr.target=SYSTEM_ERR
appender.stderr.layout.type=PatternLayout
appender.stderr.layout.pattern=%d{HH:mm:ss} %p %c{1}: %m%n
"""


class Spark:
    """Runs on a Spark cluster, by the URL of its master or by a session that the caller has."""

    name = "spark"

    def __init__(
        self, temporary: Path, master: str | None = None, session: Any = None, memory: int | None = None
    ) -> None:
        # What PySpark says of its own use of pandas, at each call, is nothing that a user of ours can mend.
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        try:
            from pyspark.sql import SparkSession
        except ImportError as error:
            raise MissingExtraError("pyspark", "spark") from error
        # A session that runs in this process already is the caller's, who has the last word on when it ends.
        if session is None:
            check_master(master)
            session = SparkSession.getActiveSession()
            if session is not None and master not in (None, session.sparkContext.master):
                there = session.sparkContext.master
                raise EngineError(f"this process has Spark with master {there!r} already: master {master!r} must wait")
        self._owned = session is None
        if session is None:
            builder = SparkSession.builder.appName("likewise").config("spark.ui.showConsoleProgress", "false")
            if not {"SPARK_CONF_DIR", "SPARK_HOME"} & os.environ.keys():  # nobody has said what Spark is to log
                builder = builder.config(
                    "spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={_log(temporary)}"
                )
            if master is not None:
                builder = builder.master(master)
            if memory is not None:
                # Spark starts with no less.
                builder = builder.config("spark.driver.memory", f"{max(512, memory >> 20)}m")
            try:
                session = builder.getOrCreate()
            except Exception as error:
                raise EngineError(f"Spark does not start with master {master!r}: {first_line(error)}") from error
        if session.sparkContext.master.startswith("local") and "PYSPARK_PYTHON" not in os.environ:
            # The workers are here: they had better be this Python, not whichever comes first on the path.
            session.sparkContext.pythonExec = sys.executable
        self._root = session
        # Names of tables are ours alone in a session of our own on the same cluster.
        self.session = session.newSession()
        self.places = max(2, session.sparkContext.defaultParallelism)
        self.session.conf.set("spark.sql.shuffle.partitions", str(self.places))
        # A broadcast table passes through the driver, whose memory must not bound the input.
        for name in ("spark.sql.autoBroadcastJoinThreshold", "spark.sql.adaptive.autoBroadcastJoinThreshold"):
            self.session.conf.set(name, "-1")
        # Files of others may hold times in nanoseconds, which Spark has no type for: as numbers they do no harm in SQL.
        self.session.conf.set("spark.sql.legacy.parquet.nanosAsLong", "true")
        self._temporary = temporary
        self._made = 0
        self._check_workers()

    def map(self, task: Task, shards: Sequence[Any], done: Callable[[int], None]) -> list[dict[str, Any]]:
        """Run ``task`` over ``shards`` on the workers, each place taking every n-th shard."""
        # A worker that is done takes the next place: the more there are, the less it waits for the others.
        places = max(1, min(len(shards), self.places * 8))
        everything = list(shards)

        def run(batches: Any) -> Any:
            import pyarrow as pa

            for batch in batches:
                for place in batch.column(0).to_pylist():
                    state = task.begin()
                    counts = [task.shard(state, shard) for shard in everything[place::places]]
                    task.end(state, place)
                    yield pa.RecordBatch.from_pydict({"place": [place], "counts": [pickle.dumps(counts)]})

        frame = self.session.range(0, places, 1, places).mapInArrow(run, "place long, counts binary")
        rows = self._collect(frame, places, lambda finished: done(finished * len(everything) // places))
        results: list[dict[str, Any]] = [{} for _ in everything]
        for row in rows:
            results[row["place"] :: places] = pickle.loads(row["counts"])
        done(len(everything))
        return results

    def load(self, name: str, files: Sequence[Path]) -> None:
        """Make a view of Parquet files."""
        self.session.read.parquet(*map(place_of, files)).createOrReplaceTempView(name)

    def create(self, name: str, sql: str) -> int:
        """Make a table from a query and return its number of rows."""
        # A table is written and read back: a view of views of views would be planned anew each time, ever longer, and
        # a cache would go with the worker that holds it.
        self._made += 1
        place = self._temporary / f"{self._made:04d}-{name}"
        try:
            self.session.sql(sql).write.parquet(f"file://{place}")
            self.session.read.parquet(place_of(place)).createOrReplaceTempView(name)
        except Exception as error:
            raise EngineError(f"Spark: {first_line(error)}") from error
        # The footers of the files say how many rows they have; another job would be needed to count them.
        import pyarrow.parquet as pq

        return sum(pq.read_metadata(path).num_rows for path in place.glob("*.parquet"))

    def drop(self, name: str) -> None:
        """Forget a table and remove its files."""
        self.session.catalog.dropTempView(name)
        for place in self._temporary.glob(f"[0-9]*-{name}"):
            shutil.rmtree(place, ignore_errors=True)

    def fetch(self, sql: str) -> "pa.Table":
        """Return the result of a query."""
        try:
            return self.session.sql(sql).toArrow()
        except Exception as error:
            raise EngineError(f"Spark: {first_line(error)}") from error

    def write(self, sql: str, folder: Path) -> list[Path]:
        """Write the result of a query on the executors; an order becomes ranges of rows by file."""
        if not (folder / WHOLE).exists():
            try:
                self.session.sql(sql).write.mode("overwrite").parquet(f"file://{folder}")
            except Exception as error:
                raise EngineError(f"Spark: {first_line(error)}") from error
        return sorted(folder.glob("*.parquet"))

    def quoted(self, column: str) -> str:
        """Return a column's name in backticks."""
        return "`" + column.replace("`", "``") + "`"

    def close(self) -> None:
        """Stop the session if it is ours; the tables go with the folder."""
        if self._owned:
            self._root.stop()

    def _collect(self, frame: Any, places: int, done: Callable[[int], None]) -> list[Any]:
        """Collect in a thread while this one reports progress and hears Ctrl-C."""
        context = self._root.sparkContext
        group = f"likewise-{id(frame)}"
        box: dict[str, Any] = {}

        def work() -> None:
            try:
                context.setJobGroup(group, "likewise", interruptOnCancel=True)
                box["rows"] = frame.collect()
            except BaseException as error:
                box["error"] = error

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.5)
                done(min(places, self._finished(group)))
        except BaseException:
            context.cancelJobGroup(group)
            raise
        if "error" in box:
            raise EngineError(f"Spark: {worker_line(box['error'])}") from box["error"]
        rows: list[Any] = box["rows"]
        return rows

    def _finished(self, group: str) -> int:
        tracker = self._root.sparkContext.statusTracker()
        finished = 0
        for job in tracker.getJobIdsForGroup(group):
            info = tracker.getJobInfo(job)
            for stage in info.stageIds if info else []:
                details = tracker.getStageInfo(stage)
                finished += details.numCompletedTasks if details else 0
        return finished

    def _check_workers(self) -> None:
        """Compare what the workers would run with what this process runs, and the folder they see, before they run."""
        here, folder = version(), self._temporary
        token = uuid.uuid4().hex
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "seen").write_text(token)

        # Local functions travel by value, so that this one works where Likewise is not installed.
        def probe(batches: Any) -> Any:
            import pyarrow as pa

            for batch in batches:
                try:
                    from likewise.engines.spark import version

                    found = version()
                except ImportError as error:
                    found = f"no Likewise ({error})"
                try:
                    seen = (folder / "seen").read_text()
                    for place in batch.column(0).to_pylist():
                        (folder / f"seen-{place}").touch()
                except OSError as error:
                    seen = str(error)
                rows = batch.num_rows
                yield pa.RecordBatch.from_pydict({"found": [found] * rows, "seen": [seen] * rows})

        frame = self.session.range(0, self.places, 1, self.places).mapInArrow(probe, "found string, seen string")
        try:
            rows = frame.collect()
        except Exception as error:
            raise EngineError(
                f"Spark cannot run Python on its workers: {worker_line(error)} (PYSPARK_PYTHON names the Python there "
                f"that has Likewise)"
            ) from error
        for other in sorted({row["found"] for row in rows} - {here}):
            raise EngineError(
                f"a Spark worker has {other}, this process has {here}: both must be the same (PYSPARK_PYTHON names the "
                f"Python there)"
            )
        for row in rows:
            if row["seen"] != token:
                raise EngineError(
                    f"a Spark worker does not see the work folder {folder.parent} ({row['seen']}): name as work a "
                    f"folder that driver and workers see under the same path"
                )


def _log(folder: Path) -> str:
    """Write what Spark is to say on stderr, which is errors; return where."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "log4j2.properties"
    path.write_text(_ERRORS)
    return path.absolute().as_uri()


def place_of(path: Path) -> str:
    """Return a path as Spark reads it: of the file system of the machines, and no pattern.

    >>> place_of(Path("/data/part[1].parquet"))
    'file:///data/part\\\\[1\\\\].parquet'
    """
    return "file://" + re.sub(r"([\\[\]{}*?])", r"\\\1", str(path))


def version() -> str:
    """Return what must be equal on driver and workers.

    >>> version().startswith("Likewise ")
    True
    """
    import hashlib
    from importlib import resources

    from likewise import __version__, _core

    weights = resources.files("likewise.analyse").joinpath("tagger-en.bin").read_bytes()
    with open(_core.__file__, "rb") as file:
        core = hashlib.file_digest(file, "sha256").hexdigest()[:8]
    tagger = hashlib.sha256(weights).hexdigest()[:8]
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"Likewise {__version__} (core {core}, tagger {tagger}, Python {python})"


def check_master(master: str | None) -> None:
    """Refuse in words a master that is no URL or does not answer; Spark itself would retry for minutes.

    >>> check_master("cluster7")
    Traceback (most recent call last):
    ...
    likewise.errors.EngineError: master must be such as spark://host:7077, local[2], yarn or k8s://..., not 'cluster7'
    """
    if master is None or re.fullmatch(r"local(\[.+\])?|yarn|k8s://.+", master):
        return
    found = re.fullmatch(r"spark://([^:/]+):(\d+)(,.*)?", master)
    if not found:
        raise EngineError(f"master must be such as spark://host:7077, local[2], yarn or k8s://..., not {master!r}")
    try:
        socket.create_connection((found[1], int(found[2])), _PROBE_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise EngineError(f"no Spark master answers at {master}: {error}") from error


def first_line(error: BaseException) -> str:
    """Return the first line of an error that says something.

    >>> first_line(ValueError("An error occurred while calling o29.parquet.\\n: java.lang.OutOfMemoryError: heap"))
    'java.lang.OutOfMemoryError: heap'
    """
    lines = [line.strip(" :") for line in str(error).splitlines() if line.strip(" :")]
    lines = [line for line in lines if not line.startswith("An error occurred while calling")] or lines
    return lines[0] if lines else type(error).__name__


def worker_line(error: BaseException) -> str:
    """Return the line of a worker's traceback that names the error; Spark's own first line does not."""
    named = re.findall(r"^\s*((?:\w+\.)*\w+(?:Error|Exception|Interrupt)\b:.*)$", str(error), re.MULTILINE)
    python = [line for line in named if not line.lstrip().startswith(("org.", "java."))]
    return python[-1].strip() if python else first_line(error)
