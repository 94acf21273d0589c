"""Memory leaks in calls that raise errors, measured for the whole process, because tracemalloc doesn't see references
in native code."""

import array
import sys

import pytest

import hashwell
from hashwell import process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

ROUNDS = 5_000
"""The number of calls. If each leaked at least 100 bytes, that would be 500 kB."""

SHA256, SHAKE128 = hashwell.sha256, hashwell.shake128
WRONG_TERM = process.process(lambda: (yield process.bernoulli(2)))()
NO_TERM = process.process(lambda: (yield 5))()
WRONG_STATE = process.compile(process.ana(lambda n: process.below(2, lambda _: [n]), 0))
CALLS = {
    "digest of an unknown name": lambda: hashwell.digest("sha265", b""),
    "digest of a str": lambda: hashwell.digest("sha256", "abc"),
    "digest without arguments": lambda: hashwell.digest(),
    "digest of no size": lambda: hashwell.digest("shake128", b""),
    "digest of a negative size": lambda: hashwell.digest("shake128", b"", -1),
    "digest with an unknown keyword": lambda: hashwell.digest("sha256", b"", nope=1),
    "digest with a keyword twice": lambda: hashwell.digest("sha256", b"", data=b""),
    "digest with too many": lambda: hashwell.digest("sha256", b"", 32, 4),
    "digest by an object": lambda: hashwell.digest(print, b""),
    "digest of an iterable": lambda: hashwell.digest("sha256", [b""]),
    "digest of a strided buffer": lambda: hashwell.digest("sha256", memoryview(b"abcd")[::2]),
    "hexdigest of an unknown name": lambda: hashwell.hexdigest("sha265", b""),
    "hexdigest with a wrong kernel": lambda: hashwell.hexdigest("sha256", b"", kernel="nope"),
    "new of an unknown name": lambda: hashwell.new("sha265"),
    "new of a str": lambda: hashwell.new("sha256", "abc"),
    "new without arguments": lambda: hashwell.new(),
    "new with an unknown keyword": lambda: hashwell.new("sha256", b"", nope=1),
    "constructor of a str": lambda: SHA256("abc"),
    "constructor with too many": lambda: SHA256(b"", b""),
    "constructor with an unknown keyword": lambda: SHA256(nope=1),
    "constructor with a wrong type": lambda: SHA256(kernel=3),
    "constructor with a long key": lambda: hashwell.blake2b(key=bytes(65)),
    "constructor with a wrong domain": lambda: hashwell.turboshake128(domain=1000),
    "stream of a str": lambda: SHAKE128("abc"),
    "stream of a negative size": lambda: SHAKE128(digest_size=-1),
    # Errors that do not come from the constructors of hash functions, for comparison.
    "Hmac": lambda: hashwell.Hmac("sha265", b""),
    "HmacDrbg": lambda: hashwell.HmacDrbg("sha256", b"", b""),
    "BitGenerator": lambda: hashwell.BitGenerator("nope"),
    "hash_many": lambda: hashwell.hash_many("sha256", [3]),
    "hash_many of a column": lambda: hashwell.hash_many("sha256", array.array("i", [1])),
    "term of a str": lambda: process.bernoulli("0.5"),
    "term with a wrong continuation": lambda: process.bernoulli(0.5, 3),
    "process with a wrong parameter": lambda: process.geometric(2),
    "program with a wrong term": lambda: WRONG_TERM.sample(b""),
    "program that yields no term": lambda: NO_TERM.sample(b""),
    "coalgebra with a wrong state": lambda: process.ana(lambda n: process.below(2, lambda _: [n]), 0).sample(b""),
    "table with a wrong state": lambda: WRONG_STATE.sample(b""),
    "score of too many": lambda: process.geometric(0.5).score([True, True]),
    "update": lambda: SHA256().update("abc"),
}


def heap() -> int:
    """The number of bytes of memory that this process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def fail(call) -> None:
    # No other function of PyO3 may be called in between, because entering it would free the memory that leaked.
    for _ in range(ROUNDS):
        try:
            call()
        except (TypeError, ValueError, OverflowError, BufferError):
            continue
        pytest.fail("the call succeeded")


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_errors_leave_nothing(call) -> None:
    def growth() -> int:
        before = heap()
        fail(call)
        return heap() - before

    fail(call)
    # A leak grows the memory each time. The rest of the process can grow it once.
    assert any(growth() < 300_000 for _ in range(3))
