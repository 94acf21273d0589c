"""Compares results for random inputs with the reference models, for every algorithm, and with packages from PyPI."""

import blake3
import pytest
import xoflib
from Crypto.Hash import KMAC128, KMAC256, KangarooTwelve, TurboSHAKE128, TurboSHAKE256, cSHAKE128, cSHAKE256
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import hashwell
from reference import HMAC_BLOCK, MODELS

KEYWORDS = {"person": "personal", "derive_key_context": "context"}


def sizes(rng, count):
    """Lengths around the boundaries of blocks, leaves and chunks, and random lengths."""
    edges = [0, 1, 7, 8, 63, 64, 65, 127, 128, 129, 135, 136, 137, 167, 168, 169, 255, 1023, 1024, 1025, 2048, 8191, 8192, 8193]
    return [rng.choice(edges) if rng.random() < 0.5 else rng.randint(0, 3000) for _ in range(count)]


TREE = {"fanout", "depth", "leaf_size", "node_offset", "node_depth", "inner_size", "last_node"}


def test_the_reference_models(row, rng) -> None:
    info, model = hashwell.algorithms[row], MODELS[row]
    for length in sizes(rng, 12):
        options = {}
        for keyword, (low, high) in info.parameters.items():
            # The models don't support trees; test_hashlib.py compares those with hashlib.
            if keyword not in TREE and rng.random() < 0.5:
                options[keyword] = {
                    "domain": rng.randint(low, high or 0),
                    "derive_key_context": "context " + "é" * rng.randint(0, 9),
                }.get(keyword) or rng.randbytes(rng.randint(low, 100 if high is None else high))
        if {"key", "derive_key_context"} <= set(options):
            del options["key"]
        data, size = rng.randbytes(length), info.digest_size if info.kind == "digest" else rng.randint(0, 500)
        named = {KEYWORDS.get(keyword, keyword): value for keyword, value in options.items()}
        assert hashwell.digest(row, data, size, **options) == model(data, size, **named), (length, options)


def test_the_reference_hmac(hmac_row, rng) -> None:
    if hmac_row not in HMAC_BLOCK:
        pytest.skip("no block size in the reference")
    for length in (0, 1, 63, 64, 65, 200):
        key, data = rng.randbytes(length), rng.randbytes(rng.randint(0, 300))
        model, block = MODELS[hmac_row], HMAC_BLOCK[hmac_row]
        padded = (model(key) if len(key) > block else key).ljust(block, b"\0")
        inner = model(bytes(b ^ 0x36 for b in padded) + data)
        assert hashwell.hmac(hmac_row, key, data) == model(bytes(b ^ 0x5C for b in padded) + inner)


@pytest.mark.parametrize(("name", "peer"), [("cshake128", cSHAKE128), ("cshake256", cSHAKE256)])
def test_pycryptodome_cshake(name, peer, rng) -> None:
    for length in sizes(rng, 100):
        data, custom = rng.randbytes(length), rng.randbytes(rng.randint(0, 200))
        assert hashwell.new(name, data, customization=custom).read(300) == peer.new(data, custom).read(300)


@pytest.mark.parametrize(("name", "peer"), [("turboshake128", TurboSHAKE128), ("turboshake256", TurboSHAKE256)])
def test_pycryptodome_turboshake(name, peer, rng) -> None:
    for length in sizes(rng, 100):
        data, domain = rng.randbytes(length), rng.randint(1, 127)
        assert hashwell.new(name, data, domain=domain).read(300) == peer.new(data=data, domain=domain).read(300)


def test_pycryptodome_kangarootwelve(rng) -> None:
    for length in [*sizes(rng, 60), 16384, 16385, 100_000]:
        data, custom = rng.randbytes(length), rng.randbytes(rng.choice([0, 1, 100, 8192]))
        assert hashwell.kt128(data, customization=custom).read(200) == KangarooTwelve.new(data, custom).read(200)


@pytest.mark.parametrize(("name", "peer"), [("kmac128", KMAC128), ("kmac256", KMAC256)])
def test_pycryptodome_kmac(name, peer, rng) -> None:
    for length in sizes(rng, 100):
        data, key, custom = rng.randbytes(length), rng.randbytes(rng.randint(32, 200)), rng.randbytes(rng.randint(0, 99))
        size = rng.randint(8, 200)
        theirs = peer.new(key=key, data=data, mac_len=size, custom=custom).digest()
        assert getattr(hashwell, name)(key, data, size, custom) == theirs
        hashwell.Kmac(name, key, data, customization=custom).verify(theirs, length=size)


def test_blake3(rng) -> None:
    for length in [*sizes(rng, 100), 100_000, 1_000_000]:
        data, key, seek = rng.randbytes(length), rng.randbytes(32), rng.randint(0, 1000)
        for ours, theirs in (
            (hashwell.blake3(data), blake3.blake3(data)),
            (hashwell.blake3(data, key=key), blake3.blake3(data, key=key)),
            (hashwell.blake3(data, derive_key_context="app 1"), blake3.blake3(data, derive_key_context="app 1")),
        ):
            assert ours.digest() == theirs.digest() and ours.hexdigest(100) == theirs.hexdigest(100)
            ours.seek(seek)
            assert ours.read(100) == theirs.digest(100, seek=seek)


@pytest.mark.parametrize("name", ["sha1", "sha224", "sha256", "sha384", "sha512", "sha512_256", "sha3_256", "sha3_512"])
def test_cryptography(name, rng) -> None:
    for length in sizes(rng, 30):
        data, peer = rng.randbytes(length), getattr(hashes, name.upper())()
        context = hashes.Hash(peer)
        context.update(data)
        assert hashwell.digest(name, data) == context.finalize()
        size, salt, info = rng.randint(1, 255), rng.randbytes(length % 100), rng.randbytes(9)
        hkdf = HKDF(algorithm=peer, length=size, salt=salt, info=info)
        assert hashwell.hkdf(name, data, size, salt=salt, info=info) == hkdf.derive(data)


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        ("shake128", xoflib.shake128),
        ("shake256", xoflib.shake256),
        ("blake3", xoflib.blake3_xof),
        ("ascon-xof-v1.2", xoflib.ascon_xof),
        ("ascon-xofa-v1.2", xoflib.ascona_xof),
    ],
)
def test_xoflib(name, peer, rng) -> None:
    for length in sizes(rng, 100):
        data = rng.randbytes(length)
        ours, theirs = hashwell.new(name, data), peer(data)
        for _ in range(10):
            size = rng.randint(0, 300)
            assert ours.read(size) == theirs.read(size)
