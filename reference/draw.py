"""Rechecks a draw: docs/spec/draw.md (hwdraw/1) on Python's standard library.

    python3 reference/draw.py [--committed HEX] TRANSCRIPT [FRAME [zero]]

FRAME is the list that was drawn from, its rows ending in NUL with `zero`; without it less is checked. Never checked are the
signatures of beacons, nor the fields of `drand` and `nist` that do not name the round. Ends with 0 if the rest agrees."""

import argparse
import hashlib
import importlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from heapq import nsmallest
from itertools import count, zip_longest
from math import comb
from pathlib import Path
from types import ModuleType

MARKS = {("id",): 0, ("id", "weight"): 2, ("id", "stratum"): 3, ("id", "stratum", "weight"): 4}
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

def beside(name: str) -> ModuleType:
    sys.path.append(str(Path(__file__).resolve().parent.parent))
    return importlib.import_module(f"reference.{name}")

def read_frame(data: bytes, plan: dict, end: bytes) -> list[tuple[str, ...]]:
    columns, is_open = tuple(plan["frame"]["columns"]), plan["frame"]["kind"] == "open"
    check(not data.startswith(b"\xef\xbb\xbf"), "no byte order mark")
    *ended, last = data.split(end)
    lines = [line.removesuffix(b"\r" * (end == b"\n")) for line in ended] + [last] * bool(last)
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
            data = beside("random").stream(source, K, end)
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
    weigh = (lambda i: units(plan, cell(i, "weight"))) if method == "weighted-ticket" else lambda i: 1
    rows = ((ticket(plan, K, cell(i, "id")), weigh(i), cell(i, "id").encode(), i) for i in range(n) if weigh(i))
    if method == "bernoulli":
        return ((i, number) for number, _, _, i in rows if number < Fraction(plan["p"]) * 2**128)
    first = nsmallest(k, rows, key=lambda row: (Fraction(row[0], row[1]), row[2]))
    check(k == len(first), f"k is at most {len(first)}")
    return ((i, number) for number, _, _, i in first)

def allocate(plan: dict, sizes: dict[str, int]) -> list[dict]:
    n, k, each = sum(sizes.values()), plan.get("k", 0), plan["allocation"] == "each"
    strata = [{"label": label, "n": sizes[label]} for label in sorted(sizes, key=str.encode)]
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

def verify(text: str, frame: bytes | None = None, end: bytes = b"\n", published: str | None = None) -> list[str]:
    """The commitment, and what was not checked; ValueError says what does not agree."""
    checks = beside("draw_checks")
    t = json.loads(text, object_pairs_hook=checks.once)
    checks.shapes(t)
    plan, picks, seed, kind = t["plan"], t["picks"], checks.seed_bytes(t["plan"], t["seed"]), t["plan"]["frame"]["kind"]
    committed = sha256(json.dumps(plan, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hex()
    check(t["commitment"] == committed and published in (None, committed), f"the commitment is {committed}")
    check(t["output"] == sha256(*(field(pick["id"].encode()) for pick in picks)).hex(), "the digest of the output")
    planned = sum(k for _, _, _, k in parts(plan, seed))
    check(plan["method"] == "bernoulli" or planned == len(picks), f"there are {planned} picks")
    check(kind != "numbers" or frame is None, "a draw from numbers has no list")
    if kind == "numbers":
        check(all(pick == other for pick, other in zip_longest(draw(plan, seed, None), picks)), "the picks")
    elif frame is not None:
        rows = read_frame(frame, plan, end)
        check("strata" not in plan or plan["strata"] == allocate(plan, Counter(row[1] for row in rows)), "the allocation")
        check(list(draw(plan, seed, rows)) == picks, "the picks")
    else:
        checks.without_list(plan, seed, picks)
    alone, beacon = kind != "numbers" and frame is None, t["seed"]["from"] in ("drand", "nist")
    left = [(published is None, "whether this commitment was published"), (alone, "what needs the list"),
            (beacon, "the beacon's signature")]
    return [f"hwdraw/1 commitment {committed}"] + [f"not checked: {what}" for unchecked, what in left if unchecked]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Rechecks a draw.")
    parser.add_argument("--committed", metavar="HEX", help="the commitment that was published", type=str.lower)
    for name in ("transcript", "frame", "zero"):
        parser.add_argument(name, nargs=None if name == "transcript" else "?", choices=["zero"] if name == "zero" else None)
    options = parser.parse_args()
    try:
        content, rows = Path(options.transcript).read_bytes(), Path(options.frame).read_bytes() if options.frame else None
        print("agrees", *verify(content.decode(), rows, b"\0" if options.zero else b"\n", options.committed), sep="\n")
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, OSError, RuntimeError, MemoryError) as error:
        sys.exit(f"does not agree: {error!r}")
