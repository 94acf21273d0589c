"""Many messages in one call: lists, rows, Arrow columns. Every algorithm is compared with hashing one by one, and with
hashlib."""

import pickle
import array
import collections.abc
import ctypes
import gc
import hashlib
import hmac
import itertools
import random
import sys
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy
import pandas
import polars
import pyarrow
import pytest
from test_registry import PARAMETERS
from test_threads import lets_others_run

import hashwell

SHORT_ROWS = b"", b"a", b"abc" * 100


def messages_of(rng: random.Random, count: int = 700, longest: int = 600) -> list[bytes]:
    """Messages of every length up to the longest, if `count` is large enough, in random order."""
    lengths = [i % (longest + 1) for i in range(count)]
    rng.shuffle(lengths)
    return [rng.randbytes(length) for length in lengths]


def sha256_of(messages) -> list[bytes]:
    return [hashlib.sha256(message).digest() for message in messages]


def digests_or_none(messages) -> list[bytes | None]:
    return [None if message is None else hashlib.sha256(message).digest() for message in messages]


class TestLists:
    def test_every_algorithm(self, row, rng) -> None:
        messages = messages_of(rng)
        size = hashwell.algorithms[row].digest_size or 50
        expected = [hashwell.digest(row, message, size) for message in messages]
        assert hashwell.hash_many(row, messages, length=size) == expected
        assert hashwell.hash_many(row, messages, length=size, contiguous=True) == b"".join(expected)
        assert hashwell.hash_many(row, messages, length=size, threads=3) == expected
        if row.replace("-", "_") in hashlib.algorithms_guaranteed and hashwell.algorithms[row].kind == "digest":
            assert expected == [hashlib.new(row.replace("-", "_"), message).digest() for message in messages]

    def test_batch_kernels(self) -> None:
        kernels = hashwell.algorithms["sha256"].batch_kernels
        assert all(kernel.name in hashwell.kernels() for kernel in kernels)
        assert hashwell.algorithms["blake3"].batch_kernels == ()

    def test_parameters(self, row) -> None:
        size = hashwell.algorithms[row].digest_size or 32
        for keyword, value in PARAMETERS.items():
            if keyword in hashwell.algorithms[row].parameters:
                expected = [hashwell.digest(row, message, size, **{keyword: value}) for message in SHORT_ROWS]
                assert hashwell.hash_many(row, SHORT_ROWS, length=size, **{keyword: value}) == expected
            else:
                with pytest.raises(TypeError, match=rf"hash_many\(\) got an unexpected keyword argument '{keyword}'"):
                    hashwell.hash_many(row, [], length=size, **{keyword: value})

    def test_kernels(self, row, rng) -> None:
        messages, size = messages_of(rng, 100), hashwell.algorithms[row].digest_size or 50
        expected = hashwell.hash_many(row, messages, length=size)
        for kernel in (*hashwell.algorithms[row].kernels, *hashwell.algorithms[row].batch_kernels):
            if kernel.available:
                assert hashwell.hash_many(row, messages, length=size, kernel=kernel.name) == expected
            else:
                with pytest.raises(RuntimeError, match="CPU feature"):
                    hashwell.hash_many(row, [], length=size, kernel=kernel.name)
        with pytest.raises(ValueError, match="unknown kernel 'nope'"):
            hashwell.hash_many(row, messages, length=size, kernel="nope")

    def test_any_buffers(self) -> None:
        words = array.array("I", [1, 2, 3])
        structure = (ctypes.c_char * 3)(b"a", b"b", b"c")
        rows = [b"abc", bytearray(b"abc"), memoryview(b"xabcx")[1:4], words, structure, numpy.arange(6.0), b""]
        assert hashwell.hash_many("sha256", rows) == sha256_of(rows)

        class Bytes(bytes):
            pass

        assert hashwell.hash_many("sha256", [Bytes(b"abc"), b"x"]) == sha256_of([b"abc", b"x"])

    @pytest.mark.parametrize("make", [list, tuple, iter, lambda rows: (row for row in rows), dict.fromkeys])
    def test_any_iterables(self, make) -> None:
        rows = [b"%d" % i for i in range(5000)]
        assert hashwell.hash_many("sha256", make(rows)) == sha256_of(rows)
        assert hashwell.hash_many("sha256", make(rows), contiguous=True) == b"".join(sha256_of(rows))
        assert hashwell.hash_many("sha256", make([])) == []

    def test_object_arrays_are_lists(self) -> None:
        rows = numpy.array([b"a", b"bc"] * 5, dtype=object)
        assert hashwell.hash_many("sha256", rows[::2]) == sha256_of([b"a"] * 5)
        with pytest.raises(BufferError, match="Python objects"):
            hashwell.hash_many("sha256", rows.reshape(5, 2))

    @pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "latin-1", "utf-16-le"])
    def test_strings_with_an_encoding(self, encoding) -> None:
        texts = ["", "a", "naïve", "ü" * 500]
        expected = sha256_of(text.encode(encoding) for text in texts)
        for messages in (texts, iter(texts), numpy.array(texts), numpy.array(texts, numpy.dtypes.StringDType())):
            assert hashwell.hash_many("sha256", messages, encoding=encoding) == expected
        assert hashwell.hash_many("sha256", ["a", b"b", bytearray(b"c")], encoding=encoding) == sha256_of(
            ["a".encode(encoding), b"b", b"c"]
        )
        assert hashwell.xof_many("shake128", texts[:2], 4, encoding=encoding) == [
            hashwell.shake128(text.encode(encoding)).read(4) for text in texts[:2]
        ]
        assert hashwell.hmac_many("sha256", b"k", texts, encoding=encoding) == [
            hmac.digest(b"k", text.encode(encoding), "sha256") for text in texts
        ]
        assert hashwell.hmac_many("sha256", [b"k", b"l"], "ü", encoding=encoding) == [
            hmac.digest(key, "ü".encode(encoding), "sha256") for key in (b"k", b"l")
        ]

    def test_masked_arrays_are_refused(self) -> None:
        for shape in ((2, 3), (6,)):
            masked = numpy.ma.array(numpy.arange(6, dtype="u1").reshape(shape), mask=numpy.ones(shape, bool))
            for call in (lambda: hashwell.hash_many("sha256", masked), lambda: hashwell.hmac_many("sha256", b"k", masked)):
                with pytest.raises(TypeError, match=r"numpy.ma.MaskedArray cannot be hashed.* \.filled\(\)"):
                    call()
            assert len(hashwell.hash_many("sha256", masked.data.reshape(2, 3))) == 2

    def test_columns_pickle(self) -> None:
        column = pyarrow.array([b"a", None, b"c"])
        for hex in (False, True):
            digests = hashwell.hash_many("sha256", column, hex=hex)
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                again = pickle.loads(pickle.dumps(digests[:2], protocol))
                assert (again, again.null_count, list(again)) == (digests[:2], 1, list(digests)[:2])
                assert pyarrow.array(again) == pyarrow.array(digests[:2])
        make, arguments = hashwell.hash_many("sha256", column).__reduce__()
        for place, wrong in [(0, arguments[0][1:]), (1, 4), (2, 2**63), (4, [3]), (4, [1, 1]), (4, [2, 1])]:
            with pytest.raises(ValueError, match="not a pickled column of digests"):
                make(*arguments[:place], wrong, *arguments[place + 1 :])
        for rows in (2**63, 2**64 - 1):
            for hex in (False, True):
                with pytest.raises(ValueError, match="not a pickled column of digests"):
                    make(b"", rows, 0, hex, [])

    def test_modules_that_may_not_be_imported(self, monkeypatch) -> None:
        expected = list(hashwell.hash_many("sha256", (b"a", b"b")))
        for name in ("pandas", "numpy.ma", "numpy"):
            monkeypatch.setitem(sys.modules, name, None)
        assert list(hashwell.hash_many("sha256", (b"a", b"b"))) == expected
        assert len(hashwell.hmac_many("sha256", b"k", (b"a", b"b"))) == 2

    def test_encodings_refused(self) -> None:
        with pytest.raises(LookupError, match="nope"):
            hashwell.hash_many("sha256", [], encoding="nope")
        with pytest.raises(LookupError, match="text encoding"):
            hashwell.hash_many("sha256", ["a"], encoding="rot13")
        with pytest.raises(UnicodeEncodeError) as caught:
            hashwell.hash_many("sha256", ["a", "ü"], encoding="ascii")
        assert caught.value.__notes__ == ["in row 1 of the messages"]
        with pytest.raises(TypeError, match="not one 'str' object"):
            hashwell.hash_many("sha256", "abc", encoding="utf-8")
        with pytest.raises(TypeError, match="array of str must be encoded"):
            hashwell.hash_many("sha256", numpy.array(["a", "b"]))
        with pytest.raises(TypeError, match="keys must be bytes"):
            hashwell.hmac_many("sha256", ["k", "l"], b"m", encoding="utf-8")
        for keys in ("k", ["k", "l"], [b"k", "l"]):
            with pytest.raises(TypeError, match="keys must be bytes, not str: .*encoding= applies only to messages"):
                hashwell.hmac_many("sha256", keys, [b"m", b"n"], encoding="utf-8")
        with pytest.raises(ValueError, match="'utf-8' or left out, not 'latin-1'"):
            hashwell.hash_many("sha256", pyarrow.array(["ü"]), encoding="latin-1")
        assert list(hashwell.hash_many("sha256", pyarrow.array(["ü"]), encoding="U8")) == sha256_of(["ü".encode()])

    def test_hexadecimal(self) -> None:
        expected = [digest.hex() for digest in sha256_of(SHORT_ROWS)]
        assert hashwell.hash_many("sha256", SHORT_ROWS, hex=True) == expected
        rows = numpy.zeros((3, 2), numpy.uint8)
        assert hashwell.hash_many("sha256", rows, hex=True) == [hashlib.sha256(bytes(2)).hexdigest()] * 3
        assert hashwell.xof_many("shake128", SHORT_ROWS, 4, hex=True) == [hashwell.shake128(row).read(4).hex() for row in SHORT_ROWS]
        assert hashwell.hmac_many("sha256", b"k", SHORT_ROWS, hex=True) == [hmac.new(b"k", row, "sha256").hexdigest() for row in SHORT_ROWS]
        for wrong in ({"contiguous": True}, {"out": bytearray(96)}):
            with pytest.raises(TypeError, match="hex=True cannot be used"):
                hashwell.hash_many("sha256", SHORT_ROWS, hex=True, **wrong)

    def test_nothing(self, row) -> None:
        assert hashwell.hash_many(row, [], length=hashwell.algorithms[row].digest_size or 1) == []
        assert hashwell.hash_many("sha256", [], contiguous=True, threads=0) == b""
        assert hashwell.hash_many("sha256", [], out=(out := bytearray())) is out

    @pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 2047, 2048, 2049, 5000])
    def test_counts_about_a_window(self, count) -> None:
        rows = [b"%d" % i for i in range(count)]
        for threads in (0, 1, 2, 7):
            assert hashwell.hash_many("sha256", rows, threads=threads) == sha256_of(rows)

    def test_lengths_of_digests(self) -> None:
        for size in (1, 20, 64):
            expected = [hashlib.blake2b(row, digest_size=size).digest() for row in SHORT_ROWS]
            assert hashwell.hash_many("blake2b", SHORT_ROWS, length=size) == expected
            assert hashwell.hash_many("blake2b", SHORT_ROWS, digest_size=size) == expected
        with pytest.raises(ValueError, match="1 to 64 bytes, not 65"):
            hashwell.hash_many("blake2b", [], length=65)
        with pytest.raises(ValueError, match="must be 32 bytes, not 16"):
            hashwell.hash_many("sha256", [], length=16)
        with pytest.raises(TypeError, match="without a digest size"):
            hashwell.hash_many("shake128", [])

    @pytest.mark.parametrize(
        ("messages", "error", "text"),
        [
            ("abc", TypeError, "must be encoded"),
            ("", TypeError, "must be encoded"),
            (["abc"], TypeError, "must be encoded"),
            ([b"", "abc"], TypeError, "must be encoded"),
            (None, TypeError, "not iterable"),
            ([None], TypeError, "bytes-like"),
            ([b"", 3], TypeError, "not 'int'"),
            (b"abc", TypeError, "not one 'bytes' object"),
            (bytearray(3), TypeError, "not one 'bytearray' object"),
            (numpy.zeros(3), TypeError, "not one 'ndarray' object"),
            (numpy.zeros((2, 2, 2)), TypeError, "must have 2 dimensions, not 3"),
            ([memoryview(b"abcdef")[::2]], BufferError, "C-contiguous"),
        ],
    )
    def test_refused(self, messages, error, text) -> None:
        for arguments in ({}, {"contiguous": True}, {"threads": 2}):
            with pytest.raises(error, match=text):
                hashwell.hash_many("sha256", messages, **arguments)

    def test_errors_tell_the_row(self) -> None:
        with pytest.raises(TypeError) as caught:
            hashwell.hash_many("sha256", [b""] * 3000 + [None])
        assert caught.value.__notes__ == ["in row 3000 of the messages"]

    def test_calls_with_wrong_arguments(self) -> None:
        for call in (
            lambda: hashwell.hash_many("sha256"),
            lambda: hashwell.hash_many("sha256", [], 32),
            lambda: hashwell.hash_many("sha256", [], nope=1),
            lambda: hashwell.hash_many("sha256", [], threads=1.5),
            lambda: hashwell.hash_many("sha256", [], threads=None),
        ):
            with pytest.raises(TypeError):
                call()
        for threads in (-1, 4097, 2**63, -(10**30)):
            for call in (
                lambda threads=threads: hashwell.hash_many("sha256", [], threads=threads),
                lambda threads=threads: hashwell.xof_many("shake128", [], 1, threads=threads),
                lambda threads=threads: hashwell.hmac_many("sha256", b"", [], threads=threads),
            ):
                with pytest.raises(ValueError, match=rf"^threads must be 0 to 4096, not {threads}\b"):
                    call()
        with pytest.raises(ValueError, match="did you mean 'sha256'"):
            hashwell.hash_many("sha265", [])

    def test_an_iterator_that_fails(self) -> None:
        def failing():
            yield b"abc"
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            hashwell.hash_many("sha256", failing())


