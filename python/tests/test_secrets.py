"""What is left of a key in a process's memory once the keyed object that had it is gone.

A child process gets each key through a pipe, into a bytearray that it overwrites before it drops the object: Python's own
copies are not hashwell's to erase. The parent alone has the key as it is, makes of it what the object makes of it (the
padded key, midstates, K and V) with the models of `reference/`, and looks for 16 bytes in a row of any of them in all that
the child can write to.
"""

import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from struct import pack, unpack

import pytest

from reference import HMAC_BLOCK, MODELS, blake2, drbg, keccak, random, sha2

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
    return mac

def kmac(variant, key):
    mac = hashwell.Kmac(variant, key)
    mac.update(MESSAGE)
    mac.digest(), mac.copy().hexdigest(50), mac.xof().read(50)
    return mac

def keyed(row, key):
    digest = hashwell.new(row, MESSAGE, key=key)
    digest.update(LONG)
    digest.digest(), digest.copy().hexdigest()
    return digest

def stream(row, key):
    xof = hashwell.new(row, MESSAGE, key=key)
    xof.read(100), xof.copy().read(1000)
    return xof

def generator(row, key):
    drbg = hashwell.HmacDrbg(row, entropy=memoryview(key)[:32], nonce=memoryview(key)[32:])
    drbg.generate(100)
    return drbg

def numbers(source, key):
    numbers = hashwell.Random(source, key)
    numbers.random(), numbers.getrandbits(100), numbers.randbytes(100)
    return numbers

def bits(source, key):
    bits = hashwell.BitGenerator(source, key)
    bits.random_raw()
    return bits

def calls(row, key):
    # Nothing is kept: functions, and batches.
    hashwell.hmac(row, key, MESSAGE)
    hashwell.hmac_many(row, key, [MESSAGE] * 20)
    hashwell.hmac_many(row, [key] * 20, MESSAGE)

def derivation(row, key):
    hashwell.hkdf(row, key, 100, info=MESSAGE)

def many(row, key):
    hashwell.hash_many(row, [MESSAGE] * 20, key=key)

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


def native(words: list[int], bits: int) -> bytes:
    """Words as they lie in memory."""
    return pack(f"={len(words)}{'I' if bits == 32 else 'Q'}", *words)


def sponge_state(blocks: bytes, rate: int) -> bytes:
    """Keccak's state after whole blocks."""
    state = [0] * 25
    for i in range(0, len(blocks), rate):
        block = unpack("<25Q", blocks[i : i + rate].ljust(200, b"\0"))
        state = keccak.keccak_p([s ^ p for s, p in zip(state, block)], 24)
    return native(state, 64)


MIDSTATE: dict[str, Callable[[bytes], bytes]] = {
    "sha256": lambda block: native(sha2.compress(sha2.SHA256, sha2.H0_SHA256, block, 64), 32),
    "sha512": lambda block: native(sha2.compress(sha2.SHA512, sha2.H0_SHA512, block, 80), 64),
    "sha3-256": lambda block: sponge_state(block, 136),
}


def padded(key: bytes, row: str) -> Iterator[bytes]:
    """RFC 2104's inner and outer block."""
    for pad in (0x36, 0x5C):
        yield bytes(byte ^ pad for byte in key.ljust(HMAC_BLOCK[row], b"\0"))


def of_hmac(row: str, key: bytes) -> list[bytes]:
    blocks = list(padded(key, row))
    return [block[: len(key)] for block in blocks] + [MIDSTATE[row](block) for block in blocks]


def of_kmac(variant: str, key: bytes) -> list[bytes]:
    strength = int(variant.removeprefix("kmac"))
    rate = keccak.rate_of(strength)
    prefix = keccak.bytepad(keccak.encode_string(b"KMAC") + keccak.encode_string(b""), rate)
    return [sponge_state(prefix + keccak.bytepad(keccak.encode_string(key), rate), rate)]


def of_blake2b(_: str, key: bytes) -> list[bytes]:
    V = blake2.BLAKE2B
    h = [iv ^ p for iv, p in zip(V.IV, blake2.words(blake2.parameters(V, 64, len(key)), 64))]
    return [native(blake2.F(V, h, blake2.key_block(V, key), 128, False, False), 64)]


def of_drbg(row: str, seed: bytes) -> list[bytes]:
    model = drbg.HmacDrbg(MODELS[row], HMAC_BLOCK[row], seed[:32], seed[32:])
    states = [model.K, model.V, *of_hmac(row, model.K)]
    model.generate(100)
    return [*states, model.K, model.V, *of_hmac(row, model.K)]


def of_stream(source: str, seed: bytes) -> list[bytes]:
    key = random.stream_key(seed)
    row = source.removeprefix("hmac-drbg-")
    return [key] if row == source else [key, *of_drbg(row, key)]


def nothing_more(_: str, key: bytes) -> list[bytes]:
    return []


