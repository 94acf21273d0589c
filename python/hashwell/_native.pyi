from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, BinaryIO, ClassVar, Final, Literal, Protocol, Self, SupportsIndex, TypeAlias, TypedDict, TypeVar, final, overload, type_check_only

from numpy import ndarray
from numpy.random import BitGenerator as _NumPyBitGenerator
from typing_extensions import Buffer, CapsuleType

from ._numpy import SeedSequence

__version__: str

_Out = TypeVar("_Out", bound=Buffer)

class FinalizedError(ValueError):
    """Output has begun: the message can neither grow nor be digested."""
class ReseedRequiredError(ValueError):
    """An HMAC-DRBG has served as many requests as it may between two reseeds."""
class TagMismatchError(ValueError):
    """An authentication tag does not match."""

@final
class Kernel:
    """One implementation of an algorithm's inner function, as Algorithm.kernels lists them.

    Examples:
        >>> import hashwell
        >>> portable = hashwell.Algorithm("sha256").kernels[0]
        >>> portable.name, portable.available
        ('sha-ni', True)
    """
    @property
    def name(self) -> str:
        """The name, which kernel= and HASHWELL_KERNEL accept."""
    @property
    def available(self) -> bool:
        """True if this CPU can run it."""
    @property
    def chosen(self) -> bool:
        """True if objects made without kernel= use it."""

@final
class Algorithm:
    """One algorithm of the package, with its properties: hashwell.Algorithm(name) or hashwell.algorithms[name].

    Objects of the same algorithm are equal.

    Args:
        name: The name of the algorithm or one of its aliases.

    Raises:
        ValueError: There is no such algorithm.

    Examples:
        >>> import hashwell
        >>> row = hashwell.Algorithm("SHA-256")
        >>> row.name, row.kind, row.digest_size, row.source
        ('sha256', 'digest', 32, 'FIPS 180-4 section 6.2')
    """
    def __new__(cls, name: str) -> Self: ...
    @property
    def name(self) -> str:
        """The canonical name, the same in all language bindings."""
    @property
    def title(self) -> str:
        """The name in the standard."""
    @property
    def aliases(self) -> tuple[str, ...]:
        """Other accepted names."""
    @property
    def kind(self) -> Literal["digest", "xof"]:
        """'digest' (a fixed length) or 'xof' (any length)."""
    @property
    def status(self) -> Literal["sound", "legacy", "broken", "experimental"]:
        """'sound', 'legacy', 'broken' or 'experimental'."""
    @property
    def block_size(self) -> int:
        """The size of a block, or the rate of a sponge, in bytes."""
    @property
    def digest_size(self) -> int:
        """The size in bytes of digest() without a length, or 0 if it needs one."""
    @property
    def digest_size_range(self) -> tuple[int, int | None]:
        """The minimum and maximum of digest_size. The maximum is None if there is none."""
    @property
    def hmac(self) -> bool:
        """True if HMAC and HKDF are defined for this algorithm."""
    @property
    def parameters(self) -> dict[str, tuple[int, int | None]]:
        """The keyword parameters with their minimum and maximum: lengths in bytes, or values for `domain` and parameters of
        trees. The maximum is None if there is none.
        """
    @property
    def source(self) -> str:
        """The standard and section that defines it."""
    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels of this algorithm. The one that this machine uses has chosen=True; it is measured if needed."""
    @property
    def batch_kernels(self) -> tuple[Kernel, ...]:
        """The kernels for many messages in parallel; empty if messages are hashed one by one."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Algorithm], tuple[str]]: ...

@final
class Digest:
    """A hash object with the interface of hashlib.

    The constructors (hashwell.sha256 and others) and hashwell.new make it. Threads may share one; each call is
    atomic.

    Examples:
        >>> import hashwell
        >>> digest = hashwell.sha256(b"a")
        >>> digest.update(b"bc")
        >>> digest.hexdigest() == hashwell.sha256(b"abc").hexdigest()
        True
    """
    @property
    def name(self) -> str:
        """The name of the algorithm."""
    @property
    def digest_size(self) -> int:
        """The size of the digest in bytes."""
    @property
    def block_size(self) -> int:
        """The size of a block in bytes."""
    @property
    def algorithm(self) -> Algorithm:
        """The Algorithm with all properties."""
    @property
    def kernel(self) -> str:
        """The name of the kernel in use."""
    def update(self, data: Buffer) -> None:
        """Append data to the message."""
    def digest(self) -> bytes:
        """Return the digest of the message so far. You can append more data afterwards."""
    def hexdigest(self) -> str:
        """Return the digest of the message so far in hexadecimal."""
    def copy(self) -> Digest:
        """Return an independent copy of this object."""
    def __copy__(self) -> Digest: ...
    def __deepcopy__(self, memo: object) -> Digest: ...
    def to_bytes(self) -> bytes:
        """Return the state as bytes, from which from_bytes() continues in any process or language.

        The bytes are as secret as the message. docs/spec/state.md specifies them.

        Returns:
            At most 4096 bytes, plus the parameters.

        Raises:
            ValueError: The object was made with a key, which the bytes would contain.
        """
    @classmethod
    def from_bytes(cls, data: Buffer) -> Digest:
        """Return the object whose to_bytes() returned data.

        Args:
            data: The bytes, of any language.

        Returns:
            A Digest that continues after the saved message.

        Raises:
            ValueError: The bytes are not a saved state of a Digest, or one that no message leads to.
        """
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Xof:
    """An extendable-output function: absorb a message, then read as much output as you need.

    Made by the constructors (hashwell.shake128 and others), by hashwell.new and by Kmac.xof. finalize() or the first read ends the
    message; absorbing more then raises FinalizedError. Iterating yields the output in pieces of block_size bytes, without end.
    Threads may share one; each call is atomic.

    Examples:
        >>> import hashwell
        >>> stream = hashwell.shake128(b"seed")
        >>> stream.read(4).hex(), stream.read(4).hex()
        ('25629347', '58924276')
        >>> stream.tell()
        8
    """
    @property
    def name(self) -> str:
        """The name of the algorithm."""
    @property
    def digest_size(self) -> int:
        """The size in bytes of digest() without a length, or 0 if it needs one, like SHAKE in hashlib."""
    @property
    def block_size(self) -> int:
        """The size of a block in bytes: the rate of a sponge."""
    @property
    def finalized(self) -> bool:
        """True if the message has ended, so that no data can be appended."""
    def absorb(self, data: Buffer) -> Self:
        """Append data to the message and return this object, so that calls can be chained."""
    def update(self, data: Buffer) -> None:
        """Append data to the message, as in hashlib."""
    def finalize(self) -> Self:
        """End the message and return this object. A second call does nothing."""
    def read(self, n: int) -> bytes:
        """Return the next n bytes of output. An output ends after 2**64 - 1 bytes: reading past the end raises
        ValueError, and nothing is read.
        """
    def read_into(self, buffer: Buffer) -> None:
        """Fill a writable C-contiguous buffer of any item type with the next bytes of output."""
    def digest(self, length: int | None = None) -> bytes:
        """Return the first length bytes of output, as in hashlib. You can append more data afterwards."""
    def hexdigest(self, length: int | None = None) -> str:
        """Return the result of digest() in hexadecimal."""
    @overload
    def ml_rej_uniform(self, n: int, below: int, bits: int | None = None, *, out: None = None) -> list[int]:
        """Return n integers, uniform in range(below), by the rejection sampling of ML-KEM (FIPS 203 algorithm 7,
        below=3329) and ML-DSA (FIPS 204 algorithms 30 and 31, below=8380417, 15 or 9), bit for bit.

        Candidates have the given number of bits, by default as many as below - 1 has. If bits is an odd multiple of
        four, two candidates share bits / 4 bytes, low bits first. Otherwise each takes as many whole bytes as it needs,
        little-endian, and the surplus high bits are dropped. The stream is left where the standards' loops leave it.

        The result is a list, or out: a writable C-contiguous buffer of integers whose first n items are filled. Invalid
        arguments raise ValueError before anything is read.
        """
    @overload
    def ml_rej_uniform(self, n: int, below: int, bits: int | None = None, *, out: _Out) -> _Out: ...
    @overload
    def uniform(self, n: int, below: int, bits: int | None = None, *, out: None = None) -> list[int]:
        """An alias of ml_rej_uniform."""
    @overload
    def uniform(self, n: int, below: int, bits: int | None = None, *, out: _Out) -> _Out: ...
    def tell(self) -> int:
        """Return the number of bytes read so far."""
    def seekable(self) -> bool:
        """Return True if seek() works, which only BLAKE3 supports."""
    def seek(self, offset: int, whence: int = 0) -> int:
        """Move to a position in the output, relative to its start (whence=0) or to the current position (1), at constant
        cost. Return the new position. Raises io.UnsupportedOperation if seekable() is False.
        """
    def copy(self) -> Xof:
        """Return an independent copy of this object, at the same position."""
    def __copy__(self) -> Xof: ...
    def __deepcopy__(self, _memo: object) -> Xof: ...
    def to_bytes(self) -> bytes:
        """Return the state as bytes, from which from_bytes() continues in any process or language.

        The bytes are as secret as the message. docs/spec/state.md specifies them.

        Returns:
            At most 4096 bytes, plus the parameters.

        Raises:
            TypeError: The message has ended: an output stream has no saved form.
            ValueError: The object was made with a key, which the bytes would contain.
        """
    @classmethod
    def from_bytes(cls, data: Buffer) -> Xof:
        """Return the object whose to_bytes() returned data.

        Args:
            data: The bytes, of any language.

        Returns:
            A Xof that continues after the saved message.

        Raises:
            ValueError: The bytes are not a saved state of a Xof, or one that no message leads to.
        """
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> bytes: ...

