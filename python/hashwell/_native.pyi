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
    """One implementation of an algorithm's inner function."""
    @property
    def name(self) -> str:
        """What kernel= and HASHWELL_KERNEL accept."""
    @property
    def available(self) -> bool:
        """Whether this CPU can run it."""
    @property
    def chosen(self) -> bool:
        """Whether an object made without kernel= uses it."""

@final
class Algorithm:
    """One row of the registry: a hash function and what is known of it. Algorithm(name) finds it, as does
    hashwell.algorithms[name]. Rows of one name are equal.
    """
    def __new__(cls, name: str) -> Self: ...
    @property
    def name(self) -> str:
        """Canonical name, the same in every language of this project."""
    @property
    def title(self) -> str:
        """The standard's own spelling."""
    @property
    def aliases(self) -> tuple[str, ...]:
        """Other accepted names."""
    @property
    def kind(self) -> Literal["digest", "xof"]:
        """'digest', of fixed length, or 'xof', an unlimited stream."""
    @property
    def status(self) -> Literal["sound", "legacy", "broken", "experimental"]:
        """'sound', 'legacy', 'broken' or 'experimental'."""
    @property
    def block_size(self) -> int:
        """Bytes per compression or permutation: the block, or the rate of a sponge."""
    @property
    def digest_size(self) -> int:
        """Bytes of digest() without a length; 0 where a length must be given."""
    @property
    def digest_size_range(self) -> tuple[int, int | None]:
        """Smallest and largest digest_size that may be asked for; no largest is None."""
    @property
    def hmac(self) -> bool:
        """Whether HMAC and HKDF are defined over it."""
    @property
    def parameters(self) -> dict[str, tuple[int, int | None]]:
        """Parameters besides the message: keyword -> smallest and largest length in bytes, of `domain` and a
        tree's parameters smallest and largest value; no largest is None.
        """
    @property
    def source(self) -> str:
        """Standard and section."""
    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """Its implementations; the one that this machine runs is chosen, by measuring where that is needed."""
    @property
    def batch_kernels(self) -> tuple[Kernel, ...]:
        """Those for many messages side by side; empty where they are hashed one by one."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Algorithm], tuple[str]]: ...

@final
class Digest:
    """A digest in progress. Made by the constructors (hashwell.sha256, …) and hashwell.new.

    Threads may share one; each call is atomic.
    """
    @property
    def name(self) -> str:
        """Name of the algorithm."""
    @property
    def digest_size(self) -> int:
        """Bytes of the digest."""
    @property
    def block_size(self) -> int:
        """Bytes per compression or permutation."""
    @property
    def algorithm(self) -> Algorithm:
        """The registry's row."""
    @property
    def kernel(self) -> str:
        """Name of the kernel in use."""
    def update(self, data: Buffer) -> None:
        """Appends to the message."""
    def digest(self) -> bytes:
        """The digest of the message so far. More may follow."""
    def hexdigest(self) -> str:
        """The digest in hexadecimal."""
    def copy(self) -> Digest:
        """An independent object in the same state."""

