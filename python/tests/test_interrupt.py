"""Signals (Ctrl-C) during one long call are handled before it ends, and the objects stay valid."""

import itertools
import mmap
import signal
import sys
import threading
import time

import pytest

import hashwell
import hashwell.xoflib

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="4 GiB that take no memory are Linux's")

SIZE = 4 * 2**30
LATENCY = 2.0
"""The maximum delay in seconds on a busy machine. Hashing SIZE bytes takes several times as long."""


class Alarm(Exception):
    pass


def zeros(protection: int = mmap.PROT_READ) -> mmap.mmap:
    """They take no memory until something is written over them, because they all share one page."""
    return mmap.mmap(-1, SIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, protection)


def room() -> mmap.mmap:
    return zeros(mmap.PROT_READ | mmap.PROT_WRITE)


@pytest.fixture(scope="module")
def huge():
    with zeros() as mapped:
        yield mapped


HANDLED: list[float] = []


def interrupt(work, also=lambda: None) -> None:
    """Runs work, and sends a signal after 0.1 s. The work must soon raise the exception that the signal handler raises.

    Python loses an exception that a handler raises while a finalizer runs, and other libraries may lose one, too. So the
    exception may be lost in two of three calls.
    """

    def handle(number, frame) -> None:
        also()
        HANDLED.append(time.monotonic())
        raise Alarm

    before = signal.signal(signal.SIGALRM, handle)
    try:
        for _ in range(3):
            HANDLED.clear()
            asked = time.monotonic() + 0.1
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            try:
                work()
            except Alarm:
                assert HANDLED[0] - asked < LATENCY and time.monotonic() - HANDLED[0] < LATENCY
                return
        pytest.fail("the work went on although a handler raised an exception")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Memory:
    """Like io.BytesIO, without a copy."""

    def __init__(self, memory) -> None:
        self.getbuffer = lambda: memory


