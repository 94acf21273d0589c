"""StreamSample: the sample of a stream, with restarts, repeated batches and crashes."""

import pytest

import hashwell.spark

from .rows import first, key_of

SEED = "0877"
SCHEMA = "id BIGINT, who STRING, list ARRAY<BIGINT>"


def write(spark, folder, begin: int, end: int) -> None:
    """Writes another file for the stream."""
    df = spark.range(begin, end, 1, 1).selectExpr("id", "CONCAT('u', id % 40) AS who", "ARRAY(id) AS list")
    df.write.mode("append").parquet(str(folder))


def run(spark, source, checkpoint, each) -> None:
    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(source))
    query = stream.writeStream.foreachBatch(each).option("checkpointLocation", str(checkpoint))
    query = query.trigger(availableNow=True)
    for left in 2, 1, 0:
        try:
            query.start().awaitTermination()
            return
        except Exception as error:
            if "failed to connect back" not in str(error):
                raise
            # Spark Connect gives its worker only ten seconds to start, which is not enough on a busy machine.
            if not left:
                pytest.skip("Spark Connect's streaming worker did not start in ten seconds, three times")


def expected(n: int, k: int) -> list[int]:
    wanted = first({b"u%d" % (row % 40) for row in range(n)}, k, key_of(SEED))
    return [row for row in range(n) if b"u%d" % (row % 40) in wanted]


def test_a_stream_that_is_started_again(session, tmp_path) -> None:
    kept = hashwell.spark.StreamSample(tmp_path / "kept", 3, group_by="who", seed=SEED)
    write(session, tmp_path / "in", 0, 50)
    write(session, tmp_path / "in", 50, 70)
    run(session, tmp_path / "in", tmp_path / "checkpoint", kept)
    ids = lambda: sorted(kept.result(session).toArrow()["id"].to_pylist())  # noqa: E731
    assert ids() == expected(70, 3)
    write(session, tmp_path / "in", 70, 200)
    run(session, tmp_path / "in", tmp_path / "checkpoint", kept)
    assert ids() == expected(200, 3)
    assert kept.result(session).schema.simpleString() == "struct<id:bigint,who:string,list:array<bigint>>"


def test_digests_and_sides_of_a_stream(spark, tmp_path) -> None:
    def side(df):
        return hashwell.spark.split(hashwell.spark.hash_rows(df), {"a": 0.5, "b": 0.5}, group_by="who", seed=SEED)["a"]

    def rows(df) -> list[tuple[int, bytes]]:
        return sorted((row.id, bytes(row.digest)) for row in df.collect())

    write(spark, tmp_path / "in", 0, 60)
    stream = side(spark.readStream.schema(SCHEMA).parquet(str(tmp_path / "in")))
    query = stream.writeStream.option("checkpointLocation", str(tmp_path / "checkpoint")).trigger(availableNow=True)
    query.format("parquet").start(str(tmp_path / "out")).awaitTermination()
    found = rows(spark.read.parquet(str(tmp_path / "out")))
    assert found == rows(side(spark.read.schema(SCHEMA).parquet(str(tmp_path / "in")))) and 0 < len(found) < 60


def test_batches_by_hand(session, tmp_path) -> None:
    """Calls the sample as foreachBatch does, but without Spark Connect's worker: with several batches, of which one is
    empty and one is repeated."""
    kept = hashwell.spark.StreamSample(tmp_path / "kept", 3, group_by="who", seed=SEED)
    df = session.range(0, 200, 1, 2).selectExpr("id", "CONCAT('u', id % 40) AS who", "ARRAY(id) AS list")
    for batch, condition in enumerate(["id < 50", "FALSE", "id >= 50"]):
        kept(df.filter(condition), batch)
    kept(df.filter("id >= 50"), 2)
    assert sorted(kept.result(session).toArrow()["id"].to_pylist()) == expected(200, 3)


def test_a_crash_after_the_file_was_written(spark, tmp_path) -> None:
    """The batch is not committed, so it is repeated. It must count only once."""
    kept = hashwell.spark.StreamSample(tmp_path / "kept", 3, group_by="who", seed=SEED)
    write(spark, tmp_path / "in", 0, 100)

    def crashing(df, batch) -> None:
        kept(df, batch)
        raise RuntimeError("the power went")

    with pytest.raises(Exception, match="the power went"):
        run(spark, tmp_path / "in", tmp_path / "checkpoint", crashing)
    run(spark, tmp_path / "in", tmp_path / "checkpoint", kept)
    assert sorted(kept.result(spark).toArrow()["id"].to_pylist()) == expected(100, 3)


def test_refusals(spark, tmp_path) -> None:
    df = spark.range(0, 20, 1, 1).selectExpr("id", "CAST(id AS STRING) AS who")
    hashwell.spark.StreamSample(tmp_path / "kept", 3, group_by="who", seed=SEED)(df, 0)
    for options in {"n": 4}, {"seed": "1"}, {"group_by": "id"}, {"stratify": "id"}:
        arguments = {"n": 3, "group_by": "who", "seed": SEED} | options
        with pytest.raises(ValueError, match="belongs to a different sample"):
            hashwell.spark.StreamSample(tmp_path / "kept", arguments.pop("n"), **arguments)(df, 1)
    with pytest.raises(ValueError, match="the columns differ"):
        hashwell.spark.StreamSample(tmp_path / "kept", 3, group_by="who", seed=SEED)(df.selectExpr("who"), 1)
    # The names are the same, and a type is different.
    other = df.selectExpr("CAST(id AS INT) AS id", "who")
    with pytest.raises(ValueError, match="the file has id: int64, who: .*; the batch has id: int32, who: "):
        hashwell.spark.StreamSample(tmp_path / "kept", 3, group_by="who", seed=SEED)(other, 1)
    with pytest.raises(ValueError, match="^n must be an int of at least 1, not 0$"):
        hashwell.spark.StreamSample(tmp_path / "kept", 0, group_by="who", seed=SEED)
    with pytest.raises(FileNotFoundError):
        hashwell.spark.StreamSample(tmp_path / "none", 3, group_by="who", seed=SEED).result(spark)
