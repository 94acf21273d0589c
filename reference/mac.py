"""HMAC: RFC 2104 and FIPS 198-1. HKDF: RFC 5869. Both over any hash, as a function from bytes to bytes."""

from collections.abc import Callable

Hash = Callable[[bytes], bytes]


def hmac(H: Hash, B: int, K: bytes, text: bytes) -> bytes:
    """RFC 2104 section 2: H(K xor opad, H(K xor ipad, text)). B is the block size of H in bytes."""
    if len(K) > B:
        K = H(K)
    K = K.ljust(B, b"\0")
    ipad = bytes(k ^ 0x36 for k in K)
    opad = bytes(k ^ 0x5C for k in K)
    return H(opad + H(ipad + text))


def hkdf_extract(H: Hash, B: int, salt: bytes, IKM: bytes) -> bytes:
    """RFC 5869 section 2.2. A missing salt means HashLen zeros, for which HMAC's padding gives the same as for an empty
    salt."""
    return hmac(H, B, salt, IKM)


def hkdf_expand(H: Hash, B: int, PRK: bytes, info: bytes, L: int) -> bytes:
    """RFC 5869 section 2.3: T(i) = HMAC(PRK, T(i - 1) || info || i)."""
    T = OKM = b""
    i = 0
    while len(OKM) < L:
        i += 1
        if i > 255:
            raise ValueError(f"HKDF gives at most 255 blocks of {len(T)} bytes, not {L} bytes")
        T = hmac(H, B, PRK, T + info + bytes([i]))
        OKM += T
    return OKM[:L]