STREAM = hashwell.shake256(b"")
ABSORBING = {
    "constructor": hashwell.sha3_512,
    "new": lambda data: hashwell.new("sha3-512", data),
    "constructor with keywords": lambda data: hashwell.sha3_512(data, kernel=None),
    "Digest.update": lambda data: hashwell.sha3_512().update(data),
    "digest": lambda data: hashwell.digest("sha3-512", data),
    "hexdigest with keywords": lambda data: hashwell.hexdigest("sha3-512", data, length=64),
    "Xof constructor": hashwell.shake256,
    "Xof.absorb": lambda data: hashwell.shake256().absorb(data),
    "xoflib": lambda data: hashwell.xoflib.Shake256().absorb(data),
    "hmac": lambda data: hashwell.hmac("sha3-512", b"", data),
    "Hmac": lambda data: hashwell.Hmac("sha3-512", b"", data),
    "Hmac.update": lambda data: hashwell.Hmac("sha3-512", b"").update(data),
    "kmac256": lambda data: hashwell.kmac256(b"", data),
    "Kmac": lambda data: hashwell.Kmac("kmac256", b"", data),
    "Kmac.update": lambda data: hashwell.Kmac("kmac256", b"").update(data),
    "hkdf": lambda data: hashwell.hkdf("sha3-512", data, 64),
    "hkdf_extract": lambda data: hashwell.hkdf_extract("sha3-512", data),
    "file_digest": lambda data: hashwell.file_digest(Memory(data), "sha3-512"),
    "hash_many": lambda data: hashwell.hash_many("sha3-512", [b"", data]),
    "hash_many on threads": lambda data: hashwell.hash_many("sha3-512", [data] * 3, threads=2),
    "hash_many of many": lambda data: hashwell.hash_many("sha3-512", [memoryview(data)[: 2**23]] * 5000, threads=2),
    "hash_many of rows": lambda data: hashwell.hash_many("sha3-512", memoryview(data).cast("B", (1024, SIZE // 1024))),
    "hmac_many": lambda data: hashwell.hmac_many("sha3-512", b"", [data]),
    "hmac_many of keys": lambda data: hashwell.hmac_many("sha3-512", [b"k", b"l"], data),
}
READING = {
    "Xof.read": lambda: hashwell.shake256(b"").read(SIZE),
    "Xof.read_into": lambda: hashwell.shake256(b"").read_into(room()),
    "Xof.digest": lambda: hashwell.shake256(b"").digest(SIZE),
    "Xof.uniform": lambda: STREAM.uniform(2**28, 200),
    "Xof.uniform that may never end": lambda: STREAM.uniform(1, 1, bits=64),
    "Xof.uniform with out": lambda: STREAM.uniform(SIZE, 200, out=room()),
    "digest": lambda: hashwell.digest("shake256", b"", SIZE),
    "kmac256": lambda: hashwell.kmac256(b"", b"", SIZE),
    "Random.randbytes": lambda: hashwell.Random("shake256", b"").randbytes(SIZE),
    "HmacDrbg.generate": lambda: hashwell.HmacDrbg("sha3-512").generate(SIZE),
    "xof_many": lambda: hashwell.xof_many("shake256", [b"", b"a"], SIZE // 2, contiguous=True),
}


@pytest.mark.parametrize("work", ABSORBING.values(), ids=ABSORBING)
def test_absorbing(work, huge) -> None:
    interrupt(lambda: work(huge))


@pytest.mark.parametrize("work", READING.values(), ids=READING)
def test_reading(work) -> None:
    interrupt(work)


def test_what_is_absorbed_stays(huge) -> None:
    digest = hashwell.sha256(b"x")
    interrupt(lambda: digest.update(huge))
    assert digest.digest() != hashwell.sha256(b"x").digest()
    once = digest.digest()
    digest.update(b"")
    assert digest.digest() == once == digest.copy().digest()


def test_what_is_read_is_gone() -> None:
    stream = hashwell.shake256(b"seed")
    interrupt(lambda: stream.read(SIZE))
    position, following = stream.tell(), stream.read(32)
    assert 0 < position < SIZE
    again = hashwell.shake256(b"seed")
    left = position
    while left:
        left -= len(again.read(min(left, 2**22)))
    assert again.read(32) == following


def test_a_handler_may_use_the_object(huge) -> None:
    """The handler sees the state between two pieces, and its calls change the object."""
    digest, seen = hashwell.sha256(), []
    interrupt(lambda: digest.update(huge), lambda: seen.append((digest.digest(), digest.update(b"more"), digest.copy())))
    assert seen[0][2].digest() == digest.digest() != seen[0][0]
    stream = hashwell.shake256()
    interrupt(lambda: stream.read(SIZE), lambda: seen.append((stream.tell(), stream.read(2**21))))
    assert stream.tell() == seen[1][0] + 2**21


def test_others_wait_for_the_whole_call() -> None:
    """A long call releases the interpreter between its pieces, but other threads can't use the object before the call
    ends."""
    for _ in range(3):
        stream, data = hashwell.shake128(), bytes(60_000_000)
        reading = threading.Thread(target=stream.absorb, args=(data,))
        reading.start()
        while reading.is_alive():
            stream.update(b"")
            stream.copy()
            time.sleep(0.001)
        reading.join()
        pieces = [b"x" * 5_000_000, b"y" * 5_000_000]
        shared = hashwell.sha3_512()
        threads = [threading.Thread(target=shared.update, args=(piece,)) for piece in pieces]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        orders = [pieces, pieces[::-1]]
        assert shared.digest() in [hashwell.sha3_512(b"".join(order)).digest() for order in orders]


def test_pieces_change_nothing(row) -> None:
    """Lengths around the length from which a call works in pieces."""
    for size in (2**20 - 1, 2**20, 2**20 + 1, 3 * 2**20 + 5):
        data = bytes(range(251)) * (size // 251 + 1)
        data = data[:size]
        length = hashwell.algorithms[row].digest_size or 50
        stepwise = hashwell.new(row)
        for at in range(0, size, 100_000):
            stepwise.update(data[at : at + 100_000])
        arguments = () if hashwell.algorithms[row].digest_size else (length,)
        expected = stepwise.digest(*arguments)
        assert hashwell.new(row, data).digest(*arguments) == hashwell.digest(row, data, length) == expected
        assert hashwell.hash_many(row, [data], length=length) == [expected]
        if hashwell.algorithms[row].hmac:
            tag = hashwell.Hmac(row, b"key")
            for at in range(0, size, 100_000):
                tag.update(data[at : at + 100_000])
            assert hashwell.hmac(row, b"key", data) == tag.digest() == hashwell.hkdf_extract(row, data, salt=b"key")


@pytest.mark.parametrize("size", [2**20, 2**20 + 1, 3 * 2**20 + 5])
def test_pieces_of_output_change_nothing(size, xof) -> None:
    whole = hashwell.digest(xof, b"seed", size)
    stream, filled = hashwell.new(xof, b"seed"), bytearray(size)
    stream.read_into(filled)
    assert hashwell.new(xof, b"seed").read(size) == filled == whole
    stream = hashwell.new(xof, b"seed")
    assert b"".join(stream.read(100_003) for _ in range(size // 100_003 + 1))[:size] == whole


@pytest.mark.parametrize(("n", "below", "bits"), [(800_000, 3329, 12), (1_200_000, 200, 8), (100, 5, 16)])
def test_long_draws(n, below, bits) -> None:
    """Draws of more than 1 MiB of the stream: the candidates below the bound, in order, up to the end of the group of
    the last one."""
    stream = hashwell.shake128(b"seed")
    drawn, group = stream.uniform(n, below, bits), 3 if bits == 12 else bits // 8
    data = hashwell.shake128(b"seed").read(stream.tell())
    words = [int.from_bytes(data[i : i + group], "little") for i in range(0, len(data), group)]
    candidates = [part for word in words for part in (word & 4095, word >> 12)] if bits == 12 else words
    accepted = [candidate for candidate in candidates if candidate < below]
    assert len(data) > 2**20 and drawn == accepted[:n]
    assert len(accepted) in (n, n + 1) and (bits == 12 or len(accepted) == n)


def test_long_tags_and_requests() -> None:
    """The length of a KMAC is part of its message, and requests to HMAC-DRBG have at most 65,536 bytes."""
    kmac = hashwell.Kmac("kmac128", b"key", b"data")
    length = 2**20 + 5
    tag = hashwell.kmac128(b"key", b"data", length)
    assert kmac.digest(length) == tag and kmac.verify(tag, length=length) is None
    assert tag[:32] != hashwell.kmac128(b"key", b"data", length + 1)[:32]
    make = lambda: hashwell.HmacDrbg.from_seed_unchecked("sha256", b"seed", reseed_interval=40)  # noqa: E731
    drbg, stepwise = make(), make()
    expected = b"".join(stepwise.generate(size) for size in [65_536] * 20 + [7])
    assert drbg.generate(20 * 65_536 + 7) == expected and drbg.requests_left == stepwise.requests_left == 19
    with pytest.raises(hashwell.ReseedRequiredError):
        drbg.generate(20 * 65_536)
    assert drbg.requests_left == 19
    drbg.wipe()
    with pytest.raises(ValueError):
        drbg.generate(2**21)


def numbers():
    """10^9 rows that take only the memory of a million."""
    pyarrow = pytest.importorskip("pyarrow")
    chunk = pyarrow.array(range(10**6))
    return pyarrow.table({"n": pyarrow.chunked_array([chunk] * 1000)})


SAMPLING = {
    "of a range": lambda: hashwell.sample(range(2**60), 10**6, seed="s"),
    "of an iterator": lambda: hashwell.sample(itertools.count(), 9, seed="s"),
    "of values": lambda: hashwell.sample(range(10**12), 9, seed="s", group_by=str),
    "by key": lambda: hashwell.sample(numbers(), 9, seed="s", group_by="n", threads=2),
    "by weight": lambda: hashwell.sample(numbers(), 9, seed="s", weights="n", design="pps"),
}


NUMBERS = 10**8
IDS = {f"{n:07}": 1 for n in range(400_000)}
DRAWING = {
    "ticket": lambda: hashwell.draw(NUMBERS, 9, method="ticket", seed="s"),
    "bernoulli": lambda: hashwell.draw(NUMBERS, probability="0.001", method="bernoulli", seed="s"),
    "bernoulli of many": lambda: hashwell.draw(NUMBERS, probability="0.9", method="bernoulli", seed="s"),
    "gap": lambda: again(lambda: hashwell.draw(list(IDS), 9, method="gap", seed="s")),
    "replace": lambda: hashwell.draw(NUMBERS, 5 * 10**6, method="replace", seed="s"),
    "index": lambda: hashwell.draw(2**60, 5 * 10**6, seed="s"),
    "weighted-ticket": lambda: again(lambda: hashwell.draw(IDS, 9, method="weighted-ticket", seed="s")),
    "pps-systematic": lambda: again(lambda: hashwell.draw(IDS, 9, method="pps-systematic", seed="s")),
    "verify": lambda: again(lambda: hashwell.verify(TRANSCRIPT, IDS)),
    "shuffle": lambda: again(lambda: hashwell.shuffle(range(10**7), seed="s")),
}
TRANSCRIPT = hashwell.draw(["a", "b"], 1, seed="s")


def again(work) -> None:
    """Repeats the work, because it can end before the signal comes."""
    while not HANDLED:
        work()


@pytest.mark.parametrize("work", DRAWING.values(), ids=DRAWING)
def test_drawing(work) -> None:
    interrupt(work)


def test_draws_inside_of_a_handler() -> None:
    """A handler may draw and then continue; it doesn't disturb the call that it interrupted."""
    drawn, must = [], hashwell.draw(1000, 3, method="ticket", seed="s").ids

    def handle(number, frame) -> None:
        drawn.append(hashwell.draw(1000, 3, method="ticket", seed="s").ids)

    before = signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
    try:
        for _ in range(200):
            long = hashwell.draw(200_000, 3, method="ticket", seed="t").ids
            if len(drawn) > 3:
                break
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert drawn and all(ids == must for ids in drawn)
    assert long == hashwell.draw(200_000, 3, method="ticket", seed="t").ids


@pytest.mark.parametrize("work", SAMPLING.values(), ids=SAMPLING)
def test_sampling(work) -> None:
    interrupt(work)


def test_a_state_stands_behind_the_rows_that_it_counts() -> None:
    state = hashwell.Reservoir(9, seed="s")
    interrupt(lambda: state.update(itertools.count()))
    seen = state.seen
    assert seen > 0 and state.result() == hashwell.sample(range(seen), 9, seed="s")
    state.update([0] * 1000)
    assert state.seen == seen + 1000 and len(state.result()) == 9


def test_a_state_of_arrow_stands_where_it_stood() -> None:
    state = hashwell.KeySampler(9, seed="s", group_by="n")
    rows = numbers()
    interrupt(lambda: state.update(rows, threads=2))
    assert state.seen == 0
    state.update(rows.slice(0, 1000))
    assert state.seen == 1000 and len(state.result()) == 9
