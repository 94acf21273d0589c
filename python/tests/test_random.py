"""hashwell.Random: the stream, the methods of the standard library on it, states, forks, and `hashwell random`."""

import copy
import inspect
import math
import multiprocessing
import os
import pickle
import pty
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import reference.random
from streams import CHI_SQUARE_RANGE, Numbers, both_sides_of_a_fork, chi_square_of_bytes, key, stream

import hashwell

SEED = b"a public seed"


def test_every_source_gives_its_stream(source) -> None:
    expected = stream(source, key(SEED), 6000)
    assert hashwell.Random(source, SEED).randbytes(6000) == expected
    generator, numbers = hashwell.Random(source, SEED), Numbers(expected)
    for _ in range(60):
        assert generator.random() == numbers.double()
        for k in (0, 1, 3, 8, 9, 32, 53, 63, 64, 65, 200):
            n = (k + 7) // 8
            assert generator.getrandbits(k) == numbers.take(n) >> (8 * n - k)
    assert generator.randbytes(3) == numbers.data[:3]


def test_personalization_tells_uses_apart() -> None:
    drawn = {
        hashwell.Random("kt128", seed, personalization=use).randbytes(16)
        for seed, use in [(b"ab", b""), (b"a", b"b"), (b"", b"ab"), (b"", b""), (b"ab\0", b"")]
    }
    assert len(drawn) == 5
    assert hashwell.Random("kt128", b"a", personalization=b"b").randbytes(9) == stream("kt128", key(b"a", b"b"), 9)


# These values are guaranteed, so they must never change.
PINNED = {
    "blake3": (0.06531091215496998, 116925, "fd140772"),
    "shake128": (0.20510780265341577, 790421, "2efafba2"),
    "kt128": (0.45832500197562676, 647476, "65d055c0"),
    "counter": (0.14527151723938636, 843620, "f7cd9638"),
    "hmac-drbg-sha256": (0.8339656207998006, 550004, "ba884d7c"),
}


def test_pinned_values() -> None:
    for source, (number, bits, data) in PINNED.items():
        generator = hashwell.Random(source, b"pinned")
        assert (generator.random(), generator.getrandbits(20), generator.randbytes(4).hex()) == (number, bits, data)


def test_methods_of_the_standard_library() -> None:
    a, b = (hashwell.Random("blake3", SEED) for _ in range(2))
    assert isinstance(a, random.Random)
    deck = list(range(52))
    a.shuffle(deck)
    assert sorted(deck) == list(range(52)) and deck != list(range(52))
    for draw in (
        lambda g: g.randrange(10**30),
        lambda g: g.sample(range(10**6), 20),
        lambda g: g.choices("abc", [1, 2, 3], k=9),
        lambda g: (g.gauss(), g.gauss(), g.normalvariate(), g.expovariate(1), g.betavariate(2, 3)),
        lambda g: g.randint(1, 6),
        lambda g: g.uniform(2, 3),
    ):
        a.seed(SEED), b.seed(SEED)
        assert draw(a) == draw(b)


def test_seeds() -> None:
    generator = hashwell.Random("blake3")
    assert generator.os_seeded and "OS-seeded" in repr(generator)
    generator.seed(bytearray(SEED))
    first = generator.randbytes(16)
    assert not generator.os_seeded and first == hashwell.Random("blake3", SEED).randbytes(16)
    generator.seed()
    assert generator.os_seeded and generator.randbytes(16) != first
    generator.seed(5)
    assert generator.randbytes(16) == hashwell.Random("blake3", seed="5").randbytes(16)
    for source in ("sha256", "hmac-drbg-shake128", "no-such"):
        with pytest.raises(ValueError):
            hashwell.Random(source)
    with pytest.raises(ValueError, match="number of bits must be non-negative"):
        generator.getrandbits(-1)
    assert hashwell.Random().source == "hmac-drbg-sha256"
    assert hashwell.Random("K12", b"").source == "kt128"
    assert SEED.hex() not in repr(hashwell.Random("blake3", SEED)) and "public" not in repr(generator)


def test_what_the_constructor_says() -> None:
    parameters = inspect.signature(hashwell.Random).parameters
    assert list(parameters) == ["source", "seed", "personalization"]
    assert parameters["source"].default == "hmac-drbg-sha256" and parameters["seed"].default is None
    for seed in (1, b"seed", [1], None):
        alone = hashwell.Random(seed)
        assert alone.source == "hmac-drbg-sha256" and alone.os_seeded == (seed is None)
        assert seed is None or alone.random() == hashwell.Random(seed=seed).random()
    with pytest.raises(TypeError, match="a seed must be bytes, a str"):
        hashwell.Random(1.5)
    with pytest.raises(TypeError, match="must be the name of a source, such as 'blake3', not 'int': pass a seed as seed="):
        hashwell.Random(1, 2)
    for names in ("blake4", "sha256", "hmac-drbg-shake128", ""):
        with pytest.raises(ValueError, match="; the sources are ") as error:
            hashwell.Random(names)
        assert str(error.value).rpartition("; the sources are ")[2].split(", ") == list(hashwell.random_sources())


def test_states(source) -> None:
    generator = hashwell.Random(source, SEED, personalization=b"use")
    generator.randbytes(4999)
    generator.gauss()
    state = generator.getstate()
    expected = generator.gauss(), generator.randbytes(100)
    twins = [pickle.loads(pickle.dumps(generator)), copy.deepcopy(generator), hashwell.Random("counter")]
    for twin in [*twins, generator]:
        twin.setstate(state)
        assert (twin.gauss(), twin.randbytes(100)) == expected and twin.source == source
        twin.seed(SEED)
        assert twin.randbytes(5) == stream(source, key(SEED, b"use"), 5)


