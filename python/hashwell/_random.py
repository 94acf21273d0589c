"""`hashwell.Random`: the interface of the standard library's random.Random with any of the sources in `random_sources()`."""

from __future__ import annotations

import random as _random
from typing import TYPE_CHECKING, Any, Self

from ._native import _RandomStream as RandomStream

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._native import _NumPySeed, _Seed

_DEFAULT = "hmac-drbg-sha256"


class Random(_random.Random):
    """A random.Random that uses a random source of this package.

    With a seed, the stream is the same on every machine, in every version and in forked children. Without a seed,
    the operating system seeds the object, and seeds it again in a forked child. Its output is then not
    reproducible.

    Numbers are computed from the next bytes of the stream, which are read as a big-endian integer. random() reads 8
    bytes and returns (integer >> 11) / 2**53. getrandbits(k) reads (k + 7) // 8 bytes and drops the surplus low bits.
    randbytes(n) returns n bytes. All other methods are inherited from the standard library and call these methods; a
    new version of Python may change their results.

    getstate() and pickles contain the key of the stream and the position in it. An OS-seeded object has no state
    and can't be pickled. Moving to a position takes constant time for "blake3" and "counter"; other sources
    generate all bytes before the position. Several threads can use the same object: random, getrandbits and
    randbytes are atomic.

    Args:
        source: The name of the random source, one of random_sources(). If the first argument is not a str, as in
            Random(12345), it is the seed of the default source.
        seed: The seed: a str, bytes, an int, a sequence of ints or a SeedSequence.
        personalization: The purpose of the stream. Streams with different personalizations are independent.

    Raises:
        ValueError: There is no such source.
        TypeError: The seed has an unsupported type.

    Examples:
        >>> import hashwell
        >>> dice = hashwell.Random("blake3", b"2026-11-21, public")
        >>> [dice.randint(1, 6) for _ in range(8)]
        [4, 4, 5, 3, 2, 5, 3, 6]
    """

    _VERSION = "hashwell-1"

    if TYPE_CHECKING:

        def __new__(
            self, source: str | _NumPySeed | None = _DEFAULT, seed: _Seed | None = None, *, personalization: Buffer = b""
        ) -> Self: ...

    else:

        def __new__(cls, *args: Any, **kwargs: Any) -> Self:
            # The base class has a Mersenne Twister, which is not used. A fixed seed avoids reading entropy for it.
            return super().__new__(cls, 0)

    def __init__(
        self, source: str | _NumPySeed | None = _DEFAULT, seed: _Seed | None = None, *, personalization: Buffer = b""
    ) -> None:
        if source is None:
            source = _DEFAULT
        elif not isinstance(source, str) and seed is None:
            # type(generator)(12345) works, as for the classes of the standard library.
            source, seed = _DEFAULT, source
        # The extension rejects a source that is not a name.
        self._source: Any = source
        self._personalization = bytes(personalization)
        self.seed(seed)

    if not TYPE_CHECKING:
        # The signature that `inspect.signature` shows. Subclasses may have other arguments.
        __new__.__wrapped__ = __init__

    @property
    def source(self) -> str:
        """The name of the random source."""
        return self._stream.source

    @property
    def os_seeded(self) -> bool:
        """True if the operating system seeded the object. Its output is then not reproducible."""
        return self._stream.os_seeded

    def seed(self, a: _Seed | None = None, version: int = 2) -> None:  # type: ignore[override]
        """Restart the stream from a seed.

        Args:
            a: The seed. With None, the operating system provides a new seed.
            version: This argument is ignored. It exists for compatibility with random.Random.

        Raises:
            TypeError: The seed has an unsupported type.

        Examples:
            >>> import hashwell
            >>> dice = hashwell.Random("blake3", "seed")
            >>> first = dice.random()
            >>> dice.seed("seed")
            >>> dice.random() == first
            True
        """
        self._stream = RandomStream(self._source, a, self._personalization)
        self.gauss_next: float | None = None

    def random(self) -> float:
        """Return the next float in 0.0 <= x < 1.0, a multiple of 2**-53.

        Examples:
            >>> import hashwell
            >>> 0.0 <= hashwell.Random("blake3", "seed").random() < 1.0
            True
        """
        return self._stream.random()

    def getrandbits(self, k: int, /) -> int:
        """Return the next k bits of the stream as an int. The remaining bits of the last byte are dropped.

        Examples:
            >>> import hashwell
            >>> hashwell.Random("blake3", "seed").getrandbits(3) < 8
            True
        """
        return self._stream.getrandbits(k)

    def randbytes(self, n: int) -> bytes:
        """Return the next n bytes of the stream.

        Examples:
            >>> import hashwell
            >>> len(hashwell.Random("blake3", "seed").randbytes(16))
            16
        """
        return self._stream.randbytes(n)

    def getstate(self) -> tuple[Any, ...]:
        """Return the state for setstate().

        It contains the key of the stream and the position in it, which reveal the whole stream.

        Returns:
            A tuple, which setstate() accepts.

        Raises:
            TypeError: The object is OS-seeded.

        Examples:
            >>> import hashwell
            >>> dice = hashwell.Random("blake3", "seed")
            >>> state = dice.getstate()
            >>> first = dice.random()
            >>> dice.setstate(state)
            >>> dice.random() == first
            True
        """
        return self._VERSION, self._stream.state(), self._personalization, self.gauss_next

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Restore a state that getstate() returned.

        Args:
            state: The state.

        Raises:
            ValueError: The state is not valid.
            TypeError: The state doesn't have the expected form.

        Examples:
            >>> import hashwell
            >>> one, two = hashwell.Random("blake3", "seed"), hashwell.Random("blake3")
            >>> two.setstate(one.getstate())
            >>> one.random() == two.random()
            True
        """
        # The whole state is checked before anything changes.
        if not isinstance(state, tuple) or not state:
            raise TypeError("not the state of a hashwell.Random: expected a result of getstate()")
        if state[0] != self._VERSION:
            raise ValueError(f"not the state of a hashwell.Random: its version is {state[0]!r}")
        if len(state) != 4:
            raise ValueError(f"not the state of a hashwell.Random: it has {len(state)} fields, not 4")
        _, stream, personalization, gauss_next = state
        if not isinstance(personalization, bytes) or not isinstance(gauss_next, float | None):
            raise TypeError("not the state of a hashwell.Random: its third field must be bytes, and its fourth a float or None")
        self._stream = RandomStream.from_state(stream)
        self._source = self._stream.source
        self._personalization, self.gauss_next = personalization, gauss_next

    def __reduce__(self) -> tuple[Any, ...]:
        return self.__class__, (self.source, b""), self.getstate()

    def __repr__(self) -> str:
        return f"<hashwell.Random '{self.source}', {'OS-seeded' if self.os_seeded else 'seeded'}>"
