"""Digests of rows, and of all rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

import hashwell

from . import _columns
from ._buckets import Step, TableSum, digests_of, head, merged, parts
from ._errors import one_line

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Order = Literal["name", "declared"]

_PART = "bucket INT, part BINARY"


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
    """`df` with the digest of each row in a column more, binary, or hexadecimal text with `hex`.

    The digests are those of `hashwell.hash_rows`, and so are `columns` (those that count, by default all), `order`,
    `algorithm` and `length`. Lazy, one pass, no shuffle; a streaming DataFrame may be given, too. All columns go to
    Python and back.

    Raises ValueError for columns that are not there or there twice, and for a name that is taken; TypeError for a
    type without encoding.
    """
    chosen = list(df.columns) if columns is None else _columns.names(df, "columns", columns)
    _once(df)
    if name in df.columns:
        raise ValueError(f"name: there is a column '{name}' already; give another name")
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
    suite: Literal["sorted-sha256", "lthash64-blake3"] = "sorted-sha256",
) -> TableSum:
    """The digest of all rows, whatever their order and partitions: that of `hashwell.table_digest`.

    Runs at once. With `sorted-sha256` a task holds 32 bytes for each row of its partition; these are shuffled by their
    first bytes to up to 256 tasks, which hold a 256th or more of all, and what comes to the driver is 256 digests. With
    `lthash64-blake3` 4 KiB a task are merged in one.

    Raises what `hash_rows` raises, and one line for what goes wrong in a worker.
    """
    chosen = list(df.columns) if columns is None else _columns.names(df, "columns", columns)
    _once(df)
    narrow = df.select(*[_columns.quoted(name) for name in chosen])
    empty = hashwell.TableDigest(suite, columns=chosen, order=order)
    empty.update(_nothing(narrow))
    partial = narrow.mapInArrow(_parts(suite, chosen, order), _PART)
    if suite == "sorted-sha256":
        found = partial.repartition("bucket").mapInArrow(digests_of(head(empty)), "bucket INT, n BIGINT, digest BINARY")
    else:
        found = partial.repartition(1).mapInArrow(_one, _PART)
    with one_line():
        table = found.toArrow()
    return TableSum.of(empty, table.to_pylist())


def _parts(suite: Literal["sorted-sha256", "lthash64-blake3"], columns: list[str], order: Order) -> Step:
    """What `mapInArrow` takes: from rows to the parts of their state, which go to different tasks."""

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        digest = hashwell.TableDigest(suite, columns=columns, order=order)
        for batch in batches:
            digest.update(batch)
        if digest.rows:
            yield from map(_row, parts(digest) if suite == "sorted-sha256" else [(0, digest.to_bytes())])

    return step


def _one(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """From states to the one of all."""
    found = merged(state for batch in batches for state in batch.column(1).to_pylist())
    if found is not None:
        yield _row((0, found.to_bytes()))


def _row(part: tuple[int, bytes]) -> pa.RecordBatch:
    bucket, data = part
    return pa.record_batch([pa.array([bucket], pa.int32()), pa.array([data], pa.binary())], ["bucket", "part"])


def _nothing(df: DataFrame) -> pa.Table:
    """A table without rows that has the columns of a DataFrame: what is wrong with them is found here."""
    from pyspark.errors import PySparkException

    try:
        # Of the schema alone, since a stream cannot be asked for its rows.
        return df.sparkSession.createDataFrame([], df.schema).toArrow()
    except PySparkException as error:
        raise TypeError(f"a column does not go through Arrow: {str(error).splitlines()[0]}") from None


def _once(df: DataFrame) -> None:
    """Names in a table are its columns': no two may have one."""
    for name in df.columns:
        if df.columns.count(name) > 1:
            raise ValueError(f"{df.columns.count(name)} columns are called '{name}'; rename them")


def _with(df: DataFrame, name: str, hex: bool) -> object:
    """The schema with a column more."""
    from pyspark.sql.types import BinaryType, StringType, StructField, StructType

    return StructType([*df.schema.fields, StructField(name, StringType() if hex else BinaryType())])