def test_pickles_go_on() -> None:
    generator = hashwell.Random("counter", SEED)
    generator.randbytes(77)
    twin = pickle.loads(pickle.dumps(generator))
    assert twin.randbytes(50) == generator.randbytes(50)


def test_states_that_are_none() -> None:
    generator = hashwell.Random("blake3", SEED)
    with pytest.raises(ValueError, match="its version is 3"):
        generator.setstate(random.getstate())
    version, state, personalization, gauss = generator.getstate()
    for wrong in ({"key": b"short"}, {"source": "sha256"}, {"position": 2**64}):
        with pytest.raises(ValueError):
            generator.setstate((version, state | {"state": state["state"] | wrong}, personalization, gauss))
    with pytest.raises(ValueError, match="'PCG64'"):
        generator.setstate((version, state | {"bit_generator": "PCG64"}, personalization, gauss))


def test_os_seeded_has_no_state(source) -> None:
    generator = hashwell.Random(source)
    assert generator.randbytes(16) != hashwell.Random(source).randbytes(16)
    for take in (pickle.dumps, copy.copy, copy.deepcopy, hashwell.Random.getstate):
        with pytest.raises(TypeError, match="has no readable state"):
            take(generator)


def test_streams_end() -> None:
    """After the last bytes, there is an error. A state with a position beyond the end is refused."""
    for source, end in {"blake3": 2**64 - 1, "counter": 2**69}.items():
        generator = hashwell.Random(source, SEED)
        version, state, *rest = generator.getstate()
        at = lambda position: (version, state | {"state": state["state"] | {"position": position}}, *rest)  # noqa: E731
        generator.setstate(at(end - 7))
        for draw in (generator.random, lambda: generator.getrandbits(64), lambda: generator.randbytes(8)):
            with pytest.raises(ValueError, match=f"{source}: the stream ends after {end} bytes, but {end + 1} are"):
                draw()
        twin = pickle.loads(pickle.dumps(generator))
        last = generator.randbytes(7)
        assert twin.randbytes(7) == last == reference.random.stream(source, key(SEED), 7, end - 7)
        assert generator.getstate() == at(end) and generator.randbytes(0) == b""
        with pytest.raises(ValueError):
            pickle.loads(pickle.dumps(generator)).randbytes(1)
        with pytest.raises(ValueError, match=f"{end + 1} are needed"):
            generator.setstate(at(end + 1))


def test_subclasses() -> None:
    class Loaded(hashwell.Random):
        def random(self) -> float:
            return 0.0

    assert Loaded("blake3", SEED).uniform(2, 3) == 2


def test_fork(source) -> None:
    for seed in (None, SEED):
        generator = hashwell.Random(source, seed)
        generator.random()
        ours, theirs = both_sides_of_a_fork(lambda: generator.randbytes(16))
        assert len(theirs) == 16 and (ours == theirs) == (seed is not None)


SECRET = hashwell.Random("blake3")


def draw(_: int) -> bytes:
    return SECRET.randbytes(16)


def test_multiprocessing() -> None:
    SECRET.random()
    with multiprocessing.get_context("fork").Pool(4) as pool:
        assert len(set(pool.map(draw, range(40), chunksize=1))) == 40


def test_threads_share_one() -> None:
    generator = hashwell.Random("blake3", SEED)
    expected = stream("blake3", key(SEED), 16 * 2000)
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(generator.randbytes, [16] * 2000))
    assert sorted(drawn) == sorted(expected[i : i + 16] for i in range(0, len(expected), 16))


class TestStatistics:
    """Fixed seeds, and bounds with p = 1e-6. Wrong inputs must fail."""

    N = 1 << 18

    def test_bytes(self, source) -> None:
        low, high = CHI_SQUARE_RANGE
        data = hashwell.Random(source, SEED).randbytes(self.N)
        assert low < chi_square_of_bytes(data) < high
        biased = data.replace(b"\x00", b"\x01", 600)
        assert chi_square_of_bytes(biased) > high
        assert chi_square_of_bytes(bytes(range(256)) * (self.N // 256)) < low

    def test_moments_of_random(self, source) -> None:
        """The mean and the mean square of n uniform numbers are within 5 standard deviations; those of shifted numbers
        are not."""

        def fits(numbers: list[float]) -> bool:
            n = len(numbers)
            mean, square = sum(numbers) / n, sum(u * u for u in numbers) / n
            return abs(mean - 1 / 2) < 5 * math.sqrt(1 / 12 / n) and abs(square - 1 / 3) < 5 * math.sqrt(4 / 45 / n)

        generator = hashwell.Random(source, SEED)
        numbers = [generator.random() for _ in range(20_000)]
        assert fits(numbers) and not fits([u * 0.97 for u in numbers])


def test_the_command_gives_the_same_stream(source) -> None:
    command = [sys.executable, "-m", "hashwell", "random", "--source", source, "--seed", "a public seed", "-n", "99"]
    result = subprocess.run(command, capture_output=True, check=True, text=True)
    assert result.stdout == hashwell.Random(source, SEED).randbytes(99).hex() + "\n"


def test_an_endless_stream_is_asked_for() -> None:
    parent, terminal = pty.openpty()
    command = [sys.executable, "-m", "hashwell", "random"]
    result = subprocess.run(command, stdout=terminal, stderr=subprocess.PIPE, text=True)
    os.close(terminal)
    os.close(parent)
    assert (result.returncode, "or --unlimited" in result.stderr) == (2, True)
