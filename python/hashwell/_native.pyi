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
    """The message has ended: data can no longer be appended, and digest() is not available."""
class ReseedRequiredError(ValueError):
    """An HMAC-DRBG must be reseeded: it has reached the maximum number of requests between two reseeds."""
class TagMismatchError(ValueError):
    """An authentication tag does not match the message."""

@final
class Kernel:
    """An implementation of an algorithm for one kind of CPU. Algorithm.kernels lists these objects.

    Examples:
        >>> import hashwell
        >>> portable = hashwell.Algorithm("sha256").kernels[-1]
        >>> portable.name, portable.available
        ('soft', True)
    """
    @property
    def name(self) -> str:
        """The name. The argument `kernel` and the environment variable HASHWELL_KERNEL accept it."""
    @property
    def available(self) -> bool:
        """True if this CPU can run the kernel."""
    @property
    def chosen(self) -> bool:
        """True if objects use the kernel when no other kernel is requested."""

@final
class Algorithm:
    """An algorithm of the package, with its properties. hashwell.algorithms[name] returns an equal object.

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
        """The name of the algorithm in its standard."""
    @property
    def aliases(self) -> tuple[str, ...]:
        """Other accepted names."""
    @property
    def kind(self) -> Literal["digest", "xof"]:
        """The kind of output: 'digest' has a fixed length, and 'xof' has any length."""
    @property
    def status(self) -> Literal["sound", "legacy", "broken", "experimental"]:
        """The security status: 'sound', 'legacy', 'broken' or 'experimental'.

        No published attack on a 'sound' algorithm is better than the generic attacks. A 'legacy' algorithm is superseded.
        For a 'broken' algorithm, practical collisions exist. For an 'experimental' algorithm, no public analysis
        exists.
        """
    @property
    def block_size(self) -> int:
        """The block size in bytes. For a sponge function, it is the rate."""
    @property
    def digest_size(self) -> int:
        """The number of bytes that digest() returns without a length, or 0 if it needs a length."""
    @property
    def digest_size_range(self) -> tuple[int, int | None]:
        """The minimum and maximum digest size in bytes. The maximum is None if there is no limit."""
    @property
    def hmac(self) -> bool:
        """True if HMAC and HKDF are defined for this algorithm."""
    @property
    def parameters(self) -> dict[str, tuple[int, int | None]]:
        """The keyword parameters of the constructor, as a dict that maps each name to its minimum and maximum.

        For `domain` and the parameters of BLAKE2's tree mode, the minimum and maximum are values. For the other
        parameters, they are lengths in bytes. The maximum is None if there is no limit.
        """
    @property
    def source(self) -> str:
        """The standard and section that define the algorithm."""
    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels (implementations for particular CPUs) of this algorithm.

        The attribute `chosen` is True for the kernel that this machine uses. To find it, this attribute measures the
        speed of the kernels if necessary.
        """
    @property
    def batch_kernels(self) -> tuple[Kernel, ...]:
        """The kernels that hash many messages in parallel. The tuple is empty if messages are hashed one by one."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[type[Algorithm], tuple[str]]: ...

@final
class Digest:
    """A hash object with the interface of hashlib.

    To make an object, use a constructor such as hashwell.sha256, or hashwell.new. Several threads can use the
    same object; each call is atomic.

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
        """The block size in bytes."""
    @property
    def algorithm(self) -> Algorithm:
        """The Algorithm object, which has all properties of the algorithm."""
    @property
    def kernel(self) -> str:
        """The name of the kernel in use."""
    def update(self, data: Buffer) -> None:
        """Append data to the message.

        Args:
            data: A bytes-like object.

        Raises:
            TypeError: data is not a bytes-like object.
        """
    def digest(self) -> bytes:
        """Return the digest of the message so far. You can append more data afterwards."""
    def hexdigest(self) -> str:
        """Return the digest of the message so far in hexadecimal."""
    def copy(self) -> Digest:
        """Return an independent copy of this object."""
    def __copy__(self) -> Digest: ...
    def __deepcopy__(self, memo: object) -> Digest: ...
    def to_bytes(self) -> bytes:
        """Return the state as bytes, from which from_bytes() restores the object in any process and language.

        The bytes are as secret as the message. docs/spec/state.md specifies their format.

        Returns:
            The saved state. Its size is at most 4096 bytes plus the size of the parameters.

        Raises:
            ValueError: The object was made with a key, and the bytes would contain it.
        """
    @classmethod
    def from_bytes(cls, data: Buffer) -> Digest:
        """Restore an object from the result of to_bytes().

        Args:
            data: The saved state, from any language.

        Returns:
            A Digest that continues after the saved message.

        Raises:
            ValueError: The bytes are not a valid saved state of a Digest.
        """
    def __reduce__(self) -> tuple[Any, ...]: ...
    def to_secret_bytes(self) -> bytes:
        """Return the state with its key as bytes, from which from_secret_bytes() restores the object.

        Anyone who has these bytes has the key. Store them only where you would store the key, and encrypt them like the
        key. Python does not overwrite them when it frees their memory.

        Returns:
            The saved state. Its size is at most 4096 bytes plus the size of the parameters.

        Raises:
            ValueError: The object was made without a key: use to_bytes().
        """
    @classmethod
    def from_secret_bytes(cls, data: Buffer) -> Digest:
        """Restore an object from the result of to_secret_bytes().

        Args:
            data: The saved state, from any language.

        Returns:
            A Digest that continues after the saved message, with the same key.

        Raises:
            ValueError: The bytes are not a valid saved state of a Digest with a key.
        """

