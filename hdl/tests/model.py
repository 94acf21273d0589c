"""The model `reference/sha2.py`, with values as the ports have them, and the same model with a planted error."""

import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from reference.sha2 import H0_SHA256, SHA256, Family, compress, sha2  # noqa: E402
from reference.vectors import data, load  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", "90"))
# One bit of one constant differs: a comparison with this model must fail.
FAULTY = SHA256._replace(K=[*SHA256.K[:63], SHA256.K[63] ^ 1])


def number(words: list[int]) -> int:
    """32-bit words as one number, with the first word in the highest bits."""
    return int.from_bytes(b"".join(word.to_bytes(4, "big") for word in words), "big")


def words(value: int, count: int) -> list[int]:
    return [value >> 32 * i & 0xFFFFFFFF for i in reversed(range(count))]


def chain_after(chain: int, block: int, family: Family = SHA256) -> int:
    return number(compress(family, words(chain, 8), block.to_bytes(64, "big"), ROUNDS))


def digest(message: bytes, family: Family = SHA256) -> bytes:
    return sha2(family, H0_SHA256, message, 32, ROUNDS)


def published() -> dict[bytes, bytes]:
    """Messages in vectors/ that are short enough to simulate, with their digests."""
    cases = load({64: "sha256", 90: "sha256-90r"}[ROUNDS])["cases"]
    known = {data(case["input"]): bytes.fromhex(case["expected"]) for case in cases if case["input"].get("len", 0) < 1000}
    assert len(known) > 5
    return known


def random_chains(rng: random.Random, blocks: int) -> list[tuple[int, list[int]]]:
    """Chaining values with one to three blocks each, `blocks` in all."""
    chains = []
    while blocks > 0:
        count = min(rng.randint(1, 3), blocks)
        chains.append((rng.getrandbits(256), [rng.getrandbits(512) for _ in range(count)]))
        blocks -= count
    return chains
