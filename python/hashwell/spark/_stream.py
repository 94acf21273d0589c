"""A sample of a stream. The sample is saved after each batch."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pyarrow as pa

from . import _columns
from ._sample import Plan
from ._seed import Seed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_LABEL = b"hashwell.spark"


def _shown(schema: pa.Schema) -> str:
    """Return the names and types of the stream's columns, for an error message."""
    return ", ".join(f"{field.name}: {field.type}" for field in schema if not _columns.own(field.name))


class StreamSample:
    """A sample of a stream. It has the rows that hashwell.spark.sample would pick from all batches together.

    Pass the object to `foreachBatch`. The picked rows and the number of the last batch are saved in the file `path`
    on the driver. The file is replaced atomically, and a batch whose number is already in the file is ignored, so a
    batch that is repeated after a crash counts only once. Each checkpoint needs a separate file. All rows of the n
    groups are in the driver's memory.

    Args:
        path: The path of the file.
        n: The number of groups, at least 1.
        group_by: The groups: a column or a list of columns, as for hashwell.spark.sample.
        seed: The seed, in any form that hashwell.sample accepts.
        weights: The weights: a column of integers or decimals, as for hashwell.spark.sample. Rows of a group with
            different weights are detected only if two of them are in the same task of a batch or in the file.
        stratify: The column with the strata. n groups are picked from each stratum.
        context: The name of this step or purpose. Samples with the same seed and different contexts are
            independent.

    Raises:
        ValueError: n is not a positive int. Other errors are raised when a batch arrives.

    Examples:
        >>> kept = StreamSample("kept.arrow", 1000, group_by="user", seed="0877")           # doctest: +SKIP
        >>> query = stream.writeStream.foreachBatch(kept).start()                           # doctest: +SKIP
        >>> kept.result(spark).show()                                                       # doctest: +SKIP
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        n: int,
        *,
        group_by: _columns.Names,
        seed: Seed,
        weights: str | None = None,
        stratify: str | None = None,
        context: str = "",
    ) -> None:
        if not isinstance(n, int) or isinstance(n, bool) or n < 1:
            raise ValueError(f"n must be an int of at least 1, not {n!r}")
        self._path, self._n = os.fspath(path), n
        self._group_by = group_by if isinstance(group_by, str) else list(group_by)
        self._seed, self._weights, self._stratify, self._context = seed, weights, stratify, context

    def __call__(self, df: DataFrame, batch: int) -> None:
        """Add a batch. A batch whose number is not greater than that of the last batch is ignored.

        Args:
            df: The rows of the batch.
            batch: The number of the batch.

        Raises:
            ValueError: The file belongs to a different sample or has different columns, or hashwell.spark.sample
                rejects the rows or the arguments.
        """
        plan = Plan(
            df,
            self._n,
            group_by=self._group_by,
            seed=self._seed,
            weights=self._weights,
            stratify=self._stratify,
            context=self._context,
        )
        before, last = self._read(plan)
        if batch <= last:
            return
        rows = plan.first(df)
        if before is not None:
            if before.schema.names != rows.schema.names or before.schema.types != rows.schema.types:
                ours, theirs = _shown(before.schema), _shown(rows.schema)
                raise ValueError(f"{self._path}: the columns differ: the file has {ours}; the batch has {theirs}")
            rows = plan.first_of([before, rows])
        label = json.dumps({"plan": plan.name(), "batch": batch})
        fresh = f"{self._path}.{os.getpid()}.new"
        with open(fresh, "wb") as file:
            with pa.ipc.new_file(file, rows.schema.with_metadata({_LABEL: label.encode()})) as writer:
                writer.write_table(rows)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self._path)

    def result(self, spark: SparkSession) -> DataFrame:
        """Return the sample of all batches so far.

        Args:
            spark: The session.

        Returns:
            A DataFrame with the columns of the stream.

        Raises:
            FileNotFoundError: There has been no batch yet.
        """
        with pa.ipc.open_file(self._path) as reader:
            rows = reader.read_all().replace_schema_metadata()
        return spark.createDataFrame(rows.select([name for name in rows.schema.names if not _columns.own(name)]))

    def _read(self, plan: Plan) -> tuple[pa.Table | None, int]:
        """Return the saved rows, and the number of the last batch."""
        try:
            with pa.ipc.open_file(self._path) as reader:
                rows = reader.read_all()
        except FileNotFoundError:
            return None, -1
        label = json.loads((rows.schema.metadata or {}).get(_LABEL, b"{}"))
        if label.get("plan") != plan.name():
            raise ValueError(f"{self._path} belongs to a different sample: n, group_by, seed, weights, stratify and context must be the same")
        return rows.replace_schema_metadata(), label["batch"]