class Pointer(ctypes.Structure):
    _fields_ = [("Open", ctypes.c_int), ("name", ctypes.c_void_p)]


class Outer(ctypes.Structure):
    _fields_ = [("number", ctypes.c_int), ("inner", Pointer * 2)]


POINTERS = [
    pytest.param(array, id=memoryview(array).format)
    for array in (
        numpy.zeros((4, 2), object), numpy.zeros(4, [("a", "i4"), ("b", "O")]), numpy.zeros((), object),
        numpy.zeros(4, [("a", "i4"), ("b", [("c", "u1"), ("d", "O", (2,))])]), (ctypes.py_object * 4)(),
        (ctypes.c_char_p * 4)(), (ctypes.c_wchar_p * 4)(), (ctypes.c_void_p * 4)(),
        (ctypes.POINTER(ctypes.c_int) * 4)(), (ctypes.CFUNCTYPE(None) * 4)(), (Pointer * 4)(), Outer(),
    )
]  # fmt: skip


class TestOut:
    def test_buffers(self) -> None:
        rows, expected = [b"%d" % i for i in range(5000)], b"".join(sha256_of(b"%d" % i for i in range(5000)))
        for out in (bytearray(160_000), numpy.zeros((5000, 8), numpy.uint32), memoryview(bytearray(160_000))):
            assert hashwell.hash_many("sha256", rows, out=out, contiguous=True) is out
            assert memoryview(out).tobytes() == expected

    def test_refused(self) -> None:
        for size in (0, 63, 65):
            with pytest.raises(ValueError, match=rf"out must have 64 bytes \(32 for each of 2 messages\), not {size}"):
                hashwell.hash_many("sha256", [b"", b""], out=bytearray(size))
        with pytest.raises(TypeError, match="writable"):
            hashwell.hash_many("sha256", [b""], out=bytes(32))
        with pytest.raises(TypeError):
            hashwell.hash_many("sha256", [b""], out=[])
        with pytest.raises(BufferError, match="C-contiguous"):
            hashwell.hash_many("sha256", [b""], out=memoryview(bytearray(64))[::2])

    @pytest.mark.parametrize("pointers", POINTERS)
    def test_pointers_are_never_written_or_read(self, pointers) -> None:
        size, before = memoryview(pointers).nbytes, hashlib.sha256(pointers).digest()
        for call in (
            lambda: hashwell.xof_many("shake128", [b""], size, out=pointers),
            lambda: hashwell.hash_many("shake128", [b""], length=size, out=pointers),
            lambda: hashwell.shake128().read_into(pointers),
            lambda: hashwell.shake128().uniform(1, 5, out=pointers),
            lambda: hashwell.sha256(pointers),
            lambda: hashwell.sha256().update(pointers),
            lambda: hashwell.digest("sha256", pointers),
            lambda: hashwell.hmac("sha256", pointers, b""),
        ):
            with pytest.raises(BufferError, match="the buffer contains Python objects or pointers, not bytes"):
                call()
        # A seed can also be a list of numbers, but these aren't numbers. In ctypes, the item of a NULL pointer can't be
        # read.
        with pytest.raises((TypeError, ValueError), match="a seed must be bytes|NULL"):
            hashwell.Random("blake3", pointers)
        assert hashlib.sha256(pointers).digest() == before

    def test_what_only_looks_like_pointers(self) -> None:
        class Named(ctypes.Structure):
            _fields_ = [("O", ctypes.c_int), ("POZ", ctypes.c_double), ("Zz", ctypes.c_wchar * 3)]

        numbers = [
            numpy.zeros(4, "c16"), numpy.zeros(4, "G"), numpy.zeros(4, "F"), numpy.zeros(4, "?"), numpy.zeros(4, "V7"),
            numpy.zeros(4, [("O", "i4"), ("P&X", "f8", (2, 3)), ("q", [("z", "c16"), ("é", "S3"), ("u", "U3")])]),
            Named(), (Named * 3)(),
        ]  # fmt: skip
        for array in numbers:
            size = memoryview(array).nbytes
            assert hashwell.sha256(array).digest() == hashlib.sha256(array).digest()
            hashwell.xof_many("shake128", [b"a"], size, out=array)
            assert bytes(array) == hashwell.shake128(b"a").read(size)

    def test_may_not_be_a_message(self) -> None:
        out = bytearray(64)
        for message in (out, memoryview(out)[63:]):
            with pytest.raises(ValueError, match="must not share memory"):
                hashwell.hash_many("sha256", [b"abc", message], out=out)
        with pytest.raises(ValueError, match="must not share memory"):
            hashwell.hash_many("sha256", rows := numpy.zeros((2, 32), numpy.uint8), out=rows)
        for keys, messages in ((out, [b"m"] * 2), ([b"k"] * 2, out), ([b"k", out], [b"m"] * 2)):
            with pytest.raises(ValueError, match="must not share memory"):
                hashwell.hmac_many("sha256", keys, messages, out=out)
        memory = memoryview(bytearray(96))
        hashwell.hash_many("sha256", [memory[:16], memory[80:], memory[40:40]], out=bytearray(96))
        hashwell.hash_many("sha256", [memory[:16], memory[80:]], out=memory[16:80])


