"""Functions that the modules for Polars, DuckDB, Spark and pandas share. They return the same results as the functions
of hashwell."""

from typing import Any

from ._native import ArrowDigests, hash_many
from ._shares import sample_key

# The size of a ticket in bytes. Bytes compare in the order of the 128-bit integers of docs/spec/sampling.md.
TICKET_SIZE = 16


def digests(algorithm: str, column: Any, length: int | None, hex: bool) -> ArrowDigests:
    """Return the digests of an Arrow column's strings or bytes. With hex=True, the digests are hexadecimal strings."""
    made: ArrowDigests
    if hex:
        made = hash_many(algorithm, column, length=length, hex=True)
    else:
        made = hash_many(algorithm, column, length=length)
    return made


def ticket_prefix(seed: Any, context: str) -> bytes:
    """Return the bytes that precede a row key in the message that is hashed. The first 16 bytes of the digest are the
    key's ticket.

    Raises TypeError if the seed is None, because tickets of different seeds can't be compared.
    """
    if seed is None:
        raise TypeError("seed must not be None: tickets can only be compared if they have the same seed")
    return sample_key(seed, context) + b"\x01"


def wrong_key(kind: object) -> TypeError:
    """Return the error for a row key of this type."""
    return TypeError(f"keys of tickets must be strings, bytes, integers or booleans, not {kind}: convert them")


def text_needed(kind: object) -> TypeError:
    """Return the error for values of a type that is neither str nor bytes."""
    return TypeError(f"expected strings or bytes, not {kind}: cast the column, or use row digests, which encode every type")
