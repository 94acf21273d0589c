"""Calls each public name of the package while allocations fail.

tests/test_memory_errors.py imports the cases, and runs this file as a program, which makes the calls in child processes
that may end: `python refusals.py FILE once|all NAMES`.

A case is a call that returns the same value each time. It has the name of the function or class that it calls.
"""

import copy
import gc
import hashlib
import io
import json
import os
import pickle
import resource
import signal
import sys
import tempfile

import _testcapi
import numpy
import pyarrow

import hashwell
from hashwell import process as hp

LONG = bytes(100)
# Some names are imported when they are first used, which needs memory as well, so this imports them now.
PUBLIC = {name: getattr(hashwell, name) for name in hashwell.__all__}

SHA256, SHAKE128 = hashwell.sha256, hashwell.shake128
ROW = hashwell.algorithms["blake2b-512"]
KERNEL = ROW.kernels[0]
HASHER = hashwell.sha256(b"abc")
KEYED = hashwell.blake2b(b"abc", key=b"key", digest_size=20)
STREAM = hashwell.shake128(b"abc")
SAVED_HASHER, SAVED_STREAM = HASHER.to_bytes(), STREAM.to_bytes()
KEYED_STREAM = hashwell.blake3(b"abc", key=bytes(32))
SEEKABLE = hashwell.blake3(b"abc")
HMAC = hashwell.Hmac("sha256", b"key", b"abc")
KMAC = hashwell.Kmac("kmac128", b"key", b"abc")
SECRET = {kept: kept.to_secret_bytes() for kept in (KEYED, KEYED_STREAM, HMAC, KMAC)}
PIECES = hashwell.Pieces("blake3", 100)
DRBG = hashwell.HmacDrbg("sha256", entropy=bytes(32), nonce=bytes(16))
RANDOM = hashwell.Random("blake3", seed=b"seed")
BITS = hashwell.BitGenerator("blake3", seed=b"seed")
MESSAGES = [bytes([number]) * number for number in range(20)]
TREE, TREE_DIGEST = hashwell.outboard(io.BytesIO(bytes(5000)), group=1024)
SLICE = hashwell.make_slice(io.BytesIO(bytes(5000)), TREE, 2000, 100)
KEYS = [b"%d" % number for number in range(20)]
TABLE = memoryview(bytes(320)).cast("B", (20, 16))
BUFFER = bytearray(64)
IDS = ["Ada", "Grace", "Edsger", "Barbara"]
DRAW = hashwell.draw(IDS, 2, seed="seed")
VERIFICATION = hashwell.verify(DRAW, IDS)
FILE = tempfile.NamedTemporaryFile()
FILE.write(LONG)
FILE.flush()

GEOMETRIC, WALK = hp.geometric(0.5), hp.random_walk(4)
FLIPS = hp.apo(lambda n: hp.bernoulli(0.5, lambda head: hp.done(n) if head else n + 1), 1)
TERM = hp.bernoulli(0.5)
TABLES = hp.crp(4, 1.5).sample(b"seed")


@hp.process
def tails(p):
    """A program."""
    count = 0
    while (yield hp.bernoulli(p)):
        count += 1
    return count


TAILS = tails(0.5)


def used(made, *uses):
    """An object after some calls."""
    for use in uses:
        use(made)
    return made


def rows_of(state):
    """A state of a sample after some rows."""
    state.update([{"id": id, "w": len(id)} for id in IDS])
    return state


def reservoir(shard="one"):
    return rows_of(hashwell.Reservoir(2, seed="seed", shard=shard))


def ticket():
    return rows_of(hashwell.KeySampler(2, seed="seed", group_by="id"))


def weighted(shard="one"):
    return rows_of(hashwell.Weighted(2, seed="seed", weights="w", design="successive", shard=shard))


def pps():
    return rows_of(hashwell.Weighted(2, seed="seed", weights="w", design="pps"))


def drbg():
    return hashwell.HmacDrbg("sha256", entropy=bytes(32), nonce=bytes(16))


def stream():
    return hashwell.shake128(b"abc")


STATES = {"Reservoir": reservoir, "KeySampler": ticket, "Weighted": weighted}
SAVED = {name: make().to_bytes(dumps=pickle.dumps) for name, make in STATES.items()}

