"""Every row to one of several sides, by its key alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from . import _columns
from ._seed import Seed, sample_key

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Share = str | int | float | Decimal | Fraction


def split(
    df: DataFrame, shares: Mapping[str, Share], *, key: _columns.Names, seed: Seed, context: str = ""
) -> dict[str, DataFrame]:
    """The rows of each side, by name: `split(df, {"train": 0.8, "test": 0.2}, key="user", seed="0877")`.

    A row's side depends on the seed and its key alone, so that all rows of a key are on one side, in every table that
    is split so, today's and tomorrow's, batch or stream. The first side has the rows that `hashwell sample -p SHARE
    --key KEY --seed SEED` picks; the next ones have the tickets that follow, so that the mapping's order counts. A
    float means the decimal that Python prints. Shares are of keys: sides have about their share of rows where no key
    has many.

    `context` names the step or purpose. To split a side again, give another context (or seed): with the same one, the keys
    of a side would not be split independently.

    Lazy, and plain SQL: each side is a filter of `df`, which is read once for every side (cache it, if that is much).
    A null key is the empty text.

    Raises ValueError for shares that are negative or do not add up to 1, and for columns that are not there, there
    twice, or of a type without a text (all but strings, bytes, booleans and whole numbers).
    """
    ends = _ends(shares)
    prefix = (sample_key(seed, context) + b"\x01").hex()
    ticket = f"SHA2(CONCAT(X'{prefix}', {_columns.key(df, key)}), 256)"
    begins = [0, *ends[:-1]]
    return {
        name: df.filter(_between(ticket, begin, end))
        for name, begin, end in zip(shares, begins, ends, strict=True)
    }


def _ends(shares: Mapping[str, Share]) -> list[int]:
    """The tickets at which sides end, of 2^128."""
    if not shares:
        raise ValueError("split needs at least one side")
    parts = []
    for name, share in shares.items():
        try:
            parts.append(Fraction(str(share)))
        except ValueError:
            raise ValueError(f"the share of '{name}' must be a number of 0 to 1, not {share!r}") from None
        if parts[-1] < 0:
            raise ValueError(f"the share of '{name}' must be 0 or more, not {share}")
    if sum(parts) != 1:
        raise ValueError(f"shares must add up to 1, not {float(sum(parts))!r}; name a side for the rest")
    return [math.ceil(end * 2**128) for end in itertools.accumulate(parts)]


def _between(ticket: str, begin: int, end: int) -> str:
    """SQL of `begin <= ticket < end`. A ticket is the first 32 digits of the 64, and those compare as texts do."""
    if begin >= end:
        return "FALSE"
    below = [f"{ticket} < '{end:032x}'"] if end < 2**128 else []
    above = [f"{ticket} >= '{begin:032x}'"] if begin > 0 else []
    return " AND ".join(below + above) or "TRUE"
