"""Samples, splits, digests of rows and of files on Spark, equal to those of one machine.

    >>> import hashwell.spark                                                     # doctest: +SKIP
    >>> hashwell.spark.sample(df, 1000, key="user", seed="0877").show()           # doctest: +SKIP

What a row gets depends on the seed and on the row's key or content alone: not on partitions, executors, retries,
the order of rows or the number of cores. `docs/guides/spark.md` says what is promised, and on which Spark it is tested, with and
without Spark Connect; nothing here asks for the driver's JVM.
"""

try:
    import pyarrow as _pyarrow  # noqa: F401
    import pyspark as _pyspark  # noqa: F401
except ImportError as _error:
    raise ImportError(f"hashwell.spark needs Spark and Arrow: pip install 'hashwell[spark]' ({_error})") from None

from ._files import sum_files as sum_files
from ._rows import hash_rows as hash_rows
from ._rows import table_digest as table_digest
from ._sample import sample as sample
from ._split import split as split
from ._stream import StreamSample as StreamSample

__all__ = ["StreamSample", "hash_rows", "sample", "split", "sum_files", "table_digest"]
