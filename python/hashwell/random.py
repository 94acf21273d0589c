"""NumPy generators that use `hashwell.BitGenerator`. This module requires NumPy.

To create the generator of each chunk, Dask calls the function `random.default_rng` of the package to which the bit
generator belongs.

    >>> import hashwell.random
    >>> int(hashwell.random.default_rng(12345).integers(1, 7))
    6
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._native import BitGenerator

if TYPE_CHECKING:
    from numpy.random import Generator

    from ._native import _Seed

__all__ = ["default_rng"]


def default_rng(seed: _Seed | BitGenerator | Generator | None = None) -> Generator:
    """Return a NumPy Generator that uses a random source of this package.

    Args:
        seed: A BitGenerator, or a seed for the default source: a str, bytes, an int, a sequence of ints or a
            SeedSequence. With None, the operating system provides a new seed. A Generator is returned unchanged.

    Returns:
        The Generator.

    Raises:
        TypeError: The seed has an unsupported type.

    Examples:
        >>> import hashwell.random
        >>> hashwell.random.default_rng(12345).integers(1, 7, 5).tolist()
        [6, 5, 3, 3, 6]
    """
    import numpy

    if isinstance(seed, numpy.random.Generator):
        return seed
    return numpy.random.Generator(seed if isinstance(seed, BitGenerator) else BitGenerator(seed=seed))
