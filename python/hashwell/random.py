"""NumPy's generators over `hashwell.BitGenerator`. Needs NumPy.

Dask makes the generator of each chunk with the function `random.default_rng` of the package that a bit generator's class
is of, which is this one.

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
    """A generator of NumPy's: over a bit generator, or over the default source with a seed.

    A Generator is returned as it is. Without a seed nobody can repeat what it draws.
    """
    import numpy

    if isinstance(seed, numpy.random.Generator):
        return seed
    return numpy.random.Generator(seed if isinstance(seed, BitGenerator) else BitGenerator(seed=seed))
