"""Checks of draw.py in addition to repeating the draw: the form and the seed of a transcript, and properties of picks
without their list."""

import json
import re
from fractions import Fraction
from itertools import takewhile
from typing import Any

from reference import HMAC_BLOCK, draw_origin
from reference.draw import MARKS, TICKETS, check, choose, number, parts, sha256, strata, ticket, units

XOFS = ("shake128", "shake256", "cshake128", "cshake256", "turboshake128", "turboshake256", "kt128", "kt256", "blake3",
        "ascon-xof128", "ascon-cxof128", "ascon-xof-v1.2", "ascon-xofa-v1.2")
SOURCES = ("counter", *XOFS, *(f"hmac-drbg-{name}" for name in HMAC_BLOCK))
MOST = 10**8
METHODS = (*TICKETS, "index", "gap", "replace", "pps-systematic")
SIZE, HEX, DIGEST, TEXT = range(2**64), "([0-9a-f]{2})*", "[0-9a-f]{64}", "(?s:.*)"
CHANCE = r"(?=.{1,100}\Z)(0+(\.[0-9]{1,38})?|0*1(\.0{1,38})?)"
SEEDS = {"text": {"text": TEXT}, "dice": {"text": "[0-9]+"}, "hex": {"hex": HEX}, "os": {"hex": HEX},
         "drand": {"hex": HEX}, "nist": {"hex": "[0-9a-f]{128}"}}
ORIGINS = {"drand": {"chain": DIGEST, "round": SIZE[1:]}, "nist": {"certificate": "[0-9a-f]{128}", "chain": SIZE[1:], "pulse": SIZE[1:]}}


def shape(value: Any, form: Any) -> None:
    """Checks a value against a form: a pattern for texts, a range of numbers, keys with their forms, a form for all
    members of a list, or a type."""
    kind = {str: str, range: int, dict: dict, list: list}.get(type(form), form)
    right = type(value) is kind and (kind is not str or re.fullmatch(form, value)) and (kind is not int or value in form)
    check(right and (type(form) is not dict or set(value) == set(form)), f"{str(value)[:70]} has the form {form}")
    for member, inner in [(value[key], form[key]) for key in form] if type(form) is dict else []:
        shape(member, inner)
    for member in value if type(form) is list else []:
        shape(member, form[0])
    if kind is str:
        value.encode()  # refuses unpaired surrogates


def one_of(*names: str) -> str:
    return "|".join(re.escape(name) for name in names)


def member(value: dict, key: str, form: Any) -> Any:
    check(type(value) is dict and key in value, f"{str(value)[:70]} has the key {key}")
    shape(value[key], form)
    return value[key]


def beacon(seed: dict, origin: str) -> dict:
    """The form of the fields of a beacon. draw_origin checks their content."""
    forms = {"drand": ({"chain": TEXT, "public_key": TEXT, "round": SIZE, "scheme": TEXT, "signature": TEXT}, "previous_signature"),
             "nist": ({"chain": SIZE, "message": TEXT, "pulse": SIZE, "signature": TEXT, "time": TEXT, "uri": TEXT}, "certificate")}
    if origin not in forms:
        return {}
    form, optional = forms[origin]
    return {origin: form | ({optional: TEXT} if optional in member(seed, origin, dict) else {})}


