"""Digests of a file that is read by one task."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa

import hashwell

from ._stored import BLOCK, reason, stored


class Row(NamedTuple):
    """The result for a file: its digests or an error."""

    path: str
    size: int | None
    modified: datetime | None
    digests: list[str | None]
    error: str | None


def row(path: str, algorithms: list[str], options: Mapping[str, Any]) -> Row:
    """Read a whole file, and return its result."""
    size: int | None = None
    modified: datetime | None = None
    digests: list[str | None] = [None] * len(algorithms)
    error: str | None = None
    try:
        file = stored(path, options)
        before = file.seen()
        with file.open() as stream:
            read, found = sums(stream, algorithms)
        size, modified = before.size, before.modified
        after = file.seen()
        if after != before or read != after.size:
            error = f"changed while it was read: {read} of {after.size} bytes were read"
        else:
            digests = [*found]
    # The library of a store may raise any exception. An error in one file must not end the job for the other files.
    except Exception as failure:
        error = reason(failure)
    return Row(path, size, modified, digests, error)


def sums(stream: BinaryIO, algorithms: list[str]) -> tuple[int, list[str]]:
    """Return the number of bytes read, and their digests."""
    hashes = [hashwell.new(name, **sized(name)) for name in algorithms]
    read = 0
    while block := stream.read(BLOCK):
        for one in hashes:
            one.update(block)
        read += len(block)
    return read, [one.hexdigest() for one in hashes]


def sized(name: str) -> dict[str, Any]:
    """Return keyword arguments for a digest with the same length as in the output of the command.

    For extendable-output functions without a default size, this length is twice the security strength.
    """
    if hashwell.algorithms[name].digest_size:
        return {}
    return {"digest_size": 64 if "256" in name else 32}


def schema_of(algorithms: list[str]) -> str:
    """Return the schema of the result rows as a Spark DDL string."""
    digests = "".join(f"`{name}` STRING, " for name in algorithms)
    return f"path STRING, size BIGINT, modified TIMESTAMP, {digests}error STRING"


def columns_of(row: Row, algorithms: list[str]) -> dict[str, pa.Array]:
    """Return a row as columns with one value each."""
    digests = {name: pa.array([digest], pa.string()) for name, digest in zip(algorithms, row.digests, strict=True)}
    return {
        "path": pa.array([row.path], pa.string()),
        "size": pa.array([row.size], pa.int64()),
        "modified": pa.array([row.modified], pa.timestamp("us", "UTC")),
        **digests,
        "error": pa.array([row.error], pa.string()),
    }
