"""Verifies a draw: docs/spec/draw.md (hwdraw/1), with Python's standard library.

    python3 reference/draw.py [--committed HEX] [--drand-chain FILE] [--certificate FILE] [--seed-attested] TRANSCRIPT [FRAME [zero]]

FRAME is the list of entries from which the draw was made; with `zero`, its rows end with NUL. Without it, less is verified.
Signatures of drand are never verified. Exit codes: 0 verified, 3 consistent but not fully verified, 1 mismatch."""

import argparse
import hashlib
import importlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from heapq import nsmallest
from itertools import count, zip_longest
from math import comb
from pathlib import Path
from types import ModuleType

NUMBER = r"(?=.{1,100}\Z)[0-9]+(\.[0-9]+)?"
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

def read_list(data: bytes, plan: dict, end: bytes) -> list[tuple[str, ...]]:
    columns, is_open = tuple(plan["list"]["columns"]), plan["list"]["kind"] == "open"
    check(not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")), "no byte order mark")
    *ended, last = data.split(end)
    lines = [line.removesuffix(b"\r" * (end == b"\n")) for line in ended] + [last] * bool(last)
    rows = [tuple(line.decode().rsplit("\t", len(columns) - 1)) for line in lines]
    check(end == b"\0" or not any(c in line for line in lines for c in (0, 13)), "no NUL in a line, and no CR without LF")
    check(all(len(row) == len(columns) and row[0] for row in rows), f"every row has {columns}")
    check("weight" not in columns or all(re.fullmatch(NUMBER, row[-1]) for row in rows), "every weight is a number")
    check(len({row[0] for row in rows}) == len(rows), "no id is there twice")
    return rows if is_open else sorted(rows, key=lambda row: row[0].encode())

def check_weights(rows: list[tuple[str, ...]], plan: dict) -> None:
    check("weight" not in plan["list"]["columns"] or all(units(plan, row[-1]) >= 0 for row in rows), "every weight fits the scale")

def same_list(rows: list[tuple[str, ...]], plan: dict) -> None:
    columns, is_open = tuple(plan["list"]["columns"]), plan["list"]["kind"] == "open"
    mark = b"" if columns == ("id",) else number(2**64 - MARKS[columns])
    digest = bytes(32) if is_open else sha256(mark, *(field(cell.encode()) for row in rows for cell in row))
    check((plan["n"], plan["list"]["digest"]) == (len(rows), digest.hex()), f"{len(rows)} rows, digest {digest.hex()}")
    check("strata" not in plan or plan["strata"] == strata(plan, Counter(row[1] for row in rows)), "the strata")

def words(source: str, K: bytes) -> Iterator[int]:
    at, end = 0, 128
    while True:
        if source == "counter":
            data = b"".join(sha256(K, b"\0", number(i)) for i in range(end // 32))
        elif source in ("shake128", "shake256"):
            data = hashlib.new(source.replace("shake", "shake_"), K).digest(end)
        else:  # the models of other random sources in this project
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

def systematic(w: Iterator[int], weights: list[int], k: int, most: int) -> Iterator[int]:
    T, passed = sum(weights), 0
    check(T > 0 and all(most * weight <= T for weight in weights), "no row is more than certain")
    first = below(w, T)
    for i, weight in enumerate(weights):
        before, passed = passed, passed + k * weight
        # Distances from the end and from the beginning, in points
        if (passed - first + T - 1) // T > (before - first + T - 1) // T:
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
        return exponential(words(plan["random_source"], sha256(K, b"\6", row.encode())))
    return int.from_bytes(sha256(K, b"\1", row.encode())[:16], "big")

def units(plan: dict, text: str) -> int:
    check(bool(re.fullmatch(NUMBER, text)), f"{text[:70]} is a weight")
    weight = Fraction(text) * 10 ** plan["scale"]
    check(weight.denominator == 1 and weight < 2**64, f"{text} has {plan['scale']} decimals at most")
    return int(weight)

def choose(plan: dict, K: bytes, n: int, k: int, cell: Callable) -> Iterator[tuple[int, int | None]]:
    """The positions, and the tickets if the method has some, in the order of the picks."""
    method, w = plan["method"], words(plan["random_source"], K)
    check(k <= n or method == "replace", f"k is at most {n}")
    most = -(-plan["k"] * n // plan["n"]) if plan.get("allocation") == "proportional" and "k" in plan else k
    if method not in TICKETS:
        weights = [units(plan, cell(i, "weight")) for i in range(n)] if method == "pps-systematic" else []
        ways = {"index": lambda: index(w, n, k), "replace": lambda: (below(w, n) for _ in range(k)),
                "gap": lambda: gap(w, n, k), "pps-systematic": lambda: systematic(w, weights, k, most) if most else []}
        return ((i, None) for i in ways[method]())
    weigh = (lambda i: units(plan, cell(i, "weight"))) if method == "weighted-ticket" else lambda i: 1
    rows = ((ticket(plan, K, cell(i, "id")), weigh(i), cell(i, "id").encode(), i) for i in range(n) if weigh(i))
    if method == "bernoulli":
        return ((i, number) for number, _, _, i in rows if number < Fraction(plan["p"]) * 2**128)
    first = nsmallest(k, rows, key=lambda row: (Fraction(row[0], row[1]), row[2]))
    check(most <= sum(bool(weigh(i)) for i in range(n)), f"{most} rows have a weight")
    return ((i, number) for number, _, _, i in first)

def strata(plan: dict, sizes: dict[str, int]) -> list[dict]:
    """The strata in the form of a plan."""
    k = {} if plan["allocation"] == "proportional" and "k" in plan else {"k": plan.get("k", 0)}
    return [k | {"label": label, "n": sizes[label]} for label in sorted(sizes, key=str.encode)]

def allocate(w: Iterator[int], k: int, sizes: list[int]) -> Iterator[int]:
    """Proportional shares of strata in the order of their labels: systematic rounding."""
    n = sum(sizes)
    ahead = below(w, n)  # from the start of the next piece to the next point
    for size in sizes:
        share, piece = divmod(k * size, n)
        hit = ahead < piece
        ahead += n * hit - piece
        yield share + hit

def parts(plan: dict, seed: bytes) -> Iterator[tuple[bytes, str | None, int, int]]:
    """For each stratum, or for the complete list: key, label, n, k."""
    K = sha256(b"hwdraw/1", field(seed), field(plan["context"].encode()), bytes.fromhex(plan["list"]["digest"]))
    listed, sizes = plan.get("strata", [plan]), [part["n"] for part in plan.get("strata", [])]
    random = "strata" in plan and "k" in plan and plan["allocation"] == "proportional"
    shares = allocate(words(plan["random_source"], sha256(K, b"\7")), plan["k"], sizes) if random else (part.get("k", 0) for part in listed)
    for part, k in zip(listed, shares):
        label = part.get("label")
        yield K if label is None else sha256(K, b"\2", label.encode()), label, part["n"], k

def draw(plan: dict, seed: bytes, rows: list[tuple[str, ...]] | None) -> Iterator[dict]:
    """The picks from rows, or from the numbers 1 to n."""
    columns, size = plan["list"]["columns"], 40 if plan["method"] == "weighted-ticket" else 32
    for K, label, n, k in parts(plan, seed):
        mine = [row for row in rows or () if label is None or row[columns.index("stratum")] == label]
        cell = (lambda i, _: str(i + 1)) if rows is None else lambda i, name: mine[i][columns.index(name)]
        for i, tick in choose(plan, K, n, k, cell):
            chosen = {"index": i} if tick is None else {"ticket": f"{tick:0{size}x}"}
            yield chosen | {name: cell(i, name) for name in columns}

UNCHECKED = {
    "commitment": "the commitment: no commitment was given that was published before the seed existed",
    "seed-origin": "the seed's origin: only people who were there can attest that the seed came about as planned",
    "beacon-key": "the beacon's key: it was not given, and is not a published one",
    "beacon-signature": "the signature of the beacon",
    "list": "the list: it was not given",
    "positions": "the positions that the method gap chooses from more than 10^8 rows",
}
OUTCOMES = {"verified": (0, "verified"), "partial": (3, "consistent, but not fully verified")}
ERRORS = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, OSError, RuntimeError, MemoryError)

@contextmanager
def coded(code: str) -> Iterator[None]:
    """Adds a mismatch code to an error, as the attribute `code`, unless it has one."""
    try:
        yield
    except ERRORS as error:
        error.__dict__.setdefault("code", code)
        raise

def verify(text: str, content: bytes | None = None, end: bytes = b"\n", published: str | None = None, **evidence: object) -> dict:
    """The outcome (verified or partial), codes of unchecked items, commitment, and the seed as planned and as given. A mismatch raises
    an error, mostly ValueError, with its code as the attribute `code`. Evidence: chain (parameters of drand's), certificate (of
    NIST's beacon), attested."""
    checks, origins = beside("draw_checks"), beside("draw_origin")
    with coded("transcript"):
        t = checks.strict(text)
        checks.shapes(t)
        plan, picks, seed, kind = t["plan"], t["picks"], checks.seed_bytes(t["seed"]), t["plan"]["list"]["kind"]
    with coded("list"):
        check(kind != "numbers" or content is None, "a draw from integers has no list")
        rows = None if content is None else read_list(content, plan, end)
    committed = sha256(json.dumps(plan, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hex()
    with coded("commitment"):
        check(t["commitment"] == committed, f"the commitment is {committed}")
    with coded("published-commitment"):
        check(published in (None, committed), f"the commitment is {committed}")
    with coded("output"):
        check(t["output"] == sha256(*(field(pick["id"].encode()) for pick in picks)).hex(), "the digest of the output")
    with coded("beacon"):
        unchecked = ["commitment"] * (published is None) + origins.origin(plan, t["seed"], seed, evidence)
    with coded("picks"):
        planned = sum(k for _, _, _, k in parts(plan, seed))
        check(plan["method"] == "bernoulli" or planned == len(picks), f"there are {planned} picks")
    if rows is not None:
        with coded("list"):
            same_list(rows, plan)
    with coded("picks"):
        if kind == "numbers":
            check(plan["method"] not in TICKETS or plan["n"] <= checks.MOST, "n is at most 10^8")
            check(all(pick == other for pick, other in zip_longest(draw(plan, seed, None), picks)), "the picks")
        elif rows is not None:
            check_weights(rows, plan)
            check(list(draw(plan, seed, rows)) == picks, "the picks")
        else:
            unchecked += ["list", *checks.without_list(plan, seed, picks)]
    return {"outcome": "partial" if unchecked else "verified", "unchecked": unchecked, "commitment": committed,
            "planned": origins.show(plan["seed_source"]), "given": origins.given(t["seed"])}

def main() -> int:
    parser = argparse.ArgumentParser(description="Verifies a draw.")
    parser.add_argument("--committed", metavar="HEX", help="the published commitment", type=str.lower)
    parser.add_argument("--drand-chain", metavar="FILE", help="parameters of a drand chain that isn't built in", type=Path)
    parser.add_argument("--certificate", metavar="FILE", help="certificate of NIST's beacon, if it isn't built in", type=Path)
    parser.add_argument("--seed-attested", action="store_true", help="you saw that the seed came from the planned source")
    for name in ("transcript", "list", "zero"):
        parser.add_argument(name, nargs=None if name == "transcript" else "?", choices=["zero"] if name == "zero" else None)
    options = parser.parse_args()
    try:
        content, rows = Path(options.transcript).read_bytes(), Path(options.list).read_bytes() if options.list else None
        chain, certificate = (file.read_bytes() if file else None for file in (options.drand_chain, options.certificate))
        found = verify(content.decode(), rows, b"\0" if options.zero else b"\n", options.committed,
                       chain=chain, certificate=certificate, attested=options.seed_attested)
    except ERRORS as error:
        print(f"mismatch: {getattr(error, 'code', 'input')}: {error!r}")
        return 1
    code, words = OUTCOMES[found["outcome"]]
    print(words, f"hwdraw/1 commitment {found['commitment']}", f"seed planned: {found['planned']}", f"seed given:   {found['given']}", sep="\n")
    print("seed attested by the person who verifies\n" * options.seed_attested, end="")
    print("".join(f"not checked: {UNCHECKED[item]}\n" for item in found["unchecked"]), end="")
    return code

if __name__ == "__main__":
    sys.exit(main())