_Algorithm: TypeAlias = str | Algorithm | Callable[..., Digest] | Callable[..., Xof]

@final
class Hmac:
    """An HMAC object (RFC 2104) for messages that come in parts. Threads may share one; each call is atomic.

    Args:
        algorithm: The name of a hash function, its constructor, or a row of hashwell.algorithms.
        key: The secret key.
        data: The first part of the message.
        kernel: The name of a kernel of the hash function, see Algorithm.kernels.

    Raises:
        ValueError: The algorithm is unknown, HMAC is not defined for it, or there is no such kernel.
        TypeError: key or data is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> mac = hashwell.Hmac("sha256", b"secret")
        >>> mac.update(b"message")
        >>> mac.verify(hashwell.hmac("sha256", b"secret", b"message"))
    """
    def __new__(cls, algorithm: _Algorithm, key: Buffer, data: Buffer = b"", *, kernel: str | None = None) -> Self: ...
    @property
    def name(self) -> str:
        """The name: 'hmac-' and the name of the hash function."""
    @property
    def digest_size(self) -> int:
        """The size of the tag in bytes."""
    @property
    def block_size(self) -> int:
        """The size of a block of the hash function in bytes."""
    @property
    def kernel(self) -> str:
        """The name of the kernel in use."""
    def update(self, data: Buffer) -> None:
        """Append data to the message."""
    def digest(self) -> bytes:
        """Return the tag of the message so far. You can append more data afterwards."""
    def hexdigest(self) -> str:
        """Return the tag in hexadecimal."""
    def verify(self, tag: Buffer, *, length: int | None = None) -> None:
        """Return None if tag is the tag of the message so far, and raise TagMismatchError otherwise. The time does not
        depend on where they differ. With length, tag is compared with the first length bytes.
        """
    def copy(self) -> Hmac:
        """Return an independent copy of this object."""

@final
class Kmac:
    """A KMAC object (SP 800-185 section 4) for messages that come in parts. Threads may share one; each call is atomic.

    Args:
        variant: "kmac128" or "kmac256".
        key: The secret key.
        data: The first part of the message.
        customization: The purpose of the tag. Tags with different customizations are independent.

    Raises:
        ValueError: There is no such variant.
        TypeError: An argument is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> mac = hashwell.Kmac("kmac128", b"secret", b"mess")
        >>> mac.update(b"age")
        >>> mac.digest(8) == hashwell.kmac128(b"secret", b"message", 8)
        True
    """
    def __new__(
        cls, variant: str, key: Buffer, data: Buffer = b"", *, customization: Buffer = b""
    ) -> Self: ...
    @property
    def name(self) -> str:
        """The name: 'kmac128' or 'kmac256'."""
    @property
    def digest_size(self) -> int:
        """The size in bytes of digest() without a length: twice the security strength."""
    @property
    def block_size(self) -> int:
        """The size of a block in bytes."""
    def update(self, data: Buffer) -> None:
        """Append data to the message."""
    def digest(self, length: int | None = None) -> bytes:
        """Return the tag of the message so far, of length bytes. A shorter tag is not the start of a longer one."""
    def hexdigest(self, length: int | None = None) -> str:
        """Return the tag in hexadecimal."""
    def verify(self, tag: Buffer, *, length: int | None = None) -> None:
        """Return None if tag is the tag of the message so far and of length bytes, and raise TagMismatchError otherwise.
        The time does not depend on where they differ.
        """
    def xof(self) -> Xof:
        """Return the output of KMACXOF for the message so far as a Xof. You can append more data to this object."""
    def copy(self) -> Kmac:
        """Return an independent copy of this object."""

@final
class Pieces:
    """A message of known length, divided into pieces that can be hashed independently, in any order and on any machine.

    The values of pieces are bytes that you can store or send. They are not digests: someone who has a value can continue from
    it, and may know a part of the message.

    Args:
        algorithm: "blake3" (without key or context), "kt128" or "kt256", as a name, constructor or row.
        length: The length of the message in bytes.
        **params: Keyword arguments of the algorithm's constructor.

    Raises:
        ValueError: The algorithm has no such pieces.

    Examples:
        >>> import hashwell
        >>> message = bytes(1_000_000)
        >>> pieces = hashwell.Pieces("blake3", len(message))
        >>> spans = [slice(*pieces.span(i)) for i in range(pieces.count)]
        >>> values = [pieces.value(i, message[span]) for i, span in enumerate(spans)]  # anywhere
        >>> pieces.join(values) == hashwell.blake3(message).digest()                   # in one place
        True
    """
    PIECE_SIZE: Final = 262144
    def __new__(cls, algorithm: _Algorithm, length: int, **params: object) -> Self: ...
    @property
    def count(self) -> int:
        """The number of pieces. An empty message has none."""
    def span(self, index: int) -> tuple[int, int]:
        """Return the start and the end of a piece in the message."""
    def value(self, index: int, data: Buffer) -> bytes:
        """Return the value of a piece: 32 bytes for BLAKE3, and 32 or 64 bytes for each 8 KiB for KT128 and KT256. Raises
        ValueError if there is no such piece, or data has another length.
        """
    def join(self, values: Iterable[Buffer]) -> bytes:
        """Return the digest of the message from the values of all pieces in order. Raises ValueError if the number of values
        or the length of one is wrong. It can't check that each value belongs to its piece.
        """

@final
class ArrowRows:
    """Rows of Arrow data that were sampled, as sample returns them for streams. Anything that reads Arrow streams accepts it.

    Examples:
        >>> import hashwell, pyarrow
        >>> state = hashwell.Reservoir(2, seed="0877")
        >>> state.update(pyarrow.table({"id": [1, 2, 3]}))
        >>> pyarrow.table(state.result())["id"].to_pylist()
        [2, 3]
    """
    def __new__(cls, header: bytes, rows: Sequence[bytes]) -> ArrowRows: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class _Survey:
    """A sample in the making: rows are numbers, or stand for something that the caller keeps."""
    def __new__(cls, options: str) -> _Survey: ...
    def update(
        self,
        len: int,
        *,
        weights: Iterable[object] | None = None,
        labels: Iterable[object] | None = None,
        keys: Iterable[object] | None = None,
        handle: int | None = None,
    ) -> None:
        """So many rows go by, each with its weight, its stratum's label and its key where the design has them. With a handle
        the sample keeps the numbers from it on for its rows.
        """
    def update_arrow(self, data: object, *, keep: bool, threads: int = 1, progress: _Progress = None) -> bytes:
        """The rows of an Arrow table or stream go by; with `keep` the sample keeps those picked, packed, and without it
        their numbers. Gives the packed type.
        """
    @property
    def seen(self) -> int:
        """Rows that went by."""
    @property
    def columns(self) -> tuple[str | None, list[str] | None, list[str] | None]:
        """Columns of the design: weight, strata, key."""
    @property
    def method(self) -> str:
        """The method, by its name in records."""
    def kept(self) -> list[bytes]:
        """What the sample keeps for its rows, in no order that means anything."""
    def kept_positions(self, first: int) -> list[int]:
        """The positions, from this one on, of the rows that are kept: in ascending order, each once."""
    def __copy__(self) -> _Survey: ...
    def __deepcopy__(self, _memo: object) -> _Survey: ...
    def handles(self, first: int) -> list[int]:
        """The handles from this one on that are kept."""
    def with_kept(self, rows: Sequence[bytes]) -> _Survey:
        """A copy that keeps this for its rows instead, in the order of `kept`."""
    def positions(self, of_drawing: bool) -> bytes:
        """The positions of the rows picked, from 0, each as a machine's integer of 64 bits."""
    def positions_of(self, rows: int, of_drawing: bool) -> bytes | None:
        """The positions, from 0, of the rows that are picked from this number of rows, each as a machine's integer of 64 bits.
        None if the design depends on the rows, if rows were added before, or if there are fewer rows than picks without
        replacement.
        """
    def payloads(self, of_drawing: bool) -> list[bytes]:
        """What the sample keeps for the rows picked."""
    def shortage(self) -> str | None:
        """What is missing, if there are fewer rows, or keys, than were asked for."""
    def weights(self) -> list[tuple[str | None, str, list[int]]]:
        """Of designs by weight, for each stratum or for all rows: the label or None, the sum of the weights as text, and the
        positions, from 0, of the rows with inclusion probability 1.
        """
    def warning(self) -> str | None:
        """A warning, if the keys were probably selected before with the same seed and context."""
    def to_bytes(self, form: str, header: bytes | None) -> bytes:
        """The state as bytes: of rows of this form, with this header or schema."""
    @staticmethod
    def from_bytes(bytes: bytes) -> tuple[_Survey, str, bytes | None]:
        """A state that was saved: the sample, its form and its header."""
    @staticmethod
    def merge(parts: Sequence[_Survey], seed: bytes) -> _Survey:
        """The sample of all rows of several, which stand one behind the other."""
    def record(self, form: str, of_drawing: bool, digest: bytes | None = None) -> str | None:
        """The record of the draw, as JSON; None of a sample that was saved or merged."""
    @staticmethod
    def order(len: int, seed: bytes, context: str) -> bytes:
        """So many rows in random order: their positions, from 0, each as a machine's integer of 64 bits."""

@final
class _Watch:
    """Looks for signals while rows are read, and tells how many were.

    Python's own loops over rows use one, too.
    """
    def __new__(cls, progress: _Progress = None) -> _Watch: ...
    def step(self, rows: int) -> None:
        """Reports that `rows` more rows were read."""
    def end(self) -> None:
        """All were read."""

