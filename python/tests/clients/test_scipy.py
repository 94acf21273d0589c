"""Runs SciPy's own tests of quasi-Monte Carlo engines with hashwell's generators, for every random source."""

import os

import numpy
import pytest
import sitecustomize
from scipy.stats.tests import test_qmc

import hashwell

OWN = numpy.random.default_rng
ENGINES = (test_qmc.TestHalton, test_qmc.TestLHS, test_qmc.TestSobol, test_qmc.TestPoisson)

# One source of each kind runs all tests. The others skip the tests that take seconds, which check what engines compute
# from numbers and not where the numbers come from.
WHOLE = ("counter", "blake3", "hmac-drbg-sha256")
SLOW = (
    "test_distribution",
    "test_fill_space",
    "test_mindist",
    "test_optimizer_1d",
    "test_optimizers",
    "test_sample_stratified",
)


def default_rng(source: str):
    """A replacement for NumPy's function, with which tests and engines make their generators.

    Without a seed it uses random bytes as the seed, because engines copy their generator, which an OS-seeded one refuses.
    """

    def made(seed: object = None) -> numpy.random.Generator:
        if isinstance(seed, (numpy.random.Generator, numpy.random.RandomState, numpy.random.BitGenerator)):
            return OWN(seed)
        sitecustomize.calls["BitGenerator"] += 1
        seed = os.urandom(32) if seed is None else seed
        return numpy.random.Generator(hashwell.BitGenerator(source, seed))

    return made


def over(source: str, suffix: str) -> None:
    """Adds subclasses for the source to this module, where pytest finds them."""

    class OverSource:
        @pytest.fixture(autouse=True)
        def generators(self, monkeypatch):
            monkeypatch.setattr(numpy.random, "default_rng", default_rng(source))

    for engine in ENGINES:
        name = f"{engine.__name__}_{suffix}"
        # pytest ignores a test that is None.
        left_out = {} if source in WHOLE else dict.fromkeys(SLOW)
        globals()[name] = type(name, (OverSource, engine), left_out)


for name in hashwell.random_sources():
    over(name, name.replace("-", "_").replace(".", "_"))


def test_these_are_all_of_scipys_engines() -> None:
    """The test fails if SciPy adds an engine."""
    assert set(test_qmc.QMCEngineTests.__subclasses__()) >= set(ENGINES)
    own = [engine for engine in test_qmc.QMCEngineTests.__subclasses__() if engine.__module__ == test_qmc.__name__]
    assert set(own) == set(ENGINES)
