"""Times samples and digests of tables, compared with Polars and DuckDB: 1000 of 10^7 rows of 5 columns in memory.

Before anything is timed, it checks that each sample has 1000 rows of the table, and that each digest is the same on 1 and
2 threads. It prints the minimum wall-clock time of all rounds, in seconds and in nanoseconds per row. The sides run in turn."""

import argparse
import os
import time

import numpy as np
import polars as pl
import pyarrow as pa

import hashwell

K = 1000


def table(rows: int) -> pa.Table:
    generator = np.random.default_rng(1)
    numbers = generator.integers(0, 10**9, rows)
    return pa.table(
        {
            "id": np.arange(rows),
            "user": pa.array(numbers // 1000).cast(pa.string()),
            "x": generator.random(rows),
            "w": numbers.astype(np.float64),
            "flag": pa.array(numbers % 2 == 0),
        }
    )


def samples(rows: pa.Table) -> dict[str, object]:
    frame = pl.from_arrow(rows)
    found = {
        "hashwell.sample, pyarrow": lambda: hashwell.sample(rows, K, seed=1),
        "hashwell.sample, Polars": lambda: hashwell.sample(frame, K, seed=1),
        "Polars sample": lambda: frame.sample(K, seed=1),
        "hashwell.sample, stream": lambda: hashwell.sample(rows.to_reader(), K, seed=1),
        "hashwell.sample by key id, 1 thread": lambda: hashwell.sample(rows, K, seed=1, group_by="id"),
        "hashwell.sample by key id, 2 threads": lambda: hashwell.sample(rows, K, seed=1, group_by="id", threads=2),
        "Polars hash and arg_sort (not portable)": lambda: frame[frame["id"].hash(1).arg_sort()[:K]],
        "hashwell.sample successive": lambda: hashwell.sample(rows, K, seed=1, weights="w", design="successive"),
    }
    try:
        import duckdb
    except ImportError:
        return found
    connection = duckdb.connect()
    connection.execute(f"set threads = {os.cpu_count()}")
    connection.register("rows", rows)
    query = f"select * from rows using sample reservoir({K} rows) repeatable (1)"
    found["DuckDB reservoir"] = lambda: connection.sql(query).to_arrow_table()
    query_by_hash = f"select * from rows order by sha256(id::varchar) limit {K}"
    found["DuckDB order by sha256"] = lambda: connection.sql(query_by_hash).to_arrow_table()
    return found


def digests(rows: pa.Table) -> dict[str, object]:
    """Each gives bytes: the digest of the last row, or of the table."""
    found = {}
    for threads in (1, 2):
        on = f"{threads} thread{'s'[: threads - 1]}"
        found[f"hash_rows, {on}"] = lambda threads=threads: hashwell.hash_rows(rows, threads=threads)[-1]
        for scheme in ("sorted-sha256", "lthash64-blake3"):
            found[f"table_digest {scheme}, {on}"] = lambda threads=threads, scheme=scheme: hashwell.table_digest(
                rows, scheme=scheme, threads=threads
            ).digest()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rows = table(options.rows)
    work = samples(rows)
    for name, job in work.items():
        taken = pa.table(job())
        known = rows.take(taken.column("id"))
        assert len(taken) == K and taken.column("user").to_pylist() == known.column("user").to_pylist(), name
    by_kind: dict[str, bytes] = {}
    for name, job in digests(rows).items():
        assert by_kind.setdefault(name.split(",")[0], job()) == job(), name
    work |= digests(rows)
    least = dict.fromkeys(work, float("inf"))
    for _ in range(options.rounds):
        for name, job in work.items():
            start = time.perf_counter()
            job()
            least[name] = min(least[name], time.perf_counter() - start)
    for name, seconds in least.items():
        print(f"{name:42} {seconds:8.4f} s {seconds / len(rows) * 1e9:8.1f} ns a row")


if __name__ == "__main__":
    main()