CALLS = {
    # One message.
    "digest": lambda: hashwell.digest("sha256", b"abc"),
    "digest of a stream": lambda: hashwell.digest("shake128", b"abc", 1000),
    "digest with keywords": lambda: hashwell.digest("blake2b", b"abc", 20, key=b"key"),
    "hexdigest": lambda: hashwell.hexdigest("sha256", b"abc"),
    "new": lambda: hashwell.new("sha256", b"abc").digest(),
    "new with keywords": lambda: hashwell.new("blake2b", data=b"abc", key=b"key").digest(),
    "file_digest": lambda: hashwell.file_digest(FILE.name, "sha256").digest(),
    "Digest.update": lambda: used(SHA256(), lambda digest: digest.update(LONG)).digest(),
    "Digest.digest": lambda: HASHER.digest(),
    "Digest.hexdigest": lambda: KEYED.hexdigest(),
    "Digest.copy": lambda: HASHER.copy().digest(),
    "Digest.__copy__": lambda: copy.copy(HASHER).digest(),
    "Digest.__deepcopy__": lambda: copy.deepcopy(HASHER).digest(),
    "Digest.__reduce__": lambda: pickle.loads(pickle.dumps(HASHER)).digest(),
    "Digest.to_bytes": lambda: HASHER.to_bytes(),
    "Digest.to_secret_bytes": lambda: KEYED.to_secret_bytes(),
    "Digest.from_secret_bytes": lambda: hashwell.Digest.from_secret_bytes(SECRET[KEYED]).digest(),
    "Xof.to_secret_bytes": lambda: KEYED_STREAM.to_secret_bytes(),
    "Xof.from_secret_bytes": lambda: hashwell.Xof.from_secret_bytes(SECRET[KEYED_STREAM]).digest(20),
    "Hmac.to_secret_bytes": lambda: HMAC.to_secret_bytes(),
    "Hmac.from_secret_bytes": lambda: hashwell.Hmac.from_secret_bytes(SECRET[HMAC]).digest(),
    "Kmac.to_secret_bytes": lambda: KMAC.to_secret_bytes(),
    "Kmac.from_secret_bytes": lambda: hashwell.Kmac.from_secret_bytes(SECRET[KMAC]).digest(16),
    "Digest.from_bytes": lambda: hashwell.Digest.from_bytes(SAVED_HASHER).digest(),
    "Digest.name": lambda: HASHER.name,
    "Digest.digest_size": lambda: HASHER.digest_size,
    "Digest.block_size": lambda: HASHER.block_size,
    "Digest.algorithm": lambda: HASHER.algorithm,
    "Digest.kernel": lambda: HASHER.kernel,
    "Digest.__repr__": lambda: repr(HASHER),
    # Streams.
    "Xof.absorb": lambda: SHAKE128().absorb(LONG).read(20),
    "Xof.update": lambda: used(SHAKE128(), lambda xof: xof.update(LONG)).read(20),
    "Xof.finalize": lambda: SHAKE128(b"abc").finalize().read(20),
    "Xof.read": lambda: SHAKE128(b"abc").read(1000),
    "Xof.read_into": lambda: used(SHAKE128(b"abc"), lambda xof: xof.read_into(BUFFER)).tell(),
    "Xof.digest": lambda: STREAM.digest(20),
    "Xof.hexdigest": lambda: STREAM.hexdigest(20),
    "Xof.ml_rej_uniform": lambda: stream().ml_rej_uniform(20, 8380417),
    "Xof.uniform": lambda: stream().uniform(20, 3329),
    "Xof.tell": lambda: used(stream(), lambda xof: xof.read(1000)).tell(),
    "Xof.seekable": lambda: STREAM.seekable(),
    "Xof.seek": lambda: hashwell.blake3(b"abc").seek(100_000),
    "Xof.copy": lambda: STREAM.copy().digest(20),
    "Xof.__copy__": lambda: copy.copy(STREAM).digest(20),
    "Xof.__deepcopy__": lambda: copy.deepcopy(STREAM).digest(20),
    "Xof.__reduce__": lambda: pickle.loads(pickle.dumps(STREAM)).digest(20),
    "Xof.to_bytes": lambda: STREAM.to_bytes(),
    "Xof.from_bytes": lambda: hashwell.Xof.from_bytes(SAVED_STREAM).digest(20),
    "Xof.name": lambda: STREAM.name,
    "Xof.digest_size": lambda: SEEKABLE.digest_size,
    "Xof.block_size": lambda: SEEKABLE.block_size,
    "Xof.finalized": lambda: STREAM.finalized,
    "Xof.__repr__": lambda: repr(STREAM),
    "Xof.__iter__": lambda: next(iter(stream())),
    "Xof.__next__": lambda: next(stream()),
    # Tags and keys.
    "Hmac": lambda: hashwell.Hmac("sha256", b"key", b"abc", kernel="soft").hexdigest(),
    "Hmac.update": lambda: used(hashwell.Hmac("sha256", b"key"), lambda hmac: hmac.update(LONG)).digest(),
    "Hmac.digest": lambda: HMAC.digest(),
    "Hmac.hexdigest": lambda: HMAC.hexdigest(),
    "Hmac.verify": lambda: HMAC.verify(HMAC.digest()),
    "Hmac.copy": lambda: HMAC.copy().digest(),
    "Hmac.name": lambda: HMAC.name,
    "Hmac.digest_size": lambda: hashwell.Hmac("sha512", b"").digest_size,
    "Hmac.block_size": lambda: hashwell.Hmac("sha3-224", b"").block_size,
    "Hmac.kernel": lambda: HMAC.kernel,
    "Hmac.__repr__": lambda: repr(HMAC),
    "Kmac": lambda: hashwell.Kmac("kmac256", b"key", b"abc", customization=b"test").hexdigest(),
    "Kmac.update": lambda: used(hashwell.Kmac("kmac128", b"key"), lambda kmac: kmac.update(LONG)).digest(),
    "Kmac.digest": lambda: KMAC.digest(100),
    "Kmac.hexdigest": lambda: KMAC.hexdigest(),
    "Kmac.verify": lambda: KMAC.verify(KMAC.digest()),
    "Kmac.copy": lambda: KMAC.copy().digest(),
    "Kmac.xof": lambda: KMAC.xof().read(50),
    "Kmac.name": lambda: KMAC.name,
    "Kmac.digest_size": lambda: KMAC.digest_size,
    "Kmac.block_size": lambda: KMAC.block_size,
    "Kmac.__repr__": lambda: repr(KMAC),
    "hmac": lambda: hashwell.hmac("sha256", b"key", b"abc"),
    "hkdf": lambda: hashwell.hkdf("sha256", b"key", length=50),
    "hkdf_extract": lambda: hashwell.hkdf_extract("sha256", b"key"),
    "hkdf_expand": lambda: hashwell.hkdf_expand("sha256", bytes(32), 50, info=b"info"),
    "kmac128": lambda: hashwell.kmac128(b"key", b"abc", 50),
    "kmac256": lambda: hashwell.kmac256(b"key", b"abc"),
    "Pieces": lambda: hashwell.Pieces("kt128", 100, customization=b"test", digest_size=32).count,
    "Pieces.PIECE_SIZE": lambda: hashwell.Pieces.PIECE_SIZE,
    "Pieces.count": lambda: hashwell.Pieces("blake3", 2**40).count,
    "Pieces.span": lambda: PIECES.span(0),
    "Pieces.value": lambda: PIECES.value(0, LONG),
    "Pieces.join": lambda: PIECES.join([PIECES.value(0, LONG)]),
    "Pieces.__repr__": lambda: repr(PIECES),
    "outboard": lambda: hashwell.outboard(io.BytesIO(bytes(20_000))),
    "outboard of KT128": lambda: hashwell.outboard(FILE.name, "kt128"),
    "locate": lambda: hashwell.locate(io.BytesIO(LONG), TREE, TREE_DIGEST),
    "make_slice": lambda: hashwell.make_slice(io.BytesIO(bytes(5000)), TREE, 2000, 100),
    "decode_slice": lambda: hashwell.decode_slice(SLICE, TREE_DIGEST, 2000, 100, group=1024),
    # Many messages.
    "hash_many": lambda: hashwell.hash_many("sha256", MESSAGES),
    "hash_many in hexadecimal": lambda: hashwell.hash_many("blake3", MESSAGES, hex=True),
    "hash_many, contiguous": lambda: hashwell.hash_many("sha256", MESSAGES, contiguous=True),
    "hash_many of an iterator": lambda: hashwell.hash_many("sha256", iter(MESSAGES), length=32),
    "hash_many of rows": lambda: hashwell.hash_many("sha256", TABLE).tobytes(),
    "hash_many with a key": lambda: hashwell.hash_many("blake2b", MESSAGES, key=b"key", digest_size=20),
    "hash_many of text": lambda: hashwell.hash_many("sha256", IDS, encoding="utf-8"),
    "xof_many": lambda: hashwell.xof_many("shake128", MESSAGES, 50),
    "hmac_many": lambda: hashwell.hmac_many("sha256", b"key", MESSAGES),
    "hmac_many with many keys": lambda: hashwell.hmac_many("sha256", MESSAGES, b"abc"),
    "hmac_many of pairs": lambda: hashwell.hmac_many("sha256", KEYS, MESSAGES),
    # The registry.
    "algorithms": lambda: hashwell.algorithms["sha256"],
    "algorithms_available": lambda: "sha256" in hashwell.algorithms_available,
    "kernels": lambda: hashwell.kernels(),
    "random_sources": lambda: hashwell.random_sources(),
    "Algorithm": lambda: hashwell.Algorithm("sha256"),
    "Algorithm.name": lambda: ROW.name,
    "Algorithm.title": lambda: ROW.title,
    "Algorithm.aliases": lambda: ROW.aliases,
    "Algorithm.kind": lambda: ROW.kind,
    "Algorithm.status": lambda: ROW.status,
    "Algorithm.block_size": lambda: ROW.block_size,
    "Algorithm.digest_size": lambda: ROW.digest_size,
    "Algorithm.digest_size_range": lambda: ROW.digest_size_range,
    "Algorithm.hmac": lambda: ROW.hmac,
    "Algorithm.parameters": lambda: ROW.parameters,
    "Algorithm.source": lambda: ROW.source,
    "Algorithm.kernels": lambda: len(ROW.kernels),
    "Algorithm.batch_kernels": lambda: len(ROW.batch_kernels),
    "Algorithm.__eq__": lambda: ROW == hashwell.algorithms["sha256"],
    "Algorithm.__hash__": lambda: hash(ROW),
    "Algorithm.__reduce__": lambda: pickle.loads(pickle.dumps(ROW)),
    "Algorithm.__repr__": lambda: repr(ROW),
    "Kernel.name": lambda: KERNEL.name,
    "Kernel.available": lambda: KERNEL.available,
    "Kernel.chosen": lambda: KERNEL.chosen,
    "Kernel.__reduce__": lambda: pickle.loads(pickle.dumps(KERNEL)).name,
    "Kernel.__repr__": lambda: repr(KERNEL),
    "constructor.__repr__": lambda: repr(hashwell.blake2b),
    "constructor.__doc__": lambda: hashwell.blake2b.__doc__,
    "constructor.__text_signature__": lambda: hashwell.blake2b.__text_signature__,
    "constructor.__name__": lambda: hashwell.blake2b.__name__,
    "constructor.__qualname__": lambda: hashwell.blake2b.__qualname__,
    "constructor.algorithm": lambda: hashwell.blake2b.algorithm,
    "constructor.SALT_SIZE": lambda: hashwell.blake2b.SALT_SIZE,
    "constructor.PERSON_SIZE": lambda: hashwell.blake2b.PERSON_SIZE,
    "constructor.MAX_KEY_SIZE": lambda: hashwell.blake2b.MAX_KEY_SIZE,
    "constructor.MAX_DIGEST_SIZE": lambda: hashwell.blake2b.MAX_DIGEST_SIZE,
    "constructor.__reduce__": lambda: pickle.loads(pickle.dumps(hashwell.blake2b)),
    # Generators.
    "HmacDrbg": lambda: hashwell.HmacDrbg("sha256", entropy=bytes(32), nonce=bytes(16)).generate(50),
    "HmacDrbg.from_seed_unchecked": lambda: hashwell.HmacDrbg.from_seed_unchecked("sha256", b"seed").generate(50),
    "HmacDrbg.self_test": lambda: hashwell.HmacDrbg.self_test("sha256"),
    "HmacDrbg.name": lambda: DRBG.name,
    "HmacDrbg.os_seeded": lambda: DRBG.os_seeded,
    "HmacDrbg.strength": lambda: hashwell.HmacDrbg("sha512", strength=256).strength,
    "HmacDrbg.prediction_resistance": lambda: DRBG.prediction_resistance,
    "HmacDrbg.reseed_interval": lambda: DRBG.reseed_interval,
    "HmacDrbg.requests_left": lambda: DRBG.requests_left,
    "HmacDrbg.generate": lambda: drbg().generate(1000, additional=b"more"),
    "HmacDrbg.reseed": lambda: used(drbg(), lambda drbg: drbg.reseed(bytes(32))).generate(50),
    "HmacDrbg.wipe": lambda: repr(used(drbg(), lambda drbg: drbg.wipe())),
    "HmacDrbg.__repr__": lambda: repr(DRBG),
    "Random": lambda: hashwell.Random("hmac-drbg-sha256", seed=b"seed").random(),
    "Random.__init__": lambda: hashwell.Random("counter", 877, personalization=b"one").random(),
    "Random.source": lambda: RANDOM.source,
    "Random.os_seeded": lambda: RANDOM.os_seeded,
    "Random.seed": lambda: used(hashwell.Random("blake3"), lambda random: random.seed([1, 2])).random(),
    "Random.random": lambda: hashwell.Random("blake3", b"seed").random(),
    "Random.getrandbits": lambda: hashwell.Random("blake3", b"seed").getrandbits(64),
    "Random.getrandbits, many": lambda: hashwell.Random("blake3", b"seed").getrandbits(1001),
    "Random.randbytes": lambda: hashwell.Random("blake3", b"seed").randbytes(100),
    "Random.randrange": lambda: hashwell.Random("blake3", b"seed").randrange(10**9),
    "Random.shuffle": lambda: hashwell.Random("blake3", b"seed").sample(range(1000), 5),
    "Random.getstate": lambda: RANDOM.getstate(),
    "Random.setstate": lambda: used(hashwell.Random("blake3", 1), lambda random: random.setstate(RANDOM.getstate())).random(),
    "Random.__reduce__": lambda: pickle.loads(pickle.dumps(RANDOM)).random(),
    "Random.__repr__": lambda: repr(RANDOM),
    "BitGenerator": lambda: hashwell.BitGenerator("counter", seed=[1, 2], personalization=b"one").random_raw(),
    "BitGenerator.from_state": lambda: hashwell.BitGenerator.from_state(BITS.state).random_raw(),
    "BitGenerator.lock": lambda: BITS.lock.acquire() and BITS.lock.release(),
    "BitGenerator.capsule": lambda: type(BITS.capsule).__name__,
    "BitGenerator.source": lambda: BITS.source,
    "BitGenerator.os_seeded": lambda: BITS.os_seeded,
    "BitGenerator.state": lambda: BITS.state,
    "BitGenerator.state, set": lambda: setattr(BITS, "state", BITS.state),
    "BitGenerator.random_raw": lambda: hashwell.BitGenerator("blake3", 1).random_raw(),
    "BitGenerator.random_raw without output": lambda: hashwell.BitGenerator("blake3", 1).random_raw(100, output=False),
    "BitGenerator.advance": lambda: used(hashwell.BitGenerator("blake3", 1), lambda bits: bits.advance(10**9)).random_raw(),
    "BitGenerator.spawn": lambda: [bits.random_raw() for bits in hashwell.BitGenerator("blake3", 1).spawn(2)],
    "BitGenerator.jumped": lambda: BITS.jumped(3).random_raw(),
    "BitGenerator.__reduce__": lambda: pickle.loads(pickle.dumps(BITS)).random_raw(),
    "BitGenerator.__repr__": lambda: repr(BITS),
    # Draws and samples.
    "draw": lambda: hashwell.draw(IDS, 2, seed="seed").transcript,
    "draw of numbers": lambda: hashwell.draw(1000, 2, method="ticket", dice="1234").ids,
    "draw with weights": lambda: hashwell.draw({"a": 1, "b": 2}, 1, method="weighted-ticket", seed="seed").ids,
    "Draw.__repr__": lambda: repr(DRAW),
    "verify": lambda: hashwell.verify(DRAW, IDS).mismatches,
    "Verification.__repr__": lambda: repr(VERIFICATION),
    "Verification.__bool__": lambda: bool(VERIFICATION),
    "Finding.__eq__": lambda: VERIFICATION.unchecked[0] == VERIFICATION.unchecked[0],
    "Finding.__hash__": lambda: hash(VERIFICATION.unchecked[0]) is not None,
    "Finding.__str__": lambda: str(VERIFICATION.unchecked[0]),
    "Finding.__repr__": lambda: repr(VERIFICATION.unchecked[0]),
    "sample": lambda: hashwell.sample(IDS, 2, seed="seed"),
    "split": lambda: hashwell.split(IDS, {"a": 0.5, "b": 0.5}, seed="seed", exact=True),
    "sample of an iterator": lambda: hashwell.sample(iter(IDS), 2, seed="seed", order="draw"),
    "sample by keys": lambda: hashwell.sample(IDS, 2, seed="seed", group_by=lambda id: id),
    "sample by weights": lambda: hashwell.sample(IDS, 2, seed="seed", weights=[1, 2, 3, 4.5], design="pps"),
    "sample with strata": lambda: hashwell.sample(IDS, 1, seed="seed", stratify=["a", "a", "b", "b"]),
    "shuffle": lambda: hashwell.shuffle(IDS, seed="seed"),
    "choice": lambda: hashwell.choice(IDS, 2, weights=[1, 2, 3, 4], seed="seed"),
    **{
        f"{name}{what}": call
        for name, make in STATES.items()
        for what, call in {
            "": lambda make=make: make().result(),
            ".update": lambda make=make: rows_of(make()).positions(),
            ".seen": lambda make=make: make().seen,
            ".to_bytes": lambda make=make: make().to_bytes(dumps=pickle.dumps),
            ".from_bytes": lambda name=name: getattr(hashwell, name).from_bytes(SAVED[name], loads=pickle.loads).result(),
            ".result": lambda make=make: make().result(order="draw"),
            ".positions": lambda make=make: make().positions(),
            ".transcript": lambda make=make: make().transcript(),
            ".__repr__": lambda make=make: repr(make()),
        }.items()
    },
    "Reservoir.merge": lambda: reservoir().merge(reservoir("two"), seed="merge").result(),
    "KeySampler.merge": lambda: ticket().merge(ticket()).result(),
    "Weighted.weight_sum": lambda: pps().weight_sum,
    "Weighted.certain": lambda: pps().certain(),
    "Weighted.merge": lambda: weighted().merge(weighted("two"), seed="merge").result(),
    # Processes.
    "process.bernoulli": lambda: repr(hp.bernoulli(0.5)),
    "process.uniform": lambda: repr(hp.uniform()),
    "process.categorical": lambda: repr(hp.categorical([1, 2, 3])),
    "process.below": lambda: repr(hp.below(10**9)),
    "process.gaussian": lambda: repr(hp.gaussian(0.5, 2.0)),
    "process.beta": lambda: repr(hp.beta(0.5, 2.0)),
    "process.observe": lambda: repr(hp.observe(0.5)),
    "process.done": lambda: repr(hp.done(10**9)),
    "process.Done.out": lambda: hp.done(10**9).out,
    "process.Done.__repr__": lambda: repr(hp.done(IDS)),
    "process.Term.__call__": lambda: repr(hp.bernoulli(0.5)(lambda head: head)),
    "process.Term.__eq__": lambda: TERM == hp.bernoulli(0.5),
    "process.Term.__hash__": lambda: hash(TERM),
    "process.Term.__reduce__": lambda: pickle.loads(pickle.dumps(TERM)) == TERM,
    "process.Term.__repr__": lambda: repr(TERM),
    "process.Step.__repr__": lambda: repr(hp.bernoulli(0.5, lambda head: head)),
    "process.process": lambda: tails(0.5).sample(b"seed"),
    "process.ana": lambda: hp.ana(lambda n: hp.below(2, lambda up: n + up) if n < 3 else hp.done(n), 0).sample(b"seed"),
    "process.apo": lambda: hp.apo(lambda n: hp.bernoulli(0.5, lambda head: hp.done(n) if head else n + 1), 1).sample(b"seed"),
    "process.futu": lambda: hp.futu(lambda n: hp.bernoulli(0.5, lambda head: hp.done(n) if head else n + 1), 1).sample(b"seed"),
    "process.compile": lambda: dict(hp.compile(FLIPS).exact(mass=0.1)),
    **{
        f"process.{kind}.{what}": call
        for kind, model in (("Process", TAILS), ("Process of a coalgebra", FLIPS), ("BuiltIn", GEOMETRIC))
        for what, call in {
            "__repr__": lambda model=model: repr(model),
            "name": lambda model=model: model.name,
            "states": lambda model=model: model.states,
            "sample": lambda model=model: model.sample(b"seed"),
            "simulate": lambda model=model: list(model.simulate(20, b"seed", threads=1)),
            "exact": lambda model=model: dict(model.exact(mass=0.1)),
            "expect": lambda model=model: model.expect(float, mass=0.1),
            "posterior": lambda model=model: dict(model.posterior(mass=0.1)),
            "trace": lambda model=model: model.trace(b"seed").out,
            "score": lambda model=model: model.score(model.trace(b"seed")),
            "explain": lambda model=model: str(model.explain(terms=2, nodes=5)),
        }.items()
    },
    "process.Process.__reduce__": lambda: pickle.loads(pickle.dumps(GEOMETRIC)).sample(b"seed"),
    "process.BuiltIn.parameters": lambda: WALK.parameters,
    "process.BuiltIn.moments": lambda: GEOMETRIC.moments,
    "process.BuiltIn.log_probability": lambda: GEOMETRIC.log_probability(3),
    "process.BuiltIn.statistic_law": lambda: dict(hp.crp(4, 1.5).statistic_law()),
    "process.BuiltIn.smooth": lambda: hp.hmm([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], [[0.7, 0.3], [0.1, 0.9]], [0, 1]).smooth().log_evidence,
    "process.BuiltIn.sticks": lambda: list(hp.stick_breaking(4, 1.5).sticks(b"seed")[0]),
    "process.BuiltIn.picture": lambda: hp.crp(4, 1.5).picture(TABLES)._repr_svg_(),
}
# Columns and tables of Arrow.
ARROW, ARRAY = pyarrow.array([b"a", None, b"c"]), numpy.zeros((3, 8), "uint8")
COLUMN = hashwell.hash_many("sha256", ARROW)
HEX = hashwell.hash_many("sha256", pyarrow.array(["a", "b"]), hex=True)
ROWS = pyarrow.table({"id": [1, 2, 3], "name": ["a", None, "c"]})
TABLE_DIGEST, OTHER = hashwell.table_digest(ROWS), hashwell.table_digest(ROWS.slice(1))
LTHASH = hashwell.table_digest(ROWS, scheme="lthash64-blake3")


