"""Match and dedupe on Spark: a cluster in this process, or the one that spark-submit names.

python examples/spark_names.py
spark-submit --master spark://host:7077 examples/spark_names.py /mnt/work
"""

import sys
import tempfile

from pyspark.sql import SparkSession

from likewise.spark import dedupe, match

CUSTOMERS = [
    ("c1", "Hamburger Hafen und Logistik AG"),
    ("c2", "Müller & Söhne GmbH"),
    ("c3", "Mueller & Soehne GmbH"),
    ("c4", "Northwind Traders Ltd."),
    ("c5", "Northwind Traders Limited"),
]
REGISTER = [
    ("r1", "HHLA Hamburger Hafen & Logistik"),
    ("r2", "Müller und Söhne"),
    ("r3", "Northwind Trading Limited"),
]


def main(work: str) -> None:
    """Find partners and duplicates; ``work`` is a folder that all machines see."""
    builder = SparkSession.builder.appName("names").config("spark.ui.showConsoleProgress", "false")
    spark = builder.getOrCreate() if len(sys.argv) > 1 else builder.master("local[2]").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    customers = spark.createDataFrame(CUSTOMERS, "key string, name string")
    register = spark.createDataFrame(REGISTER, "key string, name string")
    match(customers, register, on="name", id="key", top=1, work=f"{work}/match").orderBy("left").show(truncate=False)
    found = dedupe(customers, on="name", id="key", min_score=0.5, work=f"{work}/dedupe")
    found.table.orderBy("cluster", "id").show(truncate=False)
    for stage in found.report.stages:
        print(f"{stage.name:10} {stage.seconds:6.2f} s {len(stage.task_seconds):4} tasks")
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="likewise-names-"))
