"""hashwell.BitGenerator under NumPy: every distribution, values, states, children, forks."""

import copy
import ctypes
import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest
from streams import Numbers, both_sides_of_a_fork, child, key, stream

import hashwell

SEED = b"a public seed"


def generator(source: str = "blake3", seed: bytes | None = SEED, **options: bytes) -> numpy.random.Generator:
    return numpy.random.Generator(hashwell.BitGenerator(source, seed, **options))


class Interface(ctypes.Structure):
    """NumPy's bitgen_t."""

    _fields_ = [
        ("state", ctypes.c_void_p),
        ("next_uint64", ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)),
        ("next_uint32", ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)),
        ("next_double", ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)),
        ("next_raw", ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)),
    ]

    @classmethod
    def of(cls, capsule: object) -> "Interface":
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        return cls.from_address(pointer(capsule, b"BitGenerator"))


def test_the_four_functions(source) -> None:
    """Any mix of calls reads the stream: numbers are its next 4 or 8 bytes, big-endian."""
    capsule = hashwell.BitGenerator(source, SEED).capsule  # which keeps the stream alive
    c, numbers = Interface.of(capsule), Numbers(stream(source, key(SEED), 10_000))
    for _ in range(300):
        assert c.next_uint64(c.state) == numbers.take(8)
        assert c.next_uint32(c.state) == numbers.take(4)
        assert c.next_double(c.state) == numbers.double()
        assert c.next_raw(c.state) == numbers.take(8)


def test_arrays_are_the_stream(source) -> None:
    words = numpy.frombuffer(stream(source, key(SEED), 80_000), ">u8")
    assert (generator(source).random(10_000) == (words >> 11) * 2.0**-53).all()
    assert (generator(source).integers(0, 2**64, 10_000, numpy.uint64) == words).all()
    halves = numpy.frombuffer(stream(source, key(SEED), 80_000), ">u4")
    assert (generator(source).integers(0, 2**32, 20_000, numpy.uint32) == halves).all()


# Every method that draws, with arguments.
DISTRIBUTIONS = {
    "beta": (2, 3),
    "binomial": (100, 0.3),
    "bytes": (10,),
    "chisquare": (3,),
    "choice": (10, 3, False),
    "dirichlet": ([1, 2, 3],),
    "exponential": (),
    "f": (3, 4),
    "gamma": (2,),
    "geometric": (0.3,),
    "gumbel": (),
    "hypergeometric": (10, 20, 5),
    "integers": (1000,),
    "laplace": (),
    "logistic": (),
    "lognormal": (),
    "logseries": (0.5,),
    "multinomial": (10, [0.2, 0.8]),
    "multivariate_hypergeometric": ([10, 20], 5),
    "multivariate_normal": ([0, 0], [[1, 0], [0, 1]]),
    "negative_binomial": (5, 0.3),
    "noncentral_chisquare": (3, 1),
    "noncentral_f": (3, 4, 1),
    "normal": (),
    "pareto": (3,),
    "permutation": (20,),
    "permuted": (list(range(20)),),
    "poisson": (10,),
    "power": (3,),
    "random": (),
    "rayleigh": (),
    "shuffle": (numpy.arange(20),),
    "standard_cauchy": (),
    "standard_exponential": (),
    "standard_gamma": (2,),
    "standard_normal": (),
    "standard_t": (3,),
    "triangular": (0, 1, 2),
    "uniform": (),
    "vonmises": (0, 1),
    "wald": (1, 1),
    "weibull": (2,),
    "zipf": (2,),
}


def test_the_list_is_all_of_numpy() -> None:
    methods = {name for name in dir(numpy.random.Generator) if not name.startswith("_")}
    assert methods - {"bit_generator", "spawn"} == set(DISTRIBUTIONS)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_every_distribution(name) -> None:
    for source in ("blake3", "hmac-drbg-sha256"):
        draws = [
            getattr(generator(source, seed), name)(*copy.deepcopy(DISTRIBUTIONS[name])) for seed in (SEED, SEED, None)
        ]
        assert (numpy.asarray(draws[0]) == numpy.asarray(draws[1])).all()
        assert numpy.shape(draws[2]) == numpy.shape(draws[0])
    assert numpy.random.RandomState(hashwell.BitGenerator("blake3", SEED)).randn(3).shape == (3,)


def test_distributions_are_right() -> None:
    n = 200_000
    numbers = generator().standard_normal(n)
    assert abs(numbers.mean()) < 5 / n**0.5 and abs(numbers.var() - 1) < 5 * (2 / n) ** 0.5
    counts = numpy.bincount(generator("kt128").integers(0, 10, n), minlength=10)
    # Chi-square with 9 degrees of freedom: 47 has p = 4e-7.
    chi_square = ((counts - n / 10) ** 2 / (n / 10)).sum()
    assert chi_square < 47
    loaded = counts + numpy.array([700, *[0] * 8, -700])
    assert ((loaded - n / 10) ** 2 / (n / 10)).sum() > 47


# Values are promises: these never change.
PINNED = {
    "blake3": (1204773681743257675, 478925565, 0.07823863956784405),
    "shake128": (3783571143068486831, 3237568046, 0.9804021399852547),
    "kt128": (8454604014026811844, 2652065125, 0.8138084747556444),
    "counter": (2679786499714445626, 3455469559, 0.8030734608508798),
    "hmac-drbg-sha256": (15383950373166230856, 2252819642, 0.532432326582044),
}


