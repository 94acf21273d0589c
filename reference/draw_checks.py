"""What draw.py checks beside drawing again: shape and seed of a transcript, and what follows from picks without their list."""

import re
from fractions import Fraction
from hashlib import sha512
from itertools import takewhile
from typing import Any

from reference.draw import MARKS, TICKETS, allocate, check, choose, number, parts, sha256, ticket, units

METHODS = (*TICKETS, "index", "gap", "replace", "pps-systematic")
SIZE, HEX, DIGEST, TEXT, NUMBER = range(2**64), "([0-9a-f]{2})*", "[0-9a-f]{64}", "(?s:.*)", r"[0-9]+(\.[0-9]+)?"
CHANCE = r"0+(\.[0-9]{1,38})?|0*1(\.0{1,38})?"
SEEDS = {"text": {"text": TEXT}, "dice": {"text": "[0-9]+"}, "hex": {"hex": HEX}, "os": {"hex": HEX},
         "drand": {"hex": DIGEST, "drand": dict}, "nist": {"hex": "[0-9a-f]{128}", "nist": dict}}


def shape(value: Any, form: Any) -> None:
    """A form: a pattern of texts, a range of numbers, the keys with their forms, a list of its members' form, or a type."""
    kind = {str: str, range: int, dict: dict, list: list}.get(type(form), form)
    right = type(value) is kind and (kind is not str or re.fullmatch(form, value)) and (kind is not int or value in form)
    check(right and (type(form) is not dict or set(value) == set(form)), f"{str(value)[:70]} has the form {form}")
    for member, inner in [(value[key], form[key]) for key in form] if type(form) is dict else []:
        shape(member, inner)
    for member in value if type(form) is list else []:
        shape(member, form[0])


def shapes(t: dict) -> None:
    plan, method, kind = t["plan"], t["plan"]["method"], t["plan"]["frame"]["kind"]
    columns = tuple(plan["frame"]["columns"])
    weighted, strata, free = method in ("weighted-ticket", "pps-systematic"), "stratum" in columns, method == "replace"
    check(columns in MARKS and ("weight" in columns) == weighted, "the columns")
    digest = {"list": DIGEST, "open": "0{64}", "numbers": sha256(number(2**64 - 1), number(plan["n"])).hex()}[kind]
    form = {"frame": {"columns": ["id|stratum|weight"], "digest": digest, "kind": "list|open|numbers"}, "words": TEXT}
    form |= {"context": TEXT, "method": "|".join(METHODS), "n": SIZE, "seed_source": TEXT, "spec": "hwdraw/1"}
    form |= {"p": CHANCE} if method == "bernoulli" else {"k": SIZE[1:]}
    form |= {"scale": range(19)} if weighted else {}
    form |= {"allocation": "each|proportional", "strata": [{"k": SIZE, "label": TEXT, "n": SIZE[1:]}]} if strata else {}
    pick = {"id": "(?s:.+)"} | ({"stratum": TEXT} if strata else {}) | ({"weight": NUMBER} if weighted else {})
    pick |= {"ticket": HEX} if method in TICKETS else {"index": SIZE}
    seed = {"from": "|".join(SEEDS)} | SEEDS[t["seed"]["from"]]
    shape(t, {"commitment": DIGEST, "output": DIGEST, "picks": [pick], "plan": form, "program": TEXT, "seed": seed})
    check(kind != "numbers" or columns == ("id",) and method != "gap", "numbers have neither strata nor weights, nor a gap")
    check((kind != "numbers" or method not in TICKETS) and method != "gap" or plan["n"] <= 10**8, "n is at most 10^8")
    parts = plan.get("strata", [plan])
    check(free or all(part.get("k", 0) <= part["n"] for part in parts), "k is at most n")
    check(method == "bernoulli" or plan["n"] > 0, "there are rows")
    check(plan.get("allocation") != "proportional" or plan.get("k", 0) <= plan["n"], "k is at most n")
    if strata:
        sizes = {part["label"]: part["n"] for part in parts}
        check(sum(sizes.values()) == plan["n"] and allocate(plan, sizes) == parts, "the allocation")


def seed_bytes(plan: dict, seed: dict) -> bytes:
    data = seed["text"].encode() if "text" in seed else bytes.fromhex(seed["hex"])
    if seed["from"] == "drand":
        check(sha256(bytes.fromhex(seed["drand"]["signature"])) == data, "the seed is the round's randomness")
    signed = seed.get("nist", {})
    if "message" in signed:
        value = sha512(bytes.fromhex(signed["message"] + signed["signature"])).digest()
        check(value == data, "the seed is the pulse's output value")
    for beacon, its in (("drand", "round"), ("nist", "pulse")):
        known = f"{beacon} {seed[beacon]['chain']} {seed[beacon][its]}" if seed["from"] == beacon else ""
        planned = plan["seed_source"]
        check(planned == known if known or planned.startswith(beacon + " ") else True, "the seed is the one planned")
    return data


def once(pairs: list[tuple]) -> dict:
    check(len(dict(pairs)) == len(pairs), "no key is there twice")
    return dict(pairs)


def without_list(plan: dict, seed: bytes, picks: list[dict]) -> None:
    method, kind, places = plan["method"], plan["frame"]["kind"], {}
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
            if method == "pps-systematic":
                check(indexes == sorted(set(indexes)) and all(i < n for i in indexes), "the positions")
            else:
                check([(i, None) for i in indexes] == list(choose(plan, K, n, k, str)), "the positions")
            ids = [id for _, id in sorted({(pick["index"], pick["id"].encode()) for pick in mine})]
            check(len(ids) == len(set(indexes)) and (kind == "open" or ids == sorted(ids)), "the order of the list")
    check(not picks, "every pick is of a stratum that was planned")
