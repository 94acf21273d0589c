"""Every allocation that Python makes during a call is refused once: MemoryError, and everything is as it was.

Where an exception is under way, Python itself may raise SystemError in its place, as the control shows of its own module.
"""

import gc
import hashlib
import sys

import pytest

import hashwell

testcapi = pytest.importorskip("_testcapi", reason="this Python has no module that refuses memory")

LONG = bytes(100)
SHA256, SHAKE128 = hashwell.sha256, hashwell.shake128
HASHER = hashwell.sha256(b"abc")
KEYED = hashwell.blake2b(b"abc", key=b"key", digest_size=20)
HMAC = hashwell.Hmac("sha256", b"key", b"abc")
MESSAGES = [bytes([number]) * number for number in range(20)]
TABLE = memoryview(bytes(320)).cast("B", (20, 16))
CALLS = {
    "digest": lambda: hashwell.digest("sha256", b"abc"),
    "digest of a stream": lambda: hashwell.digest("shake128", b"abc", 1000),
    "hexdigest": lambda: hashwell.hexdigest("sha256", b"abc"),
    "new": lambda: hashwell.new("sha256", b"abc").digest(),
    "constructor": lambda: SHA256(b"abc").digest(),
    "constructor with a key": lambda: hashwell.blake2b(b"abc", key=b"key", digest_size=20).hexdigest(),
    "update of a copy": lambda: HASHER.copy().digest(),
    "digest of an object": lambda: HASHER.digest(),
    "hexdigest of an object": lambda: KEYED.hexdigest(),
    "stream": lambda: SHAKE128(b"abc").read(1000),
    "digest of an Hmac": lambda: HMAC.digest(),
    "Hmac": lambda: hashwell.Hmac("sha256", b"key", b"abc").hexdigest(),
    "hmac": lambda: hashwell.hmac("sha256", b"key", b"abc"),
    "hkdf": lambda: hashwell.hkdf("sha256", b"key", length=50),
    "kmac128": lambda: hashwell.kmac128(b"key", b"abc", 50),
    "HmacDrbg": lambda: hashwell.HmacDrbg("sha256", entropy=bytes(32), nonce=bytes(16)).generate(50),
    "Random": lambda: hashwell.Random("blake3", seed=b"seed").random(),
    "hash_many": lambda: hashwell.hash_many("sha256", MESSAGES),
    "hash_many in hexadecimal": lambda: hashwell.hash_many("blake3", MESSAGES, hex=True),
    "hash_many, contiguous": lambda: hashwell.hash_many("sha256", MESSAGES, contiguous=True),
    "hash_many of an iterator": lambda: hashwell.hash_many("sha256", iter(MESSAGES), length=32),
    "hash_many of rows": lambda: hashwell.hash_many("sha256", TABLE).tobytes(),
    "hash_many with a key": lambda: hashwell.hash_many("blake2b", MESSAGES, key=b"key", digest_size=20),
    "xof_many": lambda: hashwell.xof_many("shake128", MESSAGES, 50),
    "hmac_many": lambda: hashwell.hmac_many("sha256", b"key", MESSAGES),
    "hmac_many with many keys": lambda: hashwell.hmac_many("sha256", MESSAGES, b"abc"),
    "hmac_many of pairs": lambda: hashwell.hmac_many("sha256", MESSAGES, MESSAGES),
}
ERRORS = {
    "a str": lambda: hashwell.digest("sha256", "abc"),
    "a key that is too long": lambda: hashwell.blake2b(b"", key=LONG),
    "an unknown keyword": lambda: SHA256(b"", unknown=1),
    "an unknown name": lambda: hashwell.digest("sha265", b""),
    "of hashlib": lambda: hashlib.sha256("abc"),
}
KEPT = (HASHER, KEYED, HMAC, SHA256, SHAKE128, LONG)


def outcome(call):
    """What a call gives, or the class of what it raises."""
    try:
        return call()
    except Exception as error:
        return type(error)


def refusing(call, number, end):
    """The same with the allocations from this number to the end refused; 0 for no end. Nothing here may allocate beside
    the call."""
    testcapi.set_nomemory(number, end)
    try:
        return outcome(call)
    finally:
        testcapi.remove_mem_hooks()


def refused(call, allowed, all_that_follow=False) -> set:
    """What came of the refusals beside the usual; the same call is made again after each."""
    expected = outcome(call)
    gc.collect()
    before = [sys.getrefcount(kept) for kept in KEPT]
    seen = set()
    for number in range(200):
        got = refusing(call, number, 0 if all_that_follow else number + 1)
        if got != expected:
            assert got in allowed, (number, got)
            seen.add(got)
        assert outcome(call) == expected
    del got
    gc.collect()
    assert [sys.getrefcount(kept) for kept in KEPT] == before
    return seen


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_refused_allocation_is_a_memory_error(call) -> None:
    assert refused(call, {MemoryError}) == {MemoryError}


@pytest.mark.parametrize("call", [call for name, call in CALLS.items() if "_many" in name])
def test_no_memory_from_some_allocation_on_is_a_memory_error_in_a_batch(call) -> None:
    assert refused(call, {MemoryError}, all_that_follow=True) == {MemoryError}


@pytest.mark.parametrize("call", ERRORS.values(), ids=ERRORS)
def test_a_refused_allocation_of_an_error(call) -> None:
    assert MemoryError in refused(call, {MemoryError, SystemError})