@final
class Xof:
    """An extendable-output function in progress. Made by the constructors (hashwell.shake128, …),
    hashwell.new and Kmac.xof.

    First it absorbs the message, then its output is read, without end. finalize() or the first read ends
    the message; absorbing more raises FinalizedError then. Iterating yields the output in pieces of
    block_size bytes, for ever. Threads may share one; each call is atomic.
    """
    @property
    def name(self) -> str:
        """Name of the algorithm."""
    @property
    def digest_size(self) -> int:
        """Bytes of digest() without a length; 0 if it needs one, as of hashlib's SHAKE."""
    @property
    def block_size(self) -> int:
        """Bytes per compression or permutation: the rate of a sponge."""
    @property
    def finalized(self) -> bool:
        """Whether the message has ended."""
    def absorb(self, data: Buffer) -> Self:
        """Appends to the message. Returns the object itself, so that calls chain."""
    def update(self, data: Buffer) -> None:
        """Appends to the message; hashlib's name for it."""
    def finalize(self) -> Self:
        """Ends the message. Returns the object itself; a second call does nothing."""
    def read(self, n: int) -> bytes:
        """The next n bytes of output. A stream has 2**64 - 1 bytes, near which only seek gets anyone; whoever asks
        for more gets a ValueError, and nothing is read.
        """
    def read_into(self, buffer: Buffer) -> None:
        """Fills a writable C-contiguous buffer, of any item type, with the next bytes of output."""
    def digest(self, length: int | None = None) -> bytes:
        """The first bytes of output, from hashlib's interface: the message may go on afterwards."""
    def hexdigest(self, length: int | None = None) -> str:
        """digest() in hexadecimal."""
    @overload
    def ml_rej_uniform(self, n: int, below: int, bits: int | None = None, *, out: None = None) -> list[int]:
        """n integers, uniform in range(below), drawn from the stream by the rejection sampling of ML-KEM (FIPS 203
        algorithm 7, below=3329) and ML-DSA (FIPS 204 algorithms 30 and 31, below=8380417, 15 or 9), bit for bit.

        Candidates are bits wide, by default as wide as below - 1. If bits is an odd multiple of four, two
        candidates share bits / 4 bytes, low bits first; else each takes as many whole bytes as it needs,
        little-endian, without the surplus high bits. The stream is left exactly where the standards' loops leave it.

        Returns a list, or out, a writable C-contiguous buffer of integers whose first n items are filled.
        Arguments that do not fit raise before anything is read.
        """
    @overload
    def ml_rej_uniform(self, n: int, below: int, bits: int | None = None, *, out: _Out) -> _Out: ...
    @overload
    def uniform(self, n: int, below: int, bits: int | None = None, *, out: None = None) -> list[int]:
        """As ml_rej_uniform: its name in programs for earlier versions."""
    @overload
    def uniform(self, n: int, below: int, bits: int | None = None, *, out: _Out) -> _Out: ...
    def tell(self) -> int:
        """Bytes read so far."""
    def seekable(self) -> bool:
        """Whether seek works: only BLAKE3's output has independent blocks."""
    def seek(self, offset: int, whence: int = 0) -> int:
        """Goes to a position in the output, from its start (whence=0) or from here (1), at constant cost.
        Returns the new position; raises io.UnsupportedOperation for a stream that cannot.
        """
    def copy(self) -> Xof:
        """An independent object in the same state and at the same position."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> bytes: ...

_Algorithm: TypeAlias = str | Algorithm | Callable[..., Digest] | Callable[..., Xof]

@final
class Hmac:
    """HMAC in progress: Hmac(algorithm, key, data=b''). Threads may share one; each call is atomic."""
    def __new__(cls, algorithm: _Algorithm, key: Buffer, data: Buffer = b"", *, kernel: str | None = None) -> Self: ...
    @property
    def name(self) -> str:
        """'hmac-' and the name of the hash function."""
    @property
    def digest_size(self) -> int:
        """Bytes of the tag."""
    @property
    def block_size(self) -> int:
        """Bytes per compression or permutation of the hash function."""
    @property
    def kernel(self) -> str:
        """Name of the kernel in use."""
    def update(self, data: Buffer) -> None:
        """Appends to the message."""
    def digest(self) -> bytes:
        """The tag of the message so far. More may follow."""
    def hexdigest(self) -> str:
        """The tag in hexadecimal."""
    def verify(self, tag: Buffer, *, length: int | None = None) -> None:
        """Returns if tag is the tag of the message so far, else raises TagMismatchError. Takes the same time
        wherever they differ. With length, the tag is truncated to its first length bytes.
        """
    def copy(self) -> Hmac:
        """An independent object in the same state."""

@final
class Kmac:
    """KMAC in progress: Kmac(variant, key, data=b'', *, customization=b''), where variant is 'kmac128' or
    'kmac256'. Threads may share one; each call is atomic.
    """
    def __new__(
        cls, variant: str, key: Buffer, data: Buffer = b"", *, customization: Buffer = b""
    ) -> Self: ...
    @property
    def name(self) -> str:
        """'kmac128' or 'kmac256'."""
    @property
    def digest_size(self) -> int:
        """Bytes of digest() without a length: twice the security strength."""
    @property
    def block_size(self) -> int:
        """Bytes per permutation."""
    def update(self, data: Buffer) -> None:
        """Appends to the message."""
    def digest(self, length: int | None = None) -> bytes:
        """The tag of the message so far, of length bytes. A shorter tag is not the start of a longer one."""
    def hexdigest(self, length: int | None = None) -> str:
        """The tag in hexadecimal."""
    def verify(self, tag: Buffer, *, length: int | None = None) -> None:
        """Returns if tag is the tag of the message so far and of length bytes, else raises TagMismatchError.
        Takes the same time wherever they differ.
        """
    def xof(self) -> Xof:
        """KMACXOF of the message so far: its output as a Xof. This object may go on."""
    def copy(self) -> Kmac:
        """An independent object in the same state."""

@final
class Pieces:
    """One message of known length in pieces, each of which can be hashed without the others, in any order and on any machine:
    Pieces(algorithm, length, **params), where length is that of the message in bytes and keyword arguments are those of
    the algorithm's constructor. Of BLAKE3 without key or context, KT128 and KT256; others raise ValueError.

        >>> import hashwell
        >>> message = bytes(1_000_000)
        >>> pieces = hashwell.Pieces("blake3", len(message))
        >>> spans = [slice(*pieces.span(i)) for i in range(pieces.count)]
        >>> values = [pieces.value(i, message[span]) for i, span in enumerate(spans)]  # anywhere
        >>> pieces.join(values) == hashwell.blake3(message).digest()                   # in one place
        True

    Values are bytes to be kept or sent. They are not digests: who has one can go on from it, and may know some of the
    message.
    """
    PIECE_SIZE: Final = 262144
    def __new__(cls, algorithm: _Algorithm, length: int, **params: object) -> Self: ...
    @property
    def count(self) -> int:
        """How many pieces there are: none of an empty message."""
    def span(self, index: int) -> tuple[int, int]:
        """Where a piece begins and ends in the message."""
    def value(self, index: int, data: Buffer) -> bytes:
        """The value of a piece: of BLAKE3 32 bytes, of KT128 and KT256 32 or 64 for each 8 KiB. ValueError if there is no such
        piece, or it has another length.
        """
    def join(self, values: Iterable[Buffer]) -> bytes:
        """The digest of the message, from the values of all pieces in their order. ValueError if there are more or fewer,
        or one has another length; that each was made of its piece nobody can see.
        """

@final
class ArrowRows:
    """Rows that were picked, as Arrow's columns."""
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
        """So many rows more were read."""
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
    words: str,
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
    """A column of digests, null where the message is: of bytes, or of str with hex=True.

    A sequence of bytes (or str) and None; slices are columns, too. NumPy and pandas make an array of objects of
    it, since NumPy's own byte strings would lose zeros at a digest's end. Hand it to whatever reads Arrow, such
    as pyarrow.array and polars.Series: it is fixed-size binary there, or large string, and shares its memory
    with the columns made of it.

    Two columns are equal if their rows are. Compare tags with Hmac.verify.
    """
    @property
    def digest_size(self) -> int:
        """Bytes of a digest."""
    @property
    def null_count(self) -> int:
        """Rows without a digest."""
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
        """The first row from start to stop that holds value. Raises ValueError if none does."""
    def count(self, value: object, /) -> int:
        """How many rows hold value."""
    def copy(self) -> ArrowDigests:
        """A column of the same rows, in the same memory, which never changes. pandas asks for it."""
    def to_pylist(self) -> list[Any]:
        """A list of the rows: bytes, or str with hex=True, and None."""
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def __arrow_array__(self, type: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Suite: TypeAlias = Literal["sorted-sha256", "lthash64-blake3"]
_Order: TypeAlias = Literal["name", "declared"]
_Progress: TypeAlias = bool | Callable[[int], object] | None

@final
class TableDigest:
    """The digest of a table in the making: TableDigest(suite='sorted-sha256', *, columns=None, order='name'). Rows may come in
    any batches and any order, and states be merged in any grouping: the digest is that of all rows.

    The columns are those of the first table that is given, or the states merged; others must have the same names. Equal to
    another one if both have the same columns and the same rows. bytes() of it is the digest. Threads may share one.
    """
    def __new__(cls, suite: _Suite = "sorted-sha256", *, columns: Iterable[str] | None = None, order: _Order = "name") -> Self: ...
    @classmethod
    def from_bytes(cls, state: bytes) -> TableDigest:
        """The state that to_bytes gave. Raises ValueError for all else, such as what was cut short or changed. The bytes do not
        tell that columns were chosen: update takes tables of these columns alone.
        """
    @property
    def suite(self) -> str:
        """The name of the suite."""
    @property
    def rows(self) -> int:
        """Rows so far."""
    @property
    def columns(self) -> list[str] | None:
        """The names of the columns in the order of a row, or None before the first table."""
    def update(self, table: _ArrowArray | _ArrowStream, *, threads: int = 1, progress: _Progress = None) -> None:
        """Adds all rows of a table, or none if there is an error. Arguments are those of table_digest."""
    def remove(self, table: _ArrowArray | _ArrowStream, *, threads: int = 1, progress: _Progress = None) -> None:
        """Takes the rows of a table out again, with 'lthash64-blake3' alone. That they were added is for you to know: a
        digest of rows that never were there is not refused. Raises ValueError if there are fewer rows.
        """
    def merge(self, other: TableDigest) -> None:
        """Adds all rows of another state, which stays as it is. Raises ValueError if its suite or columns are others."""
    def to_bytes(self) -> bytes:
        """The state as bytes, of which from_bytes makes it again: the same for the same rows in whatever order. 32 bytes a row
        and 2 KiB, or 4 KiB with 'lthash64-blake3'.
        """
    def digest(self) -> bytes:
        """The digest of all rows so far: 32 bytes. Raises ValueError before the first table."""
    def hexdigest(self) -> str:
        """The digest in hexadecimal."""
    def buckets(self) -> list[tuple[int, bytes]]:
        """The 256 buckets of 'sorted-sha256': of each first byte of a row's SHA-256 the number of rows and the digest of
        their sorted digests. Where two tables differ in few rows, few buckets do.
        """
    def difference(self, other: TableDigest) -> tuple[list[bytes], list[bytes]]:
        """The digests of rows, as hash_rows gives them, that only this table has, and those that only other has, each as often
        as it has it more: two lists of bytes, in rising order. With 'sorted-sha256' alone.
        """
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class HmacDrbg:
    """HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2) over a hash that HMAC accepts:
    HmacDrbg(algorithm, entropy=None, nonce=None, personalization=b'', *, strength=None,
    prediction_resistance=False, reseed_interval=None).

    Without entropy the operating system seeds it, refreshes every request, and reseeds it every
    reseed_interval requests (4096), and in a forked child before its first byte; with
    prediction_resistance=True before every request. Nobody can repeat its output.

    With entropy (at least strength bits) and nonce (at least half as many) the output is repeatable, also in
    forked children. It never reseeds by itself: after reseed_interval requests (2**48) generate raises
    ReseedRequiredError. See from_seed_unchecked for public seeds and test vectors.

    strength is in bits, by default all that the hash gives. Shows nothing secret and cannot be pickled.
    Threads may share one; each call is atomic.
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
        """A generator from a seed of any length, even empty; its reseeds accept any length too. For public seeds
        and test vectors: nothing here makes the output unpredictable.
        """
    @staticmethod
    def self_test(algorithm: _Algorithm) -> None:
        """Runs the known-answer test of the generator over this hash. Raises RuntimeError if it fails, after
        which no generator over the hash gives output.
        """
    @property
    def name(self) -> str:
        """'hmac-drbg-' and the name of the hash."""
    @property
    def os_seeded(self) -> bool:
        """Whether the operating system seeded it, so that nobody can repeat its output."""
    @property
    def strength(self) -> int:
        """Security strength in bits."""
    @property
    def prediction_resistance(self) -> bool:
        """Whether requests may ask for prediction resistance."""
    @property
    def reseed_interval(self) -> int:
        """Requests that it serves between two reseeds."""
    @property
    def requests_left(self) -> int:
        """Requests that are left before a reseed."""
    def generate(
        self, n: int, additional: Buffer = b"", *, prediction_resistance: bool = False, entropy: Buffer | None = None
    ) -> bytes:
        """n bytes: one request, or above 65,536 bytes requests of 65,536 and one of the rest, each with the
        additional input. Two calls of n do not give the bytes of one of 2 * n: hashwell.Random does.

        With prediction_resistance=True fresh entropy comes first, so that a state stolen before tells nothing:
        the operating system's, or the entropy given, which one request may have.
        """
    def reseed(self, entropy: Buffer | None = None, additional: Buffer = b"") -> None:
        """Mixes fresh entropy in: the operating system's, or at least strength bits given."""
    def wipe(self) -> None:
        """Overwrites the state. Whatever is asked of it afterwards raises ValueError."""

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

    source is one of random_sources(); for simulations 'blake3' is the fast one. With a seed the stream is the same on
    every machine, in every version and in forked children; personalization separates uses of one seed. A seed is a str,
    bytes, an int, a sequence of ints or a SeedSequence, as for every function of the package (docs/guides/random.md, Seeds in
    Python). BitGenerator(12345), with a seed that is no str in the source's place, seeds the default source. Without a
    seed nobody can repeat the stream: the operating system seeds it, and again in a forked child.

    A number is the next bytes of the stream, big-endian: next_uint64 and next_raw take 8, next_uint32 takes 4 (so
    that the first half of a uint64 is the next uint32), next_double is (uint64 >> 11) * 2**-53.

    Pickles, and state, hold the key of the stream and the position in it; an OS-seeded one has neither.
    Going to a position takes a moment for 'blake3' and 'counter'; other sources generate all bytes before it.
    Streams end: 'counter' after 2**69 bytes, extendable-output functions after 2**64 - 1, HMAC-DRBG after 2**58.
    Whoever asks for more gets a ValueError; NumPy cannot be told, so under it the process ends.
    """
    @overload
    def __new__(
        cls, source: str = "hmac-drbg-sha256", seed: _Seed | None = None, *, personalization: Buffer = b""
    ) -> Self: ...
    @overload
    def __new__(cls, source: _NumPySeed | None, *, personalization: Buffer = b"") -> Self: ...
    @staticmethod
    def from_state(state: _StreamState) -> BitGenerator:
        """The generator that this state was taken of."""
    @property
    def seed_seq(self) -> SeedSequence:
        """What NumPy's users know as the seed: its spawn(n) gives what seeds as many generators, this class's or
        NumPy's, and its generate_state(n) gives numbers. Its children and this generator's are counted together.
        Needs NumPy.
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
        """Held while the stream is used."""
    @property
    def capsule(self) -> CapsuleType:
        """What NumPy reads: a capsule named "BitGenerator" over a bitgen_t."""
    @property
    def source(self) -> str:
        """Name of the source."""
    @property
    def os_seeded(self) -> bool:
        """Whether the operating system seeded it, so that nobody can repeat its output."""
    @property  # type: ignore[override]
    def state(self) -> _StreamState:
        """Key and position: whoever has them has the whole stream. May be set, to a state of the same source."""
    @state.setter
    def state(self, state: _StreamState) -> None: ...  # pyright: ignore
    @overload
    def random_raw(self, size: None = None, output: Literal[True] = True) -> int:
        """The next 64 bits; with a size, a number or a tuple, an array of as many uint64 (which needs NumPy). With
        output=False they are left out, and nothing is returned.
        """
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex], output: Literal[True] = True) -> Any: ...
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex] | None, output: Literal[False]) -> None: ...
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex] | None = None, *, output: Literal[False]) -> None: ...
    def advance(self, delta: int) -> None:
        """Goes delta 64-bit numbers on, or back if delta is negative: in a moment for 'blake3' and 'counter'; other
        sources generate all bytes before.
        """
    def spawn(self, n_children: int) -> list[BitGenerator]:  # pyright: ignore
        """A list of n_children generators, independent of this one, of each other and of those of other calls.
        Child i of all that were ever spawned has the key SHA-256(K + b'\\x03' + i as 8 bytes, big-endian), K the
        key of this one; how far this one was read does not matter.
        """
    def jumped(self, jumps: int = 1) -> BitGenerator:
        """The generator that many streams further on, at the beginning of its stream. Stream j of the row that this
        one's stream is number 0 of has the key SHA-256(K + b'\\x04' + j as 8 bytes, big-endian); jumping twice
        adds up.
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
    """The law of the next draw: what a program yields. `bernoulli`, `uniform`, … make it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __call__(self, then: Callable[[Any], object]) -> Step: ...