@final
class Xof:
    """An extendable-output function: absorb a message, then read as much output as you need.

    To make an object, use a constructor such as hashwell.shake128, hashwell.new or Kmac.xof. The message ends with
    finalize() or the first read; appending data after that raises FinalizedError. Iteration yields the output in
    pieces of block_size bytes, without end. Several threads can use the same object; each call is atomic.

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
        """The number of bytes that digest() returns without a length.

        It is 0 if digest() needs a length, as with hashlib's SHAKE.
        """
    @property
    def block_size(self) -> int:
        """The block size in bytes. For a sponge function, it is the rate."""
    @property
    def finalized(self) -> bool:
        """True if the message has ended, so that no data can be appended."""
    def absorb(self, data: Buffer) -> Self:
        """Append data to the message and return this object, so that you can chain calls.

        Args:
            data: A bytes-like object.

        Returns:
            This object.

        Raises:
            FinalizedError: The message has ended.
            TypeError: data is not a bytes-like object.

        Examples:
            >>> import hashwell
            >>> hashwell.shake128().absorb(b"a").absorb(b"bc").hexdigest(8)
            '5881092dd818bf5c'
        """
    def update(self, data: Buffer) -> None:
        """Append data to the message, as in hashlib.

        Args:
            data: A bytes-like object.

        Raises:
            FinalizedError: The message has ended.
            TypeError: data is not a bytes-like object.

        Examples:
            >>> import hashwell
            >>> stream = hashwell.shake128(b"a")
            >>> stream.update(b"bc")
            >>> stream.hexdigest(8)
            '5881092dd818bf5c'
        """
    def finalize(self) -> Self:
        """End the message and return this object. A second call does nothing.

        Examples:
            >>> import hashwell
            >>> hashwell.shake128(b"abc").finalize().finalized
            True
        """
    def read(self, n: int) -> bytes:
        """Return the next n bytes of output. The first read ends the message.

        Args:
            n: The number of bytes.

        Returns:
            The output as bytes.

        Raises:
            ValueError: The output has fewer than n bytes left, because it ends after 2**64 - 1 bytes. Nothing is read in
                this case.
        """
    def read_into(self, buffer: Buffer) -> None:
        """Fill a buffer with the next bytes of output. The first read ends the message.

        Args:
            buffer: A writable C-contiguous buffer with any item type.

        Raises:
            ValueError: The output has fewer bytes left than the buffer needs. Nothing is read in this case.
            TypeError: The buffer is not writable.

        Examples:
            >>> import hashwell
            >>> buffer = bytearray(8)
            >>> hashwell.shake128(b"abc").read_into(buffer)
            >>> buffer.hex()
            '5881092dd818bf5c'
        """
    def digest(self, length: int | None = None) -> bytes:
        """Return the first bytes of output, as in hashlib. You can append more data afterwards.

        Args:
            length: The number of bytes. By default, it is digest_size.

        Returns:
            The output as bytes.

        Raises:
            FinalizedError: The message has ended.
            TypeError: length is missing, and digest_size is 0.

        Examples:
            >>> import hashwell
            >>> hashwell.shake128(b"abc").digest(8).hex()
            '5881092dd818bf5c'
        """
    def hexdigest(self, length: int | None = None) -> str:
        """Return the first bytes of output in hexadecimal. You can append more data afterwards.

        Args:
            length: The number of bytes. By default, it is digest_size.

        Returns:
            The output as a str.

        Raises:
            FinalizedError: The message has ended.
            TypeError: length is missing, and digest_size is 0.

        Examples:
            >>> import hashwell
            >>> hashwell.shake128(b"abc").hexdigest(8)
            '5881092dd818bf5c'
        """
    @overload
    def ml_rej_uniform(self, n: int, below: int, bits: int | None = None, *, out: None = None) -> list[int]:
        """Return n uniform integers in range(below), by the rejection sampling of ML-KEM and ML-DSA.

        With below=3329, the results are bit for bit the same as in FIPS 203 algorithm 7. With below=8380417, they are
        the same as in FIPS 204 algorithm 30, and with below=15 or below=9, as in algorithm 31. If bits is an odd
        multiple of four, two candidates share bits / 4 bytes, with the low bits first. Otherwise, each candidate takes
        as many whole bytes as it needs, in little-endian order, and the surplus high bits are dropped. After the call,
        the position in the output is the same as after the loops of the standards.

        Args:
            n: The number of integers.
            below: The exclusive upper bound, from 1 to 2**64 - 1.
            bits: The number of bits of a candidate. By default, it is the number of bits of below - 1.
            out: A writable C-contiguous buffer of integers, whose first n items are filled.

        Returns:
            A list of int, or the buffer `out` if you pass one.

        Raises:
            ValueError: An argument is out of its range. Nothing is read in this case.

        Examples:
            >>> import hashwell
            >>> numbers = hashwell.shake128(b"seed").ml_rej_uniform(256, 3329)
            >>> len(numbers), max(numbers) < 3329
            (256, True)
        """
    @overload
    def ml_rej_uniform(self, n: int, below: int, bits: int | None = None, *, out: _Out) -> _Out: ...
    @overload
    def uniform(self, n: int, below: int, bits: int | None = None, *, out: None = None) -> list[int]:
        """An alias of ml_rej_uniform."""
    @overload
    def uniform(self, n: int, below: int, bits: int | None = None, *, out: _Out) -> _Out: ...
    def tell(self) -> int:
        """Return the number of bytes read so far, which is the position in the output.

        Examples:
            >>> import hashwell
            >>> stream = hashwell.shake128(b"abc")
            >>> _ = stream.read(10)
            >>> stream.tell()
            10
        """
    def seekable(self) -> bool:
        """Return True if seek() is supported, which is the case only for BLAKE3.

        Examples:
            >>> import hashwell
            >>> hashwell.blake3().seekable(), hashwell.shake128().seekable()
            (True, False)
        """
    def seek(self, offset: int, whence: int = 0) -> int:
        """Move to a position in the output, at constant cost.

        Args:
            offset: The position in bytes, relative to whence.
            whence: 0 for the start of the output, or 1 for the current position.

        Returns:
            The new position, relative to the start.

        Raises:
            io.UnsupportedOperation: seekable() is False.
            ValueError: whence is neither 0 nor 1.
            OverflowError: The new position is not in the range 0 to 2**64 - 1.

        Examples:
            >>> import hashwell
            >>> stream = hashwell.blake3(b"abc")
            >>> stream.seek(4)
            4
            >>> stream.read(4) == hashwell.blake3(b"abc").digest(8)[4:]
            True
        """
    def copy(self) -> Xof:
        """Return an independent copy of this object at the same position."""
    def __copy__(self) -> Xof: ...
    def __deepcopy__(self, _memo: object) -> Xof: ...
    def to_bytes(self) -> bytes:
        """Return the state as bytes, from which from_bytes() restores the object in any process and language.

        The bytes are as secret as the message. docs/spec/state.md specifies their format.

        Returns:
            The saved state. Its size is at most 4096 bytes plus the size of the parameters.

        Raises:
            TypeError: The message has ended. An output stream can't be saved.
            ValueError: The object was made with a key, and the bytes would contain it.

        Examples:
            >>> import hashwell
            >>> saved = hashwell.shake128(b"a").to_bytes()
            >>> hashwell.Xof.from_bytes(saved).absorb(b"bc").hexdigest(8)
            '5881092dd818bf5c'
        """
    @classmethod
    def from_bytes(cls, data: Buffer, digest_size: int | None = None) -> Xof:
        """Restore an object from the result of to_bytes().

        Args:
            data: The saved state, from any language.
            digest_size: The number of bytes that digest() returns without a length. By default, it is the saved one. A
                state doesn't contain the size if it is the one that other languages use by default.

        Returns:
            A Xof that continues after the saved message.

        Raises:
            ValueError: The bytes are not a valid saved state of a Xof.

        Examples:
            >>> import hashwell
            >>> saved = hashwell.shake128(b"a").to_bytes()
            >>> hashwell.Xof.from_bytes(saved).absorb(b"bc").hexdigest(8)
            '5881092dd818bf5c'
        """
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> bytes: ...
    def to_secret_bytes(self) -> bytes:
        """Return the state with its key as bytes, from which from_secret_bytes() restores the object.

        Anyone who has these bytes has the key. Store them only where you would store the key, and encrypt them like the
        key. Python does not overwrite them when it frees their memory.

        Returns:
            The saved state. Its size is at most 4096 bytes plus the size of the parameters.

        Raises:
            TypeError: The message has ended: an output stream has no saved form.
            ValueError: The object was made without a key: use to_bytes().
        """
    @classmethod
    def from_secret_bytes(cls, data: Buffer) -> Xof:
        """Restore an object from the result of to_secret_bytes().

        Args:
            data: The saved state, from any language.

        Returns:
            A Xof that continues after the saved message, with the same key.

        Raises:
            ValueError: The bytes are not a valid saved state of a Xof with a key.
        """

_Algorithm: TypeAlias = str | Algorithm | Callable[..., Digest] | Callable[..., Xof]

@final
class Hmac:
    """An HMAC object (RFC 2104) for a message that comes in parts.

    Several threads can use the same object; each call is atomic.

    Args:
        algorithm: The hash function, given as a name, a constructor or an Algorithm object.
        key: The secret key.
        data: The first part of the message.
        kernel: The name of a kernel of the hash function, as Algorithm.kernels lists it. By default, the fastest
            one is used.

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
        """The name of the MAC: 'hmac-' followed by the name of the hash function."""
    @property
    def digest_size(self) -> int:
        """The size of the tag in bytes."""
    @property
    def block_size(self) -> int:
        """The block size of the hash function in bytes."""
    @property
    def kernel(self) -> str:
        """The name of the kernel in use."""
    def update(self, data: Buffer) -> None:
        """Append data to the message.

        Args:
            data: A bytes-like object.

        Raises:
            TypeError: data is not a bytes-like object.

        Examples:
            >>> import hashwell
            >>> mac = hashwell.Hmac("sha256", b"secret", b"mess")
            >>> mac.update(b"age")
            >>> mac.hexdigest()[:16]
            '8b5f48702995c159'
        """
    def digest(self) -> bytes:
        """Return the tag of the message so far. You can append more data afterwards.

        Returns:
            The tag as bytes. Its length is digest_size.

        Examples:
            >>> import hashwell
            >>> hashwell.Hmac("sha256", b"secret", b"message").digest().hex()[:16]
            '8b5f48702995c159'
        """
    def hexdigest(self) -> str:
        """Return the tag of the message so far in hexadecimal. You can append more data afterwards.

        Returns:
            The tag as a str.

        Examples:
            >>> import hashwell
            >>> hashwell.Hmac("sha256", b"secret", b"message").hexdigest()[:16]
            '8b5f48702995c159'
        """
    def verify(self, tag: Buffer, *, length: int | None = None) -> None:
        """Check that tag is the tag of the message so far. The time doesn't depend on where the tags differ.

        Args:
            tag: The tag to check.
            length: The length of a truncated tag in bytes. Only this many bytes of the full tag are compared. By
                default, all bytes are compared.

        Raises:
            TagMismatchError: The tags differ, or tag doesn't have the expected length.
            ValueError: length is 0 or greater than digest_size.

        Examples:
            >>> import hashwell
            >>> mac = hashwell.Hmac("sha256", b"secret", b"message")
            >>> mac.verify(mac.digest()[:16], length=16)
            >>> mac.verify(bytes(32))
            Traceback (most recent call last):
            hashwell.TagMismatchError: authentication tag does not match
        """
    def copy(self) -> Hmac:
        """Return an independent copy of this object."""
    def to_secret_bytes(self) -> bytes:
        """Return the state as bytes, from which from_secret_bytes() restores the object in any process and language.

        Anyone who has these bytes can compute tags like someone who has the key. Store them only where you would store
        the key, and encrypt them like the key. Python does not overwrite them when it frees their memory.
        docs/spec/state.md specifies their format.

        Returns:
            The saved state, which has at most 4096 bytes.
        """
    @classmethod
    def from_secret_bytes(cls, data: Buffer) -> Hmac:
        """Restore an object from the result of to_secret_bytes().

        Args:
            data: The saved state, from any language.

        Returns:
            An Hmac that continues after the saved message.

        Raises:
            ValueError: The bytes are not a valid saved state of an Hmac.
        """

