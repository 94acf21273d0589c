from ._native import *
from ._native import ArrowRows as ArrowRows
from ._native import __version__ as __version__
from ._devices import Device as Device
from ._devices import devices as devices
from ._diff import Change as Change
from ._diff import TableDiff as TableDiff
from ._diff import diff as diff
from ._draw import Draw as Draw
from ._draw import Finding as Finding
from ._draw import Verification as Verification
from ._draw import draw as draw
from ._draw import verify as verify
from ._random import Random as Random
from ._sample import choice as choice
from ._sample import sample as sample
from ._sample import shuffle as shuffle
from ._split import split as split
from ._speed import Speed as Speed
from ._speed import speed as speed
from ._states import KeySampler as KeySampler
from ._states import Reservoir as Reservoir
from ._states import Weighted as Weighted
from ._trees import Located as Located
from ._trees import decode_slice as decode_slice
from ._trees import locate as locate
from ._trees import make_slice as make_slice
from ._trees import outboard as outboard

shake_128 = shake128
shake_256 = shake256

__all__ = [
    "__version__",
    "FinalizedError",
    "ReseedRequiredError",
    "TagMismatchError",
    "Algorithm",
    "Kernel",
    "Digest",
    "Xof",
    "Hmac",
    "Kmac",
    "Pieces",
    "ArrowDigests",
    "TableDigest",
    "HmacDrbg",
    "BitGenerator",
    "random_sources",
    "algorithms",
    "algorithms_available",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512_224",
    "sha512_256",
    "sm3",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "shake128",
    "shake256",
    "cshake128",
    "cshake256",
    "turboshake128",
    "turboshake256",
    "kt128",
    "kt256",
    "blake2b_256",
    "blake2b_512",
    "blake2b",
    "blake2bp_512",
    "blake2bp",
    "blake2s_256",
    "blake2s",
    "blake2sp_256",
    "blake2sp",
    "blake3",
    "ascon_hash256",
    "ascon_xof128",
    "ascon_cxof128",
    "ascon_xof_v1_2",
    "ascon_xofa_v1_2",
    "ripemd160",
    "sha256_90r",
    "new",
    "digest",
    "hexdigest",
    "hmac",
    "hkdf",
    "hkdf_extract",
    "hkdf_expand",
    "kmac128",
    "kmac256",
    "kernels",
    "hash_many",
    "xof_many",
    "hmac_many",
    "hash_rows",
    "hash_columns",
    "table_digest",
    "file_digest",
    "ArrowRows",
    "shake_128",
    "shake_256",
    "Device",
    "devices",
    "Change",
    "TableDiff",
    "diff",
    "Draw",
    "Finding",
    "Verification",
    "draw",
    "verify",
    "Random",
    "choice",
    "sample",
    "shuffle",
    "split",
    "Speed",
    "speed",
    "KeySampler",
    "Reservoir",
    "Weighted",
    "Located",
    "decode_slice",
    "locate",
    "make_slice",
    "outboard",
]
