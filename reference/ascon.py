"""Ascon hashing: SP 800-232 (August 2025) and its ancestor, Ascon v1.2 (NIST LWC submission, May 2021).

SP 800-232 reversed the order of the bytes in every word, and therefore the layout of the initial value. The permutation
is the same.
"""

from typing import Literal, NamedTuple

MASK = (1 << 64) - 1
RATE = 8

# SP 800-232 Table 5: const_i for i = 0..15. One nibble counts down, the other up.
CONST = [(3 - i) % 16 << 4 | (12 + i) % 16 for i in range(16)]


def rotr(x: int, n: int) -> int:
    return (x >> n | x << 64 - n) & MASK


def permute(S: list[int], rnd: int) -> list[int]:
    """Ascon-p[rnd]: SP 800-232 sections 3.2, 3.3 (equation 7) and 3.4."""
    x0, x1, x2, x3, x4 = S
    for c in CONST[16 - rnd :]:
        # p_C
        x2 ^= c

        # p_S: an affine map, chi over the five words, an affine map
        x0, x2, x4 = x0 ^ x4, x2 ^ x1, x4 ^ x3
        x0, x1, x2, x3, x4 = x0 ^ ~x1 & x2, x1 ^ ~x2 & x3, x2 ^ ~x3 & x4, x3 ^ ~x4 & x0, x4 ^ ~x0 & x1
        x1, x0, x3, x2 = x1 ^ x0, x0 ^ x4, x3 ^ x2, x2 ^ MASK

        # p_L
        x0 ^= rotr(x0, 19) ^ rotr(x0, 28)
        x1 ^= rotr(x1, 61) ^ rotr(x1, 39)
        x2 ^= rotr(x2, 1) ^ rotr(x2, 6)
        x3 ^= rotr(x3, 10) ^ rotr(x3, 17)
        x4 ^= rotr(x4, 7) ^ rotr(x4, 41)
    return [x0, x1, x2, x3, x4]


class Variant(NamedTuple):
    """`a` is the number of rounds at the start and after the last absorbed block, `b` that between blocks. `pad`
    follows the message."""

    IV: int
    a: int
    b: int
    byteorder: Literal["little", "big"]
    pad: bytes


def sp800_232(identifier: int, tag_bits: int) -> Variant:
    """SP 800-232 Appendix B: version, 0, a and b, tag length, rate in bytes, 0, 0; all little-endian."""
    a = b = 12
    fields = bytes([identifier, 0, b << 4 | a]) + tag_bits.to_bytes(2, "little") + bytes([RATE, 0, 0])
    return Variant(int.from_bytes(fields, "little"), a, b, "little", b"\x01")


def v1_2(a: int, b: int) -> Variant:
    """v1.2 section 2.5: key length 0, rate in bits, a, a - b, then the output length in 32 bits (0 for any length);
    big-endian."""
    fields = bytes([0, 8 * RATE, a, a - b]) + (0).to_bytes(4, "big")
    return Variant(int.from_bytes(fields, "big"), a, b, "big", b"\x80")


HASH256 = sp800_232(identifier=2, tag_bits=256)
XOF128 = sp800_232(identifier=3, tag_bits=0)
CXOF128 = sp800_232(identifier=4, tag_bits=0)
XOF_V1_2 = v1_2(a=12, b=12)
XOFA_V1_2 = v1_2(a=12, b=8)


def initial(v: Variant) -> list[int]:
    return permute([v.IV, 0, 0, 0, 0], v.a)


def blocks(v: Variant, message: bytes) -> list[int]:
    """The message, padded to whole words, as words."""
    M = message + v.pad
    M += bytes(-len(M) % RATE)
    return [int.from_bytes(M[i : i + RATE], v.byteorder) for i in range(0, len(M), RATE)]


def xor_rate(S: list[int], word: int) -> list[int]:
    return [S[0] ^ word, *S[1:]]


def absorb(v: Variant, S: list[int], message: bytes) -> list[int]:
    *head, last = blocks(v, message)
    for M_i in head:
        S = permute(xor_rate(S, M_i), v.b)
    return permute(xor_rate(S, last), v.a)


def squeeze(v: Variant, S: list[int], out_len: int) -> bytes:
    H = bytearray(S[0].to_bytes(RATE, v.byteorder))
    while len(H) < out_len:
        S = permute(S, v.b)
        H += S[0].to_bytes(RATE, v.byteorder)
    return bytes(H[:out_len])


def xof(v: Variant, message: bytes, out_len: int) -> bytes:
    """SP 800-232 sections 5.1 and 5.2; v1.2 section 2.5."""
    return squeeze(v, absorb(v, initial(v), message), out_len)


def ascon_hash256(message: bytes) -> bytes:
    return xof(HASH256, message, 32)


def ascon_xof128(message: bytes, out_len: int) -> bytes:
    return xof(XOF128, message, out_len)


def ascon_cxof128(message: bytes, out_len: int, customization: bytes = b"") -> bytes:
    """SP 800-232 section 5.3: a block with the length of Z in bits, then Z with padding, then the same as XOF128."""
    if len(customization) > 256:
        raise ValueError(f"customization is at most 256 bytes, not {len(customization)}")
    v, S = CXOF128, initial(CXOF128)
    S = permute(xor_rate(S, 8 * len(customization)), v.b)
    S = absorb(v, S, customization)
    return squeeze(v, absorb(v, S, message), out_len)


def ascon_xof_v1_2(message: bytes, out_len: int) -> bytes:
    return xof(XOF_V1_2, message, out_len)


def ascon_xofa_v1_2(message: bytes, out_len: int) -> bytes:
    return xof(XOFA_V1_2, message, out_len)
