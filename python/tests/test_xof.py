"""Output streams: two phases, reads of any length, and seeking if blocks are independent."""

import array
import hashlib
import io
import pickle
import sys

import numpy
import pytest

import hashwell


def test_phases(xof) -> None:
    stream = hashwell.new(xof, b"ab")
    assert stream.absorb(b"c") is stream and stream.update(b"d") is None
    assert not stream.finalized and stream.tell() == 0 and "absorbing" in repr(stream)
    first = stream.digest(50)
    assert stream.digest(50) == first == hashwell.digest(xof, b"abcd", 50) and not stream.finalized
    assert stream.hexdigest(50) == first.hex() == hashwell.hexdigest(xof, b"abcd", length=50)
    assert stream.finalize() is stream and stream.finalize() is stream and stream.finalized
    assert stream.read(20) + stream.read(30) == first
    assert stream.tell() == 50 and "reading at 50" in repr(stream)
    for call in (stream.absorb, stream.update):
        with pytest.raises(hashwell.FinalizedError, match="cannot append data after"):
            call(b"e")
    with pytest.raises(hashwell.FinalizedError):
        stream.digest(5)
    assert issubclass(hashwell.FinalizedError, ValueError)
    assert stream.tell() == 50


def test_reading_ends_the_message(xof) -> None:
    expected = hashwell.digest(xof, b"abc", 100)
    for end in (lambda s: s.read(0), lambda s: s.read_into(bytearray()), lambda s: s.uniform(0, 5)):
        stream = hashwell.new(xof, b"abc")
        end(stream)
        assert stream.finalized and stream.read(100) == expected


def test_reads_are_cut_anywhere(xof, rng) -> None:
    whole = hashwell.digest(xof, b"seed", 5000)
    stream, read = hashwell.new(xof, b"seed"), b""
    while len(read) < 4000:
        match rng.randint(0, 4):
            case 0:
                read += stream.read(rng.randint(0, 20))
            case 1:
                room = bytearray(rng.randint(0, 400))
                assert stream.read_into(room) is None
                read += room
            case 2:
                read += next(stream)
            case 3:
                stream = stream.copy()
            case 4:
                rate = stream.block_size
                read += stream.read(rng.choice([rate - 1, rate, rate + 1]))
        assert stream.tell() == len(read)
    assert whole.startswith(read[:5000])


def test_copies_are_independent(xof) -> None:
    stream = hashwell.new(xof, b"abc")
    twin = stream.copy()
    twin.absorb(b"d")
    stream.read(10)
    other = stream.copy()
    assert stream.read(30) == other.read(30) == hashwell.digest(xof, b"abc", 40)[10:]
    assert twin.read(5) == hashwell.digest(xof, b"abcd", 5)


def test_iteration_yields_blocks(xof) -> None:
    stream = hashwell.new(xof)
    assert iter(stream) is stream
    blocks = [block for block, _ in zip(stream, range(3))]
    assert b"".join(blocks) == hashwell.digest(xof, b"", 3 * stream.block_size)


def test_seek(xof) -> None:
    stream = hashwell.new(xof, b"abc")
    if not stream.seekable():
        assert xof != "blake3"
        with pytest.raises(io.UnsupportedOperation, match=stream.name):
            stream.seek(0)
        assert stream.tell() == 0
        return
    whole = hashwell.digest(xof, b"abc", 1000)
    for position in (0, 1, 63, 64, 65, 640, 999):
        assert stream.seek(position) == position == stream.tell()
        assert stream.read(1000 - position) == whole[position:]
    assert stream.seek(-500, 1) == 500 and stream.read(500) == whole[500:]
    assert stream.seek(2**63) == 2**63 and len(stream.read(70)) == 70
    for offset, whence in ((-1, 0), (2**64, 0), (-(2**127), 1)):
        with pytest.raises(OverflowError):
            stream.seek(offset, whence)
    for whence in (2, -1):
        with pytest.raises(ValueError):
            stream.seek(0, whence)


