"""Rechecks a draw: docs/spec/draw.md (hwdraw/1) on Python's standard library.

    python3 reference/draw.py TRANSCRIPT [FRAME [zero]]

FRAME is the list that was drawn from, its rows ending in NUL with `zero`; without it less is checked. Signatures of beacons
are never verified here. Ends with 0 if all that was checked agrees."""

import hashlib
import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count
from math import comb
from pathlib import Path

MARKS = {("id", "weight"): 2, ("id", "stratum"): 3, ("id", "stratum", "weight"): 4}
TICKETS = ("ticket", "bernoulli", "weighted-ticket")
def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()
def number(n: int) -> bytes:
    return n.to_bytes(8, "big")
def field(data: bytes) -> bytes:
    return number(len(data)) + data
def check(right: bool, what: str) -> None:
    if not right:
        raise ValueError(what)

def read_frame(data: bytes, plan: dict, end: bytes) -> list[tuple[str, ...]]:
    columns, is_open = tuple(plan["frame"]["columns"]), plan["frame"]["kind"] == "open"
    lines = [line.removesuffix(b"\r" * (end == b"\n")) for line in data.removesuffix(end).split(end) if data]
    rows = [tuple(line.decode().rsplit("\t", len(columns) - 1)) for line in lines]
    check(all(len(row) == len(columns) and row[0] for row in rows), f"every row has {columns}")
    check(len({row[0] for row in rows}) == len(rows), "no id is there twice")
    rows = rows if is_open else sorted(rows, key=lambda row: row[0].encode())
    mark = b"" if columns == ("id",) else number(2**64 - MARKS[columns])
    digest = bytes(32) if is_open else sha256(mark, *(field(cell.encode()) for row in rows for cell in row))
    check((plan["n"], plan["frame"]["digest"]) == (len(rows), digest.hex()), f"{len(rows)} rows, digest {digest.hex()}")
    return rows

