"""The digest objects compared with those of hashlib: the same digests, attributes and behavior."""

import array
import copy
import ctypes
import gzip
import hashlib
import hmac
import io
import mmap
import multiprocessing
import pathlib
import pickle
import socket
import tempfile
import zipfile

import numpy
import pytest

import hashwell

# hashlib's name and hashwell's name of every algorithm that both have.
COMMON = {
    name: name.replace("_", "-") if name.startswith("sha3") else name
    for name in sorted(hashlib.algorithms_guaranteed)
    if name in hashwell.algorithms_available
}
FIXED = [name for name in COMMON if not name.startswith("shake")]


def test_all_of_hashlib_but_md5() -> None:
    assert hashlib.algorithms_guaranteed - set(COMMON) == {"md5"}


@pytest.mark.parametrize("name", FIXED)
def test_same_digests(name, rng) -> None:
    theirs, ours = getattr(hashlib, name), getattr(hashwell, name)
    lengths = [*range(300), 511, 512, 513, 2047, 2048, 2049, 65535, 100_000]
    for length in lengths:
        data = rng.randbytes(length)
        expected = theirs(data)
        assert ours(data).digest() == expected.digest() == hashwell.digest(name, data), length
        split = hashwell.new(name)
        cut = rng.randint(0, length)
        split.update(data[:cut])
        split.update(data[cut:])
        assert split.hexdigest() == expected.hexdigest() == hashwell.hexdigest(name, data), length


@pytest.mark.parametrize("name", ["shake_128", "shake_256"])
def test_same_shake(name, rng) -> None:
    for length in range(0, 400, 7):
        data = rng.randbytes(length)
        ours, theirs = getattr(hashwell, name)(data), hashlib.new(name, data)
        for size in (0, 1, 32, 167, 168, 169, 1000):
            assert ours.digest(size) == theirs.digest(size)
            assert ours.hexdigest(size) == theirs.hexdigest(size)
        assert (ours.digest_size, ours.block_size) == (theirs.digest_size, theirs.block_size)


@pytest.mark.parametrize("name", ["blake2b", "blake2s"])
def test_same_blake2_parameters(name, rng) -> None:
    theirs, ours = getattr(hashlib, name), getattr(hashwell, name)
    for _ in range(100):
        parameters = {
            "digest_size": rng.randint(1, theirs.MAX_DIGEST_SIZE),
            "key": rng.randbytes(rng.randint(0, theirs.MAX_KEY_SIZE)),
            "salt": rng.randbytes(rng.randint(0, theirs.SALT_SIZE)),
            "person": rng.randbytes(rng.randint(0, theirs.PERSON_SIZE)),
        }
        if rng.random() < 0.5:
            parameters |= {
                "fanout": rng.randint(0, 255),
                "depth": rng.randint(1, 255),
                "leaf_size": rng.randint(0, 2**32 - 1),
                "node_offset": rng.randint(0, 2 ** (64 if name == "blake2b" else 48) - 1),
                "node_depth": rng.randint(0, 255),
                "inner_size": rng.randint(0, theirs.MAX_DIGEST_SIZE),
                "last_node": rng.random() < 0.5,
            }
        data = rng.randbytes(rng.randint(0, 300))
        expected = theirs(data, **parameters)
        digest = ours(data, **parameters, usedforsecurity=False)
        assert digest.digest() == expected.digest() == hashwell.digest(name, data, **parameters)
        assert (digest.name, digest.digest_size) == (expected.name, expected.digest_size)
        rows = [rng.randbytes(rng.randint(0, 300)) for _ in range(rng.randint(0, 40))]
        many = hashwell.hash_many(name, rows, **parameters)
        assert many == [theirs(row, **parameters).digest() for row in rows]


