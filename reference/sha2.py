"""SHA-2: FIPS 180-4 (August 2015). The section numbers below are those of this document.

SHA-256 takes its number of rounds as a parameter, for SHA256-90R (docs/spec/sha256-90r.md).
"""

from math import isqrt
from typing import NamedTuple


def primes(count: int) -> list[int]:
    found: list[int] = []
    candidate = 2
    while len(found) < count:
        if all(candidate % p for p in found):
            found.append(candidate)
        candidate += 1
    return found


def icbrt(n: int) -> int:
    """The largest integer whose cube is at most n, found bit by bit."""
    root = 0
    for bit in reversed(range(n.bit_length() // 3 + 1)):
        if (root | 1 << bit) ** 3 <= n:
            root |= 1 << bit
    return root


def sqrt_fraction(n: int, bits: int) -> int:
    """The first bits of the fractional part of the square root of n."""
    return isqrt(n << 2 * bits) % (1 << bits)


def cbrt_fraction(n: int, bits: int) -> int:
    """The first bits of the fractional part of the cube root of n."""
    return icbrt(n << 3 * bits) % (1 << bits)


PRIMES = primes(80)


class Family(NamedTuple):
    """The differences between SHA-256 and SHA-512. Sigma: three rotations; sigma: two rotations and one shift."""

    w: int
    rounds: int
    K: list[int]
    Sigma0: tuple[int, int, int]
    Sigma1: tuple[int, int, int]
    sigma0: tuple[int, int, int]
    sigma1: tuple[int, int, int]


SHA256 = Family(
    w=32,
    rounds=64,
    K=[cbrt_fraction(p, 32) for p in PRIMES[:64]],  # 4.2.2
    Sigma0=(2, 13, 22),  # (4.4)
    Sigma1=(6, 11, 25),  # (4.5)
    sigma0=(7, 18, 3),  # (4.6)
    sigma1=(17, 19, 10),  # (4.7)
)
SHA512 = Family(
    w=64,
    rounds=80,
    K=[cbrt_fraction(p, 64) for p in PRIMES[:80]],  # 4.2.3
    Sigma0=(28, 34, 39),  # (4.10)
    Sigma1=(14, 18, 41),  # (4.11)
    sigma0=(1, 8, 7),  # (4.12)
    sigma1=(19, 61, 6),  # (4.13)
)

H0_SHA256 = [sqrt_fraction(p, 32) for p in PRIMES[:8]]  # 5.3.3
H0_SHA384 = [sqrt_fraction(p, 64) for p in PRIMES[8:16]]  # 5.3.4
H0_SHA512 = [sqrt_fraction(p, 64) for p in PRIMES[:8]]  # 5.3.5
H0_SHA224 = [h % (1 << 32) for h in H0_SHA384]  # 5.3.2: the second 32 bits of the same square roots


def pad(message: bytes, w: int) -> bytes:
    """5.1: a one bit, zeros, and the length in bits as 2w bits, to a multiple of 16 words."""
    length = (8 * len(message)).to_bytes(2 * w // 8, "big")
    zeros = -(len(message) + 1 + len(length)) % (16 * w // 8)
    return message + b"\x80" + bytes(zeros) + length


def words(block: bytes, w: int) -> list[int]:
    """3.1: big-endian words of w bits."""
    size = w // 8
    return [int.from_bytes(block[i : i + size], "big") for i in range(0, len(block), size)]


def compress(f: Family, H: list[int], block: bytes, rounds: int) -> list[int]:
    """6.2.2 and 6.4.2, steps 1 to 4. After the last row of the table of K, rounds start with the first one again."""
    w, mask = f.w, (1 << f.w) - 1

    def ROTR(x: int, n: int) -> int:
        return (x >> n | x << w - n) & mask

    def Sigma(x: int, n: tuple[int, int, int]) -> int:
        return ROTR(x, n[0]) ^ ROTR(x, n[1]) ^ ROTR(x, n[2])

    def sigma(x: int, n: tuple[int, int, int]) -> int:
        return ROTR(x, n[0]) ^ ROTR(x, n[1]) ^ x >> n[2]

    W = words(block, w)
    for t in range(16, rounds):
        W.append((sigma(W[t - 2], f.sigma1) + W[t - 7] + sigma(W[t - 15], f.sigma0) + W[t - 16]) & mask)

    a, b, c, d, e, f_, g, h = H
    for t in range(rounds):
        Ch = e & f_ ^ ~e & g
        Maj = a & b ^ a & c ^ b & c
        T1 = h + Sigma(e, f.Sigma1) + Ch + f.K[t % len(f.K)] + W[t]
        T2 = Sigma(a, f.Sigma0) + Maj
        h, g, f_, e, d, c, b, a = g, f_, e, (d + T1) & mask, c, b, a, (T1 + T2) & mask

    return [(x + y) & mask for x, y in zip((a, b, c, d, e, f_, g, h), H)]


def sha2(f: Family, H: list[int], message: bytes, out_len: int, rounds: int | None = None) -> bytes:
    """The iteration of 6.2 and 6.4 from the initial value H; the digest is its leftmost out_len bytes."""
    M = pad(message, f.w)
    size = 16 * f.w // 8
    for i in range(0, len(M), size):
        H = compress(f, H, M[i : i + size], rounds or f.rounds)
    return b"".join(h.to_bytes(f.w // 8, "big") for h in H)[:out_len]


def iv_sha512_t(t: int) -> list[int]:
    """5.3.6, the SHA-512/t IV Generation Function."""
    H = [h ^ 0xA5A5A5A5A5A5A5A5 for h in H0_SHA512]
    return words(sha2(SHA512, H, b"SHA-512/%d" % t, 64), 64)


H0_SHA512_224 = iv_sha512_t(224)
H0_SHA512_256 = iv_sha512_t(256)


def sha224(message: bytes) -> bytes:
    return sha2(SHA256, H0_SHA224, message, 28)


def sha256(message: bytes, rounds: int = 64) -> bytes:
    return sha2(SHA256, H0_SHA256, message, 32, rounds)


def sha256_90r(message: bytes) -> bytes:
    """SHA-256 with 90 rounds: W[16..89] with the same recurrence, K[64..89] = K[0..25]. It is not claimed to be
    stronger than SHA-256."""
    return sha256(message, rounds=90)


def sha384(message: bytes) -> bytes:
    return sha2(SHA512, H0_SHA384, message, 48)


def sha512(message: bytes) -> bytes:
    return sha2(SHA512, H0_SHA512, message, 64)


def sha512_224(message: bytes) -> bytes:
    return sha2(SHA512, H0_SHA512_224, message, 28)


def sha512_256(message: bytes) -> bytes:
    return sha2(SHA512, H0_SHA512_256, message, 32)
