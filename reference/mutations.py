"""Mutated transcripts of hwdraw/1 with the outcome that every implementation must give for them.

    python3 -m reference.mutations [--count N] [--seed N]

prints one JSON object per line, the same lines for the same options:

- `name`: the draw that was changed, and how
- `transcript` (text), or `transcript_hex` if the bytes are not UTF-8
- `list` (text) or `list_hex`: the file with the list, absent if the transcript is verified without one
- `zero`: whether the rows of the list end with NUL
- `committed`: the published commitment, or null
- `attested`: whether the verifier saw where the seed came from
- `outcome`: the outcome of reference/draw.py: `verified`, `partial` or `mismatch`. It verifies the signatures of NIST's beacon and
  not those of drand
- `unsigned`: the outcome for an implementation that verifies no signatures
- `codes`: the codes that belong to `unsigned`, in alphabetical order: with `partial` those of all unchecked items, with `mismatch`
  that of the first mismatch (docs/spec/draw.md, "Verification"). `transcript` means that the transcript breaks a rule of "Reading a
  transcript"

The draws are those of vectors/draw.json and random ones. In most changed transcripts the digests are computed again, so
that readers which compare digests first still reach the change."""

import argparse
import contextlib
import copy
import json
import random
import sys
import unittest.mock
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from . import draw, draw_origin
from .test_draw import CASES, complete, list_bytes, random_draw

COUNT, SEED = 5000, 38


class Case(NamedTuple):
    """A changed transcript, and the other arguments of the verifier."""

    name: str
    transcript: bytes
    columns: list[str]  # the columns of the list
    rows: list[tuple[str, ...]] | None  # None if no list is given, or if the list itself was changed
    list: bytes | None
    zero: bool
    committed: str | None
    attested: bool


class Raw(str):
    """JSON text that is written unchanged."""


class Pairs(list):
    """The members of an object, in which keys can be repeated."""