# What the child does, with what, how many bytes of key, and what is made of it.
CASES = {
    **{f"Hmac over {row}": ("hmac", row, 32, of_hmac) for row in MIDSTATE},
    **{f"{variant}": ("kmac", variant, 32, of_kmac) for variant in ("kmac128", "kmac256")},
    "blake2b with a key": ("keyed", "blake2b", 64, of_blake2b),
    "blake2s with a key": ("keyed", "blake2s-256", 32, nothing_more),
    "blake3 with a key": ("stream", "blake3", 32, nothing_more),
    **{f"HmacDrbg over {row}": ("generator", row, 48, of_drbg) for row in ("sha256", "sha512")},
    **{f"Random of {source}": ("numbers", source, 32, of_stream) for source in ("hmac-drbg-sha256", "blake3", "counter")},
    **{f"BitGenerator of {source}": ("bits", source, 32, of_stream) for source in ("hmac-drbg-sha256", "blake3", "counter")},
    **{f"hmac and hmac_many over {row}": ("calls", row, 32, of_hmac) for row in MIDSTATE},
    "hkdf": ("derivation", "sha256", 32, nothing_more),
    "hash_many of blake2b with a key": ("many", "blake2b", 64, of_blake2b),
    "hash_many of blake3 with a key": ("many", "blake3", 32, nothing_more),
}


class Child:
    def __enter__(self) -> "Child":
        # The dynamic linker puts all vector registers on the stack when a C function is called for the first time, and with them
        # what was moved last: here it looks all of them up at the start.
        environment = os.environ | {"LD_BIND_NOW": "1"}
        command = [sys.executable, "-c", CHILD]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=environment)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()

    def do(self, name: str, row: str, key: bytes, keep: bool) -> None:
        """Returns when the key was used, and what had it is gone, or kept."""
        line = f"{name} {row} {len(key)} {'keep' if keep else 'drop'}\n"
        # In two writes, so that the child's read of the line stops before the key.
        self.process.stdin.write(line.encode())
        self.process.stdin.write(key)
        assert self.process.stdout.read(1) == b".", "the child ended"

    def memory(self) -> Iterator[tuple[str, bytes]]:
        """All that it can write to."""
        with open(f"/proc/{self.process.pid}/maps") as maps, open(f"/proc/{self.process.pid}/mem", "rb", 0) as memory:
            for line in maps:
                place, flags, *rest = line.split()
                if "w" not in flags or rest[-1] in ("[vvar]", "[vsyscall]"):
                    continue
                start, end = (int(number, 16) for number in place.split("-"))
                memory.seek(start)
                yield rest[-1] if len(rest) > 3 else "nameless", memory.read(end - start)


def left(child: Child, looked_for: list[bytes]) -> list[str]:
    """Where 16 bytes in a row of any of these are."""
    found = []
    for name, memory in child.memory():
        for which, secret in enumerate(looked_for):
            # Sixteen bytes in a row have eight that begin at a multiple of eight.
            for at in range(0, len(secret) - 7, 8):
                place = memory.find(secret[at : at + 8])
                while place >= 0:
                    before, after = secret[:at], secret[at + 8 :]
                    same = 8 + common(before[::-1], memory[max(place - at, 0) : place][::-1])
                    same += common(after, memory[place + 8 : place + 8 + len(after)])
                    if same >= 16:
                        found.append(f"secret {which}, {same} bytes in {name} at {place:#x}")
                    place = memory.find(secret[at : at + 8], place + 1)
    return found


def common(one: bytes, other: bytes) -> int:
    """How many first bytes are equal."""
    return next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    with Child() as child:
        yield child


def secrets_of(case: str) -> tuple[bytes, list[bytes]]:
    """A key for it, and all to be looked for."""
    _, row, size, states = CASES[case]
    key = secrets.token_bytes(size)
    return key, [key, *states(row, key)]


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_left(child: Child, case: str) -> None:
    name, row, _, _ = CASES[case]
    key, looked_for = secrets_of(case)
    child.do(name, row, key, keep=False)
    assert left(child, looked_for) == []


@pytest.mark.parametrize("case", [case for case in CASES if CASES[case][0] in ("hmac", "kmac", "keyed", "generator")])
def test_states_of_what_lives_are_found(child: Child, case: str) -> None:
    """The control: an object that is kept has in memory what is made of the key, so that it would be found."""
    name, row, _, _ = CASES[case]
    key, looked_for = secrets_of(case)
    child.do(name, row, key, keep=True)
    # A keyed hash has its key; of others the states alone are left.
    assert left(child, looked_for if name == "keyed" else looked_for[1:])


def test_a_copy_of_python_s_is_found(child: Child) -> None:
    """The other control, and why it is not promised of Python's objects: what is freed is not overwritten."""
    key = secrets.token_bytes(300)
    child.do("copy", "-", key, keep=False)
    assert left(child, [key])
