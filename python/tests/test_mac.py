"""HMAC, HKDF and KMAC objects and functions; their values are in test_vectors.py and test_differential.py."""

import hmac

import pytest

import hashwell


class TestHmac:
    def test_object(self, hmac_row) -> None:
        tag = hashwell.hmac(hmac_row, b"key", b"message")
        mac = hashwell.Hmac(hmac_row, b"key", b"mess")
        assert mac.update(b"age") is None
        assert mac.digest() == tag == mac.copy().digest() and mac.hexdigest() == tag.hex()
        assert mac.digest_size == len(tag) and mac.block_size == hashwell.new(hmac_row).block_size
        assert mac.name == f"hmac-{hashwell.new(hmac_row).name}" and mac.name in repr(mac)
        assert mac.verify(tag) is None and mac.verify(bytearray(tag[:10]), length=10) is None
        twin = mac.copy()
        twin.update(b"more")
        assert mac.digest() == tag != twin.digest()

    def test_wrong_tags(self, hmac_row) -> None:
        mac = hashwell.Hmac(hmac_row, b"key")
        tag = mac.digest()
        for wrong in (b"", tag[:-1], tag + b"\0", bytes([tag[0] ^ 1]) + tag[1:], tag[:-1] + bytes([tag[-1] ^ 128])):
            with pytest.raises(hashwell.TagMismatchError):
                mac.verify(wrong)
        with pytest.raises(hashwell.TagMismatchError):
            mac.verify(tag, length=10)
        for length in (0, len(tag) + 1):
            with pytest.raises(ValueError, match="tag length"):
                mac.verify(tag, length=length)

    def test_against_the_standard_library(self, rng) -> None:
        for name in ("sha1", "sha256", "sha512", "sha3_256", "blake2b", "blake2s"):
            for _ in range(50):
                key, data = rng.randbytes(rng.randint(0, 300)), rng.randbytes(rng.randint(0, 5000))
                assert hashwell.hmac(name, key, data) == hmac.digest(key, data, name)

    def test_an_algorithm_is_named_in_three_ways(self) -> None:
        tags = {hashwell.hmac(a, b"k", b"m") for a in ("sha256", "SHA-256", hashwell.algorithms["sha256"], hashwell.sha256)}
        assert len(tags) == 1
        for wrong in (5, None, len, b"sha256", hashwell.new):
            with pytest.raises(TypeError, match=r"an algorithm must be a name, hashwell\.algorithms\[name\] or a constructor"):
                hashwell.hmac(wrong, b"k", b"m")

    def test_streams_have_no_hmac(self) -> None:
        for name in ("shake128", "kt128", "ascon-hash256"):
            for call in (hashwell.hmac, hashwell.Hmac, lambda *a: hashwell.hkdf(a[0], a[1], 5)):
                with pytest.raises(ValueError, match=f"{name} does not support HMAC"):
                    call(name, b"", b"")


class TestHkdf:
    def test_is_extract_then_expand(self, hmac_row) -> None:
        prk = hashwell.hkdf_extract(hmac_row, b"ikm", salt=b"salt")
        for length in (0, 1, len(prk), len(prk) + 1, 200):
            okm = hashwell.hkdf(hmac_row, b"ikm", length, salt=b"salt", info=b"info")
            assert okm == hashwell.hkdf_expand(hmac_row, prk, length, info=b"info") and len(okm) == length
        assert hashwell.hkdf(hmac_row, b"ikm", 9) == hashwell.hkdf(hmac_row, b"ikm", 9, salt=bytes(len(prk)), info=b"")

    def test_limits(self) -> None:
        assert len(hashwell.hkdf("sha256", b"", 255 * 32)) == 255 * 32
        with pytest.raises(ValueError, match="HKDF output length"):
            hashwell.hkdf("sha256", b"", 255 * 32 + 1)
        with pytest.raises(ValueError, match="pseudorandom key length"):
            hashwell.hkdf_expand("sha256", bytes(31), 5)
        with pytest.raises(ValueError, match="a length cannot be negative"):
            hashwell.hkdf("sha256", b"", -1)


@pytest.mark.parametrize(("name", "function", "size"), [("kmac128", hashwell.kmac128, 32), ("kmac256", hashwell.kmac256, 64)])
class TestKmac:
    def test_object(self, name, function, size) -> None:
        tag = function(b"key", b"message", customization=b"c")
        mac = hashwell.Kmac(name, b"key", b"mess", customization=b"c")
        mac.update(b"age")
        assert mac.digest() == tag == mac.digest(size) and len(tag) == size == mac.digest_size
        assert mac.hexdigest(5) == function(b"key", b"message", 5, b"c").hex() != tag[:5].hex()
        assert mac.name == name in repr(mac) and mac.block_size == hashwell.new(f"cshake{name[4:]}").block_size
        assert mac.verify(tag) is None and mac.verify(mac.digest(10), length=10) is None
        for wrong, length in ((tag[:10], None), (tag[:10], 10), (b"", 0), (tag[:-1] + bytes([tag[-1] ^ 1]), None)):
            with pytest.raises(hashwell.TagMismatchError):
                mac.verify(wrong, length=length)

    def test_stream(self, name, function, size) -> None:
        mac = hashwell.Kmac(name, b"key", b"message")
        stream = mac.xof()
        assert stream.finalized and stream.name == f"kmacxof{name[4:]}" and stream.block_size == mac.block_size
        start = stream.read(size)
        assert start != mac.digest() and start + stream.read(5) == mac.copy().xof().read(size + 5)
        mac.update(b"more")
        assert mac.xof().read(size) != start
        with pytest.raises(hashwell.FinalizedError):
            stream.absorb(b"")


def test_unknown_kmac() -> None:
    with pytest.raises(ValueError, match="kmac512"):
        hashwell.Kmac("kmac512", b"")