@final
class Kmac:
    """A KMAC object (SP 800-185 section 4) for a message that comes in parts.

    Several threads can use the same object; each call is atomic.

    Args:
        variant: "kmac128" or "kmac256".
        key: The secret key.
        data: The first part of the message.
        customization: The purpose of the tag. Tags with different customizations are independent.

    Raises:
        ValueError: There is no such variant.
        TypeError: key, data or customization is not a bytes-like object.

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
        """The name of the MAC: 'kmac128' or 'kmac256'."""
    @property
    def digest_size(self) -> int:
        """The default size of a tag in bytes, which is twice the security strength."""
    @property
    def block_size(self) -> int:
        """The size of a block in bytes."""
    def update(self, data: Buffer) -> None:
        """Append data to the message.

        Args:
            data: A bytes-like object.

        Raises:
            TypeError: data is not a bytes-like object.

        Examples:
            >>> import hashwell
            >>> mac = hashwell.Kmac("kmac128", b"secret", b"mess")
            >>> mac.update(b"age")
            >>> mac.hexdigest(8)
            'bfc1378bc24152c6'
        """
    def digest(self, length: int | None = None) -> bytes:
        """Return the tag of the message so far. You can append more data afterwards.

        Args:
            length: The length of the tag in bytes. By default, it is digest_size. A shorter tag is not the start of
                a longer one.

        Returns:
            The tag as bytes.

        Examples:
            >>> import hashwell
            >>> hashwell.Kmac("kmac128", b"secret", b"message").digest(8).hex()
            'bfc1378bc24152c6'
        """
    def hexdigest(self, length: int | None = None) -> str:
        """Return the tag of the message so far in hexadecimal. You can append more data afterwards.

        Args:
            length: The length of the tag in bytes. By default, it is digest_size.

        Returns:
            The tag as a str.

        Examples:
            >>> import hashwell
            >>> hashwell.Kmac("kmac128", b"secret", b"message").hexdigest(8)
            'bfc1378bc24152c6'
        """
    def verify(self, tag: Buffer, *, length: int | None = None) -> None:
        """Check that tag is the tag of the message so far. The time doesn't depend on where the tags differ.

        Args:
            tag: The tag to check.
            length: The expected length of the tag in bytes. By default, it is digest_size.

        Raises:
            TagMismatchError: The tags differ, or tag doesn't have the expected length.

        Examples:
            >>> import hashwell
            >>> mac = hashwell.Kmac("kmac128", b"secret", b"message")
            >>> mac.verify(bytes.fromhex("bfc1378bc24152c6"), length=8)
        """
    def xof(self) -> Xof:
        """Return the output of KMACXOF for the message so far.

        Returns:
            A Xof. You can append more data to this object afterwards.

        Examples:
            >>> import hashwell
            >>> stream = hashwell.Kmac("kmac128", b"secret", b"message").xof()
            >>> len(stream.read(100))
            100
        """
    def copy(self) -> Kmac:
        """Return an independent copy of this object."""
    def to_secret_bytes(self) -> bytes:
        """Return the state as bytes, from which from_secret_bytes() restores the object in any process and language.

        Anyone who has these bytes can compute tags like someone who has the key. Store them only where you would store
        the key, and encrypt them like the key. Python does not overwrite them when it frees their memory.
        docs/spec/state.md specifies their format.

        Returns:
            The saved state, which has at most 4096 bytes.
        """
    @classmethod
    def from_secret_bytes(cls, data: Buffer) -> Kmac:
        """Restore an object from the result of to_secret_bytes().

        Args:
            data: The saved state, from any language.

        Returns:
            A Kmac that continues after the saved message.

        Raises:
            ValueError: The bytes are not a valid saved state of a Kmac.
        """

@final
class Pieces:
    """A message of known length, divided into pieces that can be hashed independently.

    The pieces can be hashed in any order and on any machine.

    The value of a piece is bytes that you can store or send. It is not a digest: someone who has the value can
    continue the hash from it, and may learn a part of the message.

    Args:
        algorithm: "blake3" (without key or context), "kt128" or "kt256", given as a name, a constructor or an
            Algorithm object.
        length: The length of the message in bytes.
        **params: Keyword arguments for the algorithm's constructor.

    Raises:
        ValueError: The algorithm doesn't support pieces.

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
        """The number of pieces. An empty message has no pieces."""
    def span(self, index: int) -> tuple[int, int]:
        """Return the position of a piece in the message.

        Args:
            index: The number of the piece, counted from 0.

        Returns:
            The start and the end of the piece in bytes. They are equal if there is no such piece.

        Examples:
            >>> import hashwell
            >>> hashwell.Pieces("blake3", 300_000).span(1)
            (262144, 300000)
        """
    def value(self, index: int, data: Buffer) -> bytes:
        """Return the value of a piece.

        Args:
            index: The number of the piece, counted from 0.
            data: The bytes of the piece.

        Returns:
            The value as bytes. For BLAKE3, it has 32 bytes. For KT128, it has 32 bytes per 8 KiB of the piece, and for
            KT256 64 bytes. With these two, the first chunk and the end of the message are included unchanged. If the
            message is a single piece, the value is the message itself.

        Raises:
            ValueError: There is no such piece, or data doesn't have its length.

        Examples:
            >>> import hashwell
            >>> len(hashwell.Pieces("blake3", 300_000).value(0, bytes(262_144)))
            32
        """
    def join(self, values: Iterable[Buffer]) -> bytes:
        """Return the digest of the message from the values of all pieces.

        This method can't check that each value belongs to its piece.

        Args:
            values: An iterable of the values, in the order of the pieces.

        Returns:
            The digest as bytes.

        Raises:
            ValueError: The number of values or the length of a value is wrong.

        Examples:
            >>> import hashwell
            >>> pieces = hashwell.Pieces("blake3", 1000)
            >>> pieces.join([pieces.value(0, bytes(1000))]) == hashwell.blake3(bytes(1000)).digest()
            True
        """

@final
class ArrowRows:
    """Sampled rows of an Arrow stream, as returned by hashwell.sample().

    Any library that reads Arrow streams accepts this object.

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
    """A sample that is being built.

    For each picked row, it stores the position, a number that identifies the caller's data (a handle), or, with
    keep=True, the row itself.
    """
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
        """Add `len` rows.

        Each row has the weight, the stratum label and the key that the design needs. If handle is given, the sample
        stores a number for each picked row: handle for the first of these rows, handle + 1 for the second, and so on.
        """
    def update_arrow(self, data: object, *, keep: bool, threads: int = 1, progress: _Progress = None) -> bytes:
        """Add the rows of an Arrow table or stream.

        With `keep`, the sample stores the picked rows, encoded as bytes. Otherwise, it stores their numbers. Returns
        the Arrow type of the rows, encoded as bytes.
        """
    @property
    def seen(self) -> int:
        """The number of rows that were added."""
    @property
    def columns(self) -> tuple[str | None, list[str] | None, list[str] | None]:
        """The columns of the design: weight, strata, key."""
    @property
    def method(self) -> str:
        """The name of the sampling method in the record of the draw."""
    def kept(self) -> list[bytes]:
        """Return the data that the sample stores for its rows, in an arbitrary order."""
    def kept_positions(self, first: int) -> list[int]:
        """Return the distinct positions of the stored rows that are at least `first`, in ascending order."""
    def __copy__(self) -> _Survey: ...
    def __deepcopy__(self, _memo: object) -> _Survey: ...
    def handles(self, first: int) -> list[int]:
        """Return the stored handles that are at least `first`."""
    def with_kept(self, rows: Sequence[bytes]) -> _Survey:
        """Return a copy with different data for the stored rows.

        `rows` has the new data, in the order in which kept() returns the old data.
        """
    def positions(self, of_drawing: bool) -> bytes:
        """Return the positions of the picked rows, counted from 0, as native 64-bit integers."""
    def positions_of(self, rows: int, of_drawing: bool) -> bytes | None:
        """Return the positions of the rows that would be picked from an input of `rows` rows.

        The positions are native 64-bit integers, counted from 0. Returns None if the design depends on the rows, if
        rows were added before, or if the input has too few rows for picks without replacement.
        """
    def payloads(self, of_drawing: bool) -> list[bytes]:
        """Return the data that the sample stores for the picked rows."""
    def shortage(self) -> str | None:
        """Return a description of the shortage if there are fewer rows or keys than requested."""
    def weights(self) -> list[tuple[str | None, str, list[int]]]:
        """Return the weight sums of a weighted design, with a tuple for each stratum or one for all rows.

        A tuple has the label or None, the sum of the weights as text, and the positions of the rows with inclusion
        probability 1, counted from 0.
        """
    def warning(self) -> str | None:
        """Return a warning if the keys were probably selected before with the same seed and context."""
    def to_bytes(self, form: str, header: bytes | None) -> bytes:
        """Return the state as bytes. `form` is the kind of its rows, and `header` their header or schema."""
    @staticmethod
    def from_bytes(bytes: bytes) -> tuple[_Survey, str, bytes | None]:
        """Read a saved state. Returns the sample, the form of its rows and their header."""
    @staticmethod
    def merge(parts: Sequence[_Survey], seed: bytes) -> _Survey:
        """Merge several samples. The rows of a sample come after the rows of the samples before it."""
    def record(self, form: str, of_drawing: bool, digest: bytes | None = None) -> str | None:
        """Return the record of the draw as JSON, or None for a sample that was saved or merged."""
    @staticmethod
    def order(len: int, seed: bytes, context: str) -> bytes:
        """Return the positions of `len` rows in random order, counted from 0, as native 64-bit integers."""

@final
class _Watch:
    """Checks for signals while rows are read, and reports the number of rows.

    The Python code also uses it in its loops over rows.
    """
    def __new__(cls, progress: _Progress = None) -> _Watch: ...
    def step(self, rows: int) -> None:
        """Reports that `rows` more rows were read."""
    def end(self) -> None:
        """Reports that all rows were read."""

@final
class _Race:
    """Selects the k row keys with the smallest random numbers. They are computed from the row keys and the 32 bytes in
    `key`.

    The caller stores the rows. Each row that is selected gets the next number 0, 1, …
    """
    def __new__(cls, k: int, key: bytes, *, weighted: bool, distinct: bool) -> _Race: ...
    def update(self, data: object, key: str, weight: str | None = None) -> bytes:
        """Adds the rows of an Arrow table.

        The arguments are the names of the columns with keys and weights. Weights are 128-bit decimals that all have
        the same scale. Returns the positions of the rows that were selected, as native 64-bit integers.
        """
    def order(self) -> bytes:
        """Returns the numbers of the rows that are still selected, in the order of their random numbers.

        After the call, these rows have the numbers 0, 1, … in this order.
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
    """Performs a draw. If `origin` is None, the seed isn't known yet, and this function only commits to the draw.

    Returns the commitment, the plan, the transcript (or None) and the ids of the picked entries.
    """

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

def _outboard(file: object, algorithm: str, group: int | None, /) -> tuple[bytes, bytes]:
    """Return the outboard or chunk list of a file, and the digest of the file."""
def _locate(
    file: object, outboard: Buffer, digest: object, algorithm: str, /
) -> tuple[list[tuple[int, int]], list[tuple[int, int]], int, bool]:
    """Return the damaged ranges of a file, the ranges with damage at an unknown position, the number of damaged nodes,
    and true if the chunk list could not be verified against the digest.
    """
def _slice_parts(
    outboard: Buffer, start: int, length: int, /
) -> tuple[list[tuple[bool, int, int]], int, int, bytes | None]:
    """Return the parts of a slice, the group size, the message length, and the digest if the outboard contains it.

    Each part is a tuple of three items: True for a part of the message or False for a part of the outboard, the start,
    and the end.
    """
def _decode_slice(
    slice: Buffer, digest: object, start: int, length: int, group: int | None, /
) -> tuple[bytes, int | None]:
    """Return the verified bytes of a slice, and the message length if the slice proves it."""