@pytest.mark.parametrize("name", ["blake2b", "blake2s"])
def test_same_blake2_sizes_and_limits(name) -> None:
    theirs, ours = getattr(hashlib, name), getattr(hashwell, name)
    for size in ("SALT_SIZE", "PERSON_SIZE", "MAX_KEY_SIZE", "MAX_DIGEST_SIZE"):
        assert getattr(ours, size) == getattr(theirs, size)
        assert not hasattr(hashwell.sha256, size)
    limits = {"fanout": 255, "depth": 255, "leaf_size": 2**32 - 1, "node_depth": 255, "inner_size": theirs.MAX_DIGEST_SIZE}
    limits["node_offset"] = 2 ** (64 if name == "blake2b" else 48) - 1
    for keyword, largest in limits.items():
        for value in (-1, 0, 1, largest, largest + 1):
            assert outcome(ours, keyword, value) == outcome(theirs, keyword, value), (keyword, value)
        for value in (-(2**70), 2**70):
            assert outcome(ours, keyword, value) in (ValueError, OverflowError), (keyword, value)


def outcome(function, keyword: str, value: int) -> object:
    try:
        return function(b"abc", **{keyword: value}).digest()
    except Exception as error:
        return type(error)


def test_new_takes_the_algorithm_by_name() -> None:
    expected = hashlib.sha256(b"abc").digest()
    assert hashwell.new(algorithm="sha256", data=b"abc").digest() == expected
    assert hashwell.new(string=b"abc", algorithm=hashwell.sha256).digest() == expected
    assert hashwell.new(algorithm="blake2b", key=b"k").digest() == hashwell.blake2b(key=b"k").digest()
    with pytest.raises(TypeError, match=r"new\(\) missing required argument 'algorithm'"):
        hashwell.new(data=b"abc")
    with pytest.raises(TypeError, match="algorithm"):
        hashwell.new("sha256", algorithm="sha256")
    with pytest.raises(TypeError, match="algorithm"):
        hashwell.sha256(algorithm="sha256")


def test_string_is_data() -> None:
    for name in FIXED:
        assert getattr(hashwell, name)(string=b"abc").digest() == getattr(hashlib, name)(b"abc").digest()
    assert hashwell.new("sha256", string=b"abc").digest() == hashlib.sha256(b"abc").digest()
    for arguments in ((b"", ), ()):
        with pytest.raises(TypeError, match="multiple values for argument 'data'"):
            hashwell.sha256(*arguments, string=b"", **({} if arguments else {"data": b""}))


def test_names_are_hashlibs(row) -> None:
    made = hashwell.new(row)
    assert hashwell.new(made.name).name == made.name
    if made.name in hashlib.algorithms_available:
        size = () if made.digest_size else (32,)
        assert hashlib.new(made.name, b"abc").digest(*size) == hashwell.new(row, b"abc").digest(*size)
    else:
        # Even without '-' and '_', no other name of hashwell is a name in hashlib.
        bare = {name.replace("_", "").replace("-", "").lower() for name in hashlib.algorithms_available}
        assert made.name.replace("_", "").replace("-", "") not in bare


@pytest.mark.parametrize("call", [hashwell.shake_128().digest, hashwell.shake_128().hexdigest, hashwell.shake128().read])
def test_negative_lengths(call) -> None:
    with pytest.raises(ValueError, match="a length cannot be negative"):
        call(-1)


@pytest.mark.parametrize("kind", [value for value in vars(hashwell).values() if isinstance(value, type) and value.__module__ == "hashwell"])
def test_classes_are_immutable(kind) -> None:
    if issubclass(kind, Exception):
        return  # Exceptions that are not built in can be changed in Python as well.
    with pytest.raises(TypeError, match="immutable type"):
        kind.value = False
    with pytest.raises(TypeError, match="immutable type"):
        del kind.__doc__


@pytest.mark.parametrize("name", FIXED)
def test_same_attributes(name) -> None:
    ours, theirs = getattr(hashwell, name)(b"abc"), getattr(hashlib, name)(b"abc")
    assert ours.name == theirs.name == name
    assert (ours.digest_size, ours.block_size) == (theirs.digest_size, theirs.block_size)
    missing = {method for method in dir(theirs) if not method.startswith(("_", "MAX", "SALT", "PERSON"))}
    assert missing <= set(dir(ours))