class TestRows:
    @pytest.mark.parametrize("dtype", ["u1", "i1", "?", "<u4", ">f8", "S5"])
    @pytest.mark.parametrize("shape", [(1, 1), (3, 64), (5000, 7)])
    def test_item_types(self, dtype, shape, rng) -> None:
        count = shape[0] * shape[1]
        rows = numpy.frombuffer(rng.randbytes(count * numpy.dtype(dtype).itemsize), dtype).reshape(shape)
        expected = sha256_of(row.tobytes() for row in rows)
        digests = hashwell.hash_many("sha256", rows)
        assert isinstance(digests, numpy.ndarray) and digests.dtype == numpy.uint8
        assert digests.shape == (shape[0], 32) and list(map(bytes, digests)) == expected
        assert hashwell.hash_many("sha256", rows, contiguous=True, threads=2) == b"".join(expected)

    def test_byte_strings_of_numpy(self) -> None:
        """NumPy treats zeros at the end of an item as padding."""
        values = [b"", b"a", b"abcde", b"a\0b", b"a\0\0", b"\0"]
        array = numpy.array(values, "S5")
        digests = hashwell.hash_many("sha256", array)
        assert isinstance(digests, numpy.ndarray) and digests.shape == (6, 32) and digests.dtype == numpy.uint8
        assert list(map(bytes, digests)) == sha256_of(array.tolist()) == sha256_of([b"", b"a", b"abcde", b"a\0b", b"a", b""])
        assert hashwell.hash_many("sha256", array, hex=True) == [digest.hex() for digest in sha256_of(array.tolist())]
        assert hashwell.hash_many("sha256", array, contiguous=True) == b"".join(sha256_of(array.tolist()))
        assert list(map(bytes, hashwell.hmac_many("sha256", b"k", array))) == [hmac.digest(b"k", value, "sha256") for value in array]
        assert hashwell.hash_many("sha256", array[:0]).shape == (0, 32)
        assert list(map(bytes, hashwell.hash_many("sha256", numpy.zeros(3, "S0")))) == sha256_of([b""] * 3)
        with pytest.raises(BufferError, match="C-contiguous"):
            hashwell.hash_many("sha256", array[::2])
        with pytest.raises(TypeError, match="not one 'ndarray'"):
            hashwell.hash_many("sha256", numpy.array(b"abc"))

    def test_without_numpy(self) -> None:
        rows = memoryview(bytes(range(12))).cast("B", (3, 4))
        expected = sha256_of([bytes(row) for row in rows.tolist()])
        digests = hashwell.hash_many("sha256", rows)
        assert isinstance(digests, memoryview) and digests.shape == (3, 32) and digests.format == "B"
        assert digests.tobytes() == b"".join(expected)
        table = ((ctypes.c_uint16 * 2) * 3)()
        assert hashwell.hash_many("sha256", table).tobytes() == b"".join(sha256_of([bytes(4)] * 3))

    def test_none(self) -> None:
        assert hashwell.hash_many("sha256", numpy.zeros((0, 5), numpy.uint8)).shape == (0, 32)
        digests = hashwell.hash_many("sha256", numpy.zeros((3, 0), numpy.uint8))
        assert list(map(bytes, digests)) == sha256_of([b""] * 3)
        assert len(hashwell.hash_many("sha256", memoryview(numpy.zeros((0, 5), numpy.uint8)))) == 0
        assert hashwell.xof_many("shake128", numpy.zeros((3, 5), numpy.uint8), 0).shape == (3, 0)

    @pytest.mark.parametrize(
        "rows",
        [
            numpy.zeros((3, 4), numpy.uint8, order="F"),
            numpy.zeros((3, 4), numpy.uint8)[:, ::2],
            numpy.zeros((3, 4), numpy.uint8)[::2],
            numpy.zeros((3, 4), numpy.uint8)[::-1],
        ],
    )
    def test_strided(self, rows) -> None:
        with pytest.raises(BufferError, match="C-contiguous"):
            hashwell.hash_many("sha256", rows)