def dump(value: Any, gap: str = "", ascii_only: bool = False) -> str:
    """Encodes values that can contain Raw texts and Pairs as JSON."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, dict | Pairs):
        pairs = sorted(value.items()) if isinstance(value, dict) else value
        members = (json.dumps(key, ensure_ascii=ascii_only) + ":" + gap + dump(inner, gap, ascii_only) for key, inner in pairs)
        return "{" + ("," + gap).join(members) + "}"
    if isinstance(value, list):
        return "[" + ("," + gap).join(dump(inner, gap, ascii_only) for inner in value) + "]"
    return json.dumps(value, ensure_ascii=ascii_only)


def encoded(value: Any) -> bytes:
    return dump(value).encode("utf-8", "surrogatepass")


def seal(transcript: dict) -> None:
    """Computes the digests of a changed transcript again, if it still contains the values for them."""
    transcript["commitment"] = draw.sha256(encoded(transcript.get("plan"))).hex()
    picks = transcript.get("picks")
    ids = [pick.get("id") if isinstance(pick, dict) else None for pick in picks] if isinstance(picks, list) else [None]
    if all(isinstance(one, str) for one in ids):
        transcript["output"] = draw.sha256(*(draw.field(one.encode("utf-8", "surrogatepass")) for one in ids)).hex()


def places(value: Any, at: tuple = ()) -> Iterator[tuple]:
    """The paths of all nested values."""
    is_array = isinstance(value, list) and not isinstance(value, Pairs)
    members = value.items() if isinstance(value, dict) else enumerate(value) if is_array else ()
    for key, inner in members:
        yield (*at, key)
        yield from places(inner, (*at, key))


def holder(value: Any, path: tuple) -> Any:
    for key in path[:-1]:
        value = value[key]
    return value


RANDOM_SOURCES = (
    "Counter", "SHAKE256", "shake-256", "blake-3", "sha256", "whatever", "", "\\", "counter ", "hmac-drbg-sha-256",
    "hmac-drbg-md5", "hmac-drbg-", "shake128", "turboshake128", "blake3", "kt128", "hmac-drbg-sha256", "ascon-xof128",
)
NUMBERS = (0, 1, 2, 3, 5, 6, 7, 18, 19, 100, 10**8 + 1, 2**31, 2**32, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -1)
DECIMALS = ("0", "1", "1.0", "0.5", "00.5", "0.50", ".5", "5.", "1.1", "2", "-1", "+1", "1e0", "1/2", " 1", "1 ", "1\n", "1_0",
            "\u0661", "\uff11", "0x1", "NaN", "inf", "", "0." + "0" * 37 + "1", "0." + "0" * 38 + "1", "0" * 99 + "1",
            "0" * 100 + "1", "0" * 5000 + "1", "1." + "0" * 97, "1." + "0" * 98, "1." + "0" * 99, "1." + "0" * 5000, "9" * 5000)
TEXTS = ("", " ", "x", "0", "\0", "\n", "\t", "\r", "\x7f", "\ufeff", "\u2028", "\ud800", "\udc00x", "\U0001f600", "x" * 5000,
         "00", "ab" * 32, "AB" * 32, "0" * 64, "0" * 63, "00" * 64, "hwdraw/1", "hwdraw/2", "Hwdraw/1", "list", "open", "numbers",
         "List", "each", "proportional", "Each", "dice", "text", "hex", "os", "drand", "nist", "Dice", "index", "ticket",
         "replace", "gap", "bernoulli", "weighted-ticket", "pps-systematic", "Index", "pps_systematic", "id", "stratum", "weight")
ODD = (None, True, False, [], {}, [[]], [None], {"": None}, 1.5, Raw("1.0"), Raw("1e3"), Raw("-0"), Raw("-0.0"), Raw("00"), Raw("01"),
       Raw("+1"), Raw("1E400"), Raw("1e-400"), Raw("NaN"), Raw("Infinity"), Raw("-Infinity"), Raw("9" * 5000), Raw("1" + "0" * 5000),
       Raw("0x1"), Raw("1_0"), Raw("."), Raw(""), Raw("nul"), Raw("True"), Raw("'x'"), Raw('"\\ud800"'), Raw('"\\udc00\\ud800"'),
       Raw('"\\x41"'), Raw('"\\u00"'), Raw('"\n"'), Raw('"\x01"'), Raw("[" * 200 + "]" * 200), Raw("[" * 100_000),
       Raw('{"a":' * 100_000), Raw("[1,]"), Raw('{"a":1,}'), Raw("/**/1"))


def spelled(value: Any, rng: random.Random) -> Any:
    """A value that is written differently. In some cases, it is still the same value."""
    if isinstance(value, bool) or value is None:
        return Raw('"' + json.dumps(value) + '"')
    if isinstance(value, int):
        forms = (f"{value}.0", f"{value}e0", f"{value}E+0", f"0{value}", f"+{value}", f"-{value}", f'"{value}"', f" {value} ",
                 f"{value + 2**64}", f"0x{value:x}", f"{value}.", f"{value}n")
        return Raw(rng.choice(forms))
    if isinstance(value, str):
        at = rng.randrange(len(value) + 1)
        escaped = "".join(f"\\u{unit:04x}" for unit in memoryview(value.encode("utf-16-le", "surrogatepass")).cast("H"))
        forms = (Raw(f'"{escaped}"'), Raw(f'"{escaped.upper()}"'), value + " ", " " + value, value + "\n", value.upper(), value.title(),
                 value[:at] + "\0" + value[at:], value[:-1], value + value[-1:], value[:at] + "\ud83d" + value[at:],
                 value.replace("a", "\u0430"), value.replace("0", "\u0660"), [value], {"text": value})
        return rng.choice(forms)
    if isinstance(value, dict):
        return rng.choice(([*value.values()], [[key, inner] for key, inner in value.items()], Pairs([*value.items()][::-1]), [value]))
    return rng.choice((value[::-1], value[:-1], value + value[-1:], {str(i): inner for i, inner in enumerate(value)}, value * 2))


def other(value: Any, key: Any, rng: random.Random) -> Any:
    """A different value."""
    if key == "random_source" and rng.random() < 0.8:
        return rng.choice(RANDOM_SOURCES)
    if key in ("weight", "p") and rng.random() < 0.8:
        return rng.choice(DECIMALS)
    if rng.random() < 0.35:
        return copy.deepcopy(rng.choice(ODD))
    if isinstance(value, int) and rng.random() < 0.7:
        return rng.choice((value + 1, value - 1, rng.choice(NUMBERS)))
    return rng.choice((rng.choice(TEXTS), rng.choice(NUMBERS), rng.choice(DECIMALS)))


def change_value(t: dict, rng: random.Random) -> str:
    path = rng.choice([*places(t)])
    inside = holder(t, path)
    inside[path[-1]] = other(inside[path[-1]], path[-1], rng)
    return f"another value at {path}"


def respell(t: dict, rng: random.Random) -> str:
    path = rng.choice([*places(t)])
    inside = holder(t, path)
    inside[path[-1]] = spelled(inside[path[-1]], rng)
    return f"another spelling at {path}"


def objects(t: dict) -> list[tuple]:
    return [(), *(path for path in places(t) if isinstance(holder(t, path)[path[-1]], dict) and holder(t, path)[path[-1]])]


def change_key(t: dict, rng: random.Random) -> str:
    """Removes, adds, misspells or repeats keys."""
    path = rng.choice(objects(t))
    value = holder(t, path)[path[-1]] if path else t
    key = rng.choice([*value])
    way = rng.choice(("missing", "unknown", "misspelt", "twice", "twice", "foreign"))
    if way == "missing":
        del value[key]
    elif way == "unknown":
        value[rng.choice(("x", "", "__proto__", "\ud800", "\0", "comment", "constructor"))] = rng.choice((1, None, "", {}))
    elif way == "misspelt":
        value[rng.choice((key.upper(), key + " ", key + "s", key.replace("e", "\u0435"), key[:-1], key + "\0"))] = value.pop(key)
    elif way == "foreign":
        name = rng.choice(("k", "p", "scale", "strata", "allocation", "index", "ticket", "weight", "stratum", "hex", "text", "drand", "nist",
                           "previous_signature", "certificate", "message"))
        value[name] = rng.choice((1, "", "00", "0.5", [], None))
    else:
        again = rng.choice((value[key], other(value[key], key, rng)))
        members = [*value.items()]
        members.insert(rng.randrange(len(members) + 1), (key, again))
        pairs = Pairs(members)
        if path:
            holder(t, path)[path[-1]] = pairs
        else:
            t.clear()
            t["\0pairs"] = pairs
    return f"a key {way} at {path}: {key}"


def change_picks(t: dict, rng: random.Random) -> str:
    """Changes the picks or their order."""
    picks = t["picks"]
    way = rng.choice(("swap", "drop", "repeat", "arrays", "rename", "index", "case", "add"))
    if way == "arrays":
        t["picks"] = [[*pick.values()] for pick in picks]
    elif way == "add" or not picks:
        picks.append(copy.deepcopy(picks[0]) if picks else {"id": "x"})
    elif way == "swap":
        i, j = rng.randrange(len(picks)), rng.randrange(len(picks))
        picks[i], picks[j] = picks[j], picks[i]
    elif way == "drop":
        del picks[rng.randrange(len(picks))]
    elif way == "repeat":
        picks[rng.randrange(len(picks))] = copy.deepcopy(rng.choice(picks))
    else:
        pick = rng.choice(picks)
        if way == "rename":
            pick["id"] = rng.choice((pick["id"] + "x", pick["id"][:-1], "", "apple", "1"))
        elif "index" in pick:
            pick["index"] += rng.choice((-1, 1, 2**64))
        else:
            pick["ticket"] = rng.choice((pick["ticket"].upper(), "0" + pick["ticket"], pick["ticket"][1:], pick["ticket"][:-1] + "0"))
    return f"picks: {way}"


def change_plan(t: dict, rng: random.Random) -> str:
    """Makes plans with errors that the other mutations don't make."""
    plan = t["plan"]
    way = rng.choice(("random_source", "digest", "source", "columns", "strata", "sizes", "seed", "list"))
    if way == "random_source":
        plan["random_source"] = rng.choice(RANDOM_SOURCES)
    elif way == "digest":
        plan["list"]["digest"] = rng.choice((plan["list"]["digest"].upper(), "0" * 64, "0" * 62, "g" * 64, plan["list"]["digest"] + "00"))
    elif way == "source":
        t["seed"]["from"] = rng.choice(("text", "dice", "hex", "os", "drand", "nist", "Text"))
    elif way == "columns":
        plan["list"]["columns"] = rng.choice((["id"], ["id", "id"], ["id", "weight"], ["weight"], [], ["id", "weight", "stratum"], "id"))
    elif way == "sizes":
        plan.update(n=rng.choice(NUMBERS), k=rng.choice((plan.get("k", 1), 1, 2, 3)))
    elif way == "seed":
        t["seed"] = rng.choice(({"from": "dice", "text": "\u0661\u0662"}, {"from": "dice", "text": ""}, {"from": "dice", "text": "12\n"},
                                {"from": "text", "text": "\ud800"}, {"from": "hex", "hex": "0"}, {"from": "hex", "hex": "AB"},
                                {"from": "hex", "text": "ab"}, {"from": "os", "hex": ""}, {"from": "os", "hex": "zz"}))
    elif way == "list":
        plan["list"]["kind"] = rng.choice(("list", "open", "numbers"))
    elif "strata" in plan:
        strata = plan["strata"]
        stratum = rng.choice(strata)
        stratum[rng.choice(("k", "n"))] = rng.choice((0, 1, 2, 3, 2**63, 2**64 - 1))
        if rng.random() < 0.5:
            strata.append(copy.deepcopy(stratum))
    else:
        plan.update(allocation="each", strata=[{"k": 1, "label": "x", "n": plan["n"]}])
    return f"plan: {way}"


