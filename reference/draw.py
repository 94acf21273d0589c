"""Rechecks a draw: docs/spec/draw.md (hwdraw/1) as one program on Python's standard library.

    python3 reference/draw.py TRANSCRIPT [FRAME [zero]]

FRAME is the list that was drawn from; with `zero` its rows end in NUL instead of newlines. Without it, what needs the list
is left out, and the last line says so. Ends with 0 if all that was checked agrees, else with 1. It does not verify the
signatures of beacons. `draw` makes the picks of a plan, so that the program can also hold a draw of its own.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb
from pathlib import Path

Row = tuple[str, ...]  # an id, and beside it what the plan's columns say
MARKS = {("id", "weight"): 2, ("id", "stratum"): 3, ("id", "stratum", "weight"): 4}
TICKETS = ("ticket", "bernoulli", "weighted-ticket")
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def number(n: int) -> bytes:
    return n.to_bytes(8, "big")


def field(data: bytes) -> bytes:
    return number(len(data)) + data


def check(right: bool, what: str) -> None:
    if not right:
        raise ValueError(what)


# The frame


def read_frame(data: bytes, plan: dict, end: bytes = b"\n") -> list[Row]:
    columns = plan["frame"]["columns"]
    lines = data.split(end)
    lines = lines if lines[-1] else lines[:-1]
    lines = [line.removesuffix(b"\r") for line in lines] if end == b"\n" else lines
    rows = [tuple(line.decode().rsplit("\t", len(columns) - 1)) for line in lines]
    check(all(len(row) == len(columns) and row[0] for row in rows), f"every row has {columns}")
    check(len({row[0] for row in rows}) == len(rows), "no id is there twice")
    return rows if plan["frame"]["kind"] == "open" else sorted(rows, key=lambda row: row[0].encode())


def frame_digest(plan: dict, rows: list[Row]) -> bytes:
    columns = tuple(plan["frame"]["columns"])
    if plan["frame"]["kind"] == "open":
        return bytes(32)
    mark = b"" if columns == ("id",) else number(2**64 - MARKS[columns])
    return sha256(mark, *(field(cell.encode()) for row in rows for cell in row))


# Keys and words


def key(seed: bytes, context: bytes, frame: bytes) -> bytes:
    return sha256(b"hwdraw/1", field(seed), field(context), frame)


def stream(source: str, K: bytes, n: int) -> bytes:
    """The first n bytes of the stream of K, and perhaps some more."""
    if source == "counter":
        return b"".join(sha256(K, b"\0", number(i)) for i in range(-(-n // 32)))
    if source in ("shake128", "shake256"):
        return hashlib.new(source.replace("e", "e_"), K).digest(n)
    name = source.removeprefix("hmac-drbg-").replace("-", "_")
    if name in hashlib.algorithms_guaranteed and source.startswith("hmac-drbg-"):
        return drbg(name, K, n)
    sys.path.append(str(Path(__file__).parent.parent))  # other sources: this project's models of them
    from reference import random as models

    return models.stream(source, K, n)


def drbg(name: str, entropy: bytes, n: int) -> bytes:
    """HMAC-DRBG of SP 800-90A, no nonce, no personalization, requests of 1024 bytes."""
    size = hashlib.new(name).digest_size
    k, V, out = bytes(size), b"\1" * size, b""

    def update(k: bytes, V: bytes, data: bytes) -> tuple[bytes, bytes]:
        for tag in (b"\0", b"\1") if data else (b"\0",):
            k = hmac.digest(k, V + tag + data, name)
            V = hmac.digest(k, V, name)
        return k, V

    k, V = update(k, V, entropy)
    while len(out) < n:
        request = b""
        while len(request) < 1024:
            V = hmac.digest(k, V, name)
            request += V
        out += request[:1024]
        k, V = update(k, V, b"")
    return out


def words(source: str, K: bytes) -> Iterator[int]:
    at, end = 0, 128
    while True:
        data = stream(source, K, end)
        yield from (int.from_bytes(data[i : i + 8], "big") for i in range(at, end, 8))
        at, end = end, 2 * end


def below(w: Iterator[int], n: int) -> int:
    bits = 64 if n <= 2**64 else 128
    while True:
        x = next(w) if bits == 64 else next(w) << 64 | next(w)
        if x < n * (2**bits // n):
            return x % n


# Methods: which rows, by their position


def index(w: Iterator[int], n: int, k: int) -> Iterator[int]:
    moved: dict[int, int] = {}
    for i in range(k):
        j = i + below(w, n - i)
        yield moved.get(j, j)
        moved[j] = moved.get(i, i)


def replace(w: Iterator[int], n: int, k: int) -> Iterator[int]:
    return (below(w, n) for _ in range(k))


def gap(w: Iterator[int], n: int, k: int) -> list[int]:
    slots, t = list(range(k)), k
    while t < n:
        U, low, high = next(w) + 1, 0, n - t  # the largest s with C(t, k) / C(t + s, k) >= U / 2^64
        while low < high:
            s = (low + high + 1) // 2
            low, high = (s, high) if comb(t, k) << 64 >= U * comb(t + s, k) else (low, s - 1)
        if t + low < n:
            slots[below(w, k)] = t + low
        t += low + 1
    return slots


def pps(w: Iterator[int], weights: list[int], k: int) -> Iterator[int]:
    total, passed = sum(weights), 0
    check(all(k * weight <= total for weight in weights) and total > 0, "no row is more than certain")
    first = below(w, total)
    for i, weight in enumerate(weights):
        before, passed = passed, passed + k * weight
        if (passed - first + total - 1) // total > (before - first + total - 1) // total:
            yield i


def ticket(K: bytes, row: str) -> int:
    return int.from_bytes(sha256(K, b"\1", row.encode())[:16], "big")


def exponential(w: Iterator[int]) -> int:
    """Von Neumann's, times 2^128."""
    whole = 0
    while True:
        first = last = next(w) << 64 | next(w)
        run = 1
        while (following := next(w) << 64 | next(w)) < last:
            last, run = following, run + 1
        if run % 2:
            return whole << 128 | first
        whole += 1