def arrow_forms(values: list[bytes | None]) -> list[object]:
    """One column with these values in every form."""
    types = [pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()]
    plain = [pyarrow.array(values, type) for type in types]
    middle = len(values) // 2
    pieces = [values[:middle], [], values[middle:]]
    around = [b"before", None, *values, b"after", None]
    return [
        *plain,
        *(pyarrow.array(around, type)[2:-2] for type in types),
        *(pyarrow.chunked_array([pyarrow.array(piece, type) for piece in pieces]) for type in types),
        polars.Series(values, dtype=polars.Binary),
        polars.Series(around, dtype=polars.Binary)[2:-2],
        polars.concat([polars.Series(piece, dtype=polars.Binary) for piece in pieces], rechunk=False),
    ]


class TestArrow:
    def check(self, column, expected: list[bytes | None]) -> None:
        digests = hashwell.hash_many("sha256", column)
        assert len(digests) == len(expected) and digests.null_count == expected.count(None)
        assert digests.digest_size == 32 and list(digests) == expected
        for array in (pyarrow.array(digests), pyarrow.chunked_array(digests)):
            array.validate(full=True)
            assert array.type == pyarrow.binary(32) and array.null_count == expected.count(None)
            assert array.to_pylist() == expected
        assert polars.Series(digests).to_list() == expected
        assert pyarrow.field(digests).type == pyarrow.binary(32)

    @pytest.mark.parametrize("form", range(12))
    @pytest.mark.parametrize("count", [0, 1, 9, 5000])
    def test_values(self, form, count, rng) -> None:
        values = messages_of(rng, count, 40)
        self.check(arrow_forms(values)[form], sha256_of(values))

    @pytest.mark.parametrize("form", range(12))
    def test_nulls(self, form, rng) -> None:
        values = [None if rng.random() < 0.3 else rng.randbytes(rng.randrange(40)) for _ in range(5000)]
        column = arrow_forms(values)[form]
        self.check(column, digests_or_none(values))
        for arguments in ({"contiguous": True}, {"out": bytearray(5000 * 32)}):
            with pytest.raises(ValueError, match=f"the column has {values.count(None)} nulls"):
                hashwell.hash_many("sha256", column, **arguments)

    @pytest.mark.parametrize("messages", [{b"a", b"b"}, frozenset([b"a"])])
    def test_sets_are_refused(self, messages) -> None:
        with pytest.raises(TypeError, match="a set has no order"):
            hashwell.hash_many("sha256", messages)

    def test_only_nulls(self) -> None:
        self.check(pyarrow.array([None] * 20, pyarrow.binary()), [None] * 20)
        # If there are no values, libraries choose the type null.
        for column in (pyarrow.nulls(20), polars.Series([None] * 20), pyarrow.chunked_array([pyarrow.nulls(7), pyarrow.nulls(13)])):
            self.check(column, [None] * 20)

    @pytest.mark.parametrize("type", [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()])
    def test_strings(self, type) -> None:
        texts = ["", "a", "naïve", "x" * 12, "x" * 13, None, "ü" * 500]
        expected = digests_or_none(None if text is None else text.encode() for text in texts)
        self.check(pyarrow.array(texts, type), expected)
        self.check(polars.Series(texts), expected)

    @pytest.mark.parametrize("width", [0, 1, 16, 100])
    def test_fixed_size(self, width, rng) -> None:
        values = [rng.randbytes(width) if i % 3 else None for i in range(50)]
        array = pyarrow.array(values, pyarrow.binary(width))[5:45]
        self.check(array, digests_or_none(values[5:45]))

    def test_digests_are_a_column_again(self) -> None:
        once = hashwell.hash_many("sha256", pyarrow.array([b"a", None, b"b"]))
        self.check(once, digests_or_none(once))

    def test_memory(self) -> None:
        column = pyarrow.array([b"a", b"b"])
        expected = b"".join(sha256_of([b"a", b"b"]))
        assert hashwell.hash_many("sha256", column, contiguous=True) == expected
        assert hashwell.hash_many("sha256", column, out=bytearray(64)) == expected

    def test_every_algorithm(self, row, rng) -> None:
        values, size = messages_of(rng, 300, 300), hashwell.algorithms[row].digest_size or 50
        digests = hashwell.hash_many(row, pyarrow.array(values), length=size, threads=2)
        assert list(digests) == [hashwell.digest(row, value, size) for value in values]

    @pytest.mark.parametrize(
        ("column", "format"),
        [
            (pyarrow.array([1, 2]), "'l'"),
            (pyarrow.array([1.5]), "'g'"),
            (pyarrow.array([[b"a"]]), r"'\+l'"),
            (pyarrow.array([1, 2]).dictionary_encode(), "'l, in a dictionary'"),
            (pyarrow.DictionaryArray.from_arrays([0], pyarrow.array(["a"]).dictionary_encode()), "'i, in a dictionary'"),
            (pyarrow.record_batch({"a": [b"a"]}), r"'\+s'"),
            (pyarrow.table({"a": [b"a"]}), r"'\+s'"),
            (polars.Series([1]), "'l'"),
            (polars.DataFrame({"a": [b"a"]}), r"'\+s'"),
        ],
    )
    def test_other_types(self, column, format) -> None:
        with pytest.raises(TypeError, match=f"not of format {format}"):
            hashwell.hash_many("sha256", column)

    def test_objects_of_polars(self) -> None:
        for values in ([b"a", "x"], [{"a": 1}, object()], []):
            with pytest.raises(TypeError, match="not of Python objects"):
                hashwell.hash_many("sha256", polars.Series(values, dtype=polars.Object))

    @pytest.mark.parametrize("index", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
    def test_dictionaries_by_value(self, index) -> None:
        values = ["red", "green", None, "ü" * 20, "red", "", None] * 3
        expected = digests_or_none(None if value is None else value.encode() for value in values)
        for type in (pyarrow.string(), pyarrow.large_string(), pyarrow.binary()):
            column = pyarrow.array(values, type).dictionary_encode().cast(pyarrow.dictionary(getattr(pyarrow, index)(), type))
            self.check(column, expected)
            self.check(column[3:10], expected[3:10])
            self.check(pyarrow.chunked_array([column, column[2:2], column[5:]]), expected + expected[5:])

    def test_nulls_in_dictionaries(self) -> None:
        column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1, None, 2, 1]), pyarrow.array([b"a", None, b"c"]))
        self.check(column, digests_or_none([b"a", None, None, b"c", None]))
        with pytest.raises(ValueError, match="the column has 3 nulls"):
            hashwell.hash_many("sha256", column, contiguous=True)
        assert list(hashwell.hmac_many("sha256", b"k", column)) == [
            value and hmac.digest(b"k", value, "sha256") for value in (b"a", None, None, b"c", None)
        ]

    def test_categoricals_of_polars(self) -> None:
        texts = ["b", "a", None, "b", "naïve" * 9]
        expected = digests_or_none(text and text.encode() for text in texts)
        for type in (polars.Categorical, polars.Enum(["a", "b", "c", "naïve" * 9])):
            self.check(polars.Series(texts, dtype=type), expected)
            self.check(polars.Series(["a", *texts], dtype=type)[1:], expected)

    def test_hexadecimal(self) -> None:
        values = [b"a", None, b"ccc", b""]
        digests = hashwell.hash_many("sha256", pyarrow.array(values), hex=True)
        expected = [value and value.hex() for value in digests_or_none(values)]
        assert list(digests) == digests.to_pylist() == expected and digests[0] == expected[0]
        assert digests.digest_size == 32 and "in hexadecimal" in repr(digests)
        for array in (pyarrow.array(digests), pyarrow.chunked_array(digests)):
            array.validate(full=True)
            assert array.type == pyarrow.large_string() and array.to_pylist() == expected
        assert polars.Series(digests).to_list() == expected and polars.Series(digests).dtype == polars.String
        assert pyarrow.array(digests[1:3]).to_pylist() == expected[1:3]
        assert digests.index(expected[2]) == 2 and expected[2].encode() not in digests and digests.count(None) == 1
        assert digests[:0].to_pylist() == [] and pyarrow.array(digests[:0]).to_pylist() == []
        assert digests != hashwell.hash_many("sha256", pyarrow.array(values))
        assert numpy.asarray(digests).tolist() == expected

    def test_rows(self) -> None:
        digests = hashwell.hash_many("sha256", pyarrow.array([b"a"]))
        assert repr(digests) == "<hashwell.ArrowDigests, 1 of 32 bytes, 0 null>"
        with pytest.raises(IndexError):
            digests[1]
        with pytest.raises(TypeError):
            hashwell.ArrowDigests()

    def test_capsules(self) -> None:
        """A consumer may take a struct out of its capsule or leave it there, and must notice if it is gone."""

        class Exporter:
            def __init__(self, *capsules) -> None:
                self.capsules = capsules

            def __arrow_c_array__(self, requested_schema=None):
                return self.capsules

        class Stream:
            def __init__(self, capsule) -> None:
                self.capsule = capsule

            def __arrow_c_stream__(self, requested_schema=None):
                return self.capsule

        digests = hashwell.hash_many("sha256", pyarrow.array([b"a", b"b"]))
        expected = sha256_of(digests)
        exporter = Exporter(*digests.__arrow_c_array__())
        assert list(hashwell.hash_many("sha256", exporter)) == expected
        with pytest.raises(ValueError, match="already consumed"):
            hashwell.hash_many("sha256", exporter)
        stream = Stream(digests.__arrow_c_stream__(None))
        assert list(hashwell.hash_many("sha256", stream)) == expected
        with pytest.raises(ValueError, match="already consumed"):
            hashwell.hash_many("sha256", stream)
        schema, column = digests.__arrow_c_array__()
        for wrong in (Exporter(column, schema), Exporter(schema), Exporter(1, 2), Exporter(schema, None)):
            with pytest.raises((ValueError, TypeError)):
                hashwell.hash_many("sha256", wrong)

    def test_a_stream_that_fails(self) -> None:
        def batches():
            yield pyarrow.record_batch({"a": [b"a"]})
            raise ZeroDivisionError("in the stream")

        class Stream:
            def __arrow_c_stream__(self, requested_schema=None):
                schema = pyarrow.schema({"a": pyarrow.binary()})
                return pyarrow.RecordBatchReader.from_batches(schema, batches()).__arrow_c_stream__()

        # A batch is a struct, so it is refused before its data is read.
        with pytest.raises(TypeError, match=r"'\+s'"):
            hashwell.hash_many("sha256", Stream())

        class Failing:
            def __arrow_c_stream__(self, requested_schema=None):
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            hashwell.hash_many("sha256", Failing())


