"""Rows that several tests use, and a minimal implementation of a sample with hashlib and a sort."""

import hashlib


def framed(part: bytes) -> bytes:
    return len(part).to_bytes(8, "big") + part


def key_of(seed: str) -> bytes:
    parts = framed(seed.encode()) + framed(b"hashwell sample/1")
    return hashlib.sha256(b"hwdraw/1" + parts + bytes(32)).digest()


def ticket(key: bytes, text: bytes) -> bytes:
    return hashlib.sha256(key + b"\x01" + text).digest()[:16]


def first(texts: set[bytes], k: int, key: bytes) -> set[bytes]:
    """The k texts with the smallest tickets."""
    return set(sorted(texts, key=lambda text: (ticket(key, text), text))[:k])


# Every user has several rows, and one user has many. All rows of a user have the same size. The other columns have
# types that must be unchanged in the sample.
COLUMNS = [
    "id",
    "IF(id % 7 = 0, 'u1', CONCAT('u', id % 500)) AS user",
    "id % 3 AS g",
    "CAST(IF(id % 7 = 0, 1, id % 500) % 10 AS DECIMAL(10, 2)) AS size",
    "ARRAY(id, NULL) AS list",
    "NAMED_STRUCT('a', id, 'b', MAP('k', id)) AS nested",
    "TIMESTAMP_MICROS(id) AS time",
    "IF(id % 11 = 0, NULL, CAST(id AS STRING)) AS sometimes",
]


def rows(session, n: int = 6000, partitions: int = 4):
    """A DataFrame of n rows."""
    return session.range(0, n, 1, partitions).selectExpr(*COLUMNS)


def user(row: int) -> str:
    return "u1" if row % 7 == 0 else f"u{row % 500}"
