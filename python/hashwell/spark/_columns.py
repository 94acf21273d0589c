"""Functions that check column arguments and build the SQL expressions for keys and weights.

Expressions are SQL text, because the same text works with Spark and Spark Connect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Names = str | Iterable[str]

# The argument of mapInArrow.
Step = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

# The prefix of the names of temporary columns.
OWN = "__hashwell_"

_TEXTS = {"string", "binary", "boolean", "byte", "short", "integer", "long"}
_WEIGHTS = {"byte", "short", "integer", "long", "decimal"}


def names(df: DataFrame, what: str, given: Names) -> list[str]:
    """Check column names, and return them as a list. `what` is the name of the argument, for the error message.

    Raises ValueError if there are no names, or if a name is missing in the table, occurs there twice, or is given
    twice.
    """
    listed = [given] if isinstance(given, str) else list(given)
    if not listed:
        raise ValueError(f"{what} must name at least one column")
    for name in listed:
        if not isinstance(name, str):
            raise TypeError(f"{what} must be column names, not {type(name).__name__}")
        there = df.columns.count(name)
        if there == 0:
            raise ValueError(f"{what}: no column '{name}'; the columns are {_shown(df.columns)}")
        if there > 1:
            raise ValueError(f"{what}: {there} columns are called '{name}'; rename them")
        if listed.count(name) > 1:
            raise ValueError(f"{what} contains '{name}' twice")
    return listed


def own(name: str) -> bool:
    """Return true if this package added the column with this name."""
    return name.startswith(OWN)


def quoted(name: str) -> str:
    """Return a column name in SQL notation."""
    return "`" + name.replace("`", "``") + "`"


def text(df: DataFrame, what: str, name: str) -> str:
    """Return an SQL expression that converts a column's value to the bytes of a key. Null and the empty string are the
    same key."""
    found = kind(df, name)
    if found not in _TEXTS:
        raise ValueError(
            f"{what}: column '{name}' has the type {found}, whose text differs between engines; "
            f"expected string, binary, boolean or an integer type: cast it"
        )
    value = quoted(name) if found == "binary" else f"CAST(CAST({quoted(name)} AS STRING) AS BINARY)"
    return f"COALESCE({value}, X'')"


def key(df: DataFrame, given: Names) -> str:
    """Return an SQL expression for the key of a row.

    For one column, it is the text of the value. For several columns, each text is preceded by its length in 8 bytes.
    """
    texts = [text(df, "group_by", name) for name in names(df, "group_by", given)]
    if len(texts) == 1:
        return texts[0]
    framed = (f"UNHEX(LPAD(HEX(OCTET_LENGTH({one})), 16, '0')), {one}" for one in texts)
    return f"CONCAT({', '.join(framed)})"


def weight(df: DataFrame, name: str) -> str:
    """Return an SQL expression for the weight of a row as an integer, in units of the last decimal place of its
    column."""
    found = kind(df, name)
    if found not in _WEIGHTS:
        raise ValueError(
            f"weights: column '{name}' has the type {found}; expected an integer or decimal type, "
            "because weights of groups are compared exactly: cast it, for example to decimal(18, 6)"
        )
    decimals = df.schema[name].dataType.scale if found == "decimal" else 0  # type: ignore[attr-defined]
    if decimals > 18:
        raise ValueError(f"weights: column '{name}' has {decimals} decimals; at most 18 are supported")
    return f"CAST({quoted(name)} AS DECIMAL(38, {decimals}))"


def kind(df: DataFrame, name: str) -> str:
    """Return the name of a column's type without its parameters."""
    found = df.schema[name].dataType.typeName()
    # Strings with a collation or a declared length also count as strings.
    return "string" if found.split("(")[0].split(" ")[0] in ("string", "varchar", "char") else found.split("(")[0]


def _shown(columns: list[str]) -> str:
    shown = ", ".join(columns[:20])
    return shown + (f" and {len(columns) - 20} more" if len(columns) > 20 else "") if columns else "none"
