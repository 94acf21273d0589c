"""The table of docs/guides/spark.md: a sample has the same rows for every engine, partitioning and format."""

import json
from collections.abc import Callable, Iterator

import duckdb
import polars
import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet
import pytest

import hashwell
import hashwell.spark

from .conftest import ROOT
from .rows import first, key_of

N, K, SEED = 3000, 20, "0877"
FORMATS = "Parquet", "CSV", "JSON lines"
SCHEMA = pa.schema([("id", pa.int64()), ("who", pa.string())])
Read = Callable[[str, str], list[int]]


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, str]:
    """The same rows in every format. Users have several rows, which are far apart."""
    folder = tmp_path_factory.mktemp("equal")
    table = pa.table({"id": range(N), "who": [f"ü{row % 400}" for row in range(N)]}, schema=SCHEMA)
    paths = {form: str(folder / f"t.{end}") for form, end in zip(FORMATS, ("parquet", "csv", "jsonl"), strict=True)}
    pyarrow.parquet.write_table(table, paths["Parquet"], row_group_size=700)
    pyarrow.csv.write_csv(table, paths["CSV"])
    polars.from_arrow(table).write_ndjson(paths["JSON lines"])
    return paths


def arrow(form: str, path: str) -> pa.Table:
    if form == "CSV":
        return pyarrow.csv.read_csv(path, convert_options=pyarrow.csv.ConvertOptions(column_types=SCHEMA))
    return pyarrow.parquet.read_table(path) if form == "Parquet" else pyarrow.json.read_json(path)


def by_pyarrow(batches: int) -> Read:
    def picked(form: str, path: str) -> list[int]:
        table = arrow(form, path)
        size = -(-N // batches)
        states = [hashwell.KeySampler(K, seed=SEED, group_by="who") for _ in range(batches)]
        for i, state in enumerate(states):
            state.update(table.slice(i * size, size))
        # Saved, loaded, and merged in reverse order, as if machines had finished in any order.
        whole = hashwell.KeySampler(K, seed=SEED, group_by="who")
        whole.merge(*[hashwell.KeySampler.from_bytes(state.to_bytes()) for state in reversed(states)])
        return pa.table(whole.result())["id"].to_pylist()

    return picked


def by_polars(form: str, path: str) -> list[int]:
    read = {"Parquet": polars.read_parquet, "CSV": polars.read_csv, "JSON lines": polars.read_ndjson}[form]
    return hashwell.sample(read(path), K, group_by="who", seed=SEED)["id"].to_list()


def by_duckdb(form: str, path: str) -> list[int]:
    read = {"Parquet": "read_parquet", "CSV": "read_csv", "JSON lines": "read_json"}[form]
    relation = duckdb.sql(f"FROM {read}('{path}')")
    return pa.table(hashwell.sample(relation, K, group_by="who", seed=SEED))["id"].to_pylist()


def by_spark(session, partitions: int) -> Read:
    def picked(form: str, path: str) -> list[int]:
        name = {"Parquet": "parquet", "CSV": "csv", "JSON lines": "json"}[form]
        df = session.read.schema("id BIGINT, who STRING").options(header=True).format(name).load(path)
        found = hashwell.spark.sample(df.repartition(partitions), K, group_by="who", seed=SEED)
        return [row.id for row in found.select("id").collect()]

    return picked


def engines(spark, remote) -> Iterator[tuple[str, str, Read]]:
    """Engine and partitioning, with the names in the document, and a function that returns the numbers of the picked
    rows."""
    for batches in 1, 7:
        yield "pyarrow", f"{batches} states" if batches > 1 else "1 state", by_pyarrow(batches)
    yield "Polars", "chosen by the engine", by_polars
    yield "DuckDB", "chosen by the engine", by_duckdb
    for partitions in 1, 4, 8, 200:
        yield "Spark", f"{partitions} partitions" if partitions > 1 else "1 partition", by_spark(spark, partitions)
    yield "Spark Connect", "8 partitions", by_spark(remote, 8)


def test_the_table_of_the_document(spark, remote, files) -> None:
    keys = first({f"ü{user}".encode() for user in range(400)}, K, key_of(SEED))
    expected = [row for row in range(N) if f"ü{row % 400}".encode() in keys]
    lines = [f"| Engine | Division of the rows | {' | '.join(FORMATS)} |", "|---|---|---|---|---|"]
    for engine, parts, read in engines(spark, remote):
        same = ["the same" if sorted(read(form, files[form])) == expected else "OTHERS" for form in FORMATS]
        lines.append(f"| {engine} | {parts} | {' | '.join(same)} |")
    table = "\n".join(lines) + "\n"
    assert "OTHERS" not in table, table
    assert table in (ROOT / "docs/guides/spark.md").read_text(encoding="utf-8"), table


def test_null_and_empty_keys_are_the_same_users_everywhere(spark, command, tmp_path) -> None:
    """100 seeds. The bytes of a key don't depend on the seed, so Spark computes them only once for each format."""
    from hashwell.spark._columns import key

    keys = [None, "", "null", "a", "7", "true", "ü"]
    table = pa.table({"id": range(40), "who": pa.array([keys[row * 3 % len(keys)] for row in range(40)], pa.string())})
    texts = [(who or "").encode() for who in table["who"].to_pylist()]
    paths = {form: str(tmp_path / f"t.{end}") for form, end in zip(FORMATS, ("parquet", "csv", "jsonl"), strict=True)}
    pyarrow.parquet.write_table(table, paths["Parquet"])
    pyarrow.csv.write_csv(table, paths["CSV"])
    polars.from_arrow(table).write_ndjson(paths["JSON lines"])
    for form, path in paths.items():
        name = {"Parquet": "parquet", "CSV": "csv", "JSON lines": "json"}[form]
        df = spark.read.schema("id BIGINT, who STRING").options(header=True).format(name).load(path)
        there = df.selectExpr("id", f"{key(df, 'who')} AS text").collect()
        assert {row.id: bytes(row.text) for row in there} == dict(enumerate(texts)), form
        found = hashwell.spark.sample(df, 2, group_by="who", seed="1").select("id").collect()
        picked = first(set(texts), 2, key_of("1"))
        assert sorted(row.id for row in found) == [row for row in range(40) if texts[row] in picked], form
    for seed in map(str, range(100)):
        picked = first(set(texts), 2, key_of(seed))
        expected = [row for row in range(40) if texts[row] in picked]
        form = FORMATS[int(seed) % len(FORMATS)]
        options = ["--as", "jsonl"] if form == "Parquet" else []
        lines = command("sample", "-n", 2, "--group-by", "who", "--seed", seed, *options, paths[form]).splitlines()
        if form == "CSV":
            found = [int(line.split(",")[0]) for line in lines[1:]]
        else:
            found = [json.loads(line)["id"] for line in lines]
        assert found == expected, (form, seed)
        assert hashwell.sample(table, 2, group_by="who", seed=seed)["id"].to_pylist() == expected, seed
