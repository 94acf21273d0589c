"""Samples by key, the same for every partitioning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

import hashwell

from . import _columns
from ._columns import Step
from ._errors import one_line
from ._race import KEY, STRATUM, WEIGHT, race
from ._seed import Seed, sample_key

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_FOUND = "__hashwell_found"


def sample(
    df: DataFrame,
    k: int,
    *,
    key: _columns.Names,
    seed: Seed,
    weights: str | None = None,
    by: str | None = None,
    replace: bool = False,
    one_pass: bool = False,
    context: str = "",
) -> DataFrame:
    """All rows of k keys, each set of k keys as likely as any other: those of `hashwell sample -n K --key KEY`.

    The rows depend on the seed and the keys alone. `key` is a column or several, of strings, bytes, booleans or
    whole numbers; null is the empty text. With `by` there are k keys of each of its values. With `weights`, a column
    of whole numbers or decimals, keys are drawn one after the other in proportion to the weights that are left, by
    hwdraw's `weighted-ticket`; all rows of a key must have its weight, and of those with weight 0 none is picked.
    If there are fewer than k keys, all are picked.

    The keys are found at once, by a job that sends key, `by` and `weights` alone to Python; the result is `df` joined
    with them, so that `df` is read twice, and must have the same keys both times. With `one_pass` all columns go to
    Python and the rows come back from there: for data that cost much or differ when read again (uuid(), rand(),
    monotonically_increasing_id()), and whose picked rows fit into one task. That a key has several weights is then
    noticed only where two of them meet in one task.

    `context` names the step or purpose: draws with one seed and different contexts are independent. Without it, a second
    selection by the same key and seed depends on the first.

    Raises ValueError for `replace` (draws with replacement depend on how many rows come before, and so on the
    partitions), for k below 0, for columns that are not there, there twice or of another type, and for weights that are
    null, negative, of 2^64 or more, or differ within a picked key.
    """
    if replace:
        raise ValueError("replace: a draw with replacement needs all rows in one order, which a DataFrame has not")
    if not isinstance(k, int) or isinstance(k, bool):
        raise TypeError(f"k must be int, not {type(k).__name__}")
    if k < 0:
        raise ValueError(f"k must be 0 or more, not {k}")
    plan = Plan(df, k, key=key, seed=seed, weights=weights, by=by, context=context)
    if k == 0:
        return df.filter("FALSE")
    return plan.rows_in_one_pass(df) if one_pass else plan.rows(df)


class Plan:
    """What is to be sampled: the SQL of what decides, and the step that keeps the first."""

    def __init__(
        self,
        df: DataFrame,
        k: int,
        *,
        key: _columns.Names,
        seed: Seed,
        weights: str | None,
        by: str | None,
        context: str = "",
    ) -> None:
        self._sql = {KEY: _columns.key(df, key)}
        if by is not None:
            self._sql[STRATUM] = _columns.text(df, "by", _columns.names(df, "by", by)[0])
        if weights is not None:
            self._sql[WEIGHT] = _columns.weight(df, _columns.names(df, "weights", weights)[0])
        self._k, self._key = k, sample_key(seed, context)

    def name(self) -> str:
        """Tells this plan from others."""
        return hashwell.sha256(repr((self._k, self._key, self._sql)).encode()).hexdigest()

    def rows(self, df: DataFrame) -> DataFrame:
        """The picked rows, by a join with the keys."""
        picked = df.sparkSession.createDataFrame(self._keys(df)).hint("broadcast")
        on = [name for name in self._sql if name != WEIGHT]
        decided = df.selectExpr("*", *self._deciding())
        if WEIGHT not in self._sql:
            return decided.join(picked, on, "left_semi").drop(*self._sql)
        weighed = picked.withColumnRenamed(WEIGHT, _FOUND)
        wrong = "CAST(RAISE_ERROR('weights: rows of a picked key have different weights') AS BOOLEAN)"
        same = f"IF({WEIGHT} <=> {_FOUND}, TRUE, {wrong})"
        return decided.join(weighed, on).filter(same).drop(*self._sql, _FOUND)

    def rows_in_one_pass(self, df: DataFrame) -> DataFrame:
        """The picked rows, by way of Python."""
        return self._first(df.selectExpr("*", *self._deciding()), distinct=False).drop(*self._sql)

    def first(self, df: DataFrame) -> pa.Table:
        """The picked rows with what decided, here."""
        with one_line():
            return self._first(df.selectExpr("*", *self._deciding()), distinct=False).toArrow()

    def first_of(self, tables: list[pa.Table]) -> pa.Table:
        """The same of rows that are here."""
        batches = [batch for table in tables for batch in table.to_batches()]
        return pa.Table.from_batches(self._step(distinct=False)(batches), tables[0].schema)

    def _keys(self, df: DataFrame) -> pa.Table:
        with one_line():
            return self._first(df.selectExpr(*self._deciding()), distinct=True).toArrow()

    def _deciding(self) -> list[str]:
        return [f"{sql} AS {name}" for name, sql in self._sql.items()]

    def _first(self, df: DataFrame, *, distinct: bool) -> DataFrame:
        """The first rows of each partition, and of those in one task the first of all."""
        step = self._step(distinct=distinct)
        # Not coalesce(1), which would pull the first step into the one task, too.
        return df.mapInArrow(step, df.schema).repartition(1).mapInArrow(step, df.schema)

    def _step(self, *, distinct: bool) -> Step:
        return race(self._k, self._key, strata=STRATUM in self._sql, weighted=WEIGHT in self._sql, distinct=distinct)
