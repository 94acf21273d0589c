"""Checksums of large files with several tasks per file. BLAKE3 and KangarooTwelve are tree hashes, so the pieces of a
file can be hashed separately.

Rows pass through three steps, each of which is a function that is passed to `mapInArrow`. The first step hashes small
files and divides large ones into parts. The second step hashes the parts. The third step gets the rows of a file in
order, and joins the results of the parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import pyarrow as pa

import hashwell

from ._stored import Elsewhere, Local, reason, stored
from ._sums import Row, columns_of, row, schema_of, sized, sums

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# The number of pieces in a part. A task reads 64 MiB, and a row contains at most 2 MiB of values (for KT256).
PIECES = 256

# The kinds of rows. A row with values has the index of their algorithm as its kind. A row with the digests of the
# algorithms that need the whole file has the number of algorithms as its kind.
DONE, PART = -2, -1


class _Step(NamedTuple):
    """A row that one step passes to the next. All rows of a file have the same `number`. The rows of one tree hash are
    sorted by `part`."""

    number: int
    kind: int
    part: int
    said: Row
    version: str | None = None
    values: list[bytes] | None = None


def in_pieces(
    numbered: DataFrame, algorithms: list[str], options: Mapping[str, Any], least: int, tasks: int
) -> DataFrame:
    """Return a DataFrame with the result for each file. `numbered` has the numbers and paths of the files.

    Files of at least `least` bytes are divided into parts, which `tasks` tasks hash.
    """
    steps = _Sums(algorithms, options, least)
    # With an explicit number of partitions, Spark doesn't merge small partitions.
    begun = numbered.mapInArrow(steps.begin, steps.schema).repartition(tasks, "number", "part")
    hashed = begun.mapInArrow(steps.hash, steps.schema).repartition(tasks, "number")
    in_order = hashed.sortWithinPartitions("number", "kind", "part")
    return in_order.mapInArrow(steps.join, schema_of(algorithms))


def is_tree(algorithm: str) -> bool:
    """Return true if the algorithm is a tree hash, so the pieces of a file can be hashed separately."""
    try:
        hashwell.Pieces(algorithm, 0, **sized(algorithm))
    except ValueError:
        return False
    return True


class _Sums:
    """The three steps for these algorithms."""

    def __init__(self, algorithms: list[str], options: Mapping[str, Any], least: int) -> None:
        self._algorithms, self._options, self._least = algorithms, dict(options), least
        self._trees = [i for i, name in enumerate(algorithms) if is_tree(name)]
        self._others = [i for i in range(len(algorithms)) if i not in self._trees]

    @property
    def schema(self) -> str:
        """The columns of the rows that one step passes to the next, as a Spark DDL string."""
        # Only the final result has columns with the names of algorithms, because some names contain dots.
        said = "path STRING, size BIGINT, modified TIMESTAMP, digests ARRAY<STRING>, error STRING"
        return f"number BIGINT, kind INT, part BIGINT, {said}, version STRING, values ARRAY<BINARY>"

    def begin(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert numbers and paths to digests, and to parts that must be hashed."""
        for batch in batches:
            for number, path in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield from map(self._batch, self._begun(number, path))

    def hash(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert each part to the values of its pieces, with one row per tree hash."""
        for step in self._steps(batches):
            yield from map(self._batch, self._hashed(step) if step.kind == PART else [step])

    def join(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert values to digests."""
        for _, steps in groupby(self._steps(batches), lambda step: step.number):
            yield pa.record_batch(columns_of(self._joined(steps), self._algorithms))

    def _begun(self, number: int, path: str) -> Iterator[_Step]:
        try:
            file = stored(path, self._options)
            seen = file.seen()
            cut = seen.size >= self._least and file.has_places()
        # If there is a problem with the file, reading it as a whole reports the error.
        except Exception:
            cut = False
        if not cut:
            yield _Step(number, DONE, 0, row(path, self._algorithms, self._options))
            return
        said = Row(path, seen.size, seen.modified, [None] * len(self._algorithms), None)
        # The last part is for algorithms that need the whole file.
        for part in range(self._parts(seen.size) + bool(self._others)):
            yield _Step(number, PART, part, said, repr(seen.version))

    def _parts(self, size: int) -> int:
        return -(-size // (hashwell.Pieces.PIECE_SIZE * PIECES))

    def _tree(self, i: int, size: int) -> hashwell.Pieces:
        name = self._algorithms[i]
        return hashwell.Pieces(name, size, **sized(name))

    def _hashed(self, step: _Step) -> list[_Step]:
        said, size = step.said, step.said.size or 0
        try:
            file = stored(said.path, self._options)
            _check(file, step)
            with file.open() as stream:
                hashed = self._whole if step.part == self._parts(size) else self._values
                found = hashed(stream, step, size)
            _check(file, step)
        except Exception as failure:
            return [step._replace(kind=DONE, said=said._replace(error=reason(failure)))]
        return found

    def _whole(self, stream: BinaryIO, step: _Step, size: int) -> list[_Step]:
        read, found = sums(stream, [self._algorithms[i] for i in self._others])
        if read != size:
            raise OSError(0, f"changed while it was read: {read} of {size} bytes were read")
        digests = [*step.said.digests]
        for i, digest in zip(self._others, found, strict=True):
            digests[i] = digest
        return [step._replace(kind=len(self._algorithms), said=step.said._replace(digests=digests))]

    def _values(self, stream: BinaryIO, step: _Step, size: int) -> list[_Step]:
        trees = [self._tree(i, size) for i in self._trees]
        values: list[list[bytes]] = [[] for _ in trees]
        first = step.part * PIECES
        stream.seek(trees[0].span(first)[0])
        for index in range(first, min(first + PIECES, trees[0].count)):
            start, end = trees[0].span(index)
            data = _exactly(stream, end - start)
            for tree, of_tree in zip(trees, values, strict=True):
                of_tree.append(tree.value(index, data))
        return [step._replace(kind=i, values=found) for i, found in zip(self._trees, values, strict=True)]

    def _joined(self, steps: Iterator[_Step]) -> Row:
        """Return the result for one file from its rows (`steps`).

        A row with an error is first. The row with the digests of the algorithms that need the whole file is last.
        """
        first = next(steps)
        if first.kind == DONE:
            return first.said
        digests: list[str | None] = [None] * len(self._algorithms)
        for kind, parts in groupby(chain([first], steps), lambda step: step.kind):
            if kind < len(self._algorithms):
                tree = self._tree(kind, first.said.size or 0)
                digests[kind] = tree.join(value for part in parts for value in part.values or []).hex()
            else:
                (whole,) = parts
                for i in self._others:
                    digests[i] = whole.said.digests[i]
        return first.said._replace(digests=digests)

    def _batch(self, step: _Step) -> pa.RecordBatch:
        said = columns_of(step.said, self._algorithms)
        return pa.record_batch(
            {
                "number": pa.array([step.number], pa.int64()),
                "kind": pa.array([step.kind], pa.int32()),
                "part": pa.array([step.part], pa.int64()),
                **{name: said[name] for name in ["path", "size", "modified"]},
                "digests": pa.array([step.said.digests], pa.list_(pa.string())),
                "error": said["error"],
                "version": pa.array([step.version], pa.string()),
                "values": pa.array([step.values], pa.list_(pa.binary())),
            }
        )

    def _steps(self, batches: Iterable[pa.RecordBatch]) -> Iterator[_Step]:
        for batch in batches:
            for i in range(batch.num_rows):
                number, kind, part, *said, version, values = (column[i].as_py() for column in batch.columns)
                yield _Step(number, kind, part, Row(*said), version, values)


def _check(file: Local | Elsewhere, step: _Step) -> None:
    """Raise OSError if the file has changed since it was divided."""
    now = file.seen()
    if now.size != step.said.size or repr(now.version) != step.version:
        raise OSError(0, f"changed while it was read: it had {step.said.size} bytes and now has {now.size}")


def _exactly(stream: BinaryIO, size: int) -> bytearray:
    """Read exactly this number of bytes."""
    data = bytearray()
    while len(data) < size:
        more = stream.read(size - len(data))
        if not more:
            raise OSError(0, f"changed while it was read: it ends {size - len(data)} bytes before the end of a piece")
        data += more
    return data
