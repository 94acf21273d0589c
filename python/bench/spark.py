"""Times samples, digests and comparisons of rows on a local Spark, next to SQL and to only passing rows through Arrow.

`python python/bench/spark.py [ROWS [ROUNDS]]`. It prints the minimum wall-clock time on two cores of three rounds, in
each of which all tasks run one after the other. The rows have five columns and are read from Parquet. Spark's `noop`
writer discards the results. Results are checked before anything is timed. The start of Spark is not counted.
"""

import os
import sys
import tempfile
import time

os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")

from pyspark.sql import DataFrame, SparkSession

import hashwell
import hashwell.spark

COLUMNS = [
    "id", "CONCAT('user-', id * 7919 % 10000019) AS name", "CAST(id % 1000 AS INT) AS g", "id * 0.37D AS x",
    "DATE_ADD(DATE'2020-01-01', CAST(id % 2000 AS INT)) AS d",
]


def same(batches):
    yield from batches


def away(df: DataFrame) -> None:
    df.write.format("noop").mode("overwrite").save()


def sides(df: DataFrame) -> dict[str, object]:
    ids = df.select("id")
    hashed = df.selectExpr("*", "SHA2(CONCAT_WS('|', id, name, g, x, d), 256) AS h")
    options = {"group_by": "id", "seed": "0877"}
    changed = df.selectExpr("id", "name", "g", "IF(id % 1000 = 0, x + 1, x) AS x", "d").filter("id % 1000 != 1")
    return {
        "identity mapInArrow, 5 columns": lambda: away(df.mapInArrow(same, df.schema)),
        "identity mapInArrow, the key": lambda: away(ids.mapInArrow(same, ids.schema)),
        "sample of 1000 by key": lambda: away(hashwell.spark.sample(df, 1000, **options)),
        "sample of 1000 by key, one_pass": lambda: away(hashwell.spark.sample(df, 1000, one_pass=True, **options)),
        "SQL: orderBy(sha2(concat_ws)).limit(1000)": lambda: away(hashed.orderBy("h").limit(1000)),
        "hash_rows, SHA-256": lambda: away(hashwell.spark.hash_rows(df)),
        "SQL: sha2(concat_ws)": lambda: away(hashed),
        "table_digest, sorted-sha256": lambda: hashwell.spark.table_digest(df),
        "table_digest, lthash64-blake3": lambda: hashwell.spark.table_digest(df, scheme="lthash64-blake3"),
        "diff by key, 1 row in 1000 changed": lambda: away(hashwell.spark.diff(df, changed, "id", tasks=64).rows),
        "SQL: full join by key, with the same rows": lambda: away(joined(df, changed)),
        "split in two": lambda: list(map(away, hashwell.spark.split(df, {"a": 0.8, "b": 0.2}, **options).values())),
    }


def joined(a: DataFrame, b: DataFrame) -> DataFrame:
    """Return the rows that differ, by a full join. Unlike diff, it does not list the changed columns."""
    a, b = (side.selectExpr("id", f"STRUCT(*) AS {name}") for side, name in ((a, "old"), (b, "new")))
    return a.join(b, "id", "full").filter("NOT old <=> new")


def check(df: DataFrame) -> None:
    few = df.filter("id < 20000")
    table = few.toArrow()
    assert hashwell.spark.table_digest(few).digest() == hashwell.table_digest(table).digest()
    found = hashwell.spark.hash_rows(few).orderBy("id").toArrow()
    assert found["digest"].to_pylist() == hashwell.hash_rows(found.drop_columns(["digest"])).to_pylist()
    one, two = (hashwell.spark.sample(few.repartition(n), 50, group_by="id", seed="0877") for n in (1, 7))
    assert sorted(one.collect()) == sorted(two.collect()) and one.count() == 50
    changed = few.selectExpr("id", "name", "g", "IF(id = 7, x + 1, x) AS x", "d").filter("id != 5")
    kinds = sorted(one.change for one in hashwell.spark.diff(few, changed, "id").rows.collect())
    assert kinds == ["changed", "removed"] and joined(few, changed).count() == 2


def main(rows: int, rounds: int) -> None:
    settings = {"spark.ui.enabled": "false", "spark.driver.memory": "4g", "spark.log.level": "OFF"}
    settings["spark.ui.showConsoleProgress"] = "false"
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    with tempfile.TemporaryDirectory() as folder:
        spark.range(0, rows, 1, 8).selectExpr(*COLUMNS).write.mode("overwrite").parquet(folder)
        df = spark.read.parquet(folder)
        check(df)
        best: dict[str, float] = {}
        for _ in range(rounds):
            for name, run in sides(df).items():
                begin = time.perf_counter()
                run()
                best[name] = min(best.get(name, 1e9), time.perf_counter() - begin)
        floor = best["identity mapInArrow, 5 columns"]
        print(f"{rows:,} rows, {df.rdd.getNumPartitions()} partitions; s, and as a multiple of the first")
        for name, seconds in best.items():
            print(f"{name:<44}{seconds:8.2f}{seconds / floor:8.2f}")
    spark.stop()


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    main(*given, *[10**7, 3][len(given) :])
