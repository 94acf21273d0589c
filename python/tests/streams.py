"""A second implementation of the seeded sources, written from docs/guides/random.md."""

import hashlib
import os
from collections.abc import Callable

import hashwell
from reference.drbg import HmacDrbg


def key(seed: bytes, personalization: bytes = b"") -> bytes:
    fields = (len(field).to_bytes(8, "big") + field for field in (seed, personalization))
    return hashlib.sha256(b"hwdraw/1" + b"".join(fields) + bytes(32)).digest()


def child(parent: bytes, purpose: int, number: int) -> bytes:
    return hashlib.sha256(parent + bytes([purpose]) + number.to_bytes(8, "big")).digest()


def stream(source: str, key: bytes, n: int) -> bytes:
    """The first n bytes."""
    if source == "counter":
        blocks = (hashlib.sha256(key + b"\0" + i.to_bytes(8, "big")).digest() for i in range(-(-n // 32)))
        return b"".join(blocks)[:n]
    if source.startswith("hmac-drbg-"):
        row = source.removeprefix("hmac-drbg-")
        block = hashwell.algorithms[row].block_size
        drbg = HmacDrbg(lambda message: hashwell.digest(row, message), block, key, b"")
        return b"".join(drbg.generate(1024) for _ in range(-(-n // 1024)))[:n]
    return hashwell.new(source, key).read(n)


class Numbers:
    """Takes numbers from the beginning of a stream."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def take(self, n: int) -> int:
        head, self.data = self.data[:n], self.data[n:]
        return int.from_bytes(head, "big")

    def double(self) -> float:
        return (self.take(8) >> 11) * 2.0**-53


def chi_square_of_bytes(data: bytes) -> float:
    """The chi-square statistic of the counts of byte values, with 255 degrees of freedom."""
    expected = len(data) / 256
    counts = [data.count(value) for value in range(256)]
    return sum((count - expected) ** 2 / expected for count in counts)


# Quantiles of the chi-square distribution with 255 degrees of freedom at 1e-6 and 1 - 1e-6.
CHI_SQUARE_RANGE = (161.65, 377.08)


def both_sides_of_a_fork(draw: Callable[[], bytes]) -> tuple[bytes, bytes]:
    """The results of `draw` in this process and in a forked child."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writable, draw())
        finally:
            os._exit(0)
    os.close(writable)
    with open(readable, "rb") as pipe:
        theirs = pipe.read()
    os.waitpid(child, 0)
    return draw(), theirs
