"""hashwell.Pieces: hashing a message in pieces, in any order, gives the digest of the message."""

import random
import threading

import pytest

import hashwell

TREES = ["blake3", "kt128", "kt256"]
SIZE = hashwell.Pieces.PIECE_SIZE


def message_of(length: int) -> bytes:
    return random.Random(length).randbytes(length)


def values_of(pieces: hashwell.Pieces, message: bytes) -> list[bytes]:
    """The values of all pieces, computed from the last piece to the first."""
    found = [pieces.value(i, message[slice(*pieces.span(i))]) for i in reversed(range(pieces.count))]
    return found[::-1]


def expected(name: str, message: bytes, **params: object) -> bytes:
    return hashwell.new(name, message, **(params or {"digest_size": 32})).digest()


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("length", [0, 1, SIZE - 1, SIZE, SIZE + 1, 3 * SIZE, 3 * SIZE + 8193, 1 << 22])
def test_joined_is_the_digest(name, length) -> None:
    message = message_of(length)
    pieces = hashwell.Pieces(name, length, digest_size=32)
    assert pieces.count == -(-length // SIZE)
    assert [pieces.span(i) for i in range(pieces.count)] == [
        (at, min(at + SIZE, length)) for at in range(0, length, SIZE)
    ]
    values = values_of(pieces, message)
    assert pieces.join(values) == pieces.join(iter(values)) == expected(name, message)
    if values:
        assert pieces.join([bytearray(values[0]), *map(memoryview, values[1:])]) == expected(name, message)


def test_parameters() -> None:
    message = message_of(2 * SIZE + 5)
    for params in [{"digest_size": 100}, {"digest_size": 32, "customization": b"mine"}, {"digest_size": 7, "kernel": "soft"}]:
        pieces = hashwell.Pieces("kt128", len(message), **params)
        assert pieces.join(values_of(pieces, message)) == expected("kt128", message, **params)
    pieces = hashwell.Pieces(hashwell.blake3, len(message))
    assert pieces.join(values_of(pieces, message)) == hashwell.blake3(message).digest()
    assert repr(pieces) == "<hashwell.Pieces(blake3, 3 of 524293 bytes)>"


def test_values_change_with_their_piece() -> None:
    message = message_of(2 * SIZE)
    other = bytearray(message)
    other[SIZE + 9] ^= 1
    pieces = hashwell.Pieces("blake3", len(message))
    one, two = values_of(pieces, message), values_of(pieces, bytes(other))
    assert one[0] == two[0] and one[1] != two[1]
    assert pieces.join([one[0], two[1]]) == hashwell.blake3(other).digest()


def test_threads_share_one() -> None:
    message = message_of(16 * SIZE)
    pieces = hashwell.Pieces("blake3", len(message))
    values: list[bytes] = [b""] * pieces.count

    def work(first: int) -> None:
        for i in range(first, pieces.count, 4):
            values[i] = pieces.value(i, message[slice(*pieces.span(i))])

    threads = [threading.Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert pieces.join(values) == hashwell.blake3(message).digest()


@pytest.mark.parametrize("name", sorted(set(hashwell.algorithms) - set(TREES)))
def test_others_have_no_pieces(name) -> None:
    with pytest.raises(ValueError, match="pieces"):
        hashwell.Pieces(name, 10, **({} if hashwell.algorithms[name].digest_size else {"digest_size": 32}))


def test_refused() -> None:
    pieces = hashwell.Pieces("blake3", 2 * SIZE)
    first = pieces.value(0, bytes(SIZE))
    for call, error, said in [
        (lambda: pieces.value(2, b""), ValueError, "number of the piece"),
        (lambda: pieces.value(0, b"short"), ValueError, "length of the piece"),
        (lambda: pieces.value(-1, b""), OverflowError, r"index must be 0 to 2\*\*64 - 1, not -1"),
        (lambda: pieces.value(0, "text"), TypeError, "Strings must be encoded"),
        (lambda: pieces.join([]), ValueError, "number of values"),
        (lambda: pieces.join([first]), ValueError, "number of values"),
        (lambda: pieces.join([first] * 3), ValueError, "number of values"),
        (lambda: pieces.join([first, first[1:]]), ValueError, "value of the piece"),
        (lambda: pieces.join(1), TypeError, "iterable"),
        (lambda: pieces.join(["text"]), TypeError, "Strings must be encoded"),
        (lambda: hashwell.Pieces("blake3", -1), OverflowError, r"length must be 0 to 2\*\*64 - 1, not -1"),
        (lambda: hashwell.Pieces("blake3", 1, key=bytes(32)), ValueError, "key or context"),
        (lambda: hashwell.Pieces("kt128", 1), TypeError, "digest_size"),
        (lambda: hashwell.Pieces("blake3", 1, nothing=1), TypeError, "nothing"),
        (lambda: hashwell.Pieces("none", 1), ValueError, "none"),
    ]:
        with pytest.raises(error, match=said):
            call()
    # This is the longest possible message, which has too many pieces to compute them.
    assert hashwell.Pieces("blake3", 2**64 - 1).count == 2**46


def test_what_a_generator_raises_comes_out() -> None:
    pieces = hashwell.Pieces("blake3", 2 * SIZE)

    def failing():
        yield pieces.value(0, bytes(SIZE))
        raise LookupError("the second is lost")

    with pytest.raises(LookupError, match="lost"):
        pieces.join(failing())
