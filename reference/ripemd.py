"""RIPEMD-160: Dobbertin, Bosselaers, Preneel, "RIPEMD-160: a strengthened version of RIPEMD" (1996), also ISO/IEC
10118-3 dedicated hash-function 1. "The paper" is the former, whose appendix A has the pseudo-code. For old data only.
"""

from math import isqrt

from .sha1 import H0
from .sha2 import icbrt

# The word for each step (the paper, section 4, "Selection of message word"). rho is printed there; the rest is
# computed.
RHO = [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8]
PI = [(9 * i + 5) % 16 for i in range(16)]


def selections(first: list[int]) -> list[list[int]]:
    """The words of five rounds: each round permutes those of the previous one with rho."""
    rounds = [first]
    while len(rounds) < 5:
        rounds.append([RHO[i] for i in rounds[-1]])
    return rounds


LEFT, RIGHT = selections(list(range(16))), selections(PI)

# Section "Shifts": those of word i in round j, in both lines.
SHIFT = [
    [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
    [12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7],
    [13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9],
    [14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6],
    [15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5],
]

# Section "Constants": integer parts of 2^30 times the square and cube roots of 2, 3, 5 and 7.
K_LEFT = [0] + [isqrt(n << 60) for n in (2, 3, 5, 7)]
K_RIGHT = [icbrt(n << 90) for n in (2, 3, 5, 7)] + [0]

MASK = (1 << 32) - 1


def ROTL(x: int, n: int) -> int:
    return (x << n | x >> 32 - n) & MASK


def f(j: int, x: int, y: int, z: int) -> int:
    """Section "Boolean functions at bit level": those of round j in the left line. The right line uses them in reverse
    order."""
    return (
        x ^ y ^ z,
        x & y | ~x & z,
        (x | ~y) ^ z,
        x & z | y & ~z,
        x ^ (y | ~z),
    )[j] & MASK


def line(h: list[int], X: list[int], select: list[list[int]], K: list[int], functions: range) -> list[int]:
    """One line: eighty steps."""
    A, B, C, D, E = h
    for j in range(5):
        for i in select[j]:
            T = (ROTL((A + f(functions[j], B, C, D) + X[i] + K[j]) & MASK, SHIFT[j][i]) + E) & MASK
            A, E, D, C, B = E, D, ROTL(C, 10), B, T
    return [A, B, C, D, E]


def compress(h: list[int], block: bytes) -> list[int]:
    """Appendix A: two lines, and sums of three words."""
    X = [int.from_bytes(block[i : i + 4], "little") for i in range(0, 64, 4)]
    A, B, C, D, E = line(h, X, LEFT, K_LEFT, range(5))
    A_, B_, C_, D_, E_ = line(h, X, RIGHT, K_RIGHT, range(4, -1, -1))
    sums = (h[1] + C + D_, h[2] + D + E_, h[3] + E + A_, h[4] + A + B_, h[0] + B + C_)
    return [s & MASK for s in sums]


def ripemd160(message: bytes) -> bytes:
    """Padded like MD4, which is the padding of SHA-1 with little-endian words and length. The initial value is that of
    SHA-1."""
    h = H0
    M = message + b"\x80"
    M += bytes(-(len(M) + 8) % 64) + (8 * len(message)).to_bytes(8, "little")
    for i in range(0, len(M), 64):
        h = compress(h, M[i : i + 64])
    return b"".join(x.to_bytes(4, "little") for x in h)