def test_lengths(xof) -> None:
    stream = hashwell.new(xof)
    for call in (stream.read, stream.digest, stream.hexdigest):
        with pytest.raises(ValueError, match="a length cannot be negative"):
            call(-1)
        with pytest.raises(OverflowError):
            call(2**63)
        with pytest.raises(MemoryError):
            call(2**62)
        with pytest.raises(TypeError):
            call("1")
        with pytest.raises(TypeError):
            call(1.0)
    with pytest.raises(MemoryError):
        stream.uniform(2**60, 5)
    assert stream.tell() == 0 and stream.read(numpy.int64(3)) == hashwell.digest(xof, b"", 3)


def test_digest_needs_a_length_or_a_size(xof) -> None:
    row = hashwell.algorithms[xof]
    sized = hashwell.new(xof, b"abc", digest_size=20)
    assert sized.digest_size == 20 and sized.digest() == hashwell.digest(xof, b"abc", 20)
    assert sized.copy().digest() == sized.digest() and sized.digest(3) == sized.digest()[:3]
    stream = hashwell.new(xof, b"abc")
    assert stream.digest_size == row.digest_size
    if row.hmac:
        assert stream.digest() == hashwell.digest(xof, b"abc") == stream.digest(row.digest_size)
    else:
        for call in (stream.digest, stream.hexdigest, lambda: hashwell.digest(xof, b"abc")):
            with pytest.raises(TypeError, match="pass a length"):
                call()


@pytest.mark.parametrize("target", [array.array("I", bytes(400)), numpy.zeros((10, 5), "f8"), bytearray(10_000)], ids=type)
def test_read_into_any_writable_buffer(target) -> None:
    hashwell.shake256(b"x").read_into(target)
    data = memoryview(target).tobytes()
    assert data == hashlib.shake_256(b"x").digest(len(data))


@pytest.mark.parametrize("target", [b"bytes", memoryview(b"bytes"), numpy.frombuffer(b"bytes", "u1"), "text", None], ids=repr)
def test_read_into_needs_a_writable_buffer(target) -> None:
    stream = hashwell.shake128()
    with pytest.raises(TypeError):
        stream.read_into(target)
    assert not stream.finalized


def test_read_into_a_strided_view_writes_nothing() -> None:
    memory = bytearray(100)
    for view in (memoryview(memory)[::2], memoryview(memory)[50:40:-1]):
        with pytest.raises(BufferError):
            hashwell.shake128().read_into(view)
    assert memory == bytes(100)


def test_picklable_until_it_is_read() -> None:
    stream = pickle.loads(pickle.dumps(hashwell.shake128(b"seed")))
    assert stream.read(4) == hashwell.shake128(b"seed").read(4)
    with pytest.raises(TypeError, match="finalized"):
        pickle.dumps(stream)


