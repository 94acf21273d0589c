"""BLAKE2: RFC 7693 (November 2015). Sections are the RFC's.

Salt, personalisation and trees are not in the RFC: "the paper" is Aumasson, Neves, Wilcox-O'Hearn and Winnerlein,
"BLAKE2: simpler, smaller, fast as MD5" (2013).
"""

from functools import partial
from typing import NamedTuple

from .sha2 import H0_SHA256, H0_SHA512

# 2.7; rounds after the tenth start again with the first row.
SIGMA = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]


class Variant(NamedTuple):
    """2.1: word bits, rounds, rotations. 2.6: the initial value, which is that of SHA-2. The paper: the size of a node
    offset."""

    w: int
    r: int
    R: tuple[int, int, int, int]
    IV: list[int]
    offset_bytes: int

    @property
    def block_bytes(self) -> int:
        return 16 * self.w // 8

    @property
    def max_bytes(self) -> int:
        """The maximum length of a digest and of a key. The lengths of salt and personalisation are a quarter of it."""
        return 8 * self.w // 8


BLAKE2B = Variant(w=64, r=12, R=(32, 24, 16, 63), IV=H0_SHA512, offset_bytes=8)
BLAKE2S = Variant(w=32, r=10, R=(16, 12, 8, 7), IV=H0_SHA256, offset_bytes=6)


def words(data: bytes, w: int) -> list[int]:
    size = w // 8
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]


def F(V: Variant, h: list[int], block: bytes, t: int, f0: bool, f1: bool) -> list[int]:
    """3.2. f0 marks the last block; f1 the last block of the last node of a layer (the paper, finalization flags)."""
    w, mask = V.w, (1 << V.w) - 1
    R1, R2, R3, R4 = V.R
    m = words(block, w)
    v = h + V.IV
    v[12] ^= t & mask
    v[13] ^= t >> w
    v[14] ^= mask * f0
    v[15] ^= mask * f1

    def rotr(x: int, n: int) -> int:
        return (x >> n | x << w - n) & mask

    def G(a: int, b: int, c: int, d: int, x: int, y: int) -> None:
        """3.1."""
        v[a] = (v[a] + v[b] + x) & mask
        v[d] = rotr(v[d] ^ v[a], R1)
        v[c] = (v[c] + v[d]) & mask
        v[b] = rotr(v[b] ^ v[c], R2)
        v[a] = (v[a] + v[b] + y) & mask
        v[d] = rotr(v[d] ^ v[a], R3)
        v[c] = (v[c] + v[d]) & mask
        v[b] = rotr(v[b] ^ v[c], R4)

    for i in range(V.r):
        s = SIGMA[i % 10]
        G(0, 4, 8, 12, m[s[0]], m[s[1]])
        G(1, 5, 9, 13, m[s[2]], m[s[3]])
        G(2, 6, 10, 14, m[s[4]], m[s[5]])
        G(3, 7, 11, 15, m[s[6]], m[s[7]])
        G(0, 5, 10, 15, m[s[8]], m[s[9]])
        G(1, 6, 11, 12, m[s[10]], m[s[11]])
        G(2, 7, 8, 13, m[s[12]], m[s[13]])
        G(3, 4, 9, 14, m[s[14]], m[s[15]])

    return [h[i] ^ v[i] ^ v[i + 8] for i in range(8)]


def parameters(
    V: Variant,
    digest_length: int,
    key_length: int,
    salt: bytes = b"",
    personal: bytes = b"",
    fanout: int = 1,
    depth: int = 1,
    node_offset: int = 0,
    node_depth: int = 0,
    inner_length: int = 0,
) -> bytes:
    """The parameter block: 2.5 for its first four bytes, the paper for the rest. Leaf length is 0, unlimited."""
    n = V.max_bytes // 4
    if not 1 <= digest_length <= V.max_bytes or key_length > V.max_bytes or len(salt) > n or len(personal) > n:
        raise ValueError(f"at most {V.max_bytes} bytes of digest and key, {n} of salt and personalisation")
    head = bytes([digest_length, key_length, fanout, depth]) + bytes(4)
    node = node_offset.to_bytes(V.offset_bytes, "little") + bytes([node_depth, inner_length])
    return (head + node).ljust(2 * n, b"\0") + salt.ljust(n, b"\0") + personal.ljust(n, b"\0")


def run(V: Variant, P: bytes, data: bytes, last_node: bool = False) -> bytes:
    """3.3, from the parameter block to the complete final state. For an empty message, there is one block of zeros."""
    h = [iv ^ p for iv, p in zip(V.IV, words(P, V.w))]
    size = V.block_bytes
    for i in range(0, max(len(data), 1), size):
        block = data[i : i + size]
        final = i + size >= len(data)
        h = F(V, h, block.ljust(size, b"\0"), i + len(block), final, final and last_node)
    return b"".join(x.to_bytes(V.w // 8, "little") for x in h)


def key_block(V: Variant, key: bytes) -> bytes:
    """3.3: the key is a separate first block."""
    return key.ljust(V.block_bytes, b"\0") if key else b""


def blake2(V: Variant, data: bytes, out_len: int, key: bytes, salt: bytes, personal: bytes) -> bytes:
    P = parameters(V, out_len, len(key), salt, personal)
    return run(V, P, key_block(V, key) + data)[:out_len]


def blake2b(data: bytes, out_len: int = 64, key: bytes = b"", salt: bytes = b"", personal: bytes = b"") -> bytes:
    return blake2(BLAKE2B, data, out_len, key, salt, personal)


def blake2s(data: bytes, out_len: int = 32, key: bytes = b"", salt: bytes = b"", personal: bytes = b"") -> bytes:
    return blake2(BLAKE2S, data, out_len, key, salt, personal)


def tree(V: Variant, fanout: int, data: bytes, out_len: int, key: bytes) -> bytes:
    """The paper's BLAKE2bp and BLAKE2sp: the leaves take the blocks in turn and a root hashes their outputs.

    The key's block goes to each leaf and not to the root; its length is in all parameter blocks.
    """
    P = partial(parameters, V, out_len, len(key), fanout=fanout, depth=2, inner_length=V.max_bytes)
    blocks = [data[i : i + V.block_bytes] for i in range(0, len(data), V.block_bytes)]
    leaves = b""
    for i in range(fanout):
        share = key_block(V, key) + b"".join(blocks[i::fanout])
        leaves += run(V, P(node_offset=i), share, last_node=i == fanout - 1)
    return run(V, P(node_depth=1), leaves, last_node=True)[:out_len]


def blake2bp(data: bytes, out_len: int = 64, key: bytes = b"") -> bytes:
    return tree(BLAKE2B, 4, data, out_len, key)


def blake2sp(data: bytes, out_len: int = 32, key: bytes = b"") -> bytes:
    return tree(BLAKE2S, 8, data, out_len, key)
