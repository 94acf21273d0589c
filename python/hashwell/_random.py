"""`hashwell.Random`: the standard library's interface over any of `random_sources()`."""

from __future__ import annotations

import random as _random
from typing import TYPE_CHECKING, Any, Self

from ._native import _RandomStream as RandomStream

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._native import _NumPySeed, _Seed

_DEFAULT = "hmac-drbg-sha256"


class Random(_random.Random):
    """random.Random over a source of `hashwell.random_sources()`.

    With a seed the stream is the same on every machine and in every version, and in forked children;
    personalization separates uses of one seed. A seed is a str, bytes, an int, a sequence of ints or a SeedSequence, as
    for every function of the package (docs/guides/random.md, Seeds in Python). Random(12345), with a seed that is no str in
    the source's place, seeds the default source. Without a seed nobody can repeat the stream: the operating system
    seeds it, and again in a forked child.

        >>> import hashwell
        >>> dice = hashwell.Random("blake3", b"2026-11-21, public")
        >>> [dice.randint(1, 6) for _ in range(8)]
        [4, 4, 5, 3, 2, 5, 3, 6]

    A number is the next bytes of the stream, big-endian: random() is (8 bytes >> 11) * 2**-53, getrandbits(k) is
    (k + 7) // 8 bytes without the surplus low bits, randbytes(n) is n bytes. Other methods are the standard
    library's, made of these: Python may change what they return from one version to the next.

    getstate() and pickles hold the key of the stream and the position in it; an OS-seeded one has neither. Going
    to a position takes a moment for 'blake3' and 'counter'; other sources generate all bytes before it.
    Threads may share one: random, getrandbits and randbytes are atomic.
    """

    _VERSION = "hashwell-1"

    if TYPE_CHECKING:

        def __new__(
            self, source: str | _NumPySeed | None = _DEFAULT, seed: _Seed | None = None, *, personalization: Buffer = b""
        ) -> Self: ...

    else:

        def __new__(cls, *args: Any, **kwargs: Any) -> Self:
            # The base class has a Mersenne Twister, which nobody asks: no entropy for it.
            return super().__new__(cls, 0)

    def __init__(
        self, source: str | _NumPySeed | None = _DEFAULT, seed: _Seed | None = None, *, personalization: Buffer = b""
    ) -> None:
        if source is None:
            source = _DEFAULT
        elif not isinstance(source, str) and seed is None:
            # type(generator)(12345), as of the standard library's classes.
            source, seed = _DEFAULT, source
        # The extension refuses what is no name.
        self._source: Any = source
        self._personalization = bytes(personalization)
        self.seed(seed)

    if not TYPE_CHECKING:
        # What `inspect.signature` shows; subclasses may take other arguments.
        __new__.__wrapped__ = __init__

    @property
    def source(self) -> str:
        """Name of the source."""
        return self._stream.source

    @property
    def os_seeded(self) -> bool:
        """Whether the operating system seeded it, so that nobody can repeat its output."""
        return self._stream.os_seeded

    def seed(self, a: _Seed | None = None, version: int = 2) -> None:  # type: ignore[override]
        """Starts anew from the seed, or from the operating system's. version is for the base class."""
        self._stream = RandomStream(self._source, a, self._personalization)
        self.gauss_next: float | None = None

    def random(self) -> float:
        """The next number of 0.0 <= x < 1.0, a multiple of 2**-53."""
        return self._stream.random()

    def getrandbits(self, k: int, /) -> int:
        """The next k bits of the stream as a number; the bits up to the next whole byte are dropped."""
        return self._stream.getrandbits(k)

    def randbytes(self, n: int) -> bytes:
        """The next n bytes of the stream."""
        return self._stream.randbytes(n)

    def getstate(self) -> tuple[Any, ...]:
        """Key and position, for setstate: whoever has them has the whole stream."""
        return self._VERSION, self._stream.state(), self._personalization, self.gauss_next

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Goes to where getstate was called."""
        # Nothing changes before all of it was looked at.
        if not isinstance(state, tuple) or not state:
            raise TypeError("not the state of a hashwell.Random: it must be what getstate() returned")
        if state[0] != self._VERSION:
            raise ValueError(f"not the state of a hashwell.Random: its version is {state[0]!r}")
        if len(state) != 4:
            raise ValueError(f"not the state of a hashwell.Random: it has {len(state)} fields, not 4")
        _, stream, personalization, gauss_next = state
        if not isinstance(personalization, bytes) or not isinstance(gauss_next, float | None):
            raise TypeError("not the state of a hashwell.Random: bytes, and a float or None, come after the stream's")
        self._stream = RandomStream.from_state(stream)
        self._source = self._stream.source
        self._personalization, self.gauss_next = personalization, gauss_next

    def __reduce__(self) -> tuple[Any, ...]:
        return self.__class__, (self.source, b""), self.getstate()

    def __repr__(self) -> str:
        return f"<hashwell.Random '{self.source}', {'OS-seeded' if self.os_seeded else 'seeded'}>"
