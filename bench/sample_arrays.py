"""Samples of arrays and tables in memory, for bench/sample.py: hashwell's Python package compared with NumPy, pandas, Polars.

    sample_arrays.py list                # prints the jobs and their tools as JSON
    sample_arrays.py run JOB TOOL ROWS   # checks one result, then prints the figures of a call as JSON

The figures are those of the call only: CPU seconds of all threads, wall-clock seconds, and the memory that the call added.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from growth_python import measured

K = 100
Tool = Callable[[Any], Callable[[], Any]]


class Data:
    """The arrays that all tools of a run sample."""

    def __init__(self, rows: int) -> None:
        rng = np.random.Generator(np.random.PCG64(41))
        self.rows = rows
        self.numbers = np.arange(rows)
        self.weights = rng.exponential(1.0, rows) + 1e-6
        self.shares = self.weights / self.weights.sum()
        self.groups = rng.permutation(rows) // 2
        self.rng = np.random.Generator(np.random.PCG64(1))

    def columns(self) -> dict[str, Any]:
        return {"id": self.numbers, "weight": self.weights, "group": self.groups}

    def arrow(self) -> Any:
        import pyarrow

        return pyarrow.table(self.columns())

    def pandas(self) -> Any:
        import pandas

        return pandas.DataFrame(self.columns())

    def polars(self) -> Any:
        import polars

        return polars.DataFrame(self.columns())


def ids(result: Any) -> Any:
    """The numbers of the rows of a result."""
    if isinstance(result, np.ndarray):
        return result
    return np.asarray(result["id"] if "id" in getattr(result, "columns", []) or hasattr(result, "column_names") else result)


# Tools: each takes the data and returns the call.


def hashwell_sample(how: dict[str, Any], of: str = "arrow") -> Tool:
    def prepare(data: Data) -> Callable[[], Any]:
        import hashwell

        table = data.arrow() if of == "arrow" else data.numbers
        return lambda: hashwell.sample(table, seed="bench", **how)

    return prepare


def hashwell_choice(n: int | None, weighted: bool = False) -> Tool:
    def prepare(data: Data) -> Callable[[], Any]:
        import hashwell

        weights = data.weights if weighted else None
        return lambda: hashwell.choice(data.numbers, n or data.rows, p=weights, seed="bench")

    return prepare


def hashwell_shuffle(data: Data) -> Callable[[], Any]:
    import hashwell

    return lambda: hashwell.shuffle(data.numbers, seed="bench")


def numpy_choice(n: int | None, weighted: bool, replace: bool) -> Tool:
    return lambda data: lambda: data.rng.choice(data.numbers, n or data.rows, p=data.shares if weighted else None, replace=replace)


def pandas_sample(**how: Any) -> Tool:
    def prepare(data: Data) -> Callable[[], Any]:
        frame = data.pandas()
        return lambda: frame.sample(random_state=1, **how)

    return prepare


def polars_sample(**how: Any) -> Tool:
    def prepare(data: Data) -> Callable[[], Any]:
        frame = data.polars()
        return lambda: frame.sample(seed=1, **how)

    return prepare


def polars_weighted(data: Data) -> Callable[[], Any]:
    import polars

    frame = data.polars()

    def call() -> Any:
        keys = polars.Series(data.rng.exponential(1.0, data.rows))
        return frame.with_columns(key=keys / frame["weight"]).bottom_k(K, by="key")

    return call


def pandas_groups(data: Data) -> Callable[[], Any]:
    frame = data.pandas()
    return lambda: frame.groupby("group").sample(1, random_state=1)


def polars_groups(data: Data) -> Callable[[], Any]:
    frame = data.polars()
    return lambda: frame.sample(fraction=1.0, shuffle=True, seed=1).unique("group", keep="first")


def duckdb_groups(data: Data) -> Callable[[], Any]:
    import duckdb

    table = data.arrow()
    connection = duckdb.connect()
    connection.execute("set threads=1")
    connection.register("data", table)
    return lambda: connection.execute('select arg_min(id, random()) as id from data group by "group"').to_arrow_table()


def polars_keys(data: Data) -> Callable[[], Any]:
    import polars

    frame = data.polars()
    return lambda: frame.filter(polars.col("group").hash(1) % 10 == 0)


def pandas_keys(data: Data) -> Callable[[], Any]:
    import pandas

    frame = data.pandas()
    return lambda: frame[pandas.util.hash_array(frame["group"].to_numpy()) % 10 == 0]


# Checks: each takes the data and the numbers of the rows.


def distinct(k: int | None) -> Callable[[Data, Any], bool]:
    return lambda data, found: len(found) == len(np.unique(found)) == (k or data.rows) and 0 <= found.min() <= found.max() < data.rows


def repeated(k: int | None) -> Callable[[Data, Any], bool]:
    return lambda data, found: len(found) == (k or data.rows) and 0 <= found.min() <= found.max() < data.rows and len(np.unique(found)) < len(found)


def one_of_each(data: Data, found: Any) -> bool:
    return len(found) == len(np.unique(data.groups)) == len(np.unique(data.groups[found]))


def tenth_of_keys(data: Data, found: Any) -> bool:
    picked = np.flatnonzero(np.isin(data.groups, data.groups[found]))
    return bool(np.array_equal(np.sort(found), picked)) and abs(len(found) / data.rows - 0.1) < 0.02


JOBS: dict[str, tuple[Callable[[Data, Any], bool], dict[str, Tool]]] = {
    f"{K} elements of an array": (distinct(K), {
        "hashwell.sample": hashwell_sample({"n": K}, "array"),
        "NumPy, choice": numpy_choice(K, False, False),
        "pandas, sample": pandas_sample(n=K),
        "Polars, sample": polars_sample(n=K),
    }),
    f"{K} rows of a table, weighted": (distinct(K), {
        "hashwell.sample, successive": hashwell_sample({"n": K, "weights": "weight", "design": "successive"}),
        "NumPy, choice": numpy_choice(K, True, False),
        "pandas, sample": pandas_sample(n=K, weights="weight"),
        "Polars and NumPy, exponential keys": polars_weighted,
    }),
    "n of n elements of an array, with replacement": (repeated(None), {
        "hashwell.choice": hashwell_choice(None),
        "NumPy, choice": numpy_choice(None, False, True),
        "pandas, sample": pandas_sample(frac=1.0, replace=True),
        "Polars, sample": polars_sample(fraction=1.0, with_replacement=True),
    }),
    "1000 elements of an array, with replacement, weighted": (lambda data, found: len(found) == 1000 and found.max() < data.rows, {
        "hashwell.choice": hashwell_choice(1000, True),
        "NumPy, choice": numpy_choice(1000, True, True),
        "pandas, sample": pandas_sample(n=1000, weights="weight", replace=True),
    }),
    "an array in random order": (distinct(None), {
        "hashwell.shuffle": hashwell_shuffle,
        "NumPy, permutation": lambda data: lambda: data.rng.permutation(data.numbers),
        "pandas, sample": pandas_sample(frac=1.0),
        "Polars, sample": polars_sample(fraction=1.0, shuffle=True),
    }),
    "1 row of each group of 2 rows": (one_of_each, {
        "hashwell.sample": hashwell_sample({"n": 1, "stratify": "group"}),
        "pandas, groupby": pandas_groups,
        "Polars, shuffle and unique": polars_groups,
        "DuckDB, arg_min of Arrow": duckdb_groups,
    }),
    "all rows of 10 % of the groups": (tenth_of_keys, {
        "hashwell.sample": hashwell_sample({"probability": 0.1, "group_by": "group"}),
        "pandas, hash_array": pandas_keys,
        "Polars, hash": polars_keys,
    }),
}  # fmt: skip


def main() -> None:
    match sys.argv[1:]:
        case ["list"]:
            print(json.dumps({job: list(tools) for job, (_, tools) in JOBS.items()}))
        case ["run", job, tool, rows]:
            check, tools = JOBS[job]
            data = Data(int(rows))
            call = tools[tool](data)
            print(json.dumps(measured(call, lambda result: check(data, ids(result)))))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
