"""Checksums of files. A small file is hashed by one task, and a large file by several tasks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import hashwell

from ._columns import OWN, Step
from ._pieces import in_pieces, is_tree
from ._session import active_session
from ._sums import columns_of, row, schema_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_NUMBER = f"{OWN}number"


def sum_files(
    paths: Iterable[str | os.PathLike[str]],
    algorithms: Iterable[str] = ("sha256",),
    *,
    spark: SparkSession | None = None,
    tasks: int | None = None,
    split: int | None = 1 << 30,
    storage_options: Mapping[str, Any] | None = None,
) -> DataFrame:
    """Compute checksums of files in parallel. They are the same as those that `hashwell sum -a ALGORITHM` prints.

    The result is lazy: files are read each time it is used. A task reads a file once for all algorithms, in blocks
    of 1 MiB. If a file is missing, can't be read, or changes while it is read (size, modification time or version),
    its row has an error and no digests.

    For BLAKE3, KT128 and KT256, a file of at least `split` bytes is read by many tasks, each of which reads 64 MiB.
    For other algorithms, one task reads such a file once more.

    Args:
        paths: The paths, as the workers see them. Paths with a scheme (`s3://...`) are opened by fsspec.
        algorithms: The names of the algorithms.
        spark: The session. By default, the active session is used.
        tasks: The number of tasks. The default is one task per path, but at most 10,000 tasks. For parts of large
            files, the default is the value of `spark.sql.shuffle.partitions`.
        split: The size in bytes from which files are divided. None never divides files, which is better if seeking
            is slow, as in compressed files.
        storage_options: Options for fsspec.

    Returns:
        A DataFrame with one row per path, in no particular order. The columns are path, size, modified, one column
        of hexadecimal digests per algorithm, and error.

    Raises:
        ValueError: An algorithm is unknown or named twice, tasks or split is less than 1, or there is no session.
        TypeError: paths is a single path.

    Examples:
        >>> hashwell.spark.sum_files(["a.bin", "b.bin"], ["sha256"]).show()                 # doctest: +SKIP
    """
    if isinstance(paths, str | bytes | os.PathLike):
        raise TypeError("paths must be a list of paths: pass [path] for one path")
    listed = [os.fspath(path) for path in paths]
    chosen = _algorithms(algorithms)
    if tasks is not None and tasks < 1:
        raise ValueError(f"tasks must be at least 1, not {tasks}")
    if split is not None and split < 1:
        raise ValueError(f"split must be at least 1, not {split}")
    session = spark or active_session()
    options = dict(storage_options or {})
    count = max(1, min(len(listed), 10_000 if tasks is None else tasks))
    numbered = pa.table({_NUMBER: pa.array(range(len(listed)), pa.int64()), "path": pa.array(listed, pa.string())})
    files = session.createDataFrame(numbered).hint("broadcast")
    # A range is divided evenly among its tasks, and a broadcast join keeps this division.
    one_each = session.range(0, len(listed), 1, count).toDF(_NUMBER).join(files, _NUMBER)
    if split is not None and any(map(is_tree, chosen)):
        for_parts = tasks or int(session.conf.get("spark.sql.shuffle.partitions") or 200)
        return in_pieces(one_each.select(_NUMBER, "path"), chosen, options, split, for_parts)
    return one_each.select("path").mapInArrow(_whole(chosen, options), schema_of(chosen))


def _algorithms(given: Iterable[str]) -> list[str]:
    listed = [given] if isinstance(given, str) else list(given)
    if not listed:
        raise ValueError("algorithms must contain at least one name")
    # Hash objects have hashlib's names, some of which differ from hashwell's names.
    rows = {hashwell.new(name).name: name for name in hashwell.algorithms}
    chosen = [rows[hashwell.new(name).name] for name in listed]
    for name in chosen:
        if chosen.count(name) > 1:
            raise ValueError(f"algorithms contains '{name}' twice")
    return chosen


def _whole(algorithms: list[str], options: Mapping[str, Any]) -> Step:
    """Return the argument of `mapInArrow` that converts paths to rows."""

    def summed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path in batch.column(0).to_pylist():
                yield pa.record_batch(columns_of(row(path, algorithms, options), algorithms))

    return summed
