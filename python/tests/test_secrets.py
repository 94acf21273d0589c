"""Searches the memory of a process for a key after the object that used it has been deleted.

A child process reads each key from a pipe into a bytearray, which it overwrites before it deletes the object, because
hashwell can't erase Python's own copies. The parent process also has the key. With the models of `reference/`, it computes
the values that the object derives from the key (the padded key, midstates, K and V), and searches all writable memory of
the child for 16 consecutive bytes of any of them.

Every algorithm and every source is tested, with the kernels that hashwell chooses and with the portable ones; with SLOW=1,
with each kernel that this CPU supports, in a separate process.
"""

import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from struct import pack, unpack

import pytest

import hashwell
from reference import HMAC_BLOCK, MODELS, ascon, blake2, blake3, drbg, keccak, mac, random, ripemd, sha1, sha2, sm3

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

CHILD = """
import gc, os, sys
import hashwell, random

MESSAGE = b"a message of a few words, which is not secret"
LONG = bytes(1000)

def told():
    # Not by way of sys.stdin: its buffers would have the key.
    line = b""
    while not line.endswith(b"\\n"):
        line += os.read(0, 1)
    return line.decode().split()

def hmac(row, key):
    mac = hashwell.Hmac(row, key)
    mac.update(MESSAGE)
    mac.digest(), mac.hexdigest(), mac.copy().digest()
    refused(mac)
    return mac

def refused(mac):
    try:
        mac.verify(bytes(mac.digest_size))
    except hashwell.TagMismatchError:
        return
    raise AssertionError("a tag of zeros is right")

def kmac(variant, key):
    mac = hashwell.Kmac(variant, key)
    mac.update(MESSAGE)
    mac.digest(), mac.copy().hexdigest(50), mac.xof().read(50)
    refused(mac)
    return mac

def kmac_once(variant, key):
    getattr(hashwell, variant)(key, MESSAGE)

def keyed(row, key):
    digest = hashwell.new(row, MESSAGE, key=key)
    digest.update(LONG)
    digest.digest(), digest.copy().hexdigest()
    return digest

def stream(row, key):
    xof = hashwell.new(row, MESSAGE, key=key)
    xof.copy().read(1000)
    xof.update(LONG)
    xof.read(100), xof.copy().read(1000)
    return xof

def derived(row, material):
    xof = hashwell.new(row, material, derive_key_context="tests of hashwell 2026")
    xof.copy().update(LONG)
    xof.read(100)
    return xof

def derived_many(row, material):
    hashwell.hash_many(row, [material] * 20, derive_key_context="tests of hashwell 2026")
    hashwell.hash_many(row, [material] * 20, derive_key_context="tests of hashwell 2026", threads=2)
    hashwell.xof_many(row, [material] * 20, 100, derive_key_context="tests of hashwell 2026")

def generator(row, key):
    drbg = hashwell.HmacDrbg(row, entropy=memoryview(key)[:32], nonce=memoryview(key)[32:])
    drbg.generate(100)
    drbg.reseed(memoryview(key)[:32])
    return drbg

def numbers(source, key):
    numbers = hashwell.Random(source, key)
    numbers.random(), numbers.getrandbits(100), numbers.randbytes(100)
    return numbers

def bits(source, key):
    bits = hashwell.BitGenerator(source, key)
    bits.random_raw()
    bits.spawn(1)[0].random_raw(), bits.jumped().random_raw()
    return bits

def calls(row, key):
    # Nothing is kept: functions, and batches.
    hashwell.hmac(row, key, MESSAGE)
    hashwell.hmac_many(row, key, [MESSAGE] * 20)
    hashwell.hmac_many(row, [key] * 20, MESSAGE)
    hashwell.hmac_many(row, key, [MESSAGE] * 20, threads=2)
    hashwell.hmac_many(row, [key] * 20, MESSAGE, threads=2)

def derivation(row, key):
    hashwell.hkdf(row, key, 100, info=MESSAGE)

def extraction(row, key):
    # What it returns is an object of Python's.
    hashwell.hkdf_extract(row, key, salt=MESSAGE)

def expansion(row, key):
    hashwell.hkdf_expand(row, key, 100, info=MESSAGE)

def many(row, key):
    hashwell.hash_many(row, [MESSAGE] * 20, key=key)
    hashwell.hash_many(row, [MESSAGE + LONG] * 20, key=key)
    hashwell.hash_many(row, [MESSAGE] * 20, key=key, threads=2)

def many_streams(row, key):
    hashwell.xof_many(row, [MESSAGE] * 20, 100, key=key)
    hashwell.xof_many(row, [MESSAGE] * 20, 100, key=key, threads=2)

def copy(_, key):
    # The control: a bytes object of Python's, which is freed, and of a size that nothing here asks for again.
    bytes(100) + key

kept = []
while line := told():
    name, row, size, keep = line
    key = bytearray(int(size))
    os.readv(0, [key])
    made = globals()[name](row, key)
    if keep == "keep":
        kept.append(made)
    key[:] = bytes(len(key))
    del made, key
    gc.collect()
    os.write(1, b".")
"""