@final
class Step:
    """A term with its continuation, a function from the draw to what follows: what a step of a coalgebra gives."""

@final
class Done:
    """The end of a coalgebra, and what comes of it; made by `done`."""
    @property
    def out(self) -> Any:
        """What came of the process."""

def done(out: object) -> Done:
    """The end of a coalgebra: `out` is what comes of it."""

@overload
def bernoulli(p: float, then: None = None) -> Term:
    """True with probability p of 0 to 1, else False. One word, whatever p is."""
@overload
def bernoulli(p: float, then: Callable[[bool], object]) -> Step: ...
@overload
def uniform(then: None = None) -> Term:
    """A float of 0.0 <= u < 1.0, a multiple of 2**-53. One word."""
@overload
def uniform(then: Callable[[float], object]) -> Step: ...
@overload
def categorical(weights: _Weights, then: None = None) -> Term:
    """The index of one of the weights, with the chance weight / sum: numbers of at least 0, finite and not all 0. One word."""
@overload
def categorical(weights: _Weights, then: Callable[[int], object]) -> Step: ...
@overload
def below(n: int, then: None = None) -> Term:
    """An integer of 0 <= x < n, for n of 1 to 2**64 - 1. One word, seldom more."""
@overload
def below(n: int, then: Callable[[int], object]) -> Step: ...
@overload
def gaussian(mean: float, sd: float, then: None = None) -> Term:
    """A float of the normal law of this mean and standard deviation, which is more than 0."""
