"""Verifiable draws from a list, as defined by the hwdraw/1 specification (docs/spec/draw.md).

This module converts Python lists, mappings and keyword arguments to the list, the plan and the seed that the
extension accepts.
"""

from collections.abc import Iterable, Mapping, Set
from typing import Any

from . import _native
from ._copies import Independent


class Draw(Independent):
    """The result of draw(): a draw, or a commitment to a draw whose seed is not known yet.

    - ids has the picks, in the order in which they were drawn.
    - commitment is the SHA-256 digest that you publish before the seed is known.
    - plan is the JSON text to which you commit.
    - transcript is the JSON text that verify() accepts. It is None for a commitment.

    Examples:
        >>> import hashwell
        >>> hashwell.draw(3, 1, seed_source="dice")
        <hashwell.Draw: a commitment, 8659e9183dc0e62ed3609dd0a2da0e51f6e6f55c2256b2a922597c44038b4253>
    """

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
    """A mismatch or an unchecked item in a Verification.

    - code identifies the kind of finding. It is stable, so programs should use it.
    - message describes the finding in one sentence.
    - data has the values in that sentence, as strings. For the codes "picks", "list" and "beacon-key", it also has the
      key "reason", whose values are stable, too.

    Examples:
        >>> import hashwell
        >>> result = hashwell.draw(3, 1, dice="08773")
        >>> [finding.code for finding in hashwell.verify(result).unchecked]
        ['commitment', 'seed-origin']
    """

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
    """The result of verify(). In a condition, it is true only if the outcome is "verified".

    - outcome is "verified", "partial" or "mismatch". "partial" means that everything that was checked agrees, but
      some items could not be checked.
    - mismatches is a list of Finding objects.
    - unchecked is a list of Finding objects. It is empty if there are mismatches.
    - commitment is the commitment that was computed from the transcript's plan.
    - seed_planned describes the planned origin of the seed, as one line of text.
    - seed_given describes the seed in the transcript, as one line of text.

    Examples:
        >>> import hashwell
        >>> result = hashwell.draw(3, 1, dice="08773")
        >>> hashwell.verify(result, seed_attested=True)
        <hashwell.Verification: partial, 0 mismatches, 1 not checked>
    """

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
    # The text of any other type may differ between versions or be unexpected, such as "None" or "b'a'".
    if isinstance(field, bool) or not hasattr(type(field), "__index__"):
        raise TypeError(f"{what} must be a str, an int or a Decimal, not '{type(field).__name__}': convert it to a str first")
    return str(int(field))


def _column(values: Any, ids: list[Any], what: str) -> list[str]:
    """Return the strata or weights of all entries as text. `values` is a mapping from ids, or has one value for each
    id."""
    of_ids = [values[one] for one in ids] if isinstance(values, Mapping) else list(values)
    if len(of_ids) != len(ids):
        raise ValueError(f"{what} must have one value for each entry: expected {len(ids)}, got {len(of_ids)}")
    return [_text(value, what) for value in of_ids]


def _list(ids: Any, strata: Any, weights: Any) -> int | list[list[str]]:
    if isinstance(ids, int) and not isinstance(ids, bool):
        if strata is not None or weights is not None:
            raise TypeError("a draw from the numbers 1 to N takes neither strata nor weights")
        return ids
    if isinstance(ids, str | bytes | bool):
        raise TypeError(f"ids must be a list of entries, not a '{type(ids).__name__}'")
    if isinstance(ids, Set) and any(isinstance(values, list | tuple) for values in (strata, weights)):
        raise TypeError("ids is a set, which has no order: pass strata and weights as mappings from entries")
    keys = list(ids)
    columns = [[_text(one, "an id") for one in keys]]
    columns += [] if strata is None else [_column(strata, keys, "strata")]
    columns += [] if weights is None else [_column(weights, keys, "weights")]
    return [list(row) for row in zip(*columns, strict=True)]


def _bytes(text: Any, what: str) -> bytes:
    if not isinstance(text, str | bytes | bytearray | memoryview):
        hint = f": pass its digits as a string, such as '{text}'" if what == "dice" and isinstance(text, int) else ""
        raise TypeError(f"{what} must be a str or bytes, not '{type(text).__name__}'{hint}")
    return text.encode() if isinstance(text, str) else bytes(text)


def _source(seed_source: str | Mapping[str, Any] | None, description: str | None) -> tuple[str | None, str]:
    """Return the origin of a seed as text, and its description. `seed_source` may also be the JSON object that
    describes the origin in a plan."""
    if not isinstance(seed_source, Mapping):
        return seed_source, description or ""
    known = ("kind", "chain", "round", "pulse", "certificate")
    if unknown := set(seed_source) - {*known, "description"}:
        raise ValueError(f"unknown key {sorted(unknown)[0]!r} in seed_source: expected {', '.join(known)} or description")
    words = " ".join(str(seed_source[key]) for key in known if key in seed_source)
    return words, description if description is not None else seed_source.get("description", "")