MESSAGE = b"a message of a few words, which is not secret"
LONG = bytes(1000)


def native(words: list[int], bits: int) -> bytes:
    """Words with the byte order of the machine, as they are in memory."""
    return pack(f"={len(words)}{'I' if bits == 32 else 'Q'}", *words)


def sponge_state(blocks: bytes, rate: int, rounds: int = 24) -> bytes:
    """The state of Keccak after complete blocks."""
    state = [0] * 25
    for i in range(0, len(blocks), rate):
        block = unpack("<25Q", blocks[i : i + rate].ljust(200, b"\0"))
        state = keccak.keccak_p([s ^ p for s, p in zip(state, block)], rounds)
    return native(state, 64)


# ------------------------------------------------------------------------------- HMAC, HKDF and HMAC-DRBG

SHA2 = {
    "sha224": (sha2.SHA256, sha2.H0_SHA224, 64),
    "sha256": (sha2.SHA256, sha2.H0_SHA256, 64),
    "sha256-90r": (sha2.SHA256, sha2.H0_SHA256, 90),
    "sha384": (sha2.SHA512, sha2.H0_SHA384, 80),
    "sha512": (sha2.SHA512, sha2.H0_SHA512, 80),
    "sha512-224": (sha2.SHA512, sha2.H0_SHA512_224, 80),
    "sha512-256": (sha2.SHA512, sha2.H0_SHA512_256, 80),
}

# The variant, the length of the digest in bytes, and the number of leaves.
BLAKE2 = {
    "blake2b-256": (blake2.BLAKE2B, 32, 1),
    "blake2b-512": (blake2.BLAKE2B, 64, 1),
    "blake2bp-512": (blake2.BLAKE2B, 64, 4),
    "blake2s-256": (blake2.BLAKE2S, 32, 1),
    "blake2sp-256": (blake2.BLAKE2S, 32, 8),
}


def leaf(row: str, number: int, key_length: int, block: bytes, last: bool = False) -> bytes:
    """The state of BLAKE2 after one block; for a tree, the state of a leaf."""
    V, size, fanout = BLAKE2[row]
    tree = {} if fanout == 1 else {"fanout": fanout, "depth": 2, "node_offset": number, "inner_length": V.max_bytes}
    P = blake2.parameters(V, size, key_length, **tree)
    h = [iv ^ p for iv, p in zip(V.IV, blake2.words(P, V.w))]
    return native(blake2.F(V, h, block, V.block_bytes, last, last and number == fanout - 1), V.w)


def midstate(row: str, block: bytes) -> bytes:
    """The state of a hash after one block. HMAC keeps two such states."""
    if row in SHA2:
        family, H0, rounds = SHA2[row]
        return native(sha2.compress(family, H0, block, rounds), family.w)
    if row.startswith("sha3-"):
        return sponge_state(block, len(block))
    if row in BLAKE2:
        # The message is so short that the first leaf has no second block.
        return leaf(row, 0, 0, block, last=BLAKE2[row][2] > 1)
    if row == "blake3":
        node = blake3.Node(blake3.IV, list(unpack("<16I", block)), 0, 64, blake3.CHUNK_START)
        return native(node.chaining_value(), 32)
    others = {"sha1": (sha1.compress, sha1.H0), "sm3": (sm3.compress, sm3.IV), "ripemd160": (ripemd.compress, ripemd.H0)}
    compress, H0 = others[row]
    return native(compress(list(H0), block), 32)


def of_hmac(row: str, key: bytes) -> list[bytes]:
    """The inner and outer block of RFC 2104, up to the length of the key, and the states after them."""
    K = key if len(key) <= HMAC_BLOCK[row] else MODELS[row](key)
    blocks = [bytes(byte ^ pad for byte in K.ljust(HMAC_BLOCK[row], b"\0")) for pad in (0x36, 0x5C)]
    return [block[: len(K)] for block in blocks] + [midstate(row, block) for block in blocks]


