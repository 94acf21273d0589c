"""hwdraw/1 (docs/spec/draw.md): draws from a list that anybody can recheck. What is drawn is the extension's; here is how
Python's lists, mappings and keyword arguments become a frame, a plan and a seed."""

from collections.abc import Iterable, Mapping
from typing import Any

from . import _native


class Draw:
    """A draw, or the commitment to one that has no seed yet."""

    ids: list[str]
    commitment: str
    plan: str
    transcript: str | None

    def __init__(self, ids: list[str], commitment: str, plan: str, transcript: str | None) -> None:
        self.ids, self.commitment, self.plan, self.transcript = ids, commitment, plan, transcript

    def __repr__(self) -> str:
        what = "a commitment" if self.transcript is None else f"{len(self.ids)} drawn"
        return f"<hashwell.Draw: {what}, {self.commitment}>"


class Verdict:
    """What was found in checking a draw: it is true if all agrees that was looked at."""

    wrong: list[str]
    unchecked: list[str]
    commitment: str

    def __init__(self, wrong: list[str], unchecked: list[str], commitment: str) -> None:
        self.wrong, self.unchecked, self.commitment = wrong, unchecked, commitment

    def __bool__(self) -> bool:
        return not self.wrong

    def __repr__(self) -> str:
        return f"<hashwell.Verdict: {'agrees' if self else 'does not agree'}, {len(self.unchecked)} not checked>"


def _text(field: Any, what: str) -> str:
    if isinstance(field, str):
        return field
    if isinstance(field, bool | float):
        raise TypeError(f"{what} is a str, an int or a decimal, not '{type(field).__name__}', whose digits are in doubt")
    return format(field, "f") if type(field).__name__ == "Decimal" else str(field)


def _beside(values: Any, ids: list[Any], what: str) -> list[str]:
    """Strata or weights: a mapping of ids, or one for each id."""
    of_ids = [values[one] for one in ids] if isinstance(values, Mapping) else list(values)
    if len(of_ids) != len(ids):
        raise ValueError(f"{what} must be one for each of {len(ids)} ids, not {len(of_ids)}")
    return [_text(value, what) for value in of_ids]


def _list(ids: Any, strata: Any, weights: Any) -> int | list[list[str]]:
    if isinstance(ids, int) and not isinstance(ids, bool):
        if strata is not None or weights is not None:
            raise TypeError("the numbers 1 to n have no strata and no weights")
        return ids
    if isinstance(ids, str | bytes | bool):
        raise TypeError(f"a list of ids is needed, not a '{type(ids).__name__}'")
    keys = list(ids)
    columns = [[_text(one, "an id") for one in keys]]
    columns += [] if strata is None else [_beside(strata, keys, "strata")]
    columns += [] if weights is None else [_beside(weights, keys, "weights")]
    return [list(row) for row in zip(*columns, strict=True)]


def _bytes(text: Any) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def draw(
    ids: Iterable[Any] | Mapping[Any, Any] | int,
    k: int | None = None,
    *,
    method: str = "index",
    seed: str | None = None,
    seed_hex: str | None = None,
    dice: str | None = None,
    drand: Any = None,
    nist: Any = None,
    os_seed: bool = False,
    beside: Any = None,
    p: Any = None,
    weights: Any = None,
    strata: Any = None,
    allocation: str | None = None,
    scale: int | None = None,
    context: str = "",
    seed_source: str | None = None,
    source: str = "counter",
    open: bool = False,
    committed: str | None = None,
) -> Draw:
    """A draw of hwdraw/1 from ids, which anybody can recheck with `hashwell verify` or verify().

    ids are texts, in any order; or a mapping of ids to weights; or a number n for the numbers 1 to n. weights and strata
    are mappings of ids, or lists with one for each. method is one of index, ticket, weighted-ticket, bernoulli, gap, replace
    and pps-systematic. The seed is one of seed (text), seed_hex, dice (digits), drand and nist (a beacon's JSON; beside is
    the chain's description, or the certificate) and os_seed, which convinces only yourself. Without any, but with
    seed_source, which says in words where it will come from, there is no draw but the commitment to one; give that as
    committed when the seed is known. The transcript is the one that `hashwell draw --transcript` writes."""
    if weights is None and isinstance(ids, Mapping):
        weights = ids
    seeds: dict[str, Any] = {"text": seed, "hex": seed_hex, "dice": dice, "drand": drand, "nist": nist, "os": os_seed or None}
    given = [(origin, value) for origin, value in seeds.items() if value is not None]
    if len(given) > 1:
        raise TypeError(f"one seed is enough: {' and '.join(origin for origin, _ in given)} were given")
    if not given and seed_source is None:
        raise TypeError("a draw needs a seed that nobody could choose, as dice='...'; a commitment to one needs seed_source")
    origin, value = given[0] if given else (None, "")
    if origin == "hex":
        value = bytes.fromhex(value)
    listed = _list(ids, strata, weights)
    plan: dict[str, Any] = {
        "stratum": strata is not None,
        "weight": weights is not None,
        "open": open,
        "context": context,
        "k": k,
        "p": None if p is None else str(p),
        "scale": scale,
        "allocation": allocation,
        "seed_source": seed_source,
        "words": source,
    }
    if committed is not None:
        # The plan alone first: nothing is drawn where it is another.
        announced = seed_source
        if announced is None:
            raise TypeError("committed needs seed_source, which is part of what was committed to")
        commitment = _native.draw_lot(listed, method, **plan, origin=None, value=b"", beside=None)[0]
        if commitment != committed.lower():
            raise ValueError(f"the commitment is {commitment}, not {committed}: nothing was drawn")
    drawn = _native.draw_lot(
        listed,
        method,
        **plan,
        origin=origin,
        value=b"" if origin in (None, "os") else _bytes(value),
        beside=None if beside is None else _bytes(beside),
    )
    commitment, text, transcript, picked = drawn
    return Draw(picked, commitment, text, transcript)


def verify(
    transcript: str | bytes | Draw,
    ids: Iterable[Any] | Mapping[Any, Any] | None = None,
    *,
    weights: Any = None,
    strata: Any = None,
    committed: str | None = None,
) -> Verdict:
    """Whether a draw of hwdraw/1 is what its transcript says: all of it if the list is given that it drew from."""
    if isinstance(transcript, Draw):
        if transcript.transcript is None:
            raise ValueError("a commitment has no transcript yet")
        transcript = transcript.transcript
    if weights is None and isinstance(ids, Mapping):
        weights = ids
    listed = None if ids is None else _list(ids, strata, weights)
    wrong, unchecked, commitment = _native.verify_lot(_bytes(transcript), listed)
    if committed is None:
        unchecked = ["whether this commitment was published", *unchecked]
    elif committed.lower() != commitment:
        wrong = [*wrong, "the commitment is not the one that was published"]
    return Verdict(wrong, unchecked, commitment)
