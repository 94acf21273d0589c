"""Integers that are too large for an argument: the message is one line with the argument's name, its limits and the value,
and not the message of the conversion from Python."""

from collections.abc import Callable

import pytest

import hashwell
from hashwell.process import crp, geometric

PIECES = hashwell.Pieces("blake3", 5 << 20)
GEOMETRIC = geometric(0.5)
WEIGHTS = {"a": 1, "b": 2}

# For each call: the name of the argument, its range, and the exception beyond it. Samples and draws raise plain
# ValueErrors.
BITS = "0 to 2**64 - 1"
CALLS: list[tuple[str, str, type[Exception], Callable[[int], object]]] = [
    ("the number of ids", BITS, ValueError, lambda n: hashwell.draw(n, seed="s")),
    ("n", BITS, ValueError, lambda n: hashwell.draw(["a", "b"], n, seed="s")),
    ("scale", "0 to 2**32 - 1", ValueError, lambda n: hashwell.draw(WEIGHTS, 1, method="weighted-ticket", seed="s", scale=n)),
    ("length", BITS, OverflowError, lambda n: hashwell.Pieces("blake3", n)),
    ("index", BITS, OverflowError, PIECES.span),
    ("index", BITS, OverflowError, lambda n: PIECES.value(n, b"")),
    ("strength", "0 to 2**32 - 1", OverflowError, lambda n: hashwell.HmacDrbg("sha256", strength=n)),
    ("reseed_interval", BITS, OverflowError, lambda n: hashwell.HmacDrbg("sha256", reseed_interval=n)),
    ("the number of jumps", BITS, OverflowError, lambda n: hashwell.BitGenerator("counter", 1).jumped(n)),
    ("steps", BITS, OverflowError, lambda n: GEOMETRIC.exact(steps=n)),
    ("states", BITS, OverflowError, lambda n: GEOMETRIC.exact(states=n)),
    ("steps", BITS, OverflowError, lambda n: crp(5).statistic_law(steps=n)),
    ("terms", BITS, OverflowError, lambda n: GEOMETRIC.explain(terms=n)),
    ("nodes", BITS, OverflowError, lambda n: GEOMETRIC.explain(nodes=n)),
    ("whence", "0 or 1", OverflowError, lambda n: hashwell.blake3(b"").seek(0, n * 2**32)),
    ("offset", "-2**127 to 2**127 - 1", OverflowError, lambda n: hashwell.blake3(b"").seek(n * 2**64)),
]


@pytest.mark.parametrize("number", [-1, 2**64, 2**200, -(2**200)])
@pytest.mark.parametrize(("name", "limits", "error", "call"), CALLS, ids=[f"{i}-{call[0]}" for i, call in enumerate(CALLS)])
def test_an_integer_out_of_range_is_named(
    name: str, limits: str, error: type[Exception], call: Callable[[int], object], number: int
) -> None:
    given = number * {"whence": 2**32, "offset": 2**64}.get(name, 1)
    if name == "offset" and -(2**127) <= given < 2**127:
        pytest.skip("an offset of that size is one")
    with pytest.raises(error) as raised:
        call(number)
    assert type(raised.value) is error
    assert str(raised.value) == f"{name} must be {limits}, not {given}"


def test_what_is_no_integer_is_a_type_error() -> None:
    for _, _, _, call in CALLS:
        with pytest.raises(TypeError):
            call(0.5)  # type: ignore[arg-type]