def test_pinned_values() -> None:
    for source, (word, half, double) in PINNED.items():
        c = Interface.of(capsule := hashwell.BitGenerator(source, b"pinned").capsule)
        assert (c.next_uint64(c.state), c.next_uint32(c.state), c.next_double(c.state)) == (word, half, double)
        del capsule


def test_numpy_takes_it() -> None:
    bits = hashwell.BitGenerator("blake3", SEED)
    assert numpy.random.default_rng(bits).bit_generator is bits
    assert repr(bits) == "<hashwell.BitGenerator 'blake3', seeded>"
    assert repr(hashwell.BitGenerator("blake3")) == "<hashwell.BitGenerator 'blake3', OS-seeded>"
    assert isinstance(bits, hashwell.BitGenerator) and isinstance(bits, numpy.random.BitGenerator)
    word = bits.random_raw()
    assert word == Numbers(stream("blake3", key(SEED), 8)).take(8)


def test_states_and_pickles(source) -> None:
    g = generator(source, SEED, personalization=b"use")
    g.random(1001)
    g.integers(0, 2**32, 3, numpy.uint32)
    bits = g.bit_generator
    state = bits.state
    expected = g.random(5)
    for twin in (hashwell.BitGenerator.from_state(state), generator(source, b"other").bit_generator):
        twin.state = state
        assert twin.state == state and (numpy.random.Generator(twin).random(5) == expected).all()
    bits.state = state
    assert (g.random(5) == expected).all()
    bits.state = state
    for twin in (pickle.loads(pickle.dumps(bits)), copy.deepcopy(bits)):
        assert (numpy.random.Generator(twin).random(5) == expected).all()
    for twin in (pickle.loads(pickle.dumps(g)), copy.deepcopy(g)):
        assert (twin.random(5) == expected).all()


def test_states_that_do_not_fit() -> None:
    blake3, secret = hashwell.BitGenerator("blake3", SEED), hashwell.BitGenerator("blake3")
    with pytest.raises(ValueError, match="of source 'kt128'"):
        blake3.state = hashwell.BitGenerator("kt128", SEED).state
    with pytest.raises(ValueError, match="'PCG64'"):
        blake3.state = blake3.state | {"bit_generator": "PCG64"}
    with pytest.raises(ValueError, match="31 bytes, not 32"):
        blake3.state = blake3.state | {"key": bytes(31)}
    with pytest.raises(TypeError, match="gives out no state"):
        secret.state = blake3.state
    for take in (pickle.dumps, copy.copy, copy.deepcopy, lambda bits: bits.state):
        with pytest.raises(TypeError, match="gives out no state"):
            take(secret)
    for wrong in (5, "text"):
        with pytest.raises(TypeError):
            hashwell.BitGenerator("blake3", wrong)
    with pytest.raises(ValueError, match="sha256 has no output stream"):
        hashwell.BitGenerator("sha256")


def test_children_and_jumps() -> None:
    root = key(SEED)
    first = lambda bits: bits.random_raw()  # noqa: E731
    expected = lambda k: Numbers(stream("blake3", k, 8)).take(8)  # noqa: E731
    bits = hashwell.BitGenerator("blake3", SEED)
    bits.random_raw()
    assert [first(c) for c in bits.spawn(2)] == [expected(child(root, 3, i)) for i in (0, 1)]
    revived = pickle.loads(pickle.dumps(bits))
    assert [first(c) for c in bits.spawn(1)] == [first(c) for c in revived.spawn(1)] == [expected(child(root, 3, 2))]
    assert first(bits.jumped()) == expected(child(root, 4, 1))
    assert first(bits.jumped(2)) == first(bits.jumped().jumped()) == expected(child(root, 4, 2))
    assert first(bits.jumped(2).spawn(1)[0]) == expected(child(child(root, 4, 2), 3, 0))
    assert [g.random() for g in generator().spawn(2)] == [
        numpy.random.Generator(c).random() for c in hashwell.BitGenerator("blake3", SEED).spawn(2)
    ]
    secret = hashwell.BitGenerator("blake3")
    words = [first(c) for c in [*secret.spawn(3), secret.jumped(), secret.jumped(), secret]]
    assert len(set(words)) == 6 and bits.spawn(0) == []


def test_fork() -> None:
    for seed in (None, SEED):
        g = generator("blake3", seed)
        g.random()
        ours, theirs = both_sides_of_a_fork(lambda: g.random(4).tobytes())
        assert len(theirs) == 32 and (ours == theirs) == (seed is not None)


SECRET = generator("kt128", None)


def draw(_: int) -> float:
    return SECRET.random()


def test_multiprocessing() -> None:
    SECRET.random()
    with multiprocessing.get_context("fork").Pool(4) as pool:
        assert len(set(pool.map(draw, range(40), chunksize=1))) == 40


def test_threads_share_one() -> None:
    g = generator()
    with ThreadPoolExecutor(4) as pool:
        drawn = numpy.concatenate(list(pool.map(g.random, [1000] * 40)))
    assert (numpy.sort(drawn) == numpy.sort(generator().random(40_000))).all()
