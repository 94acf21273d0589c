"""All functions and classes that take a seed accept the same types with the same meaning."""

import subprocess

import pytest

import hashwell
import hashwell.process as hp
from hashwell import _command

numpy = pytest.importorskip("numpy")

ROWS = range(1000)


def state(cls: type, seed: object, **options: object) -> list[int]:
    made = cls(3, seed=seed, **options)
    made.update(ROWS)
    return made.result()


def merged(seed: object) -> list[int]:
    parts = [hashwell.Reservoir(3, seed="s", shard=shard) for shard in "ab"]
    for part in parts:
        part.update(ROWS)
    return parts[0].merge(parts[1], seed=seed).result()


# The functions and classes that take a seed, with their output.
TAKERS = {
    "sample": lambda seed: hashwell.sample(ROWS, 3, seed=seed),
    "shuffle": lambda seed: hashwell.shuffle(ROWS, seed=seed),
    "choice": lambda seed: hashwell.choice(1000, 3, seed=seed),
    "Reservoir": lambda seed: state(hashwell.Reservoir, seed),
    "KeySampler": lambda seed: state(hashwell.KeySampler, seed, group_by=str),
    "Weighted": lambda seed: state(hashwell.Weighted, seed, weights=float, design="successive"),
    "merge": merged,
    "draw": lambda seed: hashwell.draw(1000, 3, seed=seed).ids,
    "Random": lambda seed: hashwell.Random("counter", seed).randbytes(9),
    "Random.seed": lambda seed: seeded(seed).randbytes(9),
    "BitGenerator": lambda seed: hashwell.BitGenerator("counter", seed).random_raw(),
    "process": lambda seed: hp.crp(30, 3).sample(seed).labels.tolist(),
    "simulate": lambda seed: hp.geometric(0.01).simulate(3, seed).tolist(),
    "trace": lambda seed: hp.geometric(0.01).trace(seed).out,
}
SEQUENCE = numpy.random.SeedSequence(7)
# Groups of equal seeds. The first one is the text that the others stand for.
SAME = [
    ("42", 42, b"42", bytearray(b"42"), memoryview(b"42"), numpy.int64(42), numpy.array(42), numpy.frombuffer(b"42", "u1")),
    ("-42", -42, numpy.int8(-42)),
    ("é", "é".encode()),
    ("hwseed/1:2a", [42], (42,), range(42, 43), numpy.array([42])),
    ("hwseed/1:1,ff", [1, 255], numpy.array([1, 255], ">u2")),
    ("hwseed/1:", [], ()),
    ("hwseed/1:" + ",".join(f"{n:x}" for n in SEQUENCE.generate_state(8).tolist()), SEQUENCE),
    ("9" * 5000, 10**5000 - 1),
]


def seeded(seed: object) -> hashwell.Random:
    made = hashwell.Random("counter")
    made.seed(seed)
    return made


@pytest.mark.parametrize("take", TAKERS.values(), ids=TAKERS)
def test_one_rule(take) -> None:
    results = [[take(seed) for seed in seeds] for seeds in SAME]
    assert all(one == same[0] for same in results for one in same)
    assert take(42) != take(43)


@pytest.mark.parametrize("take", TAKERS.values(), ids=TAKERS)
def test_what_is_no_seed(take) -> None:
    for wrong in (1.5, True, {1, 2}, {1: 2}, object(), [1.5], [True], ["a"], numpy.array([1.5])):
        with pytest.raises(TypeError, match="a seed must be bytes, a str, an int, a sequence of ints or a SeedSequence, not '"):
            take(wrong)
    with pytest.raises(ValueError, match="the integers in a seed must be 0 or more, not -1"):
        take([-1])


def test_bytes_of_a_draw_are_written_as_hex() -> None:
    """Bytes need not be text, so a transcript must say which seeds are bytes."""
    drawn = hashwell.draw(100, 3, seed=b"\xff\0")
    assert drawn.ids == hashwell.draw(100, 3, seed_hex="ff00").ids and '"hex":"ff00"' in drawn.transcript
    assert '"text":"42"' in hashwell.draw(100, 3, seed=42).transcript
    with pytest.raises(TypeError, match="more than one seed: got"):
        hashwell.draw(100, 3, seed=42, seed_hex="ff")


def test_the_command_has_the_same() -> None:
    """`--seed 42` is the text 42."""
    command = _command.find()

    def run(*arguments: str, rows: bytes = b"") -> bytes:
        return subprocess.run([command, *arguments], input=rows, capture_output=True, check=True).stdout

    assert run("random", "--source", "counter", "--seed", "42", "-n", "9", "--format", "raw") == TAKERS["Random"](42)
    rows = "".join(f"{n}\n" for n in ROWS).encode()
    assert [int(row) for row in run("sample", "-n", "3", "--seed", "42", rows=rows).split()] == TAKERS["sample"](42)
    drawn = run("process", "geometric", "--p", "0.01", "--seed", "42").split()
    assert drawn[-1] == str(hp.geometric(0.01).sample(42)).encode()