class TestUniform:
    def bytewise(self, stream, n, below, bits):
        """The definition: groups of whole bytes, or groups of two candidates if bits is an odd multiple of four."""
        pairs = bits % 8 == 4
        drawn = []
        while len(drawn) < n:
            group = int.from_bytes(stream.read(bits // 4 if pairs else -(-bits // 8)), "little")
            for shift in (0, bits)[: 1 + pairs]:
                candidate = group >> shift & ((1 << bits) - 1)
                if candidate < below and len(drawn) < n:
                    drawn.append(candidate)
        return drawn

    def test_as_defined(self, xof, rng) -> None:
        for _ in range(30):
            bits = rng.randint(1, 64)
            below = rng.randint(1, min(2**bits, 2**64 - 1))
            least = max(1, (below - 1).bit_length())
            bits = rng.randint(least, min(64, least + 5))
            seed, n = rng.randbytes(8), rng.randint(0, 60)
            ours, earlier, theirs = (hashwell.new(xof, seed) for _ in range(3))
            expected = self.bytewise(theirs, n, below, bits)
            assert ours.ml_rej_uniform(n, below, bits) == earlier.uniform(n, below, bits) == expected
            assert ours.read(9) == earlier.read(9) == theirs.read(9)

    def test_ml_dsa(self) -> None:
        """FIPS 204 algorithm 30."""
        ours, stream, drawn = hashwell.shake128(b"rho"), hashwell.shake128(b"rho"), []
        while len(drawn) < 256:
            a, b, c = stream.read(3)
            value = a | b << 8 | (c & 127) << 16
            if value < 8380417:
                drawn.append(value)
        assert ours.ml_rej_uniform(256, 8380417) == drawn and ours.tell() == stream.tell()

    def test_ml_kem(self) -> None:
        """FIPS 203 algorithm 7."""
        ours, stream, drawn = hashwell.shake128(b"rho"), hashwell.shake128(b"rho"), []
        while len(drawn) < 256:
            a, b, c = stream.read(3)
            drawn += [d for d in (a + 256 * (b % 16), b // 16 + 16 * c) if d < 3329]
        assert ours.ml_rej_uniform(256, 3329) == drawn[:256] and ours.tell() == stream.tell()

    @pytest.mark.parametrize("code", "bBhHiIlLqQ")
    def test_into_a_buffer(self, code) -> None:
        expected = hashwell.shake128(b"s").uniform(100, 128)
        out = array.array(code, [0] * 120)
        assert hashwell.shake128(b"s").uniform(100, 128, out=out) is out
        assert out.tolist() == expected + [0] * 20
        out = numpy.zeros((10, 12), code)
        hashwell.shake128(b"s").uniform(100, 128, out=out)
        assert out.ravel().tolist() == expected + [0] * 20

    def test_into_bytes_at_an_odd_address(self) -> None:
        memory = bytearray(8 * 10 + 1)
        hashwell.shake128(b"s").uniform(10, 2**64 - 1, out=memoryview(memory)[1:].cast("Q"))
        assert memoryview(memory)[1:].cast("Q").tolist() == hashwell.shake128(b"s").uniform(10, 2**64 - 1)

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [
            ((1, 0), ValueError),
            ((1, -1), ValueError),
            ((1, 2**64), ValueError),
            ((1, 257, 8), ValueError),
            ((1, 5, 65), ValueError),
            ((1, 5, -1), ValueError),
            ((-1, 5), ValueError),
            ((1, "5"), TypeError),
            ((1, 5.0), TypeError),
        ],
    )
    def test_wrong_arguments_read_nothing(self, arguments, error) -> None:
        stream = hashwell.shake128().finalize()
        with pytest.raises(error):
            stream.uniform(*arguments)
        assert stream.tell() == 0

    @pytest.mark.parametrize(
        ("out", "error"),
        [
            (bytearray(9), ValueError),
            (array.array("b", bytes(20)), ValueError),
            (array.array("f", [0] * 20), BufferError),
            (numpy.zeros(20, ">u2"), BufferError),
            (numpy.zeros(20, bool), BufferError),
            (numpy.zeros(40, "u2")[::2], BufferError),
            (bytes(20), TypeError),
            ([0] * 20, TypeError),
        ],
        ids=["short", "small items", "floats", "byte order", "booleans", "strided", "read-only", "list"],
    )
    def test_wrong_buffers_read_nothing(self, out, error) -> None:
        stream = hashwell.shake128().finalize()
        with pytest.raises(error):
            stream.uniform(10, 200, out=out)
        assert stream.tell() == 0


def test_lengths_beyond_memory_say_so(xof) -> None:
    stream = hashwell.new(xof).finalize()
    for length in (2**63, 2**70, 10**5000):
        for read in (stream.read, lambda n: stream.ml_rej_uniform(n, 5), hashwell.new(xof).hexdigest):
            with pytest.raises(OverflowError, match=f"^a length must be 0 to {sys.maxsize}"):
                read(length)
    with pytest.raises(OverflowError, match=rf", not {2**70}\b"):
        stream.read(2**70)
    for length in (-1, -(2**70)):
        with pytest.raises(ValueError, match="^a length cannot be negative"):
            stream.read(length)
    assert stream.tell() == 0
