"""Converts the exceptions of workers to exceptions with a one-line message on the driver."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

_OURS = re.compile(r"^(ValueError|TypeError|OverflowError|MemoryError): (.*)$", re.MULTILINE)


@contextmanager
def one_line() -> Iterator[None]:
    """Raise the exception of a worker with its last line as the message, without the stack traces of Python and Java."""
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as error:
        said = _OURS.findall(str(error))
        if not said:
            raise
        kind, line = said[-1]
        known: dict[str, type[Exception]] = {"TypeError": TypeError, "MemoryError": MemoryError}
        raise known.get(kind, ValueError)(line) from None