def change_seed(t: dict, rng: random.Random) -> str:
    """Changes the fields of a beacon."""
    seed = t["seed"]
    beacon = seed.get("drand") or seed.get("nist")
    if not beacon:
        return change_value(t, rng)
    key = rng.choice([*beacon, "previous_signature", "certificate", "x"])
    value = beacon.get(key)
    odd = (7, None, "", "x", [], True, "00", "0", "ABCD", "unchecked", 0, 2**63, 2**64)
    forms = [value.upper(), value + "00", value[:-2], value + " "] if isinstance(value, str) else []
    beacon[key] = rng.choice((*odd, *forms))
    if rng.random() < 0.3:
        del beacon[key]
    return f"beacon: {key}"


STRUCTURAL: tuple[Callable[[dict, random.Random], str], ...] = (
    change_value, change_value, respell, respell, change_key, change_key, change_picks, change_plan, change_plan, change_seed)


def change_bytes(text: bytes, rng: random.Random) -> tuple[str, bytes]:
    at, length = rng.randrange(len(text)), rng.randrange(1, 9)
    way = rng.choice(("byte", "byte", "bit", "cut", "insert", "repeat", "end", "begin", "blanks", "truncate", "escape"))
    before, after = text[:at], text[at:]
    if way == "byte":
        new = before + bytes([rng.choice((rng.randrange(256), rng.choice(b'{}[]:,"\\0123456789-+.eE \n')))]) + after[1:]
    elif way == "bit":
        new = before + bytes([after[0] ^ 1 << rng.randrange(8)]) + after[1:]
    elif way == "cut":
        new = before + after[length:]
    elif way == "insert":
        pieces = (b" ", b"\n", b"\r\n", b"\t", b"\0", b"\x0b", b"\x0c", b"\xc2\xa0", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\xff", b"\xed\xa0\x80",
                  b"\xc0\x80", b"\xf4\x90\x80\x80", b"//", b"/**/", b",", b"null", b"\\u0000", b"\\ud800", b"\\/", b"\x1f", b"\x7f")
        new = before + rng.choice(pieces) + after
    elif way == "repeat":
        new = before + after[:length] + after
    elif way == "end":
        new = text + rng.choice((b"\n", b" \t\r\n", b"\0", b"x", b"{}", b",", b"]", b"null", text, b"\x1a", b"\xef\xbb\xbf", b"\xa0"))
    elif way == "begin":
        new = rng.choice((b"\n", b" \t\r\n", b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"[", b"x", b")]}',\n", b"\x0c", b"\xc2\x85")) + text
    elif way == "blanks":
        new = text.replace(rng.choice((b":", b",", b"{")), rng.choice((b": ", b",\n", b"{\t", b" ,", b" :\r")), 1)
    elif way == "truncate":
        new = before
    else:
        new = text.replace(bytes([text[at]]), b"\\u%04x" % text[at]) if text[at] > 96 else before
    return f"bytes: {way} at {at}", new