class TestSequence:
    """A column of digests is a Python sequence, and other libraries convert it correctly."""

    VALUES = [b"a", None, b"b", b"a", b"", None, b"c"]
    # One digest in 256 ends with a zero byte, which NumPy's byte strings would lose.
    ZERO_ENDS = next(b"%d" % i for i in range(10_000) if hashlib.sha256(b"%d" % i).digest().endswith(b"\0"))

    @pytest.fixture
    def digests(self):
        return hashwell.hash_many("sha256", pyarrow.array(self.VALUES))

    @property
    def expected(self) -> list[bytes | None]:
        return digests_or_none(self.VALUES)

    def test_as_a_list(self, digests) -> None:
        expected = self.expected
        assert isinstance(digests, collections.abc.Sequence)
        assert list(digests) == list(iter(digests)) == digests.to_pylist() == expected
        assert list(reversed(digests)) == expected[::-1]
        for i in range(-7, 7):
            assert digests[i] == digests[numpy.int64(i)] == expected[i]
        for i in (-8, 7, 2**62, -(2**62), 2**70, -(2**70)):
            with pytest.raises(IndexError):
                digests[i]
        for wrong in ("a", 1.0, None, (1, 2)):
            with pytest.raises(TypeError):
                digests[wrong]

    def test_slices(self, digests) -> None:
        ends = [None, *range(-9, 10)]
        for start, stop in itertools.product(ends, ends):
            for step in (None, 1, 2, 3, 100, -1, -2, -100):
                part = digests[start:stop:step]
                assert type(part) is hashwell.ArrowDigests and list(part) == self.expected[start:stop:step]
                assert part.null_count == list(part).count(None) and part.digest_size == 32
        assert pyarrow.array(digests[1:6:2]).to_pylist() == self.expected[1:6:2]
        with pytest.raises(ValueError):
            digests[::0]

    def test_finding(self, digests) -> None:
        expected = self.expected
        for value in {*expected, b"", b"a", bytes(32), "a", 3}:
            assert (value in digests) == (value in expected) and digests.count(value) == expected.count(value)
            for arguments in ((), (1,), (-3,), (1, 4), (-100, 100), (4, 2), (2, -2), (5,)):
                try:
                    at = expected.index(value, *arguments)
                except ValueError:
                    with pytest.raises(ValueError):
                        digests.index(value, *arguments)
                else:
                    assert digests.index(value, *arguments) == at

    def test_equality(self, digests) -> None:
        assert digests == digests[:] == hashwell.hash_many("sha256", pyarrow.array(self.VALUES))
        assert digests != digests[1:] and digests != self.expected and digests != hashwell.hash_many("sha512", pyarrow.array(self.VALUES))
        assert digests[:1] == digests[3:4] != digests[2:3] and digests[1:2] == digests[5:6] and digests[:0] == digests[7:]
        with pytest.raises(TypeError):
            digests < digests
        assert len(repr(hashwell.hash_many("sha256", pyarrow.array([b""] * 10_000)))) < 80

    def test_numpy(self, digests) -> None:
        for array in (numpy.array(digests), numpy.asarray(digests), numpy.asarray(digests, object), digests.__array__()):
            assert array.dtype == object and array.shape == (7,) and array.tolist() == self.expected
        assert numpy.array(digests, copy=True).tolist() == self.expected
        with pytest.raises(ValueError):
            numpy.array(digests, copy=False)
        whole = hashwell.hash_many("sha256", pyarrow.array([b"a", self.ZERO_ENDS]))
        array = numpy.asarray(whole, "V32")
        assert array.dtype == "V32" and array.tobytes() == b"".join(whole) and array.flags.writeable
        array[0] = bytes(32)
        assert list(whole) == sha256_of([b"a", self.ZERO_ENDS]) == numpy.asarray(whole).tolist()
        for wrong in ("S32", "V31", "u1", "U64", float):
            with pytest.raises(TypeError, match="must be object, or 'V32'"):
                numpy.asarray(whole, wrong)
        with pytest.raises(TypeError, match="without nulls"):
            numpy.asarray(digests, "V32")
        assert numpy.asarray(digests[:0]).shape == (0,)

    def test_pyarrow(self, digests) -> None:
        assert pyarrow.array(digests, pyarrow.binary()).to_pylist() == self.expected
        assert pyarrow.array(digests, pyarrow.binary(32)).type == pyarrow.binary(32)
        assert pyarrow.table({"h": digests})["h"].to_pylist() == self.expected
        assert pyarrow.array(list(digests)).to_pylist() == self.expected

    def test_polars(self, digests) -> None:
        assert polars.DataFrame({"h": digests})["h"].to_list() == self.expected
        frame = polars.DataFrame({"v": self.VALUES})
        assert frame.with_columns(h=polars.Series(digests))["h"].to_list() == self.expected
        frame.insert_column(1, polars.Series("h", digests))
        assert frame["h"].to_list() == self.expected and frame["h"].dtype == polars.Binary


