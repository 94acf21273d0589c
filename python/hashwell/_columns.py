"""Digests and tickets of columns of pyarrow, for the modules of DuckDB and pandas."""

from typing import Any

import pyarrow as pa
import pyarrow.compute

from ._engines import TICKET_SIZE, digests, text_needed, wrong_key
from ._native import hash_many
from ._split import _framed

# Type checkers don't see its functions, which pyarrow defines when it is imported.
_compute: Any = pyarrow.compute


def column_digests(algorithm: str, column: Any, length: int | None = None, hex: bool = False) -> Any:
    """Return the digests of strings or bytes as an array of pyarrow. Nulls stay null."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_null(kind):
        column = column.cast(pa.string())
    elif not _is_text(kind):
        raise text_needed(kind)
    return pa.array(digests(algorithm, column, length, hex))


def column_tickets(prefix: bytes, columns: list[Any]) -> Any:
    """Return the tickets of row keys of one or more columns as an array of pyarrow."""
    texts = [_keys(column) for column in columns]
    if len(texts) == 1:
        keys = texts[0]
    else:
        keys = pa.array([_framed(row) for row in zip(*(text.to_pylist() for text in texts), strict=True)], pa.binary())
    messages = _compute.binary_join_element_wise(pa.scalar(prefix, pa.binary()), keys, pa.scalar(b"", pa.binary()))
    return _compute.binary_slice(pa.array(hash_many("sha256", messages)).cast(pa.binary()), 0, TICKET_SIZE)


def _keys(column: Any) -> Any:
    """Return the row keys of values: null and the empty string are the same key."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
        column = column.cast(kind)
    shown = pa.types.is_integer(kind) or pa.types.is_boolean(kind)
    if not (shown or _is_text(kind) or pa.types.is_null(kind)):
        raise wrong_key(kind)
    if shown:
        column = column.cast(pa.string())
    return _compute.fill_null(column.cast(pa.binary()), b"")


def _is_text(kind: Any) -> bool:
    types = pa.types
    return bool(
        types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
        or types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind)
    )  # fmt: skip