@final
class _Race:
    """The first k keys under a key of 32 bytes, and numbers for their rows, which the caller keeps: those that enter get the
    numbers 0, 1, … in the order in which they do.
    """
    def __new__(cls, k: int, key: bytes, *, weighted: bool, distinct: bool) -> _Race: ...
    def update(self, data: object, key: str, weight: str | None = None) -> bytes:
        """Rows of an Arrow table go by, with their keys and weights in columns of these names; weights are decimals of 128 bits
        of one scale. Gives the places of the rows that enter, each as a machine's integer of 64 bits.
        """
    def order(self) -> bytes:
        """The numbers of the rows that are left, in the order of the race; from now on they have the numbers 0, 1, … in this
        order.
        """

def _draw(
    list: int | Sequence[Sequence[str]],
    method: str,
    *,
    stratum: bool,
    weight: bool,
    open: bool,
    context: str,
    k: int | None,
    p: str | None,
    scale: int | None,
    allocation: str | None,
    seed_source: str | None,
    seed_description: str,
    random_source: str,
    origin: str | None,
    value: bytes,
    drand_chain: bytes | None,
    certificate: bytes | None,
    committed: str | None,
) -> tuple[str, str, str | None, list[str]]:
    """Draws, or commits to a draw if the seed has no origin: commitment, plan, transcript and ids."""

def _verify(
    json: bytes,
    list: int | Sequence[Sequence[str]] | None,
    *,
    committed: str | None,
    drand_chain: bytes | None,
    certificate: bytes | None,
    seed_attested: bool,
) -> tuple[str, Sequence[tuple[str, str, Sequence[tuple[str, str]]]], Sequence[tuple[str, str, Sequence[tuple[str, str]]]], str, str, str]:
    """Verifies a transcript."""

@final
class ArrowDigests:
    """A column of digests, as hash_many and hash_rows return it: bytes, or str with hex=True, and null where the message is null.

    It is a sequence of bytes (or str) and None, and its slices are columns, too. NumPy and pandas make an array of objects of it,
    because NumPy's own byte strings would drop zeros at the end of a digest. Anything that reads Arrow data accepts it, such
    as pyarrow.array and polars.Series: it is fixed-size binary (or large string) there, and shares its memory with it.

    Two columns are equal if their rows are equal. Compare tags with Hmac.verify instead.

    Examples:
        >>> import hashwell, pyarrow
        >>> column = hashwell.hash_many("sha256", pyarrow.array(["a", None]), hex=True)
        >>> len(column), column.null_count, column[0][:8], column[1]
        (2, 1, 'ca978112', None)
        >>> pyarrow.array(column).type
        DataType(large_string)
    """
    @property
    def digest_size(self) -> int:
        """The size of a digest in bytes."""
    @property
    def null_count(self) -> int:
        """The number of nulls: rows without a digest."""
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> Any: ...
    @overload
    def __getitem__(self, key: slice, /) -> ArrowDigests: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __reversed__(self) -> Iterator[Any]: ...
    def __contains__(self, value: object, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def index(self, value: object, start: int = 0, stop: int | None = None, /) -> int:
        """Return the first row from start to stop that has this value. Raises ValueError if there is none."""
    def count(self, value: object, /) -> int:
        """Return the number of rows that have this value."""
    def copy(self) -> ArrowDigests:
        """Return a column of the same rows, which shares their memory. pandas calls it."""
    def to_pylist(self) -> list[Any]:
        """Return a list of the rows: bytes, or str with hex=True, and None."""
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def __arrow_array__(self, type: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Scheme: TypeAlias = Literal["sorted-sha256", "lthash64-blake3"]
_Order: TypeAlias = Literal["name", "declared"]
_Progress: TypeAlias = bool | Callable[[int], object] | None

@final
class TableDigest:
    """An order-independent digest of a table that is built batch by batch.

    Rows may come in any batches and in any order, and states may be merged in any grouping: the digest is that of all rows. The
    columns are those of the first table or merged state; later ones must have the same names. Two objects are equal if they have
    the same columns and the same rows. bytes() of an object is its digest. Threads may share one.

    Args:
        scheme: "sorted-sha256" or "lthash64-blake3", as for table_digest.
        columns: The names of the columns to hash. By default all.
        order: "name" or "declared", as for table_digest.

    Raises:
        ValueError: There is no such scheme or order.

    Examples:
        >>> import hashwell, pyarrow
        >>> digest = hashwell.TableDigest()
        >>> digest.update(pyarrow.table({"id": [2]}))
        >>> digest.update(pyarrow.table({"id": [1]}))
        >>> digest == hashwell.table_digest(pyarrow.table({"id": [1, 2]}))
        True
    """
    def __new__(cls, scheme: _Scheme = "sorted-sha256", *, columns: Iterable[str] | None = None, order: _Order = "name") -> Self: ...
    @classmethod
    def from_bytes(cls, state: bytes) -> TableDigest:
        """Read a state that to_bytes() wrote. Raises ValueError if it is not a valid state. A choice of columns is not part of
        the state: update() then takes tables that have only these columns.
        """
    @property
    def scheme(self) -> str:
        """The name of the scheme."""
    @property
    def rows(self) -> int:
        """The number of rows so far."""
    @property
    def columns(self) -> list[str] | None:
        """The names of the columns in the order of a row, or None before the first table."""
    def update(self, table: _ArrowArray | _ArrowStream, *, threads: int = 1, progress: _Progress = None) -> None:
        """Add all rows of a table, or none if there is an error. The arguments are those of table_digest."""
    def remove(self, table: _ArrowArray | _ArrowStream, *, threads: int = 1, progress: _Progress = None) -> None:
        """Remove the rows of a table (only for 'lthash64-blake3'). The state can't check that they were added before. Raises
        ValueError if it has fewer rows.
        """
    def merge(self, other: TableDigest) -> None:
        """Add all rows of another state, which does not change. Raises ValueError if its scheme or columns differ."""
    def to_bytes(self) -> bytes:
        """Return the state as bytes for from_bytes(). It is the same for the same rows in any order. Its size is 32 bytes for
        each row and 2 KiB, or 4 KiB with 'lthash64-blake3'.
        """
    def digest(self) -> bytes:
        """Return the digest of all rows so far: 32 bytes. Raises ValueError before the first table."""
    def hexdigest(self) -> str:
        """Return the digest in hexadecimal."""
    def buckets(self) -> list[tuple[int, bytes]]:
        """Return the 256 buckets of 'sorted-sha256': for each first byte of a row's digest the number of rows, and the digest
        of their sorted digests. If two tables differ in few rows, few of their buckets differ.
        """
    def difference(self, other: TableDigest) -> tuple[list[bytes], list[bytes]]:
        """Return two sorted lists of row digests, as hash_rows makes them: those that only this table has, and those that only
        other has. Repeated rows are listed as often as the counts differ. Only for 'sorted-sha256'.
        """
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class HmacDrbg:
    """HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2), a random generator for keys and nonces.

    Without entropy the operating system seeds it, refreshes every request, and reseeds it every reseed_interval requests (4096), in
    a forked child before its first byte and, with prediction_resistance=True, before every request. Its output is not reproducible.

    With entropy and nonce the output is reproducible, also in forked children. It never reseeds by itself: after reseed_interval
    requests (2**48) generate raises ReseedRequiredError. See from_seed_unchecked for public seeds and test vectors.

    The object shows nothing secret and cannot be pickled. Threads may share one; each call is atomic.

    Args:
        algorithm: The name of a hash function that HMAC accepts, its constructor, or a row of hashwell.algorithms.
        entropy: At least strength bits of entropy.
        nonce: At least half as many bits.
        personalization: The purpose of the output.
        strength: The security strength in bits. By default all that the hash gives.
        prediction_resistance: True lets requests ask for prediction resistance.
        reseed_interval: The number of requests between two reseeds.

    Raises:
        ValueError: HMAC is not defined for the algorithm, or entropy or nonce is too short.

    Examples:
        >>> import hashwell
        >>> len(hashwell.HmacDrbg("sha256").generate(32))
        32
    """
    def __new__(
        cls,
        algorithm: _Algorithm,
        entropy: Buffer | None = None,
        nonce: Buffer | None = None,
        personalization: Buffer = b"",
        *,
        strength: int | None = None,
        prediction_resistance: bool = False,
        reseed_interval: int | None = None,
    ) -> Self: ...
    @staticmethod
    def from_seed_unchecked(
        algorithm: _Algorithm,
        entropy: Buffer,
        nonce: Buffer = b"",
        personalization: Buffer = b"",
        *,
        strength: int | None = None,
        prediction_resistance: bool = False,
        reseed_interval: int | None = None,
    ) -> HmacDrbg:
        """Return a generator from a seed of any length, even an empty one. Its reseeds accept any length, too. Use it for public
        seeds and test vectors: the output is as predictable as the seed.
        """
    @staticmethod
    def self_test(algorithm: _Algorithm) -> None:
        """Run the known-answer test of the generator with this hash. Raises RuntimeError if it fails; afterwards no generator
        with this hash gives output.
        """
    @property
    def name(self) -> str:
        """The name: 'hmac-drbg-' and the name of the hash."""
    @property
    def os_seeded(self) -> bool:
        """True if the operating system seeded it, so that its output is not reproducible."""
    @property
    def strength(self) -> int:
        """The security strength in bits."""
    @property
    def prediction_resistance(self) -> bool:
        """True if requests may ask for prediction resistance."""
    @property
    def reseed_interval(self) -> int:
        """The maximum number of requests between two reseeds."""
    @property
    def requests_left(self) -> int:
        """The number of requests left before a reseed."""
    def generate(
        self, n: int, additional: Buffer = b"", *, prediction_resistance: bool = False, entropy: Buffer | None = None
    ) -> bytes:
        """Return n random bytes.

        This is one request; above 65,536 bytes it is requests of 65,536 and one of the rest, each with the additional input.
        Two calls for n bytes don't return the bytes of one call for 2 * n; use hashwell.Random for that.

        prediction_resistance=True mixes in fresh entropy first, so a state that leaked before doesn't reveal this output. It
        is the operating system's, or the given entropy, which only one request may use.
        """
    def reseed(self, entropy: Buffer | None = None, additional: Buffer = b"") -> None:
        """Mix in fresh entropy: at least strength bits, or the operating system's if none is given."""
    def wipe(self) -> None:
        """Overwrite the state. All later calls raise ValueError."""

@type_check_only
class _StreamPlace(TypedDict):
    source: str
    key: bytes
    jumps: int
    spawned: int
    position: int

@type_check_only
class _StreamState(TypedDict):
    bit_generator: str
    state: _StreamPlace

@type_check_only
class _GeneratesState(Protocol):
    def generate_state(self, n_words: int, /) -> Any: ...

# A seed, of whatever takes one.
_Seed: TypeAlias = str | Buffer | SupportsIndex | Sequence[SupportsIndex] | _GeneratesState

def _seed(seed: _Seed) -> str | bytes:
    """A seed as str, or as bytes if bytes were given."""

# A seed in the source's place: no str, which would be a source's name.
_NumPySeed: TypeAlias = Buffer | SupportsIndex | Sequence[SupportsIndex] | _GeneratesState | SeedSequence

# NumPy asks for no more than its methods, but its stubs for a subclass.
@type_check_only
class _ForNumPy(_NumPyBitGenerator):
    def __init__(self, *args: object, **kwargs: object) -> None: ...

@final
class BitGenerator(_ForNumPy):
    """A bit generator for numpy.random.Generator.

    With a seed, the stream is the same on every machine, in every version and in forked children. Without a seed the operating
    system seeds it, and seeds it again in a forked child, so its output is not reproducible.

    Numbers are the next bytes of the stream, big-endian: next_uint64 and next_raw take 8 bytes, next_uint32 takes 4 (so the first
    half of a uint64 is the next uint32), and next_double is (uint64 >> 11) * 2**-53.

    Pickles and state contain the key of the stream and the position in it; an OS-seeded generator has neither. Moving to a position
    is instant for "blake3" and "counter"; other sources generate all bytes before it. Streams end: "counter" after 2**69 bytes,
    extendable-output functions after 2**64 - 1, HMAC-DRBG after 2**58. Reading on raises ValueError; NumPy can't report an
    error there, so the process ends.

    Args:
        source: One of random_sources(). "blake3" is fast and suits simulations. BitGenerator(12345), where the first argument is
            not a str, seeds the default source.
        seed: A str, bytes, an int, a sequence of ints or a SeedSequence, as for every function of this package.
        personalization: The purpose of the stream. Streams with different personalizations are independent.

    Raises:
        ValueError: There is no such source.
        TypeError: The seed has another type.

    Examples:
        >>> import hashwell, numpy
        >>> generator = numpy.random.Generator(hashwell.BitGenerator("blake3", seed=12345))
        >>> generator.integers(1, 7, 5).tolist()
        [6, 3, 2, 4, 3]
    """
    @overload
    def __new__(
        cls, source: str = "hmac-drbg-sha256", seed: _Seed | None = None, *, personalization: Buffer = b""
    ) -> Self: ...
    @overload
    def __new__(cls, source: _NumPySeed | None, *, personalization: Buffer = b"") -> Self: ...
    @staticmethod
    def from_state(state: _StreamState) -> BitGenerator:
        """Return the generator with this state."""
    @property
    def seed_seq(self) -> SeedSequence:
        """The seed in NumPy's sense: spawn(n) returns n seeds of generators of this class or NumPy's, and generate_state(n)
        returns integers. Its children are counted together with those of this generator. Needs NumPy.
        """
    @property
    def _seed_seq(self) -> SeedSequence:
        """As seed_seq; NumPy's older name, which programs still use."""
    @property
    def _spawned(self) -> int:
        """Children spawned, here and by seed_seq."""
    def _seed_others(self, n: int) -> bytes:
        """Bytes for SeedSequence.generate_state."""
    @property
    def lock(self) -> Any:  # type: ignore[override]
        """The lock that is held while the stream is used."""
    @property
    def capsule(self) -> CapsuleType:
        """The capsule named "BitGenerator" with a bitgen_t, which NumPy reads."""
    @property
    def source(self) -> str:
        """The name of the source."""
    @property
    def os_seeded(self) -> bool:
        """True if the operating system seeded it, so that its output is not reproducible."""
    @property  # type: ignore[override]
    def state(self) -> _StreamState:
        """The key and the position, which reveal the whole stream. Can be set to a state of the same source."""
    @state.setter
    def state(self, state: _StreamState) -> None: ...  # pyright: ignore
    @overload
    def random_raw(self, size: None = None, output: Literal[True] = True) -> int:
        """Return the next 64 bits; with a size, which is an int or a tuple, an array of uint64 (needs NumPy). output=False skips
        them and returns None.
        """
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex], output: Literal[True] = True) -> Any: ...
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex] | None, output: Literal[False]) -> None: ...
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex] | None = None, *, output: Literal[False]) -> None: ...
    def advance(self, delta: int) -> None:
        """Move forward by delta 64-bit numbers, or back if delta is negative. This is instant for 'blake3' and 'counter'; other
        sources generate all bytes before the position.
        """
    def spawn(self, n_children: int) -> list[BitGenerator]:  # pyright: ignore
        """Return a list of n_children generators that are independent of this one, of each other and of those of other calls.

        Child i of all children so far has the key SHA-256(K + b'\\x03' + i as 8 bytes, big-endian), where K is the key of
        this generator. The position of this generator doesn't matter.
        """
    def jumped(self, jumps: int = 1) -> BitGenerator:
        """Return the generator of a later stream, at the beginning of that stream.

        Stream j after this one has the key SHA-256(K + b'\\x04' + j as 8 bytes, big-endian), where K is the key of stream 0.
        Jumping twice adds up.
        """
    def __reduce__(self) -> tuple[Any, ...]: ...