@overload
def gaussian(mean: float, sd: float, then: Callable[[float], object]) -> Step: ...
@overload
def beta(a: float, b: float, then: None = None) -> Term:
    """A float of 0.0 to 1.0 of the beta law of these shapes, which are more than 0."""
@overload
def beta(a: float, b: float, then: Callable[[float], object]) -> Step: ...
@overload
def observe(weight: float, then: None = None) -> Term:
    """Nothing is drawn: the run is weighted by this factor, finite and at least 0, the likelihood of what was observed. The draw is None."""
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
    """The digest of one message.

    length is the digest size, which a stream without one must be given. Other
    keyword arguments are those of the algorithm's constructor.
    """
def hexdigest(algorithm: _Algorithm, data: Buffer, length: int | None = None, **params: object) -> str:
    """The digest of one message in hexadecimal.

    length is the digest size, which a stream without one must be given. Other
    keyword arguments are those of the algorithm's constructor.
    """
def hash_rows(
    table: _ArrowArray | _ArrowStream, *, columns: Iterable[str] | None = None, order: _Order = "name", algorithm: _Algorithm = "sha256", length: int | None = None, hex: bool = False, threads: int = 1, progress: _Progress = None
) -> ArrowDigests:
    """The digest of each row of a table, as a column: of the row's encoding hwrow/1 (docs/spec/rows.md).

    table is any object with __arrow_c_stream__ or __arrow_c_array__ that shows a table: a Table, RecordBatch or
    RecordBatchReader of pyarrow, a DataFrame of Polars or pandas, a relation of DuckDB, … A stream is read once, batch by
    batch. Equal values have equal digests whatever engine, width, dictionary or chunks they come in; docs/guides/tables.md says
    which engines change values. Names of columns are not in a row's digest: compare digests of tables with the same
    columns.

    columns are the names of those that count, by default all. order is 'name', by the bytes of the columns' names, or
    'declared', as they stand in the table or in columns. algorithm and length are those of hash_many, hex=True gives str.
    threads is the most threads to hash on, 0 for one per core. progress is a callable that gets the number of rows so
    far now and then, or True for a line on stderr.

    Raises TypeError for what is no table and for types without encoding (unions), ValueError for a column that is not
    there, for two columns of one name, and for a value without encoding, such as text that is not UTF-8, with its row.
    """
