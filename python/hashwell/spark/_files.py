"""Checksums of files, a task a file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import pyarrow as pa

import hashwell

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BLOCK = 1 << 20
_NUMBER = "__hashwell_number"


def sum_files(
    paths: Iterable[str | os.PathLike[str]],
    algorithms: Iterable[str] = ("sha256",),
    *,
    spark: SparkSession | None = None,
    tasks: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> DataFrame:
    """A row for each path: path, size, modified, a column of hexadecimal digits for each algorithm, error.

    Digits are those of `hashwell sum -a ALGORITHM`. A path is opened as the workers see it; one with a scheme
    (`s3://...`) through fsspec, which gets `storage_options`. Each file is read once, in blocks of 1 MiB, whatever the
    number of algorithms. A file that is missing, cannot be read, or is another one after reading than it was before
    (size, time of modification, and what the store calls its version) is a row with its error and without digests.

    `spark` is the session, without it the active one; `tasks` is how many tasks there are, without it one for each
    path, at most 10,000. Lazy: files are read when the result is used, and again when it is used again.

    Large files are read whole, by one task: BLAKE3's and KT128's trees are not split between tasks.

    Raises ValueError for an unknown algorithm, for one named twice, and where there is no session.
    """
    if isinstance(paths, str | bytes | os.PathLike):
        raise TypeError("paths must be a list of paths; one path is [path]")
    listed = [os.fspath(path) for path in paths]
    chosen = _algorithms(algorithms)
    if tasks is not None and tasks < 1:
        raise ValueError(f"tasks must be at least 1, not {tasks}")
    session = spark or _session()
    digests = "".join(f", `{name}` STRING" for name in chosen)
    schema = f"path STRING, size BIGINT, modified TIMESTAMP{digests}, error STRING"
    count = max(1, min(len(listed), 10_000 if tasks is None else tasks))
    numbered = pa.table({_NUMBER: pa.array(range(len(listed)), pa.int64()), "path": pa.array(listed, pa.string())})
    files = session.createDataFrame(numbered).hint("broadcast")
    # Each of a range's tasks has its share of the numbers, and a join with something small leaves tasks as they are.
    one_each = session.range(0, len(listed), 1, count).toDF(_NUMBER).join(files, _NUMBER)
    return one_each.select("path").mapInArrow(_summing(chosen, dict(storage_options or {})), schema)


def _session() -> SparkSession:
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is None:
        raise ValueError("there is no active Spark session: give one as spark=")
    return session


def _algorithms(given: Iterable[str]) -> list[str]:
    listed = [given] if isinstance(given, str) else list(given)
    if not listed:
        raise ValueError("algorithms must name at least one")
    # Objects have hashlib's names, some of which are others.
    rows = {hashwell.new(name).name: name for name in hashwell.algorithms}
    chosen = [rows[hashwell.new(name).name] for name in listed]
    for name in chosen:
        if chosen.count(name) > 1:
            raise ValueError(f"algorithms names {name} twice")
    return chosen


def _summing(algorithms: list[str], options: dict[str, Any]) -> Any:
    """What `mapInArrow` takes: from paths to rows."""

    def summed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path in batch.column(0).to_pylist():
                yield _row(path, algorithms, options)

    return summed


class _Seen(NamedTuple):
    """What a file was at a time."""

    size: int
    modified: datetime | None
    version: tuple[Any, ...]


def _row(path: str, algorithms: list[str], options: dict[str, Any]) -> pa.RecordBatch:
    size: int | None = None
    modified: datetime | None = None
    digests: list[str] | None = None
    error: str | None = None
    try:
        file = _Stored(path, options) if "://" in path else _Local(path)
        before = file.seen()
        with file.open() as stream:
            read, sums = _sums(stream, algorithms)
        size, modified = before.size, before.modified
        after = file.seen()
        if after != before or read != after.size:
            error = f"changed while it was read: {read} bytes were read of {after.size}"
        else:
            digests = sums
    # A store's library may raise anything, and no file may end the others' job.
    except Exception as failure:
        error = _reason(failure)
    found: list[Any] = digests or [None] * len(algorithms)
    cells = [path, size, modified, *found, error]
    types = [pa.string(), pa.int64(), pa.timestamp("us", "UTC"), *[pa.string()] * len(algorithms), pa.string()]
    names = ["path", "size", "modified", *algorithms, "error"]
    return pa.record_batch([pa.array([cell], kind) for cell, kind in zip(cells, types, strict=True)], names)


def _sums(stream: BinaryIO, algorithms: list[str]) -> tuple[int, list[str]]:
    """How many bytes were read, and their digests."""
    hashes = [_fresh(name) for name in algorithms]
    read = 0
    while block := stream.read(BLOCK):
        for one in hashes:
            one.update(block)
        read += len(block)
    return read, [one.hexdigest() for one in hashes]


def _fresh(name: str) -> hashwell.Digest | hashwell.Xof:
    """A hash whose digest is as long as the command's: of streams without a size, twice the strength."""
    if hashwell.algorithms[name].digest_size:
        return hashwell.new(name)
    return hashwell.new(name, digest_size=64 if "256" in name else 32)


def _reason(failure: Exception) -> str:
    if isinstance(failure, OSError) and failure.strerror:
        return failure.strerror
    lines = str(failure).splitlines()
    return f"{type(failure).__name__}: {lines[0][:200]}" if lines else type(failure).__name__


class _Local:
    """A file of the worker's own system."""

    def __init__(self, path: str) -> None:
        self._path = path

    def seen(self) -> _Seen:
        now = os.stat(self._path)
        if not stat.S_ISREG(now.st_mode) and not stat.S_ISDIR(now.st_mode):
            # Reading it might never end.
            raise OSError(22, "not a regular file")
        time = datetime.fromtimestamp(now.st_mtime_ns // 1000 / 1e6, timezone.utc)
        return _Seen(now.st_size, time, (now.st_mtime_ns, now.st_ino, now.st_dev))

    def open(self) -> BinaryIO:
        return open(self._path, "rb", buffering=0)


class _Stored:
    """A file that fsspec knows how to open."""

    def __init__(self, path: str, options: dict[str, Any]) -> None:
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise OSError(0, "a path with a scheme needs fsspec on every worker: pip install fsspec") from None
        self._system, self._path = url_to_fs(path, **options)

    def seen(self) -> _Seen:
        # Not what a listing said some time ago.
        self._system.invalidate_cache()
        now = self._system.info(self._path)
        if now.get("type") == "directory":
            raise IsADirectoryError(21, "Is a directory")
        try:
            time = self._system.modified(self._path)
        except NotImplementedError:
            time = None
        version = tuple(str(now.get(name)) for name in ("mtime", "ETag", "etag", "generation", "VersionId", "ino"))
        return _Seen(now["size"], time, version)

    def open(self) -> BinaryIO:
        return self._system.open(self._path, "rb", block_size=BLOCK)  # type: ignore[no-any-return]