def of_hkdf(row: str, ikm: bytes) -> list[bytes]:
    prk = mac.hkdf_extract(MODELS[row], HMAC_BLOCK[row], b"", ikm)
    return [prk, *of_hmac(row, prk)]


def of_drbg(row: str, seed: bytes) -> list[bytes]:
    model = drbg.HmacDrbg(MODELS[row], HMAC_BLOCK[row], seed[:32], seed[32:])
    states = [model.K, model.V, *of_hmac(row, model.K)]
    model.generate(100)
    states += [model.K, model.V, *of_hmac(row, model.K)]
    model.reseed(seed[:32])
    return [*states, model.K, model.V, *of_hmac(row, model.K)]


# ------------------------------------------------------------------------------- keys of other constructions


def of_kmac(variant: str, key: bytes) -> list[bytes]:
    strength = int(variant.removeprefix("kmac"))
    rate = keccak.rate_of(strength)
    prefix = keccak.bytepad(keccak.encode_string(b"KMAC") + keccak.encode_string(b""), rate)
    return [sponge_state(prefix + keccak.bytepad(keccak.encode_string(key), rate), rate)]


def of_blake2(row: str, key: bytes) -> list[bytes]:
    """The states of all leaves after the block with the key."""
    V, _, fanout = BLAKE2[row]
    return [leaf(row, number, len(key), blake2.key_block(V, key)) for number in range(fanout)]


def of_blake3(_: str, key: bytes) -> list[bytes]:
    """The chaining values of the first block and, for messages longer than one chunk, of the first chunk."""
    words, data = list(unpack("<8I", key)), MESSAGE + LONG
    block = list(unpack("<16I", data[:64]))
    first = blake3.Node(words, block, 0, 64, blake3.KEYED_HASH | blake3.CHUNK_START)
    chunk = blake3.chunk(data[: blake3.CHUNK], words, 0, blake3.KEYED_HASH)
    return [native(node.chaining_value(), 32) for node in (first, chunk)]


def of_material(_: str, material: bytes) -> list[bytes]:
    context = unpack("<8I", blake3.root_hash(b"tests of hashwell 2026", blake3.IV, blake3.DERIVE_KEY_CONTEXT, 32))
    flags = blake3.DERIVE_KEY_MATERIAL | blake3.CHUNK_START
    first = blake3.Node(list(context), list(unpack("<16I", material[:64])), 0, 64, flags)
    return [native(first.chaining_value(), 32)]


# ------------------------------------------------------------------------------- random sources

# The number of output bytes that a stream computes at once, and the size of its requests to HMAC-DRBG.
AHEAD, REQUEST = 4096, 1024