def change_list(file: bytes, zero: bool, rng: random.Random) -> tuple[str, bytes]:
    """Files with a different list, with the same list in a different form, or that are not text."""
    end = b"\0" if zero else b"\n"
    ways: dict[str, Callable[[], bytes]] = {
        "the last row does not end": lambda: file.removesuffix(end),
        "CRLF": lambda: file.replace(end, b"\r\n"),
        "CR": lambda: file.replace(end, b"\r"),
        "CR at the end": lambda: file.removesuffix(end) + b"\r",
        "CR inside": lambda: file[:1] + b"\r" + file[1:],
        "NUL inside": lambda: file[:1] + b"\0" + file[1:],
        "byte order mark": lambda: b"\xef\xbb\xbf" + file,
        "UTF-16": lambda: file.decode().encode("utf-16-le"),
        "UTF-16 with its mark": lambda: file.decode().encode("utf-16"),
        "not UTF-8": lambda: file + b"\xff" + end,
        "empty row": lambda: file + end,
        "repeated row": lambda: file + file[: file.find(end) + 1],
        "another row": lambda: file + b"other" + end,
        "rows in another order": lambda: end.join(file.removesuffix(end).split(end)[::-1]) + end,
        "nothing": lambda: b"",
    }
    way = rng.choice([*ways])
    return f"list: {way}", ways[way]()