def packed():
    """Rows of Arrow that were picked."""
    return used(hashwell.Reservoir(2, seed="seed"), lambda state: state.update(ROWS)).result()


PACKED = packed()
CALLS |= {
    "hash_many of a column": lambda: hashwell.hash_many("sha256", ARROW).null_count,
    "hash_many of an array": lambda: hashwell.hash_many("sha256", ARRAY).tolist(),
    "hash_rows": lambda: hashwell.hash_rows(ROWS).to_pylist(),
    "hash_columns": lambda: list(hashwell.hash_columns(ROWS)),
    "table_digest": lambda: hashwell.table_digest(ROWS).digest(),
    "ArrowDigests.digest_size": lambda: COLUMN.digest_size,
    "ArrowDigests.null_count": lambda: COLUMN.null_count,
    "ArrowDigests.__len__": lambda: len(COLUMN),
    "ArrowDigests.__getitem__": lambda: COLUMN[0],
    "ArrowDigests.__getitem__ of a slice": lambda: HEX[::-1].to_pylist(),
    "ArrowDigests.__iter__": lambda: list(COLUMN),
    "ArrowDigests.__reversed__": lambda: list(reversed(HEX)),
    "ArrowDigests.__contains__": lambda: b"x" in COLUMN,
    "ArrowDigests.__eq__": lambda: COLUMN == COLUMN.copy(),
    "ArrowDigests.index": lambda: COLUMN.index(None),
    "ArrowDigests.count": lambda: HEX.count("x"),
    "ArrowDigests.copy": lambda: COLUMN.copy().null_count,
    "ArrowDigests.to_pylist": lambda: HEX.to_pylist(),
    "ArrowDigests.__array__": lambda: numpy.asarray(HEX).tolist(),
    "ArrowDigests.__arrow_c_schema__": lambda: type(COLUMN.__arrow_c_schema__()).__name__,
    "ArrowDigests.__arrow_c_array__": lambda: len(COLUMN.__arrow_c_array__()),
    "ArrowDigests.__arrow_c_stream__": lambda: type(COLUMN.__arrow_c_stream__()).__name__,
    "ArrowDigests.__reduce__": lambda: pickle.loads(pickle.dumps(COLUMN)).to_pylist(),
    "ArrowDigests.__repr__": lambda: repr(COLUMN),
    "ArrowRows": lambda: packed().__len__(),
    "ArrowRows.__len__": lambda: len(PACKED),
    "ArrowRows.__arrow_c_schema__": lambda: type(PACKED.__arrow_c_schema__()).__name__,
    "ArrowRows.__arrow_c_stream__": lambda: type(PACKED.__arrow_c_stream__()).__name__,
    "ArrowRows.__repr__": lambda: repr(PACKED),
    "TableDigest": lambda: repr(hashwell.TableDigest(columns=["id"])),
    "TableDigest.from_bytes": lambda: hashwell.TableDigest.from_bytes(TABLE_DIGEST.to_bytes()).rows,
    "TableDigest.scheme": lambda: TABLE_DIGEST.scheme,
    "TableDigest.rows": lambda: TABLE_DIGEST.rows,
    "TableDigest.columns": lambda: TABLE_DIGEST.columns,
    "TableDigest.update": lambda: used(hashwell.TableDigest(), lambda digest: digest.update(ROWS)).digest(),
    "TableDigest.remove": lambda: used(hashwell.table_digest(ROWS, scheme="lthash64-blake3"), lambda digest: digest.remove(ROWS)).rows,
    "TableDigest.merge": lambda: used(hashwell.TableDigest(), lambda digest: digest.merge(OTHER)).digest(),
    "TableDigest.to_bytes": lambda: LTHASH.to_bytes(),
    "TableDigest.digest": lambda: TABLE_DIGEST.digest(),
    "TableDigest.hexdigest": lambda: TABLE_DIGEST.hexdigest(),
    "TableDigest.buckets": lambda: TABLE_DIGEST.buckets(),
    "TableDigest.difference": lambda: TABLE_DIGEST.difference(OTHER),
    "TableDigest.__bytes__": lambda: bytes(TABLE_DIGEST),
    "TableDigest.__eq__": lambda: TABLE_DIGEST == OTHER,
    "TableDigest.__reduce__": lambda: pickle.loads(pickle.dumps(TABLE_DIGEST)).digest(),
    "TableDigest.__repr__": lambda: repr(LTHASH),
    "BitGenerator.seed_seq": lambda: BITS.seed_seq.generate_state(4).tolist(),
    "BitGenerator.ctypes": lambda: len(BITS.ctypes),
    "BitGenerator.cffi": lambda: len(BITS.cffi),
    "BitGenerator under NumPy": lambda: numpy.random.Generator(hashwell.BitGenerator("blake3", 1)).integers(1000),
    "BitGenerator.random_raw, an array": lambda: hashwell.BitGenerator("blake3", 1).random_raw(10).tolist(),
}
# One case for each constructor of an algorithm and of a built-in process.
for name, made in PUBLIC.items():
    if type(made).__name__ == "constructor":
        length = () if made.algorithm.kind == "digest" else (20,)
        CALLS[name] = lambda made=made, length=length: made(b"abc").digest(*length)