def _diff_page(facts: object, singles: object, changed: object, differ: list[list[int]]) -> str:
    """Return an HTML page with the differences between two tables.

    `singles` is two tables: the removed and the added rows. `changed` is two tables: the old and the new versions of
    the changed rows. For each changed row, `differ` lists the columns that differ.
    """

@final
class ArrowDigests:
    """A column of digests, as hash_many and hash_rows return it.

    Its values are bytes, or str with hex=True. Null messages have null digests.

    The object is a sequence whose items are bytes (or str), or None for nulls. A slice of it is also a column. NumPy
    and pandas convert it to an array of objects, because NumPy's own byte strings would drop zero bytes at the end of a
    digest. Any library that reads Arrow data accepts it, for example pyarrow.array and polars.Series. In Arrow, its
    type is fixed-size binary (with hex=True, large string). The Arrow data shares the memory of this object.

    Two columns are equal if their rows are equal. To compare secret tags, use Hmac.verify instead.

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
        """The number of nulls, which are the rows without a digest."""
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
        """Return the index of the first row with this value, searching from start to stop.

        Args:
            value: The digest as bytes (with hex=True, a str), or None for a null.
            start: The first row to search. A negative number counts from the end.
            stop: The row after the last one to search. By default, all rows from start on are searched.

        Returns:
            The index of the row, counted from 0.

        Raises:
            ValueError: There is no such row.
        """
    def count(self, value: object, /) -> int:
        """Return the number of rows with this value.

        Args:
            value: The digest as bytes (with hex=True, a str), or None for a null.

        Returns:
            The number of rows.
        """
    def copy(self) -> ArrowDigests:
        """Return a column with the same rows, which shares the memory with this one. pandas calls this method."""
    def to_pylist(self) -> list[Any]:
        """Return the rows as a list. Each item is bytes (with hex=True, a str), or None if the row is null."""
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

    You can add rows in batches of any size and in any order, and merge states in any order. The digest is the same
    as that of one table with all rows. The first table or merged state determines the columns; later ones must have the
    same columns. Two objects are equal if they have the same columns and the same rows. bytes() of an object is its
    digest. Several threads can use the same object.

    Args:
        scheme: "sorted-sha256" or "lthash64-blake3", which table_digest describes.
        columns: The names of the columns to hash. By default, all columns are hashed.
        order: "name" ignores the order of the columns. With "declared", the order of the columns matters.

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
        """Read a state that to_bytes() wrote.

        Args:
            state: The bytes.

        Returns:
            A TableDigest, to which you can add more rows. The constructor's choice of columns is not part of the
            state, so tables that you add must have only the columns of the state.

        Raises:
            ValueError: The bytes are not a valid state.
        """
    @property
    def scheme(self) -> str:
        """The name of the scheme."""
    @property
    def rows(self) -> int:
        """The number of rows added so far."""
    @property
    def columns(self) -> list[str] | None:
        """The names of the columns in the order in which a row is encoded, or None before the first table."""
    def update(self, table: _ArrowArray | _ArrowStream, *, threads: int = 1, progress: _Progress = None) -> None:
        """Add all rows of a table, or none of them if there is an error.

        Args:
            table: The table, in any form that table_digest accepts.
            threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
            progress: A function that is called with the number of rows read so far, or True to show a progress line
                on stderr.

        Raises:
            TypeError: table is not a table, or a column has a type without an encoding (a union).
            ValueError: The columns differ from the columns of earlier tables, or a value has no encoding.
        """
    def remove(self, table: _ArrowArray | _ArrowStream, *, threads: int = 1, progress: _Progress = None) -> None:
        """Remove the rows of a table. Only the scheme "lthash64-blake3" supports this.

        The state doesn't store which rows were added, so it can't check that these rows are among them.

        Args:
            table: The table, in any form that table_digest accepts.
            threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
            progress: A function that is called with the number of rows read so far, or True to show a progress line
                on stderr.

        Raises:
            TypeError: The scheme can't remove rows, table is not a table, or a column has a type without an
                encoding (a union).
            ValueError: The columns differ from the columns of the state, or the state has fewer rows than table.
        """
    def merge(self, other: TableDigest) -> None:
        """Add all rows of another state. The other state does not change.

        Args:
            other: A TableDigest with the same scheme and columns.

        Raises:
            ValueError: `other` has a different scheme or different columns.
        """
    def to_bytes(self) -> bytes:
        """Return the state as bytes, which from_bytes() reads.

        Returns:
            The state. With "sorted-sha256", its size is 2 KiB plus 32 bytes per row. With "lthash64-blake3", it is 4
            KiB. The same rows give the same bytes in any order.

        Raises:
            ValueError: No table has been added yet.
        """
    def digest(self) -> bytes:
        """Return the digest of all rows added so far.

        Returns:
            32 bytes.

        Raises:
            ValueError: No table has been added yet.
        """
    def hexdigest(self) -> str:
        """Return the digest of all rows added so far, in hexadecimal.

        Returns:
            A str of 64 digits.

        Raises:
            ValueError: No table has been added yet.
        """
    def buckets(self) -> list[tuple[int, bytes]]:
        """Return the 256 buckets of the scheme "sorted-sha256".

        If two tables differ in few rows, few of their buckets differ.

        Returns:
            A list with an item for each possible first byte of a row's digest: the number of rows whose digest
            starts with this byte, and the digest of the sorted digests of these rows.

        Raises:
            TypeError: The scheme has no buckets.
            ValueError: No table has been added yet.
        """
    def difference(self, other: TableDigest) -> tuple[list[bytes], list[bytes]]:
        """Return the digests of the rows that only one of two tables has.

        Only the scheme "sorted-sha256" supports this.

        Args:
            other: A TableDigest with the same scheme and columns.

        Returns:
            Two sorted lists of row digests, as hash_rows computes them: the digests that only this table has, and the
            digests that only `other` has. If a row occurs more often in one of the tables, it is listed as often as the
            counts differ.

        Raises:
            TypeError: The scheme of one of the objects doesn't support this.
            ValueError: The columns differ, or no table was added to one of the objects yet.
        """
    def __bytes__(self) -> bytes: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class HmacDrbg:
    """HMAC-DRBG (SP 800-90A Rev. 1 section 10.1.2), a random generator for keys and nonces.

    Without entropy, the operating system seeds the generator and adds fresh entropy to every request. It also reseeds
    the generator every reseed_interval requests (by default, 4096) and before the first request in a forked child. If
    you pass prediction_resistance=True to generate, it reseeds the generator before that request. The output is not
    reproducible.

    With entropy and nonce, the output is reproducible, even in forked children. The generator never reseeds itself:
    after reseed_interval requests (by default, 2**48), generate raises ReseedRequiredError. For public seeds and test
    vectors, use from_seed_unchecked.

    The object doesn't reveal secrets and can't be pickled. Several threads can use the same object; each call is
    atomic.

    Args:
        algorithm: The hash function, given as a name, a constructor or an Algorithm object. HMAC must be defined
            for it.
        entropy: The entropy. It must have at least as many bits as the attribute `strength`. By default, the operating
            system provides it.
        nonce: The nonce. It must have at least half as many bits as the attribute `strength`. It requires entropy.
        personalization: The purpose of the output.
        strength: The security strength in bits. By default, it is the maximum for the hash function.
        prediction_resistance: True allows requests to ask for prediction resistance.
        reseed_interval: The maximum number of requests between two reseeds.

    Raises:
        ValueError: HMAC is not defined for the algorithm, or entropy or nonce is too short.
        TypeError: A nonce is given without entropy, or an argument is not a bytes-like object.

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
        """Return a generator with a seed of any length, which may be empty.

        Its method reseed also accepts entropy of any length. Use this function only for public seeds and test vectors:
        the output is as predictable as the seed.

        Args:
            algorithm: The hash function, given as a name, a constructor or an Algorithm object. HMAC must be
                defined for it.
            entropy: The entropy, of any length.
            nonce: The nonce, of any length.
            personalization: The purpose of the output.
            strength: The security strength in bits. By default, it is the maximum for the hash function.
            prediction_resistance: True allows requests to ask for prediction resistance.
            reseed_interval: The maximum number of requests between two reseeds.

        Returns:
            A generator with reproducible output.

        Raises:
            ValueError: HMAC is not defined for the algorithm.

        Examples:
            >>> import hashwell
            >>> one, two = (hashwell.HmacDrbg.from_seed_unchecked("sha256", b"public seed") for _ in range(2))
            >>> one.generate(16) == two.generate(16)
            True
        """
    @staticmethod
    def self_test(algorithm: _Algorithm) -> None:
        """Run the known-answer test of the generator with this hash function.

        If it fails, no generator with this hash function produces output afterwards.

        Args:
            algorithm: The hash function, given as a name, a constructor or an Algorithm object.

        Raises:
            RuntimeError: The test failed.

        Examples:
            >>> import hashwell
            >>> hashwell.HmacDrbg.self_test("sha256")
        """
    @property
    def name(self) -> str:
        """The name of the generator: 'hmac-drbg-' followed by the name of the hash function."""
    @property
    def os_seeded(self) -> bool:
        """True if the operating system seeded the generator, so that its output is not reproducible."""
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

        A call is one request. If n is greater than 65,536, it is several requests of at most 65,536 bytes, each with
        the additional input. Two calls for n bytes don't return the same bytes as one call for 2 * n bytes. If the
        bytes must not depend on how you divide the output into calls, use hashwell.Random.

        Args:
            n: The number of bytes.
            additional: Additional input to the requests.
            prediction_resistance: True mixes in fresh entropy first, so the output can't be predicted from a state
                that leaked before. The operating system provides the entropy, unless you pass it.
            entropy: Fresh entropy. It requires prediction_resistance=True, and n must be at most 65,536.

        Returns:
            The bytes.

        Raises:
            ReseedRequiredError: The generator must be reseeded first.
            ValueError: entropy is too short, n is too large, or the generator was wiped.
            TypeError: entropy is given without prediction_resistance=True.
            RuntimeError: The generator failed its known-answer test.

        Examples:
            >>> import hashwell
            >>> len(hashwell.HmacDrbg("sha256").generate(100_000))
            100000
        """
    def reseed(self, entropy: Buffer | None = None, additional: Buffer = b"") -> None:
        """Mix in fresh entropy.

        Args:
            entropy: The entropy. It must have at least as many bits as the attribute `strength`. By default, the
                operating system provides it.
            additional: Additional input.

        Raises:
            ValueError: entropy is too short, or the generator was wiped.

        Examples:
            >>> import hashwell
            >>> generator = hashwell.HmacDrbg("sha256")
            >>> generator.reseed()
        """
    def wipe(self) -> None:
        """Overwrite the state. All later calls for output raise ValueError.

        Examples:
            >>> import hashwell
            >>> generator = hashwell.HmacDrbg("sha256")
            >>> generator.wipe()
            >>> "wiped" in repr(generator)
            True
        """

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

# The types that are accepted as a seed.
_Seed: TypeAlias = str | Buffer | SupportsIndex | Sequence[SupportsIndex] | _GeneratesState

def _seed(seed: _Seed) -> str | bytes:
    """Return a seed as a str. If the seed is bytes, return it as bytes."""

# A seed that is passed instead of the name of a source. It can't be a str, because a str is the name of a source.
_NumPySeed: TypeAlias = Buffer | SupportsIndex | Sequence[SupportsIndex] | _GeneratesState | SeedSequence

# NumPy asks for no more than its methods, but its stubs for a subclass.
@type_check_only
class _ForNumPy(_NumPyBitGenerator):
    def __init__(self, *args: object, **kwargs: object) -> None: ...

@final
class BitGenerator(_ForNumPy):
    """A bit generator for numpy.random.Generator.

    With a seed, the stream is the same on every machine, in every version and in forked children. Without a seed,
    the operating system seeds the generator, and seeds it again in a forked child. Its output is then not
    reproducible.

    Numbers are made from the next bytes of the stream, in big-endian order. NumPy's functions next_uint64 and next_raw
    consume 8 bytes. next_uint32 consumes 4, so it returns the upper half of the number that next_uint64 would return.
    next_double is (uint64 >> 11) / 2**53.

    Pickles and state contain the key of the stream and the position in it. An OS-seeded generator has no state and
    can't be pickled. Moving to a position takes constant time for "blake3" and "counter"; other sources generate
    all bytes before the position.

    Streams end. The length is 2**69 bytes for "counter", 2**64 - 1 bytes for extendable-output functions, and 2**58
    bytes for HMAC-DRBG. Reading past the end raises ValueError. NumPy can't report such an error: if one of its
    functions reads past the end, the process aborts.

    Args:
        source: The name of the random source, one of random_sources(). "blake3" is fast and suits simulations. If
            the first argument is not a str, as in BitGenerator(12345), it is the seed of the default source.
        seed: The seed: a str, bytes, an int, a sequence of ints or a SeedSequence.
        personalization: The purpose of the stream. Streams with different personalizations are independent.

    Raises:
        ValueError: There is no such source.
        TypeError: The seed has an unsupported type.

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
        """Return a generator with this state.

        Args:
            state: The value of the attribute `state` of a seeded generator.

        Returns:
            A generator that continues at the position of the state.

        Raises:
            ValueError: The state is not valid.
            TypeError: state is not a dictionary of the expected form.

        Examples:
            >>> import hashwell
            >>> bits = hashwell.BitGenerator("blake3", seed=12345)
            >>> copy = hashwell.BitGenerator.from_state(bits.state)
            >>> copy.random_raw() == bits.random_raw()
            True
        """
    @property
    def seed_seq(self) -> SeedSequence:
        """The seed as a NumPy seed sequence.

        spawn(n) returns n seeds for generators of this class or of NumPy, and generate_state(n) returns integers.
        The children of the seed sequence and of this generator are counted together. This attribute requires NumPy.
        """
    @property
    def _seed_seq(self) -> SeedSequence:
        """An alias of seed_seq: NumPy's older name, which some programs still use."""
    @property
    def _spawned(self) -> int:
        """The number of children that this generator and seed_seq have spawned."""
    def _seed_others(self, n: int) -> bytes:
        """Return the bytes for SeedSequence.generate_state."""
    @property
    def lock(self) -> Any:  # type: ignore[override]
        """The lock that is held while the stream is used."""
    @property
    def capsule(self) -> CapsuleType:
        """The capsule named "BitGenerator" that contains a bitgen_t, which NumPy reads."""
    @property
    def source(self) -> str:
        """The name of the random source."""
    @property
    def os_seeded(self) -> bool:
        """True if the operating system seeded the generator, so that its output is not reproducible."""
    @property  # type: ignore[override]
    def state(self) -> _StreamState:
        """The key and the position, which reveal the whole stream. You can assign a state with the same source."""
    @state.setter
    def state(self, state: _StreamState) -> None: ...  # pyright: ignore
    @overload
    def random_raw(self, size: None = None, output: Literal[True] = True) -> int:
        """Return the next 64-bit number, or an array of them.

        Args:
            size: The shape of the array: an int or a tuple of ints. With None, a single number is returned. An
                array requires NumPy.
            output: False skips the numbers and returns None.

        Returns:
            An int, a NumPy array of uint64, or None.

        Raises:
            ValueError: The stream has ended.

        Examples:
            >>> import hashwell
            >>> bits = hashwell.BitGenerator("blake3", seed=12345)
            >>> 0 <= bits.random_raw() < 2**64
            True
        """
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex], output: Literal[True] = True) -> Any: ...
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex] | None, output: Literal[False]) -> None: ...
    @overload
    def random_raw(self, size: SupportsIndex | Sequence[SupportsIndex] | None = None, *, output: Literal[False]) -> None: ...
    def advance(self, delta: int) -> None:
        """Move the position in the stream.

        This takes constant time for "blake3" and "counter"; other sources generate all bytes before the new
        position.

        Args:
            delta: The number of 64-bit numbers to move forward, or back if it is negative.

        Raises:
            ValueError: The new position is before the beginning or after the end of the stream.
            TypeError: The generator is OS-seeded.

        Examples:
            >>> import hashwell
            >>> one, two = (hashwell.BitGenerator("blake3", seed=12345) for _ in range(2))
            >>> _ = one.random_raw()
            >>> two.advance(1)
            >>> one.random_raw() == two.random_raw()
            True
        """
    def spawn(self, n_children: int) -> list[BitGenerator]:  # pyright: ignore
        """Return generators that are independent of this one, of each other, and of the results of other calls.

        Child number i, counted over all calls, has the key SHA-256(K + b'\\x03' + i as 8 bytes, big-endian), where K
        is the key of this generator. The position of this generator doesn't matter.

        Args:
            n_children: The number of generators.

        Returns:
            A list of n_children generators.

        Examples:
            >>> import hashwell
            >>> len(hashwell.BitGenerator("blake3", seed=12345).spawn(3))
            3
        """
    def jumped(self, jumps: int = 1) -> BitGenerator:
        """Return the generator of a later stream, at the beginning of that stream.

        Without jumps, a generator is in stream 0. After j jumps in total, it is in stream j. The key of stream j is
        SHA-256(K + b'\\x04' + j as 8 bytes, big-endian), where K is the key of stream 0.

        Args:
            jumps: The number of streams to skip.

        Returns:
            A generator.

        Examples:
            >>> import hashwell
            >>> bits = hashwell.BitGenerator("blake3", seed=12345)
            >>> bits.jumped(2).random_raw() == bits.jumped().jumped().random_raw()
            True
        """
    def __reduce__(self) -> tuple[Any, ...]: ...