def draws(rng: random.Random, wanted: int) -> list[tuple[str, dict, list | None]]:
    """Valid transcripts: those of the vectors, and random ones."""
    honest = [(case["name"], case["transcript"], case.get("rows")) for case in CASES if "transcript" in case]
    while len(honest) < wanted:
        plan, seed, rows = random_draw(rng)
        try:
            honest.append((f"random draw {len(honest)}", complete(plan, seed, rows), rows))
        except ValueError:
            continue
    return honest


def mutations(count: int = COUNT, seed: int = SEED) -> Iterator[Case]:
    """Valid transcripts, each once, followed by changed ones."""
    rng = random.Random(seed)
    honest = draws(rng, 120)
    for i in range(count):
        name, transcript, rows = honest[i] if i < len(honest) else rng.choice(honest)
        t, changes = copy.deepcopy(transcript), []
        text = None
        if i >= len(honest):
            kind = rng.random()
            if kind < 0.75:
                for _ in range(1 if rng.random() < 0.8 else 2):
                    try:
                        changes.append(rng.choice(STRUCTURAL)(t, rng))
                    except (LookupError, TypeError, AttributeError, ValueError):
                        break  # an earlier change removed the value that this one would change
                if rng.random() < 0.8 and "\0pairs" not in t:
                    seal(t)
            whole = t.get("\0pairs", t)
            text = dump(whole, rng.choice(("", " ", "\n")), rng.random() < 0.5).encode("utf-8", "surrogatepass")
            if kind >= 0.75 and kind < 0.95:
                change, text = change_bytes(text, rng)
                changes.append(change)
        else:
            text = json.dumps(t).encode()
        file, zero = (None, False) if rows is None or rng.random() < 0.3 else (list_bytes(rows)[0], list_bytes(rows)[1] == b"\0")
        given = rows if file is not None else None
        if i >= len(honest) and file is not None and (not changes or rng.random() < 0.03):
            change, file = change_list(file, zero, rng)
            changes.append(change)
            given = None
        commitment = str(t.get("commitment"))
        published = rng.choice((None, commitment, commitment, commitment.upper(), "00" * 32 if rng.random() < 0.2 else commitment))
        columns = transcript["plan"]["list"]["columns"]
        yield Case("; ".join([name, *changes]), text, columns, given, file, zero, published, rng.random() < 0.7)


def found(case: Case, signatures: bool = True) -> tuple[str, list[str]]:
    """The outcome and the codes of reference/draw.py, with or without verifying signatures."""
    end, published = b"\0" if case.zero else b"\n", case.committed and case.committed.lower()
    unsigned = contextlib.nullcontext() if signatures else unittest.mock.patch.object(draw_origin, "verify_rsa")
    try:
        with draw.coded("transcript"):
            text = case.transcript.decode()
        with unsigned as skipped:
            result = draw.verify(text, case.list, end, published, attested=case.attested)
        skips = ["beacon-signature"] if skipped and skipped.called else []
        return "partial" if skips else str(result["outcome"]), sorted([*result["unchecked"], *skips])
    except draw.ERRORS as error:
        return "mismatch", [error.__dict__["code"]]


def line(case: Case) -> str:
    """A case as a line of JSON."""

    def text_or_bytes(name: str, data: bytes) -> dict[str, str]:
        try:
            return {name: data.decode()}
        except UnicodeDecodeError:
            return {name + "_hex": data.hex()}

    record: dict[str, Any] = {"name": case.name} | text_or_bytes("transcript", case.transcript)
    if case.list is not None:
        record |= text_or_bytes("list", case.list)
    evidence = {"zero": case.zero, "committed": case.committed, "attested": case.attested}
    unsigned, codes = found(case, signatures=False)
    return json.dumps(record | evidence | {"outcome": found(case)[0], "unsigned": unsigned, "codes": codes})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Prints mutated transcripts of hwdraw/1 with their outcomes.")
    parser.add_argument("--count", type=int, default=COUNT, help="number of changed transcripts (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the changes (default: %(default)s)")
    options = parser.parse_args()
    for case in mutations(options.count, options.seed):
        sys.stdout.write(line(case) + "\n")
