"""SQL functions for digests and tickets, with the same names, arguments and results as in hashwell.duckdb.

They are scalar Arrow functions of Spark. pandas functions would turn integers with nulls into floats, whose row
digests differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from .. import _sql
from ._session import active_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Spark sends values of these types as structs. The metadata of one of the fields has the name of the type.
_SENT_AS_STRUCT = {b"variant", b"geometry", b"geography"}


def register(spark: SparkSession | None = None) -> None:
    """Register hashwell's SQL functions, which compute digests and tickets, in a Spark session.

    They have the same names, arguments and results as in hashwell.duckdb. They are temporary functions of the session.
    A second call replaces them. Spark calls them with batches of up to 10,000 rows (by default). A wrong argument
    raises `pyspark.errors.PythonException` when the query runs; its message contains the message of hashwell's
    exception. Algorithms and seeds must be constants; hashwell detects different values only within a batch.

    - `hw_sha256(x)` returns, as a BINARY, the SHA-256 digest of a BINARY or of the UTF-8 bytes of a STRING. The digest
      of NULL is NULL.
    - `hw_digest(algorithm, x)` does the same with a different algorithm, such as `'blake3'`. Extendable-output
      functions without a default length are not available.
    - `hw_row_digest(struct(*))` returns the digest of a row, as hash_rows computes it. The argument is a STRUCT. A
      STRUCT that is NULL has the digest of a row of NULLs.
    - `hw_row_digest(a, b, …)` does the same for these columns in this order, as with order="declared".
    - `hw_ticket(seed, a, …)` returns the ticket of a row key as a BINARY of 16 bytes. The key consists of one or more
      columns. `sample` picks the keys with the smallest tickets. For a sample or split with a context, the first
      argument is a STRUCT: `hw_ticket(named_struct('seed', '0877', 'context', 'second'), a)`. Keys are STRING, BINARY,
      BOOLEAN or integers. NULL and the empty string are the same key, so tickets are never NULL.

    Args:
        spark: The session, with or without Spark Connect. By default, the active session is used.

    Returns:
        None.

    Raises:
        ValueError: There is no session.
        TypeError: spark is not a session.
        ImportError: Spark is older than 4.1, which introduced Arrow functions.

    Examples:
        >>> hashwell.spark.register(spark)                                                  # doctest: +SKIP
        >>> spark.sql("SELECT user FROM users ORDER BY hw_ticket('0877', user) LIMIT 2")    # doctest: +SKIP
    """
    session = active_session() if spark is None else spark
    if not hasattr(session, "udf"):
        raise TypeError(f"spark must be a SparkSession, not {type(session).__name__}")
    import pyspark.sql.functions
    from pyspark.sql.types import BinaryType

    # The stubs of Spark do not have this function.
    arrow_udf = getattr(pyspark.sql.functions, "arrow_udf", None)
    if arrow_udf is None:
        needed = "hashwell.spark.register needs Spark 4.1 or later, which has Arrow functions"
        raise ImportError(f"{needed}: Spark {pyspark.__version__} is installed")
    for function in (hw_sha256, hw_digest, hw_row_digest, hw_ticket):
        session.udf.register(function.__name__, arrow_udf(function, BinaryType()))


# Spark recognizes scalar Arrow functions by these types, and the names of parameters are those of SQL.


def hw_sha256(x: pa.Array) -> pa.Array:
    return _sql.hw_sha256(x)


def hw_digest(algorithm: pa.Array, x: pa.Array) -> pa.Array:
    return _sql.hw_digest(algorithm, x)


def hw_row_digest(*columns: pa.Array) -> pa.Array:
    if len(columns) == 1 and _sent_as_struct(columns[0].type):
        return _sql.declared_row_digests(columns)
    return _sql.hw_row_digest(*columns)


def hw_ticket(seed: pa.Array, *columns: pa.Array) -> pa.Array:
    return _sql.hw_ticket(seed, *columns)


def _sent_as_struct(kind: pa.DataType) -> bool:
    """Return true if Spark sent this Arrow struct for a type other than STRUCT, such as VARIANT."""
    return pa.types.is_struct(kind) and any(_SENT_AS_STRUCT & (field.metadata or {}).keys() for field in kind)
