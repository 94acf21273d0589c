"""Splits of a DataFrame by group."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from .._shares import ticket_ends
from . import _columns
from ._seed import Seed, sample_key

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Share = str | int | float | Decimal | Fraction


def split(
    df: DataFrame, shares: Mapping[str, Share], *, group_by: _columns.Names, seed: Seed, context: str = ""
) -> dict[str, DataFrame]:
    """Split rows into named parts, such as training and test data.

    The part that a row goes to depends only on its group, the seed, the context and the shares. So all rows of a
    group are in the same part, in every table that is split with the same seed, context and shares, now and later,
    in a batch or a stream. The first part has the rows that
    `hashwell sample -p SHARE --group-by COLUMN --seed SEED` picks. The result is lazy, and is computed only with SQL
    expressions. Each part is `df` with a filter, so `df` is read once for each part. Cache `df` if this is expensive.

    Args:
        df: The DataFrame, which may be a streaming one.
        shares: The share of groups in each part, by the part's name. The shares must add up to 1. A float is replaced
            by the decimal number that Python prints. The order of the parts matters.
        group_by: The groups: a column or a list of columns of strings, bytes, booleans or integers. Null and the
            empty string are the same group.
        seed: The seed, in any form that hashwell.sample accepts.
        context: The name of this step or purpose. To split a part again, use a different context or seed; otherwise the
            second split depends on the first.

    Returns:
        A dict that maps the names of the parts to DataFrames, in the order of shares.

    Raises:
        ValueError: A share is negative, the shares don't add up to 1, or a column is missing, ambiguous or of
            an unsupported type.

    Examples:
        >>> shares = {"train": 0.8, "test": 0.2}
        >>> parts = hashwell.spark.split(df, shares, group_by="user", seed="0877")          # doctest: +SKIP
        >>> parts["train"].count()                                                          # doctest: +SKIP
    """
    ends = ticket_ends(shares)
    prefix = (sample_key(seed, context) + b"\x01").hex()
    ticket = f"SHA2(CONCAT(X'{prefix}', {_columns.key(df, group_by)}), 256)"
    begins = [0, *ends[:-1]]
    return {
        name: df.filter(_between(ticket, begin, end))
        for name, begin, end in zip(shares, begins, ends, strict=True)
    }


def _between(ticket: str, begin: int, end: int) -> str:
    """Return an SQL condition for `begin <= ticket < end`. A ticket is the first 32 of the 64 hexadecimal digits of the
    hash. All tickets have the same number of digits, so comparing them as text gives the same order as comparing them
    as numbers.
    """
    if begin >= end:
        return "FALSE"
    below = [f"{ticket} < '{end:032x}'"] if end < 2**128 else []
    above = [f"{ticket} >= '{begin:032x}'"] if begin > 0 else []
    return " AND ".join(below + above) or "TRUE"