# hashwell.Random is made of it.
@final
class _RandomStream:
    """The implementation of hashwell.Random. Several threads can use the same object; each call is atomic."""
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
        """Return the next (k + 7) // 8 bytes as a big-endian number, without its surplus low bits."""
    def randbytes(self, n: int) -> bytes: ...

# hashwell.process is made of what follows.
@final
class Term:
    """The distribution of the next draw of a process. Generator functions yield terms.

    Make terms with the functions bernoulli, uniform, categorical, below, gaussian, beta and observe.

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
    """A term with its continuation. The step functions of ana(), apo() and futu() return these objects.

    The continuation is a function of the draw.
    """

@final
class Done:
    """The final state of a process, with its outcome. Make it with done()."""
    @property
    def out(self) -> Any:
        """The outcome of the process."""

def done(out: object) -> Done:
    """End a process with an outcome.

    Args:
        out: The outcome of the process.

    Returns:
        A Done, which step functions and continuations return.

    Examples:
        >>> from hashwell.process import done
        >>> done(3).out
        3
    """

@overload
def bernoulli(p: float, then: None = None) -> Term:
    """Draw True with probability p, and otherwise False. The draw consumes one random number.

    Args:
        p: The probability, from 0 to 1.
        then: The continuation, which is a function of the draw. It is required in the step function of
            ana(), apo() and futu().

    Returns:
        A Term, or a Step if a continuation is given.
    """
@overload
def bernoulli(p: float, then: Callable[[bool], object]) -> Step: ...
@overload
def uniform(then: None = None) -> Term:
    """Draw a float u with 0.0 <= u < 1.0, a multiple of 2**-53. The draw consumes one random number.

    Args:
        then: The continuation, which is a function of the draw. It is required in the step function of
            ana(), apo() and futu().

    Returns:
        A Term, or a Step if a continuation is given.
    """
@overload
def uniform(then: Callable[[float], object]) -> Step: ...
@overload
def categorical(weights: _Weights, then: None = None) -> Term:
    """Draw the index of a weight, with a probability proportional to the weight. The draw consumes one random number.

    Args:
        weights: The weights, which must be finite, non-negative and not all 0.
        then: The continuation, which is a function of the draw. It is required in the step function of
            ana(), apo() and futu().

    Returns:
        A Term, or a Step if a continuation is given.
    """
@overload
def categorical(weights: _Weights, then: Callable[[int], object]) -> Step: ...
@overload
def below(n: int, then: None = None) -> Term:
    """Draw an int x with 0 <= x < n. The draw consumes one random number, rarely more.

    Args:
        n: The exclusive upper bound, from 1 to 2**64 - 1.
        then: The continuation, which is a function of the draw. It is required in the step function of
            ana(), apo() and futu().

    Returns:
        A Term, or a Step if a continuation is given.
    """
@overload
def below(n: int, then: Callable[[int], object]) -> Step: ...
@overload
def gaussian(mean: float, sd: float, then: None = None) -> Term:
    """Draw a float from a normal distribution.

    Args:
        mean: The mean.
        sd: The standard deviation, which must be positive.
        then: The continuation, which is a function of the draw. It is required in the step function of
            ana(), apo() and futu().

    Returns:
        A Term, or a Step if a continuation is given.
    """
@overload
def gaussian(mean: float, sd: float, then: Callable[[float], object]) -> Step: ...
@overload
def beta(a: float, b: float, then: None = None) -> Term:
    """Draw a float from a beta distribution, from 0.0 to 1.0.

    Args:
        a: The first shape parameter, which must be positive.
        b: The second shape parameter, which must be positive.
        then: The continuation, which is a function of the draw. It is required in the step function of
            ana(), apo() and futu().

    Returns:
        A Term, or a Step if a continuation is given.
    """
@overload
def beta(a: float, b: float, then: Callable[[float], object]) -> Step: ...
@overload
def observe(weight: float, then: None = None) -> Term:
    """Multiply the weight of the run by the likelihood of an observation. The draw is None.

    Args:
        weight: The likelihood, which must be finite and non-negative.
        then: The continuation, which is a function of the draw. It is required in the step function of
            ana(), apo() and futu().

    Returns:
        A Term, or a Step if a continuation is given.
    """
@overload
def observe(weight: float, then: Callable[[None], object]) -> Step: ...

_Weights: TypeAlias = Sequence[float] | ndarray[Any, Any]
_How: TypeAlias = tuple[int, int, int, Callable[[int, int], object] | None]
_Law: TypeAlias = tuple[list[tuple[Any, float]], float, float, float, int, int, int]

@final
class _ProcessEngine:
    """The implementation of hashwell.process.Process.

    Its methods return tuples and lists, which the package converts to its result classes.
    """
    @staticmethod
    def program(function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _ProcessEngine:
        """Make a process from a generator function and its arguments."""
    @staticmethod
    def unfold(scheme: str, step: object, seed: object) -> _ProcessEngine:
        """Make a process from a step function and a first state. The scheme is ana, apo or futu."""
    @staticmethod
    def built_in(name: str, given: dict[str, Any], encoding: str | None) -> _ProcessEngine:
        """Make a built-in process."""
    def compile(self, states: int) -> _ProcessEngine:
        """Return a compiled coalgebra, whose table is empty at first."""
    @property
    def states(self) -> int | None:
        """The number of terms in the table so far, or None for a process without a table."""
    def sample(self, seed: _Seed | None, words: str | None, replicate: int | None, terms: int) -> Any: ...
    def trace(self, seed: _Seed | None, words: str | None, replicate: int | None, terms: int) -> tuple[list[tuple[Term, Any]], Any, float]: ...
    def score(self, draws: Iterable[object]) -> tuple[float, float]: ...
    def simulate(self, n: int, seed: _Seed | None, words: str | None, how: _How) -> Any: ...
    def weigh(self, n: int, seed: _Seed | None, words: str | None, how: _How) -> tuple[list[Any], list[float], list[float], float, float]: ...
    def exact(self, mass: float, steps: int, states: int) -> _Law: ...
    def explain(self, terms: int, nodes: int) -> tuple[str, str]:
        """Return the tree of terms as text and as SVG."""
    def moments(self) -> list[tuple[str, float]]:
        """Return the moments of a built-in process that have a closed form, as `[(name, value), …]`."""
    def log_probability(self, value: object) -> float | None:
        """Return the logarithm of a value's probability, or None if there is no closed form."""
    def statistic_law(self, mass: float, steps: int, states: int) -> _Law:
        """Return the distribution of the statistic, in the same form as `exact`."""
    def sticks(self, seed: _Seed | None, words: str | None, replicate: int | None) -> tuple[list[float], float]: ...
    def smooth(self) -> tuple[int, bytearray, float]: ...
    def picture(self, value: object) -> str:
        """Return a plot of a value as SVG."""