def shapes(t: Any) -> None:
    plan, seed = member(t, "plan", dict), member(t, "seed", dict)
    method, summary, n = member(plan, "method", one_of(*METHODS)), member(plan, "list", dict), member(plan, "n", SIZE)
    kind, columns = member(summary, "kind", "list|open|numbers"), tuple(member(summary, "columns", ["id|stratum|weight"]))
    origin = member(seed, "from", one_of(*SEEDS))
    weighted, stratified, free = method in ("weighted-ticket", "pps-systematic"), "stratum" in columns, method == "replace"
    check(columns in MARKS and ("weight" in columns) == weighted, "the columns")
    digest = {"list": DIGEST, "open": "0{64}", "numbers": sha256(number(2**64 - 1), number(n)).hex()}[kind]
    planned = member(member(plan, "seed_source", dict), "kind", one_of(*SEEDS))
    source = {"description": TEXT, "kind": planned} | ORIGINS.get(planned, {})
    form = {"list": {"columns": ["id|stratum|weight"], "digest": digest, "kind": kind}, "random_source": one_of(*SOURCES)}
    form |= {"context": TEXT, "method": method, "n": SIZE, "seed_source": source, "spec": "hwdraw/1"}
    form |= {"p": CHANCE} if method == "bernoulli" else {"k": SIZE[1:]}
    form |= {"scale": range(19)} if weighted else {}
    shares = {} if plan.get("allocation") == "proportional" and method != "bernoulli" else {"k": SIZE}
    form |= {"allocation": "each|proportional", "strata": [shares | {"label": TEXT, "n": SIZE[1:]}]} if stratified else {}
    pick = {"id": "(?s:.+)"} | ({"stratum": TEXT} if stratified else {}) | ({"weight": TEXT} if weighted else {})
    pick |= {"ticket": TEXT} if method in TICKETS else {"index": SIZE}
    given = {"from": origin} | SEEDS[origin] | beacon(seed, origin)
    shape(t, {"commitment": TEXT, "output": TEXT, "picks": [pick], "plan": form, "program": TEXT, "seed": given})
    draw_origin.source(plan)
    check(kind != "numbers" or columns == ("id",) and method != "gap", "numbers have neither strata nor weights, nor a gap")
    parts = plan.get("strata", [plan])
    check(free or all(part.get("k", 0) <= part["n"] for part in parts), "k is at most n")
    check(method == "bernoulli" or plan["n"] > 0, "there are rows")
    check(plan.get("allocation") != "proportional" or plan.get("k", 0) <= plan["n"], "k is at most n")
    if stratified:
        sizes = {part["label"]: part["n"] for part in parts}
        check(sum(sizes.values()) == plan["n"] and strata(plan, sizes) == parts, "the strata")


def seed_bytes(seed: dict) -> bytes:
    return seed["text"].encode() if "text" in seed else bytes.fromhex(seed["hex"])


def strict(text: str) -> Any:
    """Reads JSON in the form that every reader understands alike. `shapes` then checks whether it is a transcript."""

    def whole(digits: str) -> int:
        check(bool(re.fullmatch("0|[1-9][0-9]{0,19}", digits)), f"{digits[:70]} is 0 to 2^64 - 1 in plain digits")
        return int(digits)

    def refused(number: str) -> None:
        raise ValueError(f"{number[:70]} is 0 to 2^64 - 1 in plain digits")

    try:
        return json.loads(text, object_pairs_hook=once, parse_int=whole, parse_float=refused, parse_constant=refused)
    except RecursionError:
        raise ValueError("values are not nested so deep") from None


def once(pairs: list[tuple]) -> dict:
    check(len(dict(pairs)) == len(pairs), "no key is there twice")
    return dict(pairs)


def without_list(plan: dict, seed: bytes, picks: list[dict]) -> list[str]:
    """The checks that are possible without the list. Returns the unchecked items."""
    method, kind, places, unchecked = plan["method"], plan["list"]["kind"], {}, []
    for pick in picks:
        first = places.setdefault(pick["id"], pick)
        check(first is pick or method == "replace" and first == pick, "an id is of one row")
    for K, label, n, k in parts(plan, seed):
        here = list(takewhile(lambda pick: pick.get("stratum") == label, picks))
        mine = here if method == "bernoulli" else here[:k]
        picks = picks[len(mine) :]
        check(method == "bernoulli" and len(mine) <= n or len(mine) == k, f"of {label} {k} picks")
        weights = [units(plan, pick["weight"]) if "weight" in pick else 1 for pick in mine]
        check(all(weights), "no pick has weight 0")
        if method in TICKETS:
            tickets = [ticket(plan, K, pick["id"]) for pick in mine]
            size = 40 if method == "weighted-ticket" else 32
            check([f"{number:0{size}x}" for number in tickets] == [pick["ticket"] for pick in mine], "the tickets")
            check(method != "bernoulli" or all(number < Fraction(plan["p"]) * 2**128 for number in tickets), "p")
            keys = [(0 if method == "bernoulli" else Fraction(number, weight)) for number, weight in zip(tickets, weights)]
            order = list(zip(keys, (pick["id"].encode() for pick in mine)))
            check(order == sorted(order) or (method, kind) == ("bernoulli", "open"), "the order of the picks")
        else:
            indexes = [pick["index"] for pick in mine]
            check(all(i < n for i in indexes), "the positions are those of rows")
            if method == "pps-systematic":
                check(indexes == sorted(set(indexes)), "the positions")
            elif method == "gap" and n > MOST:
                unchecked.append("positions")
            else:
                check([(i, None) for i in indexes] == list(choose(plan, K, n, k, str)), "the positions")
            ids = [id for _, id in sorted({(pick["index"], pick["id"].encode()) for pick in mine})]
            check(len(ids) == len(set(indexes)) and (kind == "open" or ids == sorted(ids)), "the order of the list")
    check(not picks, "every pick is of a stratum that was planned")
    return unchecked