class TestPandas:
    TEXTS = ["naïve", None, "b", "a", "b"]

    def check(self, column, expected, type=object) -> None:
        assert len(column) == len(expected) and column.isna().tolist() == [value is None for value in expected]
        assert [None if pandas.isna(value) else value for value in column] == expected and column.dtype == type

    @pytest.mark.parametrize(
        "dtype", ["str", "category", "object", "string[pyarrow]", pandas.ArrowDtype(pyarrow.string())]
    )
    def test_columns(self, dtype) -> None:
        frame = pandas.DataFrame({"s": pandas.Series(self.TEXTS, [3, 1, 4, 1, 5], dtype)})
        expected = digests_or_none(text and text.encode() for text in self.TEXTS)
        frame["h"] = hashwell.hash_many("sha256", frame.s)
        self.check(frame["h"], expected)
        frame = frame.assign(again=hashwell.hash_many("sha256", frame.s), tag=hashwell.hmac_many("sha256", b"k", frame.s))
        self.check(frame["again"], expected)
        self.check(frame["tag"], [text and hmac.digest(b"k", text.encode(), "sha256") for text in self.TEXTS])
        digests = hashwell.hash_many("sha256", frame.s)
        self.check(pandas.Series(digests), expected)
        self.check(pandas.Series(digests, index=frame.index, name="h"), expected)
        self.check(pandas.DataFrame({"h": digests, "s": self.TEXTS})["h"], expected)
        self.check(pandas.Series(pandas.array(digests, pandas.ArrowDtype(pyarrow.binary(32)))), expected, pandas.ArrowDtype(pyarrow.binary(32)))
        frame.loc[:, "h"] = digests
        frame.insert(0, "first", digests)
        self.check(frame["h"], expected)
        self.check(frame["first"], expected)
        assert pandas.Index(digests).tolist() == expected
        # An index of strings is hashed like a series of these strings, without an encoding.
        texts = ["a", "ü", "c"]
        assert hashwell.hash_many("sha256", pandas.Index(texts)) == hashwell.hash_many("sha256", pandas.Series(texts))
        with pytest.raises(TypeError):
            hashwell.hash_many("sha256", pandas.Index([1, 2]))

    def test_hexadecimal(self) -> None:
        frame = pandas.DataFrame({"s": self.TEXTS})
        expected = [text and hashlib.sha256(text.encode()).hexdigest() for text in self.TEXTS]
        frame["h"] = hashwell.hash_many("sha256", frame.s, hex=True)
        self.check(frame["h"], expected, frame.s.dtype)

    def test_bytes_and_the_rest(self) -> None:
        frame = pandas.DataFrame({"b": [b"a", b"b"], "n": [1, 2]})
        frame["h"] = hashwell.hash_many("sha256", frame.b)
        self.check(frame["h"], sha256_of([b"a", b"b"]))
        frame["h"] = hashwell.hash_many("sha256", frame.b.tolist())
        self.check(frame["h"], sha256_of([b"a", b"b"]))
        with pytest.raises(TypeError, match="not of format 'l'"):
            hashwell.hash_many("sha256", frame.n)
        assert hashwell.hash_many("sha256", pandas.Index(["a", "b"]), encoding="utf-8") == sha256_of([b"a", b"b"])
        assert hashwell.hash_many("sha256", pandas.Categorical(["a", "b"]), encoding="utf-8") == sha256_of([b"a", b"b"])


class Schema(ctypes.Structure):
    """struct ArrowSchema, which the tests fill in themselves."""


RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p),
    ("release", RELEASE), ("private_data", ctypes.c_void_p),
]  # fmt: skip


class Array(ctypes.Structure):
    _fields_ = [
        ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.c_void_p),
        ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p), ("release", RELEASE),
        ("private_data", ctypes.c_void_p),
    ]  # fmt: skip


class Handmade:
    """An Arrow array with any numbers and buffers, which counts how often it is released."""

    def __init__(self, format: bytes, length: int, *buffers: bytes | None, **fields: int) -> None:
        self.released = []

        def release(structure):
            def callback(pointer):
                self.released.append(structure.__name__)
                structure.from_address(pointer).release = RELEASE()

            return RELEASE(callback)

        self.held = [None if buffer is None else ctypes.create_string_buffer(buffer, len(buffer) + 1) for buffer in buffers]
        self.pointers = (ctypes.c_void_p * max(1, len(buffers)))(*(held and ctypes.addressof(held) for held in self.held))
        self.callbacks = release(Schema), release(Array)
        self.schema = Schema(format=format, release=self.callbacks[0])
        defaults = {"n_buffers": len(buffers), "buffers": ctypes.addressof(self.pointers)}
        self.array = Array(length=length, release=self.callbacks[1], **(defaults | fields))

    def __arrow_c_array__(self, requested_schema=None):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        names = self.names = (b"arrow_schema", b"arrow_array")
        return tuple(new(ctypes.addressof(s), name, None) for s, name in zip((self.schema, self.array), names))


def offsets(*numbers: int, size: int = 4) -> bytes:
    return b"".join(number.to_bytes(size, "little", signed=True) for number in numbers)


def view(length: int, buffer: int, offset: int) -> bytes:
    return offsets(length) + b"pref" + offsets(buffer, offset)