_ProcessRow: TypeAlias = tuple[str, tuple[str, str, str, str], list[tuple[str, str, str, str, str | None]], list[str], str, str]

def _process_rows() -> list[_ProcessRow]:
    """Return the registry's description of each built-in process.

    A description is `(name, (title, law, source, cost), parameters, encodings, outcome, statistic)`. Each parameter
    is `(name, kind, range, help, default)`.
    """
def _mass_picture(title: str, masses: list[tuple[object, float]]) -> str:
    """Return a plot of a distribution, which is given as outcomes with their probabilities."""
def _restaurant_picture(labels: list[int]) -> str:
    """Return a plot of the tables of a restaurant. `labels` has the table of each customer."""

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
        algorithm: The algorithm, given as a name, a constructor or an Algorithm object.
        data: The message, as a contiguous bytes-like object.
        length: The digest size in bytes. It is required for extendable-output functions without a default size.
        **params: Keyword arguments for the algorithm's constructor.

    Returns:
        The digest as bytes.

    Raises:
        ValueError: The algorithm is unknown, or it doesn't support this length.
        TypeError: data is not a bytes-like object, length is missing, or the algorithm has no such parameter.

    Examples:
        >>> import hashwell
        >>> hashwell.digest("sha256", b"abc").hex()[:16]
        'ba7816bf8f01cfea'
    """
def hexdigest(algorithm: _Algorithm, data: Buffer, length: int | None = None, **params: object) -> str:
    """Return the digest of one message in hexadecimal.

    Args:
        algorithm: The algorithm, given as a name, a constructor or an Algorithm object.
        data: The message, as a contiguous bytes-like object.
        length: The digest size in bytes. It is required for extendable-output functions without a default size.
        **params: Keyword arguments for the algorithm's constructor.

    Returns:
        The digest as a str.

    Raises:
        ValueError: The algorithm is unknown, or it doesn't support this length.
        TypeError: data is not a bytes-like object, length is missing, or the algorithm has no such parameter.

    Examples:
        >>> import hashwell
        >>> hashwell.hexdigest("shake128", b"abc", 8)
        '5881092dd818bf5c'
    """
def hash_rows(
    table: _ArrowArray | _ArrowStream, *, columns: Iterable[str] | None = None, order: _Order = "name", algorithm: _Algorithm = "sha256", length: int | None = None, hex: bool = False, threads: int = 1, progress: _Progress = None
) -> ArrowDigests:
    """Return the digest of each row of a table as a column.

    The hwrow/1 specification (docs/spec/rows.md) defines how rows are encoded. Rows with equal values have equal
    digests. Integer widths, dictionary encoding and chunks don't matter. The library or database that made the table
    doesn't matter either, unless it changed values; docs/guides/tables.md lists such changes. Column names are not part
    of a row's digest, so compare only digests of tables with the same columns.

    Args:
        table: The table: a pyarrow Table, RecordBatch or RecordBatchReader, a DataFrame of Polars or pandas, a
            DuckDB relation, or any other table with __arrow_c_stream__ or __arrow_c_array__. A stream is read once,
            batch by batch.
        columns: The names of the columns to hash. By default, all columns are hashed.
        order: The order in which the columns of a row are encoded. "name" sorts them by the bytes of their names.
            "declared" uses the order in columns or, without that argument, the order in the table.
        algorithm: The algorithm, given as a name, a constructor or an Algorithm object.
        length: The digest size in bytes. It is required for extendable-output functions without a default size.
        hex: True returns digests in hexadecimal.
        threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
        progress: A function that is called with the number of rows read so far, or True to show a progress line on
            stderr.

    Returns:
        An ArrowDigests column with one digest per row.

    Raises:
        TypeError: table is not a table, or a column has a type without an encoding (a union).
        ValueError: A column is missing, two columns have the same name, or a value has no encoding, such as text
            that is not valid UTF-8. The message contains the number of the row.

    Examples:
        >>> import hashwell, pyarrow
        >>> table = pyarrow.table({"id": [1, 2], "name": ["Ann", "Bob"]})
        >>> [digest[:8] for digest in hashwell.hash_rows(table, hex=True)]
        ['d878740c', '44d92d10']
    """
def hash_columns(
    table: _ArrowArray | _ArrowStream, *, columns: Iterable[str] | None = None, scheme: _Scheme = "sorted-sha256", threads: int = 1, progress: _Progress = None
) -> dict[str, TableDigest]:
    """Return the digest of each column, which is the table_digest of a table with only that column.

    Compare the digests of two tables to find the columns in which the tables differ. Equal digests don't mean that
    the same values are in the same rows. Each column needs as much memory as one table_digest: 32 bytes per row
    with "sorted-sha256", or 4 KiB in total with "lthash64-blake3".

    Args:
        table: The table, in any form that hash_rows accepts. A stream is read once, batch by batch.
        columns: The names of the columns. By default, all columns are hashed.
        scheme: "sorted-sha256" or "lthash64-blake3", which table_digest describes.
        threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
        progress: A function that is called with the number of rows read so far, or True to show a progress line on
            stderr.

    Returns:
        A dict that maps each column name to a TableDigest.

    Raises:
        TypeError: table is not a table, or a column has a type without an encoding (a union).
        ValueError: There is no such scheme, a column is missing, two columns have the same name, or a value has no
            encoding.

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
    """Return an order-independent digest of a table, as the hwtable/1 specification (docs/spec/rows.md) defines it.

    Two tables have the same digest if their columns have the same names and they contain the same rows, each
    equally often. The order of the rows, the file format, compression, partitions and the library or database don't
    matter.

    Args:
        table: The table: a pyarrow Table, RecordBatch or RecordBatchReader, a DataFrame of Polars or pandas, a
            DuckDB relation, or any other table with __arrow_c_stream__ or __arrow_c_array__. A stream is read once,
            batch by batch.
        columns: The names of the columns to hash. By default, all columns are hashed.
        order: "name" ignores the order of the columns. With "declared", the order of the columns matters.
        scheme: "sorted-sha256" is as strong as SHA-256 and needs 32 bytes of memory per row. "lthash64-blake3"
            needs 4 KiB in total and supports up to 2**32 rows.
        threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
        progress: A function that is called with the number of rows read so far, or True to show a progress line on
            stderr.

    Returns:
        A TableDigest, to which you can add more rows.

    Raises:
        TypeError: table is not a table, or a column has a type without an encoding (a union).
        ValueError: There is no such scheme or order, a column is missing, two columns have the same name, or a
            value has no encoding. If a value has no encoding, the error message contains the number of its row.

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
    """Hash many messages in one call and return their digests in order.

    For short messages, this is much faster than one call per message. Messages are not copied, and other Python threads
    can run during the call. Many short messages take about half the time if you pass a NumPy array or an Arrow column
    instead of a list of bytes, or set contiguous=True.

    Args:
        algorithm: The algorithm, given as a name, a constructor or an Algorithm object.
        messages: The messages, in one of four forms: an iterable of bytes-like objects; a C-contiguous buffer with
            two dimensions, such as a NumPy array, in which each row is a message; a one-dimensional NumPy array of
            dtype S, in which each item without its trailing zero bytes is a message; or an Arrow column. An Arrow
            column is any object with __arrow_c_array__ or __arrow_c_stream__ whose values are binary, strings, or a
            dictionary of these, such as a categorical of pandas or Polars. Arrow strings are hashed as UTF-8.
        length: The digest size in bytes. It is required for extendable-output functions without a default size.
        contiguous: True returns one bytes object that contains all digests, one after the other.
        out: A writable buffer with exactly the size of all digests together. It is filled and returned. After an error
            or Ctrl-C, it may be partly overwritten.
        threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
        hex: True returns digests in hexadecimal. It can't be combined with contiguous or out.
        encoding: The name of a Python codec, such as "utf-8". It encodes messages of type str and NumPy arrays of
            dtype U.
        device: The id of the device that hashes the messages instead of the CPU, as hashwell.devices() lists it. If
            the device can't hash them, the call fails. It can't be combined with threads.
        **params: Keyword arguments for the algorithm's constructor. The argument `kernel` also accepts the names in
            Algorithm.batch_kernels.

    Returns:
        The digests. Their form depends on the form of the messages. An iterable gives a list of bytes. A NumPy array
        gives a NumPy array of dtype uint8 with one row per digest. Any other buffer gives a memoryview with one row per
        digest. An empty memoryview has only one dimension. With hex=True, all of these give a list of str instead. An
        Arrow column gives an ArrowDigests column, in which nulls stay null.

    Raises:
        TypeError: A message is a str and encoding is missing, an Arrow column contains neither bytes nor text,
            length is missing, or the algorithm has no such parameter.
        BufferError: A buffer is not contiguous, or contains Python objects or pointers.
        ValueError: The algorithm is unknown; out has the wrong size or shares memory with a message; contiguous or
            out is used with a column that contains nulls; or the device doesn't exist or doesn't support the
            algorithm.
        RuntimeError: The device failed, or this build doesn't support devices.

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
        algorithm: The extendable-output function, given as a name, a constructor or an Algorithm object.
        messages: The messages, in any form that hash_many accepts.
        length: The number of output bytes per message.
        contiguous: True returns one bytes object that contains all outputs, one after the other.
        out: A writable buffer with exactly the size of all outputs together. It is filled and returned.
        threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
        hex: True returns outputs in hexadecimal. It can't be combined with contiguous or out.
        encoding: The name of a Python codec that encodes messages of type str and NumPy arrays of dtype U.
        **params: Keyword arguments for the algorithm's constructor.

    Returns:
        The outputs, in the same form in which hash_many returns digests.

    Raises:
        TypeError: A message is a str and encoding is missing, an Arrow column contains neither bytes nor text, or
            the algorithm has no such parameter.
        BufferError: A buffer is not contiguous, or contains Python objects or pointers.
        ValueError: The algorithm is not an extendable-output function, or out has the wrong size or shares memory
            with a message.

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
    """Compute many HMAC tags in one call.

    You can pass many messages with one key, one message with many keys, or many pairs of a key and a message.

    To check a tag, use Hmac.verify. It takes the same time wherever the tags differ.

    Args:
        algorithm: The hash function, given as a name, a constructor or an Algorithm object.
        keys: One secret key (a bytes-like object), or many keys in any form that hash_many accepts for messages.
        messages: One message, or many in any form that hash_many accepts. If there are several keys and several
            messages, both must be iterables of bytes-like objects, with the same number of items.
        contiguous: True returns one bytes object that contains all tags, one after the other.
        out: A writable buffer with exactly the size of all tags together. It is filled and returned.
        threads: The maximum number of threads, up to 4096. 0 uses one thread per core.
        hex: True returns tags in hexadecimal. It can't be combined with contiguous or out.
        encoding: The name of a Python codec that encodes messages of type str. Keys must be bytes.

    Returns:
        The tags, in the same form in which hash_many returns digests. Pairs give a list of bytes.

    Raises:
        TypeError: A key is a str, a message is a str and encoding is missing, or an Arrow column contains neither
            bytes nor text.
        BufferError: A buffer is not contiguous, or contains Python objects or pointers.
        ValueError: HMAC is not defined for the algorithm, the numbers of keys and messages differ, or out has the
            wrong size or shares memory with a key or a message.

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

    To check a tag, use Hmac.verify. It takes the same time wherever the tags differ.

    Args:
        algorithm: The hash function, given as a name, a constructor or an Algorithm object.
        key: The secret key.
        data: The message.

    Returns:
        The tag as bytes. It is as long as a digest of the hash function.

    Raises:
        ValueError: The algorithm is unknown, or HMAC is not defined for it.
        TypeError: key or data is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> hashwell.hmac("sha256", b"secret", b"message").hex()[:16]
        '8b5f48702995c159'
    """
