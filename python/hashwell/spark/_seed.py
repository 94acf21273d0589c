"""From a seed to the key of a sample: docs/spec/sampling.md, steps 1 to 3."""

from __future__ import annotations

from collections.abc import Sequence

import hashwell

from .._native import _seed

Seed = str | bytes | int | Sequence[int]


def framed(part: bytes) -> bytes:
    """A part of a hashed text, behind its length."""
    return len(part).to_bytes(8, "big") + part


def sample_key(seed: Seed, context: str = "") -> bytes:
    """K of a sample: hwdraw/1 with the open list and the context of samples. docs/guides/random.md says what a seed may be."""
    if not isinstance(context, str):
        raise TypeError(f"context must be str, not {type(context).__name__}")
    given = _seed(seed)
    purpose = context.encode()
    own = b" context %d:%b" % (len(purpose), purpose) if purpose else b""
    parts = framed(given.encode() if isinstance(given, str) else given) + framed(b"hashwell sample/1" + own)
    return hashwell.sha256(b"hwdraw/1" + parts + bytes(32)).digest()


def stratum_key(key: bytes, label: bytes) -> bytes:
    """The key of a stratum."""
    return hashwell.sha256(key + b"\x02" + label).digest()