# hashwell.Random is made of it.
@final
class _RandomStream:
    """What hashwell.Random is made of. Threads may share one; each call is atomic."""
    def __new__(cls, source: str, seed: _Seed | None, personalization: Buffer) -> Self: ...
    @staticmethod
    def from_state(state: _StreamState) -> _RandomStream: ...
    def state(self) -> _StreamState: ...
    @property
    def source(self) -> str: ...
    @property
    def os_seeded(self) -> bool: ...
    def random(self) -> float: ...
    def getrandbits(self, k: int) -> int:
        """The next (k + 7) // 8 bytes as a big-endian number, without its surplus low bits."""
    def randbytes(self, n: int) -> bytes: ...

# hashwell.process is made of what follows.
@final
class Term:
    """The distribution of the next draw, which a program yields. The functions bernoulli, uniform and others make terms.

    Examples:
        >>> from hashwell.process import bernoulli
        >>> bernoulli(0.5) == bernoulli(0.5)
        True
    """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __call__(self, then: Callable[[Any], object]) -> Step: ...

@final
class Step:
    """A term with its continuation: a function of the draw that returns what follows. Steps of a coalgebra return it."""

@final
class Done:
    """The end of a coalgebra with an outcome. The function done makes it."""
    @property
    def out(self) -> Any:
        """The outcome of the process."""

def done(out: object) -> Done:
    """End a coalgebra with an outcome.

    Args:
        out: The outcome.

    Returns:
        The end, which steps and continuations return.
    """

@overload
def bernoulli(p: float, then: None = None) -> Term:
    """Draw True with probability p, else False. Consumes one random number."""
@overload
def bernoulli(p: float, then: Callable[[bool], object]) -> Step: ...
@overload
def uniform(then: None = None) -> Term:
    """Draw a float in 0.0 <= u < 1.0, a multiple of 2**-53. Consumes one random number."""
@overload
def uniform(then: Callable[[float], object]) -> Step: ...
@overload
def categorical(weights: _Weights, then: None = None) -> Term:
    """Draw the index of a weight with probability weight / sum. Weights are non-negative, finite and not all 0. Consumes one random number."""
@overload
def categorical(weights: _Weights, then: Callable[[int], object]) -> Step: ...
@overload
def below(n: int, then: None = None) -> Term:
    """Draw an int in 0 <= x < n, for n from 1 to 2**64 - 1. Consumes one random number, rarely more."""
@overload
def below(n: int, then: Callable[[int], object]) -> Step: ...
@overload
def gaussian(mean: float, sd: float, then: None = None) -> Term:
    """Draw a float from the normal distribution with this mean and standard deviation, which is positive."""
@overload
def gaussian(mean: float, sd: float, then: Callable[[float], object]) -> Step: ...
@overload
def beta(a: float, b: float, then: None = None) -> Term:
    """Draw a float from 0.0 to 1.0 from the beta distribution with these shape parameters, which are positive."""
@overload
def beta(a: float, b: float, then: Callable[[float], object]) -> Step: ...
@overload
def observe(weight: float, then: None = None) -> Term:
    """Multiply the weight of the run by the likelihood of an observation, which is finite and non-negative. The draw is None."""
@overload
def observe(weight: float, then: Callable[[None], object]) -> Step: ...

_Weights: TypeAlias = Sequence[float] | ndarray[Any, Any]
_How: TypeAlias = tuple[int, int, int, Callable[[int, int], object] | None]
_Law: TypeAlias = tuple[list[tuple[Any, float]], float, float, float, int, int, int]