def hkdf(algorithm: _Algorithm, ikm: Buffer, length: int, *, salt: Buffer = b"", info: Buffer = b"") -> bytes:
    """Derive key material from a secret with HKDF (RFC 5869).

    Args:
        algorithm: The hash function, given as a name, a constructor or an Algorithm object.
        ikm: The secret (the input key material).
        length: The number of bytes to derive, at most 255 times the digest size.
        salt: A salt, which need not be secret.
        info: The purpose of the derived key. Keys with different info are independent.

    Returns:
        The derived key as bytes.

    Raises:
        ValueError: The algorithm is unknown, HMAC is not defined for it, or length is too large.
        TypeError: ikm, salt or info is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> hashwell.hkdf("sha256", b"shared secret", 16, info=b"encryption").hex()
        '88ae252e57fc08d6f6f17c4a8659b469'
    """
def hkdf_extract(algorithm: _Algorithm, ikm: Buffer, *, salt: Buffer = b"") -> bytes:
    """Return the pseudorandom key of HKDF's first step, "extract" (RFC 5869 section 2.2).

    Args:
        algorithm: The hash function, given as a name, a constructor or an Algorithm object.
        ikm: The secret (the input key material).
        salt: A salt, which need not be secret.

    Returns:
        The pseudorandom key as bytes. It is as long as a digest of the hash function.

    Raises:
        ValueError: The algorithm is unknown, or HMAC is not defined for it.
        TypeError: ikm or salt is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> len(hashwell.hkdf_extract("sha256", b"shared secret", salt=b"salt"))
        32
    """
def hkdf_expand(algorithm: _Algorithm, prk: Buffer, length: int, *, info: Buffer = b"") -> bytes:
    """Derive key material from a pseudorandom key with HKDF's second step, "expand" (RFC 5869 section 2.3).

    Args:
        algorithm: The hash function, given as a name, a constructor or an Algorithm object.
        prk: The pseudorandom key, such as the result of hkdf_extract.
        length: The number of bytes to derive, at most 255 times the digest size.
        info: The purpose of the derived key. Keys with different info are independent.

    Returns:
        The derived key as bytes.

    Raises:
        ValueError: The algorithm is unknown, HMAC is not defined for it, or length is too large.
        TypeError: prk or info is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> prk = hashwell.hkdf_extract("sha256", b"shared secret")
        >>> hashwell.hkdf_expand("sha256", prk, 4, info=b"encryption") == hashwell.hkdf("sha256", b"shared secret", 4, info=b"encryption")
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
        The tag as bytes.

    Raises:
        TypeError: key, data or customization is not a bytes-like object.

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
        The tag as bytes.

    Raises:
        TypeError: key, data or customization is not a bytes-like object.

    Examples:
        >>> import hashwell
        >>> hashwell.kmac256(b"secret", b"message", 8).hex()
        '211452743bc2f557'
    """
def random_sources() -> tuple[str, ...]:
    """Return the names of all random sources.

    Returns:
        A tuple of the names that Random, BitGenerator and `hashwell random` accept.

    Examples:
        >>> import hashwell
        >>> "blake3" in hashwell.random_sources()
        True
    """
def kernels() -> tuple[str, ...]:
    """Return the names of all kernels (implementations for particular CPUs).

    Returns:
        A tuple of the names that the argument `kernel` and the environment variable HASHWELL_KERNEL accept.
        Algorithm.kernels lists the kernels of one algorithm and shows which of them this CPU can run.

    Examples:
        >>> import hashwell
        >>> "soft" in hashwell.kernels()
        True
    """
def _device_rows() -> list[tuple[str, str, str, str, str, int | None, int | None]]:
    """Return the devices that hash_many accepts.

    Each is a tuple of the id, kind, name, platform, driver, bytes of dedicated memory, and number of compute units.
    """
def _unpickle_kernel(name: str, available: bool, chosen: bool) -> Kernel:
    """Restores a kernel. Only pickle calls it."""