def of_sponge(source: str, K: bytes) -> list[bytes]:
    """The part of the state that is never output, from the first output to the last one that is computed in advance."""
    strength = int(source[-3:])
    rate, rounds = keccak.rate_of(strength), 24 if source.startswith(("shake", "cshake")) else 12
    padded = bytearray(K + (b"\0\x07" if source.startswith("kt") else b"\x1f"))
    padded += bytes(rate - len(padded))
    padded[-1] ^= 0x80
    state, states = sponge_state(bytes(padded), rate, rounds), []
    for _ in range(AHEAD // rate + 1):
        states.append(state[rate:])
        state = native(keccak.keccak_p(list(unpack("=25Q", state)), rounds), 64)
    return states


ASCON = {
    "ascon-xof128": ascon.XOF128,
    "ascon-cxof128": ascon.CXOF128,
    "ascon-xof-v1.2": ascon.XOF_V1_2,
    "ascon-xofa-v1.2": ascon.XOFA_V1_2,
}


def of_ascon(source: str, K: bytes) -> list[bytes]:
    v = ASCON[source]
    state = ascon.initial(v)
    if source == "ascon-cxof128":
        state = ascon.absorb(v, ascon.permute(state, v.b), b"")
    state, states = ascon.absorb(v, state, K), []
    for _ in range(8):
        states.append(native(state[1:], 64))
        state = ascon.permute(state, v.b)
    return states


def of_source(source: str, seed: bytes) -> list[bytes]:
    K = random.stream_key(seed)
    states = [K, random.child(K, random.SPAWNED, 0), random.child(K, random.SPAWNED, 1), random.child(K, random.JUMPED, 1)]
    if source.startswith("hmac-drbg-"):
        row = source.removeprefix("hmac-drbg-")
        model = drbg.HmacDrbg(MODELS[row], HMAC_BLOCK[row], K, b"")
        states += [model.K, model.V, *of_hmac(row, model.K)]
        # Only the first of the requests that are made in advance; the others work the same way.
        model.generate(REQUEST)
        states += [model.K, model.V, *of_hmac(row, model.K)]
    elif source in ASCON:
        states += of_ascon(source, K)
    elif source not in ("counter", "blake3"):
        states += of_sponge(source, K)
    return states


def nothing_more(_: str, key: bytes) -> list[bytes]:
    return []


HMACS = [name for name, row in hashwell.algorithms.items() if row.hmac]
KEYED = {name: row.parameters["key"][1] for name, row in hashwell.algorithms.items() if "key" in row.parameters}

# For each case: the function in the child, its argument, the length of the key in bytes, and the values derived from
# the key. Pieces have no case, because they have no key.
CASES = {
    **{f"Hmac over {row}": ("hmac", row, 32, of_hmac) for row in HMACS},
    **{f"Hmac over {row}, a key longer than its block": ("hmac", row, 200, of_hmac) for row in HMACS},
    **{f"hmac and hmac_many over {row}": ("calls", row, 32, of_hmac) for row in HMACS},
    **{f"hkdf over {row}": ("derivation", row, 32, of_hkdf) for row in HMACS},
    **{f"hkdf_extract over {row}": ("extraction", row, 32, nothing_more) for row in HMACS},
    **{f"hkdf_expand over {row}": ("expansion", row, 64, of_hmac) for row in HMACS},
    **{f"HmacDrbg over {row}": ("generator", row, 48, of_drbg) for row in HMACS},
    **{f"{variant}": ("kmac", variant, 32, of_kmac) for variant in ("kmac128", "kmac256")},
    **{f"{variant}, the function": ("kmac_once", variant, 32, of_kmac) for variant in ("kmac128", "kmac256")},
    **{f"{row} with a key": ("keyed", row, KEYED[row], of_blake2) for row in BLAKE2},
    **{f"hash_many of {row} with a key": ("many", row, KEYED[row], of_blake2) for row in BLAKE2},
    "blake3 with a key": ("stream", "blake3", 32, of_blake3),
    "hash_many of blake3 with a key": ("many", "blake3", 32, of_blake3),
    "xof_many of blake3 with a key": ("many_streams", "blake3", 32, of_blake3),
    "blake3's key material": ("derived", "blake3", 100, of_material),
    "hash_many and xof_many of blake3's key material": ("derived_many", "blake3", 100, of_material),
    **{f"Random of {source}": ("numbers", source, 32, of_source) for source in hashwell.random_sources()},
    **{f"BitGenerator of {source}": ("bits", source, 32, of_source) for source in hashwell.random_sources()},
}


def test_every_keyed_row_has_a_case() -> None:
    assert set(KEYED) == {*BLAKE2, "blake3"}


def row_of(case: str) -> str:
    """The algorithm whose kernels the case uses."""
    name = CASES[case][1]
    row = name.removeprefix("hmac-drbg-").replace("kmac", "cshake")
    return "sha256" if row == "counter" else row


def kernels_of(case: str) -> list[str]:
    row = hashwell.algorithms[row_of(case)]
    return [kernel.name for kernel in (*row.kernels, *row.batch_kernels) if kernel.available]


ALL = os.environ.get("SLOW") == "1"
# An empty name selects the kernels that hashwell chooses.
RUNS = [(case, "") for case in CASES]
RUNS += [
    (case, kernel)
    for kernel in (hashwell.kernels() if ALL else ("soft",))
    for case in CASES
    if kernel in kernels_of(case) and (ALL or CASES[case][0] not in ("bits", "numbers", "extraction"))
]


class Child:
    def __init__(self, kernel: str) -> None:
        self.kernel = kernel
        self.before: dict[int, bytes] = {}

    def __enter__(self) -> "Child":
        # The dynamic linker saves all vector registers on the stack when a C function is called for the first time, and
        # with them the data that was moved last. With this setting, it finds all functions at the start.
        environment = os.environ | {"LD_BIND_NOW": "1", "HASHWELL_KERNEL": self.kernel}
        if not self.kernel:
            del environment["HASHWELL_KERNEL"]
        command = [sys.executable, "-c", CHILD]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()

    def do(self, name: str, row: str, key: bytes, keep: bool) -> None:
        """Returns after the child has used the key and has deleted or kept the object."""
        line = f"{name} {row} {len(key)} {'keep' if keep else 'drop'}\n"
        # In two writes, because the child reads the line first and then the key.
        self.process.stdin.write(line.encode())
        self.process.stdin.write(key)
        assert self.process.stdout.read(1) == b".", "the child ended"

    def memory(self) -> Iterator[tuple[str, bytes, list[int]]]:
        """The writable memory regions of the child, and the offsets of the pages that have changed since the last search. Only
        these pages can contain a new secret."""
        regions = {}
        with open(f"/proc/{self.process.pid}/maps") as maps, open(f"/proc/{self.process.pid}/mem", "rb", 0) as memory:
            for line in maps:
                place, flags, *rest = line.split()
                if "w" not in flags or rest[-1] in ("[vvar]", "[vsyscall]"):
                    continue
                start, end = (int(number, 16) for number in place.split("-"))
                memory.seek(start)
                now = regions[start] = memory.read(end - start)
                before = self.before.get(start, b"")
                pages = [at for at in range(0, len(now), PAGE) if now[at : at + PAGE] != before[at : at + PAGE]]
                yield rest[-1] if len(rest) > 3 else "nameless", now, pages
        self.before = regions


PAGE = 4096


def left(child: Child, looked_for: list[bytes]) -> list[str]:
    """The places with 16 consecutive bytes of any of these secrets."""
    # In any 16 consecutive bytes, 8 begin at a multiple of 8.
    parts: dict[int, list[tuple[int, int]]] = {}
    for which, secret in enumerate(looked_for):
        for at in range(len(secret) - 7):
            parts.setdefault(int.from_bytes(secret[at : at + 8], sys.byteorder), []).append((which, at))
    found = set()
    for name, memory, pages in child.memory():
        for page in pages:
            words = memoryview(memory)[page : page + PAGE].cast("Q")
            for part in parts.keys() & set(words):
                for place in [page + 8 * i for i, word in enumerate(words) if word == part]:
                    for which, at in parts[part]:
                        secret = looked_for[which]
                        before = common(secret[:at][::-1], memory[max(place - at, 0) : place][::-1])
                        after = common(secret[at + 8 :], memory[place + 8 : place + len(secret) - at])
                        if before + 8 + after >= 16:
                            found.add(f"secret {which}, {before + 8 + after} bytes in {name} at {place - before:#x}")
    return sorted(found)


def common(one: bytes, other: bytes) -> int:
    """The number of equal bytes at the beginning."""
    return next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


@pytest.fixture(scope="module")
def children() -> Iterator[Callable[[str], Child]]:
    """A child process for each kernel, and a separate one for objects that are kept."""
    with ExitStack() as stack:
        yield cache(lambda name: stack.enter_context(Child(name.removeprefix("kept:"))))


@cache
def secrets_of(case: str, kept: bool = False) -> tuple[bytes, list[bytes]]:
    """A key for a case, and all values to search for."""
    name, row, size, states = CASES[case]
    if name == "bits":
        # Computing the values for the seed of a source takes a while, so they are shared.
        return secrets_of(case.replace("BitGenerator", "Random"))
    key = secrets.token_bytes(size)
    return key, [key, *states(row, key)]


def label(kernel: str) -> str:
    return kernel or "best"


@pytest.mark.parametrize(("case", "kernel"), [pytest.param(*run, id=f"{run[0]}-{label(run[1])}") for run in RUNS])
def test_nothing_is_left(children: Callable[[str], Child], case: str, kernel: str) -> None:
    name, row, _, _ = CASES[case]
    key, looked_for = secrets_of(case)
    child = children(kernel)
    child.do(name, row, key, keep=False)
    assert left(child, looked_for) == []


KEPT = ("hmac", "kmac", "keyed", "stream", "derived", "generator", "numbers")


@pytest.mark.parametrize("case", [case for case in CASES if CASES[case][0] in KEPT])
def test_states_of_what_lives_are_found(children: Callable[[str], Child], case: str) -> None:
    """The control: an object that is kept has the values derived from the key in memory, so the search finds them."""
    name, row, _, _ = CASES[case]
    key, looked_for = secrets_of(case, kept=True)
    child = children("kept:")
    child.do(name, row, key, keep=True)
    # A keyed BLAKE2 or BLAKE3 contains the key itself; in the other objects, only the derived values are left.
    assert left(child, looked_for if name in ("keyed", "stream") else looked_for[1:])


def test_a_copy_of_python_s_is_found(children: Callable[[str], Child]) -> None:
    """The second control, which shows why nothing is guaranteed for Python's objects: memory that Python frees is not
    overwritten."""
    key = secrets.token_bytes(300)
    child = children("kept:")
    child.do("copy", "-", key, keep=False)
    assert left(child, [key])
