"""The interface of xoflib 0.4, implemented by hashwell: the same classes, functions, arguments and exceptions.

    >>> from hashwell import xoflib
    >>> xoflib.Shake128(b"seed").absorb(b"ling").finalize().read(4).hex()
    '8768543b'

There are three differences:

- Here, a strided view raises BufferError. The original xoflib reads or writes memory outside of the view.
- Buffers of any item type are accepted.
- A read that is longer than memory allows raises MemoryError or OverflowError, and a read of a negative length
  raises ValueError.

As in xoflib, finalize() empties the absorber, and the Ascon functions are from Ascon v1.2, not from NIST SP 800-232
(hashwell.ascon_xof128).
"""

from __future__ import annotations

import operator
import threading
from typing import TYPE_CHECKING, Generic, NoReturn, Self, TypeVar, final

from . import _native

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Buffer

__all__ = [
    "Sponge128",
    "Shake128",
    "Sponge256",
    "Shake256",
    "TurboSponge128",
    "TurboShake128",
    "TurboSponge256",
    "TurboShake256",
    "shake128",
    "shake256",
    "turbo_shake128",
    "turbo_shake256",
    "AsconXof",
    "AsconSponge",
    "AsconAXof",
    "AsconASponge",
    "ascon_xof",
    "ascona_xof",
    "Blake3",
    "Blake3Sponge",
    "blake3_xof",
]

# This lock is held while finalize() takes the message from an absorber.
_handover = threading.Lock()


class _Named:
    """A base class for which str() returns the name of the class, as in xoflib."""

    __slots__ = ()

    def __str__(self) -> str:
        return type(self).__name__


class _Sponge(_Named):
    # The methods of the stream itself, so that a read needs no Python frame.
    __slots__ = ("read", "read_into")

    read: Callable[[int], bytes]
    read_into: Callable[[Buffer], None]

    def __new__(cls) -> Self:
        raise TypeError(f"No constructor defined for {cls.__name__}")


_S = TypeVar("_S", bound=_Sponge)


def _sponge(cls: type[_S], xof: _native.Xof) -> _S:
    sponge = object.__new__(cls)
    sponge.read = xof.read
    sponge.read_into = xof.read_into
    return sponge


class _Absorber(_Named, Generic[_S]):
    __slots__ = ("_xof",)

    # Each class defines its constructor in hashwell, and the class of its output.
    _constructor: Callable[..., _native.Xof]
    _output: type[_S]

    _xof: _native.Xof

    def __init__(self, input_bytes: Buffer | None = None) -> None:
        self._start(input_bytes)

    def _start(self, input_bytes: Buffer | None) -> None:
        self._xof = self._empty()
        if input_bytes is not None:
            self._xof.absorb(input_bytes)

    def _empty(self) -> _native.Xof:
        return self._constructor()

    def __copy__(self) -> Self:
        copied = object.__new__(type(self))
        with _handover:
            copied._xof = self._xof.copy()
        return copied

    def __deepcopy__(self, memo: object) -> Self:
        return self.__copy__()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot pickle 'xoflib.{type(self).__name__}' object")

    def absorb(self, input_bytes: Buffer) -> Self:
        """Append data to the message and return this object.

        Args:
            input_bytes: A bytes-like object.

        Returns:
            This object.

        Raises:
            TypeError: input_bytes is not a bytes-like object.
        """
        while True:
            try:
                self._xof.absorb(input_bytes)
            except _native.FinalizedError:
                # Another thread called finalize() in between: the bytes belong to the next message.
                continue
            return self

    def finalize(self) -> _S:
        """Return the output for the message, and start a new, empty message.

        Returns:
            The output, which read() and read_into() return in parts.
        """
        with _handover:
            xof, self._xof = self._xof, self._empty()
        return _sponge(self._output, xof.finalize())


class _DomainAbsorber(_Absorber[_S]):
    __slots__ = ("_domain_sep",)

    def __init__(self, domain_sep: int, input_bytes: Buffer | None = None) -> None:
        self._domain_sep = _checked(domain_sep)
        self._start(input_bytes)

    def __copy__(self) -> Self:
        copied = super().__copy__()
        copied._domain_sep = self._domain_sep
        return copied

    def _empty(self) -> _native.Xof:
        return self._constructor(domain=self._domain_sep)