def hash_columns(
    table: _ArrowArray | _ArrowStream, *, columns: Iterable[str] | None = None, suite: _Suite = "sorted-sha256", threads: int = 1, progress: _Progress = None
) -> dict[str, TableDigest]:
    """The digest of each column by its name, in a dict: the table_digest of the table of that column alone, as a
    TableDigest. It tells in which columns two tables differ, though not whether the same values stand in the same rows.

    Arguments are those of table_digest. Each column takes the memory of a table: 32 bytes a row and about 6 KiB with
    'sorted-sha256', 4 KiB with 'lthash64-blake3'.
    """
def table_digest(
    table: _ArrowArray | _ArrowStream, *, columns: Iterable[str] | None = None, order: _Order = "name", suite: _Suite = "sorted-sha256", threads: int = 1, progress: _Progress = None
) -> TableDigest:
    """The digest of a table that does not see the order of its rows, hwtable/1 (docs/spec/rows.md), as a TableDigest: equal
    for tables with the same columns by name and the same rows, repeats counted, whatever engine, file format, compression
    or partitioning they come from.

    suite is 'sorted-sha256', as strong as SHA-256, with 32 bytes of memory a row; or 'lthash64-blake3', 4 KiB in all, for
    up to 2**32 rows. table, columns, order, threads and progress are those of hash_rows, as are the errors. With
    order='name', the default, the order of columns is not seen either.
    """
