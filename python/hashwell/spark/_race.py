"""Selects keys and their rows. These are the keys with the smallest tickets or, with weights, the keys that the
specification hwdraw/1 (docs/spec/draw.md) picks.

The extension (`_native._Race`) selects the keys. A partition keeps the rows of its selected keys. The selection can be
repeated on the selected rows. So a state is a table of rows, and the same keys are selected if data is divided, merged
or processed twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NoReturn

import pyarrow as pa
import pyarrow.compute as pc

from .._native import _Race
from ._columns import OWN, Step
from ._seed import stratum_key

# The names of the columns that this module reads. Rows may have other columns.
KEY, STRATUM, WEIGHT = f"{OWN}key", f"{OWN}by", f"{OWN}weight"


class Race:
    """Selects k keys from all rows that were added, and keeps their rows. k is at least 1.

    A batch has the column KEY (binary) and, with weights, WEIGHT (decimal). Memory contains the rows of the k keys, and
    of some keys that were selected earlier. With `distinct`, it contains one row per key.
    """

    def __init__(self, k: int, key: bytes, *, weighted: bool, distinct: bool) -> None:
        self._k, self._weight = k, WEIGHT if weighted else None
        self._first = _Race(k, key, weighted=weighted, distinct=distinct)
        # The rows that were selected, in the order of their numbers.
        self._rows: list[pa.RecordBatch] = []
        self._new = 0
        self._kept = 0

    def __reduce__(self) -> NoReturn:
        # The extension stores the selected keys, and a copy would share them.
        raise TypeError("a Race cannot be copied or pickled")

    def update(self, batch: pa.RecordBatch) -> None:
        """Add rows."""
        if self._weight is not None:
            _check_weights(batch)
        deciding = batch.select([KEY] if self._weight is None else [KEY, self._weight])
        entered = _integers(self._first.update(deciding, KEY, self._weight))
        if len(entered):
            self._rows.append(batch.take(entered))
            self._new += len(entered)
        if self._new > max(2 * self._k, self._kept):
            self._trim()

    def rows(self) -> list[pa.RecordBatch]:
        """Return the rows of the selected keys."""
        self._trim()
        return self._rows

    def _trim(self) -> None:
        if self._new:
            (rows,) = pa.Table.from_batches(self._rows).combine_chunks().to_batches()
            order = _integers(self._first.order())
            self._rows = [rows.take(order)]
            self._new, self._kept = 0, len(order)


def race(k: int, key: bytes, *, strata: bool, weighted: bool, distinct: bool) -> Step:
    """Return the argument of `mapInArrow` that selects k keys and keeps their rows. With `strata`, it selects k keys of
    each stratum."""

    def first(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        races: dict[bytes | None, Race] = {}
        for batch in batches:
            for label, part in _parts(batch) if strata else [(None, batch)]:
                if label not in races:
                    own = key if label is None else stratum_key(key, label)
                    races[label] = Race(k, own, weighted=weighted, distinct=distinct)
                races[label].update(part)
        for one in races.values():
            yield from one.rows()

    return first


def _parts(batch: pa.RecordBatch) -> Iterator[tuple[bytes, pa.RecordBatch]]:
    """Yield the rows of each stratum."""
    labels = batch.column(STRATUM).dictionary_encode()
    order = pc.array_sort_indices(labels.indices)
    sorted_rows, runs = batch.take(order), pc.run_end_encode(labels.indices.take(order))
    begin = 0
    for end, code in zip(runs.run_ends.to_pylist(), runs.values.to_pylist(), strict=True):
        yield labels.dictionary[code].as_py(), sorted_rows.slice(begin, end - begin)
        begin = end


def _integers(numbers: bytes) -> pa.Array:
    """Return a pyarrow array of 64-bit integers, which are in native byte order."""
    return pa.Array.from_buffers(pa.int64(), len(numbers) // 8, [None, pa.py_buffer(numbers)])


def _check_weights(batch: pa.RecordBatch) -> None:
    """Raise an error that contains the key of the first invalid weight, if there is one."""
    column = batch.column(WEIGHT)
    wrong = pc.or_kleene(pc.is_null(column), pc.less(column, pa.scalar(Decimal(0), column.type)))
    large = pc.greater_equal(column, pa.scalar(Decimal(2**64).scaleb(-column.type.scale), column.type))
    refused = pc.or_kleene(wrong, large)
    if pc.any(refused).as_py():
        row = pc.index(refused, True).as_py()
        text, weight = batch.column(KEY)[row].as_py(), column[row].as_py()
        limit = f"2^64 / 10^{column.type.scale}" if column.type.scale else "2^64"
        raise ValueError(
            f"weights: the weight of the key {text[:80]!r} is {'null' if weight is None else weight}; "
            f"expected at least 0, and less than {limit}"
        )
