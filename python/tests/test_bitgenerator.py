"""hashwell.BitGenerator with NumPy: every distribution, values, states, child generators, and forks."""

import copy
import ctypes
import importlib
import inspect
import multiprocessing
import pickle
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy
import pytest
import reference.random
from reference.vectors import load
from scipy.stats import qmc
from streams import Numbers, both_sides_of_a_fork, child, key, stream

import hashwell

SEED = b"a public seed"


def generator(source: str = "blake3", seed: bytes | None = SEED, **options: bytes) -> numpy.random.Generator:
    return numpy.random.Generator(hashwell.BitGenerator(source, seed, **options))


class Interface(ctypes.Structure):
    """NumPy's struct bitgen_t."""

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
    """Any mixture of calls reads the stream: each number consumes the next 4 or 8 bytes, big-endian."""
    capsule = hashwell.BitGenerator(source, SEED).capsule  # keeps the stream alive
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


# Every method that draws, with its arguments.
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


# These values are guaranteed, so they must never change.
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
    with pytest.raises(ValueError, match="its source is 'kt128', not 'blake3'"):
        blake3.state = hashwell.BitGenerator("kt128", SEED).state
    with pytest.raises(ValueError, match="'PCG64'"):
        blake3.state = blake3.state | {"bit_generator": "PCG64"}
    for wrong, message in {("key", bytes(31)): "31 bytes, not 32", ("position", 2**64): "the stream ends"}.items():
        with pytest.raises(ValueError, match=message):
            blake3.state = blake3.state | {"state": blake3.state["state"] | dict([wrong])}
    for wrong in ({"1"}, {"bit_generator": "hashwell"}, {}, None):
        with pytest.raises((TypeError, KeyError)):
            blake3.state = wrong
    with pytest.raises(ValueError, match="its source is 'shake128', not 'blake3'"):
        # The error comes immediately, without computing the zettabytes before that position.
        place = hashwell.BitGenerator("shake128", SEED).state["state"] | {"position": 2**63}
        blake3.state = {"bit_generator": "hashwell", "state": place}
    with pytest.raises(TypeError, match="has no readable state"):
        secret.state = blake3.state
    for take in (pickle.dumps, copy.copy, copy.deepcopy, lambda bits: bits.state):
        with pytest.raises(TypeError, match="has no readable state"):
            take(secret)
    with pytest.raises(ValueError, match="sha256 does not support output streams"):
        hashwell.BitGenerator("sha256")


# Wrong states, and the messages that they give.
WRONG_STATES: list[tuple[object, type[Exception], str]] = [
    (None, TypeError, "expected a dictionary with 'bit_generator', not 'NoneType'"),
    ({"1"}, TypeError, "expected a dictionary with 'bit_generator', not 'set'"),
    ({}, TypeError, "it has no 'bit_generator'"),
    ({"bit_generator": 5}, TypeError, "its bit_generator must be a string, not 'int'"),
    ({"bit_generator": "PCG64"}, ValueError, "it belongs to 'PCG64'"),
    ({"bit_generator": "hashwell"}, TypeError, "it has no 'state'"),
    ({"bit_generator": "hashwell", "state": 5}, TypeError, "expected a dictionary with 'source', not 'int'"),
]
WRONG_PLACES: list[tuple[str, object, type[Exception], str]] = [
    ("source", 5, TypeError, "its source must be a string, not 'int'"),
    ("source", "blake4", ValueError, "unknown algorithm 'blake4'"),
    ("key", "k" * 32, TypeError, "its key must be bytes, not 'str'"),
    ("key", [0] * 32, TypeError, "its key must be bytes, not 'list'"),
    ("key", bytes(33), ValueError, "its key has 33 bytes, not 32"),
    ("jumps", 1.0, TypeError, "its jumps must be an integer, not 'float'"),
    ("jumps", -1, ValueError, r"its jumps must be 0 to 2\*\*64 - 1, not -1"),
    ("spawned", 2**64, ValueError, rf"its spawned must be 0 to 2\*\*64 - 1, not {2**64}"),
    ("spawned", None, TypeError, "its spawned must be an integer, not 'NoneType'"),
    ("position", -1, ValueError, r"its position must be 0 to 2\*\*128 - 1, not -1"),
    ("position", 2**128, ValueError, rf"its position must be 0 to 2\*\*128 - 1, not {2**128}"),
    ("position", 10**5000, ValueError, r"its position must be 0 to 2\*\*128 - 1(?m:$)"),
    ("position", "0", TypeError, "its position must be an integer, not 'str'"),
]