def ticket_text(plan: dict, K: bytes, row: str) -> str:
    if plan["method"] == "weighted-ticket":
        return f"{exponential(words(plan['words'], sha256(K, bytes([6]), row.encode()))):040x}"
    return f"{ticket(K, row):032x}"


def units(plan: dict, text: str) -> int:
    units = Fraction(text) * 10 ** plan["scale"] if NUMBER.fullmatch(text) else Fraction(1, 2)
    check(units.denominator == 1 and units < 2**64, f"a weight of {plan['scale']} decimals: {text}")
    return int(units)


def choose(plan: dict, K: bytes, n: int, k: int, cell: Callable[[int, str], str] | None) -> Iterator[tuple[int, str]]:
    """Positions and tickets, in the order of the picks."""
    method, w = plan["method"], words(plan["words"], K)
    check(method in ("bernoulli", "replace") or k <= n, f"k is at most {n}")
    if method in ("index", "replace", "gap"):
        return ((i, "") for i in {"index": index, "replace": replace, "gap": gap}[method](w, n, k))
    assert cell is not None
    if method == "pps-systematic":
        return ((i, "") for i in pps(w, [units(plan, cell(i, "weight")) for i in range(n)], k))
    check(method in TICKETS, f"a method of hwdraw/1: {method}")
    found = [(int(ticket_text(plan, K, cell(i, "id")), 16), cell(i, "id").encode(), i) for i in range(n)]
    if method == "bernoulli":
        found = [row for row in found if row[0] < Fraction(plan["p"]) * 2**128]
    elif method == "weighted-ticket":
        weights = [units(plan, cell(i, "weight")) for i in range(n)]
        check(sum(weight > 0 for weight in weights) >= k, "enough rows have a weight")
        found = sorted((row for row in found if weights[row[2]]), key=lambda r: (Fraction(r[0], weights[r[2]]), r[1]))[:k]
    else:
        found = sorted(found)[:k]
    return ((i, ticket_text(plan, K, cell(i, "id"))) for _, _, i in found)


