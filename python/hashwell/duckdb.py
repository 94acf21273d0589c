"""Digests, tickets, samples and splits in DuckDB. A ticket is a pseudorandom number that a seed assigns to a row key.

    >>> import duckdb, hashwell.duckdb
    >>> connection = duckdb.connect()
    >>> hashwell.duckdb.register(connection)
    >>> connection.sql("SELECT hex(hw_sha256('abc')), hw_sha256(NULL)").fetchall()
    [('BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD', None)]

This module requires DuckDB and pyarrow.
"""

import os
from collections.abc import Mapping
from typing import Any

import duckdb as _duckdb
import pyarrow as pa
import pyarrow.compute

from ._columns import column_tickets
from ._engines import TICKET_SIZE, ticket_prefix
from ._sample import _columns, _warn_if_reused
from ._sample import sample as _sample
from ._shares import ticket_ends
from ._split import MOST_ROWS, survey_of_keys
from ._split import split as _split
from ._sql import FUNCTIONS

__all__ = ["register", "sample", "split"]

# Type checkers don't see its functions, which pyarrow defines when it is imported.
_compute: Any = pyarrow.compute

# The number of rows of a relation that are read at a time.
_BATCH = 1 << 17


def register(connection: Any) -> None:
    """Register hashwell's SQL functions, which compute digests and tickets, on a DuckDB connection.

    A second call replaces the functions, so don't make it while queries run. DuckDB calls the functions with
    batches of up to 2,048 rows, on all of its threads. A wrong argument raises `duckdb.InvalidInputException` when
    the query runs; its message contains the message of hashwell's exception. Algorithms and seeds must be constants;
    hashwell detects different values only within a batch.

    - `hw_sha256(x)` returns, as a BLOB, the SHA-256 digest of a BLOB or of the UTF-8 bytes of a VARCHAR. The digest of
      NULL is NULL.
    - `hw_digest(algorithm, x)` does the same with a different algorithm, such as `'blake3'`. Extendable-output
      functions without a default length are not available.
    - `hw_row_digest(t)` returns the digest of a row, as hashwell.hash_rows computes it. `t` is the name of the
      table or a STRUCT. If a column has the same name as the table, give the table an alias. A STRUCT that is NULL has
      the digest of a row of NULLs.
    - `hw_row_digest(a, b, …)` does the same for these columns in this order, as with order="declared".
    - `hw_ticket(seed, a, …)` returns the ticket of a row key as a BLOB of 16 bytes. The key consists of one or more
      columns. hashwell.sample with `group_by` picks the keys with the smallest tickets. For a sample or split with a
      context, the first argument is a STRUCT: `hw_ticket({seed: '0877', context: 'second'}, a)`. Keys are VARCHAR,
      ENUM, BLOB, BOOLEAN or integers up to 64 bits. NULL and the empty string are the same key, so tickets are never
      NULL.

    Args:
        connection: A DuckDB connection, such as duckdb.connect(), or the module duckdb for its default connection.

    Returns:
        None.

    Raises:
        TypeError: connection is not a DuckDB connection.
        CatalogException: Another connection or cursor of the same database has registered the functions. This
            connection can already call them.

    Examples:
        >>> import duckdb, hashwell, hashwell.duckdb
        >>> connection = duckdb.connect()
        >>> hashwell.duckdb.register(connection)
        >>> users = connection.sql("SELECT unnest(['ada', 'ben', 'cleo', 'dora']) AS name")
        >>> connection.sql("SELECT name FROM users ORDER BY hw_ticket('0877', name) LIMIT 2").order("name").fetchall()
        [('ada',), ('dora',)]
    """
    if not hasattr(connection, "create_function"):
        raise TypeError(f"connection must be a DuckDB connection, not a '{type(connection).__name__}'")
    for function in FUNCTIONS:
        try:
            connection.remove_function(function.__name__)
        except _duckdb.InvalidInputException:
            pass  # This connection has not registered it before.
        # Without parameters, DuckDB accepts arguments of every type.
        connection.create_function(function.__name__, function, None, "BLOB", type="arrow", null_handling="special")


