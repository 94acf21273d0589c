"""The parts of `make bench-growth` that need Python packages: it makes input files, and runs one operation in Python.

    growth_python.py make KIND SIZE PATH     # writes an input file; needs polars
    growth_python.py run NAME SIZE           # prints the figures of one call as JSON

The result of a call is checked before its figures are printed. The figures are those of the call only: CPU seconds of all
threads, and by how much the memory of the process grew.
"""

import hashlib
import json
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SEED = "growth"


# Input files


def frame(rows: int) -> Any:
    """Columns: id, user (about 10 rows each), weight, label (10 values), pair (2 rows each), text."""
    import numpy as np
    import polars as pl

    rng = np.random.Generator(np.random.PCG64(41))
    index = np.arange(rows)
    numbers = pl.DataFrame({
        "id": index,
        "user": rng.integers(0, max(1, rows // 10), rows),
        "weight": np.round(rng.exponential(1.0, rows) + 0.001, 4),
        "label": rng.integers(0, 10, rows),
        "pair": index // 2,
        "text": rng.integers(10**11, 10**12, rows),
    })  # fmt: skip
    texts = {name: pl.format(name[0] + "{}", pl.col(name)) for name in ("user", "label", "pair", "text")}
    return numbers.with_columns(**texts)


def with_changes(table: Any, share: int) -> Any:
    """The table, with a different weight in one row out of `share`."""
    import polars as pl

    changed = pl.when(pl.col("id") % share == 0).then(pl.col("weight") + 1).otherwise(pl.col("weight"))
    return table.with_columns(changed.alias("weight"))


def wide(columns: int, rows: int) -> str:
    """CSV text with many columns; the first is a key."""
    head = ",".join(["key", *(f"column{i}" for i in range(1, columns))])
    lines = (",".join([f"k{row}", *(str((row * 7919 + i * 31) % 997) for i in range(1, columns))]) for row in range(rows))
    return "\n".join([head, *lines]) + "\n"


def make_tree(folder: Path, files: int) -> None:
    """Files of 100 bytes, 1000 in a folder."""
    for i in range(files):
        path = folder / f"d{i // 1000}" / f"f{i}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(f"{i:0100}".encode())


def make_zeros(path: Path, size: int) -> None:
    """A sparse file, which needs no disk."""
    with path.open("wb") as file:
        file.truncate(size)


def json_keys(keys: int) -> str:
    """Ten objects that together have this number of different keys."""
    per_row = max(1, keys // 10)
    objects = ({f"key{row * per_row + i}": i for i in range(per_row)} for row in range(10))
    return "".join(json.dumps(row) + "\n" for row in objects)


def weighted_list(entries: int) -> str:
    rng = random.Random(41)
    return "id,weight\n" + "".join(f"e{i},{rng.randint(1, 1000)}\n" for i in range(entries))


def strata_list(entries: int) -> str:
    return "id,stratum\n" + "".join(f"e{i},s{i // 2}\n" for i in range(entries))


MAKERS: dict[str, Callable[[Path, int], object]] = {
    "zeros": make_zeros,
    "tree": make_tree,
    "csv": lambda path, n: frame(n).write_csv(path),
    "jsonl": lambda path, n: frame(n).write_ndjson(path),
    "parquet": lambda path, n: frame(n).write_parquet(path, row_group_size=100_000),
    "changed": lambda path, n: with_changes(frame(n), 100).write_csv(path),
    "all-changed": lambda path, n: with_changes(frame(n), 1).write_csv(path),
    "wide": lambda path, n: path.write_text(wide(n, 20), encoding="utf-8"),
    "json-keys": lambda path, n: path.write_text(json_keys(n), encoding="utf-8"),
    "list": lambda path, n: path.write_text("".join(f"entry {i}\n" for i in range(n)), encoding="utf-8"),
    "weighted-list": lambda path, n: path.write_text(weighted_list(n), encoding="utf-8"),
    "strata-list": lambda path, n: path.write_text(strata_list(n), encoding="utf-8"),
    "observed": lambda path, n: path.write_text(",".join(str(i * 7 % 3 % 2) for i in range(n)), encoding="utf-8"),
}


# Operations in Python. Each returns the call, and a function that is true if its result is right.

Call = tuple[Callable[[], Any], Callable[[Any], bool]]


def short_messages(n: int) -> list[bytes]:
    return [b"message %d" % i for i in range(n)]


def hash_many(n: int) -> Call:
    import hashwell

    rows = short_messages(n)
    return lambda: hashwell.hash_many("sha256", rows), lambda out: len(out) == n and out[-1] == hashlib.sha256(rows[-1]).digest()


def hash_many_array(n: int) -> Call:
    import hashwell
    import numpy as np

    rows = np.arange(n * 4, dtype=np.uint64).reshape(n, 4)
    return lambda: hashwell.hash_many("sha256", rows), lambda out: bytes(out[-1]) == hashlib.sha256(rows[-1].tobytes()).digest()


def hash_rows(n: int) -> Call:
    import hashwell
    import pyarrow

    table = frame(n).to_arrow()
    return lambda: pyarrow.array(hashwell.hash_rows(table)), lambda out: len(out) == n and len(set(out.to_pylist()[:1000])) == min(n, 1000)


def hash_columns(n: int) -> Call:
    import hashwell

    table = frame(n).to_arrow()
    return lambda: hashwell.hash_columns(table), lambda out: set(out) == set(table.column_names)


def wide_arrow(columns: int) -> Any:
    import pyarrow

    return pyarrow.table({f"column{i}": pyarrow.array(range(i, i + 20), pyarrow.int64()) for i in range(columns)})


def hash_columns_wide(n: int) -> Call:
    import hashwell

    table = wide_arrow(n)
    return lambda: hashwell.hash_columns(table), lambda out: len(out) == n


def table_digest(n: int) -> Call:
    import hashwell

    table = frame(n).to_arrow()
    return lambda: hashwell.table_digest(table), lambda out: str(out) == str(hashwell.table_digest(table.slice(0)))


def table_digest_lthash(n: int) -> Call:
    import hashwell

    table = frame(n).to_arrow()
    return lambda: hashwell.table_digest(table, scheme="lthash64-blake3"), lambda out: bool(str(out))


def table_digest_wide(n: int) -> Call:
    import hashwell

    table = wide_arrow(n)
    return lambda: hashwell.table_digest(table), lambda out: bool(str(out))


def choice(n: int) -> Call:
    import hashwell
    import numpy as np

    array = np.arange(n)
    return lambda: hashwell.choice(array, n, seed=SEED), lambda out: len(out) == n and 0 <= out.min() and out.max() < n


def choice_weighted(n: int) -> Call:
    import hashwell
    import numpy as np

    array, weights = np.arange(n), np.random.Generator(np.random.PCG64(1)).exponential(1.0, n)
    return (lambda: hashwell.choice(array, min(n, 1000), p=weights, replace=False, seed=SEED),
            lambda out: len(set(out.tolist())) == min(n, 1000))  # fmt: skip


def shuffle(n: int) -> Call:
    import hashwell
    import numpy as np

    array = np.arange(n)
    return lambda: hashwell.shuffle(array, seed=SEED), lambda out: bool((np.sort(out) == array).all())


def sample_arrow(expected: Callable[[int], int | None], **how: Any) -> Callable[[int], Call]:
    """A sample of an Arrow table, and its number of rows."""

    def operation(n: int) -> Call:
        import hashwell

        table = frame(n).to_arrow()
        if "n" in how:
            how["n"] = min(how["n"], n)
        rows = expected(n)
        return (lambda: hashwell.sample(table, seed=SEED, **how),
                lambda out: rows is None or (out.num_rows == rows and len(set(out["id"].to_pylist())) == rows))  # fmt: skip

    return operation


def upto(k: int) -> Callable[[int], int]:
    return lambda n: min(n, k)


def anything(n: int) -> None:
    return None


OPERATIONS: dict[str, Callable[[int], Call]] = {
    "hash_many, list": hash_many,
    "hash_many, NumPy": hash_many_array,
    "hash_rows": hash_rows,
    "hash_columns, rows": hash_columns,
    "hash_columns, columns": hash_columns_wide,
    "table_digest, rows": table_digest,
    "table_digest, lthash64-blake3": table_digest_lthash,
    "table_digest, columns": table_digest_wide,
    "choice, n of n": choice,
    "choice with p, without replacement": choice_weighted,
    "shuffle": shuffle,
    "sample of Arrow": sample_arrow(upto(1000), n=1000),
    "sample of Arrow, probability": sample_arrow(anything, probability=0.1),
    "sample of Arrow, successive": sample_arrow(upto(100), n=100, weights="weight", design="successive"),
    "sample of Arrow, pps": sample_arrow(upto(100), n=100, weights="weight", design="pps"),
    "sample of Arrow, group_by": sample_arrow(anything, probability=0.1, group_by="user"),
    "sample of Arrow, stratify": sample_arrow(lambda n: (n + 1) // 2, n=1, stratify="pair"),
    "sample of Arrow, replace": sample_arrow(anything, n=100, replace=True),
}


def memory(name: str) -> int:
    """VmRSS or VmHWM of this process (its current or peak memory), in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name + ":"))


def measured(call: Callable[[], Any], right: Callable[[Any], bool]) -> dict[str, float]:
    """The memory that a first call added at its peak, and CPU and wall-clock seconds of a second one.

    The memory is that of the first call, because the second call can reuse memory that the first one returned to the
    allocator.

    Raises:
        ValueError: The result of the first call is wrong.
    """
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # resets VmHWM
    resident = memory("VmRSS")
    result = call()
    peak = max(0, memory("VmHWM") - resident)
    if not right(result):
        raise ValueError("the result is wrong")
    del result
    before, begin = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    result = call()
    after, end = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    del result
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu": cpu, "wall": end - begin, "peak": peak}


def run(name: str, size: int) -> dict[str, float]:
    return measured(*OPERATIONS[name](size))


def main() -> None:
    match sys.argv[1:]:
        case ["make", kind, size, path]:
            MAKERS[kind](Path(path), int(size))
        case ["run", name, size]:
            print(json.dumps(run(name, int(size))))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
