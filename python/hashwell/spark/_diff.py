"""Comparison of two DataFrames by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import hashwell

from .._diff import RepeatedKeyError, TableDiff, _listed, _Tolerance
from . import _columns
from ._columns import OWN, Step
from ._rows import _nothing, _once

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# The number of rows in a batch of results. Each row can have many columns.
_BATCH = 10_000

_EXACT = {"byte", "short", "integer", "long", "decimal"}
_FLOATS = {"float", "double"}


@dataclass(frozen=True)
class FrameDiff:
    """The differences between two DataFrames, as `hashwell.spark.diff` returns them.

    - rows is a lazy DataFrame with one row for each row that was removed, added or changed. Its column `change` is
      "removed", "added" or "changed". `old` and `new` are structs with the columns that both DataFrames have, or null
      for a row that does not exist. `columns` lists the names of the columns that changed, and is null for the other
      rows.
    - only has two lists of column names: the columns that only the first DataFrame has, and the columns that only the
      second DataFrame has.

    Examples:
        >>> found = hashwell.spark.diff(old, new, key="id")                                 # doctest: +SKIP
        >>> found.rows.groupBy("change").count().show()                                     # doctest: +SKIP
    """

    rows: DataFrame
    only: tuple[list[str], list[str]]


def diff(
    a: DataFrame,
    b: DataFrame,
    key: _columns.Names,
    *,
    ignore: _columns.Names = (),
    rename: Mapping[str, str] | None = None,
    tolerance: _Tolerance | Mapping[str, _Tolerance] | None = None,
    ignore_case: bool = False,
    trim: bool = False,
    duplicates: str = "error",
    tasks: int | None = None,
) -> FrameDiff:
    """Compare two DataFrames by key, and return the rows that were added, removed and changed.

    The rules are those of hashwell.diff. The result is lazy. The rows of both DataFrames are shuffled by key, and a
    task keeps all rows with its keys in memory. If a task needs too much memory, increase `tasks`.

    Args:
        a: The first DataFrame. It must not be a streaming DataFrame.
        b: The second DataFrame. It must not be a streaming DataFrame.
        key: The columns that identify a row: a name or a list of names. A key column must have the same type in both
            DataFrames. However, different integer and decimal types can be compared, and so can float and double.
        ignore: The columns that are not compared: a name or a list of names.
        rename: A mapping from column names of the first DataFrame to column names of the second DataFrame. In all other
            arguments, use the names of the second DataFrame.
        tolerance: The tolerance for numbers, or a mapping with the tolerance of each column, as for hashwell.diff.
        ignore_case: True ignores case in text. It does not apply to keys.
        trim: True ignores whitespace at the start and end of text. It does not apply to keys.
        duplicates: "error" raises an error if a key occurs twice in a DataFrame. "multiset" pairs equal rows with the
            same key and reports the other rows with that key as removed or added.
        tasks: The number of tasks that compare rows. The default is `spark.sql.shuffle.partitions`.

    Returns:
        A FrameDiff.

    Raises:
        ValueError: a or b is a streaming DataFrame, tasks is less than 1, or hashwell.diff rejects an argument. If a
            key occurs twice, Spark raises its own exception, which contains the error message.
        TypeError: A column can't be converted to Arrow, or the types of a key column in the two DataFrames can't be
            compared.

    Examples:
        >>> hashwell.spark.diff(old, new, key="id", ignore="loaded_at").rows.show()         # doctest: +SKIP
    """
    if tasks is not None and tasks < 1:
        raise ValueError(f"tasks must be at least 1, not {tasks}")
    if a.isStreaming or b.isStreaming:
        raise ValueError("a streaming DataFrame can't be compared: write its rows to a table first")
    options: dict[str, Any] = {
        "tolerance": tolerance,
        "ignore_case": ignore_case,
        "trim": trim,
        "duplicates": duplicates,
    }
    keys, ignored = _listed(key), _listed(ignore)
    # The columns and the arguments are checked without rows.
    _once(a)
    _once(b)
    empty = hashwell.diff(_nothing(a), _nothing(b), keys, ignore=ignored, rename=rename, **options)
    shown = empty.added.column_names
    originals = [{(rename or {}).get(name, name): name for name in a.columns}, {name: name for name in b.columns}]
    doubles = _unequal_types((a, b), originals, keys)
    sides = [
        _side(df, side, own, keys, doubles, shown)
        for df, side, own in zip((a, b), ("old", "new"), originals, strict=True)
    ]
    both = sides[0].unionByName(sides[1], allowMissingColumns=True)
    places = [_columns.quoted(_key(place)) for place in range(len(keys))]
    divided = both.repartition(*places) if tasks is None else both.repartition(tasks, *places)
    narrow = divided.select("old", "new")
    return FrameDiff(narrow.mapInArrow(_step(keys, options), _schema(narrow)), empty.only)


def _key(place: int) -> str:
    """Return the name of a temporary key column. Rows are divided among the tasks by these columns."""
    return f"{OWN}key_{place}"


def _side(df: DataFrame, side: str, original: Mapping[str, str], keys: list[str], doubles: set[str], shown: list[str]) -> DataFrame:
    """Return the keys of one DataFrame, and a struct with the columns that are compared, under their new names."""
    column = {name: _columns.quoted(original[name]) for name in shown}
    places = [
        f"{f'CAST({column[name]} AS DOUBLE)' if name in doubles else column[name]} AS {_columns.quoted(_key(place))}"
        for place, name in enumerate(keys)
    ]
    fields = ", ".join(f"{column[name]} AS {_columns.quoted(name)}" for name in shown)
    return df.selectExpr(*places, f"STRUCT({fields}) AS {side}")


def _unequal_types(sides: tuple[DataFrame, DataFrame], originals: list[dict[str, str]], keys: list[str]) -> set[str]:
    """Return the keys with different numeric types in the two DataFrames.

    These keys are converted to doubles to divide the rows among the tasks. Equal keys remain equal, so they are sent to
    the same task. Different keys can become equal, which is harmless. Spark has no exact type for all integers and
    decimals. Raises TypeError if the keys can never be equal.
    """
    found = set()
    for name in keys:
        columns = [original[name] for original in originals]
        types = [side.schema[column].dataType for side, column in zip(sides, columns, strict=True)]
        kinds = [_columns.kind(side, column) for side, column in zip(sides, columns, strict=True)]
        if types[0] == types[1] or kinds[0] == kinds[1] == "string":
            continue
        if not any(family.issuperset(kinds) for family in (_EXACT, _FLOATS)):
            raise TypeError(
                f"key: the column '{name}' has the type {types[0].simpleString()} in the first DataFrame and "
                f"{types[1].simpleString()} in the second: cast one of them"
            )
        found.add(name)
    return found


def _schema(df: DataFrame) -> object:
    """Return the schema of the result, which contains the structs `old` and `new` of `df`."""
    from pyspark.sql.types import ArrayType, StringType, StructField, StructType

    old, new = df.schema["old"], df.schema["new"]
    return StructType(
        [
            StructField("change", StringType()),
            StructField("columns", ArrayType(StringType())),
            StructField("old", old.dataType),
            StructField("new", new.dataType),
        ]
    )


def _step(keys: list[str], options: dict[str, Any]) -> Step:
    """Return the argument of `mapInArrow` that compares the rows of a task."""

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        sides: list[list[pa.RecordBatch]] = [[], []]
        for batch in batches:
            for rows, column in zip(sides, batch.columns, strict=True):
                rows.append(pa.RecordBatch.from_struct_array(column.filter(column.is_valid())))
        if not sides[0]:
            return
        tables = [pa.Table.from_batches(rows) for rows in sides]
        try:
            found = hashwell.diff(tables[0], tables[1], keys, **options)
        except RepeatedKeyError as error:
            raise ValueError(error.without_rows) from None
        yield from _rows(found, [pa.struct(table.schema) for table in tables])

    return step


def _rows(found: TableDiff, kinds: list[pa.DataType]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the result. `kinds` are the types of the structs with the old and the new values."""
    names = [list(change.cells) for change in found.changed]
    for change, columns, old, new in (
        ("removed", None, found.removed, None),
        ("added", None, None, found.added),
        ("changed", names, *found._page.sides),
    ):
        count = len(old if old is not None else new)
        for begin in range(0, count, _BATCH):
            n = min(_BATCH, count - begin)
            listed = pa.nulls(n, pa.list_(pa.string())) if columns is None else pa.array(columns[begin : begin + n], pa.list_(pa.string()))
            structs = [
                pa.nulls(n, kind) if table is None else _struct(table.slice(begin, n), kind)
                for table, kind in zip((old, new), kinds, strict=True)
            ]
            yield pa.record_batch([pa.array([change] * n), listed, *structs], ["change", "columns", "old", "new"])


def _struct(table: pa.Table, kind: pa.DataType) -> pa.StructArray:
    """Return the rows of a table as an array of structs."""
    columns = [column.combine_chunks() for column in table.columns]
    return pa.StructArray.from_arrays(columns, fields=list(kind))
