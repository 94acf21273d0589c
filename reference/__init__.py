"""One readable model per specification, to test hashwell and for independent audits. See README.md."""

from collections.abc import Callable
from functools import partial

from . import ascon, blake2, blake3, keccak, ripemd, sha1, sha2, sm3


def fixed(size: int, function: Callable[..., bytes]) -> Callable[..., bytes]:
    """A hash of one output size, in the calling convention of MODELS."""

    def model(data: bytes, out_len: int | None = None, **params) -> bytes:
        if out_len not in (None, size):
            raise ValueError(f"the digest has {size} bytes, not {out_len}")
        return function(data, **params)

    return model


def xof(default: int, function: Callable[..., bytes]) -> Callable[..., bytes]:
    """An extendable-output function, in the calling convention of MODELS."""

    def model(data: bytes, out_len: int | None = None, **params) -> bytes:
        return function(data, out_len=default if out_len is None else out_len, **params)

    return model


# Canonical name -> model(data, out_len=None, **params). Parameters, where the algorithm has them:
# key, salt, personal, customization, function_name (bytes), domain (int), context (str).
MODELS: dict[str, Callable[..., bytes]] = {
    "sha1": fixed(20, sha1.sha1),
    "sha224": fixed(28, sha2.sha224),
    "sha256": fixed(32, sha2.sha256),
    "sha384": fixed(48, sha2.sha384),
    "sha512": fixed(64, sha2.sha512),
    "sha512-224": fixed(28, sha2.sha512_224),
    "sha512-256": fixed(32, sha2.sha512_256),
    "sm3": fixed(32, sm3.sm3),
    "sha3-224": fixed(28, partial(keccak.sha3, 224)),
    "sha3-256": fixed(32, partial(keccak.sha3, 256)),
    "sha3-384": fixed(48, partial(keccak.sha3, 384)),
    "sha3-512": fixed(64, partial(keccak.sha3, 512)),
    "shake128": xof(32, partial(keccak.shake, 128)),
    "shake256": xof(64, partial(keccak.shake, 256)),
    "cshake128": xof(32, partial(keccak.cshake, 128)),
    "cshake256": xof(64, partial(keccak.cshake, 256)),
    "turboshake128": xof(32, partial(keccak.turboshake, 128)),
    "turboshake256": xof(64, partial(keccak.turboshake, 256)),
    "kt128": xof(32, partial(keccak.kt, 128)),
    "kt256": xof(64, partial(keccak.kt, 256)),
    "blake2b-256": fixed(32, partial(blake2.blake2b, out_len=32)),
    "blake2b-512": fixed(64, blake2.blake2b),
    "blake2bp-512": fixed(64, blake2.blake2bp),
    "blake2s-256": fixed(32, blake2.blake2s),
    "blake2sp-256": fixed(32, blake2.blake2sp),
    "blake3": xof(32, blake3.blake3),
    "ascon-hash256": fixed(32, ascon.ascon_hash256),
    "ascon-xof128": xof(32, ascon.ascon_xof128),
    "ascon-cxof128": xof(32, ascon.ascon_cxof128),
    "ascon-xof-v1.2": xof(32, ascon.ascon_xof_v1_2),
    "ascon-xofa-v1.2": xof(32, ascon.ascon_xofa_v1_2),
    "ripemd160": fixed(20, ripemd.ripemd160),
    "sha256-90r": fixed(32, sha2.sha256_90r),
}

# RFC 2104's B (the block size in bytes) of the hashes that HMAC can use. For SHA-3 it is the rate (FIPS 202, section
# 7).
HMAC_BLOCK: dict[str, int] = {
    "sha1": 64,
    "sha224": 64,
    "sha256": 64,
    "sha384": 128,
    "sha512": 128,
    "sha512-224": 128,
    "sha512-256": 128,
    "sm3": 64,
    "sha3-224": keccak.rate_of(224),
    "sha3-256": keccak.rate_of(256),
    "sha3-384": keccak.rate_of(384),
    "sha3-512": keccak.rate_of(512),
    "blake2b-256": 128,
    "blake2b-512": 128,
    "blake2bp-512": 128,
    "blake2s-256": 64,
    "blake2sp-256": 64,
    "blake3": 64,
    "ripemd160": 64,
    "sha256-90r": 64,
}
