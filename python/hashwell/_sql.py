"""The SQL functions that the modules for DuckDB and Spark register. They take and return pyarrow arrays."""

from collections.abc import Callable, Iterable
from typing import Any

import pyarrow as pa

from ._columns import column_digests, column_tickets
from ._engines import ticket_prefix
from ._native import hash_rows


def hw_sha256(x: Any) -> Any:
    """Return the SHA-256 digests of strings or bytes."""
    return column_digests("sha256", x).cast(pa.binary())


def hw_digest(algorithm: Any, x: Any) -> Any:
    """Return the digests of strings or bytes. The name of the algorithm must be the same in all rows."""
    return column_digests(_constant(algorithm, "algorithm"), x).cast(pa.binary())


def hw_row_digest(*columns: Any) -> Any:
    """Return the digests of rows. If the only argument is a struct, its fields are sorted by name. Several columns stay
    in their order."""
    if not columns:
        raise TypeError("hw_row_digest takes a struct or at least one column")
    first = columns[0]
    if len(columns) > 1 or not pa.types.is_struct(first.type):
        return declared_row_digests(columns)
    names = [field.name for field in first.type]
    if not names:
        raise TypeError("hw_row_digest takes a struct with at least one field")
    # Unlike Table.from_struct_array, flatten makes the fields of a null struct null.
    return pa.array(hash_rows(pa.table(first.flatten(), names=names))).cast(pa.binary())


def hw_ticket(seed: Any, *columns: Any) -> Any:
    """Return the ticket of each row. The row key consists of one or more columns."""
    # DuckDB 2.0 requires an argument for *columns, too; other versions and Spark may not.
    if not columns:
        raise TypeError("hw_ticket takes a seed and at least one column")
    context = ""
    if pa.types.is_struct(seed.type):
        fields = dict(zip([field.name for field in seed.type], seed.flatten(), strict=True))
        if set(fields) != {"seed", "context"}:
            raise TypeError(
                "the first argument of hw_ticket must be a seed or a STRUCT of seed and context, "
                f"not a STRUCT of {', '.join(fields)}"
            )
        seed, context = fields["seed"], _constant(fields["context"], "context")
    return column_tickets(ticket_prefix(_constant(seed, "seed"), context), list(columns))


# Each function is registered with its own name.
FUNCTIONS: tuple[Callable[..., Any], ...] = (hw_sha256, hw_digest, hw_row_digest, hw_ticket)


def declared_row_digests(columns: Iterable[Any]) -> Any:
    """Return the digests of rows with these columns in this order. A struct is treated as a value, not as a row."""
    table = pa.table({str(place): column for place, column in enumerate(columns)})
    return pa.array(hash_rows(table, order="declared")).cast(pa.binary())


def _constant(column: Any, what: str) -> Any:
    """Return the value that an argument has in all rows."""
    if pa.types.is_nested(column.type):
        raise TypeError(f"the {what} must be a single value, not {column.type}")
    found = column.unique().to_pylist()
    if len(found) != 1 or found[0] is None:
        raise ValueError(f"the {what} must be the same for all rows and not NULL")
    return found[0]