# The error message comes from PyO3.
MISSING = {"a missing argument": lambda: hashwell.Hmac()}
# Wrong calls, which raise an exception. The last one, of hashlib, is the control.
ERRORS = {
    "a str": lambda: hashwell.digest("sha256", "abc"),
    "a key that is too long": lambda: hashwell.blake2b(b"", key=LONG),
    "an unknown keyword": lambda: SHA256(b"", unknown=1),
    "an unknown name": lambda: hashwell.digest("sha265", b""),
    "an argument of another type": lambda: hashwell.Pieces("blake3", "100"),
    "of hashlib": lambda: hashlib.sha256("abc"),
}
KEPT = (HASHER, KEYED, HMAC, SHA256, SHAKE128, LONG)

LAST = 25
"""After this number of failed allocations without an effect, the call is assumed to have no more allocations."""


def outcome(call):
    """The result of a call, or the class of the exception that it raises."""
    try:
        return call()
    except BaseException as error:
        return type(error)


def refusing(call, number, end):
    """The same, while the allocations from this number to the end fail; 0 for no end. Only the call itself may allocate
    memory here."""
    _testcapi.set_nomemory(number, end)
    try:
        return outcome(call)
    finally:
        _testcapi.remove_mem_hooks()


def refused(call, all_that_follow):
    """The unusual results of failed allocations, and whether all reference counts are unchanged afterwards.

    After each failure, the same call is made again without one.
    """
    expected = outcome(call)
    outcome(call)
    gc.collect()
    before = [sys.getrefcount(kept) for kept in KEPT]
    seen, number, unchanged = set(), 0, 0
    while unchanged < LAST:
        got = refusing(call, number, 0 if all_that_follow else number + 1)
        number, unchanged = number + 1, unchanged + 1
        if got != expected:
            seen.add(got.__name__ if isinstance(got, type) else "another value")
            unchanged = 0
        if outcome(call) != expected:
            seen.add("another value afterwards")
            break
        if number > 20_000:
            seen.add("no end")
            break
    del got
    gc.collect()
    return sorted(seen), [sys.getrefcount(kept) for kept in KEPT] == before


def main(path, all_that_follow, names):
    """Writes a line for each case: its name, the unusual results, and whether all reference counts are unchanged. Each case
    runs in a separate process, because it may end the process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    gc.disable()
    with open(path, "w", buffering=1) as file:
        for name in names:
            child = os.fork()
            if child == 0:
                # CPython's interpreter can loop forever (see dev/verification.md). No case needs this many seconds of
                # CPU time.
                resource.setrlimit(resource.RLIMIT_CPU, (8, 10))
                print(json.dumps([name, *refused({**CALLS, **ERRORS, **MISSING}[name], all_that_follow)]), file=file)
                os._exit(0)
            status = os.waitpid(child, 0)[1]
            if status:
                ended = f"ended by {signal.Signals(os.WTERMSIG(status)).name}" if os.WIFSIGNALED(status) else "failed"
                print(json.dumps([name, [ended], True]), file=file)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] == "all", json.loads(sys.argv[3]))