def test_contract(digest) -> None:
    ours = hashwell.new(digest, b"abc")
    first = ours.digest()
    assert ours.digest() == first and ours.hexdigest() == first.hex() and len(first) == ours.digest_size
    twin = ours.copy()
    assert ours.update(b"d" * 300) is None
    assert twin.digest() == first != ours.digest() == hashwell.digest(digest, b"abc" + b"d" * 300)
    twin.update(b"d" * 300)
    assert twin.digest() == ours.digest()
    assert digest.split("-")[0] in repr(ours)
    assert getattr(hashwell, digest.replace("-", "_"))(data=b"abc", usedforsecurity=False).digest() == first
    for name in (ours.algorithm.name, *ours.algorithm.aliases, digest.upper()):
        assert hashwell.new(name, b"abc").digest() == first
    assert hashwell.new(ours.algorithm, b"abc").digest() == first
    assert hashwell.algorithms[digest].block_size == ours.block_size
    with pytest.raises(TypeError):
        type(ours)()
    for twin in (pickle.loads(pickle.dumps(ours)), copy.copy(ours)):
        assert twin.digest() == ours.digest()


def test_messages_are_cut_anywhere(row, rng) -> None:
    data = rng.randbytes(1500)
    expected = hashwell.digest(row, data, hashwell.algorithms[row].digest_size or 50)
    for _ in range(20):
        ours, cuts = hashwell.new(row), sorted(rng.randint(0, 1500) for _ in range(rng.randint(0, 40)))
        for start, end in zip([0, *cuts], [*cuts, 1500]):
            ours.update(data[start:end])
            if rng.random() < 0.1:
                ours = ours.copy()
        assert (ours.digest() if ours.digest_size else ours.digest(50)) == expected


def contiguous_buffers() -> dict[str, object]:
    numbers = numpy.arange(100, dtype=numpy.float64)
    page = mmap.mmap(-1, 4096)
    page.write(b"page")
    return {
        "bytes": b"\x01\x02\x03",
        "bytes subclass": type("Bytes", (bytes,), {})(b"xyz"),
        "bytearray": bytearray(range(256)),
        "empty bytearray": bytearray(),
        "memoryview": memoryview(b"abcdef")[1:4],
        "memoryview of two dimensions": memoryview(bytes(12)).cast("B", (3, 4)),
        "memoryview of chars": memoryview(b"abc").cast("c"),
        "array of unsigned": array.array("I", range(10)),
        "array of doubles": array.array("d", [1.5, -2.5]),
        "array of unicode": array.array("w" if "w" in array.typecodes else "u", "ab"),
        "numpy doubles": numbers,
        "numpy slice": numbers[10:20],
        "numpy of two dimensions": numbers.reshape(10, 10),
        "numpy scalar array": numpy.array(3.25),
        "numpy empty": numpy.zeros((0, 5)),
        "numpy booleans": numpy.ones(5, dtype=bool),
        "numpy records": numpy.zeros(3, dtype=[("a", "i4"), ("b", "f8")]),
        "numpy big-endian": numpy.arange(5, dtype=">u2"),
        "numpy read-only": numpy.frombuffer(b"12345678", dtype="u4"),
        "ctypes array": (ctypes.c_uint32 * 4)(1, 2, 3, 4),
        "ctypes structure": ctypes.c_double(1.25),
        "mmap": page,
        "BytesIO buffer": io.BytesIO(b"hello").getbuffer(),
    }


@pytest.mark.parametrize("kind", contiguous_buffers())
@pytest.mark.parametrize("name", ["sha256", "shake128"])
def test_any_contiguous_buffer(name, kind) -> None:
    buffer = contiguous_buffers()[kind]
    data = memoryview(buffer).tobytes()
    expected = hashwell.new(name, data).digest(*[32][: name == "shake128"])
    if "BytesIO" not in kind and "two dimensions" not in kind and "scalar" not in kind:
        assert name == "shake128" or hashlib.sha256(buffer).digest() == expected
    assert hashwell.digest(name, buffer, 32) == expected
    updated = hashwell.new(name)
    updated.update(buffer)
    assert updated.digest(*[32][: name == "shake128"]) == expected
    assert hashwell.hmac("sha256", buffer, buffer) == hashwell.hmac("sha256", data, data)


