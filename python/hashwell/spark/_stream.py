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
    """What `foreachBatch` takes to keep a sample of all that has come: `hashwell.spark.sample` of all batches together.

        kept = StreamSample("/data/kept.arrow", 1000, key="user", seed="0877")
        stream.writeStream.foreachBatch(kept).option("checkpointLocation", ...).start()
        kept.result(spark).show()

    The sample's rows lie in the file `path`, on the machine of the driver, with the number of the last batch in them.
    The file is replaced at once, and a batch whose number it already has is passed over: so a batch that is repeated
    after a crash counts once. A file belongs to one checkpoint; start a new one with a new file. The driver holds all
    rows of the k keys.

    Raises ValueError, when a batch comes, for what `hashwell.spark.sample` refuses, and for a file of another sample
    (k, key, seed, context, weights, by) or of other columns. That a key has several weights is noticed only where two of them
    meet, in a batch's task or among the rows that are kept.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        k: int,
        *,
        key: _columns.Names,
        seed: Seed,
        weights: str | None = None,
        by: str | None = None,
        context: str = "",
    ) -> None:
        if not isinstance(k, int) or isinstance(k, bool) or k < 1:
            raise ValueError(f"k must be a whole number of 1 or more, not {k!r}")
        self._path, self._k = os.fspath(path), k
        self._key = key if isinstance(key, str) else list(key)
        self._seed, self._weights, self._by, self._context = seed, weights, by, context

    def __call__(self, df: DataFrame, batch: int) -> None:
        """Takes a batch in, if its number is more than the last one's."""
        plan = Plan(
            df, self._k, key=self._key, seed=self._seed, weights=self._weights, by=self._by, context=self._context
        )
        before, last = self._read(plan)
        if batch <= last:
            return
        rows = plan.first(df)
        if before is not None:
            if before.schema.names != rows.schema.names or before.schema.types != rows.schema.types:
                raise ValueError(f"{self._path} has the columns {before.schema.names}, the batch {rows.schema.names}")
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
        """The sample of what has come so far. Raises FileNotFoundError before the first batch."""
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
            raise ValueError(f"{self._path} is of another sample: another k, key, seed, weights or by")
        return rows.replace_schema_metadata(), label["batch"]