def _checked(domain_sep: int) -> int:
    """Check a domain separation byte in the order of xoflib: first that it is from 0 to 255, and then that it is from 1
    to 127."""
    if not 0 <= operator.index(domain_sep) <= 255:
        raise OverflowError("out of range integral type conversion attempted")
    if not 1 <= domain_sep <= 127:
        raise ValueError("domain sep is not in range(1, 0x80)")
    return domain_sep


@final
class Sponge128(_Sponge):
    """The output of SHAKE128, of any length. Read it with read() or read_into()."""

    __slots__ = ()


@final
class Shake128(_Absorber[Sponge128]):
    """Absorbs a message for SHAKE128. finalize() returns the output."""

    __slots__ = ()
    _constructor = _native.shake128
    _output = Sponge128


def shake128(data: Buffer) -> Sponge128:
    """Return the output of SHAKE128 for one message."""
    return _sponge(Sponge128, _native.shake128(data))


@final
class Sponge256(_Sponge):
    """The output of SHAKE256, of any length. Read it with read() or read_into()."""

    __slots__ = ()


@final
class Shake256(_Absorber[Sponge256]):
    """Absorbs a message for SHAKE256. finalize() returns the output."""

    __slots__ = ()
    _constructor = _native.shake256
    _output = Sponge256


def shake256(data: Buffer) -> Sponge256:
    """Return the output of SHAKE256 for one message."""
    return _sponge(Sponge256, _native.shake256(data))


@final
class TurboSponge128(_Sponge):
    """The output of TurboSHAKE128, of any length. Read it with read() or read_into()."""

    __slots__ = ()


@final
class TurboShake128(_DomainAbsorber[TurboSponge128]):
    """Absorbs a message for TurboSHAKE128. finalize() returns the output."""

    __slots__ = ()
    _constructor = _native.turboshake128
    _output = TurboSponge128


def turbo_shake128(domain_sep: int, data: Buffer) -> TurboSponge128:
    """Return the output of TurboSHAKE128 for one message."""
    return _sponge(TurboSponge128, _native.turboshake128(data, domain=_checked(domain_sep)))


@final
class TurboSponge256(_Sponge):
    """The output of TurboSHAKE256, of any length. Read it with read() or read_into()."""

    __slots__ = ()


@final
class TurboShake256(_DomainAbsorber[TurboSponge256]):
    """Absorbs a message for TurboSHAKE256. finalize() returns the output."""

    __slots__ = ()
    _constructor = _native.turboshake256
    _output = TurboSponge256


def turbo_shake256(domain_sep: int, data: Buffer) -> TurboSponge256:
    """Return the output of TurboSHAKE256 for one message."""
    return _sponge(TurboSponge256, _native.turboshake256(data, domain=_checked(domain_sep)))


@final
class AsconSponge(_Sponge):
    """The output of Ascon-Xof v1.2, of any length. Read it with read() or read_into()."""

    __slots__ = ()


@final
class AsconXof(_Absorber[AsconSponge]):
    """Absorbs a message for Ascon-Xof v1.2. finalize() returns the output."""

    __slots__ = ()
    _constructor = _native.ascon_xof_v1_2
    _output = AsconSponge


def ascon_xof(data: Buffer) -> AsconSponge:
    """Return the output of Ascon-Xof v1.2 for one message."""
    return _sponge(AsconSponge, _native.ascon_xof_v1_2(data))


@final
class AsconASponge(_Sponge):
    """The output of Ascon-Xofa v1.2, of any length. Read it with read() or read_into()."""

    __slots__ = ()


@final
class AsconAXof(_Absorber[AsconASponge]):
    """Absorbs a message for Ascon-Xofa v1.2. finalize() returns the output."""

    __slots__ = ()
    _constructor = _native.ascon_xofa_v1_2
    _output = AsconASponge


def ascona_xof(data: Buffer) -> AsconASponge:
    """Return the output of Ascon-Xofa v1.2 for one message."""
    return _sponge(AsconASponge, _native.ascon_xofa_v1_2(data))


@final
class Blake3Sponge(_Sponge):
    """The output of BLAKE3, of any length. Read it with read() or read_into()."""

    __slots__ = ()


@final
class Blake3(_Absorber[Blake3Sponge]):
    """Absorbs a message for BLAKE3. finalize() returns the output."""

    __slots__ = ()
    _constructor = _native.blake3
    _output = Blake3Sponge


def blake3_xof(data: Buffer) -> Blake3Sponge:
    """Return the output of BLAKE3 for one message."""
    return _sponge(Blake3Sponge, _native.blake3(data))
