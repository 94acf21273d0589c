"""hashwell.xoflib compared with xoflib 0.4.0."""

import copy
import inspect

import numpy
import pytest
import xoflib as theirs

from hashwell import xoflib as ours

ABSORBERS = ["Shake128", "Shake256", "TurboShake128", "TurboShake256", "AsconXof", "AsconAXof", "Blake3"]
FUNCTIONS = [name for name in theirs.__all__ if name.islower()]
SPONGES = [name for name in theirs.__all__ if "Sponge" in name]


def domain(name: str) -> tuple[int, ...]:
    return (7,) if "turbo" in name.lower() else ()


def test_same_names() -> None:
    assert ours.__all__ == theirs.__all__ and set(ABSORBERS + FUNCTIONS + SPONGES) == set(ours.__all__)


@pytest.mark.parametrize("name", ABSORBERS + FUNCTIONS)
def test_same_arguments(name) -> None:
    parameters = [list(inspect.signature(getattr(module, name)).parameters) for module in (ours, theirs)]
    assert parameters[0] == parameters[1]


@pytest.mark.parametrize("name", ABSORBERS)
def test_same_absorbers(name, rng) -> None:
    for _ in range(20):
        pieces = [rng.randbytes(rng.randint(0, 400)) for _ in range(3)]
        outputs = []
        for module in (ours, theirs):
            absorber = getattr(module, name)(*domain(name), pieces[0])
            assert absorber.absorb(pieces[1]) is absorber
            sponge = absorber.finalize()
            room = bytearray(100)
            assert sponge.read_into(room) is None
            # finalize() has emptied the absorber.
            absorber.absorb(pieces[2])
            outputs.append([bytes(room), sponge.read(1), sponge.read(0), sponge.read(300), absorber.finalize().read(40),
                            absorber.finalize().read(40), str(absorber), str(sponge), type(sponge).__name__])
        assert outputs[0] == outputs[1]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_same_functions(name, rng) -> None:
    for length in (0, 1, 100, 1000):
        data = rng.randbytes(length)
        sponges = [getattr(module, name)(*domain(name), data) for module in (ours, theirs)]
        for size in (1, 3, 200):
            assert sponges[0].read(size) == sponges[1].read(size)
        assert str(sponges[0]) == str(sponges[1])
    keywords = {"data": b"x"} | ({"domain_sep": 5} if domain(name) else {})
    assert getattr(ours, name)(**keywords).read(5) == getattr(theirs, name)(**keywords).read(5)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: x.shake128("text"),
        lambda x: x.shake128(5),
        lambda x: x.shake128(None),
        lambda x: x.shake128(),
        lambda x: x.Shake128().absorb(None),
        lambda x: x.TurboShake128(),
        lambda x: x.TurboShake128(0),
        lambda x: x.TurboShake128(128),
        lambda x: x.TurboShake128(-1),
        lambda x: x.TurboShake256(256),
        lambda x: x.turbo_shake128(0, b""),
        lambda x: x.turbo_shake128("1", b""),
        lambda x: x.shake128(b"").read(2**62),
        lambda x: x.shake128(b"").read(1.0),
        lambda x: x.shake128(b"").read_into(b"read-only"),
        lambda x: x.Sponge128(),
        lambda x: copy.copy(x.shake128(b"").read),
    ],
)
def test_same_exceptions(wrong) -> None:
    def outcome(module):
        try:
            wrong(module)
        except Exception as error:
            return type(error)

    assert outcome(ours) is outcome(theirs)


def test_a_negative_length_is_a_value_error_as_everywhere_here() -> None:
    for module, error in ((ours, ValueError), (theirs, OverflowError)):
        with pytest.raises(error):
            module.shake128(b"").read(-1)


def test_strided_views_are_refused() -> None:
    for view in (memoryview(b"abcdef")[::2], memoryview(b"abcdef")[::-1], numpy.zeros((3, 4), "u1").T):
        for call in (ours.shake128, ours.Blake3, ours.Shake256().absorb):
            with pytest.raises(BufferError):
                call(view)
    memory = bytearray(100)
    with pytest.raises(BufferError):
        ours.shake128(b"").read_into(memoryview(memory)[50:40:-1])
    assert memory == bytes(100)