def sample(relation: Any, n: int | None = None, **options: Any) -> pa.Table:
    """Return a random sample of the rows of a relation. These are the rows that hashwell.sample picks.

    The relation is read once, batch by batch, and only the sampled rows are kept in memory. Rows are numbered in
    the order in which DuckDB returns them. If a query has no fixed order, pass group_by to make the sample
    reproducible.

    Args:
        relation: A relation, such as connection.sql("SELECT …") or connection.table("name").
        n: The number of rows, or with group_by the number of groups.
        **options: The other arguments of hashwell.sample, such as seed and group_by.

    Returns:
        A pyarrow.Table. If you assign it to a variable, DuckDB queries can use the variable's name as a table name.

    Raises:
        ValueError: There are fewer than n rows, an argument is out of its range, or a column is missing.
        TypeError: The arguments can't be combined, or an argument has the wrong type.

    Examples:
        >>> import duckdb, hashwell.duckdb
        >>> hashwell.duckdb.sample(duckdb.sql("SELECT range AS id FROM range(100)"), 3, seed="0877")["id"].to_pylist()
        [13, 79, 92]
    """
    if not hasattr(relation, "to_arrow_reader"):
        raise TypeError(f"relation must be a relation of DuckDB, such as connection.table('name'), not a '{type(relation).__name__}'")
    return _sample(relation.to_arrow_reader(_BATCH), n, **options)


def split(
    relation: Any,
    shares: Mapping[str, Any],
    *,
    group_by: str | list[str] | None = None,
    stratify: str | list[str] | None = None,
    exact: bool = False,
    seed: Any = None,
    context: str = "",
) -> dict[str, pa.Table]:
    """Split the rows of a relation into the same named parts as hashwell.split.

    The relation is read once. With group_by, but without stratify and exact, it is divided batch by batch, so each row
    is in memory only once. Otherwise the whole relation is read first. Without group_by, rows are numbered in the order
    in which DuckDB returns them: if a query has no fixed order, pass group_by for a reproducible split.

    Args:
        relation: A relation, such as connection.sql("SELECT …") or connection.table("name").
        shares: The share of each part, as for hashwell.split.
        group_by: A column name or a list of names, as for hashwell.split.
        stratify: A column name or a list of names, as for hashwell.split.
        exact: True makes the sizes of the parts exact, as for hashwell.split.
        seed: The seed, as for hashwell.split.
        context: The name of this step or purpose, as for hashwell.split. A warning is issued if the groups were
            probably selected before.

    Returns:
        A dict that maps the names of the parts to pyarrow.Tables, in the order of shares.

    Raises:
        ValueError: A share is negative, the shares don't add up to 1, or a column is missing.
        TypeError: An argument has the wrong type.

    Examples:
        >>> import duckdb, hashwell.duckdb
        >>> visits = duckdb.sql("SELECT range % 4 AS user, range AS page FROM range(8)")
        >>> parts = hashwell.duckdb.split(visits, {"train": 0.5, "test": 0.5}, group_by="user", seed="0877")
        >>> {name: sorted(set(part["user"].to_pylist())) for name, part in parts.items()}
        {'train': [0, 2], 'test': [1, 3]}
    """
    if group_by is None or stratify is not None or exact:
        table = relation.to_arrow_reader(_BATCH).read_all()
        return _split(table, shares, group_by=group_by, stratify=stratify, exact=exact, seed=seed, context=context)
    names = _columns([group_by])
    for name in names:
        if (count := relation.columns.count(name)) != 1:
            raise ValueError(f"group_by: {count or 'no'} columns are called {name!r}")
    prefix = ticket_prefix(os.urandom(16).hex() if seed is None else seed, context)
    limits = ticket_ends(shares)
    reader = relation.to_arrow_reader(_BATCH)
    parts: dict[str, list[pa.RecordBatch]] = {name: [] for name in shares}
    survey = survey_of_keys(seed, context, names)
    for batch in reader:
        tickets = column_tickets(prefix, [batch.column(name) for name in names])
        if survey.seen < MOST_ROWS:
            survey.update_arrow(batch.select(list(dict.fromkeys(names))), keep=False)
        for name, begin, end in zip(shares, [0, *limits[:-1]], limits, strict=True):
            if (rows := batch.filter(_within(tickets, begin, end))).num_rows:
                parts[name].append(rows)
    _warn_if_reused(survey, 3)
    return {name: pa.Table.from_batches(batches, reader.schema) for name, batches in parts.items()}


def _within(tickets: Any, begin: int, end: int) -> Any:
    """Return true if `begin <= ticket < end`. Every ticket is less than 2^128."""
    if begin >= end:
        return pa.array([False] * len(tickets))
    found = _compute.greater_equal(tickets, _scalar(begin))
    return found if end == 2**128 else _compute.and_(found, _compute.less(tickets, _scalar(end)))


def _scalar(ticket: int) -> Any:
    return pa.scalar(ticket.to_bytes(TICKET_SIZE), pa.binary())