def words(source: str, K: bytes) -> Iterator[int]:
    at, end = 0, 128
    while True:
        if source == "counter":
            data = b"".join(sha256(K, b"\0", number(i)) for i in range(end // 32))
        elif source in ("shake128", "shake256"):
            data = hashlib.new(source.replace("shake", "shake_"), K).digest(end)
        else:  # this project's models of the other sources
            sys.path.append(str(Path(__file__).resolve().parent.parent))
            data = importlib.import_module("reference.random").stream(source, K, end)
        yield from (int.from_bytes(data[i : i + 8], "big") for i in range(at, end, 8))
        at, end = end, 2 * end

def below(w: Iterator[int], n: int) -> int:
    bits = 64 if n <= 2**64 else 128
    while True:
        x = next(w) if bits == 64 else next(w) << 64 | next(w)
        if x < n * (2**bits // n):
            return x % n

def index(w: Iterator[int], n: int, k: int) -> Iterator[int]:
    moved: dict[int, int] = {}
    for i in range(k):
        j = i + below(w, n - i)
        yield moved.get(j, j)
        moved[j] = moved.get(i, i)

def gap(w: Iterator[int], n: int, k: int) -> list[int]:
    slots, t = list(range(k)), k
    while 0 < t < n:
        R, low, high = next(w), 0, n - t  # the largest s with C(t, k) / C(t + s, k) >= (R + 1) / 2^64
        while low < high:
            s = (low + high + 1) // 2
            low, high = (s, high) if comb(t, k) << 64 >= (R + 1) * comb(t + s, k) else (low, s - 1)
        if t + low < n:
            slots[below(w, k)] = t + low
        t += low + 1
    return slots

def systematic(w: Iterator[int], weights: list[int], k: int) -> Iterator[int]:
    T, passed = sum(weights), 0
    check(T > 0 and all(k * weight <= T for weight in weights), "no row is more than certain")
    first = below(w, T)
    for i, weight in enumerate(weights):
        before, passed = passed, passed + k * weight
        if (passed - first + T - 1) // T > (before - first + T - 1) // T:  # points before its end, before its begin
            yield i

def exponential(w: Iterator[int]) -> int:
    for whole in count():
        first, run = next(w) << 64 | next(w), 1
        last = first
        while (following := next(w) << 64 | next(w)) < last:
            last, run = following, run + 1
        if run % 2:
            return whole << 128 | first

def ticket(plan: dict, K: bytes, row: str) -> int:
    if plan["method"] == "weighted-ticket":
        return exponential(words(plan["words"], sha256(K, b"\6", row.encode())))
    return int.from_bytes(sha256(K, b"\1", row.encode())[:16], "big")

def units(plan: dict, text: str) -> int:
    check(bool(re.fullmatch(r"[0-9]+(\.[0-9]+)?", text)), f"{text} is a weight")
    weight = Fraction(text) * 10 ** plan["scale"]
    check(weight.denominator == 1 and weight < 2**64, f"{text} has {plan['scale']} decimals at most")
    return int(weight)

def choose(plan: dict, K: bytes, n: int, k: int, cell: Callable) -> Iterator[tuple[int, int | None]]:
    """Positions, and tickets where there are some, in the order of the picks."""
    method, w = plan["method"], words(plan["words"], K)
    check(k <= n or method == "replace", f"k is at most {n}")
    if method not in TICKETS:
        weights = [units(plan, cell(i, "weight")) for i in range(n)] if method == "pps-systematic" else []
        ways = {"index": lambda: index(w, n, k), "replace": lambda: (below(w, n) for _ in range(k)),
                "gap": lambda: gap(w, n, k), "pps-systematic": lambda: systematic(w, weights, k) if k else []}
        return ((i, None) for i in ways[method]())
    weights = [units(plan, cell(i, "weight")) if method == "weighted-ticket" else 1 for i in range(n)]
    rows = [(ticket(plan, K, cell(i, "id")), cell(i, "id").encode(), i) for i in range(n) if weights[i]]
    if method == "bernoulli":
        return ((i, number) for number, _, i in rows if number < Fraction(plan["p"]) * 2**128)
    check(k <= len(rows), f"k is at most {len(rows)}")
    rows.sort(key=lambda row: (Fraction(row[0], weights[row[2]]), row[1]))
    return ((i, number) for number, _, i in rows[:k])

def allocate(plan: dict, labels: list[str]) -> list[dict]:
    n, k, each = len(labels), plan.get("k", 0), plan["allocation"] == "each"
    strata = [{"label": label, "n": labels.count(label)} for label in sorted(set(labels), key=str.encode)]
    strata = [stratum | {"k": k if each else k * stratum["n"] // n} for stratum in strata]
    left = 0 if each else k - sum(stratum["k"] for stratum in strata)
    for stratum in sorted(strata, key=lambda stratum: -(k * stratum["n"] % n))[:left]:
        stratum["k"] += 1
    return strata

def parts(plan: dict, seed: bytes) -> Iterator[tuple[bytes, str | None, int, int]]:
    """Of each stratum, or of the whole frame: key, label, n, k."""
    K = sha256(b"hwdraw/1", field(seed), field(plan["context"].encode()), bytes.fromhex(plan["frame"]["digest"]))
    for part in plan.get("strata", [{"k": plan.get("k", 0), "n": plan["n"]}]):
        label = part.get("label")
        yield K if label is None else sha256(K, b"\2", label.encode()), label, part["n"], part["k"]

def draw(plan: dict, seed: bytes, rows: list[tuple[str, ...]] | None) -> Iterator[dict]:
    """The picks from rows, or from the numbers 1 to n."""
    columns, size = plan["frame"]["columns"], 40 if plan["method"] == "weighted-ticket" else 32
    for K, label, n, k in parts(plan, seed):
        mine = [row for row in rows or () if label is None or row[columns.index("stratum")] == label]
        cell = (lambda i, _: str(i + 1)) if rows is None else lambda i, name: mine[i][columns.index(name)]
        for i, tick in choose(plan, K, n, k, cell):
            chosen = {"index": i} if tick is None else {"ticket": f"{tick:0{size}x}"}
            yield chosen | {name: cell(i, name) for name in columns}

def seed_bytes(plan: dict, seed: dict) -> bytes:
    data = seed["text"].encode() if "text" in seed else bytes.fromhex(seed["hex"])
    if seed["from"] == "drand":
        check(sha256(bytes.fromhex(seed["drand"]["signature"])) == data, "the seed is the round's randomness")
    for beacon, its in (("drand", "round"), ("nist", "pulse")):
        known = beacon not in seed or plan["seed_source"] == f"{beacon} {seed[beacon]['chain']} {seed[beacon][its]}"
        check(known, "the seed is the one planned")
    return data

def once(pairs: list[tuple]) -> dict:
    check(len(dict(pairs)) == len(pairs), "no key is there twice")
    return dict(pairs)

def verify(text: str, frame: bytes | None = None, end: bytes = b"\n") -> str:
    """What was not checked; ValueError says what does not agree."""
    t = json.loads(text, object_pairs_hook=once)
    plan, picks, seed = t["plan"], t["picks"], seed_bytes(t["plan"], t["seed"])
    committed = sha256(json.dumps(plan, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hex()
    check((plan["spec"], t["commitment"]) == ("hwdraw/1", committed), f"the plan is of hwdraw/1, its commitment {committed}")
    check(t["output"] == sha256(*(field(pick["id"].encode()) for pick in picks)).hex(), "the digest of the output")
    planned = sum(k for _, _, _, k in parts(plan, seed))
    check(plan["method"] == "bernoulli" or planned == len(picks), f"there are {planned} picks")
    if plan["frame"]["kind"] == "numbers":
        check(plan["frame"]["digest"] == sha256(number(2**64 - 1), number(plan["n"])).hex(), "the frame's digest")
        check(list(draw(plan, seed, None)) == picks, "the picks")
    elif frame is not None:
        rows = read_frame(frame, plan, end)
        check("strata" not in plan or plan["strata"] == allocate(plan, [row[1] for row in rows]), "the allocation")
        check(list(draw(plan, seed, rows)) == picks, "the picks")
    else:
        for K, label, n, k in parts(plan, seed):
            mine = [pick for pick in picks if pick.get("stratum") == label]
            if plan["method"] in TICKETS:
                check(all(int(pick["ticket"], 16) == ticket(plan, K, pick["id"]) for pick in mine), "the tickets")
            elif plan["method"] != "pps-systematic":
                check([(pick["index"], None) for pick in mine] == list(choose(plan, K, n, k, str)), "the positions")
        return "what needs the list, which was not given"
    return "the signature of the beacon" if t["seed"]["from"] in ("drand", "nist") else ""

if __name__ == "__main__":
    try:
        files = [Path(name).read_bytes() for name in sys.argv[1:3]]
        left = verify(files[0].decode(), *files[1:], end=b"\0" if sys.argv[3:] == ["zero"] else b"\n")
        print("agrees" + (f"; not checked: {left}" if left else ""))
    except (ValueError, LookupError, TypeError, AttributeError, OSError, RecursionError) as error:
        sys.exit(f"does not agree: {error!r}")
