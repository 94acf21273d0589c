"""BLAKE3: O'Connor, Aumasson, Neves, Wilcox-O'Hearn, "BLAKE3: one function, fast everywhere". Sections are its own."""

from struct import pack, unpack
from typing import NamedTuple

from .sha2 import H0_SHA256

IV = H0_SHA256  # Table 1
PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]  # Table 2
BLOCK, CHUNK = 64, 1024
MASK = (1 << 32) - 1

# Table 3
CHUNK_START, CHUNK_END, PARENT, ROOT, KEYED_HASH, DERIVE_KEY_CONTEXT, DERIVE_KEY_MATERIAL = (1 << i for i in range(7))


def rotr(x: int, n: int) -> int:
    return (x >> n | x << 32 - n) & MASK


def compress(h: list[int], m: list[int], t: int, b: int, d: int) -> list[int]:
    """2.2: chaining value h, message m, counter t, b input bytes, flags d; all 16 words of output."""
    v = h + IV[:4] + [t & MASK, t >> 32, b, d]

    def G(a: int, b: int, c: int, d: int, x: int, y: int) -> None:
        v[a] = (v[a] + v[b] + x) & MASK
        v[d] = rotr(v[d] ^ v[a], 16)
        v[c] = (v[c] + v[d]) & MASK
        v[b] = rotr(v[b] ^ v[c], 12)
        v[a] = (v[a] + v[b] + y) & MASK
        v[d] = rotr(v[d] ^ v[a], 8)
        v[c] = (v[c] + v[d]) & MASK
        v[b] = rotr(v[b] ^ v[c], 7)

    for _ in range(7):
        G(0, 4, 8, 12, m[0], m[1])
        G(1, 5, 9, 13, m[2], m[3])
        G(2, 6, 10, 14, m[4], m[5])
        G(3, 7, 11, 15, m[6], m[7])
        G(0, 5, 10, 15, m[8], m[9])
        G(1, 6, 11, 12, m[10], m[11])
        G(2, 7, 8, 13, m[12], m[13])
        G(3, 4, 9, 14, m[14], m[15])
        m = [m[i] for i in PERMUTATION]

    return [v[i] ^ v[i + 8] for i in range(8)] + [v[i + 8] ^ h[i] for i in range(8)]


class Node(NamedTuple):
    """The arguments of the last compression of a node. It gives the chaining value or, for the root, any number of
    output blocks."""

    h: list[int]
    m: list[int]
    t: int
    b: int
    d: int

    def chaining_value(self) -> list[int]:
        return compress(*self)[:8]

    def output(self, seek: int, out_len: int) -> bytes:
        """2.6: the root is compressed again with t = 0, 1, 2, ...; the first `seek` bytes of the output are skipped."""
        first, skip = divmod(seek, BLOCK)
        count = -(-(skip + out_len) // BLOCK)
        root = self._replace(d=self.d | ROOT)
        blocks = (pack("<16I", *compress(*root._replace(t=first + i))) for i in range(count))
        return b"".join(blocks)[skip : skip + out_len]


def chunk(data: bytes, key: list[int], t: int, flags: int) -> Node:
    """2.4: blocks in a chain; an empty input is one empty block."""
    blocks = [data[i : i + BLOCK] for i in range(0, len(data), BLOCK)] or [b""]
    h, start = key, CHUNK_START
    for i, block in enumerate(blocks):
        end = CHUNK_END if i == len(blocks) - 1 else 0
        node = Node(h, list(unpack("<16I", block.ljust(BLOCK, b"\0"))), t, len(block), flags | start | end)
        h, start = node.chaining_value(), 0
    return node


def tree(data: bytes, key: list[int], t: int, flags: int) -> Node:
    """2.1 and 2.5: the left subtree has the largest power of two of chunks that leaves at least one byte for the right
    subtree."""
    if len(data) <= CHUNK:
        return chunk(data, key, t, flags)
    left_chunks = 1 << ((len(data) - 1) // CHUNK).bit_length() - 1
    split = left_chunks * CHUNK
    left = tree(data[:split], key, t, flags).chaining_value()
    right = tree(data[split:], key, t + left_chunks, flags).chaining_value()
    return Node(key, left + right, 0, BLOCK, flags | PARENT)


def root_hash(data: bytes, key: list[int], flags: int, out_len: int, seek: int = 0) -> bytes:
    return tree(data, key, 0, flags).output(seek, out_len)


def blake3(
    data: bytes, out_len: int = 32, key: bytes | None = None, context: str | None = None, seek: int = 0
) -> bytes:
    """2.3: hash, keyed_hash with a 32-byte `key`, or derive_key with a `context`; out_len bytes from `seek` on."""
    if key is not None and context is not None:
        raise ValueError("a key or a context, not both")
    if context is not None:
        key, flags = root_hash(context.encode(), IV, DERIVE_KEY_CONTEXT, 32), DERIVE_KEY_MATERIAL
    elif key is not None:
        flags = KEYED_HASH
    else:
        return root_hash(data, IV, 0, out_len, seek)
    return root_hash(data, list(unpack("<8I", key)), flags, out_len, seek)
