"""Samples, splits, digests, comparisons and SQL functions on Spark. The results are equal to those on one machine.

    >>> import hashwell.spark                                                           # doctest: +SKIP
    >>> hashwell.spark.sample(df, 1000, group_by="user", seed="0877").show()            # doctest: +SKIP

The result depends only on the seed and on the group or content of each row. Partitions, executors, retries, the
order of rows and the number of cores don't matter. `docs/guides/spark.md` lists the guarantees and the tested
versions of Spark, with and without Spark Connect. This package does not use the driver's JVM directly.
"""

try:
    import pyarrow as _pyarrow  # noqa: F401
    import pyspark as _pyspark  # noqa: F401
except ImportError as _error:
    raise ImportError(f"hashwell.spark needs Spark and Arrow: pip install 'hashwell[spark]' ({_error})") from None

from ._diff import FrameDiff as FrameDiff
from ._diff import diff as diff
from ._files import sum_files as sum_files
from ._functions import register as register
from ._rows import hash_rows as hash_rows
from ._rows import table_digest as table_digest
from ._sample import sample as sample
from ._split import split as split
from ._stream import StreamSample as StreamSample

__all__ = ["FrameDiff", "StreamSample", "diff", "hash_rows", "register", "sample", "split", "sum_files", "table_digest"]
