"""Every recipe gives the same result as hashwell on one machine, however its engine divides the rows."""

import pyarrow as pa
import pyarrow.parquet
import pytest

import hashwell

N, K, SEED = 5000, 20, "0877"


@pytest.fixture(scope="module")
def table() -> pa.Table:
    """Users with ten rows each, which are far apart."""
    columns = {
        "id": pa.array(range(N), pa.int64()),
        "who": pa.array([f"u{row % 500}" for row in range(N)]),
        "x": pa.array([None if row % 9 == 0 else row / 4 for row in range(N)], pa.float64()),
    }
    return pa.table(columns)


@pytest.fixture(scope="module")
def picked(table) -> list[int]:
    state = hashwell.KeySampler(K, seed=SEED, group_by="who")
    state.update(table)
    found = sorted(pa.table(state.result())["id"].to_pylist())
    assert len(found) == 10 * K
    return found


def ids(found) -> list[int]:
    return sorted(pa.table(found)["id"].to_pylist())


@pytest.mark.parametrize("partitions", [1, 7, 40])
def test_dask(table, picked, partitions) -> None:
    dask = pytest.importorskip("dask", reason="dask is in .tools/spark: make test-spark")
    import dask.dataframe
    import pandas as pd
    from dask_recipe import sample, table_digest

    # pandas does not distinguish null from NaN; Arrow columns do.
    frame = dask.dataframe.from_pandas(table.to_pandas(types_mapper=pd.ArrowDtype), npartitions=partitions)
    with dask.config.set(scheduler="threads", num_workers=2):
        assert ids(sample(frame, K, group_by="who", seed=SEED).compute()) == picked
        assert table_digest(frame).compute() == hashwell.table_digest(table)


@pytest.mark.parametrize("partitions", [1, 4])
def test_datafusion(table, picked, partitions) -> None:
    datafusion = pytest.importorskip("datafusion", reason="datafusion is in .tools/spark: make test-spark")
    from datafusion_recipe import sample_keys, table_digest

    context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(partitions))
    context.register_record_batches("t", [part.to_batches() for part in (table.slice(0, 3000), table.slice(3000))])
    context.register_udaf(table_digest(table.schema.names, list(table.schema.types)))
    context.register_udaf(sample_keys(K, seed=SEED))
    (digest,) = context.sql("SELECT hashwell_digest(id, who, x) AS d FROM t").to_arrow_table()["d"].to_pylist()
    assert digest == hashwell.table_digest(table).digest()
    sql = "SELECT id FROM t WHERE who IN (SELECT unnest(k) FROM (SELECT hashwell_keys(who) AS k FROM t))"
    assert ids(context.sql(sql).to_arrow_table()) == picked


def test_duckdb(table, picked, tmp_path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is in .tools/spark: make test-spark")
    from duckdb_recipe import sample, sample_in_sql, table_digest

    pyarrow.parquet.write_table(table, tmp_path / "t.parquet", row_group_size=700)
    held = table  # noqa: F841 - DuckDB finds it by its name
    for source in "held", f"read_parquet('{tmp_path}/t.parquet')":
        relation = duckdb.sql(f"SELECT * FROM {source}")
        assert table_digest(relation) == hashwell.table_digest(table)
        assert ids(sample(duckdb.sql(f"SELECT * FROM {source}"), K, group_by="who", seed=SEED)) == picked
        assert ids(duckdb.sql(sample_in_sql(source, K, group_by="who", seed=SEED))) == picked


def test_polars(table, picked, tmp_path) -> None:
    polars = pytest.importorskip("polars", reason="polars is in .tools/spark: make test-spark")
    from polars_recipe import hash_rows, sample, table_digest

    pyarrow.parquet.write_table(table, tmp_path / "t.parquet", row_group_size=700)
    for lazy in polars.from_arrow(table).lazy(), polars.scan_parquet(tmp_path / "t.parquet"):
        assert table_digest(lazy) == hashwell.table_digest(table)
        assert sorted(sample(lazy, K, group_by="who", seed=SEED)["id"].to_list()) == picked
        for engine in "in-memory", "streaming":
            found = hash_rows(lazy).collect(engine=engine).sort("id")
            assert found["digest"].to_list() == hashwell.hash_rows(table).to_pylist()


def test_ray(table, picked) -> None:
    ray = pytest.importorskip("ray", reason="ray is not installed: 617 MiB for one recipe")
    from ray_recipe import sample, table_digest

    ray.init(num_cpus=2, include_dashboard=False)
    dataset = ray.data.from_arrow([table.slice(0, 3000), table.slice(3000)])
    assert table_digest(dataset) == hashwell.table_digest(table, scheme="lthash64-blake3")
    assert ids(sample(dataset, K, group_by="who", seed=SEED)) == picked
