"""Hash trees that are stored next to files. `outboard` and `locate` find damaged ranges. `make_slice` and
`decode_slice` prove that a range belongs to the file with a given digest. `hashwell sum --outboard` and `--slice` write
the same formats.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

from ._native import _decode_slice, _locate, _outboard, _slice_parts

if TYPE_CHECKING:
    from typing import BinaryIO, TypeAlias

    from typing_extensions import Buffer

    _File: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes] | BinaryIO


@dataclass(frozen=True, slots=True)
class Located:
    """The result of locate(): the damaged ranges of a file.

    The outboard is the tree that outboard() returned for the file.

    Attributes:
        damaged: The damaged ranges of bytes, including bytes that are missing at the end and extra bytes after the end.
            The ranges are sorted, and adjacent ranges are merged.
        unknown: Ranges that contain damage at an unknown position, because the outboard is damaged too.
        bad_nodes: The number of damaged nodes of the outboard, or of damaged values in a list of chunk values (KT128).
        is_unproven: True if the list of chunk values could not be verified against the digest, so the ranges are based
            only on the check value of the list. This is possible only with KT128, if the first 8 KiB of the file are
            damaged.

    Examples:
        >>> from hashwell import Located
        >>> Located([range(16384, 32768)], [], 0, False).is_intact
        False
    """

    damaged: list[range]
    unknown: list[range]
    bad_nodes: int
    is_unproven: bool

    @property
    def is_intact(self) -> bool:
        """True if the file matches the digest. The outboard may still be damaged."""
        return not self.damaged and not self.unknown


def outboard(file: _File, algorithm: str = "blake3", *, group: int = 16384) -> tuple[bytes, bytes]:
    """Return the hash tree of a file and the digest of the file. Store the tree next to the file.

    The tree is the one that `hashwell sum --outboard` writes: for BLAKE3, an outboard in the format of Bao; for KT128,
    a list of chunk values. It is kept in memory. With the default group size, its size is 0.39 % of the size of the
    file.

    Args:
        file: A path (str, bytes or os.PathLike), or a file that is open for reading bytes. An open file is read from its
            current position to its end. For bytes in memory, use io.BytesIO.
        algorithm: "blake3" or "kt128".
        group: The size of the smallest range that locate can find, in bytes: a power of two from 1 KiB to 64 MiB. With
            1024, the outboard is the same as that of the program bao. KT128 always has chunks of 8 KiB, and ignores
            this argument.

    Returns:
        A tuple of the tree, as bytes, and the digest, which has 32 bytes.

    Raises:
        OSError: The file can't be read.
        ValueError: The algorithm or the group size is not supported.

    Examples:
        >>> import hashwell, io
        >>> message = bytes(100_000)
        >>> tree, digest = hashwell.outboard(io.BytesIO(message))
        >>> len(tree), digest == hashwell.blake3(message).digest()
        (392, True)
    """
    return _outboard(file, algorithm, group)


def locate(file: _File, outboard: Buffer, digest: Buffer | None = None, *, algorithm: str = "blake3") -> Located:
    """Find the damaged ranges of a file, with a tree that was made while the file was undamaged.

    The result is only as trustworthy as the digest. Get the digest from a place where an attacker can't change it together
    with the file and the tree.

    Args:
        file: A path (str, bytes or os.PathLike), or a file that is open for reading bytes. An open file is read from its
            current position to its end.
        outboard: The tree that outboard returned.
        digest: The digest of the undamaged file. By default, it is taken from the tree.
        algorithm: The algorithm of the tree, "blake3" or "kt128".

    Returns:
        The damaged ranges. Damage to the tree is reported separately from damage to the file.

    Raises:
        OSError: The file can't be read.
        ValueError: The bytes are not a tree; or digest is None and the tree contains no digest, as for a file that is a
            single group.

    Examples:
        >>> import hashwell, io
        >>> tree, digest = hashwell.outboard(io.BytesIO(bytes(100_000)))
        >>> damaged = bytearray(100_000)
        >>> damaged[50_000] = 1
        >>> hashwell.locate(io.BytesIO(damaged), tree, digest).damaged
        [range(49152, 65536)]
    """
    damaged, unknown, bad_nodes, is_unproven = _locate(file, outboard, digest, algorithm)
    return Located([range(*pair) for pair in damaged], [range(*pair) for pair in unknown], bad_nodes, is_unproven)


def make_slice(file: _File, outboard: Buffer, start: int, length: int, *, digest: Buffer | None = None) -> bytes:
    """Return a slice: a range of a file, together with the nodes of its BLAKE3 tree that prove the range.

    The slice has the format of Bao. With groups of 1 KiB, slices are the same as those of the program bao. The slice is
    verified before it is returned.

    Args:
        file: A path (str, bytes or os.PathLike), or a file that is open for reading bytes and can seek.
        outboard: The tree that outboard returned, with any group size. A list of chunk values (KT128) is not accepted.
        start: The first byte of the range. If it is after the end of the file, the slice proves the length of the file.
        length: The number of bytes. The range may reach past the end of the file. 0 is treated as 1.
        digest: The digest of the file. By default, it is taken from the tree.

    Returns:
        The bytes of the slice. A slice always contains whole groups.

    Raises:
        OSError: The file can't be read.
        ValueError: The file or the tree is damaged in this range, or the file is shorter than when the tree was made.

    Examples:
        >>> import hashwell, io
        >>> message = io.BytesIO(bytes(100_000))
        >>> tree, digest = hashwell.outboard(message, group=1024)
        >>> part = hashwell.make_slice(message, tree, 50_000, 100)
        >>> len(part), hashwell.decode_slice(part, digest, 50_000, 100, group=1024)[0] == bytes(100)
        (1480, True)
    """
    if isinstance(file, str | bytes | PathLike):
        with open(file, "rb") as opened:
            return make_slice(opened, outboard, start, length, digest=digest)
    parts, group, size, root = _slice_parts(outboard, start, length)
    tree = memoryview(outboard).cast("B")
    pieces: list[bytes | memoryview] = []
    for is_message, begin, end in parts:
        if is_message:
            file.seek(begin)
            piece = _read_exactly(file, end - begin)
            if len(piece) < end - begin:
                raise ValueError(f"the file ends at byte {begin + len(piece)}, but the outboard is for a file of {size} bytes")
            pieces.append(piece)
        else:
            pieces.append(tree[begin:end])
    made = b"".join(pieces)
    expected = digest if digest is not None else root
    if expected is not None:
        _decode_slice(made, expected, start, length, group)
    return made


def _read_exactly(file: BinaryIO, size: int) -> bytes:
    """Read this number of bytes, or fewer at the end of the file."""
    pieces = []
    while size and (piece := file.read(size)):
        pieces.append(piece)
        size -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def decode_slice(slice: Buffer, digest: Buffer, start: int, length: int, *, group: int = 16384) -> tuple[bytes, int | None]:  # noqa: A002
    """Verify a slice with the digest of the whole file, and return the bytes of the range.

    Args:
        slice: The slice, made by make_slice or `hashwell sum --slice`. The program bao makes the same slices if the
            group size is 1 KiB.
        digest: The BLAKE3 digest of the whole file.
        start: The first byte of the range, as for make_slice.
        length: The number of bytes, as for make_slice.
        group: The group size of the tree that the slice was made with. For slices of bao, it is 1024.

    Returns:
        A tuple of the verified bytes and the length of the whole file. There are fewer than `length` bytes if the file
        ends within the range. The length is None if the slice doesn't prove it. A slice proves the length if it
        contains the last group.

    Raises:
        ValueError: The slice does not match the digest, is truncated, or has bytes after its end.

    Examples:
        >>> import hashwell, io
        >>> tree, digest = hashwell.outboard(io.BytesIO(bytes(100_000)))
        >>> part = hashwell.make_slice(io.BytesIO(bytes(100_000)), tree, 99_999, 10)
        >>> hashwell.decode_slice(part, digest, 99_999, 10)
        (b'\\x00', 100000)
    """
    return _decode_slice(slice, digest, start, length, group)
