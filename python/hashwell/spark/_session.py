"""Finds the Spark session for functions that are called without the argument `spark`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def active_session() -> SparkSession:
    """Return the active session. Raises ValueError if there is none."""
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    if session is None:
        raise ValueError("no active Spark session: pass one as spark=")
    return session
