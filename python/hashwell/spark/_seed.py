"""From a seed to the key of a sample: docs/sampling.md, steps 1 to 3."""

from __future__ import annotations

import hashwell

Seed = str | bytes | int


def framed(part: bytes) -> bytes:
    """A part of a hashed text, behind its length."""
    return len(part).to_bytes(8, "big") + part


def sample_key(seed: Seed) -> bytes:
    """K of a sample: hwdraw/1 with the open frame and the context of samples. A whole number is its decimal digits."""
    if not isinstance(seed, str | bytes | int) or isinstance(seed, bool):
        raise TypeError(f"seed must be str, bytes or int, not {type(seed).__name__}")
    text = seed if isinstance(seed, bytes) else str(seed).encode()
    parts = framed(text) + framed(b"hashwell sample/1")
    return hashwell.sha256(b"hwdraw/1" + parts + bytes(32)).digest()


def stratum_key(key: bytes, label: bytes) -> bytes:
    """The key of a stratum."""
    return hashwell.sha256(key + b"\x02" + label).digest()
