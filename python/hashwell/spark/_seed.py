"""Computes the key of a sample from a seed (docs/spec/sampling.md, steps 1 to 3)."""

from __future__ import annotations

from collections.abc import Sequence

import hashwell

from .._shares import framed as framed
from .._shares import sample_key as sample_key

Seed = str | bytes | int | Sequence[int]


def stratum_key(key: bytes, label: bytes) -> bytes:
    """Return the key of a stratum."""
    return hashwell.sha256(key + b"\x02" + label).digest()