@final
class _ProcessEngine:
    """A process, for hashwell.process.Process. Its answers are tuples and lists, of which the package makes its results."""
    @staticmethod
    def program(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _ProcessEngine:
        """A generator function and its arguments."""
    @staticmethod
    def unfold(scheme: str, step: object, seed: object) -> _ProcessEngine:
        """A coalgebra: a step, where it begins, and by which scheme it goes on: ana, apo or futu."""
    @staticmethod
    def built_in(name: str, given: dict[str, Any], encoding: str | None) -> _ProcessEngine:
        """A process of the registry."""
    def compile(self, states: int) -> _ProcessEngine:
        """The table of a coalgebra, empty at first."""
    @property
    def states(self) -> int | None:
        """Terms in the table so far; None of what has no table."""
    def sample(self, seed: _Seed | None, words: str | None, replicate: int | None, terms: int) -> Any: ...
    def trace(self, seed: _Seed | None, words: str | None, replicate: int | None, terms: int) -> tuple[list[tuple[Term, Any]], Any, float]: ...
    def score(self, draws: Iterable[object]) -> tuple[float, float]: ...
    def simulate(self, n: int, seed: _Seed | None, words: str | None, how: _How) -> Any: ...
    def weigh(self, n: int, seed: _Seed | None, words: str | None, how: _How) -> tuple[list[Any], list[float], list[float], float, float]: ...
    def exact(self, mass: float, steps: int, states: int) -> _Law: ...
    def explain(self, terms: int, nodes: int) -> tuple[str, str]:
        """The tree of terms as text, and as SVG."""
    def moments(self) -> list[tuple[str, float]]:
        """What only built-in processes have: closed forms, as `[(name, value), …]`."""
    def log_probability(self, value: object) -> float | None:
        """The logarithm of a value's probability by its closed form; None where there is none."""
    def statistic_law(self, mass: float, steps: int, states: int) -> _Law:
        """As `exact`, of what sums the process up."""
    def sticks(self, seed: _Seed | None, words: str | None, replicate: int | None) -> tuple[list[float], float]: ...
    def smooth(self) -> tuple[int, bytearray, float]: ...
    def picture(self, value: object) -> str:
        """The natural picture of a value, as SVG."""

_ProcessRow: TypeAlias = tuple[str, tuple[str, str, str, str], list[tuple[str, str, str, str, str | None]], list[str], str, str]

def _process_rows() -> list[_ProcessRow]:
    """What the registry says of each built-in process: `(name, (title, law, source, cost), parameters, encodings, outcome,
    statistic)`, with a `(name, kind, range, help, default)` for each parameter.
    """
def _mass_picture(title: str, masses: list[tuple[object, float]]) -> str:
    """Of a law: outcomes with their masses."""
def _restaurant_picture(labels: list[int]) -> str:
    """Of customers' tables."""

@type_check_only
class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@type_check_only
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Messages: TypeAlias = Iterable[Buffer | str] | Buffer | _ArrowArray | _ArrowStream

algorithms: Final[Mapping[str, Algorithm]]
algorithms_available: Final[frozenset[str]]

def digest(algorithm: _Algorithm, data: Buffer, length: int | None = None, **params: object) -> bytes:
    """Return the digest of one message.

    Args:
        algorithm: The name of the algorithm, its constructor, or a row of hashwell.algorithms.
        data: The message: any contiguous bytes-like object.
        length: The digest size in bytes. Required for extendable-output functions that have no default.
        **params: Keyword arguments of the algorithm's constructor.

    Returns:
        The digest as bytes.

    Raises:
        ValueError: The algorithm is unknown, or length is missing or not possible.
        TypeError: data is not a bytes-like object, or the algorithm has no such parameter.

    Examples:
        >>> import hashwell
        >>> hashwell.digest("sha256", b"abc").hex()[:16]
        'ba7816bf8f01cfea'
    """
def hexdigest(algorithm: _Algorithm, data: Buffer, length: int | None = None, **params: object) -> str:
    """Return the digest of one message in hexadecimal.

    Args:
        algorithm: The name of the algorithm, its constructor, or a row of hashwell.algorithms.
        data: The message: any contiguous bytes-like object.
        length: The digest size in bytes. Required for extendable-output functions that have no default.
        **params: Keyword arguments of the algorithm's constructor.

    Returns:
        The digest as a str.

    Raises:
        ValueError: The algorithm is unknown, or length is missing or not possible.
        TypeError: data is not a bytes-like object, or the algorithm has no such parameter.

    Examples:
        >>> import hashwell
        >>> hashwell.hexdigest("shake128", b"abc", 8)
        '5881092dd818bf5c'
    """
def hash_rows(
    table: _ArrowArray | _ArrowStream, *, columns: Iterable[str] | None = None, order: _Order = "name", algorithm: _Algorithm = "sha256", length: int | None = None, hex: bool = False, threads: int = 1, progress: _Progress = None
) -> ArrowDigests:
    """Return the digest of each row of a table as a column. Rows are encoded by hwrow/1 (docs/spec/rows.md).

    Equal values have equal digests, independent of the engine, integer width, dictionary or chunks. docs/guides/tables.md lists the
    engines that change values. Column names are not part of a row's digest: compare digests of tables with the same columns.

    Args:
        table: Any object with __arrow_c_stream__ or __arrow_c_array__ that is a table: a Table, RecordBatch or RecordBatchReader of
            pyarrow, a DataFrame of Polars or pandas, a relation of DuckDB and others. A stream is read once, batch by batch.
        columns: The names of the columns to hash. By default all.
        order: "name" encodes columns in the order of their names' bytes, "declared" in the order of the table or of columns.
        algorithm: The name of the algorithm, its constructor, or a row of hashwell.algorithms.
        length: The digest size in bytes. Required for extendable-output functions that have no default.
        hex: True returns digests in hexadecimal.
        threads: The maximum number of threads. 0 is one for each core.
        progress: A function that is called with the number of rows so far, or True for a line on stderr.

    Returns:
        An ArrowDigests column.

    Raises:
        TypeError: table is not a table, or a column has a type without an encoding (unions).
        ValueError: A column is missing, two columns have the same name, or a value has no encoding, such as text that is not
            valid UTF-8. The message has the number of the row.

    Examples:
        >>> import hashwell, pyarrow
        >>> table = pyarrow.table({"id": [1, 2], "name": ["Ann", "Bob"]})
        >>> [digest[:8] for digest in hashwell.hash_rows(table, hex=True)]
        ['d878740c', '44d92d10']
    """
def hash_columns(
    table: _ArrowArray | _ArrowStream, *, columns: Iterable[str] | None = None, scheme: _Scheme = "sorted-sha256", threads: int = 1, progress: _Progress = None
) -> dict[str, TableDigest]:
    """Return the digest of each column: the table_digest of the table that has only this column.

    The digests show in which columns two tables differ. They don't show whether the same values are in the same rows. Each column
    needs the memory of a table_digest: 32 bytes for each row with "sorted-sha256", 4 KiB in all with "lthash64-blake3".

    Args:
        table: Any object with __arrow_c_stream__ or __arrow_c_array__ that is a table: a Table, RecordBatch or RecordBatchReader of
            pyarrow, a DataFrame of Polars or pandas, a relation of DuckDB and others. A stream is read once, batch by batch.
        columns: The names of the columns. By default all.
        scheme: As for table_digest.
        threads: The maximum number of threads. 0 is one for each core.
        progress: A function that is called with the number of rows so far, or True for a line on stderr.

    Returns:
        A dict of TableDigest by column name.

    Raises:
        TypeError: As for hash_rows.
        ValueError: As for hash_rows.

    Examples:
        >>> import hashwell, pyarrow
        >>> old, new = ({"id": [1, 2], "name": ["Ann", name]} for name in ("Bob", "Rob"))
        >>> one, two = (hashwell.hash_columns(pyarrow.table(table)) for table in (old, new))
        >>> [name for name in one if one[name] != two[name]]
        ['name']
    """
def table_digest(
    table: _ArrowArray | _ArrowStream, *, columns: Iterable[str] | None = None, order: _Order = "name", scheme: _Scheme = "sorted-sha256", threads: int = 1, progress: _Progress = None
) -> TableDigest:
    """Return an order-independent digest of a table: hwtable/1 (docs/spec/rows.md).

    Two tables have the same digest if they have the same columns by name and the same rows, counting repeated rows. The
    order of rows, the engine, the file format, the compression and the partitions don't matter.

    Args:
        table: Any object with __arrow_c_stream__ or __arrow_c_array__ that is a table: a Table, RecordBatch or RecordBatchReader of
            pyarrow, a DataFrame of Polars or pandas, a relation of DuckDB and others. A stream is read once, batch by batch.
        columns: The names of the columns to hash. By default all.
        order: "name" ignores the order of columns. With "declared" the order of columns matters.
        scheme: "sorted-sha256" is as strong as SHA-256 and needs 32 bytes of memory for each row. "lthash64-blake3" needs 4 KiB in
            all and supports up to 2**32 rows.
        threads: The maximum number of threads. 0 is one for each core.
        progress: A function that is called with the number of rows so far, or True for a line on stderr.

    Returns:
        A TableDigest, to which rows can be added.

    Raises:
        TypeError: As for hash_rows.
        ValueError: As for hash_rows.

    Examples:
        >>> import hashwell, pyarrow
        >>> one = hashwell.table_digest(pyarrow.table({"id": [1, 2], "name": ["Ann", "Bob"]}))
        >>> two = hashwell.table_digest(pyarrow.table({"name": ["Bob", "Ann"], "id": [2, 1]}))
        >>> one == two, one.hexdigest()[:16]
        (True, 'fc72f28e51390180')
    """
@overload
def hash_many(
    algorithm: _Algorithm, messages: _Messages, *, length: int | None = None, contiguous: bool = False, out: _Out, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None, device: str | None = None, **params: object
) -> _Out:
    """Hash many messages at once and return their digests in order.

    This is much faster than one call for each message if messages are short. Messages are not copied, and other Python threads
    run meanwhile. For many short messages, contiguous=True, NumPy arrays and Arrow columns take about half the time of lists.

    Args:
        algorithm: The name of the algorithm, its constructor, or a row of hashwell.algorithms.
        messages: One of: an iterable of buffers; a C-contiguous buffer of two dimensions, such as a NumPy array, whose rows are
            messages; a NumPy array of one dimension and dtype S, whose items are messages without the zeros at their end; an
            Arrow column of binary or string values, or a dictionary of these (categoricals of pandas and Polars), which is any
            object with __arrow_c_array__ or __arrow_c_stream__. Strings of Arrow are hashed as UTF-8.
        length: The digest size in bytes. Required for extendable-output functions that have no default.
        contiguous: True returns one bytes object with all digests, one after the other.
        out: A writable buffer of exactly the size of all digests, which is filled and returned.
        threads: The maximum number of threads. 0 is one for each core.
        hex: True returns digests in hexadecimal.
        encoding: The name of a Python codec that encodes messages of type str and NumPy arrays of dtype U.
        device: The id of one of hashwell.devices(), which hashes instead of the CPU. If it can't, the call fails.
        **params: Keyword arguments of the algorithm's constructor. kernel may also name one of batch_kernels.

    Returns:
        An iterable gives a list of bytes (or of str with hex=True). An array gives a NumPy array of uint8 with one row for each
        digest; another buffer gives a memoryview of that shape, which is flat if it is empty. An Arrow column gives an
        ArrowDigests column, where nulls stay null.

    Raises:
        TypeError: A message is a str and there is no encoding, or an Arrow column has another type than bytes or text.
        BufferError: A buffer is strided, or has Python objects or pointers.
        ValueError: out has the wrong size or shares memory with a message, there is no such device, or the device does not
            support this algorithm.
        RuntimeError: The device fails, or this build supports no devices. After an error or Ctrl-C, out may be partly written.

    Examples:
        >>> import hashwell
        >>> [digest.hex()[:8] for digest in hashwell.hash_many("sha256", [b"a", b"b"])]
        ['ca978112', '3e23e816']
        >>> hashwell.hash_many("blake3", ["a", "b"], encoding="utf-8", length=4, hex=True)
        ['17762fdd', '10e5cf3d']
        >>> len(hashwell.hash_many("sha256", [b"a", b"b"], contiguous=True))
        64
    """
@overload
def hash_many(
    algorithm: _Algorithm, messages: _Messages, *, length: int | None = None, contiguous: Literal[True], out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None, device: str | None = None, **params: object
) -> bytes: ...
@overload
def hash_many(
    algorithm: _Algorithm, messages: _ArrowArray | _ArrowStream, *, length: int | None = None, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None, device: str | None = None, **params: object
) -> ArrowDigests: ...
@overload
def hash_many(
    algorithm: _Algorithm, messages: Iterable[Buffer | str], *, length: int | None = None, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None, device: str | None = None, **params: object
) -> list[bytes]: ...
@overload
def hash_many(
    algorithm: _Algorithm, messages: Buffer, *, length: int | None = None, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None, device: str | None = None, **params: object
) -> Any: ...
@overload
def hash_many(
    algorithm: _Algorithm, messages: _ArrowArray | _ArrowStream, *, length: int | None = None, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[True], encoding: str | None = None, device: str | None = None, **params: object
) -> ArrowDigests: ...
@overload
def hash_many(
    algorithm: _Algorithm, messages: Iterable[Buffer | str] | Buffer, *, length: int | None = None, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[True], encoding: str | None = None, device: str | None = None, **params: object
) -> list[str]: ...
@overload
def xof_many(
    algorithm: _Algorithm, messages: _Messages, length: int, *, contiguous: bool = False, out: _Out, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None, **params: object
) -> _Out:
    """Return the first bytes of output of an extendable-output function for each of many messages, in order.

    Args:
        algorithm: The name of an extendable-output function, its constructor, or a row of hashwell.algorithms.
        messages: The messages, as for hash_many.
        length: The number of bytes for each message.
        contiguous: As for hash_many.
        out: As for hash_many.
        threads: As for hash_many.
        hex: As for hash_many.
        encoding: As for hash_many.
        **params: Keyword arguments of the algorithm's constructor.

    Returns:
        The outputs, in the same form as the digests of hash_many.

    Raises:
        TypeError: As for hash_many.
        BufferError: As for hash_many.
        ValueError: The algorithm is not an extendable-output function, or out has the wrong size or shares memory with a message.

    Examples:
        >>> import hashwell
        >>> hashwell.xof_many("shake128", [b"a", b"b"], 4, hex=True)
        ['85c8de88', 'f0ffa343']
    """
@overload
def xof_many(
    algorithm: _Algorithm, messages: _Messages, length: int, *, contiguous: Literal[True], out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None, **params: object
) -> bytes: ...
@overload
def xof_many(
    algorithm: _Algorithm, messages: _ArrowArray | _ArrowStream, length: int, *, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None, **params: object
) -> ArrowDigests: ...
@overload
def xof_many(
    algorithm: _Algorithm, messages: Iterable[Buffer | str], length: int, *, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None, **params: object
) -> list[bytes]: ...
@overload
def xof_many(
    algorithm: _Algorithm, messages: Buffer, length: int, *, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None, **params: object
) -> Any: ...
@overload
def xof_many(
    algorithm: _Algorithm, messages: _ArrowArray | _ArrowStream, length: int, *, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[True], encoding: str | None = None, **params: object
) -> ArrowDigests: ...
@overload
def xof_many(
    algorithm: _Algorithm, messages: Iterable[Buffer | str] | Buffer, length: int, *, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[True], encoding: str | None = None, **params: object
) -> list[str]: ...
@overload
def hmac_many(
    algorithm: _Algorithm, keys: _Messages, messages: _Messages, *, contiguous: bool = False, out: _Out, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None
) -> _Out:
    """Compute many HMAC tags: many messages with one key, one message with many keys, or many pairs of a key and a message.

    Compare tags with Hmac.verify, which takes the same time wherever they differ.

    Args:
        algorithm: The name of a hash function, its constructor, or a row of hashwell.algorithms.
        keys: One key (a buffer), or many in any form that hash_many accepts.
        messages: One message, or many in any form that hash_many accepts. If there are many of both, there must be equally many,
            given as iterables of buffers.
        contiguous: As for hash_many.
        out: As for hash_many.
        threads: As for hash_many.
        hex: As for hash_many.
        encoding: The name of a Python codec that encodes messages of type str. Keys must be bytes.

    Returns:
        The tags, in the same form as the digests of hash_many. Pairs give a list of bytes.

    Raises:
        TypeError: As for hash_many.
        BufferError: As for hash_many.
        ValueError: HMAC is not defined for the algorithm, the numbers of keys and messages differ, or out has the wrong size or
            shares memory with a message.

    Examples:
        >>> import hashwell
        >>> [tag.hex()[:8] for tag in hashwell.hmac_many("sha256", b"secret", [b"a", b"b"])]
        ['4048c449', '8caf2958']
    """
@overload
def hmac_many(
    algorithm: _Algorithm, keys: _Messages, messages: _Messages, *, contiguous: Literal[True], out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None
) -> bytes: ...
@overload
def hmac_many(
    algorithm: _Algorithm, keys: bytes | bytearray, messages: _ArrowArray | _ArrowStream, *, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None
) -> ArrowDigests: ...
@overload
def hmac_many(
    algorithm: _Algorithm, keys: bytes | bytearray | list[bytes], messages: bytes | bytearray | str | list[bytes] | list[str], *, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None
) -> list[bytes]: ...
@overload
def hmac_many(
    algorithm: _Algorithm, keys: _Messages, messages: _Messages, *, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None
) -> Any: ...
@overload
def hmac_many(
    algorithm: _Algorithm, keys: bytes | bytearray, messages: _ArrowArray | _ArrowStream, *, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[True], encoding: str | None = None
) -> ArrowDigests: ...
@overload
def hmac_many(
    algorithm: _Algorithm, keys: bytes | bytearray | list[bytes], messages: bytes | bytearray | str | list[bytes] | list[str], *, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[True], encoding: str | None = None
) -> list[str]: ...
@overload
def hmac_many(
    algorithm: _Algorithm, keys: _Messages, messages: _Messages, *, contiguous: Literal[False] = False, out: None = None, threads: int = 1, hex: Literal[True], encoding: str | None = None
) -> Any: ...
def hmac(algorithm: _Algorithm, key: Buffer, data: Buffer) -> bytes:
    """Return the HMAC tag of one message (RFC 2104).

    Compare tags with Hmac.verify, which takes the same time wherever they differ.

    Args:
        algorithm: The name of a hash function, its constructor, or a row of hashwell.algorithms.
        key: The secret key.
        data: The message.

    Returns:
        The tag, as long as a digest of the hash function.

    Raises:
        ValueError: The algorithm is unknown, or HMAC is not defined for it.
        TypeError: key or data is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> hashwell.hmac("sha256", b"secret", b"message").hex()[:16]
        '8b5f48702995c159'
    """
def hkdf(algorithm: _Algorithm, ikm: Buffer, length: int, salt: Buffer = b"", info: Buffer = b"") -> bytes:
    """Derive key material from a secret by HKDF (RFC 5869).

    Args:
        algorithm: The name of a hash function, its constructor, or a row of hashwell.algorithms.
        ikm: The input key material.
        length: The number of bytes to derive, at most 255 times the digest size.
        salt: A salt, which need not be secret.
        info: The purpose of the derived key. Keys with different info are independent.

    Returns:
        The derived key.

    Raises:
        ValueError: The algorithm is unknown, HMAC is not defined for it, or length is too large.
        TypeError: An argument is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> hashwell.hkdf("sha256", b"shared secret", 16, info=b"encryption").hex()
        '88ae252e57fc08d6f6f17c4a8659b469'
    """
def hkdf_extract(algorithm: _Algorithm, ikm: Buffer, salt: Buffer = b"") -> bytes:
    """Return the pseudorandom key of HKDF's first step, "extract" (RFC 5869 section 2.2).

    Args:
        algorithm: The name of a hash function, its constructor, or a row of hashwell.algorithms.
        ikm: The input key material.
        salt: A salt, which need not be secret.

    Returns:
        The pseudorandom key, as long as a digest of the hash function.

    Raises:
        ValueError: The algorithm is unknown, or HMAC is not defined for it.
        TypeError: An argument is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> len(hashwell.hkdf_extract("sha256", b"shared secret", b"salt"))
        32
    """
def hkdf_expand(algorithm: _Algorithm, prk: Buffer, length: int, info: Buffer = b"") -> bytes:
    """Derive key material from a pseudorandom key: HKDF's second step, "expand" (RFC 5869 section 2.3).

    Args:
        algorithm: The name of a hash function, its constructor, or a row of hashwell.algorithms.
        prk: The pseudorandom key, such as the result of hkdf_extract.
        length: The number of bytes to derive, at most 255 times the digest size.
        info: The purpose of the derived key.

    Returns:
        The derived key.

    Raises:
        ValueError: The algorithm is unknown, HMAC is not defined for it, or length is too large.
        TypeError: An argument is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> prk = hashwell.hkdf_extract("sha256", b"shared secret")
        >>> hashwell.hkdf_expand("sha256", prk, 4, b"encryption") == hashwell.hkdf("sha256", b"shared secret", 4, info=b"encryption")
        True
    """
def kmac128(key: Buffer, data: Buffer, length: int = 32, customization: Buffer = b"") -> bytes:
    """Return the KMAC128 tag of one message (SP 800-185 section 4).

    Args:
        key: The secret key.
        data: The message.
        length: The length of the tag in bytes. A shorter tag is not the start of a longer one.
        customization: The purpose of the tag. Tags with different customizations are independent.

    Returns:
        The tag.

    Raises:
        TypeError: An argument is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> hashwell.kmac128(b"secret", b"message", 8).hex()
        'bfc1378bc24152c6'
    """
def kmac256(key: Buffer, data: Buffer, length: int = 64, customization: Buffer = b"") -> bytes:
    """Return the KMAC256 tag of one message (SP 800-185 section 4).

    Args:
        key: The secret key.
        data: The message.
        length: The length of the tag in bytes. A shorter tag is not the start of a longer one.
        customization: The purpose of the tag. Tags with different customizations are independent.

    Returns:
        The tag.

    Raises:
        TypeError: An argument is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> hashwell.kmac256(b"secret", b"message", 8).hex()
        '211452743bc2f557'
    """
def random_sources() -> tuple[str, ...]:
    """Return the names of all random sources.

    Returns:
        The names that Random, BitGenerator and `hashwell random` accept.

    Examples:
        >>> import hashwell
        >>> "blake3" in hashwell.random_sources()
        True
    """
def kernels() -> tuple[str, ...]:
    """Return the names of all kernels (implementations for particular CPUs).

    Returns:
        The names that kernel= and the environment variable HASHWELL_KERNEL accept. Algorithm.kernels lists those of one
        algorithm and tells which of them this CPU can run.

    Examples:
        >>> import hashwell
        >>> "portable" in hashwell.kernels()
        False
    """
def _device_rows() -> list[tuple[str, str, str, str, str, int | None, int | None]]:
    """What hash_many's device takes: id, kind, name, platform, driver, bytes of its own memory, and units that work side
    by side.
    """
def _unpickle_kernel(name: str, available: bool, chosen: bool) -> Kernel:
    """What a kernel was pickled as; for pickle alone."""
def _unpickle_digests(bytes: bytes, rows: int, size: int, hex: bool, nulls: list[int]) -> ArrowDigests:
    """The column of these bytes; for pickle alone."""
def _unpickle_table(scheme: str, columns: list[str] | None, order: str, state: bytes | None) -> TableDigest:
    """The state that these are; for pickle alone."""

# What the registry says, written by tools/generate_stubs.py.

_DigestName: TypeAlias = Literal[
    "ascon-hash256",
    "ascon_hash256",
    "asconhash256",
    "b2",
    "blake2b",
    "blake2b-256",
    "blake2b-512",
    "blake2b_256",
    "blake2b_512",
    "blake2bp",
    "blake2bp-512",
    "blake2bp_512",
    "blake2s",
    "blake2s-256",
    "blake2s_256",
    "blake2sp",
    "blake2sp-256",
    "blake2sp_256",
    "ripemd-160",
    "ripemd160",
    "ripemd_160",
    "rmd160",
    "sha-1",
    "sha-224",
    "sha-256",
    "sha-3-224",
    "sha-3-256",
    "sha-3-384",
    "sha-3-512",
    "sha-384",
    "sha-512",
    "sha-512-224",
    "sha-512-256",
    "sha1",
    "sha2-224",
    "sha2-256",
    "sha2-384",
    "sha2-512",
    "sha2-512-224",
    "sha2-512-256",
    "sha224",
    "sha256",
    "sha256-90",
    "sha256-90r",
    "sha256_90",
    "sha256_90r",
    "sha2_224",
    "sha2_256",
    "sha2_384",
    "sha2_512",
    "sha2_512_224",
    "sha2_512_256",
    "sha3",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "sha384",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "sha512",
    "sha512-224",
    "sha512-256",
    "sha512_224",
    "sha512_256",
    "sha_1",
    "sha_224",
    "sha_256",
    "sha_384",
    "sha_3_224",
    "sha_3_256",
    "sha_3_384",
    "sha_3_512",
    "sha_512",
    "sha_512_224",
    "sha_512_256",
    "sm3",
]
_XofName: TypeAlias = Literal[
    "ascon-cxof128",
    "ascon-xof",
    "ascon-xof-v1.2",
    "ascon-xof128",
    "ascon-xofa",
    "ascon-xofa-v1.2",
    "ascon_cxof128",
    "ascon_xof",
    "ascon_xof128",
    "ascon_xof_v1.2",
    "ascon_xofa",
    "ascon_xofa_v1.2",
    "asconcxof128",
    "asconxof128",
    "b3",
    "blake3",
    "cshake-128",
    "cshake-256",
    "cshake128",
    "cshake256",
    "cshake_128",
    "cshake_256",
    "k12",
    "kangarootwelve",
    "kt-128",
    "kt-256",
    "kt128",
    "kt256",
    "kt_128",
    "kt_256",
    "shake-128",
    "shake-256",
    "shake128",
    "shake256",
    "shake_128",
    "shake_256",
    "turboshake-128",
    "turboshake-256",
    "turboshake128",
    "turboshake256",
    "turboshake_128",
    "turboshake_256",
]

@overload
def new(algorithm: _DigestName, data: Buffer = b"", **params: object) -> Digest:
    """Return a hash object of the named algorithm, like hashlib.new.

    Args:
        algorithm: The name of the algorithm, its constructor, or a row of hashwell.algorithms.
        data: The first part of the message.
        **params: Keyword arguments of the algorithm's constructor.

    Returns:
        A Digest, or a Xof of an extendable-output function.

    Raises:
        ValueError: The algorithm is unknown, or a parameter is out of its range.
        TypeError: data is not a bytes-like object, or the algorithm has no such parameter.

    Examples:
        >>> import hashwell
        >>> hashwell.new("sha256", b"abc").hexdigest()[:16]
        'ba7816bf8f01cfea'
    """
@overload
def new(algorithm: _XofName, data: Buffer = b"", **params: object) -> Xof: ...
@overload
def new(algorithm: Callable[..., Digest], data: Buffer = b"", **params: object) -> Digest: ...
@overload
def new(algorithm: Callable[..., Xof], data: Buffer = b"", **params: object) -> Xof: ...
@overload
def new(algorithm: _Algorithm, data: Buffer = b"", **params: object) -> Digest | Xof: ...
@overload
def file_digest(file: str | bytes | PathLike[str] | PathLike[bytes] | BinaryIO, algorithm: _DigestName, /, **params: object) -> Digest:
    """Hash a file: hashlib.file_digest, also for paths, and with any algorithm.

    A path is read in pieces while other threads run. A large file is hashed on all cores if the algorithm is BLAKE3, KT128 or
    KT256.

    Args:
        file: A path (str, bytes or os.PathLike), or a file that is open for reading bytes. An open file is read from its current
            position to its end, and stays open there.
        algorithm: The name of the algorithm, its constructor, or a row of hashwell.algorithms.
        **params: Keyword arguments of the algorithm's constructor.

    Returns:
        A Digest or Xof that has absorbed the file.

    Raises:
        OSError: The file can't be read.
        ValueError: The algorithm is unknown, or the file is not open for reading bytes.

    Examples:
        >>> import hashwell, io
        >>> hashwell.file_digest(io.BytesIO(b"abc"), "sha256").hexdigest()[:16]
        'ba7816bf8f01cfea'
    """
@overload
def file_digest(file: str | bytes | PathLike[str] | PathLike[bytes] | BinaryIO, algorithm: _XofName, /, **params: object) -> Xof: ...
@overload
def file_digest(file: str | bytes | PathLike[str] | PathLike[bytes] | BinaryIO, algorithm: Callable[..., Digest], /, **params: object) -> Digest: ...
@overload
def file_digest(file: str | bytes | PathLike[str] | PathLike[bytes] | BinaryIO, algorithm: Callable[..., Xof], /, **params: object) -> Xof: ...
@overload
def file_digest(file: str | bytes | PathLike[str] | PathLike[bytes] | BinaryIO, algorithm: _Algorithm, /, **params: object) -> Digest | Xof: ...

def sha1(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-1 (FIPS 180-4 section 6.1). Returns a hashwell.Digest.

    Broken: practical collisions exist.

    `string` is an alias for `data`, as in hashlib.
    """
def sha224(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-224 (FIPS 180-4 section 6.3). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def sha256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-256 (FIPS 180-4 section 6.2). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def sha384(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-384 (FIPS 180-4 section 6.5). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def sha512(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-512 (FIPS 180-4 section 6.4). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def sha512_224(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-512/224 (FIPS 180-4 section 6.6). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def sha512_256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-512/256 (FIPS 180-4 section 6.7). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def sm3(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SM3 (GB/T 32905-2016). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def sha3_224(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA3-224 (FIPS 202 section 6.1). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def sha3_256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA3-256 (FIPS 202 section 6.1). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def sha3_384(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA3-384 (FIPS 202 section 6.1). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def sha3_512(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA3-512 (FIPS 202 section 6.1). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def shake128(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """SHAKE128 (FIPS 202 section 6.2). Returns a hashwell.Xof.

    `string` is an alias for `data`, as in hashlib.
    """
def shake256(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """SHAKE256 (FIPS 202 section 6.2). Returns a hashwell.Xof.

    `string` is an alias for `data`, as in hashlib.
    """
def cshake128(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', function_name: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """cSHAKE128 (SP 800-185 section 3). Returns a hashwell.Xof.

    `string` is an alias for `data`, as in hashlib.
    """
def cshake256(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', function_name: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """cSHAKE256 (SP 800-185 section 3). Returns a hashwell.Xof.

    `string` is an alias for `data`, as in hashlib.
    """
def turboshake128(data: Buffer = b'', *, digest_size: int | None = None, domain: int | None = 31, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """TurboSHAKE128 (RFC 9861 section 2). Returns a hashwell.Xof.

    `string` is an alias for `data`, as in hashlib.
    """
def turboshake256(data: Buffer = b'', *, digest_size: int | None = None, domain: int | None = 31, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """TurboSHAKE256 (RFC 9861 section 2). Returns a hashwell.Xof.

    `string` is an alias for `data`, as in hashlib.
    """
def kt128(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """KT128 (RFC 9861 section 3). Returns a hashwell.Xof.

    `string` is an alias for `data`, as in hashlib.
    """
def kt256(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """KT256 (RFC 9861 section 3). Returns a hashwell.Xof.

    `string` is an alias for `data`, as in hashlib.
    """

@final
@type_check_only
class _blake2b_256:
    SALT_SIZE: Final = 16
    PERSON_SIZE: Final = 16
    MAX_KEY_SIZE: Final = 64
    MAX_DIGEST_SIZE: Final = 32
    def __call__(self, data: Buffer = b'', *, key: Buffer | None = None, salt: Buffer | None = b'', person: Buffer | None = b'', fanout: int | None = 1, depth: int | None = 1, leaf_size: int | None = 0, node_offset: int | None = 0, node_depth: int | None = 0, inner_size: int | None = 0, last_node: bool | None = False, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
        """BLAKE2b-256 (RFC 7693). Returns a hashwell.Digest.

        `string` is an alias for `data`, as in hashlib.
        """

blake2b_256: Final[_blake2b_256]


@final
@type_check_only
class _blake2b_512:
    SALT_SIZE: Final = 16
    PERSON_SIZE: Final = 16
    MAX_KEY_SIZE: Final = 64
    MAX_DIGEST_SIZE: Final = 64
    def __call__(self, data: Buffer = b'', *, digest_size: int | None = 64, key: Buffer | None = None, salt: Buffer | None = b'', person: Buffer | None = b'', fanout: int | None = 1, depth: int | None = 1, leaf_size: int | None = 0, node_offset: int | None = 0, node_depth: int | None = 0, inner_size: int | None = 0, last_node: bool | None = False, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
        """BLAKE2b-512 (RFC 7693). Returns a hashwell.Digest.

        `string` is an alias for `data`, as in hashlib.
        """

blake2b_512: Final[_blake2b_512]


@final
@type_check_only
class _blake2b:
    SALT_SIZE: Final = 16
    PERSON_SIZE: Final = 16
    MAX_KEY_SIZE: Final = 64
    MAX_DIGEST_SIZE: Final = 64
    def __call__(self, data: Buffer = b'', *, digest_size: int | None = 64, key: Buffer | None = None, salt: Buffer | None = b'', person: Buffer | None = b'', fanout: int | None = 1, depth: int | None = 1, leaf_size: int | None = 0, node_offset: int | None = 0, node_depth: int | None = 0, inner_size: int | None = 0, last_node: bool | None = False, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
        """BLAKE2b-512 (RFC 7693). Returns a hashwell.Digest.

        `string` is an alias for `data`, as in hashlib.
        """

blake2b: Final[_blake2b]

def blake2bp_512(data: Buffer = b'', *, digest_size: int | None = 64, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """BLAKE2bp-512 (BLAKE2 paper section 2.10). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def blake2bp(data: Buffer = b'', *, digest_size: int | None = 64, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """BLAKE2bp-512 (BLAKE2 paper section 2.10). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """

@final
@type_check_only
class _blake2s_256:
    SALT_SIZE: Final = 8
    PERSON_SIZE: Final = 8
    MAX_KEY_SIZE: Final = 32
    MAX_DIGEST_SIZE: Final = 32
    def __call__(self, data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, salt: Buffer | None = b'', person: Buffer | None = b'', fanout: int | None = 1, depth: int | None = 1, leaf_size: int | None = 0, node_offset: int | None = 0, node_depth: int | None = 0, inner_size: int | None = 0, last_node: bool | None = False, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
        """BLAKE2s-256 (RFC 7693). Returns a hashwell.Digest.

        `string` is an alias for `data`, as in hashlib.
        """

blake2s_256: Final[_blake2s_256]


@final
@type_check_only
class _blake2s:
    SALT_SIZE: Final = 8
    PERSON_SIZE: Final = 8
    MAX_KEY_SIZE: Final = 32
    MAX_DIGEST_SIZE: Final = 32
    def __call__(self, data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, salt: Buffer | None = b'', person: Buffer | None = b'', fanout: int | None = 1, depth: int | None = 1, leaf_size: int | None = 0, node_offset: int | None = 0, node_depth: int | None = 0, inner_size: int | None = 0, last_node: bool | None = False, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
        """BLAKE2s-256 (RFC 7693). Returns a hashwell.Digest.

        `string` is an alias for `data`, as in hashlib.
        """

blake2s: Final[_blake2s]

def blake2sp_256(data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """BLAKE2sp-256 (BLAKE2 paper section 2.10). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def blake2sp(data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """BLAKE2sp-256 (BLAKE2 paper section 2.10). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def blake3(data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, derive_key_context: str | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """BLAKE3 (BLAKE3 paper section 2). Returns a hashwell.Xof.

    `string` is an alias for `data`, as in hashlib.
    """
def ascon_hash256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Ascon-Hash256 (SP 800-232 section 5.1). Returns a hashwell.Digest.

    `string` is an alias for `data`, as in hashlib.
    """
def ascon_xof128(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Ascon-XOF128 (SP 800-232 section 5.2). Returns a hashwell.Xof.

    `string` is an alias for `data`, as in hashlib.
    """
def ascon_cxof128(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Ascon-CXOF128 (SP 800-232 section 5.3). Returns a hashwell.Xof.

    `string` is an alias for `data`, as in hashlib.
    """
def ascon_xof_v1_2(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Ascon-Xof v1.2 (Ascon v1.2 section 2.5). Returns a hashwell.Xof.

    Legacy: superseded, kept to read old data.

    `string` is an alias for `data`, as in hashlib.
    """
def ascon_xofa_v1_2(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Ascon-Xofa v1.2 (Ascon v1.2 section 2.5). Returns a hashwell.Xof.

    Legacy: superseded, kept to read old data.

    `string` is an alias for `data`, as in hashlib.
    """
def ripemd160(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """RIPEMD-160 (RIPEMD-160, 1996, appendix A). Returns a hashwell.Digest.

    Legacy: superseded, kept to read old data.

    `string` is an alias for `data`, as in hashlib.
    """
def sha256_90r(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA256-90R (docs/spec/sha256-90r.md). Returns a hashwell.Digest.

    Experimental: without public analysis, not for production.

    `string` is an alias for `data`, as in hashlib.
    """

__all__ = [
    "__version__",
    "FinalizedError",
    "ReseedRequiredError",
    "TagMismatchError",
    "Algorithm",
    "Kernel",
    "Digest",
    "Xof",
    "Hmac",
    "Kmac",
    "Pieces",
    "ArrowDigests",
    "TableDigest",
    "HmacDrbg",
    "BitGenerator",
    "random_sources",
    "algorithms",
    "algorithms_available",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512_224",
    "sha512_256",
    "sm3",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "shake128",
    "shake256",
    "cshake128",
    "cshake256",
    "turboshake128",
    "turboshake256",
    "kt128",
    "kt256",
    "blake2b_256",
    "blake2b_512",
    "blake2b",
    "blake2bp_512",
    "blake2bp",
    "blake2s_256",
    "blake2s",
    "blake2sp_256",
    "blake2sp",
    "blake3",
    "ascon_hash256",
    "ascon_xof128",
    "ascon_cxof128",
    "ascon_xof_v1_2",
    "ascon_xofa_v1_2",
    "ripemd160",
    "sha256_90r",
    "new",
    "digest",
    "hexdigest",
    "hmac",
    "hkdf",
    "hkdf_extract",
    "hkdf_expand",
    "kmac128",
    "kmac256",
    "kernels",
    "hash_many",
    "xof_many",
    "hmac_many",
    "hash_rows",
    "hash_columns",
    "table_digest",
    "file_digest",
    "ArrowRows",
]
# End of what the registry says.