class TestHandmadeArrow:
    def test_is_released_once(self) -> None:
        made = Handmade(b"z", 2, None, offsets(0, 1, 3), b"abc")
        assert list(hashwell.hash_many("sha256", made)) == sha256_of([b"a", b"bc"])
        assert sorted(made.released) == ["Array", "Schema"] and not made.array.release

    def test_well_formed(self) -> None:
        """Arrays that the interface allows but that common producers do not make."""
        good = [
            (Handmade(b"z", 0, None, None, None), []),
            (Handmade(b"z", 2, None, offsets(0, 0, 0), None), [b"", b""]),
            (Handmade(b"z", 1, b"\x00", offsets(0, 1), b"a", null_count=0), [b"a"]),
            (Handmade(b"vz", 2, b"\x01", offsets(0, 0, 0, 0) + view(99, 9, 9), None, null_count=-1), [b"", None]),
            (Handmade(b"Z", 1, None, offsets(1, 2, size=8), b"ab", null_count=-1), [b"b"]),
            (Handmade(b"w:2", 1, None, b"abcd", offset=1), [b"cd"]),
            (Handmade(b"w:0", 3, None, None), [b""] * 3),
            (Handmade(b"vz", 1, None, view(13, 0, 1), b"x" + b"a" * 13, offsets(14, size=8)), [b"a" * 13]),
            (Handmade(b"vz", 1, None, offsets(3) + b"abc" + bytes(9), None), [b"abc"]),
        ]
        for made, values in good:
            assert list(hashwell.hash_many("sha256", made)) == digests_or_none(values)

    @pytest.mark.parametrize(
        "made",
        [
            lambda: Handmade(b"z", -1, None, offsets(0), b""),
            lambda: Handmade(b"z", 1, None, offsets(0, 1), b"a", offset=-1),
            lambda: Handmade(b"z", 2**62, None, offsets(0, 1), b"a", offset=2**62),
            lambda: Handmade(b"z", 1, None, offsets(0, 1)),
            lambda: Handmade(b"z", 1, None, offsets(0, 1), b"a", None),
            lambda: Handmade(b"z", 1, None, None, b"a"),
            lambda: Handmade(b"z", 1, None, offsets(0, 1), None),
            lambda: Handmade(b"z", 1, None, offsets(-1, 1), b"a"),
            lambda: Handmade(b"z", 1, None, offsets(1, 0), b"a"),
            lambda: Handmade(b"Z", 1, None, offsets(1, 0, size=8), b"a"),
            lambda: Handmade(b"z", 1, None, offsets(0, 1), b"a", null_count=1),
            lambda: Handmade(b"z", 1, None, offsets(0, 1), b"a", null_count=-2),
            lambda: Handmade(b"z", 1, None, offsets(0, 1), b"a", n_children=1),
            lambda: Handmade(b"z", 1, None, offsets(0, 1), b"a", dictionary=1),
            lambda: Handmade(b"z", 1, None, offsets(0, 1), b"a", buffers=None),
            lambda: Handmade(b"w:1", 1, None, None),
            lambda: Handmade(b"vz", 1, None, view(13, 0, 2), b"a" * 14, offsets(14, size=8)),
            lambda: Handmade(b"vz", 1, None, view(13, 1, 0), b"a" * 14, offsets(14, size=8)),
            lambda: Handmade(b"vz", 1, None, view(13, -1, 0), b"a" * 14, offsets(14, size=8)),
            lambda: Handmade(b"vz", 1, None, view(13, 0, -1), b"a" * 14, offsets(14, size=8)),
            lambda: Handmade(b"vz", 1, None, view(-1, 0, 0), b"a" * 14, offsets(14, size=8)),
            lambda: Handmade(b"vz", 1, None, view(13, 0, 0), b"a" * 14, None),
            lambda: Handmade(b"vz", 1, None, None, None),
        ],
    )  # fmt: skip
    def test_malformed(self, made) -> None:
        made = made()
        with pytest.raises(ValueError, match="malformed Arrow data"):
            hashwell.hash_many("sha256", made)
        assert sorted(made.released) == ["Array", "Schema"]

    @pytest.mark.parametrize("format", [b"", b"w:", b"w:-1", b"w:9999999999", b"zz", b"\xff", None])
    def test_unknown_formats(self, format) -> None:
        made = Handmade(format, 0, None, None, None)
        with pytest.raises((TypeError, ValueError)):
            hashwell.hash_many("sha256", made)
        # The array was not taken, so its producer must release it.
        assert made.released == ["Schema"]


class TestXof:
    def test_every_one(self, xof, rng) -> None:
        messages = messages_of(rng, 300)
        for length in (0, 1, 16, 200, 1000):
            expected = [hashwell.new(xof, message).read(length) for message in messages]
            assert hashwell.xof_many(xof, messages, length) == expected
            assert hashwell.xof_many(xof, messages, length, threads=2, contiguous=True) == b"".join(expected)

    def test_parameters(self) -> None:
        expected = [hashwell.cshake128(row, customization=b"c").read(20) for row in SHORT_ROWS]
        assert hashwell.xof_many(hashwell.cshake128, SHORT_ROWS, 20, customization=b"c") == expected

    def test_forms(self) -> None:
        expected = [hashwell.shake128(row).read(20) for row in (b"ab", b"cd")]
        assert list(hashwell.xof_many("shake128", pyarrow.array([b"ab", b"cd"]), 20)) == expected
        rows = numpy.array([list(b"ab"), list(b"cd")], numpy.uint8)
        assert list(map(bytes, hashwell.xof_many("shake128", rows, 20))) == expected

    def test_long_output_of_few(self) -> None:
        assert hashwell.xof_many("shake128", [b"a", b"b"], 1_000_000, threads=2)[1] == hashwell.shake128(b"b").read(10**6)

    def test_refused(self) -> None:
        with pytest.raises(ValueError, match="sha256 does not support output streams"):
            hashwell.xof_many("sha256", [], 10)
        for length in (-1, 2**63):
            with pytest.raises(ValueError if length < 0 else OverflowError):
                hashwell.xof_many("shake128", [], length)
        for arguments in ({}, {"contiguous": True}):
            for length in (2**60, 2**62):
                with pytest.raises((MemoryError, OverflowError)):
                    hashwell.xof_many("shake128", [b"a"] * 20, length, **arguments)


class TestHmac:
    @staticmethod
    def tags(row: str, pairs) -> list[bytes]:
        return [hashwell.hmac(row, key, message) for key, message in pairs]

    def test_every_algorithm(self, hmac_row, rng) -> None:
        messages, keys = messages_of(rng, 300, 300), messages_of(rng, 300, 300)
        for threads in (1, 2):
            def many(keys, messages, threads=threads):
                return hashwell.hmac_many(hmac_row, keys, messages, threads=threads)

            assert many(b"key", messages) == self.tags(hmac_row, ((b"key", message) for message in messages))
            assert many(keys, b"message") == self.tags(hmac_row, ((key, b"message") for key in keys))
            assert many(keys, messages) == self.tags(hmac_row, zip(keys, messages))

    def test_against_the_standard_library(self, rng) -> None:
        keys, messages = messages_of(rng, 5000, 100), messages_of(rng, 5000, 100)
        expected = [hmac.digest(key, message, "sha256") for key, message in zip(keys, messages)]
        assert hashwell.hmac_many("sha256", keys, messages) == expected
        assert hashwell.hmac_many("sha256", iter(keys), iter(messages), contiguous=True) == b"".join(expected)
        assert bytes(hashwell.hmac_many("sha256", keys, messages, out=bytearray(160_000))) == b"".join(expected)

    def test_one_of_either(self) -> None:
        tag, other = self.tags("sha256", [(b"k", b"m"), (b"k", b"n")])
        for keys in (b"k", bytearray(b"k"), [b"k"], (b"k",), iter([b"k"])):
            assert hashwell.hmac_many("sha256", keys, [b"m", b"n"]) == [tag, other]
        for messages in (b"m", [b"m"]):
            assert hashwell.hmac_many("sha256", [b"k", b"k"], messages) == [tag, tag]
            assert hashwell.hmac_many("sha256", b"k", messages) == [tag]
            assert hashwell.hmac_many("sha256", [], messages) == []
        assert hashwell.hmac_many("sha256", b"k", []) == hashwell.hmac_many("sha256", [], []) == []

    def test_columns_under_one_key(self) -> None:
        tag, other = self.tags("sha256", [(b"k", b"m"), (b"k", b"n")])
        assert list(hashwell.hmac_many("sha256", b"k", pyarrow.array([b"m", None, b"n"]))) == [tag, None, other]
        rows = numpy.array([[ord("m")], [ord("n")]], numpy.uint8)
        assert list(map(bytes, hashwell.hmac_many("sha256", b"k", rows))) == [tag, other]

    def test_refused(self) -> None:
        with pytest.raises(ValueError, match="3 keys for 2 messages"):
            hashwell.hmac_many("sha256", [b"k"] * 3, [b"m"] * 2)
        with pytest.raises(ValueError, match="0 keys for 2 messages"):
            hashwell.hmac_many("sha256", [], [b"m"] * 2)
        with pytest.raises(TypeError, match="iterables of buffers"):
            hashwell.hmac_many("sha256", [b"k"] * 2, pyarrow.array([b"m"] * 2))
        for keys, messages in (("k", [b"m"]), (b"k", "m"), (["k"], b"m"), (None, [b"m"]), ([b"k"], None)):
            with pytest.raises(TypeError):
                hashwell.hmac_many("sha256", keys, messages)
        with pytest.raises(ValueError, match="HMAC"):
            hashwell.hmac_many("shake128", b"k", [])


