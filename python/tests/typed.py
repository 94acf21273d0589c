"""A file for type checkers: mypy and pyright check it, and it is never run; see test_types.py.

Both checkers must report an error for each line that ends with `# wrong`, and for no other line. The file uses annotations
instead of `reveal_type`, because the checkers print different texts for that.
"""

import hashlib
import hmac
import pickle
import random
from collections.abc import Generator
from typing import Any, Literal, assert_type

import numpy

import hashwell
from hashwell import shake128, shake_256
from hashwell import process as hp
from hashwell import xoflib

# Constructors and their objects.
digest: hashwell.Digest = hashwell.sha256(b"abc", usedforsecurity=False)
digest.update(memoryview(b"def"))
text: str = digest.copy().hexdigest()
stream: hashwell.Xof = shake128(b"seed")
assert_type(stream.read(4), bytes)
assert_type(hashwell.shake128(b"seed").absorb(b"more").finalize().read(4), bytes)
assert_type(hashwell.shake256(string=b"").digest(4), bytes)
assert_type(shake_256(b"").hexdigest(4), str)
assert_type(stream.ml_rej_uniform(4, 3329), list[int])
assert_type(stream.ml_rej_uniform(4, 3329, out=bytearray(16)), bytearray)
assert_type(stream.uniform(4, 3329), list[int])
assert_type(stream.uniform(4, 3329, out=bytearray(16)), bytearray)
digest.read(4)  # wrong
hashwell.sha256("abc")  # wrong
hashwell.sha256(b"abc", key=b"")  # wrong
hashwell.turboshake128(domain=b"\x01")  # wrong
hashwell.shake128(b"").uniform(4)  # wrong

# BLAKE2: parameters and sizes, as hashlib has them.
node = hashwell.blake2b(b"", digest_size=16, key=b"k", salt=b"s", fanout=2, depth=3, node_offset=5, last_node=True)
assert_type(node, hashwell.Digest)
largest: int = hashwell.blake2s.MAX_DIGEST_SIZE + hashwell.blake2b.SALT_SIZE
hashwell.sha256.SALT_SIZE  # wrong
hashwell.blake2b(fanout="2")  # wrong

# If the name is known to the type checker, the type follows from it. For any other name, the type is a union of both
# kinds.
assert_type(hashwell.new("shake128"), hashwell.Xof)
assert_type(hashwell.new("shake128").read(4), bytes)
assert_type(hashwell.new("shake_256", b"data", digest_size=4).digest(), bytes)
assert_type(hashwell.new("sha3_256"), hashwell.Digest)
assert_type(hashwell.new("blake2b", key=b"k"), hashwell.Digest)
assert_type(hashwell.new(hashwell.blake2b), hashwell.Digest)
assert_type(hashwell.new(hashwell.kt128), hashwell.Xof)
assert_type(hashwell.file_digest("file", "sha256").digest(), bytes)
assert_type(hashwell.file_digest("file", "blake3").read(4), bytes)
assert_type(hashwell.file_digest("file", hashwell.sha256), hashwell.Digest)
hashwell.new("sha256").read(4)  # wrong


def named(name: str) -> bytes:
    some = hashwell.new(name)
    some.read(4)  # wrong
    return some.read(4) if isinstance(some, hashwell.Xof) else some.digest()


# As replacements for hashlib.
assert_type(hashwell.digest("sha256", b"abc") == hashlib.sha256(b"abc").digest(), bool)
tag: str = hmac.new(b"key", b"message", hashwell.sha3_256).hexdigest()
with open("file", "rb") as file:
    hashwell.file_digest(file, "sha1")
rows: list[bytes] = hashwell.hash_many("sha256", [b"many", b"short"])
hashwell.digest("sha256")  # wrong
hashwell.hmac("sha256", b"key")  # wrong

# The registry.
row: hashwell.Algorithm = hashwell.algorithms["sha1"]
assert row == hashwell.Algorithm("sha-1") == pickle.loads(pickle.dumps(row))
sizes: tuple[int, int | None] = row.digest_size_range
hashwell.algorithms["sha1"] = row  # wrong
row.name = "sha2"  # wrong
weak: Literal["weak"] = row.status  # wrong

# Random numbers.
generator = numpy.random.Generator(hashwell.BitGenerator("blake3", seed=b"a public seed"))
dice = generator.integers(1, 7, 5)
bits = hashwell.BitGenerator("blake3", 12345)
assert_type(bits.random_raw(), int)
assert_type(hashwell.BitGenerator(bits.seed_seq.spawn(2)[0]).spawn(1), list[hashwell.BitGenerator])
hashwell.BitGenerator("blake3", numpy.random.SeedSequence(5)).advance(-1)
hashwell.Random(seed=[1, 2]).seed(range(3))
hashwell.BitGenerator("blake3", 1.5)  # wrong
hashwell.Random(1.5)  # wrong
twister: random.Random = hashwell.Random("blake3", b"seed")
assert_type(twister.randint(1, 6), int)
drbg = hashwell.HmacDrbg("sha256")
assert_type(drbg.generate(32), bytes)
numpy.random.Generator(hashwell.HmacDrbg("sha256"))  # wrong

# xoflib's interface.
assert_type(xoflib.Shake128(b"seed").absorb(b"ling").finalize().read(4), bytes)
xoflib.Shake128("seed")  # wrong


# Processes.
@hp.process
def geometric(p: float) -> Generator[hp.Term, Any, int]:
    flips = 1
    while not (yield hp.bernoulli(p)):
        flips += 1
    return flips


assert_type(geometric(0.1).sample(b"seed"), int)
assert_type(geometric(0.1).trace(b"seed").out, int)
assert_type(hp.bernoulli(0.5), hp.Term)
assert_type(hp.bernoulli(0.5, lambda head: head), hp.Step)
walk = hp.ana(lambda n: hp.bernoulli(0.5, lambda up: n + 1 if up else n - 1), 0)
law: hp.Exact[Any] = hp.compile(walk).exact(steps=10)
value, lost = law.expect(float)
assert_type(hp.crp(10, 1.5, encoding="futu").sample(5), hp.Restaurant)
assert_type(hp.crp(10, 1.5).sample(b"").tables, list[list[int]])
assert_type(hp.polya_urn(n=10, balls=numpy.ones(3)).sample([1, 2]), list[int])
assert_type(hp.geometric(0.1).score(geometric(0.1).trace()).log_probability, float)
geometric("0.1")  # wrong
hp.bernoulli("0.5")  # wrong
hp.bernoulli(0.5, 3)  # wrong
hp.crp(10, 1.5, encoding="nope")  # wrong
hp.crp("10")  # wrong
hp.geometric(0.1).sample(seed=1.5)  # wrong
