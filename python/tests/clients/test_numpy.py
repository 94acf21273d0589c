"""Runs NumPy's own test classes for bit generators with hashwell's generators, for every random source."""

import inspect
import os

import numpy
import sitecustomize
from numpy.random.tests import test_direct, test_smoke
from streams import key, stream

import hashwell


class Constructor:
    """Makes BitGenerators of one source. The signature is that of NumPy's classes: the seed is optional.

    Without a seed it uses random bytes as the seed, because the tests read the state, which an OS-seeded generator refuses.
    """

    __name__ = "BitGenerator"

    def __init__(self, source: str) -> None:
        self.source = source

    def __call__(self, seed: object = None) -> hashwell.BitGenerator:
        sitecustomize.calls["BitGenerator"] += 1
        return hashwell.BitGenerator(self.source, os.urandom(32) if seed is None else seed)


def over(source: str, suffix: str) -> None:
    """Adds subclasses for the source to this module, where pytest finds them."""
    constructor = Constructor(source)

    class Smoke(test_smoke.RNG):
        @classmethod
        def _create_rng(cls):
            generator = numpy.random.Generator(constructor(12345))
            return test_smoke.RNGData(constructor, 2**16 + 2**15 + 1, [12345], generator, 64)

    class Direct(test_direct.Base):
        @classmethod
        def setup_class(cls):
            cls.bit_generator = constructor
            cls.bits, cls.dtype = 64, numpy.uint64
            for name, seed in ("data1", 0xDEADBEAF), ("data2", 0):
                data = stream(source, key(str(seed).encode()), 8000)
                setattr(cls, name, {"seed": [seed], "data": numpy.frombuffer(data, ">u8").astype(cls.dtype)})
            # The same values as in test_direct.TestPCG64.
            cls.invalid_init_types = [(3.2,), ([None],), (1, None)]
            cls.invalid_init_values = [([-1],)]

        # From test_direct.TestMT19937, which accepts the same types of seeds as hashwell.
        test_seed_float_array = test_direct.TestMT19937.test_seed_float_array

    globals()[f"TestSmoke_{suffix}"], globals()[f"TestDirect_{suffix}"] = Smoke, Direct


for name in hashwell.random_sources():
    over(name, name.replace("-", "_").replace(".", "_"))


def test_these_are_all_of_numpys_classes() -> None:
    """Lists the other classes of the two files, so that the test fails if NumPy adds a class."""
    classes = {
        name
        for module in (test_smoke, test_direct)
        for name, value in inspect.getmembers(module, inspect.isclass)
        if value.__module__ == module.__name__
    }
    generators = {"TestMT19937", "TestPCG64", "TestPCG64DXSM", "TestPhilox", "TestSFC64", "TestDefaultRNG"}
    assert classes == {"RNG", "RNGData", "Base", *generators}
