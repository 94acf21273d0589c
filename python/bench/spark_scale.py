"""Measures how the time and the shuffled bytes of hashwell.spark grow with the number of rows.

`python python/bench/spark_scale.py [ROWS ...]`, by default 10^6, 10^7 and 10^8. It prints the wall-clock time of one run
on two cores, the number of stages, and the bytes that Spark wrote for shuffles, next to the bytes that the model in
docs/guides/spark.md predicts. Results are checked with 10^6 rows. It needs about 60 bytes of disk per row.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")

from pyspark.sql import DataFrame, SparkSession

import hashwell
import hashwell.spark
from spark import COLUMNS, away, joined

K = 10_000
# diff takes minutes for more rows, and 100 bytes of disk per row.
MOST_OF_DIFF = 10**7


def tasks(df: DataFrame, changed: DataFrame, rows: int) -> dict[str, object]:
    options = {"group_by": "id", "seed": "0877"}
    found: dict[str, object] = {
        "sample": lambda: away(hashwell.spark.sample(df, K, **options)),
        "table_digest, sorted-sha256": lambda: hashwell.spark.table_digest(df),
        "the same, ranges=16": lambda: hashwell.spark.table_digest(df, ranges=16),
        "table_digest, lthash64-blake3": lambda: hashwell.spark.table_digest(df, scheme="lthash64-blake3"),
    }
    if rows <= MOST_OF_DIFF:
        parts = max(8, df.rdd.getNumPartitions())
        found["diff"] = lambda: away(hashwell.spark.diff(df, changed, "id", tasks=parts).rows)
    return found


def check(df: DataFrame, changed: DataFrame) -> None:
    table = df.toArrow()
    digest = hashwell.table_digest(table)
    assert hashwell.spark.table_digest(df).digest() == hashwell.spark.table_digest(df, ranges=16).digest() == digest.digest()
    assert hashwell.spark.diff(df, changed, "id").rows.count() == joined(df, changed).count()


def shuffled(log: Path) -> dict[str, tuple[int, int]]:
    """Return the number of stages and the bytes written for shuffles, by job group, from the event log of Spark."""
    group: dict[int, str] = {}
    found: dict[str, tuple[set[int], int]] = {}
    for path in log.rglob("events*"):
        for line in path.read_text().splitlines():
            event = json.loads(line)
            if event["Event"] == "SparkListenerJobStart":
                name = event.get("Properties", {}).get("spark.jobGroup.id", "")
                group.update(dict.fromkeys(event["Stage IDs"], name))
            if event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                name = group[event["Stage ID"]]
                stages, total = found.get(name, (set(), 0))
                written = event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                found[name] = (stages | {event["Stage ID"]}, total + written)
    return {name: (len(stages), total) for name, (stages, total) in found.items()}


def main(sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        log.mkdir()
        settings = {
            "spark.ui.enabled": "false", "spark.driver.memory": "6g", "spark.log.level": "OFF",
            "spark.ui.showConsoleProgress": "false", "spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file://{log}",
            "spark.eventLog.compress": "false", "spark.local.dir": folder, "spark.sql.adaptive.coalescePartitions.enabled": "true",
        }  # fmt: skip
        builder = SparkSession.builder.master("local[2]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        times: dict[str, tuple[int, int, float]] = {}
        for rows in sizes:
            place = f"{folder}/{rows}"
            spark.range(0, rows, 1, max(2, rows // 10**6)).selectExpr(*COLUMNS).write.parquet(place)
            df = spark.read.parquet(place)
            changed = df.selectExpr("id", "name", "g", "IF(id % 1000 = 0, x + 1, x) AS x", "d").filter("id % 1000 != 1")
            if rows <= 10**6:
                check(df, changed)
            for name, run in tasks(df, changed, rows).items():
                own = f"{name}, {rows:.0e} rows"
                spark.sparkContext.setJobGroup(own, own)
                begin = time.perf_counter()
                run()
                times[own] = (rows, df.rdd.getNumPartitions(), time.perf_counter() - begin)
                print(own, f"{times[own][2]:.1f} s", flush=True)
        spark.stop()
        for name, (stages, written) in shuffled(log).items():
            if name in times:
                rows, partitions, seconds = times[name]
                print(f"{name:<46}{partitions:6} partitions{stages:4} stages{seconds:8.1f} s{written / 1e6:10.2f} MB")


if __name__ == "__main__":
    main([int(float(size)) for size in sys.argv[1:]] or [10**6, 10**7, 10**8])
