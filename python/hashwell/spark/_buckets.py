"""Computes the digest of a table in parts: divides states into buckets, and combines the buckets into one digest
(docs/spec/rows.md)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

import hashwell

from ._columns import Step

BUCKETS = 256
# The number of bytes of sorted digests in a row that is sent to the task that hashes a bucket.
_PIECE = 1 << 22
# After the columns, a state has the number of rows, the number of rows in each bucket, the digests of the rows, and a checksum.
_NUMBERS = 8 + 8 * BUCKETS
_CHECK = 32


@dataclass(frozen=True)
class TableSum:
    """The result of `table_digest`.

    Two objects are equal if they have the same scheme, columns and digest. Equal tables give equal objects.
    """

    scheme: str
    columns: tuple[str, ...]
    """The names of the columns in the order in which a row is encoded."""
    rows: int
    _digest: bytes = field(repr=False)
    _buckets: tuple[tuple[int, bytes], ...] = field(repr=False, compare=False)
    _state: bytes | None = field(repr=False, compare=False)

    @classmethod
    def of(cls, empty: hashwell.TableDigest, found: list[dict[str, Any]]) -> TableSum:
        """Create the object. `empty` is the digest of a table with the same columns and no rows, and `found` has the
        results of the tasks."""
        columns = tuple(empty.columns or ())
        if empty.scheme != "sorted-sha256":
            for row in found:
                empty.merge(hashwell.TableDigest.from_bytes(row["part"]))
            return cls(empty.scheme, columns, empty.rows, empty.digest(), (), empty.to_bytes())
        buckets = empty.buckets()
        for row in found:
            buckets[row["bucket"]] = (row["n"], row["digest"])
        rows = sum(n for n, _ in buckets)
        root = hashwell.sha256(b"".join(digest for _, digest in buckets)).digest()
        scheme = empty.scheme.encode()
        header = head(empty)[len(b"hwtable-state/1") + 1 + len(scheme) + 8 :]
        message = b"hwtable/1" + bytes([len(scheme)]) + scheme + hashwell.sha256(header).digest()
        digest = hashwell.sha256(message + rows.to_bytes(8, "big") + root).digest()
        return cls(empty.scheme, columns, rows, digest, tuple(buckets), None)

    def digest(self) -> bytes:
        """Return the digest: 32 bytes."""
        return self._digest

    def hexdigest(self) -> str:
        """Return the digest in hexadecimal."""
        return self._digest.hex()

    def __bytes__(self) -> bytes:
        return self._digest

    def buckets(self) -> list[tuple[int, bytes]]:
        """Return the 256 buckets of `sorted-sha256`: the number of rows and the digest of each.

        Other schemes raise ValueError.
        """
        if not self._buckets:
            raise ValueError("only sorted-sha256 has buckets: lthash64-blake3 stores no row digests")
        return list(self._buckets)

    def state(self) -> hashwell.TableDigest:
        """Return the state of `lthash64-blake3`. You can merge other states into it, and remove rows from it.

        Other schemes raise ValueError.
        """
        if self._state is None:
            raise ValueError("state() supports only lthash64-blake3: a state of sorted-sha256 would be as large as the table")
        return hashwell.TableDigest.from_bytes(self._state)


def head(digest: hashwell.TableDigest) -> bytes:
    """Return the beginning of a state of `sorted-sha256`: the scheme and the columns."""
    state = digest.to_bytes()
    return state[: len(state) - _NUMBERS - 32 * digest.rows - _CHECK]


def parts(digest: hashwell.TableDigest) -> Iterator[tuple[int, bytes]]:
    """Yield each bucket of `sorted-sha256` that has rows, with their concatenated sorted digests."""
    state = digest.to_bytes()
    end = len(state) - _CHECK
    begin = end - 32 * digest.rows
    counts = state[begin - 8 * BUCKETS : begin]
    for bucket in range(BUCKETS):
        end = begin + 32 * int.from_bytes(counts[8 * bucket : 8 * bucket + 8], "big")
        if end > begin:
            yield bucket, state[begin:end]
        begin = end


def in_ranges(bucket: int, digests: bytes, ranges: int) -> Iterator[tuple[int, int, bytes]]:
    """Divide the sorted digests of a bucket into ranges by their second byte. For each range that has digests, yield
    the bucket, the range and the digests. `ranges` is a power of two, at most 256.
    """
    begin, count = 0, len(digests) // 32
    for number in range(ranges):
        most = (number + 1) * 256 // ranges
        end = bisect_left(range(count), most, lo=begin, key=lambda row: digests[32 * row + 1])
        if end > begin:
            yield bucket, number, digests[32 * begin : 32 * end]
        begin = end


def _state(head: bytes, bucket: int, digests: bytes) -> bytes:
    """Return the state that has only the rows of one part."""
    count = (len(digests) // 32).to_bytes(8, "big")
    state = head + count + bytes(8 * bucket) + count + bytes(8 * (BUCKETS - 1 - bucket)) + digests
    return state + hashwell.sha256(state).digest()


def merged(parts: Iterable[bytes]) -> hashwell.TableDigest | None:
    """Return the merged state of all parts, or None if there are none."""
    found: hashwell.TableDigest | None = None
    for part in parts:
        state = hashwell.TableDigest.from_bytes(part)
        if found is None:
            found = state
        else:
            found.merge(state)
    return found


def digests_of(head: bytes) -> Step:
    """Return the argument of `mapInArrow` that converts parts of buckets to the row counts and digests of these buckets.
    """

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = ((row["bucket"], row["part"]) for batch in batches for row in batch.to_pylist())
        found = merged(_state(head, bucket, part) for bucket, part in rows)
        for bucket, (n, digest) in enumerate(found.buckets() if found is not None else ()):
            if n:
                yield _digest_of(bucket, n, digest)

    return step


def sorted_pieces(head: bytes, ranges: int) -> Step:
    """Return the argument of `mapInArrow` that merges parts of ranges, and returns their sorted digests in pieces."""

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = ((row["bucket"], row["part"]) for batch in batches for row in batch.to_pylist())
        found = merged(_state(head, bucket, part) for bucket, part in rows)
        for bucket, digests in parts(found) if found is not None else ():
            for _, number, part in in_ranges(bucket, digests, ranges):
                for begin in range(0, len(part), _PIECE):
                    columns = [
                        pa.array([bucket], pa.int32()),
                        pa.array([number], pa.int32()),
                        pa.array([begin], pa.int64()),
                        pa.array([part[begin : begin + _PIECE]], pa.binary()),
                    ]
                    yield pa.record_batch(columns, ["bucket", "range", "place", "part"])

    return step


def digests_of_pieces(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Convert the pieces of buckets to the row counts and digests of these buckets. The pieces of a bucket must be in
    order."""
    bucket: int | None = None
    count, hasher = 0, hashwell.sha256()
    for batch in batches:
        for row in batch.to_pylist():
            if row["bucket"] != bucket:
                if bucket is not None:
                    yield _digest_of(bucket, count, hasher.digest())
                bucket, count, hasher = row["bucket"], 0, hashwell.sha256()
            hasher.update(row["part"])
            count += len(row["part"]) // 32
    if bucket is not None:
        yield _digest_of(bucket, count, hasher.digest())


def _digest_of(bucket: int, count: int, digest: bytes) -> pa.RecordBatch:
    columns = [pa.array([bucket], pa.int32()), pa.array([count], pa.int64()), pa.array([digest], pa.binary())]
    return pa.record_batch(columns, ["bucket", "n", "digest"])
