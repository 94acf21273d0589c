"""SM3: GB/T 32905-2016, also ISO/IEC 10118-3:2018 dedicated hash-function 17. Sections are those of GB/T 32905.

The standard gives no rule for its initial value and its two constants, which are therefore copied from it.
"""

from .sha2 import pad, words

# 4.1
IV = [0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E]

MASK = (1 << 32) - 1


def ROTL(x: int, n: int) -> int:
    n %= 32
    return (x << n | x >> 32 - n) & MASK


def T(j: int) -> int:
    """4.2."""
    return 0x79CC4519 if j < 16 else 0x7A879D8A


def FF(j: int, x: int, y: int, z: int) -> int:
    """4.3: the parity, then the majority."""
    return x ^ y ^ z if j < 16 else x & y | x & z | y & z


def GG(j: int, x: int, y: int, z: int) -> int:
    """4.3: the parity, then x ? y : z."""
    return x ^ y ^ z if j < 16 else x & y | ~x & z


def P0(x: int) -> int:
    """4.4."""
    return x ^ ROTL(x, 9) ^ ROTL(x, 17)


def P1(x: int) -> int:
    """4.4."""
    return x ^ ROTL(x, 15) ^ ROTL(x, 23)


def compress(V: list[int], block: bytes) -> list[int]:
    """5.3.2, the message expansion, and 5.3.3, the compression function."""
    W = words(block, 32)
    for j in range(16, 68):
        W.append(P1(W[j - 16] ^ W[j - 9] ^ ROTL(W[j - 3], 15)) ^ ROTL(W[j - 13], 7) ^ W[j - 6])

    A, B, C, D, E, F, G, H = V
    for j in range(64):
        SS1 = ROTL((ROTL(A, 12) + E + ROTL(T(j), j)) & MASK, 7)
        SS2 = SS1 ^ ROTL(A, 12)
        TT1 = (FF(j, A, B, C) + D + SS2 + (W[j] ^ W[j + 4])) & MASK
        TT2 = (GG(j, E, F, G) + H + SS1 + W[j]) & MASK
        D, C, B, A = C, ROTL(B, 9), A, TT1
        H, G, F, E = G, ROTL(F, 19), E, P0(TT2)

    return [x ^ y for x, y in zip((A, B, C, D, E, F, G, H), V)]


def sm3(message: bytes) -> bytes:
    """5.2 pads as SHA-256 does; 5.3.1 iterates; 5.4 writes the last value."""
    V = IV
    M = pad(message, 32)
    for i in range(0, len(M), 64):
        V = compress(V, M[i : i + 64])
    return b"".join(v.to_bytes(4, "big") for v in V)