def _unpickle_digests(bytes: bytes, rows: int, size: int, hex: bool, nulls: list[int]) -> ArrowDigests:
    """Restores a column. Only pickle calls it."""
def _unpickle_table(scheme: str, columns: list[str] | None, order: str, state: bytes | None) -> TableDigest:
    """Restores a TableDigest. Only pickle calls it."""

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
        algorithm: The algorithm, given as a name, a constructor or an Algorithm object.
        data: The first part of the message.
        **params: Keyword arguments for the algorithm's constructor.

    Returns:
        A Digest, or a Xof if the algorithm is an extendable-output function.

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
    """Hash a file. Unlike hashlib.file_digest, this function accepts paths and all algorithms.

    If file is a path, the file is read in pieces, and other Python threads can run during the call. With BLAKE3, KT128
    or KT256, a large file is hashed on all cores.

    Args:
        file: A path (str, bytes or os.PathLike), or a file that is open for reading bytes. An open file is read
            from its current position to its end, and stays open.
        algorithm: The algorithm, given as a name, a constructor or an Algorithm object.
        **params: Keyword arguments for the algorithm's constructor.

    Returns:
        A Digest or a Xof that has absorbed the file.

    Raises:
        OSError: The file can't be read.
        ValueError: The algorithm is unknown, or file is neither a path nor open for reading bytes.
        TypeError: The algorithm has no such parameter.

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
    """Return a new SHA-1 object (FIPS 180-4 section 6.1), which is a hashwell.Digest.

    Broken: practical collisions exist.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sha224(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SHA-224 object (FIPS 180-4 section 6.3), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sha256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SHA-256 object (FIPS 180-4 section 6.2), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sha384(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SHA-384 object (FIPS 180-4 section 6.5), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sha512(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SHA-512 object (FIPS 180-4 section 6.4), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sha512_224(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SHA-512/224 object (FIPS 180-4 section 6.6), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sha512_256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SHA-512/256 object (FIPS 180-4 section 6.7), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sm3(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SM3 object (GB/T 32905-2016), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sha3_224(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SHA3-224 object (FIPS 202 section 6.1), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sha3_256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SHA3-256 object (FIPS 202 section 6.1), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sha3_384(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SHA3-384 object (FIPS 202 section 6.1), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sha3_512(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SHA3-512 object (FIPS 202 section 6.1), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def shake128(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new SHAKE128 object (FIPS 202 section 6.2), which is a hashwell.Xof.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def shake256(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new SHAKE256 object (FIPS 202 section 6.2), which is a hashwell.Xof.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def cshake128(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', function_name: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new cSHAKE128 object (SP 800-185 section 3), which is a hashwell.Xof.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["cshake128"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def cshake256(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', function_name: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new cSHAKE256 object (SP 800-185 section 3), which is a hashwell.Xof.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["cshake256"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def turboshake128(data: Buffer = b'', *, digest_size: int | None = None, domain: int | None = 31, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new TurboSHAKE128 object (RFC 9861 section 2), which is a hashwell.Xof.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["turboshake128"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def turboshake256(data: Buffer = b'', *, digest_size: int | None = None, domain: int | None = 31, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new TurboSHAKE256 object (RFC 9861 section 2), which is a hashwell.Xof.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["turboshake256"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def kt128(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new KT128 object (RFC 9861 section 3), which is a hashwell.Xof.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["kt128"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def kt256(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new KT256 object (RFC 9861 section 3), which is a hashwell.Xof.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["kt256"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """

@final
@type_check_only
class _blake2b_256:
    SALT_SIZE: Final = 16
    PERSON_SIZE: Final = 16
    MAX_KEY_SIZE: Final = 64
    MAX_DIGEST_SIZE: Final = 32
    def __call__(self, data: Buffer = b'', *, key: Buffer | None = None, salt: Buffer | None = b'', person: Buffer | None = b'', fanout: int | None = 1, depth: int | None = 1, leaf_size: int | None = 0, node_offset: int | None = 0, node_depth: int | None = 0, inner_size: int | None = 0, last_node: bool | None = False, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
        """Return a new BLAKE2b-256 object (RFC 7693), which is a hashwell.Digest.

        The arguments that are not listed below are parameters of the algorithm. Their ranges are in
        hashwell.algorithms["blake2b-256"].parameters.

        Args:
            data: The first part of the message.
            kernel: The name of a kernel in Algorithm.kernels.
            usedforsecurity: Accepted for compatibility with hashlib, and ignored.
            string: An alias for data, as in hashlib.
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
        """Return a new BLAKE2b-512 object (RFC 7693), which is a hashwell.Digest.

        The arguments that are not listed below are parameters of the algorithm. Their ranges are in
        hashwell.algorithms["blake2b-512"].parameters.

        Args:
            data: The first part of the message.
            digest_size: The size of the digest in bytes.
            kernel: The name of a kernel in Algorithm.kernels.
            usedforsecurity: Accepted for compatibility with hashlib, and ignored.
            string: An alias for data, as in hashlib.
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
        """Return a new BLAKE2b-512 object (RFC 7693), which is a hashwell.Digest.

        The arguments that are not listed below are parameters of the algorithm. Their ranges are in
        hashwell.algorithms["blake2b-512"].parameters.

        Args:
            data: The first part of the message.
            digest_size: The size of the digest in bytes.
            kernel: The name of a kernel in Algorithm.kernels.
            usedforsecurity: Accepted for compatibility with hashlib, and ignored.
            string: An alias for data, as in hashlib.
        """

blake2b: Final[_blake2b]

def blake2bp_512(data: Buffer = b'', *, digest_size: int | None = 64, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new BLAKE2bp-512 object (BLAKE2 paper section 2.10), which is a hashwell.Digest.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["blake2bp-512"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The size of the digest in bytes.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def blake2bp(data: Buffer = b'', *, digest_size: int | None = 64, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new BLAKE2bp-512 object (BLAKE2 paper section 2.10), which is a hashwell.Digest.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["blake2bp-512"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The size of the digest in bytes.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """

@final
@type_check_only
class _blake2s_256:
    SALT_SIZE: Final = 8
    PERSON_SIZE: Final = 8
    MAX_KEY_SIZE: Final = 32
    MAX_DIGEST_SIZE: Final = 32
    def __call__(self, data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, salt: Buffer | None = b'', person: Buffer | None = b'', fanout: int | None = 1, depth: int | None = 1, leaf_size: int | None = 0, node_offset: int | None = 0, node_depth: int | None = 0, inner_size: int | None = 0, last_node: bool | None = False, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
        """Return a new BLAKE2s-256 object (RFC 7693), which is a hashwell.Digest.

        The arguments that are not listed below are parameters of the algorithm. Their ranges are in
        hashwell.algorithms["blake2s-256"].parameters.

        Args:
            data: The first part of the message.
            digest_size: The size of the digest in bytes.
            kernel: The name of a kernel in Algorithm.kernels.
            usedforsecurity: Accepted for compatibility with hashlib, and ignored.
            string: An alias for data, as in hashlib.
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
        """Return a new BLAKE2s-256 object (RFC 7693), which is a hashwell.Digest.

        The arguments that are not listed below are parameters of the algorithm. Their ranges are in
        hashwell.algorithms["blake2s-256"].parameters.

        Args:
            data: The first part of the message.
            digest_size: The size of the digest in bytes.
            kernel: The name of a kernel in Algorithm.kernels.
            usedforsecurity: Accepted for compatibility with hashlib, and ignored.
            string: An alias for data, as in hashlib.
        """

blake2s: Final[_blake2s]

def blake2sp_256(data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new BLAKE2sp-256 object (BLAKE2 paper section 2.10), which is a hashwell.Digest.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["blake2sp-256"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The size of the digest in bytes.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def blake2sp(data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new BLAKE2sp-256 object (BLAKE2 paper section 2.10), which is a hashwell.Digest.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["blake2sp-256"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The size of the digest in bytes.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def blake3(data: Buffer = b'', *, digest_size: int | None = 32, key: Buffer | None = None, derive_key_context: str | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new BLAKE3 object (BLAKE3 paper section 2), which is a hashwell.Xof.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["blake3"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def ascon_hash256(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new Ascon-Hash256 object (SP 800-232 section 5.1), which is a hashwell.Digest.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def ascon_xof128(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new Ascon-XOF128 object (SP 800-232 section 5.2), which is a hashwell.Xof.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def ascon_cxof128(data: Buffer = b'', *, digest_size: int | None = None, customization: Buffer | None = b'', kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new Ascon-CXOF128 object (SP 800-232 section 5.3), which is a hashwell.Xof.

    The arguments that are not listed below are parameters of the algorithm. Their ranges are in
    hashwell.algorithms["ascon-cxof128"].parameters.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def ascon_xof_v1_2(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new Ascon-Xof v1.2 object (Ascon v1.2 section 2.5), which is a hashwell.Xof.

    Legacy: it is superseded. Use it only to check existing data.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def ascon_xofa_v1_2(data: Buffer = b'', *, digest_size: int | None = None, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Xof:
    """Return a new Ascon-Xofa v1.2 object (Ascon v1.2 section 2.5), which is a hashwell.Xof.

    Legacy: it is superseded. Use it only to check existing data.

    Args:
        data: The first part of the message.
        digest_size: The number of bytes that digest() returns without a length.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def ripemd160(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new RIPEMD-160 object (RIPEMD-160, 1996, appendix A), which is a hashwell.Digest.

    Legacy: it is superseded. Use it only to check existing data.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
    """
def sha256_90r(data: Buffer = b'', *, kernel: str | None = None, usedforsecurity: bool = True, string: Buffer = b'') -> Digest:
    """Return a new SHA256-90R object (docs/spec/sha256-90r.md), which is a hashwell.Digest.

    Experimental: no public analysis exists. Do not use it in production.

    Args:
        data: The first part of the message.
        kernel: The name of a kernel in Algorithm.kernels.
        usedforsecurity: Accepted for compatibility with hashlib, and ignored.
        string: An alias for data, as in hashlib.
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
