"""hwdraw/1 (docs/spec/draw.md): draws from a list that anyone can verify.

This module turns Python's lists, mappings and keyword arguments into the list, the plan and the seed that the extension
takes."""

from collections.abc import Iterable, Mapping
from typing import Any

from . import _native
from ._copies import Independent


class Draw(Independent):
    """The result of draw(): a draw, or the commitment to one that has no seed yet.

    ids are the picks, in the order in which they were drawn. commitment is the SHA-256 digest that you publish before the
    seed is known. plan is the JSON that was committed to. transcript is the JSON that verify() takes; it is None for a
    commitment.

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
    """One mismatch or one unchecked item of a Verification.

    code is stable, so programs should use it. message is a sentence for people. data has the values in that sentence as
    strings; for the codes "picks", "list" and "beacon-key" it has a reason, which is stable too.

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
    """The result of verify(). It is true only if the outcome is "verified".

    outcome is "verified", "partial" (everything that was checked agrees, but unchecked is not empty) or "mismatch".
    mismatches and unchecked are lists of Finding; unchecked is empty if there are mismatches. seed_planned is the origin of
    the seed that the plan announces, and seed_given is the seed of the transcript, each as one line.

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
    # Every other type has texts that differ between versions or are unexpected, such as "None" or "b'a'".
    if isinstance(field, bool) or not hasattr(type(field), "__index__"):
        raise TypeError(f"{what} must be a str, an int or a Decimal, not '{type(field).__name__}': convert it to a str first")
    return str(int(field))


def _column(values: Any, ids: list[Any], what: str) -> list[str]:
    """Strata or weights: a mapping of ids, or one for each id."""
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
    """Draw from a list by hwdraw/1, so that anyone can verify the result with verify() or `hashwell verify`.

    Args:
        ids: The entries of the list, in any order: texts, integers or decimals. A mapping of entries to weights also gives
            the weights. A number N means the numbers 1 to N, as `hashwell draw --range N` does.
        n: The number of picks. With strata and allocation "each", it is the number for each stratum.
        method: "index", "ticket", "weighted-ticket", "bernoulli", "gap", "replace" or "pps-systematic".
        seed: The seed, as for sample: an int or a str is taken as text, and bytes as hexadecimal. Give exactly one of seed,
            seed_hex, dice, drand, nist and os_seed.
        seed_hex: The seed in hexadecimal.
        dice: The digits of the dice that were rolled.
        drand: A round of the drand beacon, as the JSON that its servers publish.
        nist: A pulse of the NIST beacon, as the JSON that it publishes.
        os_seed: True takes a seed from the operating system. Only you know that you did not choose it.
        drand_chain: The parameters of the drand chain (the JSON of /CHAIN/info), if it is not a published one.
        certificate: The certificate of the NIST beacon, PEM or DER, if it is not a published one.
        probability: The inclusion probability of each entry (only for the method "bernoulli").
        weights: A mapping of entries to weights, or a list with one weight for each entry.
        strata: A mapping of entries to labels, or a list with one label for each entry.
        allocation: "each" or "proportional" (only with strata).
        scale: The number of decimals of the weights.
        context: The purpose of the draw.
        seed_source: The origin that the seed must have: "dice", "text", "hex", "os", "drand CHAIN ROUND" or
            "nist CHAIN PULSE", or the object that a plan has. With seed_source and no seed, only the commitment is computed.
            By default it is the origin of the seed.
        seed_description: A sentence for people about the origin of the seed. It must not look like the name of a beacon.
        source: The name of the random source.
        open: True for a list that was not fixed before the seed was known.
        committed: The commitment that was published. If the plan has another one, nothing is drawn.

    Returns:
        A Draw. Its transcript is the one that `hashwell draw --transcript` writes.

    Raises:
        ValueError: The list, the plan or the seed is not valid, or the seed has another origin than seed_source.
        TypeError: There is no seed, there is more than one, or an entry is not a text, an integer or a decimal.

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
        raise TypeError("no seed: pass one, for example dice='08773', or pass seed_source to commit to a later one")
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
    """Verify the transcript of a draw by hwdraw/1: recompute the commitment and the picks, and compare them.

    Args:
        transcript: The transcript, or a Draw that has one.
        ids: The list that was drawn from. Without it the outcome is at best "partial", unless the draw is from the numbers
            1 to N.
        weights: The weights, as in draw().
        strata: The strata, as in draw().
        committed: The commitment that was published before the seed was known.
        drand_chain: The parameters of the seed's drand chain (the JSON of /CHAIN/info), if it is not a published one.
        certificate: The certificate of the NIST beacon, PEM or DER, if it is not a published one.
        seed_attested: True if you saw yourself that the seed (dice, text, hex, os) was obtained as planned.

    Returns:
        A Verification, which is true only if the outcome is "verified".

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
        _bytes(transcript),
        listed,
        committed=committed,
        drand_chain=None if drand_chain is None else _bytes(drand_chain),
        certificate=None if certificate is None else _bytes(certificate),
        seed_attested=seed_attested,
    )
    return Verification(outcome, [Finding(*item) for item in mismatches], [Finding(*item) for item in unchecked], *rest)
