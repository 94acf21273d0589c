"""hwdraw/1 (docs/spec/draw.md): draws from a list that anyone can verify.

This module turns Python's lists, mappings and keyword arguments into the list, the plan and the seed that the extension
takes."""

from collections.abc import Iterable, Mapping
from typing import Any

from . import _native
from ._copies import Independent


class Draw(Independent):
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


class Finding(Independent):
    """A mismatch or an unchecked item of a verification.

    code is stable; decide by it. message is a sentence for people. data has the values behind the sentence as texts; for
    the codes "picks", "list" and "beacon-key" it has a reason, which is stable too."""

    code: str
    message: str
    data: dict[str, str]

    def __init__(self, code: str, message: str, data: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        self.code, self.message, self.data = code, message, dict(data)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.code, self.message))

    def __str__(self) -> str:
        return self.message

    def __repr__(self) -> str:
        return f"<hashwell.Finding {self.code}: {self.message}>"


class Verification(Independent):
    """The result of verify(). It is true only if the outcome is "verified".

    outcome is "verified", "partial" (everything that was checked agrees, but unchecked is not empty) or "mismatch".
    mismatches and unchecked are lists of Finding; unchecked is empty if there are mismatches. seed_planned is the origin of
    the seed that the plan announces, seed_given the seed of the transcript, each as one line."""

    outcome: str
    mismatches: list[Finding]
    unchecked: list[Finding]
    commitment: str
    seed_planned: str
    seed_given: str

    def __init__(
        self,
        outcome: str,
        mismatches: list[Finding],
        unchecked: list[Finding],
        commitment: str,
        seed_planned: str,
        seed_given: str,
    ) -> None:
        self.outcome, self.mismatches, self.unchecked, self.commitment = outcome, mismatches, unchecked, commitment
        self.seed_planned, self.seed_given = seed_planned, seed_given

    def __bool__(self) -> bool:
        return self.outcome == "verified"

    def __repr__(self) -> str:
        counts = f"{len(self.mismatches)} mismatches, {len(self.unchecked)} not checked"
        return f"<hashwell.Verification: {self.outcome}, {counts}>"


def _text(field: Any, what: str) -> str:
    if isinstance(field, str):
        return field
    if type(field).__name__ == "Decimal":
        return format(field, "f")
    # Every other type has texts that differ between versions, or that nobody expects, as "None" or "b'a'".
    if isinstance(field, bool) or not hasattr(type(field), "__index__"):
        raise TypeError(f"{what} must be a str, an int or a decimal, not '{type(field).__name__}': convert it to a str first")
    return str(int(field))


def _column(values: Any, ids: list[Any], what: str) -> list[str]:
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
    columns += [] if strata is None else [_column(strata, keys, "strata")]
    columns += [] if weights is None else [_column(weights, keys, "weights")]
    return [list(row) for row in zip(*columns, strict=True)]


def _bytes(text: Any) -> bytes:
    return text.encode() if isinstance(text, str) else bytes(text)


def _source(seed_source: str | Mapping[str, Any] | None, description: str | None) -> tuple[str | None, str]:
    """The origin of a seed in words, and its description, also from the object that a plan has."""
    if not isinstance(seed_source, Mapping):
        return seed_source, description or ""
    known = ("kind", "chain", "round", "pulse", "certificate")
    if unknown := set(seed_source) - {*known, "description"}:
        raise ValueError(f"seed_source has no key {sorted(unknown)[0]!r}")
    words = " ".join(str(seed_source[key]) for key in known if key in seed_source)
    return words, description if description is not None else seed_source.get("description", "")


