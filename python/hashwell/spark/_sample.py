"""Samples of groups, which do not depend on the partitioning."""

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
    n: int,
    *,
    group_by: _columns.Names,
    seed: Seed,
    weights: str | None = None,
    stratify: str | None = None,
    replace: bool = False,
    one_pass: bool = False,
    context: str = "",
) -> DataFrame:
    """Return all rows of n randomly chosen groups. `hashwell sample -n N --group-by COLUMN` picks the same groups.

    The seed and the groups determine which rows are picked. Partitions and the order of rows don't matter. Without
    weights, all sets of n groups are equally likely.

    By default, a job runs immediately to find the picked groups. It sends only the columns of groups, strata and
    weights to Python. The result is `df` joined with these groups, so `df` is read twice and must have the same
    groups both times. With one_pass=True, `df` is read once, and all columns are transferred to Python. Use this
    for data that is expensive to read or differs when it is read again (`uuid()`, `rand()`,
    `monotonically_increasing_id()`), if the picked rows fit into the memory of one task. In this mode, rows of a group
    with different weights are detected only if two of them are in the same task.

    Args:
        df: The DataFrame.
        n: The number of groups. If there are fewer, all rows are returned.
        group_by: The groups: a column or a list of columns of strings, bytes, booleans or integers. Null and the
            empty string are the same group.
        seed: The seed, in any form that hashwell.sample accepts.
        weights: The weights: a column of integers or decimals. Groups are drawn one after the other, each with
            probability proportional to its weight among the remaining groups (the method "weighted-ticket" of
            hwdraw/1). All rows of a group must have the same weight. Groups of weight 0 are never picked.
        stratify: The column with the strata. n groups are picked from each stratum.
        replace: It must be False. Sampling with replacement would depend on the partitions.
        one_pass: True reads `df` only once.
        context: The name of this step or purpose. Samples with the same seed and different contexts are
            independent.

    Returns:
        A DataFrame with the columns of `df`.

    Raises:
        ValueError: replace is True, n is negative, a column is missing, ambiguous or of an unsupported type, or a
            weight is null, negative, 2^64 or more, or differs within a picked group.
        TypeError: n is not an int.

    Examples:
        >>> import hashwell.spark                                                           # doctest: +SKIP
        >>> hashwell.spark.sample(df, 1000, group_by="user", seed="0877").show()            # doctest: +SKIP
    """
    if replace:
        raise ValueError("replace is not supported on Spark, because the rows of a DataFrame have no order")
    if not isinstance(n, int) or isinstance(n, bool):
        raise TypeError(f"n must be int, not {type(n).__name__}")
    if n < 0:
        raise ValueError(f"n must be 0 or more, not {n}")
    plan = Plan(df, n, group_by=group_by, seed=seed, weights=weights, stratify=stratify, context=context)
    if n == 0:
        return df.filter("FALSE")
    return plan.rows_in_one_pass(df) if one_pass else plan.rows(df)


class Plan:
    """A sampling request: the SQL expressions for groups, strata and weights, and the `mapInArrow` step that selects
    the picked groups."""

    def __init__(
        self,
        df: DataFrame,
        n: int,
        *,
        group_by: _columns.Names,
        seed: Seed,
        weights: str | None,
        stratify: str | None,
        context: str = "",
    ) -> None:
        self._sql = {KEY: _columns.key(df, group_by)}
        if stratify is not None:
            self._sql[STRATUM] = _columns.text(df, "stratify", _columns.names(df, "stratify", stratify)[0])
        if weights is not None:
            self._sql[WEIGHT] = _columns.weight(df, _columns.names(df, "weights", weights)[0])
        self._n, self._key = n, sample_key(seed, context)

    def name(self) -> str:
        """Return a name that identifies this plan."""
        return hashwell.sha256(repr((self._n, self._key, self._sql)).encode()).hexdigest()

    def rows(self, df: DataFrame) -> DataFrame:
        """Return the picked rows, by joining `df` with the picked keys."""
        picked = df.sparkSession.createDataFrame(self._keys(df)).hint("broadcast")
        on = [name for name in self._sql if name != WEIGHT]
        decided = df.selectExpr("*", *self._deciding())
        if WEIGHT not in self._sql:
            return decided.join(picked, on, "left_semi").drop(*self._sql)
        weighed = picked.withColumnRenamed(WEIGHT, _FOUND)
        wrong = "CAST(RAISE_ERROR('weights: rows of a picked group have different weights') AS BOOLEAN)"
        same = f"IF({WEIGHT} <=> {_FOUND}, TRUE, {wrong})"
        return decided.join(weighed, on).filter(same).drop(*self._sql, _FOUND)

    def rows_in_one_pass(self, df: DataFrame) -> DataFrame:
        """Return the picked rows, which are selected in Python and not by a join."""
        return self._first(df.selectExpr("*", *self._deciding()), distinct=False).drop(*self._sql)

    def first(self, df: DataFrame) -> pa.Table:
        """Return the picked rows, with the columns that determine them, as a table on the driver."""
        with one_line():
            return self._first(df.selectExpr("*", *self._deciding()), distinct=False).toArrow()

    def first_of(self, tables: list[pa.Table]) -> pa.Table:
        """Pick rows from tables that are already on the driver. Return them as a table, like first()."""
        batches = [batch for table in tables for batch in table.to_batches()]
        return pa.Table.from_batches(self._step(distinct=False)(batches), tables[0].schema)

    def _keys(self, df: DataFrame) -> pa.Table:
        with one_line():
            return self._first(df.selectExpr(*self._deciding()), distinct=True).toArrow()

    def _deciding(self) -> list[str]:
        return [f"{sql} AS {name}" for name, sql in self._sql.items()]

    def _first(self, df: DataFrame, *, distinct: bool) -> DataFrame:
        """Return the rows of the picked groups.

        Groups are picked in three rounds: in each partition, then in tasks that each get a part of the groups picked so
        far, and finally in a single task. Without the second round, the last task would get n groups from each
        partition of `df`.
        """
        step = self._step(distinct=distinct)
        picked = df.mapInArrow(step, df.schema).repartition(KEY).mapInArrow(step, df.schema)
        # Not coalesce(1), because then the step before would also run in a single task.
        return picked.repartition(1).mapInArrow(step, df.schema)

    def _step(self, *, distinct: bool) -> Step:
        return race(self._n, self._key, strata=STRATUM in self._sql, weighted=WEIGHT in self._sql, distinct=distinct)
