"""A sample of a stream, kept from batch to batch."""

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


class StreamSample:
    """A sample of a stream: the rows that hashwell.spark.sample picks from all batches together.

    Pass the object to `foreachBatch`. The picked rows are in the file `path` on the driver, with the number of the last batch.
    The file is replaced atomically, and a batch whose number is already in the file is ignored, so a batch that is repeated
    after a crash counts once. Each checkpoint needs a file of its own. The driver holds all rows of the n groups.

    Args:
        path: The file.
        n: The number of groups, at least 1.
        group_by: A column or a list of columns, as for hashwell.spark.sample.
        seed: The seed, as for hashwell.sample.
        weights: A column of weights, as for hashwell.spark.sample. Rows of a group with different weights are noticed only
            if two of them meet in one task of a batch or in the file.
        stratify: A column of strata, as for hashwell.spark.sample.
        context: The name of this step or purpose, as for hashwell.sample.

    Raises:
        ValueError: n is not a positive int. When a batch arrives: what hashwell.spark.sample raises, or the file belongs to
            another sample or has other columns.

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
        """Add a batch, unless its number is not greater than that of the last batch.

        Args:
            df: The rows of the batch.
            batch: The number of the batch.

        Raises:
            ValueError: The file belongs to another sample, or has other columns.
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
                raise ValueError(f"{self._path}: the columns differ: the file has {before.schema.names}, the batch has {rows.schema.names}")
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
            FileNotFoundError: There was no batch yet.
        """
        with pa.ipc.open_file(self._path) as reader:
            rows = reader.read_all().replace_schema_metadata()
        return spark.createDataFrame(rows.select([name for name in rows.schema.names if not _columns.own(name)]))

    def _read(self, plan: Plan) -> tuple[pa.Table | None, int]:
        """The rows kept, and the number of the last batch."""
        try:
            with pa.ipc.open_file(self._path) as reader:
                rows = reader.read_all()
        except FileNotFoundError:
            return None, -1
        label = json.loads((rows.schema.metadata or {}).get(_LABEL, b"{}"))
        if label.get("plan") != plan.name():
            raise ValueError(f"{self._path} belongs to another sample: n, group_by, seed, weights, stratify and context must be the same")
        return rows.replace_schema_metadata(), label["batch"]