def allocate(plan: dict, sizes: dict[str, int]) -> list[dict]:
    """What each stratum gets; of the largest remainders, those of the first labels count first."""
    labels, n, k = sorted(sizes, key=str.encode), sum(sizes.values()), plan.get("k", 0)
    shares = {label: k if plan["allocation"] == "each" else k * sizes[label] // n for label in labels}
    if plan["allocation"] == "proportional":
        for label in sorted(labels, key=lambda label: -(k * sizes[label] % n))[: k - sum(shares.values())]:
            shares[label] += 1
    return [{"k": shares[label], "label": label, "n": sizes[label]} for label in labels]


def draw(plan: dict, seed: bytes, rows: list[Row] | None) -> Iterator[dict]:
    """The picks. Without rows, those of the numbers 1 to n, or of a list that is not there: then positions alone."""
    columns, K = plan["frame"]["columns"], key(seed, plan["context"].encode(), bytes.fromhex(plan["frame"]["digest"]))
    numbers = plan["frame"]["kind"] == "numbers"
    for stratum in plan.get("strata", [{"k": plan.get("k", 0), "n": plan["n"]}]):
        label = stratum.get("label")
        K_s = K if label is None else sha256(K, b"\2", label.encode())
        members = rows and [row for row in rows if label is None or row[columns.index("stratum")] == label]

        def cell(i: int, name: str) -> str:
            return str(i + 1) if numbers else members[i][columns.index(name)]

        for i, tick in choose(plan, K_s, stratum["n"], stratum["k"], cell):
            pick = {"index": i} if not tick else {"ticket": tick}
            pick |= {"id": cell(i, "id")} if numbers or rows else {}
            pick |= {"weight": cell(i, "weight")} if "weight" in columns and rows else {}
            yield pick | ({} if label is None else {"stratum": label})


# The transcript


def plain(pairs: list[tuple]) -> dict:
    check(len(dict(pairs)) == len(pairs), "no key is there twice")
    return dict(pairs)


def commitment(plan: dict) -> str:
    text = json.dumps(plan, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hex()


def seed_bytes(plan: dict, seed: dict) -> bytes:
    data = seed["text"].encode() if "text" in seed else bytes.fromhex(seed["hex"])
    if seed["from"] == "drand":
        check(sha256(bytes.fromhex(seed["drand"]["signature"])) == data, "the seed is the round's randomness")
        check(plan["seed_source"] == f"drand {seed['drand']['chain']} {seed['drand']['round']}", "the round planned")
    if seed["from"] == "nist":
        check(plan["seed_source"] == f"nist {seed['nist']['chain']} {seed['nist']['pulse']}", "the pulse planned")
    return data


def verify(text: str, frame: bytes | None = None, end: bytes = b"\n") -> str:
    t = json.loads(text, object_pairs_hook=plain)
    plan, picks = t["plan"], t["picks"]
    check(plan["spec"] == "hwdraw/1", "the specification is hwdraw/1")
    check(t["commitment"] == commitment(plan), "the commitment is that of the plan")
    check(t["output"] == sha256(*(field(pick["id"].encode()) for pick in picks)).hex(), "the digest of the output")
    seed, rows, left = seed_bytes(plan, t["seed"]), None, "the list was not given"
    if plan["frame"]["kind"] == "numbers":
        check(plan["frame"]["digest"] == sha256(number(2**64 - 1), number(plan["n"])).hex(), "the frame's digest")
    elif frame is not None:
        rows = read_frame(frame, plan, end)
        check(plan["n"] == len(rows), "n is the number of rows")
        check(plan["frame"]["digest"] == frame_digest(plan, rows).hex(), "the frame's digest")
        if "strata" in plan:
            labels = [row[1] for row in rows]
            check(plan["strata"] == allocate(plan, {x: labels.count(x) for x in set(labels)}), "the allocation")
    if rows or plan["frame"]["kind"] == "numbers":
        check(list(draw(plan, seed, rows)) == picks, "the picks")
        left = "beacon signatures" if t["seed"]["from"] in ("drand", "nist") else ""
    elif plan["method"] in ("index", "replace", "gap"):
        found = [{"index": pick["index"]} | {k: pick[k] for k in ("stratum",) if k in pick} for pick in picks]
        check(list(draw(plan, seed, None)) == found, "the positions of the picks")
    elif plan["method"] in TICKETS:
        K = key(seed, plan["context"].encode(), bytes.fromhex(plan["frame"]["digest"]))
        for pick in picks:
            K_s = sha256(K, b"\2", pick["stratum"].encode()) if "stratum" in pick else K
            check(pick["ticket"] == ticket_text(plan, K_s, pick["id"]), f"the ticket of {pick['id']}")
    return left


if __name__ == "__main__":
    try:
        paths = [Path(name) for name in sys.argv[1:3]]
        given = paths[1].read_bytes() if len(paths) > 1 else None
        unchecked = verify(paths[0].read_text(encoding="utf-8"), given, b"\0" if sys.argv[3:] == ["zero"] else b"\n")
        print("agrees" + (f"; not checked: {unchecked}" if unchecked else ""))
    except (ValueError, KeyError, TypeError, IndexError, OSError, RecursionError) as error:
        sys.exit(f"does not agree: {error!r}")
