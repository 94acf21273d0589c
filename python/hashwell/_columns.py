"""Digests and tickets of pyarrow columns, for the DuckDB, Spark and pandas modules. A ticket is a pseudorandom number
that a seed assigns to a row key."""

import sys
from array import array
from typing import Any

import pyarrow as pa
import pyarrow.compute

from ._engines import TICKET_SIZE, digests, text_needed, wrong_key
from ._native import hash_many

# Type checkers don't know the functions of this module, because pyarrow defines them at import.
_compute: Any = pyarrow.compute


def column_digests(algorithm: str, column: Any, length: int | None = None, hex: bool = False) -> Any:
    """Return the digests of strings or bytes as a pyarrow array. Nulls stay null."""
    if column.null_count == len(column):
        column = pa.nulls(len(column), pa.string())
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not _is_text(kind):
        raise text_needed(kind)
    return pa.array(digests(algorithm, column, length, hex))


def column_tickets(prefix: bytes, columns: list[Any]) -> Any:
    """Return the ticket of each row as a pyarrow array. The row key consists of one or more columns."""
    keys = [_keys(column) for column in columns]
    # In a key of several columns, each part is preceded by its length.
    parts = keys if len(keys) == 1 else [part for key in keys for part in (_lengths(key), key)]
    messages = _compute.binary_join_element_wise(pa.scalar(prefix, pa.binary()), *parts, pa.scalar(b"", pa.binary()))
    return _compute.binary_slice(pa.array(hash_many("sha256", messages)).cast(pa.binary()), 0, TICKET_SIZE)


def _lengths(texts: Any) -> Any:
    """Return the length of each text as 8 bytes, big-endian."""
    lengths = array("q", _compute.binary_length(texts).to_pylist())
    if sys.byteorder == "little":
        lengths.byteswap()
    made = pa.FixedSizeBinaryArray.from_buffers(pa.binary(8), len(lengths), [None, pa.py_buffer(lengths)])
    return made.cast(pa.binary())


def _keys(column: Any) -> Any:
    """Return each value as a row key. Null and the empty string are the same key."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if column.null_count == len(column):
        column = pa.nulls(len(column), pa.string())
    kind = column.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
        column = column.cast(kind)
    shown = pa.types.is_integer(kind) or pa.types.is_boolean(kind)
    if not (shown or _is_text(kind)):
        raise wrong_key(kind)
    if shown:
        column = column.cast(pa.string())
    return _compute.fill_null(column.cast(pa.binary()), b"")


def _is_text(kind: Any) -> bool:
    types = pa.types
    return bool(
        types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
        or types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind)
        or types.is_fixed_size_binary(kind)
    )  # fmt: skip
