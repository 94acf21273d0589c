"""Keccak: FIPS 202 (August 2015), SP 800-185 (December 2016) and RFC 9861 (TurboSHAKE, KangarooTwelve).

All of them are one permutation, Keccak-p[1600, n_r], in one sponge. Messages are whole bytes.
"""

from struct import pack, unpack

MASK = (1 << 64) - 1


def rc(t: int) -> int:
    """FIPS 202 Algorithm 5: output bit t of a linear feedback shift register."""
    R = [1, 0, 0, 0, 0, 0, 0, 0]
    for _ in range(t % 255):
        R = [0] + R
        R[0] ^= R[8]
        R[4] ^= R[8]
        R[5] ^= R[8]
        R[6] ^= R[8]
        R = R[:8]
    return R[0]


def round_constant(i_r: int) -> int:
    """FIPS 202 Algorithm 6, steps 2 and 3."""
    return sum(rc(j + 7 * i_r) << 2**j - 1 for j in range(7))


def rho_offsets() -> list[int]:
    """FIPS 202 Algorithm 2: the rotation of each lane."""
    offsets = [0] * 25
    x, y = 1, 0
    for t in range(24):
        offsets[x + 5 * y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return offsets


RC = [round_constant(i_r) for i_r in range(24)]
RHO = rho_offsets()

# A state is 25 lanes; lane (x, y) is A[x + 5y] and, in bytes, little-endian (FIPS 202 3.1.2 and B.1).
PI = [(x + 3 * y) % 5 + 5 * x for y in range(5) for x in range(5)]
NEXT = [(x + 1) % 5 + 5 * y for y in range(5) for x in range(5)]
AFTER_NEXT = [(x + 2) % 5 + 5 * y for y in range(5) for x in range(5)]


def rotl(a: int, n: int) -> int:
    return (a << n | a >> 64 - n) & MASK


def theta(A: list[int]) -> list[int]:
    """FIPS 202 Algorithm 1."""
    C = [A[x] ^ A[x + 5] ^ A[x + 10] ^ A[x + 15] ^ A[x + 20] for x in range(5)]
    D = [C[(x - 1) % 5] ^ rotl(C[(x + 1) % 5], 1) for x in range(5)]
    return [a ^ d for a, d in zip(A, D * 5)]


def rho(A: list[int]) -> list[int]:
    """FIPS 202 Algorithm 2."""
    return [rotl(a, n) for a, n in zip(A, RHO)]


def pi(A: list[int]) -> list[int]:
    """FIPS 202 Algorithm 3: A'[x, y] = A[x + 3y, x]."""
    return [A[i] for i in PI]


def chi(A: list[int]) -> list[int]:
    """FIPS 202 Algorithm 4: A'[x, y] = A[x, y] xor (not A[x + 1, y] and A[x + 2, y])."""
    return [a ^ ~A[i] & A[j] for a, i, j in zip(A, NEXT, AFTER_NEXT)]


def iota(A: list[int], i_r: int) -> list[int]:
    """FIPS 202 Algorithm 6."""
    return [A[0] ^ RC[i_r]] + A[1:]


def keccak_p(A: list[int], n_r: int) -> list[int]:
    """FIPS 202 Algorithm 7, Keccak-p[1600, n_r]: the last n_r of the 24 rounds."""
    for i_r in range(24 - n_r, 24):
        A = iota(chi(pi(rho(theta(A)))), i_r)
    return A


def sponge(data: bytes, rate: int, suffix: int, out_len: int, n_r: int = 24) -> bytes:
    """FIPS 202 Algorithm 8 with pad10*1 (Algorithm 9).

    * `rate` and `out_len` in bytes.
    * `suffix` holds the bits that follow the message, low bit first, and the padding's first one (FIPS 202 B.2).
    """
    P = bytearray(data + bytes([suffix]))
    P += bytes(-len(P) % rate)
    P[-1] ^= 0x80

    S = [0] * 25
    for i in range(0, len(P), rate):
        block = unpack("<25Q", P[i : i + rate].ljust(200, b"\0"))
        S = keccak_p([s ^ p for s, p in zip(S, block)], n_r)

    Z = bytearray(pack("<25Q", *S)[:rate])
    while len(Z) < out_len:
        S = keccak_p(S, n_r)
        Z += pack("<25Q", *S)[:rate]
    return bytes(Z[:out_len])


def rate_of(strength: int) -> int:
    """The rate in bytes if the capacity is twice the strength in bits."""
    return (1600 - 2 * strength) // 8


# FIPS 202, section 6


def sha3(d: int, data: bytes) -> bytes:
    """6.1: SHA3-d is Keccak[2d](M || 01, d)."""
    return sponge(data, rate_of(d), 0x06, d // 8)


def shake(strength: int, data: bytes, out_len: int) -> bytes:
    """6.2: SHAKE is Keccak[2 strength](M || 1111, d)."""
    return sponge(data, rate_of(strength), 0x1F, out_len)


# SP 800-185


def left_encode(x: int) -> bytes:
    """2.3.1: the byte count of x, then x, big-endian; zero takes one byte."""
    n = max(1, (x.bit_length() + 7) // 8)
    return bytes([n]) + x.to_bytes(n, "big")


def right_encode(x: int) -> bytes:
    """2.3.1: x, then its byte count."""
    n = max(1, (x.bit_length() + 7) // 8)
    return x.to_bytes(n, "big") + bytes([n])


def encode_string(S: bytes) -> bytes:
    """2.3.2."""
    return left_encode(8 * len(S)) + S


def bytepad(X: bytes, w: int) -> bytes:
    """2.3.3."""
    z = left_encode(w) + X
    return z + bytes(-len(z) % w)


def cshake(strength: int, data: bytes, out_len: int, function_name: bytes = b"", customization: bytes = b"") -> bytes:
    """3.3: cSHAKE(X, L, N, S). Without N and S it is SHAKE; otherwise, their encoding precedes X, and the suffix is
    00."""
    if not function_name and not customization:
        return shake(strength, data, out_len)
    rate = rate_of(strength)
    prefix = bytepad(encode_string(function_name) + encode_string(customization), rate)
    return sponge(prefix + data, rate, 0x04, out_len)


def kmac(strength: int, key: bytes, data: bytes, out_len: int, customization: bytes = b"", xof: bool = False) -> bytes:
    """4.3 and 4.3.1: KMAC(K, X, L, S); the XOF form encodes a length of zero."""
    newX = bytepad(encode_string(key), rate_of(strength)) + data + right_encode(0 if xof else 8 * out_len)
    return cshake(strength, newX, out_len, b"KMAC", customization)


# RFC 9861


def turboshake(strength: int, data: bytes, out_len: int, domain: int = 0x1F) -> bytes:
    """RFC 9861 section 2: TurboSHAKE(M, D, L), 12 rounds."""
    if not 0x01 <= domain <= 0x7F:
        raise ValueError(f"domain is 0x01 to 0x7f, not {domain:#x}")
    return sponge(data, rate_of(strength), domain, out_len, n_r=12)


def length_encode(x: int) -> bytes:
    """RFC 9861 section 3.3: unlike right_encode, zero takes no byte."""
    n = (x.bit_length() + 7) // 8
    return x.to_bytes(n, "big") + bytes([n])


def kt(strength: int, data: bytes, out_len: int, customization: bytes = b"") -> bytes:
    """RFC 9861 sections 3.2 (KT128) and 3.4 (KT256): KT(M, C, L), a tree of chunks of 8192 bytes."""
    S = data + customization + length_encode(len(customization))
    S_0, *rest = [S[i : i + 8192] for i in range(0, len(S), 8192)]
    if not rest:
        return turboshake(strength, S_0, out_len, 0x07)
    CV = [turboshake(strength, S_i, strength // 4, 0x0B) for S_i in rest]
    final_node = S_0 + b"\x03" + bytes(7) + b"".join(CV) + length_encode(len(CV)) + b"\xff\xff"
    return turboshake(strength, final_node, out_len, 0x06)