@overload
def hash_many(
    algorithm: _Algorithm, messages: _Messages, *, length: int | None = None, contiguous: bool = False, out: _Out, threads: int = 1, hex: Literal[False] = False, encoding: str | None = None, device: str | None = None, **params: object
) -> _Out:
    """The digests of many messages, in order.

    messages is one of: an iterable of buffers; a C-contiguous buffer of two dimensions, such as a NumPy
    array, each row of which is a message; a NumPy array of one dimension and dtype S, each item of which is
    one, without the zeros at its end, as NumPy reads it; an Arrow column of binary or string values or a
    dictionary of these (categoricals of pandas and Polars), which is any object with __arrow_c_array__ or
    __arrow_c_stream__. The digests come in kind: a list of bytes; an array of uint8 with a row for each
    digest, or a memoryview of that shape (a flat one if it is empty); an ArrowDigests column, where nulls
    stay null.

    length is the digest size, which a stream without one must be given. hex=True gives hexadecimal: a list of
    str, or a column of strings. contiguous=True gives one bytes object, a digest after the other; out, a
    writable buffer of exactly as many bytes, gets them instead and is returned. encoding, the name of one of
    Python's codecs, makes messages that are str bytes, those of a NumPy array of dtype U, too; without it they
    are refused. Arrow's strings are hashed as the UTF-8 that they are. threads is the most threads to hash
    on, 0 for one per core; there are fewer, if the system refuses them. device, an id of hashwell.devices(), hashes
    on that instead of this processor's kernels, or fails: nothing is hashed elsewhere in its place. Other keyword
    arguments are those of the algorithm's constructor; kernel may also name one for many messages.

    Messages are not copied, and other Python threads run meanwhile. For many short messages most of the
    time of a list goes into its objects: contiguous=True, arrays and columns take about half of it.

    Raises TypeError for a str without encoding and for Arrow types that are not bytes, BufferError for a
    strided buffer and for one of Python objects or pointers, ValueError if out is too long, too short, or
    shares memory with a message, if there is no such device, or if it does not hash this; RuntimeError if the device
    fails, or if this build knows none. After an error, or Ctrl-C, out may be partly written.
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
    """The first length bytes of output for each of many messages, in order.

    Messages, results and keyword arguments are those of hash_many; algorithm is an extendable-output
    function.
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
    """HMAC tags: of many messages under one key, of one message under many keys, or of each message under
    its own key, in order.

    keys and messages are each one buffer or many, and equally many if both are; a single one of many
    counts as one. Many messages under one key, or many keys for one message, may have any form that
    hash_many takes, and give its results; pairs are iterables of buffers and give a list of bytes.
    contiguous, out, threads and hex are as for hash_many; so is encoding, for the messages: keys are bytes.
    Compare tags with Hmac.verify.
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
    """The HMAC tag of one message (RFC 2104). Compare tags with Hmac.verify."""
def hkdf(algorithm: _Algorithm, ikm: Buffer, length: int, salt: Buffer = b"", info: Buffer = b"") -> bytes:
    """HKDF (RFC 5869): length bytes of key material from ikm, bound to salt and info."""
def hkdf_extract(algorithm: _Algorithm, ikm: Buffer, salt: Buffer = b"") -> bytes:
    """HKDF's first step: the pseudorandom key."""