@pytest.mark.parametrize(
    "strided",
    [
        memoryview(b"abcdef")[::2],
        memoryview(b"abcdef")[::-1],
        numpy.arange(10)[::2],
        numpy.arange(12).reshape(3, 4).T,
        numpy.asfortranarray(numpy.arange(12).reshape(3, 4)),
        numpy.broadcast_to(numpy.array(7), (5,)),
    ],
    ids=["step", "reversed", "numpy step", "transposed", "fortran", "broadcast"],
)
def test_strided_buffers_are_refused(strided) -> None:
    calls = [
        lambda: hashwell.sha256(strided),
        lambda: hashwell.shake128(strided),
        lambda: hashwell.digest("sha256", strided),
        lambda: hashwell.sha256().update(strided),
        lambda: hashwell.shake128().absorb(strided),
        lambda: hashwell.hmac("sha256", strided, b""),
        lambda: hashwell.blake2b(key=strided),
        lambda: hashwell.Kmac("kmac128", strided),
        lambda: hashwell.shake128().read_into(strided),
    ]
    for call in calls[: -1 if memoryview(strided).readonly else None]:
        with pytest.raises(BufferError, match="C-contiguous"):
            call()


@pytest.mark.parametrize("wrong", ["text", None, 5, 1.5, ["a"], object()], ids=repr)
def test_what_is_no_buffer_is_a_type_error(wrong) -> None:
    for call in (hashwell.sha256, hashwell.sha256().update, hashwell.shake128().absorb):
        with pytest.raises(TypeError, match="Strings must be encoded|bytes-like object"):
            call(wrong)


@pytest.mark.parametrize("key", [b"", b"key", bytes(200)], ids=len)
@pytest.mark.parametrize("name", FIXED)
def test_hmac_new_takes_constructors(name, key) -> None:
    ours = hmac.new(key, b"message", digestmod=getattr(hashwell, name))
    theirs = hmac.new(key, b"message", digestmod=name)
    assert ours.digest() == theirs.digest() and ours.hexdigest() == theirs.hexdigest()
    assert ours.digest() == hashwell.hmac(name, key, b"message")


def test_hmac_new_over_blake3(recwarn) -> None:
    ours = hmac.new(b"key", b"message", digestmod=hashwell.blake3)
    assert ours.digest() == hashwell.hmac("blake3", b"key", b"message")
    assert not recwarn.list


def test_hmac_new_over_a_stream_says_what_is_wrong() -> None:
    with pytest.raises(TypeError, match="HMAC is not defined over such functions"):
        hmac.new(b"key", b"message", digestmod=hashwell.shake128).digest()


def test_hashlib_file_digest_takes_constructors() -> None:
    data = bytes(range(256)) * 5000
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        assert hashlib.file_digest(file, hashwell.sha3_256).hexdigest() == hashlib.sha3_256(data).hexdigest()
    assert hashlib.file_digest(io.BytesIO(data), hashwell.blake3).digest() == hashwell.digest("blake3", data)


