"""Digests of rows, and digests of tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

import hashwell

from . import _columns
from ._buckets import Step, TableSum, digests_of, digests_of_pieces, head, in_ranges, merged, parts, sorted_pieces
from ._errors import one_line

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Order = Literal["name", "declared"]

_PART = "bucket INT, range INT, part BINARY"
_PIECE = "bucket INT, range INT, place BIGINT, part BINARY"
_DIGEST = "bucket INT, n BIGINT, digest BINARY"
_RANGES = [1 << n for n in range(9)]


def hash_rows(
    df: DataFrame,
    *,
    columns: _columns.Names | None = None,
    order: Order = "name",
    algorithm: str = "sha256",
    length: int | None = None,
    hex: bool = False,
    name: str = "digest",
) -> DataFrame:
    """Add a column with the digest of each row, as hashwell.hash_rows computes it.

    The result is lazy and needs one pass and no shuffle. All columns are transferred to Python and back.

    Args:
        df: The DataFrame, which may be a streaming one.
        columns: The names of the columns to hash. By default, all columns are hashed.
        order: The order in which the columns of a row are encoded. "name" sorts them by the bytes of their names.
            "declared" uses the order of the argument `columns` or, without it, the order of the columns in the
            DataFrame.
        algorithm: The name of the algorithm.
        length: The digest size in bytes. It is required for extendable-output functions without a default size.
        hex: True adds hexadecimal strings instead of binary digests.
        name: The name of the new column.

    Returns:
        A DataFrame with the columns of `df` and the new one.

    Raises:
        ValueError: A column is missing or ambiguous, or there is already a column with this name.
        TypeError: A column has a type without an encoding.

    Examples:
        >>> hashwell.spark.hash_rows(df, hex=True).show()                                   # doctest: +SKIP
    """
    chosen = list(df.columns) if columns is None else _columns.names(df, "columns", columns)
    _once(df)
    if name in df.columns:
        raise ValueError(f"name: there is already a column '{name}'; choose another name")
    options: dict[str, Any] = {"columns": chosen, "order": order, "algorithm": algorithm, "length": length, "hex": hex}
    hashwell.hash_rows(_nothing(df), **options)
    kind = pa.string() if hex else pa.binary()

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            digests = pa.array(hashwell.hash_rows(batch, **options)).cast(kind)
            yield pa.RecordBatch.from_arrays([*batch.columns, digests], [*batch.schema.names, name])

    return df.mapInArrow(step, _with(df, name, hex))


def table_digest(
    df: DataFrame,
    *,
    columns: _columns.Names | None = None,
    order: Order = "name",
    scheme: Literal["sorted-sha256", "lthash64-blake3"] = "sorted-sha256",
    ranges: int = 1,
) -> TableSum:
    """Return an order-independent digest of all rows, as hashwell.table_digest computes it.

    The job runs immediately. With "sorted-sha256", each task keeps a digest of 32 bytes in memory for each row of its
    partition. The digests are shuffled by their first byte to up to 256 tasks, and the driver gets 256 digests. With
    "lthash64-blake3", each partition has a state of 4 KiB. Several tasks merge these states, and then one task merges
    the results.

    Args:
        df: The DataFrame.
        columns: The names of the columns to hash. By default, all columns are hashed.
        order: "name" ignores the order of the columns. With "declared", the order of the columns matters.
        scheme: "sorted-sha256" or "lthash64-blake3"; see hashwell.table_digest.
        ranges: For "sorted-sha256", the number of ranges into which each of the 256 buckets is divided before the
            digests are sorted: a power of two from 1 to 256. It does not change the result. With more ranges, a task
            needs less memory, but the digests are shuffled twice. With one range, a task needs 32 bytes of memory per
            row of a bucket: for a table of 4 * 10^9 rows, this is 500 MB. Use more ranges if this is too much.

    Returns:
        A TableSum, which has the digest and the number of rows.

    Raises:
        ValueError: A column is missing or ambiguous, a value has no encoding, ranges is not a power of two from 1 to
            256, or ranges is not 1 and scheme is not "sorted-sha256".
        TypeError: A column has a type without an encoding.

    Examples:
        >>> hashwell.spark.table_digest(df).hexdigest()                                     # doctest: +SKIP
    """
    if ranges not in _RANGES:
        raise ValueError(f"ranges must be a power of two from 1 to 256, not {ranges}")
    if ranges > 1 and scheme != "sorted-sha256":
        raise ValueError(f"only sorted-sha256 has ranges, not {scheme}")
    chosen = list(df.columns) if columns is None else _columns.names(df, "columns", columns)
    _once(df)
    narrow = df.select(*[_columns.quoted(name) for name in chosen])
    empty = hashwell.TableDigest(scheme, columns=chosen, order=order)
    empty.update(_nothing(narrow))
    partial = narrow.mapInArrow(_parts(scheme, chosen, order, ranges), _PART)
    if ranges > 1:
        pieces = partial.repartition("bucket", "range").mapInArrow(sorted_pieces(head(empty), ranges), _PIECE)
        # Spark sorts the pieces on disk if necessary, so a task does not keep a bucket in memory.
        ordered = pieces.repartition("bucket").sortWithinPartitions("bucket", "range", "place")
        found = ordered.mapInArrow(digests_of_pieces, _DIGEST)
    elif scheme == "sorted-sha256":
        found = partial.repartition("bucket").mapInArrow(digests_of(head(empty)), _DIGEST)
    else:
        # In the first step, the bucket is the number of the partition.
        found = partial.repartition("bucket").mapInArrow(_one, _PART).repartition(1).mapInArrow(_one, _PART)
    with one_line():
        table = found.toArrow()
    return TableSum.of(empty, table.to_pylist())


def _parts(scheme: Literal["sorted-sha256", "lthash64-blake3"], columns: list[str], order: Order, ranges: int) -> Step:
    """Return the argument of `mapInArrow` that converts rows to the parts of their state, which are sent to different tasks."""

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        digest = hashwell.TableDigest(scheme, columns=columns, order=order)
        for batch in batches:
            digest.update(batch)
        if not digest.rows:
            return
        if scheme != "sorted-sha256":
            yield _row(_partition(), 0, digest.to_bytes())
            return
        for bucket, digests in parts(digest):
            for part in in_ranges(bucket, digests, ranges):
                yield _row(*part)

    return step


def _partition() -> int:
    """Return the number of the partition that this task processes."""
    from pyspark import TaskContext

    task = TaskContext.get()
    return 0 if task is None else task.partitionId()


def _one(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Merge states into one state."""
    found = merged(state for batch in batches for state in batch.column("part").to_pylist())
    if found is not None:
        yield _row(0, 0, found.to_bytes())


def _row(bucket: int, number: int, data: bytes) -> pa.RecordBatch:
    numbers = [pa.array([one], pa.int32()) for one in (bucket, number)]
    return pa.record_batch([*numbers, pa.array([data], pa.binary())], ["bucket", "range", "part"])


def _nothing(df: DataFrame) -> pa.Table:
    """Return a table without rows that has the columns of a DataFrame. Raises TypeError if a column can't be converted
    to Arrow."""
    from pyspark.errors import PySparkException

    try:
        # Only the schema is used, because the rows of a stream are not available here.
        return df.sparkSession.createDataFrame([], df.schema).toArrow()
    except PySparkException as error:
        raise TypeError(f"a column cannot be converted to Arrow: {str(error).splitlines()[0]}") from None


def _once(df: DataFrame) -> None:
    """Raise ValueError if two columns have the same name."""
    for name in df.columns:
        if df.columns.count(name) > 1:
            raise ValueError(f"{df.columns.count(name)} columns are called '{name}'; rename them")


def _with(df: DataFrame, name: str, hex: bool) -> object:
    """Return the schema with one more column."""
    from pyspark.sql.types import BinaryType, StringType, StructField, StructType

    return StructType([*df.schema.fields, StructField(name, StringType() if hex else BinaryType())])
