"""Files in the worker's file system, and files that fsspec opens."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any, BinaryIO, NamedTuple

BLOCK = 1 << 20


class Seen(NamedTuple):
    """The properties of a file at a point in time."""

    size: int
    modified: datetime | None
    version: tuple[Any, ...]


def stored(path: str, options: Mapping[str, Any]) -> Local | Elsewhere:
    """Return an object for the file with this path, without opening the file."""
    return Elsewhere(path, options) if "://" in path else Local(path)


def reason(failure: Exception) -> str:
    if isinstance(failure, OSError) and failure.strerror:
        return failure.strerror
    lines = str(failure).splitlines()
    return f"{type(failure).__name__}: {lines[0][:200]}" if lines else type(failure).__name__


class Local:
    """A file in the worker's file system."""

    def __init__(self, path: str) -> None:
        self._path = path

    def seen(self) -> Seen:
        now = os.stat(self._path)
        if not stat.S_ISREG(now.st_mode) and not stat.S_ISDIR(now.st_mode):
            # Reading from such a file may never end.
            raise OSError(22, "not a regular file")
        time = datetime.fromtimestamp(now.st_mtime_ns // 1000 / 1e6, timezone.utc)
        return Seen(now.st_size, time, (now.st_mtime_ns, now.st_ino, now.st_dev))

    def open(self) -> BinaryIO:
        return open(self._path, "rb", buffering=0)

    def has_places(self) -> bool:
        """Return true if the file can be read at any position."""
        return True


class Elsewhere:
    """A file that fsspec can open."""

    def __init__(self, path: str, options: Mapping[str, Any]) -> None:
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise OSError(0, "a path with a URL scheme needs fsspec on every worker: pip install fsspec") from None
        self._system, self._path = url_to_fs(path, **options)

    def seen(self) -> Seen:
        # Without this call, the properties may be those of an earlier listing.
        self._system.invalidate_cache()
        now = self._system.info(self._path)
        if now.get("type") == "directory":
            raise IsADirectoryError(21, "Is a directory")
        try:
            time = self._system.modified(self._path)
        except NotImplementedError:
            time = None
        version = tuple(str(now.get(name)) for name in ("mtime", "ETag", "etag", "generation", "VersionId", "ino"))
        return Seen(now["size"], time, version)

    def open(self) -> BinaryIO:
        return self._system.open(self._path, "rb", block_size=BLOCK)  # type: ignore[no-any-return]

    def has_places(self) -> bool:
        with self.open() as stream:
            return stream.seekable()
