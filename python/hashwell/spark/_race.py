"""The keys with the least tickets, or the ones that win the race of hwdraw's weighted tickets, with their rows.

What a partition keeps are rows, and keeping the first of kept rows is the same step once more: so a state is a table,
and whatever was cut, merged or done twice, the same keys are left.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import hashwell

from ._columns import OWN, Step
from ._seed import stratum_key

# Names of the columns that this module reads, beside whatever else a row has.
KEY, STRATUM, WEIGHT = f"{OWN}key", f"{OWN}by", f"{OWN}weight"


class Race:
    """The rows of the k first keys of all that went by; k is at least 1.

    A batch has the column KEY (binary) and, with weights, WEIGHT (decimal). Memory holds the rows of the k keys and of
    some that were ahead of others for a while, with `distinct` one row a key.
    """

    def __init__(self, k: int, key: bytes, *, weighted: bool, distinct: bool) -> None:
        self._k, self._distinct = k, distinct
        self._order = _Weighted(key) if weighted else _Tickets(key)
        self._rows: list[pa.RecordBatch] = []
        self._new = 0
        self._kept = 0

    def update(self, batch: pa.RecordBatch) -> None:
        """More rows."""
        begin, size = 0, 1024
        # Small slices first: until k keys are known, every row may be among the first.
        while begin < batch.num_rows:
            part = batch.slice(begin, size)
            near = self._order.near(part)
            if len(near):
                self._rows.append(part.take(pa.array(near)))
                self._new += len(near)
            if self._new > max(2 * self._k, self._kept):
                self._trim()
            begin, size = begin + size, size * 2

    def rows(self) -> list[pa.RecordBatch]:
        """The rows kept."""
        self._trim()
        return self._rows

    def _trim(self) -> None:
        if self._new:
            (rows,) = pa.Table.from_batches(self._rows).combine_chunks().to_batches()
            chosen = self._order.first(rows, self._k, self._distinct)
            self._rows = [rows.take(pa.array(chosen))]
            self._new, self._kept = 0, len(chosen)


def race(k: int, key: bytes, *, strata: bool, weighted: bool, distinct: bool) -> Step:
    """What `mapInArrow` takes: from rows to those of the first k keys, of each stratum with `strata`."""

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
    """The rows of each stratum."""
    labels = batch.column(STRATUM).dictionary_encode()
    order = pc.array_sort_indices(labels.indices)
    sorted_rows, codes = batch.take(order), labels.indices.take(order).to_numpy()
    ends = np.append(np.flatnonzero(np.diff(codes)) + 1, len(codes))
    begin = 0
    for end in ends.tolist() if len(codes) else []:
        yield labels.dictionary[int(codes[begin])].as_py(), sorted_rows.slice(begin, end - begin)
        begin = end


def _hashes(prefix: bytes, texts: pa.Array) -> np.ndarray:
    """SHA-256 of each text behind a prefix: n x 32 bytes."""
    messages = pc.binary_join_element_wise(pa.scalar(prefix, texts.type), texts, pa.scalar(b"", texts.type))
    out = np.empty((len(texts), 32), np.uint8)
    if len(texts):
        hashwell.hash_many("sha256", messages, out=out.reshape(-1).data)
    return out


def _number(hashes: np.ndarray, begin: int) -> np.ndarray:
    """Eight bytes of each as a number."""
    return np.ascontiguousarray(hashes[:, begin : begin + 8]).view(">u8")[:, 0].astype(np.uint64)


class _Tickets:
    """Keys in the order of their tickets, the first 16 bytes of SHA-256(K | 01 | key)."""

    def __init__(self, key: bytes) -> None:
        self._prefix = key + b"\x01"
        self._limit = np.uint64(2**64 - 1)

    def near(self, batch: pa.RecordBatch) -> np.ndarray:
        """Rows whose keys may be among the first."""
        return np.flatnonzero(_number(_hashes(self._prefix, batch.column(KEY)), 0) <= self._limit)

    def first(self, rows: pa.RecordBatch, k: int, distinct: bool) -> np.ndarray:
        """Rows of the first k keys."""
        hashes = _hashes(self._prefix, rows.column(KEY))
        high, low = _number(hashes, 0), _number(hashes, 8)
        order = np.lexsort((low, high))
        high, low = high[order], low[order]
        begins = np.ones(len(order), bool)
        begins[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
        keys = np.cumsum(begins)
        if len(keys) and keys[-1] >= k:
            self._limit = high[np.searchsorted(keys, k)]
        return order[(keys <= k) & begins] if distinct else order[keys <= k]


class _Weighted:
    """Keys in the order of E / w, the race of hwdraw's `weighted-ticket` (docs/spec/draw.md).

    E has whole numbers of 128 bits in it. All rows get its least value only, from two hashes; those that may be among
    the first are compared exactly.
    """

    def __init__(self, key: bytes) -> None:
        self._prefix = key + b"\x06"
        # More than any E / w is.
        self._limit = 1e200

    def near(self, batch: pa.RecordBatch) -> np.ndarray:
        """Rows whose keys may be among the first."""
        weights = _weights(batch)
        own = _hashes(self._prefix, batch.column(KEY))
        least = _number(_blocks(own, 0), 0).astype(np.float64) / 2.0**64
        # Rounding may let one more in, and none out.
        return np.flatnonzero((weights > 0) & (least <= self._limit * weights * (1 + 1e-9)))

    def first(self, rows: pa.RecordBatch, k: int, distinct: bool) -> np.ndarray:
        """Rows of the first k keys."""
        scale = rows.column(WEIGHT).type.scale
        texts = rows.column(KEY).to_pylist()
        weights = [int(w.scaleb(scale)) for w in rows.column(WEIGHT).to_pylist()]
        own = _hashes(self._prefix, rows.column(KEY))
        entries: dict[bytes, tuple[int, int, bytes, list[int]]] = {}
        for row, (text, weight) in enumerate(zip(texts, weights, strict=True)):
            if text not in entries:
                entries[text] = (_exponential(own[row].tobytes()), weight, text, [row])
            elif entries[text][1] != weight:
                raise ValueError(differing(text))
            elif not distinct:
                entries[text][3].append(row)
        ranked = sorted(entries.values(), key=functools.cmp_to_key(_sooner))[:k]
        if len(ranked) == k:
            last = ranked[-1]
            # The units of `near`, in which a weight is not scaled.
            self._limit = last[0] / 2**128 / last[1] * 10**scale
        return np.array([row for entry in ranked for row in entry[3]], np.int64)


def differing(text: bytes) -> str:
    """What is wrong where rows of one key have several weights."""
    return f"weights: rows of the key {text[:80]!r} have different weights"


def _sooner(a: tuple[int, int, bytes, list[int]], b: tuple[int, int, bytes, list[int]]) -> int:
    """Compares E / w, then the keys."""
    left, right = a[0] * b[1], b[0] * a[1]
    return (left > right) - (left < right) or (a[2] > b[2]) - (a[2] < b[2])


def _weights(batch: pa.RecordBatch) -> np.ndarray:
    """The weights in floats, once they are known to be such."""
    column = batch.column(WEIGHT)
    wrong = pc.or_kleene(pc.is_null(column), pc.less(column, pa.scalar(Decimal(0), column.type)))
    large = pc.greater_equal(column, pa.scalar(Decimal(2**64).scaleb(-column.type.scale), column.type))
    refused = pc.or_kleene(wrong, large)
    if pc.any(refused).as_py():
        row = pc.index(refused, True).as_py()
        text, weight = batch.column(KEY)[row].as_py(), column[row].as_py()
        raise ValueError(
            f"weights: {'null' if weight is None else weight} of the key {text[:80]!r}; "
            f"a weight is 0 or more, without its point less than 2^64"
        )
    return column.cast(pa.float64()).to_numpy(zero_copy_only=False)


def _blocks(keys: np.ndarray, number: int) -> np.ndarray:
    """A block of words of each key: SHA-256(key | 00 | number)."""
    messages = np.zeros((len(keys), 41), np.uint8)
    messages[:, :32] = keys
    messages[:, 33:] = np.frombuffer(number.to_bytes(8, "big"), np.uint8)
    out = np.empty((len(keys), 32), np.uint8)
    if len(keys):
        hashwell.hash_many("sha256", messages.data, out=out.reshape(-1).data)
    return out


def _exponential(key: bytes) -> int:
    """E of a row's key, by von Neumann's comparisons (1951)."""

    def numbers() -> Iterator[int]:
        for block in itertools.count():
            words = hashwell.sha256(key + b"\x00" + block.to_bytes(8, "big")).digest()
            yield int.from_bytes(words[:16], "big")
            yield int.from_bytes(words[16:], "big")

    stream = numbers()
    whole = 0
    while True:
        first = before = next(stream)
        run = 1
        while (number := next(stream)) < before:
            before, run = number, run + 1
        if run % 2:
            return whole << 128 | first
        whole += 1