class TestFileDigest:
    data = bytes(range(251)) * 40_000

    def test_path(self, tmp_path) -> None:
        path = tmp_path / "file"
        path.write_bytes(self.data)
        for named in (path, str(path), bytes(path)):
            assert hashwell.file_digest(named, "sha256").digest() == hashlib.sha256(self.data).digest()
        assert hashwell.file_digest(path, hashwell.shake128).read(5) == hashwell.shake128(self.data).read(5)
        keyed = hashwell.file_digest(path, "blake2b", key=b"k", digest_size=10)
        assert keyed.digest() == hashlib.blake2b(self.data, key=b"k", digest_size=10).digest()

    def test_open_file(self, tmp_path) -> None:
        path = tmp_path / "file"
        path.write_bytes(self.data)
        for buffering in (0, -1):
            with open(path, "rb", buffering=buffering) as file:
                file.read(10)
                digest = hashwell.file_digest(file, "sha256").digest()
                assert digest == hashlib.sha256(self.data[10:]).digest() and not file.closed
        assert hashwell.file_digest(io.BytesIO(b"abc"), "sha1").hexdigest() == hashlib.sha1(b"abc").hexdigest()

    def test_from_the_position_to_the_end(self, tmp_path) -> None:
        """Any object that is open for reading bytes works. Afterwards, it is at its end."""
        path, packed = tmp_path / "file", tmp_path / "file.gz"
        path.write_bytes(self.data)
        packed.write_bytes(gzip.compress(self.data))
        archive = tmp_path / "archive.zip"
        with zipfile.ZipFile(archive, "w") as written:
            written.writestr("file", self.data)
        makers = {
            "BytesIO": lambda: io.BytesIO(self.data),
            "a class of its own": lambda: type("Memory", (io.BytesIO,), {})(self.data),
            "BufferedReader over BytesIO": lambda: io.BufferedReader(io.BytesIO(self.data)),
            "BufferedRandom": lambda: path.open("r+b"),
            "raw": lambda: path.open("rb", buffering=0),
            "SpooledTemporaryFile": self.spooled,
            "gzip": lambda: gzip.open(packed),
            "zip": lambda: zipfile.ZipFile(archive).open("file"),
        }
        end = len(self.data)
        for name, make in makers.items():
            for position in (0, 10, 300_000, end, end + 5):
                with make() as file:
                    file.seek(position)
                    digest = hashwell.file_digest(file, "sha256").digest()
                    assert digest == hashlib.sha256(self.data[position:]).digest(), (name, position)
                    assert not file.closed and file.read() == b"" and file.tell() in (end, max(end, position)), name
        written = io.BytesIO()
        written.write(b"abc")
        assert hashwell.file_digest(written, "sha256").digest() == hashlib.sha256().digest() and written.tell() == 3
        # The object can be written to afterwards, because nothing holds its memory.
        assert written.write(b"d" * 10_000) == 10_000

    def spooled(self):
        file = tempfile.SpooledTemporaryFile()
        file.write(self.data)
        return file

    def test_sockets(self) -> None:
        for buffering in (-1, 0):
            ours, theirs = socket.socketpair()
            with ours, theirs, ours.makefile("rb", buffering=buffering) as file:
                theirs.sendall(b"headerBODY")
                theirs.shutdown(socket.SHUT_WR)
                assert file.read(6) == b"header"
                assert hashwell.file_digest(file, "sha256").digest() == hashlib.sha256(b"BODY").digest()

    def test_errors_are_those_of_open(self, tmp_path) -> None:
        with pytest.raises(FileNotFoundError) as caught:
            hashwell.file_digest(tmp_path / "none", "sha256")
        assert caught.value.errno == 2 and caught.value.filename == tmp_path / "none"
        assert "os error" not in str(caught.value)
        with pytest.raises(IsADirectoryError):
            hashwell.file_digest(tmp_path, "sha256")
        with pytest.raises(ValueError, match="nor a file opened in binary mode for reading"):
            hashwell.file_digest(io.StringIO("text"), "sha256")
        with open(tmp_path / "out", "wb") as file, pytest.raises(ValueError):
            hashwell.file_digest(file, "sha256")


def test_a_large_file_on_all_cores_and_in_a_forked_process(tmp_path: pathlib.Path) -> None:
    """A file of 9 MB has more than two pieces, so BLAKE3 and KT use threads. A forked child must not wait for the
    threads of its parent."""
    data = bytes(range(251)) * 36_000
    path = tmp_path / "large"
    path.write_bytes(data)
    for name in ["blake3", "kt128", "kt256", "sha256"]:
        params = {"digest_size": 32} if name.startswith("kt") else {}
        assert hashwell.file_digest(path, name, **params).digest() == hashwell.new(name, data, **params).digest()
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=lambda: sender.send(hashwell.file_digest(path, "blake3").digest()))
    child.start()
    assert receiver.poll(60), "the child hangs"
    assert receiver.recv() == hashwell.digest("blake3", data)
    child.join()