def test_a_wrong_state_is_named_and_changes_nothing() -> None:
    bits, random = hashwell.BitGenerator("blake3", SEED), hashwell.Random("blake3", SEED)
    bits.random_raw(), bits.spawn(1), random.gauss()
    state = bits.state
    places = [(name, state["state"] | {name: value}, *rest) for name, value, *rest in WRONG_PLACES]
    places += [(name, {key: value for key, value in state["state"].items() if key != name}, TypeError, f"it has no '{name}'")
               for name in state["state"]]
    wrong = WRONG_STATES + [(state | {"state": place}, *rest) for _, place, *rest in places]
    before = random.getstate()
    for value, kind, message in wrong:
        for take in (lambda v: setattr(bits, "state", v), hashwell.BitGenerator.from_state,
                     lambda v: random.setstate((before[0], v, *before[2:]))):
            with pytest.raises(kind, match=f"^not a valid state for this generator: {message}"):
                take(value)
    version, stream, *_ = before
    for value, kind in [(None, TypeError), ((), TypeError), ((version,), ValueError), ((version, stream, "use", None), TypeError),
                        ((version, stream, b"", "1"), TypeError), ((version, stream, b"", None, 1), ValueError)]:
        with pytest.raises(kind, match="not the state of a hashwell.Random"):
            random.setstate(value)
    assert bits.state == state and random.getstate() == before
    # NumPy's RandomState adds its own keys to the state, which are ignored.
    bits.state = state | {"has_gauss": 0, "gauss": 0.0}
    assert bits.state == state


def test_numbers_that_are_too_large_say_so() -> None:
    bits, random = hashwell.BitGenerator("blake3", SEED), hashwell.Random("blake3", SEED)
    for call, kind, message in [
        (lambda: bits.random_raw(2**70, output=False), OverflowError, f"a length must be 0 to {sys.maxsize}, not {2**70}"),
        (lambda: bits.random_raw((2, -1), output=False), ValueError, "a length cannot be negative"),
        (lambda: bits.spawn(2**70), OverflowError, f"the number of children must be 0 to {sys.maxsize}, not {2**70}"),
        (lambda: bits.spawn(-1), ValueError, "the number of children cannot be negative"),
        (lambda: bits.jumped(None), TypeError, "'NoneType' object"),
        (lambda: bits.jumped(2**64), OverflowError, rf"the number of jumps must be 0 to 2\*\*64 - 1, not {2**64}"),
        (lambda: bits.advance(2**127), OverflowError, rf"delta must be -2\*\*127 to 2\*\*127 - 1, not {2**127}"),
        (lambda: random.randbytes(2**70), OverflowError, f"a length must be 0 to {sys.maxsize}, not {2**70}"),
        (lambda: random.randbytes(-1), ValueError, "a length cannot be negative"),
        (lambda: random.getrandbits(2**70), OverflowError, f"number of bits must be 0 to {sys.maxsize}, not {2**70}"),
        (lambda: random.getrandbits(-(2**70)), ValueError, "number of bits must be non-negative"),
    ]:
        with pytest.raises(kind, match=rf"^{message}\b"):
            call()
    assert bits.random_raw() == word("blake3", SEED) and random.randbytes(8) == stream("blake3", key(SEED), 8)