def hkdf_expand(algorithm: _Algorithm, prk: Buffer, length: int, info: Buffer = b"") -> bytes:
    """HKDF's second step: length bytes of key material from a pseudorandom key."""
def kmac128(key: Buffer, data: Buffer, length: int = 32, customization: Buffer = b"") -> bytes:
    """The KMAC128 tag of one message (SP 800-185 section 4), 32 bytes if no length is given."""
def kmac256(key: Buffer, data: Buffer, length: int = 64, customization: Buffer = b"") -> bytes:
    """The KMAC256 tag of one message (SP 800-185 section 4), 64 bytes if no length is given."""
def random_sources() -> tuple[str, ...]:
    """Names of all sources of random numbers, for Random, BitGenerator and the command line's `random`."""
def kernels() -> tuple[str, ...]:
    """Every kernel name, for kernel= and HASHWELL_KERNEL."""
def _device_rows() -> list[tuple[str, str, str, str, str, int | None, int | None]]:
    """What hash_many's device takes: id, kind, name, platform, driver, bytes of its own memory, and units that work side
    by side.
    """
def _unpickle_kernel(name: str, available: bool, chosen: bool) -> Kernel:
    """What a kernel was pickled as; for pickle alone."""
def _unpickle_digests(bytes: bytes, rows: int, size: int, hex: bool, nulls: list[int]) -> ArrowDigests:
    """The column of these bytes; for pickle alone."""
def _unpickle_table(suite: str, columns: list[str] | None, order: str, state: bytes | None) -> TableDigest:
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
    """An object of the named algorithm, a Digest or a Xof.

    Keyword arguments are those of its constructor.
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
    """An object that has absorbed a file: hashlib.file_digest for paths too, and with any algorithm. Keyword
    arguments are those of the algorithm's constructor.

    A path (str, bytes or os.PathLike) is read in pieces while other threads run, and hashed on all cores if
    it is large and the algorithm is BLAKE3, KT128 or KT256. A file open for reading
    bytes is read from its current position to its end, and stays open there.
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

    string is another name of data.
    """
def sha224(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-224 (FIPS 180-4 section 6.3). Returns a hashwell.Digest.

    string is another name of data.
    """
def sha256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-256 (FIPS 180-4 section 6.2). Returns a hashwell.Digest.

    string is another name of data.
    """
def sha384(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-384 (FIPS 180-4 section 6.5). Returns a hashwell.Digest.

    string is another name of data.
    """
