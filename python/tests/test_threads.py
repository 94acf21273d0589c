"""Many threads that use one object, and threads that run while another thread hashes."""

import itertools
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import hashwell

THREADS = 8


def in_threads(work) -> list:
    """Runs `work(i)` in all threads at once, with an interpreter that switches threads often."""
    barrier, interval = threading.Barrier(THREADS), sys.getswitchinterval()

    def started(i):
        barrier.wait()
        return work(i)

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(started, range(THREADS)))
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize("size", [1, 100, 2047, 2048, 10_000])
def test_updates_of_one_digest_are_atomic(size) -> None:
    """All pieces are equal, so the digest doesn't depend on their order, but it changes if a piece is lost."""
    for name in ("sha256", "blake2b", "sha3-256"):
        shared, piece = hashwell.new(name), b"x" * size

        def work(i, shared=shared, piece=piece):
            for _ in range(50):
                shared.update(piece)
                shared.digest(), shared.copy().hexdigest(), shared.name, repr(shared)

        in_threads(work)
        assert shared.digest() == hashwell.digest(name, piece * 50 * THREADS)


def test_updates_interleave_whole() -> None:
    """Each update is atomic: the message consists of the whole pieces in some order."""
    for _ in range(200):
        shared = hashwell.sha256()
        pieces = [bytes([i]) * 3000 for i in range(3)]
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(shared.update, pieces))
        orders = {hashwell.sha256(b"".join(order)).digest() for order in itertools.permutations(pieces)}
        assert shared.digest() in orders


@pytest.mark.parametrize("size", [3, 168, 5000])
def test_reads_of_one_stream_share_it_out(size, xof) -> None:
    stream = hashwell.new(xof, b"seed")

    def work(i):
        got = []
        for j in range(20):
            if j % 3:
                got.append(stream.read(size))
            else:
                room = bytearray(size)
                stream.read_into(room)
                got.append(bytes(room))
        return got

    pieces = [piece for pieces in in_threads(work) for piece in pieces]
    whole = hashwell.digest(xof, b"seed", size * 20 * THREADS)
    assert sorted(pieces) == sorted(whole[i : i + size] for i in range(0, len(whole), size))
    assert stream.tell() == len(whole)


def test_absorbing_and_reading_race_without_other_errors() -> None:
    for _ in range(100):
        stream = hashwell.shake128()

        def work(i, stream=stream):
            try:
                for _ in range(20):
                    stream.absorb(b"x" * 3000) if i % 2 else stream.read(3000)
            except hashwell.FinalizedError:
                return True
            return False

        in_threads(work)
        assert stream.finalized


def test_macs_are_shared_too() -> None:
    hmac, kmac = hashwell.Hmac("sha256", b"key"), hashwell.Kmac("kmac128", b"key")

    def work(i):
        for size in (10, 5000):
            hmac.update(b"x" * size)
            kmac.update(b"x" * size)
            hmac.digest(), hmac.copy(), kmac.digest(), kmac.xof().read(5)

    in_threads(work)
    message = b"x" * 5010 * THREADS
    assert hmac.digest() == hashwell.hmac("sha256", b"key", message)
    assert kmac.digest() == hashwell.kmac128(b"key", message)


def lets_others_run(work) -> bool:
    """Returns true if another thread can count while `work` runs. It tries several times, because on a busy machine the
    other thread may not get a core."""
    return any(another_gets_on(work) for _ in range(5))


def another_gets_on(work) -> bool:
    stop, counted = threading.Event(), [0]

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0)

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=count)
    # With this interval, the interpreter never switches threads by itself. The counter releases the interpreter after
    # each step, so it counts only while this thread releases the interpreter, too.
    sys.setswitchinterval(1000)
    try:
        thread.start()
        before = counted[0]
        work()
        after = counted[0]
        stop.set()
    finally:
        sys.setswitchinterval(interval)
        thread.join()
    return after > before + 10


LARGE = bytes(30_000_000)
STREAM = hashwell.shake128()


@pytest.mark.parametrize(
    "work",
    [
        lambda: hashwell.sha3_256(LARGE),
        lambda: hashwell.sha256().update(LARGE),
        lambda: hashwell.digest("sha256", LARGE),
        lambda: hashwell.new("sha512", LARGE),
        lambda: hashwell.shake128().absorb(LARGE),
        lambda: STREAM.read(20_000_000),
        lambda: STREAM.read_into(bytearray(20_000_000)),
        lambda: hashwell.shake256(b"").digest(20_000_000),
        lambda: hashwell.hmac("sha256", b"", LARGE),
        lambda: hashwell.Hmac("sha256", b"", LARGE),
        lambda: hashwell.kmac128(b"", LARGE),
        lambda: hashwell.kmac128(b"", b"", 20_000_000),
        lambda: STREAM.uniform(5_000_000, 200, out=bytearray(5_000_000)),
    ],
)
def test_others_run_during_long_work(work) -> None:
    if sys.version_info >= (3, 13) and not getattr(sys, "_is_gil_enabled", lambda: True)():
        pytest.skip("there is no GIL to release")
    assert lets_others_run(work)


def test_the_check_can_fail() -> None:
    """The control: work that never releases the interpreter must not pass the check above."""
    assert not lets_others_run(lambda: sum(range(3_000_000)))


def test_file_digest_lets_others_run(tmp_path) -> None:
    path = tmp_path / "file"
    path.write_bytes(LARGE)
    assert lets_others_run(lambda: hashwell.file_digest(path, "sha256"))


def test_buffers_are_locked_while_hashed_and_free_after() -> None:
    data = bytearray(60_000_000)
    hashing = threading.Thread(target=hashwell.sha3_256, args=(data,))
    hashing.start()
    refused = False
    while hashing.is_alive() and not refused:
        try:
            data.append(0)
            data.pop()
        except BufferError:
            refused = True
        time.sleep(0.001)
    hashing.join()
    assert refused
    data.append(0)
    stream = hashwell.shake128()
    stream.read_into(data)
    stream.uniform(3, 5, out=data)
    data.clear()


def test_a_released_memoryview_is_a_value_error() -> None:
    view = memoryview(b"abc")
    view.release()
    for call in (hashwell.sha256, hashwell.shake128().absorb):
        with pytest.raises(ValueError, match="released"):
            call(view)


def test_objects_do_not_leak() -> None:
    """References to arguments are released, on success and on errors."""
    data, text, buffer = b"leak" * 100, "leak".join("ab"), bytearray(10)
    before = [sys.getrefcount(o) for o in (data, text, buffer)]
    for _ in range(100):
        hashwell.sha256(data), hashwell.new("sha256", data=data), hashwell.digest("sha256", data, length=32)
        hashwell.blake2b(key=buffer, person=buffer), hashwell.shake128(buffer).read_into(buffer)
        for call in (lambda: hashwell.sha256(text), lambda: hashwell.sha256(nope=text), lambda: hashwell.new(text)):
            with pytest.raises((TypeError, ValueError)):
                call()
    assert [sys.getrefcount(o) for o in (data, text, buffer)] == before
