"""Random streams by name: docs/guides/random.md, as functions from seeds to bytes."""

from collections.abc import Sequence
from decimal import Decimal

from . import HMAC_BLOCK, MODELS
from .drbg import HmacDrbg
from .sha2 import sha256

SPAWNED, JUMPED, WORDS = 3, 4, 5


def seed_bytes(seed: bytes | str | int | Sequence[int]) -> bytes:
    """The bytes of a seed: the seed itself, or the text that stands for integers."""
    if isinstance(seed, bytes):
        return seed
    if isinstance(seed, str):
        return seed.encode()
    if isinstance(seed, int):
        # Python limits the number of digits of str(int).
        return str(Decimal(seed)).encode()
    if any(number < 0 for number in seed):
        raise ValueError("the integers of a sequence cannot be negative")
    return b"hwseed/1:" + ",".join(f"{number:x}" for number in seed).encode("ascii")


def stream_key(seed: bytes, personalization: bytes = b"") -> bytes:
    """K, the key of the stream."""
    fields = b"".join(len(field).to_bytes(8, "big") + field for field in (seed, personalization))
    return sha256(b"hwdraw/1" + fields + bytes(32))


def child(K: bytes, purpose: int, number: int) -> bytes:
    """The key of child `number` (SPAWNED), of the stream after `number` jumps (JUMPED; with 0 it is K), or of the numbers
    with which other generators are seeded (WORDS)."""
    return sha256(K + bytes([purpose]) + number.to_bytes(8, "big"))


def stream(source: str, K: bytes, n: int, skip: int = 0) -> bytes:
    """Bytes `skip` to `skip + n` of the stream with key K."""
    if source == "counter":
        first = skip // 32
        blocks = (sha256(K + b"\0" + i.to_bytes(8, "big")) for i in range(first, -(-(skip + n) // 32)))
        return b"".join(blocks)[skip - 32 * first :][:n]
    if source == "blake3":
        return MODELS[source](K, n, seek=skip) if skip else MODELS[source](K, n)
    if source.startswith("hmac-drbg-"):
        row = source.removeprefix("hmac-drbg-")
        drbg = HmacDrbg(MODELS[row], HMAC_BLOCK[row], K, b"")
        whole = b"".join(drbg.generate(1024) for _ in range(-(-(skip + n) // 1024)))
    else:
        whole = MODELS[source](K, skip + n)
    return whole[skip : skip + n]