class TestThreads:
    def test_shares_of_any_sizes(self, rng) -> None:
        """One message that is as long as all others together, at the start, in the middle or at the end."""
        rows = [rng.randbytes(rng.randrange(2000)) for _ in range(300)]
        for at in (0, 150, 300):
            messages = [*rows[:at], rng.randbytes(300_000), *rows[at:]]
            for threads in (0, 1, 2, 3, 16, 1000):
                assert hashwell.hash_many("sha256", messages, threads=threads) == sha256_of(messages)

    def test_shares_of_long_messages(self, rng) -> None:
        """Some messages are so long that they are hashed in pieces, between short ones."""
        long = bytes(70_000_000)
        messages = [*messages_of(rng, 100), long, *messages_of(rng, 100), long, long]
        expected = [hashlib.sha256(message).digest() for message in messages[:-2]]
        expected += [expected[100]] * 2
        for threads in (1, 2, 5):
            assert hashwell.hash_many("sha256", messages, threads=threads) == expected
        for kernel in hashwell.algorithms["sha256"].batch_kernels:
            if kernel.available:
                assert hashwell.hash_many("sha256", [b"", long], kernel=kernel.name) == [expected[-1], sha256_of([b""])[0]][::-1]
        assert hashwell.hmac_many("sha256", [b"k", b"l"], [long, b"m"]) == [
            hmac.digest(b"k", long, "sha256"), hmac.digest(b"l", b"m", "sha256")
        ]  # fmt: skip
        assert hashwell.hmac_many("sha256", [b"k", b"l"], long) == [hmac.digest(key, long, "sha256") for key in (b"k", b"l")]

    def test_from_several_threads(self, rng) -> None:
        messages = messages_of(rng, 3000)
        column, expected = pyarrow.array(messages), sha256_of(messages)

        def work(i):
            for _ in range(5):
                assert hashwell.hash_many("sha256", messages, threads=i % 3) == expected
                assert pyarrow.array(hashwell.hash_many("sha256", column, threads=i % 3)).to_pylist() == expected
            return True

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(work, range(8)))

    @pytest.mark.parametrize(
        "work",
        [
            lambda: hashwell.hash_many("sha256", [bytes(1_000_000)] * 200),
            lambda: hashwell.hash_many("sha256", [bytes(1_000_000)] * 200, threads=2),
            lambda: hashwell.hash_many("sha256", numpy.zeros((20, 3_000_000), numpy.uint8)),
            lambda: hashwell.xof_many("shake128", [b""] * 100, 1_000_000, contiguous=True),
        ],
    )
    def test_others_run_meanwhile(self, work) -> None:
        if sys.version_info >= (3, 13) and not getattr(sys, "_is_gil_enabled", lambda: True)():
            pytest.skip("there is no GIL to release")
        assert lets_others_run(work)

    @pytest.mark.parametrize("change", [list.clear, lambda rows: rows.__setitem__(slice(None), [b"y" * 50] * len(rows))])
    def test_a_list_that_changes_meanwhile(self, change) -> None:
        """Each digest is that of the old or of the new item, or an error says that the list has become too short."""
        seen = set(sha256_of([b"x" * 50, b"y" * 50]))
        for _ in range(20):
            rows = [b"x" * 50 for _ in range(30_000)]
            changing = threading.Thread(target=change, args=(rows,))
            changing.start()
            try:
                assert set(hashwell.hash_many("sha256", rows)) <= seen
            except RuntimeError as error:
                assert "became shorter" in str(error)
            changing.join()

    def test_items_that_change_the_list(self) -> None:
        rows = [bytearray(10) for _ in range(5000)]

        class Changing(bytearray):
            def __buffer__(self, flags):
                rows.clear()
                return super().__buffer__(flags)

        rows[3] = Changing(10)
        try:
            hashwell.hash_many("sha256", rows)
        except RuntimeError as error:
            assert "became shorter" in str(error)

    def test_buffers_are_locked_while_hashed_and_free_after(self) -> None:
        data = [bytearray(60_000_000), bytearray(10)]
        hashing = threading.Thread(target=hashwell.hash_many, args=("sha3-256", data))
        hashing.start()
        refused = False
        while hashing.is_alive() and not refused:
            try:
                data[1].append(0)
                data[1].pop()
            except BufferError:
                refused = True
        hashing.join()
        assert refused
        data[1].clear()


class TestLeaks:
    CALLS = 1000

    def test_references(self) -> None:
        message, buffer, key, out = b"leak" * 10, bytearray(b"leak"), b"key" * 10, bytearray(64)
        rows, matrix = [message, buffer], numpy.zeros((2, 5), numpy.uint8)
        column, text = pyarrow.array([message, None]), "leak".join("ab")
        watched = (message, buffer, key, out, rows, matrix, column, text)
        before = [sys.getrefcount(watch) for watch in watched]
        for _ in range(self.CALLS):
            hashwell.hash_many("sha256", rows), hashwell.hash_many("sha256", iter(rows), out=out)
            hashwell.hash_many("blake2b", rows, key=key), hashwell.hash_many("sha256", matrix)
            hashwell.hmac_many("sha256", [key, key], rows), hashwell.hmac_many("sha256", key, rows)
            digests = hashwell.hash_many("sha256", column)
            pyarrow.array(digests), pyarrow.chunked_array(digests), digests.__arrow_c_array__(), digests.__arrow_c_stream__()
            for wrong in ([message, text], [buffer, None], text):
                with pytest.raises(TypeError):
                    hashwell.hash_many("sha256", wrong)
            with pytest.raises(ValueError):
                hashwell.hash_many("sha256", rows, out=bytearray(3))
            with pytest.raises(ValueError):
                hashwell.hash_many("sha256", column, contiguous=True)
        del digests, wrong
        gc.collect()
        assert [sys.getrefcount(watch) for watch in watched] == before

    def test_python_memory(self) -> None:
        rows = [b"%d" % i for i in range(100)]
        column = pyarrow.array(rows)

        def work():
            hashwell.hash_many("sha256", rows), hashwell.hash_many("sha256", iter(rows), contiguous=True)
            pyarrow.array(hashwell.hash_many("sha256", column))

        work()
        gc.collect()
        tracemalloc.start()
        try:
            # Free lists and caches fill up during the first calls.
            for _ in range(100):
                work()
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(self.CALLS):
                work()
            gc.collect()
            assert tracemalloc.get_traced_memory()[0] < before + 20_000
        finally:
            tracemalloc.stop()

    def test_arrow_memory(self) -> None:
        column = pyarrow.array([b"x" * 20] * 1000)
        before = pyarrow.total_allocated_bytes()
        for _ in range(self.CALLS):
            hashwell.hash_many("sha256", pyarrow.chunked_array([column, column.slice(5)]))
        assert pyarrow.total_allocated_bytes() == before

    @pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
    def test_memory_of_the_process(self) -> None:
        """Columns of 320 kB, some of which are exported: even a leak in one call of ten would show."""

        def resident() -> int:
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * 4096

        rows, column = [b""] * 10_000, pyarrow.array([b""] * 10_000)

        def work():
            digests = hashwell.hash_many("sha256", column)
            pyarrow.array(digests), polars.Series(digests), digests.__arrow_c_array__(), digests.__arrow_c_stream__()
            hashwell.hash_many("sha256", rows)

        for _ in range(20):
            work()
        before = resident()
        for _ in range(300):
            work()
        assert resident() < before + 10_000_000

    def test_columns_outlive_their_digests(self) -> None:
        digests = hashwell.hash_many("sha256", pyarrow.array([b"a", None, b"b"]))
        arrays = [pyarrow.array(digests), pyarrow.chunked_array(digests), polars.Series(digests)]
        expected = list(digests)
        del digests
        gc.collect()
        assert [array.to_pylist() if hasattr(array, "to_pylist") else array.to_list() for array in arrays] == [expected] * 3