def test_signatures() -> None:
    """The signatures that help and editors show."""
    of = lambda function: str(inspect.signature(function))  # noqa: E731
    assert of(hashwell.BitGenerator) == "(source='hmac-drbg-sha256', seed=None, *, personalization=b'')"
    assert of(hashwell.BitGenerator.random_raw) == "(self, /, size=None, output=True)"
    assert of(hashwell.BitGenerator.jumped) == "(self, /, jumps=1)"
    assert of(hashwell.BitGenerator.from_state) == "(state)"
    parameters = inspect.signature(hashwell.Random).parameters
    assert [(p.name, p.default) for p in parameters.values()] == [
        ("source", "hmac-drbg-sha256"), ("seed", None), ("personalization", b""),
    ]

    class Loaded(hashwell.Random):
        def __init__(self, sides: int) -> None:
            super().__init__("blake3", SEED)

    assert list(inspect.signature(Loaded).parameters) == ["sides"] and Loaded(5).source == "blake3"


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


def word(source: str, seed: object, **options: bytes) -> int:
    return hashwell.BitGenerator(source, seed, **options).random_raw()


def test_vectors() -> None:
    for case in load("random")["cases"]:
        seed, personalization = bytes.fromhex(case["seed"]), bytes.fromhex(case.get("personalization", ""))
        expected = bytes.fromhex(case["expected"])
        for given in [seed] + ([[int(number) for number in case["numbers"]]] if "numbers" in case else []):
            bits = hashwell.BitGenerator(case["source"], given, personalization=personalization)
            assert bits.state["state"]["key"].hex() == case["key"]
            bits = bits.jumped(int(case.get("jumps", 0)))
            if "child" in case:
                bits.state = bits.state | {"state": bits.state["state"] | {"spawned": int(case["child"])}}
                (bits,) = bits.spawn(1)
            if "words" in case:
                assert bits.seed_seq.generate_state(10).astype(">u4").tobytes() == expected
                continue
            place = bits.state["state"] | {"position": int(case.get("skip", 0))}
            bits.state = bits.state | {"state": place}
            assert bits.random_raw(len(expected) // 8).astype(">u8").tobytes() == expected


NUMBERS = [
    (12345, numpy.int64(12345), numpy.array(12345), "12345", b"12345"),
    ([12345], (12345,), range(12345, 12346), numpy.array([12345])),
    (0, numpy.uint64(0)),
    (-5, numpy.int8(-5)),
    ([0],),
    ([1, 2], (1, 2), range(1, 3), numpy.array([1, 2]), numpy.array([1, 2], ">u2"), (ctypes.c_uint32 * 2)(1, 2)),
    ([], (), range(0), numpy.array([], int)),
    (2**20_000,),
]


def test_numbers_as_seeds() -> None:
    """Numbers count by value, in any type of object. A single number is the seed of its decimal digits, and several
    numbers are the seed of a text that begins with hwseed/1."""
    words = [{word("blake3", seed) for seed in seeds} for seeds in NUMBERS]
    assert all(len(same) == 1 for same in words) and len(set.union(*words)) == len(NUMBERS)
    for (seed, *_), (drawn,) in zip(NUMBERS, words, strict=True):
        assert drawn == word("blake3", reference.random.seed_bytes(seed))
    assert word("blake3", 12345) == word("blake3", b"12345") != word("blake3", [12345]) == word("blake3", "hwseed/1:3039")
    assert word("blake3", 5, personalization=b"a") != word("blake3", 5, personalization=b"b")
    # Bytes are the same seed in any object.
    data = bytes([1, 2, 3])
    for same in (bytearray(data), memoryview(data), numpy.array([1, 2, 3], numpy.uint8), (ctypes.c_char * 3)(*data)):
        assert word("blake3", same) == word("blake3", data)
    sequence = numpy.random.SeedSequence(7)
    assert word("blake3", sequence) == word("blake3", [int(number) for number in sequence.generate_state(8)])


def test_what_is_no_seed() -> None:
    for wrong in (1.5, True, {1, 2}, {1: 2}, object(), [1.0], [True], [None], [b"a"], [[1]], iter([1]), numpy.float32(1), numpy.True_):
        with pytest.raises(TypeError, match="a seed must be bytes, a str, an int, a sequence of ints or a SeedSequence, not '"):
            hashwell.BitGenerator("blake3", wrong)
    for wrong in (numpy.array([1.5]), numpy.array([True]), numpy.zeros((2, 2), int), numpy.array(["a"])):
        with pytest.raises(TypeError, match="a seed must be bytes, a str"):
            hashwell.BitGenerator("blake3", wrong)
    with pytest.raises(TypeError, match="a seed must be bytes, .*, not 'str'"):
        hashwell.BitGenerator("blake3", ["5"])
    for wrong in ([1, -1], [-(2**70)], numpy.array([-1])):
        with pytest.raises(ValueError, match="the integers in a seed must be 0 or more, not -1"):
            hashwell.BitGenerator("blake3", wrong)


def test_as_dask_has_it() -> None:
    """Dask makes a generator for each chunk from a child of the seed, the class, and the package that contains the
    class."""
    bits = hashwell.BitGenerator("blake3", SEED)
    children = [type(bits)(child) for child in bits._seed_seq.spawn(2)]
    package = importlib.import_module(type(bits).__module__.split(".")[0])
    again = hashwell.BitGenerator("blake3", SEED).spawn(2)
    for child, same in zip(children, again, strict=True):
        drawn = package.random.default_rng(pickle.loads(pickle.dumps(child))).normal(size=5)
        assert (drawn == numpy.random.Generator(same).normal(size=5)).all()
    generator = numpy.random.Generator(bits)
    assert hashwell.random.default_rng(generator) is generator
    drawn = [hashwell.random.default_rng(seed).random() for seed in (5, "5", b"5")]
    assert drawn == [hashwell.Random(seed=5).random()] * 3
    assert hashwell.random.default_rng().bit_generator.os_seeded


def test_a_seed_alone() -> None:
    """NumPy's users, such as Dask, call type(generator)(seed) to make a generator of the same class."""
    kind = type(hashwell.BitGenerator("blake3", SEED))
    for seed in (12345, b"12345", numpy.int64(12345), [1, 2], numpy.random.SeedSequence(7)):
        assert kind(seed).random_raw() == hashwell.BitGenerator("hmac-drbg-sha256", seed).random_raw()
        assert kind(seed).state == kind(seed=seed).state
    assert kind(5, personalization=b"a").state != kind(5).state
    assert kind().os_seeded and kind(None).os_seeded and kind().source == "hmac-drbg-sha256"
    for wrong, error in ((1.5, TypeError), ("blake4", ValueError), ([None], TypeError)):
        with pytest.raises(error):
            kind(wrong)
    with pytest.raises(TypeError, match="must be the name of a source, such as 'blake3', not 'int': pass a seed as seed="):
        kind(1, 2)


def test_raw_numbers(source) -> None:
    words = numpy.frombuffer(stream(source, key(SEED), 8 * 40), ">u8")
    bits = hashwell.BitGenerator(source, SEED)
    assert bits.random_raw(3).dtype == numpy.uint64
    assert (bits.random_raw(size=(2, 3)) == words[3:9].reshape(2, 3)).all()
    assert bits.random_raw(output=False) is None and bits.random_raw((2, 5), output=False) is None
    assert bits.random_raw(()) == words[20] and bits.random_raw(0).shape == (0,)
    assert (bits.random_raw(numpy.int64(2)) == words[21:23]).all()
    bits.advance(3)
    assert bits.random_raw() == words[26]
    bits.advance(-20)
    assert bits.random_raw() == words[7]
    bits.advance(0)
    with pytest.raises(ValueError, match="cannot advance by -9 numbers from byte 64: a position must be 0 to "):
        bits.advance(-9)
    with pytest.raises(ValueError, match="the stream ends after|cannot go"):
        bits.advance(2**100)
    assert bits.random_raw() == words[8]
    for wrong in (-1, (2, -1)):
        with pytest.raises((ValueError, OverflowError)):
            bits.random_raw(wrong)
        with pytest.raises((ValueError, OverflowError)):
            bits.random_raw(wrong, output=False)


def test_os_seeded_ones_go_on_only() -> None:
    secret = hashwell.BitGenerator("kt128")
    assert len(set(secret.random_raw(100))) == 100 and secret.random_raw(10, output=False) is None
    with pytest.raises(TypeError, match="has no readable state"):
        secret.advance(1)
    children = [hashwell.BitGenerator(seed) for seed in secret.seed_seq.spawn(2)]
    assert len({bits.random_raw() for bits in (secret, *children, hashwell.BitGenerator(secret.seed_seq))}) == 4
    assert (secret.seed_seq.generate_state(4) != secret.seed_seq.generate_state(4)).any()
    assert all(bits.os_seeded for bits in children)


def test_streams_end() -> None:
    """After the last number, there is an error: the stream does not start again, and the error does not change the
    state."""
    for source, end in {"blake3": 2**64 - 1, "counter": 2**69}.items():
        bits = hashwell.BitGenerator(source, SEED)
        bits.advance(end // 8 - 1)
        left = end - bits.state["state"]["position"]
        last = reference.random.stream(source, key(SEED), left, end - left)
        twin = pickle.loads(pickle.dumps(bits))
        assert bits.random_raw().to_bytes(8, "big") == twin.random_raw().to_bytes(8, "big") == last[:8]
        for draw in (bits.random_raw, lambda: bits.random_raw(2), lambda: bits.random_raw(2, False), lambda: bits.advance(1)):
            with pytest.raises(ValueError, match=f"{source}: the stream ends after {end} bytes, but "):
                draw()
        assert bits.state == twin.state and bits.state["state"]["position"] == end - left + 8
        bits.advance(-1)
        assert bits.random_raw().to_bytes(8, "big") == last[:8]
    child_of_the_last = hashwell.BitGenerator("blake3", SEED)
    child_of_the_last.state |= {"state": child_of_the_last.state["state"] | {"spawned": 2**64 - 2}}
    assert len(child_of_the_last.spawn(1)) == 1
    with pytest.raises(ValueError, match="number of children"):
        child_of_the_last.spawn(1)
    with pytest.raises(ValueError, match="number of jumps"):
        bits.jumped(2**64 - 1).jumped()


def test_the_seed_sequence() -> None:
    bits = hashwell.BitGenerator("blake3", SEED)
    sequence = bits.seed_seq
    first = sequence.spawn(2)
    second = bits.spawn(1)
    assert sequence.n_children_spawned == bits._seed_seq.n_children_spawned == 3
    expected = [Numbers(stream("blake3", child(key(SEED), 3, i), 8)).take(8) for i in range(4)]
    made = [hashwell.BitGenerator(seed) for seed in first]
    assert [bits.random_raw() for bits in [*made, *second]] == expected[:3]
    # Generators that are made from the same SeedSequence are equal, but their children are different.
    twins = [type(bits)(sequence) for _ in range(2)]
    assert twins[0].random_raw() == twins[1].random_raw() == word("blake3", SEED)
    assert [twin.spawn(1)[0].random_raw() for twin in twins][0] == expected[3]
    assert len({twin.spawn(1)[0].random_raw() for twin in [*twins, bits]}) == 3
    assert sequence.n_children_spawned == 8
    # A state contains its own number of children.
    twins[0].state = bits.state
    twins[0].spawn(1)
    assert sequence.n_children_spawned == 8 and twins[0].seed_seq.n_children_spawned == 9
    revived = pickle.loads(pickle.dumps(bits))
    assert revived.seed_seq.state == bits.seed_seq.state == pickle.loads(pickle.dumps(sequence)).state
    with pytest.raises(TypeError, match="pass no other arguments"):
        hashwell.BitGenerator(sequence, 5)
    assert "blake3" in repr(sequence) and isinstance(sequence, numpy.random.bit_generator.ISpawnableSeedSequence)


def test_numpys_generators_of_our_seeds() -> None:
    sequence = hashwell.BitGenerator("kt128", SEED).seed_seq
    words = stream("counter", child(key(SEED), 5, 0), 64)
    for dtype in (numpy.uint32, numpy.uint64, "u4", "u8"):
        drawn = sequence.generate_state(8, dtype)
        assert drawn.dtype == dtype and drawn.astype(drawn.dtype.newbyteorder(">")).tobytes() == words[: drawn.nbytes]
    with pytest.raises(ValueError, match="uint32"):
        sequence.generate_state(8, numpy.int16)
    a, b = (numpy.random.Generator(numpy.random.PCG64(sequence)) for _ in range(2))
    assert a.random() == b.random() and a.spawn(1)[0].random() != b.spawn(1)[0].random()


def test_random_state_restores_its_own_state(source) -> None:
    legacy = numpy.random.RandomState(hashwell.BitGenerator(source, SEED))
    legacy.standard_normal(3)
    state = legacy.get_state(legacy=False)
    expected = legacy.standard_normal(5)
    twins = [numpy.random.RandomState(hashwell.BitGenerator(source, b"other")), legacy]
    for twin in twins:
        twin.set_state(state)
    twins += [pickle.loads(pickle.dumps(twins[0])), copy.deepcopy(twins[0])]
    assert all((twin.standard_normal(5) == expected).all() for twin in twins)


def test_ctypes_and_cffi() -> None:
    import cffi

    bits = hashwell.BitGenerator("blake3", SEED)
    numbers = Numbers(stream("blake3", key(SEED), 200))
    for interface in (bits.ctypes, bits.cffi):
        assert interface._fields == numpy.random.PCG64().ctypes._fields
        with bits.lock:
            assert interface.next_uint64(interface.state) == numbers.take(8)
            assert interface.next_uint32(interface.state) == numbers.take(4)
            assert interface.next_double(interface.state) == numbers.double()
    struct = Interface.of(bits.capsule)
    assert bits.ctypes.state_address == bits.cffi.state_address == struct.state == bits.ctypes.state.value
    assert bits.ctypes.bit_generator.value == ctypes.addressof(struct)
    assert int(cffi.FFI().cast("uintptr_t", bits.cffi.bit_generator)) == ctypes.addressof(struct)
    # The interfaces stay connected to the generator if its state is set.
    state, expected = bits.state, bits.random_raw()
    bits.state = state
    assert bits.ctypes is bits.ctypes and bits.ctypes.next_uint64(bits.ctypes.state) == expected


def test_numba() -> None:
    def total(generator, n):
        result = 0.0
        for _ in range(n):
            result += generator.random()
        return result

    a, b = generator(), generator()
    assert numba.njit(total)(a, 1000) == total(b, 1000) and a.random() == b.random()


ENGINES = {
    qmc.Sobol: {},
    qmc.Halton: {},
    qmc.LatinHypercube: {},
    qmc.PoissonDisk: {"radius": 0.1},
    qmc.MultinomialQMC: {"pvals": [0.2, 0.8], "n_trials": 4},
    qmc.MultivariateNormalQMC: {"mean": [0, 0]},
}


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_of_scipy(engine, source) -> None:
    """The engines spawn a generator from the one that they get, and reset it to its start."""

    def points(seed: object) -> numpy.ndarray:
        options = ENGINES[engine] | ({"d": 2} if "d" in inspect.signature(engine).parameters else {})
        made = engine(**options, rng=generator(source, seed))
        drawn = made.random(4)
        if isinstance(made, qmc.QMCEngine):
            assert (made.reset().random(4) == drawn).all()
        return drawn

    same, again, other = points(1), points(1), points(2)
    assert (same == again).all() and ((same != other).any() or engine is qmc.MultinomialQMC)


def test_engines_of_scipy_need_a_seed() -> None:
    """The engines copy their generator. A copy of an OS-seeded generator would return the same numbers again."""
    with pytest.raises(TypeError, match="cannot be copied"):
        qmc.Sobol(2, rng=generator("blake3", None))


def test_ctrl_c_in_a_long_draw() -> None:
    # A shell that starts the tests in the background makes them ignore the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    bits = hashwell.BitGenerator("ascon-xof128", SEED)
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        bits.random_raw(10**9, output=False)
    assert bits.lock.acquire(blocking=False)
