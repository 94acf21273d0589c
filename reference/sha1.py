"""SHA-1: FIPS 180-4 (August 2015), section 6.1. It is broken, and only here because git and old checksums need it."""

from math import isqrt
from struct import unpack

from .sha2 import pad, words

# 4.2.1 prints these words. They are the first 32 bits of sqrt(2), sqrt(3), sqrt(5) and sqrt(10), divided by four.
K = [isqrt(n << 60) for n in (2, 3, 5, 10)]

# 5.3.1 prints these words. As little-endian bytes, their nibbles count up, then down. In the last word, each byte consists
# of a nibble and its complement.
H0 = list(unpack("<5I", bytes.fromhex("0123456789abcdef fedcba9876543210 f0e1d2c3")))

MASK = (1 << 32) - 1


def ROTL(x: int, n: int) -> int:
    return (x << n | x >> 32 - n) & MASK


def f(t: int, x: int, y: int, z: int) -> int:
    """(4.1): Ch, Parity, Maj, Parity, for twenty rounds each."""
    if t < 20:
        return x & y ^ ~x & z
    if 40 <= t < 60:
        return x & y ^ x & z ^ y & z
    return x ^ y ^ z


def compress(H: list[int], block: bytes) -> list[int]:
    """6.1.2, steps 1 to 4."""
    W = words(block, 32)
    for t in range(16, 80):
        W.append(ROTL(W[t - 3] ^ W[t - 8] ^ W[t - 14] ^ W[t - 16], 1))

    a, b, c, d, e = H
    for t in range(80):
        T = (ROTL(a, 5) + f(t, b, c, d) + e + K[t // 20] + W[t]) & MASK
        e, d, c, b, a = d, c, ROTL(b, 30), a, T

    return [(x + y) & MASK for x, y in zip((a, b, c, d, e), H)]


def sha1(message: bytes) -> bytes:
    H = H0
    M = pad(message, 32)
    for i in range(0, len(M), 64):
        H = compress(H, M[i : i + 64])
    return b"".join(h.to_bytes(4, "big") for h in H)