def sha512(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-512 (FIPS 180-4 section 6.4). Returns a hashwell.Digest.

    string is another name of data.
    """
def sha512_224(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-512/224 (FIPS 180-4 section 6.6). Returns a hashwell.Digest.

    string is another name of data.
    """
def sha512_256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA-512/256 (FIPS 180-4 section 6.7). Returns a hashwell.Digest.

    string is another name of data.
    """
def sm3(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SM3 (GB/T 32905-2016). Returns a hashwell.Digest.

    string is another name of data.
    """
def sha3_224(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA3-224 (FIPS 202 section 6.1). Returns a hashwell.Digest.

    string is another name of data.
    """
def sha3_256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA3-256 (FIPS 202 section 6.1). Returns a hashwell.Digest.

    string is another name of data.
    """
def sha3_384(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA3-384 (FIPS 202 section 6.1). Returns a hashwell.Digest.

    string is another name of data.
    """
def sha3_512(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA3-512 (FIPS 202 section 6.1). Returns a hashwell.Digest.

    string is another name of data.
    """
def shake128(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """SHAKE128 (FIPS 202 section 6.2). Returns a hashwell.Xof.

    string is another name of data.
    """
def shake256(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """SHAKE256 (FIPS 202 section 6.2). Returns a hashwell.Xof.

    string is another name of data.
    """
def cshake128(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', function_name: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """cSHAKE128 (SP 800-185 section 3). Returns a hashwell.Xof.

    string is another name of data.
    """
def cshake256(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', function_name: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """cSHAKE256 (SP 800-185 section 3). Returns a hashwell.Xof.

    string is another name of data.
    """
def turboshake128(data: Buffer = b'', *, digest_size: int | None = None, domain: int | None = 31, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """TurboSHAKE128 (RFC 9861 section 2). Returns a hashwell.Xof.

    string is another name of data.
    """
def turboshake256(data: Buffer = b'', *, digest_size: int | None = None, domain: int | None = 31, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """TurboSHAKE256 (RFC 9861 section 2). Returns a hashwell.Xof.

    string is another name of data.
    """
def kt128(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """KT128 (RFC 9861 section 3). Returns a hashwell.Xof.

    string is another name of data.
    """
def kt256(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """KT256 (RFC 9861 section 3). Returns a hashwell.Xof.

    string is another name of data.
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

        string is another name of data.
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

        string is another name of data.
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

        string is another name of data.
        """

blake2b: Final[_blake2b]

def blake2bp_512(data: Buffer = b'', *, digest_size: int | None = 64, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """BLAKE2bp-512 (BLAKE2 paper section 2.10). Returns a hashwell.Digest.

    string is another name of data.
    """
def blake2bp(data: Buffer = b'', *, digest_size: int | None = 64, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """BLAKE2bp-512 (BLAKE2 paper section 2.10). Returns a hashwell.Digest.

    string is another name of data.
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

        string is another name of data.
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

        string is another name of data.
        """

blake2s: Final[_blake2s]

def blake2sp_256(data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """BLAKE2sp-256 (BLAKE2 paper section 2.10). Returns a hashwell.Digest.

    string is another name of data.
    """
def blake2sp(data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """BLAKE2sp-256 (BLAKE2 paper section 2.10). Returns a hashwell.Digest.

    string is another name of data.
    """
def blake3(data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, derive_key_context: str | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """BLAKE3 (BLAKE3 paper section 2). Returns a hashwell.Xof.

    string is another name of data.
    """
def ascon_hash256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Ascon-Hash256 (SP 800-232 section 5.1). Returns a hashwell.Digest.

    string is another name of data.
    """
def ascon_xof128(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Ascon-XOF128 (SP 800-232 section 5.2). Returns a hashwell.Xof.

    string is another name of data.
    """
def ascon_cxof128(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Ascon-CXOF128 (SP 800-232 section 5.3). Returns a hashwell.Xof.

    string is another name of data.
    """
def ascon_xof_v1_2(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Ascon-Xof v1.2 (Ascon v1.2 section 2.5). Returns a hashwell.Xof.

    Legacy: superseded, kept to read old data.

    string is another name of data.
    """
def ascon_xofa_v1_2(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Ascon-Xofa v1.2 (Ascon v1.2 section 2.5). Returns a hashwell.Xof.

    Legacy: superseded, kept to read old data.

    string is another name of data.
    """
def ripemd160(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """RIPEMD-160 (RIPEMD-160, 1996, appendix A). Returns a hashwell.Digest.

    Legacy: superseded, kept to read old data.

    string is another name of data.
    """
def sha256_90r(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """SHA256-90R (docs/spec/sha256-90r.md). Returns a hashwell.Digest.

    Experimental: without public analysis, not for production.

    string is another name of data.
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
