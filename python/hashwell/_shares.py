"""Named parts of a table: their shares, and the key that determines the part of each row (docs/spec/sampling.md, Split)."""

import itertools
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ._native import _seed, sha256


def framed(part: bytes) -> bytes:
    """Return a part of a hashed message, preceded by its length in 8 bytes."""
    return len(part).to_bytes(8, "big") + part


def sample_key(seed: Any, context: str = "") -> bytes:
    """Return the key K of a sample. It is computed like the key of a hwdraw/1 draw from an open list
    (docs/spec/sampling.md). docs/guides/random.md describes the types of seeds.
    """
    if not isinstance(context, str):
        raise TypeError(f"context must be str, not {type(context).__name__}")
    given = _seed(seed)
    purpose = context.encode()
    own = b" context %d:%b" % (len(purpose), purpose) if purpose else b""
    parts = framed(given.encode() if isinstance(given, str) else given) + framed(b"hashwell sample/1" + own)
    return sha256(b"hwdraw/1" + parts + bytes(32)).digest()


def ends(shares: Mapping[str, Any]) -> list[Fraction]:
    """Return the sum of the shares up to and including each part."""
    if not shares:
        raise ValueError("shares must name at least one part")
    parts = []
    for name, share in shares.items():
        try:
            parts.append(Fraction(str(share)))
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"the share of '{name}' must be a number from 0 to 1, not {share!r}") from None
        if parts[-1] < 0:
            raise ValueError(f"the share of '{name}' must be 0 or more, not {share}")
    if sum(parts) != 1:
        raise ValueError(
            f"shares must add up to 1, not {_decimal(sum(parts, Fraction()))}: add a part for the rest, or write shares exactly, "
            'as strings or fractions such as "1/3"'
        )
    return list(itertools.accumulate(parts))


def _decimal(number: Fraction) -> str:
    """Return a non-negative number as an exact decimal number, or as a fraction if the decimal number never ends or has
    more than 40 places."""
    places = next((places for places in range(41) if 10**places % number.denominator == 0), None)
    if not places:
        return str(number)
    digits = f"{10**places * number.numerator // number.denominator:0{places + 1}}"
    return f"{digits[:-places]}.{digits[-places:]}"


def ticket_ends(shares: Mapping[str, Any]) -> list[int]:
    """Return the end of each part. The tickets of a part are less than its end. The end of the last part is 2^128."""
    return [math.ceil(end * 2**128) for end in ends(shares)]
