"""Digests, tickets and samples in DuckDB.

    >>> import duckdb, hashwell.duckdb
    >>> connection = duckdb.connect()
    >>> hashwell.duckdb.register(connection)
    >>> connection.sql("SELECT hex(hw_sha256('abc')), hw_sha256(NULL)").fetchall()
    [('BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD', None)]

Requires DuckDB and pyarrow.
"""

from functools import lru_cache
from typing import Any

import duckdb as _duckdb
import pyarrow as pa
import pyarrow.compute

from ._engines import TICKET_SIZE, digests, text_needed, ticket_prefix, wrong_key
from ._native import hash_many, hash_rows
from ._sample import sample as _sample
from ._split import _framed

__all__ = ["register", "sample"]

# Type checkers don't see its functions, which pyarrow defines when it is imported.
_compute: Any = pyarrow.compute
# Rows of a relation that are read at once.
_BATCH = 1 << 17


def register(connection: Any) -> None:
    """Register SQL functions of digests and tickets with a connection. Calling it again replaces them.

    DuckDB calls the functions with batches of up to 2,048 rows, on all of its threads. A wrong argument raises
    `duckdb.InvalidInputException` when the query runs, with a message that includes the one of hashwell.

    - `hw_sha256(x)`: the SHA-256 digest of a VARCHAR's UTF-8 bytes or of a BLOB, as a BLOB. The digest of NULL is NULL.
    - `hw_digest(algorithm, x)`: the same with another algorithm, such as `'blake3'`.
    - `hw_row_digest(t)`: the digest of a row, as hashwell.hash_rows computes it. `t` is the name of the table or a STRUCT. A
      STRUCT that is NULL has the digest of a row of NULLs.
    - `hw_row_digest(a, b, …)`: the same for columns in this order, as with order="declared".
    - `hw_ticket(seed, a, …)`: the ticket of a row key of one or more columns, a BLOB of 16 bytes. hashwell.sample with
      `group_by` picks the keys with the least tickets. Keys are VARCHAR, BLOB, BOOLEAN or integers up to 64 bits. NULL and the
      empty string are the same key, so tickets are never NULL.

    Args:
        connection: A DuckDB connection, such as duckdb.connect(), or the module duckdb for its default connection.

    Returns:
        None.

    Raises:
        duckdb.Error: Another connection to the same database has registered the functions.

    Examples:
        >>> import duckdb, hashwell, hashwell.duckdb
        >>> connection = duckdb.connect()
        >>> hashwell.duckdb.register(connection)
        >>> users = connection.sql("SELECT unnest(['ada', 'ben', 'cleo', 'dora']) AS name")
        >>> connection.sql("SELECT name FROM users ORDER BY hw_ticket('0877', name) LIMIT 2").order("name").fetchall()
        [('ada',), ('dora',)]
    """
    for function in (_sha256, _digest, _row_digest, _ticket):
        name = f"hw{function.__name__}"
        try:
            connection.remove_function(name)
        except _duckdb.InvalidInputException:
            pass  # This connection has not registered it before.
        # Without parameters, DuckDB accepts arguments of every type.
        connection.create_function(name, function, None, "BLOB", type="arrow", null_handling="special")


def sample(relation: Any, n: int | None = None, **options: Any) -> pa.Table:
    """Return a random sample of the rows of a relation: the rows that hashwell.sample picks.

    The relation is read once, batch by batch, and only the sampled rows are kept in memory. Rows are numbered in the order in which
    DuckDB returns them. If a query has no fixed order, pass group_by for a reproducible sample.

    Args:
        relation: A relation, such as connection.sql("SELECT …") or connection.table("name").
        n: The number of rows, as for hashwell.sample.
        **options: The other arguments of hashwell.sample, such as seed and group_by.

    Returns:
        A pyarrow.Table, which DuckDB's queries can name.

    Raises:
        ValueError: As for hashwell.sample.
        TypeError: As for hashwell.sample.

    Examples:
        >>> import duckdb, hashwell.duckdb
        >>> hashwell.duckdb.sample(duckdb.sql("SELECT range AS id FROM range(100)"), 3, seed="0877")["id"].to_pylist()
        [13, 79, 92]
    """
    return _sample(relation.to_arrow_reader(_BATCH), n, **options)


def _sha256(x: Any) -> Any:
    return _digests("sha256", x)


def _digest(algorithm: Any, x: Any) -> Any:
    return _digests(_constant(algorithm, "algorithm"), x)


def _digests(algorithm: str, x: Any) -> Any:
    kind = x.type.value_type if pa.types.is_dictionary(x.type) else x.type
    if pa.types.is_null(kind):
        return pa.nulls(len(x), pa.binary())
    if not _is_text(kind):
        raise text_needed(kind)
    return pa.array(digests(algorithm, x, None, False)).cast(pa.binary())


def _row_digest(*columns: Any) -> Any:
    if len(columns) == 1 and pa.types.is_struct(columns[0].type):
        # Unlike Table.from_struct_array, flatten makes the fields of a null struct null.
        names = [field.name for field in columns[0].type]
        made = hash_rows(pa.table(columns[0].flatten(), names=names))
    else:
        made = hash_rows(pa.table(list(columns), names=[str(place) for place in range(len(columns))]), order="declared")
    return pa.array(made).cast(pa.binary())


def _ticket(seed: Any, *columns: Any) -> Any:
    # DuckDB 2.0 requires an argument for *columns, too; other versions may not.
    if not columns:
        raise TypeError("hw_ticket takes a seed and at least one column")
    texts = [_keys(column) for column in columns]
    if len(texts) == 1:
        keys = texts[0]
    else:
        keys = pa.array([_framed(row) for row in zip(*(text.to_pylist() for text in texts), strict=True)], pa.binary())
    prefix = pa.scalar(_prefix(_constant(seed, "seed")), pa.binary())
    messages = _compute.binary_join_element_wise(prefix, keys, pa.scalar(b"", pa.binary()))
    return _compute.binary_slice(pa.array(hash_many("sha256", messages)).cast(pa.binary()), 0, TICKET_SIZE)


@lru_cache
def _prefix(seed: Any) -> bytes:
    return ticket_prefix(seed, "")


def _constant(column: Any, what: str) -> Any:
    """Return the value that an argument has in all rows."""
    found = _compute.unique(column).to_pylist()
    if len(found) != 1 or found[0] is None:
        raise ValueError(f"the {what} must be the same for all rows and not NULL")
    return found[0]


def _keys(column: Any) -> Any:
    """Return the row keys of values: NULL and the empty string are the same key."""
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