def draw(
    ids: Iterable[Any] | Mapping[Any, Any] | int,
    k: int | None = None,
    *,
    method: str = "index",
    seed: Any = None,
    seed_hex: str | None = None,
    dice: str | None = None,
    drand: Any = None,
    nist: Any = None,
    os_seed: bool = False,
    drand_chain: Any = None,
    certificate: Any = None,
    p: Any = None,
    weights: Any = None,
    strata: Any = None,
    allocation: str | None = None,
    scale: int | None = None,
    context: str = "",
    seed_source: str | Mapping[str, Any] | None = None,
    seed_description: str | None = None,
    source: str = "counter",
    open: bool = False,
    committed: str | None = None,
) -> Draw:
    """Draw from ids by hwdraw/1, so that anyone can verify the draw with `hashwell verify` or verify().

    Args:
        ids: texts, in any order; or a mapping of ids to weights; or a number n for the numbers 1 to n.
        k: the number of picks; with strata and allocation "each", of each stratum.
        method: index, ticket, weighted-ticket, bernoulli, gap, replace or pps-systematic.
        seed: the seed, as for every function of the package: an int or a str as text, bytes as hex. Give one of seed, seed_hex, dice, drand, nist and os_seed.
        seed_hex: the seed in hexadecimal.
        dice: the digits that dice showed.
        drand: a round of drand, the JSON that its servers publish.
        nist: a pulse of NIST's beacon, the JSON that it publishes.
        os_seed: True takes a seed from the operating system, which convinces only yourself.
        drand_chain: the parameters of the drand chain (the JSON of /CHAIN/info), if it is not a published one.
        certificate: the certificate of NIST's beacon, PEM or DER, if it is not a published one.
        p: the inclusion probability of each row (with bernoulli).
        weights: a mapping of ids, or a list with one weight for each.
        strata: a mapping of ids, or a list with one label for each.
        allocation: "each" or "proportional" (with strata).
        scale: decimals of the weights.
        context: what the draw is for.
        seed_source: the origin that the seed must have: "dice", "text", "hex", "os", "drand CHAIN ROUND" or
            "nist CHAIN PULSE", or the object in a plan. Without a seed there is no draw but the commitment to one. By
            default it is the origin of the seed.
        seed_description: a text for people about the seed's origin. It must not read as if it named a beacon.
        source: the source of random numbers.
        open: True for a list that was not fixed before.
        committed: the commitment that was published; nothing is drawn if the plan has another.

    Returns:
        A Draw. Its transcript is the one that `hashwell draw --transcript` writes.

    Raises:
        ValueError: the plan, the list or the seed is not valid, or the seed has another origin than the plan announces.
    """
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
    elif origin == "text":
        value = _native._seed(value)
        origin = "text" if isinstance(value, str) else "hex"
    listed = _list(ids, strata, weights)
    words, description = _source(seed_source, seed_description)
    plan: dict[str, Any] = {
        "stratum": strata is not None,
        "weight": weights is not None,
        "open": open,
        "context": context,
        "k": k,
        "p": None if p is None else str(p),
        "scale": scale,
        "allocation": allocation,
        "seed_source": words,
        "seed_description": description,
        "words": source,
    }
    drawn = _native._draw(
        listed,
        method,
        **plan,
        origin=origin,
        value=b"" if origin in (None, "os") else _bytes(value),
        drand_chain=None if drand_chain is None else _bytes(drand_chain),
        certificate=None if certificate is None else _bytes(certificate),
        committed=committed,
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
    drand_chain: Any = None,
    certificate: Any = None,
    seed_attested: bool = False,
) -> Verification:
    """Verify the transcript of a draw of hwdraw/1: everything is computed again.

    Args:
        transcript: the transcript, or a Draw that has one.
        ids: the list that was drawn from. Without it the outcome is at best "partial", unless the draw is from numbers.
        weights: as in draw().
        strata: as in draw().
        committed: the commitment that was published before the seed existed.
        drand_chain: the parameters of the seed's drand chain (the JSON of /CHAIN/info), if it is not a published one.
        certificate: the certificate of NIST's beacon, PEM or DER, if it is not a published one.
        seed_attested: True says that you saw the seed (dice, text, hex, os) come about as planned.

    Returns:
        A Verification with one of three outcomes.

    Raises:
        ValueError: the transcript, the list, the chain or the certificate is not one.
    """
    if isinstance(transcript, Draw):
        if transcript.transcript is None:
            raise ValueError("a commitment has no transcript yet")
        transcript = transcript.transcript
    if weights is None and isinstance(ids, Mapping):
        weights = ids
    listed = None if ids is None else _list(ids, strata, weights)
    outcome, mismatches, unchecked, *rest = _native._verify(
        _bytes(transcript),
        listed,
        committed=committed,
        drand_chain=None if drand_chain is None else _bytes(drand_chain),
        certificate=None if certificate is None else _bytes(certificate),
        seed_attested=seed_attested,
    )
    return Verification(outcome, [Finding(*item) for item in mismatches], [Finding(*item) for item in unchecked], *rest)