def draw(
    ids: Iterable[Any] | Mapping[Any, Any] | int,
    n: int | None = None,
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
    probability: Any = None,
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
    """Draw from a list so that anyone can verify the result with verify() or `hashwell verify` (hwdraw/1).

    Args:
        ids: The entries of the list, in any order: strings, integers or decimals. A mapping from entries to weights
            also sets weights. An integer N means the numbers 1 to N, like `hashwell draw --range N`.
        n: The number of picks. With strata and the allocation "each", it is the number for each stratum.
        method: "index", "ticket", "weighted-ticket", "bernoulli", "gap", "replace" or "pps-systematic".
        seed: The seed. An int or a str is a seed of the kind "text", and bytes are a seed of the kind "hex". Give at
            most one of seed, seed_hex, dice, drand, nist and os_seed.
        seed_hex: The seed in hexadecimal.
        dice: The seed as the digits that were rolled with dice.
        drand: The seed as a round of the drand beacon: the JSON that its servers publish.
        nist: The seed as a pulse of the NIST beacon: the JSON that the beacon publishes.
        os_seed: True takes a seed from the operating system. Others can't check that you did not choose it.
        drand_chain: The parameters of the drand chain (the JSON of /CHAIN/info), if it is not built in.
        certificate: The certificate of the NIST beacon, as PEM or DER, if it is not built in.
        probability: The inclusion probability of each entry (only with the method "bernoulli").
        weights: The weights: a mapping from entries to weights, or a list with one weight for each entry.
        strata: The strata: a mapping from entries to labels, or a list with one label for each entry.
        allocation: "each" or "proportional" (only with strata).
        scale: The number of decimal places of the weights.
        context: The purpose of the draw.
        seed_source: The planned origin of the seed: "dice", "text", "hex", "os", "drand CHAIN ROUND" or "nist CHAIN
            PULSE", or the JSON object that describes the origin in a plan. If you pass it without a seed, only the
            commitment is computed. By default, it is the origin of the seed that you pass.
        seed_description: A sentence that tells readers of the plan where the seed comes from. It must not look like the
            name of a beacon.
        source: The name of the random source, one of random_sources().
        open: True if the list was not fixed before the seed was known.
        committed: The commitment that was published. If the plan has a different commitment, nothing is drawn.

    Returns:
        A Draw. Its transcript is the same as the one that `hashwell draw --transcript` writes.

    Raises:
        ValueError: The list, the plan or the seed is not valid, the origin of the seed differs from seed_source, or the
            commitment differs from committed.
        TypeError: No seed or more than one seed is given, an entry is not a string, an integer or a decimal, or ids is a
            set and weights or strata is a list.

    Examples:
        >>> import hashwell
        >>> result = hashwell.draw(["Ann", "Bob", "Cleo", "Dan"], 2, dice="08773", context="raffle")
        >>> result.ids
        ['Dan', 'Bob']
    """
    if weights is None and isinstance(ids, Mapping):
        weights = ids
    seeds: dict[str, Any] = {"text": seed, "hex": seed_hex, "dice": dice, "drand": drand, "nist": nist, "os": os_seed or None}
    given = [(origin, value) for origin, value in seeds.items() if value is not None]
    if len(given) > 1:
        raise TypeError(f"more than one seed: got {' and '.join(origin for origin, _ in given)}, expected one")
    if not given and seed_source is None:
        raise TypeError("no seed: pass one, for example dice='08773', or pass seed_source to commit to a future seed")
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
        "k": n,
        "p": None if probability is None else str(probability),
        "scale": scale,
        "allocation": allocation,
        "seed_source": words,
        "seed_description": description,
        "random_source": source,
    }
    drawn = _native._draw(
        listed,
        method,
        **plan,
        origin=origin,
        value=b"" if origin is None or origin == "os" else _bytes(value, origin),
        drand_chain=None if drand_chain is None else _bytes(drand_chain, "drand_chain"),
        certificate=None if certificate is None else _bytes(certificate, "certificate"),
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
    """Verify the transcript of a draw: recompute the commitment and the picks, and compare them (hwdraw/1).

    Args:
        transcript: The transcript, or a Draw that has one.
        ids: The list that was drawn from. Without it the outcome is at best "partial", unless the draw is from the
            numbers 1 to N.
        weights: The weights, in any form that draw() accepts.
        strata: The strata, in any form that draw() accepts.
        committed: The commitment that was published before the seed was known.
        drand_chain: The parameters of the seed's drand chain (the JSON of /CHAIN/info), if it is not built in.
        certificate: The certificate of the NIST beacon, as PEM or DER, if it is not built in.
        seed_attested: True if you saw yourself that the seed (dice, text, hex or os) was obtained as planned.

    Returns:
        A Verification. In a condition, it is true only if the outcome is "verified".

    Raises:
        ValueError: The transcript, the list, the chain or the certificate is not valid.

    Examples:
        >>> import hashwell
        >>> result = hashwell.draw(["Ann", "Bob", "Cleo"], 1, dice="08773")
        >>> published = result.commitment
        >>> hashwell.verify(result, ["Ann", "Bob", "Cleo"], committed=published, seed_attested=True).outcome
        'verified'
        >>> hashwell.verify(result).outcome
        'partial'
        >>> [finding.code for finding in hashwell.verify(result, ["Ann", "Bob", "Dan"]).mismatches]
        ['list']
    """
    if isinstance(transcript, Draw):
        if transcript.transcript is None:
            raise ValueError("this Draw is a commitment, which has no transcript yet")
        transcript = transcript.transcript
    if weights is None and isinstance(ids, Mapping):
        weights = ids
    listed = None if ids is None else _list(ids, strata, weights)
    outcome, mismatches, unchecked, *rest = _native._verify(
        _bytes(transcript, "transcript"),
        listed,
        committed=committed,
        drand_chain=None if drand_chain is None else _bytes(drand_chain, "drand_chain"),
        certificate=None if certificate is None else _bytes(certificate, "certificate"),
        seed_attested=seed_attested,
    )
    return Verification(outcome, [Finding(*item) for item in mismatches], [Finding(*item) for item in unchecked], *rest)
